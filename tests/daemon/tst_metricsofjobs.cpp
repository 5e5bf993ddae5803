// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics that jobs write to files, from the host to the lists and the command line.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstMetricsOfJobs : public QObject
{
    Q_OBJECT

    static QJsonObject result(const ProgramsFixture &f, const QString &job, const QString &metric)
    {
        const auto said = f.ctl({u"show"_s, job, u"--json"_s});
        return QJsonDocument::fromJson(said.out)
            .object()
            .value("engine"_L1)
            .toObject()
            .value("results"_L1)
            .toObject()
            .value(metric)
            .toObject();
    }
    // "loss 1 = 0.5 logs/metrics.csv"
    static QStringList points(const ProgramsFixture &f, const QString &job)
    {
        QStringList lines;
        for (const QByteArray &line : f.ctl({u"metrics"_s, job, u"--json"_s}).out.split('\n')) {
            const QJsonObject point = QJsonDocument::fromJson(line).object();
            if (point.contains("name"_L1)) {
                lines.append(u"%1 %2 = %3 %4"_s.arg(point.value("name"_L1).toString(),
                    QString::number(point.value("step"_L1).toDouble()),
                    QString::number(point.value("value"_L1).toDouble()), point.value("file"_L1).toString()));
            }
        }
        return lines;
    }

private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }

    // What it prints under the same name at the same step is not said twice.
    void besideTheOutput()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/train.yaml"_s,
            EngineFixture::document("train",
                EngineFixture::role("worker", 1,
                    {"mkdir -p logs; echo 'epoch 1 loss: 0.51'; echo 'epoch 1 acc: 0.25'",
                        "printf 'epoch,loss\\n1,0.5\\n2,0.25\\n' > logs/metrics.csv"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(points(f, u"train"_s),
            (QStringList{u"loss 1 = 0.5 logs/metrics.csv"_s, u"loss 2 = 0.25 logs/metrics.csv"_s, u"acc 1 = 0.25 "_s}),
            30000);
        QTRY_COMPARE_WITH_TIMEOUT(result(f, u"train"_s, u"loss"_s).value("last"_L1).toDouble(), 0.25, 30000);
        QCOMPARE(result(f, u"train"_s, u"loss"_s).value("step"_L1).toInt(), 2);
        QCOMPARE(result(f, u"train"_s, u"acc"_s).value("last"_L1).toDouble(), 0.25);
        QVERIFY(f.ctl({u"metrics"_s, u"train"_s, u"--csv"_s})
                    .out.startsWith("name,step,axis,epoch,value,line,time,task,file\n\"loss\",1,epoch,1,0.5,,"));
    }

    // A file that tells the epoch beside the step is read by the agent, and its epochs must not get lost on the way.
    void epochsBesideSteps()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/epochs.yaml"_s,
            EngineFixture::document("epochs",
                EngineFixture::role("worker", 1,
                    {"mkdir a b c d && printf 'epoch,step,loss,val_loss\n0,9,0.5,\n0,9,,0.75\n1,19,0.25,\n' > "
                     "a/metrics.csv",
                        "echo '{\"epoch\": 1.0, \"log_history\": [{\"epoch\": 0.5, \"eval_loss\": 2.5, \"step\": "
                        "10}]}' > b/trainer_state.json",
                        "printf 'epoch,acc\n3,0.5\n' > c/metrics.csv",
                        "printf '{\"step\": 4, \"top1\": 0.125}\n{\"step\": 5, \"top1\": 0.25}\n' > "
                        "d/log.jsonl"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        const auto epochs = [&f] {
            QStringList lines;
            for (const QByteArray &line : f.ctl({u"metrics"_s, u"epochs"_s, u"--json"_s}).out.split('\n')) {
                const QJsonObject point = QJsonDocument::fromJson(line).object();
                const QJsonValue epoch = point.value("epoch"_L1);
                if (point.contains("name"_L1)) {
                    lines.append(u"%1 %2: %3"_s.arg(point.value("name"_L1).toString(),
                        QString::number(point.value("step"_L1).toDouble()),
                        epoch.isDouble() ? QString::number(epoch.toDouble()) : u"null"_s));
                }
            }
            lines.sort();
            return lines;
        };
        const QStringList expected{u"acc 3: 3"_s, u"eval_loss 10: 0.5"_s, u"loss 19: 1"_s, u"loss 9: 0"_s,
            u"top1 4: null"_s, u"top1 5: null"_s, u"val_loss 9: 0"_s};
        QTRY_COMPARE_WITH_TIMEOUT(epochs(), expected, 30000);
        QVERIFY(f.ctl({u"metrics"_s, u"epochs"_s, u"--csv"_s}).out.contains("\"loss\",19,step,1,0.25,,"));
    }

    // `compare --at` has them, also where nothing of them is printed.
    void comparedAtAStep()
    {
        ProgramsFixture f;
        const QByteArray csv = "mkdir -p <% $parameters.lr %> && cd <% $parameters.lr %> && "
                               "printf 'step,train_loss\\n0,0.9\\n4,0.<% $parameters.lr %>\\n8,0.1\\n' > metrics.csv";
        const QByteArray lines = "mkdir -p <% $parameters.lr %> && cd <% $parameters.lr %> && "
                                 "printf '{\"step\": 0, \"train_loss\": 0.9}\\n{\"step\": 4, \"train_loss\": "
                                 "0.<% $parameters.lr %>}\\n{\"step\": 8, \"train_loss\": 0.1}\\n' > metrics.jsonl";
        int rate = 4;
        for (const QByteArray &command : {csv, lines}) {
            const QString file
                = f.write(u"work/filed.yaml"_s, EngineFixture::job("filed", {command}) + "parameters: {lr: 1}\n");
            QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s, u"--param"_s, u"lr=%1"_s.arg(++rate)}).status, 0);
        }
        const auto runs = [&f](const QString &step) {
            return f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--at"_s, step, u"--json"_s}).json()["runs"_L1].toArray();
        };
        const auto values = [&runs](const QString &step) {
            QMap<int, QJsonValue> all;
            for (const QJsonValue &run : runs(step)) {
                all.insert(run["id"_L1].toInt(), run["results"_L1]["train_loss"_L1]["atStep"_L1]);
            }
            return all;
        };
        QTRY_COMPARE_WITH_TIMEOUT(values(u"6"_s).value(1).toDouble(), 0.5, 30000);
        QTRY_COMPARE_WITH_TIMEOUT(values(u"6"_s).value(2).toDouble(), 0.6, 30000);
        QCOMPARE(values(u"0"_s).value(1).toDouble(), 0.9);
        QCOMPARE(values(u"100"_s).value(2).toDouble(), 0.1);
    }

    // A row for each epoch counts from the step that its epoch had come to, and steps from before a resume count, too.
    void comparedAtAStepOfTheTraining()
    {
        ProgramsFixture f;
        const QByteArray go = QFile::encodeName(f.path(u"go"_s));
        const QByteArray steps = "say() { for i in $(seq $1 $2); do echo \"step $i loss: $3\"; done; }";
        const QString rows = f.write(u"work/rows.yaml"_s,
            EngineFixture::document("rows",
                EngineFixture::role("worker", 1,
                    {steps, "mkdir -p rows && cd rows", "say 1 10 0.5",
                        // The time of a file has a coarser clock than that of a line.
                        "sleep 0.1", "printf 'epoch,val_loss\\n1,0.51\\n' > metrics.csv",
                        "until [ -e " + go + " ]; do sleep 0.02; done", "say 11 20 0.4", "sleep 0.1",
                        "printf '2,0.52\\n' >> metrics.csv"})));
        QCOMPARE(f.ctl({u"run"_s, rows}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(points(f, u"rows"_s).contains(u"val_loss 1 = 0.51 rows/metrics.csv"_s), 60000);
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"rows"_s}).status, 0);
        const QString resumed = f.write(u"work/resumed.yaml"_s,
            EngineFixture::document("resumed",
                EngineFixture::role(
                    "worker", 1, {steps, "if [ ! -e ckpt ]; then touch ckpt; say 1 4 0.9; exit 1; fi", "say 3 5 0.8"}),
                "jobRetryCount: 1\n"));
        QCOMPARE(f.ctl({u"run"_s, resumed, u"--wait"_s}, {}, 60000).status, 0);
        const auto valueAt = [&f](int id, QLatin1StringView metric, int step) {
            const auto said = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--at"_s, QString::number(step), u"--json"_s});
            for (const QJsonValue &run : said.json()["runs"_L1].toArray()) {
                if (run["id"_L1].toInt() == id) {
                    return run["results"_L1][metric]["atStep"_L1];
                }
            }
            return QJsonValue(QJsonValue::Undefined);
        };
        QTRY_COMPARE_WITH_TIMEOUT(valueAt(1, "val_loss"_L1, 20).toDouble(), 0.52, 30000);
        QVERIFY(!valueAt(1, "val_loss"_L1, 9).isDouble());
        QCOMPARE(valueAt(1, "val_loss"_L1, 10).toDouble(), 0.51);
        QCOMPARE(valueAt(1, "val_loss"_L1, 19).toDouble(), 0.51);
        QCOMPARE(valueAt(2, "loss"_L1, 2).toDouble(), 0.9);
        QCOMPARE(valueAt(2, "loss"_L1, 3).toDouble(), 0.8);
    }

    // Of each job what it printed, and both say whose files they are: `show` of the first ten.
    void whatTwoJobsWrite()
    {
        ProgramsFixture f;
        const QByteArray go = QFile::encodeName(f.path(u"go"_s));
        const auto run = [&](const QByteArray &name, const QByteArray &printed, const QByteArray &written) {
            const QByteArray more = "for i in $(seq 11); do exec {fd}>>more$i.jsonl; "
                                    "printf '{\"step\": 1, \"other\": 1}\\n' >&$fd; done";
            const QString file = f.write(u"work/"_s + QString::fromLatin1(name) + u".yaml"_s,
                EngineFixture::document(name,
                    EngineFixture::role("worker", 1,
                        {"echo 'step 1 loss: " + printed + "'", "exec 5>>log.jsonl",
                            "printf '{\"step\": 1, \"loss\": " + written + "}\\n' >&5", more,
                            "until [ -e " + go + " ]; do sleep 0.02; done"})));
            return f.ctl({u"run"_s, file}).status;
        };
        QCOMPARE(run("first", "0.75", "9"), 0);
        QCOMPARE(run("second", "0.25", "8"), 0);
        const auto remarks = [&f](const QString &job) { return f.ctl({u"metrics"_s, job}).err; };
        for (const auto &[job, words] : {std::pair{u"first"_s, "It was noticed when #2 wrote it."},
                 std::pair{u"second"_s, "It was noticed when #1 wrote it."}}) {
            QByteArray said;
            QVERIFY2(
                QTest::qWaitFor([&, who = job, what = words] { return (said = remarks(who)).contains(what); }, 60000),
                said.constData());
        }
        QByteArray shown;
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         shown = f.ctl({u"show"_s, u"first"_s}).out;
                         return shown.contains("2 more; 'trainyardctl metrics 1' shows all");
                     },
                     60000),
            shown.constData());
        QCOMPARE(shown.count("Other jobs wrote "), 10);
        f.write(u"go"_s, {});
        for (const auto &[job, loss] : {std::pair{u"first"_s, 0.75}, std::pair{u"second"_s, 0.25}}) {
            QCOMPARE(f.ctl({u"wait"_s, job}).status, 0);
            QTRY_COMPARE_WITH_TIMEOUT(result(f, job, u"loss"_s).value("last"_L1).toDouble(), loss, 30000);
            shown = f.ctl({u"show"_s, job}).out;
            QVERIFY2(shown.contains("Other jobs wrote "), shown.constData());
        }
    }

    // What is left out of both may be all that there is to compare them by.
    void comparedWithoutResults()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"go"_s).toUtf8();
        for (const char *name : {"first", "second"}) {
            const QString file = f.write(u"work/"_s + QLatin1StringView(name) + u".yaml"_s,
                EngineFixture::document(name,
                    EngineFixture::role("worker", 1,
                        {"exec 5>>log.jsonl", "printf '{\"step\": 1, \"loss\": 2}\\n' >&5",
                            "until [ -e " + go + " ]; do sleep 0.02; done"})));
            QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        }
        const auto compared = [&f] { return f.ctl({u"compare"_s, u"first"_s, u"second"_s}).err; };
        QByteArray said;
        QVERIFY2(
            QTest::qWaitFor([&] { return (said = compared()).contains("has no results: Other jobs wrote "); }, 60000),
            said.constData());
        QCOMPARE(said.count("Other jobs wrote "), 1);
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"first"_s, u"second"_s}).status, 0);
    }

    // A file that counts from 0 and an output that counts from 1 are no curve together.
    void noCurveIsAMixture()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/mixed.yaml"_s,
            EngineFixture::document("mixed",
                EngineFixture::role("worker", 1,
                    {"for i in 1 2 3 4 5; do echo \"epoch $i/5 loss=0.7$i\"; done",
                        "printf 'step,loss\\n0,0.51\\n1,0.52\\n2,0.53\\n3,0.54\\n4,0.55\\n' > metrics.csv"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QStringList expected;
        for (int i = 0; i < 5; ++i) {
            expected.append(u"loss %1 = 0.5%2 metrics.csv"_s.arg(i).arg(i + 1));
        }
        QTRY_COMPARE_WITH_TIMEOUT(points(f, u"mixed"_s), expected, 30000);
        QCOMPARE(f.ctl({u"metrics"_s, u"mixed"_s, u"--csv"_s}).out.count("\n\"loss\","), 5);
    }

    // Of two curves of one name each says where it is from; a single value without a step is none beside a curve.
    void tableTellsSources()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/both.yaml"_s,
            EngineFixture::document("both",
                EngineFixture::role("worker", 1,
                    {"for i in 10 20 30; do echo \"step $i loss: 0.$i acc: 0.$i\"; done",
                        "printf 'epoch,loss\\n1,0.5\\n25,0.25\\n' > metrics.csv",
                        "printf '{\"acc\": 0.75}\\n' > result.jsonl"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        const auto table = [&f] { return f.ctl({u"metrics"_s, u"both"_s}).out; };
        QByteArray whole;
        QVERIFY2(QTest::qWaitFor([&] { return (whole = table()).contains("metrics.csv"); }, 30000), whole.constData());
        QVERIFY2(whole.contains("FROM") && whole.contains("output"), whole.constData());
        QCOMPARE(whole.count("\nacc "), 1);
        QCOMPARE(whole.count("\nloss "), 2);
    }

    // A curve that is printed and one that is in a file are the same after a resume: what came before the step from
    // which the program goes on, and what it does from there.
    void overAttempts()
    {
        ProgramsFixture f;
        const QByteArray step = "say() { echo \"step $1 loss: $2\"; echo \"{\\\"step\\\": $1, \\\"val_loss\\\": "
                                "$2}\" >> log.jsonl; }";
        const QString file = f.write(u"work/resumed.yaml"_s,
            EngineFixture::document("resumed",
                EngineFixture::role("worker", 1,
                    {step, "if [ ! -e ckpt ]; then touch ckpt; for i in 1 2 3 4; do say $i 0.9$i; done; exit 1; fi",
                        "for i in 3 4 5; do say $i 0.8$i; done"}),
                "jobRetryCount: 1\n"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}, {}, 60000).status, 0);
        const auto valuesOf = [&f](const QString &name, const QStringList &more) {
            QStringList values;
            const auto said = f.ctl(QStringList{u"metrics"_s, u"resumed"_s, u"--json"_s, u"--name"_s, name} + more);
            for (const QByteArray &line : said.out.split('\n')) {
                const QJsonObject point = QJsonDocument::fromJson(line).object();
                if (point.contains("name"_L1)) {
                    values.append(QString::number(point.value("value"_L1).toDouble()));
                }
            }
            return values;
        };
        const QStringList whole{u"0.91"_s, u"0.92"_s, u"0.83"_s, u"0.84"_s, u"0.85"_s};
        QTRY_COMPARE_WITH_TIMEOUT(valuesOf(u"val_loss"_s, {}), whole, 30000);
        QCOMPARE(valuesOf(u"loss"_s, {}), whole);
        QCOMPARE(valuesOf(u"loss"_s, {u"--attempt=1"_s}), (QStringList{u"0.91"_s, u"0.92"_s, u"0.93"_s, u"0.94"_s}));
        QCOMPARE(valuesOf(u"loss"_s, {u"--attempt=2"_s}), (QStringList{u"0.83"_s, u"0.84"_s, u"0.85"_s}));
        QCOMPARE(valuesOf(u"loss"_s, {u"--attempt=all"_s}).size(), 7);
        for (const QString &name : {u"loss"_s, u"val_loss"_s}) {
            QTRY_COMPARE_WITH_TIMEOUT(result(f, u"resumed"_s, name).value("most"_L1).toDouble(), 0.92, 30000);
            QCOMPARE(result(f, u"resumed"_s, name).value("least"_L1).toDouble(), 0.83);
        }
        const auto both = f.ctl({u"metrics"_s, u"resumed"_s, u"--csv"_s, u"--name=loss"_s, u"--attempt=all"_s});
        QVERIFY2(
            both.out.startsWith("name,step,axis,epoch,value,line,time,task,file,job,attempt\n"), both.out.constData());
        QCOMPARE(both.out.count(",1,1\n"), 4);
        QCOMPARE(both.out.count(",1,2\n"), 3);
        const auto none = f.ctl({u"metrics"_s, u"resumed"_s, u"--attempt=3"_s});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("2 attempts"), none.err.constData());
    }

    // An attempt that has come to no step goes on nowhere: the curve is that of those before it.
    void afterAnAttemptWithoutSteps()
    {
        ProgramsFixture f;
        const QByteArray say = "say() { echo \"step $1 loss: $2\"; }";
        const QString file = f.write(u"work/crashed.yaml"_s,
            EngineFixture::document("crashed",
                EngineFixture::role("worker", 1,
                    {say, "[ ! -e two ] || { echo started; exit 1; }",
                        "[ ! -e one ] || { touch two; say 3 0.83; exit 1; }",
                        "touch one; for i in 1 2 3; do say $i 0.9$i; done; exit 1"}),
                "jobRetryCount: 2\n"));
        QVERIFY(f.ctl({u"run"_s, file, u"--wait"_s}, {}, 60000).status != 0);
        const auto ofName = [&f](const QString &name) {
            QStringList found = points(f, u"crashed"_s);
            found.removeIf([&name](const QString &line) { return !line.startsWith(name + u' '); });
            return found;
        };
        QCOMPARE(ofName(u"loss"_s), (QStringList{u"loss 1 = 0.91 "_s, u"loss 2 = 0.92 "_s, u"loss 3 = 0.83 "_s}));
        QTRY_COMPARE_WITH_TIMEOUT(result(f, u"crashed"_s, u"loss"_s).value("last"_L1).toDouble(), 0.83, 30000);
        QCOMPARE(f.ctl({u"metrics"_s, u"crashed"_s, u"--csv"_s, u"--attempt=all"_s}).out.count("\n\"loss\","), 4);
        QCOMPARE(f.ctl({u"metrics"_s, u"crashed"_s, u"--csv"_s, u"--attempt=3"_s}).out.count("\n\"loss\","), 0);
    }

    // Each value says of which job it is; the second of two words may be a task.
    void ofSeveralJobs()
    {
        ProgramsFixture f;
        for (const QByteArray loss : {"0.51", "0.52"}) {
            const QString file = f.write(u"work/a.yaml"_s,
                EngineFixture::document("a", EngineFixture::role("worker", 1, {"echo 'step 1 loss: " + loss + "'"})));
            QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        }
        const auto csv = f.ctl({u"metrics"_s, u"1"_s, u"2"_s, u"--csv"_s}).out;
        QVERIFY2(csv.contains("\"loss\",1,step,,0.51,1,"), csv.constData());
        QCOMPARE(csv.count(",\"worker/0\",,1,1\n"), 1);
        QCOMPARE(csv.count(",\"worker/0\",,2,1\n"), 1);
        const auto table = f.ctl({u"metrics"_s, u"1"_s, u"2"_s}).out;
        QVERIFY2(table.contains("\n#1 ") && table.contains("\n#2 "), table.constData());
        const auto one = f.ctl({u"metrics"_s, u"1"_s, u"worker"_s, u"--csv"_s}).out;
        QVERIFY2(one.startsWith("name,step,axis,epoch,value,line,time,task,file\n"), one.constData());
        QCOMPARE(one.count('\n'), 2);
        QCOMPARE(f.ctl({u"metrics"_s, u"1"_s, u"nothing"_s}).status, 2);
        QCOMPARE(f.ctl({u"metrics"_s, u"group:nothing"_s}).status, 2);
    }

    void byAPatternOfTheJob()
    {
        ProgramsFixture f;
        const QByteArray job = EngineFixture::document("named",
            EngineFixture::role(
                "worker", 1, {"mkdir -p out/a", "printf 'epoch,loss\\n1,3\\n2,2\\n' > out/a/numbers.txt"}));
        const QString file
            = f.write(u"work/named.yaml"_s, job + "extras:\n  trainyard:\n    metrics: ['out/**/numbers.*']\n");
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(points(f, u"named"_s).size(), 2, 30000);
    }

    // By the expressions of the settings and of the job, which win.
    void byOwnExpressions()
    {
        ProgramsFixture f;
        f.setSettings(
            {{u"metricPatterns.quality"_s, u"quality -> (\\S+)"_s}, {u"metricPatterns.noise"_s, u"(never)"_s}});
        const QString file = f.write(u"work/own.yaml"_s,
            EngineFixture::document(
                "own", EngineFixture::role("worker", 1, {"echo 'quality -> 3.5'", "echo 'at 7 noise is 0.25'"}))
                + "extras:\n  trainyard:\n    metricPatterns:\n      noise: 'at (?<step>\\d+) noise is "
                  "(?<value>\\S+)'\n");
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            points(f, u"own"_s), (QStringList{u"quality 0 = 3.5 "_s, u"noise 7 = 0.25 "_s}), 30000);
        QTRY_COMPARE_WITH_TIMEOUT(result(f, u"own"_s, u"noise"_s).value("last"_L1).toDouble(), 0.25, 30000);
        QCOMPARE(result(f, u"own"_s, u"quality"_s).value("last"_L1).toDouble(), 3.5);
    }

    // While it runs, and to the last point; the file itself stays where it is.
    void fromAnotherHost()
    {
        SshHosts hosts(1);
        SKIP_UNLESS_THERE(hosts);
        qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
        QVERIFY2(added.status == 0, added.err.constData());
        const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
        const QString file = f.write(u"work/away.yaml"_s,
            EngineFixture::document("away",
                EngineFixture::role("main", 1,
                    {"exec 5>log.jsonl", "printf '{\"step\": 1, \"loss\": 0.5}\\n' >&5",
                        "until [ -e " + go + " ]; do sleep 0.02; done",
                        "printf '{\"step\": 2, \"loss\": 0.25}\\n' >&5"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(points(f, u"away"_s), QStringList{u"loss 1 = 0.5 log.jsonl"_s}, 60000);
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"away"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            points(f, u"away"_s), (QStringList{u"loss 1 = 0.5 log.jsonl"_s, u"loss 2 = 0.25 log.jsonl"_s}), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(result(f, u"away"_s, u"loss"_s).value("last"_L1).toDouble(), 0.25, 60000);
    }

    void databasesArePrinted()
    {
        ProgramsFixture f;
        const QString path = f.write(u"runs/mlflow.db"_s, {});
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, path);
            database.setDatabaseName(path);
            QVERIFY(database.open());
            const char *const metrics = "CREATE TABLE metrics (key TEXT, value REAL, timestamp INTEGER, run_uuid TEXT, "
                                        "step INTEGER, is_nan BOOLEAN)";
            for (const char *statement :
                {"CREATE TABLE runs (run_uuid TEXT, name TEXT, status TEXT, start_time INTEGER, lifecycle_stage TEXT)",
                    metrics, "CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT)",
                    "INSERT INTO runs VALUES ('a', 'first', 'FINISHED', 1, 'active')",
                    "INSERT INTO metrics VALUES ('loss', 0.5, 1, 'a', 1, 0), ('loss', 0.25, 2, 'a', 2, 0)"}) {
                QSqlQuery query(database);
                QVERIFY2(query.exec(QString::fromLatin1(statement)), qPrintable(query.lastError().text()));
            }
            database.close();
        }
        QSqlDatabase::removeDatabase(path);
        for (const QString &named : {path, f.path(u"runs"_s)}) {
            const auto run = f.ctl({u"metrics"_s, u"--file"_s, named, u"--json"_s});
            QCOMPARE(run.status, 0);
            const QList<QByteArray> lines = run.out.trimmed().split('\n');
            QVERIFY2(lines.size() == 3, run.out.constData()); // two values, and the facts
            const QJsonObject point = QJsonDocument::fromJson(lines.at(1)).object();
            QCOMPARE(point.value("run"_L1).toString(), u"first"_s);
            QCOMPARE(point.value("step"_L1).toInt(), 2);
            QCOMPARE(point.value("value"_L1).toDouble(), 0.25);
        }
    }
};

TRAINYARD_TEST(TstMetricsOfJobs)
#include "tst_metricsofjobs.moc"
