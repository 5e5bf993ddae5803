// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"

#include <QList>

#include <optional>

namespace trainyard::cli
{

// Reads the lines of a try's log one after the other, each with its stream and the time of its first byte. The two
// streams of a program interleave at any byte, but each line comes out whole. The log may grow: that there is no line
// now does not mean its end.
class LogLines
{
public:
    struct Line {
        qint64 timeNs = 0; // UTC; 0 when the log has no index
        LogReader::Stream stream = LogReader::Stream::Out;
        QByteArray text; // with its newline, unless the log ends without one
    };
    struct Streams {
        bool out = true, err = true;
    };

    LogLines(const QString &folder, Streams streams);

    // Skips all but the last `count` lines of what is there now; `complete` as for next(). Returns the byte of
    // output.log from which it reads on, when both streams are wanted.
    qint64 skipToTail(qint64 count, bool complete);
    // The next whole line; with `complete` (nothing more is written) also the text without a newline at the end.
    std::optional<Line> next(bool complete);
    bool isComplete() { return m_reader.isComplete(); }
    quint64 cutBytes() const { return m_cutBytes; } // gone: behind the size limit, and not in the ring any more
    LogReader &reader() { return m_reader; }

private:
    struct Part {
        QByteArray text;
        qint64 timeNs = 0;
    };
    qint64 tailBegin(qint64 count, qint64 *newlines);
    qint64 unfinished();
    bool readMore(bool complete);
    void take(const LogReader::Record &record);
    void endLines();
    void takeBytes(LogReader::Stream stream, qint64 timeNs, const QByteArray &bytes);

    LogReader m_reader;
    Streams m_streams;
    qint64 m_record = 0; // next index record
    quint64 m_taken = 0; // bytes of that record, already taken; without an index: bytes of the log
    Part m_parts[2]; // begun lines of stdout and stderr
    QList<Line> m_ready;
    qsizetype m_nextReady = 0;
    quint64 m_cutBytes = 0;
};

} // namespace trainyard::cli
