// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

using namespace Qt::StringLiterals;

// Real jobs with real outputs, compared from the command line.
class TstCliCompare : public QObject
{
    Q_OBJECT

    // A loss that falls to the value of its learning rate, and an accuracy that rises.
    static QByteArray job()
    {
        return EngineFixture::document("trained",
            EngineFixture::role(
                "worker", 1, {"for i in 1 2 3; do echo step $i loss=<% $parameters.lr %>$i acc=0.$i; done"}),
            "parameters: {model: small, lr: 0.5, seed: 1}\n");
    }
    static void train(const ProgramsFixture &f, const QStringList &parameters)
    {
        QStringList arguments{u"run"_s, u"-"_s, u"--wait"_s};
        for (const QString &parameter : parameters) {
            arguments << u"--param"_s << parameter;
        }
        const auto run = f.ctl(arguments, job());
        QVERIFY2(run.status == 0, run.err.constData());
    }
    // The engine keeps results when it has read the whole output.
    static void waitForResults(const ProgramsFixture &f, const QStringList &jobs)
    {
        const auto haveAll = [&] {
            const QJsonArray runs = f.ctl(QStringList{u"compare"_s, u"--json"_s} + jobs).json()["runs"_L1].toArray();
            return std::all_of(runs.begin(), runs.end(), [](const QJsonValue &run) {
                return run["results"_L1]["loss"_L1]["step"_L1].toInt() == 3;
            }) && runs.size() == jobs.size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(haveAll(), 20000);
    }

private Q_SLOTS:
    void whatDiffersAndWhichIsBest()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {u"lr=0.5"_s});
        train(f, {u"lr=0.1"_s});
        train(f, {u"lr=0.1"_s, u"seed=2"_s});
        waitForResults(f, {u"1"_s, u"2"_s, u"3"_s});

        const auto table = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"loss"_s});
        QCOMPARE(table.status, 0);
        QVERIFY2(table.out.contains("Same in all: model small, seed 1"), table.out.constData());
        QVERIFY2(table.out.contains("*  #2") && !table.out.contains("*  #1"), table.out.constData());
        QVERIFY2(table.out.contains("less is better"), table.out.constData());

        // By the accuracy both are the same; of the loss the larger is the best when somebody says so.
        const auto flipped
            = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"LOSS"_s, u"--better"_s, u"higher"_s, u"--json"_s});
        QCOMPARE(flipped.json()["better"_L1].toString(), u"higher"_s);
        const QJsonObject best = flipped.json()["runs"_L1][0].toObject();
        QCOMPARE(best["id"_L1].toInt(), 1);
        QVERIFY(best["best"_L1].toBool());
        QCOMPARE(best["different"_L1]["parameters"_L1]["lr"_L1].toDouble(), 0.5);
        QCOMPARE(best["results"_L1]["loss"_L1]["best"_L1].toDouble(), 0.53);

        const auto at = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--at"_s, u"2"_s, u"--csv"_s, u"--metric"_s, u"loss"_s});
        QVERIFY2(
            at.out.startsWith("run,name,lr,loss@2,acc@2,STATE,seconds,trainyard\n2,trained,0.1,0.12,0.2,SUCCEEDED,"),
            at.out.constData());
    }

    // The parameters are the same, and the place is not.
    void whatElseDiffersIsSaid()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        for (const char *name : {"a", "b"}) {
            const QString folder = f.path(QString::fromLatin1(name));
            QVERIFY(QDir().mkpath(folder));
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--work"_s, folder},
                EngineFixture::document("same", EngineFixture::role("worker", 1, {"echo loss=0.5"})));
            QVERIFY2(run.status == 0, run.err.constData());
        }
        // What was found when they started is written a moment later.
        QTRY_VERIFY_WITH_TIMEOUT(
            f.ctl({u"compare"_s, u"1"_s, u"2"_s}).out.contains("What else differs: work folder"), 20000);
        QVERIFY(!f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--all"_s}).out.contains("What else differs"));
    }

    // A program gets what a person sees shortened.
    void wholeValuesForPrograms()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray ofFirst = QByteArray(150, 'x').append('a'), ofSecond = QByteArray(150, 'x').append('b');
        for (const QByteArray &argument : {ofFirst, ofSecond}) {
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                EngineFixture::document("whole",
                    EngineFixture::role("worker", 1, {"echo step 285714 loss=0.123456789", "true " + argument})));
            QVERIFY2(run.status == 0, run.err.constData());
        }
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s};
        QTRY_COMPARE_WITH_TIMEOUT(
            f.ctl(compare + QStringList{u"--csv"_s}).out.count(",0.123456789,285714,0.123456789,"), 2, 20000);
        const QByteArray csv = f.ctl(compare + QStringList{u"--csv"_s}).out;
        QVERIFY2(csv.contains(ofFirst) && csv.contains(ofSecond), csv.constData());
        const QByteArray table = f.ctl(compare).out;
        QVERIFY2(table.contains("285714") && !table.contains(ofFirst), table.constData());
        // Commands would leave no room for the rest; what is left out is said.
        QVERIFY2(!table.contains("xxx") && table.contains("The commands differ, too: --all"), table.constData());
        const QByteArray all = f.ctl(compare + QStringList{u"--all"_s}).out;
        QVERIFY2(all.contains("xxx") && all.indexOf("loss last") < all.indexOf("commands.1"), all.constData());
        // Fields down, runs across; whole.
        QVERIFY2(QString::fromUtf8(all).contains(QRegularExpression(u"(^|\\n) +#\\d[ *]* +#\\d[ *]*\\n"_s))
                && QString::fromUtf8(all).contains(QRegularExpression(u"\\nSTATE +SUCCEEDED +SUCCEEDED\\n"_s))
                && all.contains(QByteArray(ofSecond + '\n')),
            all.constData());
    }

    // Jobs that have little in common still have lines that can be read: the name comes first, and addresses are cut.
    void namesFirstAndLongValuesCut()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray path = "data/" + QByteArray(60, 'p') + '/';
        for (const QByteArray &name : {QByteArray("alpha"), QByteArray("beta")}) {
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                EngineFixture::document(
                    name, EngineFixture::role("worker", 1, {"true"}), "parameters: {data: " + path + name + "}\n"));
            QVERIFY2(run.status == 0, run.err.constData());
        }
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s};
        const QByteArray table = f.ctl(compare).out;
        QVERIFY2(
            table.contains("RUN  Name ") && table.contains("#1   alpha ") && table.contains("…"), table.constData());
        QVERIFY2(!table.contains(path), table.constData());
        QVERIFY2(table.contains(" STATE ") && table.contains(" SUCCEEDED "), table.constData());
        // A row is no longer than people can read, with what has no room below.
        const QByteArrayList values(12, "0.123456789012345678901234567890");
        for (int i = 0; i < 2; ++i) {
            QByteArray parameters;
            for (qsizetype p = 0; p < values.size(); ++p) {
                parameters += "  p" + QByteArray::number(p) + ": word-" + QByteArray::number(i) + values.at(p) + '\n';
            }
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                EngineFixture::document(
                    "wide", EngineFixture::role("worker", 1, {"true"}), "parameters:\n" + parameters));
            QVERIFY2(run.status == 0, run.err.constData());
        }
        const QByteArray wide = f.ctl({u"compare"_s, u"3"_s, u"4"_s}).out;
        for (const QByteArray &line : wide.split('\n')) {
            QVERIFY2(QString::fromUtf8(line).size() <= 160, line.constData());
        }
        QVERIFY2(wide.contains("What has no room above:") && wide.contains("  p11: word-0"), wide.constData());
        QVERIFY2(wide.contains(" SUCCEEDED"), wide.constData());
        QVERIFY(f.ctl(compare + QStringList{u"--csv"_s}).out.contains(QByteArray(path + "alpha")));
        QVERIFY(f.ctl(compare + QStringList{u"--all"_s}).out.contains(QByteArray(path + "alpha")));
    }

    void allOfTheBestAreMarked()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {});
        train(f, {u"lr=0.9"_s});
        train(f, {});
        const QStringList jobs{u"1"_s, u"2"_s, u"3"_s};
        waitForResults(f, jobs);
        const QStringList compare = QStringList{u"compare"_s, u"--metric"_s, u"loss"_s} + jobs;
        const QByteArray table = f.ctl(compare).out;
        QVERIFY2(table.contains("*  #1") && table.contains("*  #3") && !table.contains("*  #2"), table.constData());
        const QJsonArray runs = f.ctl(compare + QStringList{u"--json"_s}).json()["runs"_L1].toArray();
        QCOMPARE(runs.size(), 3);
        for (const QJsonValue &run : runs) {
            QCOMPARE(run["best"_L1].toBool(), run["id"_L1].toInt() != 2);
            QVERIFY(run["resultsComplete"_L1].toBool());
        }
    }

    // A run without a number does not have the value that the others have.
    void sameValueIsSaidOfThoseThatHaveIt()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {});
        train(f, {});
        waitForResults(f, {u"1"_s, u"2"_s});
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"loss"_s};
        const QByteArray all = f.ctl(compare).out;
        QVERIFY2(all.contains("The best loss is the same in all of them.\n"), all.constData());
        const QByteArray silent = EngineFixture::document("silent", EngineFixture::role("worker", 1, {"true"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, silent).status, 0);
        const QByteArray some = f.ctl(compare + QStringList{u"3"_s}).out;
        QVERIFY2(some.contains("The best loss is the same in all of them that can be ranked.\n"), some.constData());
    }

    // A metric that another program writes in another case is the same one.
    void metricsInAnotherCase()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {});
        const QByteArray capital = EngineFixture::document(
            "capital", EngineFixture::role("worker", 1, {"for i in 1 2 3; do echo step $i Loss=0.1$i; done"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, capital).status, 0);
        waitForResults(f, {u"1"_s, u"2"_s});
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"loss"_s};
        const QByteArray table = f.ctl(compare).out;
        QVERIFY2(table.contains("*  #2"), table.constData());
        const QJsonArray runs = f.ctl(compare + QStringList{u"--json"_s}).json()["runs"_L1].toArray();
        QCOMPARE(runs.at(0)["id"_L1].toInt(), 2);
        QCOMPARE(runs.at(0)["results"_L1]["loss"_L1]["best"_L1].toDouble(), 0.11);
        QVERIFY(runs.at(0)["results"_L1]["Loss"_L1].isUndefined());
        const QByteArray at = f.ctl(compare + QStringList{u"--at"_s, u"2"_s, u"--csv"_s}).out;
        QVERIFY2(at.contains("\n2,capital,") && at.contains(",0.12,"), at.constData());
    }

    // The value before it is not the one at the step.
    void notANumberAtAStep()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {});
        const QByteArray broken = EngineFixture::document("broken",
            EngineFixture::role("worker", 1, {"echo step 1 loss=0.01; echo step 2 loss=nan; echo step 3 loss=0.02"}));
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, broken).status, 0);
        waitForResults(f, {u"1"_s, u"2"_s});
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"loss"_s, u"--at"_s};
        const QByteArray second = f.ctl(compare + QStringList{u"2"_s}).out;
        QVERIFY2(second.contains("*  #1") && !second.contains("*  #2") && second.contains("NaN"), second.constData());
        const QByteArray third = f.ctl(compare + QStringList{u"3"_s}).out;
        QVERIFY2(third.contains("*  #2") && !third.contains("*  #1"), third.constData());
    }

    // The better value of a run that failed is said, and the star goes to one that succeeded.
    void failedRunIsNotTheBest()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {u"lr=0.9"_s});
        const QByteArray failing = EngineFixture::document("trained",
            EngineFixture::role("worker", 1, {"for i in 1 2 3; do echo step $i loss=0.1$i acc=0.$i; done; exit 3"}));
        QVERIFY(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, failing).status != 0);
        waitForResults(f, {u"1"_s, u"2"_s});
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"loss"_s};
        const QByteArray table = f.ctl(compare).out;
        QVERIFY2(table.contains("*  #1") && !table.contains("*  #2"), table.constData());
        QVERIFY2(table.contains("#2, which failed, reached 0.11."), table.constData());
        const QJsonArray runs = f.ctl(compare + QStringList{u"--json"_s}).json()["runs"_L1].toArray();
        QCOMPARE(runs.at(0)["id"_L1].toInt(), 1);
        QVERIFY(runs.at(0)["best"_L1].toBool() && !runs.at(1)["best"_L1].toBool());
    }

    // What is told once an epoch has the step that the epoch had come to, and not its number.
    void valuesOfEpochsAtAStep()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray job = EngineFixture::document("trained",
            EngineFixture::role("worker", 1,
                {"for e in 1 2 3; do for i in 1 2; do echo epoch $e/3 step $((e * 2 - 2 + i)) loss=0.$e$i; done; echo "
                 "epoch $e val_loss=<% $parameters.lr %>$e; done"}),
            "parameters: {lr: 0.5}\n");
        for (const QString &rate : {u"lr=0.5"_s, u"lr=0.1"_s}) {
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--param"_s, rate}, job);
            QVERIFY2(run.status == 0, run.err.constData());
        }
        const auto at
            = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--at"_s, u"4"_s, u"--csv"_s, u"--metric"_s, u"val_loss"_s});
        QVERIFY2(at.out.startsWith(
                     "run,name,lr,val_loss@4,loss@4,STATE,seconds,trainyard\n2,trained,0.1,0.12,0.22,SUCCEEDED,"),
            at.out.constData());
        // The star is explained where there is one.
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"val_loss"_s, u"--at"_s};
        const QByteArray starred = f.ctl(compare + QStringList{u"4"_s}).out;
        QVERIFY2(starred.contains("\n*") && starred.contains("* has the best val_loss"), starred.constData());
        const QByteArray plain = f.ctl(compare + QStringList{u"0"_s}).out;
        QVERIFY2(plain.contains("val_loss@0") && !plain.contains('*'), plain.constData());
        const auto told = f.ctl({u"show"_s, u"2"_s});
        QVERIFY2(told.out.contains("val_loss: 0.13 at step 6"), told.out.constData());
    }

    void seedsAreFolded()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        train(f, {u"seed=1"_s});
        train(f, {u"seed=2"_s});
        train(f, {u"lr=0.1"_s});
        waitForResults(f, {u"1"_s, u"2"_s, u"3"_s});
        const auto folded = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"3"_s, u"--fold-seeds"_s, u"--metric"_s, u"loss"_s});
        QCOMPARE(folded.status, 0);
        QVERIFY2(folded.out.contains("#1 and 1 more"), folded.out.constData());
        QVERIFY2(folded.out.contains("(n 2)"), folded.out.constData());
    }

    // A program gets the mean, and beside it what a plot of it needs.
    void csvOfFoldedSeeds()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray job = EngineFixture::document("trained",
            EngineFixture::role("worker", 1,
                {"for i in 1 2 3; do echo step $i loss=<% $parameters.lr %><% $parameters.seed %>$i; done"}),
            "parameters: {lr: 0.5, seed: 1}\n");
        for (const QStringList &with : {QStringList{u"seed=2"_s}, {u"seed=4"_s}, {u"lr=0.1"_s}}) {
            const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--param"_s, with.constFirst()}, job);
            QVERIFY2(run.status == 0, run.err.constData());
        }
        waitForResults(f, {u"1"_s, u"2"_s, u"3"_s});
        const QStringList compare{u"compare"_s, u"1"_s, u"2"_s, u"3"_s, u"--metric"_s, u"loss"_s, u"--csv"_s};
        const QByteArrayList folded = f.ctl(compare + QStringList{u"--fold-seeds"_s}).out.split('\n');
        QVERIFY2(folded.at(0).startsWith("run,name,lr,seed,loss best,loss best std,loss best n,at,loss last,"
                                         "loss last std,loss last n,STATE,"),
            folded.at(0).constData());
        QVERIFY2(folded.at(1).startsWith("3,trained,0.1,1,0.111,,1,1,0.113,,1,SUCCEEDED,"), folded.at(1).constData());
        QVERIFY2(folded.at(2).startsWith("1 2,trained,0.5,\"2,4\","), folded.at(2).constData());
        const QByteArrayList two = QByteArray(folded.at(2)).replace("\"2,4\"", "both").split(',');
        const double deviation = 0.01 * std::sqrt(2);
        QVERIFY2(qAbs(two.at(4).toDouble() - 0.531) < 1e-9, two.at(4).constData()); // of 0.521 and 0.541
        QVERIFY2(qAbs(two.at(5).toDouble() - deviation) < 1e-9, two.at(5).constData());
        QCOMPARE(two.at(6), "2");
        QCOMPARE(two.at(7), ""); // a mean of places says nothing
        QVERIFY2(qAbs(two.at(8).toDouble() - 0.533) < 1e-9, two.at(8).constData());
        QVERIFY2(qAbs(two.at(9).toDouble() - deviation) < 1e-9, two.at(9).constData());
        QCOMPARE(two.at(10), "2");
        const QByteArray at = f.ctl(compare + QStringList{u"--fold-seeds"_s, u"--at"_s, u"2"_s}).out;
        QVERIFY2(at.startsWith("run,name,lr,seed,loss@2,loss@2 std,loss@2 n,STATE,"), at.constData());
        QVERIFY2(at.contains("\n3,trained,0.1,1,0.112,,1,SUCCEEDED,"), at.constData());
        const QByteArray plain = f.ctl(compare).out; // each run by itself
        QVERIFY2(plain.startsWith("run,name,lr,seed,loss best,at,loss last,STATE,"), plain.constData());
    }

    void mistakesAreSaid()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        QCOMPARE(f.ctl({u"compare"_s}).status, 2);
        QCOMPARE(f.ctl({u"compare"_s, u"1"_s}).status, 2);
        train(f, {});
        train(f, {});
        waitForResults(f, {u"1"_s, u"2"_s});
        const auto alone = f.ctl({u"compare"_s, u"1"_s});
        QVERIFY2(alone.status == 2 && alone.err.contains("One job cannot be compared"), alone.err.constData());
        for (const QString &none : {u"tag:mix"_s, u"38-46"_s, u"state:failed"_s}) { // no job at all
            const auto said = f.ctl({u"compare"_s, none});
            QCOMPARE(said.status, 2);
            QCOMPARE(said.err, QByteArray("trainyardctl: No job matches '" + none.toUtf8() + "'.\n"));
        }
        QCOMPARE(f.ctl({u"compare"_s, u"1-2"_s, u"--csv"_s}).out, f.ctl({u"compare"_s, u"1,2"_s, u"--csv"_s}).out);
        QCOMPARE(f.ctl({u"compare"_s, u"state:succeeded"_s}).status, 0);
        const auto missing = f.ctl({u"compare"_s, u"1"_s, u"7"_s});
        QCOMPARE(missing.status, 2);
        const auto metric = f.ctl({u"compare"_s, u"1"_s, u"2"_s, u"--metric"_s, u"los"_s});
        QCOMPARE(metric.status, 2);
        QVERIFY2(metric.err.contains("Did you mean 'loss'?"), metric.err.constData());
        const auto group = f.ctl({u"compare"_s, u"--group"_s, u"none"_s});
        QCOMPARE(group.status, 2);
        QVERIFY2(group.err.contains("group none"), group.err.constData());
    }
};

TRAINYARD_TEST(TstCliCompare)
#include "tst_clicompare.moc"
