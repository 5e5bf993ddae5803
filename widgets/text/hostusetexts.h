// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostenvironments.h"
#include "engine/api/hosthistory.h"
#include "engine/api/values.h"

namespace trainyard
{

// One part of a host in the last hour.
struct HourOfUse {
    QString name; // "Processor", "GPU 0"
    QList<double> values; // as HostHistory has them
    double average = 0, most = 0; // percent
};
// The lines for which anything is known. GPUs have the numbers that they have in `gpus`.
QList<HourOfUse> hostUses(const api::HostHistory &history, const QList<GpuInfo> &gpus);
QString hostUseText(const HourOfUse &use); // "31 % on average, 80 % in the busiest minute"

// "conda", "venv" and so on, with the version of Python where it is known: "conda, Python 3.11.4".
QString environmentKindText(const api::HostEnvironment &environment);

} // namespace trainyard
