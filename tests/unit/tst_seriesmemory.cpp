// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/smoothing.h"
#include "engine/series/view.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace trainyard;

// The series in memory beside lists that are walked from end to end: views, questions and what becomes void.
class TstSeriesMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepsBack_data();
    void stepsBack();
    void severalWriters();
    void lastAndBest();
    void valueAtAStep();
    void line_data();
    void line();
    void spikesAreNeverLost();
    void timesThatGoBack();
    void smoothedAsTensorBoard();
    void steadyStepsTakeNoMemory();
    void likeAList_data();
    void likeAList();
};

namespace
{

const double notANumber = std::nan("");
const double infinite = std::numeric_limits<double>::infinity();

series::Series seriesOf(const std::vector<double> &values)
{
    series::Series made;
    for (std::size_t i = 0; i < values.size(); ++i) {
        made.append({double(i), qint64(i) * 1000, values[i]});
    }
    return made;
}

series::View wholeView(const series::Series &all, std::size_t columns)
{
    return series::viewOf(all, series::evenEdges(all.xs()[0], all.xs()[all.size() - 1], columns));
}

std::vector<double> xsOf(const series::Series &all)
{
    std::vector<double> xs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        xs.push_back(all.at(i).x);
    }
    return xs;
}

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool samePoint(const series::Point &a, const series::Point &b)
{
    return a.x == b.x && a.time == b.time && sameBits(a.value, b.value);
}

// The rules, in the shortest words.
struct PlainSeries {
    series::StepBack stepBack = series::StepBack::Voids;
    std::vector<series::Point> live, gone;

    void voidFrom(double x)
    {
        const auto first
            = std::stable_partition(live.begin(), live.end(), [x](const series::Point &p) { return p.x < x; });
        gone.insert(gone.end(), first, live.end());
        live.erase(first, live.end());
    }
    void append(const series::Point &point)
    {
        if (!std::isfinite(point.x)) {
            return;
        }
        if (stepBack == series::StepBack::Voids && !live.empty() && point.x < live.back().x) {
            voidFrom(point.x);
        }
        live.push_back(point);
        std::stable_sort(
            live.begin(), live.end(), [](const series::Point &a, const series::Point &b) { return a.x < b.x; });
    }
};

struct PlainColumn {
    std::vector<series::Point> points;
    double min = infinite, max = -infinite;
    bool hasGap = false;
};

std::vector<PlainColumn> plainView(
    const std::vector<series::Point> &points, const std::vector<double> &along, const std::vector<double> &edges)
{
    std::vector<PlainColumn> columns(edges.size() - 1);
    for (std::size_t p = 0; p < points.size(); ++p) {
        for (std::size_t c = 0; c + 1 < edges.size(); ++c) {
            const bool isLast = c + 2 == edges.size();
            if (along[p] < edges[c] || along[p] > edges[c + 1] || (!isLast && along[p] == edges[c + 1])) {
                continue;
            }
            PlainColumn &column = columns[c];
            column.points.push_back(points[p]);
            if (std::isfinite(points[p].value)) {
                column.min = std::min(column.min, points[p].value);
                column.max = std::max(column.max, points[p].value);
            } else {
                column.hasGap = true;
            }
            break;
        }
    }
    return columns;
}

void compareView(const series::View &view, const std::vector<PlainColumn> &plain)
{
    QCOMPARE(view.columns.size(), plain.size());
    for (std::size_t c = 0; c < plain.size(); ++c) {
        const series::Column &column = view.columns[c];
        QCOMPARE(column.count(), plain[c].points.size());
        if (plain[c].points.empty()) {
            continue;
        }
        QVERIFY(sameBits(column.first, plain[c].points.front().value));
        QVERIFY(sameBits(column.last, plain[c].points.back().value));
        QCOMPARE(column.extent.min, plain[c].min);
        QCOMPARE(column.extent.max, plain[c].max);
        QCOMPARE(column.extent.hasGap, plain[c].hasGap);
    }
}

std::vector<double> plainSmoothed(const std::vector<series::Point> &points, double weight)
{
    std::vector<double> curve;
    double sum = 0;
    int count = 0;
    for (const series::Point &point : points) {
        if (!std::isfinite(point.value)) {
            curve.push_back(point.value);
            continue;
        }
        sum = sum * weight + (1 - weight) * point.value;
        ++count;
        curve.push_back(sum / (1 - std::pow(weight, count)));
    }
    return curve;
}

} // namespace

void TstSeriesMemory::stepsBack_data()
{
    using Xs = std::vector<double>;
    QTest::addColumn<Xs>("came");
    QTest::addColumn<Xs>("live");
    QTest::addColumn<Xs>("gone");
    QTest::newRow("never") << Xs{1, 2, 3} << Xs{1, 2, 3} << Xs{};
    QTest::newRow("resumed at a checkpoint") << Xs{1, 2, 3, 4, 3, 4, 5} << Xs{1, 2, 3, 4, 5} << Xs{3, 4};
    QTest::newRow("resumed between two points") << Xs{10, 20, 30, 15, 25} << Xs{10, 15, 25} << Xs{20, 30};
    QTest::newRow("begun again") << Xs{5, 6, 0, 1} << Xs{0, 1} << Xs{5, 6};
    QTest::newRow("resumed twice") << Xs{1, 2, 3, 2, 3, 2} << Xs{1, 2} << Xs{2, 3, 2, 3};
    QTest::newRow("two values of one step") << Xs{1, 2, 2, 3, 2} << Xs{1, 2} << Xs{2, 2, 3};
    QTest::newRow("no number") << Xs{1, notANumber, infinite, 2} << Xs{1, 2} << Xs{};
}

void TstSeriesMemory::stepsBack()
{
    QFETCH(const std::vector<double>, came);
    QFETCH(const std::vector<double>, live);
    QFETCH(const std::vector<double>, gone);
    series::Series one, atOnce;
    for (const double x : came) {
        one.append({x, 1000, x});
    }
    atOnce.append(came, std::vector<std::int64_t>(came.size(), 1000), came);
    for (const series::Series *all : {&one, &atOnce}) {
        QCOMPARE(xsOf(*all), live);
        std::vector<double> goneXs;
        for (const series::Point &point : all->voidPoints()) {
            goneXs.push_back(point.x);
        }
        QCOMPARE(goneXs, gone);
        QCOMPARE(all->last()->x, live.back());
    }
}

void TstSeriesMemory::severalWriters()
{
    series::Series all(series::StepBack::Mixed);
    for (const double x : {1.0, 3.0, 2.0, 3.0, 5.0, 4.0}) {
        all.append({x, 0, x * 10 + double(all.size())});
    }
    QCOMPARE(xsOf(all), (std::vector<double>{1, 2, 3, 3, 4, 5}));
    QCOMPARE(all.at(2).value, 31.0); // of two with one x, the one that came first
    QCOMPARE(all.at(3).value, 33.0);
    QVERIFY(all.voidPoints().empty());
    QCOMPARE(all.last()->x, 4.0);
    all.voidFrom(4);
    QCOMPARE(all.voidPoints().size(), std::size_t(2));
    QCOMPARE(all.last()->x, 3.0);
}

void TstSeriesMemory::lastAndBest()
{
    const series::Series none;
    QVERIFY(!none.last() && !none.smallest() && !none.largest() && !none.atOrBefore(1) && !none.nearest(1));
    QVERIFY(!none.mean(0, 1));
    const series::Series bad = seriesOf({notANumber, infinite, -infinite});
    QVERIFY(!bad.smallest() && !bad.largest() && !bad.mean(0, 2));
    QCOMPARE(bad.last()->value, -infinite);
    const series::Series all = seriesOf({notANumber, 3, 1, 4, 1, -infinite, 4, 2});
    QCOMPARE(all.smallest()->x, 2.0);
    QCOMPARE(all.largest()->x, 3.0);
    QCOMPARE(all.last()->value, 2.0);
    QCOMPARE(*all.mean(1, 3), 8.0 / 3);
    QCOMPARE(*all.mean(-infinite, infinite), 2.5);
    QVERIFY(!all.mean(5, 5));
    QVERIFY(!all.mean(7.5, 7.6));
}

void TstSeriesMemory::valueAtAStep()
{
    series::Series all;
    for (const double x : {10.0, 20.0, 20.0, 40.0}) {
        all.append({x, 0, x + double(all.size())});
    }
    QVERIFY(!all.atOrBefore(9.9));
    QVERIFY(!all.atOrBefore(notANumber));
    QCOMPARE(all.atOrBefore(10)->value, 10.0);
    QCOMPARE(all.atOrBefore(20)->value, 22.0); // the newest of one step
    QCOMPARE(all.atOrBefore(39)->value, 22.0);
    QCOMPARE(all.atOrBefore(1e300)->value, 43.0);
    QCOMPARE(all.nearest(-5)->value, 10.0);
    QCOMPARE(all.nearest(15)->value, 10.0);
    QCOMPARE(all.nearest(15.1)->value, 21.0);
    QCOMPARE(all.nearest(30)->value, 22.0);
    QCOMPARE(all.nearest(31)->value, 43.0);
    QCOMPARE(all.nearest(50)->value, 43.0);
}

void TstSeriesMemory::line_data()
{
    using Values = std::vector<double>;
    QTest::addColumn<Values>("values");
    QTest::addColumn<Values>("drawn"); // in one column
    QTest::newRow("one") << Values{3} << Values{3};
    QTest::newRow("two") << Values{3, 1} << Values{3, 1};
    QTest::newRow("rising") << Values{1, 2, 3} << Values{1, 3};
    QTest::newRow("falling") << Values{3, 2, 1} << Values{3, 1};
    QTest::newRow("a spike upwards") << Values{1, 100, 2} << Values{1, 100};
    QTest::newRow("a spike downwards") << Values{9, -100, 8} << Values{9, -100};
    QTest::newRow("begins with none") << Values{notANumber, 5, 1} << Values{5, 1};
    QTest::newRow("none") << Values{notANumber, infinite, notANumber} << Values{notANumber};
}

void TstSeriesMemory::line()
{
    QFETCH(const std::vector<double>, values);
    QFETCH(const std::vector<double>, drawn);
    const auto line = series::lineOf(wholeView(seriesOf(values), 1));
    QCOMPARE(line.size(), drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        QVERIFY(line[i].y == drawn[i] || (std::isnan(line[i].y) && std::isnan(drawn[i])));
    }
}

// One point among a million, wherever it is, is in the picture.
void TstSeriesMemory::spikesAreNeverLost()
{
    QRandomGenerator random(4);
    std::vector<double> values(100000, 1.0);
    for (int round = 0; round < 15; ++round) {
        std::vector<double> withSpike = values;
        const auto at = std::size_t(random.bounded(int(values.size())));
        withSpike[at] = round % 3 == 0 ? notANumber : (round % 3 == 1 ? 7 : -7);
        const series::View view = wholeView(seriesOf(withSpike), 640);
        QCOMPARE(view.columns.size(), std::size_t(640));
        int seen = 0;
        for (const series::Column &column : view.columns) {
            const bool isHere = column.extent.hasGap || column.extent.max == 7 || column.extent.min == -7;
            QCOMPARE(isHere, column.from <= at && at < column.to);
            seen += isHere ? 1 : 0;
        }
        QCOMPARE(seen, 1);
        QVERIFY(series::lineOf(view).size() <= 2 * view.columns.size());
    }
}

void TstSeriesMemory::timesThatGoBack()
{
    series::Series all;
    const qint64 times[] = {5000, 6000, 2000, 7000, 6500, 8000000000000};
    for (std::size_t i = 0; i < std::size(times); ++i) {
        all.append({double(i), times[i], double(i)});
    }
    for (std::size_t i = 0; i < std::size(times); ++i) {
        QCOMPARE(all.at(i).time, times[i]); // as it was said
    }
    const std::vector<double> edges{5500, 6500, 7000};
    const series::View view = series::viewOf(all, edges, series::Along::Time);
    QCOMPARE(view.columns[0].count(), std::size_t(2)); // the third came after the second
    QCOMPARE(view.columns[1].count(), std::size_t(2));
    QCOMPARE(view.before->x, 0.0);
    QCOMPARE(view.after->x, 5.0);
    all.append({2, 9000, 1}); // resumed
    QCOMPARE(series::viewOf(all, edges, series::Along::Time).columns[1].count(), std::size_t(0));
    QCOMPARE(series::viewOf(all, edges, series::Along::Time).after->time, 9000);
}

void TstSeriesMemory::smoothedAsTensorBoard()
{
    QRandomGenerator random(5);
    for (const double weight : {0.0, 0.3, 0.6, 0.9, 0.99, 0.999}) {
        std::vector<double> values;
        for (int i = 0; i < 20000; ++i) {
            values.push_back(random.bounded(50) == 0 ? notANumber : std::sin(i / 500.0) + random.generateDouble());
        }
        const series::Series all = seriesOf(values);
        std::vector<series::Point> points;
        for (std::size_t i = 0; i < all.size(); ++i) {
            points.push_back(all.at(i));
        }
        const std::vector<double> plain = plainSmoothed(points, weight);
        for (const auto &[from, to, columns] : {std::tuple(0.0, 19999.0, 300), std::tuple(9000.0, 9100.0, 300),
                 std::tuple(-5.0, 30.0, 7), std::tuple(0.0, 19999.0, 3)}) {
            const series::View view = series::viewOf(all, series::evenEdges(from, to, std::size_t(columns)));
            const auto curve = series::smoothedView(all, view, weight);
            QVERIFY(!curve.empty());
            for (const series::Smoothed &at : curve) {
                const double wanted = plain[std::size_t(at.x)];
                QVERIFY(std::isnan(wanted) ? std::isnan(at.value) : std::abs(at.value - wanted) < 1e-11);
            }
        }
    }
}

void TstSeriesMemory::steadyStepsTakeNoMemory()
{
    std::vector<double> values(160000, 0.25);
    const series::Series all = seriesOf(values);
    // Four bytes of a value, four of a time, half a byte of the pyramid; vectors grow by doubling.
    QVERIFY2(all.memory() < 160000 * 17, qPrintable(QString::number(all.memory())));
}

void TstSeriesMemory::likeAList_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 60; ++seed) {
        QTest::addRow("%d", seed) << seed;
    }
}

void TstSeriesMemory::likeAList()
{
    QFETCH(const int, seed);
    QRandomGenerator random{quint32(seed)};
    const series::StepBack stepBack = seed % 3 == 2 ? series::StepBack::Mixed : series::StepBack::Voids;
    const bool isFloat = seed % 2 == 0, isWhole = seed % 5 != 0;
    PlainSeries plain{stepBack, {}, {}};
    series::Series all(stepBack);
    double x = random.bounded(100), value = 0;
    qint64 time = 1700000000000;
    std::vector<double> xs, values;
    std::vector<std::int64_t> times;
    const int count = 1 + random.bounded(1500);
    for (int i = 0; i < count; ++i) {
        const int event = random.bounded(400);
        const double stride = isWhole ? 1 : random.generateDouble();
        x += event < 380 ? stride : (event < 390 ? 0 : (event < 396 ? -stride * random.bounded(40) : stride * 7));
        value += random.generateDouble() - 0.5;
        const int kind = random.bounded(60);
        const double said = kind == 0 ? notANumber : (kind == 1 ? infinite : (kind == 2 ? -infinite : value));
        time += random.bounded(50) == 0 ? -3000 : random.bounded(1000);
        const series::Point point{
            random.bounded(300) == 0 ? notANumber : x, time, isFloat ? double(float(said)) : said};
        plain.append(point);
        xs.push_back(point.x);
        times.push_back(point.time);
        values.push_back(point.value);
        if (random.bounded(30) == 0 || i + 1 == count) {
            if (random.bounded(2) == 0) {
                all.append(xs, times, values);
            } else {
                for (std::size_t k = 0; k < xs.size(); ++k) {
                    all.append({xs[k], times[k], values[k]});
                }
            }
            xs.clear();
            times.clear();
            values.clear();
            if (random.bounded(20) == 0) {
                const double from = x - random.bounded(30);
                plain.voidFrom(from);
                all.voidFrom(from);
            }
        }
    }
    QCOMPARE(all.size(), plain.live.size());
    std::vector<double> liveXs, liveTimes;
    double latest = -infinite;
    for (std::size_t i = 0; i < plain.live.size(); ++i) {
        QVERIFY(samePoint(all.at(i), plain.live[i]));
        latest = std::max(latest, double(plain.live[i].time));
        liveXs.push_back(plain.live[i].x);
        liveTimes.push_back(latest);
    }
    QCOMPARE(all.voidPoints().size(), plain.gone.size());
    for (std::size_t i = 0; i < plain.gone.size(); ++i) {
        QVERIFY(samePoint(all.voidPoints()[i], plain.gone[i]));
    }
    if (plain.live.empty()) {
        return;
    }
    for (int round = 0; round < 20; ++round) {
        const double low = liveXs.front(), width = liveXs.back() - low + 1;
        double from = low + (random.generateDouble() * 1.2 - 0.1) * width, to = low + random.generateDouble() * width;
        if (round == 0) {
            from = liveXs.front();
            to = liveXs.back();
        }
        const std::vector<double> edges
            = series::evenEdges(std::min(from, to), std::max(from, to), std::size_t(1 + random.bounded(40)));
        compareView(series::viewOf(all, edges), plainView(plain.live, liveXs, edges));
        if (stepBack == series::StepBack::Voids) {
            const std::vector<double> timeEdges = series::evenEdges(liveTimes.front() + random.bounded(1000),
                liveTimes.back() - random.bounded(100000), std::size_t(1 + random.bounded(40)));
            compareView(
                series::viewOf(all, timeEdges, series::Along::Time), plainView(plain.live, liveTimes, timeEdges));
        }
    }
    const auto finite = [](const series::Point &p) { return std::isfinite(p.value); };
    const auto less = [finite](const series::Point &a, const series::Point &b) {
        return finite(a) != finite(b) ? finite(a) : a.value < b.value;
    };
    const auto more = [finite](const series::Point &a, const series::Point &b) {
        return finite(a) != finite(b) ? finite(a) : a.value > b.value;
    };
    const auto smallest = std::min_element(plain.live.begin(), plain.live.end(), less);
    const auto largest = std::min_element(plain.live.begin(), plain.live.end(), more);
    QCOMPARE(all.smallest().has_value(), finite(*smallest));
    if (finite(*smallest)) {
        QVERIFY(samePoint(*all.smallest(), *smallest));
        QVERIFY(samePoint(*all.largest(), *largest));
    }
}

TRAINYARD_TEST(TstSeriesMemory)
#include "tst_seriesmemory.moc"
