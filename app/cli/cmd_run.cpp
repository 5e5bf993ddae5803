// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/logprint.h"
#include "app/cli/names.h"
#include "app/cli/remotelogs.h"
#include "app/cli/runforeground.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/strictjob.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"
#include "engine/api/tasklabel.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"
#include "model/protocol/variablename.h"
#include "model/template/pluginsteps.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QUuid>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 mostLogAfterwards = 16 << 20; // of all tasks, printed whole after a run in the foreground
constexpr qint64 tailAfterwards = 200; // lines of each task when there is more
constexpr int mostLostSubmissions = 3; // a job that ends the engine each time must not do so for ever

struct RunValues {
    QStringList words, parameters, variables, after, secrets, tags;
    QString on, name, in, catalog, key, note;
    std::optional<QString> work;
    std::optional<qint64> priority;
    bool wait = false, follow = false, foreground = false, json = false, strict = false;
};
const CommandLine<RunValues> &runLine();

struct RunOptions {
    SubmitRequest request;
    QString file;
    CheckedFile checked;
    bool wait = false, follow = false, foreground = false, json = false;
};

QString shellWord(const QString &word) { return QString::fromUtf8(shellQuote(word.toUtf8())); }

// When a job asks for more than there is, names the command that would run.
void sayFix(const QString &file, const Error &error)
{
    const QString text = refusalFixText(error);
    if (text.isEmpty()) {
        return;
    }
    QStringList words{u"trainyardctl edit"_s, file == "-"_L1 ? file : u"-i "_s + shellWord(file)};
    const QJsonArray edits = error.args.value("fix"_L1).toArray();
    for (const QJsonValue &edit : edits) {
        words.append(u"--set "_s + shellWord(edit[u"path"].toString() + u'=' + edit[u"value"].toString()));
    }
    errorLine(tr("%1, and it fits here: %2").arg(text, words.join(u' ')));
}

// An engine that was lost before it answered may have the job or not: it is asked again with the same key, so that
// there is one job in any case.
int submit(Session &session, RunOptions &options, SubmitReply &submitted)
{
    sayWarnings(options.checked, options.request.secrets.keys());
    SubmitRequest &request = options.request;
    const bool isOwnKey = request.key.isEmpty() && !options.foreground;
    if (isOwnKey) {
        request.key = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }
    int lost = 0;
    for (;;) {
        const Result<SubmitReply> reply = session.call<api::Submit>(request, tr("Submitting the job ..."));
        if (reply) {
            submitted = *reply;
            for (const JobNote &note : reply->notes) {
                if (!isOwnKey || note.code != "submit.known"_L1) { // the user does not know that there is a key
                    errorLine(errorText({note.code, note.args}));
                }
            }
            return exitOk;
        }
        const Error &error = reply.error();
        if (error.code == "engine.submit-unknown"_L1 && ++lost < mostLostSubmissions) {
            continue;
        }
        if (askForMissingSecrets(error, options.request.secrets)) {
            continue;
        }
        if (error.code == "job.invalid"_L1) {
            sayRefusedText(options.checked, error);
            return exitRefused;
        }
        const int status = report(error);
        if (lost > 0 || error.code == "engine.submit-unanswered"_L1) {
            errorLine(tr("'trainyardctl ps' shows whether the engine has the job. To repeat the command without "
                         "running the job twice, add %1 %2.")
                          .arg(runLine().name(&RunValues::key), shellWord(request.key)));
        }
        sayHowToGiveSecrets(error);
        sayFix(options.file, error);
        return status;
    }
}

// After a run in the foreground the logs are on the screen, without filling it for hours.
void printLogsAfterwards(const QList<TaskInfo> &tasks)
{
    QList<LogSource> sources;
    qint64 bytes = 0;
    for (const TaskInfo &task : tasks) {
        if (!task.logFolder.isEmpty()) {
            sources.append({taskLabel(task), task.logFolder});
            bytes += QFileInfo(task.logFolder + u"/output.log"_s).size();
        }
    }
    LogStyle style;
    style.labels = tasks.size() > 1;
    if (bytes > mostLogAfterwards) {
        style.tail = tailAfterwards;
        errorLine(tr("The output is long: the last %1 lines of each task follow.").arg(tailAfterwards));
    }
    outLine({});
    printLogs(sources, style);
}

int submitAndWatch(Session &session, RunOptions &options)
{
    SubmitReply submitted;
    if (const int status = submit(session, options, submitted); status != exitOk) {
        return status;
    }
    const QString number = u'#' + QString::number(submitted.id);
    const bool watching = options.wait || options.follow || options.foreground;
    if (!watching) {
        if (options.json) {
            outJson(QJsonDocument(submitted.toJson()));
        } else {
            outLine(stdoutIsTerminal() ? number : number.sliced(1)); // '#' begins a comment of a shell
        }
        return exitOk;
    }
    WatchOptions watch;
    watch.table = stdoutIsTerminal() && !options.follow && !options.json;
    watch.follow = options.follow || (options.foreground && !watch.table && !options.json);
    watch.stopOnInterrupt = options.foreground;
    watch.hasNumber = !options.foreground;
    if (!watch.table && !options.json && !options.foreground) { // a run in the foreground has a store of its own
        errorLine(tr("The job is %1.").arg(number));
    }
    const Watched end = watchJob(session, submitted.uuid, watch);
    if (end.over && !watch.follow) { // following has printed what is here, and waited for it
        waitForLogs(session, end.job);
    } else if (end.over) {
        sayMissingLogs(session, end.tasks);
    }
    if (options.json && !end.job.uuid.isEmpty()) {
        outJson(QJsonDocument(openpai::toListEntry(end.job)));
    }
    if (end.over) {
        if (options.foreground && watch.table) {
            printLogsAfterwards(end.tasks);
        }
        JobSummary shown = end.job;
        shown.id = options.foreground ? 0 : shown.id; // of a store that nobody else reads
        errorLine(endSentence(shown, !options.foreground && !options.follow));
    }
    return end.status;
}

// Environment variables of the command line become the job's own: it runs the same again, and the record shows them.
int addVariables(const QStringList &words, QByteArray &yaml)
{
    const bool isJob = words.isEmpty() || parseJob(yaml).canRun(); // else the engine says what is wrong with it
    for (const QString &word : words) {
        const QString name = word.section(u'=', 0, 0);
        if (!isVariableName(name)) {
            return runLine().wrongUsage(
                tr("%1 takes NAME=VALUE, or the NAME of a variable of this shell, not '%2'. Names that begin with "
                   "PAI_ or TRAINYARD_ are taken.")
                    .arg(runLine().name(&RunValues::variables), word));
        }
        if (!word.contains(u'=') && !qEnvironmentVariableIsSet(name.toLatin1().constData())) {
            return runLine().wrongUsage(tr("The variable %1 is not set in this shell.").arg(name));
        }
        const QString value
            = word.contains(u'=') ? word.section(u'=', 1) : qEnvironmentVariable(name.toLatin1().constData());
        if (!isJob) {
            continue;
        }
        const YamlPath place{u"extras"_s, u"trainyard"_s, u"variables"_s, name};
        const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::SetText{place, value});
        if (!edits) {
            return report(edits.error());
        }
        yaml = applyEdits(yaml, *edits);
    }
    return exitOk;
}

int readOptions(const RunValues &values, RunOptions &options)
{
    options.file = values.words.constFirst();
    options.wait = values.wait;
    options.follow = values.follow;
    options.foreground = values.foreground;
    options.json = values.json;
    SubmitRequest &request = options.request;
    request.name = values.name;
    request.target = values.on;
    request.runIn = values.in;
    if (values.work) {
        request.work = QDir::cleanPath(QDir::current().absoluteFilePath(*values.work));
    }
    if (values.priority) {
        request.priority = int(*values.priority);
    }
    request.after = values.after;
    request.tags = values.tags;
    request.note = values.note;
    for (const QString &word : values.parameters) {
        const qsizetype equals = word.indexOf(u'=');
        if (equals <= 0) {
            return runLine().wrongUsage(
                tr("%1 takes NAME=VALUE, not '%2'.").arg(runLine().name(&RunValues::parameters), word));
        }
        request.parameters.insert(word.left(equals), word.mid(equals + 1));
    }
    request.key = values.key;
    const Result<QByteArray> bytes = readInput(options.file);
    if (!bytes) {
        return report(bytes.error());
    }
    if (refuseOldJob(*bytes, options.file)) {
        return exitRefused;
    }
    // What runs is written into the job, so that it runs the same again and the record shows it.
    const CatalogueLookup catalogue = folderCatalogue(catalogueFolder(values.catalog));
    const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
    if (!whole) {
        return report(whole.error());
    }
    options.checked = checkedFile(options.file, *bytes, catalogue, request.parameters.keys(), request.name);
    request.yaml = withJobName(*whole, request.name);
    if (const int status = addVariables(values.variables, request.yaml); status != exitOk) {
        return status;
    }
    if (values.strict) {
        if (const int status = makeStrict(options.file, catalogue, request.yaml); status != exitOk) {
            return status;
        }
    }
    if (options.file != "-"_L1) {
        request.file = QFileInfo(options.file).absoluteFilePath();
    }
    QStringList hidden;
    for (const QString &word : values.secrets) {
        hidden.append(word.section(u'=', 0, 0));
    }
    if (const int status = refuseUnknownNames(runCommand().name, request.yaml, request.parameters.keys(), hidden);
        status != exitOk) {
        return status;
    }
    for (const QString &word : values.secrets) {
        if (const int status = readSecret(runCommand().name, word, request.secrets); status != exitOk) {
            return status;
        }
    }
    return exitOk;
}

int runRun(const RunValues &values)
{
    RunOptions options;
    if (const int status = readOptions(values, options); status != exitOk) {
        return status;
    }
    if (options.foreground) {
        return withForegroundEngine([&](Session &session) { return submitAndWatch(session, options); });
    }
    Session session;
    const int status = session.connect(EngineClient::Start::IfNeeded);
    return status == exitOk ? submitAndWatch(session, options) : status;
}

const CommandLine<RunValues> &runLine()
{
    static const CommandLine<RunValues> line
        = CommandLine<RunValues>(u"run"_s, tr("Run a job"))
              .runs(runRun, {u"FILE"_s, 1, 1, Word::File, tr("Give one FILE of a job.")})
              .text(tr("Submits the job in FILE ('-' is standard input) to the engine and prints its number. The job "
                       "keeps running when you close the terminal."))
              .option(u"--wait"_s, &RunValues::wait,
                  tr("wait until the job has ended and its logs are here, with a table of its tasks on a terminal"))
              .option(u"--follow"_s, &RunValues::follow, tr("wait, and print the output of all tasks as it is written"))
              .option(u"--foreground"_s, &RunValues::foreground,
                  tr("run the job inside this command, without the engine: it has no number and is not in 'ps'. Ctrl+C "
                     "stops the job, a second Ctrl+C kills it; the output follows at the end"))
              .option(u"--on HOST"_s, &RunValues::on,
                  tr("run on this host (see 'hosts list'), or with 'any' on any host with enough free resources; the "
                     "default is 'pool': this computer if the work folder is here and the job fits, else any host"))
              .option(u"--param NAME=VALUE"_s, &RunValues::parameters,
                  tr("override a parameter of the job; may be repeated"))
              .option(u"--env NAME=VALUE"_s, &RunValues::variables,
                  tr("set an environment variable of the tasks; NAME alone takes the value from this shell; may be "
                     "repeated. It is kept with the job (extras.trainyard.variables) and is no place for secrets"))
              .option(u"--key KEY"_s, &RunValues::key,
                  tr("submit only once: if a job was already submitted with KEY, the command means that job, so that a "
                     "script can repeat it. If the engine is lost while one command submits, the command repeats its "
                     "submission by itself, also without KEY"))
              .option(u"--name NAME"_s, &RunValues::name, tr("override the name of the job"))
              .option(u"--work FOLDER"_s, &RunValues::work,
                  tr("the folder in which the commands run (default: the folder of FILE)"))
              .completes(Word::File)
              .option(u"--in RUNTIME"_s, &RunValues::in, tr("what the tasks run in: host, podman, docker or apptainer"))
              .values({u"host"_s, u"podman"_s, u"docker"_s, u"apptainer"_s})
              .option(u"--priority N"_s, &RunValues::priority,
                  tr("position in the queue: jobs with larger numbers start first (default 0)"),
                  wholeNumber(std::numeric_limits<int>::min()))
              .option(u"--after JOB"_s, &RunValues::after,
                  tr("wait until this job has succeeded, with JOB:ended until it has ended; may be repeated. If the "
                     "other job does not succeed, this job fails"))
              .completes(Word::Job)
              .option(u"--tag TAG"_s, &RunValues::tags,
                  tr("give the job a tag, by which 'ps tag:TAG' finds it; may be "
                     "repeated"))
              .option(u"--note TEXT"_s, &RunValues::note, tr("give the job a note"))
              .option(strictOption().spelled, &RunValues::strict, strictOption().text)
              .option(catalogOption().spelled, &RunValues::catalog, catalogOption().text)
              .completes(Word::File)
              .option(secretOption().spelled, &RunValues::secrets, secretOption().text)
              .option(u"--json"_s, &RunValues::json,
                  tr("print a JSON object with id and uuid; if the command waits, the result, in the form of 'ps "
                     "--json'"))
              .exclusive(&RunValues::follow, &RunValues::json)
              .exclusive(&RunValues::foreground, &RunValues::key)
              .because(tr("A run in the foreground is not known to the engine, which keeps the keys."))
              .exclusive(&RunValues::foreground, &RunValues::after)
              .because(tr("A run in the foreground starts at once and cannot wait for a job of the engine."))
              .exclusive(&RunValues::strict, &RunValues::variables)
              .because(tr("A strict job runs as an OpenPAI server runs it, and that has no such variables."))
              .more(tr("The number is printed as '#41' on a terminal, and as 41 to a pipe or file.\n\n"
                       "Ctrl+C ends only this command and not the job, unless it runs in the foreground."))
              .examples(
                  {u"trainyardctl run train.pai.yaml"_s, u"trainyardctl run train.pai.yaml --follow --param lr=0.01"_s,
                      u"trainyardctl run evaluate.pai.yaml --after 41"_s,
                      u"id=$(trainyardctl run train.pai.yaml) && trainyardctl wait \"$id\""_s,
                      u"trainyardctl run - --wait --on lab1 < train.pai.yaml"_s})
              .exits({{exitOk, tr("submitted; if the command waited: SUCCEEDED")},
                         {exitUnusable, tr("the file cannot be read, or wrong usage")},
                         {exitNoEngine, tr("no engine or host")}, {exitRefused, tr("the job was refused")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote());
    return line;
}

} // namespace

Command runCommand() { return runLine().command(); }

} // namespace trainyard::cli
