// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/leftfolders.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/client/paths.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QDateTime>

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

int stopEngine(const EngineValues &values)
{
    Session session;
    if (const int status = session.connect(EngineClient::Start::Never); status != exitOk) {
        return status;
    }
    const Result<bool> stopped = session.call<api::StopEngine>(
        {values.jobs}, values.jobs ? tr("Stopping the jobs ...") : tr("Stopping the engine ..."));
    if (!stopped && stopped.error().code != "engine.gone"_L1) {
        return report(stopped.error());
    }
    // It has sent its last message; it is gone when the connection is.
    if (session.client().status() == EngineClient::Status::Ready) {
        QEventLoop loop;
        QObject::connect(&session.client(), &EngineClient::statusChanged, &loop, &QEventLoop::quit);
        loop.exec();
    }
    // Or it hangs, and when it will be gone is not known.
    return session.client().status() == EngineClient::Status::Failed ? report(session.client().lastError()) : exitOk;
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
                       "next start."))
              .option(u"--jobs"_s, &EngineValues::jobs, tr("stop the jobs first"))
              .of({u"stop"_s})
              .option(u"--json"_s, &EngineValues::json, tr("print a JSON object"))
              .of({u"status"_s})
              .examples({u"trainyardctl engine status"_s, u"trainyardctl engine stop --jobs"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")},
                  {exitNoEngine, tr("the engine is not running")}});
    return line.command();
}

} // namespace trainyard::cli
