// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

// Reads the command line, connects and finds the jobs. Not 0: it has been said.
int prepare(QCommandLineParser &parser, const QString &command, const QStringList &arguments, Session &session,
    QList<JobSummary> &jobs)
{
    if (!parse(parser, command, arguments)) {
        return exitUnusable;
    }
    const QStringList words = parser.positionalArguments();
    if (words.isEmpty()) {
        return usageError(command, tr("Which job? Give its number, the beginning of its UUID, or its name."));
    }
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    for (const QString &word : words) {
        const Result<JobSummary> job = session.findJob(word);
        if (!job) {
            return report(job.error());
        }
        // Named twice, or by two of its names.
        if (std::none_of(jobs.cbegin(), jobs.cend(), [&](const JobSummary &each) { return each.uuid == job->uuid; })) {
            jobs.append(*job);
        }
    }
    return exitOk;
}

// The same request for each job; the last refusal's status. `no` is told of those where there was nothing to do.
using Request = std::function<void(const JobSummary &job, const EngineClient::Reply<bool> &reply)>;
int askForEach(Session &session, const QList<JobSummary> &jobs, const QString &progress, const Request &request,
    const std::function<void(const JobSummary &)> &no = {})
{
    int status = exitOk;
    for (const JobSummary &job : jobs) {
        const Result<bool> done = session.ask<bool>([&](auto reply) { request(job, reply); }, progress);
        if (!done) {
            status = report(done.error());
        } else if (!*done && no) {
            no(job);
        }
    }
    return status;
}

// Until all are over, each with its sentence.
int waitForEach(Session &session, const QList<JobSummary> &jobs)
{
    for (const JobSummary &job : jobs) {
        WatchOptions watch;
        watch.isBeingStopped = true;
        watch.table = stdoutIsTerminal();
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            return end.status;
        }
        errorLine(endSentence(end.job));
    }
    return exitOk;
}

int runStop(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({u"wait"_s, {}});
    Session session;
    QList<JobSummary> jobs;
    if (const int status = prepare(parser, u"stop"_s, arguments, session, jobs); status != exitOk) {
        return status;
    }
    const int status = askForEach(
        session, jobs, tr("Stopping ..."),
        [&](const JobSummary &job, const auto &reply) { session.client().stop(job.uuid, session.context(), reply); },
        [](const JobSummary &job) {
            if (isFinal(job.state)) {
                errorLine(tr("%1 is over already (%2).").arg(jobTitle(job), stateWord(job.state)));
            }
        });
    return status == exitOk && parser.isSet(u"wait"_s) ? waitForEach(session, jobs) : status;
}

int pauseOrResume(const QString &command, bool on, const QStringList &arguments)
{
    QCommandLineParser parser;
    Session session;
    QList<JobSummary> jobs;
    if (const int status = prepare(parser, command, arguments, session, jobs); status != exitOk) {
        return status;
    }
    bool refused = false;
    const int status = askForEach(
        session, jobs, {},
        [&](const JobSummary &job, const auto &reply) {
            session.client().pause(job.uuid, on, session.context(), reply);
        },
        [&](const JobSummary &job) {
            refused = refused || job.paused != on;
            if (isFinal(job.state)) {
                errorLine(tr("%1 is over already (%2).").arg(jobTitle(job), stateWord(job.state)));
            } else if (job.paused == on) {
                errorLine((on ? tr("%1 is paused already.") : tr("%1 is not paused.")).arg(jobTitle(job)));
            } else {
                errorLine(tr("%1 is being ended.").arg(jobTitle(job)));
            }
        });
    return status == exitOk && refused ? exitRefused : status;
}

int runRemove(const QStringList &arguments)
{
    QCommandLineParser parser;
    Session session;
    QList<JobSummary> jobs;
    if (const int status = prepare(parser, u"rm"_s, arguments, session, jobs); status != exitOk) {
        return status;
    }
    return askForEach(session, jobs, tr("Removing ..."),
        [&](const JobSummary &job, const auto &reply) { session.client().remove(job.uuid, session.context(), reply); });
}

int runWait(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOption({u"json"_s, {}});
    Session session;
    QList<JobSummary> jobs;
    if (const int status = prepare(parser, u"wait"_s, arguments, session, jobs); status != exitOk) {
        return status;
    }
    int worst = exitOk;
    for (const JobSummary &job : std::as_const(jobs)) {
        WatchOptions watch;
        watch.table = stdoutIsTerminal() && !parser.isSet(u"json"_s);
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            return end.status;
        }
        if (parser.isSet(u"json"_s)) {
            outJson(QJsonDocument(openpai::toListEntry(end.job)));
        } else {
            errorLine(endSentence(end.job));
        }
        worst = std::max(worst, end.status);
    }
    return worst;
}

} // namespace

Command stopCommand()
{
    return {u"stop"_s, tr("Stop jobs"),
        tr("stop JOB... [--wait]\n\n"
           "Stops jobs: every process of their tasks gets the termination signal and, if it is still there after the\n"
           "grace time (setting stop.graceSeconds, 30), is killed.\n\n"
           "  --wait  until they have stopped\n\n"
           "Examples:\n"
           "  trainyardctl stop 41\n"
           "  trainyardctl stop resnet bert --wait\n\n"
           "Exit status: 0 asked for, or over already; 2 no such job, or wrong usage; 3 no engine; 130 interrupted."),
        runStop};
}

Command pauseCommand()
{
    return {u"pause"_s, tr("Halt jobs where they are"),
        tr("pause JOB...\n\n"
           "Stops every process of a running job where it is; a job that waits is not started. Memory stays taken, "
           "GPU\n"
           "memory included, and so do GPUs and ports. The time limit of the job does not run meanwhile. A paused job\n"
           "stays so when the engine is started again, and can be stopped.\n\n"
           "Example:\n"
           "  trainyardctl pause 41\n\n"
           "Exit status: 0 ok, or paused already; 2 no such job, or wrong usage; 3 no engine; 4 the job is over."),
        [](const QStringList &arguments) { return pauseOrResume(u"pause"_s, true, arguments); }};
}

Command resumeCommand()
{
    return {u"resume"_s, tr("Let paused jobs go on"),
        tr("resume JOB...\n\n"
           "Lets paused jobs go on where they were halted.\n\n"
           "Example:\n"
           "  trainyardctl resume 41\n\n"
           "Exit status: 0 ok, or not paused; 2 no such job, or wrong usage; 3 no engine."),
        [](const QStringList &arguments) { return pauseOrResume(u"resume"_s, false, arguments); }};
}

Command removeCommand()
{
    return {u"rm"_s, tr("Forget jobs that are over, with their logs"),
        tr("rm JOB...\n\n"
           "Removes jobs that are over from the list and deletes their folders: logs, records and what the tasks left\n"
           "there. There is no way back.\n\n"
           "Example:\n"
           "  trainyardctl rm 40\n\n"
           "Exit status: 0 ok; 2 no such job, or wrong usage; 3 no engine; 4 the job is not over."),
        runRemove};
}

Command waitCommand()
{
    return {u"wait"_s, tr("Wait for the end of jobs"),
        tr("wait JOB... [--json]\n\n"
           "Waits until the jobs are over. Ctrl+C lets go; the jobs go on.\n\n"
           "  --json  print how each ended, in the form of 'ps --json'\n\n"
           "Example:\n"
           "  trainyardctl wait 41 && trainyardctl logs 41\n\n"
           "Exit status:\n"
           "  0    all of them SUCCEEDED\n"
           "  2    no such job, or wrong usage\n"
           "  3    no engine\n"
           "  130  STOPPED, or after Ctrl+C\n"
           "A FAILED job gives the status of its command, or its own code, if that is 1 to 125, otherwise 1.\n"
           "Of several jobs the greatest counts."),
        runWait};
}

} // namespace trainyard::cli
