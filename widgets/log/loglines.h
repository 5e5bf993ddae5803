// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logtext.h"

#include <QCache>

#include <memory>
#include <optional>

namespace trainyard
{

// Reads lines through the index and keeps the newest few hundred intervals.
class LogLines
{
public:
    static constexpr qint64 mostText = 64 << 20; // in characters, about

    LogLines() : m_cache(256) { }
    void setSource(std::unique_ptr<LogSource> source);
    LogSource *source() const { return m_source.get(); }
    const LogIndex &index() const { return m_index; }
    void apply(const LogIndex::Delta &delta, const QList<LogSource::Live> &live = {});
    qint64 count() const { return m_index.lineCount() + m_live.size(); }
    qint64 bytes() const; // with those of unfinished lines
    bool isLive(qint64 number) const { return number >= m_index.lineCount(); } // not finished
    RawLine line(qint64 number);
    std::optional<LogSource::Origin> origin(qint64 number); // which task wrote it, and when
    // From 1, as editors count; nothing: it is not known, or not finished.
    std::optional<qint64> numberOf(qint64 line);
    // The digits of the greatest number so far; 0: there are none. It grows with the log, and not before six digits are
    // full.
    int numberDigits();
    std::optional<qint64> startNs(); // when the first line was written
    // The first line that was not written before this moment (ms UTC); -1: it has not come, or lines have no times.
    qint64 lineAtTime(qint64 time);
    QString text(qint64 number); // as it is drawn
    QString text(qint64 first, qint64 count); // lines joined, at most `mostText`

private:
    std::unique_ptr<LogSource> m_source;
    LogIndex m_index;
    QList<LogSource::Live> m_live; // the unfinished lines, behind those of the index
    std::optional<qint64> m_startNs;
    qint64 m_digitsOf = -1; // lines; as many there were when they were counted
    int m_digits = 0;
    QCache<qint64, QList<RawLine>> m_cache;
};

} // namespace trainyard
