// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/folderlock.h"

#include <QFile>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int mostLockLooks = 500;
constexpr useconds_t betweenLockLooks = 2000; // microseconds

} // namespace

FolderLock::~FolderLock()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

// Beside the store, not in the runtime folder, which a logout removes.
Result<void> FolderLock::take(const QString &folder)
{
    m_fd = ::open(QFile::encodeName(folder + u"/daemon.lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int error = m_fd < 0 ? errno : ::flock(m_fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    // A process that only looks shares it for a moment (isStateFolderHeld()), and no engine does.
    for (int look = 0; error == EWOULDBLOCK && look < mostLockLooks && ::flock(m_fd, LOCK_SH | LOCK_NB) == 0; ++look) {
        ::flock(m_fd, LOCK_UN);
        ::usleep(betweenLockLooks);
        error = ::flock(m_fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    }
    if (error == 0) {
        return {};
    }
    if (error == EWOULDBLOCK) {
        return fail(u"engine.already-running"_s, {{u"folder"_s, folder}});
    }
    return fail(
        u"engine.folder"_s, {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

} // namespace trainyard
