// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logruns.h"

#include <algorithm>

namespace trainyard
{
namespace
{

void putNumber(QByteArray &bytes, quint64 number)
{
    while (number >= 0x80) {
        bytes.append(char(0x80 | (number & 0x7f)));
        number >>= 7;
    }
    bytes.append(char(number));
}

quint64 takeNumber(const QByteArray &bytes, qsizetype &at)
{
    quint64 number = 0;
    for (int shift = 0; at < bytes.size(); shift += 7) {
        const auto byte = quint8(bytes.at(at++));
        number |= quint64(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            break;
        }
    }
    return number;
}

// The position where a part continues, for both writers and readers of a block.
qint64 &expectedOf(QList<qint64> &all, int part)
{
    if (all.size() <= part + 1) {
        all.resize(part + 2, -1);
    }
    return all[part + 1];
}

} // namespace

void LogRuns::clear() { *this = LogRuns(); }

void LogRuns::append(int part, qint64 from, qint64 length)
{
    if (length <= 0) {
        return;
    }
    if (m_last.length > 0 && part != lineBreak && m_last.part == part && m_last.from + m_last.length == from) {
        m_last.length += length;
    } else {
        if (m_last.length > 0) {
            encode(m_last);
        }
        m_last = {m_size, part, from, length};
    }
    m_size += length;
}

void LogRuns::encode(const Run &run)
{
    if (m_blocks.isEmpty() || m_runsInBlock >= runsOfABlock) {
        m_blocks.append({run.at, m_bytes.size()});
        m_runsInBlock = 0;
        m_expected.clear();
    }
    if (m_decodedBlock == m_blocks.size() - 1) {
        m_decodedBlock = -1;
    }
    ++m_runsInBlock;
    qint64 &expected = expectedOf(m_expected, run.part);
    const bool goesOn = expected == run.from;
    putNumber(m_bytes, quint64(run.part + 1) << 1 | (goesOn ? 1 : 0));
    putNumber(m_bytes, quint64(run.length));
    if (!goesOn) {
        putNumber(m_bytes, quint64(run.from));
    }
    expected = run.part == lineBreak ? 0 : run.from + run.length;
}

const QList<LogRuns::Run> &LogRuns::decoded(qsizetype block) const
{
    if (m_decodedBlock == block) {
        return m_decoded;
    }
    m_decoded.clear();
    m_decodedBlock = block;
    QList<qint64> ends;
    qsizetype byte = m_blocks.at(block).byte;
    const qsizetype end = block + 1 < m_blocks.size() ? m_blocks.at(block + 1).byte : m_bytes.size();
    qint64 at = m_blocks.at(block).at;
    while (byte < end) {
        const quint64 head = takeNumber(m_bytes, byte);
        Run run;
        run.at = at;
        run.part = int(head >> 1) - 1;
        run.length = qint64(takeNumber(m_bytes, byte));
        qint64 &expected = expectedOf(ends, run.part);
        run.from = (head & 1) != 0 ? expected : qint64(takeNumber(m_bytes, byte));
        expected = run.part == lineBreak ? 0 : run.from + run.length;
        at += run.length;
        m_decoded.append(run);
    }
    return m_decoded;
}

QList<LogRuns::Run> LogRuns::at(qint64 offset, qint64 length) const
{
    QList<Run> found;
    const qint64 end = std::min(m_size, offset + length);
    if (offset < 0 || offset >= end) {
        return found;
    }
    const auto after = std::upper_bound(
        m_blocks.cbegin(), m_blocks.cend(), offset, [](qint64 o, const Block &block) { return o < block.at; });
    for (qsizetype i = std::max<qsizetype>(0, after - m_blocks.cbegin() - 1);
         i < m_blocks.size() && m_blocks.at(i).at < end; ++i) {
        const QList<Run> &runs = decoded(i);
        auto run = std::upper_bound(
            runs.cbegin(), runs.cend(), offset, [](qint64 o, const Run &each) { return o < each.at + each.length; });
        for (; run != runs.cend() && run->at < end; ++run) {
            found.append(*run);
        }
    }
    if (m_last.at < end && m_last.at + m_last.length > offset) {
        found.append(m_last);
    }
    return found;
}

} // namespace trainyard
