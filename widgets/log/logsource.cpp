// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsource.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr quint8 clockSteppedFlag = 8;
}

TryLogSource::TryLogSource(const QString &folder, Filter filter) : m_reader(folder), m_filter(filter) { }

LogSourceFactory TryLogSource::factory(const QString &folder, Filter filter)
{
    return [folder, filter] { return std::make_unique<TryLogSource>(folder, filter); };
}

qint64 TryLogSource::size()
{
    if (m_filter == Filter::Both) {
        return m_reader.size();
    }
    readRuns();
    return m_size;
}

void TryLogSource::readRuns()
{
    const qint64 records = m_reader.recordCount();
    if (records < m_recordsRead) {
        m_runs.clear();
        m_recordsRead = m_size = 0;
    }
    const auto wanted = m_filter == Filter::Err ? LogReader::Stream::Err : LogReader::Stream::Out;
    for (; m_recordsRead < records; ++m_recordsRead) {
        const auto record = m_reader.record(m_recordsRead);
        if (!record) {
            return;
        }
        if (record->stream != wanted) {
            continue;
        }
        const auto from = qint64(record->offset);
        if (!m_runs.isEmpty() && m_runs.constLast().from + m_runs.constLast().length == from) {
            m_runs.last().length += record->length;
        } else {
            m_runs.append({m_size, from, record->length});
        }
        m_size += record->length;
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
    if (m_filter == Filter::Both) {
        return m_reader.read(offset, length);
    }
    QByteArray bytes;
    for (qsizetype i = std::max<qsizetype>(0, runAt(offset)); i < m_runs.size() && bytes.size() < length; ++i) {
        const Run &run = m_runs.at(i);
        const qint64 skip = std::max<qint64>(0, offset - run.at);
        if (skip >= run.length) {
            continue;
        }
        const qint64 want = std::min(run.length - skip, length - bytes.size());
        const QByteArray part = m_reader.read(run.from + skip, want);
        bytes += part;
        if (part.size() < want) {
            break;
        }
    }
    return bytes;
}

std::optional<LogSource::Origin> TryLogSource::originAt(qint64 offset)
{
    qint64 inFile = offset;
    if (m_filter != Filter::Both) {
        const qsizetype run = runAt(offset);
        if (run < 0) {
            return {};
        }
        inFile = m_runs.at(run).from + offset - m_runs.at(run).at;
    }
    const qint64 index = m_reader.recordIndexAt(quint64(inFile));
    const auto record = index >= 0 ? m_reader.record(index) : std::nullopt;
    if (!record) {
        return {};
    }
    return Origin{record->timeNs, record->stream == LogReader::Stream::Err, (record->flags & clockSteppedFlag) != 0};
}

LogSourceFactory BytesLogSource::factory(const QByteArray &bytes)
{
    return [bytes] { return std::make_unique<BytesLogSource>(bytes); };
}

} // namespace trainyard
