// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/enginesocket.h"

#include "engine/client/foldertrust.h"
#include "engine/client/settings.h"
#include "engine/contract/plainfile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype longestPlaceNote = sizeof(sockaddr_un::sun_path); // with the newline in place of the null byte

QString noteFile(const QString &stateFolder) { return stateFolder + u"/daemon.socket"_s; }

// Only this user can have put something there.
bool isPrivate(const QString &folder)
{
    const FolderTrust::Found found = FolderTrust(::getuid()).look(folder);
    return found.error == 0 && found.reason.isEmpty() && (found.mode & 077) == 0;
}

// Neither follows a link nor waits for the writer of a pipe.
QByteArray ownFile(const QString &path)
{
    struct stat info {
    };
    const int fd = contract::openPlainFile(QFile::encodeName(path).constData(), info);
    if (fd < 0) {
        return {};
    }
    QByteArray bytes;
    if (info.st_uid == ::getuid() && (info.st_mode & 022) == 0 && info.st_size <= longestPlaceNote) {
        bytes.resize(longestPlaceNote);
        const ssize_t got = ::read(fd, bytes.data(), std::size_t(bytes.size()));
        bytes.resize(got > 0 ? got : 0);
    }
    ::close(fd);
    return bytes;
}

} // namespace

Result<bool> noteSocket(const QString &stateFolder, const QString &socket)
{
    return writeAtomically(noteFile(stateFolder), QFile::encodeName(socket) + '\n');
}

QString notedSocket(const QString &stateFolder)
{
    QByteArray line = ownFile(noteFile(stateFolder));
    if (!line.endsWith('\n') || !isPrivate(stateFolder)) {
        return {};
    }
    line.chop(1);
    const QString path = QFile::decodeName(line);
    if (!path.startsWith(u'/') || path != QDir::cleanPath(path) || QFile::encodeName(path) != line) {
        return {};
    }
    struct stat info {
    };
    const bool isOwnSocket
        = ::lstat(line.constData(), &info) == 0 && S_ISSOCK(info.st_mode) && info.st_uid == ::getuid();
    return isOwnSocket && isPrivate(QFileInfo(path).path()) ? path : QString();
}

bool isStateFolderHeld(const QString &stateFolder)
{
    const int fd
        = ::open(QFile::encodeName(stateFolder + u"/daemon.lock"_s).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return false;
    }
    // Given back at once; an engine that starts meanwhile can tell it from that of another one (FolderLock).
    const bool isHeld = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return isHeld;
}

} // namespace trainyard
