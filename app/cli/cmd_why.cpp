// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/meantjobs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "app/cli/whytask.h"
#include "app/cli/whywait.h"
#include "engine/api/health.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "engine/contract/taskfolder.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct WhyValues {
    QStringList words;
    std::optional<QString> log;
    std::optional<qint64> exit, attempt, tryNumber;
    bool json = false;
    QJsonArray *several = nullptr;
    std::optional<QJsonArray> health;
    std::optional<QJsonObject> waits;
    why::WaitFacts wait;
    QString task; // that is explained
    bool hasOtherTasks = false; // besides
    why::Manner manner() const
    {
        return {json, several, health, waits, task, hasOtherTasks && words.value(1).isEmpty()};
    }
    void explain(const JobSummary &job, const TaskInfo *of)
    {
        task = of ? taskLabel(*of) : QString();
        hasOtherTasks = job.totalTasks > 1;
    }
};
const CommandLine<WhyValues> &whyLine();

int sayNotFailed(const JobSummary &job, const TaskInfo *task)
{
    errorLine(task ? tr("%1/%2 has not failed.").arg(task->role, QString::number(task->index))
                   : tr("No task of %1 has failed.").arg(jobTitle(job)));
    return exitNo;
}

// "loss is NaN since step 20 (14:05).", one sentence or more; empty without a health mark.
QString healthOf(const JobSummary &job)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QStringList lines;
    for (const HealthMark &mark : job.health) {
        lines.append(healthLine(mark, job.totalTasks, now));
    }
    return lines.join(u' ');
}

// In JSON, of a job of which nothing has failed.
int sayOnlyWait(const JobSummary &job, const WhyValues &values)
{
    const QJsonObject object{{u"cause"_s, QJsonValue()}, {u"health"_s, healthJson(job.health)},
        {u"waits"_s, why::waitsJson(job, values.wait)}};
    if (values.several) {
        values.several->append(object);
    } else {
        outJson(QJsonDocument(object));
    }
    return exitOk;
}

// As the job is now. A program that ends well may have gone wrong all the same, and that is what is asked for.
int sayNotFailedNow(const JobSummary &job, const TaskInfo *task, const WhyValues &values)
{
    if (values.words.value(1).isEmpty() && why::hasReasonNow(job)) {
        if (values.json || values.several) {
            return sayOnlyWait(job, values);
        }
        why::sayWait(job, values.wait);
        if (const QString health = healthOf(job); !health.isEmpty()) {
            outSentence(health);
        }
        return exitOk;
    }
    const QString health = values.words.value(1).isEmpty() ? healthOf(job) : QString();
    if (health.isEmpty()) {
        return sayNotFailed(job, task);
    }
    if (values.json) {
        outJson(QJsonDocument(QJsonObject{{u"cause"_s, QJsonValue()}, {u"health"_s, healthJson(job.health)}}));
        return exitNo;
    }
    errorLine(tr("No task of %1 has failed, but see its health: %2").arg(jobTitle(job), health));
    return exitNo;
}

// An earlier attempt of the job, or an earlier try of a task: only its tasks count, not what the job does now.
int whyOfEarlier(Session &session, const JobSummary &job, const WhyValues &asked)
{
    WhyValues values = asked;
    const Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail) {
        return report(detail.error());
    }
    const qsizetype attempts = detail->attempts.size();
    const int attempt = int(values.attempt.value_or(attempts)) - 1; // people count from 1
    if (attempt < 0 || attempt >= attempts) {
        return whyLine().wrongUsage(noSuchAttempt(job, attempts));
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid, attempt);
    if (!tasks) {
        return report(tasks.error());
    }
    if (values.tryNumber && values.words.size() < 2 && tasks->size() > 1) {
        return whyLine().wrongUsage(tr("%1 needs the task: ROLE/INDEX.").arg(whyLine().name(&WhyValues::tryNumber)));
    }
    const AttemptInfo &ended = detail->attempts.at(attempt);
    const TaskInfo *task = why::chosenTask(*tasks, {ended.triggerRole, ended.triggerIndex}, values.words.value(1));
    if (!task && !values.words.value(1).isEmpty()) {
        errorLine(tr("The job has no task %1.").arg(values.words.value(1)));
        return exitUnusable;
    }
    values.explain(job, task);
    const int wanted = task ? int(values.tryNumber.value_or(task->tries + 1)) - 1 : 0;
    if (const FailureFacts cause = failureFacts(ended.reasonArgs);
        values.words.size() < 2 && !values.tryNumber && !cause.task.isEmpty()) {
        why::say(cause, failureWords(cause), values.manner());
        return exitOk;
    }
    if (!task || wanted == task->tries) {
        const bool hasFailed = task && task->state == State::Failed;
        return hasFailed ? why::sayTask(session, job, *task, values.manner()) : sayNotFailed(job, task);
    }
    const Result<QList<TaskInfo>> tries = session.earlierTries(job.uuid, attempt);
    if (!tries) {
        return report(tries.error());
    }
    const auto earlier = std::find_if(tries->cbegin(), tries->cend(), [&](const TaskInfo &each) {
        return each.role == task->role && each.index == task->index && each.tries == wanted;
    });
    if (earlier == tries->cend()) {
        errorLine(noSuchTry(task->role, task->index, task->tries + 1));
        return exitUnusable;
    }
    return why::sayTask(session, job, *earlier, values.manner());
}

int whyOfJob(Session &session, const JobSummary &job, const WhyValues &asked)
{
    if (asked.attempt || asked.tryNumber) {
        return whyOfEarlier(session, job, asked);
    }
    WhyValues values = asked;
    values.wait = why::waitFacts(session, job, queuePlaces(session.client().jobs()).value(job.uuid));
    values.health = healthJson(job.health);
    const bool isWaiting = why::waitsNow(job) && values.words.value(1).isEmpty();
    if (isWaiting) {
        values.waits = why::waitsJson(job, values.wait);
    }
    if (job.state == State::Stopped && job.retries > 0 && values.words.size() < 2) {
        // It was stopped before its next attempt began: the last one that did says more.
        const Result<JobDetail> detail = session.detail(job.uuid);
        const int telling = detail ? tellingAttempt(job, detail->attempts) : job.retries;
        if (detail && telling < job.retries && detail->attempts.at(telling).state == State::Failed) {
            WhyValues last = values;
            last.attempt = telling + 1;
            return whyOfEarlier(session, job, last);
        }
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    if (!tasks) {
        return report(tasks.error());
    }
    const why::EndedBy endedBy{job.reasonArgs.value("role"_L1).toString(), job.reasonArgs.value("index"_L1).toInt()};
    const TaskInfo *task = why::chosenTask(*tasks, endedBy, values.words.value(1));
    if (!task && !values.words.value(1).isEmpty()) {
        errorLine(tr("The job has no task %1.").arg(values.words.value(1)));
        return exitUnusable;
    }
    values.explain(job, task);
    const bool isText = !values.json && !values.several;
    const bool causeFollows = task && task->state == State::Failed;
    if (isWaiting && isText) {
        why::sayWait(job, values.wait, causeFollows);
    }
    if (isWaiting && !causeFollows) {
        return isText ? int(exitOk) : sayOnlyWait(job, values);
    }
    if (isWaiting && isText) {
        outLine({}); // it waits for its retry: why that is needed follows
    }
    if (const QString failed = failedTasksText(job); isText && !failed.isEmpty() && values.words.size() < 2) {
        outSentence(tr("%1 succeeded by its completion policy, but %2.").arg(jobTitle(job), failed));
    }
    // A stopped task may have failed before that, and show why the others did.
    const bool hasFailed = task && (task->state == State::Failed || !failureFacts(task->reasonArgs).isEmpty());
    if (const auto held = hasFailed ? std::nullopt : why::heldEnd(session, job, *tasks, task)) {
        const Result<FailureFacts> facts
            = why::factsOfLog(held->task->logFolder + u'/' + QLatin1StringView(contract::file::output), held->status);
        if (!facts) {
            return report(facts.error());
        }
        values.explain(job, held->task);
        why::say(*facts, failureWords(*facts), values.manner());
        return exitOk;
    }
    if (!hasFailed && values.words.value(1).isEmpty() && isFinal(job.state) && job.state != State::Succeeded
        && !job.reason.isEmpty()) {
        TaskInfo whole; // the job as a whole has failed: its time limit, or what its completion policy says
        whole.reason = job.reason;
        whole.reasonArgs = job.reasonArgs;
        values.explain(job, nullptr);
        return why::sayReason(whole, values.manner(), why::changesOf(session, job, whole));
    }
    if (const FailureFacts cause = failureFacts(job.reasonArgs);
        hasFailed && values.words.value(1).isEmpty() && !cause.task.isEmpty()) {
        why::say(cause, failureWords(cause), values.manner(), why::changesOf(session, job, *task));
        return exitOk;
    }
    if (const QString remark = why::remarkOnSuccess(*tasks, task); isText && !hasFailed && !remark.isEmpty()) {
        outSentence(remark);
    }
    return hasFailed ? why::sayTask(session, job, *task, values.manner()) : sayNotFailedNow(job, task, values);
}

// Whether a second word names a task of the job; else it may be another job.
bool isTaskWord(Session &session, const JobSummary &job, const WhyValues &values)
{
    const QString &word = values.words.at(1);
    if (values.attempt || values.tryNumber || word.contains(u'/')) {
        return true;
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    return !tasks || why::chosenTask(*tasks, {}, word) || isNoJob(session, word);
}

// A block for each that failed, a line for each of the others.
int whyOfSeveral(Session &session, const WhyValues &values)
{
    if (values.attempt || values.tryNumber) {
        return whyLine().wrongUsage(
            tr("%1 and %2 belong to one JOB.")
                .arg(whyLine().name(&WhyValues::attempt), whyLine().name(&WhyValues::tryNumber)));
    }
    MeantJobs meant;
    for (const QString &word : values.words) {
        const Result<MeantJobs> of = jobsOfWord(session, word);
        if (!of) {
            return report(of.error());
        }
        if (!of->areSeveral && of->jobs.size() == 1) {
            sayWhichOfSeveral(session, word, of->jobs.constFirst());
        }
        meant.add(*of);
    }
    const QList<JobSummary> &jobs = meant.jobs;
    const QHash<QString, QueuePlace> places = queuePlaces(session.client().jobs());
    QJsonArray all;
    int worst = exitNo; // until one is explained
    bool isBehindBlock = false;
    for (const JobSummary &job : jobs) {
        const bool hasFailed
            = job.state == State::Failed || job.counts.failed > 0 || (job.state == State::Stopped && job.retries > 0);
        const QString title = tr("%1: %2").arg(jobTitle(job), shownState(job));
        const qsizetype told = all.size();
        if (!values.json && (isBehindBlock || (hasFailed && &job != &jobs.constFirst()))) {
            outLine({});
        }
        isBehindBlock = hasFailed;
        if (hasFailed) {
            WhyValues one = values;
            one.words = {job.uuid};
            one.several = values.json ? &all : nullptr;
            if (!values.json) {
                outSentence(title);
            }
            const int status = whyOfJob(session, job, one);
            worst = status > exitNo ? std::max(worst, status) : worst == exitNo ? status : worst;
        } else if (!values.json) {
            const QString why = job.state == State::Succeeded && !job.health.isEmpty() ? healthOf(job) : whyText(job);
            outSentence(why.isEmpty() ? title : tr("%1. %2").arg(title, why));
        }
        if (all.size() == told) {
            all.append(QJsonObject{{u"cause"_s, QJsonValue()}, {u"health"_s, healthJson(job.health)}});
        }
        QJsonObject last = all.last().toObject();
        if (why::waitsNow(job) || (last.value("cause"_L1).isNull() && why::hasReasonNow(job))) {
            last.insert(u"waits"_s, why::waitsJson(job, why::waitFacts(session, job, places.value(job.uuid))));
        }
        last.insert(u"id"_s, job.id);
        last.insert(u"name"_s, job.name);
        last.insert(u"state"_s, stateWord(job.state));
        const QString why = whyText(job);
        last.insert(u"why"_s, why.isEmpty() ? QJsonValue() : QJsonValue(why));
        all.replace(all.size() - 1, last);
    }
    if (values.json) {
        outJson(QJsonDocument(all));
    }
    return worst;
}

int whyOfWords(const WhyValues &values)
{
    Session session;
    MeantJobs first;
    if (const int status = session.connectFor(values.words.first(1), first); status != exitOk) {
        return status;
    }
    const JobSummary &job = first.jobs.constFirst();
    const bool isOne = !first.areSeveral && first.jobs.size() == 1;
    if (isOne && (values.words.size() == 1 || (values.words.size() == 2 && isTaskWord(session, job, values)))) {
        sayWhichOfSeveral(session, values.words.constFirst(), job);
        const int status = whyOfJob(session, job, values);
        if (!values.json && values.words.size() == 1 && !values.attempt) {
            if (const QString unretried = unretriedSentence(session, job); !unretried.isEmpty()) {
                outSentence(unretried);
            }
        }
        return status;
    }
    return whyOfSeveral(session, values);
}

int runWhy(const WhyValues &values)
{
    if (values.log.has_value() != values.words.isEmpty()) {
        return whyLine().wrongUsage(tr("Give a JOB, or %1 with a file.").arg(whyLine().name(&WhyValues::log)));
    }
    if (values.log && (values.attempt || values.tryNumber)) {
        return whyLine().wrongUsage(
            tr("%1 and %2 belong to a JOB.")
                .arg(whyLine().name(&WhyValues::attempt), whyLine().name(&WhyValues::tryNumber)));
    }
    if (!values.log) {
        return values.exit
            ? whyLine().wrongUsage(tr("%1 belongs to %2: the status of a task is known.")
                                       .arg(whyLine().name(&WhyValues::exit), whyLine().name(&WhyValues::log)))
            : whyOfWords(values);
    }
    const std::optional<int> status = values.exit ? std::optional(int(*values.exit)) : std::nullopt;
    const Result<FailureFacts> facts = why::factsOfLog(*values.log, status);
    if (!facts) {
        return report(facts.error());
    }
    why::say(*facts, failureWords(*facts), values.manner());
    return exitOk;
}

const CommandLine<WhyValues> &whyLine()
{
    static const CommandLine<WhyValues> line
        = CommandLine<WhyValues>(u"why"_s, tr("Explain why a task or a program failed"))
              .runs(runWhy, {u"[JOB [ROLE/INDEX] | JOB...]"_s, 0, anyNumber, Word::Job, whichJob()})
              .text(tr(
                  "Finds the cause of a failure in the output: of several errors the one that the others follow "
                  "from. Says how certain that is, the line that shows it, the innermost place in your own code, "
                  "and what to do. Without ROLE/INDEX it is the task that ended the job, which is named if the job has "
                  "others. With --log it explains the "
                  "output of any program, and needs no engine. For a job that waits, is paused, cannot continue "
                  "because a disk is full or runs on a host that cannot be reached, it says so. For several jobs, it "
                  "explains each one that failed, and describes the state of each of the others in a line. If "
                  "several jobs have the name that is given, it takes the newest and says so on standard error."))
              .more(severalNote())
              .option(u"--log FILE"_s, &WhyValues::log, tr("explain the output in FILE; '-' is standard input"))
              .completes(Word::File)
              .option(u"--exit N"_s, &WhyValues::exit,
                  tr("the exit status of the program, 128 + signal or -signal when a signal ended it"),
                  wholeNumber(std::numeric_limits<int>::min()))
              .option(u"--attempt N"_s, &WhyValues::attempt,
                  tr("explain an earlier attempt of the job, counted from 1"), wholeNumber(1))
              .option(u"--try N"_s, &WhyValues::tryNumber, tr("explain an earlier try of the task, counted from 1"),
                  wholeNumber(1))
              .option(u"--json"_s, &WhyValues::json,
                  tr("print a JSON object: cause, certainty (certain, likely, unknown), evidence (the line that shows "
                     "it), "
                     "lastLine (if no line does), frame, explanation, remedies, changes of the job (path, value, "
                     "label), explainedTask (ROLE/INDEX, of a job), task (the one whose output shows the cause, if it "
                     "is "
                     "another), "
                     "transient (whether the same job may succeed "
                     "when it runs again; null: it depends), health (what looks wrong with the job now), waits (of a "
                     "job that waits, is paused or cannot continue: code, explanation, details, since). For several "
                     "jobs, an array of such objects, each also with id, name, state and why; the cause of one that "
                     "has not "
                     "failed is null"))
              .examples({u"trainyardctl why 41"_s, u"trainyardctl why 41 worker/3"_s,
                  u"trainyardctl why 41 worker/3 --attempt 1"_s, u"trainyardctl why group:lr_sweep"_s,
                  u"trainyardctl why 38-46"_s, u"trainyardctl why --log slurm-1234.out --exit 1"_s,
                  u"./train.sh 2>&1 | trainyardctl why --log -"_s})
              .exits({{exitOk, tr("explained, as far as the output shows it")},
                  {exitNo, tr("the task has not failed; of several jobs, none has")},
                  {exitUnusable, tr("no such job, task, attempt, try or file, or wrong usage")},
                  {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command whyCommand() { return whyLine().command(); }

} // namespace trainyard::cli
