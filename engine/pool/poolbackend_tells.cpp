// SPDX-License-Identifier: GPL-3.0-or-later
// The pool's reports about its jobs and tasks, and about their logs and files.
#include "engine/api/tasklabel.h"
#include "engine/pool/poolbackend.h"

#include <QFileInfo>

namespace trainyard
{

using namespace Qt::StringLiterals;

// The end of a stop waits for a host that is away: until when. The last of its tasks counts.
std::optional<reason::StopHostAway> PoolBackend::awaitedStop(const ActiveJob &job) const
{
    std::optional<reason::StopHostAway> awaited;
    for (const auto &one : m_hosts.all()) {
        if (one->agent->isOnline() || one->isLocal()) {
            continue;
        }
        for (const QUuid &uuid : std::as_const(one->tries)) {
            const auto it = m_live.find(uuid);
            const bool isStopping = it != m_live.end() && it->second.job == &job
                && std::holds_alternative<core::Stopping>(job.state.task(it->second.task).state);
            if (isStopping && it->second.givenUpAt > (awaited ? awaited->until : 0)) {
                const bool isFirst = one->agent->isFirstAttempt();
                awaited
                    = reason::StopHostAway{one->id, it->second.givenUpAt, isFirst ? std::optional(true) : std::nullopt};
            }
        }
    }
    return awaited;
}

void PoolBackend::describe(const ActiveJob &job, JobSummary &summary) const
{
    if (const auto awaited = awaitedStop(job)) {
        const Error why = errorOf(*awaited);
        summary.reason = why.code;
        summary.reasonArgs = why.args;
    }
    for (const auto &one : m_hosts.all()) {
        if (one->agent->isOnline() || one->tries.isEmpty() || !summary.reason.isEmpty()) {
            continue;
        }
        bool isThere = false, mayRun = false;
        for (const QUuid &uuid : std::as_const(one->tries)) {
            const auto it = m_live.find(uuid);
            const bool isOfJob = it != m_live.end() && it->second.job == &job;
            isThere = isThere || isOfJob;
            mayRun = mayRun || (isOfJob && it->second.mayBeThere);
        }
        if (isThere) {
            // Its tasks run on; what they do is seen later. This computer is never out of reach: the engine looks
            // again and looks for its tasks.
            summary.reason = one->isLocal()    ? u"job.helper-begins"_s
                : one->agent->isFirstAttempt() ? u"job.host-connecting"_s
                                               : u"job.host-out-of-reach"_s;
            summary.reasonArgs = {{u"host"_s, one->id}, {u"code"_s, one->agent->error().code}};
            if (const std::optional<qint64> seen = one->isLocal() ? std::nullopt : one->agent->lastSeen()) {
                summary.reasonArgs.insert(u"since"_s, *seen);
            }
            if (!mayRun && !one->isLocal()) { // as while something was copied there for it
                summary.reasonArgs.insert(u"unstarted"_s, true);
            }
        }
    }
    for (const auto &one : m_hosts.all()) {
        if (const Error copying = m_code.reasonOf(job, one->id);
            !copying.code.isEmpty() && summary.reason.isEmpty() && !job.state.stopRequested) {
            summary.reason = copying.code;
            summary.reasonArgs = copying.args;
        }
    }
    for (const Error &moving : {m_checkpoints.reasonOf(job), m_data.reasonOf(job)}) {
        if (!moving.code.isEmpty() && summary.reason.isEmpty() && !job.state.stopRequested) {
            summary.reason = moving.code;
            summary.reasonArgs = moving.args;
        }
    }
    const PoolJob *known = m_poolJobs.find(job);
    if (!known || !summary.reason.isEmpty()) {
        return;
    }
    for (const QUuid &uuid : known->inTrouble) {
        const auto it = m_live.find(uuid);
        if (it != m_live.end() && summary.reason.isEmpty()) {
            const Error trouble = it->second.trouble();
            summary.reason = trouble.code;
            summary.reasonArgs = trouble.args;
        }
    }
}

void PoolBackend::describe(const ActiveJob &job, core::TaskRef ref, TaskInfo &info) const
{
    // The pause was asked for, so it need not be said: a host on which the task is not paused yet has more to say.
    const bool isSaid = !info.reason.isEmpty() && info.reason != u"job.paused"_s;
    if (!core::placeOf(job.state.task(ref).state) || isSaid) {
        return;
    }
    const auto it = m_live.find(core::tryUuid(job.state.uuid, info.attempt, info.role, info.index, info.tries));
    if (it == m_live.end()) {
        return;
    }
    Error copying = m_code.reasonOf(job, it->second.host);
    copying = copying.code.isEmpty() ? m_checkpoints.reasonOf(it->first) : copying;
    copying = copying.code.isEmpty() ? m_data.reasonOf(it->first) : copying;
    if (!copying.code.isEmpty() && std::holds_alternative<core::Launching>(job.state.task(ref).state)) {
        info.reason = copying.code;
        info.reasonArgs = copying.args;
    } else if (const std::optional<core::TaskRef> awaited = m_runner.awaitedBy(it->first)) {
        info.reason = u"launch.together"_s;
        info.reasonArgs = {{u"task"_s, taskLabel(job.state.roleName(*awaited), awaited->index)}};
    } else if (!it->second.pulling.isEmpty()) {
        info.reason = u"launch.pulling"_s;
        info.reasonArgs = {{u"image"_s, it->second.pulling}, {u"detail"_s, it->second.pullProgress}};
    } else if (const Error trouble = it->second.trouble(); !trouble.code.isEmpty()) {
        info.reason = trouble.code;
        info.reasonArgs = trouble.args;
    }
}

void PoolBackend::describeStored(TaskInfo &info) const
{
    if (info.reason == "stop.host-unreachable"_L1
        && QFileInfo::exists(info.logFolder + u'/' + QLatin1StringView(contract::file::exit))) {
        info.reason = u"stop.host-back"_s;
    }
}

Error PoolBackend::waitReason(const ActiveJob &job) const { return m_scheduler.waitReason(job.state.uuid); }

LogSource PoolBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {m_folders.local().ofTry(job, attempt, role, index, taskTry)};
}

Result<TaskFolder> PoolBackend::filesOf(
    const QString &host, const QString &logFolder, const StoredDocument &document) const
{
    const PoolHost *at = m_hosts.find(host);
    if (!at) {
        return fail(u"host.unknown"_s, {{u"host"_s, host}});
    }
    if (!at->isLocal() && !at->agent->wasOnline()) {
        return fail(u"host.gone"_s, {{u"host"_s, at->id}});
    }
    const QString uuid = m_folders.local().jobOf(logFolder);
    const bool isCopied = !at->isLocal() && document.copiesWork;
    const QString work
        = isCopied ? m_code.workedOn(uuid, document, *at, logFolder) : AgentFolders::workOn(*at, document);
    TaskFolder files{at->id, at->target, m_folders.on(*at, logFolder), work};
    files.isHere = isCopied ? CodeService::isWorkHere(work, document) : at->isLocal() && !work.isEmpty();
    if (files.work.isEmpty()) {
        files.work = files.folder + u"/work"_s;
    }
    return files;
}

} // namespace trainyard
