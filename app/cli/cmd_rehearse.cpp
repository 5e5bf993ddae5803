// SPDX-License-Identifier: GPL-3.0-or-later
// Rehearses a job, and submits it elsewhere after that.
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/names.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/submitted.h"
#include "app/cli/words.h"
#include "model/base/unifieddiff.h"
#include "model/runtime/rehearsal.h"
#include "widgets/text/rehearsaltexts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 secondsOfMinute = 60;
constexpr qint64 mostMinutes = 60 * 24 * 365;

struct RehearseValues {
    QStringList words, parameters, secrets;
    QString on, catalog;
    std::optional<qint64> minutes, gpus;
    bool wait = false, json = false;
};
const CommandLine<RehearseValues> &rehearseLine();

struct PromoteValues {
    QStringList words, parameters, secrets;
    QString on;
    bool yes = false, wait = false, json = false;
};
const CommandLine<PromoteValues> &promoteLine();

// The rehearsal that is submitted instead of the job that was read, which is kept as its original.
int makeRehearsal(const RehearseValues &values, Submission &job)
{
    SubmitRequest &request = job.request;
    const ParseOutcome outcome = parseJob(request.yaml);
    if (!outcome.canRun()) {
        sayRefusedText(job.checked, {u"job.invalid"_s, {}});
        return exitRefused;
    }
    RehearsalWishes wishes;
    if (values.minutes) {
        wishes.seconds = *values.minutes * secondsOfMinute;
    }
    wishes.mostGpus = values.gpus;
    wishes.parameters = request.parameters;
    const Result<Rehearsal> rehearsal = rehearsalOf(*outcome.spec, outcome.document, wishes);
    if (!rehearsal) {
        return report(rehearsal.error());
    }
    errorLine(tr("The rehearsal differs from %1 in this:").arg(inputName(job.file)));
    for (const RehearsalChange &change : rehearsal->changes) {
        plainErrorLine(u"  "_s + rehearsalChangeText(change));
    }
    request.original = request.yaml;
    request.yaml = rehearsal->text;
    request.parameters.clear(); // they are in the text
    return exitOk;
}

// The command again, to which a limit of GPUs may be added.
QStringList rehearsingWords(const RehearseValues &values)
{
    QStringList words{u"trainyardctl"_s, rehearseCommand().name, values.words.constFirst()};
    const auto add = [&words](const QString &option, const QStringList &given) {
        for (const QString &each : given) {
            words.append({option, each});
        }
    };
    const auto &line = rehearseLine();
    add(line.name(&RehearseValues::on), values.on.isEmpty() ? QStringList() : QStringList{values.on});
    add(line.name(&RehearseValues::minutes),
        values.minutes ? QStringList{QString::number(*values.minutes)} : QStringList());
    add(line.name(&RehearseValues::parameters), values.parameters);
    add(line.name(&RehearseValues::secrets), values.secrets);
    add(line.name(&RehearseValues::catalog), values.catalog.isEmpty() ? QStringList() : QStringList{values.catalog});
    return words;
}

int runRehearse(const RehearseValues &values)
{
    Submission job;
    int status = readParameters(rehearseCommand().name, rehearseLine().name(&RehearseValues::parameters),
        values.parameters, job.request.parameters);
    if (status != exitOk) {
        return status;
    }
    SubmissionWords words;
    words.file = values.words.constFirst();
    words.secrets = values.secrets;
    words.on = values.on;
    words.catalog = values.catalog;
    job.rehearse = rehearsingWords(values);
    status = readSubmission(rehearseCommand().name, words, job);
    if (status == exitOk) {
        status = refuseOtherTypes(job.request.yaml, job.request.parameters);
    }
    if (status == exitOk) {
        status = makeRehearsal(values, job);
    }
    Session session;
    if (status == exitOk) {
        status = session.connect(EngineClient::Start::IfNeeded);
    }
    SubmitReply submitted;
    if (status == exitOk) {
        status = submitJob(session, job, submitted);
    }
    return status == exitOk ? watchSubmitted(session, submitted, {values.wait, false, false, values.json}) : status;
}

// The difference between the rehearsed job and the submitted one, on stderr: the standard output is for the number of
// the job.
void sayDifference(const JobDetail &rehearsal, const QByteArray &text, const QString &target)
{
    const QString name = u'#' + QString::number(rehearsal.summary.id) + u' ' + rehearsal.summary.name;
    const QByteArray diff = unifiedDiff(rehearsal.yaml, text, name.toUtf8(), target.toUtf8());
    if (diff.isEmpty()) {
        errorLine(tr("What is submitted is the same as what was rehearsed."));
    }
    const QStringList lines = QString::fromUtf8(diff).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const Colour colour = line.startsWith(u'+') ? Colour::Green
            : line.startsWith(u'-')                 ? Colour::Red
                                                    : Colour::None;
        plainErrorLine(paint(colour, line, Stream::Error));
    }
}

// Returns exitOk if the user agrees, otherwise the status of the command.
int askToPromote(const PromoteValues &values)
{
    if (values.yes) {
        return exitOk;
    }
    const std::optional<QString> said = askOnTerminal(tr("Submit this on %1? [y/N] ").arg(values.on), true);
    if (!said) {
        errorLine(tr("There is no terminal to ask on. Use %1 to submit the job without a question.")
                      .arg(promoteLine().name(&PromoteValues::yes)));
        return exitUnusable;
    }
    return isYes(*said) ? int(exitOk) : int(exitNo);
}

// The original with the values of the command line.
int readOriginal(const PromoteValues &values, const JobDetail &rehearsal, Submission &job)
{
    QMap<QString, QString> parameters;
    int status = readParameters(
        promoteCommand().name, promoteLine().name(&PromoteValues::parameters), values.parameters, parameters);
    QStringList hidden;
    for (const QString &word : values.secrets) {
        hidden.append(word.section(u'=', 0, 0));
    }
    if (status == exitOk) {
        status = refuseUnknownNames(promoteCommand().name, rehearsal.original, parameters.keys(), hidden);
    }
    if (status == exitOk) {
        status = refuseOtherTypes(rehearsal.original, parameters);
    }
    for (const QString &word : values.secrets) {
        status = status == exitOk ? readSecret(promoteCommand().name, word, job.request.secrets) : status;
    }
    if (status != exitOk) {
        return status;
    }
    job.file = rehearsal.summary.file.isEmpty() ? u"-"_s : rehearsal.summary.file;
    job.checked = checkedFile(job.file, rehearsal.original, {}, parameters.keys());
    const ParseOutcome outcome = parseJob(rehearsal.original);
    if (!outcome.canRun()) { // rules of the language may have changed since
        sayRefusedText(job.checked, {u"job.invalid"_s, {}});
        return exitRefused;
    }
    const Result<QByteArray> text = textWithParameters(*outcome.spec, outcome.document, parameters);
    if (!text) {
        return report(text.error());
    }
    job.request.yaml = *text;
    job.request.file = rehearsal.summary.file;
    job.request.target = values.on;
    job.request.rehearsal = rehearsal.summary.uuid;
    return exitOk;
}

int runPromote(const PromoteValues &values)
{
    if (values.on.isEmpty()) {
        return promoteLine().wrongUsage(
            tr("Use %1 to say where the job is to run.").arg(promoteLine().name(&PromoteValues::on)));
    }
    Session session;
    JobSummary found;
    if (const int status = session.connectFor(values.words.constFirst(), found); status != exitOk) {
        return status;
    }
    const Result<JobDetail> rehearsal = session.detail(found.uuid);
    if (!rehearsal) {
        return report(rehearsal.error());
    }
    if (rehearsal->original.isEmpty()) {
        return report({u"rehearsal.not-one"_s, {{u"job"_s, found.id}, {u"name"_s, found.name}}});
    }
    Submission job;
    if (const int status = readOriginal(values, *rehearsal, job); status != exitOk) {
        return status;
    }
    sayDifference(*rehearsal, job.request.yaml, values.on);
    if (const QString doubt = rehearsalDoubt(rehearsal->summary); !doubt.isEmpty()) {
        errorLine(doubt);
    }
    if (rehearsal->promoted && rehearsal->promoted->id > 0) {
        errorLine(tr("It was submitted before, as #%1 %2.")
                      .arg(QString::number(rehearsal->promoted->id), rehearsal->promoted->name));
    }
    if (const int status = askToPromote(values); status != exitOk) {
        return status;
    }
    const ParseOutcome outcome = parseJob(job.request.yaml);
    takeSecretsFromFile(
        outcome.spec ? outcome.spec->askedSecrets : QStringList(), job.request.file, job.request.secrets);
    SubmitReply submitted;
    const int status = submitJob(session, job, submitted);
    return status == exitOk ? watchSubmitted(session, submitted, {values.wait, false, false, values.json}) : status;
}

QList<ExitMeaning> exitsOfSubmission()
{
    return {{exitOk, tr("submitted; if the command waited: SUCCEEDED")},
        {exitUnusable, tr("the file or the rehearsal cannot be read, or wrong usage")},
        {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("the job was refused")},
        {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}};
}

QList<ExitMeaning> exitsOfPromotion()
{
    QList<ExitMeaning> all = exitsOfSubmission();
    all.insert(1, {exitNo, tr("you answered no")});
    return all;
}

const CommandLine<RehearseValues> &rehearseLine()
{
    static const CommandLine<RehearseValues> line
        = CommandLine<RehearseValues>(u"rehearse"_s, tr("Try out a job before it is submitted elsewhere"))
              .runs(runRehearse, {u"FILE"_s, 1, 1, Word::File, tr("Give one FILE of a job.")})
              .text(tr("Runs the job in FILE ('-' is standard input) with one task of each role, without retries and "
                       "for a short time, and prints the number of that job. Everything else is as in FILE: the "
                       "rehearsal finds out whether the commands, the data and the image work. "
                       "'trainyardctl promote' submits FILE, as it was then, where it is to run."))
              .option(onOption(), &RehearseValues::on)
              .completes(Word::Target)
              .option(u"--minutes N"_s, &RehearseValues::minutes,
                  tr("end it after N minutes at the latest (default: 10; a shorter time limit of the job stays)"),
                  wholeNumber(1, mostMinutes))
              .option(u"--gpus N"_s, &RehearseValues::gpus,
                  tr("give each task at most N GPUs (default: as many as in FILE)"), wholeNumber(0))
              .option(u"--param NAME=VALUE"_s, &RehearseValues::parameters,
                  tr("another value of a parameter, such as fewer epochs; may be repeated"))
              .completes(Word::Parameter)
              .option(secretOption(), &RehearseValues::secrets)
              .completes(Word::Secret)
              .option(catalogOption(), &RehearseValues::catalog)
              .completes(Word::File)
              .option(waitOption(), &RehearseValues::wait)
              .option(submittedJsonOption(), &RehearseValues::json)
              .examples({u"trainyardctl rehearse train.pai.yaml --wait"_s,
                  u"trainyardctl rehearse train.pai.yaml --minutes 3 --gpus 1 --param epochs=1"_s})
              .exits(exitsOfSubmission(), failedJobNote());
    return line;
}

const CommandLine<PromoteValues> &promoteLine()
{
    static const CommandLine<PromoteValues> line
        = CommandLine<PromoteValues>(u"promote"_s, tr("Submit a job elsewhere after its rehearsal"))
              .runs(runPromote, {u"JOB"_s, 1, 1, Word::Job, whichJob()})
              .text(tr("Submits the job that the rehearsal JOB has tried out, as its file was then, and prints its "
                       "number. First it shows on standard error how this job differs from the rehearsed one and what "
                       "is known of the rehearsal, and asks. 'trainyardctl show' names the rehearsal of the job, and "
                       "the job of the rehearsal."))
              .option(onOption().spelled, &PromoteValues::on,
                  tr("where it is to run (required): a host (see 'hosts list'), 'any' host, or a cluster such as "
                     "slurm:lab (see 'targets list')"))
              .option(u"--param NAME=VALUE"_s, &PromoteValues::parameters,
                  tr("another value of a parameter than in the file; may be repeated"))
              .option(secretOption(), &PromoteValues::secrets)
              .option(u"--yes"_s, &PromoteValues::yes, tr("do not ask"))
              .option(waitOption(), &PromoteValues::wait)
              .option(submittedJsonOption(), &PromoteValues::json)
              .examples({u"trainyardctl promote 41 --on slurm:lab"_s,
                  u"trainyardctl promote train-rehearsal --on lab1 --yes --wait"_s})
              .exits(exitsOfPromotion(), failedJobNote());
    return line;
}

} // namespace

Command rehearseCommand() { return rehearseLine().command(); }
Command promoteCommand() { return promoteLine().command(); }

} // namespace trainyard::cli
