// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runview.h"

#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <algorithm>

namespace trainyard
{

bool isOutOfReach(const JobSummary &job)
{
    return !isFinal(job.state) && job.reason == QLatin1StringView("job.host-out-of-reach");
}

QList<WaitNote> waitsWith(QList<WaitNote> waits, const JobSummary &job, qint64 now)
{
    const bool isOnCluster = job.target.contains(QLatin1Char(':'));
    const bool isNew = waits.isEmpty() || waits.constLast().reason != job.reason;
    if (isOnCluster && job.state == State::Waiting && !job.paused && !job.reason.isEmpty() && isNew) {
        waits.append({now, job.reason, job.reasonArgs});
    }
    return waits;
}

QList<HostCut> cutsWith(QList<HostCut> cuts, const JobSummary &job, qint64 now)
{
    const bool isCut = isOutOfReach(job);
    const QString host = isCut ? job.reasonArgs.value(QLatin1StringView("host")).toString() : QString();
    for (HostCut &each : cuts) {
        if (!each.until && (!isCut || each.host != host)) {
            each.until = now;
        }
    }
    if (isCut && (cuts.isEmpty() || cuts.constLast().until)) {
        cuts.append({host, job.reasonArgs.value(QLatin1StringView("since")).toInteger(now)});
    }
    return cuts;
}

const AttemptInfo *RunView::shownAttempt() const
{
    const auto shown = std::find_if(
        attempts.cbegin(), attempts.cend(), [this](const AttemptInfo &each) { return each.index == attempt; });
    return shown == attempts.cend() ? nullptr : &*shown;
}

std::optional<TextOfAttempt> RunView::textOf(int attempt) const
{
    return textOfAttempt(earlierTexts, {yaml, job.parameters}, attempt);
}

const AttemptInfo *RunView::formerAttempt() const
{
    const AttemptInfo *shown = shownAttempt();
    return shown == nullptr || shown == &attempts.constLast() ? nullptr : shown;
}

int RunView::tellingAttempt() const { return trainyard::tellingAttempt(job, attempts); }

int RunView::attemptCount() const { return std::max<int>(int(attempts.size()), job.retries + 1); }

std::optional<JobSummary> RunView::failure() const
{
    const AttemptInfo *shown = shownAttempt();
    // The record of an attempt from an older engine does not say why.
    const bool isOfAttempt = shown && shown->state == State::Failed && !shown->reason.isEmpty()
        && (formerAttempt() || job.state == State::Stopped);
    if (isOfAttempt && isFinal(job.state)) {
        JobSummary then = asOf(*shown, job);
        then.retries = job.state == State::Failed ? job.retries : shown->index;
        return then;
    }
    return job.state == State::Failed ? std::optional(job) : std::nullopt;
}

QString RunView::causeTask() const
{
    const std::optional<JobSummary> failed = failure();
    const AttemptInfo *shown = shownAttempt();
    if (!failed || !shown || shown->triggerIndex < 0) {
        return {};
    }
    const QString task = failureFacts(failed->reasonArgs).task;
    return task.isEmpty() ? taskLabel(shown->triggerRole, shown->triggerIndex) : task;
}

std::optional<RunView::Failure> RunView::otherFailure(const TaskInfo &task) const
{
    const std::optional<JobSummary> failed = failure();
    const AttemptInfo *shown = shownAttempt();
    const QString cause = causeTask();
    if (!failed || !shown || cause.isEmpty() || taskLabel(task) == cause || task.state != State::Failed
        || !task.exitCode) {
        return std::nullopt;
    }
    Failure of{*failed, *shown};
    of.job.reason = of.attempt.reason = task.reason;
    of.job.reasonArgs = of.attempt.reasonArgs = task.reasonArgs;
    of.job.exitCode = of.attempt.exitCode = task.exitCode;
    of.attempt.triggerRawExit = task.rawExit;
    of.attempt.triggerRole = task.role;
    of.attempt.triggerIndex = task.index;
    return of;
}

FailureFacts RunView::findingIn(const TaskInfo &task) const
{
    const std::optional<JobSummary> failed = failure();
    const FailureFacts ofJob = failed ? failureFacts(failed->reasonArgs) : FailureFacts();
    if (ofJob.task == taskLabel(task)) {
        return ofJob; // the task that ended the job only lost this one
    }
    const FailureFacts own = failureFacts(task.reasonArgs);
    return own.task.isEmpty() ? own : FailureFacts();
}

qint64 RunView::clock(qint64 now) const { return job.paused ? clockEnd(job, now) : now; }

QJsonObject RunView::reasonArgs() const { return withHostLabels(job.reasonArgs, hostLabels); }

QString RunView::connectingTo() const
{
    QStringList awaited;
    if (job.state != State::Waiting || job.paused || formerAttempt()) {
        return {};
    }
    if (const auto any = reason::as<reason::WaitHost>(job.reason, job.reasonArgs)) {
        awaited = QStringList(any->host) + any->hosts;
    } else if (const auto chosen = reason::as<reason::WaitHosts>(job.reason, job.reasonArgs)) {
        awaited = chosen->away;
    }
    const auto found
        = std::find_if(awaited.cbegin(), awaited.cend(), [this](const QString &id) { return connecting.contains(id); });
    return found == awaited.cend() ? QString() : hostLabels.value(*found, *found);
}

} // namespace trainyard
