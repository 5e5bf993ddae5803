// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/showprint.h"

#include "app/cli/console.h"
#include "app/cli/jobtable.h"
#include "app/cli/parametersofjob.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultorder.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/broughttexts.h"
#include "widgets/text/columns.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/removaltexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/unresolvedtexts.h"
#include "widgets/text/unretriedtexts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <QDateTime>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int resultsShown = 12, waitsShown = 6;
constexpr int unclassifiedExit = 255; // no rule knows more of it

// The status of the command, or in words how it ended otherwise. Of a job that failed without a status, a row of its
// own says it, and where the sentence of the failure names the status, that is enough.
QString endText(const JobSummary &job)
{
    if (!job.exitCode || *job.exitCode == 0 || saysStatus(job.reason, job.reasonArgs)) {
        return {};
    }
    if (job.state != State::Failed) {
        return exitPhrase(*job.exitCode);
    }
    const int status = shownExit(job);
    return status > 0 ? tr("exit status %1").arg(status) : QString();
}

// The former waits of a job on a cluster, without the present one, which is shown above.
void addFormerWaits(QList<QStringList> &rows, const JobDetail &detail, qint64 now)
{
    const JobSummary &job = detail.summary;
    QList<WaitNote> former = detail.waits;
    if (!former.isEmpty() && job.state == State::Waiting && former.constLast().reason == job.reason) {
        former.removeLast();
    }
    former.remove(0, std::max<qsizetype>(0, former.size() - waitsShown));
    for (qsizetype i = 0; i < former.size(); ++i) {
        const WaitNote &wait = former.at(i);
        rows.append({i == 0 ? QString(u"  "_s + tr("Waited")) : QString(),
            QString(formatTime(wait.at, now) + u"  "_s + reasonText(wait.reason, wait.args))});
    }
}

// Why the newest of the former attempts ended.
void addFormerAttempts(QList<QStringList> &rows, const JobDetail &detail)
{
    constexpr qsizetype attemptsShown = 3;
    const qsizetype former = detail.attempts.size() - 1;
    const qsizetype first = std::max<qsizetype>(0, former - attemptsShown);
    if (first > 0) {
        const QString number = QString::number(detail.summary.id);
        rows.append({QString(),
            first == 1 ? tr("Attempt 1 is not listed; 'trainyardctl show %1 --attempt 1' shows it.").arg(number)
                       : tr("Attempts 1 to %1 are not listed; 'trainyardctl show %2 --attempt N' shows one of them.")
                             .arg(QString::number(first), number)});
    }
    for (qsizetype i = first; i < former; ++i) {
        const AttemptInfo &attempt = detail.attempts.at(i);
        if (!attempt.reason.isEmpty()) {
            QString why = reasonText(attempt.reason, attempt.reasonArgs);
            const QString task
                = attempt.triggerIndex < 0 ? QString() : taskLabel(attempt.triggerRole, attempt.triggerIndex);
            if (!task.isEmpty() && !why.contains(task)) {
                why = task + u": "_s + why;
            }
            rows.append({QString(), tr("Attempt %1: %2").arg(QString::number(attempt.index + 1), why)});
        }
    }
}

// The file that the newest attempt has its text from; the job works where the one of its submission is.
QString fileText(const JobDetail &detail)
{
    const QString &file = detail.textFile, &first = detail.summary.file;
    if (file.isEmpty() || file == first) {
        return first;
    }
    if (file == "-"_L1) {
        return first.isEmpty() ? QString() : tr("none any more; at its submission %1").arg(first);
    }
    return first.isEmpty() ? file : tr("%1; at its submission %2").arg(file, first);
}

} // namespace

void printJob(const JobDetail &detail, bool ofAttempt, const QList<TaskInfo> &tasks, int total, bool allTasks,
    const QStringList &missingLogs, const QStringList &sharedMetrics, const QStringList &resultsHere)
{
    const JobSummary &job = detail.summary;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QString which = ofAttempt
        ? QString(u"  "_s + tr("attempt %1 of %2").arg(job.retries + 1).arg(detail.attempts.size()))
        : QString();
    outLine(paint(Colour::Bold, jobTitle(job)) + u"  "_s + paint(stateColour(job.state), shownState(job)) + which);
    QList<QStringList> rows;
    const auto row = [&](const QString &name, const QString &value) {
        if (!value.isEmpty()) {
            rows.append({u"  "_s + name, value});
        }
    };
    // A row of its own says more about what is kept for inspection.
    const bool isToldBelow = job.state == State::Succeeded || job.reason == reason::TaskKept::code;
    row(tr("Why"), isToldBelow ? failedTasksText(job) : whyText(job));
    if (const int telling = tellingAttempt(job, detail.attempts); !ofAttempt && telling >= 0 && telling < job.retries) {
        const auto last = std::find_if(detail.attempts.cbegin(), detail.attempts.cend(),
            [telling](const AttemptInfo &each) { return each.index == telling; });
        if (last->state == State::Failed) {
            row(tr("Before"), tr("attempt %1 failed: %2").arg(QString::number(telling + 1), whyText(asOf(*last, job))));
        }
    }
    const bool waits
        = job.state == State::Waiting || job.reason == "job.host-out-of-reach"_L1; // the latter for its host
    const QStringList details = waits ? waitDetails(job.reason, job.reasonArgs) : QStringList();
    for (const QString &line : details) {
        rows.append({QString(), line});
    }
    if (job.reason == "wait.retry"_L1) {
        rows.append(
            {QString(), tr("'trainyardctl retry %1' tries at once, 'trainyardctl stop %1' gives up.").arg(job.id)});
    }
    if (!ofAttempt) {
        addFormerWaits(rows, detail, now);
    }
    if (!ofAttempt && !detail.clusterJobs.isEmpty()) {
        row(tr("Number at %1").arg(job.target), detail.clusterJobs.join(u", "_s));
    }
    row(tr("Tags"), job.labels.tags.join(u", "_s));
    row(tr("Note"), job.labels.note);
    row(tr("By"), submittedByText(job.assistant, now));
    row(tr("Rehearsal"), detail.rehearsal ? otherJobText(*detail.rehearsal, now) : QString());
    if (!detail.original.isEmpty()) {
        row(tr("Submitted as"),
            detail.promoted ? otherJobText(*detail.promoted, now)
                            : tr("nothing yet; 'trainyardctl promote %1 --on HOST' submits what it tries out")
                                  .arg(QString::number(job.id)));
    }
    row(tr("Group"), job.group);
    row(tr("Parameters"),
        ofAttempt && detail.yaml.isEmpty() ? tr("not known any more; nor is the text that they were in")
                                           : parametersText(job, detail.yaml));
    row(tr("Priority"), job.priority != 0 ? QString::number(job.priority) : QString());
    row(tr("Submitted"), formatTime(job.submitted, now));
    constexpr qint64 worthTelling = 1000;
    const QString counted = elapsed(job, now);
    const QString time = job.pausedMs < worthTelling
        ? counted
        : tr("%1, without a pause of %2").arg(counted, formatDuration(job.pausedMs));
    row(tr("Time"),
        job.retries == 0 ? time
            : neverBegan(job)
            ? tr("attempt %1 did not begin; %2 since the job was submitted")
                  .arg(QString::number(job.retries + 1), elapsed(job.submitted, job.completed, now))
            : tr("%1 in attempt %2; %3 since it was submitted")
                  .arg(time, QString::number(job.retries + 1), elapsed(job.submitted, job.completed, now)));
    if (job.retryDelaySec && job.began && !isFinal(job.state) && job.reason != "wait.retry"_L1) {
        const qint64 due = *job.began + *job.retryDelaySec * 1000;
        row(tr("Retry"),
            tr("attempt %1 begins in %2")
                .arg(QString::number(job.retries + 2), formatDuration(std::max<qint64>(0, due - now))));
    }
    row(tr("Tasks"), countsText(job.counts));
    row(tr("Progress"), ofAttempt ? QString() : progressWords(job.progress, job.endExpected, now));
    row(tr("Hosts"), job.hosts.join(u", "_s));
    row(tr("GPUs"), job.totalGpu > 0 ? QString::number(job.totalGpu) : QString());
    row(tr("Ended with"), endText(job));
    if (job.state == State::Failed && job.exitCode && !job.reason.startsWith("after."_L1)) {
        const ExitText exit = exitText(*job.exitCode);
        const FailureFacts failure = failureFacts(job.reasonArgs);
        const QString meaning = exit.phrase.isEmpty() ? exit.reason : QString(exit.phrase + u": "_s + exit.reason);
        const bool isKnown = !failure.isEmpty() || job.reasonArgs.contains("solution"_L1);
        // The finding in the output is shown above: the code that means "nothing known" adds nothing to it.
        row(tr("Means"), *job.exitCode == unclassifiedExit && isKnown ? QString() : meaning);
        const QString solution = failure.isEmpty() ? job.reasonArgs.value("solution"_L1).toString()
                                                   : failureWords(failure).remedies.join(u' ');
        // A task that could not be started has no log, and the reason says what to do.
        const bool isStarted = !job.reason.startsWith("launch."_L1);
        row(tr("Retries"), unretriedText(job, detail.yaml));
        row(tr("What to do"), !solution.isEmpty() || !isStarted ? solution : exit.advice);
    }
    // A job that failed for it says so above.
    const bool isReferenceTold = failureFacts(job.reasonArgs).cause == "reference-unresolved"_L1;
    row(tr("Remark"), isReferenceTold ? QString() : unresolvedText(detail.yaml));
    if (detail.attempts.size() > 1 && !ofAttempt) {
        row(tr("Attempts"), QString::number(detail.attempts.size()));
        addFormerAttempts(rows, detail);
    }
    const QList<ResultLine> results = ofAttempt ? QList<ResultLine>() : inOrderOfInterest(resultLines(job.results));
    for (int i = 0; i < std::min<int>(resultsShown, int(results.size())); ++i) {
        rows.append({i == 0 ? QString(u"  "_s + tr("Metrics")) : QString(),
            QString(results.at(i).name + u": "_s + results.at(i).text)});
    }
    const QString unreached = ofAttempt ? QString() : unreachedRuleText(job.results);
    if (results.size() > resultsShown) {
        rows.append({QString(),
            tr("%1 more; 'trainyardctl metrics %2' shows all")
                .arg(QString::number(results.size() - resultsShown), QString::number(job.id))});
    }
    const bool isGone = isOutputGone(detail);
    if (job.resultsPending && !ofAttempt && !isGone) {
        rows.append({results.isEmpty() ? QString(u"  "_s + tr("Metrics")) : QString(),
            tr("not final: the output is still being read")});
    }
    if (const QString lag = ofAttempt ? QString() : lagText(job, now); !lag.isEmpty()) {
        rows.append({results.isEmpty() ? QString(u"  "_s + tr("Metrics")) : QString(), lag});
    }
    for (qsizetype i = 0; i < sharedMetrics.size(); ++i) {
        const bool isFirst = results.isEmpty() && (!job.resultsPending || isGone) && i == 0;
        rows.append({isFirst ? QString(u"  "_s + tr("Metrics")) : QString(), sharedMetrics.at(i)});
    }
    row(tr("Rule"), unreached);
    const qsizetype marks = ofAttempt ? 0 : job.health.size();
    for (qsizetype i = 0; i < marks; ++i) {
        rows.append(
            {i == 0 ? QString(u"  "_s + tr("Health")) : QString(), healthLine(job.health.at(i), job.totalTasks, now)});
    }
    for (const ServiceInfo &service : detail.services) {
        const QString name = service.name == "tensorboard"_L1 ? u"TensorBoard"_s : service.name;
        row(name,
            !service.address.isEmpty()          ? service.address
                : service.state == "missing"_L1 ? tr("not installed on %1").arg(service.host)
                                                : tr("did not start; tensorboard.log in the task's folder says why"));
    }
    for (const KeptTask &task : detail.held) {
        const QString name = taskLabel(task);
        row(tr("Kept"),
            tr("%1 ended with status %2 and is kept for another %3; 'exec %4 %1' opens a shell in it, 'release %4 %1' "
               "releases it")
                .arg(name, QString::number(task.status), formatDuration(task.until - now), QString::number(job.id)));
    }
    const qsizetype bringing = ofAttempt ? 0 : detail.brought.size();
    if (bringing > resultsShown) {
        row(tr("Results"), broughtText(detail.brought, now));
    }
    for (qsizetype i = 0; i < bringing; ++i) {
        const BroughtFiles &of = detail.brought.at(i);
        const QString task = bringing > 1 ? QString(taskLabel(of) + u": "_s) : QString();
        if (bringing <= resultsShown) {
            rows.append({i == 0 ? QString(u"  "_s + tr("Results")) : QString(), QString(task + broughtText(of, now))});
        }
        const QStringList problems = i < resultsShown ? broughtProblems(of) : QStringList();
        for (const QString &problem : problems) {
            rows.append({QString(), QString(task + problem)});
        }
    }
    for (const QString &line : resultsHere) {
        const bool isFirst = bringing == 0 && line == resultsHere.first();
        rows.append({isFirst ? QString(u"  "_s + tr("Results")) : QString(), line});
    }
    if (isGone) {
        row(tr("Logs"), tr("no longer there: the folder of the job was removed, and its output with it"));
    }
    for (const QString &line : isGone ? QStringList() : missingLogs) {
        rows.append({line == missingLogs.first() ? QString(u"  "_s + tr("Logs")) : QString(), line});
    }
    row(tr("Removed"), job.removal ? removalText(*job.removal, now) : QString());
    row(tr("File"), fileText(detail));
    row(tr("Folder"), detail.runFolder);
    row(tr("UUID"), job.uuid);
    int indent = 0; // of the texts, beside what each of them is
    for (const QStringList &each : std::as_const(rows)) {
        indent = std::max(indent, columnsOf(each.constFirst()) + 2);
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outSentence(line, indent);
    }
    outLine({});
    const QStringList taskText = taskLines(tasks,
        {.now = now,
            .most = allTasks ? static_cast<int>(tasks.size()) : tasksShown,
            .total = total,
            .saidAbove = isToldBelow ? QString() : whyText(job),
            .pauses = job.pauses,
            .isStopped = isJobStopped(job)});
    if (!taskText.isEmpty()) {
        outLine(taskText.join(u'\n')); // at once: there may be very many
    }
}

} // namespace trainyard::cli
