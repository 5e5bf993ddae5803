// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/sweepread.h"
#include "app/cli/sweepsubmit.h"
#include "engine/api/clusters.h"
#include "engine/api/formermetrics.h"
#include "engine/api/hostlimits.h"
#include "engine/api/openpaijson.h"
#include "engine/api/reasons.h"
#include "engine/api/sweeproom.h"
#include "widgets/text/demandtexts.h"

#include <QJsonArray>
#include <QThread>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// A group of its own, where the user has not named one.
int chooseGroup(Session &session, Sweep &sweep)
{
    const QString base = sweep.group;
    for (int number = 2;; ++number) {
        const Result<QList<JobSummary>> known = session.call<api::ListJobs>({u"group:"_s + sweep.group, 0, 1});
        if (!known) {
            return report(known.error());
        }
        if (known->isEmpty()) {
            return exitOk;
        }
        sweep.group = base + u'-' + QString::number(number);
    }
}

// Without a limit from the user, no more jobs than there is room for start at the same time: without GPUs,
// nothing else would hold them back. Where no host has said what it has, the cores of this computer count. A cluster
// has a queue that holds them back.
void chooseLimit(const SweepRoom &room, const QString &target, Sweep &sweep)
{
    sweep.limit = room.jobs;
    if (sweep.limit == 0 && sweep.demand.gpus == 0 && !clusterPlaceOf(target)) {
        sweep.limit = int(std::max<qint64>(1, QThread::idealThreadCount() / std::max<qint64>(1, sweep.demand.cpus)));
    }
}

// Counts the hosts of an engine that runs already.
SweepRoom roomOf(Session &session, const SubmitRequest &request, const Sweep &sweep)
{
    const Result<QJsonObject> settings = session.call<api::GetSettings>({});
    return sweepRoom(sweep.job, session.client().hosts(),
        {request.target, worksHere(sweep.job, request.work, request.file),
            memoryReserveOf(settings.value_or(QJsonObject()))});
}

// Hosts that stay idle because the user has not said that the jobs may go there.
void sayUnused(const SweepRoom &room)
{
    if (!room.unused.isEmpty()) {
        errorLine(tr("All of them run on this computer, where their work folder is. With %1 any they also run on %2, "
                     "each with a copy of the folder.")
                      .arg(sweepLine().name(&SweepValues::on), room.unused.join(tr(" and "))));
    }
}

// A rule about a metric that never comes stops nothing.
void sayUnknownMetric(Session &session, const SubmitRequest &request, const Sweep &sweep)
{
    const QStringList known = metricsOfRuns(session.client().jobs(), request.file, sweep.job.name);
    if (const QString text = unknownMetricText(sweep, known); !text.isEmpty()) {
        errorLine(text);
    }
}

// The jobs that a user ran again after the rule had stopped them: only their attempts show this.
QSet<QString> wantedAgain(Session &session, const QList<JobSummary> &jobs)
{
    QSet<QString> wanted;
    for (const JobSummary &job : jobs) {
        const auto attempts = job.retries > 0 ? session.call<api::ListAttempts>({job.uuid}) : QList<AttemptInfo>();
        if (attempts && std::any_of(attempts->cbegin(), attempts->cend(), [](const AttemptInfo &attempt) {
                return attempt.reason == reason::StopWorse::code;
            })) {
            wanted.insert(job.uuid);
        }
    }
    return wanted;
}

int waitForSweep(Session &session, const Sweep &sweep, bool json)
{
    const QString group = u"group:"_s + sweep.group;
    const Result<MeantJobs> meant = jobsOfWord(session, group);
    if (!meant) {
        return report(meant.error());
    }
    QList<JobSummary> jobs = meant->jobs;
    const int status = waitForJobs(session, jobs, sweep.group, {group}, json);
    if (json) {
        QJsonArray ended;
        for (const JobSummary &job : std::as_const(jobs)) {
            ended.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(ended));
    } else if (!sweep.stopWorse.isEmpty()) {
        if (const QString unjudged = unjudgedText(sweep, jobs, wantedAgain(session, jobs)); !unjudged.isEmpty()) {
            errorLine(unjudged);
        }
    }
    return status;
}

int runSweep(const SweepValues &values)
{
    Sweep sweep;
    Submission job;
    if (const int status = readSweep(values, job, sweep); status != exitOk) {
        return status;
    }
    if (sweep.writesSamePath) {
        errorLine(sharedFolderText());
    } else if (sweep.sharesFolder && !values.dryRun) { // most programs write some file, but this is not known
        plainErrorLine(perhapsSharedFolderText());
    }
    Session session;
    if (values.dryRun) { // it starts no engine
        const SweepRoom room = session.connectToRunning() ? roomOf(session, job.request, sweep) : SweepRoom();
        sweep.placed = room.placed;
        if (!values.limit) {
            chooseLimit(room, job.request.target, sweep);
        }
        printSweep(sweep, values.json);
        sayUnknownMetric(session, job.request, sweep);
        sayUnused(room);
        return exitOk;
    }
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const SweepRoom room = roomOf(session, job.request, sweep);
    sweep.placed = room.placed;
    if (!values.limit) {
        chooseLimit(room, job.request.target, sweep);
    }
    if (values.name.isEmpty()) {
        if (const int status = chooseGroup(session, sweep); status != exitOk) {
            return status;
        }
    }
    sayWarnings(job.checked, job.request.secrets, job.request.target);
    job.request.group = sweep.group;
    job.request.groupLimit = sweep.limit;
    job.request.stopWorse = sweep.stopWorse;
    SubmittedSweep done;
    if (const int status = submitSweep(session, sweep, job, done); status != exitOk) {
        return status;
    }
    saySweepSubmitted(session, sweep, job.request, done);
    sayUnknownMetric(session, job.request, sweep);
    sayUnused(room);
    if (values.wait) {
        return waitForSweep(session, sweep, values.json);
    }
    if (values.json) {
        printSubmitted(sweep, done.replies);
    } else {
        outLine(u"group:"_s + sweep.group);
    }
    if (KeptInterrupts::arePending()) { // during the last submission
        errorLine(tr("The jobs keep running."));
        return exitInterrupted;
    }
    return exitOk;
}

} // namespace

const CommandLine<SweepValues> &sweepLine()
{
    static const CommandLine<SweepValues> line
        = CommandLine<SweepValues>(u"sweep"_s, tr("Run a job with many values of its parameters"))
              .runs(runSweep, {u"[FILE]"_s, 0, 1, Word::File, tr("Give one FILE of a job.")})
              .text(tr(
                  "Submits the job in FILE ('-' is standard input) once for each combination of the values of its "
                  "parameters, as one group of jobs, and prints the name by which other commands know the group: 'ps', "
                  "'stop', 'pause', 'resume', 'wait' and 'rm' take group:NAME.\n\nVALUES is a list (16,32,64), a range "
                  "with a step (0..1:0.25), a range with a number of evenly spaced values (0..1:lin:5), or the same on "
                  "a logarithmic scale (1e-4..1e-1:log:5). Texts that contain commas are written in double quotes."))
              .option(u"--again JOB"_s, &SweepValues::again,
                  tr("instead of a FILE, take the text of this job, with the parameters that it ran with for those "
                     "that "
                     "get no other values, on the same host or cluster and in the work folder that it had; --on, "
                     "--work "
                     "and the others change it"))
              .completes(Word::Job)
              .option(u"--param NAME=VALUES"_s, &SweepValues::parameters,
                  tr("give a parameter of the job these values; may be repeated"))
              .completes(Word::Parameter)
              .option(u"--zip"_s, &SweepValues::zip,
                  tr("pair the values of all parameters, the first with the first, instead of combining all with all"))
              .option(u"--random N"_s, &SweepValues::random,
                  tr("draw N different combinations; from a range, any number in between, so that it needs no count "
                     "(1e-4..1e-1:log)"),
                  wholeNumber(1))
              .option(u"--seed S"_s, &SweepValues::seed,
                  tr("draw the same combinations as an earlier sweep with this seed"), wholeNumber(0))
              .option(u"--limit K"_s, &SweepValues::limit,
                  tr("run at most K jobs of the group at the same time, 0 for any number (default: as many as the GPUs "
                     "of the hosts to which they go are enough for, or for jobs without GPUs their CPU cores)"),
                  wholeNumber(0))
              .option(u"--stop-worse METRIC@STEP"_s, &SweepValues::stopWorse,
                  tr("stop a job when its best value up to this step is worse than the median of the other jobs at "
                     "the step, once five others have reached it. For a loss, an error or a perplexity, lower is "
                     "better; -METRIC@STEP says so for any metric, and +METRIC@STEP says that higher is better"))
              .option(u"--name NAME"_s, &SweepValues::name,
                  tr("the name of the group (default: that of the job, with a number if there is such a group). If the "
                     "group exists, only the jobs that it lacks are submitted"))
              .option(
                  u"--dry-run"_s, &SweepValues::dryRun, tr("print the jobs and what they ask for, and submit nothing"))
              .option(u"--wait"_s, &SweepValues::wait, tr("wait until all jobs have ended"))
              .option(tagOption().spelled, &SweepValues::tags, tagOption().text)
              .completes(Word::Tag)
              .option(onOption().spelled, &SweepValues::on, onOption().text)
              .completes(Word::Target)
              .option(environmentOption().spelled, &SweepValues::variables, environmentOption().text)
              .option(workOption().spelled, &SweepValues::work, workOption().text)
              .completes(Word::File)
              .option(runtimeOption().spelled, &SweepValues::in, runtimeOption().text)
              .values(runtimeWords())
              .option(priorityOption().spelled, &SweepValues::priority, priorityOption().text,
                  wholeNumber(std::numeric_limits<int>::min()))
              .option(afterOption().spelled, &SweepValues::after, afterOption().text)
              .completes(Word::Job)
              .option(strictOption().spelled, &SweepValues::strict, strictOption().text)
              .option(catalogOption().spelled, &SweepValues::catalog, catalogOption().text)
              .completes(Word::File)
              .option(secretOption().spelled, &SweepValues::secrets, secretOption().text)
              .completes(Word::Secret)
              .option(u"--json"_s, &SweepValues::json,
                  tr("print a JSON object with the group and its jobs; if the command waits, an array of the results, "
                     "in the form of 'ps --json'"))
              .exclusive(&SweepValues::zip, &SweepValues::random)
              .exclusive(&SweepValues::dryRun, &SweepValues::wait)
              .exclusive(&SweepValues::strict, &SweepValues::variables)
              .because(tr("A strict job runs as an OpenPAI server runs it, and that has no such variables."))
              .more(tr("The values are written into the text of each job, so that it can be run again and compared "
                       "like any other. A sweep has at most %1 jobs.\n\n"
                       "Ctrl+C ends only this command and not the jobs.")
                        .arg(mostSweepJobs))
              .examples(
                  {u"trainyardctl sweep train.pai.yaml --param lr=1e-4..1e-1:log:5 --param batch=16,32 --dry-run"_s,
                      u"trainyardctl sweep train.pai.yaml --param lr=1e-4..1e-1:log --random 20 --seed 1 --limit 4"_s,
                      u"trainyardctl sweep train.pai.yaml --param seed=1..5 --stop-worse loss@100 --name seeds --wait"_s,
                      u"trainyardctl sweep --again 41 --param seed=1..5"_s, u"trainyardctl stop group:seeds"_s})
              .exits(
                  {{exitOk, tr("submitted; if the command waited: all SUCCEEDED, or were stopped as the worse ones")},
                      {exitUnusable, tr("the file cannot be read, or wrong usage")},
                      {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("a job was refused")},
                      {exitInterrupted, tr("one was STOPPED, or the command was interrupted with Ctrl+C")}},
                  failedJobNote() + u' ' + tr("For several jobs the greatest status counts."));
    return line;
}

Command sweepCommand() { return sweepLine().command(); }

} // namespace trainyard::cli
