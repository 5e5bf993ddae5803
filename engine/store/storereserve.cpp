// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/storereserve.h"

#include <QFile>
#include <QFileInfo>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace trainyard
{
namespace
{

constexpr qint64 storeReservedBytes = 4 << 20; // some hundred turns, each of some pages
static_assert(storePlentyBytes >= 8 * storeReservedBytes);
constexpr qint64 reserveLookMs = 10000;

} // namespace

void StoreReserve::keep()
{
    if (m_file.isEmpty() || m_halves > 0 || (m_sinceLook.isValid() && !m_sinceLook.hasExpired(reserveLookMs))) {
        return;
    }
    m_sinceLook.start();
    const QByteArray path = QFile::encodeName(m_file);
    struct statvfs space {
    };
    const QByteArray folder = QFile::encodeName(QFileInfo(m_file).path());
    const int fd = ::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return;
    }
    struct stat info {
    };
    const bool isWhole = ::fstat(fd, &info) == 0 && info.st_size == storeReservedBytes;
    const bool isPlenty = ::statvfs(folder.constData(), &space) == 0
        && qint64(space.f_bavail) * qint64(space.f_frsize) >= storePlentyBytes;
    const bool isKept = isWhole || (isPlenty && ::posix_fallocate(fd, 0, storeReservedBytes) == 0);
    ::close(fd);
    m_halves = isKept ? 2 : 0;
    if (!isKept) {
        ::unlink(path.constData());
    }
}

bool StoreReserve::give()
{
    if (m_halves == 0) {
        return false;
    }
    m_sinceLook.start();
    const QByteArray path = QFile::encodeName(m_file);
    return (--m_halves > 0 ? ::truncate(path.constData(), storeReservedBytes / 2) : ::unlink(path.constData())) == 0;
}

} // namespace trainyard
