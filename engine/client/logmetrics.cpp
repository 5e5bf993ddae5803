// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logmetrics.h"

#include <algorithm>
#include <utility>

namespace trainyard
{

namespace
{

qint64 endOfRecord(const LogReader::Record &record) { return static_cast<qint64>(record.offset) + record.length; }

} // namespace

bool LogMetrics::readMore(qint64 bytes)
{
    constexpr qint64 recordsAtOnce = 512;
    constexpr qint64 leastCost = 64; // of a record
    if (m_isOver) {
        return false;
    }
    // Asked first: what is there now is then all there is.
    const bool isComplete = m_log.isComplete();
    while (bytes > 0) {
        const QList<LogReader::Record> records = m_log.records(m_nextRecord, recordsAtOnce);
        if (records.isEmpty()) {
            break;
        }
        for (const LogReader::Record &record : records) {
            const qint64 read = readRecord(record, bytes, endOfRecord(records.constLast()));
            if (m_inRecord > 0) {
                return true;
            }
            ++m_nextRecord;
            bytes -= std::max(read, leastCost);
            if (bytes <= 0) {
                return true;
            }
        }
    }
    if (bytes <= 0) {
        return true;
    }
    m_block = {}; // a window may follow hundreds of tasks
    if (isComplete) {
        m_output.finish();
        keepPoints();
        m_isOver = true;
    }
    return false;
}

// The text from there on, in pieces. A line is often a separate record, and each access to the files costs more than
// its bytes.
std::string_view LogMetrics::bytesAt(qint64 at, qint64 until, qint64 known)
{
    constexpr qint64 pieceSize = 1 << 20, blockSize = 64 << 10;
    if (!isInBlock(at)) {
        m_block = m_log.read(at, std::min(std::max(until - at, std::min(blockSize, known - at)), pieceSize));
        m_blockBegin = at;
    }
    const qint64 from = at - m_blockBegin;
    return {m_block.constData() + from, static_cast<std::size_t>(std::min(m_block.size() - from, until - at))};
}

qint64 LogMetrics::readRecord(const LogReader::Record &record, qint64 most, qint64 known)
{
    if (m_inRecord == 0) {
        beginRecord(record);
    }
    const auto begin = static_cast<qint64>(record.offset) + m_inRecord;
    const qint64 end = endOfRecord(record);
    const qint64 until = std::min(end, begin + most);
    qint64 at = begin;
    while (at < until) {
        if (const qint64 kept = isInBlock(at) ? at : m_log.keptFrom(at); kept > at) {
            m_output.feed("\n"); // the log had no room for what stood here
            m_inLine = false;
            at = kept;
            continue;
        }
        const std::string_view piece = bytesAt(at, until, known);
        if (piece.empty()) {
            at = end;
            break;
        }
        m_output.feed(piece);
        m_inLine = !piece.ends_with('\n');
        at += static_cast<qint64>(piece.size());
    }
    keepPoints();
    m_read = at;
    m_inRecord = at < end ? at - static_cast<qint64>(record.offset) : 0;
    return std::min(at, end) - begin;
}

void LogMetrics::pause()
{
    m_log.close();
    m_block = {};
}

void LogMetrics::beginRecord(const LogReader::Record &record)
{
    constexpr qint64 leastGapMs = 1000;
    const qint64 time = record.timeNs / 1'000'000;
    if (m_time > 0 && time - m_time >= leastGapMs) {
        ++m_rhythm.gaps;
        m_rhythm.longestGapMs = std::max(m_rhythm.longestGapMs, time - m_time);
    }
    m_time = time;
    // A line of one stream is never continued by the other.
    if (m_inLine && record.stream != m_stream) {
        m_output.feed("\n");
        m_inLine = false;
    }
    m_stream = record.stream;
}

void LogMetrics::keepPoints()
{
    for (metrics::Point &point : m_output.takePoints()) {
        if (std::exchange(m_told, m_time) != m_time) {
            ++m_rhythm.tellings;
        }
        m_points.push_back({std::move(point), m_time});
    }
}

std::vector<LogMetrics::TimedPoint> LogMetrics::takePoints() { return std::exchange(m_points, {}); }

} // namespace trainyard
