// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QList>

#include <optional>

namespace trainyard
{

// Where a search found something, in memory that does not grow with the hits: of each megabyte of the log it keeps how
// many lines have a hit and roughly where; the lines themselves are kept for the newest few, and are found again when
// they are shown. Pure: no file, no clock.
class LogHits
{
public:
    static constexpr qint64 blockBytes = 1 << 20;
    static constexpr int keptLines = 1'000'000;

    // A stretch of whole lines that was searched.
    struct Stretch {
        qint64 begin = 0; // bytes
        qint64 end = 0;
        qint64 firstLine = 0;
        qint64 lines = 0;
        friend bool operator==(const Stretch &, const Stretch &) = default;
    };

    explicit LogHits(int most = keptLines) : m_lines(most) { }
    void clear();
    void append(const Stretch &stretch, const QList<qint64> &lines); // rising, each once
    qint64 count() const { return m_count; } // lines with a hit
    qint64 blockCount() const { return m_blocks.size(); }

    // The line of the hit with this number; nothing while it is not kept: then give it lines() of stretchOf() by
    // keep().
    std::optional<qint64> line(qint64 number) const;
    std::optional<Stretch> stretchOf(qint64 number) const;
    void keep(const Stretch &stretch, const QList<qint64> &lines);
    // The rows with a mark of a strip of this height beside `total` lines, in ascending order.
    QList<int> marks(int height, qint64 total) const;

private:
    static constexpr int parts = 64; // of a block, each with or without a hit
    struct Block {
        Stretch stretch;
        qint64 firstHit = 0;
        qint64 hits = 0;
        quint64 parts = 0;
    };
    qsizetype blockOf(qint64 number) const;
    static quint64 partsOf(const Stretch &stretch, const QList<qint64> &lines);
    QList<Block> m_blocks;
    mutable QCache<qsizetype, QList<qint64>> m_lines;
    qint64 m_count = 0;
};

} // namespace trainyard
