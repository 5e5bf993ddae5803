// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runforeground.h"

#include "app/cli/console.h"
#include "engine/client/pathbytes.h"
#include "engine/client/paths.h"
#include "engine/client/rpcconnection.h"
#include "engine/contract/removetree.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/inprocess.h"
#include "engine/daemon/leftruns.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QUuid>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 keepMs = qint64(14) * 24 * 3600 * 1000;
constexpr qsizetype mostRuns = 100;

void removeFolder(const QString &folder) { contract::removeTree(pathBytes(folder)); }

// When a run was last alive. Its store is written as long as it lives.
qint64 lastLife(const QFileInfo &run)
{
    if (LeftRuns::isOver(run.filePath())) {
        return LeftRuns::overSince(run.filePath()).toMSecsSinceEpoch();
    }
    const QFileInfo store(run.filePath() + u"/store.db"_s);
    return std::max(
        run.lastModified().toMSecsSinceEpoch(), store.exists() ? store.lastModified().toMSecsSinceEpoch() : 0);
}

void removeOldRuns(const QString &folder)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<std::pair<qint64, QString>> over;
    const QFileInfoList runs = QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QFileInfo &run : runs) {
        if (QUuid::fromString(run.fileName()).isNull()) {
            continue; // not ours
        }
        const qint64 last = lastLife(run);
        if (now - last > keepMs) {
            removeFolder(run.filePath());
        } else if (LeftRuns::isOver(run.filePath())) {
            over.append({last, run.filePath()});
            LeftRuns::removeStore(run.filePath());
        }
    }
    std::sort(over.begin(), over.end());
    for (const auto &[last, path] : over.first(std::max<qsizetype>(0, over.size() - mostRuns))) {
        removeFolder(path);
    }
}

// The folders of a run's tasks with their logs are kept; if nothing ran, nothing is kept.
void leaveLogs(const QString &folder)
{
    const QString runs = folder + u"/runs"_s;
    if (QDir(runs).isEmpty()) {
        removeFolder(folder);
        return;
    }
    LeftRuns::removeStore(folder);
    errorLine(QCoreApplication::translate("trainyardctl", "The logs are in %1 for 14 days.").arg(runs));
}

// A command that was killed has left its tasks, which are ended before others start, since they hold memory and GPUs.
void stopLeftRuns(const QString &folder, const Engine::Options &options)
{
    LeftRuns left(folder, options);
    if (!left.isNeeded()) {
        return;
    }
    const Progress progress(
        QCoreApplication::translate("trainyardctl", "Stopping what a killed run has left behind ..."));
    QEventLoop loop;
    QObject::connect(&left, &LeftRuns::finished, &loop, &QEventLoop::quit);
    left.start();
    loop.exec();
    if (left.stoppedJobs() > 0) {
        errorLine(QCoreApplication::translate(
            "trainyardctl", "The tasks of a run in the foreground that was killed have been stopped."));
    }
}

// The store of this run is its own: what is not here when it ends never comes.
void waitForResults(const Engine &engine)
{
    constexpr int bringLookMs = 100;
    if (!engine.isBringing()) {
        return;
    }
    const Progress progress(QCoreApplication::translate("trainyardctl", "Bringing results and logs ..."));
    const Interrupts interrupts;
    QEventLoop loop;
    QTimer look;
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (!engine.isBringing()) {
            loop.quit();
        }
    });
    look.start(bringLookMs);
    loop.exec();
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
    const Engine::Options options{.stateFolder = own,
        .configFolder = paths::configFolder(),
        .runtimeFolder = paths::runtimeFolder(),
        .agentProgram = {},
        .foreground = true};
    stopLeftRuns(all, options);
    int ended = exitOk;
    {
        const Result<std::unique_ptr<Engine>> engine = Engine::open(options);
        if (!engine) {
            QDir(own).removeRecursively(); // nothing ran in it
            return report(engine.error());
        }
        Session session;
        const int status = session.connect(connectInProcess(**engine));
        ended = status == exitOk ? body(session) : status;
        waitForResults(**engine);
        if (!(*engine)->isIdle()) {
            return ended; // the next run or the daemon stops what is left
        }
        LeftRuns::markOver(own); // while it is ours: the daemon does not look at it, then
    }
    leaveLogs(own);
    return ended;
}

} // namespace trainyard::cli
