// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/metricwriters.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace metricwriters
{

QByteArray varint(quint64 value)
{
    QByteArray bytes;
    do {
        bytes += char((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value > 0);
    return bytes;
}

QByteArray little(quint64 value, int bytes)
{
    QByteArray result;
    for (int i = 0; i < bytes; ++i) {
        result += char(value >> (8 * i));
    }
    return result;
}

QByteArray field(int number, quint64 value) { return varint(quint64(number) << 3) + varint(value); }

QByteArray field(int number, double value)
{
    return varint(quint64(number) << 3 | 1) + little(std::bit_cast<quint64>(value), 8);
}

QByteArray field(int number, float value)
{
    return varint(quint64(number) << 3 | 5) + little(std::bit_cast<quint32>(value), 4);
}

QByteArray field(int number, const QByteArray &bytes)
{
    return varint(quint64(number) << 3 | 2) + varint(quint64(bytes.size())) + bytes;
}

quint32 slowCrc(quint32 polynomial, const QByteArray &bytes)
{
    static std::map<quint32, std::array<quint32, 256>> tables;
    std::array<quint32, 256> &table = tables[polynomial];
    for (quint32 i = 1; i < 256 && table[255] == 0; ++i) {
        quint32 crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
        }
        table[i] = crc;
    }
    quint32 crc = ~0U;
    for (const char c : bytes) {
        crc = crc >> 8 ^ table[(crc ^ quint8(c)) & 0xFF];
    }
    return ~crc;
}

namespace
{
QByteArray masked(const QByteArray &bytes)
{
    const quint32 crc = slowCrc(0x82F63B78, bytes);
    return little((crc >> 15 | crc << 17) + 0xA282EAD8U, 4);
}
} // namespace

QByteArray eventRecord(const QByteArray &event)
{
    const QByteArray length = little(quint64(event.size()), 8);
    return length + masked(length) + event + masked(event);
}

QByteArray eventFileHead() { return eventRecord(field(1, 1700000000.0) + field(3, QByteArray("brain.Event:2"))); }

QByteArray scalarValue(const QByteArray &tag, float value) { return field(1, field(1, tag) + field(2, value)); }

QByteArray tensorValue(const QByteArray &tag, const QByteArray &tensor, const QByteArray &plugin)
{
    QByteArray value = field(1, tag);
    if (!plugin.isEmpty()) {
        value += field(9, field(1, field(1, plugin)));
    }
    return field(1, value + field(8, tensor));
}

QByteArray eventOf(double wallTime, qint64 step, const QByteArray &values)
{
    return field(1, wallTime) + field(2, quint64(step)) + field(5, values);
}

QByteArray scalarRecord(const QByteArray &tag, qint64 step, float value, double wallTime)
{
    return eventRecord(eventOf(wallTime, step, scalarValue(tag, value)));
}

QByteArray wandbHead() { return QByteArray(":W&B\xE1\xBE\0", 7); }

void appendWandbRecord(QByteArray &file, const QByteArray &record)
{
    constexpr qsizetype block = 32768;
    qsizetype done = 0;
    for (bool isFirst = true; isFirst || done < record.size(); isFirst = false) {
        qsizetype left = block - file.size() % block;
        if (left < 7) {
            file += QByteArray(left, '\0');
            left = block;
        }
        const QByteArray part = record.mid(done, left - 7);
        done += part.size();
        const bool isLast = done == record.size();
        const char type = isFirst ? (isLast ? 1 : 2) : (isLast ? 4 : 3);
        file += little(slowCrc(0xEDB88320, QByteArray(1, type) + part), 4) + little(quint64(part.size()), 2)
            + QByteArray(1, type) + part;
    }
}

QByteArray wandbItem(const QByteArray &key, const QByteArray &json)
{
    return field(1, field(1, key) + field(16, json));
}

QByteArray historyRecord(const QList<QPair<QByteArray, QByteArray>> &items)
{
    QByteArray history;
    for (const auto &[key, json] : items) {
        history += wandbItem(key, json);
    }
    return field(2, history);
}

File::File(const QString &name) : m_path(m_folder.filePath(name)) { }

void File::write(const QByteArray &bytes)
{
    QFile file(m_path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qFatal("cannot write");
    }
}

void File::append(const QByteArray &bytes)
{
    QFile file(m_path);
    if (!file.open(QIODevice::Append) || file.write(bytes) != bytes.size()) {
        qFatal("cannot write");
    }
}

void Taken::addSeries(std::uint32_t series, std::string_view name, metricfiles::SeriesKind kind)
{
    if (series != names.size()) {
        qFatal("the series are not counted");
    }
    names.emplace_back(name);
    kinds.push_back(kind);
}

void Taken::addPoint(const metricfiles::Point &point)
{
    if (point.series >= names.size()) {
        qFatal("a point of no series");
    }
    points.push_back(point);
}

void Taken::voidFrom(double step)
{
    points.erase(std::remove_if(points.begin(), points.end(), [step](const auto &point) { return point.x >= step; }),
        points.end());
}

void Taken::setFact(std::string_view name, std::string_view value) { facts[std::string(name)] = value; }

void Taken::startOver()
{
    names.clear();
    kinds.clear();
    points.clear();
    facts.clear();
    ++starts;
}

QStringList Taken::lines() const
{
    QStringList lines;
    for (const metricfiles::Point &point : points) {
        const std::string_view axis = metrics::axisName(point.axis);
        QString line = QString::fromStdString(names[point.series]) + u" | "_s
            + QString::fromLatin1(axis.data(), qsizetype(axis.size())) + u' ' + QString::number(point.x, 'g', 12);
        if (point.epoch) {
            line += u" in "_s + QString::number(*point.epoch, 'g', 6);
        }
        lines.append(line + u" = "_s + (std::isnan(point.value) ? u"nan"_s : QString::number(point.value, 'g', 6)));
    }
    return lines;
}

metricfiles::Report readAll(metricfiles::FileReader &reader, Taken &taken, std::size_t budget)
{
    metricfiles::Report all;
    for (;;) {
        metricfiles::Report report = reader.read(taken, budget);
        report.notes.insert(report.notes.begin(), all.notes.begin(), all.notes.end());
        report.notesLeftOut += all.notesLeftOut;
        all = std::move(report);
        if (all.state != metricfiles::State::More) {
            return all;
        }
    }
}

std::unique_ptr<metricfiles::FileReader> opened(const File &file)
{
    metricfiles::Note problem;
    std::unique_ptr<metricfiles::FileReader> reader = metricfiles::FileReader::open(file.path(), {}, problem);
    if (!reader) {
        qFatal("not opened: %s", std::string(problem.code).c_str());
    }
    return reader;
}

QStringList codes(const metricfiles::Report &report)
{
    QStringList codes;
    for (const metricfiles::Note &note : report.notes) {
        codes.append(
            QString::fromLatin1(note.code.data(), qsizetype(note.code.size())) + u'@' + QString::number(note.offset));
    }
    return codes;
}

} // namespace metricwriters
