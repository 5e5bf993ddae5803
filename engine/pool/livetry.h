// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/contract/taskfolder.h"
#include "engine/hosts/awayclock.h"
#include "engine/launch/stepreport.h"

#include <QSet>
#include <QUuid>

#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace trainyard
{

// A try that has an allocation on a host of the pool, from the grant until the allocation is released.
struct LiveTry {
    ActiveJob *job = nullptr;
    core::TaskRef task;
    QString host;
    QString folder; // on its host; empty before it was reached
    QString localFolder; // the same, or the mirror
    bool exitKnown = false;
    int launches = 0; // how often it was to be launched
    std::optional<contract::ExitRecord> waitsForLog; // its end is classified when the mirror is complete
    qint64 logMovedAt = 0; // steady ms: when the mirror last got something of it since then
    QJsonObject memory; // of one that ran out of it: what it had and used
    qint64 givenUpAt
        = 0; // ms UTC: its host cannot stop it, or be reached for that, and it is given up then; 0: no such time

    // Two facts, and not the stages of one: what was let through may lack something again when it is asked for once
    // more, and is held for no other then; others are held for it.
    bool isReady = false; // nothing is missing that it needs on its host, but perhaps to other tasks of its attempt
    bool isLetThrough = false; // nothing was missing to any of them
    bool mayBeThere = false; // its host may have been asked to launch it, by this engine or the one before
    AwayClock away;
    bool isPausedAgain = false; // in a while: its agent could not pause or resume it

    // The values that are reported of it meanwhile.
    QString pulling; // before it runs: the image that is fetched
    QString pullProgress; // what the container program said last
    bool diskFull = false; // it waits for room for its output
    bool copyLacksRoom = false; // its output stays on its host, as this computer has no room for it
    QString refused; // why its agent did not do what it was last asked for: asked again
    std::optional<launch::HoldReport> kept; // its commands have failed, and it is kept for inspection
    Error otherEnvironment; // why it has another one than the login shell's
    Error withoutCheckpoints; // why it began without those of its former try
    Error trouble() const;
};

using LiveTries = std::unordered_map<QUuid, LiveTry, UuidHash>; // by the try's name

// The pool's data about a job in addition to the core's state.
struct PoolJob {
    std::set<core::TaskRef> placed; // tasks that have an allocation
    std::set<QUuid> inTrouble; // tries whose LiveTry::trouble() has to be reported
};

// One for each job that the pool has. Entries are made on first use and stay until forget().
class PoolJobs
{
public:
    PoolJob &of(const ActiveJob &job) { return m_jobs[&job]; }
    const PoolJob *find(const ActiveJob &job) const
    {
        const auto it = m_jobs.find(&job);
        return it == m_jobs.end() ? nullptr : &it->second;
    }
    void forget(const ActiveJob &job) { m_jobs.erase(&job); }

private:
    std::unordered_map<const ActiveJob *, PoolJob> m_jobs;
};

} // namespace trainyard
