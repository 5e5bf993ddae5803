// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/absenttarget.h"

#include <QDir>

namespace trainyard
{

using namespace Qt::StringLiterals;

// Asked before a job is run again: it would only wait.
std::optional<Error> AbsentTarget::neverFits(const core::JobState &job, const JobSpec &, const StoredDocument &) const
{
    return Error{u"target.absent"_s, {{u"target"_s, job.meta.target}}};
}

void AbsentTarget::describe(const ActiveJob &job, JobSummary &summary) const
{
    if (summary.reason.isEmpty()) {
        const bool isWaiting = summary.state == State::Waiting;
        summary.reason = isWaiting ? u"wait.target"_s : u"job.target-absent"_s;
        summary.reasonArgs = {{u"target"_s, job.state.meta.target}};
    }
}

Error AbsentTarget::waitReason(const ActiveJob &job) const
{
    return {u"wait.target"_s, {{u"target"_s, job.state.meta.target}}};
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
