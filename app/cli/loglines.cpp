// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/loglines.h"

#include "engine/contract/taskfolder.h"

namespace trainyard::cli
{
namespace
{

constexpr qint64 linesBlock = 256 << 10;
constexpr qsizetype longestLine = 1 << 20; // a program that never ends its line must not fill the memory

} // namespace

LogLines::LogLines(const QString &folder, Streams streams) : m_reader(folder), m_streams(streams) { }

qint64 LogLines::skipToTail(qint64 count, bool complete)
{
    if (count <= 0) {
        m_record = m_reader.recordCount();
        m_taken = m_record == 0 ? static_cast<quint64>(m_reader.size()) : 0;
        return m_reader.size();
    }
    if (m_streams.out && m_streams.err) {
        qint64 newlines = 0; // from where it reads
        const qint64 position = tailBegin(count, &newlines);
        const qint64 record = m_reader.recordIndexAt(static_cast<quint64>(position));
        if (position > 0 && record >= 0) {
            m_record = record;
            m_taken = static_cast<quint64>(position) - m_reader.record(record)->offset;
        } else if (m_reader.recordCount() == 0) {
            m_taken = static_cast<quint64>(position);
        }
        // When one stream is in the middle of a line and the other ends its own, there is one line more than the bytes
        // tell.
        for (qint64 more = complete ? newlines + unfinished() - count : 0; more > 0; --more) {
            next(true);
        }
        return position;
    }
    // One stream alone is read forwards, keeping the last lines.
    QList<Line> last;
    while (const std::optional<Line> line = next(complete)) {
        last.append(*line);
        if (last.size() > count) {
            last.removeFirst();
        }
    }
    m_ready = last;
    m_nextReady = 0;
    return 0;
}

// Reads the bytes backwards, so that the end of a log of gigabytes comes at once. Also counts the newlines from there
// on.
qint64 LogLines::tailBegin(qint64 count, qint64 *newlines)
{
    const qint64 size = m_reader.size();
    qint64 position = size;
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
            if (begin + i + 1 < size && --count == 0) {
                return begin + i + 1;
            }
            ++*newlines;
        }
        position = begin;
    }
    return position;
}

// Streams whose last line has no newline yet, as far as it is read from here on.
qint64 LogLines::unfinished()
{
    bool isKnown[2] = {false, false};
    qint64 count = 0;
    for (qint64 i = m_reader.recordCount() - 1; i >= m_record && !(isKnown[0] && isKnown[1]); --i) {
        const std::optional<LogReader::Record> record = m_reader.record(i);
        if (!record || record->length == 0) {
            continue;
        }
        if (!std::exchange(isKnown[record->stream == LogReader::Stream::Err ? 1 : 0], true)) {
            count += m_reader.read(static_cast<qint64>(record->offset + record->length) - 1, 1) == "\n" ? 0 : 1;
        }
    }
    return count;
}

std::optional<LogLines::Line> LogLines::next(bool complete)
{
    for (;;) {
        if (m_nextReady < m_ready.size()) {
            return m_ready.at(m_nextReady++);
        }
        m_ready.clear();
        m_nextReady = 0;
        if (readMore(complete)) {
            continue;
        }
        if (!complete) {
            return std::nullopt;
        }
        for (int i = 0; i < 2; ++i) {
            if (!m_parts[i].text.isEmpty()) {
                const Part part = std::exchange(m_parts[i], {});
                return Line{part.timeNs, i == 0 ? LogReader::Stream::Out : LogReader::Stream::Err, part.text};
            }
        }
        return std::nullopt;
    }
}

bool LogLines::readMore(bool complete)
{
    const std::optional<LogReader::Record> record = m_reader.record(m_record);
    if (record) {
        // The newest record still grows: what it has now is read, and the rest next time.
        const quint64 known = record->length;
        if (m_taken < known) {
            take(*record);
            return true;
        }
        if (m_reader.record(m_record + 1)) {
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

void LogLines::take(const LogReader::Record &record)
{
    const quint64 left = record.length - m_taken;
    const auto offset = static_cast<qint64>(record.offset + m_taken);
    if (const qint64 kept = m_reader.keptFrom(offset); kept > offset) {
        const quint64 gone = std::min(left, static_cast<quint64>(kept - offset));
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
    const QByteArray bytes = m_reader.read(offset, static_cast<qint64>(std::min<quint64>(left, linesBlock)));
    if (bytes.isEmpty()) { // the index is ahead of a log that was damaged: go on behind it
        m_taken = record.length;
        return;
    }
    m_taken += static_cast<quint64>(bytes.size());
    takeBytes(record.stream, record.timeNs, bytes);
}

// Bytes are gone: what began before is no part of the line that comes.
void LogLines::endLines()
{
    for (int i = 0; i < 2; ++i) {
        if (Part part = std::exchange(m_parts[i], {}); !part.text.isEmpty()) {
            const auto stream = i == 0 ? LogReader::Stream::Out : LogReader::Stream::Err;
            m_ready.append({part.timeNs, stream, part.text + '\n'});
        }
    }
}

void LogLines::takeBytes(LogReader::Stream stream, qint64 timeNs, const QByteArray &bytes)
{
    Part &part = m_parts[stream == LogReader::Stream::Err ? 1 : 0];
    qsizetype begin = 0;
    while (begin < bytes.size()) {
        const qsizetype newline = bytes.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? bytes.size() : newline + 1;
        if (part.text.isEmpty()) {
            part.timeNs = timeNs;
        }
        part.text += QByteArrayView(bytes).sliced(begin, end - begin);
        if (newline >= 0 || part.text.size() > longestLine) {
            m_ready.append({part.timeNs, stream, part.text});
            part = {};
        }
        begin = end;
    }
}

} // namespace trainyard::cli
