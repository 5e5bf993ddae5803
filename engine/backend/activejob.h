// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"
#include "engine/store/store.h"
#include "model/base/result.h"
#include "model/protocol/jobdocument.h"

#include <QObject>
#include <QUuid>

#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace trainyard
{

// A job that is not final: the core's state, what was submitted, and what has still to be written and announced. A back
// end reads it, and keeps its own data about the job under the address, which is valid until Backend::forget().
struct ActiveJob {
    core::JobState state;
    quint64 version = 0; // rises with every step of the state
    StoredDocument document;
    ListedFacts listed;
    std::optional<JobSpec> spec; // parameters and secrets filled in
    Error specError; // why there is none
    bool isGivenUp = false; // its stop waits for nothing that does not answer; not stored, as killNow
    bool killNow = false; // stopped without a grace period; not stored: a stop is repeated with one after a restart

    QString uuid() const { return state.uuid.toString(QUuid::WithoutBraces); }

    // For the tick: what the commit has to write.
    struct Unwritten {
        bool isNoted = false; // by the tick
        bool job = false, durable = false;
        std::set<int> attempts;
        std::set<core::TaskRef> tasks;
        std::vector<core::effect::SaveTry> tries;
        // The remains of an attempt that the next one has replaced meanwhile.
        struct Former {
            core::JobState state;
            std::vector<core::effect::SaveTry> tries;
        };
        std::vector<Former> former;
    };
    Unwritten unwritten;

    // For the publisher: what has changed since the last announcement, and why the job waits.
    struct Unpublished {
        bool job = false;
        std::set<core::TaskRef> tasks;
        QList<TaskInfo> former; // tasks of an attempt that another one has replaced, as they were last
        qint64 toldAt = -1000000; // steady
        Error waits; // why it waited when that was last worked out ...
        quint64 waitsOf = 0; // ... which was after this round of placing
        Error waitsTold; // to those that watch
    };
    Unpublished unpublished;
};

struct UuidHash {
    std::size_t operator()(const QUuid &uuid) const { return qHash(uuid); }
};

// The jobs that are not final, by UUID.
class ActiveJobs
{
public:
    using Map = std::unordered_map<QString, std::unique_ptr<ActiveJob>>;
    ActiveJob *find(const QString &uuid) const;
    ActiveJob *find(const QUuid &uuid) const { return find(uuid.toString(QUuid::WithoutBraces)); }
    ActiveJob &add(std::unique_ptr<ActiveJob> job);
    std::vector<std::unique_ptr<ActiveJob>> takeFinished();
    // The jobs that still wait for this one. Hundreds may end in one tick, so not every job can look at all others.
    std::vector<ActiveJob *> dependentsOf(const QUuid &job) const;
    bool isEmpty() const { return m_jobs.empty(); }
    std::size_t size() const { return m_jobs.size(); }
    Map::const_iterator begin() const { return m_jobs.begin(); }
    Map::const_iterator end() const { return m_jobs.end(); }

private:
    Map m_jobs;
    std::unordered_multimap<QUuid, QString, UuidHash> m_dependents; // by what they waited for when they came
};

} // namespace trainyard
