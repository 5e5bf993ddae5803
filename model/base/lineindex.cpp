// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/lineindex.h"

#include "model/base/utf8.h"

#include <algorithm>

namespace trainyard
{

LineIndex::LineIndex(const QByteArray &utf8) : m_text(utf8)
{
    m_starts.append(0);
    const char *data = m_text.constData();
    const qsizetype size = m_text.size();
    for (qsizetype i = 0; i < size; ++i) {
        if (data[i] == '\n' || (data[i] == '\r' && (i + 1 == size || data[i + 1] != '\n'))) {
            m_starts.append(i + 1);
        }
    }
}

LineColumn LineIndex::at(qsizetype offset) const
{
    offset = std::clamp<qsizetype>(offset, 0, m_text.size());
    const auto next = std::upper_bound(m_starts.cbegin(), m_starts.cend(), offset);
    const qsizetype line = next - m_starts.cbegin();
    qsizetype from = m_starts.at(line - 1);
    if (line == 1) {
        from = std::min(byteOrderMarkLength(m_text), offset);
    }
    qsizetype column = 1;
    for (qsizetype i = from; i < offset; ++i) {
        // A continuation byte belongs to the code point before it.
        if ((static_cast<uchar>(m_text.at(i)) & 0xC0) != 0x80) {
            ++column;
        }
    }
    // Inside a code point: the column of that code point.
    if (offset > from && offset < m_text.size() && (static_cast<uchar>(m_text.at(offset)) & 0xC0) == 0x80) {
        --column;
    }
    return {line, column};
}

qsizetype LineIndex::lineStart(qsizetype line) const
{
    return m_starts.at(std::clamp<qsizetype>(line, 1, m_starts.size()) - 1);
}

} // namespace trainyard
