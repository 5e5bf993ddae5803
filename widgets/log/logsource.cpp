// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsource.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 recordsAtOnce = 1 << 16;
constexpr quint8 endsLineFlag = 2;
constexpr quint8 clockSteppedFlag = 8;
} // namespace

TryLogSource::TryLogSource(const QString &folder, Filter filter) : m_reader(folder), m_filter(filter) { }

LogSourceFactory TryLogSource::factory(const QString &folder, Filter filter)
{
    return [folder, filter] { return std::make_unique<TryLogSource>(folder, filter); };
}

qint64 TryLogSource::size()
{
    readRuns();
    return m_size;
}

void TryLogSource::readRuns()
{
    const qint64 records = m_reader.recordCount();
    if (records == 0 && m_recordsRead == 0 && m_filter == Filter::Both) {
        // Without an index, or as long as there is none, the bytes are shown as they are.
        m_runs.clear();
        m_size = 0;
        show(0, m_reader.size());
        return;
    }
    if (records < m_recordsRead || (m_recordsRead == 0 && m_size > 0)) {
        m_runs.clear();
        m_recordsRead = m_size = 0;
        m_inLine = m_brokenOff[0] = m_brokenOff[1] = false;
    }
    const auto wanted = m_filter == Filter::Err ? LogReader::Stream::Err : LogReader::Stream::Out;
    while (m_recordsRead < records) {
        const QList<LogReader::Record> block
            = m_reader.records(m_recordsRead, std::min(recordsAtOnce, records - m_recordsRead));
        if (block.isEmpty()) {
            return;
        }
        for (const LogReader::Record &record : block) {
            if (m_filter == Filter::Both) {
                showBoth(record);
            } else if (record.stream == wanted) {
                show(qint64(record.offset), record.length);
            }
        }
        m_recordsRead += block.size();
    }
}

void TryLogSource::show(qint64 from, qint64 length)
{
    // What is lost beyond the log's limit cannot be shown.
    const qint64 kept = m_reader.keptFrom(from);
    length -= kept - from;
    from = kept;
    if (length <= 0) {
        return;
    }
    if (!m_runs.isEmpty() && !m_runs.constLast().inserted
        && m_runs.constLast().from + m_runs.constLast().length == from) {
        m_runs.last().length += length;
    } else {
        m_runs.append({m_size, from, length, false});
    }
    m_size += length;
}

void TryLogSource::showBoth(const LogReader::Record &record)
{
    const auto stream = [](LogReader::Stream s) { return s == LogReader::Stream::Err ? 1 : 0; };
    auto from = qint64(record.offset);
    qint64 length = record.length;
    if (length == 0) {
        return;
    }
    if (m_inLine && record.stream != m_lastStream) {
        m_brokenOff[stream(m_lastStream)] = true;
        m_runs.append({m_size, from, 1, true});
        m_size += 1;
        m_inLine = false;
    }
    bool &brokenOff = m_brokenOff[stream(record.stream)];
    if (brokenOff) {
        brokenOff = false;
        if (m_reader.read(from, 1) == "\n") { // only ends the line that was broken off
            ++from;
            --length;
        }
    }
    show(from, length);
    if (length > 0) {
        m_lastStream = record.stream;
        m_inLine = (record.flags & endsLineFlag) == 0;
    }
}

qsizetype TryLogSource::runAt(qint64 offset) const
{
    const auto after
        = std::upper_bound(m_runs.cbegin(), m_runs.cend(), offset, [](qint64 o, const Run &run) { return o < run.at; });
    return after - m_runs.cbegin() - 1;
}

QByteArray TryLogSource::read(qint64 offset, qint64 length)
{
    QByteArray bytes;
    for (qsizetype i = std::max<qsizetype>(0, runAt(offset)); i < m_runs.size() && bytes.size() < length; ++i) {
        const Run &run = m_runs.at(i);
        const qint64 skip = std::max<qint64>(0, offset - run.at);
        if (skip >= run.length) {
            continue;
        }
        const qint64 want = std::min(run.length - skip, length - bytes.size());
        QByteArray part = run.inserted ? QByteArray("\n") : m_reader.read(run.from + skip, want);
        if (part.size() < want && m_reader.keptFrom(run.from + skip + part.size()) > run.from + skip + part.size()) {
            part.resize(want, ' '); // it was shown, and is gone since
        }
        bytes += part;
        if (part.size() < want) {
            break;
        }
    }
    return bytes;
}

std::optional<LogSource::Origin> TryLogSource::originAt(qint64 offset)
{
    const qsizetype run = runAt(offset);
    if (run < 0) {
        return {};
    }
    const qint64 inFile = m_runs.at(run).from + (m_runs.at(run).inserted ? 0 : offset - m_runs.at(run).at);
    const qint64 index = m_reader.recordIndexAt(quint64(inFile));
    const auto record = index >= 0 ? m_reader.record(index) : std::nullopt;
    if (!record) {
        return {};
    }
    return Origin{record->timeNs, record->stream == LogReader::Stream::Err, (record->flags & clockSteppedFlag) != 0};
}

LogSourceFactory RuntimeLogSource::factory(const QString &folder)
{
    return [folder] { return std::make_unique<RuntimeLogSource>(folder); };
}

} // namespace trainyard
