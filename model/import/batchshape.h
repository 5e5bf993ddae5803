// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchscript.h"

#include <algorithm>
#include <optional>

namespace trainyard::batch
{

inline constexpr qint64 usualBatchMemoryMiB = 4096; // of a task, where a script says none; the report names it

// How much of the cluster a component or a step has.
struct Shape {
    ByteRange nodesAt, tasksAt; // where `nodes` is said, and how many tasks there are
    qint64 nodes = 0, tasks = 0, perNode = 0, cpus = 1, gpus = 0, gpusPerNode = 0, gpusPerTask = 0;
    qint64 cpusPerGpu = 0, tasksPerGpu = 0;
    bool saysCpus = false, isExclusive = false; // it has its nodes for itself
    QString gpuType; // empty: any
    std::optional<qint64> memory, memoryPerCpu, memoryPerGpu; // MiB

    qint64 instances() const
    {
        return tasks > 0                       ? tasks
            : perNode > 0                      ? perNode * std::max<qint64>(1, nodes)
            : tasksPerGpu > 0 && allGpus() > 0 ? tasksPerGpu * allGpus()
            : nodes > 0                        ? nodes
            : gpus > 0 && gpusPerTask > 0      ? std::max<qint64>(1, gpus / gpusPerTask)
                                               : 1;
    }
    // Whether a number of tasks is said, and not only one of nodes.
    bool countsTasks() const { return tasks > 0 || perNode > 0 || tasksPerGpu > 0; }
    qint64 allGpus() const // of all tasks, as far as it is said without their number
    {
        return gpus > 0 ? gpus : gpusPerNode * std::max<qint64>(1, nodes);
    }
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

// What an option says of a shape; other options are passed over.
void takeOption(Shape &shape, const Option &option, Findings &findings);

// Of `together` tasks of the shape, as one.
Demand demandOf(const Shape &shape, qint64 together);

} // namespace trainyard::batch
