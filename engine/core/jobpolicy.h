// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QMap>
#include <QString>

#include <vector>

namespace trainyard::core
{

constexpr int highestPort = 65535;

// The resources that one task of a role needs from a host. GPUs and memory are requirements, CPU is a weight.
struct Needs {
    int gpu = 0;
    int cpu = 1;
    qint64 memoryMiB = 0;
    QList<Port> ports; // with ssh and http
    QMap<QString, int> firstPorts{}; // by label: of jobs of version 1, whose ports may be fixed (beginAt)
    qint64 gpuMemoryMiB = 0; // on each of its GPUs; 0: not said, and then they are never shared
    QString gpuType = {}; // only GPUs whose name says so (isGpuOfType); empty: any
    HostRule hosts = {}; // on which its tasks may run, and how they are laid out
    friend bool operator==(const Needs &, const Needs &) = default;
};
// The port numbers that the job itself fixes.
QList<int> fixedPorts(const Needs &needs);

struct RolePolicy {
    QString name;
    int instances = 1;
    qint64 minFailed = 1; // 0 or less: off
    qint64 minSucceeded = -1; // 0 or less: off
    qint64 taskRetry = 0; // looked at with gang off only
    Needs needs;
    friend bool operator==(const RolePolicy &, const RolePolicy &) = default;
};

// Limits of free retries, which OpenPAI does not have. Each can be switched off.
struct RetryLimits {
    int freeRetryCap = 10; // free retries in a row; negative: none
    qint64 steadyMs = 10 * 60 * 1000; // a run that is as long as this starts the row over
    qint64 minPauseMs = 3000; // before a free or unlimited retry, doubled each time ...
    qint64 maxPauseMs = 5 * 60 * 1000; // ... up to this; minPauseMs 0: no pause
    qint64 conflictMinSec = 60; // delay after a conflict, drawn between the two
    qint64 conflictMaxSec = 900;
    friend bool operator==(const RetryLimits &, const RetryLimits &) = default;
};

// The rules by which one job runs; fixed at submission and stored with it.
struct JobPolicy {
    std::vector<RolePolicy> roles; // file order
    bool gang = true;
    qint64 jobRetry = 0;
    int maxParallelTasks = 0; // with gang off: tasks at once; 0: no limit
    int completedLimit = 0; // so many completed tasks, of all roles together, end the attempt (version 1); 0: off
    qint64 timeLimitMs = 0; // of each attempt, from its first start; 0: none
    RetryLimits guards;
    QString priorityClass; // of the cluster, as written: only reported

    int totalTasks() const;
    int totalGpu() const;
    QJsonObject toJson() const;
    static JobPolicy fromJson(const QJsonObject &json);
    friend bool operator==(const JobPolicy &, const JobPolicy &) = default;
};

int priorityOf(const JobSpec &spec); // a number beyond those of a queue is the last of them
JobPolicy policyOf(const JobSpec &spec, const RetryLimits &guards = {}, int maxParallelTasks = 0);

} // namespace trainyard::core
