// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/scheduler.h"

namespace trainyard::core
{

// The least that a job has to give up so that it can run on the known hosts: what refuse.* names, for all roles. A
// role that changes takes no more cores than the largest host has either: it would run, but share them. A value that is
// not given here stays as it is.
struct RoleFit {
    QString role;
    std::optional<int> gpu;
    std::optional<qint64> memoryMiB;
    std::optional<int> cpu = {};
    friend bool operator==(const RoleFit &, const RoleFit &) = default;
};
struct Fit {
    QList<RoleFit> roles; // in the order of the request, only those that change
    bool gangOff = false; // and its tasks may start as there is room
    friend bool operator==(const Fit &, const Fit &) = default;
};

enum class GangChange { Allowed, Never };

// Returns nothing when the job fits as it is, or when no such change helps: the host is unknown or has no memory to
// give, or the tasks must run at the same time.
std::optional<Fit> fitTo(
    const Scheduler &scheduler, PlacementRequest request, GangChange gangChange = GangChange::Allowed);

} // namespace trainyard::core
