// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QList>

namespace trainyard
{

// Knows where lines begin in a text of any size. It remembers only every 64th line (or the one after 64 KiB), so that a
// log of a gigabyte costs about a megabyte. It is fed with the bytes in order; deltas keep a copy elsewhere equal. A
// line ends with LF; what follows the last LF is a line too. Pure: no file, no clock.
class LogIndex
{
public:
    static constexpr qint64 checkpointLines = 64;
    static constexpr qint64 checkpointBytes = 64 << 10;

    struct Checkpoint {
        qint64 line = 0;
        qint64 offset = 0;
        friend bool operator==(const Checkpoint &, const Checkpoint &) = default;
    };
    struct Delta {
        bool reset = false; // forget all before
        QList<Checkpoint> added;
        qint64 terminated = 0;
        qint64 size = 0;
        qint64 lastStart = 0;
        bool isWhole = false; // set by the worker: all that the source has now is in the index
    };
    // A stretch of whole lines between two checkpoints; only its last line can be long.
    struct Interval {
        qint64 number = 0;
        qint64 firstLine = 0;
        qint64 lines = 0;
        qint64 begin = 0; // bytes
        qint64 end = 0;
    };

    LogIndex();
    void append(QByteArrayView bytes);
    void reset();

    qint64 size() const { return m_size; }
    qint64 lineCount() const { return m_terminated + (m_size > m_lastStart ? 1 : 0); }
    qint64 intervalCount() const { return m_checkpoints.size(); }
    Interval interval(qint64 number) const;
    qint64 intervalOfLine(qint64 line) const;
    qint64 intervalOfOffset(qint64 offset) const;

    Delta takeDelta(); // what changed since the last call
    void apply(const Delta &delta);

private:
    QList<Checkpoint> m_checkpoints;
    qint64 m_terminated = 0;
    qint64 m_size = 0;
    qint64 m_lastStart = 0;
    qsizetype m_told = 0;
    bool m_tellReset = true;
};

} // namespace trainyard
