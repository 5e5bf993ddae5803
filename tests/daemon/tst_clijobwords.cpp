// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The words that stand for jobs: the same in every command that takes jobs.
class TstCliJobWords : public QObject
{
    Q_OBJECT

    // Jobs 1 to 3: the second one fails, as long as there is no file "mended".
    static void runThree(const ProgramsFixture &f)
    {
        const QString mended = f.path(u"mended"_s);
        for (const QByteArray name : {"one", "two", "three"}) {
            const QByteArray command
                = name == "two" ? QByteArray("[ -e " + mended.toUtf8() + " ] || exit 3") : QByteArray("echo loss=0.5");
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--tag"_s, u"mix"_s}, EngineFixture::job(name, {command}))
                         .status,
                name == "two" ? 3 : 0);
        }
    }

    static QByteArray ids(const ProgramsFixture &f, const QStringList &filter)
    {
        const auto said = f.ctl(QStringList{u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id}"_s} + filter);
        return said.status == 0 ? said.out.simplified() : said.err;
    }

private Q_SLOTS:
    void severalJobsByAnyWord()
    {
        ProgramsFixture f;
        runThree(f);
        QCOMPARE(ids(f, {u"1"_s, u"3"_s}), "1 3");
        QCOMPARE(ids(f, {u"2-3"_s}), "2 3");
        QCOMPARE(ids(f, {u"id:1,2-3"_s}), "1 2 3");
        for (const QString &word : {u"tag:mix"_s, u"1-3"_s, u"1,2-3"_s, u"tag:mix after:today"_s, u"state:ended"_s}) {
            const auto why = f.ctl({u"why"_s, word});
            QVERIFY2(why.status == 0 && why.out.contains("#2 two: FAILED") && why.out.contains("#3 three: SUCCEEDED"),
                QByteArray(why.out + why.err).constData());
            QCOMPARE(f.ctl({u"compare"_s, word, u"--json"_s}).json()["runs"_L1].toArray().size(), 3);
            QCOMPARE(f.ctl({u"show"_s, word, u"--json"_s}).json().array().size(), 3);
            QCOMPARE(f.ctl({u"wait"_s, word, u"--json"_s}).json().array().size(), 3);
        }
        const auto shown = f.ctl({u"show"_s, u"1,3"_s});
        QVERIFY2(shown.out.startsWith("#1 one  SUCCEEDED\n") && shown.out.contains("\n\n#3 three  SUCCEEDED\n"),
            shown.out.constData());
        QVERIFY(f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json().isObject());
        QCOMPARE(f.ctl({u"show"_s, u"1-2"_s, u"--yaml"_s}).status, 2);

        // What was said of jobs.
        QCOMPARE(f.ctl({u"tag"_s, u"state:failed"_s, u"again"_s}).status, 0);
        QCOMPARE(ids(f, {u"tag:again"_s}), "2");
        QCOMPARE(f.ctl({u"note"_s, u"2-3"_s, u"as planned"_s}).status, 0);
        QCOMPARE(f.ctl({u"note"_s, u"tag:mix"_s}).out, "#2 two: as planned\n#3 three: as planned\n");
        QCOMPARE(f.ctl({u"star"_s, u"id:1-2 state:succeeded"_s}).status, 0);
        QCOMPARE(ids(f, {u"is:starred"_s}), "1");
        QCOMPARE(f.ctl({u"archive"_s, u"2-3"_s}).status, 0);
        // As 'ps': archived jobs are those that are asked for.
        QVERIFY(f.ctl({u"note"_s, u"tag:mix"_s}).out.isEmpty());
        QCOMPARE(f.ctl({u"archive"_s, u"--off"_s, u"is:archived"_s}).status, 0);
        QCOMPARE(ids(f, {u"tag:mix"_s}), "1 2 3");
    }

    // Who has named each job knows how many these are; of others the command says so at its end.
    void howManyWereChanged()
    {
        ProgramsFixture f;
        runThree(f);
        const auto last = [&f](const QStringList &command) {
            const QByteArray err = f.ctl(command).err.trimmed();
            return err.mid(err.lastIndexOf('\n') + 1);
        };
        QCOMPARE(last({u"tag"_s, u"1,2"_s, u"again"_s}), "");
        QCOMPARE(last({u"tag"_s, u"tag:mix"_s, u"again"_s}), "trainyardctl: 1 of 3 jobs changed.");
        QCOMPARE(last({u"tag"_s, u"tag:mix"_s, u"again"_s}), "trainyardctl: No job changed.");
        QCOMPARE(last({u"tag"_s, u"tag:mix"_s, u"--remove"_s, u"AGAIN"_s}), "trainyardctl: 3 jobs changed.");
        QCOMPARE(last({u"tag"_s, u"tag:mix"_s}), ""); // that only prints
        QCOMPARE(last({u"note"_s, u"tag:mix"_s, u"as planned"_s}), "trainyardctl: 3 jobs changed.");
        QCOMPARE(last({u"note"_s, u"1"_s, u"--clear"_s}), "");
        QCOMPARE(last({u"note"_s, u"tag:mix"_s, u"--clear"_s}), "trainyardctl: 2 of 3 jobs changed.");
        QCOMPARE(last({u"star"_s, u"state:failed"_s}), "trainyardctl: 1 job changed.");
        QCOMPARE(last({u"archive"_s, u"tag:mix"_s}), "trainyardctl: 3 jobs changed.");
        QCOMPARE(last({u"archive"_s, u"--off"_s, u"is:archived"_s}), "trainyardctl: 3 jobs changed.");
        QCOMPARE(last({u"retry"_s, u"tag:mix"_s}), "trainyardctl: 1 job changed.");
        QCOMPARE(f.ctl({u"wait"_s, u"tag:mix"_s}).status, 3);
        for (int i = 0; i < 2; ++i) {
            const auto run
                = f.ctl({u"run"_s, u"-"_s, u"--tag"_s, u"long"_s}, EngineFixture::job("runs", {"sleep 600"}));
            QCOMPARE(run.status, 0);
        }
        QCOMPARE(last({u"pause"_s, u"tag:long"_s}), "trainyardctl: 2 jobs changed.");
        QCOMPARE(last({u"resume"_s, u"tag:long"_s}), "trainyardctl: 2 jobs changed.");
        QCOMPARE(last({u"stop"_s, u"tag:long"_s, u"--now"_s}), "trainyardctl: 2 jobs changed.");
        (void)f.ctl({u"wait"_s, u"tag:long"_s});
        QCOMPARE(last({u"rm"_s, u"tag:long"_s, u"--yes"_s}), "trainyardctl: 2 jobs removed.");
    }

    void whatTakesOneJob()
    {
        ProgramsFixture f;
        runThree(f);
        QVERIFY(f.ctl({u"logs"_s, u"name:one tag:mix"_s}).out.contains("loss=0.5"));
        const auto several = f.ctl({u"logs"_s, u"tag:mix"_s});
        QVERIFY2(
            several.status == 2 && several.err.contains("This command takes one job. 'tag:mix' means 3: #1, #2, #3."),
            several.err.constData());
        const auto none = f.ctl({u"logs"_s, u"tag:none"_s});
        QVERIFY2(none.status == 2 && none.err.contains("No job matches 'tag:none'."), none.err.constData());
        // Not all whose names have an "o" in them.
        QCOMPARE(f.ctl({u"tag"_s, u"Name:o"_s, u"again"_s}).status, 2);
        QCOMPARE(ids(f, {u"tag:again"_s}), "");
    }

    // Those that were not named are told before, and none is touched without need.
    void whatCannotBeTakenBack()
    {
        ProgramsFixture f;
        runThree(f);
        const auto nothing = f.ctl({u"stop"_s, u"tag:mix"_s});
        QVERIFY2(nothing.status == 0 && nothing.err.contains("None of these jobs is active."), nothing.err.constData());
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(
                f.ctl({u"run"_s, u"-"_s, u"--tag"_s, u"mix"_s}, EngineFixture::job("runs", {"sleep 600"})).status, 0);
        }
        const auto stopped = f.ctl({u"stop"_s, u"tag:mix"_s, u"--wait"_s, u"--now"_s});
        QVERIFY2(stopped.status == 0 && stopped.err.startsWith("trainyardctl: Stopping 2 jobs: #4, #5.\n"),
            stopped.err.constData());
        QVERIFY2(!stopped.err.contains("#1"), stopped.err.constData());

        QCOMPARE(f.ctl({u"rm"_s, u"tag:mix"_s}).status, 4); // nobody can be asked
        QCOMPARE(f.ctl({u"star"_s, u"1"_s}).status, 0);
        const auto removed = f.ctl({u"rm"_s, u"state:succeeded"_s, u"--yes"_s});
        QVERIFY2(removed.status == 0 && removed.err.contains("1 job removed.")
                && removed.err.contains("Kept because of a star: #1."),
            removed.err.constData());
        QCOMPARE(ids(f, {}), "1 2 4 5");
        QCOMPARE(f.ctl({u"rm"_s, u"4,5"_s}).status, 0); // they are named
        QCOMPARE(ids(f, {}), "1 2");
    }

    // 'ps' takes them for conditions that all hold.
    void conditionsInSeveralWords()
    {
        ProgramsFixture f;
        runThree(f);
        QCOMPARE(ids(f, {u"tag:mix"_s, u"state:failed"_s}), "2");
        for (const QStringList &command :
            {QStringList{u"rm"_s, u"--yes"_s}, {u"stop"_s}, {u"retry"_s}, {u"archive"_s}}) {
            for (const QString &other : {u"state:failed"_s, u"with:archived"_s}) {
                const auto refused = f.ctl(command + QStringList{u"tag:mix"_s, other});
                QVERIFY2(refused.status == 2
                        && refused.err.contains(QString(u"one word, 'tag:mix "_s + other + u"',"_s).toUtf8()),
                    refused.err.constData());
            }
        }
        QCOMPARE(f.ctl({u"rm"_s, u"--yes"_s, u"with:archived"_s}).status, 2);
        QCOMPARE(ids(f, {}), "1 2 3");
        QCOMPARE(f.ctl({u"rm"_s, u"--yes"_s, u"1"_s, u"tag:mix state:failed"_s}).status, 0);
        QCOMPARE(ids(f, {}), "3");
    }

    void failedJobsRunAgain()
    {
        ProgramsFixture f;
        runThree(f);
        f.write(u"mended"_s, {});
        const auto retried = f.ctl({u"retry"_s, u"tag:mix"_s, u"--wait"_s});
        QVERIFY2(retried.status == 0, retried.err.constData());
        QVERIFY2(retried.err.contains("Left out because they have succeeded: 2 (#1, #3)."), retried.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id} {state}"_s}).out,
            "1 SUCCEEDED\n2 SUCCEEDED\n3 SUCCEEDED\n");
        QCOMPARE(ids(f, {u"is:retried"_s}), "2");
        const auto none = f.ctl({u"retry"_s, u"tag:mix"_s});
        QVERIFY2(none.status == 4 && none.err.contains("None of these jobs has failed"), none.err.constData());
        QCOMPARE(f.ctl({u"retry"_s, u"1-2"_s, u"worker/0"_s}).status, 2);
        // Whoever names them wants them.
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"3"_s, u"--wait"_s}).status, 0);
        QCOMPARE(ids(f, {u"is:retried"_s}), "1 2 3");
    }

    // A sweep that was stopped goes on as a group: what has succeeded or runs is left alone.
    void stoppedJobsOfASweepGoOn()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"go"_s).toUtf8();
        const QString file = f.write(u"work/sw.yaml"_s,
            EngineFixture::job("sw", {"[ <% $parameters.x %> = 1 ] || [ -e " + go + " ] || sleep 600"})
                + "parameters: {x: 1}\n");
        const QStringList sweep{
            u"sweep"_s, file, u"--param"_s, u"x=1,2,3"_s, u"--limit"_s, u"1"_s, u"--name"_s, u"sw"_s};
        QCOMPARE(f.ctl(sweep).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(ids(f, {u"state:running"_s}), "2", 20000);
        QCOMPARE(f.ctl({u"stop"_s, u"group:sw"_s, u"--wait"_s}).status, 0);
        const auto known = f.ctl(sweep);
        QVERIFY2(known.status == 0
                && known.err.contains(
                    "2 have failed or were stopped, and do not run again by this: 'trainyardctl retry "
                    "group:sw' runs them again.")
                && !known.err.contains("one after the other"),
            known.err.constData());
        const auto resumed = f.ctl({u"resume"_s, u"group:sw"_s});
        QVERIFY2(resumed.err.contains("'trainyardctl retry group:sw' runs those again that were stopped."),
            resumed.err.constData());

        QCOMPARE(f.ctl({u"retry"_s, u"2"_s}).status, 0);
        auto again = f.ctl({u"retry"_s, u"1-3"_s});
        QVERIFY2(again.status == 0 && again.err.contains("Left out because they have succeeded: 1 (#1).")
                && again.err.contains("Left out because they are active: 1 (#2).")
                && again.err.contains("1 job changed."),
            again.err.constData());
        // Whoever names it is told, by its name.
        again = f.ctl({u"retry"_s, u"2"_s, u"3"_s});
        QVERIFY2(again.status == 4 && again.err.contains("#2 sw-2 is still active. Stop it first.")
                && again.err.contains("#3 sw-3 is still active. Stop it first."),
            again.err.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"group:sw"_s, u"--wait"_s}).status, 0);
        f.write(u"go"_s, {});
        again = f.ctl({u"retry"_s, u"group:sw state:stopped"_s, u"--wait"_s});
        QVERIFY2(again.status == 0 && again.err.contains("Running 2 jobs again: #2, #3."), again.err.constData());
        QCOMPARE(ids(f, {u"state:succeeded"_s}), "1 2 3");
    }

    void allThatRunAgainAreWaitedFor()
    {
        ProgramsFixture f;
        const QByteArray mended = f.path(u"mended"_s).toUtf8();
        for (const QByteArray name : {"one", "two"}) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--tag"_s, u"mix"_s},
                          EngineFixture::job(name, {"[ -e " + mended + " ] || exit 3"}))
                         .status,
                3);
        }
        f.write(u"mended"_s, {});
        const auto retried = f.ctl({u"retry"_s, u"tag:mix"_s, u"--wait"_s});
        QVERIFY2(retried.status == 0 && retried.err.contains("Running 2 jobs again: #1, #2."), retried.err.constData());
        QCOMPARE(
            f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id} {state}"_s}).out, "1 SUCCEEDED\n2 SUCCEEDED\n");
    }

    void causesAreFoundAndCounted()
    {
        ProgramsFixture f;
        const QByteArrayList diverges{"echo 'Epoch: [0]  [  0/100]  eta: 0:01:40  lr: 0.000100  loss: 2.3026 (2.3026)'",
            "echo 'Epoch: [0]  [ 10/100]  eta: 0:01:30  lr: 0.000100  loss: nan (nan)'",
            "echo 'Loss is nan, stopping training'", "exit 1"};
        for (const QByteArrayList &commands : {diverges, diverges, QByteArrayList{"exit 3"}, QByteArrayList{"true"}}) {
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("job", commands));
        }
        QCOMPARE(f.ctl({u"why"_s, u"1"_s, u"--json"_s}).json()["cause"_L1].toString(), u"diverged"_s);
        for (const QString &filter : {u"cause:diverged"_s, u"cause:DIVER*"_s, u"cause:\"Training diverged\""_s}) {
            QCOMPARE(ids(f, {filter}), "1 2");
        }
        const auto counted = f.ctl({u"ps"_s, u"--causes"_s});
        QVERIFY2(counted.out.simplified().startsWith("JOBS WHY CAUSE 2 Diverged diverged 1 Exit 3"),
            counted.out.constData());
        const QJsonArray json = f.ctl({u"ps"_s, u"--causes"_s, u"--json"_s, u"cause:diverged"_s}).json().array();
        QCOMPARE(json.size(), 1);
        QCOMPARE(json.at(0)["count"_L1].toInt(), 2);
        QCOMPARE(json.at(0)["jobs"_L1].toArray(), (QJsonArray{2, 1}));
        const auto none = f.ctl({u"ps"_s, u"--causes"_s, u"state:succeeded"_s});
        QVERIFY2(none.err.contains("None of these jobs has failed."), none.err.constData());
        const auto equal = f.ctl({u"ps"_s, u"cause=diverged"_s});
        QVERIFY2(equal.err.contains("Did you mean 'cause:diverged'?"), equal.err.constData());
    }

    // A word is looked for in names. Where it finds nothing, the condition is named.
    void wordsForConditions()
    {
        ProgramsFixture f;
        runThree(f);
        for (const auto &[word, meant] : {std::pair(u"active"_s, "state:active"), std::pair(u"ended"_s, "state:ended"),
                 std::pair(u"starred"_s, "is:starred"), std::pair(u"mix"_s, "tag:mix")}) {
            const auto said = f.ctl({u"ps"_s, word});
            QVERIFY2(said.status == 0 && said.err.contains(QByteArray("Did you mean '" + QByteArray(meant) + "'?")),
                said.err.constData());
        }
        QVERIFY(!f.ctl({u"ps"_s, u"nothing"_s}).err.contains("Did you mean"));
        QVERIFY(!f.ctl({u"ps"_s, u"nothing"_s, u"three"_s}).err.contains("separate the words"));
        const auto both = f.ctl({u"ps"_s, u"one"_s, u"three"_s});
        QVERIFY2(
            both.status == 0 && both.err.contains("separate the words by commas: 'one,three'"), both.err.constData());
    }

    void namesThatAreMisspelt()
    {
        ProgramsFixture f;
        runThree(f);
        for (const QString &command : {u"show"_s, u"stop"_s}) {
            const auto said = f.ctl({command, u"thre"_s});
            QVERIFY2(said.status == 2 && said.err.contains("There is no job thre. Did you mean three?"),
                said.err.constData());
        }
        QVERIFY(!f.ctl({u"show"_s, u"something"_s}).err.contains("Did you mean"));
    }

    // A script that counts the jobs hears that some are left out, and a wait for what has ended says how it went.
    void manyJobsThatHaveEnded()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/sw.yaml"_s,
            EngineFixture::job("many", {"test <% $parameters.x %> -lt 22"}) + "parameters: {x: 1}\n");
        QStringList values;
        for (int i = 1; i <= 22; ++i) {
            values.append(QString::number(i));
        }
        const QStringList sweep{u"sweep"_s, file, u"--param"_s, u"x="_s + values.join(u','), u"--name"_s, u"many"_s};
        QCOMPARE(f.ctl(sweep + QStringList{u"--wait"_s}, {}, 120'000).status, 1);
        const auto waited = f.ctl({u"wait"_s, u"group:many"_s});
        QCOMPARE(waited.status, 1);
        QVERIFY2(waited.err.contains("The jobs have ended: 1 failed, 21 succeeded."), waited.err.constData());
        QCOMPARE(f.ctl({u"wait"_s, u"group:many"_s, u"--json"_s}).err, QByteArray());
        for (const QStringList &list : {QStringList{u"ps"_s}, QStringList{u"ps"_s, u"--json"_s}}) {
            const auto listed = f.ctl(list);
            QVERIFY2(listed.err.contains("2 older jobs are not shown."), listed.err.constData());
            QCOMPARE(f.ctl(list + QStringList{u"--all"_s}).err, QByteArray());
        }
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 20);
    }

    // One word for it in all lists and on the page of the job.
    void pausedJobsArePaused()
    {
        ProgramsFixture f;
        const QByteArray over = f.path(u"over"_s).toUtf8();
        QCOMPARE(f.ctl({u"run"_s, u"-"_s},
                      EngineFixture::job("loops", {"echo begun; until [ -e " + over + " ]; do sleep 0.05; done"}))
                     .status,
            0);
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out.contains("begun"), 20000);
        QCOMPARE(ids(f, {u"state:paused"_s}), "");
        QCOMPARE(f.ctl({u"pause"_s, u"state:running"_s}).status, 0);
        for (const QString &filter : {u"state:paused"_s, u"is:paused"_s, u"paused"_s, u"state:active"_s}) {
            QCOMPARE(ids(f, {filter}), "1");
        }
        QVERIFY(f.ctl({u"show"_s, u"1"_s}).out.startsWith("#1 loops  PAUSED\n"));
        QCOMPARE(f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json()[u"jobStatus"][u"state"].toString(), u"RUNNING"_s);
        QCOMPARE(f.ctl({u"resume"_s, u"state:paused"_s}).status, 0);
        f.write(u"over"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
    }
};

TRAINYARD_TEST(TstCliJobWords)
#include "tst_clijobwords.moc"
