// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/trystreams.h"

#include "engine/backend/tryfile.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/streamlines.h"

#include <QFile>

#include <algorithm>

namespace trainyard
{

namespace
{

// A record is for one read: what is older than so many of them was not said at the end.
constexpr qint64 mostIndexRecords = 20000;

struct StreamRecords {
    QList<contract::IndexRecord> all; // those of the end
    bool areAll = false;
};

StreamRecords streamRecordsOf(const QString &folder)
{
    constexpr qint64 recordBytes = qint64(contract::indexRecordSize);
    QFile file(folder + QLatin1Char('/') + QLatin1StringView(contract::file::index));
    if (!openTryFile(file)) {
        return {};
    }
    const qint64 count = file.size() / recordBytes;
    const qint64 first = std::max<qint64>(0, count - mostIndexRecords);
    const QByteArray bytes = file.seek(first * recordBytes) ? file.read((count - first) * recordBytes) : QByteArray();
    StreamRecords records{{}, first == 0};
    for (qint64 at = 0; at + recordBytes <= bytes.size(); at += recordBytes) {
        records.all.append(contract::decodeIndexRecord(bytes.constData() + at));
    }
    return records;
}

bool isOfErrors(const contract::IndexRecord &record) { return record.stream == contract::Stream::Err; }

// Those of the bytes from `begin` on.
QList<core::StreamPart> partsFrom(qint64 begin, const QList<contract::IndexRecord> &records)
{
    QList<core::StreamPart> parts;
    qint64 at = begin;
    for (const contract::IndexRecord &record : records) {
        const qint64 from = std::max(at, qint64(record.offset));
        const qint64 to = qint64(record.offset) + record.length;
        if (to <= at) {
            continue;
        }
        if (from > at) {
            // Where a record does not begin a line, its stream wrote the beginning.
            const bool isBegun = !(record.flags & contract::indexflag::beginsLine);
            parts.append({from - at, isBegun == isOfErrors(record)});
        }
        parts.append({to - from, isOfErrors(record)});
        at = to;
    }
    return parts;
}

} // namespace

TryLines tryLines(const QString &folder, const QByteArray &output, qint64 size)
{
    const auto [records, areAll] = streamRecordsOf(folder);
    const bool isWhole = std::all_of(records.cbegin(), records.cend(), [size](const contract::IndexRecord &record) {
        return !(record.flags & contract::indexflag::cut) && qint64(record.offset) + record.length <= size;
    });
    if (records.isEmpty() || !isWhole) {
        return {output};
    }
    const qint64 begin = size - output.size(); // of `output` in the whole
    core::StreamLines lines = core::linesOfStreams(output, partsFrom(begin, records));
    qint64 stretches = 0, from = 0;
    bool continues = false;
    for (const contract::IndexRecord &record : records) {
        if (isOfErrors(record) && record.length > 0 && !continues) {
            ++stretches;
            from = qint64(record.offset);
        }
        continues = isOfErrors(record);
    }
    const bool isOnlyOne = areAll && stretches == 1 && lines.errors == 1 && from >= begin;
    return {std::move(lines.text), core::WrittenErrors{lines.lastError, isOnlyOne}};
}

} // namespace trainyard
