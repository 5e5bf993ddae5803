// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"

#include <QList>

#include <optional>

namespace trainyard::cli
{

// Reads the lines of a try's log one after the other, each with its stream and the time of its first byte. The two
// streams of a program interleave at any byte, but each line is returned whole, unless it is so long that it is
// returned in parts. The log may grow: if there is no line now, there may be one later.
class LogLineReader
{
public:
    struct Line {
        qint64 timeNs = 0; // UTC; 0 when the log has no index
        LogReader::Stream stream = LogReader::Stream::Out;
        QByteArray text; // with its newline, unless the log ends without one
        bool begins = true, ends = true; // otherwise a part of a line
    };
    struct Streams {
        bool out = true, err = true;
    };

    LogLineReader(const QString &folder, Streams streams);

    // Skips all but the last `count` lines of what is there now; `complete` as for next(). Returns the byte of
    // output.log from which it reads on, when both streams are wanted.
    qint64 skipToTail(qint64 count, bool complete);
    // The next whole line; with `complete` (nothing more is written) also the text without a newline at the end.
    std::optional<Line> next(bool complete);
    // The same for the next lines that have one time and one stream, all in one text.
    std::optional<Line> nextLines(bool complete);
    // Lines that have begun are given out as far as they are there: with `barsAtOnce` one that draws over itself, and
    // each that nothing was added to for `restMs`, such as a prompt. `nowMs` is of any clock that does not jump. Two
    // streams that are written at once would otherwise break each other's lines.
    void giveOpen(qint64 nowMs, qint64 restMs, bool barsAtOnce);
    bool isComplete() { return m_reader.isComplete(); }
    quint64 cutBytes() const { return m_cutBytes; } // gone: behind the size limit, and not in the ring any more
    LogReader &reader() { return m_reader; }

private:
    struct Part {
        QByteArray text;
        qint64 timeNs = 0;
        bool isBegun = false; // what comes goes on with a part that was given out
        std::optional<qint64> restsSince; // by the clock of giveOpen(); none: text was added since
    };
    qint64 readableEnd();
    qint64 tailBegin(qint64 count, qint64 end, qint64 *newlines);
    qint64 unfinished(qint64 end);
    bool hasReady(bool complete);
    bool readMore(bool complete);
    void readRecords();
    const LogReader::Record *knownRecord() const;
    QByteArrayView bytesAt(qint64 offset, quint64 most);
    void take(const LogReader::Record &record);
    void endLines();
    void giveOut(LogReader::Stream stream, bool ends);
    void takeBytes(LogReader::Stream stream, qint64 timeNs, QByteArrayView bytes);

    LogReader m_reader;
    Streams m_streams;
    qint64 m_record = 0; // next index record
    quint64 m_taken = 0; // bytes of that record, already taken; without an index: bytes of the log
    // A program may write millions of short records: they and their bytes are read in large blocks.
    QList<LogReader::Record> m_records;
    qint64 m_firstRecord = 0; // of m_records
    LogReader::Gap m_gap; // when they were read
    QByteArray m_bytes;
    qint64 m_bytesFrom = 0;
    Part m_parts[2]; // begun lines of stdout and stderr
    QList<Line> m_ready;
    qsizetype m_nextReady = 0; // in m_ready, whose texts have one line or several
    qsizetype m_split = 0; // of that one, the bytes that next() has given out
    quint64 m_cutBytes = 0;
};

} // namespace trainyard::cli
