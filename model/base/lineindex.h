// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace trainyard
{

// A line and a column as users count them: from 1, columns in code points.
struct LineColumn {
    qsizetype line = 1;
    qsizetype column = 1;
    friend bool operator==(const LineColumn &, const LineColumn &) = default;
};

// Converts byte offsets of one text to lines and columns, and back. LF, CRLF and a lone CR end a line. A BOM has no
// column.
class LineIndex
{
public:
    explicit LineIndex(const QByteArray &utf8 = {});
    LineColumn at(qsizetype offset) const;
    qsizetype lineCount() const { return m_starts.size(); }
    qsizetype lineStart(qsizetype line) const; // line from 1; clamped

private:
    QByteArray m_text;
    QList<qsizetype> m_starts;
};

} // namespace trainyard
