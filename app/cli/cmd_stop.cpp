// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/jobcommands.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/taskshell.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/openpaijson.h"
#include "engine/api/reasons.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct JobsValues {
    QStringList words;
    bool wait = false, now = false, giveUp = false, json = false;
};

// Whether a word names a task, which cannot be stopped or paused by itself; then that is said.
bool refusesTask(const QStringList &words)
{
    const auto task = std::find_if(words.cbegin(), words.cend(), [](const QString &word) {
        return !hasConditions(word) && !word.startsWith("name:"_L1) && taskWord(word).has_value();
    });
    if (task == words.cend()) {
        return false;
    }
    errorLine(tr("%1 names a task, and only a whole job can be stopped, paused or resumed: the rules by which it ends "
                 "count all of its tasks. Name the job alone.")
                  .arg(*task));
    return true;
}

// Waits until all have ended, and reports each.
int waitForEach(Session &session, const QList<JobSummary> &jobs, ActedJobs &acted)
{
    for (const JobSummary &job : jobs) {
        WatchOptions watch;
        watch.isBeingStopped = true;
        watch.number = job.id;
        watch.table = canDraw() && !acted.isJson();
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            return end.status;
        }
        acted.add(job, {{u"ended"_s, openpai::toListEntry(end.job)}});
        if (!acted.isJson()) {
            errorLine(endSentence(end.job));
        }
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
                errorLine(tr("%1 cannot be reached now: tasks of %2 that run there are stopped when it can be.")
                              .arg(host.id, jobTitle(job)));
            }
        }
    }
}

// Ends here what waits for a place that does not answer, and says what may still run there.
int giveUpEach(Session &session, const QList<JobSummary> &jobs, ActedJobs &acted, qsizetype &changed)
{
    bool isRefused = false;
    const int status = askForEach(jobs, tr("Giving up ..."), acted, [&](const JobSummary &job, const QString &what) {
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
            ++changed;
            errorLine(tr("%1 was given up.").arg(title) + u' ' + reasonText(now->reason, now->reasonArgs));
        } else if (isFinal(now->state)) {
            errorLine(tr("%1 has ended (%2).").arg(title, stateWord(now->state)));
        } else {
            isRefused = true;
            acted.refuse(job, tr("%1 is being stopped, without waiting for anything that does not answer.").arg(title));
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
    if (refusesTask(values.words)) {
        return exitUnusable;
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChangeActive(values.words, meant); status != exitOk) {
        return status;
    }
    leaveOut(meant, [](const JobSummary &job) { return !isFinal(job.state); });
    ActedJobs acted(values.json);
    if (meant.jobs.isEmpty()) {
        errorLine(tr("None of these jobs is active."));
        return acted.print(exitOk);
    }
    sayBefore(meant, values.giveUp ? tr("Giving up %1 jobs: %2.") : tr("Stopping %1 jobs: %2."));
    // Those that wait go first: none of them is started in the place of one that ends.
    QList<JobSummary> &jobs = meant.jobs;
    std::stable_partition(jobs.begin(), jobs.end(), [](const JobSummary &job) { return job.state == State::Waiting; });
    qsizetype changed = 0;
    const qsizetype all = jobs.size();
    if (values.giveUp) {
        const int status = giveUpEach(session, jobs, acted, changed);
        sayHowMany(meant, changed, all);
        jobs.removeIf([](const JobSummary &job) { return isFinal(job.state); }); // all is said of them
        return acted.print(status == exitOk && values.wait ? waitForEach(session, jobs, acted) : status);
    }
    const int status = askForEach(
        jobs, tr("Stopping ..."), acted,
        [&](const JobSummary &job, const QString &what) {
            return session.call<api::Stop>({job.uuid, values.now}, what);
        },
        [&](const JobSummary &job) {
            ++changed;
            if (!values.wait && !values.json) { // which tell how they ended
                errorLine(stopSentence(job).arg(jobTitle(job)));
            }
        },
        [](const JobSummary &job) {
            if (isFinal(job.state)) {
                errorLine(tr("%1 has already ended (%2).").arg(jobTitle(job), stateWord(job.state)));
            }
        });
    sayHowMany(meant, changed, all);
    sayWhoIsAway(session, jobs);
    jobs.removeIf([](const JobSummary &job) { return isFinal(job.state); }); // all is said of them
    return acted.print(status == exitOk && values.wait ? waitForEach(session, jobs, acted) : status);
}

bool isStoppedJob(const JobSummary &job) { return job.state == State::Stopped; }

int pauseOrResume(const JobsValues &values, bool on)
{
    if (refusesTask(values.words)) {
        return exitUnusable;
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChangeActive(values.words, meant); status != exitOk) {
        return status;
    }
    const bool anyStopped = std::any_of(meant.jobs.cbegin(), meant.jobs.cend(), isStoppedJob);
    leaveOut(meant, [on](const JobSummary &job) { return !isFinal(job.state) && job.paused != on; });
    ActedJobs acted(values.json);
    if (meant.jobs.isEmpty()) {
        errorLine(on         ? tr("None of these jobs can be paused.")
                : anyStopped ? tr("None of these jobs is paused. 'trainyardctl retry %1' runs those again that were "
                                  "stopped.")
                                   .arg(shellWords(values.words))
                             : tr("None of these jobs is paused."));
        return acted.print(exitOk);
    }
    bool refused = false;
    qsizetype changed = 0;
    const int status = askForEach(
        meant.jobs, {}, acted,
        [&](const JobSummary &job, const QString &what) {
            return session.call<api::Pause>({job.uuid, on}, what);
        },
        [&](const JobSummary &job) {
            ++changed;
            if (!values.json) {
                errorLine((on ? tr("%1 is paused.") : tr("%1 continues.")).arg(jobTitle(job)));
            }
        },
        [&](const JobSummary &job) {
            refused = refused || isFinal(job.state) || job.paused != on;
            if (!on && isStoppedJob(job)) {
                acted.refuse(job,
                    tr("%1 was stopped, and is not paused. 'trainyardctl retry %2' runs it again.")
                        .arg(jobTitle(job), QString::number(job.id)));
            } else if (isFinal(job.state)) {
                acted.refuse(job, tr("%1 has already ended (%2).").arg(jobTitle(job), stateWord(job.state)));
            } else if (job.paused == on) {
                errorLine((on ? tr("%1 is already paused.") : tr("%1 is not paused.")).arg(jobTitle(job)));
            } else {
                acted.refuse(job, tr("%1 is being stopped.").arg(jobTitle(job)));
            }
        });
    sayHowMany(meant, changed, meant.jobs.size());
    return acted.print(status == exitOk && refused ? int(exitRefused) : status);
}

Operands jobOperands() { return {u"JOB..."_s, 1, anyNumber, Word::ActiveJob, whichJob()}; }
QString activeNote()
{
    return severalNote() + u' '
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
                       "ends here at once, and the command says how to look for what may still run there. On a host "
                       "it is stopped when the host answers again."))
              .more(activeNote())
              .option(u"--now"_s, &JobsValues::now, tr("kill their processes at once"))
              .option(u"--give-up"_s, &JobsValues::giveUp,
                  tr("if a cluster or a host does not answer, end them here without knowing what becomes of them"))
              .option(u"--wait"_s, &JobsValues::wait, tr("wait until the jobs have stopped"))
              .option(
                  actedJsonOption(tr("with --wait also ended (the job in the form of 'ps --json')")), &JobsValues::json)
              .exclusive(&JobsValues::now, &JobsValues::giveUp)
              .examples({u"trainyardctl stop 41"_s, u"trainyardctl stop resnet bert --wait"_s,
                  u"trainyardctl stop --now 41"_s})
              .exits({{exitOk, tr("requested, or the job has ended already")},
                  {exitUnusable, tr("no such job, or wrong usage")}, {exitNoEngine, tr("no engine")},
                  {exitRefused,
                      tr("the request cannot be stored; with --give-up: the job waits for nothing that does not "
                         "answer")},
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
              .option(actedJsonOption(), &JobsValues::json)
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
              .option(actedJsonOption(), &JobsValues::json)
              .examples({u"trainyardctl resume 41"_s})
              .exits({{exitOk, tr("ok, or not paused")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("the job has ended, or is being stopped")}});
    return line.command();
}

} // namespace trainyard::cli
