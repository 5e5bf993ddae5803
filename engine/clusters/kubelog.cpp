// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubelog.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "model/base/utf8.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSet>
#include <QTimeZone>

#include <algorithm>
#include <limits>
#include <optional>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 nsOfSecond = 1'000'000'000;
constexpr qint64 latestSecond = std::numeric_limits<qint64>::max() / nsOfSecond; // in the year 2262
constexpr qsizetype mostOpenLines = 1000;
constexpr qint64 firstTail = 1000, lastTail = 1'000'000; // lines, until the one is among them that was taken last

// "2026-01-02T03:04:05.123456789Z"; 0: it is not such a time.
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

QList<kube::LogLine> kube::logLines(const QByteArray &said, bool isAll)
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
        if (time > 0) { // others are words of the cluster itself
            lines.append({time, blank < 0 ? QByteArray("\n") : line.mid(blank + 1)});
        }
    }
    return lines;
}

bool kube::hasTime(const QList<LogLine> &lines, qint64 timeNs)
{
    return std::any_of(lines.begin(), lines.end(), [timeNs](const LogLine &each) { return each.timeNs == timeNs; });
}

QList<kube::LogLine> kube::newLines(const QList<LogLine> &lines, qint64 lastNs)
{
    const auto last
        = std::find_if(lines.rbegin(), lines.rend(), [lastNs](const LogLine &each) { return each.timeNs == lastNs; });
    if (last != lines.rend()) {
        return lines.mid(lines.rend() - last);
    }
    QList<LogLine> younger = lines;
    younger.removeIf([lastNs](const LogLine &each) { return each.timeNs <= lastNs; });
    return younger;
}

QString kube::sinceTime(qint64 timeNs)
{
    return QDateTime::fromSecsSinceEpoch(timeNs / nsOfSecond, Qt::UTC).toString(Qt::ISODate);
}

kube::Tail kube::tailOf(const QByteArray &said, const TailAsked &asked, qint64 lastNs,
    const std::function<bool(const QList<LogLine> &)> &areTaken)
{
    const bool isCut = said.size() >= asked.mostBytes, isWhole = asked.isLast && !isCut;
    const QList<LogLine> all = logLines(said, true);
    if (asked.lines == 1) {
        const bool isBack = !all.isEmpty() && all.last().timeNs < lastNs;
        return {{}, asked.isLast && !all.isEmpty() && !isBack, isBack ? firstTail : 0};
    }
    const QList<LogLine> lines = logLines(said, isWhole);
    const bool isThere = hasTime(lines, lastNs);
    const bool hasMore = all.size() >= asked.lines && asked.lines < lastTail;
    if (!isThere && !isCut && hasMore && !asked.isNarrowed) {
        return {{}, false, asked.lines * 10};
    }
    if (!isThere && isCut && !all.isEmpty() && areTaken(all)) {
        // The line is before the cut. Half as much again is added for output that is printed meanwhile.
        return {{}, false, std::max<qint64>(1, asked.lines - std::max<qint64>(1, all.size() / 2))};
    }
    Tail tail{isThere ? newLines(lines, lastNs) : lines, isWhole, 0};
    if (isCut && tail.fresh.isEmpty()) { // else a line that is longer than an answer would come again and again
        tail.fresh = isThere ? newLines(all, lastNs) : all;
    }
    return tail;
}

KubeLog::KubeLog(const QString &folder, const QStringList &secrets, const CopyReserve &reserve)
    : m_folder(folder), m_secrets(utf8Of(secrets)), m_reserve(reserve)
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

// The last line feed stays, which a value may end with.
QByteArray KubeLog::hidden(const QByteArray &lines) const
{
    const bool hasEnd = lines.endsWith('\n');
    const std::string shown = contract::masked(m_secrets, lines.first(lines.size() - (hasEnd ? 1 : 0)).toStdString());
    return QByteArray::fromStdString(shown) + (hasEnd ? "\n" : "");
}

// Behind so many lines, no value goes on that has begun before: what is between two borders is hidden as one text.
QList<qsizetype> KubeLog::borders(const QList<kube::LogLine> &lines, bool isAll) const
{
    QList<qsizetype> found;
    std::optional<contract::Masker> masker;
    std::string shown;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!masker) {
            masker.emplace(m_secrets);
        }
        shown.clear();
        masker->push(lines.at(i).text.toStdString(), shown);
        if (masker->held().empty() || masker->held() == "\n") {
            found.append(i + 1);
            masker.reset();
        }
    }
    // Lines that may begin a value, and go on so for long, are not waited for.
    const qsizetype border = found.isEmpty() ? 0 : found.last();
    if (border < lines.size() && (isAll || lines.size() - border > mostOpenLines)) {
        found.append(lines.size());
    }
    return found;
}

bool KubeLog::hasTaken(const QList<kube::LogLine> &lines) const
{
    constexpr qint64 size = qint64(contract::indexRecordSize), most = 2 * lastTail, atOnce = 4096;
    QFile index(m_folder + u'/' + QLatin1StringView(contract::file::index));
    if (!index.open(QIODevice::ReadOnly) || !index.seek(std::max<qint64>(0, m_records - most) * size)) {
        return false;
    }
    QSet<qint64> times;
    for (const kube::LogLine &line : lines) {
        times.insert(line.timeNs);
    }
    const qsizetype wanted = times.size();
    while (!times.isEmpty()) {
        const QByteArray records = index.read(atOnce * size);
        for (qsizetype at = 0; at + size <= records.size(); at += size) {
            times.remove(contract::decodeIndexRecord(records.constData() + at).timeNs);
        }
        if (records.size() < atOnce * size) {
            break;
        }
    }
    // Lines over which the value of a secret goes have one record together.
    return (wanted - times.size()) * 10 > wanted;
}

void KubeLog::skipSecond() { m_lastNs = (m_lastNs / nsOfSecond + 1) * nsOfSecond; }

bool KubeLog::append(const QList<kube::LogLine> &lines, bool isAll)
{
    const QList<qsizetype> all = borders(lines, isAll);
    if (all.isEmpty()) {
        return true;
    }
    QByteArray text, index;
    qint64 place = m_bytes, lastNs = m_lastNs;
    bool isBegun = m_isLineBegun;
    qsizetype from = 0;
    for (const qsizetype border : all) {
        QByteArray together;
        for (; from < border; ++from) {
            together += lines.at(from).text;
        }
        lastNs = lines.at(border - 1).timeNs;
        const QByteArray shown = hidden(together);
        contract::IndexRecord record;
        record.offset = std::uint64_t(place);
        record.timeNs = lastNs;
        record.length = std::uint32_t(shown.size());
        const bool ends = shown.endsWith('\n');
        record.flags = std::uint8_t(
            (isBegun ? 0 : contract::indexflag::beginsLine) | (ends ? contract::indexflag::endsLine : 0));
        const auto bytes = contract::encodeIndexRecord(record);
        index.append(bytes.data(), qsizetype(bytes.size()));
        text += shown;
        place += shown.size();
        isBegun = !ends;
    }
    if (contract::makeFolders(pathBytes(m_folder)) != 0) {
        return false;
    }
    m_lacksRoom = !leavesCopyReserve(m_folder, text.size() + index.size(), m_reserve, m_lacksRoom);
    if (m_lacksRoom) {
        return false;
    }
    // Output that was written without its entry in the index is written again, and so is a part of the index for whose
    // rest there was no room.
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
    m_records += all.size();
    m_bytes = place;
    m_lastNs = lastNs;
    m_isLineBegun = isBegun;
    return true;
}

} // namespace trainyard
