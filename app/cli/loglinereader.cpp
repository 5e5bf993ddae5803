// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/loglinereader.h"

#include "engine/contract/taskfolder.h"

namespace trainyard::cli
{
namespace
{

constexpr qint64 linesBlock = 256 << 10;
constexpr qint64 recordsBlock = 4096;
constexpr qsizetype longestLine = 1 << 20; // a program that never ends its line must not fill the memory

std::size_t partOf(LogReader::Stream stream) { return stream == LogReader::Stream::Err ? 1 : 0; }

} // namespace

LogLineReader::LogLineReader(const QString &folder, Streams streams) : m_reader(folder), m_streams(streams) { }

qint64 LogLineReader::skipToTail(qint64 count, bool complete)
{
    if (count <= 0) {
        m_record = m_reader.recordCount();
        m_taken = m_record == 0 ? static_cast<quint64>(m_reader.size()) : 0;
        return m_reader.size();
    }
    if (m_streams.out && m_streams.err) {
        qint64 newlines = 0; // from where it reads
        const qint64 end = readableEnd();
        const qint64 position = tailBegin(count, end, &newlines);
        const qint64 record = m_reader.recordIndexAt(static_cast<quint64>(position));
        if (position > 0 && record >= 0) {
            m_record = record;
            m_taken = static_cast<quint64>(position) - m_reader.record(record)->offset;
        } else if (m_reader.recordCount() == 0) {
            m_taken = static_cast<quint64>(position);
        }
        // When one stream is in the middle of a line and the other ends its own, there is one line more than the bytes
        // tell.
        for (qint64 more = complete ? newlines + unfinished(end) - count : 0; more > 0; --more) {
            while (const std::optional<Line> line = next(true)) {
                if (line->ends) {
                    break;
                }
            }
        }
        return position;
    }
    // One stream alone is read forwards, keeping the last lines.
    QList<Line> last;
    qint64 begun = 0;
    while (const std::optional<Line> line = next(complete)) {
        last.append(*line);
        begun += line->begins ? 1 : 0;
        while (begun > count) {
            begun -= last.takeFirst().begins ? 1 : 0;
        }
        while (!last.isEmpty() && !last.constFirst().begins) {
            last.removeFirst();
        }
    }
    m_ready = last;
    m_nextReady = 0;
    m_split = 0;
    return 0;
}

// A running task's bytes are written before their records, and lines without a record cannot be read yet.
qint64 LogLineReader::readableEnd()
{
    const qint64 size = m_reader.size();
    const std::optional<LogReader::Record> last = m_reader.record(m_reader.recordCount() - 1);
    return last ? std::min(size, static_cast<qint64>(last->offset + last->length)) : size;
}

// Reads the bytes backwards from `end`, so that the last lines of a log of gigabytes come at once. Also counts the
// newlines between the position that it returns and `end`.
qint64 LogLineReader::tailBegin(qint64 count, qint64 end, qint64 *newlines)
{
    qint64 position = end;
    while (position > 0) {
        const qint64 begin = m_reader.keptFrom(std::max<qint64>(0, position - linesBlock));
        const QByteArray bytes = m_reader.read(begin, position - begin);
        if (begin >= position || bytes.size() != position - begin) {
            break; // behind a gap: from here on everything is there
        }
        for (qsizetype i = bytes.size() - 1; i >= 0; --i) {
            if (bytes.at(i) != '\n') {
                continue;
            }
            // The newline that ends the last line does not begin another.
            if (begin + i + 1 < end && --count == 0) {
                return begin + i + 1;
            }
            ++*newlines;
        }
        position = begin;
    }
    return position;
}

// Streams whose last line before `end` has no newline, as far as it is read from here on.
qint64 LogLineReader::unfinished(qint64 end)
{
    bool isKnown[2] = {false, false};
    qint64 count = 0;
    for (qint64 i = m_reader.recordCount() - 1; i >= m_record && !(isKnown[0] && isKnown[1]); --i) {
        const std::optional<LogReader::Record> record = m_reader.record(i);
        if (!record || record->length == 0 || static_cast<qint64>(record->offset) >= end) {
            continue;
        }
        if (!std::exchange(isKnown[record->stream == LogReader::Stream::Err ? 1 : 0], true)) {
            const qint64 last = std::min(end, static_cast<qint64>(record->offset + record->length)) - 1;
            count += m_reader.read(last, 1) == "\n" ? 0 : 1;
        }
    }
    return count;
}

std::optional<LogLineReader::Line> LogLineReader::next(bool complete)
{
    if (!hasReady(complete)) {
        return std::nullopt;
    }
    const Line &lines = m_ready.at(m_nextReady);
    const qsizetype newline = lines.text.indexOf('\n', m_split);
    const qsizetype end = newline < 0 ? lines.text.size() : newline + 1;
    if (m_split == 0 && end == lines.text.size()) {
        return nextLines(complete);
    }
    Line one{lines.timeNs, lines.stream, lines.text.sliced(m_split, end - m_split)};
    m_split = end;
    if (end == lines.text.size()) {
        ++m_nextReady;
        m_split = 0;
    }
    return one;
}

std::optional<LogLineReader::Line> LogLineReader::nextLines(bool complete)
{
    if (!hasReady(complete)) {
        return std::nullopt;
    }
    Line lines = std::move(m_ready[m_nextReady++]);
    lines.text.remove(0, std::exchange(m_split, 0));
    return lines;
}

bool LogLineReader::hasReady(bool complete)
{
    for (;;) {
        if (m_nextReady < m_ready.size()) {
            return true;
        }
        m_ready.clear();
        m_nextReady = 0;
        if (readMore(complete)) {
            continue;
        }
        if (!complete) {
            return false;
        }
        for (const auto stream : {LogReader::Stream::Out, LogReader::Stream::Err}) {
            if (const Part &part = m_parts[partOf(stream)]; part.isBegun || !part.text.isEmpty()) {
                giveOut(stream, true);
            }
        }
        if (m_ready.isEmpty()) {
            return false;
        }
    }
}

void LogLineReader::readRecords()
{
    m_records = m_reader.records(m_record, recordsBlock);
    m_firstRecord = m_record;
    m_gap = m_reader.gap();
}

const LogReader::Record *LogLineReader::knownRecord() const
{
    const qint64 at = m_record - m_firstRecord;
    return at >= 0 && at < m_records.size() ? &m_records.at(at) : nullptr;
}

bool LogLineReader::readMore(bool complete)
{
    const bool isLastKnown = m_record + 1 >= m_firstRecord + m_records.size();
    // The newest record still grows: what it has now is read, and the rest next time.
    if (const auto *known = knownRecord(); !known || (isLastKnown && m_taken >= known->length)) {
        readRecords();
    }
    if (const auto *record = knownRecord()) {
        if (m_taken < record->length) {
            take(*record);
            return true;
        }
        if (m_record + 1 < m_firstRecord + m_records.size()) {
            ++m_record;
            m_taken = 0;
            return true;
        }
        return false;
    }
    if (m_record == 0 && complete && m_reader.recordCount() == 0) {
        // No index at all: then times and streams are not known, but the bytes are.
        const QByteArray bytes = m_reader.read(static_cast<qint64>(m_taken), linesBlock);
        m_taken += static_cast<quint64>(bytes.size());
        takeBytes(LogReader::Stream::Out, 0, bytes);
        return !bytes.isEmpty();
    }
    return false;
}

// The available bytes, at most this many.
QByteArrayView LogLineReader::bytesAt(qint64 offset, quint64 most)
{
    if (offset < m_bytesFrom || offset >= m_bytesFrom + m_bytes.size()) {
        m_bytes = m_reader.read(offset, linesBlock);
        m_bytesFrom = offset;
    }
    const QByteArrayView there = QByteArrayView(m_bytes).sliced(offset - m_bytesFrom);
    return there.first(static_cast<qsizetype>(std::min(most, static_cast<quint64>(there.size()))));
}

void LogLineReader::take(const LogReader::Record &record)
{
    const quint64 left = record.length - m_taken;
    const auto offset = static_cast<qint64>(record.offset + m_taken);
    if (m_gap.contains(offset)) {
        const quint64 gone = std::min(left, static_cast<quint64>(m_gap.to - offset));
        m_cutBytes += gone;
        m_taken += gone;
        endLines();
        return;
    }
    const bool wanted = record.stream == LogReader::Stream::Err ? m_streams.err : m_streams.out;
    if (!wanted) {
        m_taken = record.length;
        return;
    }
    const QByteArrayView bytes = bytesAt(offset, left);
    if (bytes.isEmpty()) {
        m_gap = m_reader.gap(); // it may have been overwritten meanwhile
        if (!m_gap.contains(offset)) { // the index is ahead of a log that was damaged: go on behind it
            m_taken = record.length;
        }
        return;
    }
    m_taken += static_cast<quint64>(bytes.size());
    takeBytes(record.stream, record.timeNs, bytes);
}

// Bytes are gone: what began before is not part of the line that comes.
void LogLineReader::endLines()
{
    for (const auto stream : {LogReader::Stream::Out, LogReader::Stream::Err}) {
        if (Part &part = m_parts[partOf(stream)]; part.isBegun || !part.text.isEmpty()) {
            part.text += '\n';
            giveOut(stream, true);
        }
    }
}

void LogLineReader::giveOpen(qint64 nowMs, qint64 restMs, bool barsAtOnce)
{
    for (const LogReader::Stream stream : {LogReader::Stream::Out, LogReader::Stream::Err}) {
        Part &part = m_parts[partOf(stream)];
        if (part.text.isEmpty()) {
            continue;
        }
        if (!part.restsSince) {
            part.restsSince = nowMs;
        }
        if (nowMs - *part.restsSince >= restMs || (barsAtOnce && part.text.contains('\r'))) {
            giveOut(stream, false);
        }
    }
}

void LogLineReader::giveOut(LogReader::Stream stream, bool ends)
{
    Part &part = m_parts[partOf(stream)];
    m_ready.append({part.timeNs, stream, std::exchange(part.text, {}), !part.isBegun, ends});
    part.isBegun = !ends;
    part.restsSince.reset();
}

void LogLineReader::takeBytes(LogReader::Stream stream, qint64 timeNs, QByteArrayView bytes)
{
    Part &part = m_parts[partOf(stream)];
    qsizetype begin = 0;
    if (part.isBegun || !part.text.isEmpty()) { // the rest of a line that has another time
        const qsizetype newline = bytes.indexOf('\n');
        begin = newline < 0 ? bytes.size() : newline + 1;
        part.text += bytes.first(begin);
        part.restsSince.reset();
        if (newline >= 0 || part.text.size() > longestLine) {
            giveOut(stream, newline >= 0);
        }
    }
    if (const qsizetype end = bytes.lastIndexOf('\n') + 1; end > begin) {
        m_ready.append({timeNs, stream, bytes.sliced(begin, end - begin).toByteArray()});
        begin = end;
    }
    if (begin < bytes.size()) {
        part = {bytes.sliced(begin).toByteArray(), timeNs, false, {}};
    }
}

} // namespace trainyard::cli
