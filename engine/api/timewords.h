// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// "90s", "10m", "2h", "7d" and "1w" in seconds. A number needs its unit: a user who types "5" may mean days, and
// removed jobs do not come back. Only "0" is the same in all units.
std::optional<qint64> durationOf(const QString &text);
// Whether only the unit is missing: "5".
bool lacksUnit(const QString &text);

// UTC milliseconds of a time as people type it: a span before now, or a local date and time.
std::optional<qint64> timeOf(const QString &text, qint64 now);

} // namespace trainyard
