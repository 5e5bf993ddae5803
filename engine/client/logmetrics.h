// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"
#include "engine/client/metricpatterns.h"

#include <string_view>
#include <vector>

namespace trainyard
{

// The metrics in the output of a try, each with the time at which its line was written. Follows a log that grows, and
// is cheap to ask when it has not. Not thread-safe: one for each thread.
class LogMetrics
{
public:
    explicit LogMetrics(const QString &folder, const MetricPatterns &patterns = MetricPatterns())
        : m_log(folder), m_output(patterns)
    {
    }

    struct TimedPoint {
        metrics::Point point;
        qint64 time = 0; // ms UTC
    };
    // Reads about so many bytes of what is new, not more. True: there is more at once.
    bool readMore(qint64 bytes = 1 << 20);
    qint64 size() { return m_log.size(); } // of the output now
    qint64 bytesRead() const { return m_read; } // of it
    std::vector<TimedPoint> takePoints(); // since the last call, in the order of the output
    metrics::Progress progress() const { return m_output.progress(); } // as the output shows it
    metrics::Progress runProgress() const { return m_output.runProgress(); } // of the whole run
    qint64 time() const { return m_time; } // of the newest line that was read, ms UTC
    // The rhythm of the output so far: the longest gap, the number of gaps of a second and more, and how often it had
    // values.
    struct Rhythm {
        qint64 longestGapMs = 0;
        int gaps = 0;
        int tellings = 0;
    };
    Rhythm rhythm() const { return m_rhythm; }
    qint64 heldBytes() const { return m_block.capacity(); } // of the log; none when all of it that is there was read
    void pause(); // gives the files back until the next readMore()
    bool isOver() const { return m_isOver; } // all is read, and nothing more comes

private:
    // At most so many bytes; continues at m_inRecord. `known`: where the last record ends that is known.
    qint64 readRecord(const LogReader::Record &record, qint64 most, qint64 known);
    std::string_view bytesAt(qint64 at, qint64 until, qint64 known);
    bool isInBlock(qint64 at) const { return at >= m_blockBegin && at < m_blockBegin + m_block.size(); }
    void beginRecord(const LogReader::Record &record);
    void keepPoints();

    LogReader m_log;
    PatternedOutput m_output;
    std::vector<TimedPoint> m_points;
    QByteArray m_block; // of the log, as it is read: more than a record
    qint64 m_blockBegin = 0;
    qint64 m_nextRecord = 0;
    qint64 m_inRecord = 0; // bytes of it that are read: one may be long
    qint64 m_read = 0;
    qint64 m_time = 0;
    Rhythm m_rhythm;
    qint64 m_told = 0; // when values came last
    LogReader::Stream m_stream = LogReader::Stream::Out;
    bool m_inLine = false;
    bool m_isOver = false;
};

} // namespace trainyard
