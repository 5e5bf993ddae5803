// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"
#include "widgets/log/timedruns.h"

#include <optional>
#include <vector>

namespace trainyard
{

// Which lines of a log are shown: those that were written from the one moment to the other (ms UTC, both included).
struct LogTimeRange {
    qint64 from = 0;
    qint64 to = 0;
    friend bool operator==(const LogTimeRange &, const LogTimeRange &) = default;
};

// Makes one log of the outputs of several tries, in the order of time. Each stream of each try is a lane, and the line
// of a lane is never continued by another one: it is shown when it is finished, which is then its time, and until then
// it is live. If a line is redrawn repeatedly, such as a progress bar, and others write between its states, only the
// last state is kept. A line that is not finished when its try ends has the time and the place of its last change.
// Shown lines keep their position: only lines with an earlier time that a try writes after others were shown come late.
// For the unfinished line of a try that ends, a short log starts over; in a long one, it has the time of the line above
// it. It reads only through its input.
class LaneMerge
{
public:
    static constexpr qint64 patienceNs = 300'000'000; // how long a silent try is waited for

    // The tries, by their numbers from 0.
    class Input
    {
    public:
        virtual ~Input() = default;
        virtual qint64 recordCount(int part) = 0;
        virtual QList<LogReader::Record> records(int part, qint64 first, qint64 count) = 0;
        virtual QByteArray read(int part, qint64 from, qint64 length) = 0;
        virtual LogReader::Gap gap(int part) = 0;
        virtual qint64 size(int part) = 0;
        virtual bool isComplete(int part) = 0;
    };
    struct Piece {
        qint64 from = 0;
        qint64 length = 0;
        qint64 end() const { return from + length; }
    };
    // The line of a lane that is not finished.
    struct Live {
        int part = 0;
        bool isError = false;
        qint64 timeNs = 0; // when it changed last
        QList<Piece> pieces;
    };

    // `stream`: only that one; `range`: only what was written then.
    LaneMerge(int parts, std::optional<LogReader::Stream> stream, std::optional<LogTimeRange> range);

    // Takes in at most about so many records of what is new. `nowNs` is the time in UTC.
    void advance(Input &input, qint64 nowNs, qint64 records);
    bool hasMore() const { return m_hasMore; } // at once, with the next advance()
    bool isComplete() const { return m_isComplete; } // nothing more comes
    const TimedRuns &shown() const { return m_shown; }
    QList<Live> live() const; // the one that changed last is last
    quint64 liveState() const { return m_liveState; } // another one when live() has changed
    quint64 restarts() const { return m_restarts; } // how often everything shown became void

private:
    struct Lane {
        QList<Piece> open; // of the line that is not finished
        qint64 timeNs = 0;
    };
    struct Part {
        QList<LogReader::Record> next;
        qsizetype at = 0; // in `next`
        qint64 recordsRead = 0;
        bool isOver = false;
        bool isSought = false; // the first record of the range
        LogReader::Gap gap;
        Lane lanes[2];
        bool areEndsKnown = false;
        bool areEndsKnownFromStart = false; // before its first record was taken in
        qint64 ends[2] = {-1, -1}; // of what each stream has written, if known and not long before the end
        bool isEmpty() const { return at >= next.size(); }
    };
    enum class Taken { Yes, Waits };

    bool isLate(const LogReader::Record &record) const // behind the range
    {
        return m_range && record.timeNs / 1'000'000 > m_range->to;
    }
    void restart();
    bool advancePlain(Input &input);
    void fill(Input &input, int part, qint64 &budget);
    void seek(Input &input, int part);
    qint64 lookForEnds(Input &input, int part);
    void endPart(Input &input, int part);
    std::optional<int> earliest() const;
    bool mustWait(int part, qint64 nowNs) const;
    Taken take(Input &input, int part, qint64 nowNs, qint64 &budget);
    void write(Input &input, int part, int stream, Piece piece, qint64 timeNs, bool endsLine);
    void keepOpen(Input &input, int part, int stream, Piece piece, qint64 timeNs);
    void showOpen(int part, Lane &lane, qint64 timeNs);
    void closeOpen(int part, Lane &lane, qint64 timeNs);

    std::optional<LogReader::Stream> m_stream;
    std::optional<LogTimeRange> m_range;
    std::vector<Part> m_parts;
    TimedRuns m_shown;
    bool m_mustRestart = false;
    bool m_isPlain = false; // there is no index: the bytes as they are
    bool m_hasMore = false;
    bool m_isComplete = false;
    quint64 m_liveState = 0;
    quint64 m_restarts = 0;
};

} // namespace trainyard
