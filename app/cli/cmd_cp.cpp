// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attemptchoice.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/hostcommand.h"
#include "app/cli/interrupts.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/useofhost.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/removetree.h"
#include "model/base/shellquote.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QUuid>

#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// The status of the command that sends a file when there is no file: no program that it calls ends with it.
constexpr int nothingThere = 44;

// tar has sent a whole archive and complained: about a file that was written meanwhile, as logs of a running task are,
// or about one that it could not read, which the archive then lacks as a whole or in part.
constexpr int changedMeanwhile = 1, notRead = 2;

// 41:results/model.pt, or 41:worker/3:results/model.pt
struct CopyWord {
    QString job, role, path;
    int index = -1;
};

std::optional<CopyWord> copyWord(const QString &word)
{
    static const QRegularExpression shape(u"\\A(name:[^:/]+|[^:]+):(?:([^:/]+)/(\\d{1,6}):)?([^:].*)\\z"_s,
        QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = shape.match(word);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QString index = match.captured(3);
    return CopyWord{match.captured(1), match.captured(2), match.captured(4), index.isEmpty() ? -1 : index.toInt()};
}

int runProgram(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(program, arguments);
    process.waitForFinished(-1);
    if (process.error() == QProcess::FailedToStart) {
        errorLine(tr("%1 cannot be started: %2").arg(program, process.errorString()));
    }
    return process.exitStatus() == QProcess::NormalExit && process.error() == QProcess::UnknownError
        ? process.exitCode()
        : exitNo;
}

// `to` is the copy itself, not the folder for it.
int copyHere(const QString &from, const QString &to)
{
    return runProgram(u"cp"_s, {u"-aT"_s, u"--"_s, from, to}) == 0 ? exitOk : exitNo;
}

// To their ends, or to the user's Ctrl+C.
void waitForBoth(QProcess &sender, QProcess &receiver)
{
    constexpr int lookMs = 100, patienceMs = 2000;
    for (QProcess *const process : {&sender, &receiver}) {
        while (process->state() != QProcess::NotRunning && !KeptInterrupts::arePending()) {
            process->waitForFinished(lookMs);
        }
    }
    for (QProcess *const process : {&sender, &receiver}) {
        if (process->state() != QProcess::NotRunning) {
            process->terminate();
        }
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(patienceMs)) {
            process->kill();
            process->waitForFinished(patienceMs);
        }
    }
}

// Through the same ssh as `exec`. First beside its place, so that neither a cut line nor Ctrl+C leaves anything half
// there. `ifMissing`: what is said besides when it is not there.
int copyFromHost(const HostInfo &host, const QString &from, const QString &to, const QString &ifMissing)
{
    const QFileInfo wanted(from);
    const KeptInterrupts kept; // for as long as there are parts
    const QTemporaryDir parts(QFileInfo(to).absolutePath() + u"/.trainyard-cp-XXXXXX"_s);
    if (!parts.isValid()) {
        errorLine(tr("Cannot write to %1: %2").arg(QFileInfo(to).absolutePath(), parts.errorString()));
        return exitUnusable;
    }
    const auto clean = qScopeGuard([&] { contract::removeTree(pathBytes(parts.path())); });
    const QString script = u"[ -e \"$1/$2\" ] || [ -L \"$1/$2\" ] || exit %1; cd -- \"$1\" && echo && echo \"$3\" && "
                           "exec tar -cf - -- \"$2\""_s.arg(nothingThere);
    const QString mark = u"trainyard-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces);
    HostCommand there(host,
        u"exec sh -c "_s + shellWord(script) + u" sh "_s + shellWord(wanted.path()) + u' '
            + shellWord(wanted.fileName()) + u' ' + mark,
        false);
    QProcess sender, receiver;
    sender.setStandardOutputProcess(&receiver);
    sender.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    sender.setInputChannelMode(QProcess::ForwardedInputChannel);
    QTemporaryFile complaints;
    if (complaints.open()) {
        receiver.setStandardErrorFile(complaints.fileName());
    }
    there.start(sender);
    // The output of start-up files there precedes the mark.
    const QString behindMark
        = u"while IFS= read -r line; do if [ \"$line\" = \"$1\" ]; then shift; exec \"$@\"; fi; done; exit 1"_s;
    receiver.start(u"sh"_s,
        {u"-c"_s, behindMark, u"sh"_s, mark, u"tar"_s, u"-xf"_s, u"-"_s, u"--no-same-owner"_s, u"-C"_s, parts.path()});
    {
        const Progress progress(tr("Copying from %1 ...").arg(host.id));
        waitForBoth(sender, receiver);
    }
    if (KeptInterrupts::arePending()) {
        return exitInterrupted;
    }
    if (const std::optional<int> status = there.failure(sender)) {
        return *status; // what the receiver says of half a stream adds nothing
    }
    if (statusOf(sender) == nothingThere) {
        errorLine(tr("There is no %1 on %2.").arg(from, host.id) + ifMissing);
        return exitUnusable;
    }
    if (const QString said = QString::fromLocal8Bit(complaints.readAll()).trimmed(); !said.isEmpty()) {
        errorLine(said);
    }
    const QString arrived = parts.filePath(wanted.fileName());
    const QFileInfo arrival(arrived);
    const bool isUseful = statusOf(sender) <= (arrival.isDir() ? notRead : changedMeanwhile);
    if (!isUseful || statusOf(receiver) != 0 || (!arrival.exists() && !arrival.isSymLink())) {
        return exitNo;
    }
    const bool isThere = (!QFileInfo::exists(to) && QFile::rename(arrived, to)) || copyHere(arrived, to) == exitOk;
    if (KeptInterrupts::arePending()) {
        return exitInterrupted;
    }
    return isThere && statusOf(sender) == 0 ? exitOk : exitNo;
}

struct CpValues {
    QStringList words;
    std::optional<qint64> attempt;
};
const CommandLine<CpValues> &cpLine();

// The task that is meant when none was named is the only one.
int findTask(Session &session, const JobSummary &job, int attempt, CopyWord &word)
{
    if (word.index >= 0) {
        return exitOk;
    }
    const Result<QList<TaskInfo>> tasks = session.someTasks(job.uuid, attempt, 0, 2);
    if (!tasks) {
        return report(tasks.error());
    }
    if (tasks->size() != 1) {
        return cpLine().wrongUsage(tr("The job has several tasks. Give one of them: JOB:ROLE/INDEX:PATH."));
    }
    word.role = tasks->constFirst().role;
    word.index = tasks->constFirst().index;
    return exitOk;
}

// In the folder of which attempt a file was looked for, of a job that has several. It may be in that of another one.
QString attemptSearched(const TaskInfo &task)
{
    return u' '
        + tr("This is the folder of attempt %1; %2 chooses another one.")
              .arg(QString::number(task.attempt + 1), cpLine().name(&CpValues::attempt));
}

int copyOne(Session &session, CopyWord word, const std::optional<qint64> &attemptWanted, const QString &destination)
{
    const Result<JobSummary> job = session.findJob(word.job);
    if (!job) {
        return report(job.error());
    }
    const std::optional<int> attempt = chosenAttempt(*job, attemptWanted);
    if (!attempt) {
        return exitUnusable;
    }
    if (const int status = findTask(session, *job, *attempt, word); status != exitOk) {
        return status;
    }
    const Result<TaskFolder> place = session.call<api::GetTaskFolder>({job->uuid, word.role, word.index, *attempt});
    if (!place) {
        const int status = report(place.error());
        sayHowHostComesBack(place.error());
        return status;
    }
    QString ifMissing;
    if (job->retries > 0 && !word.path.startsWith(u'/')) {
        const QList<TaskInfo> tasks = session.someTasks(job->uuid, *attempt, 0, 1).value_or(QList<TaskInfo>());
        sayIfFormer(*job, attemptWanted, tasks);
        ifMissing = tasks.isEmpty() ? QString() : attemptSearched(tasks.constFirst());
    }
    const QString from = QDir::cleanPath(word.path.startsWith(u'/') ? word.path : place->work + u'/' + word.path);
    if (QFileInfo(from).fileName().isEmpty()) {
        return cpLine().wrongUsage(tr("Give the path of a file or folder."));
    }
    const QString to = QFileInfo(destination).isDir() ? destination + u'/' + QFileInfo(from).fileName() : destination;
    const bool isHere = place->isHere && (from == place->work || from.startsWith(place->work + u'/'));
    if (!place->target.isEmpty() && !isHere) {
        HostInfo host = hostNamed(session, place->host);
        host.id = place->host;
        host.target = place->target;
        return copyFromHost(host, from, to, ifMissing);
    }
    if (const QFileInfo source(from); !source.exists() && !source.isSymLink()) {
        errorLine(tr("There is no %1.").arg(from) + ifMissing);
        return exitUnusable;
    }
    return copyHere(from, to);
}

int runCp(const CpValues &values)
{
    QStringList words = values.words;
    const QString destination = words.takeLast();
    if (words.size() > 1 && !QFileInfo(destination).isDir()) {
        return cpLine().wrongUsage(tr("%1 is not a folder.").arg(destination));
    }
    const QFileInfo place(destination);
    const QString folder = destination.endsWith(u'/') ? destination : place.path(); // which has to be there
    if (!QFileInfo(folder).isDir()) {
        return cpLine().wrongUsage((QFileInfo::exists(QDir::cleanPath(folder)) ? tr("%1 is not a folder.")
                                                                               : tr("The folder %1 does not exist."))
                                       .arg(QDir::cleanPath(folder)));
    }
    QList<CopyWord> sources;
    for (const QString &word : std::as_const(words)) {
        const std::optional<CopyWord> source = copyWord(word);
        if (!source) {
            return cpLine().wrongUsage(tr("'%1' is not JOB:PATH or JOB:ROLE/INDEX:PATH.").arg(word));
        }
        sources.append(*source);
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    int worst = exitOk;
    for (const CopyWord &source : std::as_const(sources)) {
        if (const int status = copyOne(session, source, values.attempt, destination); status != exitOk) {
            worst = status;
        }
        if (worst == exitInterrupted) {
            break;
        }
    }
    return worst;
}

const CommandLine<CpValues> &cpLine()
{
    static const CommandLine<CpValues> line
        = CommandLine<CpValues>(u"cp"_s, tr("Copy files out of the folder of a task"))
              .runs(runCp,
                  {u"JOB:[ROLE/INDEX:]PATH... DESTINATION"_s, 2, anyNumber, Word::File,
                      tr("Give the source, JOB:PATH, and the DESTINATION.")})
              .text(tr("Copies files and folders of a task to this computer, even from another host (by ssh and tar). "
                       "PATH is relative to the task's work folder, or absolute. A task must be named if the job has "
                       "more than one. A folder is copied with everything in it; DESTINATION is a folder for the "
                       "copies, or the name of a single copy. A file is sent to a running task with 'exec'."))
              .option(u"--attempt N"_s, &CpValues::attempt,
                  tr("copy from an earlier attempt of the job, counted from 1"), wholeNumber(1))
              .examples({u"trainyardctl cp 41:model.pt ."_s,
                  u"trainyardctl cp 41:worker/0:results 41:worker/1:results/log.csv out/"_s})
              .exits({{exitOk, tr("ok")}, {exitNo, tr("something could not be copied")},
                  {exitUnusable, tr("no such job, task or file, or wrong usage")},
                  {exitNoEngine, tr("no engine, or its host cannot be reached")},
                  {exitRefused, tr("the task has not been started")}, {exitInterrupted, tr("interrupted")}});
    return line;
}

} // namespace

Command cpCommand() { return cpLine().command(); }

} // namespace trainyard::cli
