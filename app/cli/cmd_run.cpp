// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/activeenvironment.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/formerjob.h"
#include "app/cli/jobcommands.h"
#include "app/cli/names.h"
#include "app/cli/runforeground.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/submitted.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "model/base/numberlist.h"
#include "widgets/text/texts.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct RunValues {
    QStringList words, parameters, variables, after, secrets, tags;
    QString on, name, in, catalog, key, note;
    std::optional<QString> again;
    std::optional<QString> work;
    std::optional<qint64> priority;
    bool wait = false, follow = false, foreground = false, json = false, strict = false, dryRun = false;
};
const CommandLine<RunValues> &runLine();

struct RunOptions {
    Submission job;
    AfterSubmission after;
};

int submitAndWatch(Session &session, RunOptions &options)
{
    SubmitReply submitted;
    const int status
        = submitJob(session, options.job, submitted, runLine().name(&RunValues::key), !options.after.foreground);
    return status == exitOk ? watchSubmitted(session, submitted, options.after) : status;
}

// Where its tasks would go and what they would run; of those of a role, the first one stands for the others.
void printPlan(const PlanReply &plan)
{
    if (!plan.submission.isEmpty()) {
        outLine(paint(Colour::Bold, tr("# What the cluster is asked for")));
        outFile(plan.submission.toUtf8());
        outLine({});
    }
    QStringList shown;
    for (const PlannedTask &task : plan.tasks) {
        const QString name = taskLabel(task);
        const QString gpus = task.gpus.isEmpty() ? QString() : tr(", GPU %1").arg(joinedNumbers(task.gpus, u", "_s));
        outLine(paint(Colour::Bold, u"# "_s + name + u": "_s + (task.host.isEmpty() ? tr("waits") : task.host) + gpus));
        if (!task.script.isEmpty() && !shown.contains(task.role)) {
            shown.append(task.role);
            outFile(task.script.toUtf8() + (task.script.endsWith(u'\n') ? "" : "\n"));
        }
    }
    if (plan.omittedTasks > 0) {
        errorLine(plan.omittedTasks == 1 ? tr("1 more task is not shown.")
                                         : tr("%1 more tasks are not shown.").arg(plan.omittedTasks));
    }
}

int planOnly(Session &session, const RunOptions &options)
{
    const Result<PlanReply> plan = session.call<api::Plan>(options.job.request);
    if (!plan) {
        return reportRefusal(session, options.job, plan.error());
    }
    if (options.after.json) {
        outJson(QJsonDocument(plan->toJson()));
        return exitOk;
    }
    for (const JobNote &note : plan->notes) {
        errorLine(errorText({note.code, note.args}));
    }
    if (!plan->waitReason.isEmpty()) {
        errorLine(tr("It would wait: %1").arg(reasonText(plan->waitReason, plan->waitArgs)));
    }
    printPlan(*plan);
    return exitOk;
}

int readOptions(const RunValues &values, RunOptions &options)
{
    options.after = {values.wait, values.follow, values.foreground, values.json};
    SubmitRequest &request = options.job.request;
    if (const int wrong = readParameters(
            runCommand().name, runLine().name(&RunValues::parameters), values.parameters, request.parameters);
        wrong != exitOk) {
        return wrong;
    }
    request.key = values.key;
    request.note = values.note;
    SubmissionWords words = submissionWords(values);
    words.withSecrets = !values.dryRun; // a plan masks them
    int status = values.again ? readFormer(*values.again, words, request) : int(exitOk);
    if (status == exitOk) {
        status = readSubmission(runCommand().name, words, options.job);
    }
    if (status == exitOk) {
        status = refuseOtherTypes(request.yaml, request.parameters);
    }
    if (status == exitOk && words.former && words.withSecrets) {
        takeSecretsOfFormer(request);
    }
    if (status == exitOk && words.file == "-"_L1 && !words.work && stderrIsTerminal()) {
        errorLine(tr("Each task works in an empty folder of its own, on any host; with '--work .' the tasks work in "
                     "the current folder."));
    }
    if (status == exitOk) {
        sayUnusedEnvironment(request.yaml, request.target, request.runIn);
    }
    return status;
}

int runRun(const RunValues &values)
{
    if (values.words.isEmpty() != values.again.has_value()) {
        return runLine().wrongUsage(tr("Give one FILE of a job, or %1 with a job that is to run again.")
                                        .arg(runLine().name(&RunValues::again)));
    }
    RunOptions options;
    if (const int status = readOptions(values, options); status != exitOk) {
        return status;
    }
    if (options.after.foreground) {
        return withForegroundEngine([&](Session &session) { return submitAndWatch(session, options); });
    }
    Session session;
    const int status = session.connect(EngineClient::Start::IfNeeded);
    if (status != exitOk) {
        return status;
    }
    return values.dryRun ? planOnly(session, options) : submitAndWatch(session, options);
}

const CommandLine<RunValues> &runLine()
{
    static const CommandLine<RunValues> line
        = CommandLine<RunValues>(u"run"_s, tr("Run a job"))
              .runs(runRun, {u"[FILE]"_s, 0, 1, Word::File, tr("Give one FILE of a job.")})
              .text(tr("Submits the job in FILE ('-' is standard input) to the engine and prints its number. The job "
                       "keeps running when you close the terminal. A command that waits prints the number on standard "
                       "error, since standard output is then the job's; --json prints it."))
              .option(u"--again JOB"_s, &RunValues::again,
                  tr("instead of a FILE, submit the text of this job again as a new job, with the parameters that "
                     "it ran with, on the same host or cluster and in the work folder that it had, even if its file "
                     "has changed or is gone; --param, --on, --work, --name and the others change it. Values of "
                     "secrets are taken from its file if that still has them, else given or asked for"))
              .completes(Word::Job)
              .option(waitOption(), &RunValues::wait)
              .option(u"--follow"_s, &RunValues::follow,
                  tr("wait, and print the output of all tasks as it is written; of several, each line with its task"))
              .option(u"--foreground"_s, &RunValues::foreground,
                  tr("run the job inside this command, without the engine: it has no number and is not in 'ps'. Ctrl+C "
                     "stops the job, a second Ctrl+C kills it; the output follows at the end"))
              .option(u"--dry-run"_s, &RunValues::dryRun,
                  tr("do not run the job: show where its tasks would go and what they would run, and on a cluster what "
                     "it is asked for. Secrets are masked"))
              .option(onOption().spelled, &RunValues::on, onOption().text)
              .completes(Word::Target)
              .option(u"--param NAME=VALUE"_s, &RunValues::parameters,
                  tr("override a parameter of the job; may be repeated"))
              .completes(Word::Parameter)
              .option(environmentOption().spelled, &RunValues::variables, environmentOption().text)
              .option(u"--key KEY"_s, &RunValues::key,
                  tr("submit only once: if a job was already submitted with KEY, the command refers to that job, so "
                     "that a script can repeat it. If the engine is lost while one command submits, the command "
                     "repeats its submission by itself, also without KEY"))
              .option(u"--name NAME"_s, &RunValues::name, tr("override the name of the job"))
              .option(workOption().spelled, &RunValues::work, workOption().text)
              .completes(Word::File)
              .option(runtimeOption().spelled, &RunValues::in, runtimeOption().text)
              .values(runtimeWords())
              .option(priorityOption().spelled, &RunValues::priority, priorityOption().text,
                  wholeNumber(std::numeric_limits<int>::min()))
              .option(afterOption().spelled, &RunValues::after, afterOption().text)
              .completes(Word::Job)
              .option(tagOption().spelled, &RunValues::tags, tagOption().text)
              .completes(Word::Tag)
              .option(u"--note TEXT"_s, &RunValues::note, tr("give the job a note"))
              .option(strictOption().spelled, &RunValues::strict, strictOption().text)
              .option(catalogOption().spelled, &RunValues::catalog, catalogOption().text)
              .completes(Word::File)
              .option(secretOption().spelled, &RunValues::secrets, secretOption().text)
              .completes(Word::Secret)
              .option(
                  submittedJsonOption(tr("with --dry-run, tasks (role, index, host, script, environment, ports, gpus "
                                         "and more), notes and submission (the script for a cluster)")),
                  &RunValues::json)
              .exclusive(&RunValues::follow, &RunValues::json)
              .exclusive(&RunValues::dryRun, &RunValues::wait)
              .exclusive(&RunValues::dryRun, &RunValues::follow)
              .exclusive(&RunValues::dryRun, &RunValues::foreground)
              .exclusive(&RunValues::foreground, &RunValues::key)
              .because(tr("A run in the foreground is not known to the engine, which keeps the keys."))
              .exclusive(&RunValues::foreground, &RunValues::after)
              .because(tr("A run in the foreground starts at once and cannot wait for a job of the engine."))
              .exclusive(&RunValues::strict, &RunValues::variables)
              .because(tr("A strict job runs as an OpenPAI server runs it, and that has no such variables."))
              .more(tr("The number is printed as '#41' on a terminal, and as 41 to a pipe or file.\n\n"
                       "Ctrl+C ends only this command and not the job, unless it runs in the foreground."))
              .examples({u"trainyardctl run train.pai.yaml"_s,
                  u"trainyardctl run train.pai.yaml --follow --param lr=0.01"_s,
                  u"trainyardctl run --again 41 --param lr=0.003"_s, u"trainyardctl run evaluate.pai.yaml --after 41"_s,
                  u"id=$(trainyardctl run train.pai.yaml) && trainyardctl wait \"$id\""_s,
                  u"trainyardctl run train.pai.yaml --on slurm:lab --dry-run"_s,
                  u"trainyardctl run - --wait --on lab1 < train.pai.yaml"_s})
              .exits({{exitOk, tr("submitted; if the command waited: SUCCEEDED")},
                         {exitUnusable, tr("the file cannot be read, there is no such job, or wrong usage")},
                         {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("the job was refused")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote());
    return line;
}

} // namespace

Command runCommand() { return runLine().command(); }

} // namespace trainyard::cli
