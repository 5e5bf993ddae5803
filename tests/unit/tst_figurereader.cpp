// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/figurereader.h"
#include "engine/client/taskfigures.h"
#include "engine/series/rewriting.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trainyard;

// What a reader of the figures of a task sees of a file that is thinned while it grows.
class TstFigureReader : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void aGrowingFileIsFollowed();
    void aThinnedFigureKeepsItsExtremes();
    void aRewrittenFileIsToldAnew();
    void bucketsComeOnlyWhole();
    void whatIsNoNumberDoesNotCount();
    void whatCannotBeReadNowIsToldLater();

private:
    static constexpr qint64 begin = 1700000000000 / 60000 * 60000;
    void add(const std::string &name, qint64 time, double value)
    {
        series::Info info{name, series::Axis::Time, series::StepBack::Mixed};
        info.mayThin = true;
        m_writer->append(*m_writer->define(info), {double(time), time, value});
    }
    void thin(qint64 now)
    {
        QCOMPARE(series::rewrite(m_writer, now, {{1800000, 10000}, {3600000, 60000}}).fault, series::Fault::None);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<series::Writer> m_writer;
};
TRAINYARD_TEST(TstFigureReader)

void TstFigureReader::init()
{
    m_writer.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    series::Error error;
    m_writer = series::Writer::open(figuresFile(m_folder->path()).toStdString(), error);
    QVERIFY(m_writer);
}

void TstFigureReader::aGrowingFileIsFollowed()
{
    FigureReader reader(m_folder->path());
    QVERIFY(reader.poll().empty());
    add("cpu", begin, 100);
    add("memory", begin, 7);
    m_writer->flush();
    QCOMPARE(reader.poll(), (std::vector<std::string>{"cpu", "memory"}));
    GrownFigure cpu = reader.take("cpu");
    QVERIFY(cpu.isNew && cpu.buckets.empty());
    QCOMPARE(cpu.points.size(), std::size_t(1));
    QCOMPARE(cpu.points.front().value, 100.0);
    QVERIFY(reader.poll().empty());
    add("cpu", begin + 1000, 200);
    m_writer->flush();
    QCOMPARE(reader.poll(), std::vector<std::string>{"cpu"});
    cpu = reader.take("cpu");
    QVERIFY(!cpu.isNew);
    QCOMPARE(cpu.points.size(), std::size_t(1));
    QCOMPARE(cpu.points.front().value, 200.0);
    QVERIFY(reader.take("none").points.empty());
}

void TstFigureReader::aThinnedFigureKeepsItsExtremes()
{
    QRandomGenerator random(16);
    std::vector<double> values;
    for (int i = 0; i < 7200; ++i) {
        values.push_back(random.bounded(500) == 0 ? 900 + i / 100.0 : 200 + random.bounded(100));
        add("gpu/0/power", begin + i * 1000, values.back());
    }
    thin(begin + 7200000);
    FigureReader reader(m_folder->path());
    QCOMPARE(reader.poll(), std::vector<std::string>{"gpu/0/power"});
    const GrownFigure power = reader.take("gpu/0/power");
    QCOMPARE(power.buckets.size(), std::size_t(60 + 180)); // an hour in minutes, half an hour in tens of seconds
    QCOMPARE(power.points.size(), std::size_t(1800));
    QCOMPARE(power.points.front().time, begin + 5400000);
    std::size_t first = 0;
    for (const series::Bucket &bucket : power.buckets) {
        QCOMPARE(bucket.time, begin + qint64(first) * 1000);
        const auto from = values.begin() + std::ptrdiff_t(first), to = from + std::ptrdiff_t(bucket.count);
        QCOMPARE(bucket.min, *std::min_element(from, to));
        QCOMPARE(bucket.max, *std::max_element(from, to));
        QVERIFY(std::abs(bucket.mean - std::accumulate(from, to, 0.0) / double(bucket.count)) < 1e-9);
        first += std::size_t(bucket.count);
    }
    QCOMPARE(first, std::size_t(5400));
    const FigureSummary summary = summaryOf(power);
    QCOMPARE(summary.least, *std::min_element(values.begin(), values.end()));
    QCOMPARE(summary.greatest, *std::max_element(values.begin(), values.end()));
    QCOMPARE(summary.last, values.back());
    QVERIFY(std::abs(summary.mean - std::accumulate(values.begin(), values.end(), 0.0) / 7200) < 1e-9);
}

void TstFigureReader::aRewrittenFileIsToldAnew()
{
    FigureReader reader(m_folder->path());
    for (int i = 0; i < 7200; ++i) {
        add("cpu", begin + i * 1000, i);
    }
    m_writer->flush();
    QCOMPARE(reader.poll().size(), std::size_t(1));
    QCOMPARE(reader.take("cpu").points.size(), std::size_t(7200));
    thin(begin + 7200000);
    QCOMPARE(reader.poll(), std::vector<std::string>{"cpu"});
    GrownFigure cpu = reader.take("cpu");
    QVERIFY(cpu.isNew);
    QCOMPARE(cpu.buckets.size(), std::size_t(240));
    QCOMPARE(cpu.points.size(), std::size_t(1800));
    add("cpu", begin + 7200000, 5);
    m_writer->flush();
    QCOMPARE(reader.poll().size(), std::size_t(1));
    cpu = reader.take("cpu");
    QVERIFY(!cpu.isNew && cpu.buckets.empty());
    QCOMPARE(cpu.points.size(), std::size_t(1));
    // When nothing but buckets is left, it is told anew as well.
    thin(begin + 2 * 86400000ll);
    QCOMPARE(reader.poll(), std::vector<std::string>{"cpu"});
    cpu = reader.take("cpu");
    QVERIFY(cpu.isNew && cpu.points.empty());
    QCOMPARE(cpu.buckets.size(), std::size_t(121)); // minutes
    QCOMPARE(summaryOf(cpu).last, 5.0);
}

// A copy that is made for the first time ends anywhere: in between, the means have no extremes yet.
void TstFigureReader::bucketsComeOnlyWhole()
{
    constexpr int count = 30;
    constexpr qint64 width = 10000, firstPoint = begin + count * width;
    const auto write = [&](series::Part part, int from, int to, double value) {
        series::Info info{"cpu", series::Axis::Time, series::StepBack::Mixed};
        info.part = part;
        for (int i = from; i < to; ++i) {
            const qint64 at = begin + i * width;
            m_writer->append(*m_writer->define(info), {double(at), at, value});
        }
        m_writer->flush();
    };
    FigureReader reader(m_folder->path());
    GrownFigure all; // as who keeps what is told
    const auto take = [&] {
        for (const std::string &name : reader.poll()) {
            GrownFigure more = reader.take(name);
            QVERIFY(more.isNew || more.buckets.empty());
            all = more.isNew ? GrownFigure{more.name, true, {}, {}} : all;
            all.buckets.insert(all.buckets.end(), more.buckets.begin(), more.buckets.end());
            all.points.insert(all.points.end(), more.points.begin(), more.points.end());
        }
    };
    for (int i = 0; i < 5; ++i) {
        add("cpu", firstPoint + i * 1000, 50);
    }
    m_writer->flush();
    take();
    QCOMPARE(all.points.size(), std::size_t(5));
    write(series::Part::Mean, 0, count, 40);
    take();
    QVERIFY(all.buckets.empty());
    write(series::Part::Min, 0, count, 10);
    take();
    write(series::Part::Max, 0, count, 90);
    take();
    QVERIFY(all.buckets.empty());
    write(series::Part::Count, 0, 20, 10);
    take();
    QCOMPARE(all.buckets.size(), std::size_t(20));
    write(series::Part::Count, 20, count, 10);
    take();
    QCOMPARE(all.buckets.size(), std::size_t(count));
    for (int i = 0; i < count; ++i) {
        const series::Bucket &bucket = all.buckets[std::size_t(i)];
        QCOMPARE(bucket.time, begin + i * width);
        QCOMPARE(bucket.mean, 40.0);
        QCOMPARE(bucket.min, 10.0);
        QCOMPARE(bucket.max, 90.0);
        QCOMPARE(bucket.count, std::uint64_t(10));
    }
    QCOMPARE(all.points.size(), std::size_t(5));
    add("cpu", firstPoint + 5000, 60);
    m_writer->flush();
    take();
    QCOMPARE(all.points.size(), std::size_t(6));
    QCOMPARE(all.buckets.size(), std::size_t(count));
}

void TstFigureReader::whatIsNoNumberDoesNotCount()
{
    QVERIFY(summaryOf({}).isEmpty);
    GrownFigure figure;
    figure.buckets.push_back({begin, std::nan(""), std::nan(""), std::nan(""), 0});
    figure.points.push_back({double(begin), begin, std::nan("")});
    QVERIFY(summaryOf(figure).isEmpty);
    figure.points.push_back({double(begin), begin, 3});
    QVERIFY(!summaryOf(figure).isEmpty);
    QCOMPARE(summaryOf(figure).mean, 3.0);
    QCOMPARE(summaryOf(figure).least, 3.0);
}

// Another computer has rewritten the file, and the one of before is no more.
void TstFigureReader::whatCannotBeReadNowIsToldLater()
{
    constexpr int count = 2 * 3600;
    for (int i = 0; i < count; ++i) {
        add("cpu", begin + i * 1000, i % 100);
    }
    m_writer->flush();
    thin(begin + count * 1000);
    FigureReader reader(m_folder->path());
    QCOMPARE(reader.poll(), std::vector<std::string>{"cpu"});
    QFile before(figuresFile(m_folder->path()));
    QVERIFY(before.open(QIODevice::ReadWrite));
    thin(begin + count * 1000);
    QVERIFY(before.resize(100));
    QVERIFY(reader.take("cpu").points.empty());
    QCOMPARE(reader.poll(), std::vector<std::string>{"cpu"});
    const GrownFigure cpu = reader.take("cpu");
    QVERIFY(cpu.isNew);
    double values = double(cpu.points.size());
    for (const series::Bucket &bucket : cpu.buckets) {
        values += double(bucket.count);
    }
    QCOMPARE(values, double(count));
}

#include "tst_figurereader.moc"
