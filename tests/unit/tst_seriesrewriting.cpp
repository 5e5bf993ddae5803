// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/payload.h"
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
#include <bit>
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
    void nothingIsLostHoweverOften_data();
    void nothingIsLostHoweverOften();
    void whatCannotBeReadNowIsNotLost();
    void onlyTheNewestIsKeptWhereItReplacesTheOthers();
    void whatRewritingDoesNotMakeSmallerIsLeftAlone();
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
    // One that another process has made of less, whenever it is done.
    QCOMPARE(writer->flush().fault, series::Fault::None);
    QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
    writer->voidFrom(*writer->define({"loss"}), 2e9);
    QCOMPARE(writer->flush().fault, series::Fault::None);
    QCOMPARE(series::takeRewritten(writer).fault, series::Fault::Gap);
    QVERIFY(!broken.exists());
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

namespace
{

// What a series was told, in its order: points, and steps back of which the program said that it makes them.
struct Told {
    bool isVoid = false;
    Seen what;
    friend bool operator==(const Told &, const Told &) = default;
};
using AllTold = std::map<std::string, std::vector<Told>>;

class IntoTold : public series::Reader::Sink
{
public:
    explicit IntoTold(std::vector<Told> &to) : m_to(to) { }
    void take(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        for (std::size_t i = 0; i < xs.size(); ++i) {
            m_to.push_back({false, seenOf({xs[i], times[i], values[i]})});
        }
    }
    void takeVoid(double x) override { m_to.push_back({true, {x, 0, 0}}); }

private:
    std::vector<Told> &m_to;
};

// Reads what is new, from the beginning after a reset, as whoever follows the file does.
struct Following {
    explicit Following(const std::string &path) : reader(path) { }
    void poll()
    {
        if (reader.poll().isReset) {
            places.clear();
            all.clear();
        }
        for (std::uint32_t id = 0; id < reader.infos().size(); ++id) {
            IntoTold sink(all[reader.infos()[id].name]);
            reader.load(id, sink, places[id]);
        }
    }
    series::Reader reader;
    std::map<std::uint32_t, series::Reader::Place> places;
    AllTold all;
};

// Of printed numbers, of noise, and of bits that are hard to write.
double anyValue(QRandomGenerator &random)
{
    switch (random.bounded(8)) {
    case 0:
        return std::bit_cast<double>(random.generate64());
    case 1:
        return std::nan("");
    case 2:
        return random.bounded(2) == 0 ? -0.0 : -HUGE_VAL;
    case 3:
    case 4:
        return random.generateDouble();
    default:
        return random.bounded(1000) / 100.0;
    }
}

} // namespace

void TstSeriesRewriting::nothingIsLostHoweverOften_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 4; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

// Points and steps back of any kind, flushed and rewritten at any moment, by one process or by two, with writers that
// come anew and others that leave files behind; two readers follow, one of them rarely.
void TstSeriesRewriting::nothingIsLostHoweverOften()
{
    QFETCH(quint32, seed);
    QRandomGenerator random(seed);
    AllTold all;
    auto writer = writerOf(path());
    Following closely(path()), rarely(path());
    std::map<std::string, double> xs;
    int rewritings = 0;
    const auto addSome = [&] {
        series::Info info{"series " + std::to_string(random.bounded(6))};
        info.stepBack = info.name.back() == '3' ? series::StepBack::Mixed : series::StepBack::Voids;
        info.axis = info.name.back() == '4' ? series::Axis::Time : series::Axis::Step;
        const auto id = *writer->define(info);
        double &x = xs[info.name];
        const int kind = random.bounded(40);
        if (kind == 0) {
            x = std::floor(x * random.generateDouble());
            writer->voidFrom(id, x);
            all[info.name].push_back({true, {x, 0, 0}});
            return;
        }
        x = kind == 1 ? x - random.bounded(50) : x;
        for (int count = kind == 2 ? 9000 : 1 + random.bounded(100); count > 0; --count) {
            const std::int64_t time = startTime + random.bounded(1000000);
            const series::Point point{info.axis == series::Axis::Time ? double(time) : x++, time, anyValue(random)};
            writer->append(id, point);
            all[info.name].push_back({false, seenOf(point)});
        }
    };
    for (int step = 0; step < 120; ++step) {
        addSome();
        switch (random.bounded(12)) {
        case 0:
            QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
            ++rewritings;
            break;
        case 1: // another process does it, and points come meanwhile; a step back makes it wait for the next time
            QCOMPARE(writer->flush().fault, series::Fault::None);
            QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
            for (int i = random.bounded(3); i > 0; --i) {
                addSome();
            }
            rewritings += series::takeRewritten(writer).fault == series::Fault::None ? 1 : 0;
            break;
        case 2: // killed before it was done; the next one finds what it has left
            QCOMPARE(writer->flush().fault, series::Fault::None);
            QCOMPARE(series::writeRewritten(path()).fault, series::Fault::None);
            addSome();
            writer.reset();
            writer = writerOf(path());
            QVERIFY(writer);
            QVERIFY(series::takeRewritten(writer).fault != series::Fault::None);
            break;
        case 3:
            writer.reset();
            writer = writerOf(path());
            QVERIFY(writer);
            break;
        case 4:
            rarely.poll();
            break;
        default:
            QCOMPARE(writer->flush().fault, series::Fault::None);
            closely.poll();
            QVERIFY(step % 8 != 0 || closely.all == all);
        }
    }
    QVERIFY(rewritings > 5);
    QCOMPARE(writer->flush().fault, series::Fault::None);
    for (Following *each : {&closely, &rarely}) {
        each->poll();
        QVERIFY(each->all == all);
        QCOMPARE(each->reader.damaged(), std::uint64_t(0));
    }
}

// Readers leave it out. As where a file server fails between two looks, the rest must not take the place of the file.
void TstSeriesRewriting::whatCannotBeReadNowIsNotLost()
{
    series::Run run;
    for (int i = 0; i < 500; ++i) {
        run.append({double(i), startTime + i, double(i % 7)});
    }
    for (const bool isReadable : {true, false}) {
        std::string bytes = series::encodeFileHeader(7);
        series::putBlock(series::BlockKind::Names, series::encodeNames(0, {{"loss"}}), bytes);
        series::encodePoints({&run}, [&](std::string_view payload) {
            std::vector<series::StoredRun> stored;
            QVERIFY(series::listRuns(payload, stored) && stored.size() == 1 && stored[0].hasSummary);
            std::string points(payload);
            points[stored[0].valueAt] = isReadable ? points[stored[0].valueAt] : char(0x7f); // no form of a column
            series::putBlock(series::BlockKind::Points, points, bytes);
        });
        putBytes(path(), QByteArray::fromStdString(bytes));
        QCOMPARE(contents(path()).at("loss").size(), isReadable ? run.size() : std::size_t(0));
        auto writer = writerOf(path());
        QCOMPARE(series::rewrite(writer).fault, isReadable ? series::Fault::None : series::Fault::Gap);
        QCOMPARE(bytesOf(path()) == QByteArray::fromStdString(bytes), !isReadable);
    }
}

void TstSeriesRewriting::onlyTheNewestIsKeptWhereItReplacesTheOthers()
{
    auto writer = writerOf(path());
    series::Info taken{"taken 0", series::Axis::Time, series::StepBack::Mixed};
    taken.onlyLast = true;
    for (int i = 0; i < 300; ++i) {
        writer->append(*writer->define(taken), {double(1000 - i), startTime - i, double(i)}); // a clock was set back
        writer->append(*writer->define({"loss"}), {double(i), startTime + i, 0.5});
        writer->flush();
    }
    QCOMPARE(contents(path()).at("taken 0").size(), std::size_t(300));
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    const AllSeen all = contents(path());
    QVERIFY(all.at("taken 0") == std::vector<Seen>{seenOf({701, startTime - 299, 299})});
    QCOMPARE(all.at("loss").size(), std::size_t(300));
    // The next writer knows that, too.
    writer.reset();
    writer = writerOf(path());
    writer->append(*writer->define(taken), {5000, startTime + 1, 300});
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(contents(path()).at("taken 0") == std::vector<Seen>{seenOf({5000, startTime + 1, 300})});
}

// Steps back are blocks of their own. Whoever follows would get a file of them anew each time.
void TstSeriesRewriting::whatRewritingDoesNotMakeSmallerIsLeftAlone()
{
    auto writer = writerOf(path());
    const auto id = *writer->define({"loss"});
    for (int i = 0; i < 40000; ++i) {
        writer->append(id, {double(i), startTime + i, 0.5});
        writer->voidFrom(id, i);
    }
    QCOMPARE(writer->flush().fault, series::Fault::None);
    QVERIFY(writer->isWorthRewriting());
    QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    QVERIFY(!writer->isWorthRewriting());
}

TRAINYARD_TEST(TstSeriesRewriting)
#include "tst_seriesrewriting.moc"
