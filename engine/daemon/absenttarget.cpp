// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/absenttarget.h"

#include "engine/backend/clock.h"
#include "engine/client/clustersettings.h"

#include <QDir>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int codeOfLost = -101;

// This version has targets of its kind: only its settings are not there.
bool isKindKnown(const QString &target) { return !clusterSettings(target).isEmpty(); }

} // namespace

bool AbsentTarget::giveUp(ActiveJob &job)
{
    bool isAny = false;
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef task = job.state.refAt(i);
        if (std::holds_alternative<core::Stopping>(job.state.task(task).state)) {
            isAny = true;
            Q_EMIT happened(&job,
                core::Event{nowMs(),
                    core::event::TryEnded{task, core::tryUuid(job.state, task),
                        {codeOfLost, {}, u"stop.given-up-absent"_s, {{u"target"_s, job.state.meta.target}}}, 0, nowMs(),
                        false}});
        }
    }
    return isAny;
}

// Asked before a job is run again: it would only wait.
std::optional<Error> AbsentTarget::neverFits(const core::JobState &job, const JobSpec &, const StoredDocument &) const
{
    return Error{u"target.absent"_s, {{u"target"_s, job.meta.target}}};
}

void AbsentTarget::describe(const ActiveJob &job, JobSummary &summary) const
{
    if (summary.reason.isEmpty() || summary.state == State::Stopping) {
        const bool isWaiting = summary.state == State::Waiting;
        const bool isRemoved = isKindKnown(job.state.meta.target);
        summary.reason = isWaiting ? waitReason(job).code
            : isRemoved            ? u"job.target-removed"_s
                                   : u"job.target-absent"_s;
        summary.reasonArgs = {{u"target"_s, job.state.meta.target}};
    }
}

Error AbsentTarget::waitReason(const ActiveJob &job) const
{
    const QString &target = job.state.meta.target;
    return {isKindKnown(target) ? u"wait.target-removed"_s : u"wait.target"_s, {{u"target"_s, target}}};
}

LogSource AbsentTarget::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {m_folders.ofTry(job, attempt, role, index, taskTry)};
}

Result<TaskFolder> AbsentTarget::filesOf(const QString &host, const QString &, const StoredDocument &) const
{
    return fail(u"host.unknown"_s, {{u"host"_s, host}});
}

void AbsentTarget::removeRun(const QString &job, const QStringList &)
{
    QDir(m_folders.ofJob(job)).removeRecursively();
}

} // namespace trainyard
