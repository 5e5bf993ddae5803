// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/streamlines.h"

#include <algorithm>
#include <array>

namespace trainyard::core
{

namespace
{

class StreamJoin
{
public:
    explicit StreamJoin(qsizetype size) { m_lines.text.reserve(size + 1); }

    void add(QByteArrayView bytes, bool isError)
    {
        QByteArray &open = m_open[isError ? 1 : 0];
        const qsizetype end = bytes.lastIndexOf('\n') + 1;
        if (end > 0) {
            open += bytes.first(end);
            give(open, isError);
            open.clear();
        }
        open += bytes.sliced(end);
    }

    StreamLines finish()
    {
        if (!m_open[0].isEmpty() && !m_open[1].isEmpty()) {
            m_open[0] += '\n';
        }
        give(m_open[0], false);
        give(m_open[1], true);
        return m_lines;
    }

private:
    void give(QByteArrayView lines, bool isError)
    {
        for (qsizetype begin = 0; begin < lines.size(); ++m_count) {
            const qsizetype newline = lines.indexOf('\n', begin);
            const qsizetype end = newline < 0 ? lines.size() : newline;
            if (isError && !lines.sliced(begin, end - begin).trimmed().isEmpty()) {
                m_lines.lastError = m_count + 1;
                ++m_lines.errors;
            }
            begin = end + 1;
        }
        m_lines.text += lines;
    }

    StreamLines m_lines;
    std::array<QByteArray, 2> m_open; // the beginning of a line, of each stream
    qint64 m_count = 0;
};

} // namespace

StreamLines linesOfStreams(QByteArrayView output, const QList<StreamPart> &parts)
{
    StreamJoin join(output.size());
    qsizetype at = 0;
    for (const StreamPart &part : parts) {
        const qsizetype length = std::min<qint64>(part.length, output.size() - at);
        join.add(output.sliced(at, length), part.isError);
        at += length;
    }
    join.add(output.sliced(at), false);
    return join.finish();
}

} // namespace trainyard::core
