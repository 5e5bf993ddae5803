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

// The same of values that are parted by tabs, which have no quotes.
inline QString tabCell(QString text) { return text.replace(u'\t', u' ').replace(u'\r', u' ').replace(u'\n', u' '); }

} // namespace trainyard
