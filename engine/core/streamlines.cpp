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
        if (!open.isEmpty() && !bytes.isEmpty()) {
            m_since[isError ? 1 : 0] = m_count;
        }
    }

    StreamLines finish()
    {
        leaveOutBar(false);
        leaveOutBar(true);
        if (!m_open[0].isEmpty() && !m_open[1].isEmpty()) {
            m_open[0] += '\n';
        }
        give(m_open[0], false);
        give(m_open[1], true);
        return m_lines;
    }

private:
    // A bar that was drawn before the lines of the other stream. As the last line, it would look like progress after
    // the error that ended the program.
    void leaveOutBar(bool isError)
    {
        QByteArray &open = m_open[isError ? 1 : 0];
        if (m_since[isError ? 1 : 0] < m_count && open.contains('\r')) {
            open.clear();
        }
    }
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
    std::array<qint64, 2> m_since{0, 0}; // the number of lines before its newest bytes
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
