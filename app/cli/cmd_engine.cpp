// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/leftfolders.h"
#include "app/cli/session.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/client/paths.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QSet>
#include <QTimer>

#include <memory>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct EngineValues {
    QStringList words;
    bool json = false, jobs = false;
};

int showStatus(const EngineValues &values)
{
    Session session;
    if (const int connected = session.connect(EngineClient::Start::Never); connected != exitOk) {
        return connected;
    }
    const Result<EngineStatus> status = session.call<api::GetStatus>({});
    if (!status) {
        return report(status.error());
    }
    if (values.json) {
        outJson(QJsonDocument(status->toJson()));
        return exitOk;
    }
    QList<QStringList> rows{
        {tr("Engine"), tr("running, version %1").arg(status->version)},
        {tr("Process"), QString::number(status->pid)},
        {tr("Since"), formatDuration(QDateTime::currentMSecsSinceEpoch() - status->startedAt)},
        {tr("Active jobs"), QString::number(status->activeJobs)},
        {tr("Clients"), QString::number(status->clients)},
        {tr("Folder"), status->stateFolder},
    };
    if (paths::stateFolderIsTemporary()) {
        rows.append({tr("Note"),
            tr("this folder is lost when you log out, since another user has taken the usual one; set XDG_STATE_HOME "
               "to a folder on a local disk")});
    }
    if (status->lingers) {
        rows.append({tr("Logout"),
            *status->lingers ? tr("jobs keep running")
                             : tr("jobs end when you log out; 'loginctl enable-linger' changes that")});
    }
    const QStringList lines = alignedRows(rows);
    for (const QString &line : lines) {
        outLine(line);
    }
    const QStringList left = leftFolderLines(leftFolders(session, status->stateFolder), status->stateFolder);
    for (const QString &line : left) {
        outLine(line);
    }
    return exitOk;
}

// The jobs that the engine waits for, one line each.
QStringList awaitedLines(const QList<JobSummary> &jobs)
{
    QStringList lines;
    for (const JobSummary &job : jobs) {
        if (isFinal(job.state)) {
            continue;
        }
        const QString why = reasonText(job.reason, job.reasonArgs);
        lines.append(why.isEmpty() ? tr("Waits for the end of %1.").arg(jobTitle(job))
                                   : tr("Waits for the end of %1: %2").arg(jobTitle(job), why));
    }
    return lines;
}

// Waits for the end of the jobs, and names those that take long. Nothing: the user has interrupted it.
std::optional<Result<bool>> stopWithJobs(Session &session)
{
    constexpr int namesMs = 5000; // between two looks at what is still there
    constexpr int mostNamed = 20;
    auto progress = std::make_unique<Progress>(tr("Stopping the jobs ..."));
    std::optional<Result<bool>> answer;
    QSet<QString> said;
    QEventLoop loop;
    Interrupts interrupts;
    QTimer timer;
    QObject context; // deleted first: later answers are not needed
    session.client().call<api::StopEngine>({true}, &context, [&](const Result<bool> &stopped) {
        answer = stopped;
        loop.quit();
    });
    QObject::connect(&timer, &QTimer::timeout, &context, [&] {
        session.client().call<api::ListJobs>(
            {u"state:active"_s, 0, mostNamed}, &context, [&](const Result<QList<JobSummary>> &jobs) {
                const QStringList lines = jobs ? awaitedLines(*jobs) : QStringList();
                for (const QString &line : lines) {
                    if (!said.contains(line)) {
                        said.insert(line);
                        progress.reset();
                        errorLine(line);
                    }
                }
            });
    });
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
    timer.start(namesMs);
    loop.exec();
    return answer;
}

int stopEngine(const EngineValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::Never); status != exitOk) {
        return status;
    }
    const Result<EngineStatus> before
        = values.jobs ? Result<EngineStatus>(EngineStatus()) : session.call<api::GetStatus>({});
    const std::optional<Result<bool>> answer = values.jobs
        ? stopWithJobs(session)
        : std::optional(session.call<api::StopEngine>({false}, tr("Stopping the engine ...")));
    if (!answer) {
        errorLine(tr("The engine continues to stop the jobs, and ends when they have ended. 'trainyardctl stop "
                     "--give-up JOB' ends one whose cluster or host does not answer."));
        return exitInterrupted;
    }
    const Result<bool> &stopped = *answer;
    if (!stopped && stopped.error().code != "engine.gone"_L1) {
        return report(stopped.error());
    }
    // It has sent its last message; it is gone when the connection is.
    if (session.client().status() == EngineClient::Status::Ready) {
        QEventLoop loop;
        QObject::connect(&session.client(), &EngineClient::statusChanged, &loop, &QEventLoop::quit);
        loop.exec();
    }
    if (session.client().status() == EngineClient::Status::Failed) { // it hangs: when it will be gone is not known
        return report(session.client().lastError());
    }
    if (const int left = before ? before->activeJobs : 0; left > 0) {
        errorLine(left == 1 ? tr("1 job has not ended. Its running tasks continue; the others wait for the next start "
                                 "of the engine. With --jobs, the jobs are stopped first.")
                            : tr("%1 jobs have not ended. Their running tasks continue; the others wait for the next "
                                 "start of the engine. With --jobs, the jobs are stopped first.")
                                  .arg(left));
    }
    return exitOk;
}

} // namespace

Command engineCommand()
{
    static const CommandLine<EngineValues> line
        = CommandLine<EngineValues>(u"engine"_s, tr("Show the status of the engine, or stop it"))
              .form(u"status"_s, showStatus)
              .form(u"stop"_s, stopEngine)
              .text(tr("The engine is the background process that runs your jobs. It starts when it is needed and ends "
                       "when it has nothing to do. Stopping it does not end running tasks: it finds them again at its "
                       "next start. With --jobs, the command names the jobs that take long to end; Ctrl+C ends only "
                       "this command."))
              .option(u"--jobs"_s, &EngineValues::jobs, tr("stop the jobs first"))
              .of({u"stop"_s})
              .option(u"--json"_s, &EngineValues::json, tr("print a JSON object"))
              .of({u"status"_s})
              .examples({u"trainyardctl engine status"_s, u"trainyardctl engine stop --jobs"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")},
                  {exitNoEngine, tr("the engine is not running")},
                  {exitInterrupted, tr("interrupted with Ctrl+C: the engine continues to stop the jobs")}});
    return line.command();
}

} // namespace trainyard::cli
