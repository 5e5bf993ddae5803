// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"

#include "engine/contract/identity.h"
#include "engine/contract/systemtimes.h"

#include <QDateTime>

#include <time.h>

#include <atomic>
#include <chrono>

namespace trainyard
{
namespace
{
std::atomic<qint64> clockStep{0};
} // namespace

qint64 nowMs() { return QDateTime::currentMSecsSinceEpoch() + clockStep; }

void stepClockForTests(qint64 ms) { clockStep += ms; }

core::BootTime bootNow()
{
    static const QString boot = QString::fromStdString(contract::currentBootId());
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return {boot, contract::msOf(time)};
}

qint64 steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace trainyard
