// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchgate.h"

#include <algorithm>

namespace trainyard
{

bool LaunchGate::pass(const QUuid &tryUuid, LiveTry &entry)
{
    const ActiveJob &job = *entry.job;
    entry.isReady = true;
    if (!job.state.policy.gang || entry.mayBeThere || entry.isLetThrough) {
        return true;
    }
    const std::optional<core::TaskRef> awaited = missing(job, entry.task);
    if (awaited) {
        Held &held = m_held[job.state.uuid];
        held.tries.insert(tryUuid);
        held.awaited = *awaited;
    }
    return !awaited;
}

bool LaunchGate::isMissing(const ActiveJob &job, core::TaskRef task) const
{
    const core::TaskState &state = job.state.task(task).state;
    if (std::holds_alternative<core::Placed>(state)) {
        return true;
    }
    if (!std::holds_alternative<core::Launching>(state)) {
        return false;
    }
    const auto peer = m_live.find(core::tryUuid(job.state, task));
    return peer == m_live.end() || !(peer->second.isReady || peer->second.mayBeThere);
}

// In a gang the next task is the one that is asked for next, so that a search of each ends at its first look.
std::optional<core::TaskRef> LaunchGate::missing(const ActiveJob &job, core::TaskRef from) const
{
    const std::size_t count = job.state.tasks.size();
    const auto begin = std::size_t(job.state.roleStart[std::size_t(from.role)] + from.index);
    for (std::size_t i = 1; i < count; ++i) {
        if (const core::TaskRef task = job.state.refAt((begin + i) % count); isMissing(job, task)) {
            return task;
        }
    }
    return std::nullopt;
}

QSet<QUuid> LaunchGate::takeHeld(const QUuid &job)
{
    const QSet<QUuid> tries = m_held.take(job).tries;
    for (const QUuid &tryUuid : tries) {
        if (const auto entry = m_live.find(tryUuid); entry != m_live.end()) { // else it was stopped meanwhile
            entry->second.isLetThrough = true;
        }
    }
    return tries;
}

QSet<QUuid> LaunchGate::takeHeld()
{
    QSet<QUuid> free;
    const QHash<QUuid, Held> held = m_held;
    for (auto it = held.cbegin(); it != held.cend(); ++it) {
        const auto any = std::find_if(
            it->tries.cbegin(), it->tries.cend(), [this](const QUuid &tryUuid) { return m_live.contains(tryUuid); });
        if (any == it->tries.cend()) {
            m_held.remove(it.key());
        } else if (const LiveTry &entry = m_live.at(*any); !missing(*entry.job, entry.task)) {
            free.unite(takeHeld(it.key()));
        }
    }
    return free;
}

std::optional<core::TaskRef> LaunchGate::awaitedBy(const QUuid &tryUuid) const
{
    const auto entry = m_live.find(tryUuid);
    if (entry == m_live.end()) {
        return std::nullopt;
    }
    const ActiveJob &job = *entry->second.job;
    const auto held = m_held.constFind(job.state.uuid);
    if (held == m_held.cend() || !held->tries.contains(tryUuid)) {
        return std::nullopt;
    }
    if (!job.state.contains(held->awaited) || !isMissing(job, held->awaited)) {
        const std::optional<core::TaskRef> other = missing(job, entry->second.task);
        if (!other) {
            return std::nullopt;
        }
        held->awaited = *other;
    }
    return held->awaited;
}

} // namespace trainyard
