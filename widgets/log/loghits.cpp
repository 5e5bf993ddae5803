// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/loghits.h"

#include <algorithm>

namespace trainyard
{

void LogHits::clear()
{
    m_blocks.clear();
    m_lines.clear();
    m_count = 0;
}

quint64 LogHits::partsOf(const Stretch &stretch, const QList<qint64> &lines)
{
    quint64 result = 0;
    for (const qint64 line : lines) {
        const qint64 part = (line - stretch.firstLine) * parts / std::max<qint64>(1, stretch.lines);
        result |= quint64(1) << std::clamp<qint64>(part, 0, parts - 1);
    }
    return result;
}

void LogHits::append(const Stretch &stretch, const QList<qint64> &lines)
{
    if (stretch.end <= stretch.begin) {
        return;
    }
    m_count += lines.size();
    // A log that grows line by line is searched line by line: pieces become blocks again.
    if (!m_blocks.isEmpty()) {
        Block &last = m_blocks.last();
        const qsizetype at = m_blocks.size() - 1;
        const bool isNext = last.stretch.end == stretch.begin && stretch.end - last.stretch.begin <= blockBytes;
        const bool isKnown = last.hits == 0 || m_lines.contains(at);
        if (isNext && isKnown) {
            const QList<qint64> *kept = m_lines.object(at);
            const QList<qint64> all = (kept ? *kept : QList<qint64>()) + lines;
            last.stretch.end = stretch.end;
            last.stretch.lines += stretch.lines;
            last.hits += lines.size();
            last.parts = partsOf(last.stretch, all);
            if (!all.isEmpty()) {
                m_lines.insert(at, new QList<qint64>(all), int(all.size()));
            }
            return;
        }
    }
    m_blocks.append({stretch, m_count - lines.size(), lines.size(), partsOf(stretch, lines)});
    if (!lines.isEmpty()) {
        m_lines.insert(m_blocks.size() - 1, new QList<qint64>(lines), int(lines.size()));
    }
}

qsizetype LogHits::blockOf(qint64 number) const
{
    const auto after = std::upper_bound(m_blocks.cbegin(), m_blocks.cend(), number,
        [](qint64 n, const Block &block) { return n < block.firstHit + block.hits; });
    return after == m_blocks.cend() || number < 0 ? -1 : after - m_blocks.cbegin();
}

std::optional<qint64> LogHits::line(qint64 number) const
{
    const qsizetype at = blockOf(number);
    const QList<qint64> *lines = at < 0 ? nullptr : m_lines.object(at);
    const qint64 within = at < 0 ? -1 : number - m_blocks.at(at).firstHit;
    return lines && within < lines->size() ? std::optional(lines->at(within)) : std::nullopt;
}

std::optional<LogHits::Stretch> LogHits::stretchOf(qint64 number) const
{
    const qsizetype at = blockOf(number);
    return at < 0 ? std::nullopt : std::optional(m_blocks.at(at).stretch);
}

void LogHits::keep(const Stretch &stretch, const QList<qint64> &lines)
{
    const auto at = std::find_if(
        m_blocks.cbegin(), m_blocks.cend(), [&](const Block &block) { return block.stretch == stretch; });
    if (at != m_blocks.cend() && at->hits == lines.size()) {
        // One block alone may have more lines than are kept: it is what is looked at.
        m_lines.insert(at - m_blocks.cbegin(), new QList<qint64>(lines),
            int(std::min<qsizetype>(lines.size(), m_lines.maxCost())));
    }
}

QList<int> LogHits::marks(int height, qint64 total) const
{
    QList<bool> marked(std::max(1, height), false);
    const auto mark = [&](qint64 line) {
        marked[std::clamp<qint64>(line * height / std::max<qint64>(1, total), 0, marked.size() - 1)] = true;
    };
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        const Block &block = m_blocks.at(i);
        if (block.hits == 0) {
            continue;
        }
        if (const QList<qint64> *lines = block.stretch.lines * height > total ? m_lines.object(i) : nullptr) {
            for (const qint64 line : *lines) {
                mark(line);
            }
            continue;
        }
        for (int part = 0; part < parts; ++part) {
            if ((block.parts >> part & 1) != 0) {
                mark(block.stretch.firstLine + block.stretch.lines * part / parts);
            }
        }
    }
    QList<int> rows;
    for (int row = 0; row < height; ++row) {
        if (marked.at(row)) {
            rows.append(row);
        }
    }
    return rows;
}

} // namespace trainyard
