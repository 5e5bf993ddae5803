// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/outputtries.h"
#include "engine/client/continuedfiles.h"
#include "engine/client/continuedlog.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtenmetrics.h"

#include <QTest>

#include <map>
#include <memory>
#include <vector>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The tries of a task, and what they have told and written as one.
class TstTriesOfATask : public QObject
{
    Q_OBJECT

    static TaskInfo tryOf(int attempt, int number, const QString &folder)
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.attempt = attempt;
        task.tries = number;
        task.host = u"local"_s;
        task.logFolder = folder;
        return task;
    }

    // All that is told from the beginning, as who reads it has it: "loss 3=0.5 of 1", by the metric and its step.
    struct Reader {
        explicit Reader(const QStringList &folders, bool atOnce = true)
            : log(folders.first(folders.size() - 1), folders.constLast(), MetricPatterns(), atOnce)
        {
        }
        void read()
        {
            for (bool more = true; more;) {
                more = log.readMore();
                const ContinuedLog::Told told = log.take();
                begun += told.begins ? 1 : 0;
                if (told.begins) {
                    again.emplace();
                }
                QStringList &lines = again ? *again : shown;
                for (const LogMetrics::TimedPoint &timed : told.points) {
                    lines.append(u"%1 %2=%3 of %4"_s.arg(QString::fromStdString(timed.point.name),
                        QString::number(timed.point.step.value_or(-1)), QString::number(timed.point.value),
                        QString::number(told.ofTry)));
                }
                if (told.isWhole && again) {
                    shown = *std::exchange(again, std::nullopt);
                }
            }
        }
        ContinuedLog log;
        QStringList shown;
        std::optional<QStringList> again; // not whole yet
        int begun = 0;
    };

    static QStringList told(std::vector<FileMetrics::Grown> grown)
    {
        QStringList lines;
        for (const FileMetrics::Grown &one : grown) {
            QString line = one.name + (one.isNew ? u" anew"_s : QString());
            for (const series::Point &point : one.points) {
                line += u' ' + QString::number(point.x) + u'=' + QString::number(point.value);
            }
            lines.append(line);
        }
        return lines;
    }

private Q_SLOTS:
    // Attempts keep what former ones did, and a task that waits for its next try has the log of the one before.
    void orderOfTries()
    {
        TaskInfo kept = tryOf(2, 0, u"/b"_s);
        kept.keptFrom = 1;
        TaskInfo waiting = tryOf(3, 2, u"/d"_s);
        waiting.host.clear();
        TaskInfo other = tryOf(0, 0, u"/z"_s);
        other.index = 1;
        TaskInfo never = tryOf(4, 0, {});
        never.host.clear();
        const auto all = outputTries({never, waiting, tryOf(1, 0, u"/b"_s), kept, other, tryOf(3, 0, u"/c"_s),
            tryOf(3, 1, u"/d"_s), tryOf(0, 0, u"/a"_s)});
        QCOMPARE(all.size(), 2);
        QCOMPARE(all.value(u"worker/1"_s), (QList<OutputTry>{{u"/z"_s, 0, 0}}));
        QCOMPARE(all.value(u"worker/0"_s),
            (QList<OutputTry>{{u"/a"_s, 0, 0}, {u"/b"_s, 1, 0}, {u"/c"_s, 3, 0}, {u"/d"_s, 3, 1}}));
    }

    void outputsAsOne_data()
    {
        QTest::addColumn<QByteArrayList>("outputs"); // the newest is the last
        QTest::addColumn<QStringList>("wanted");
        const QByteArray first = "step 1 loss: 0.91\nstep 2 loss: 0.92\nstep 3 loss: 0.93\n";
        QTest::newRow("one") << QByteArrayList{"step 1 loss: 0.91\n"} << QStringList{u"loss 1=0.91 of 0"_s};
        QTest::newRow("goes on") << QByteArrayList{first, "step 3 loss: 0.83\nstep 4 loss: 0.84\n"}
                                 << QStringList{u"loss 1=0.91 of 0"_s, u"loss 2=0.92 of 0"_s, u"loss 3=0.83 of 1"_s,
                                        u"loss 4=0.84 of 1"_s};
        QTest::newRow("starts over") << QByteArrayList{first, "step 1 loss: 0.81\n"}
                                     << QStringList{u"loss 1=0.81 of 1"_s};
        QTest::newRow("goes on twice") << QByteArrayList{first, "step 3 loss: 0.83\n", "step 2 loss: 0.72\n"}
                                       << QStringList{u"loss 1=0.91 of 0"_s, u"loss 2=0.72 of 2"_s};
        QTest::newRow("says nothing") << QByteArrayList{first, "step 3 loss: 0.83\n",
            "started\n"} << QStringList{u"loss 1=0.91 of 0"_s, u"loss 2=0.92 of 0"_s, u"loss 3=0.83 of 1"_s};
        QTest::newRow("ends before its first step")
            << QByteArrayList{"step 1 loss: 0.91\nstep 2 loss: 0.92\n", "accuracy: 0.5\nloss: 0.7\n"}
            << QStringList{u"loss 1=0.91 of 0"_s, u"loss 2=0.92 of 0"_s, u"accuracy -1=0.5 of 1"_s};
        QTest::newRow("has no steps at all")
            << QByteArrayList{"accuracy: 0.4\n", "accuracy: 0.5\n"} << QStringList{u"accuracy -1=0.5 of 1"_s};
    }

    void outputsAsOne()
    {
        QFETCH(const QByteArrayList, outputs);
        QFETCH(const QStringList, wanted);
        std::vector<WrittenLog> logs(static_cast<std::size_t>(outputs.size()));
        QStringList folders;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            logs[i].write(outputs.at(qsizetype(i)));
            QVERIFY(logs[i].end());
            folders.append(logs[i].folder());
        }
        for (const bool atOnce : {true, false}) {
            Reader reader(folders, atOnce);
            reader.read();
            QCOMPARE(reader.shown, wanted);
            QVERIFY(reader.log.isOver());
            QVERIFY(!reader.again);
        }
    }

    // What comes before the newest try is told as soon as that is read, and again when it names its first step.
    void anOutputThatGrows()
    {
        WrittenLog before, newest;
        before.write("step 1 loss: 0.91\nstep 1 acc: 0.11\nstep 2 loss: 0.92\nstep 3 loss: 0.93\nstep 3 acc: 0.13\n");
        QVERIFY(before.end());
        newest.write("started, and it says a good deal before it says anything of how the training goes\n");
        Reader reader({before.folder(), newest.folder()});
        reader.read();
        const QStringList ofBefore{u"loss 1=0.91 of 0"_s, u"acc 1=0.11 of 0"_s, u"loss 2=0.92 of 0"_s,
            u"loss 3=0.93 of 0"_s, u"acc 3=0.13 of 0"_s};
        QCOMPARE(reader.shown, ofBefore);
        newest.write("step 2 loss: 0.82\n");
        reader.read();
        const QStringList resumed{u"loss 1=0.91 of 0"_s, u"acc 1=0.11 of 0"_s, u"loss 2=0.82 of 1"_s};
        QCOMPARE(reader.shown, resumed);
        const int begun = reader.begun;
        newest.write("step 3 loss: 0.83\n");
        reader.read();
        QCOMPARE(reader.shown, resumed + QStringList{u"loss 3=0.83 of 1"_s});
        QCOMPARE(reader.begun, begun); // nothing new of where it goes on
        QVERIFY(newest.end());
        reader.read();
        QVERIFY(reader.log.isOver());
    }

    // A metric that comes later goes on from a step of its own.
    void aMetricThatComesLater()
    {
        WrittenLog before, newest;
        before.write("step 2 loss: 0.92\nstep 2 acc: 0.12\nstep 3 loss: 0.93\nstep 3 acc: 0.13\nstep 4 acc: 0.14\n");
        QVERIFY(before.end());
        newest.write("step 3 loss: 0.83\n");
        Reader reader({before.folder(), newest.folder()});
        reader.read();
        QCOMPARE(reader.shown, (QStringList{u"loss 2=0.92 of 0"_s, u"acc 2=0.12 of 0"_s, u"loss 3=0.83 of 1"_s}));
        newest.write("step 4 acc: 0.24\n");
        QVERIFY(newest.end());
        reader.read();
        QCOMPARE(reader.shown,
            (QStringList{u"loss 2=0.92 of 0"_s, u"acc 2=0.12 of 0"_s, u"acc 3=0.13 of 0"_s, u"loss 3=0.83 of 1"_s,
                u"acc 4=0.24 of 1"_s}));
        QVERIFY(reader.log.isOver());
    }

    void filesAsOne()
    {
        WrittenMetrics first, second;
        first.say(contract::runLine("version_0"));
        first.put(0, "loss", {{1, 0.91}, {2, 0.92}, {3, 0.93}}, 1000);
        first.put(0, "acc", {{1, 0.11}, {3, 0.13}}, 1000);
        second.say(contract::runLine("version_1"));
        ContinuedFiles files({first.dir.path()}, second.dir.path());
        // The newest try has written nothing yet.
        QCOMPARE(
            told(files.takeNew()), (QStringList{u"acc anew 1=0.11 3=0.13"_s, u"loss anew 1=0.91 2=0.92 3=0.93"_s}));
        QCOMPARE(told(files.takeNew()), QStringList());
        second.put(0, "loss", {{3, 0.83}}, 5000);
        QCOMPARE(told(files.takeNew()), (QStringList{u"acc anew 1=0.11"_s, u"loss anew 1=0.91 2=0.92 3=0.83"_s}));
        QCOMPARE(files.begins(), (std::map<std::size_t, qint64>{{0, 1000}, {1, 5000}}));
        second.put(0, "loss", {{4, 0.84}}, 6000);
        QCOMPARE(told(files.takeNew()), QStringList{u"loss 4=0.84"_s});
        second.put(0, "loss", {{2, 0.72}}, 7000); // it was resumed itself: all of its file that counts
        QCOMPARE(told(files.takeNew()), (QStringList{u"acc anew 1=0.11"_s, u"loss anew 1=0.91 2=0.72"_s}));
    }

    // A file that all tries have written is whole in the last one.
    void aFileOfAllTries()
    {
        WrittenMetrics first, second;
        first.say(contract::runLine("log"));
        first.put(0, "loss", {{1, 0.91}, {2, 0.92}});
        second.say(contract::runLine("log"));
        second.put(0, "loss", {{1, 0.91}, {2, 0.82}, {3, 0.83}});
        ContinuedFiles files({first.dir.path()}, second.dir.path());
        QCOMPARE(told(files.takeNew()), QStringList{u"loss anew 1=0.91 2=0.82 3=0.83"_s});
        ContinuedFiles only({}, first.dir.path());
        QCOMPARE(told(only.takeNew()), QStringList{u"loss anew 1=0.91 2=0.92"_s});
        QVERIFY(only.begins().empty());
    }
};

TRAINYARD_TEST(TstTriesOfATask)
#include "tst_triesofatask.moc"
