// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

namespace trainyard
{

// How much of a disk of so many bytes copies leave free: a log without end, or a host that lies, must not fill it.
using CopyReserve = std::function<qint64(qint64 diskBytes)>;

// Half of what is free when new tasks start, which is at most a twentieth of the disk (disk.holdMiB).
qint64 copyReserveBytes(qint64 holdMiB, qint64 diskBytes);

// Whether so many bytes more in this folder leave the reserve free. A copy that lacked room continues only when there
// is a little more than that, so that it does not flicker. Where the free room is not known, they may be written;
// without a reserve, they always may.
bool leavesCopyReserve(const QString &folder, qint64 bytes, const CopyReserve &reserve, bool lacksRoom);

} // namespace trainyard
