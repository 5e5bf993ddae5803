// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of the roles' rules for hosts in the scheduler: which hosts are of use, what can never run because of
// them, and what waits.
#include "engine/core/schedulerdata.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

bool limitsHosts(const HostRule &rule) { return !rule.names.isEmpty() || !rule.labels.isEmpty(); }

std::vector<int> countsOf(const PlacementRequest &request)
{
    std::vector<int> counts(request.needs.size(), 0);
    for (const PlacementRequest::Wanted &wanted : request.tasks) {
        ++counts[std::size_t(wanted.task.role)];
    }
    return counts;
}

std::vector<Needs> onAnyHost(std::vector<Needs> needs)
{
    for (Needs &each : needs) {
        each.hosts = {};
    }
    return needs;
}

bool admits(const QString &host, const QStringList &labels, const HostRule &rule)
{
    return (rule.names.isEmpty() || rule.names.contains(host)) && hasLabels(labels, rule);
}

bool admits(const HostCapacity &host, const HostRule &rule) { return admits(host.id, host.labels, rule); }

} // namespace

bool hasLabels(const QStringList &labels, const HostRule &rule)
{
    return std::all_of(
        rule.labels.cbegin(), rule.labels.cend(), [&labels](const QString &label) { return labels.contains(label); });
}

bool hasHostRules(const PlacementRequest &request)
{
    return std::any_of(
        request.needs.cbegin(), request.needs.cend(), [](const Needs &needs) { return !needs.hosts.isAny(); });
}

TasksOnHosts Scheduler::Private::tasksOnHosts(const Waiter &waiter, std::size_t role) const
{
    TasksOnHosts tasks;
    if (waiter.asked.needs[role].hosts.arrange == Arrangement::Any || held.value(waiter.asked.job) == 0) {
        return tasks;
    }
    for (const Reservation &reservation : reservations) {
        if (reservation.job == waiter.asked.job && reservation.role == int(role)) {
            ++tasks[reservation.host];
        }
    }
    return tasks;
}

bool Scheduler::Private::fitsBesideItsOwn(const Waiter &waiter) const
{
    FreeCapacities rooms = freeRooms(waiter.asked.where, {.everything = true});
    if (fixesPorts(waiter.asked.needs) && held.value(waiter.asked.job) > 0) {
        QMap<QString, QSet<int>> ports; // that its own tasks have
        for (const Reservation &reservation : reservations) {
            if (reservation.job == waiter.asked.job) {
                ports[reservation.host].unite(QSet<int>(reservation.ports.cbegin(), reservation.ports.cend()));
            }
        }
        for (FreeCapacity &room : rooms) {
            room.takenPorts = ports.value(room.host);
        }
    }
    return fitsNow(waiter, std::move(rooms));
}

bool Scheduler::Private::isOfUse(const Waiter &waiter, const HostCapacity &host) const
{
    if (!waiter.asked.where.allows(host)) {
        return false;
    }
    for (std::size_t role = 0; role < waiter.waiting.size(); ++role) {
        if (!waiter.waiting[role].empty() && admits(host, waiter.asked.needs[role].hosts)) {
            return true;
        }
    }
    return false;
}

// Whether there is room on them, and what the role needs, is not known.
QStringList Scheduler::Private::expectedFor(const NodeSelector &where, const HostRule &rule) const
{
    QStringList ids;
    for (auto it = expected.cbegin(); it != expected.cend(); ++it) {
        if ((where.onlyHost.isEmpty() || where.onlyHost == it.key()) && admits(it.key(), it.value(), rule)) {
            ids.append(it.key());
        }
    }
    return ids;
}

QStringList Scheduler::Private::awayFor(const Waiter &waiter) const
{
    const NodeSelector &where = waiter.asked.where;
    const FreeCapacities there = freeRooms(where, {.everything = true, .evenKept = true});
    std::vector<Needs> all, lacking; // of roles that wait, and of those for which no host in reach has room
    for (std::size_t role = 0; role < waiter.waiting.size(); ++role) {
        if (!waiter.waiting[role].empty()) {
            all.push_back(waiter.asked.needs[role]);
            if (!placeOne(all.back(), there)) {
                lacking.push_back(all.back());
            }
        }
    }
    const FreeCapacities rooms
        = freeRooms(where, {.everything = true, .evenAway = true, .evenHeld = true, .evenKept = true});
    QStringList away;
    for (const Needs &needs : lacking.empty() ? all : lacking) {
        away += expectedFor(where, needs.hosts);
        for (const FreeCapacity &room : rooms) {
            const bool isKnown = room.memoryKnown && (room.gpusKnown || needs.gpu == 0);
            const bool hasRoom = isKnown ? placeOne(needs, FreeCapacities{room}).has_value() : room.admits(needs);
            if (hasRoom && !hosts.at(room.host).capacity.usable) {
                away.append(room.host);
            }
        }
    }
    away.removeDuplicates();
    away.sort();
    return away;
}

// Refuses a role without a possible host, whatever its needs are.
std::optional<Error> Scheduler::Private::refusedByHosts(
    const PlacementRequest &request, const FreeCapacities &rooms) const
{
    const std::vector<int> counts = countsOf(request);
    for (std::size_t role = 0; role < counts.size(); ++role) {
        const Needs &needs = request.needs[role];
        const HostRule &rule = needs.hosts;
        const bool isThere = std::any_of(
            rooms.cbegin(), rooms.cend(), [&needs](const FreeCapacity &room) { return room.admits(needs); });
        if (counts[role] == 0 || isThere) {
            continue;
        }
        reason::RefuseHosts refused{.role = request.roleNames.value(qsizetype(role)),
            .what = u"names"_s,
            .names = rule.names,
            .labels = rule.labels,
            .missing = rule.labels,
            .host = {}};
        for (const auto &[id, host] : hosts) {
            if (!rule.names.isEmpty() && !rule.names.contains(id)) {
                continue;
            }
            refused.what = refused.what == "names"_L1 ? u"labels"_s : refused.what;
            refused.missing.removeIf(
                [&labels = host.capacity.labels](const QString &label) { return labels.contains(label); });
            if (hasLabels(host.capacity.labels, rule)) {
                refused.what = u"target"_s;
                refused.host = request.where.onlyHost;
            }
        }
        if (refused.what == "labels"_L1 && refused.missing.isEmpty()) {
            refused.what = u"both"_s;
        }
        if (refused.what == "target"_L1 && refused.host.isEmpty()) {
            // The hosts that it may have lack what the job runs in.
            const auto at = std::find_if(
                hosts.cbegin(), hosts.cend(), [&rule](const auto &each) { return admits(each.second.capacity, rule); });
            return errorOf(reason::RefuseRuntime{request.where.runtimeOn(at->second.capacity)});
        }
        return errorOf(refused);
    }
    return std::nullopt;
}

std::optional<Error> tooManyOnTheirHosts(
    const PlacementRequest &request, const std::vector<int> &counts, const FreeCapacities &rooms)
{
    FreeCapacities trial = rooms;
    if (!hasHostRules(request) || !placeTogether(onAnyHost(request.needs), counts, trial)) {
        return std::nullopt;
    }
    for (std::size_t role = 0; role < counts.size(); ++role) {
        std::vector<int> alone(counts.size(), 0);
        alone[role] = counts[role];
        trial = rooms;
        if (counts[role] == 0 || placeTogether(request.needs, alone, trial)) {
            continue;
        }
        const Needs &needs = request.needs[role];
        const QString name = request.roleNames.value(qsizetype(role));
        if (needs.hosts.arrange == Arrangement::DifferentHosts) {
            const auto hosts = std::count_if(
                rooms.cbegin(), rooms.cend(), [&needs](const FreeCapacity &room) { return room.fits(needs, 1) > 0; });
            return errorOf(reason::RefuseDifferentHosts{.role = name, .tasks = counts[role], .hosts = int(hosts)});
        }
        if (needs.hosts.arrange == Arrangement::SameHost) {
            const auto fits = [&](const FreeCapacity &room) { return room.fits(needs, counts[role]); };
            const auto largest = std::max_element(rooms.cbegin(), rooms.cend(),
                [&](const FreeCapacity &a, const FreeCapacity &b) { return fits(a) < fits(b); });
            return errorOf(reason::RefuseSameHost{
                .role = name, .tasks = counts[role], .most = fits(*largest), .host = largest->host});
        }
        return errorOf(reason::RefuseHostsTogether{name});
    }
    return errorOf(reason::RefuseHostsTogether{});
}

// It could start if it could have any host, laid out in any way: now, or with such a look when nothing else runs.
std::optional<reason::WaitHosts> Scheduler::Private::hostsReason(const Waiter &waiter, CapacityFilter look) const
{
    const auto isWithRule = [&waiter](std::size_t role) {
        return !waiter.waiting[role].empty() && !waiter.asked.needs[role].hosts.isAny();
    };
    const auto fits = [&](const std::vector<Needs> &needs) {
        Waiter other = waiter;
        other.asked.needs = needs;
        return look.everything ? couldFit(other, look) : fitsNow(other, freeRooms(waiter.asked.where, look));
    };
    if (!hasHostRules(waiter.asked) || !fits(onAnyHost(waiter.asked.needs))) {
        return std::nullopt;
    }
    // The first role whose rule alone is in the way, or the first that has one; of its rule the part that is.
    std::vector<Needs> others = onAnyHost(waiter.asked.needs);
    std::optional<std::size_t> found;
    for (std::size_t role = 0; role < waiter.asked.needs.size(); ++role) {
        if (!isWithRule(role)) {
            continue;
        }
        std::vector<Needs> without = waiter.asked.needs;
        without[role].hosts = {};
        if (fits(without)) {
            found = role;
            others = waiter.asked.needs;
            break;
        }
        found = found.value_or(role);
    }
    if (!found) {
        return std::nullopt;
    }
    const HostRule &rule = waiter.asked.needs[*found].hosts;
    reason::WaitHosts wait{.role = waiter.asked.roleNames.value(qsizetype(*found)),
        .what = limitsHosts(rule) ? (rule.labels.isEmpty() ? u"names"_s : u"labels"_s) : arrangementWord(rule.arrange),
        .names = rule.names,
        .labels = rule.labels,
        .away = {},
        .connecting = {},
        .tasks = int(waiter.waiting[*found].size()),
        .hosts = {},
        .unblock = {}};
    others[*found].hosts = rule;
    others[*found].hosts.arrange = Arrangement::Any;
    if (isHard(rule.arrange) && fits(others)) {
        wait.what = arrangementWord(rule.arrange);
    }
    for (const auto &[id, host] : hosts) {
        if (!waiter.asked.where.allows(host.capacity) || !admits(host.capacity, rule)) {
            continue;
        }
        if (host.capacity.usable) {
            wait.hosts.append(gpuFigures(id, host, {}));
        } else {
            wait.away.append(id);
        }
    }
    // A role without such a rule waits for what is known, unless that can never be enough.
    if (look.everything || limitsHosts(rule)) {
        wait.away += expectedFor(waiter.asked.where, rule);
    }
    if (look.everything && !wait.away.isEmpty()) {
        wait.what = u"away"_s;
        if (std::all_of(
                wait.away.cbegin(), wait.away.cend(), [this](const QString &id) { return connecting.contains(id); })) {
            wait.connecting = true;
        }
    }
    return wait;
}

} // namespace trainyard::core
