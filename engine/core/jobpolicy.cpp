// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/jobpolicy.h"

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

// What a converted job of version 1 said of its ports, and version 2 cannot.
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
    int total = 0;
    for (const RolePolicy &role : roles) {
        total += role.instances * role.needs.gpu;
    }
    return total;
}

QJsonObject JobPolicy::toJson() const
{
    QJsonArray roleArray;
    for (const RolePolicy &role : roles) {
        QJsonObject object{
            {u"name"_s, role.name},
            {u"instances"_s, role.instances},
            {u"minFailed"_s, role.minFailed},
            {u"minSucceeded"_s, role.minSucceeded},
            {u"taskRetry"_s, role.taskRetry},
            {u"gpu"_s, role.needs.gpu},
            {u"cpu"_s, role.needs.cpu},
            {u"memoryMiB"_s, role.needs.memoryMiB},
            {u"ports"_s, portsJson(role.needs)},
            {u"gpuMemoryMiB"_s, role.needs.gpuMemoryMiB},
        };
        if (!role.needs.gpuType.isEmpty()) {
            object.insert(u"gpuType"_s, role.needs.gpuType);
        }
        roleArray.append(object);
    }
    QJsonObject json{
        {u"roles"_s, roleArray},
        {u"gang"_s, gang},
        {u"jobRetry"_s, jobRetry},
        {u"maxParallelTasks"_s, maxParallelTasks},
        {u"completedLimit"_s, completedLimit},
        {u"timeLimitMs"_s, timeLimitMs},
        {u"guards"_s,
            QJsonObject{
                {u"freeRetryCap"_s, guards.freeRetryCap},
                {u"steadyMs"_s, guards.steadyMs},
                {u"minPauseMs"_s, guards.minPauseMs},
                {u"maxPauseMs"_s, guards.maxPauseMs},
                {u"conflictMinSec"_s, guards.conflictMinSec},
                {u"conflictMaxSec"_s, guards.conflictMaxSec},
            }},
    };
    if (!priorityClass.isEmpty()) {
        json.insert(u"priorityClass"_s, priorityClass);
    }
    return json;
}

JobPolicy JobPolicy::fromJson(const QJsonObject &json)
{
    JobPolicy policy;
    const QJsonArray roleArray = json.value("roles"_L1).toArray();
    for (const QJsonValue &item : roleArray) {
        const QJsonObject object = item.toObject();
        RolePolicy role;
        role.name = object.value("name"_L1).toString();
        role.instances = object.value("instances"_L1).toInt(1);
        role.minFailed = object.value("minFailed"_L1).toInteger(1);
        role.minSucceeded = object.value("minSucceeded"_L1).toInteger(-1);
        role.taskRetry = object.value("taskRetry"_L1).toInteger();
        role.needs.gpu = object.value("gpu"_L1).toInt();
        role.needs.cpu = object.value("cpu"_L1).toInt(1);
        role.needs.memoryMiB = object.value("memoryMiB"_L1).toInteger();
        readPorts(object.value("ports"_L1).toArray(), role.needs);
        role.needs.gpuMemoryMiB = object.value("gpuMemoryMiB"_L1).toInteger();
        role.needs.gpuType = object.value("gpuType"_L1).toString();
        policy.roles.push_back(std::move(role));
    }
    policy.gang = json.value("gang"_L1).toBool(true);
    policy.jobRetry = json.value("jobRetry"_L1).toInteger();
    policy.maxParallelTasks = json.value("maxParallelTasks"_L1).toInt();
    policy.completedLimit = json.value("completedLimit"_L1).toInt();
    policy.timeLimitMs = json.value("timeLimitMs"_L1).toInteger();
    policy.priorityClass = json.value("priorityClass"_L1).toString();
    const QJsonObject rails = json.value("guards"_L1).toObject();
    GuardRails &guards = policy.guards;
    guards.freeRetryCap = rails.value("freeRetryCap"_L1).toInt(guards.freeRetryCap);
    guards.steadyMs = rails.value("steadyMs"_L1).toInteger(guards.steadyMs);
    guards.minPauseMs = rails.value("minPauseMs"_L1).toInteger(guards.minPauseMs);
    guards.maxPauseMs = rails.value("maxPauseMs"_L1).toInteger(guards.maxPauseMs);
    guards.conflictMinSec = rails.value("conflictMinSec"_L1).toInteger(guards.conflictMinSec);
    guards.conflictMaxSec = rails.value("conflictMaxSec"_L1).toInteger(guards.conflictMaxSec);
    return policy;
}

JobPolicy policyOf(const JobSpec &spec, const GuardRails &guards, int maxParallelTasks)
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
    // What a converted job of version 1 said and version 2 cannot.
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
        rule.needs.memoryMiB = std::max<qint64>(0, role.resources.memoryMB);
        rule.needs.ports = role.effectivePorts();
        rule.needs.firstPorts = firstPortsOf(legacy, role.name);
        if (rule.needs.gpu > 0) {
            rule.needs.gpuMemoryMiB = gpuMemoryOf(spec, role.name);
            rule.needs.gpuType = gpuTypeOf(spec, role.name);
        }
        policy.roles.push_back(std::move(rule));
    }
    return policy;
}

} // namespace trainyard::core
