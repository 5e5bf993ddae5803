// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/logprint.h"
#include "app/cli/names.h"
#include "app/cli/remotelogs.h"
#include "app/cli/runforeground.h"
#include "app/cli/secrets.h"
#include "app/cli/strictjob.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/variablename.h"
#include "model/template/pluginsteps.h"
#include "model/yaml/yamledit.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 mostLogAfterwards = 16 << 20; // of all tasks, printed whole after a run in the foreground
constexpr qint64 tailAfterwards = 200; // lines of each task when there is more

struct RunOptions {
    SubmitRequest request;
    QString file;
    bool wait = false, follow = false, foreground = false, json = false;
};

// When a job asks for more than there is, names the command that would run.
void sayFix(const QString &file, const Error &error)
{
    const QString text = refusalFixText(error);
    if (text.isEmpty()) {
        return;
    }
    const auto quoted = [](const QString &word) { return QString::fromUtf8(shellQuote(word.toUtf8())); };
    QStringList words{u"trainyardctl edit"_s, file == "-"_L1 ? file : u"-i "_s + quoted(file)};
    const QJsonArray edits = error.args.value("fix"_L1).toArray();
    for (const QJsonValue &edit : edits) {
        words.append(u"--set "_s + quoted(edit[u"path"].toString() + u'=' + edit[u"value"].toString()));
    }
    errorLine(tr("%1, and it fits here: %2").arg(text, words.join(u' ')));
}

int submit(Session &session, RunOptions &options, SubmitReply &submitted)
{
    for (;;) {
        const Result<SubmitReply> reply = session.call<api::Submit>(options.request, tr("Submitting the job ..."));
        if (reply) {
            submitted = *reply;
            for (const JobNote &note : reply->notes) {
                errorLine(errorText({note.code, note.args}));
            }
            return exitOk;
        }
        const Error &error = reply.error();
        if (askForMissingSecrets(error, options.request.secrets)) {
            continue;
        }
        if (error.code == "job.invalid"_L1) {
            sayDiagnostics(inputName(options.file), error.args.value("diagnostics"_L1).toArray());
        }
        const int status = report(error);
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
    if (!watch.table && !options.json) {
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
        errorLine(endSentence(end.job, !options.foreground && !options.follow));
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
            return usageError(u"run"_s,
                tr("--env takes NAME=VALUE, or the NAME of a variable of this shell, not '%1'. Names that begin with "
                   "PAI_ or TRAINYARD_ are taken.")
                    .arg(word));
        }
        if (!word.contains(u'=') && !qEnvironmentVariableIsSet(name.toLatin1().constData())) {
            return usageError(u"run"_s, tr("The variable %1 is not set in this shell.").arg(name));
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

int readOptions(const QStringList &arguments, RunOptions &options)
{
    QCommandLineParser parser;
    parser.addOptions({
        {u"wait"_s, {}},
        {u"follow"_s, {}},
        {u"foreground"_s, {}},
        {u"json"_s, {}},
        {u"on"_s, {}, u"host"_s},
        {u"param"_s, {}, u"k=v"_s},
        {u"env"_s, {}, u"name"_s},
        {u"key"_s, {}, u"key"_s},
        {u"name"_s, {}, u"name"_s},
        {u"work"_s, {}, u"folder"_s},
        {u"in"_s, {}, u"runtime"_s},
        {u"secret"_s, {}, u"name"_s},
        {u"catalog"_s, {}, u"folder"_s},
        {u"priority"_s, {}, u"n"_s},
        {u"after"_s, {}, u"job"_s},
        {u"strict"_s, {}},
    });
    if (!parse(parser, u"run"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1) {
        return usageError(u"run"_s, files.isEmpty() ? tr("Give the FILE of a job.") : tr("Give only one FILE."));
    }
    options.file = files.first();
    options.wait = parser.isSet(u"wait"_s);
    options.follow = parser.isSet(u"follow"_s);
    options.foreground = parser.isSet(u"foreground"_s);
    options.json = parser.isSet(u"json"_s);
    if (options.follow && options.json) {
        return usageError(u"run"_s, tr("Use --follow or --json, not both."));
    }
    SubmitRequest &request = options.request;
    request.name = parser.value(u"name"_s);
    request.target = parser.value(u"on"_s);
    request.runIn = parser.value(u"in"_s);
    if (parser.isSet(u"work"_s)) {
        request.work = QDir::cleanPath(QDir::current().absoluteFilePath(parser.value(u"work"_s)));
    }
    if (parser.isSet(u"priority"_s)) {
        bool isNumber = false;
        request.priority = parser.value(u"priority"_s).toInt(&isNumber);
        if (!isNumber) {
            return usageError(u"run"_s, tr("--priority takes a whole number."));
        }
    }
    request.after = parser.values(u"after"_s);
    const QStringList parameters = parser.values(u"param"_s);
    for (const QString &word : parameters) {
        const qsizetype equals = word.indexOf(u'=');
        if (equals <= 0) {
            return usageError(u"run"_s, tr("--param takes NAME=VALUE, not '%1'.").arg(word));
        }
        request.parameters.insert(word.left(equals), word.mid(equals + 1));
    }
    if (parser.isSet(u"key"_s)) {
        request.key = parser.value(u"key"_s);
        if (request.key.isEmpty()) {
            return usageError(u"run"_s, tr("--key must not be empty."));
        }
    }
    if (parser.isSet(u"strict"_s) && parser.isSet(u"env"_s)) {
        return usageError(u"run"_s, tr("Use --strict or --env, not both: a cluster does not know such variables."));
    }
    const Result<QByteArray> bytes = readInput(options.file);
    if (!bytes) {
        return report(bytes.error());
    }
    if (refuseOldJob(*bytes, options.file)) {
        return exitRefused;
    }
    // What runs is written into the job, so that it runs the same again and the record shows it.
    const CatalogueLookup catalogue = folderCatalogue(catalogueFolder(parser.value(u"catalog"_s)));
    const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
    if (!whole) {
        return report(whole.error());
    }
    request.yaml = *whole;
    if (const int status = addVariables(parser.values(u"env"_s), request.yaml); status != exitOk) {
        return status;
    }
    if (parser.isSet(u"strict"_s)) {
        if (const int status = makeStrict(options.file, catalogue, request.yaml); status != exitOk) {
            return status;
        }
    }
    if (options.file != "-"_L1) {
        request.file = QFileInfo(options.file).absoluteFilePath();
    }
    const QStringList secrets = parser.values(u"secret"_s);
    QStringList hidden;
    for (const QString &word : secrets) {
        hidden.append(word.section(u'=', 0, 0));
    }
    if (const int status = refuseUnknownNames(u"run"_s, request.yaml, request.parameters.keys(), hidden);
        status != exitOk) {
        return status;
    }
    for (const QString &word : secrets) {
        if (const int status = readSecret(u"run"_s, word, request.secrets); status != exitOk) {
            return status;
        }
    }
    return exitOk;
}

int runRun(const QStringList &arguments)
{
    RunOptions options;
    if (const int status = readOptions(arguments, options); status != exitOk) {
        return status;
    }
    if (options.foreground) {
        return withForegroundEngine([&](Session &session) { return submitAndWatch(session, options); });
    }
    Session session;
    const int status = session.connect(EngineClient::Start::IfNeeded);
    return status == exitOk ? submitAndWatch(session, options) : status;
}

} // namespace

Command runCommand()
{
    return {u"run"_s, tr("Run a job"),
        tr("run FILE [OPTIONS]\n\n"
           "Submits the job in FILE ('-' is standard input) to the engine and prints its number. The job keeps "
           "running\n"
           "when you close the terminal.\n\n"
           "  --wait            wait until the job has ended and its logs are here, with a table of its tasks on a\n"
           "                    terminal\n"
           "  --follow          wait, and print the output of all tasks as it is written\n"
           "  --foreground      run the job inside this command, without the engine; Ctrl+C stops the job, a second\n"
           "                    Ctrl+C kills it; the output follows at the end\n"
           "  --on HOST         run on this host (see 'hosts list'), or with 'any' on any host with enough free\n"
           "                    resources; by default on this computer if the work folder is here and the job fits\n"
           "  --param NAME=VAL  override a parameter of the job; may be repeated\n"
           "  --env NAME=VALUE  set an environment variable of the tasks; NAME alone takes the value from this shell; "
           "may\n"
           "                    be repeated. It is kept with the job (extras.trainyard.variables): secrets need "
           "--secret\n"
           "  --key KEY         submit only once: if a job was already submitted with KEY, the command means that job. "
           "A\n"
           "                    script that does not know whether its submission arrived can repeat it\n"
           "  --name NAME       override the name of the job\n"
           "  --work FOLDER     the folder in which the commands run (default: the folder of FILE)\n"
           "  --in RUNTIME      what the tasks run in: host, podman, docker or apptainer\n"
           "  --priority N      position in the queue: jobs with larger numbers start first (default 0)\n"
           "  --after JOB       wait until this job has succeeded, with JOB:ended until it has ended; may be "
           "repeated.\n"
           "                    If the other job does not succeed, this job fails\n"
           "  --strict          behave exactly as an OpenPAI cluster: the job is refused if a server would refuse it, "
           "and\n"
           "                    runs as the cluster's runtime runs it (extras.trainyard.strict). FILE is not changed; "
           "the\n"
           "                    job's record has the mark, so that 'retry' is strict, too\n"
           "  --catalog FOLDER  where marketplace://data/x is found (FOLDER/data/x.yaml); by default the setting\n"
           "                    catalogue.folder\n"
           "  --secret NAME     ask for a secret of the job; NAME=@FILE reads it from a file, NAME=env:VARIABLE from "
           "the\n"
           "                    environment. A value itself is not accepted: other users can read command lines\n"
           "  --json            print a JSON object with id and uuid; with --wait the result, in the form of 'ps "
           "--json'\n\n"
           "The number is printed as '#41' on a terminal, and as 41 to a pipe or file.\n"
           "Ctrl+C with --wait or --follow ends only this command; the job keeps running.\n\n"
           "Examples:\n"
           "  trainyardctl run train.pai.yaml\n"
           "  trainyardctl run train.pai.yaml --follow --param lr=0.01\n"
           "  trainyardctl run evaluate.pai.yaml --after 41\n"
           "  id=$(trainyardctl run train.pai.yaml) && trainyardctl wait \"$id\"\n"
           "  trainyardctl run - --wait --on lab1 < train.pai.yaml\n\n"
           "Exit status:\n"
           "  0    submitted; with --wait, --follow or --foreground: SUCCEEDED\n"
           "  2    the file cannot be read, or wrong usage\n"
           "  3    no engine or host\n"
           "  4    the job was refused\n"
           "  130  STOPPED, or interrupted with Ctrl+C\n"
           "A FAILED job that was waited for gives the status of its command, or its own code, if that is 1 to 125,\n"
           "otherwise 1."),
        runRun};
}

} // namespace trainyard::cli
