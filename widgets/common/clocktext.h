// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// A duration as a clock shows it: "0:48", "12:44", "2:06:10"; days in front where there are some. For columns and
// heads, where formatDuration() is too wide or jumps.
QString clockText(qint64 milliseconds);

} // namespace trainyard
