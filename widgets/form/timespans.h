// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// A span of time as people type it, in seconds: "90", "90 s", "30 min", "2h", "1.5 h", "1 d 12 h", "1:30:00". Nothing
// for other texts, spans that are no whole seconds, and spans above ten years.
std::optional<qint64> parseSpan(const QString &text);

// "1 h 30 min", "2 d", "45 s": all units that are not zero, so that parseSpan() gives the same seconds.
QString formatSpan(qint64 seconds);

} // namespace trainyard
