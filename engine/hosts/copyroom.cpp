// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/copyroom.h"

#include <QFile>

#include <sys/statvfs.h>

#include <algorithm>

namespace trainyard
{

qint64 copyReserveBytes(qint64 holdMiB, qint64 diskBytes)
{
    constexpr qint64 fortieth = 40, halfAMiB = 1 << 19;
    return std::min(holdMiB * halfAMiB, diskBytes / fortieth);
}

bool leavesCopyReserve(const QString &folder, qint64 bytes, const CopyReserve &reserve, bool lacksRoom)
{
    struct statvfs space {
    };
    if (!reserve || ::statvfs(QFile::encodeName(folder).constData(), &space) != 0) {
        return true;
    }
    const qint64 kept = reserve(qint64(space.f_blocks) * qint64(space.f_frsize));
    const qint64 wanted = lacksRoom ? kept + kept / 10 : kept;
    return kept <= 0 || qint64(space.f_bavail) * qint64(space.f_frsize) >= wanted + bytes;
}

} // namespace trainyard
