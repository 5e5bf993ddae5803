// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/block.h"
#include "engine/series/crc32c.h"
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/seriestests.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace seriestests;

// The file of series: what is written comes back, also while it grows.
class TstSeriesFile : public QObject, private SeriesFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void comesBack();
    void goesOnWhereItEnded();
    void oneWriter();
    void otherFilesAreLeftAlone_data();
    void otherFilesAreLeftAlone();
    void newerFilesAreLeftAlone();
    void aReaderFollows();
    void manyNames();
    void stepsBackAreVoidAfterwards();
    void largeRunsStayOnTheDisk();
    void fullDisk();
};

void TstSeriesFile::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstSeriesFile::comesBack()
{
    for (const auto &[rows, perFlush] : {std::pair(1, 1), std::pair(100, 1), std::pair(200, 63), std::pair(1000, 64),
             std::pair(30000, 30000), std::pair(30000, 777)}) {
        const std::string file = path(qPrintable(u"%1-%2"_s.arg(rows).arg(perFlush)));
        AllSeen written;
        {
            const auto writer = writerOf(file);
            QVERIFY(writer);
            written = writeSome(*writer, quint32(rows), rows, perFlush);
            QCOMPARE(writer->pendingPoints(), std::size_t(0));
        }
        QVERIFY(contents(file) == written);
    }
}

void TstSeriesFile::goesOnWhereItEnded()
{
    for (int i = 0; i < 5; ++i) {
        const auto writer = writerOf(path());
        QVERIFY(writer);
        const auto id = writer->define({"loss"});
        QCOMPARE(*id, 0U);
        QCOMPARE(*writer->define({qPrintable(u"of %1"_s.arg(i))}), quint32(i + 1));
        writer->append(*id, {double(i), i, double(i)}); // the end of the writer flushes
    }
    const AllSeen all = contents(path());
    QCOMPARE(all.at("loss").size(), std::size_t(5));
    QCOMPARE(all.size(), std::size_t(6));
}

void TstSeriesFile::oneWriter()
{
    const auto first = writerOf(path());
    series::Error error;
    QVERIFY(!series::Writer::open(path(), error));
    QCOMPARE(error.fault, series::Fault::Busy);
    QVERIFY(!series::Writer::open(path("no/such/folder"), error));
    QCOMPARE(error.fault, series::Fault::System);
    QCOMPARE(error.number, ENOENT);
    QVERIFY(!first->define({std::string(series::longestName + 1, 'n')}));
    QVERIFY(!first->define({""}));
    QVERIFY(first->define({std::string(series::longestName, 'n')}));
}

void TstSeriesFile::otherFilesAreLeftAlone_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray("step,loss\n1,2\n");
    QTest::newRow("short text") << QByteArray("s");
    QTest::newRow("zeros") << QByteArray(100, '\0');
    QTest::newRow("a damaged header") << QByteArray("TYSERIES\1\0\0\0ABCDEFGHIJKL", 24);
}

void TstSeriesFile::otherFilesAreLeftAlone()
{
    QFETCH(const QByteArray, bytes);
    putBytes(path(), bytes);
    series::Error error;
    QVERIFY(!series::Writer::open(path(), error));
    QCOMPARE(error.fault, series::Fault::NotSeries);
    QCOMPARE(bytesOf(path()), bytes);
    series::Reader reader(path());
    QCOMPARE(reader.poll().error.fault, series::Fault::NotSeries);
}

void TstSeriesFile::newerFilesAreLeftAlone()
{
    QByteArray bytes = QByteArray::fromStdString(series::encodeFileHeader(5));
    bytes[8] = 2;
    const std::uint32_t sum = series::crc32c(std::string_view(bytes.constData(), 20));
    std::memcpy(bytes.data() + 20, &sum, 4);
    putBytes(path(), bytes);
    series::Error error;
    QVERIFY(!series::Writer::open(path(), error));
    QCOMPARE(error.fault, series::Fault::Newer);
    QCOMPARE(bytesOf(path()), bytes);
}

void TstSeriesFile::aReaderFollows()
{
    series::SeriesSet set(path());
    QCOMPARE(set.poll().error.number, ENOENT); // it may come
    const auto writer = writerOf(path());
    const auto loss = *writer->define({"loss"});
    const auto other = *writer->define({"other"});
    QVERIFY(set.poll().grown.empty());
    AllSeen written;
    for (int i = 0; i < 500; ++i) {
        for (int k = 0; k <= i % 90; ++k) {
            writer->append(loss, {double(written["loss"].size()), startTime + i, i / 8.0});
            written["loss"].push_back(
                {double(written["loss"].size()), startTime + i, std::bit_cast<std::uint64_t>(i / 8.0)});
        }
        if (i % 100 == 50) {
            writer->append(other, {1, 1, 1});
            written["other"].push_back({1, 1, std::bit_cast<std::uint64_t>(1.0)});
        }
        QVERIFY(set.poll().grown.empty()); // nothing is seen before it is flushed
        writer->flush();
        const series::Reader::Change change = set.poll();
        QVERIFY(!change.isReset);
        QCOMPARE(
            change.grown, i % 100 == 50 ? (std::vector<std::uint32_t>{loss, other}) : std::vector<std::uint32_t>{loss});
        if (i % 3 == 0) {
            QCOMPARE(set.series(loss).size(), written["loss"].size());
        }
    }
    QVERIFY(contents(set) == written);
    QCOMPARE(set.reader().cursor(), writer->cursor());
}

void TstSeriesFile::manyNames()
{
    constexpr int count = 20000;
    {
        const auto writer = writerOf(path());
        for (int i = 0; i < count; ++i) {
            const auto id = writer->define({"layer." + std::to_string(i) + ".weight.grad.norm"});
            for (int k = 0; k < 3; ++k) {
                writer->append(*id, {double(k), startTime + k, i + k / 4.0});
            }
        }
        writer->flush();
    }
    series::SeriesSet set(path());
    QCOMPARE(set.poll().grown.size(), std::size_t(count));
    const auto found = set.find("layer.12345.weight.grad.norm");
    QCOMPARE(set.overview(*found).lastValue, 12345.5);
    QVERIFY(!set.isLoaded(*found));
    QVERIFY(!set.find("layer.12345.weight.grad.norm", series::Part::Mean));
    QVERIFY(!set.find("layer"));
    QCOMPARE(set.series(*found).size(), std::size_t(3));
    // The names themselves are 30 bytes each.
    QVERIFY2(bytesOf(path()).size() < count * (35 + 3 * 12), qPrintable(QString::number(bytesOf(path()).size())));
}

void TstSeriesFile::stepsBackAreVoidAfterwards()
{
    {
        const auto writer = writerOf(path());
        const auto loss = *writer->define({"loss"});
        series::Info mixed{"mixed"};
        mixed.stepBack = series::StepBack::Mixed;
        const auto both = *writer->define(mixed);
        for (const double x : {1.0, 2.0, 3.0, 2.0, 3.0, 4.0}) {
            writer->append(loss, {x, 1, x});
            writer->append(both, {x, 1, x});
            writer->flush();
        }
        writer->voidFrom(loss, 3);
        writer->append(loss, {5, 1, 5});
    }
    series::SeriesSet set(path());
    set.poll();
    const series::Series &loss = set.series(0);
    QCOMPARE(loss.size(), std::size_t(3)); // 1, 2, 5
    QCOMPARE(loss.voidPoints().size(), std::size_t(4)); // 2, 3, then 3, 4
    QCOMPARE(set.series(1).size(), std::size_t(6));
    const series::SeriesSet::Overview overview = set.overview(0);
    QCOMPARE(overview.count, std::uint64_t(3));
    QCOMPARE(overview.extent.max, 5.0);
}

void TstSeriesFile::largeRunsStayOnTheDisk()
{
    {
        const auto writer = writerOf(path());
        const auto id = *writer->define({"loss"});
        for (int i = 0; i < 100000; ++i) {
            writer->append(id, {double(i), startTime + i, i == 77777 ? -3 : 1.0 / (1 + i)});
        }
    }
    series::SeriesSet set(path());
    set.poll();
    const series::SeriesSet::Overview overview = set.overview(0);
    QCOMPARE(overview.count, std::uint64_t(100000));
    QCOMPARE(overview.lastX, 99999.0);
    QCOMPARE(overview.extent.min, -3.0);
    QCOMPARE(overview.extent.max, 1.0);
    QVERIFY(!set.isLoaded(0));
    QCOMPARE(set.series(0).smallest()->x, 77777.0);
    QVERIFY(set.isLoaded(0));
    set.forget(0);
    QVERIFY(!set.isLoaded(0));
    QCOMPARE(set.series(0).size(), std::size_t(100000));
}

// The device that is always full.
void TstSeriesFile::fullDisk()
{
    series::File full;
    if (!QFile::exists(u"/dev/full"_s)) {
        QSKIP("/dev/full is missing here: make the device with mknod -m 666 /dev/full c 1 7.");
    }
    QVERIFY(full.openToWrite("/dev/full").fault == series::Fault::None);
    QCOMPARE(full.write(0, "bytes").number, ENOSPC);
}

TRAINYARD_TEST(TstSeriesFile)
#include "tst_seriesfile.moc"
