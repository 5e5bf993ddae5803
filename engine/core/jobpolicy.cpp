// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/jobpolicy.h"

#include "engine/api/valuejson.h"
#include "model/protocol/gpunames.h"
#include "model/template/pluginsteps.h"

#include <QJsonArray>
#include <QJsonObject>

#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

int toInt(qint64 value) { return int(std::clamp<qint64>(value, 0, std::numeric_limits<int>::max())); }

QJsonArray portsJson(const Needs &needs)
{
    QJsonArray array;
    for (const Port &port : needs.ports) {
        QJsonArray item{port.label, port.count};
        if (const int first = needs.firstPorts.value(port.label); first > 0) {
            item.append(first);
        }
        array.append(item);
    }
    return array;
}

QJsonObject hostsJson(const HostRule &rule)
{
    QJsonObject object;
    if (!rule.names.isEmpty()) {
        object.insert(u"names"_s, QJsonArray::fromStringList(rule.names));
    }
    if (!rule.labels.isEmpty()) {
        object.insert(u"labels"_s, QJsonArray::fromStringList(rule.labels));
    }
    if (rule.arrange != Arrangement::Any) {
        object.insert(u"arrange"_s, arrangementWord(rule.arrange));
    }
    return object;
}

HostRule hostsFrom(const QJsonObject &object)
{
    return {object.value("names"_L1).toVariant().toStringList(), object.value("labels"_L1).toVariant().toStringList(),
        arrangementOf(object.value("arrange"_L1).toString())};
}

void readPorts(const QJsonArray &array, Needs &needs)
{
    for (const QJsonValue &item : array) {
        const QJsonArray parts = item.toArray();
        needs.ports.append(Port{parts.at(0).toString(), parts.at(1).toInteger(1)});
        if (const int first = parts.at(2).toInt(); first > 0) {
            needs.firstPorts.insert(needs.ports.last().label, first);
        }
    }
}

// The rules for ports of a converted version 1 job, which version 2 cannot express.
QMap<QString, int> firstPortsOf(const Value *legacy, const QString &role)
{
    QMap<QString, int> first;
    const Value *roles = legacy ? legacy->find(u"roles"_s) : nullptr;
    const Value *own = roles ? roles->find(role) : nullptr;
    const Value *ports = own ? own->find(u"ports"_s) : nullptr;
    if (ports && ports->asMap()) {
        for (const auto &[label, number] : *ports->asMap()) {
            if (number.asInt() && *number.asInt() > 0) {
                first.insert(label, toInt(*number.asInt()));
            }
        }
    }
    return first;
}

// extras.trainyard.gpuMemoryMB: of all roles, or of each by its name.
qint64 gpuMemoryOf(const JobSpec &spec, const QString &role)
{
    const Value *own = spec.extras.find(u"trainyard"_s);
    const Value *said = own ? own->find(u"gpuMemoryMB"_s) : nullptr;
    if (said && said->asMap()) {
        said = said->find(role);
    }
    return said && said->asInt() ? std::clamp<qint64>(*said->asInt(), 0, std::numeric_limits<int>::max()) : 0;
}

} // namespace

template <typename Io> void fields(Io &io, Of<Io, RolePolicy> &m)
{
    members(io, "name", m.name, "instances", m.instances, "minFailed", m.minFailed, "minSucceeded", m.minSucceeded,
        "taskRetry", m.taskRetry, "gpu", m.needs.gpu, "cpu", m.needs.cpu, "memoryMiB", m.needs.memoryMiB,
        "gpuMemoryMiB", m.needs.gpuMemoryMiB);
    io.when(!m.needs.gpuType.isEmpty(), u"gpuType"_s, m.needs.gpuType);
    QJsonObject hosts = hostsJson(m.needs.hosts);
    io.when(!hosts.isEmpty(), u"hosts"_s, hosts);
    if constexpr (!Io::writes) {
        m.needs.hosts = hostsFrom(hosts);
    }
    QJsonArray ports = portsJson(m.needs);
    io(u"ports"_s, ports);
    if constexpr (!Io::writes) {
        readPorts(ports, m.needs);
    }
}

template <typename Io> void fields(Io &io, Of<Io, RetryLimits> &m)
{
    members(io, "freeRetryCap", m.freeRetryCap, "steadyMs", m.steadyMs, "minPauseMs", m.minPauseMs, "maxPauseMs",
        m.maxPauseMs, "conflictMinSec", m.conflictMinSec, "conflictMaxSec", m.conflictMaxSec);
}

template <typename Io> void fields(Io &io, Of<Io, JobPolicy> &m)
{
    members(io, "roles", m.roles, "gang", m.gang, "jobRetry", m.jobRetry, "maxParallelTasks", m.maxParallelTasks,
        "completedLimit", m.completedLimit, "timeLimitMs", m.timeLimitMs, "guards", m.guards);
    io.when(!m.priorityClass.isEmpty(), u"priorityClass"_s, m.priorityClass);
}

QList<int> fixedPorts(const Needs &needs)
{
    QList<int> numbers;
    if (needs.firstPorts.isEmpty()) {
        return numbers;
    }
    for (const Port &port : needs.ports) {
        const int first = needs.firstPorts.value(port.label);
        for (qint64 i = 0; first > 0 && i < port.count && first + i <= highestPort; ++i) {
            numbers.append(first + int(i));
        }
    }
    return numbers;
}

int JobPolicy::totalTasks() const
{
    int total = 0;
    for (const RolePolicy &role : roles) {
        total += role.instances;
    }
    return total;
}

int JobPolicy::totalGpu() const
{
    qint64 total = 0;
    for (const RolePolicy &role : roles) {
        total += qint64(role.instances) * role.needs.gpu;
    }
    return toInt(total);
}

QJsonObject JobPolicy::toJson() const { return valuejson::objectOf(*this); }

JobPolicy JobPolicy::fromJson(const QJsonObject &json) { return valuejson::valueFrom<JobPolicy>(json); }

int priorityOf(const JobSpec &spec)
{
    using Limits = std::numeric_limits<int>;
    return int(std::clamp<qint64>(spec.trainyard.priority, Limits::min(), Limits::max()));
}

JobPolicy policyOf(const JobSpec &spec, const RetryLimits &guards, int maxParallelTasks)
{
    JobPolicy policy;
    policy.gang = spec.gangAllocation;
    policy.jobRetry = spec.jobRetryCount;
    policy.maxParallelTasks = spec.gangAllocation ? 0 : maxParallelTasks;
    policy.guards = guards;
    policy.timeLimitMs = spec.trainyard.timeLimitSeconds.value_or(0) * 1000;
    const Value *hived = spec.extras.find(u"hivedScheduler"_s);
    const Value *priorityClass = hived ? hived->find(u"jobPriorityClass"_s) : nullptr;
    policy.priorityClass = priorityClass && priorityClass->asString() ? *priorityClass->asString() : QString();
    // The rules of a converted version 1 job that version 2 cannot express.
    const Value *own = spec.extras.find(u"trainyard"_s);
    const Value *legacy = own ? own->find(u"legacy"_s) : nullptr;
    policy.completedLimit = spec.completedLimit();
    for (const TaskRole &role : spec.taskRoles) {
        RolePolicy rule;
        rule.name = role.name;
        rule.instances = toInt(role.instances);
        rule.minFailed = role.effectiveMinFailed();
        rule.minSucceeded = minSucceededOf(spec, role);
        rule.taskRetry = role.taskRetryCount;
        rule.needs.gpu = toInt(role.resources.gpu);
        rule.needs.cpu = toInt(role.resources.cpu);
        rule.needs.memoryMiB = std::max<qint64>(0, role.resources.memoryMiB);
        rule.needs.ports = role.effectivePorts();
        rule.needs.firstPorts = firstPortsOf(legacy, role.name);
        rule.needs.hosts = spec.trainyard.hostRule(role.name);
        if (rule.needs.gpu > 0) {
            rule.needs.gpuMemoryMiB = gpuMemoryOf(spec, role.name);
            rule.needs.gpuType = gpuTypeOf(spec, role.name);
        }
        policy.roles.push_back(std::move(rule));
    }
    return policy;
}

} // namespace trainyard::core
