// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::cli
{

// " Did you mean 'logs'?", or nothing when no candidate is close.
QString didYouMean(const QString &word, const QStringList &candidates);

// "90s", "10m", "2h", "7d" and "1w" in seconds; a number without a unit is seconds.
std::optional<qint64> durationOf(const QString &text);

// The time that "--since" means in UTC milliseconds, given as a span before now or as a local date and time.
std::optional<qint64> timeOf(const QString &text, qint64 now);

} // namespace trainyard::cli
