// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchshape.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

// The usual resources of nodes; the report names them.
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
    place = std::min(gpus->count, mostOfAShape);
    if (!gpus->type.isEmpty()) {
        shape.gpuType = gpus->type;
        findings.say("batch.gpu-type", Severity::Note, option.at, {{u"type"_s, gpus->type}});
    }
}

// "cpu=4,gres/gpu:a100=1"; older versions have ':' before the number.
void takeTresOfTask(Shape &shape, const Option &option, Findings &findings)
{
    static const QRegularExpression form(u"^(?:(cpu)|gres/gpu(?::([\\w.-]+))?)[=:](\\d{1,9})$"_s);
    QStringList other;
    const QStringList parts = option.value.split(u',');
    for (const QString &part : parts) {
        const QRegularExpressionMatch match = form.match(part.trimmed());
        if (!match.hasMatch()) {
            other.append(part);
        } else if (const qint64 number = match.captured(3).toLongLong(); match.captured(1).isEmpty()) {
            takeGpus(shape, shape.gpusPerTask, GpuCount{number, match.captured(2)}, option, findings);
        } else {
            shape.saysCpus = true;
            shape.cpus = std::max<qint64>(1, number);
        }
    }
    if (!other.isEmpty()) {
        findings.say("batch.bad-value", Severity::Warning, option.at,
            {{u"option"_s, option.name}, {u"value"_s, other.join(u',')}});
    }
}

bool isAboutGpus(const Option &option)
{
    return option.meaning == Meaning::Gpus || option.meaning == Meaning::GpusPerNode
        || (option.meaning == Meaning::Gres && (option.value.contains("gpu"_L1) || option.value == "none"_L1));
}

} // namespace

void takeOption(Shape &shape, const Option &option, Findings &findings)
{
    const auto count = [&](qint64 &place) {
        if (const std::optional<qint64> number = countOf(option.value)) {
            place = std::min(*number, mostOfAShape);
        } else if (!option.value.contains(u'$')) { // what it says when it runs is most often the same again
            findings.say("batch.bad-value", Severity::Warning, option.at,
                {{u"option"_s, option.name}, {u"value"_s, option.value}});
        }
    };
    const auto memory = [&](std::optional<qint64> &place) { // the three forms exclude each other
        if (const std::optional<qint64> amount = memoryOf(option.value)) {
            shape.memory = shape.memoryPerCpu = shape.memoryPerGpu = std::nullopt;
            place = std::min(*amount, mostOfAShape);
        } else {
            findings.say("batch.bad-value", Severity::Warning, option.at,
                {{u"option"_s, option.name}, {u"value"_s, option.value}});
        }
    };
    switch (option.meaning) {
    case Meaning::Nodes:
        shape.nodesAt = option.at;
        shape.hasMoreNodes = option.value.contains(u'-');
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
        return takeGpus(shape, shape.gpusInGres, gpusInGres(option.value), option, findings);
    case Meaning::TresPerTask:
        return takeTresOfTask(shape, option, findings);
    default:
        return;
    }
}

void takeStepOptions(Shape &shape, const QList<Option> &options, Findings &findings)
{
    if (std::any_of(options.cbegin(), options.cend(), isAboutGpus)) {
        shape.gpus = shape.gpusPerNode = shape.gpusInGres = shape.gpusPerTask = 0;
    }
    for (const Option &option : options) {
        if (option.meaning != Meaning::Memory || memoryOf(option.value) != 0) { // 0: what the job has
            takeOption(shape, option, findings);
        }
    }
}

bool sayResources(const QList<Option> &options)
{
    return std::any_of(options.cbegin(), options.cend(), [](const Option &option) {
        static const QList<Meaning> ofTasks{Meaning::Cpus, Meaning::CpusPerGpu, Meaning::Memory, Meaning::MemoryPerCpu,
            Meaning::MemoryPerGpu, Meaning::GpusPerTask, Meaning::TresPerTask};
        return isAboutGpus(option) || ofTasks.contains(option.meaning);
    });
}

Demand demandOf(const Shape &shape, qint64 together)
{
    Demand demand;
    const qint64 gpusOfNode = shape.gpusOfNode();
    demand.gpus = shape.gpusPerTask > 0 ? boundedProduct(shape.gpusPerTask, together)
        : gpusOfNode > 0                ? Shape::share(boundedProduct(gpusOfNode, together), shape.onOneNode())
        : shape.gpus > 0                ? Shape::share(boundedProduct(shape.gpus, together), shape.instances())
        : shape.tasksPerGpu > 0         ? Shape::share(together, shape.tasksPerGpu)
                                        : 0;
    demand.cpus = std::max(boundedProduct(shape.cpus, together), boundedProduct(shape.cpusPerGpu, demand.gpus));
    demand.takesCores = shape.isExclusive && !shape.saysCpus;
    if (demand.takesCores) {
        demand.cpus = std::max(demand.cpus, boundedProduct(demand.gpus, coresPerGpuOfNode));
    }
    demand.gpuType = shape.gpuType;
    demand.memory = shape.memoryPerCpu ? std::optional(boundedProduct(*shape.memoryPerCpu, demand.cpus))
        : shape.memoryPerGpu           ? std::optional(boundedProduct(*shape.memoryPerGpu, demand.gpus))
        : shape.memory ? std::optional(Shape::share(boundedProduct(*shape.memory, together), shape.onOneNode()))
                       : std::nullopt;
    const std::optional<qint64> said = shape.memoryPerCpu ? shape.memoryPerCpu
        : shape.memoryPerGpu                              ? shape.memoryPerGpu
                                                          : shape.memory;
    demand.takesNode = said == 0;
    if (demand.takesNode) {
        demand.memory = std::max({leastOfNodeMiB, boundedProduct(demand.cpus, perCpuOfNodeMiB),
            boundedProduct(demand.gpus, perGpuOfNodeMiB)});
    } else if (demand.memory == 0) { // for each of no GPUs
        demand.memory.reset();
    }
    return demand;
}

Demand largerOf(const Demand &a, const Demand &b)
{
    Demand larger = a;
    larger.cpus = std::max(a.cpus, b.cpus);
    larger.gpus = std::max(a.gpus, b.gpus);
    larger.memory = std::max(a.memory, b.memory);
    if ((!a.memory || !b.memory) && larger.memory < usualBatchMemoryMiB) { // the other one has what is usual
        larger.memory.reset();
    }
    larger.gpuType = a.gpuType.isEmpty() || b.gpus > a.gpus ? b.gpuType : a.gpuType;
    larger.takesCores = a.takesCores || b.takesCores;
    larger.takesNode = a.takesNode || b.takesNode;
    return larger;
}

bool isMoreThan(const Demand &demand, const Demand &other)
{
    return demand.cpus > other.cpus || demand.gpus > other.gpus
        || demand.memory.value_or(usualBatchMemoryMiB) > other.memory.value_or(usualBatchMemoryMiB);
}

} // namespace trainyard::batch
