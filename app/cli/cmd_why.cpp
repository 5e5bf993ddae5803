// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/health.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/client/capturedfile.h"
#include "engine/client/scriptplace.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/why/whyfailed.h"
#include "model/protocol/jobdocument.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/scriptnames.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// How the answer is given.
struct Manner {
    bool json = false;
    QJsonArray *several = nullptr; // takes the objects of several jobs, which are printed together
    std::optional<QJsonArray> health = {}; // of the job as it is now, in the form of 'show --json'
    std::optional<QJsonObject> waits = {}; // what the job waits for now
};

struct WhyValues {
    QStringList words;
    std::optional<QString> log;
    std::optional<qint64> exit, attempt, tryNumber;
    bool json = false;
    QJsonArray *several = nullptr;
    std::optional<QJsonArray> health;
    std::optional<QJsonObject> waits;
    Manner manner() const { return {json, several, health, waits}; }
};
const CommandLine<WhyValues> &whyLine();

// The end of an output, and the number of its first line.
struct OutputEnd {
    QByteArray bytes;
    qint64 firstLine = 1;
};

Result<OutputEnd> endOf(const QString &path)
{
    QFile file(path);
    const bool isInput = path == "-"_L1;
    if (!isInput && QFileInfo(path).isDir()) {
        return fail(u"file.is-folder"_s, {{u"file"_s, path}});
    }
    OutputEnd end;
    const auto drop = [&end](qsizetype size) {
        end.firstLine += std::count(end.bytes.cbegin(), end.bytes.cbegin() + size, '\n');
        end.bytes.remove(0, size);
    };
    bool isRead = isInput ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    while (isRead) {
        const QByteArray part = file.read(1024 * 1024);
        if (part.isEmpty()) {
            isRead = file.error() == QFileDevice::NoError;
            break;
        }
        end.bytes += part;
        if (end.bytes.size() > 2 * core::whySearchedBytes) {
            drop(end.bytes.size() - core::whySearchedBytes);
        }
    }
    if (!isRead) {
        return fail(u"file.unreadable"_s, {{u"file"_s, inputName(path)}, {u"reason"_s, file.errorString()}});
    }
    return end;
}

Result<FailureFacts> factsOfLog(const QString &path, std::optional<int> status)
{
    const Result<OutputEnd> end = endOf(path);
    if (!end) {
        return tl::unexpected(end.error());
    }
    return core::whyFailed(
        FailureCauses::bundled(), {.status = status, .output = end->bytes, .firstLine = end->firstLine});
}

QJsonArray changesJson(const QList<JobChange> &changes)
{
    QJsonArray all;
    for (const JobChange &change : changes) {
        all.append(
            QJsonObject{{u"path"_s, change.path.toPointer()}, {u"value"_s, change.to}, {u"label"_s, change.code}});
    }
    return all;
}

QJsonObject factsJson(const FailureFacts &facts, const FailureWords &words, const QList<JobChange> &changes)
{
    const QJsonValue evidence
        = facts.line == 0 ? QJsonValue() : QJsonValue(QJsonObject{{u"line"_s, facts.line}, {u"text"_s, facts.text}});
    const QJsonValue frame = facts.file.isEmpty() ? QJsonValue()
                                                  : QJsonValue(QJsonObject{{u"file"_s, facts.file},
                                                      {u"line"_s, facts.fileLine}, {u"function"_s, facts.function}});
    return {{u"cause"_s, facts.cause}, {u"certainty"_s, facts.certainty}, {u"evidence"_s, evidence},
        {u"task"_s, facts.task.isEmpty() ? QJsonValue() : QJsonValue(facts.task)}, {u"frame"_s, frame},
        {u"explanation"_s, words.explanation()}, {u"remedies"_s, QJsonArray::fromStringList(words.remedies)},
        {u"changes"_s, changesJson(changes)},
        {u"transient"_s, facts.transient ? QJsonValue(*facts.transient) : QJsonValue()}};
}

void say(
    const FailureFacts &facts, const FailureWords &words, const Manner &manner, const QList<JobChange> &changes = {})
{
    if (manner.json || manner.several) {
        QJsonObject object = factsJson(facts, words, changes);
        if (manner.health) {
            object.insert(u"health"_s, *manner.health);
        }
        if (manner.waits) {
            object.insert(u"waits"_s, *manner.waits);
        }
        if (manner.several) {
            manner.several->append(object);
        } else {
            outJson(QJsonDocument(object));
        }
        return;
    }
    outLine(paint(Colour::Bold, words.sentence));
    if (facts.line > 0) {
        outLine(u"  "_s + tr("Line %1: %2").arg(QString::number(facts.line), withShortScriptName(facts.text)));
    }
    if (!words.place.isEmpty()) {
        outLine(u"  "_s + tr("In %1").arg(words.place));
    }
    if (facts.transient && *facts.transient) {
        outLine(u"  "_s + tr("The same job may succeed when it runs again."));
    }
    if (!words.remedies.isEmpty()) {
        outLine(tr("What to do:"));
        for (const QString &remedy : words.remedies) {
            outLine(u"  - "_s + remedy);
        }
    }
    if (!changes.isEmpty()) {
        outLine(tr("In the text of the job:"));
        for (const JobChange &change : changes) {
            const ChangeWords each = changeWords(change);
            outLine(u"  - "_s + tr("%1. %2.").arg(each.title, each.detail));
        }
    }
}

// The task that is meant: the named one, else the one that ended the attempt, else the first that failed.
struct EndedBy {
    QString role;
    int index = 0;
};
const TaskInfo *chosenTask(const QList<TaskInfo> &tasks, const EndedBy &endedBy, const QString &word)
{
    static const QRegularExpression named(u"^(.+)[/:-](\\d{1,6})$"_s);
    const QRegularExpressionMatch match = named.match(word);
    const auto with = [&tasks](const QString &role, int index) {
        const auto task = std::find_if(tasks.cbegin(), tasks.cend(),
            [&](const TaskInfo &each) { return each.role == role && each.index == index; });
        return task == tasks.cend() ? nullptr : &*task;
    };
    if (!word.isEmpty()) {
        return match.hasMatch() ? with(match.captured(1), match.captured(2).toInt()) : with(word, 0);
    }
    if (const TaskInfo *task = endedBy.role.isEmpty() ? nullptr : with(endedBy.role, endedBy.index)) {
        return task;
    }
    const auto failed
        = std::find_if(tasks.cbegin(), tasks.cend(), [](const TaskInfo &each) { return each.state == State::Failed; });
    return failed == tasks.cend() ? nullptr : &*failed;
}

// What the engine itself says of an end: it could not start the task, or the user's own rules explain it.
int sayReason(const TaskInfo &task, const Manner &manner, const QList<JobChange> &changes)
{
    FailureFacts facts;
    facts.cause = task.reason.startsWith("exit.oom"_L1) ? u"host-oom"_s : task.reason;
    facts.certainty = u"certain"_s;
    FailureWords words;
    words.sentence = reasonText(task.reason, task.reasonArgs);
    say(facts, words, manner, changes);
    return exitOk;
}

// What of the job may be changed so that it goes well.
QList<JobChange> changesOf(Session &session, const JobSummary &job, const TaskInfo &task)
{
    FailedPart failed = failedPart(task.reason, task.reasonArgs, task.role);
    if (job.reason == "limit.time"_L1) {
        failed = failedPart(job.reason, job.reasonArgs, task.role);
    }
    if (failed.cause.isEmpty()) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    const ParseOutcome outcome = detail ? parseJob(yamlWithParameters(detail->yaml, job.parameters)) : ParseOutcome();
    return outcome.spec
        ? changesAfter(failed, *outcome.spec, outcome.document, scriptPlaceOf(*outcome.spec, job.file, detail->work))
        : QList<JobChange>();
}

struct HeldEnd {
    const TaskInfo *task;
    int status; // with which its commands ended
};

// Of the tasks of a job that are kept for inspection: this one, or the first one if it is null.
std::optional<HeldEnd> heldEnd(
    Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const TaskInfo *wanted)
{
    const Result<JobDetail> detail = session.detail(job.uuid);
    for (const HeldTask &held : detail ? detail->held : QList<HeldTask>()) {
        for (const TaskInfo &task : tasks) {
            if (task.role == held.role && task.index == held.index && (!wanted || wanted == &task)) {
                return HeldEnd{&task, held.status};
            }
        }
    }
    return std::nullopt;
}

// What a task ended with, as far as the engine and its output tell.
int sayTask(Session &session, const JobSummary &job, const TaskInfo &task, const Manner &manner)
{
    const QList<JobChange> changes = changesOf(session, job, task);
    const FailureFacts known = namingPython(failureFacts(task.reasonArgs), task.logFolder);
    if (!known.isEmpty()) {
        FailureWords words = failureWords(known);
        const QString step = failedStepText(task.reason, task.reasonArgs);
        words.sentence = step.isEmpty() ? words.sentence : step + u' ' + words.sentence;
        say(known, words, manner, changes);
        return exitOk;
    }
    const QString output = task.logFolder + u'/' + QLatin1StringView(contract::file::output);
    const bool isOfEngine = !task.reason.isEmpty() && task.reason != "exit.user"_L1;
    if (isOfEngine || task.logFolder.isEmpty() || !QFileInfo::exists(output)) {
        return sayReason(task, manner, changes);
    }
    const Result<FailureFacts> facts = factsOfLog(output, task.rawExit ? task.rawExit : task.exitCode);
    if (!facts) {
        return report(facts.error());
    }
    say(*facts, failureWords(*facts), manner);
    return exitOk;
}

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

// As the job is now. A program that ends well may have gone wrong all the same, and that is what is asked for.
int sayNotFailedNow(const JobSummary &job, const TaskInfo *task, const WhyValues &values)
{
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
int whyOfEarlier(Session &session, const JobSummary &job, const WhyValues &values)
{
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
    const AttemptInfo &ended = detail->attempts.at(attempt);
    const TaskInfo *task = chosenTask(*tasks, {ended.triggerRole, ended.triggerIndex}, values.words.value(1));
    if (!task && !values.words.value(1).isEmpty()) {
        errorLine(tr("The job has no task %1.").arg(values.words.value(1)));
        return exitUnusable;
    }
    const int wanted = task ? int(values.tryNumber.value_or(task->tries + 1)) - 1 : 0;
    if (const FailureFacts cause = failureFacts(ended.reasonArgs);
        values.words.size() < 2 && !values.tryNumber && !cause.task.isEmpty()) {
        say(cause, failureWords(cause), values.manner());
        return exitOk;
    }
    if (!task || wanted == task->tries) {
        const bool hasFailed = task && task->state == State::Failed;
        return hasFailed ? sayTask(session, job, *task, values.manner()) : sayNotFailed(job, task);
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
    return sayTask(session, job, *earlier, values.manner());
}

// It does nothing now, and says what for.
bool waitsNow(const JobSummary &job)
{
    return job.state == State::Waiting || asksToCopy(job) || isUnheardStop(job) || isHeldUp(job)
        || (job.paused && !isFinal(job.state));
}

// Of a job that was paused by hand.
std::optional<qint64> pausedSince(const JobSummary &job)
{
    const bool isPaused = job.reason == reason::JobPaused::code || job.reason == reason::WaitPaused::code;
    const qint64 since = job.reasonArgs.value("since"_L1).toInteger();
    return isPaused && since > 0 ? std::optional(since) : std::nullopt;
}

QJsonObject waitsJson(const JobSummary &job)
{
    const std::optional<qint64> since = pausedSince(job);
    return {{u"code"_s, job.reason}, {u"explanation"_s, whyText(job)},
        {u"details"_s, QJsonArray::fromStringList(waitDetails(job.reason, job.reasonArgs))},
        {u"since"_s, since ? QJsonValue(*since) : QJsonValue()}};
}

void sayWait(const JobSummary &job)
{
    outLine(whyText(job));
    if (const std::optional<qint64> since = pausedSince(job)) {
        outLine(u"  "_s + tr("Since %1.").arg(formatTime(*since, QDateTime::currentMSecsSinceEpoch())));
    }
    const QStringList details = waitDetails(job.reason, job.reasonArgs);
    for (const QString &line : details) {
        outLine(u"  "_s + line);
    }
    if (asksToCopy(job)) {
        outLine(u"  "_s + howToAnswerCopy(job));
    }
}

// In JSON, of a job of which nothing has failed.
int sayOnlyWait(const WhyValues &values)
{
    const QJsonObject object{{u"cause"_s, QJsonValue()}, {u"health"_s, *values.health}, {u"waits"_s, *values.waits}};
    if (values.several) {
        values.several->append(object);
    } else {
        outJson(QJsonDocument(object));
    }
    return exitOk;
}

int whyOfJob(Session &session, const JobSummary &job, const WhyValues &asked)
{
    if (asked.attempt || asked.tryNumber) {
        return whyOfEarlier(session, job, asked);
    }
    WhyValues values = asked;
    values.health = healthJson(job.health);
    const bool isWaiting = waitsNow(job) && values.words.value(1).isEmpty();
    if (isWaiting) {
        values.waits = waitsJson(job);
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
    const EndedBy endedBy{job.reasonArgs.value("role"_L1).toString(), job.reasonArgs.value("index"_L1).toInt()};
    const TaskInfo *task = chosenTask(*tasks, endedBy, values.words.value(1));
    if (!task && !values.words.value(1).isEmpty()) {
        errorLine(tr("The job has no task %1.").arg(values.words.value(1)));
        return exitUnusable;
    }
    const bool isText = !values.json && !values.several;
    if (isWaiting && isText) {
        sayWait(job);
    }
    if (isWaiting && (!task || task->state != State::Failed)) {
        return isText ? int(exitOk) : sayOnlyWait(values);
    }
    if (isWaiting && isText) {
        outLine({}); // it waits for its retry: why that is needed follows
    }
    if (const QString failed = failedTasksText(job); isText && !failed.isEmpty() && values.words.size() < 2) {
        outLine(tr("%1 succeeded by its completion policy, but %2.").arg(jobTitle(job), failed));
    }
    // What was stopped may have failed before that, and shows why the others did.
    const bool hasFailed = task && (task->state == State::Failed || !failureFacts(task->reasonArgs).isEmpty());
    if (const auto held = hasFailed ? std::nullopt : heldEnd(session, job, *tasks, task)) {
        const Result<FailureFacts> facts
            = factsOfLog(held->task->logFolder + u'/' + QLatin1StringView(contract::file::output), held->status);
        if (!facts) {
            return report(facts.error());
        }
        say(*facts, failureWords(*facts), values.manner());
        return exitOk;
    }
    if (!hasFailed && values.words.value(1).isEmpty() && isFinal(job.state) && job.state != State::Succeeded
        && !job.reason.isEmpty()) {
        TaskInfo whole; // the job as a whole has failed: its time limit, or what its completion policy says
        whole.reason = job.reason;
        whole.reasonArgs = job.reasonArgs;
        return sayReason(whole, values.manner(), changesOf(session, job, whole));
    }
    if (const FailureFacts cause = failureFacts(job.reasonArgs);
        hasFailed && values.words.value(1).isEmpty() && !cause.task.isEmpty()) {
        say(cause, failureWords(cause), values.manner(), changesOf(session, job, *task));
        return exitOk;
    }
    return hasFailed ? sayTask(session, job, *task, values.manner()) : sayNotFailedNow(job, task, values);
}

// Whether a second word names a task of the job; else it may be another job.
bool isTaskWord(Session &session, const JobSummary &job, const WhyValues &values)
{
    const QString &word = values.words.at(1);
    if (values.attempt || values.tryNumber || word.contains(u'/')) {
        return true;
    }
    if (isGroupWord(word)) {
        return false;
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid);
    return !tasks || chosenTask(*tasks, {}, word) || !session.findJob(word);
}

// A block for each that failed, a line for each of the others.
int whyOfSeveral(const WhyValues &values)
{
    if (values.attempt || values.tryNumber) {
        return whyLine().wrongUsage(
            tr("%1 and %2 belong to one JOB.")
                .arg(whyLine().name(&WhyValues::attempt), whyLine().name(&WhyValues::tryNumber)));
    }
    Session session;
    QList<JobSummary> jobs;
    if (const int status = session.connectFor(values.words, jobs); status != exitOk) {
        return status;
    }
    QJsonArray all;
    int worst = exitNo; // until one is explained
    bool isBehindBlock = false;
    for (const JobSummary &job : std::as_const(jobs)) {
        const bool hasFailed
            = job.state == State::Failed || job.counts.failed > 0 || (job.state == State::Stopped && job.retries > 0);
        const QString title = tr("%1: %2").arg(jobTitle(job), stateWord(job.state));
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
                outLine(title);
            }
            const int status = whyOfJob(session, job, one);
            worst = status > exitNo ? std::max(worst, status) : worst == exitNo ? status : worst;
        } else if (!values.json) {
            const QString why = job.state == State::Succeeded && !job.health.isEmpty() ? healthOf(job) : whyText(job);
            outLine(why.isEmpty() ? title : tr("%1. %2").arg(title, why));
        }
        if (all.size() == told) {
            all.append(QJsonObject{{u"cause"_s, QJsonValue()}, {u"health"_s, healthJson(job.health)}});
        }
        QJsonObject last = all.last().toObject();
        if (waitsNow(job)) {
            last.insert(u"waits"_s, waitsJson(job));
        }
        last.insert(u"id"_s, job.id);
        last.insert(u"name"_s, job.name);
        last.insert(u"state"_s, stateWord(job.state));
        all.replace(all.size() - 1, last);
    }
    if (values.json) {
        outJson(QJsonDocument(all));
    }
    return worst;
}

int whyOfWords(const WhyValues &values)
{
    if (values.words.size() > 2 || isGroupWord(values.words.constFirst())) {
        return whyOfSeveral(values);
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
        return status;
    }
    return values.words.size() == 1 || isTaskWord(session, job, values) ? whyOfJob(session, job, values)
                                                                        : whyOfSeveral(values);
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
    if (values.tryNumber && values.words.size() < 2) {
        return whyLine().wrongUsage(tr("%1 needs the task: ROLE/INDEX.").arg(whyLine().name(&WhyValues::tryNumber)));
    }
    if (!values.log) {
        return values.exit
            ? whyLine().wrongUsage(tr("%1 belongs to %2: the status of a task is known.")
                                       .arg(whyLine().name(&WhyValues::exit), whyLine().name(&WhyValues::log)))
            : whyOfWords(values);
    }
    const std::optional<int> status = values.exit ? std::optional(int(*values.exit)) : std::nullopt;
    const Result<FailureFacts> facts = factsOfLog(*values.log, status);
    if (!facts) {
        return report(facts.error());
    }
    say(*facts, failureWords(*facts), values.manner());
    return exitOk;
}

const CommandLine<WhyValues> &whyLine()
{
    static const CommandLine<WhyValues> line
        = CommandLine<WhyValues>(u"why"_s, tr("Explain why a task or a program failed"))
              .runs(runWhy, {u"[JOB [ROLE/INDEX] | JOB...]"_s, 0, anyNumber, Word::Job, whichJob()})
              .text(tr("Finds the cause of a failure in the output: of several errors the one that the others follow "
                       "from. Says how sure that is, the line that shows it, the innermost place in your own code, and "
                       "what to do. Without ROLE/INDEX it is the task that ended the job. With --log it explains the "
                       "output of any program, and needs no engine. For a job that waits, is paused or "
                       "cannot continue because a disk is full, it says why. Of "
                       "several jobs, or of those of a group (group:NAME), it explains each one that failed, and "
                       "describes the state of the others in a line each."))
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
                  tr("print a JSON object: cause, certainty (certain, likely, unknown), evidence, frame, explanation, "
                     "remedies, changes of the job (path, value, label), transient (whether the same job may succeed "
                     "when it runs again; null: it depends), health (what looks wrong with the job now), waits (of a "
                     "job that waits, is paused or cannot go on: code, explanation, details, since). Of several jobs "
                     "an array of "
                     "such objects, each "
                     "also with id, name and state; the cause is null of one that has not failed"))
              .examples({u"trainyardctl why 41"_s, u"trainyardctl why 41 worker/3"_s,
                  u"trainyardctl why 41 worker/3 --attempt 1"_s, u"trainyardctl why group:lr_sweep"_s,
                  u"trainyardctl why --log slurm-1234.out --exit 1"_s, u"./train.sh 2>&1 | trainyardctl why --log -"_s})
              .exits({{exitOk, tr("explained, as far as the output tells")},
                  {exitNo, tr("the task has not failed; of several jobs: none has")},
                  {exitUnusable, tr("no such job, task, attempt, try or file, or wrong usage")},
                  {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command whyCommand() { return whyLine().command(); }

} // namespace trainyard::cli
