// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobwatcher.h"
#include "app/cli/logtrail.h"
#include "app/cli/session.h"
#include "engine/client/logfollower.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

struct LogOptions {
    QString job, role;
    int index = -1;
    int attempt = -1, tryNumber = -1;
    bool follow = false, runtime = false;
    LogStyle style;
};

// The folder of one try that is not the newest.
Result<QString> folderOfTry(Session &session, const QString &uuid, const LogOptions &options)
{
    const Result<QJsonValue> path = session.ask<QJsonValue>([&](auto reply) {
        session.client().call(u"logPath"_s,
            {{u"id"_s, uuid}, {u"role"_s, options.role}, {u"index"_s, options.index}, {u"attempt"_s, options.attempt},
                {u"try"_s, options.tryNumber}},
            session.context(), reply);
    });
    if (!path) {
        return tl::unexpected(path.error());
    }
    return path->toString();
}

// Of the task that is meant.
int triesOf(const QList<TaskInfo> &tasks, const LogOptions &options)
{
    const auto task = std::find_if(tasks.cbegin(), tasks.cend(),
        [&](const TaskInfo &each) { return each.role == options.role && each.index == options.index; });
    return task == tasks.cend() ? 0 : task->tries + 1;
}

// One log, its bytes as they come: progress bars stay alive. Ends when the log is complete.
int followRaw(const QString &folder, qint64 tail)
{
    QEventLoop loop;
    Interrupts interrupts;
    LogFollower follower(folder);
    int status = exitOk;
    QObject::connect(&follower, &LogFollower::grown, &loop, [&](qint64, const QByteArray &bytes) {
        out(bytes);
        if (outputHasEnded()) {
            loop.quit();
        }
    });
    QObject::connect(&follower, &LogFollower::finished, &loop, &QEventLoop::quit);
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
        status = exitInterrupted;
        loop.quit();
    });
    qint64 offset = 0;
    if (tail >= 0) {
        LogLines lines(folder, {});
        offset = lines.skipToTail(tail, false);
    }
    follower.start(offset);
    loop.exec();
    return status;
}

int followJob(Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const LogOptions &options)
{
    QEventLoop loop;
    Interrupts interrupts;
    LogFollow logs(options.style);
    JobWatcher watcher(session.client(), job.uuid);
    LogTrail trail(session.client(), watcher, logs, options.role, options.index);
    trail.startAt(tasks);
    int status = exitOk;
    QObject::connect(&watcher, &JobWatcher::failed, &loop, [&](const Error &error) {
        status = report(error);
        loop.quit();
    });
    QObject::connect(&logs, &LogFollow::done, &loop, &QEventLoop::quit);
    QObject::connect(&logs, &LogFollow::outputEnded, &loop, &QEventLoop::quit);
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
        status = exitInterrupted;
        loop.quit();
    });
    loop.exec();
    return status;
}

int readOptions(const QStringList &arguments, LogOptions &options)
{
    QCommandLineParser parser;
    parser.addOptions({{{u"f"_s, u"follow"_s}, {}}, {u"stdout"_s, {}}, {u"stderr"_s, {}}, {u"runtime"_s, {}},
        {{u"t"_s, u"timestamps"_s}, {}}, {u"tail"_s, {}, u"n"_s}, {u"try"_s, {}, u"n"_s}, {u"attempt"_s, {}, u"n"_s}});
    if (!parse(parser, u"logs"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList words = parser.positionalArguments();
    if (words.isEmpty() || words.size() > 2) {
        return usageError(u"logs"_s, tr("Which job? Give its number, the beginning of its UUID, or its name."));
    }
    options.job = words.first();
    if (words.size() == 2) {
        static const QRegularExpression task(u"^(.+)[/:-](\\d{1,6})$"_s);
        const QRegularExpressionMatch match = task.match(words.at(1));
        if (!match.hasMatch()) {
            return usageError(u"logs"_s, tr("A task is ROLE/INDEX, not '%1'.").arg(words.at(1)));
        }
        options.role = match.captured(1);
        options.index = match.captured(2).toInt();
    }
    options.follow = parser.isSet(u"follow"_s);
    options.runtime = parser.isSet(u"runtime"_s);
    if (options.follow && options.runtime) {
        return usageError(u"logs"_s, tr("--runtime prints what is there; it cannot follow."));
    }
    options.style.timestamps = parser.isSet(u"timestamps"_s);
    if (parser.isSet(u"stdout"_s) != parser.isSet(u"stderr"_s)) {
        options.style.streams = {parser.isSet(u"stdout"_s), parser.isSet(u"stderr"_s)};
    }
    bool good = true;
    if (parser.isSet(u"tail"_s)) {
        options.style.tail = parser.value(u"tail"_s).toLongLong(&good);
        if (!good || options.style.tail < 0) {
            return usageError(u"logs"_s, tr("--tail takes a number of lines."));
        }
    }
    for (const auto &[name, value] : {std::pair{u"try"_s, &options.tryNumber}, {u"attempt"_s, &options.attempt}}) {
        if (parser.isSet(name)) {
            *value = parser.value(name).toInt(&good) - 1; // people count from 1
            if (!good || *value < 0) {
                return usageError(u"logs"_s, tr("--%1 takes a number from 1.").arg(name));
            }
        }
    }
    if (options.tryNumber >= 0 && options.role.isEmpty()) {
        return usageError(u"logs"_s, tr("--try needs the task: ROLE/INDEX."));
    }
    return exitOk;
}

int run(const QStringList &arguments)
{
    LogOptions options;
    if (const int status = readOptions(arguments, options); status != exitOk) {
        return status;
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(options.job, job); status != exitOk) {
        return status;
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(job.uuid, options.attempt);
    if (!tasks) {
        return report(tasks.error());
    }
    QList<LogSource> sources;
    qsizetype candidates = 0;
    for (const TaskInfo &task : *tasks) {
        if (options.role.isEmpty() || (task.role == options.role && task.index == options.index)) {
            ++candidates;
            if (!task.logFolder.isEmpty()) {
                sources.append({taskLabel(task), task.logFolder});
            }
        }
    }
    if (candidates == 0 && !options.role.isEmpty()) {
        errorLine(tr("The job has no task %1/%2.").arg(options.role).arg(options.index));
        return exitUnusable;
    }
    if (const int tries = triesOf(*tasks, options); options.tryNumber >= 0 && options.tryNumber >= tries) {
        errorLine(tries == 1 ? tr("The task %1/%2 has 1 try.").arg(options.role).arg(options.index)
                             : tr("The task %1/%2 has %3 tries.").arg(options.role).arg(options.index).arg(tries));
        return exitUnusable;
    }
    if (options.tryNumber >= 0) {
        const Result<QString> folder = folderOfTry(session, job.uuid, options);
        if (!folder) {
            return report(folder.error());
        }
        sources = {{options.role + u'-' + QString::number(options.index), *folder}};
    }
    options.style.labels = candidates > 1;
    if (options.runtime) {
        printRuntimeLogs(sources, options.style.labels);
        return exitOk;
    }
    const bool plain
        = !options.style.labels && !options.style.timestamps && options.style.streams.out && options.style.streams.err;
    const bool newest = options.attempt < 0 && options.tryNumber < 0;
    // A task that is over may run again, in another try or with the next attempt: only the job says that it is the end.
    if (options.follow && plain && sources.size() == 1 && (!newest || isFinal(job.state))) {
        return followRaw(sources.first().folder, options.style.tail);
    }
    if (options.follow && newest) {
        return followJob(session, job, *tasks, options);
    }
    printLogs(sources, options.style);
    return exitOk;
}

} // namespace

Command logsCommand()
{
    return {u"logs"_s, tr("Print what the tasks of a job wrote"),
        tr("logs JOB [ROLE/INDEX] [OPTIONS]\n\n"
           "Prints the output of one task as it is, or of all tasks merged by time, each line with the name of its "
           "task.\n\n"
           "  -f, --follow      go on until the job is over\n"
           "  --stdout          only what went to the standard output\n"
           "  --stderr          only what went to the standard error\n"
           "  --runtime         what was said about the preparation (prerequisites) instead of the output\n"
           "  -t, --timestamps  local time of each line\n"
           "  --tail N          only the last N lines of each task\n"
           "  --attempt N       of an earlier attempt of the job, counted from 1\n"
           "  --try N           of an earlier try of the task, counted from 1\n\n"
           "Examples:\n"
           "  trainyardctl logs 41\n"
           "  trainyardctl logs -f 41 worker/0\n"
           "  trainyardctl logs 41 --stderr --tail 20\n\n"
           "Exit status: 0 ok; 2 no such job or task, or wrong usage; 3 no engine; 130 interrupted."),
        run};
}

} // namespace trainyard::cli
