// SPDX-License-Identifier: GPL-3.0-or-later
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

// A file of series that is written anew.
class TstSeriesRewriting : public QObject, private SeriesFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void rewritingKeepsEveryPoint();
    void rewritingMakesItSmall();
    void aReaderSeesARewrittenFile();
    void whatComesMeanwhileIsKept();
    void theOldFileStaysWhereTheNewOneIsNotWhole();
    void theOldestPointToThinIsKnown();
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

// While another process writes it anew, points come.
void TstSeriesRewriting::whatComesMeanwhileIsKept()
{
    auto writer = writerOf(path());
    writeSome(*writer, 14, 3000, 5);
    writer->flush();
    const AllSeen before = contents(path());
    QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
    const auto old = *writer->define({"loss"}), fresh = *writer->define({"came meanwhile"});
    for (int i = 0; i < 10; ++i) {
        writer->append(old, {5000.0 + i, startTime + i, 0.5});
        writer->append(fresh, {double(i), startTime + i, double(i)});
    }
    QCOMPARE(series::takeRewritten(writer).fault, series::Fault::None);
    QCOMPARE(writer->pendingPoints(), std::size_t(20));
    QVERIFY(contents(path()) == before);
    QCOMPARE(writer->flush().fault, series::Fault::None);
    const AllSeen after = contents(path());
    QCOMPARE(pointsOf(after), pointsOf(before) + 20);
    QCOMPARE(after.at("came meanwhile").size(), std::size_t(10));
    QVERIFY(!QFile::exists(QString::fromStdString(path("series.rewritten"))));
}

// Whatever is not whole is no file to go on with: points that were written meanwhile, a file that is missing or broken.
void TstSeriesRewriting::theOldFileStaysWhereTheNewOneIsNotWhole()
{
    auto writer = writerOf(path());
    writeSome(*writer, 15, 300, 5);
    writer->flush();
    const AllSeen before = contents(path());
    const series::Cursor cursor = writer->cursor();
    QCOMPARE(series::takeRewritten(writer).fault, series::Fault::System); // there is none
    QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
    QFile broken(QString::fromStdString(path("series.rewritten")));
    QVERIFY(broken.open(QIODevice::ReadWrite) && broken.write("broken") == 6);
    broken.close();
    QVERIFY(series::takeRewritten(writer).fault != series::Fault::None);
    QVERIFY(!broken.exists());
    // What cannot be read is not lost either.
    QFile whole(QString::fromStdString(path()));
    QVERIFY(whole.open(QIODevice::ReadWrite) && whole.seek(whole.size()) && whole.write("unreadable") == 10);
    whole.close();
    QCOMPARE(series::writeRewritten(path()).fault, series::Fault::Gap);
    QVERIFY(!broken.exists());
    QVERIFY(whole.resize(whole.size() - 10));
    QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
    writer->voidFrom(*writer->define({"loss"}), 1e9); // waits to be written, and is in neither
    QCOMPARE(series::takeRewritten(writer).fault, series::Fault::Gap);
    QCOMPARE(writer->cursor().generation, cursor.generation);
    QCOMPARE(writer->flush().fault, series::Fault::None);
    QCOMPARE(pointsOf(contents(path())), pointsOf(before));
}

void TstSeriesRewriting::theOldestPointToThinIsKnown()
{
    auto writer = writerOf(path());
    series::Info figure{"gpu/0/use", series::Axis::Time, series::StepBack::Mixed};
    figure.mayThin = true;
    writer->append(*writer->define({"loss"}), {1, startTime - 5000, 1}); // is never thinned
    QVERIFY(!writer->oldestToThin());
    for (const qint64 time : {startTime + 1000, startTime + 2000}) {
        writer->append(*writer->define(figure), {double(time), time, 1});
    }
    QCOMPARE(*writer->oldestToThin(), startTime + 1000);
    writer.reset();
    writer = writerOf(path());
    QCOMPARE(*writer->oldestToThin(), startTime + 1000);
    // The first of them is in a bucket then.
    QCOMPARE(series::rewrite(writer, startTime + 3500, {{1000, 1000}}).fault, series::Fault::None);
    QVERIFY(!writer->oldestToThin() || *writer->oldestToThin() == startTime + 2000);
}

TRAINYARD_TEST(TstSeriesRewriting)
#include "tst_seriesrewriting.moc"
