// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logindex.h"

#include <algorithm>
#include <cstring>

namespace trainyard
{

LogIndex::LogIndex() { reset(); }

void LogIndex::reset()
{
    m_checkpoints = {Checkpoint{}};
    m_terminated = m_size = m_lastStart = 0;
    m_told = 0;
    m_tellReset = true;
}

void LogIndex::append(QByteArrayView bytes)
{
    const char *const begin = bytes.data();
    const char *const end = begin + bytes.size();
    for (const char *at = begin; at < end;) {
        const auto *newline = static_cast<const char *>(std::memchr(at, '\n', size_t(end - at)));
        if (!newline) {
            break;
        }
        at = newline + 1;
        ++m_terminated;
        m_lastStart = m_size + (at - begin);
        const Checkpoint &last = m_checkpoints.constLast();
        if (m_terminated - last.line >= checkpointLines || m_lastStart - last.offset >= checkpointBytes) {
            m_checkpoints.append({m_terminated, m_lastStart});
        }
    }
    m_size += bytes.size();
}

LogIndex::Interval LogIndex::interval(qint64 number) const
{
    const Checkpoint &at = m_checkpoints.at(number);
    const bool last = number + 1 == m_checkpoints.size();
    const qint64 endLine = last ? lineCount() : m_checkpoints.at(number + 1).line;
    const qint64 end = last ? m_size : m_checkpoints.at(number + 1).offset;
    return {number, at.line, endLine - at.line, at.offset, end};
}

qint64 LogIndex::intervalOfLine(qint64 line) const
{
    const auto after = std::upper_bound(
        m_checkpoints.cbegin(), m_checkpoints.cend(), line, [](qint64 l, const Checkpoint &c) { return l < c.line; });
    return std::max<qint64>(0, after - m_checkpoints.cbegin() - 1);
}

qint64 LogIndex::intervalOfOffset(qint64 offset) const
{
    const auto after = std::upper_bound(m_checkpoints.cbegin(), m_checkpoints.cend(), offset,
        [](qint64 o, const Checkpoint &c) { return o < c.offset; });
    return std::max<qint64>(0, after - m_checkpoints.cbegin() - 1);
}

LogIndex::Delta LogIndex::takeDelta()
{
    Delta delta{m_tellReset, m_checkpoints.mid(m_told), m_terminated, m_size, m_lastStart};
    m_told = m_checkpoints.size();
    m_tellReset = false;
    return delta;
}

void LogIndex::apply(const Delta &delta)
{
    if (delta.reset) {
        m_checkpoints.clear();
    }
    m_checkpoints.append(delta.added);
    m_terminated = delta.terminated;
    m_size = delta.size;
    m_lastStart = delta.lastStart;
}

} // namespace trainyard
