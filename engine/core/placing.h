// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/rooms.h"

#include <QMap>

#include <optional>

// Which rooms the tasks of a job get, by what is free and by the rules of its roles. Pure.
namespace trainyard::core
{

// How many tasks of a role are in a room (named by its position), and the GPUs of each when they need any.
struct Share {
    std::size_t room = 0;
    int count = 0;
    std::vector<QList<int>> gpus;
};
// For each role, in the order of its tasks.
using Shares = std::vector<std::vector<Share>>;

// Places all tasks (counts per role) on as few hosts as possible, or none, each role as its rule for hosts has it.
// Takes from `rooms` when it succeeds.
std::optional<Shares> placeTogether(
    const std::vector<Needs> &needs, const std::vector<int> &counts, FreeCapacities &rooms);
// Tasks of a role that are there already, by host.
using TasksOnHosts = QMap<QString, int>;
// Finds a room for one task and returns its position. Does not take from it. `others` are of the same role.
std::optional<std::size_t> placeOne(
    const Needs &needs, const FreeCapacities &rooms, const QString &preferHost = {}, const TasksOnHosts &others = {});

// Whether a task of a role with this rule may go to the host, considering those of its role that have allocations.
bool mayJoin(const HostRule &rule, const QString &host, const TasksOnHosts &others);

// Roles in the order in which they are best placed: the largest first, since small tasks fill what is left.
std::vector<std::size_t> largestFirst(const std::vector<Needs> &needs);

} // namespace trainyard::core
