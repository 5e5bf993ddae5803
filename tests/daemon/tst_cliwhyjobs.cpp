// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What `why` says of tasks that ran for real: of earlier attempts, of what a preparation printed, of the last words on
// standard error, and of a process that somebody killed.
class TstCliWhyJobs : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArrayList &commands, const QByteArray &more = {},
        const QByteArray &ofRole = {})
    {
        return EngineFixture::document(name, EngineFixture::role("worker", 1, commands, ofRole), more);
    }

private Q_SLOTS:
    // A code that only says that nothing is known has no place beside a cause.
    void causeAndCode()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
            job("diverged",
                {"echo 'Epoch: [0]  [  0/100]  eta: 0:01:40  lr: 0.000100  loss: 2.3026 (2.3026)'",
                    "echo 'Epoch: [0]  [ 10/100]  eta: 0:01:30  lr: 0.000100  loss: nan (nan)'",
                    "echo 'Loss is nan, stopping training'", "exit 1"}));
        QCOMPARE(run.status, 1);
        const QByteArray shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(shown.contains("The training diverged") && !shown.contains("no known pattern"), shown.constData());
    }

    // The output does not show why, but its losses do.
    void lossThatIsNoNumber()
    {
        ProgramsFixture f;
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
            job("quiet",
                {"for i in 1 2 3; do echo \"step $i loss: 0.$i\"; done",
                    "for i in 4 5 6; do echo \"step $i loss: nan\"; done", "exit 7"}));
        QCOMPARE(run.status, 7);
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"show"_s, u"1"_s}).out.contains("loss is NaN since step 4"), 30000);
        const QByteArray why = f.ctl({u"why"_s, u"1"_s}).out;
        QVERIFY2(why.contains("The training diverged") && why.contains("likely") && why.contains("since step 4"),
            why.constData());
        // The other readers of the reason say the same.
        const QByteArray shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(
            shown.contains("The training diverged") && shown.contains("Lower the learning rate"), shown.constData());
        const QByteArray listed = f.ctl({u"ps"_s}).out;
        QVERIFY2(listed.contains("diverged"), listed.constData());
    }

    // What the shell makes of a reference that stays in the commands is not what is wrong.
    void referencesToNothing()
    {
        ProgramsFixture f;
        const QByteArray parameters = "parameters: {lr: 0.1}\n";
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
            job("misspelt", {"echo a <% $parameters.lrr %> out.txt", "echo <% $parameters.lr %>"}, parameters));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("There is no parameter 'lrr'"), run.err.constData()); // before it starts
        const auto why = f.ctl({u"why"_s, u"1"_s});
        QVERIFY2(
            why.out.contains("There is no parameter lrr") && why.out.contains("did you mean lr?"), why.out.constData());
        QVERIFY2(!why.out.contains("set +u") && !why.out.contains("NAME:-default"), why.out.constData());
        const QByteArray shown = f.ctl({u"show"_s, u"1"_s}).out;
        QVERIFY2(shown.contains("did you mean lr?") && !shown.contains("set +u"), shown.constData());
        // Where nothing follows it, bash ends before it has shown the line.
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("last", {"echo --lr <% $parameters.lrr %>"}, parameters)).status,
            2);
        const QByteArray last = f.ctl({u"why"_s, u"last"_s}).out;
        QVERIFY2(last.contains("did you mean lr?"), last.constData());
        // In quotes it is a text as any other.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("quoted", {"echo 'lr=<% $parameters.lrr %>'"}, parameters))
                     .status,
            0);
        const QByteArray quoted = f.ctl({u"show"_s, u"quoted"_s}).out;
        QVERIFY2(quoted.contains("Remark") && quoted.contains("did you mean lr?"), quoted.constData());
    }

    void earlierAttempts()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/twice.yaml"_s,
            job("twice",
                {"if [ -e again ]; then echo 'the second split has no rows' >&2; exit 1; fi", "touch again",
                    "echo 'the first split has no rows' >&2", "exit 1"},
                "jobRetryCount: 1\n"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 1);
        const QByteArray shown = f.ctl({u"show"_s, u"twice"_s}).out;
        QVERIFY2(shown.contains("Attempt 1: worker/0: The program reported an error: the first split has no rows"),
            shown.constData());
        QVERIFY2(!shown.contains("Attempt 2:"), shown.constData());
        auto why = f.ctl({u"why"_s, u"twice"_s});
        QVERIFY2(why.status == 0 && why.out.contains("the second split has no rows"),
            QByteArray(why.out + why.err).constData());
        why = f.ctl({u"why"_s, u"twice"_s, u"--attempt"_s, u"2"_s});
        QVERIFY2(why.out.contains("the second split has no rows"), QByteArray(why.out + why.err).constData());
        why = f.ctl({u"why"_s, u"twice"_s, u"--attempt"_s, u"1"_s});
        QVERIFY2(why.status == 0 && why.out.contains("the first split has no rows"),
            QByteArray(why.out + why.err).constData());
        QVERIFY(!why.out.contains("second"));
        why = f.ctl({u"why"_s, u"twice"_s, u"worker/0"_s, u"--attempt"_s, u"1"_s, u"--try"_s, u"1"_s, u"--json"_s});
        QCOMPARE(why.json().object().value("cause"_L1).toString(), u"program-error"_s);
        QCOMPARE(why.json().object().value("certainty"_L1).toString(), u"likely"_s);
        why = f.ctl({u"why"_s, u"twice"_s, u"--attempt"_s, u"3"_s});
        QVERIFY2(why.status == 2 && why.err.contains("has 2 attempts."), why.err.constData());
        why = f.ctl({u"why"_s, u"twice"_s, u"worker/0"_s, u"--try"_s, u"2"_s});
        QVERIFY2(why.status == 2 && why.err.contains("has 1 try."), why.err.constData());
        why = f.ctl({u"why"_s, u"twice"_s, u"other/0"_s, u"--attempt"_s, u"1"_s});
        QCOMPARE(why.status, 2);
        why = f.ctl({u"why"_s, u"twice"_s, u"--try"_s, u"1"_s}); // the only task is meant
        QVERIFY2(why.status == 0 && why.out.contains("the second split has no rows"), why.err.constData());
        const QString both = f.write(u"work/both.yaml"_s,
            EngineFixture::document("both", EngineFixture::role("worker", 2, {"echo 'no rows' >&2", "exit 1"})));
        QCOMPARE(f.ctl({u"run"_s, both, u"--wait"_s}).status, 1);
        why = f.ctl({u"why"_s, u"both"_s, u"--try"_s, u"1"_s});
        QVERIFY2(why.status == 2 && why.err.contains("--try needs the task: ROLE/INDEX."), why.err.constData());
    }

    // Of many attempts, the newest are listed, and how the others are seen is said.
    void manyAttempts()
    {
        ProgramsFixture f;
        const QString file
            = f.write(u"work/often.yaml"_s, job("often", {"echo 'the first split has no rows' >&2", "exit 1"}));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 1);
        QByteArray shown;
        static const QRegularExpression isShown(u"\n +Attempts +(\\d+)\n"_s);
        const auto showAttempt = [&](int attempt) {
            const auto again = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s}, {}, 60000);
            shown = f.ctl({u"show"_s, u"1"_s}).out;
            return again.status == 1 && isShown.match(QString::fromUtf8(shown)).captured(1).toInt() == attempt;
        };
        for (int attempt = 2; attempt <= 4; ++attempt) {
            QVERIFY2(showAttempt(attempt), shown.constData());
            QVERIFY2(!shown.contains("not listed"), shown.constData());
        }
        QVERIFY2(showAttempt(5), shown.constData());
        QVERIFY2(
            shown.contains("Attempt 1 is not listed; 'trainyardctl show 1 --attempt 1' shows it."), shown.constData());
        QVERIFY2(showAttempt(6), shown.constData());
        QVERIFY2(shown.contains("Attempts 1 to 2 are not listed; 'trainyardctl show 1 --attempt N' shows one of them."),
            shown.constData());
        QVERIFY2(!shown.contains("Attempt 2: ") && shown.contains("Attempt 3: ") && shown.contains("Attempt 5: "),
            shown.constData());
        const QByteArray second = f.ctl({u"show"_s, u"1"_s, u"--attempt"_s, u"2"_s}).out;
        QVERIFY2(second.contains("attempt 2 of 6") && !second.contains("not listed"), second.constData());
    }

    // Several jobs, or those of a group: a block for each that failed, a line for each of the others.
    void severalJobs()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/mix.yaml"_s,
            job("mix", {"[ <% $parameters.i %> = 2 ] || exit 0; echo 'the split has no rows' >&2; exit 1"},
                "parameters: {i: 1}\n"));
        QCOMPARE(f.ctl({u"sweep"_s, file, u"--param"_s, u"i=1,2,3"_s, u"--wait"_s}).status, 1);
        const QByteArray alone = f.ctl({u"why"_s, u"2"_s}).out;
        QVERIFY2(alone.contains("the split has no rows"), alone.constData());
        const QByteArray all = "#1 mix-1: SUCCEEDED\n\n#2 mix-2: FAILED\n" + alone + "\n#3 mix-3: SUCCEEDED\n";
        auto why = f.ctl({u"why"_s, u"group:mix"_s});
        QCOMPARE(why.status, 0);
        QCOMPARE(why.out, all);
        QCOMPARE(f.ctl({u"why"_s, u"1"_s, u"2"_s, u"mix-3"_s, u"group:mix"_s}).out, all);
        QCOMPARE(f.ctl({u"why"_s, u"mix-3"_s, u"mix-1"_s}).status, 1); // none has failed
        QCOMPARE(f.ctl({u"why"_s, u"2"_s, u"worker"_s}).out, alone); // a task, as before
        why = f.ctl({u"why"_s, u"2"_s, u"none"_s});
        QVERIFY2(why.status == 2 && why.err.contains("The job has no task none."), why.err.constData());
        QCOMPARE(f.ctl({u"why"_s, u"group:mix"_s, u"--attempt"_s, u"1"_s}).status, 2);
        const QJsonArray json = f.ctl({u"why"_s, u"mix-1"_s, u"mix-2"_s, u"--json"_s}).json().array();
        QCOMPARE(json.size(), 2);
        QVERIFY(json.at(0)["cause"_L1].isNull());
        QCOMPARE(json.at(1)["id"_L1].toInt(), 2);
        QCOMPARE(json.at(1)["state"_L1].toString(), u"FAILED"_s);
        QCOMPARE(json.at(1)["cause"_L1], f.ctl({u"why"_s, u"2"_s, u"--json"_s}).json().object().value("cause"_L1));
    }

    // What a job waits for is an answer as well, in both forms, and that somebody has paused it.
    void waitingAndPaused()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"go"_s).toUtf8();
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("loops", {"echo begun; while [ ! -e " + go + " ]; do sleep 0.05; done"}))
                     .status,
            0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"loops"_s}, job("then", {"true"})).status, 0);
        const auto waits = f.ctl({u"why"_s, u"then"_s, u"--json"_s});
        QCOMPARE(waits.status, 0);
        const QJsonObject said = waits.json().object();
        QVERIFY2(said.value("cause"_L1).isNull() && !said.contains("error"_L1), waits.out.constData());
        const QString why = said["waits"_L1]["explanation"_L1].toString();
        QVERIFY2(why.contains("#1"_L1), waits.out.constData());
        QVERIFY(f.ctl({u"why"_s, u"then"_s}).out.startsWith(QByteArray(why.toUtf8() + '\n')));

        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"loops"_s}).out.contains("begun"), 20000);
        QCOMPARE(f.ctl({u"pause"_s, u"loops"_s}).status, 0);
        const auto paused = f.ctl({u"why"_s, u"loops"_s});
        QVERIFY2(paused.status == 0 && paused.out.startsWith("Paused.") && paused.out.contains("\n  Since "),
            QByteArray(paused.out + paused.err).constData());
        const QJsonArray both = f.ctl({u"why"_s, u"loops"_s, u"then"_s, u"--json"_s}).json().array();
        QCOMPARE(both.size(), 2);
        QCOMPARE(both.at(0)["waits"_L1]["code"_L1].toString(), u"job.paused"_s);
        QVERIFY(both.at(0)["waits"_L1]["since"_L1].toInteger() > 0);
        QCOMPARE(both.at(1)["waits"_L1]["explanation"_L1].toString(), why);
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"resume"_s, u"loops"_s}).status, 0);
        QCOMPARE(f.ctl({u"wait"_s, u"loops"_s, u"then"_s}).status, 0);
        QCOMPARE(f.ctl({u"why"_s, u"loops"_s, u"--json"_s}).status, 1);
    }

    // Of several tasks, the answer names the one that it is about.
    void namesTheTask()
    {
        ProgramsFixture f;
        const QByteArray command
            = "[ $PAI_TASK_INDEX = 1 ] || exec sleep 600; echo 'the split has no rows' >&2; exit 1";
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("pair", {command}, 2)).status, 1);
        const QByteArray named = f.ctl({u"why"_s, u"1"_s, u"worker/1"_s}).out;
        QVERIFY2(named.contains("the split has no rows") && !named.startsWith("worker/1"), named.constData());
        QCOMPARE(f.ctl({u"why"_s, u"1"_s}).out, QByteArray("worker/1: " + named));
        QCOMPARE(f.ctl({u"why"_s, u"1"_s, u"--attempt"_s, u"1"_s}).out, QByteArray("worker/1: " + named));
        QCOMPARE(f.ctl({u"why"_s, u"1"_s, u"--json"_s}).json()[u"explainedTask"].toString(), u"worker/1"_s);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("alone", {"echo 'no rows' >&2; exit 1"})).status, 1);
        QVERIFY(!f.ctl({u"why"_s, u"2"_s}).out.startsWith("worker/0"));
    }

    // A prerequisite prints to the output of the task like the commands.
    void failedPreparation()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/prepared.yaml"_s,
            job("prepared", {"echo never"},
                "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: x}\n"
                "  - protocolVersion: 2\n    name: fetch\n    type: script\n    callbacks:\n      - event: "
                "taskStarts\n        commands:\n"
                "          - echo fetching\n          - cat /nowhere-at-all/data.csv\n",
                "    prerequisites: [fetch]\n"));
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 1);
        auto why = f.ctl({u"why"_s, u"prepared"_s});
        QVERIFY2(why.out.startsWith("The prerequisite or plugin fetch failed with status 1. /nowhere-at-all/data.csv "
                                    "does not exist where the command runs"),
            QByteArray(why.out + why.err).constData());
        QVERIFY2(why.out.contains("  Line 2: cat: /nowhere-at-all/data.csv: No such file"), why.out.constData());
        why = f.ctl({u"why"_s, u"prepared"_s, u"--json"_s});
        QCOMPARE(why.json().object().value("cause"_L1).toString(), u"file-missing"_s);
        const QByteArray shown = f.ctl({u"show"_s, u"prepared"_s}).out;
        QVERIFY2(
            shown.contains("fetch failed with status 1. /nowhere-at-all/data.csv does not exist"), shown.constData());
    }

    // Only the index of the output tells that these words are those of an error.
    void lastWordsOnStandardError()
    {
        ProgramsFixture f;
        const QString said
            = f.write(u"work/said.yaml"_s, job("said", {"echo 'epoch 1'", "echo 'Goodbye, world' >&2", "exit 1"}));
        QCOMPARE(f.ctl({u"run"_s, said, u"--wait"_s}).status, 1);
        QCOMPARE(
            f.ctl({u"why"_s, u"said"_s, u"--json"_s}).json().object().value("cause"_L1).toString(), u"program-error"_s);
        const QString told
            = f.write(u"work/told.yaml"_s, job("told", {"echo 'epoch 1'", "echo 'Goodbye, world'", "exit 1"}));
        QCOMPARE(f.ctl({u"run"_s, told, u"--wait"_s}).status, 1);
        QCOMPARE(f.ctl({u"why"_s, u"told"_s, u"--json"_s}).json().object().value("cause"_L1).toString(), u"unknown"_s);
    }

    // It is not the one of the terminal, so its name is told.
    void pythonWithoutAModule()
    {
        if (QStandardPaths::findExecutable(u"python3"_s).isEmpty()) {
            QSKIP("python3 is not installed: install the package python3.");
        }
        ProgramsFixture f;
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, job("imports", {"python3 -c 'import no_such_module_of_anybody'"}))
                .status,
            1);
        // What the task found is written a moment after it has started.
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"why"_s, u"1"_s}).out.contains("its commands began with /"), 20000);
        const QByteArray why = f.ctl({u"why"_s, u"1"_s}).out;
        QVERIFY2(
            why.contains("no_such_module_of_anybody") && why.contains("extras.trainyard.environment"), why.constData());
    }

    // What a status alone decides is told by `ps` and `show` as `why` tells it.
    void sameWordsInLists()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/refused.yaml"_s,
            job("refused",
                {"echo 'usage: train.py [-h] [--lr LR]' >&2",
                    "echo 'train.py: error: unrecognized arguments: --epochs 10' >&2", "exit 2"}));
        // The status is the program's, not the code that stands for what its output says.
        QCOMPARE(f.ctl({u"run"_s, file, u"--wait"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, file, u"--foreground"_s}).status, 2);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"code=2"_s, u"--format"_s, u"{code}"_s}).out.trimmed(), "2"_ba);
        const QJsonObject ended = f.ctl({u"show"_s, u"refused"_s, u"--json"_s}).json().object();
        QCOMPARE(ended.value("engine"_L1).toObject().value("exitStatus"_L1).toInt(), 2);
        QCOMPARE(ended.value("jobStatus"_L1).toObject().value("appExitCode"_L1).toInt(), 228);
        const QByteArray told = f.ctl({u"why"_s, u"refused"_s}).out;
        QVERIFY2(told.contains("called with wrong arguments") && told.contains("--epochs 10"), told.constData());
        const QByteArray shown = f.ctl({u"show"_s, u"refused"_s}).out;
        QVERIFY2(
            shown.contains("worker/0: The program was called with wrong arguments") && !shown.contains("(code 228)"),
            shown.constData());
        QVERIFY2(shown.contains("exit status 2\n"), shown.constData());
    }

    void killedFromOutside()
    {
        ProgramsFixture f;
        // Otherwise all of its retries may be over before it is stopped.
        QCOMPARE(f.ctl({u"settings"_s, u"retry.pauseSeconds"_s, u"3600"_s}).status, 0);
        const QString file
            = f.write(u"work/killed.yaml"_s, job("killed", {"echo 'epoch 1'", "bash -c 'sleep 0.1; kill -9 $$'"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        // Such an end is tried again.
        QTRY_COMPARE_WITH_TIMEOUT(
            f.ctl({u"why"_s, u"killed"_s, u"worker/0"_s, u"--attempt"_s, u"1"_s}).status, 0, 30000);
        const auto why = f.ctl({u"why"_s, u"killed"_s, u"worker/0"_s, u"--attempt"_s, u"1"_s});
        const QByteArray cause = why.out.left(why.out.indexOf('\n')); // the advice has words of its own
        QVERIFY2(cause.contains("SIGKILL") && !cause.contains("ran out"), why.out.constData());
        f.ctl({u"stop"_s, u"killed"_s});
        QCOMPARE(f.ctl({u"wait"_s, u"killed"_s}).status, 130);
        // While it waits for its retry: both what it waits for and why it has to.
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        const auto isWaiting = [&f] { return f.ctl({u"ps"_s, u"--wide"_s}).out.contains("Waits to try again"); };
        QTRY_VERIFY(isWaiting());
        const QByteArray both = f.ctl({u"why"_s, u"2"_s}).out;
        QVERIFY2(both.contains("Waits to try again") && both.contains("SIGKILL"), both.constData());
        f.ctl({u"stop"_s, u"2"_s});
    }
};

TRAINYARD_TEST(TstCliWhyJobs)
#include "tst_cliwhyjobs.moc"
