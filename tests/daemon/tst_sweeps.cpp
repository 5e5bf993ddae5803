// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QThread>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Groups of jobs, by the programs as a user has them: `sweep`, the limit of a group, the rule that stops the worse
// jobs, and the commands that take a group.
class TstSweeps : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArrayList &commands)
    {
        return EngineFixture::document(
            "train", EngineFixture::role("worker", 1, commands), "parameters:\n  i: 1\n  lr: 0.1\n  opt: adam\n");
    }
    static QJsonArray jobsOf(const ProgramsFixture &f, const QString &group)
    {
        return f.ctl({u"ps"_s, u"group:"_s + group, u"--sort"_s, u"id"_s, u"--json"_s}).json().array();
    }
    static QString stateOf(const ProgramsFixture &f, const QString &name)
    {
        return QString::fromUtf8(f.ctl({u"ps"_s, name, u"--format"_s, u"{state}"_s}).out.trimmed());
    }
    static void killEngine(const ProgramsFixture &f)
    {
        const QList<qint64> engine = f.pidsOf(u"trainyardd"_s);
        for (const qint64 pid : f.agentPids() + engine) {
            ::kill(pid_t(pid), SIGKILL);
        }
        // One that is just dying is not the next one.
        const auto isGone = [&] {
            const QList<qint64> now = f.pidsOf(u"trainyardd"_s);
            return std::none_of(engine.cbegin(), engine.cend(), [&now](qint64 pid) { return now.contains(pid); });
        };
        QVERIFY(QTest::qWaitFor(isGone, 10000));
    }
    static int linesWith(const ProgramsFixture &f, const QByteArray &beginning)
    {
        int count = 0;
        const QList<QByteArray> lines = EngineFixture::contents(f.path(u"work/ledger"_s)).split('\n');
        for (const QByteArray &line : lines) {
            count += line.startsWith(beginning) ? 1 : 0;
        }
        return count;
    }

private Q_SLOTS:
    // The best one again with other seeds, whatever has become of its file: where it worked, as it ran.
    void againWithOtherValues()
    {
        ProgramsFixture f;
        f.write(u"work/data.txt"_s, "the data\n");
        const QString file = f.write(
            u"work/train.yaml"_s, job({"cat data.txt", "echo lr <% $parameters.lr %> i <% $parameters.i %>"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--param"_s, u"lr=0.5"_s}).status, 0);
        const QStringList values{u"--param"_s, u"i=2,3"_s, u"--wait"_s};
        QCOMPARE(f.ctl(QStringList{u"sweep"_s, file, u"--again"_s, u"1"_s} + values).status, 2);
        QCOMPARE(f.ctl(QStringList{u"sweep"_s} + values).status, 2);
        QVERIFY(QFile::remove(file));
        const auto swept
            = f.ctl(QStringList{u"sweep"_s, u"--again"_s, u"1"_s, u"--name"_s, u"more"_s} + values, {}, 60000);
        QVERIFY2(swept.status == 0, swept.err.constData());
        QCOMPARE(jobsOf(f, u"more"_s).size(), 2);
        const QByteArray log = f.ctl({u"logs"_s, u"more-2"_s}).out;
        QVERIFY2(log.contains("the data\nlr 0.5 i 3\n"), log.constData());

        // Without a file, no folder of the user's is meant: that is said before and after.
        const auto lost = f.ctl({u"sweep"_s, u"-"_s, u"--param"_s, u"i=1"_s, u"--name"_s, u"lost"_s, u"--wait"_s},
            job({"python3 train.py"}), 60000);
        QVERIFY2(lost.status == 2
                && lost.err.contains(
                    "With '--work .', 'trainyardctl run' and 'trainyardctl sweep' start it in the current folder."),
            lost.err.constData());
        const QByteArray why = f.ctl({u"why"_s, u"lost-1"_s}).out;
        QVERIFY2(why.contains("'trainyardctl run --again 4 --work .' runs it in the current folder."), why.constData());
    }

    void dryRun()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job({"true"}));
        const auto run = f.ctl({u"sweep"_s, file, u"--param"_s, u"lr=1e-4..1e-1:log:4"_s, u"--param"_s,
            u"opt=adam,sgd"_s, u"--limit"_s, u"3"_s, u"--stop-worse"_s, u"loss@100"_s, u"--dry-run"_s});
        QCOMPARE(run.status, 0);
        const QList<QByteArray> lines = run.out.split('\n');
        QCOMPARE(lines.at(0), "JOB      lr      opt");
        QCOMPARE(lines.at(1), "train-1  0.0001  adam");
        QCOMPARE(lines.at(8), "train-8  0.1     sgd");
        QVERIFY2(run.out.contains("8 jobs, each of which asks for 1 CPU core, 16 MiB of memory."), run.out.constData());
        QVERIFY2(run.out.contains("At most 3 of them run at the same time, with 3 CPU cores, 48 MiB of memory."),
            run.out.constData());
        QVERIFY2(run.out.contains("its best loss up to step 100 is greater"), run.out.constData());
        // They work beside the file, and it matters where a command says that it writes there.
        QVERIFY2(!run.err.contains("TRAINYARD_JOB_ID"), run.err.constData());
        const QString writes = f.write(u"work/writes.yaml"_s, job({"true > out.txt"}));
        const auto warned = f.ctl({u"sweep"_s, writes, u"--param"_s, u"i=1..3"_s, u"--dry-run"_s});
        QVERIFY2(warned.err.contains("trainyardctl: All jobs work in one folder"), warned.err.constData());
        const auto single = f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..3"_s, u"--limit"_s, u"1"_s, u"--dry-run"_s});
        QVERIFY2(single.out.contains("They run one after the other."), single.out.constData());
        const QString apart = f.write(u"work/apart.yaml"_s, job({"touch $TRAINYARD_JOB_ID"}));
        const auto quiet = f.ctl({u"sweep"_s, apart, u"--param"_s, u"i=1..3"_s, u"--dry-run"_s});
        QVERIFY2(quiet.status == 0 && !quiet.err.contains("TRAINYARD_JOB_ID"), quiet.err.constData());
        const QJsonObject json = f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..3"_s, u"--param"_s, u"lr=0.1,0.2,0.3"_s,
                                           u"--zip"_s, u"--limit"_s, u"0"_s, u"--dry-run"_s, u"--json"_s})
                                     .json()
                                     .object();
        QCOMPARE(json.value("jobs"_L1).toArray().size(), 3);
        QCOMPARE(json.value("jobs"_L1)[2]["parameters"_L1], (QJsonObject{{u"i"_s, 3}, {u"lr"_s, 0.3}}));
        QCOMPARE(json.value("demand"_L1)["atOnce"_L1]["cpus"_L1].toInt(), 3);
        // Whole numbers stay whole, which is said.
        const QStringList whole{u"sweep"_s, file, u"--param"_s, u"i=16..128:log:5"_s, u"--dry-run"_s};
        QVERIFY2(f.ctl(whole).out.contains("The values of i are rounded to whole numbers, because it is "),
            f.ctl(whole).out.constData());
        const QJsonObject rounded = f.ctl(whole + QStringList{u"--json"_s}).json().object();
        QCOMPARE(rounded.value("rounded"_L1).toArray(), QJsonArray{u"i"_s});
        QCOMPARE(rounded.value("jobs"_L1)[1]["parameters"_L1], (QJsonObject{{u"i"_s, 27}}));
        // Without a limit, as many as the cores are enough for.
        const QJsonObject room
            = f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..500"_s, u"--dry-run"_s, u"--json"_s}).json().object();
        QCOMPARE(room.value("limit"_L1).toInt(), QThread::idealThreadCount());
        const QStringList drawn{u"sweep"_s, file, u"--param"_s, u"lr=1e-4..1e-1:log"_s, u"--random"_s, u"5"_s,
            u"--seed"_s, u"7"_s, u"--dry-run"_s};
        QCOMPARE(f.ctl(drawn).out, f.ctl(drawn).out);
        QVERIFY(f.ctl(drawn).out.contains("seed 7"));
        QVERIFY(f.pidsOf(u"trainyardd"_s).isEmpty()); // nothing of this needs an engine
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no parameter") << QStringList() << QByteArray("Give at least one parameter");
        QTest::newRow("unknown parameter")
            << QStringList{u"--param"_s, u"lrr=1,2"_s} << QByteArray("Did you mean 'lr'?");
        QTest::newRow("twice") << QStringList{u"--param"_s, u"lr=1"_s, u"--param"_s, u"lr=2"_s}
                               << QByteArray("The parameter lr is given twice.");
        QTest::newRow("no number") << QStringList{u"--param"_s, u"lr=1,two"_s}
                                   << QByteArray("--param lr=1,two\n               ^^^");
        QTest::newRow("too many") << QStringList{u"--param"_s, u"lr=0..1:lin:2000"_s, u"--param"_s, u"i=1..10"_s}
                                  << QByteArray("The sweep has 20000 jobs; at most 10000");
        QTest::newRow("no count") << QStringList{u"--param"_s, u"lr=0..1"_s} << QByteArray("does not say how many");
        QTest::newRow("rule") << QStringList{u"--param"_s, u"lr=1,2"_s, u"--stop-worse"_s, u"loss"_s}
                              << QByteArray("not a metric and a step");
        QTest::newRow("seed alone") << QStringList{u"--param"_s, u"lr=1,2"_s, u"--seed"_s, u"1"_s}
                                    << QByteArray("--seed belongs to --random");
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job({"true"}));
        const auto run = f.ctl(QStringList{u"sweep"_s, file, u"--dry-run"_s} + arguments);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }

    // Not more than the limit at any time, each exactly once, whatever happens to the engine meanwhile.
    void engineIsKilled()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            job({"echo start <% $parameters.i %> >> ledger", "echo 'step=1 loss=0.<% $parameters.i %>'", "sleep 0.3",
                "echo end <% $parameters.i %> >> ledger"}));
        const std::unique_ptr<QProcess> sweep = f.startCtl(
            {u"sweep"_s, file, u"--param"_s, u"i=1..24"_s, u"--limit"_s, u"4"_s, u"--tag"_s, u"small"_s, u"--wait"_s});
        for (int round = 0; round < 3; ++round) {
            // Not looked at twice: of two that start at the same time, one ends again.
            QVERIFY(QTest::qWaitFor([&f] { return f.daemonPid() > 0; }, 20000));
            // At no particular moment of what it does.
            const int moment = QRandomGenerator::global()->bounded(5, 400);
            QElapsedTimer clock;
            clock.start();
            QVERIFY(QTest::qWaitFor([&] { return clock.elapsed() >= moment; }, 2000));
            killEngine(f);
        }
        QVERIFY2(sweep->waitForFinished(120000), "the sweep has ended");
        const QByteArray said = sweep->readAllStandardError();
        QVERIFY2(sweep->exitCode() == 0, said.constData());
        const QJsonArray jobs = jobsOf(f, u"train"_s);
        QCOMPARE(jobs.size(), 24);
        QSet<int> values;
        for (const QJsonValue &each : jobs) {
            QCOMPARE(each["state"_L1].toString(), u"SUCCEEDED"_s);
            const QJsonObject engine = each["engine"_L1].toObject();
            values.insert(engine.value("parameters"_L1)["i"_L1].toInt());
        }
        QCOMPARE(values.size(), 24);
        QCOMPARE(linesWith(f, "start "), 24);
        int running = 0;
        int most = 0;
        const QList<QByteArray> lines = EngineFixture::contents(f.path(u"work/ledger"_s)).split('\n');
        for (const QByteArray &line : lines) {
            running += line.startsWith("start ") ? 1 : line.startsWith("end ") ? -1 : 0;
            most = std::max(most, running);
        }
        QVERIFY2(most > 1 && most <= 4, qPrintable(QString::number(most)));

        // The same command means the same jobs, and one with other values does not.
        QStringList again{u"sweep"_s, file, u"--param"_s, u"i=1..24"_s, u"--name"_s, u"train"_s};
        auto run = f.ctl(again);
        QCOMPARE(run.status, 0);
        QCOMPARE(run.out, "group:train\n");
        QVERIFY2(run.err.contains("24 of them had been submitted before."), run.err.constData());
        QCOMPARE(jobsOf(f, u"train"_s).size(), 24);
        again[3] = u"i=2..25"_s;
        run = f.ctl(again);
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("The group train already has a job"), run.err.constData());
        // Without a name, a group of its own.
        again = {u"sweep"_s, file, u"--param"_s, u"i=1,2"_s, u"--json"_s};
        QCOMPARE(f.ctl(again).json().object().value("group"_L1).toString(), u"train-2"_s);
    }

    void limitIsToldAndSurvives()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job({"until [ -e over ]; do sleep 0.05; done"}));
        QCOMPARE(f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..3"_s, u"--limit"_s, u"1"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(f, u"train-1"_s), u"RUNNING"_s, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.ctl({u"show"_s, u"train-2"_s}).out.contains("Only 1 job of the group train may run at the same time"),
            20000);
        // Which of the sweep a job is; its values are in its own document.
        const QByteArray second = f.ctl({u"show"_s, u"train-2"_s}).out;
        QVERIFY2(second.contains("i 2, lr 0.1, opt adam\n"), second.constData());
        killEngine(f);
        QVERIFY(f.waitForNoDaemon());
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"show"_s, u"train-3"_s}).out.contains("Only 1 job of the group train"), 20000);
        QCOMPARE(stateOf(f, u"train-1"_s), u"RUNNING"_s);
        // A paused job keeps its place.
        QCOMPARE(f.ctl({u"pause"_s, u"train-1"_s}).status, 0);
        QCOMPARE(stateOf(f, u"train-2"_s), u"WAITING"_s);
        QCOMPARE(f.ctl({u"resume"_s, u"group:train"_s}).status, 0);
        f.write(u"work/over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"group:train"_s}, {}, 60000).status, 0);
    }

    // By the output of those that run and the stored results of those that have ended, also after a restart.
    void worseJobsAreStopped()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            job({"until [ -e go-<% $parameters.i %> ]; do sleep 0.05; done",
                "echo 'step=1 loss=0.<% $parameters.i %>'; until [ -e over-<% $parameters.i %> ]; do sleep 0.05; "
                "done"}));
        QCOMPARE(
            f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..8"_s, u"--limit"_s, u"0"_s, u"--stop-worse"_s, u"loss@1"_s})
                .status,
            0);
        for (int i = 1; i <= 5; ++i) {
            f.write(u"work/go-%1"_s.arg(i), {});
            f.write(u"work/over-%1"_s.arg(i), {});
            QCOMPARE(f.ctl({u"wait"_s, u"train-%1"_s.arg(i)}).status, 0);
        }
        const auto stored = [&f] {
            int count = 0;
            const QJsonArray jobs = jobsOf(f, u"train"_s);
            for (const QJsonValue &each : jobs) {
                count += each["engine"_L1]["results"_L1]["loss"_L1]["at"_L1].isObject() ? 1 : 0;
            }
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(stored(), 5, 30000);
        killEngine(f);
        QVERIFY(f.waitForNoDaemon());
        for (const int i : {6, 8}) {
            f.write(u"work/go-%1"_s.arg(i), {});
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(f, u"train-%1"_s.arg(i)), u"STOPPED"_s, 30000);
        }
        const QByteArray shown = f.ctl({u"show"_s, u"train-6"_s}).out;
        QVERIFY2(
            shown.contains("loss 0.6 up to step 1 is worse than the median 0.3 of 5 other jobs"), shown.constData());
        QVERIFY(
            f.ctl({u"ps"_s, u"train-8"_s, u"--format"_s, u"{why}"_s}).out.contains("worse than the median 0.35 of 6"));
        QCOMPARE(f.ctl({u"wait"_s, u"train-6"_s}).status, 130);
        // Whoever starts it again wants it to run.
        QCOMPARE(f.ctl({u"retry"_s, u"train-6"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(stored(), 8 - 1, 30000);
        f.write(u"work/over-6"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"train-6"_s}).status, 0);
        QCOMPARE(f.ctl({u"stop"_s, u"group:train"_s, u"--wait"_s}).status, 0);
        QCOMPARE(stateOf(f, u"train-7"_s), u"STOPPED"_s);
        QVERIFY(!f.ctl({u"show"_s, u"train-7"_s}).out.contains("median"));
    }

    // A rule whose step or metric never comes stops nothing, and that is said.
    void rulesThatNeverApply()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            job({"for e in 1 2; do for i in 1 2; do echo epoch $e/2 step $((e * 2 - 2 + i)) loss=0.$e$i; done; echo "
                 "epoch $e val_loss=0.3$e; done"}));
        const auto sweep = [&](const QString &rule, const QString &name) {
            return f.ctl(
                {u"sweep"_s, file, u"--param"_s, u"i=1,2"_s, u"--stop-worse"_s, rule, u"--name"_s, name, u"--wait"_s},
                {}, 60000);
        };
        const auto late = sweep(u"val_loss@60"_s, u"late"_s);
        QCOMPARE(late.status, 0);
        QVERIFY2(late.err.contains("not applied to 2 of 2 jobs: their val_loss has no value at step 60"),
            late.err.constData());
        const QByteArray shown = f.ctl({u"show"_s, u"late-1"_s}).out;
        QVERIFY2(
            shown.contains("val_loss has no value at step 60 or beyond (its last one is at 4)"), shown.constData());
        const auto unknown = sweep(u"vall@1"_s, u"unknown"_s);
        QCOMPARE(unknown.status, 0);
        QVERIFY2(unknown.err.contains("No job has a metric named vall"), unknown.err.constData());
        const auto misspelt
            = f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1,2"_s, u"--stop-worse"_s, u"val_los@1"_s, u"--dry-run"_s});
        QVERIFY2(
            misspelt.err.contains("Did you mean 'val_loss'? Of val_loss, less is better."), misspelt.err.constData());
        // By the number of its epoch it would not be there.
        const auto reached = sweep(u"val_loss@4"_s, u"reached"_s);
        QCOMPARE(reached.status, 0);
        QVERIFY2(!reached.err.contains("worse jobs"), reached.err.constData());
        QVERIFY(!f.ctl({u"show"_s, u"reached-1"_s}).out.contains("has no value"));
    }

    void commandsOfGroups()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s, job({"until [ -e over ]; do sleep 0.05; done; exit 0"}));
        QCOMPARE(
            f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1..3"_s, u"--limit"_s, u"0"_s, u"--name"_s, u"mine"_s}).status,
            0);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"ps"_s, u"group:mine"_s, u"--format"_s, u"{state}"_s}).out,
            QByteArray("RUNNING\nRUNNING\nRUNNING\n"), 20000);
        QCOMPARE(f.ctl({u"pause"_s, u"group:mine"_s}).status, 0);
        QVERIFY(f.ctl({u"show"_s, u"mine-2"_s}).out.contains("aused"));
        QCOMPARE(f.ctl({u"rm"_s, u"group:mine"_s, u"--yes"_s}).err, "trainyardctl: No finished job matches.\n");
        for (const QString &command : {u"logs"_s, u"move"_s}) {
            const auto refused = f.ctl({command, u"group:mine"_s});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("This command takes one job. 'group:mine' means 3: #1, #2, #3."),
                refused.err.constData());
        }
        QVERIFY(f.ctl({u"show"_s, u"group:nobody"_s}).err.contains("There are no jobs of a group nobody."));
        QCOMPARE(f.ctl({u"tag"_s, u"group:mine"_s, u"paper"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"tag:paper"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out, "1\n2\n3\n");
        QCOMPARE(f.ctl({u"tag"_s, u"group:mine"_s}).out, "paper\n");
        QCOMPARE(f.ctl({u"stop"_s, u"mine-1"_s, u"--wait"_s}).status, 0);
        QCOMPARE(f.ctl({u"resume"_s, u"group:mine"_s}).status, 0);
        f.write(u"work/over"_s, {});
        const auto wait = f.ctl({u"wait"_s, u"group:mine"_s, u"--json"_s});
        QCOMPARE(wait.status, 130); // of the one that was stopped
        QCOMPARE(wait.json().array().size(), 3);
        QCOMPARE(f.ctl({u"rm"_s, u"group:mine"_s}).status, 4); // nobody can be asked
        QCOMPARE(f.ctl({u"rm"_s, u"group:mine"_s, u"--yes"_s}).status, 0);
        for (const QString &command : {u"stop"_s, u"pause"_s, u"resume"_s, u"wait"_s, u"rm"_s}) {
            const auto run = f.ctl({command, u"group:mine"_s});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.err.contains("There are no jobs of a group mine."), run.err.constData());
        }
    }
};

TRAINYARD_TEST(TstSweeps)
#include "tst_sweeps.moc"
