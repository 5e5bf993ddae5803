// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobblocking.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

JobBlocking::JobBlocking(const ActiveJobs &jobs, const Store &store, Tick &tick, const JobQueries &queries)
    : m_jobs(jobs), m_store(store), m_tick(tick), m_queries(queries)
{
    connect(&m_tick, &Tick::jobEnding, this, [this](ActiveJob *job) { tellDependents(job->state); });
}

Result<std::vector<core::Dependency>> JobBlocking::dependenciesOf(
    const JobSpec &spec, const SubmitRequest &request) const
{
    QList<JobAfter> wanted = spec.trainyard.after;
    for (const QString &word : request.after) {
        if (word.startsWith("group:"_L1)) {
            return fail(u"after.group"_s, {{u"group"_s, word.section(u':', 1)}});
        }
        JobAfter after{word, false};
        const QString condition = word.section(u':', -1);
        const bool hasCondition = condition == "ended"_L1 || condition == "succeeded"_L1;
        const bool isOnlyName = word.startsWith("name:"_L1) && word.count(u':') == 1 && !hasCondition;
        if (const qsizetype colon = word.lastIndexOf(u':'); colon > 0 && !isOnlyName) {
            after.job = word.left(colon);
            after.whenEnded = word.mid(colon + 1) == "ended"_L1;
            if (!after.whenEnded && word.mid(colon + 1) != "succeeded"_L1) {
                return fail(u"after.bad-condition"_s, {{u"job"_s, after.job}, {u"condition"_s, word.mid(colon + 1)}});
            }
        }
        wanted.append(after);
    }
    std::vector<core::Dependency> dependencies;
    for (const JobAfter &after : std::as_const(wanted)) {
        const Result<JobSummary> other = m_queries.findJob(after.job);
        if (!other) {
            return fail(u"after.unknown"_s, {{u"job"_s, after.job}});
        }
        const core::Dependency dependency{QUuid::fromString(other->uuid), other->id, other->name, after.whenEnded};
        if (dependency.isMetBy(other->state)) {
            continue;
        }
        if (isFinal(other->state)) {
            return fail(u"after.failed"_s,
                {{u"job"_s, other->id}, {u"name"_s, other->name}, {u"state"_s, stateWord(other->state)}});
        }
        if (std::find(dependencies.cbegin(), dependencies.cend(), dependency) == dependencies.cend()) {
            dependencies.push_back(dependency);
        }
    }
    return dependencies;
}

void JobBlocking::tellDependents(const core::JobState &over)
{
    const State state = core::publicState(core::jobSubState(over), core::jobCode(over)).state;
    const std::vector<ActiveJob *> dependents = m_jobs.dependentsOf(over.uuid);
    for (ActiveJob *job : dependents) {
        m_tick.post(*job, core::event::AfterEnded{over.uuid, state, true});
    }
}

void JobBlocking::askForDependencies(ActiveJob &job)
{
    for (const core::Dependency &dependency : job.state.after) {
        if (m_jobs.find(dependency.job)) {
            continue; // it tells when it is over
        }
        const std::optional<qint64> id = m_store.idOf(dependency.job.toString(QUuid::WithoutBraces));
        const std::optional<JobSummary> stored = id ? m_store.job(*id) : std::nullopt;
        m_tick.post(
            job, core::event::AfterEnded{dependency.job, stored ? stored->state : State::Unknown, stored.has_value()});
    }
}

// On a full disk a pause keeps a job from filling it further, so it may use the room that is kept there.
Result<bool> JobBlocking::pause(const QString &uuid, bool on)
{
    if (const Result<void> ready = m_tick.writable(Tick::Reserve::Use); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    ActiveJob *job = m_jobs.find(uuid);
    if (!job) {
        const Result<qint64> id = m_queries.idOf(uuid);
        return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
    }
    const bool was = job->state.pausedAt.has_value();
    if (const Result<void> written = m_tick.stepWritten(*job, core::event::PauseRequested{on}, Tick::Reserve::Use);
        !written) {
        return tl::unexpected<Error>(written.error());
    }
    m_tick.run();
    job = m_jobs.find(uuid);
    return job && job->state.pausedAt.has_value() == on && was != on;
}

} // namespace trainyard
