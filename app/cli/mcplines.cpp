// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpprotocol.h"

namespace trainyard::cli::mcp
{

QList<MessageLines::Line> MessageLines::take(QByteArrayView bytes)
{
    QList<Line> lines;
    for (qsizetype from = 0; from < bytes.size();) {
        const qsizetype end = bytes.indexOf('\n', from);
        append(bytes.sliced(from, (end < 0 ? bytes.size() : end) - from));
        if (end < 0) {
            break;
        }
        lines.append(ended());
        from = end + 1;
    }
    return lines;
}

std::optional<MessageLines::Line> MessageLines::finish()
{
    return m_begun.isEmpty() && !m_isTooLong ? std::nullopt : std::optional(ended());
}

void MessageLines::append(QByteArrayView bytes)
{
    m_isTooLong = m_isTooLong || m_begun.size() + bytes.size() > longestMessage;
    if (m_isTooLong) {
        m_begun.clear();
    } else {
        m_begun.append(bytes.data(), bytes.size());
    }
}

MessageLines::Line MessageLines::ended()
{
    const Line line{m_begun, m_isTooLong};
    m_begun.clear();
    m_isTooLong = false;
    return line;
}

} // namespace trainyard::cli::mcp
