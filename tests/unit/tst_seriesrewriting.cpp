// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/delta.h"
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/seriestests.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace seriestests;

// A file of series that was written anew, and what of one another host still needs.
class TstSeriesRewriting : public QObject, private SeriesFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rewritingKeepsEveryPoint();
    void rewritingMakesItSmall();
    void aReaderSeesARewrittenFile();
    void deltas_data();
    void deltas();
    void deltasOfARewrittenFile();
};

void TstSeriesRewriting::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstSeriesRewriting::rewritingKeepsEveryPoint()
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

void TstSeriesRewriting::rewritingMakesItSmall()
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

void TstSeriesRewriting::aReaderSeesARewrittenFile()
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

void TstSeriesRewriting::deltas_data()
{
    QTest::addColumn<int>("most");
    for (const int most : {1, 7, 100, 5000, 1 << 20}) {
        QTest::addRow("%d bytes", most) << most;
    }
}

void TstSeriesRewriting::deltas()
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

void TstSeriesRewriting::deltasOfARewrittenFile()
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

TRAINYARD_TEST(TstSeriesRewriting)
#include "tst_seriesrewriting.moc"
