// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/filereader.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>

// Writers of the files that the readers read, made from the formats and not from the readers' code.
namespace metricwriters
{

QByteArray varint(quint64 value);
QByteArray field(int number, quint64 value);
QByteArray field(int number, double value);
QByteArray field(int number, float value);
QByteArray field(int number, const QByteArray &bytes);
QByteArray little(quint64 value, int bytes);

// TensorBoard.
QByteArray eventRecord(const QByteArray &event);
QByteArray eventFileHead(); // the record with the version
QByteArray scalarValue(const QByteArray &tag, float value);
QByteArray tensorValue(const QByteArray &tag, const QByteArray &tensor, const QByteArray &plugin = {});
QByteArray eventOf(double wallTime, qint64 step, const QByteArray &values);
QByteArray scalarRecord(const QByteArray &tag, qint64 step, float value, double wallTime = 1700000000.5);

// W&B: a log of records, cut into chunks so that none crosses the end of a block.
QByteArray wandbHead();
void appendWandbRecord(QByteArray &file, const QByteArray &record);
QByteArray wandbItem(const QByteArray &key, const QByteArray &json);
QByteArray historyRecord(const QList<QPair<QByteArray, QByteArray>> &items);

quint32 slowCrc(quint32 polynomial, const QByteArray &bytes); // byte by byte

// A file in a folder that goes away.
class File
{
public:
    explicit File(const QString &name);
    std::string path() const { return m_path.toStdString(); }
    void write(const QByteArray &bytes); // anew
    void append(const QByteArray &bytes);

private:
    QTemporaryDir m_folder;
    QString m_path;
};

// What a reader gave, as lines such as "loss | step 3 = 0.5", without what was made void.
class Taken : public trainyard::metricfiles::Sink
{
public:
    void addSeries(std::uint32_t series, std::string_view name, trainyard::metricfiles::SeriesKind kind) override;
    void addPoint(const trainyard::metricfiles::Point &point) override;
    void voidFrom(double step) override;
    void setFact(std::string_view name, std::string_view value) override;
    void startOver() override;

    QStringList lines() const;

    std::vector<std::string> names;
    std::vector<trainyard::metricfiles::SeriesKind> kinds;
    std::vector<trainyard::metricfiles::Point> points;
    std::map<std::string, std::string> facts;
    int starts = 0;
};

// Reads all that is there, and what was noted.
trainyard::metricfiles::Report readAll(
    trainyard::metricfiles::FileReader &reader, Taken &taken, std::size_t budget = 4U << 20);
std::unique_ptr<trainyard::metricfiles::FileReader> opened(const File &file);
QStringList codes(const trainyard::metricfiles::Report &report);

} // namespace metricwriters
