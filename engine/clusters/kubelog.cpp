// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubelog.h"

#include "engine/contract/taskfolder.h"
#include "model/base/utf8.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTimeZone>

#include <limits>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 nsOfSecond = 1'000'000'000;
constexpr qint64 latestSecond = std::numeric_limits<qint64>::max() / nsOfSecond; // in the year 2262

// "2026-01-02T03:04:05.123456789Z"; 0: it is no such time.
qint64 timeOfStamp(const QByteArray &stamp)
{
    QDateTime time = QDateTime::fromString(QString::fromLatin1(stamp.left(19)), Qt::ISODate);
    qsizetype at = 19;
    qint64 ns = 0;
    if (!time.isValid() || stamp.size() < 20) {
        return 0;
    }
    time.setTimeSpec(Qt::UTC);
    if (stamp.at(at) == '.') {
        qint64 unit = nsOfSecond;
        for (++at; at < stamp.size() && stamp.at(at) >= '0' && stamp.at(at) <= '9'; ++at) {
            unit /= 10;
            ns += (stamp.at(at) - '0') * unit;
        }
    }
    const QByteArray zone = stamp.mid(at);
    qint64 offset = 0;
    if (zone.size() == 6 && (zone.at(0) == '+' || zone.at(0) == '-') && zone.at(3) == ':') {
        offset = (zone.mid(1, 2).toInt() * 60 + zone.mid(4, 2).toInt()) * 60 * (zone.at(0) == '-' ? -1 : 1);
    } else if (zone != "Z") {
        return 0;
    }
    const qint64 seconds = time.toSecsSinceEpoch() - offset;
    return seconds < 0 || seconds >= latestSecond ? 0 : seconds * nsOfSecond + ns;
}

} // namespace

QList<kube::LogLine> kube::logLines(const QByteArray &said, qint64 afterNs, bool isAll)
{
    QList<LogLine> lines;
    qsizetype at = 0;
    while (at < said.size()) {
        const qsizetype found = said.indexOf('\n', at);
        const qsizetype end = found < 0 ? said.size() : found + 1;
        if (found < 0 && !isAll) {
            break;
        }
        const QByteArray line = said.mid(at, end - at);
        at = end;
        const qsizetype blank = line.indexOf(' ');
        const qint64 time = timeOfStamp(line.left(blank < 0 ? line.trimmed().size() : blank));
        if (time > afterNs) { // others are known, or words of the cluster itself
            lines.append({time, blank < 0 ? QByteArray("\n") : line.mid(blank + 1)});
        }
    }
    return lines;
}

QString kube::sinceTime(qint64 timeNs)
{
    return QDateTime::fromSecsSinceEpoch(timeNs / nsOfSecond, Qt::UTC).toString(Qt::ISODate);
}

KubeLog::KubeLog(const QString &folder, const QStringList &secrets) : m_folder(folder), m_secrets(utf8Of(secrets))
{
    QFile index(m_folder + u'/' + QLatin1StringView(contract::file::index));
    const qint64 records = index.size() / qint64(contract::indexRecordSize);
    if (records > 0 && index.open(QIODevice::ReadOnly)
        && index.seek((records - 1) * qint64(contract::indexRecordSize))) {
        const QByteArray bytes = index.read(qint64(contract::indexRecordSize));
        if (bytes.size() == qsizetype(contract::indexRecordSize)) {
            const contract::IndexRecord last = contract::decodeIndexRecord(bytes.constData());
            m_lastNs = last.timeNs;
            m_bytes = qint64(last.offset) + last.length;
            m_records = records;
            m_isLineBegun = !(last.flags & contract::indexflag::endsLine);
        }
    }
}

// Its line feed stays, which a value may end with.
QByteArray KubeLog::hidden(const QByteArray &line) const
{
    const bool hasEnd = line.endsWith('\n');
    const std::string shown = contract::masked(m_secrets, line.first(line.size() - (hasEnd ? 1 : 0)).toStdString());
    return QByteArray::fromStdString(shown) + (hasEnd ? "\n" : "");
}

void KubeLog::skipSecond() { m_lastNs = (m_lastNs / nsOfSecond + 1) * nsOfSecond; }

bool KubeLog::append(const QList<kube::LogLine> &lines)
{
    if (lines.isEmpty()) {
        return true;
    }
    QByteArray text, index;
    qint64 place = m_bytes, lastNs = m_lastNs;
    bool isBegun = m_isLineBegun;
    for (const kube::LogLine &line : lines) {
        const QByteArray shown = hidden(line.text);
        contract::IndexRecord record;
        record.offset = std::uint64_t(place);
        record.timeNs = line.timeNs;
        record.length = std::uint32_t(shown.size());
        const bool ends = shown.endsWith('\n');
        record.flags = std::uint8_t(
            (isBegun ? 0 : contract::indexflag::beginsLine) | (ends ? contract::indexflag::endsLine : 0));
        const auto bytes = contract::encodeIndexRecord(record);
        index.append(bytes.data(), qsizetype(bytes.size()));
        text += shown;
        place += shown.size();
        lastNs = line.timeNs;
        isBegun = !ends;
    }
    if (contract::makeFolders(QFile::encodeName(m_folder).toStdString()) != 0) {
        return false;
    }
    // What was written without its place in the index is written again, and so is what was written of the index when
    // there was no more room for the rest.
    const auto write = [this](const char *name, qint64 at, const QByteArray &bytes) {
        QFile file(m_folder + u'/' + QLatin1StringView(name));
        const bool isOpen = file.open(QIODevice::ReadWrite);
        if (isOpen) {
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        }
        return isOpen && file.resize(at) && file.seek(at) && file.write(bytes) == bytes.size() && file.flush();
    };
    if (!write(contract::file::output, m_bytes, text)
        || !write(contract::file::index, m_records * qint64(contract::indexRecordSize), index)) {
        return false;
    }
    m_records += lines.size();
    m_bytes = place;
    m_lastNs = lastNs;
    m_isLineBegun = isBegun;
    return true;
}

} // namespace trainyard
