// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/remotelogs.h"
#include "app/cli/removals.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/taskshell.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/openpaijson.h"
#include "engine/api/reasons.h"
#include "widgets/text/texts.h"

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

struct JobsValues {
    QStringList words;
    bool wait = false, json = false, now = false, giveUp = false;
};

// Decides which jobs of a group may have something to do; a job that is named itself gets an answer of its own.
using IsWanted = std::function<bool(const JobSummary &job)>;
void leaveOut(const QStringList &words, QList<JobSummary> &jobs, const IsWanted &wanted)
{
    if (std::all_of(words.cbegin(), words.cend(), isGroupWord)) {
        jobs.removeIf([&](const JobSummary &job) { return !wanted(job); });
    }
}

// Whether a word names a task, which cannot be stopped or paused by itself; then that is said.
bool namesTask(const QStringList &words)
{
    const auto task = std::find_if(words.cbegin(), words.cend(), [](const QString &word) {
        return !isGroupWord(word) && !word.startsWith("name:"_L1) && taskWord(word).has_value();
    });
    if (task == words.cend()) {
        return false;
    }
    errorLine(tr("%1 names a task, and only a whole job can be stopped, paused or resumed: the rules by which it ends "
                 "count all of its tasks. Name the job alone.")
                  .arg(*task));
    return true;
}

// Sends the same request for each job and returns the status of the last refusal. `yes` is called for each job where it
// had an effect, `no` where there was nothing to do.
using Request = std::function<Result<bool>(const JobSummary &job, const QString &progress)>;
using Said = std::function<void(const JobSummary &job)>;
int askForEach(const QList<JobSummary> &jobs, const QString &progress, const Request &request, const Said &yes = {},
    const Said &no = {})
{
    int status = exitOk;
    for (const JobSummary &job : jobs) {
        const Result<bool> done = request(job, progress);
        if (!done) {
            status = report(done.error());
        } else if (const Said &said = *done ? yes : no) {
            said(job);
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
        watch.number = job.id;
        watch.table = canDraw();
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            return end.status;
        }
        errorLine(endSentence(end.job));
    }
    return exitOk;
}

// A host that cannot be reached learns of it later, and its tasks run on until then. This computer is none: the engine
// has just begun there.
void sayWhoIsAway(Session &session, const QList<JobSummary> &jobs)
{
    const QList<HostInfo> hosts = session.client().hosts();
    for (const JobSummary &job : jobs) {
        for (const HostInfo &host : hosts) {
            if (isFinal(job.state) || !job.hosts.contains(host.id) || host.state == HostState::Online) {
                continue;
            }
            if (host.target.isEmpty()) {
                errorLine(tr("The engine is looking for the tasks of %1 on this computer, and then stops them.")
                              .arg(jobTitle(job)));
            } else {
                errorLine(tr("%1 cannot be reached now: the tasks of %2 there are stopped when it can be.")
                              .arg(host.id, jobTitle(job)));
            }
        }
    }
}

// Ends here what waits for a place that does not answer, and says what may still run there.
int giveUpEach(Session &session, const QList<JobSummary> &jobs)
{
    bool isRefused = false;
    const int status = askForEach(jobs, tr("Giving up ..."), [&](const JobSummary &job, const QString &what) {
        const Result<bool> done = session.call<api::Stop>({job.uuid, false, true}, what);
        if (!done) {
            return done;
        }
        const Result<JobSummary> now = session.call<api::FindJob>({job.uuid}, what);
        if (!now) {
            return Result<bool>(tl::unexpected<Error>(now.error()));
        }
        const QString title = jobTitle(job);
        if (*done) {
            errorLine(tr("%1 was given up.").arg(title) + u' ' + reasonText(now->reason, now->reasonArgs));
        } else if (isFinal(now->state)) {
            errorLine(tr("%1 has ended (%2).").arg(title, stateWord(now->state)));
        } else {
            isRefused = true;
            errorLine(tr("%1 is being stopped, without waiting for anything that does not answer.").arg(title));
        }
        return done;
    });
    return status == exitOk && isRefused ? int(exitRefused) : status;
}

QString stopSentence(const JobSummary &job)
{
    if (job.state != State::Waiting || job.target.contains(u':')) { // a cluster may have one that waits
        return tr("%1 is being stopped.");
    }
    return job.retries > 0 || job.reason == reason::WaitRetry::code ? tr("%1 is stopped before its next attempt.")
                                                                    : tr("%1 is stopped before its start.");
}

int runStop(const JobsValues &values)
{
    if (namesTask(values.words)) {
        return exitUnusable;
    }
    Session session;
    QList<JobSummary> jobs;
    if (const int status = session.connectForActive(values.words, jobs); status != exitOk) {
        return status;
    }
    // Those that wait go first: none of them is started in the place of one that ends.
    leaveOut(values.words, jobs, [](const JobSummary &job) { return !isFinal(job.state); });
    std::stable_partition(jobs.begin(), jobs.end(), [](const JobSummary &job) { return job.state == State::Waiting; });
    if (values.giveUp) {
        const int status = giveUpEach(session, jobs);
        jobs.removeIf([](const JobSummary &job) { return isFinal(job.state); }); // all is said of them
        return status == exitOk && values.wait ? waitForEach(session, jobs) : status;
    }
    const int status = askForEach(
        jobs, tr("Stopping ..."),
        [&](const JobSummary &job, const QString &what) {
            return session.call<api::Stop>({job.uuid, values.now}, what);
        },
        [&](const JobSummary &job) {
            if (!values.wait) { // which tells how they ended
                errorLine(stopSentence(job).arg(jobTitle(job)));
            }
        },
        [](const JobSummary &job) {
            if (isFinal(job.state)) {
                errorLine(tr("%1 has already ended (%2).").arg(jobTitle(job), stateWord(job.state)));
            }
        });
    sayWhoIsAway(session, jobs);
    jobs.removeIf([](const JobSummary &job) { return isFinal(job.state); }); // all is said of them
    return status == exitOk && values.wait ? waitForEach(session, jobs) : status;
}

int pauseOrResume(const JobsValues &values, bool on)
{
    if (namesTask(values.words)) {
        return exitUnusable;
    }
    Session session;
    QList<JobSummary> jobs;
    if (const int status = session.connectForActive(values.words, jobs); status != exitOk) {
        return status;
    }
    leaveOut(values.words, jobs, [on](const JobSummary &job) { return !isFinal(job.state) && job.paused != on; });
    bool refused = false;
    const int status = askForEach(
        jobs, {},
        [&](const JobSummary &job, const QString &what) {
            return session.call<api::Pause>({job.uuid, on}, what);
        },
        [on](const JobSummary &job) { errorLine((on ? tr("%1 is paused.") : tr("%1 continues.")).arg(jobTitle(job))); },
        [&](const JobSummary &job) {
            refused = refused || isFinal(job.state) || job.paused != on;
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

struct RmValues {
    QStringList words, states;
    std::optional<qint64> olderThan; // seconds
    bool yes = false, starred = false;
};
const CommandLine<RmValues> &rmLine();

const QStringList &finishedStates()
{
    static const QStringList words{u"succeeded"_s, u"failed"_s, u"stopped"_s};
    return words;
}

// Asks where `asks` is set, and removes what is wanted.
int removeWanted(Session &session, const RmValues &values, const Removals &wanted, bool asks, bool saysCount)
{
    const QString starred = rmLine().name(&RmValues::starred);
    if (wanted.jobs.isEmpty()) {
        errorLine(tr("No finished job matches."));
        sayKept(wanted.kept, starred);
        return exitOk;
    }
    if (asks && !values.yes && !isSureToRemove(wanted.jobs, rmLine().name(&RmValues::yes))) {
        return exitRefused;
    }
    const int status = removeEach(session, wanted.jobs);
    if (status == exitOk && saysCount) {
        errorLine(removedText(wanted.jobs));
    }
    sayKept(wanted.kept, starred);
    return status;
}

int removeSelected(const RmValues &values)
{
    const QStringList &known = finishedStates();
    QStringList states;
    for (const QString &word : values.states) {
        const QStringList parts = word.toLower().split(u',', Qt::SkipEmptyParts);
        for (const QString &state : parts) {
            if (!known.contains(state)) {
                return rmLine().wrongUsage(
                    tr("There is no state '%1' of finished jobs. The states are: %2.").arg(state, known.join(u", "_s))
                    + didYouMean(state, known));
            }
            states.append(state);
        }
    }
    const qint64 before = values.olderThan ? QDateTime::currentMSecsSinceEpoch() - *values.olderThan * 1000
                                           : std::numeric_limits<qint64>::max();
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<Removals> wanted = removalsByState(session, states, before, values.starred);
    return wanted ? removeWanted(session, values, *wanted, true, true) : report(wanted.error());
}

int removeJobs(const RmValues &values)
{
    if (!values.states.isEmpty() || values.olderThan) {
        return values.words.isEmpty()
            ? removeSelected(values)
            : rmLine().wrongUsage(tr("Name the jobs, or select them with %1 and %2.")
                                      .arg(rmLine().name(&RmValues::states), rmLine().name(&RmValues::olderThan)));
    }
    if (values.words.isEmpty()) {
        return rmLine().wrongUsage(whichJob());
    }
    for (const QString &word : values.words) {
        if (const QString state = word.section(u':', 1).toLower();
            word.startsWith("state:"_L1) && finishedStates().contains(state)) { // as 'ps' takes it
            return rmLine().wrongUsage(tr("'%1' names no job. All jobs in this state are removed with %2 %3.")
                                           .arg(word, rmLine().name(&RmValues::states), state));
        }
    }
    Session session;
    QList<JobSummary> jobs;
    if (const int status = session.connectFor(values.words, jobs); status != exitOk) {
        return status;
    }
    leaveOut(values.words, jobs, [](const JobSummary &job) { return isFinal(job.state); });
    const bool isGroup = std::any_of(values.words.cbegin(), values.words.cend(), isGroupWord);
    const Result<Removals> wanted = removalsOf(session, jobs, values.words, values.starred);
    return wanted ? removeWanted(session, values, *wanted, isGroup, isGroup) : report(wanted.error());
}

int waitForGroups(Session &session, const JobsValues &values, QList<JobSummary> &jobs)
{
    const int status = waitForJobs(session, jobs, values.words.join(u' '), values.json);
    if (values.json) {
        QJsonArray ended;
        for (const JobSummary &job : std::as_const(jobs)) {
            ended.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(ended));
    }
    return status;
}

int runWait(const JobsValues &values)
{
    Session session;
    QList<JobSummary> jobs;
    if (const int status = session.connectFor(values.words, jobs); status != exitOk) {
        return status;
    }
    if (std::any_of(values.words.cbegin(), values.words.cend(), isGroupWord)) {
        return waitForGroups(session, values, jobs);
    }
    int worst = exitOk; // of several jobs the greatest status, or that of the interruption
    const bool isJson = values.json;
    QJsonArray ended;
    for (const JobSummary &job : std::as_const(jobs)) {
        WatchOptions watch;
        watch.table = canDraw() && !isJson;
        watch.number = job.id;
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

const CommandLine<RmValues> &rmLine()
{
    static const CommandLine<RmValues> line
        = CommandLine<RmValues>(u"rm"_s, tr("Remove finished jobs with their logs"))
              .runs(removeJobs, {u"[JOB...]"_s, 0, anyNumber, Word::EndedJob, {}})
              .text(tr(
                  "Removes finished jobs from the list, those that are named, those of a group (group:NAME), or those "
                  "that the options select, and deletes their folders: logs, records and files that the tasks left "
                  "there. This cannot be "
                  "undone. A job with a star is removed only when it is named itself, or with --starred; archived jobs "
                  "are removed as others are."))
              .option(u"--state STATE"_s, &RmValues::states,
                  tr("remove all jobs in this state: succeeded, failed or stopped; may be repeated"))
              .values(finishedStates())
              .option(u"--older-than SPAN"_s, &RmValues::olderThan,
                  tr("remove all jobs that ended longer ago than this: 90s, 10m, 2h, 7d or 4w"), timeSpan())
              .option(u"--starred"_s, &RmValues::starred, tr("remove selected jobs that have a star, too"))
              .option(u"-y, --yes"_s, &RmValues::yes, tr("do not ask before removing the selected jobs"))
              .examples({u"trainyardctl rm 40"_s, u"trainyardctl rm --state failed --older-than 7d"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("the job is still active, or you answered no")}});
    return line;
}

Operands jobOperands() { return {u"JOB..."_s, 1, anyNumber, Word::ActiveJob, whichJob()}; }
QString groupNote() { return tr("A JOB may also be group:NAME: all jobs of a group (see 'sweep')."); }
QString activeNote()
{
    return groupNote() + u' '
        + tr(
            "A name means the active job that has it, also where a newer one has ended; where several active jobs have "
            "it, give the number.");
}

} // namespace

Command stopCommand()
{
    static const CommandLine<JobsValues> line
        = CommandLine<JobsValues>(u"stop"_s, tr("Stop jobs"))
              .runs(runStop, jobOperands())
              .text(tr("Stops jobs: every process of their tasks gets the termination signal, and is killed if it "
                       "still exists after the grace period (setting stop.graceSeconds, 30 seconds). With --now there "
                       "is no grace period, also for a job that is being stopped already. If a cluster or a host does "
                       "not answer, what it runs of a job is stopped when it answers again; with --give-up, the job "
                       "ends here at once, and the command says how to look for what may still run there."))
              .more(activeNote())
              .option(u"--now"_s, &JobsValues::now, tr("kill their processes at once"))
              .option(u"--give-up"_s, &JobsValues::giveUp,
                  tr("if a cluster or a host does not answer, end them here without knowing what becomes of them"))
              .option(u"--wait"_s, &JobsValues::wait, tr("wait until the jobs have stopped"))
              .exclusive(&JobsValues::now, &JobsValues::giveUp)
              .examples({u"trainyardctl stop 41"_s, u"trainyardctl stop resnet bert --wait"_s,
                  u"trainyardctl stop --now 41"_s})
              .exits({{exitOk, tr("requested, or the job has ended already")},
                  {exitUnusable, tr("no such job, or wrong usage")}, {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("with --give-up: the job waits for nothing that does not answer")},
                  {exitInterrupted, tr("interrupted")}});
    return line.command();
}

Command pauseCommand()
{
    static const CommandLine<JobsValues> line
        = CommandLine<JobsValues>(u"pause"_s, tr("Pause jobs"))
              .runs([](const JobsValues &values) { return pauseOrResume(values, true); }, jobOperands())
              .text(tr("Suspends every process of a running job; a waiting job is not started. The job keeps its "
                       "memory, GPU memory included, its GPUs and its ports. Its time limit does not count while it "
                       "is paused. A paused job stays paused when the engine is restarted, and can be stopped."))
              .more(activeNote())
              .examples({u"trainyardctl pause 41"_s})
              .exits({{exitOk, tr("ok, or already paused")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("the job has ended, or is being stopped")}});
    return line.command();
}

Command resumeCommand()
{
    static const CommandLine<JobsValues> line
        = CommandLine<JobsValues>(u"resume"_s, tr("Resume paused jobs"))
              .runs([](const JobsValues &values) { return pauseOrResume(values, false); }, jobOperands())
              .text(tr("Continues paused jobs where they were suspended."))
              .more(activeNote())
              .examples({u"trainyardctl resume 41"_s})
              .exits({{exitOk, tr("ok, or not paused")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("the job has ended, or is being stopped")}});
    return line.command();
}

Command removeCommand() { return rmLine().command(); }

Command waitCommand()
{
    static const CommandLine<JobsValues> line
        = CommandLine<JobsValues>(u"wait"_s, tr("Wait until jobs have ended"))
              .runs(runWait, jobOperands())
              .text(tr("Waits until the jobs have ended and their logs are here. Ctrl+C ends only this command; the "
                       "jobs keep running. A log that does not arrive, for example because its host cannot be reached, "
                       "is named on stderr after a while."))
              .more(groupNote())
              .option(u"--json"_s, &JobsValues::json,
                  tr("print how the job ended, in the form of 'ps --json'; for several jobs one array"))
              .examples({u"trainyardctl wait 41 && trainyardctl logs 41"_s})
              .exits({{exitOk, tr("all of them SUCCEEDED, or, in a group, were stopped as the worse ones")},
                         {exitUnusable, tr("no such job, or wrong usage")}, {exitNoEngine, tr("no engine")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote() + u' ' + tr("For several jobs the greatest status counts."));
    return line.command();
}

} // namespace trainyard::cli
