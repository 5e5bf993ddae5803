// SPDX-License-Identifier: GPL-3.0-or-later
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

int showStatus(Session &session, bool json)
{
    const Result<EngineStatus> status = session.call<api::GetStatus>({});
    if (!status) {
        return report(status.error());
    }
    if (json) {
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

int stopEngine(Session &session, bool jobs)
{
    const Result<bool> stopped
        = session.call<api::StopEngine>({jobs}, jobs ? tr("Stopping the jobs ...") : tr("Stopping the engine ..."));
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

int runEngine(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{u"json"_s, {}}, {u"jobs"_s, {}}});
    if (!parse(parser, u"engine"_s, arguments)) {
        return exitUnusable;
    }
    const QString what = parser.positionalArguments().value(0, u"status"_s);
    if (what != "status"_L1 && what != "stop"_L1) {
        return usageError(u"engine"_s,
            tr("'%1' is not a command of engine; use status or stop.").arg(what)
                + didYouMean(what, {u"status"_s, u"stop"_s}));
    }
    if (parser.positionalArguments().size() > 1) {
        return usageError(u"engine"_s,
            tr("engine %1 takes no further arguments, such as '%2'.").arg(what, parser.positionalArguments().at(1)));
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::Never); status != exitOk) {
        return status;
    }
    return what == "stop"_L1 ? stopEngine(session, parser.isSet(u"jobs"_s))
                             : showStatus(session, parser.isSet(u"json"_s));
}

} // namespace

Command engineCommand()
{
    return {u"engine"_s, tr("Show the status of the engine, or stop it"),
        tr("engine [status [--json]]\n"
           "       trainyardctl engine stop [--jobs]\n\n"
           "The engine is the background process that runs your jobs. It starts when it is needed and ends when it "
           "has\n"
           "nothing to do. Stopping it does not end running tasks: it finds them again at its next start.\n\n"
           "  --jobs  stop the jobs first\n"
           "  --json  print a JSON object\n\n"
           "Examples:\n"
           "  trainyardctl engine status\n"
           "  trainyardctl engine stop --jobs\n\n"
           "Exit status: 0 ok; 2 wrong usage; 3 the engine is not running."),
        runEngine};
}

} // namespace trainyard::cli
