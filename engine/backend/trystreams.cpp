// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/trystreams.h"

#include "engine/backend/tryfile.h"
#include "engine/contract/taskfolder.h"

#include <QFile>

#include <algorithm>

namespace trainyard
{

namespace
{

// A record is for one read: what is older than so many of them was not said at the end.
constexpr qint64 mostIndexRecords = 20000;

} // namespace

std::optional<core::WrittenErrors> errorsOf(const QString &folder, QByteArrayView output, qint64 size, qint64 firstLine)
{
    constexpr qint64 recordBytes = qint64(contract::indexRecordSize);
    QFile file(folder + QLatin1Char('/') + QLatin1StringView(contract::file::index));
    if (!openTryFile(file)) {
        return std::nullopt;
    }
    const qint64 all = file.size() / recordBytes;
    const qint64 first = std::max<qint64>(0, all - mostIndexRecords);
    const QByteArray bytes = file.seek(first * recordBytes) ? file.read((all - first) * recordBytes) : QByteArray();
    const qint64 begin = size - output.size(); // of `output` in the whole
    qint64 stretches = 0, from = 0, to = 0;
    bool continues = false;
    for (qint64 at = 0; at + recordBytes <= bytes.size(); at += recordBytes) {
        const contract::IndexRecord record = contract::decodeIndexRecord(bytes.constData() + at);
        if (record.flags & contract::indexflag::cut) {
            return std::nullopt;
        }
        const bool isError = record.stream == contract::Stream::Err;
        if (isError && record.length > 0) {
            stretches += continues ? 0 : 1;
            from = continues ? from : qint64(record.offset);
            to = qint64(record.offset) + record.length;
        }
        continues = isError;
    }
    if (bytes.isEmpty() || to > size) {
        return std::nullopt;
    }
    core::WrittenErrors errors;
    if (to <= begin) {
        return errors; // none of what is looked at
    }
    const QByteArrayView before = output.first(to - begin);
    qsizetype end = before.size();
    while (end > 0 && (before[end - 1] == '\n' || before[end - 1] == '\r' || before[end - 1] == ' ')) {
        --end;
    }
    const QByteArrayView said = before.first(end);
    errors.lastLine = firstLine + std::count(said.begin(), said.end(), '\n');
    errors.isOnlyOne = first == 0 && stretches == 1 && from >= begin && from - begin <= said.size()
        && !said.sliced(from - begin).contains('\n');
    return errors;
}

} // namespace trainyard
