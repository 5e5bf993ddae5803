// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/seedsdialog.h"
#include "tests/helpers/testregistry.h"
#include "widgets/compare/valuescale.h"
#include "widgets/plot/besidepoint.h"
#include "widgets/plot/curveband.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the comparison of runs computes: places on scales, bands of several runs, seeds, and where the values at a point
// stand.
class TstCompareValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scaleOfValues_data()
    {
        QTest::addColumn<QStringList>("values");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QList<double>>("positions"); // NaN: none
        QTest::addColumn<ValueScale::Numbers>("what");
        constexpr auto sizes = ValueScale::Numbers::Sizes, results = ValueScale::Numbers::Results;
        const auto kind = [](ValueScale::Kind one) { return int(one); };
        QTest::newRow("even") << QStringList{u"1"_s, u"2"_s, u"3"_s} << kind(ValueScale::Kind::Linear)
                              << QList<double>{0, 0.5, 1} << sizes;
        QTest::newRow("decades") << QStringList{u"1e-4"_s, u"0.01"_s, u"1"_s} << kind(ValueScale::Kind::Log)
                                 << QList<double>{0, 0.5, 1} << sizes;
        QTest::newRow("each twice the one before") << QStringList{u"16"_s, u"32"_s, u"64"_s}
                                                   << kind(ValueScale::Kind::Log) << QList<double>{0, 0.5, 1} << sizes;
        QTest::newRow("results grow by chance")
            << QStringList{u"16"_s, u"32"_s, u"64"_s} << kind(ValueScale::Kind::Linear) << QList<double>{0, 1.0 / 3, 1}
            << results;
        QTest::newRow("spaced by ratio") << QStringList{u"0.1"_s, u"0.2"_s, u"0.4"_s, u"0.8"_s}
                                         << kind(ValueScale::Kind::Log) << QList<double>{0, 1.0 / 3, 2.0 / 3, 1}
                                         << sizes;
        QTest::newRow("no round number between the ends")
            << QStringList{u"110"_s, u"121"_s, u"133.1"_s, u"146.41"_s, u"161.051"_s, u"177.1561"_s, u"194.87171"_s}
            << kind(ValueScale::Kind::Log) << QList<double>{0, 1.0 / 6, 2.0 / 6, 3.0 / 6, 4.0 / 6, 5.0 / 6, 1} << sizes;
        QTest::newRow("more than a decade") << QStringList{u"0.1"_s, u"0.4"_s, u"1.6"_s, u"0.2"_s}
                                            << kind(ValueScale::Kind::Log) << QList<double>{0, 0.5, 1, 0.25} << sizes;
        QTest::newRow("more than a decade in equal steps")
            << QStringList{u"1"_s, u"6"_s, u"11"_s} << kind(ValueScale::Kind::Linear) << QList<double>{0, 0.5, 1}
            << sizes;
        QTest::newRow("words in the order of their numbers")
            << QStringList{u"b10"_s, u"b9"_s, u"a"_s} << kind(ValueScale::Kind::Words) << QList<double>{1, 0.5, 0}
            << sizes;
        QTest::newRow("one value") << QStringList{u"5"_s, u"5"_s} << kind(ValueScale::Kind::Linear)
                                   << QList<double>{0.5, 0.5} << sizes;
        QTest::newRow("what is none has no place")
            << QStringList{u"1"_s, QString(), u"nan"_s, u"3"_s} << kind(ValueScale::Kind::Linear)
            << QList<double>{0, qQNaN(), qQNaN(), 1} << results;
        QTest::newRow("nan is the name of a choice")
            << QStringList{u"kill"_s, QString(), u"nan"_s, u"oom"_s} << kind(ValueScale::Kind::Words)
            << QList<double>{0, qQNaN(), 0.5, 1} << sizes;
        QTest::newRow("an empty text is a value")
            << QStringList{u""_s, u"cosine"_s, QString()} << kind(ValueScale::Kind::Words)
            << QList<double>{0, 1, qQNaN()} << sizes;
        QTest::newRow("one far outside does not squeeze the others")
            << QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s, u"2"_s, u"3"_s, u"4"_s, u"-900"_s}
            << kind(ValueScale::Kind::Linear)
            << QList<double>{0, 0.25, 0.5, 0.75, 1, 0.25, 0.5, 0.75, -ValueScale::beyond} << sizes;
    }

    void ticksAtBothEnds()
    {
        const auto texts = [](const QStringList &values) {
            QStringList texts;
            const auto ticks = ValueScale(values).ticksWithEnds(6);
            for (const auto &[place, text] : ticks) {
                texts.append(text);
            }
            return texts;
        };
        const QStringList accuracies
            = texts({u"0.85"_s, u"0.9"_s, u"0.91"_s, u"0.92"_s, u"0.93"_s, u"0.94"_s, u"0.9543"_s});
        QCOMPARE(accuracies.constFirst(), u"0.85"_s);
        QCOMPARE(accuracies.constLast(), u"0.9543"_s);
        QVERIFY(accuracies.contains(u"0.9"_s));
        QCOMPARE(texts({u"0.0003"_s, u"0.001"_s, u"0.02"_s, u"0.03"_s, u"0.1"_s, u"0.2"_s, u"0.5"_s}),
            (QStringList{u"0.0003"_s, u"0.001"_s, u"0.01"_s, u"0.1"_s, u"0.5"_s}));
        QCOMPARE(texts({u"0.1"_s, u"0.98"_s, u"0.99"_s}), (QStringList{u"0.1"_s, u"0.99"_s}));
        // Less than two decades: one power of ten between the ends would say nothing of the distances.
        QCOMPARE(texts({u"0.05"_s, u"0.074"_s, u"0.11"_s, u"0.164"_s, u"0.244"_s, u"0.362"_s, u"0.538"_s, u"0.8"_s}),
            (QStringList{u"0.05"_s, u"0.1"_s, u"0.2"_s, u"0.5"_s, u"0.8"_s}));
        QCOMPARE(texts({u"adam"_s, u"sgd"_s}), (QStringList{u"adam"_s, u"sgd"_s}));
        QCOMPARE(texts({u"5"_s, u"5"_s}), QStringList{u"5"_s});
    }

    void scaleOfValues()
    {
        QFETCH(QStringList, values);
        QFETCH(int, kind);
        QFETCH(QList<double>, positions);
        QFETCH(ValueScale::Numbers, what);
        const ValueScale scale(values, what);
        QCOMPARE(int(scale.kind()), kind);
        for (qsizetype i = 0; i < values.size(); ++i) {
            const auto place = scale.position(values.at(i));
            QCOMPARE(place.has_value(), !std::isnan(positions.at(i)));
            QVERIFY2(!place || std::abs(*place - positions.at(i)) < 1e-9, qPrintable(values.at(i)));
        }
        const auto ticks = scale.ticks(5);
        QVERIFY(!ticks.isEmpty());
        QVERIFY(std::all_of(ticks.cbegin(), ticks.cend(), [](const auto &tick) { return !tick.second.isEmpty(); }));
    }

    // Seeds are numbers of streams: that they span decades means nothing.
    void seedsHaveNoDecades()
    {
        const QStringList seeds{u"1"_s, u"42"_s, u"1337"_s};
        QCOMPARE(int(ValueScale(seeds).kind()), int(ValueScale::Kind::Log));
        const ValueScale scale(seeds, ValueScale::Numbers::Names);
        QCOMPARE(int(scale.kind()), int(ValueScale::Kind::Linear));
        QCOMPARE(scale.position(u"1"_s).value_or(-1), 0.0);
        QCOMPARE(scale.position(u"1337"_s).value_or(-1), 1.0);
    }

    void bandOfSeveralSeries()
    {
        series::Series first, second, third;
        for (int x = 0; x <= 10; x += 2) {
            first.append({double(x), 1000 + x * 1000, double(x)});
        }
        for (int x = 0; x <= 10; ++x) {
            second.append({double(x), 5000 + x * 1000, double(x) + 2});
        }
        third.append({0, 0, 100});
        const CurveBand band = bandOf({{&first, 1000}, {&second, 5000}, {&third, 0}}, false);
        QCOMPARE(band.mean.size(), std::size_t(11));
        QCOMPARE(band.high.at(0).value, 100.0); // all three
        QCOMPARE(band.mean.at(3).value, 4.0); // of 3, between two points, and 5
        QCOMPARE(band.low.at(3).value, 3.0);
        QCOMPARE(band.high.at(3).value, 5.0);
        const CurveBand byTime = bandOf({{&first, 1000}, {&second, 5000}}, true);
        QCOMPARE(byTime.mean.at(10).time, std::int64_t(10'000));
        QCOMPARE(byTime.mean.at(10).value, 11.0);
        QCOMPARE(bandOf({{&second, 0}}, false, 4).mean.size(), std::size_t(4));
        QVERIFY(bandOf({}, false).mean.isEmpty());
    }

    void seeds_data()
    {
        QTest::addColumn<QList<qint64>>("wanted"); // empty: refused
        QTest::newRow("3") << QList<qint64>{3};
        QTest::newRow("3, 5-7") << QList<qint64>{3, 5, 6, 7};
        QTest::newRow("8..10") << QList<qint64>{8, 9, 10}; // as a sweep has it
        QTest::newRow("3, 5..6") << QList<qint64>{3, 5, 6};
        QTest::newRow("1 1 2") << QList<qint64>{1, 2};
        QTest::newRow("") << QList<qint64>();
        QTest::newRow("x") << QList<qint64>();
        QTest::newRow("7-5") << QList<qint64>();
        QTest::newRow("7..") << QList<qint64>();
        QTest::newRow("1-101") << QList<qint64>();
        QTest::newRow("1.5") << QList<qint64>();
    }

    void seeds()
    {
        QFETCH(QList<qint64>, wanted);
        QCOMPARE(SeedsDialog::seedsOf(QString::fromLatin1(QTest::currentDataTag())).value_or(QList<qint64>()), wanted);
    }

    void besideAPoint_data()
    {
        QTest::addColumn<QPoint>("point");
        QTest::addColumn<QList<QPoint>>("others");
        QTest::addColumn<QRect>("area");
        QTest::addColumn<bool>("hasRoom");
        const QRect wide(0, 0, 600, 400);
        QList<QPoint> across;
        for (int x = 0; x < 600; x += 8) {
            across.append({x, 200});
        }
        QTest::newRow("in the middle") << QPoint(300, 200) << across << wide << true;
        QTest::newRow("at the right edge") << QPoint(598, 200) << across << wide << true;
        QTest::newRow("at the corner") << QPoint(2, 2) << QList<QPoint>() << wide << true;
        QTest::newRow("only above") << QPoint(100, 300) << QList<QPoint>() << QRect(0, 0, 200, 320) << true;
        QTest::newRow("nowhere") << QPoint(50, 50) << QList<QPoint>() << QRect(0, 0, 100, 100) << false;
    }

    void besideAPoint()
    {
        QFETCH(QPoint, point);
        QFETCH(QList<QPoint>, others);
        QFETCH(QRect, area);
        QFETCH(bool, hasRoom);
        const QRect card = besidePoint(point, {180, 120}, area, others, point.y());
        QCOMPARE(card.size(), QSize(180, 120));
        QVERIFY(!card.contains(point));
        QCOMPARE(area.contains(card), hasRoom);
        QVERIFY(std::none_of(
            others.cbegin(), others.cend(), [&card](const QPoint &other) { return card.contains(other); }));
    }

    // A list stands beside the plots: it is covered only where the plots alone have no room.
    void besideAPointOfAPart()
    {
        const QRect all(0, 0, 600, 400), plots(200, 0, 400, 400), narrow(450, 0, 150, 400);
        const QPoint right(590, 200), left(205, 200);
        for (const QPoint &point : {right, left}) {
            const QRect card = besidePoint(point, {180, 120}, {plots, all}, {}, point.y());
            QVERIFY(plots.contains(card) && !card.contains(point));
        }
        const QRect card = besidePoint(QPoint(500, 200), {180, 120}, {narrow, all}, {}, 200);
        QVERIFY(all.contains(card) && !narrow.contains(card));
    }
};

TRAINYARD_GUI_TEST(TstCompareValues)
#include "tst_comparevalues.moc"
