// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/block.h"
#include "engine/series/crc32c.h"
#include "engine/series/delta.h"
#include "engine/series/figureview.h"
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <map>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The file of series: what is written comes back, also when it was cut or damaged, while it grows, after it was
// written anew, and on another host.
class TstSeriesFile : public QObject
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
    void cutAtEveryByte();
    void everyBitFlipped();
    void damageInTheMiddle();
    void whatTakesThePlaceOfDamageIsSeen();
    void rewritingKeepsEveryPoint();
    void rewritingMakesItSmall();
    void aReaderSeesARewrittenFile();
    void deltas_data();
    void deltas();
    void deltasOfARewrittenFile();
    void thinningOfBuckets();
    void thinnedTwiceIsThinnedOnce();
    void thinningOfAFile();
    void thinnedFiguresKeepTheirExtremes();
    void aWeekOfEightGpus();

private:
    std::string path(const char *name = "series") const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace
{

constexpr qint64 startTime = 1700000000000;

struct Seen {
    double x = 0;
    std::int64_t time = 0;
    std::uint64_t value = 0; // bits
    friend bool operator==(const Seen &, const Seen &) = default;
};
using AllSeen = std::map<std::string, std::vector<Seen>>;

Seen seenOf(const series::Point &point) { return {point.x, point.time, std::bit_cast<std::uint64_t>(point.value)}; }

QByteArray bytesOf(const std::string &file)
{
    QFile in(QString::fromStdString(file));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void putBytes(const std::string &file, const QByteArray &bytes)
{
    QFile out(QString::fromStdString(file));
    QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(out.write(bytes), bytes.size());
}

std::unique_ptr<series::Writer> writerOf(const std::string &file)
{
    series::Error error;
    auto writer = series::Writer::open(file, error);
    if (!writer) {
        qWarning("fault %d, errno %d", int(error.fault), error.number);
    }
    return writer;
}

AllSeen contents(series::SeriesSet &set)
{
    AllSeen all;
    for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
        const series::Info &info = set.infos()[id];
        std::vector<Seen> &points
            = all[info.name + (info.part == series::Part::Value ? "" : "/" + std::to_string(int(info.part)))];
        const series::Series &each = set.series(id);
        for (std::size_t i = 0; i < each.size(); ++i) {
            points.push_back(seenOf(each.at(i)));
        }
        for (const series::Point &point : each.voidPoints()) {
            points.push_back(seenOf(point));
        }
    }
    return all;
}

AllSeen contents(const std::string &file)
{
    series::SeriesSet set(file);
    set.poll();
    return contents(set);
}

// Some series of all kinds, in blocks of all sizes.
AllSeen writeSome(series::Writer &writer, quint32 seed, int rows, int perFlush)
{
    QRandomGenerator random(seed);
    AllSeen all;
    const auto add = [&](std::uint32_t id, const series::Point &point) {
        writer.append(id, point);
        all[writer.infos()[id].name].push_back(seenOf(point));
    };
    const auto loss = *writer.define({"loss", series::Axis::Step});
    const auto rate = *writer.define({"lr", series::Axis::Step});
    const auto accuracy = *writer.define({"eval/accuracy", series::Axis::Epoch});
    const auto power = *writer.define({"gpu0/power", series::Axis::Time});
    for (const series::Info &info : writer.infos()) {
        all[info.name];
    }
    qint64 time = startTime;
    for (int i = 0; i < rows; ++i) {
        time += 900 + random.bounded(200);
        const double noise = random.generateDouble();
        add(loss, {double(i), time, random.bounded(40) == 0 ? std::nan("") : double(float(1 + noise))});
        add(rate, {double(i), time, 1e-4 * (1 - i / 1e6)});
        add(power, {double(time + 3), time + 3, 100 + random.bounded(2000) / 10.0});
        if (i % 7 == 3) {
            add(accuracy, {i / 7.0, time, noise});
        }
        if (i % perFlush == perFlush - 1) {
            writer.flush();
        }
    }
    writer.flush();
    return all;
}

bool isBeginningOf(const AllSeen &less, const AllSeen &all)
{
    return std::all_of(less.begin(), less.end(), [&all](const auto &each) {
        const auto whole = all.find(each.first);
        return whole != all.end() && each.second.size() <= whole->second.size()
            && std::equal(each.second.begin(), each.second.end(), whole->second.begin());
    });
}

std::size_t pointsOf(const AllSeen &all)
{
    std::size_t count = 0;
    for (const auto &each : all) {
        count += each.second.size();
    }
    return count;
}

} // namespace

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

void TstSeriesFile::cutAtEveryByte()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 5, 60, 4);
    }
    const QByteArray whole = bytesOf(path());
    std::size_t before = 0;
    const qsizetype step = isFullForm() ? 13 : 101;
    for (qsizetype size = 0; size <= whole.size(); ++size) {
        putBytes(path("cut"), whole.first(size));
        const AllSeen seen = contents(path("cut"));
        QVERIFY(isBeginningOf(seen, all));
        QVERIFY(pointsOf(seen) >= before); // a longer file never has less
        before = pointsOf(seen);
        if (size % step == 0 || size < 30) {
            const auto writer = writerOf(path("cut"));
            QVERIFY(writer);
            const auto id = writer->define({"after"});
            writer->append(*id, {1, 2, 3});
            QCOMPARE(writer->flush().fault, series::Fault::None);
            const AllSeen after = contents(path("cut"));
            QCOMPARE(pointsOf(after), before + 1);
            QCOMPARE(after.at("after").size(), std::size_t(1));
        }
    }
    QVERIFY(contents(path()) == all);
    QCOMPARE(before, pointsOf(all));
}

void TstSeriesFile::everyBitFlipped()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 6, 12, 3);
    }
    const QByteArray whole = bytesOf(path());
    const qsizetype step = isFullForm() ? 1 : 11; // in turn each bit of a byte
    for (qsizetype bit = 0; bit < whole.size() * 8; bit += step) {
        QByteArray damaged = whole;
        damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << (bit % 8)));
        putBytes(path("damaged"), damaged);
        const AllSeen seen = contents(path("damaged"));
        // What is there is true: each point was written, in this order.
        for (const auto &[name, points] : seen) {
            if (name.empty()) {
                continue; // its name was in the block that is lost
            }
            const std::vector<Seen> &written = all.at(name);
            auto at = written.begin();
            for (const Seen &point : points) {
                at = std::find(at, written.end(), point);
                QVERIFY2(at != written.end(), qPrintable(QString::number(bit)));
                ++at;
            }
        }
        if (bit >= 24 * 8) { // only the block with the bit
            QVERIFY2(pointsOf(seen) + 12 >= pointsOf(all), qPrintable(QString::number(bit)));
        }
    }
}

void TstSeriesFile::damageInTheMiddle()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 7, 5000, 100);
    }
    QByteArray bytes = bytesOf(path());
    const qsizetype middle = bytes.size() / 2;
    // More than a block can be long, so that nothing says where the next one begins.
    const QByteArray damaged = bytes.first(middle) + QByteArray(5 << 20, '\xd7') + bytes.sliced(middle);
    putBytes(path(), damaged);
    series::SeriesSet set(path());
    set.poll();
    const AllSeen seen = contents(set);
    QVERIFY(pointsOf(seen) + 400 >= pointsOf(all) && pointsOf(seen) < pointsOf(all));
    QVERIFY(set.reader().damaged() >= std::uint64_t(5 << 20));
    QCOMPARE(set.reader().cursor().offset, std::uint64_t(damaged.size()));
}

// A writer takes an incomplete block back and writes as many bytes as there were.
void TstSeriesFile::whatTakesThePlaceOfDamageIsSeen()
{
    const auto appendOne = [this](double x) {
        const auto writer = writerOf(path());
        writer->append(*writer->define({"loss"}), {x, startTime, 0.5});
        writer->flush();
        return qsizetype(writer->cursor().offset);
    };
    const qsizetype before = appendOne(1), after = appendOne(2);
    for (const qsizetype damaged : {after - before, qsizetype(9 << 20)}) {
        putBytes(path(), bytesOf(path()).first(before) + QByteArray(damaged, 'x'));
        series::SeriesSet set(path());
        set.poll();
        QCOMPARE(set.series(0).size(), std::size_t(1));
        QCOMPARE(appendOne(2), after);
        set.poll();
        QCOMPARE(set.series(0).size(), std::size_t(2));
    }
}

void TstSeriesFile::rewritingKeepsEveryPoint()
{
    auto writer = writerOf(path());
    AllSeen all = writeSome(*writer, 8, 3000, 5);
    const auto loss = *writer->define({"loss"});
    writer->append(loss, {1000, startTime, 0.5}); // resumed
    writer->voidFrom(loss, 500);
    writer->flush();
    const AllSeen before = contents(path());
    const series::Cursor cursor = writer->cursor();
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(writer->cursor().generation != cursor.generation);
    QVERIFY(writer->cursor().offset < cursor.offset);
    QVERIFY(contents(path()) == before);
    QVERIFY(!QFile::exists(QString::fromStdString(path("series.new"))));
    series::SeriesSet set(path());
    set.poll();
    QCOMPARE(set.series(*set.find("loss")).size(), std::size_t(500));
    // It goes on in the new file.
    const auto again = *writer->define({"loss"});
    writer->append(again, {600, startTime, 0.25});
    QCOMPARE(writer->flush().fault, series::Fault::None);
    QCOMPARE(pointsOf(contents(path())), pointsOf(before) + 1);
    series::Error error;
    QVERIFY(!series::Writer::open(path(), error)); // and is still the only one
}

void TstSeriesFile::rewritingMakesItSmall()
{
    auto writer = writerOf(path());
    const auto id = *writer->define({"loss"});
    QRandomGenerator random(9);
    for (int i = 0; i < 60000; ++i) {
        writer->append(
            id, {double(i), startTime + i * 1000 + random.bounded(20), double(float(1 + random.generateDouble()))});
        writer->flush();
    }
    QVERIFY(writer->isWorthRewriting());
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(!writer->isWorthRewriting());
    const double bytes = double(writer->cursor().offset) / 60000;
    QVERIFY2(bytes < 4, qPrintable(QString::number(bytes)));
    QCOMPARE(contents(path()).at("loss").size(), std::size_t(60000));
}

void TstSeriesFile::aReaderSeesARewrittenFile()
{
    auto writer = writerOf(path());
    const AllSeen all = writeSome(*writer, 10, 300, 5);
    series::SeriesSet set(path());
    set.poll();
    QVERIFY(contents(set) == all);
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(set.poll().isReset);
    QVERIFY(contents(set) == all);
    QVERIFY(!set.poll().isReset);
}

void TstSeriesFile::deltas_data()
{
    QTest::addColumn<int>("most");
    for (const int most : {1, 7, 100, 5000, 1 << 20}) {
        QTest::addRow("%d bytes", most) << most;
    }
}

void TstSeriesFile::deltas()
{
    QFETCH(const int, most);
    QRandomGenerator random(11);
    const auto writer = writerOf(path());
    series::Reader reader(path());
    auto replica = std::make_unique<series::Replica>(path("copy"));
    QCOMPARE(replica->open().fault, series::Fault::None);
    series::SeriesSet copy(path("copy"));
    QVERIFY(series::deltaFrom(reader, replica->cursor()).empty());
    std::string old;
    for (int round = 0; round < 10; ++round) {
        writeSome(*writer, quint32(round), 5 + round * (most > 50 ? 20 : 1), 10);
        reader.poll();
        for (;;) {
            const std::string delta = series::deltaFrom(reader, replica->cursor(), std::size_t(most));
            if (delta.empty()) {
                break;
            }
            QVERIFY(delta.size() <= std::size_t(most) + 24);
            QCOMPARE(replica->apply(delta).fault, series::Fault::None);
            const series::Cursor cursor = replica->cursor();
            if (random.bounded(4) == 0) { // comes again, whole or the one before it
                QCOMPARE(replica->apply(delta).fault, series::Fault::None);
                QVERIFY(old.empty() || replica->apply(old).fault == series::Fault::None);
                QCOMPARE(replica->cursor(), cursor);
            }
            if (random.bounded(10) == 0) { // a restart there
                replica = std::make_unique<series::Replica>(path("copy"));
                QCOMPARE(replica->open().fault, series::Fault::None);
                QVERIFY(replica->cursor().offset <= cursor.offset);
                // What is no whole block was not kept; with pieces this small it never would be.
                if (most < 1000) {
                    const std::string rest = series::deltaFrom(reader, replica->cursor(), 1 << 20);
                    QCOMPARE(replica->apply(rest).fault, series::Fault::None);
                }
            }
            copy.poll(); // at any moment it is a file that can be read
            old = delta;
        }
        QCOMPARE(replica->cursor(), writer->cursor());
        QCOMPARE(bytesOf(path("copy")), bytesOf(path()));
    }
    QVERIFY(contents(copy) == contents(path()));
    // One that begins behind the end, and nonsense.
    const std::string delta = series::deltaFrom(reader, {writer->cursor().generation, 100}, 1000);
    series::Replica early(path("early"));
    QCOMPARE(early.open().fault, series::Fault::None);
    QCOMPARE(early.apply(delta).fault, series::Fault::Gap);
    QCOMPARE(early.apply("nonsense").fault, series::Fault::Gap);
    QCOMPARE(early.cursor(), series::Cursor());
}

void TstSeriesFile::deltasOfARewrittenFile()
{
    auto writer = writerOf(path());
    const AllSeen all = writeSome(*writer, 12, 2000, 5);
    series::Reader reader(path());
    reader.poll();
    series::Replica replica(path("copy"));
    QCOMPARE(replica.open().fault, series::Fault::None);
    const auto send
        = [&](std::size_t most) { return replica.apply(series::deltaFrom(reader, replica.cursor(), most)); };
    while (replica.cursor() != reader.cursor()) {
        QCOMPARE(send(10000).fault, series::Fault::None);
    }
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(reader.poll().isReset);
    QCOMPARE(send(10000).fault, series::Fault::None);
    QVERIFY(contents(path("copy")) == all); // still the old one
    QVERIFY(replica.cursor() != reader.cursor());
    while (replica.cursor() != reader.cursor()) {
        QCOMPARE(send(10000).fault, series::Fault::None);
    }
    QCOMPARE(bytesOf(path("copy")), bytesOf(path()));
    QVERIFY(!QFile::exists(QString::fromStdString(path("copy.next"))));
    writeSome(*writer, 13, 3, 1);
    reader.poll();
    QCOMPARE(send(10000).fault, series::Fault::None);
    QCOMPARE(bytesOf(path("copy")), bytesOf(path()));
}

void TstSeriesFile::thinningOfBuckets()
{
    const std::vector<series::ThinRule> rules{{100000, 10000}, {200000, 60000}};
    series::Thinned all;
    for (int i = 0; i < 400; ++i) {
        all.points.push_back(
            {double(i) * 1000, qint64(i) * 1000, i == 5 ? 1000.0 : (i == 195 ? std::nan("") : double(i % 10))});
    }
    const series::Thinned less = series::thinned(all, 400000, rules);
    // Up to 200 s ago minutes as far as they are whole: three; then tens up to 100 s ago; then points.
    QCOMPARE(less.buckets.size(), std::size_t(3 + 12));
    QCOMPARE(less.buckets[0].time, 0);
    QCOMPARE(less.buckets[0].count, std::uint64_t(60));
    QCOMPARE(less.buckets[0].max, 1000.0);
    QCOMPARE(less.buckets[0].min, 0.0);
    QVERIFY(std::abs(less.buckets[0].mean - (60 * 4.5 - 5 + 1000) / 60) < 1e-9);
    QCOMPARE(less.buckets[3].time, 180000);
    QCOMPARE(less.buckets[4].count, std::uint64_t(9)); // one is NaN
    QCOMPARE(less.buckets.back().time, 290000);
    QCOMPARE(less.points.size(), std::size_t(100));
    QCOMPARE(less.points.front().time, 300000);
    // Nothing finite is no reason to say zero; and times before 1970 have buckets, too.
    const series::Thinned odd = series::thinned({{}, {{-5, -5, std::nan("")}}}, 400000, rules);
    QCOMPARE(odd.buckets.size(), std::size_t(1));
    QCOMPARE(odd.buckets[0].time, -60000);
    QCOMPARE(odd.buckets[0].count, std::uint64_t(0));
    QVERIFY(std::isnan(odd.buckets[0].mean) && std::isnan(odd.buckets[0].min));
    QVERIFY(series::thinned(all, 400000, {}).points.size() == 400);
    QVERIFY(series::thinned({}, 400000, rules).buckets.empty());
}

void TstSeriesFile::thinnedTwiceIsThinnedOnce()
{
    QRandomGenerator random(14);
    const std::vector<series::ThinRule> rules{{100000, 10000}, {300000, 60000}};
    for (int round = 0; round < 30; ++round) {
        series::Thinned all;
        qint64 time = random.bounded(100000);
        for (int i = 0; i < 1000; ++i) {
            time += random.bounded(2000);
            all.points.push_back({double(time), time, double(random.bounded(100))});
        }
        const qint64 now = time + random.bounded(400000), later = now + random.bounded(400000);
        const series::Thinned twice = series::thinned(series::thinned(all, now, rules), later, rules);
        const series::Thinned once = series::thinned(all, later, rules);
        QCOMPARE(twice.points.size(), once.points.size());
        QCOMPARE(twice.buckets.size(), once.buckets.size());
        for (std::size_t i = 0; i < once.buckets.size(); ++i) {
            QCOMPARE(twice.buckets[i].time, once.buckets[i].time);
            QCOMPARE(twice.buckets[i].min, once.buckets[i].min);
            QCOMPARE(twice.buckets[i].max, once.buckets[i].max);
            QCOMPARE(twice.buckets[i].count, once.buckets[i].count);
            QVERIFY(std::abs(twice.buckets[i].mean - once.buckets[i].mean) < 1e-9);
        }
    }
}

void TstSeriesFile::thinningOfAFile()
{
    auto writer = writerOf(path());
    series::Info figure{"gpu0/use", series::Axis::Time};
    figure.mayThin = true;
    const auto use = *writer->define(figure);
    const auto loss = *writer->define({"loss"});
    for (int i = 0; i < 7200; ++i) {
        const qint64 time = startTime + i * 1000;
        writer->append(use, {double(time), time, double(i % 100)});
        writer->append(loss, {double(i), time, double(i)});
    }
    const std::vector<series::ThinRule> rules{{1800000, 10000}, {3600000, 60000}};
    for (const qint64 later : {7200000, 7300000, 9000000}) {
        QCOMPARE(series::rewrite(writer, startTime + later, rules).fault, series::Fault::None);
    }
    series::SeriesSet set(path());
    set.poll();
    QCOMPARE(set.series(*set.find("loss")).size(), std::size_t(7200)); // never
    QCOMPARE(set.series(*set.find("gpu0/use")).size(), std::size_t(0));
    const series::Series &counts = set.series(*set.find("gpu0/use", series::Part::Count));
    QCOMPARE(*counts.mean(0, 1e18) * double(counts.size()), 7200.0);
    const series::Series &most = set.series(*set.find("gpu0/use", series::Part::Max));
    QCOMPARE(most.largest()->value, 99.0);
    QCOMPARE(set.series(*set.find("gpu0/use", series::Part::Min)).smallest()->value, 0.0);
    QVERIFY(most.size() < 500);
    QVERIFY(most.xs()[1] - most.xs()[0] == 60000);
}

void TstSeriesFile::thinnedFiguresKeepTheirExtremes()
{
    QRandomGenerator random(16);
    constexpr qint64 begin = startTime / 60000 * 60000;
    auto writer = writerOf(path());
    series::Info figure{"gpu0/power", series::Axis::Time};
    figure.mayThin = true;
    const auto power = *writer->define(figure);
    std::vector<double> values;
    for (int i = 0; i < 7200; ++i) {
        values.push_back(random.bounded(500) == 0 ? 900 + i / 100.0 : 200 + random.bounded(100));
        writer->append(power, {double(begin + i * 1000), begin + i * 1000, values.back()});
    }
    QCOMPARE(series::rewrite(writer, begin + 7200000, {{1800000, 10000}, {3600000, 60000}}).fault, series::Fault::None);
    series::SeriesSet set(path());
    set.poll();
    // Columns of two minutes: of buckets of a minute, of buckets of ten seconds, and of points.
    std::vector<double> edges;
    for (int c = 0; c <= 60; ++c) {
        edges.push_back(double(begin + c * 120000));
    }
    const series::View view = series::figureView(set, "gpu0/power", edges);
    QCOMPARE(view.columns.size(), std::size_t(60));
    for (std::size_t c = 0; c < 60; ++c) {
        const auto from = values.begin() + std::ptrdiff_t(c * 120);
        QCOMPARE(view.columns[c].extent.max, *std::max_element(from, from + 120));
        QCOMPARE(view.columns[c].extent.min, *std::min_element(from, from + 120));
        QCOMPARE(view.columns[c].count(), std::size_t(c < 30 ? 2 : (c < 45 ? 12 : 120)));
    }
    QCOMPARE(view.columns[59].last, values.back());
    QVERIFY(!view.before && !view.after);
    const series::View middle = series::figureView(
        set, "gpu0/power", series::evenEdges(double(begin + 3600000), double(begin + 5000000), 10));
    QCOMPARE(middle.before->time, begin + 3540000);
    QCOMPARE(middle.after->time, begin + 5010000);
    QCOMPARE(series::figureView(set, "none", series::evenEdges(0, 1, 3)).columns.size(), std::size_t(3));
}

// The budget on the disk: 8 GPUs with 6 figures each second, for a week.
void TstSeriesFile::aWeekOfEightGpus()
{
    QRandomGenerator random(15);
    auto writer = writerOf(path());
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < 48; ++i) {
        series::Info figure{"gpu" + std::to_string(i / 6) + "/" + std::to_string(i % 6), series::Axis::Time};
        figure.mayThin = true;
        ids.push_back(*writer->define(figure));
    }
    // A part of it, from which the rest follows: the size does not depend on how long it goes on.
    const int parts = isFullForm() ? 20 : 60;
    const int seconds = 86400 * 7 / parts;
    const qint64 day = 86400000 / parts;
    double figures[48] = {};
    for (int s = 0; s < seconds; ++s) {
        const qint64 time = startTime + s * 1000 + random.bounded(5);
        for (std::size_t i = 0; i < 48; ++i) {
            switch (i % 6) {
            case 0: // per cent of use
                figures[i] = 90 + random.bounded(11);
                break;
            case 1: // MiB
                figures[i] = double(40000 + s / 600 * 2);
                break;
            case 2: // degrees
                figures[i] = std::clamp(figures[i] + random.bounded(3) - 1, 55.0, 70.0);
                break;
            case 3: // watts
                figures[i] = 300 + random.bounded(10000) / 100.0;
                break;
            case 4: // MHz
                figures[i] = 1980 - 15 * random.bounded(4);
                break;
            default: // per cent of memory use
                figures[i] = random.bounded(101);
            }
            writer->append(ids[i], {double(time), time, figures[i]});
        }
    }
    QCOMPARE(series::rewrite(writer, startTime + qint64(seconds) * 1000, {{day, 10000}, {7 * day, 60000}}).fault,
        series::Fault::None);
    const double megabytes = double(writer->cursor().offset) * parts / 1e6;
    qInfo("a week: %.1f MB", megabytes);
    QVERIFY(megabytes < 50);
}

TRAINYARD_TEST(TstSeriesFile)
#include "tst_seriesfile.moc"
