// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchscript.h"
#include "model/protocol/jobspec.h"

#include <algorithm>
#include <optional>

namespace trainyard::batch
{

inline constexpr qint64 usualBatchMemoryMiB = 4096; // of a task, where a script says none; the report names it
inline constexpr qint64 mostOfAShape = 1'000'000'000'000; // a script may say any numbers, and no computer has as much

// A product of numbers that are not below zero, at most mostOfAShape.
inline qint64 boundedProduct(qint64 a, qint64 b) { return b > 0 && a > mostOfAShape / b ? mostOfAShape : a * b; }

// How much of the cluster a component or a step has.
struct Shape {
    ByteRange nodesAt, tasksAt; // where `nodes` is said, and how many tasks there are
    qint64 nodes = 0, tasks = 0, perNode = 0, cpus = 1, gpus = 0, gpusPerNode = 0, gpusPerTask = 0;
    qint64 gpusInGres = 0; // of a node, too: another list of resources says nothing of --gpus-per-node
    qint64 cpusPerGpu = 0, tasksPerGpu = 0;
    bool saysCpus = false, isExclusive = false; // it has its nodes for itself
    bool hasMoreNodes = false; // `nodes` is only the least: "1-4"
    QString gpuType; // empty: any
    std::optional<qint64> memory, memoryPerCpu, memoryPerGpu; // MiB

    qint64 instances() const
    {
        return tasks > 0                       ? tasks
            : perNode > 0                      ? boundedProduct(perNode, std::max<qint64>(1, nodes))
            : tasksPerGpu > 0 && allGpus() > 0 ? boundedProduct(tasksPerGpu, allGpus())
            : nodes > 0                        ? nodes
            : gpus > 0 && gpusPerTask > 0      ? std::max<qint64>(1, gpus / gpusPerTask)
                                               : 1;
    }
    // How Slurm distributes these tasks over nodes. Each node has at least one of them; other numbers for each node are
    // not known here, and are nearest to as few nodes as possible.
    Arrangement arrangement() const
    {
        const qint64 all = instances();
        return all <= 1                                   ? Arrangement::Any
            : perNode == 1 || nodes >= all                ? Arrangement::DifferentHosts
            : nodes == 1 && !hasMoreNodes                 ? Arrangement::SameHost
            : nodes > 1 || (perNode > 1 && all > perNode) ? Arrangement::Pack
                                                          : Arrangement::Any;
    }
    qint64 leastNodes() const { return nodes > 0 ? nodes : perNode > 0 ? share(instances(), perNode) : 1; }
    // Whether a number of tasks is said, and not only one of nodes.
    bool countsTasks() const { return tasks > 0 || perNode > 0 || tasksPerGpu > 0; }
    qint64 gpusOfNode() const { return std::max(gpusPerNode, gpusInGres); }
    qint64 allGpus() const // of all tasks, as far as it is said without their number
    {
        return gpus > 0 ? gpus : boundedProduct(gpusOfNode(), std::max<qint64>(1, nodes));
    }
    bool saysGpus() const { return gpus > 0 || gpusOfNode() > 0 || gpusPerTask > 0; }
    static qint64 share(qint64 all, qint64 parts) { return (all + parts - 1) / std::max<qint64>(1, parts); }
    qint64 onOneNode() const { return share(instances(), std::max<qint64>(1, nodes)); }
};

struct Demand { // of one task
    qint64 cpus = 1, gpus = 0;
    std::optional<qint64> memory;
    QString gpuType; // empty: any
    bool takesCores = false; // all the cores of a node are asked for; `cpus` is an estimate
    bool takesNode = false; // all the memory of a node is asked for; `memory` is an estimate
};

// Applies an option to a shape; other options are skipped.
void takeOption(Shape &shape, const Option &option, Findings &findings);
// The same of all options of a step in an allocation of that shape, which go before what the allocation has: GPUs in
// another form are not added to it.
void takeStepOptions(Shape &shape, const QList<Option> &options, Findings &findings);
// Whether they say what each task takes.
bool sayResources(const QList<Option> &options);

// The request of `together` tasks of the shape as one task.
Demand demandOf(const Shape &shape, qint64 together);
// A request that is enough for both.
Demand largerOf(const Demand &a, const Demand &b);
bool isMoreThan(const Demand &demand, const Demand &other); // of anything

} // namespace trainyard::batch
