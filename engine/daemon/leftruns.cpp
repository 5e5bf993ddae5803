// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/leftruns.h"

#include "engine/client/enginesocket.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>

#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int lookAgainMs = 2000;
constexpr int beginSeconds = 60;

// Beside the store of a run that has nothing left to be stopped: it is not opened again.
QString markOf(const QString &folder) { return folder + u"/over"_s; }

} // namespace

LeftRuns::LeftRuns(const QString &foregroundFolder, const Engine::Options &options, QObject *parent)
    : QObject(parent), m_foregroundFolder(foregroundFolder), m_options(options)
{
    look();
    m_again.setSingleShot(true);
    m_again.setInterval(lookAgainMs);
    connect(&m_again, &QTimer::timeout, this, &LeftRuns::lookAgain);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &LeftRuns::lookAgain);
}

LeftRuns::~LeftRuns() = default;

void LeftRuns::look()
{
    m_anyLives = false;
    const QStringList names = QDir(m_foregroundFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QString &name : names) {
        const QString folder = m_foregroundFolder + u'/' + name;
        if (QUuid::fromString(name).isNull() || m_done.contains(folder)) {
            continue;
        }
        if (isOver(folder)) {
            m_done.insert(folder);
        } else if (isStateFolderHeld(folder)) {
            m_anyLives = true;
        } else if (!QFile::exists(folder + u"/store.db"_s)) {
            m_anyLives = m_anyLives // it may be about to begin
                || QFileInfo(folder).lastModified().secsTo(QDateTime::currentDateTime()) < beginSeconds;
        } else {
            m_folders.append(folder);
        }
    }
}

void LeftRuns::lookAgain()
{
    if (m_busy) {
        return; // finished() looks again
    }
    if (m_watcher.directories() != QStringList(m_foregroundFolder) && QFileInfo(m_foregroundFolder).isDir()) {
        m_watcher.removePaths(m_watcher.directories());
        m_watcher.addPath(m_foregroundFolder);
    }
    look();
    if (!m_folders.isEmpty()) {
        start();
    } else if (m_anyLives) {
        m_again.start();
    }
}

void LeftRuns::watch()
{
    m_watching = true;
    // The folder is made by the first run.
    m_watcher.addPath(
        QFileInfo(m_foregroundFolder).isDir() ? m_foregroundFolder : QFileInfo(m_foregroundFolder).path());
    start();
}

void LeftRuns::markOver(const QString &folder)
{
    QSaveFile mark(markOf(folder));
    if (mark.open(QIODevice::WriteOnly)) {
        mark.commit();
    }
}

bool LeftRuns::isOver(const QString &folder) { return QFile::exists(markOf(folder)); }

QDateTime LeftRuns::overSince(const QString &folder) { return QFileInfo(markOf(folder)).lastModified(); }

void LeftRuns::removeStore(const QString &folder)
{
    const QStringList files = QDir(folder).entryList({u"store.*"_s}, QDir::Files | QDir::NoSymLinks);
    for (const QString &file : files) {
        QFile::remove(folder + u'/' + file);
    }
}

void LeftRuns::start()
{
    m_busy = true;
    QTimer::singleShot(0, this, &LeftRuns::next);
}

void LeftRuns::next()
{
    m_engine.reset();
    while (!m_folders.isEmpty()) {
        const QString folder = m_folders.takeFirst();
        m_done.insert(folder);
        Engine::Options options = m_options;
        options.stateFolder = folder;
        options.foreground = true;
        Result<std::unique_ptr<Engine>> opened = Engine::open(options);
        if (!opened) {
            if (opened.error().code == "engine.already-running"_L1) {
                m_done.remove(folder); // another program is at it
            }
            continue; // or it cannot be read
        }
        const auto over = [this, folder] {
            markOver(folder);
            next();
        };
        if ((*opened)->isIdle()) {
            opened->reset();
            over();
            return;
        }
        m_engine = std::move(*opened);
        m_stopped += int(m_engine->activeJobs().size());
        connect(
            m_engine.get(), &Engine::idleChanged, this,
            [over](bool idle) {
                if (idle) {
                    over();
                }
            },
            Qt::QueuedConnection);
        m_engine->stopAll();
        return;
    }
    m_busy = false;
    if (!m_watching) {
        Q_EMIT finished();
        return;
    }
    if (std::exchange(m_stopped, 0) > 0) {
        qInfo("The tasks of a run in the foreground whose command was killed have been stopped.");
        Q_EMIT finished();
    }
    lookAgain(); // others may have been left meanwhile
}

} // namespace trainyard
