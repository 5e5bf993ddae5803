// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runforeground.h"

#include "app/cli/console.h"
#include "engine/client/paths.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/inprocess.h"

#include <QDateTime>
#include <QDir>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 keepMs = qint64(14) * 24 * 3600 * 1000;

void removeOldRuns(const QString &folder)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QFileInfoList runs = QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QFileInfo &run : runs) {
        // The store is written as long as the run lives; what is not named by us is not ours.
        const QFileInfo store(run.filePath() + u"/store.db"_s);
        const qint64 newest = std::max(
            run.lastModified().toMSecsSinceEpoch(), store.exists() ? store.lastModified().toMSecsSinceEpoch() : 0);
        if (!QUuid::fromString(run.fileName()).isNull() && now - newest > keepMs) {
            QDir(run.filePath()).removeRecursively();
        }
    }
}

} // namespace

int withForegroundEngine(const std::function<int(Session &session)> &body)
{
    const QString state = paths::stateFolder();
    const QString all = paths::foregroundFolder(state);
    const QString own = all + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    for (const QString &folder : {state, all, own, paths::runtimeFolder()}) {
        const Result<QString> made = paths::ensurePrivateFolder(folder);
        if (!made) {
            return report(made.error());
        }
    }
    removeOldRuns(all);
    const Result<std::unique_ptr<Engine>> engine = Engine::open({.stateFolder = own,
        .configFolder = paths::configFolder(),
        .runtimeFolder = paths::runtimeFolder(),
        .agentProgram = {},
        .foreground = true});
    if (!engine) {
        return report(engine.error());
    }
    Session session;
    const int status = session.connect(connectInProcess(**engine));
    return status == exitOk ? body(session) : status;
}

} // namespace trainyard::cli
