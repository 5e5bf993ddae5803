// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/leftruns.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QTimer>
#include <QUuid>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Beside the store of a run that has nothing left to be stopped: it is not opened again.
QString markOf(const QString &folder) { return folder + u"/over"_s; }

bool isHeld(const QString &folder)
{
    const int fd = ::open(QFile::encodeName(folder + u"/daemon.lock"_s).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return false;
    }
    const bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
    ::close(fd);
    return held;
}

} // namespace

LeftRuns::LeftRuns(const QString &foregroundFolder, const Engine::Options &options, QObject *parent)
    : QObject(parent), m_options(options)
{
    const QStringList names = QDir(foregroundFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QString &name : names) {
        const QString folder = foregroundFolder + u'/' + name;
        if (!QUuid::fromString(name).isNull() && QFile::exists(folder + u"/store.db"_s)
            && !QFile::exists(markOf(folder)) && !isHeld(folder)) {
            m_folders.append(folder);
        }
    }
}

void LeftRuns::markOver(const QString &folder)
{
    QSaveFile mark(markOf(folder));
    if (mark.open(QIODevice::WriteOnly)) {
        mark.commit();
    }
}

void LeftRuns::start() { QTimer::singleShot(0, this, &LeftRuns::next); }

void LeftRuns::next()
{
    m_engine.reset();
    while (!m_folders.isEmpty()) {
        const QString folder = m_folders.takeFirst();
        Engine::Options options = m_options;
        options.stateFolder = folder;
        options.foreground = true;
        Result<std::unique_ptr<Engine>> opened = Engine::open(options);
        if (!opened) {
            continue; // somebody else is at it, or it cannot be read
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
    Q_EMIT finished();
}

} // namespace trainyard
