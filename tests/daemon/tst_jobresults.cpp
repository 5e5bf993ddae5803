// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the engine says of the progress and the results of jobs, which it reads from their outputs.
class TstJobResults : public QObject
{
    Q_OBJECT

    static QJsonObject engineOf(const ProgramsFixture &f, const QString &job)
    {
        const auto said = f.ctl({u"show"_s, job, u"--json"_s});
        return QJsonDocument::fromJson(said.out).object().value("engine"_L1).toObject();
    }
    static QJsonObject metric(const QJsonObject &engine, QLatin1StringView name)
    {
        return engine.value("results"_L1).toObject().value(name).toObject();
    }
private Q_SLOTS:
    void ofAJob()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            EngineFixture::job("train",
                {"for i in 1 2 3; do echo \"Step $i/6 loss: 0.$((5 - i)) acc=0.$i\"; sleep 0.3; done",
                    "until [ -e over ]; do sleep 0.05; done", "echo 'Step 6/6 loss: 0.9'"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(metric(engineOf(f, u"train"_s), "loss"_L1).value("last"_L1).toDouble(), 0.2, 20000);
        const QJsonObject running = engineOf(f, u"train"_s);
        QCOMPARE(running.value("progress"_L1).toDouble(), 0.5);
        QVERIFY(!running.value("resultsComplete"_L1).toBool(true));
        QVERIFY(f.ctl({u"show"_s, u"train"_s}).out.contains("50 %"));
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"train"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(metric(engineOf(f, u"train"_s), "loss"_L1).value("last"_L1).toDouble(), 0.9, 20000);
        const QJsonObject ended = engineOf(f, u"train"_s);
        QVERIFY(ended.value("progress"_L1).isNull());
        QCOMPARE(metric(ended, "loss"_L1),
            (QJsonObject{{u"last"_s, 0.9}, {u"step"_s, 6}, {u"least"_s, 0.2}, {u"leastAt"_s, 3}, {u"most"_s, 0.9},
                {u"mostAt"_s, 6}, {u"axis"_s, u"step"_s}}));
        QCOMPARE(metric(ended, "acc"_L1).value("last"_L1).toDouble(), 0.3);
        const QByteArray text = f.ctl({u"show"_s, u"train"_s}).out;
        QVERIFY2(text.contains("loss: 0.9 at step 6, least 0.2 at step 3"), text.constData());

        // It is stored: neither the log nor the engine that read it is needed any more.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QFile::remove(ended.value("runFolder"_L1).toString() + u"/0/worker-0/0/output.log"_s);
        const QJsonArray rows = QJsonDocument::fromJson(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).out).array();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(
            metric(rows.at(0).toObject().value("engine"_L1).toObject(), "loss"_L1).value("least"_L1).toDouble(), 0.2);
        QCOMPARE(f.ctl({u"rm"_s, u"train"_s}).status, 0);
    }

    // The job ends with the slower one of its tasks, however far the other one has come.
    void progressOfTheSlowestTask()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/both.yaml"_s,
            "protocolVersion: 2\nname: both\ntype: job\ntaskRoles:\n"
            "  train:\n    instances: 1\n    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 16}\n    commands:\n"
            "      - for i in 1 2; do echo \"Step $i/10 loss=0.$i\"; sleep 0.3; done\n"
            "      - until [ -e over ]; do sleep 0.05; done\n"
            "  eval:\n    instances: 1\n    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 16}\n    commands:\n"
            "      - for i in 1 2 3 4; do echo \"Step $i/4 score=0.$i\"; sleep 0.1; done\n");
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(metric(engineOf(f, u"both"_s), "loss"_L1).value("last"_L1).toDouble(), 0.2, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(metric(engineOf(f, u"both"_s), "score"_L1).value("last"_L1).toDouble(), 0.4, 20000);
        QTRY_COMPARE(engineOf(f, u"both"_s).value("progress"_L1).toDouble(), 0.2);
        QTRY_VERIFY(f.ctl({u"show"_s, u"both"_s}).out.contains("1 succeeded"));
        QCOMPARE(engineOf(f, u"both"_s).value("progress"_L1).toDouble(), 0.2);
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"both"_s}).status, 0);
        QCOMPARE(f.ctl({u"rm"_s, u"both"_s}).status, 0);
    }

    // What is run after a wait finds the results: of the output, and of a file that was written just before the end.
    void areThereAfterAWait()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/quick.yaml"_s,
            EngineFixture::job("quick",
                {"echo 'step 1 loss: 0.25'", "sleep 0.5", "printf 'step,val\\n1,0.5\\n2,0.125\\n' > metrics.csv"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QJsonObject engine = engineOf(f, u"quick"_s);
        QCOMPARE(metric(engine, "loss"_L1).value("last"_L1).toDouble(), 0.25);
        QCOMPARE(metric(engine, "val"_L1).value("last"_L1).toDouble(), 0.125);
        const QString swept = f.write(u"work/swept.yaml"_s,
            EngineFixture::job("swept", {"echo \"step 1 loss: 0.<% $parameters.lr %>\""}) + "parameters: {lr: 1}\n");
        const auto run = f.ctl({u"sweep"_s, swept, u"--param"_s, u"lr=1,2,3"_s, u"--wait"_s, u"--json"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        const QByteArray listed = f.ctl({u"ps"_s, u"--all"_s, u"--json"_s, u"name:swept"_s}).out;
        const QJsonArray rows = QJsonDocument::fromJson(listed).array();
        QCOMPARE(rows.size(), 3);
        for (const QJsonValue &row : rows) {
            const QJsonObject loss = metric(row.toObject().value("engine"_L1).toObject(), "loss"_L1);
            QVERIFY2(loss.contains("last"_L1), listed.constData());
        }
    }

    // What is not read to its end is not taken for the end.
    void ofALongOutput()
    {
        ProgramsFixture f;
        constexpr int last = 200'000;
        const QString file = f.write(u"work/long.yaml"_s,
            EngineFixture::job("long", {"seq " + QByteArray::number(last) + " | sed 's/.*/step & loss: 0.5/'"}));
        const auto run = f.ctl({u"run"_s, file, u"--wait"_s, u"--json"_s}, {}, 60000);
        QVERIFY2(run.status == 0, run.err.constData());
        const QJsonObject ended = run.json().object().value("engine"_L1).toObject();
        if (ended.value("resultsComplete"_L1).toBool()) {
            QCOMPARE(metric(ended, "loss"_L1).value("step"_L1).toInt(), last);
        } else {
            QVERIFY2(run.err.contains("still being read"), run.err.constData());
        }
        QTRY_VERIFY_WITH_TIMEOUT(engineOf(f, u"long"_s).value("resultsComplete"_L1).toBool(), 60000);
        QCOMPARE(metric(engineOf(f, u"long"_s), "loss"_L1).value("step"_L1).toInt(), last);
        const QByteArray shown = f.ctl({u"show"_s, u"long"_s}).out;
        QVERIFY2(!shown.contains("still being read"), shown.constData());
    }

    // It was killed while the job ran, and the job ended without it.
    void withoutAnEngine()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/alone.yaml"_s,
            EngineFixture::job(
                "alone", {"echo begun", "until [ -e over ]; do sleep 0.05; done", "echo 'epoch 7 val loss: 0.125'"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"alone"_s}).out.contains("begun"), 20000);
        for (const qint64 pid : f.agentPids() + f.pidsOf(u"trainyardd"_s)) {
            ::kill(pid_t(pid), SIGKILL);
        }
        QVERIFY(f.waitForNoDaemon());
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"alone"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            metric(engineOf(f, u"alone"_s), "val loss"_L1).value("last"_L1).toDouble(), 0.125, 20000);
    }

    // The first task that has a metric is the one whose metric counts.
    void ofSeveralTasks()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/many.yaml"_s,
            EngineFixture::job("many",
                {"if [ $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX = 0 ]; then echo 'step 1 loss: 1.5';"
                 " else echo 'step 1 loss: 2.5 acc: 0.5'; fi"},
                3));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(metric(engineOf(f, u"many"_s), "acc"_L1).value("last"_L1).toDouble(), 0.5, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(engineOf(f, u"many"_s).value("resultsComplete"_L1).toBool(), 20000);
        const QJsonObject engine = engineOf(f, u"many"_s);
        QCOMPARE(metric(engine, "loss"_L1).value("last"_L1).toDouble(), 1.5);
        QCOMPARE(metric(engine, "loss"_L1).value("task"_L1).toString(), u"worker/0"_s);
        // Of the two that have it, the first one.
        QCOMPARE(metric(engine, "acc"_L1).value("task"_L1).toString(), u"worker/1"_s);
        const QByteArray text = f.ctl({u"show"_s, u"many"_s}).out;
        QVERIFY2(text.contains("loss: 1.5 at step 1 (worker/0)"), text.constData());
    }
};

TRAINYARD_TEST(TstJobResults)
#include "tst_jobresults.moc"
