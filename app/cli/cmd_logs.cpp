// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attemptchoice.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobwatcher.h"
#include "app/cli/logtrail.h"
#include "app/cli/meantjobs.h"
#include "app/cli/remotelogs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct LogsValues {
    QStringList words;
    bool follow = false, out = false, err = false, runtime = false, timestamps = false;
    std::optional<qint64> tail, since, attempt, tryNumber;
};
const CommandLine<LogsValues> &logsLine();

struct LogOptions {
    QString job, role;
    int index = -1;
    int attempt = -1, tryNumber = -1;
    bool follow = false, runtime = false;
    LogStyle style;
};

bool isTaskWanted(const TaskInfo &task, const LogOptions &options)
{
    return options.role.isEmpty() || (task.role == options.role && (options.index < 0 || task.index == options.index));
}

// The folder of one try that is not the newest.
Result<QString> folderOfTry(Session &session, const QString &uuid, int attempt, const LogOptions &options)
{
    return session.call<api::GetLogPath>({uuid, options.role, options.index, attempt, options.tryNumber});
}

// The tries of the task that is meant.
int triesOf(const QList<TaskInfo> &tasks, const LogOptions &options)
{
    const auto task = std::find_if(tasks.cbegin(), tasks.cend(),
        [&](const TaskInfo &each) { return each.role == options.role && each.index == options.index; });
    return task == tasks.cend() ? 0 : task->tries + 1;
}

// Whether the engine has the try that writes a log for over: its log is complete then, or it never will be.
bool isTryOver(const JobWatcher &watcher, const TaskInfo &task, const LogPlace &place)
{
    if (watcher.isOver() || isFinal(watcher.job().state)) {
        return true;
    }
    const QList<TaskInfo> tasks = watcher.tasks();
    return std::any_of(tasks.cbegin(), tasks.cend(), [&](const TaskInfo &now) {
        const bool isTheTask = now.role == task.role && now.index == task.index;
        return now.attempt > place.attempt || (isTheTask && (now.tries > place.taskTry || isFinal(now.state)));
    });
}

// The message about a followed log whose end does not arrive.
int sayWithoutEnd(Session &session, const TaskInfo &task, const LogSource &source)
{
    const QString name = taskLabel(task);
    if (!QFileInfo(source.folder).isDir()) {
        const bool isEarlierTry = task.logFolder != source.folder;
        const auto gone = goneLog(name, isEarlierTry ? QString() : task.host, source.folder);
        if (gone && (task.tryLaunched || isEarlierTry)) {
            errorLine(missingLogLines({*gone}, session.client().hosts()).constFirst());
            return exitNo;
        }
        const bool isToldWhy = !task.reason.isEmpty(); // it was never started
        errorLine(tr("The task %1 has no log.").arg(name)
            + (isToldWhy ? u' ' + errorText({task.reason, task.reasonArgs}) : QString()));
        return exitNo;
    }
    const bool isNewestTry = task.logFolder == source.folder;
    const QStringList lines
        = missingLogLines({{name, isNewestTry ? task.host : QString(), source.folder}}, session.client().hosts());
    errorLine(lines.constFirst());
    return exitNo;
}

// One log, line by line as they come. Ends when the log is complete; or when its try is over and nothing more has come
// for a while, which is said.
int followOne(Session &session, const JobSummary &job, const TaskInfo &task, const LogSource &source, LogStyle style)
{
    QEventLoop loop;
    Interrupts interrupts;
    style.exact = true;
    LogFollow log(style);
    JobWatcher watcher(session.client(), job.uuid);
    const ReasonTeller reasons(watcher, ReasonTeller::About::HostsOnly);
    const LogPlace place = placeOfLog(source.folder);
    std::optional<int> status;
    std::optional<Error> lost; // the engine, or the job
    log.add(source, {}, LogFollow::From::Tail);
    log.close([&]() -> std::optional<int> {
        return lost || isTryOver(watcher, task, place)
            ? std::optional(logPatienceMs(task.host, session.client().hosts()))
            : std::nullopt;
    });
    const auto end = [&](int with) {
        status = with;
        loop.quit();
    };
    QObject::connect(&log, &LogFollow::outputEnded, &loop, [&] { end(exitOk); });
    QObject::connect(&log, &LogFollow::done, &loop, [&] {
        if (log.isWhole() && !source.folder.isEmpty()) {
            status = exitOk;
        }
        loop.quit();
    });
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] { end(exitInterrupted); });
    QObject::connect(&watcher, &JobWatcher::failed, &loop, [&](const Error &error) { lost = error; });
    loop.exec();
    log.finish();
    if (status == exitOk && !outputHasEnded()) {
        const QString name = taskLabel(task);
        const bool isNewestTry = task.logFolder == source.folder;
        if (const auto damage = damageOf(name, isNewestTry ? task.host : QString(), source.folder)) {
            errorLine(missingLogLines({*damage}, session.client().hosts()).constFirst());
            return exitNo;
        }
    }
    if (status) {
        return *status;
    }
    return lost ? report(*lost) : sayWithoutEnd(session, task, source);
}

int followJob(Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const LogOptions &options)
{
    QEventLoop loop;
    Interrupts interrupts;
    LogFollow logs(options.style);
    JobWatcher watcher(session.client(), job.uuid);
    LogTrail trail(session.client(), watcher, logs, options.role, options.index);
    const ReasonTeller reasons(watcher, ReasonTeller::About::HostsOnly);
    trail.startAt(tasks);
    int status = exitOk;
    bool isWhole = false;
    QObject::connect(&watcher, &JobWatcher::failed, &loop, [&](const Error &error) {
        status = report(error);
        loop.quit();
    });
    QObject::connect(&logs, &LogFollow::done, &loop, [&] {
        isWhole = true;
        loop.quit();
    });
    QObject::connect(&logs, &LogFollow::outputEnded, &loop, &QEventLoop::quit);
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
        status = exitInterrupted;
        loop.quit();
    });
    loop.exec();
    logs.finish();
    if (!isWhole || outputHasEnded()) {
        return status;
    }
    QList<TaskInfo> followed = watcher.tasks();
    followed.removeIf([&](const TaskInfo &task) { return !isTaskWanted(task, options); });
    return sayMissingLogs(session, followed) ? exitNo : status;
}

// Says on stderr which of the printed logs are known to be longer.
int sayMissing(Session &session, QList<TaskInfo> tasks, const QList<LogSource> &printed)
{
    QList<MissingLog> ofEarlierTries;
    for (TaskInfo &task : tasks) {
        const auto source = std::find_if(printed.cbegin(), printed.cend(),
            [label = taskLabel(task)](const LogSource &each) { return each.label == label; });
        const QString folder = source == printed.cend() ? QString() : source->folder;
        // The task's data are those of its newest try; an earlier one did run, wherever that was.
        const auto gone = folder != task.logFolder ? goneLog(taskLabel(task), {}, folder) : std::nullopt;
        if (gone) {
            ofEarlierTries.append(*gone);
        }
        task.logFolder = gone ? QString() : folder;
    }
    const QStringList lines = missingLogLines(ofEarlierTries, session.client().hosts());
    for (const QString &line : lines) {
        errorLine(line);
    }
    return sayMissingLogs(session, tasks) || !lines.isEmpty() ? exitNo : exitOk;
}

int readOptions(const LogsValues &values, LogOptions &options)
{
    options.job = values.words.constFirst();
    if (values.words.size() == 2) {
        static const QRegularExpression task(u"^(.+)[/:-](\\d{1,6})$"_s);
        const QRegularExpressionMatch match = task.match(values.words.at(1));
        options.role = match.hasMatch() ? match.captured(1) : values.words.at(1);
        options.index = match.hasMatch() ? match.captured(2).toInt() : -1;
    }
    options.follow = values.follow;
    options.runtime = values.runtime;
    options.style.timestamps = values.timestamps;
    if (values.out != values.err) {
        options.style.streams = {values.out, values.err};
    }
    options.style.tail = values.tail.value_or(options.style.tail);
    options.tryNumber = int(values.tryNumber.value_or(0)) - 1; // people count from 1
    options.attempt = int(values.attempt.value_or(0)) - 1;
    if (values.since) {
        options.style.sinceNs = *values.since * 1000000;
    }
    return exitOk;
}

// A try belongs to a task, which may be named by its role or not at all while there is no other.
int takeOnlyTask(const TaskInfo &first, qsizetype candidates, LogOptions &options)
{
    if (candidates > 1) {
        return logsLine().wrongUsage(tr("%1 needs the task: ROLE/INDEX.").arg(logsLine().name(&LogsValues::tryNumber)));
    }
    options.role = first.role;
    options.index = first.index;
    return exitOk;
}

int runLogs(const LogsValues &values)
{
    LogOptions options;
    if (const int status = readOptions(values, options); status != exitOk) {
        return status;
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(options.job, job); status != exitOk) {
        return status;
    }
    sayWhichOfSeveral(session, options.job, job);
    if (options.attempt >= 0) {
        const Result<JobDetail> detail = session.detail(job.uuid);
        if (!detail) {
            return report(detail.error());
        }
        if (const qsizetype attempts = detail->attempts.size(); options.attempt >= attempts) {
            return logsLine().wrongUsage(noSuchAttempt(job, attempts));
        }
    }
    // With --follow, the next attempt is shown, too.
    const bool mayBegin = options.follow && !isFinal(job.state);
    const Result<QList<TaskInfo>> tasks
        = session.allTasks(job.uuid, options.attempt >= 0 || mayBegin ? options.attempt : newestThatRan);
    if (!tasks) {
        return report(tasks.error());
    }
    if (!mayBegin) {
        sayIfFormer(job, values.attempt, *tasks);
    }
    QList<LogSource> sources;
    qsizetype candidates = 0;
    TaskInfo first; // of the candidates
    QStringList roles;
    for (const TaskInfo &task : *tasks) {
        if (!roles.contains(task.role)) {
            roles.append(task.role);
        }
        if (isTaskWanted(task, options)) {
            first = candidates++ == 0 ? task : first;
            if (!task.logFolder.isEmpty()) {
                sources.append({taskLabel(task), task.logFolder});
            }
        }
    }
    if (candidates == 0 && !options.role.isEmpty()) {
        errorLine(options.index < 0 || !roles.contains(options.role)
                ? tr("The job has no task role '%1'. It has: %2.").arg(options.role, roles.join(u", "_s))
                    + didYouMean(options.role, roles)
                : tr("The job has no task %1/%2.").arg(options.role).arg(options.index)
                    + (roles.contains(options.role) ? QString() : didYouMean(options.role, roles)));
        return exitUnusable;
    }
    if (options.tryNumber >= 0 && options.index < 0 && candidates > 0) {
        if (const int status = takeOnlyTask(first, candidates, options); status != exitOk) {
            return status;
        }
    }
    if (const int tries = triesOf(*tasks, options); options.tryNumber >= 0 && options.tryNumber >= tries) {
        errorLine(noSuchTry(options.role, options.index, tries));
        return exitUnusable;
    }
    if (options.tryNumber >= 0) {
        const Result<QString> folder = folderOfTry(session, job.uuid, tasks->constFirst().attempt, options);
        if (!folder) {
            return report(folder.error());
        }
        sources = {{taskLabel(options), *folder}};
    }
    options.style.labels = candidates > 1;
    if (options.runtime) {
        printRuntimeLogs(sources, options.style.labels);
        return sayMissing(session, *tasks, sources);
    }
    const bool plain = !options.style.labels && !options.style.timestamps && options.style.streams.out
        && options.style.streams.err && !options.style.sinceNs;
    const bool newest = options.attempt < 0 && options.tryNumber < 0;
    // An ended task may run again, in another try or in the next attempt: only the end of the job is final.
    if (options.follow && plain && sources.size() == 1 && (!newest || isFinal(job.state))) {
        const auto task = std::find_if(tasks->cbegin(), tasks->cend(),
            [&](const TaskInfo &each) { return taskLabel(each) == sources.constFirst().label; });
        return followOne(session, job, *task, sources.constFirst(), options.style);
    }
    // Nothing follows of a job that was stopped before its newest attempt began.
    const bool isOfFormer = !tasks->isEmpty() && tasks->constFirst().attempt < job.retries;
    if (options.follow && newest && !isOfFormer) {
        return followJob(session, job, *tasks, options);
    }
    printLogs(sources, options.style);
    return sayMissing(session, *tasks, sources);
}

const CommandLine<LogsValues> &logsLine()
{
    static const CommandLine<LogsValues> line
        = CommandLine<LogsValues>(u"logs"_s, tr("Print the output of the tasks of a job"))
              .runs(runLogs, {u"JOB [ROLE | ROLE/INDEX]"_s, 1, 2, Word::Job, whichJob()})
              .text(tr("Prints the output of one task as it is, or of all tasks of a role or of the job, merged by "
                       "time, each line with the name of its task. Of the control sequences in the output, a terminal "
                       "gets only the colours; a file or pipe gets every byte. A line of the standard output and one "
                       "of the standard error are never mixed. With '--follow', an unfinished line of a single task, "
                       "such as a progress bar or a prompt, is printed as well."))
              .option(u"-f, --follow"_s, &LogsValues::follow,
                  tr("keep printing until the job has ended. If the end of a log does not come, because its task was "
                     "lost or its host is gone, the command says so and ends"))
              .option(u"--stdout"_s, &LogsValues::out, tr("print only the standard output"))
              .option(u"--stderr"_s, &LogsValues::err, tr("print only the standard error"))
              .option(u"--runtime"_s, &LogsValues::runtime,
                  tr("print the messages about the preparation (prerequisites) instead of the output"))
              .option(u"-t, --timestamps"_s, &LogsValues::timestamps, tr("print the local time of each line"))
              .option(u"--tail N"_s, &LogsValues::tail, tr("print only the last N lines of each task"), wholeNumber(0))
              .option(u"--since TIME"_s, &LogsValues::since,
                  tr("print only lines that are not older: a time span (90s, 10m, 2h, 7d) or a local time "
                     "(2026-03-31T14:05)"),
                  timeBefore())
              .option(u"--attempt N"_s, &LogsValues::attempt, tr("print an earlier attempt of the job, counted from 1"),
                  wholeNumber(1))
              .option(u"--try N"_s, &LogsValues::tryNumber, tr("print an earlier try of the task, counted from 1"),
                  wholeNumber(1))
              .exclusive(&LogsValues::follow, &LogsValues::runtime)
              .examples({u"trainyardctl logs 41"_s, u"trainyardctl logs -f 41 worker/0"_s,
                  u"trainyardctl logs 41 worker --since 10m"_s, u"trainyardctl logs 41 --stderr --tail 20"_s})
              .exits({{exitOk, tr("ok")},
                  {exitNo,
                      tr("a log no longer exists or is incomplete, for example because its rest has not been fetched "
                         "from its host or the disk was full (stderr names the task and says why)")},
                  {exitUnusable, tr("no such job, role, task or attempt, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitInterrupted, tr("interrupted")}});
    return line;
}

} // namespace

Command logsCommand() { return logsLine().command(); }

} // namespace trainyard::cli
