// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/submission.h"
#include "app/cli/sweepoutput.h"
#include "engine/api/clusters.h"
#include "engine/api/formermetrics.h"
#include "engine/api/hostlimits.h"
#include "engine/api/openpaijson.h"
#include "engine/api/reasons.h"
#include "engine/api/sweeproom.h"
#include "model/protocol/jobname.h"
#include "model/sweep/worserule.h"
#include "widgets/text/demandtexts.h"
#include "widgets/text/texts.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QThread>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct SweepValues {
    QStringList words, parameters, variables, after, secrets, tags;
    QString on, name, in, catalog, stopWorse;
    std::optional<QString> work;
    std::optional<qint64> priority, random, seed, limit;
    bool zip = false, strict = false, dryRun = false, wait = false, json = false;
};
const CommandLine<SweepValues> &sweepLine();

// Says what is wrong with the values of a parameter, and where.
int reportValues(const QString &written, qsizetype valuesAt, const Error &error)
{
    failureLine(error);
    const qsizetype length = error.args.value("length"_L1).toInteger();
    if (length > 0) {
        const QString option = u"  "_s + sweepLine().name(&SweepValues::parameters) + u' ';
        plainErrorLine(option + written);
        const qsizetype at = option.size() + valuesAt + error.args.value("at"_L1).toInteger();
        plainErrorLine(QString(at, u' ') + QString(length, u'^'));
    }
    return exitUnusable;
}

// "lr=0.1,0.2" in two parts.
int readNames(const SweepValues &values, Sweep &sweep, QStringList &texts)
{
    for (const QString &word : values.parameters) {
        const QString name = word.section(u'=', 0, 0);
        if (name.isEmpty() || !word.contains(u'=')) {
            return sweepLine().wrongUsage(tr("%1 takes NAME=VALUES, such as lr=0.1,0.01, not '%2'.")
                                              .arg(sweepLine().name(&SweepValues::parameters), word));
        }
        if (sweep.parameters.contains(name)) {
            return sweepLine().wrongUsage(
                tr("The parameter %1 is given twice. Write all its values after one %2, separated by commas.")
                    .arg(name, sweepLine().name(&SweepValues::parameters)));
        }
        sweep.parameters.append(name);
        texts.append(word.section(u'=', 1));
    }
    return sweep.parameters.isEmpty()
        ? sweepLine().wrongUsage(tr("Give at least one parameter with its values, such as %1 lr=0.1,0.01.")
                                     .arg(sweepLine().name(&SweepValues::parameters)))
        : int(exitOk);
}

int readPlan(const SweepValues &values, Sweep &sweep)
{
    if (values.seed && !values.random) {
        return sweepLine().wrongUsage(
            tr("%1 belongs to %2: without it, nothing is drawn.")
                .arg(sweepLine().name(&SweepValues::seed), sweepLine().name(&SweepValues::random)));
    }
    if (!values.name.isEmpty() && !isJobName(values.name)) {
        return sweepLine().wrongUsage(errorText({u"submit.bad-group"_s, {{u"group"_s, values.name}}}));
    }
    if (!values.stopWorse.isEmpty()) {
        const Result<WorseRule> rule = worseRule(values.stopWorse);
        if (!rule) {
            return sweepLine().wrongUsage(errorText(rule.error()));
        }
        sweep.stopWorse = rule->toText();
    }
    sweep.limit = int(values.limit.value_or(0));
    sweep.plan.kind = values.random ? SweepKind::Random : values.zip ? SweepKind::Zip : SweepKind::Grid;
    sweep.plan.count = int(std::min<qint64>(values.random.value_or(0), std::numeric_limits<int>::max()));
    sweep.plan.seed = values.seed ? quint64(*values.seed) : QRandomGenerator::global()->generate();
    return exitOk;
}

int readSweep(const SweepValues &values, Submission &job, Sweep &sweep)
{
    QStringList texts;
    if (const int status = readNames(values, sweep, texts); status != exitOk) {
        return status;
    }
    if (const int status = readPlan(values, sweep); status != exitOk) {
        return status;
    }
    for (const QString &name : std::as_const(sweep.parameters)) {
        job.request.parameters.insert(name, {}); // to be checked; the values go into the text
    }
    SubmissionWords words;
    words.file = values.words.constFirst();
    words.variables = values.variables;
    words.after = values.after;
    words.secrets = values.secrets;
    words.tags = values.tags;
    words.on = values.on;
    words.name = values.name;
    words.in = values.in;
    words.catalog = values.catalog;
    words.work = values.work;
    words.priority = values.priority;
    words.strict = values.strict;
    words.withSecrets = !values.dryRun;
    if (const int status = readSubmission(sweepCommand().name, words, job); status != exitOk) {
        return status;
    }
    job.request.parameters.clear();
    job.request.name.clear();
    const ParseOutcome outcome = parseJob(job.request.yaml);
    if (!outcome.canRun()) {
        sayRefusedText(job.checked, {u"job.invalid"_s, {}});
        return exitRefused;
    }
    job.request.documentName = outcome.spec->name;
    sweep.group = values.name.isEmpty() ? outcome.spec->name : values.name;
    sweep.job = *outcome.spec;
    sweep.demand = demandOf(sweep.job);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QString &name = sweep.parameters.at(i);
        const Value *known = outcome.spec->parameters.find(name);
        const Result<SweepAxis> axis = sweepAxis(name, known ? *known : Value(), texts.at(i));
        if (!axis) {
            return reportValues(values.parameters.at(i), name.size() + 1, axis.error());
        }
        sweep.plan.axes.append(*axis);
    }
    const Result<QList<SweepPoint>> points = sweepPoints(sweep.plan);
    if (!points) {
        return sweepLine().wrongUsage(errorText(points.error()));
    }
    sweep.points = *points;
    sweep.sharesFolder = sweep.points.size() > 1
        && sweepSharesFolder(sweep.job, {job.request.target, worksHere(sweep.job, job.request.work, job.request.file)});
    return exitOk;
}

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

// Without a limit that the user wants, no more jobs than there is room for begin at the same time: without GPUs,
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

struct Submitted {
    QList<SubmitReply> replies;
    qsizetype known = 0; // that were there already
};

void sayPart(const Sweep &sweep, qsizetype submitted)
{
    errorLine(tr("%1 of %2 jobs were submitted. The same command with %3 %4 submits the others, and 'trainyardctl stop "
                 "group:%4' stops those that were submitted.")
                  .arg(QString::number(submitted), QString::number(sweep.points.size()),
                      sweepLine().name(&SweepValues::name), sweep.group));
}

// Each job has a key that follows from its group and its place: what is submitted again is not doubled.
int submitAll(Session &session, const Sweep &sweep, Submission &job, Submitted &done)
{
    const YamlDocument document = YamlDocument::parse(job.request.yaml);
    QStringList said;
    const Progress progress(tr("Submitting %1 jobs ...").arg(sweep.points.size()));
    for (qsizetype i = 0; i < sweep.points.size(); ++i) {
        if (KeptInterrupts::arePending()) { // during the submission before
            sayPart(sweep, i);
            return exitInterrupted;
        }
        const Result<QByteArray> text = sweepJobText(document, sweep.nameOf(i), sweep.parameters, sweep.points.at(i));
        if (!text) {
            return report(text.error());
        }
        job.request.yaml = *text;
        job.request.key = sweepJobKey(sweep.group, i);
        const Submitting submitting = submitUntilKnown(session, job.request, {});
        if (!submitting.reply) {
            Error error = submitting.reply.error();
            if (error.code == "submit.other-job"_L1) {
                error = {u"sweep.group-known"_s, {{u"group"_s, sweep.group}, {u"job"_s, error.args.value("job"_L1)}}};
            }
            const int status = submitting.isInterrupted ? int(exitInterrupted) : reportRefusal(job, error);
            if (i > 0 || submitting.wasLost || submitting.isInterrupted) {
                sayPart(sweep, i);
            }
            return status;
        }
        done.replies.append(*submitting.reply);
        for (const JobNote &note : submitting.reply->notes) {
            const bool isKnown = note.code == "submit.known"_L1;
            done.known += isKnown && !submitting.wasLost ? 1 : 0; // else this command has submitted it
            QJsonObject args = note.args;
            if (note.code.startsWith("results.on-host"_L1)) {
                args.insert(u"job"_s, QString(u"group:"_s + sweep.group));
            }
            if (const QString sentence = errorText({note.code, args}); !isKnown && !said.contains(sentence)) {
                said.append(sentence);
                errorLine(sentence);
            }
        }
    }
    return exitOk;
}

void saySubmitted(Session &session, const Sweep &sweep, const SubmitRequest &request, const Submitted &done)
{
    const qsizetype count = done.replies.size();
    QList<qint64> numbers;
    for (const SubmitReply &reply : done.replies) {
        numbers.append(reply.id);
    }
    const Result<QList<JobSummary>> inGroup = jobsOfWord(session, u"group:"_s + sweep.group);
    errorLine(groupText(sweep.group, numbers, inGroup ? inGroup->size() : count, done.known));
    if (const qint64 most = sweep.atOnce(); most < count) {
        errorLine(
            most > 1 ? tr("At most %1 of them run at the same time.").arg(most) : tr("They run one after the other."));
        if (!clusterPlaceOf(request.target) && worksHere(sweep.job, request.work, request.file)) {
            errorLine(tr("Each works with the files of its work folder as they are when it starts, so that those that "
                         "wait run what you change until then."));
        }
    }
    if (done.known > 0) {
        errorLine(tr("%1 of them had been submitted before.").arg(done.known));
    }
    if (const QString rule = ruleText(sweep); !rule.isEmpty()) {
        errorLine(rule);
    }
    if (sweep.plan.kind == SweepKind::Random) {
        errorLine(tr("The values were drawn with the seed %1.").arg(sweep.plan.seed));
    }
}

// Which of the jobs the user ran again after the rule had stopped them: only their attempts tell.
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
    Result<QList<JobSummary>> jobs = jobsOfWord(session, u"group:"_s + sweep.group);
    if (!jobs) {
        return report(jobs.error());
    }
    const int status = waitForJobs(session, *jobs, sweep.group, json);
    if (json) {
        QJsonArray ended;
        for (const JobSummary &job : std::as_const(*jobs)) {
            ended.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(ended));
    } else if (!sweep.stopWorse.isEmpty()) {
        if (const QString unjudged = unjudgedText(sweep, *jobs, wantedAgain(session, *jobs)); !unjudged.isEmpty()) {
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
    if (sweep.sharesFolder) {
        errorLine(sharedFolderText());
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
    sayWarnings(job.checked, job.request.secrets.keys(), job.request.target);
    job.request.group = sweep.group;
    job.request.groupLimit = sweep.limit;
    job.request.stopWorse = sweep.stopWorse;
    Submitted done;
    if (const int status = submitAll(session, sweep, job, done); status != exitOk) {
        return status;
    }
    saySubmitted(session, sweep, job.request, done);
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

const CommandLine<SweepValues> &sweepLine()
{
    static const CommandLine<SweepValues> line
        = CommandLine<SweepValues>(u"sweep"_s, tr("Run a job with many values of its parameters"))
              .runs(runSweep, {u"FILE"_s, 1, 1, Word::File, tr("Give one FILE of a job.")})
              .text(tr(
                  "Submits the job in FILE ('-' is standard input) once for each combination of the values of its "
                  "parameters, as one group of jobs, and prints the name by which other commands know the group: 'ps', "
                  "'stop', 'pause', 'resume', 'wait' and 'rm' take group:NAME.\n\nVALUES is a list (16,32,64), a range "
                  "with a step (0..1:0.25), a range with a number of evenly spaced values (0..1:lin:5), or the same on "
                  "a logarithmic scale (1e-4..1e-1:log:5). Texts that contain commas are written in double quotes."))
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
                      u"trainyardctl stop group:seeds"_s})
              .exits(
                  {{exitOk, tr("submitted; if the command waited: all SUCCEEDED, or were stopped as the worse ones")},
                      {exitUnusable, tr("the file cannot be read, or wrong usage")},
                      {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("a job was refused")},
                      {exitInterrupted, tr("one was STOPPED, or the command was interrupted with Ctrl+C")}},
                  failedJobNote() + u' ' + tr("For several jobs the greatest status counts."));
    return line;
}

} // namespace

Command sweepCommand() { return sweepLine().command(); }

} // namespace trainyard::cli
