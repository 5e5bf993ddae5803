// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/compare/comparefacts.h"
#include "engine/api/compare/comparefolds.h"
#include "engine/api/compare/comparemetrics.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "model/protocol/jobname.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <cmath>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What several runs have in common, in what they differ, and which of them is the best.
class TstCompare : public QObject
{
    Q_OBJECT

    using Kind = CompareFact::Kind;

    static QJsonObject json(const char *text) { return QJsonDocument::fromJson(text).object(); }
    static CompareRun run(const char *parameters, const QByteArray &yaml = {}, const char *record = "{}")
    {
        CompareRun run;
        run.job.parameters = json(parameters);
        run.yaml = yaml;
        run.environment = json(record);
        return run;
    }
    static JobSummary withResults(const char *results)
    {
        JobSummary job;
        job.results = json(results);
        return job;
    }
    static QStringList names(const QList<CompareFact> &facts)
    {
        QStringList all;
        for (const CompareFact &fact : facts) {
            all.append(fact.name);
        }
        return all;
    }

private Q_SLOTS:
    void parametersComeFirst()
    {
        const CompareTable table = compareRuns({run(R"({"lr": 0.1, "batch": 128, "model": "resnet"})", "a: 1\nb: x\n"),
            run(R"({"lr": 1e-5, "batch": 128, "warm": true})", "a: 2\nb: x\n")});
        QCOMPARE(names(table.of(Kind::Parameter, false)), (QStringList{u"lr"_s, u"model"_s, u"warm"_s}));
        QCOMPARE(names(table.of(Kind::Parameter, true)), QStringList{u"batch"_s});
        QCOMPARE(names(table.different), (QStringList{u"lr"_s, u"model"_s, u"warm"_s, u"a"_s}));
        QCOMPARE(table.different.constFirst().values, (QStringList{u"0.1"_s, u"1e-5"_s}));
        QVERIFY(table.different.at(1).values.at(1).isNull());
        QVERIFY(names(table.of(Kind::Configuration, true)).contains(u"b"_s));
    }

    // What all have that are known to have it is not told by one of which it is not known.
    void firstRunOfWhichItIsKnown()
    {
        CompareRun waits = run("{}"), runs = run("{}", "a: 1\n");
        runs.job.hosts = QStringList{u"lab1"_s};
        const QList<CompareRun> both{waits, runs};
        const QList<CompareFact> same = compareRuns(both).same;
        for (const CompareFact &fact : same) {
            const qsizetype known = firstKnownOf(fact, both);
            const bool isOfSecond = fact.name == "hosts"_L1 || fact.name == "a"_L1;
            QCOMPARE(known, isOfSecond ? 1 : 0);
            QVERIFY2(!fact.values.at(known).isNull(), qPrintable(fact.name));
        }
        QVERIFY(names(same).contains(u"hosts"_s) && names(same).contains(u"a"_s));
        QCOMPARE(firstKnownOf({Kind::Environment, u"commit"_s, QStringList(2)}, both), qsizetype(-1));
    }

    // Where it was sent, its GPUs and its tasks are not known of a run of another program.
    void runsFromFilesHaveNoSettingsOfAJob()
    {
        CompareRun ours = run(R"({"lr": 0.1})", "a: 1\n"), other = run(R"({"lr": 0.1})");
        ours.job.name = other.job.name = u"net"_s;
        ours.job.target = u"pool"_s;
        ours.job.totalGpu = 2;
        ours.job.totalTasks = 3;
        other.job.uuid = foreignPrefix + u"1"_s;
        const CompareTable table = compareRuns({ours, other});
        QCOMPARE(names(table.different), QStringList());
        for (const CompareFact &fact : table.of(Kind::Run, true)) {
            QCOMPARE(fact.values.at(1).isNull(), fact.name != u"name"_s);
        }
    }

    void pathsOfConfigurations_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<QStringList>("different");
        QTest::newRow("the name and listed parameters are told elsewhere")
            << QByteArray("name: a\nparameters: {lr: 1}\n") << QByteArray("name: b\nparameters: {lr: 2}\n")
            << QStringList();
        QTest::newRow("a parameter that no list shows")
            << QByteArray("parameters: {lr: 1, dims: [1, 2]}\n") << QByteArray("parameters: {lr: 2, dims: [1, 3]}\n")
            << QStringList{u"parameters.dims.1"_s};
        QTest::newRow("deep") << QByteArray("taskRoles: {w: {instances: 1, dockerImage: i}}\n")
                              << QByteArray("taskRoles: {w: {instances: 2, dockerImage: i}}\n")
                              << QStringList{u"taskRoles.w.instances"_s};
        QTest::newRow("entries with a name go by it")
            << QByteArray("prerequisites: [{name: i, uri: x}, {name: d, uri: z}]\n")
            << QByteArray("prerequisites: [{name: d, uri: z}, {name: i, uri: y}]\n")
            << QStringList{u"prerequisites.i.uri"_s};
        QTest::newRow("others by their position")
            << QByteArray("commands: [a, b]\n") << QByteArray("commands: [a]\n") << QStringList{u"commands.1"_s};
        QTest::newRow("one role by two names")
            << QByteArray("taskRoles: {train: {instances: 1, commands: [a], resourcePerInstance: {gpu: 0}}}\n")
            << QByteArray("taskRoles: {train2: {instances: 1, commands: [b], resourcePerInstance: {gpu: 0}}}\n")
            << QStringList{u"taskRoles.0"_s, u"taskRoles.0.commands.0"_s};
        QTest::newRow("the same role in a deployment")
            << QByteArray(
                   "taskRoles: {a: {instances: 1}}\ndeployments: [{name: d, taskRoles: {a: {preCommands: [x]}}}]\n")
            << QByteArray(
                   "taskRoles: {b: {instances: 1}}\ndeployments: [{name: d, taskRoles: {b: {preCommands: [y]}}}]\n")
            << QStringList{u"taskRoles.0"_s, u"deployments.d.taskRoles.0.preCommands.0"_s};
        QTest::newRow("as many roles by other names")
            << QByteArray("taskRoles: {ps: {instances: 1}, worker: {instances: 2}}\n")
            << QByteArray("taskRoles: {server: {instances: 1}, client: {instances: 3}}\n")
            << QStringList{u"taskRoles.0"_s, u"taskRoles.1"_s, u"taskRoles.1.instances"_s};
        QTest::newRow("roles in another order")
            << QByteArray("taskRoles: {ps: {instances: 1}, worker: {instances: 2}}\n")
            << QByteArray("taskRoles: {worker: {instances: 2}, ps: {instances: 1}}\n") << QStringList();
        QTest::newRow("roles of which one has the same name")
            << QByteArray("taskRoles: {ps: {instances: 1}, worker: {instances: 2}}\n")
            << QByteArray("taskRoles: {worker: {instances: 2}, client: {instances: 1}}\n")
            << QStringList{u"taskRoles.ps.instances"_s, u"taskRoles.client.instances"_s};
        QTest::newRow("one role more") << QByteArray("taskRoles: {a: {instances: 1}}\n")
                                       << QByteArray("taskRoles: {b: {instances: 1}, c: {instances: 1}}\n")
                                       << QStringList{u"taskRoles.a.instances"_s, u"taskRoles.b.instances"_s,
                                              u"taskRoles.c.instances"_s};
        QTest::newRow("an empty value is not the same as none")
            << QByteArray("a: ''\n") << QByteArray("b: 1\n") << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("written in another way")
            << QByteArray("a: 'x'\nb: {c: 1}\n") << QByteArray("b:\n  c: 1\na: \"x\"\n") << QStringList();
        QTest::newRow("a text that is not known differs in nothing")
            << QByteArray("a: 1\n") << QByteArray() << QStringList();
    }
    void pathsOfConfigurations()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(QStringList, different);
        const CompareTable table = compareRuns({run(R"({"lr": 1})", first), run(R"({"lr": 1})", second)});
        QCOMPARE(names(table.of(Kind::Configuration, false)), different);
    }

    // Some of the runs are of one script, some of another, and of one the text is not known.
    void rolesOfDifferentScripts()
    {
        const QByteArray train = "taskRoles: {train: {instances: 1}}\n",
                         other = "taskRoles: {train2: {instances: 1}}\n";
        const CompareTable table = compareRuns({run("{}", train), run("{}", other), run("{}"), run("{}", train)});
        QCOMPARE(names(table.of(Kind::Configuration, false)), QStringList{u"taskRoles.0"_s});
        QCOMPARE(table.of(Kind::Configuration, false).constFirst().values,
            (QStringList{u"train"_s, u"train2"_s, QString(), u"train"_s}));
        QCOMPARE(names(table.of(Kind::Configuration, true)), QStringList{u"taskRoles.0.instances"_s});
        QCOMPARE(foldSeeds(table, 4), (QList<QList<qsizetype>>{{0, 3}, {1}, {2}}));
    }

    // Programs log their own parameters; once a schedule changes one, its curve tells something.
    void metricsThatRepeatAParameter()
    {
        JobSummary same = withResults(R"({"lr": {"last": 0.1}, "loss": {"last": 0.1}})");
        same.parameters = {{u"lr"_s, 0.1}};
        JobSummary other = withResults(R"({"lr": {"last": 0.05}})");
        other.parameters = {{u"lr"_s, 0.1}};
        const JobSummary none = withResults("{}");
        QVERIFY(repeatsParameter({same, none}, u"lr"_s));
        QVERIFY(!repeatsParameter({same, other}, u"lr"_s));
        QVERIFY(!repeatsParameter({same}, u"loss"_s)); // no parameter
        QVERIFY(!repeatsParameter({none}, u"lr"_s)); // nobody has it
    }

    void surroundings()
    {
        CompareRun first
            = run("{}", {}, R"({"git": {"commit": "aa", "branch": "main"}, "gpus": [{"name": "0", "model": "A"}]})");
        CompareRun second
            = run("{}", {}, R"({"git": {"commit": "bb", "branch": "main"}, "gpus": [{"name": "0", "model": "A"}]})");
        CompareRun third = run("{}");
        first.job.hosts = {u"lab1"_s};
        second.job.hosts = {u"lab2"_s};
        third.job.hosts = {u"lab1"_s, u"lab2"_s};
        const CompareTable table = compareRuns({first, second, third});
        QCOMPARE(names(table.different), (QStringList{u"hosts"_s, u"git.commit"_s}));
        QCOMPARE(table.different.at(0).values.at(2), u"lab1, lab2"_s);
        QCOMPARE(names(table.of(Kind::Environment, true)),
            (QStringList{u"git.branch"_s, u"gpus.0.model"_s, u"gpus.0.name"_s}));
    }

    // A text of any depth and a record of any length take little time and memory.
    void hugeTextsAreCut()
    {
        QByteArray list = "[1";
        for (int i = 0; i < 9000; ++i) {
            list += ", 1";
        }
        const CompareTable table = compareRuns({run("{}", "a: " + list + "]\n")});
        QVERIFY(table.same.size() < 5000);
    }

    void tenThousandRuns()
    {
        QList<CompareRun> runs;
        for (int i = 0; i < 10'000; ++i) {
            runs.append(run(R"({"lr": 0.1, "batch": 64, "seed": 1, "model": "x"})"));
            runs.last().job.parameters.insert(u"lr"_s, i % 100);
        }
        QElapsedTimer timer;
        timer.start();
        const CompareTable table = compareRuns(runs);
        QCOMPARE(foldSeeds(table, runs.size()).size(), 100);
        qInfo("10,000 runs: %lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY(timer.elapsed() < 5000); // a busy machine with sanitizers
    }

    void seedsAreKnownByTheirNames_data()
    {
        QTest::addColumn<bool>("is");
        for (const char *name :
            {"seed", "SEED", "random_seed", "randomSeed", "rng-seed", "data.seed", "seed0", "seeds"}) {
            QTest::newRow(name) << true;
        }
        for (const char *name : {"seedling", "reseed", "lr", "speed", "proceed"}) {
            QTest::newRow(name) << false;
        }
    }
    void seedsAreKnownByTheirNames()
    {
        QFETCH(bool, is);
        const CompareFact fact{Kind::Parameter, QString::fromLatin1(QTest::currentDataTag()), {}};
        QCOMPARE(fact.isSeed(), is);
    }

    void namesHaveTheSeed()
    {
        QCOMPARE(nameWithSeed(u"sweep-06"_s, u"seed"_s, 8), u"sweep-06-seed8"_s);
        QCOMPARE(nameWithSeed(u"sweep-06-seed8"_s, u"seed"_s, -9), u"sweep-06-seed-9"_s);
        QCOMPARE(nameWithSeed(u"sweep-06-seed-9"_s, u"seed"_s, 10), u"sweep-06-seed10"_s);
        QCOMPARE(nameWithSeed(u"sweep-06"_s, u"data.seed"_s, 1), u"sweep-06-dataseed1"_s);
        for (const QString &name : {u"sweep-06"_s, u"sweep-06-seed8"_s, u"sweep-06-seed-9"_s}) {
            QVERIFY2(isNumberedOf(name, u"sweep"_s), qPrintable(name));
        }
        for (const QString &name : {u"sweep-"_s, u"sweep-06-best"_s, u"sweep-a"_s, u"sweep-6b"_s, u"other-06"_s}) {
            QVERIFY2(!isNumberedOf(name, u"sweep"_s), qPrintable(name));
        }
        // As long as a name of a job may be.
        for (const QString &parameter : {u"seed"_s, QString(u"seed_"_s + QString(300, u's'))}) {
            const QString longest = nameWithSeed(QString(255, u'n'), parameter, 8);
            QVERIFY(isJobName(longest) && longest.endsWith(u'8') && longest.startsWith(u"nnn"));
            const QString other = nameWithSeed(longest, parameter, 9);
            QVERIFY(isJobName(other) && other.endsWith(u'9') && !other.contains(u'8'));
        }
    }

    void runsOfOneSeedAreFolded()
    {
        const QList<CompareRun> runs{run(R"({"lr": 0.1, "seed": 1})"), run(R"({"lr": 0.2, "seed": 1})"),
            run(R"({"lr": 0.1, "seed": 2})"), run(R"({"lr": 0.1, "seed": 2})"), run(R"({"seed": 3})")};
        QCOMPARE(foldSeeds(compareRuns(runs), runs.size()), (QList<QList<qsizetype>>{{0, 2, 3}, {1}, {4}}));
        const QList<CompareRun> texts{run("{}", "commands: [a]\n"), run("{}", "commands: [b]\n")};
        QCOMPARE(foldSeeds(compareRuns(texts), 2).size(), 2);
    }

    void spread()
    {
        const CompareSpread some = spreadOf({2, {}, 4, std::nan(""), 6});
        QCOMPARE(some.n, 3);
        QCOMPARE(some.mean, 4.0);
        QCOMPARE(some.least, 2.0);
        QCOMPARE(some.most, 6.0);
        QCOMPARE(some.deviation, 2.0);
        QVERIFY(some.hasBroken && !spreadOf({2, {}}).hasBroken);
        QCOMPARE(spreadOf({24.49, 24.49, 24.490000000000006}).deviation, 0.0);
        QVERIFY(spreadOf({24.49, 24.490001}).deviation > 0);
        QCOMPARE(spreadOf({3}).deviation, 0.0);
        QCOMPARE(spreadOf({{}}).n, 0);
    }

    void parametersOfTheSubmission_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("parameters");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("a number") << QByteArray("parameters:\n  lr: 0.1 # first\n  b: 64\n")
                                  << QByteArray(R"({"lr": 0.03, "b": 64})")
                                  << QByteArray("parameters:\n  lr: 0.03 # first\n  b: 64\n");
        QTest::newRow("equal ones stay as they are spelled")
            << QByteArray("parameters: {lr: 1e-1, on: yes, t: 'x'}\n") << QByteArray(R"({"lr": 0.1, "t": "x"})")
            << QByteArray("parameters: {lr: 1e-1, on: yes, t: 'x'}\n");
        const QByteArray spelled
            = "parameters:\n  a: True\n  b: FALSE\n  c: 0x10\n  d: 1_000\n  e: 0755\n  f: 1:30\n  g: 1e3\n"
              "  h: '1'\n  i: 2020-01-01\n  j: .inf\n  k: ''\n  l: 9007199254740993\n";
        QTest::newRow("however they are spelled")
            << spelled
            << QByteArray(R"({"a": true, "b": false, "c": 16, "d": 1000, "e": 493, "f": 90, "g": 1000.0, "h": "1",)"
                          R"( "i": "2020-01-01", "j": null, "k": "", "l": 9007199254740993})")
            << spelled;
        QTest::newRow("other ones that look the same")
            << QByteArray("parameters: {a: 0755, b: 1, c: 'true', d: True, e: 0x10}\n")
            << QByteArray(R"({"a": 755, "b": "1", "c": true, "d": false, "e": 17})")
            << QByteArray("parameters: {a: 755, b: '1', c: true, d: false, e: 17}\n");
        QTest::newRow("a text that looks like a number stays a text") << QByteArray(
            "parameters: {t: x}\n") << QByteArray(R"({"t": "1"})") << QByteArray("parameters: {t: '1'}\n");
        QTest::newRow("what the text does not have")
            << QByteArray("parameters: {t: x}\n") << QByteArray(R"({"other": 1})")
            << QByteArray("parameters: {t: x}\n");
        QTest::newRow("no text at all") << QByteArray() << QByteArray(R"({"other": 1})") << QByteArray();
    }
    void parametersOfTheSubmission()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, parameters);
        QFETCH(QByteArray, wanted);
        QByteArray got = yamlWithParameters(yaml, json(parameters.constData()));
        got.replace('"', '\''); // either quote is right
        QCOMPARE(got, wanted);
    }

    void whatIsBetter_data()
    {
        QTest::addColumn<bool>("isHigher");
        for (const char *name : {"acc", "val_acc", "valAcc", "Acc@1", "top1", "eval/f1", "F1", "bleu", "rougeL",
                 "mAP50", "episode_reward", "validation accuracy", "testacc", "AUROC", "metrics/precision(B)", "mIoU",
                 "IoU", "valIoU", "nDCG@10", "R2", "test_r2_score", "rollout/ep_rew_mean", "jaccard", "tpr", "chrF",
                 "log_likelihood", "elbo", "eval_samples_per_second", "tokens/s", "tokens/sec", "f", "x"}) {
            QTest::newRow(name) << true;
        }
        for (const char *name : {"loss", "val_loss", "valloss", "perplexity", "test/error", "WER", "rmse", "grad_norm",
                 "accuracy_error", "fid", "neg_log_likelihood", "logLoss", "eval_runtime", "time_per_step", "gpu_mem",
                 "false_positive_rate", "cost", "EER", "nlll"}) {
            QTest::newRow(name) << false;
        }
    }
    void whatIsBetter()
    {
        QFETCH(bool, isHigher);
        QCOMPARE(betterByName(QString::fromLatin1(QTest::currentDataTag())), isHigher ? Better::Higher : Better::Lower);
    }

    void whatTellsMostComesFirst()
    {
        const auto having = [](const QStringList &names) {
            JobSummary job;
            for (const QString &name : names) {
                job.results.insert(name, QJsonObject{{u"last"_s, 1}});
            }
            return job;
        };
        const QStringList order = compareMetrics({having({u"loss"_s, u"lr"_s, u"acc"_s, u"val_loss"_s}),
            having({u"val_loss"_s, u"val_f1"_s, u"val_acc"_s}), having({u"val_acc"_s, u"loss"_s})});
        QCOMPARE(order, (QStringList{u"val_acc"_s, u"val_loss"_s, u"loss"_s, u"val_f1"_s, u"acc"_s, u"lr"_s}));
        // What one run of many tells compares nothing; what nearly all tell does.
        QList<JobSummary> many(11, having({u"loss"_s, u"acc"_s}));
        many[0] = having({u"loss"_s, u"val_acc"_s});
        QCOMPARE(compareMetrics(many), (QStringList{u"acc"_s, u"loss"_s, u"val_acc"_s}));
        // A name without a value compares nothing; that a value is not a number does.
        QCOMPARE(compareMetrics({withResults(R"({"acc": {}, "loss": {"last": 0.3}, "f1": {"broken": true}})")}),
            (QStringList{u"f1"_s, u"loss"_s}));
    }

    // One program writes "loss", the other one "Loss".
    void metricsInAnotherCase()
    {
        const JobSummary small = withResults(R"({"loss": {"last": 0.5, "least": 0.4}})"),
                         large = withResults(R"({"Loss": {"last": 0.3, "least": 0.2}})"),
                         both = withResults(R"({"loss": {"last": 0.7}, "Loss": {"last": 0.9}})");
        QCOMPARE(compareMetrics({large, small, small}), QStringList{u"loss"_s});
        QCOMPARE(compareMetrics({small, large, large}), QStringList{u"Loss"_s});
        QCOMPARE(compareMetrics({small, large}), QStringList{u"loss"_s});
        QCOMPARE(metricCounts({small, large, small}).constFirst().jobs, 3);
        QCOMPARE(compareValue(large, u"loss"_s, Better::Lower).ranked(), 0.2);
        QVERIFY(hasValue(large, u"loss"_s) && hasValue(small, u"LOSS"_s));
        // Where a run has both, they are two.
        QCOMPARE(compareMetrics({small, both}), (QStringList{u"loss"_s, u"Loss"_s}));
        QCOMPARE(compareValue(both, u"Loss"_s, Better::Lower).last, 0.9);
        QCOMPARE(compareValue(both, u"loss"_s, Better::Lower).last, 0.7);
        QVERIFY(!hasValue(both, u"LOSS"_s));
    }

    void valuesThatAreNoCurves()
    {
        const JobSummary job = withResults(
            R"({"final": {"last": 0.2, "least": 0.2, "most": 0.2, "step": 9, "leastAt": 9, "mostAt": 9},
                "last": {"last": 0.2, "least": 0.2, "most": 0.2},
                "loss": {"last": 0.5, "step": 30, "least": 0.2, "leastAt": 20, "most": 2, "mostAt": 1},
                "same": {"last": 0.5, "step": 30, "least": 0.5, "leastAt": 1, "most": 0.5, "mostAt": 1}})");
        QVERIFY(hasOneValue({job}, u"final"_s) && hasOneValue({job}, u"last"_s));
        QVERIFY(!hasOneValue({job}, u"loss"_s) && !hasOneValue({job}, u"same"_s));
        QVERIFY(!hasOneValue({job, withResults(R"({"final": {"least": 1, "most": 2}})")}, u"final"_s));
    }

    void valuesOfAMetric()
    {
        const JobSummary job = withResults(
            R"({"loss": {"last": 0.5, "step": 30, "least": 0.2, "leastAt": 20, "most": 2, "mostAt": 1}, "nan": {"broken": true}})");
        QCOMPARE(compareValue(job, u"loss"_s, Better::Lower), (CompareValue{0.5, 30, 0.2, 20, false}));
        QCOMPARE(compareValue(job, u"loss"_s, Better::Higher), (CompareValue{0.5, 30, 2, 1, false}));
        QVERIFY(std::isnan(compareValue(job, u"nan"_s, Better::Lower).last.value_or(0)));
        const CompareValue late = compareValue(
            withResults(R"({"loss": {"last": 0.0078, "least": 0.0078, "broken": true}})"), u"loss"_s, Better::Lower);
        QVERIFY(std::isnan(late.last.value_or(0)));
        QCOMPARE(late.best, 0.0078);
        QVERIFY(!late.ranked());
        QCOMPARE(compareValue(job, u"loss"_s, Better::Lower).ranked(), 0.2);
        QCOMPARE(compareValue(job, u"none"_s, Better::Lower), CompareValue());
    }

    void ranking_data()
    {
        QTest::addColumn<bool>("isLower");
        QTest::addColumn<QList<qsizetype>>("order");
        QTest::newRow("lower") << true << QList<qsizetype>{4, 0, 3, 1, 2};
        QTest::newRow("higher") << false << QList<qsizetype>{0, 3, 4, 1, 2};
    }
    void ranking()
    {
        QFETCH(bool, isLower);
        QFETCH(QList<qsizetype>, order);
        QCOMPARE(compareRanking({3, {}, std::nan(""), 3, 1}, isLower ? Better::Lower : Better::Higher), order);
    }

    void bestOnes_data()
    {
        QTest::addColumn<QList<std::optional<double>>>("values");
        QTest::addColumn<bool>("isLower");
        QTest::addColumn<QList<qsizetype>>("best");
        using Values = QList<std::optional<double>>;
        using Places = QList<qsizetype>;
        QTest::newRow("one") << Values{3, 1, 2} << true << Places{1};
        QTest::newRow("a tie") << Values{1, 3, {}, 3} << false << Places{1, 3};
        QTest::newRow("a tie of the worst") << Values{3, 1, 3} << true << Places{1};
        QTest::newRow("no number") << Values{std::nan(""), {}, 2} << true << Places{2};
        QTest::newRow("none has a value") << Values{{}, {}} << true << Places();
        QTest::newRow("none has a number") << Values{std::nan(""), {}} << true << Places();
        QTest::newRow("nothing") << Values() << true << Places();
    }
    void bestOnes()
    {
        QFETCH(const QList<std::optional<double>>, values);
        QFETCH(const bool, isLower);
        QFETCH(const QList<qsizetype>, best);
        QCOMPARE(compareBest(values, isLower ? Better::Lower : Better::Higher), best);
    }

    // What all have is no distinction.
    void marksNothingThatAllHave()
    {
        using Values = QList<std::optional<double>>;
        using Places = QList<qsizetype>;
        const auto marked = [](const Values &values, const QList<bool> &behind = {}) {
            return markedBest(values, Better::Higher, behind);
        };
        QCOMPARE(marked({200, 200, 200}), Places());
        QCOMPARE(marked({200, {}, std::nan(""), 200}), Places());
        QCOMPARE(marked({200, 200, 100}), (Places{0, 1}));
        QCOMPARE(marked({200}), Places{0});
        QCOMPARE(marked({{}, 200}), Places{1});
        QCOMPARE(marked({200, 200}, {true, false}), Places{1}); // the other one failed
        QCOMPARE(marked({}), Places());
    }

    // A run that has ended in NaN, or has no value, does not have what the others have.
    void areAllSameOnlyWhereAllHaveIt()
    {
        QVERIFY(areAllSame({200, 200}) && areAllSame({200}));
        QVERIFY(!areAllSame({200, 100}) && !areAllSame({200, 200, {}}) && !areAllSame({{}, 200}));
        QVERIFY(!areAllSame({200, std::nan("")}) && !areAllSame({std::nan(""), std::nan("")}) && !areAllSame({{}, {}}));
    }

    // What failed or was stopped comes behind the others, whatever it reached.
    void behindTheOthers_data()
    {
        QTest::addColumn<QList<std::optional<double>>>("values");
        QTest::addColumn<QList<bool>>("behind");
        QTest::addColumn<QList<qsizetype>>("order");
        QTest::addColumn<QList<qsizetype>>("best");
        QTest::addColumn<qsizetype>("better");
        using Values = QList<std::optional<double>>;
        using Places = QList<qsizetype>;
        using Behind = QList<bool>;
        QTest::newRow("none") << Values{1, 3, 2} << Behind{false, false, false} << Places{1, 2, 0} << Places{1}
                              << qsizetype(-1);
        QTest::newRow("a better one") << Values{1, 3, 2} << Behind{false, true, false} << Places{2, 0, 1} << Places{2}
                                      << qsizetype(1);
        QTest::newRow("a worse one") << Values{1, 3, 2} << Behind{true, false, false} << Places{1, 2, 0} << Places{1}
                                     << qsizetype(-1);
        QTest::newRow("the same value") << Values{3, 3} << Behind{true, false} << Places{1, 0} << Places{1}
                                        << qsizetype(-1);
        QTest::newRow("all") << Values{1, 3} << Behind{true, true} << Places{1, 0} << Places{1} << qsizetype(-1);
        QTest::newRow("no other value") << Values{{}, 3, std::nan("")} << Behind{false, true, false} << Places{1, 0, 2}
                                        << Places{1} << qsizetype(-1);
        QTest::newRow("no value") << Values{{}, {}} << Behind{false, true} << Places{0, 1} << Places() << qsizetype(-1);
        QTest::newRow("nothing") << Values() << Behind() << Places() << Places() << qsizetype(-1);
    }
    void behindTheOthers()
    {
        QFETCH(const QList<std::optional<double>>, values);
        QFETCH(const QList<bool>, behind);
        QTEST(compareRanking(values, Better::Higher, behind), "order");
        QTEST(compareBest(values, Better::Higher, behind), "best");
        QTEST(betterBehind(values, Better::Higher, behind), "better");
    }

    void rowsBehind()
    {
        JobSummary good = withResults(R"({"acc": {"last": 0.5}})"), none;
        good.state = State::Running;
        JobSummary failed = good, stopped = good;
        failed.state = State::Failed;
        stopped.state = State::Stopped;
        none.state = State::Succeeded;
        QVERIFY(!ranksBehind(good) && !ranksBehind(none) && ranksBehind(failed) && ranksBehind(stopped));
        QVERIFY(ranksBehind(QList{failed, stopped}, u"acc"_s) && ranksBehind(QList{failed, none}, u"acc"_s));
        QVERIFY(!ranksBehind(QList{failed, good}, u"acc"_s) && !ranksBehind(QList{none}, u"acc"_s));
    }
};

TRAINYARD_TEST(TstCompare)
#include "tst_compare.moc"
