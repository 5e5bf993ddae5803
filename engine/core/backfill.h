// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/rooms.h"

#include <functional>
#include <map>

namespace trainyard::core
{

// What runs on a host and will make room some day, nobody knows when.
struct InUse {
    struct Task {
        QList<int> gpus;
        qint64 memoryMiB = 0;
        qint64 gpuShareMiB = 0; // of each of its GPUs; 0: they are its own
    };
    std::vector<Task> tasks;
    int otherGpus = 0; // those that are free, or that somebody else has and may leave
};

// Who waits at the head of the queue.
struct Head {
    const std::vector<Needs> &needs;
    std::vector<int> counts; // tasks of each role
    bool gang = true;
    std::function<bool(const Room &)> mayUse;
};

// Keeps in each room what is needed so that nothing placed behind the head can delay it, in whatever order that which
// runs ends. Of rooms that it may not use nothing is kept, and no more than it could ever use of the others: where what
// has to end for it leaves more than it asks for, others may have that.
void keepForHead(const Head &head, Rooms &rooms, const std::map<QString, InUse> &inUse); // by host

} // namespace trainyard::core
