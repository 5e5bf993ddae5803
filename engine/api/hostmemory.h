// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace trainyard
{

// The part of a host's memory that tasks cannot get: `reserveMiB` (the setting memory.reserveMiB) stays for everything
// else, but no more than an eighth. All code that reports or checks what fits on a host uses this figure.
inline qint64 memoryReserveMiB(qint64 memoryMiB, qint64 reserveMiB)
{
    return qBound(qint64(0), reserveMiB, qMax(qint64(0), memoryMiB / 8));
}
inline qint64 usableMemoryMiB(qint64 memoryMiB, qint64 reserveMiB)
{
    return memoryMiB - memoryReserveMiB(memoryMiB, reserveMiB);
}

} // namespace trainyard
