// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::core
{

// Which GPUs jobs may have, as the settings say. A GPU is named by its index on this computer ("0"), by host and index
// ("lab1:0"), or by its UUID.
struct GpuRules {
    QStringList excluded; // never for jobs
    QStringList preferred; // these first, in this order
    QStringList hours; // kept for the user: "0 09:00-18:00", "lab1:1 22:00-06:00 Mon-Fri"
};

struct GpuKept {
    bool excluded = false; // always, also by hours that leave none of the week
    QString until; // "18:00", "Fri 24:00" when that is more than a day away: kept by the hours until then
    friend bool operator==(const GpuKept &, const GpuKept &) = default;
};
// Returns nothing when jobs may have the GPU. `now` is the local time.
std::optional<GpuKept> gpuKept(
    const GpuRules &rules, const QString &host, int index, const QString &uuid, const QDateTime &now);

// The position of a GPU among the preferred ones; behind all of them when it is not named.
int gpuRank(const GpuRules &rules, const QString &host, int index, const QString &uuid);

} // namespace trainyard::core
