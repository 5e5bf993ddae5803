// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/steptrack.h"
#include "engine/results/outputresults.h"
#include "engine/results/progressrate.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstResults : public QObject
{
    Q_OBJECT

    static metrics::Point point(
        const char *name, double value, std::optional<double> step = {}, std::optional<double> epoch = {})
    {
        metrics::Point point;
        point.name = name;
        point.value = value;
        point.step = step;
        point.epoch = epoch;
        return point;
    }
    // What it says after steps of so many seconds, as a fraction of `steps`.
    static ProgressRate after(const QList<double> &seconds, int steps, double saysLeft = -1)
    {
        ProgressRate rate;
        double at = 0;
        int step = 0;
        for (const double took : seconds) {
            at += took;
            metrics::Progress progress;
            progress.fraction = double(++step) / steps;
            if (saysLeft >= 0) {
                progress.secondsLeft = saysLeft;
            }
            rate.add(qint64(at * 1000), progress);
        }
        return rate;
    }

private Q_SLOTS:
    // Of a file that turned out to be another job's as well, nothing stays, and what is printed counts.
    void whatIsVoidHidesNothing()
    {
        OutputResults ofFiles, printed;
        ofFiles.add(point("loss", 9, 1));
        ofFiles.add(point("acc", 0.5, 1));
        printed.add(point("loss", 3, 1));
        ofFiles.forget("loss");
        ofFiles.forget("acc");
        const QJsonObject results = resultsOfTask(ofFiles, printed);
        QCOMPARE(results.keys(), QStringList{u"loss"_s});
        QCOMPARE(results.value(u"loss"_s).toObject().value(u"last"_s).toDouble(), 3.0);
    }

    void lastLeastAndMost()
    {
        OutputResults results;
        results.add(point("loss", 3, 10));
        results.add(point("loss", 1, 20));
        results.add(point("acc", 0.5, {}, 1));
        results.add(point("loss", 2, 30));
        const QJsonObject expected{
            {u"loss"_s,
                QJsonObject{{u"last"_s, 2}, {u"least"_s, 1}, {u"most"_s, 3}, {u"step"_s, 30}, {u"leastAt"_s, 20},
                    {u"mostAt"_s, 10}, {u"axis"_s, u"step"_s}}},
            {u"acc"_s,
                QJsonObject{{u"last"_s, 0.5}, {u"least"_s, 0.5}, {u"most"_s, 0.5}, {u"step"_s, 1}, {u"leastAt"_s, 1},
                    {u"mostAt"_s, 1}, {u"axis"_s, u"epoch"_s}}},
        };
        QCOMPARE(results.toJson(), expected);
        QCOMPARE(QString::fromStdString(results.values().front().name), u"loss"_s);
    }

    // A value that names its epoch only, before the output shows what counts steps.
    void oneAxis()
    {
        metrics::StepTrack track;
        OutputResults results;
        const auto add = [&](metrics::Axis axis, double at, double value, qint64 time) {
            metrics::Point one
                = point("loss", value, at, axis == metrics::Axis::Epoch ? std::optional(at) : std::nullopt);
            one.axis = axis;
            track.add(one, time);
            for (const metrics::StepTrack::Placed &placed : track.take()) {
                results.add(placed.point);
            }
        };
        add(metrics::Axis::Epoch, 0.1, 1, 10);
        QCOMPARE(results.toJson().value("loss"_L1).toObject(),
            (QJsonObject{{u"last"_s, 1}, {u"least"_s, 1}, {u"most"_s, 1}, {u"step"_s, 0.1}, {u"leastAt"_s, 0.1},
                {u"mostAt"_s, 0.1}, {u"axis"_s, u"epoch"_s}}));
        add(metrics::Axis::Iteration, 28, 0.5, 20);
        add(metrics::Axis::Iteration, 29, 0.25, 30);
        QCOMPARE(results.toJson().value("loss"_L1).toObject(),
            (QJsonObject{{u"last"_s, 0.25}, {u"least"_s, 0.25}, {u"most"_s, 1}, {u"step"_s, 29}, {u"leastAt"_s, 29},
                {u"axis"_s, u"step"_s}}));
        add(metrics::Axis::Epoch, 1, 0.125, 40); // at a step, as it is drawn
        add(metrics::Axis::Iteration, 31, 0.75, 50);
        QCOMPARE(results.toJson().value("loss"_L1).toObject().value("leastAt"_L1).toDouble(), 30.0);
    }

    void notFinite()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        OutputResults results;
        results.add(point("loss", nan, 1));
        QCOMPARE(results.toJson(), (QJsonObject{{u"loss"_s, QJsonObject{{u"broken"_s, true}}}}));
        results.add(point("loss", 4));
        results.add(point("loss", std::numeric_limits<double>::infinity(), 3));
        QCOMPARE(results.toJson(),
            (QJsonObject{
                {u"loss"_s, QJsonObject{{u"last"_s, 4}, {u"least"_s, 4}, {u"most"_s, 4}, {u"broken"_s, true}}}}));
        results.add(point("loss", 5));
        QVERIFY(!results.toJson().value("loss"_L1).toObject().contains("broken"_L1));
    }

    void manyNames()
    {
        OutputResults results;
        for (int i = 0; i < 1000; ++i) {
            results.add(point(qPrintable(u"m%1"_s.arg(i)), i));
        }
        QCOMPARE(results.values().size(), OutputResults::mostNames);
        results.add(point("m0", -1)); // those that are there go on
        QCOMPARE(results.toJson().value("m0"_L1).toObject().value("last"_L1).toDouble(), -1.0);
    }

    void atAStep_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QList<std::pair<double, double>>>("points"); // step and value
        QTest::addColumn<std::optional<ValueAtStep>>("expected");
        using Points = QList<std::pair<double, double>>;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const auto row
            = [](const char *name, const char *rule, const Points &points, std::optional<ValueAtStep> expected) {
                  QTest::newRow(name) << QString::fromLatin1(rule) << points << expected;
              };
        row("not reached", "-loss@10", {{1, 3}, {9, 2}}, {});
        row("exactly there", "-loss@10", {{1, 3}, {10, 2}, {20, 1}}, ValueAtStep{2, 2});
        row("beyond it", "-loss@10", {{1, 3}, {12, 4}, {20, 1}}, ValueAtStep{4, 3});
        row("more is better", "+loss@10", {{1, 3}, {12, 2}, {20, 9}}, ValueAtStep{2, 3});
        row("not a number there", "-loss@10", {{1, 3}, {10, nan}}, ValueAtStep{std::nullopt, 3});
        row("never a number", "-loss@10", {{1, nan}, {10, nan}}, ValueAtStep{});
        row("another metric", "-acc@10", {{10, 2}}, {});
    }
    void atAStep()
    {
        QFETCH(QString, rule);
        using Points = QList<std::pair<double, double>>;
        QFETCH(Points, points);
        QFETCH(std::optional<ValueAtStep>, expected);
        const WorseRule noted = *worseRule(rule);
        OutputResults results;
        results.noteAt(noted);
        for (const auto &[step, value] : points) {
            results.add(point("loss", value, step));
        }
        QVERIFY(valueAtStep(results.toJson(), noted) == expected);
        WorseRule other = noted;
        other.step += 1;
        QVERIFY(!valueAtStep(results.toJson(), other)); // stored by another rule
    }

    // The metric of a rule is kept however many there are.
    void atAStepOfManyNames()
    {
        OutputResults results;
        results.noteAt(*worseRule(u"-loss@1"_s));
        for (std::size_t i = 0; i < OutputResults::mostNames; ++i) {
            results.add(point(qPrintable(u"m%1"_s.arg(i)), double(i)));
        }
        results.add(point("loss", 2, 1));
        QVERIFY(valueAtStep(results.toJson(), *worseRule(u"-loss@1"_s)));
    }

    // Whatever is added before and after, the two are together what all of it would be in one.
    void appended()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        std::vector<metrics::Point> points{point("loss", 5, {}, 1), point("acc", nan, 1), point("loss", 3, 2),
            point("loss", 7, 4), point("acc", 0.5), point("loss", 3, 6), point("loss", nan, 8), point("loss", 1, 9),
            point("acc", 0.25, {}, 2), point("loss", 9, 11), point("f1", 0.75, 12), point("loss", 0.5, 13)};
        for (const char *rule : {"-loss@3", "-loss@8", "+loss@9", "-loss@12", "-loss@99"}) {
            const WorseRule noted = *worseRule(QString::fromLatin1(rule));
            OutputResults whole;
            whole.noteAt(noted);
            for (const metrics::Point &each : points) {
                whole.add(each);
            }
            for (std::size_t cut = 0; cut <= points.size(); ++cut) {
                OutputResults before, after;
                before.noteAt(noted);
                after.noteAt(noted);
                for (std::size_t i = 0; i < points.size(); ++i) {
                    (i < cut ? before : after).add(points[i]);
                }
                before.append(after);
                QCOMPARE(before.toJson(), whole.toJson());
                QCOMPARE(before.countOf("loss"), whole.countOf("loss"));
            }
        }
    }

    void ofSeveralTasks()
    {
        const QJsonObject one{{u"loss"_s, 1}}, other{{u"loss"_s, 2}, {u"acc"_s, 3}};
        QCOMPARE(mergedResults({{}, one, other}), (QJsonObject{{u"loss"_s, 1}, {u"acc"_s, 3}}));
    }

    // A summary in a file leaves the printed curve; a curve in a file does not.
    void ofFilesAndOutput_data()
    {
        QTest::addColumn<QList<std::pair<double, double>>>("inFile"); // step and value; a step below 0: none
        QTest::addColumn<int>("printed"); // values, from 1 up
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("last");
        using Points = QList<std::pair<double, double>>;
        QTest::newRow("no file") << Points{} << 3 << 1.0 << 3.0;
        QTest::newRow("a summary") << Points{{-1, 9}} << 3 << 1.0 << 3.0;
        QTest::newRow("a summary and one printed value") << Points{{-1, 9}} << 1 << 9.0 << 9.0;
        QTest::newRow("a summary alone") << Points{{-1, 9}} << 0 << 9.0 << 9.0;
        QTest::newRow("one value with a step") << Points{{4, 9}} << 3 << 9.0 << 9.0;
        QTest::newRow("much less, and behind") << Points{{1, 9}, {2, 8}} << 10 << 1.0 << 10.0;
        QTest::newRow("somewhat behind") << Points{{1, 9}, {2, 8}} << 4 << 8.0 << 8.0;
        QTest::newRow("written more rarely than printed") << Points{{4, 9}, {8, 8}} << 11 << 8.0 << 8.0;
        QTest::newRow("few, and at the end") << Points{{5, 9}, {10, 8}} << 10 << 8.0 << 8.0;
        QTest::newRow("rows without steps") << Points{{-1, 8}, {-1, 9}} << 3 << 8.0 << 9.0;
    }
    void ofFilesAndOutput()
    {
        using Points = QList<std::pair<double, double>>;
        QFETCH(Points, inFile);
        QFETCH(int, printed);
        OutputResults ofFiles, ofOutput;
        for (const auto &[step, value] : inFile) {
            ofFiles.add(point("acc", value, step < 0 ? std::optional<double>() : step));
        }
        for (int i = 1; i <= printed; ++i) {
            ofOutput.add(point("acc", i, i));
        }
        const QJsonObject acc = resultsOfTask(ofFiles, ofOutput).value("acc"_L1).toObject();
        QTEST(acc.value("least"_L1).toDouble(), "least");
        QTEST(acc.value("last"_L1).toDouble(), "last");
    }

    void timeLeft_data()
    {
        QTest::addColumn<QList<double>>("seconds");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("saysLeft");
        QTest::addColumn<double>("later"); // seconds since the last step
        QTest::addColumn<double>("left"); // -1: not known
        const auto steady = [](int count, double took) { return QList<double>(count, took); };
        QTest::newRow("steady") << steady(20, 10) << 100 << -1.0 << 0.0 << 800.0;
        QTest::newRow("between two steps") << steady(20, 10) << 100 << -1.0 << 5.0 << 795.0;
        QTest::newRow("too few to tell") << steady(3, 10) << 100 << -1.0 << 0.0 << -1.0;
        QTest::newRow("too short to tell") << steady(10, 0.1) << 100 << -1.0 << 0.0 << -1.0;
        QTest::newRow("the program says it itself") << steady(3, 10) << 100 << 42.0 << 0.0 << 42.0;
        QTest::newRow("... and has fallen silent") << steady(3, 10) << 100 << 42.0 << 300.0 << -1.0;
        // The last quarter counts: 100 steps of 1 s, then 60 of 10 s.
        QTest::newRow("slower lately") << (steady(100, 1) + steady(60, 10)) << 200 << -1.0 << 0.0 << 400.0;
        QTest::newRow("faster lately") << (steady(60, 10) + steady(400, 1)) << 500 << -1.0 << 0.0 << 40.0;
        // Ten steps of 10 s, and none for 100 s more than that: the 60 s that count, for 0.3 of the work, become 160 s.
        QTest::newRow("late") << steady(10, 10) << 20 << -1.0 << 110.0 << 156.0;
        QTest::newRow("over") << steady(10, 10) << 10 << -1.0 << 0.0 << -1.0;
    }

    void timeLeft()
    {
        QFETCH(QList<double>, seconds);
        QFETCH(int, steps);
        QFETCH(double, saysLeft);
        QFETCH(double, later);
        QFETCH(double, left);
        const ProgressRate rate = after(seconds, steps, saysLeft);
        const double now = std::accumulate(seconds.begin(), seconds.end(), 0.0) + later;
        const std::optional<qint64> end = rate.endExpected(qint64(now * 1000));
        const double found = end ? double(*end) / 1000 - now : -1;
        QVERIFY2(std::abs(found - left) <= std::max(1.0, left * 0.1),
            qPrintable(u"%1 s left, expected %2"_s.arg(found).arg(left)));
    }

    // Ten steps of 10 s each; a pause of an hour in their midst is no work, nor is one that followed.
    void timeLeftIsWithoutPauses()
    {
        QList<double> seconds(10, 10);
        seconds[6] += 3600; // it is halted in the seventh
        const qint64 newest = (100 + 3600) * 1000;
        const std::vector<ProgressRate::Halt> halts{{62'000, 3'662'000}, {newest + 1000, newest + 61'000}};
        const ProgressRate rate = after(seconds, 20);
        const qint64 now = newest + 62'000; // 2 s of it ran
        const std::optional<qint64> end = rate.endExpected(now, halts);
        QVERIFY(end);
        QVERIFY2(std::abs(*end - now - 98'000) <= 1000, qPrintable(QString::number(*end - now)));
        QVERIFY(*rate.endExpected(now) - now > 200'000); // who knows of no pause takes it for slow
        // The same for what the program itself says.
        const ProgressRate own = after({10, 10}, 100, 42);
        const std::optional<qint64> ownEnd = own.endExpected(320'000, {{21'000, 319'000}});
        QVERIFY(ownEnd);
        QCOMPARE(*ownEnd, 360'000);
        QVERIFY(!own.endExpected(320'000));
    }

    // Each epoch has a bar of its own: the rate of the last one says nothing about the next.
    void anotherBar()
    {
        ProgressRate rate;
        for (int epoch = 0; epoch < 2; ++epoch) {
            for (int step = 1; step <= 10; ++step) {
                metrics::Progress progress;
                progress.fraction = step / 10.0;
                rate.add((epoch * 10 + step) * 1000, progress);
            }
        }
        metrics::Progress progress;
        progress.fraction = 0.1;
        rate.add(21'000, progress);
        QVERIFY(!rate.endExpected(21'000));
        QCOMPARE(rate.fraction(), std::optional(0.1));
    }

    void longRun()
    {
        ProgressRate rate;
        constexpr int steps = 100'000;
        for (int step = 1; step <= steps / 2; ++step) {
            metrics::Progress progress;
            progress.fraction = double(step) / steps;
            rate.add(qint64(step) * 1000, progress);
        }
        const qint64 now = qint64(steps / 2) * 1000;
        QVERIFY(rate.endExpected(now));
        QVERIFY(std::abs(double(*rate.endExpected(now) - 2 * now)) < 0.01 * double(now));
    }
};

TRAINYARD_TEST(TstResults)
#include "tst_results.moc"
