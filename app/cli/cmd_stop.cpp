// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/remotelogs.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/openpaijson.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>
#include <functional>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Connects and finds the jobs of the command line. When it does not return 0, the error was reported.
int prepareParsed(const QCommandLineParser &parser, const QString &command, Session &session, QList<JobSummary> &jobs)
{
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
        // The job was named twice, or by two of its names.
        if (std::none_of(jobs.cbegin(), jobs.cend(), [&](const JobSummary &each) { return each.uuid == job->uuid; })) {
            jobs.append(*job);
        }
    }
    return exitOk;
}

int prepare(QCommandLineParser &parser, const QString &command, const QStringList &arguments, Session &session,
    QList<JobSummary> &jobs)
{
    return parse(parser, command, arguments) ? prepareParsed(parser, command, session, jobs) : int(exitUnusable);
}

// Sends the same request for each job and returns the status of the last refusal. `no` is called for jobs where there
// was nothing to do.
using Request = std::function<Result<bool>(const JobSummary &job, const QString &progress)>;
int askForEach(const QList<JobSummary> &jobs, const QString &progress, const Request &request,
    const std::function<void(const JobSummary &)> &no = {})
{
    int status = exitOk;
    for (const JobSummary &job : jobs) {
        const Result<bool> done = request(job, progress);
        if (!done) {
            status = report(done.error());
        } else if (!*done && no) {
            no(job);
        }
    }
    return status;
}

// Waits until all have ended, and reports each.
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
        jobs, tr("Stopping ..."),
        [&](const JobSummary &job, const QString &what) { return session.call<api::Stop>({job.uuid}, what); },
        [](const JobSummary &job) {
            if (isFinal(job.state)) {
                errorLine(tr("%1 has already ended (%2).").arg(jobTitle(job), stateWord(job.state)));
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
        jobs, {},
        [&](const JobSummary &job, const QString &what) {
            return session.call<api::Pause>({job.uuid, on}, what);
        },
        [&](const JobSummary &job) {
            refused = refused || job.paused != on;
            if (isFinal(job.state)) {
                errorLine(tr("%1 has already ended (%2).").arg(jobTitle(job), stateWord(job.state)));
            } else if (job.paused == on) {
                errorLine((on ? tr("%1 is already paused.") : tr("%1 is not paused.")).arg(jobTitle(job)));
            } else {
                errorLine(tr("%1 is being stopped.").arg(jobTitle(job)));
            }
        });
    return status == exitOk && refused ? exitRefused : status;
}

int removeEach(Session &session, const QList<JobSummary> &jobs)
{
    return askForEach(jobs, tr("Removing ..."),
        [&](const JobSummary &job, const QString &what) { return session.call<api::Remove>({job.uuid}, what); });
}

constexpr int finishedPage = 1000;

// Finished jobs in one of these states (or all, when none is given) that ended before a time.
Result<QList<JobSummary>> finishedJobs(Session &session, const QStringList &states, qint64 endedBefore)
{
    QList<JobSummary> wanted;
    qint64 last = 0;
    for (;;) {
        const Result<QList<JobSummary>> jobs
            = session.call<api::ListJobs>({{}, last, finishedPage}, tr("Reading the jobs ..."));
        if (!jobs) {
            return jobs;
        }
        for (const JobSummary &job : *jobs) {
            last = job.id;
            const bool isState = states.isEmpty() || states.contains(stateWord(job.state).toLower());
            if (isFinal(job.state) && isState && job.completed.value_or(job.submitted) < endedBefore) {
                wanted.append(job);
            }
        }
        if (jobs->size() < finishedPage) {
            return wanted;
        }
    }
}

// It cannot be undone, so the user is asked, and a script passes --yes.
bool isSureToRemove(qsizetype count)
{
    const QString question = count == 1
        ? tr("Remove 1 job with its logs? This cannot be undone. [y/N] ")
        : tr("Remove %1 jobs with their logs? This cannot be undone. [y/N] ").arg(count);
    const std::optional<QString> answer = askOnTerminal(question, true);
    if (!answer) {
        errorLine(tr("There is no terminal to ask on. Use --yes to remove these jobs without a question."));
    }
    const QString word = answer.value_or(QString()).trimmed().toLower();
    return word == "y"_L1 || word == "yes"_L1;
}

int removeSelected(const QCommandLineParser &parser)
{
    static const QStringList known{u"succeeded"_s, u"failed"_s, u"stopped"_s};
    QStringList states;
    const QStringList words = parser.values(u"state"_s);
    for (const QString &word : words) {
        const QStringList parts = word.toLower().split(u',', Qt::SkipEmptyParts);
        for (const QString &state : parts) {
            if (!known.contains(state)) {
                return usageError(u"rm"_s,
                    tr("There is no state '%1' of finished jobs. The states are: %2.").arg(state, known.join(u", "_s))
                        + didYouMean(state, known));
            }
            states.append(state);
        }
    }
    qint64 before = std::numeric_limits<qint64>::max();
    if (parser.isSet(u"older-than"_s)) {
        const std::optional<qint64> seconds = durationOf(parser.value(u"older-than"_s));
        if (!seconds) {
            return usageError(u"rm"_s,
                tr("--older-than takes a time span (90s, 10m, 2h, 7d, 4w), not '%1'.")
                    .arg(parser.value(u"older-than"_s)));
        }
        before = QDateTime::currentMSecsSinceEpoch() - *seconds * 1000;
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<QList<JobSummary>> jobs = finishedJobs(session, states, before);
    if (!jobs) {
        return report(jobs.error());
    }
    if (jobs->isEmpty()) {
        errorLine(tr("No finished job matches."));
        return exitOk;
    }
    if (!parser.isSet(u"yes"_s) && !isSureToRemove(jobs->size())) {
        return exitRefused;
    }
    const int status = removeEach(session, *jobs);
    if (status == exitOk) {
        errorLine(jobs->size() == 1 ? tr("1 job removed.") : tr("%1 jobs removed.").arg(jobs->size()));
    }
    return status;
}

int removeJobs(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{u"state"_s, {}, u"state"_s}, {u"older-than"_s, {}, u"span"_s}, {{u"y"_s, u"yes"_s}, {}}});
    if (!parse(parser, u"rm"_s, arguments)) {
        return exitUnusable;
    }
    if (parser.isSet(u"state"_s) || parser.isSet(u"older-than"_s)) {
        return parser.positionalArguments().isEmpty()
            ? removeSelected(parser)
            : usageError(u"rm"_s, tr("Name the jobs, or select them with --state and --older-than."));
    }
    Session session;
    QList<JobSummary> jobs;
    if (const int status = prepareParsed(parser, u"rm"_s, session, jobs); status != exitOk) {
        return status;
    }
    return removeEach(session, jobs);
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
    int worst = exitOk; // of several jobs the greatest status, or that of the interruption
    const bool isJson = parser.isSet(u"json"_s);
    QJsonArray ended;
    for (const JobSummary &job : std::as_const(jobs)) {
        WatchOptions watch;
        watch.table = stdoutIsTerminal() && !isJson;
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            worst = end.status;
            break;
        }
        waitForLogs(session, end.job);
        if (isJson) {
            ended.append(openpai::toListEntry(end.job));
        } else {
            errorLine(endSentence(end.job));
        }
        worst = std::max(worst, end.status);
    }
    if (isJson && jobs.size() > 1) {
        outJson(QJsonDocument(ended));
    } else if (isJson && !ended.isEmpty()) {
        outJson(QJsonDocument(ended.first().toObject()));
    }
    return worst;
}

} // namespace

Command stopCommand()
{
    return {u"stop"_s, tr("Stop jobs"),
        tr("stop JOB... [--wait]\n\n"
           "Stops jobs: every process of their tasks gets the termination signal, and is killed if it still exists\n"
           "after the grace period (setting stop.graceSeconds, 30 seconds).\n\n"
           "  --wait  wait until the jobs have stopped\n\n"
           "Examples:\n"
           "  trainyardctl stop 41\n"
           "  trainyardctl stop resnet bert --wait\n\n"
           "Exit status: 0 requested, or the job has ended already; 2 no such job, or wrong usage; 3 no engine;\n"
           "130 interrupted."),
        runStop};
}

Command pauseCommand()
{
    return {u"pause"_s, tr("Pause jobs"),
        tr("pause JOB...\n\n"
           "Suspends every process of a running job; a waiting job is not started. The job keeps its memory, GPU "
           "memory\n"
           "included, its GPUs and its ports. Its time limit does not count while it is paused. A paused job stays\n"
           "paused when the engine is restarted, and can be stopped.\n\n"
           "Example:\n"
           "  trainyardctl pause 41\n\n"
           "Exit status: 0 ok, or already paused; 2 no such job, or wrong usage; 3 no engine; 4 the job has ended."),
        [](const QStringList &arguments) { return pauseOrResume(u"pause"_s, true, arguments); }};
}

Command resumeCommand()
{
    return {u"resume"_s, tr("Resume paused jobs"),
        tr("resume JOB...\n\n"
           "Continues paused jobs where they were suspended.\n\n"
           "Example:\n"
           "  trainyardctl resume 41\n\n"
           "Exit status: 0 ok, or not paused; 2 no such job, or wrong usage; 3 no engine."),
        [](const QStringList &arguments) { return pauseOrResume(u"resume"_s, false, arguments); }};
}

Command removeCommand()
{
    return {u"rm"_s, tr("Remove finished jobs with their logs"),
        tr("rm JOB...\n"
           "       trainyardctl rm [--state STATE] [--older-than SPAN] [--yes]\n\n"
           "Removes finished jobs from the list and deletes their folders: logs, records and files that the tasks "
           "left\n"
           "there. This cannot be undone.\n\n"
           "  --state STATE      remove all jobs in this state: succeeded, failed or stopped; may be repeated\n"
           "  --older-than SPAN  remove all jobs that ended longer ago than this: 90s, 10m, 2h, 7d or 4w\n"
           "  -y, --yes          do not ask before removing the selected jobs\n\n"
           "Examples:\n"
           "  trainyardctl rm 40\n"
           "  trainyardctl rm --state failed --older-than 7d\n\n"
           "Exit status: 0 ok; 2 no such job, or wrong usage; 3 no engine; 4 the job is still active, or you said no."),
        removeJobs};
}

Command waitCommand()
{
    return {u"wait"_s, tr("Wait until jobs have ended"),
        tr("wait JOB... [--json]\n\n"
           "Waits until the jobs have ended and their logs are here. Ctrl+C ends only this command; the jobs keep\n"
           "running. A log that does not arrive, for example because its host cannot be reached, is named on stderr\n"
           "after a while.\n\n"
           "  --json  print how the job ended, in the form of 'ps --json'; for several jobs one array\n\n"
           "Example:\n"
           "  trainyardctl wait 41 && trainyardctl logs 41\n\n"
           "Exit status:\n"
           "  0    all of them SUCCEEDED\n"
           "  2    no such job, or wrong usage\n"
           "  3    no engine\n"
           "  130  STOPPED, or interrupted with Ctrl+C\n"
           "A FAILED job gives the status of its command, or its own code, if that is 1 to 125, otherwise 1.\n"
           "For several jobs the greatest status counts."),
        runWait};
}

} // namespace trainyard::cli
