// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/paths.h"
#include "tests/daemon/fakeengine.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QRegularExpression>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is said of a job before and while it is submitted from the command line, and what is given beside its file.
class TstCliSubmit : public QObject
{
    Q_OBJECT

    static bool waitForEnd(QProcess &process, int ms = 15000)
    {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, ms);
    }

private Q_SLOTS:
    void refusals()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, u"no-such.yaml"_s}).status, 2);
        QCOMPARE(f.ctl({u"engine"_s, u"status"_s}).status, 3);
        QCOMPARE(f.daemonPid(), 0);
        auto run = f.ctl({u"run"_s, u"-"_s}, "name: [");
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("standard input:"), run.err.constData());
        QVERIFY2(run.err.contains("trainyardctl check -"), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s},
            EngineFixture::document(
                "big", EngineFixture::role("w", 1, {"true"}, {}, "{cpu: 1, memoryMB: 999999999, gpu: 0}")));
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("999999999"), run.err.constData());
        // The figures come as an edit too, and the edited job runs.
        const QString big = f.write(u"work/big.yaml"_s,
            EngineFixture::document(
                "big", EngineFixture::role("w", 1, {"true"}, {}, "{cpu: 1, memoryMB: 999999999, gpu: 99}")));
        run = f.ctl({u"run"_s, big});
        QCOMPARE(run.status, 4);
        const QString said = QString::fromUtf8(run.err);
        QStringList edit{u"edit"_s, u"-i"_s, big};
        static const QRegularExpression change(u"--set '?(/taskRoles/w/resourcePerInstance/(?:gpu|memoryMB)=\\d+)"_s);
        auto changes = change.globalMatch(said);
        while (changes.hasNext()) {
            edit << u"--set"_s << changes.next().captured(1);
        }
        QVERIFY2(edit.size() == 7 && said.contains(big), run.err.constData());
        QCOMPARE(f.ctl(edit).status, 0);
        run = f.ctl({u"run"_s, u"--wait"_s, big});
        QVERIFY2(run.status == 0, run.err.constData());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--on"_s, u"nowhere"_s}, EngineFixture::job("x", {"true"})).status, 3);
        run = f.ctl(
            {u"run"_s, u"-"_s, u"--name"_s, u"a.b"_s}, EngineFixture::job("x", {"true"})); // nor could its file have it
        QVERIFY2(run.status == 4 && run.err.contains("'a.b' is not a valid job name"), run.err.constData());
        QCOMPARE(f.ctl({u"show"_s, u"99"_s}).status, 2);
        QCOMPARE(f.ctl({u"stop"_s, u"nosuch"_s}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--param"_s, u"novalue"_s}, EngineFixture::job("x", {"true"})).status, 2);
    }

    // 'run' and 'check' find the same in a text and say it in the same words.
    void findings()
    {
        ProgramsFixture f;
        const QByteArray good = EngineFixture::job("found", {"echo '<% $parameters.rate %>'"});
        const QString broken = f.write(u"work/broken.yaml"_s, QByteArray(good).replace("type: job", "type job"));
        auto check = f.ctl({u"check"_s, broken});
        auto run = f.ctl({u"run"_s, broken});
        QCOMPARE(run.status, 4);
        const QByteArray cause = check.out.left(check.out.indexOf("This job cannot run"));
        QVERIFY2(cause.contains(": error: ") && cause.contains("^") && run.err.startsWith(cause), run.err.constData());
        QVERIFY2(run.err.contains(QByteArray("trainyardctl check " + broken.toUtf8())), run.err.constData());

        // What does not keep the job from running is said before it is submitted; notes are for 'check'.
        const QString odd = f.write(u"work/odd.yaml"_s, good + "parameters:\n  unused: 1\n");
        check = f.ctl({u"check"_s, odd});
        QVERIFY2(check.out.contains("[template.unknown-parameter]") && check.out.contains("[parameter.unused]"),
            check.out.constData());
        run = f.ctl({u"run"_s, odd, u"--wait"_s});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.startsWith(QByteArray(odd.toUtf8() + ":"))
                && run.err.contains("warning: There is no parameter 'rate'") && !run.err.contains("[parameter.unused]"),
            run.err.constData());
        run = f.ctl({u"run"_s, odd, u"--wait"_s, u"--param"_s, u"rate=1"_s});
        QVERIFY2(run.status == 0 && !run.err.contains("warning"), run.err.constData());
        run = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--yes"_s, u"--with"_s, odd});
        QVERIFY2(run.status == 0 && run.err.contains("warning: There is no parameter 'rate'"), run.err.constData());
        // A script that is missing, and the one that may be meant.
        f.write(u"work/train.py"_s, "print(1)\n");
        const QString typo = f.write(u"work/typo.yaml"_s, EngineFixture::job("typo", {"python3 trian.py"}));
        check = f.ctl({u"check"_s, typo});
        QVERIFY2(
            check.out.contains("warning: There is no file 'trian.py'") && check.out.contains("fix: Use 'train.py'"),
            check.out.constData());
        run = f.ctl({u"run"_s, typo, u"--wait"_s});
        QVERIFY2(run.err.contains("There is no file 'trian.py'"), run.err.constData());
        const auto why = f.ctl({u"why"_s, u"typo"_s});
        QVERIFY2(
            why.out.contains("Run train.py instead. There is no trian.py in the work folder."), why.out.constData());
        // Where the submission named another folder, it is that one which counts.
        f.write(u"elsewhere/tarin.py"_s, "print(1)\n");
        const QString apart = f.write(u"work/apart.yaml"_s, EngineFixture::job("apart", {"python3 train.py"}));
        run = f.ctl({u"run"_s, apart, u"--work"_s, f.path(u"elsewhere"_s), u"--wait"_s});
        QCOMPARE(run.status, 2);
        const auto there = f.ctl({u"why"_s, u"apart"_s});
        QVERIFY2(there.out.contains("Run tarin.py instead."), there.out.constData());
        run = f.ctl(
            {u"run"_s, f.write(u"work/train.yaml"_s, EngineFixture::job("train", {"python3 train.py"})), u"--wait"_s});
        QVERIFY2(run.status == 0 && !run.err.contains("There is no file"), run.err.constData());
        // What another system alone does not do is for 'check' as well.
        const QString here = f.write(u"work/here.yaml"_s,
            EngineFixture::job("here", {"true"})
                .replace("taskRoles:\n",
                    "  - {name: p, type: script, callbacks: [{event: taskStarts, commands: ['true']}]}\n"
                    "taskRoles:\n"));
        check = f.ctl({u"check"_s, here});
        QVERIFY2(check.out.contains("[prerequisite.no-plugin]"), check.out.constData());
        run = f.ctl({u"run"_s, here, u"--wait"_s});
        QVERIFY2(run.status == 0 && !run.err.contains("names no plugin"), run.err.constData());
        run = f.ctl({u"retry"_s, u"1"_s, u"--with"_s, broken});
        QVERIFY2(run.status == 4 && run.err.startsWith(cause), run.err.constData());
    }

    // Whoever waits hears of each retry, and once what can be done about them.
    void retriesAreSaid()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 2}, {u"retry.freeCap"_s, 2}});
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("killed", {"kill -9 $$"}));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("(1 of 2)") && run.err.contains("(2 of 2)"), run.err.constData());
        QCOMPARE(run.err.count("'trainyardctl stop 1' gives the job up"), 1);
        QCOMPARE(run.err.count("'trainyardctl settings retry.freeCap 0' forbids"), 1);
    }

    // A value that was given beside the file gives way to the one of the text of a retry, and to nothing else.
    void retriedWithOtherParameters()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QByteArray text = EngineFixture::job("tried", {"echo \"got <% $parameters.x %> <% $parameters.y %>\""});
        const QString file = f.write(u"work/tried.yaml"_s, text + "parameters: {x: 1, y: 1}\n");
        auto run = f.ctl({u"run"_s, file, u"--wait"_s, u"--param"_s, u"x=3"_s, u"--param"_s, u"y=4"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        const QString edited = f.write(u"work/edited.yaml"_s, text + "parameters: {x: 2}\n");
        run = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s, u"--yes"_s, u"--with"_s, edited});
        QVERIFY2(run.status == 0, run.err.constData());
        QByteArray log = f.ctl({u"logs"_s, u"1"_s}).out;
        QVERIFY2(log.contains("got 2 4"), log.constData());
        const auto shown = [&f] {
            return f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json()["engine"_L1]["parameters"_L1];
        };
        QCOMPARE(shown(), QJsonValue(QJsonObject{{u"x"_s, 2}, {u"y"_s, 4}}));
        run = f.ctl({u"retry"_s, u"1"_s, u"--wait"_s}); // as it was the last time
        QVERIFY2(run.status == 0, run.err.constData());
        log = f.ctl({u"logs"_s, u"1"_s}).out;
        QVERIFY2(log.contains("got 2 4"), log.constData());
        QCOMPARE(shown(), QJsonValue(QJsonObject{{u"x"_s, 2}, {u"y"_s, 4}}));
    }

    // What only a cluster refuses is for 'check'. A short or an empty secret, and one that is a parameter too, are not.
    void toldOfSecrets()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/told.yaml"_s,
            EngineFixture::job("told", {"echo '<% $secrets.token %>'"}) + "secrets: {token: '******'}\n"
                + "parameters: {p: long-enough}\n");
        const QString given = f.write(u"given"_s, "long-enough\n");
        const QString small = f.write(u"small"_s, "tiny\n");
        auto run = f.ctl({u"run"_s, file, u"--wait"_s, u"--secret"_s, u"token=@"_s + given});
        QVERIFY2(run.status == 0 && run.err.contains("The parameter p has the value of the secret token"),
            run.err.constData());
        run = f.ctl({u"run"_s, file, u"--wait"_s, u"--secret"_s, u"token=@"_s + small});
        QVERIFY2(
            run.status == 0 && run.err.contains("are not masked") && run.err.contains("token"), run.err.constData());
        run = f.ctl({u"run"_s, file, u"--secret"_s, u"token=@"_s + f.write(u"empty"_s, "\n")});
        QVERIFY2(run.status == 2 && run.err.contains("is empty"), run.err.constData());
        const QString imageless = f.write(u"work/imageless.yaml"_s,
            QByteArray(EngineFixture::job("imageless", {"true"})).replace("dockerImage: image", "taskRetryCount: 0"));
        QVERIFY(f.ctl({u"check"_s, imageless}).out.contains("role.image.none"));
        run = f.ctl({u"run"_s, imageless, u"--wait"_s});
        QVERIFY2(run.status == 0 && !run.err.contains("warning"), run.err.constData());
        // A file gets every byte, also of what a terminal would draw over.
        const QString drawn = f.write(u"work/drawn.yaml"_s, EngineFixture::job("drawn", {"printf 'kept\\rlast\\n'"}));
        run = f.ctl({u"run"_s, drawn, u"--follow"_s});
        QVERIFY2(run.status == 0 && run.out.contains("kept\rlast\n"), run.out.constData());
    }

    // A name that is given beside the file is the name of the job, also of one that has none.
    void namedBesideTheFile()
    {
        ProgramsFixture f;
        const QByteArray whole = EngineFixture::job("own", {"echo $PAI_JOB_NAME $EXTRA"});
        for (const QByteArray &name : {QByteArray(), QByteArray("name: not.valid\n"), QByteArray("name:\n")}) {
            const QString file
                = f.write(u"work/unnamed.yaml"_s, QByteArray(whole).replace("name: own\n", name.constData()));
            auto run = f.ctl({u"run"_s, file});
            QVERIFY2(run.status == 4 && run.err.contains("name"), run.err.constData());
            run = f.ctl({u"run"_s, file, u"--follow"_s, u"--name"_s, u"given"_s, u"--env"_s, u"EXTRA=too"_s});
            QVERIFY2(run.status == 0 && !run.err.contains("error"), run.err.constData());
            QVERIFY2(run.out.contains("~given") && run.out.contains(" too\n"), run.out.constData());
        }
        // What else is wrong is still said, and only that.
        const QString file = f.write(
            u"work/wrong.yaml"_s, QByteArray(whole).replace("name: own\n", "").replace("instances:", "instancesss:"));
        const auto run = f.ctl({u"run"_s, file, u"--name"_s, u"given"_s});
        QVERIFY2(!run.err.contains("'name' is missing"), run.err.constData());
    }

    // As a cluster would, without a word about it in the file: its verdict, and what its runtime does.
    void strict()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("letter",
            EngineFixture::role("w", 1, {"echo got ${STEP-nothing}"}, "    prerequisites: [step]\n"),
            "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: x}\n"
            "  - {protocolVersion: 2, name: step, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd,\n"
            "     callbacks: [{event: taskStarts, commands: ['export STEP=something']}]}\n");
        const QString file = f.write(u"work/letter.yaml"_s, yaml);
        auto run = f.ctl({u"run"_s, file, u"--follow"_s});
        QVERIFY2(run.out.contains("got something"), QByteArray(run.out + run.err).constData());
        run = f.ctl({u"run"_s, file, u"--follow"_s, u"--strict"_s});
        QVERIFY2(run.out.contains("got nothing"), QByteArray(run.out + run.err).constData());
        QCOMPARE(EngineFixture::contents(file), yaml);
        // What was run says so itself: another attempt is strict too.
        QCOMPARE(f.ctl({u"retry"_s, u"2"_s, u"--wait"_s}).status, 0);
        const QByteArray again = f.ctl({u"logs"_s, u"2"_s}).out;
        QVERIFY2(again.contains("got nothing"), again.constData());

        // A cluster reads no number in a text.
        const QString loose = f.write(u"work/loose.yaml"_s, QByteArray(yaml).replace("instances: 1", "instances: '1'"));
        QCOMPARE(f.ctl({u"run"_s, loose, u"--wait"_s}).status, 0);
        run = f.ctl({u"run"_s, loose, u"--wait"_s, u"--strict"_s});
        QCOMPARE(run.status, 4);
        QVERIFY2(run.err.contains("loose.yaml:") && run.err.contains("An OpenPAI server would refuse this job"),
            run.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().size(), 3);
    }

    // Asked for once more with the same key, it is the same job.
    void submittedOnce()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        const QString file = f.write(u"work/once.yaml"_s, EngineFixture::job("once", {"echo x >>count"}));
        const QStringList run{u"run"_s, file, u"--key"_s, u"night 7"_s};
        const auto first = f.ctl(run + QStringList{u"--wait"_s});
        QVERIFY2(first.status == 0, first.err.constData());
        const auto second = f.ctl(run);
        QCOMPARE(second.status, 0);
        QCOMPARE(second.out, "1\n");
        QVERIFY2(
            second.err.contains("Job #1 (once) was already submitted with the key 'night 7'."), second.err.constData());
        QCOMPARE(f.ctl(run + QStringList{u"--wait"_s}).status, 0);
        const auto other = f.ctl(
            {u"run"_s, f.write(u"work/other.yaml"_s, EngineFixture::job("other", {"true"})), u"--key"_s, u"night 7"_s});
        QCOMPARE(other.status, 4);
        QVERIFY2(other.err.contains("belongs to job #1 (once)"), other.err.constData());
        QCOMPARE(f.ctl({u"run"_s, file, u"--key"_s, QString()}).status, 2);
        QCOMPARE(f.ctl({u"run"_s, file, u"--key"_s, u"k"_s.repeated(256)}).status, 4);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 1);
        QCOMPARE(EngineFixture::contents(f.path(u"work/count"_s)), "x\n");
        // Also after a restart, until the job is removed.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(f.ctl(run).out, "1\n");
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl(run).out, "2\n");
    }

    // An engine that is lost while it is asked may have the job: it is asked again, with the same key.
    void submittedToALostEngine()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        const QString file = f.write(u"work/lost.yaml"_s, EngineFixture::job("lost", {"true"}));
        FakeEngine engine(f.socketPath());
        QStringList keys;
        int answered = 2; // the submission that gets an answer
        engine.onSubmit = [&](const SubmitRequest &request) -> std::optional<SubmitReply> {
            keys.append(request.key);
            if (keys.size() < answered) {
                return std::nullopt;
            }
            const QJsonObject args{{u"key"_s, request.key}, {u"job"_s, 7}, {u"name"_s, u"lost"_s}};
            return SubmitReply{7, u"uuid"_s, {JobNote{u"submit.known"_s, args}}};
        };
        const auto run = f.startCtl({u"run"_s, file});
        QVERIFY(waitForEnd(*run));
        QCOMPARE(run->readAllStandardError(), QByteArray());
        QCOMPARE(run->readAllStandardOutput(), "7\n");
        QCOMPARE(keys.size(), 2);
        QVERIFY(!keys.constFirst().isEmpty());
        QCOMPARE(keys.constFirst(), keys.constLast());
        const QString first = keys.constFirst();

        // Each command has a key of its own, and one that is given is the one that is used.
        keys.clear();
        const auto named = f.startCtl({u"run"_s, file, u"--key"_s, u"night 7"_s});
        QVERIFY(waitForEnd(*named));
        QCOMPARE(keys, (QStringList{u"night 7"_s, u"night 7"_s}));
        QVERIFY(named->readAllStandardError().contains("was already submitted with the key 'night 7'."));

        // When that does not help either, the message says what does.
        keys.clear();
        answered = 1000;
        const auto lost = f.startCtl({u"run"_s, file});
        QVERIFY(waitForEnd(*lost));
        QCOMPARE(lost->exitCode(), 3);
        QVERIFY(keys.size() > 1 && keys.constFirst() == keys.constLast() && keys.constFirst() != first);
        const QByteArray said = lost->readAllStandardError();
        QVERIFY2(said.contains("it is not known whether it has the job"), said.constData());
        const QByteArray how = "add --key " + keys.constFirst().toUtf8() + '.';
        QVERIFY2(said.contains("'trainyardctl ps' shows whether the engine has the job.") && said.contains(how),
            said.constData());
    }

    // From the request on, Ctrl+C is answered with what is known: the job may be there, and goes on.
    void interruptedWhileItIsSubmitted()
    {
        ProgramsFixture f;
        QVERIFY(paths::ensurePrivateFolder(paths::runtimeFolder()));
        const QString file = f.write(u"work/halted.yaml"_s, EngineFixture::job("halted", {"true"}));
        FakeEngine engine(f.socketPath());
        const auto isInterrupted = [](QProcess &run, const QByteArray &what) {
            QVERIFY(waitForEnd(run));
            QCOMPARE(run.exitStatus(), QProcess::NormalExit);
            QCOMPARE(run.exitCode(), 130);
            const QByteArray said = run.readAllStandardError();
            QVERIFY2(said.contains(what), said.constData());
        };
        const auto silent = f.startCtl({u"run"_s, file});
        QTRY_COMPARE_WITH_TIMEOUT(engine.unanswered(), 1, 20000);
        ::kill(static_cast<pid_t>(silent->processId()), SIGINT);
        isInterrupted(*silent, "Whether the job was submitted is not known; 'trainyardctl ps' shows it.");

        // The answer comes just behind the signal.
        for (const QString &option : {u"--json"_s, u"--wait"_s, u"--follow"_s}) {
            std::unique_ptr<QProcess> run;
            engine.onSubmit = [&](const SubmitRequest &) {
                ::kill(static_cast<pid_t>(run->processId()), SIGINT);
                return std::optional(SubmitReply{7, u"uuid"_s, {}});
            };
            run = f.startCtl({u"run"_s, file, option});
            isInterrupted(*run, "'trainyardctl logs -f 7' follows it again, 'trainyardctl stop 7' stops it.");
        }
    }

    // Variables of the command line are the job's own from then on.
    void environmentVariables()
    {
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}});
        qputenv("TY_OF_THIS_SHELL", "from here");
        const QString file = f.write(u"work/env.yaml"_s,
            EngineFixture::job("env", {"echo \"$GREETING|$TY_OF_THIS_SHELL|$OMP_NUM_THREADS|$EMPTY|\""}));
        const QByteArray before = EngineFixture::contents(file);
        const auto run = f.ctl({u"run"_s, file, u"--wait"_s, u"--env"_s, u"GREETING=it's \"so\": #1"_s, u"--env"_s,
            u"TY_OF_THIS_SHELL"_s, u"--env"_s, u"OMP_NUM_THREADS=3"_s, u"--env"_s, u"EMPTY="_s});
        qunsetenv("TY_OF_THIS_SHELL");
        QVERIFY2(run.status == 0, run.err.constData());
        const QByteArray said = "it's \"so\": #1|from here|3||\n";
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s}).out, said);
        QCOMPARE(EngineFixture::contents(file), before);
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s, u"--wait"_s}).status, 0);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s}).out, said);
        for (const QString &word : {u"1X=2"_s, u"PAI_JOB_NAME=x"_s, u"=x"_s, u"TY_OF_THIS_SHELL"_s}) {
            QCOMPARE(f.ctl({u"run"_s, file, u"--env"_s, word}).status, 2);
        }
        for (const QString &word : {u"MY_TOKEN=sekret"_s, u"WANDB_API_KEY=0123456789abcdef"_s}) {
            const auto shown = f.ctl({u"run"_s, file, u"--env"_s, word});
            const QByteArray name = word.section(u'=', 0, 0).toLatin1();
            QCOMPARE(shown.status, 0);
            QVERIFY2(shown.err.contains(QByteArray(name + " looks like a secret")), shown.err.constData());
            QVERIFY2(shown.err.contains(QByteArray("--secret " + name.toLower() + "=@FILE")), shown.err.constData());
            QVERIFY(!shown.err.contains(word.section(u'=', 1).toUtf8()));
        }
        for (const QString &word : {u"MAX_TOKEN=100"_s, u"GREETING=hello"_s, u"HF_TOKEN=/run/token"_s}) {
            const auto quiet = f.ctl({u"run"_s, file, u"--env"_s, word});
            QVERIFY2(!quiet.err.contains("looks like a secret"), quiet.err.constData());
        }
        const auto both = f.ctl({u"run"_s, file, u"--strict"_s, u"--env"_s, u"A=1"_s});
        QCOMPARE(both.status, 2);
        QVERIFY2(both.err.contains("Use --strict or --env, not both. A strict job"), both.err.constData()); // and why
        const auto bad = f.ctl(
            {u"run"_s, u"-"_s}, EngineFixture::job("bad", {"true"}) + "extras: {trainyard: {variables: {PAI_X: 1}}}\n");
        QCOMPARE(bad.status, 4);
        QVERIFY2(bad.err.contains("'PAI_X' is not a valid name of a variable"), bad.err.constData());
    }

    void parametersAndSecrets()
    {
        ProgramsFixture f;
        const QByteArray yaml = EngineFixture::document("secretive",
            EngineFixture::role("w", 1,
                {"echo lr=<% $parameters.lr %>; v=\"<% $secrets.token %>\"; [ ${v:0:3}${#v} = tok12 ] && echo "
                 "matched"}),
            "parameters: {lr: 0.1}\nsecrets: {token: \"******\"}\n");
        auto run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=tok-en-value"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY(!run.err.contains("tok-en-value"));
        run = f.ctl({u"run"_s, u"-"_s, u"--param"_s, u"learning=0.5"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("no parameter 'learning'. It has: lr"), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s, u"--param"_s, u"lr=banana"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("'banana' is not a number, but lr is one in the job."), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"tokn=@/dev/null"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("no secret 'tokn'. It has: token"), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"tokn=@/dev/null"_s},
            EngineFixture::document(
                "masked", EngineFixture::role("w", 1, {"echo \"<% $secrets.token %>\""}), "secrets: \"******\"\n"));
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("no secret 'tokn'. It uses: token. Did you mean 'token'?"), run.err.constData());
        run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=@missing"_s}, yaml);
        QCOMPARE(run.status, 2);
        for (const QByteArray &notText : {QByteArray("tok\0en", 6), QByteArray("\xff\xfe")}) {
            run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=@"_s + f.write(u"work/binary"_s, notText)}, yaml);
            QCOMPARE(run.status, 2);
            QVERIFY2(run.err.contains("is not text"), run.err.constData());
        }
        // Standard input is the job already, and can be the value otherwise; only of one secret.
        run = f.ctl({u"run"_s, u"-"_s, u"--secret"_s, u"token=@-"_s}, yaml);
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("only once"), run.err.constData());
        const QString ofInput = f.write(u"work/input.yaml"_s, yaml);
        run = f.ctl({u"run"_s, ofInput, u"--follow"_s, u"--secret"_s, u"token=@-"_s}, "tok-en-value\n");
        QVERIFY2(run.status == 0 && run.out.contains("matched"), run.err.constData());
        run = f.ctl({u"run"_s, ofInput, u"--secret"_s, u"token=@-"_s}, {});
        QVERIFY2(run.status == 2 && run.err.contains("Standard input is empty"), run.err.constData());
        run = f.ctl({u"run"_s, ofInput, u"--secret"_s, u"token=@-"_s}, "\xff\xfe");
        QVERIFY2(run.status == 2 && run.err.contains("Standard input is not text"), run.err.constData());
        const QString file = f.write(u"work/token"_s, "tok-en-value\n");
        run = f.ctl(
            {u"run"_s, u"-"_s, u"--follow"_s, u"--param"_s, u"lr=0.5"_s, u"--secret"_s, u"token=@"_s + file}, yaml);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(run.out.contains("lr=0.5") && run.out.contains("matched"), run.out.constData());
        qputenv("TY_TEST_SECRET", "tok-en-value");
        run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--secret"_s, u"token=env:TY_TEST_SECRET"_s}, yaml);
        qunsetenv("TY_TEST_SECRET");
        QVERIFY2(run.status == 0, run.err.constData());
        // Nowhere on the disk but where we put it.
        QVERIFY(QFile::remove(file));
        QDirIterator it(f.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        int files = 0;
        while (it.hasNext()) {
            const QString name = it.next();
            ++files;
            QVERIFY2(!EngineFixture::contents(name).contains("tok-en-value"), qPrintable(name));
        }
        QVERIFY(files > 5);
    }
};

TRAINYARD_TEST(TstCliSubmit)
#include "tst_clisubmit.moc"
