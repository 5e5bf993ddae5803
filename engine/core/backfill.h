// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/placing.h"

#include <functional>
#include <map>

namespace trainyard::core
{

// The allocations on a host that will end at an unknown time.
struct InUse {
    struct Task {
        QList<int> gpus;
        qint64 memoryMiB = 0;
        qint64 gpuShareMiB = 0; // of each of its GPUs; 0: they are its own
    };
    std::vector<Task> tasks;
    int otherGpus = 0; // those that are free, or that another program uses and may release
};

// The job that waits at the head of the queue.
struct Head {
    const std::vector<Needs> &needs;
    std::vector<int> counts; // tasks of each role
    bool gang = true;
    std::function<bool(const FreeCapacity &)> mayUse;
    std::vector<TasksOnHosts> others = {}; // of each role, those that have allocations already; empty: none
};

// Reserves on each host what is needed so that no job placed behind the head can delay it, in whatever order the
// running tasks end. Nothing is reserved on hosts that the head may not use, and on the others never more than it could
// use: other jobs may have the capacity that it does not need.
void keepForHead(const Head &head, FreeCapacities &rooms, const std::map<QString, InUse> &inUse); // by host

} // namespace trainyard::core
