// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskfigures.h"
#include "engine/contract/taskfolder.h"
#include "engine/results/outputwatch.h"
#include "engine/series/rewriting.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <vector>

using namespace trainyard;

class TstOutputWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Somebody waits for both. The short one is told of while the long one is being read, in one record of a keeper.
    void shortBesideLong()
    {
        WrittenLog large, small;
        const QByteArray lines = QByteArray("a line of a log with loss 0.5 and more\n").repeated(400'000);
        large.write(lines);
        small.write("step 1 loss 0.25\n");
        QVERIFY(large.end() && small.end());
        OutputWatch watch;
        std::map<quint64, OutputReading> readings;
        connect(&watch, &OutputWatch::told, this, [&](quint64 key, const OutputReading &reading) {
            if (!readings[2].isOver) {
                readings[key] = reading;
            }
        });
        for (const quint64 key : {1, 2}) {
            watch.watch(key, (key == 1 ? large : small).folder(), OutputRules{.patterns = MetricPatterns()});
            watch.hurry(key);
        }
        QTRY_VERIFY_WITH_TIMEOUT(readings[2].isOver, 60000);
        QVERIFY(readings[2].results.contains(QStringLiteral("loss")));
        QVERIFY2(!readings[1].isOver && !readings[1].isCaughtUp, "the long one went first");
        QVERIFY(!readings[2].upTo); // all of it was read
    }

    // Who looks at a run sees how far it is as it goes on, and not with the next reading of all.
    void progressOfOneThatIsFollowed()
    {
        WrittenLog log;
        OutputWatch watch;
        int readings = 0;
        QList<double> advances;
        const auto fraction = [](const ProgressRate &progress) { return progress.fraction().value_or(-1); };
        connect(&watch, &OutputWatch::told, this, [&readings] { ++readings; });
        connect(&watch, &OutputWatch::advanced, this,
            [&](quint64, const ProgressRate &progress) { advances.append(fraction(progress)); });
        int step = 0;
        const auto goOn = [&] {
            if (step < 1000) {
                log.write("step " + QByteArray::number(++step) + "/1000 loss 0.5\n");
            }
        };
        watch.watch(1, log.folder(), OutputRules{.patterns = MetricPatterns()});
        QTRY_VERIFY_WITH_TIMEOUT((goOn(), readings >= 2), 60000);
        QVERIFY(advances.isEmpty()); // nobody looks
        watch.follow(1, true);
        const int before = readings;
        QTRY_VERIFY_WITH_TIMEOUT((goOn(), readings >= before + 2), 60000);
        QVERIFY2(advances.size() > 2, qPrintable(QString::number(advances.size())));
        QVERIFY(std::is_sorted(advances.cbegin(), advances.cend()) && advances.constFirst() > 0);
    }

    // Of the whole run, though the output shows only how far its epoch is.
    void progressOfTheRun()
    {
        WrittenLog log;
        const QByteArray lines = "Epoch 2/5:  50%|#####     | 10/20 [00:10<00:10,  1.00s/it]\n";
        log.write(lines);
        QVERIFY(log.end());
        OutputWatch watch;
        OutputReading reading;
        connect(&watch, &OutputWatch::told, this, [&](quint64, const OutputReading &told) { reading = told; });
        watch.watch(1, log.folder(), OutputRules{.patterns = MetricPatterns()});
        watch.hurry(1);
        QTRY_VERIFY_WITH_TIMEOUT(reading.isOver, 60000);
        QCOMPARE(reading.progress.fraction(), std::optional(0.3));
    }

    // Where a try goes on from a checkpoint, the results are those of the whole curve.
    void triesBefore_data()
    {
        QTest::addColumn<QByteArrayList>("outputs"); // the newest is the last
        QTest::addColumn<QList<double>>("wanted"); // last, least, most
        const QByteArray first = "step 1 loss: 12.5\nstep 2 loss: 0.9\nstep 3 loss: 0.1\n";
        QTest::newRow("goes on") << QByteArrayList{first, "step 3 loss: 0.8\nstep 4 loss: 0.7\n"}
                                 << QList<double>{0.7, 0.7, 12.5};
        QTest::newRow("starts over") << QByteArrayList{first, "step 1 loss: 0.8\n"} << QList<double>{0.8, 0.8, 0.8};
        QTest::newRow("twice") << QByteArrayList{first, "step 2 loss: 0.6\nstep 3 loss: 0.2\n", "step 3 loss: 0.8\n"}
                               << QList<double>{0.8, 0.6, 12.5};
        QTest::newRow("after one that starts over")
            << QByteArrayList{"step 1 loss: 99\n", first, "step 3 loss: 0.8\n"} << QList<double>{0.8, 0.8, 12.5};
        QTest::newRow("no steps") << QByteArrayList{"loss: 12.5\n", "loss: 0.8\n"} << QList<double>{0.8, 0.8, 0.8};
        QTest::newRow("values in front of the steps")
            << QByteArrayList{first, "accuracy: 0.5\nstep 3 loss: 0.8\n"} << QList<double>{0.8, 0.8, 12.5};
        QTest::newRow("ends before its first step")
            << QByteArrayList{first, "accuracy: 0.5\n"} << QList<double>{0.1, 0.1, 12.5};
        QTest::newRow("says nothing") << QByteArrayList{first, "step 3 loss: 0.8\n", "started\n"}
                                      << QList<double>{0.8, 0.8, 12.5};
    }

    void triesBefore()
    {
        QFETCH(const QByteArrayList, outputs);
        std::vector<WrittenLog> logs(static_cast<std::size_t>(outputs.size()));
        QStringList folders;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            logs[i].write(outputs.at(qsizetype(i)));
            QVERIFY(logs[i].end());
            folders.append(logs[i].folder());
        }
        const QString newest = folders.takeLast();
        OutputWatch watch;
        OutputReading reading;
        connect(&watch, &OutputWatch::told, this, [&](quint64, const OutputReading &told) { reading = told; });
        watch.watch(1, newest, OutputRules{.patterns = MetricPatterns(), .earlier = folders});
        watch.hurry(1);
        QTRY_VERIFY_WITH_TIMEOUT(reading.isOver, 60000);
        const QJsonObject loss = reading.results.value(QStringLiteral("loss")).toObject();
        QList<double> found;
        for (const char *member : {"last", "least", "most"}) {
            found.append(loss.value(QLatin1StringView(member)).toDouble());
        }
        QTEST(found, "wanted");
    }

    // Whether it goes on is not known yet, and may never be: what it says counts meanwhile.
    void liveValuesOfAResumedTry_data()
    {
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<double>("most"); // after it
        QTest::newRow("it names steps later") << QByteArray("step 3 loss: 0.7\n") << 12.5;
        QTest::newRow("it starts over") << QByteArray("step 1 loss: 0.7\n") << 0.8;
    }

    void liveValuesOfAResumedTry()
    {
        QFETCH(const QByteArray, more);
        QFETCH(const double, most);
        WrittenLog before, newest;
        before.write("step 1 loss: 12.5\nstep 2 loss: 0.9\nstep 3 loss: 99\n");
        QVERIFY(before.end());
        newest.write("loss: 0.8\n");
        OutputWatch watch;
        QJsonObject loss;
        connect(&watch, &OutputWatch::told, this,
            [&](quint64, const OutputReading &told) { loss = told.results.value(QStringLiteral("loss")).toObject(); });
        watch.watch(1, newest.folder(), OutputRules{.patterns = MetricPatterns(), .earlier = {before.folder()}});
        QTRY_COMPARE_WITH_TIMEOUT(loss.value(QStringLiteral("last")).toDouble(), 0.8, 60000);
        QCOMPARE(loss.value(QStringLiteral("most")).toDouble(), 0.8);
        newest.write(more);
        QTRY_COMPARE_WITH_TIMEOUT(loss.value(QStringLiteral("last")).toDouble(), 0.7, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(loss.value(QStringLiteral("most")).toDouble(), most, 60000);
    }

    // What it did more than a day ago is thinned, and still counts.
    void aGpuThatWorkedLongAgoWasUsed()
    {
        constexpr int hour = 3600;
        WrittenLog log;
        for (int second = 0; second < 3 * hour; second += 30) {
            const QByteArray line = "step " + QByteArray::number(second / 30) + " accuracy 0.9\n";
            log.writeAt((WrittenLog::start + second * 1000ll) * 1'000'000, line);
        }
        QVERIFY(log.end());
        series::Error error;
        auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
        QVERIFY(writer);
        series::Info info{"gpu/0/use", series::Axis::Time, series::StepBack::Mixed};
        info.mayThin = true;
        for (int second = 0; second < 3 * hour; ++second) {
            const qint64 at = WrittenLog::start + second * 1000ll;
            writer->append(*writer->define(info), {double(at), at, second < hour ? 80.0 : 0.0});
        }
        QCOMPARE(series::rewrite(writer, WrittenLog::start + 3 * hour * 1000ll, {{hour * 1000ll, 10000}}).fault,
            series::Fault::None);
        OutputWatch watch;
        OutputReading reading;
        connect(&watch, &OutputWatch::told, this, [&](quint64, const OutputReading &told) { reading = told; });
        watch.watch(1, log.folder(), OutputRules{.patterns = MetricPatterns(), .limits = {.gpuIdleMs = 900'000}});
        watch.hurry(1);
        QTRY_VERIFY_WITH_TIMEOUT(reading.isOver, 60000);
        QCOMPARE(reading.health.size(), 1);
        QCOMPARE(reading.health.constFirst().code, QStringLiteral("health.gpu-idle"));
        QCOMPARE(reading.health.constFirst().at, WrittenLog::start + hour * 1000ll);
    }
};

TRAINYARD_TEST(TstOutputWatch)
#include "tst_outputwatch.moc"
