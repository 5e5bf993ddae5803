// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchshape.h"

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

// What nodes usually have; the report names it.
constexpr qint64 leastOfNodeMiB = 8192, perCpuOfNodeMiB = 4096, perGpuOfNodeMiB = 16384;
constexpr qint64 coresPerGpuOfNode = 4;

void takeGpus(
    Shape &shape, qint64 &place, const std::optional<GpuCount> &gpus, const Option &option, Findings &findings)
{
    if (!gpus) {
        findings.say(
            "batch.bad-value", Severity::Warning, option.at, {{u"option"_s, option.name}, {u"value"_s, option.value}});
        return;
    }
    place = gpus->count;
    if (!gpus->type.isEmpty()) {
        shape.gpuType = gpus->type;
        findings.say("batch.gpu-type", Severity::Note, option.at, {{u"type"_s, gpus->type}});
    }
}

} // namespace

void takeOption(Shape &shape, const Option &option, Findings &findings)
{
    const auto count = [&](qint64 &place) {
        if (const std::optional<qint64> number = countOf(option.value)) {
            place = *number;
        } else if (!option.value.contains(u'$')) { // what it says when it runs is most often the same again
            findings.say("batch.bad-value", Severity::Warning, option.at,
                {{u"option"_s, option.name}, {u"value"_s, option.value}});
        }
    };
    const auto memory = [&](std::optional<qint64> &place) {
        if (const std::optional<qint64> amount = memoryOf(option.value)) {
            place = *amount;
        } else {
            findings.say("batch.bad-value", Severity::Warning, option.at,
                {{u"option"_s, option.name}, {u"value"_s, option.value}});
        }
    };
    switch (option.meaning) {
    case Meaning::Nodes:
        shape.nodesAt = option.at;
        return count(shape.nodes);
    case Meaning::Tasks:
        shape.tasksAt = option.at;
        return count(shape.tasks);
    case Meaning::TasksPerNode:
        shape.tasksAt = option.at;
        return count(shape.perNode);
    case Meaning::Exclusive:
        shape.isExclusive = true;
        return;
    case Meaning::Cpus:
        shape.saysCpus = true;
        return count(shape.cpus);
    case Meaning::Memory:
        return memory(shape.memory);
    case Meaning::MemoryPerCpu:
        return memory(shape.memoryPerCpu);
    case Meaning::MemoryPerGpu:
        return memory(shape.memoryPerGpu);
    case Meaning::Gpus:
        return takeGpus(shape, shape.gpus, gpusOf(option.value), option, findings);
    case Meaning::GpusPerNode:
        return takeGpus(shape, shape.gpusPerNode, gpusOf(option.value), option, findings);
    case Meaning::GpusPerTask:
        return takeGpus(shape, shape.gpusPerTask, gpusOf(option.value), option, findings);
    case Meaning::CpusPerGpu:
        shape.saysCpus = true;
        return count(shape.cpusPerGpu);
    case Meaning::TasksPerGpu:
        shape.tasksAt = option.at;
        return count(shape.tasksPerGpu);
    case Meaning::Gres:
        return takeGpus(shape, shape.gpusPerNode, gpusInGres(option.value), option, findings);
    default:
        return;
    }
}

Demand demandOf(const Shape &shape, qint64 together)
{
    Demand demand;
    demand.gpus = shape.gpusPerTask > 0 ? shape.gpusPerTask * together
        : shape.gpusPerNode > 0         ? Shape::share(shape.gpusPerNode * together, shape.onOneNode())
        : shape.gpus > 0                ? Shape::share(shape.gpus * together, shape.instances())
        : shape.tasksPerGpu > 0         ? Shape::share(together, shape.tasksPerGpu)
                                        : 0;
    demand.cpus = std::max(shape.cpus * together, shape.cpusPerGpu * demand.gpus);
    demand.takesCores = shape.isExclusive && !shape.saysCpus;
    if (demand.takesCores) {
        demand.cpus = std::max(demand.cpus, demand.gpus * coresPerGpuOfNode);
    }
    demand.gpuType = shape.gpuType;
    demand.memory = shape.memoryPerCpu ? std::optional(*shape.memoryPerCpu * demand.cpus)
        : shape.memoryPerGpu           ? std::optional(*shape.memoryPerGpu * demand.gpus)
        : shape.memory                 ? std::optional(Shape::share(*shape.memory * together, shape.onOneNode()))
                                       : std::nullopt;
    const std::optional<qint64> said = shape.memoryPerCpu ? shape.memoryPerCpu
        : shape.memoryPerGpu                              ? shape.memoryPerGpu
                                                          : shape.memory;
    demand.takesNode = said == 0;
    if (demand.takesNode) {
        demand.memory = std::max({leastOfNodeMiB, demand.cpus * perCpuOfNodeMiB, demand.gpus * perGpuOfNodeMiB});
    } else if (demand.memory == 0) { // for each of no GPUs
        demand.memory.reset();
    }
    return demand;
}

} // namespace trainyard::batch
