// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace trainyard
{

// Reads a try's output.log and output.idx (docs/task-folder.md) with pread in blocks and never mapped, since the files
// may grow or be missing meanwhile. Not thread-safe; one reader per thread. Offsets count all output: beyond the log's
// limit the bytes come from the ring output.tail while they are in it; what was overwritten there is gone. A keeper
// that was killed or had no room can leave output that its index does not contain: once nothing more arrives, records
// with the last known time take their place.
class LogReader
{
public:
    enum class Stream : quint8 { Out = 1, Err = 2 };
    struct Record { // one index record
        quint64 offset = 0;
        qint64 timeNs = 0; // UTC
        quint32 length = 0;
        Stream stream = Stream::Out;
        quint8 flags = 0;
    };

    explicit LogReader(const QString &folder = {});
    ~LogReader();
    LogReader(const LogReader &) = delete;
    LogReader &operator=(const LogReader &) = delete;

    QString folder() const { return m_folder; }
    void close(); // gives the files back; the next call opens them again
    qint64 size(); // of all output now; 0 when there is none
    QByteArray read(qint64 offset, qint64 length); // what is there, maybe less; nothing where bytes are gone
    qint64 keptFrom(qint64 offset); // the first offset from there on whose byte is not gone, at most size()
    struct Gap { // bytes [from, to) that are gone now; more of them as the ring is written
        qint64 from = 0, to = 0;
        bool contains(qint64 offset) const { return offset >= from && offset < to; }
    };
    Gap gap();
    qint64 recordCount();
    std::optional<Record> record(qint64 index);
    QList<Record> records(qint64 first, qint64 count); // in one go; those that are there, maybe fewer
    qint64 recordIndexAt(quint64 offset); // of the record that holds the byte; -1 when none
    bool isComplete(); // the exit record is whole: nothing more will come
    QByteArray runtimeLog(qint64 limit = 1 << 20) { return readRuntime(0, limit); }
    qint64 runtimeSize();
    QByteArray readRuntime(qint64 offset, qint64 length);

private:
    QString m_folder;
    int m_log = -1;
    int m_index = -1;
    int m_tail = -1;
    int m_runtime = -1;
    struct Tail { // what the ring holds now: bytes [kept, end); those in [begin, kept) are gone
        qint64 begin = 0, kept = 0, end = 0, ringSize = 1;
    };
    struct Rest { // output of a log that has ended which the index does not contain
        qint64 firstRecord = 0; // takes its place
        quint64 begin = 0, length = 0;
        qint64 timeNs = 0; // the last that is known
    };
    bool openFiles();
    std::optional<Rest> rest();
    std::optional<Tail> tail();
    QByteArray readPiece(qint64 offset, qint64 length); // not over a border of the ring
};

} // namespace trainyard
