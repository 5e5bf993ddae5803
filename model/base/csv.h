// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// A cell of comma-separated values: in quotes where it needs them (RFC 4180).
inline QString csvCell(QString text)
{
    const bool isPlain = !text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n') && !text.contains(u'\r');
    return isPlain ? text : QString(u'"' + text.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"');
}

} // namespace trainyard
