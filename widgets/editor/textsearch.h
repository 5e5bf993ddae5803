// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QString>

namespace trainyard
{

// All places of `pattern` in UTF-8 bytes, ascending, at most `limit`. Text that is not UTF-8 is searched byte by byte.
struct SearchOptions {
    bool regex = false;
    bool matchCase = false;
};
struct SearchResult {
    QList<ByteRange> hits;
    bool badPattern = false;
    bool cut = false; // there were more
};
SearchResult findAll(const QByteArray &bytes, const QString &pattern, SearchOptions options, qsizetype limit = 10000);
// The replacement of a hit; for a regular expression, "\1" is its first group. `line`: all lines of the hit. A hit that
// depends on other lines, by lookaround, is replaced by the literal replacement.
QByteArray replacementOf(
    const QByteArray &line, ByteRange hit, const QString &pattern, SearchOptions options, const QString &replacement);
// The same for all hits, with all lines around them; goes over the text once.
TextEdits replacingAll(
    const QByteArray &bytes, const QString &pattern, SearchOptions options, const QString &replacement);

} // namespace trainyard
