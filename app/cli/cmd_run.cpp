// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/logprint.h"
#include "app/cli/names.h"
#include "app/cli/runforeground.h"
#include "app/cli/secrets.h"
#include "app/cli/strictjob.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/shellquote.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
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

QString tr(const char *text) { return QCoreApplication::translate("trainyardctl", text); }

// Where a job asks for more than there is: what would run, as a command.
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
        const Result<SubmitReply> reply = session.ask<SubmitReply>(
            [&](auto answer) { session.client().submit(options.request, session.context(), answer); },
            tr("Handing the job over ..."));
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
            outLine(number);
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
        return usageError(u"run"_s, files.isEmpty() ? tr("Which file?") : tr("One file at a time, please."));
    }
    options.file = files.first();
    options.wait = parser.isSet(u"wait"_s);
    options.follow = parser.isSet(u"follow"_s);
    options.foreground = parser.isSet(u"foreground"_s);
    options.json = parser.isSet(u"json"_s);
    if (options.follow && options.json) {
        return usageError(u"run"_s, tr("--follow prints the logs, --json an object: choose one."));
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

int run(const QStringList &arguments)
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
           "Hands the job of a YAML file (- is standard input) to the engine and prints its number. The job goes on\n"
           "when the terminal is closed.\n\n"
           "  --wait            wait for the end; a table of the tasks on a terminal\n"
           "  --follow          wait, and print the output of all tasks as it comes\n"
           "  --foreground      run it inside this command, without the engine: Ctrl+C stops the job, a second one\n"
           "                    kills it; then the output\n"
           "  --on HOST         where to run it (see 'hosts list'); otherwise wherever there is room\n"
           "  --param NAME=VAL  overrides a parameter of the job; may be repeated\n"
           "  --name NAME       overrides the job's name\n"
           "  --work FOLDER     where the commands run (default: the folder of FILE)\n"
           "  --in RUNTIME      what its tasks run in: host, or their image in podman, docker or apptainer\n"
           "  --priority N      its place in the queue: larger goes first (default 0)\n"
           "  --after JOB       wait until this job has succeeded, with JOB:ended until it is over; may be repeated.\n"
           "                    If it does not succeed, the new job fails\n"
           "  --strict          to the letter as a cluster would, to find out here how it behaves there: refused\n"
           "                    if an OpenPAI server would refuse it, and run as its runtime does\n"
           "                    (extras.trainyard.strict). FILE stays as it is; the job's record has the mark,\n"
           "                    so that 'retry' is strict too\n"
           "  --catalog FOLDER  where marketplace://data/x is (FOLDER/data/x.yaml); otherwise the setting\n"
           "                    catalogue.folder\n"
           "  --secret NAME     ask for a secret of the job; NAME=@FILE reads it from a file, NAME=env:VARIABLE from\n"
           "                    the environment. Never its value: other users can read command lines\n"
           "  --json            print an object: id and uuid; after --wait how it ended, in the form of 'ps --json'\n\n"
           "Ctrl+C with --wait and --follow lets go of the job, which goes on; so does --follow when nobody reads its\n"
           "output any more.\n\n"
           "Examples:\n"
           "  trainyardctl run train.pai.yaml\n"
           "  trainyardctl run train.pai.yaml --follow --param lr=0.01\n"
           "  trainyardctl run evaluate.pai.yaml --after 41\n"
           "  trainyardctl run - --wait --on lab1 < train.pai.yaml\n\n"
           "Exit status:\n"
           "  0    submitted; with --wait, --follow or --foreground: SUCCEEDED\n"
           "  2    the file cannot be read, or wrong usage\n"
           "  3    no engine or host\n"
           "  4    the job was refused\n"
           "  130  STOPPED, or after Ctrl+C\n"
           "A FAILED job that was waited for gives the status of its command, or its own code, if that is\n"
           "1 to 125, otherwise 1."),
        run};
}

} // namespace trainyard::cli
