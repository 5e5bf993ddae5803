// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts and people who come from other schedulers expect of the command line.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>

#include <algorithm>

using namespace Qt::StringLiterals;

class TstCliWords : public QObject
{
    Q_OBJECT

    static QByteArrayList linesOf(const QByteArray &text)
    {
        QByteArrayList lines = text.split('\n');
        lines.removeAll(QByteArray());
        return lines;
    }

private Q_SLOTS:
    void typingErrors_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("hint");
        const auto row = [](const QStringList &arguments, const char *hint) {
            QTest::newRow(qPrintable(arguments.join(u' '))) << arguments << QByteArray(hint);
        };
        row({u"lgos"_s, u"1"_s}, "Did you mean 'logs'?");
        row({u"run"_s, u"--folow"_s, u"x"_s}, "Did you mean '--follow'?");
        row({u"ps"_s, u"state:faild"_s}, "Did you mean 'failed'?");
        row({u"ps"_s, u"state:foo"_s},
            "The states are: waiting, running, stopping, succeeded, failed, stopped, unknown, active, ended, paused.");
        row({u"ps"_s, u"--state"_s, u"failed"_s}, "It is a condition here: trainyardctl ps state:failed");
        row({u"ps"_s, u"--tag=base"_s}, "It is a condition here: trainyardctl ps tag:base");
        row({u"ps"_s, u"--sort"_s, u"nmae"_s}, "Did you mean 'name'?");
        row({u"ps"_s, u"--format"_s, u"{sate}"_s}, "Did you mean 'state'?");
        row({u"hosts"_s, u"remvoe"_s}, "Did you mean 'remove'?");
        row({u"engine"_s, u"stpo"_s}, "Did you mean 'stop'?");
        row({u"rm"_s, u"--state"_s, u"running"_s}, "The states are: succeeded, failed, stopped.");
        row({u"rm"_s, u"--older-than"_s, u"soon"_s}, "--older-than takes a time span");
        row({u"rm"_s, u"--older-than"_s, u"5"_s, u"--yes"_s},
            "--older-than takes a time span with its unit (90s, 10m, 2h, 7d, 4w), not '5'.");
        row({u"logs"_s, u"1"_s, u"--since"_s, u"soon"_s}, "--since takes a time span");
        row({u"logs"_s, u"1"_s, u"--since"_s, u"10"_s}, "--since takes a time span with its unit");
        row({u"rm"_s, u"before:5"_s, u"--yes"_s},
            "'5' has no unit. Give 5s, 5m, 5h, 5d or 5w for seconds, minutes, hours, days or weeks.");
        row({u"completion"_s, u"fisch"_s}, "Did you mean 'fish'?");
        row({u"logs"_s, u"1"_s, u"worker"_s, u"0"_s}, "'0' has no meaning there: logs takes JOB [ROLE | ROLE/INDEX].");
        row({u"move"_s, u"1"_s, u"2"_s}, "'2' has no meaning there: move takes one job.");
        row({u"stop"_s, u"41"_s, u"worker/1"_s}, "worker/1 names a task, and only a whole job can be stopped");
        row({u"stop"_s, u"note:x/1"_s}, "No job matches 'note:x/1'.");
        row({u"pause"_s, u"worker/1"_s}, "worker/1 names a task, and only a whole job can be stopped");
        row({u"resume"_s, u"41"_s, u"worker/1"_s}, "worker/1 names a task, and only a whole job can be stopped");
        row({u"logs"_s}, "Which job?");
        row({u"rm"_s, u"state:Faild"_s}, "There is no state 'Faild'.");
        row({u"stop"_s, u"tga:mix"_s}, "'tga:mix' is neither a job nor a condition that finds jobs.");
        row({u"stop"_s, u"failed"_s}, "There is no job failed. Did you mean the jobs of 'state:failed'?");
        row({u"why"_s, u"tag:none"_s}, "No job matches 'tag:none'.");
        row({u"compare"_s, u"38-46"_s}, "No job matches '38-46'.");
        row({u"run"_s, u"x.yaml"_s, u"--foreground"_s, u"--key"_s, u"k"_s}, "--foreground or --key, not both.");
        row({u"run"_s, u"x.yaml"_s, u"--foreground"_s, u"--after"_s, u"1"_s}, "--foreground or --after, not both.");
    }

    void typingErrors()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, hint);
        const ProgramsFixture f;
        const ProgramsFixture::Output said = f.ctl(arguments);
        QCOMPARE(said.status, 2);
        QVERIFY2(said.err.contains(hint), said.err.constData());
        QCOMPARE(said.out, QByteArray());
    }

    // A script can use what is printed, and a shell takes '#' for the beginning of a comment.
    void numbersOfJobs()
    {
        ProgramsFixture f;
        const ProgramsFixture::Output run = f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("one", {"echo out"}));
        QCOMPARE(run.out, "1\n");
        for (const QString &word : {u"1"_s, u"#1"_s, u"one"_s}) {
            QCOMPARE(f.ctl({u"wait"_s, word}).status, 0);
        }
        const ProgramsFixture::Output both = f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("two", {"exit 3"}));
        QCOMPARE(both.out, "2\n");
        const ProgramsFixture::Output waited = f.ctl({u"wait"_s, u"--json"_s, u"1"_s, u"2"_s});
        QCOMPARE(waited.status, 3);
        QCOMPARE(waited.json().array().size(), 2);
        QCOMPARE(waited.json().array().at(1).toObject().value("name"_L1).toString(), u"two"_s);
        QVERIFY(f.ctl({u"wait"_s, u"--json"_s, u"1"_s}).json().isObject());

        // Sorted and formatted.
        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id}\\t{name}\\t{state}\\t{code}"_s}).out,
            "1\tone\tSUCCEEDED\t0\n2\ttwo\tFAILED\t3\n");
        // The filter finds the printed status, and the code of the protocol.
        for (const QString &filter : {u"code=3"_s, u"code=255"_s}) {
            QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id} {code}"_s, filter}).out, "2 3\n");
        }
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s, u"two"_s}).json().array().at(0)[u"appExitCode"].toInt(), 255);

        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"-name"_s, u"--format"_s, u"{name}"_s}).out, "two\none\n");
        for (const QString &filter : {u"state:failed"_s, u"failed"_s, u"FAILED"_s, u"-succeeded"_s}) {
            QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s, u"--"_s, filter}).out, "2\n");
        }

        QCOMPARE(f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{tasks}"_s}).out, "1/1\n0/1 (1 failed)\n");

        // For programs: the same values, with the names of their columns.
        QCOMPARE(f.ctl({u"note"_s, u"2"_s, u"a \"b\", c"_s}).status, 0);
        const auto csv = f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--csv"_s});
        const QList<QByteArray> rows = csv.out.split('\n');
        QVERIFY2(rows.size() == 4 && rows.constLast().isEmpty(), csv.out.constData());
        QCOMPARE(rows.at(0), "id,name,state,queue,tasks,time,submitted,host,why,trainyard");
        QVERIFY2(rows.at(1).startsWith("1,one,SUCCEEDED,,1/1,"), csv.out.constData());
        QVERIFY2(rows.at(2).startsWith("2,two,FAILED,,0/1 (1 failed),"), csv.out.constData());
        const auto noted = f.ctl({u"ps"_s, u"--csv"_s, u"--format"_s, u"{id}\\t{note}"_s, u"two"_s});
        QVERIFY2(noted.out.startsWith("id,note,trainyard\n2,\"a \"\"b\"\", c\","), noted.out.constData());
        QCOMPARE(noted.out.count('\n'), 2);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id} {command}"_s, u"command:exit"_s}).out, "2 exit 3\n");
        QCOMPARE(f.ctl({u"ps"_s, u"--csv"_s, u"nosuchjob"_s}).out, QByteArray(rows.at(0) + '\n'));
        const auto none = f.ctl({u"ps"_s, u"--csv"_s, u"--format"_s, u"id"_s});
        QVERIFY2(none.status == 2 && none.err.contains("--format names no column for --csv."), none.err.constData());
        for (const QString &other : {u"--json"_s, u"--watch"_s, u"--causes"_s}) {
            QCOMPARE(f.ctl({u"ps"_s, u"--csv"_s, other}).status, 2);
        }

        const ProgramsFixture::Output late = f.ctl({u"logs"_s, u"1"_s, u"--attempt"_s, u"9"_s});
        QCOMPARE(late.status, 2);
        QVERIFY2(late.err.contains("#1 one has 1 attempt."), late.err.constData());
    }

    // A list that ends before the jobs do says so, and only then.
    void jobsThatAreLeftOut()
    {
        ProgramsFixture f;
        const QString file
            = f.write(u"work/many.yaml"_s, EngineFixture::job("many", {"true"}, 1, "parameters: {i: 1}\n"));
        const auto sweepOf = [&](const QString &values) {
            return f.ctl({u"sweep"_s, file, u"--param"_s, u"i="_s + values, u"--wait"_s}, {}, 120000).status;
        };
        const auto lines = [](const ProgramsFixture::Output &listed) { return listed.out.count('\n') - 1; };
        QCOMPARE(sweepOf(u"1..20"_s), 0);
        ProgramsFixture::Output listed = f.ctl({u"ps"_s});
        QCOMPARE(lines(listed), 20);
        QCOMPARE(listed.err, QByteArray());
        QCOMPARE(sweepOf(u"21,22"_s), 0);
        listed = f.ctl({u"ps"_s});
        QCOMPARE(lines(listed), 20);
        const QByteArray leftOut = "trainyardctl: 2 older jobs are not shown. With --all they are.\n";
        QCOMPARE(listed.err, leftOut);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).err, leftOut);
        for (const QString &word : {u"--all"_s, u"many"_s}) {
            listed = f.ctl({u"ps"_s, word});
            QCOMPARE(lines(listed), 22);
            QCOMPARE(listed.err, QByteArray());
        }
        // What is sorted is all that there is, and then the first of it is shown.
        listed = f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--format"_s, u"{id}"_s});
        QVERIFY2(listed.out.startsWith("1\n2\n") && listed.out.endsWith("\n20\n"), listed.out.constData());
        QCOMPARE(listed.err,
            QByteArray("trainyardctl: 2 ended jobs that come behind these are not shown. With --all they are.\n"));
        // What is in the archive is not left out by the number.
        QCOMPARE(f.ctl({u"archive"_s, u"1"_s}).status, 0);
        listed = f.ctl({u"ps"_s});
        QCOMPARE(lines(listed), 20);
        QCOMPARE(listed.err, QByteArray("trainyardctl: 1 older job is not shown. With --all it is.\n"));
    }

    // Nothing that matches is not nothing to say.
    void namesThatNoJobHas()
    {
        ProgramsFixture f;
        const QByteArray text = EngineFixture::job("named", {"true"}, 1, "parameters: {batch: 16}\n");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, text).status, 0);
        const ProgramsFixture::Output unknown = f.ctl({u"ps"_s, u"bach<3"_s});
        QCOMPARE(unknown.status, 0);
        QVERIFY2(unknown.out.startsWith("ID") && unknown.out.count('\n') == 1, unknown.out.constData());
        QVERIFY2(unknown.err.contains("No job has a parameter or a result 'bach'. Did you mean 'batch'?"),
            unknown.err.constData());
        const ProgramsFixture::Output dotted = f.ctl({u"ps"_s, u"param.batch>8"_s});
        QVERIFY2(dotted.err.contains("'param.batch'. Did you mean 'param:batch>8'?"), dotted.err.constData());
        QVERIFY(f.ctl({u"ps"_s, u"param:batch>8"_s}).out.contains("named"));
        const ProgramsFixture::Output colon = f.ctl({u"ps"_s, u"batch:16"_s});
        QCOMPARE(colon.status, 2);
        QVERIFY2(colon.err.contains("compared with '=', '<' or '>': 'batch=16'."), colon.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"batch<3"_s}).err, QByteArray());
        QVERIFY(f.ctl({u"ps"_s, u"batch=16,32"_s}).out.contains("named"));
    }

    // Neither changes a job that has ended, and both say so in the same way.
    void pauseAndResumeAfterTheEnd()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("over", {"true"})).status, 0);
        for (const QString &command : {u"pause"_s, u"resume"_s}) {
            const ProgramsFixture::Output refused = f.ctl({command, u"1"_s});
            QCOMPARE(refused.status, 4);
            QCOMPARE(refused.err, "trainyardctl: #1 over has already ended (SUCCEEDED).\n");
            QVERIFY(f.ctl({command, u"--help"_s}).out.simplified().contains("the job has ended"));
        }
    }

    // TASKS counts what is done, as the window does; TIME stands still with the job.
    void columnsOfAList()
    {
        ProgramsFixture f;
        const QByteArray two = EngineFixture::document("two",
            EngineFixture::role("worker", 2, {"[ $PAI_TASK_INDEX = 0 ] || until [ -e go ]; do sleep 0.02; done"}));
        QCOMPARE(f.ctl({u"run"_s, f.write(u"work/two.yaml"_s, two)}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"ps"_s, u"--format"_s, u"{state} {tasks}"_s}).out, "RUNNING 1/2\n", 15000);
        QVERIFY(f.ctl({u"top"_s, u"--once"_s}).out.contains("  1/2  "));
        const ProgramsFixture::Output pause = f.ctl({u"pause"_s, u"1"_s});
        QCOMPARE(pause.status, 0);
        QCOMPARE(pause.err, "trainyardctl: #1 two is paused.\n");
        QVERIFY(f.ctl({u"ps"_s}).out.contains("  PAUSED  "));
        QVERIFY(f.ctl({u"top"_s, u"--once"_s}).out.contains("  PAUSED  "));
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString(), u"RUNNING"_s);
        const QByteArrayList paused = f.ctl({u"ps"_s, u"--format"_s, u"{time} {submitted}"_s}).out.trimmed().split(' ');
        QCOMPARE(paused.size(), 2);
        const QDateTime submitted = QDateTime::fromString(QString::fromLatin1(paused.at(1)), Qt::ISODate);
        QTRY_VERIFY_WITH_TIMEOUT(submitted.secsTo(QDateTime::currentDateTimeUtc()) > paused.at(0).toInt() + 3, 10000);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{time}"_s}).out.trimmed(), paused.at(0));
        // Nor does it catch up with the pause.
        QElapsedTimer running;
        running.start();
        const ProgramsFixture::Output resume = f.ctl({u"resume"_s, u"1"_s});
        QCOMPARE(resume.status, 0);
        QCOMPARE(resume.err, "trainyardctl: #1 two continues.\n");
        const int now = f.ctl({u"ps"_s, u"--format"_s, u"{time}"_s}).out.trimmed().toInt();
        QVERIFY2(now <= paused.at(0).toInt() + 1 + running.elapsed() / 1000, QByteArray::number(now).constData());
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{state} {tasks}"_s}).out, "SUCCEEDED 2/2\n");
        QCOMPARE(f.ctl({u"retry"_s, u"1"_s}).err, "trainyardctl: #1 two runs again.\n");
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        const QByteArray help = f.ctl({u"ps"_s, u"--help"_s}).out.simplified();
        QVERIFY2(help.contains("TASKS is how many of the job's tasks have succeeded, and how many it has.")
                && help.contains("all its attempts together, without pauses"),
            help.constData());
    }

    // The name alone shows a template.
    void templatesByName()
    {
        ProgramsFixture f;
        const QByteArray hello = f.ctl({u"templates"_s, u"show"_s, u"hello"_s}).out;
        QVERIFY(hello.contains("protocolVersion"));
        const ProgramsFixture::Output shown = f.ctl({u"templates"_s, u"hello"_s});
        QCOMPARE(shown.status, 0);
        QCOMPARE(shown.out, hello);
        QCOMPARE(f.ctl({u"templates"_s}).out, f.ctl({u"templates"_s, u"list"_s}).out);
        const QJsonArray listed = QJsonDocument::fromJson(f.ctl({u"templates"_s, u"--json"_s}).out).array();
        const auto row = std::find_if(listed.cbegin(), listed.cend(),
            [](const QJsonValue &each) { return each["name"_L1].toString() == "hello"_L1; });
        QVERIFY(row != listed.cend() && !(*row)["summary"_L1].toString().isEmpty());
        QVERIFY(!(*row)["own"_L1].toBool() && (*row)["path"_L1].isNull());
        QCOMPARE(f.ctl({u"templates"_s, u"list"_s, u"--json"_s}).out, f.ctl({u"templates"_s, u"--json"_s}).out);
        const ProgramsFixture::Output wrong = f.ctl({u"templates"_s, u"helo"_s});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("There is no template 'helo'. Did you mean 'hello'?"), wrong.err.constData());
    }

    // What a setting is for can be learned at the shell.
    void settingsAreExplained()
    {
        ProgramsFixture f;
        const ProgramsFixture::Output one = f.ctl({u"explain"_s, u"tasks.maxParallel"_s});
        QCOMPARE(one.status, 0);
        QVERIFY2(one.out.contains("Tasks of one job without gang allocation") && one.out.contains("whole number from"),
            one.out.constData());
        QVERIFY(f.ctl({u"explain"_s, u"storages.mine"_s}).out.contains("The folder for a storage"));
        // A kind of settings has a default, which one of them has until it is set.
        const ProgramsFixture::Output unset = f.ctl({u"settings"_s, u"storages.mine"_s});
        QCOMPARE(unset.status, 0);
        QCOMPARE(unset.out, "\n");
        QCOMPARE(f.ctl({u"settings"_s, u"storages.mine"_s, u"--json"_s}).json().object().value("storages.mine"_L1),
            QJsonValue(QString()));
        const ProgramsFixture::Output near = f.ctl({u"explain"_s, u"tasks.maxParalel"_s});
        QCOMPARE(near.status, 1);
        QVERIFY2(near.err.contains("Did you mean 'tasks.maxParallel'?"), near.err.constData());
        const QByteArrayList all = linesOf(f.ctl({u"settings"_s}).out);
        QVERIFY(all.contains("    First port that tasks get."));
        QVERIFY(all.contains("ports.first = 15000"));
        for (const QStringList &more : {QStringList(), QStringList{u"7"_s}}) {
            const ProgramsFixture::Output wrong = f.ctl(QStringList{u"settings"_s, u"tasks.maxParalel"_s} + more);
            QCOMPARE(wrong.status, 2);
            QVERIFY2(wrong.err.contains("Did you mean 'tasks.maxParallel'?"), wrong.err.constData());
        }
        // A refusal names the word that is none, and those that are.
        for (const auto &[words, said] : {std::pair{QStringList{u"notify.on"_s, u"failed,done"_s},
                                              "'done' is not valid in the list notify.on. It takes any of these, with "
                                              "blanks or commas between them: running, succeeded, failed, stopped"},
                 {{u"notify.desktop"_s, u"maybe"_s}, "notify.desktop is true or false; 'maybe' is neither."},
                 {{u"containers.runIn"_s, u"moon"_s},
                     "'moon' is not a valid value of containers.runIn. Its values are: host, podman, docker, "
                     "apptainer."},
                 {{u"gpu.exclude"_s, u"1"_s, u"one"_s}, "'one' is not valid in the list gpu.exclude. GPUs that"}}) {
            const ProgramsFixture::Output refused = f.ctl(QStringList{u"settings"_s} + words);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.simplified().contains(said), refused.err.constData());
        }
        QCOMPARE(f.ctl({u"settings"_s, u"notify.on"_s, u"failed,succeeded"_s, u"health"_s}).status, 0);
        QCOMPARE(f.ctl({u"settings"_s, u"notify.on"_s}).out, "[\"failed\",\"succeeded\",\"health\"]\n");
        // A text stays one, whatever it looks like, also when there was none before.
        for (const QString &text : {u"7"_s, u"true"_s, u"null"_s, u"\"quoted\""_s}) {
            QCOMPARE(f.ctl({u"settings"_s, u"storages.new"_s, text}).status, 0);
            QCOMPARE(f.ctl({u"settings"_s, u"storages.new"_s}).out, text.toUtf8() + '\n');
            QCOMPARE(f.ctl({u"settings"_s, u"--unset"_s, u"storages.new"_s}).status, 0);
        }
        // An address may have a secret in it: no argument has to have it, and no list of all settings shows it.
        const QByteArray address = "https://me:word@example.org/hook?token=abc";
        QCOMPARE(f.ctl({u"settings"_s, u"notify.webhook"_s, u"-"_s}, address + '\n').status, 0);
        QCOMPARE(f.ctl({u"settings"_s, u"notify.webhook"_s}).out, address + '\n');
        QVERIFY(linesOf(f.ctl({u"settings"_s}).out).contains("notify.webhook = https://example.org/…"));
        QCOMPARE(f.ctl({u"settings"_s, u"--unset"_s, u"notify.webhook"_s}).status, 0);
        // The engine works in another folder than the shell.
        const QByteArray here = f.path(u"work"_s).toUtf8();
        const ProgramsFixture::Output relative = f.ctl({u"settings"_s, u"notify.command"_s, u"./no-mail"_s, u"./x"_s});
        QCOMPARE(relative.status, 0);
        QVERIFY2(relative.err.contains(QByteArray(here + "/no-mail")), relative.err.constData());
        QCOMPARE(f.ctl({u"settings"_s, u"notify.command"_s}).out, "[\"" + here + "/no-mail\",\"./x\"]\n");
        QCOMPARE(f.ctl({u"settings"_s, u"--unset"_s, u"notify.command"_s}).status, 0);
        // Both ends of a range.
        const ProgramsFixture::Output reversed = f.ctl({u"settings"_s, u"ports.first"_s, u"40000"_s});
        QCOMPARE(reversed.status, 2);
        QVERIFY2(reversed.err.contains("ports.first (40000) must not be larger than ports.last (32767)"),
            reversed.err.constData());
    }

    // A file that cannot be read is not overwritten; the status of that is one of those in the help.
    void settingsWithABrokenFile()
    {
        ProgramsFixture f;
        f.write(u"config/trainyard/engine.json"_s, "{");
        const ProgramsFixture::Output refused = f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"5"_s});
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("engine.json"), refused.err.constData());
        const QByteArray help = f.ctl({u"settings"_s, u"--help"_s}).out.simplified();
        QVERIFY2(help.contains("4 engine.json contains an error"), help.constData());
    }

    // What ssh says of a name decides whether a host is kept. This one says what it is told.
    void hostsThatCannotBeReached()
    {
        ProgramsFixture f;
        f.write(u"home/ssh"_s,
            "#!/bin/sh\ncase \"$*\" in\n"
            "*typo*) echo 'ssh: Could not resolve hostname typo: Name or service not known' >&2 ;;\n"
            "*away*) echo 'ssh: Could not resolve hostname away: Temporary failure in name resolution' >&2 ;;\n"
            "*) echo 'ssh: connect to host down port 22: Connection refused' >&2 ;;\nesac\nexit 255\n");
        QVERIFY(QFile::setPermissions(f.path(u"home/ssh"_s), QFile::ReadOwner | QFile::ExeOwner));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(f.path(u"home"_s)) + ':' + before);
        const auto restore = qScopeGuard([&] { qputenv("PATH", before); });
        const auto hosts = [&] {
            QStringList names;
            for (const QJsonValue &host : f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array()) {
                names.append(host[u"id"].toString());
            }
            return names;
        };
        const ProgramsFixture::Output wrong = f.ctl({u"hosts"_s, u"add"_s, u"me@typo"_s}, {}, 60000);
        QCOMPARE(wrong.status, 3);
        QVERIFY2(wrong.err.contains("me@typo is not added. The name typo cannot be resolved."), wrong.err.constData());
        QCOMPARE(hosts(), QStringList{u"local"_s});
        for (const QString &name : {u"away"_s, u"down"_s}) {
            const ProgramsFixture::Output kept = f.ctl({u"hosts"_s, u"add"_s, name}, {}, 60000);
            QCOMPARE(kept.status, 3);
            const QByteArray how = "'trainyardctl hosts remove " + name.toUtf8() + "' removes it";
            QVERIFY2(kept.err.count('\n') == 1 && kept.err.contains("It stays in the list") && kept.err.contains(how),
                kept.err.constData());
        }
        // This computer can be shown, and not removed.
        const auto offered = [&f](const QString &kind) {
            return f.ctl({u"completion"_s, u"bash"_s, u"--list"_s, kind}).out.simplified();
        };
        QVERIFY2(offered(u"hosts"_s).contains("local"), offered(u"hosts"_s).constData());
        QCOMPARE(offered(u"ssh-hosts"_s), QByteArray("away down"));
        // Another way to a host that is there: the name of neither is let pass.
        const ProgramsFixture::Output set = f.ctl({u"hosts"_s, u"set"_s, u"down"_s, u"me@typo"_s}, {}, 60000);
        QCOMPARE(set.status, 3);
        QVERIFY2(set.err.contains("The name typo cannot be resolved. Check its spelling.")
                && set.err.contains("'trainyardctl hosts set down TARGET' corrects it."),
            set.err.constData());
        const QByteArray known
            = "trainyardctl: The hosts are: " + hosts().join(u", "_s).toUtf8() + ". Did you mean 'down'?\n";
        for (const QStringList &words : {QStringList{u"hosts"_s, u"set"_s, u"dow"_s, u"me@down"_s},
                 {u"hosts"_s, u"show"_s, u"dow"_s}, {u"hosts"_s, u"label"_s, u"dow"_s},
                 {u"hosts"_s, u"label"_s, u"dow"_s, u"big"_s}, {u"hosts"_s, u"remove"_s, u"dow"_s},
                 {u"hosts"_s, u"check"_s, u"dow"_s}, {u"hosts"_s, u"clean"_s, u"dow"_s}}) {
            const ProgramsFixture::Output unknown = f.ctl(words);
            QCOMPARE(unknown.status, 3);
            QCOMPARE(unknown.err, QByteArray("trainyardctl: There is no host dow.\n" + known));
        }
        const ProgramsFixture::Output away = f.ctl({u"hosts"_s, u"environments"_s, u"down"_s});
        QCOMPARE(away.status, 3);
        QCOMPARE(away.err,
            QByteArray("trainyardctl: down is not connected, so it cannot be asked at the moment. "
                       "Check the host first.\n"));
        // No cell of the table is empty where the others have a dash.
        const QByteArray table = f.ctl({u"hosts"_s, u"list"_s}).out;
        QCOMPARE(table.mid(table.indexOf("\ndown ") + 1 + table.indexOf("RESOURCES"), 2), "- ");
        const ProgramsFixture::Output own = f.ctl({u"hosts"_s, u"add"_s, u"local"_s});
        QCOMPARE(own.status, 4);
        QVERIFY2(own.err.contains("'local' is this computer, which is always in the list."), own.err.constData());
        QCOMPARE(hosts(), (QStringList{u"local"_s, u"away"_s, u"down"_s}));

        // A folder that must be here is looked for when the job is submitted; elsewhere it may be.
        const QString file = f.write(u"work/one.yaml"_s, EngineFixture::job("one", {"true"}));
        const ProgramsFixture::Output here
            = f.ctl({u"run"_s, file, u"--work"_s, u"/no/such/folder"_s, u"--on"_s, u"local"_s});
        QCOMPARE(here.status, 4);
        QVERIFY2(here.err.contains("The work folder /no/such/folder does not exist."), here.err.constData());
    }

    // A name may look like a number or an option.
    void jobsWithOddNames()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("2", {"echo one"})).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("-rf", {"echo two"})).status, 0);
        QCOMPARE(f.ctl({u"logs"_s, u"2"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:2"_s}).out, "one\n");
        QCOMPARE(f.ctl({u"logs"_s, u"--"_s, u"-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"--tail"_s, u"5"_s, u"--"_s, u"-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:-rf"_s}).out, "two\n");
        QCOMPARE(f.ctl({u"logs"_s, u"name:1"_s}).status, f.ctl({u"logs"_s, u"nobody"_s}).status);
        const auto after = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--after"_s, u"name:2:ended"_s},
            EngineFixture::job("later", {"echo three"}));
        QVERIFY2(after.status == 0, after.err.constData());
        const auto plain = f.ctl(
            {u"run"_s, u"-"_s, u"--wait"_s, u"--after"_s, u"name:-rf"_s}, EngineFixture::job("last", {"echo four"}));
        QVERIFY2(plain.status == 0, plain.err.constData());
        for (const QString &command : {u"show"_s, u"wait"_s, u"stop"_s, u"rm"_s}) {
            const auto said = f.ctl({command, u"--"_s, u"-rf"_s});
            QVERIFY2(!said.err.contains("no option"), said.err.constData());
        }
    }

    // English words have English numbers among them.
    void numbersAreNotLocalised()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("one", {"sleep 0.3"})).status, 0);
        QProcessEnvironment environment = f.environment();
        for (const QString &name : {u"LC_ALL"_s, u"LANG"_s, u"LC_NUMERIC"_s}) {
            environment.insert(name, u"de_DE.UTF-8"_s);
        }
        QProcess ctl;
        ctl.setProcessEnvironment(environment);
        ctl.start(f.program(u"trainyardctl"_s), {u"ps"_s});
        QVERIFY(ctl.waitForFinished());
        const QByteArray out = ctl.readAllStandardOutput();
        static const QRegularExpression time(u"SUCCEEDED +1/1 +[0-9]+\\.[0-9] s "_s);
        QVERIFY2(time.match(QString::fromUtf8(out)).hasMatch(), out.constData());
    }

    void logsOfARole()
    {
        ProgramsFixture f;
        const QByteArray roles
            = EngineFixture::role("worker", 2, {"echo work $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"})
            + EngineFixture::role("master", 1, {"echo lead"});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::document("both", roles)).status, 0);
        for (const QStringList &more : {QStringList(), QStringList{u"-f"_s}}) {
            QByteArrayList lines = linesOf(f.ctl(QStringList{u"logs"_s, u"1"_s, u"worker"_s} + more).out);
            std::sort(lines.begin(), lines.end());
            QCOMPARE(lines, (QByteArrayList{"worker/0 | work 0", "worker/1 | work 1"}));
        }
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"master"_s}).out, "lead\n");
        const ProgramsFixture::Output none = f.ctl({u"logs"_s, u"1"_s, u"boss"_s});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("The job has no task role 'boss'. It has: worker, master."), none.err.constData());
        QVERIFY(!none.err.contains("Did you mean"));
        for (const QString &typed : {u"wroker"_s, u"wroker/0"_s}) {
            const QByteArray near = f.ctl({u"logs"_s, u"1"_s, typed}).err;
            QVERIFY2(near.contains("Did you mean 'worker'?"), near.constData());
        }
        QVERIFY(!f.ctl({u"logs"_s, u"1"_s, u"worker/9"_s}).err.contains("Did you mean"));
    }

    void logsSince()
    {
        ProgramsFixture f;
        const QByteArray job
            = EngineFixture::job("late", {"echo early", "sleep 2.2", "date +%FT%T.%3N >since", "echo late"});
        QCOMPARE(f.ctl({u"run"_s, f.write(u"late.yaml"_s, job), u"--wait"_s}).status, 0);
        QFile mark(f.path(u"since"_s));
        QVERIFY(mark.open(QIODevice::ReadOnly));
        const QString since = QString::fromUtf8(mark.readAll()).trimmed();
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--since"_s, since}).out, "late\n");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"-f"_s, u"--since"_s, since}).out, "late\n");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--since"_s, u"1h"_s}).out, "early\nlate\n");
    }

    void convertsOnlyTheOldFormat()
    {
        const ProgramsFixture f;
        const QString file = f.write(u"new.yaml"_s, EngineFixture::job("new", {"true"}));
        const ProgramsFixture::Output said = f.ctl({u"convert"_s, file});
        QCOMPARE(said.status, 4);
        QVERIFY2(said.err.contains("is a job of version 2 already"), said.err.constData());
        QVERIFY2(!said.err.contains("JSON"), said.err.constData());
    }

    void removesByState()
    {
        ProgramsFixture f;
        for (const QByteArray &command : {QByteArray("true"), QByteArray("exit 1"), QByteArray("exit 2")}) {
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("job", {command}));
        }
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("active", {"sleep 600"})).status, 0);
        // Without a terminal nobody can be asked.
        const ProgramsFixture::Output refused = f.ctl({u"rm"_s, u"--state"_s, u"failed"_s});
        QCOMPARE(refused.status, 4);
        QCOMPARE(f.ctl({u"rm"_s, u"--older-than"_s, u"1h"_s, u"--yes"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out, "1\n2\n3\n4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"--state"_s, u"failed"_s, u"--yes"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out, "1\n4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"--older-than"_s, u"0s"_s, u"-y"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--format"_s, u"{id}"_s}).out, "4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s, u"--state"_s, u"failed"_s}).status, 2);
    }

    // By a state or a group, what has a star stays; archived jobs are counted.
    void starsKeepJobs()
    {
        ProgramsFixture f;
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("job", {"true"})).status, 0);
        }
        QCOMPARE(f.ctl({u"star"_s, u"1"_s, u"4"_s}).status, 0);
        QCOMPARE(f.ctl({u"archive"_s, u"2"_s}).status, 0);
        const auto removed = f.ctl({u"rm"_s, u"--state"_s, u"succeeded"_s, u"--yes"_s});
        QCOMPARE(removed.status, 0);
        QVERIFY2(removed.err.contains("2 jobs removed. Archived among them: 1."), removed.err.constData());
        QVERIFY2(removed.err.contains("Kept because of a star: #4, #1."), removed.err.constData());
        const auto ids = [&f] {
            return f.ctl({u"ps"_s, u"--all"_s, u"--format"_s, u"{id}"_s, u"--sort"_s, u"id"_s}).out;
        };
        QCOMPARE(ids(), "1\n4\n");
        const auto none = f.ctl({u"rm"_s, u"--older-than"_s, u"0s"_s, u"--yes"_s});
        QVERIFY2(none.err.contains("No finished job matches.") && none.err.contains("#4, #1"), none.err.constData());
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(ids(), "4\n");
        QCOMPARE(f.ctl({u"rm"_s, u"--state"_s, u"succeeded"_s, u"--starred"_s, u"--yes"_s}).status, 0);
        QCOMPARE(ids(), "");
    }

    // The newest job of a name is named, and not those of the group that have the same.
    void starsKeepNamesakes()
    {
        ProgramsFixture f;
        const QString file
            = f.write(u"work/job.yaml"_s, EngineFixture::job("job", {"true"}, 1, "parameters: {lr: 0.1}\n"));
        QCOMPARE(
            f.ctl({u"sweep"_s, file, u"--param"_s, u"lr=1"_s, u"--name"_s, u"study"_s, u"--wait"_s}, {}, 60000).status,
            0);
        QCOMPARE(f.ctl({u"star"_s, u"1"_s}).status, 0);
        const QByteArray name = f.ctl({u"ps"_s, u"--all"_s, u"--format"_s, u"{name}"_s}).out.trimmed();
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job(name, {"true"})).status, 0);
        const QString word = QString::fromUtf8(name);
        const auto removed = f.ctl({u"rm"_s, u"group:study"_s, word, u"--yes"_s});
        QCOMPARE(removed.status, 0);
        QVERIFY2(removed.err.contains("Kept because of a star: #1."), removed.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--format"_s, u"{id}"_s}).out, QByteArray("1\n"));
    }

    // A person is asked on the terminal.
    void asksBeforeRemoving()
    {
        ProgramsFixture f;
        f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("job", {"true"}));
        PseudoTerminal terminal(24, 80);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"rm"_s, u"--state"_s, u"succeeded"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("[y/N]"), 15000);
        terminal.type("y\n");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 15000);
        QCOMPARE(terminal.process().exitCode(), 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--format"_s, u"{id}"_s}).out, QByteArray());
    }

    void watchesTheList()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s, u"--watch"_s}).status, 2);
        PseudoTerminal terminal(24, 100);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"ps"_s, u"--watch"_s}, environment));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').startsWith(u"ID"_s), 15000);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("seen", {"sleep 600"})).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"RUNNING"_s), 15000);
        // What has ended since does not hide it where there is little room.
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("quick", {"true"})).status, 0);
        }
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().value(1).contains(u"quick"_s), 15000); // the newest first
        terminal.resize(4, 100);
        QTRY_VERIFY_WITH_TIMEOUT(terminal.lines().join(u'\n').contains(u"and 3 more"_s), 15000);
        QVERIFY2(terminal.lines().value(1).contains(u"RUNNING"_s), qPrintable(terminal.lines().join(u'\n')));
        terminal.type("q");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 15000);
        QCOMPARE(terminal.process().exitCode(), 0);
        QVERIFY(!terminal.isOtherPage());
    }

    void versionsAgree()
    {
        const ProgramsFixture f;
        const QByteArray version = f.ctl({u"version"_s}).out;
        QVERIFY(version.startsWith("trainyardctl "));
        QCOMPARE(f.ctl({u"--version"_s}).out, version);
        const QString plain = f.ctl({u"version"_s, u"--json"_s}).json().object().value("version"_L1).toString();
        QCOMPARE(QString::fromUtf8(version), QString(u"trainyardctl "_s + plain + u'\n'));
    }

    void completesInBash_data()
    {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("completed");
        QTest::newRow("command") << QByteArray("lo") << QByteArray("logs");
        QTest::newRow("command to explain") << QByteArray("help reh") << QByteArray("rehearse");
        QTest::newRow("option") << QByteArray("run --fol") << QByteArray("--follow");
        QTest::newRow("word") << QByteArray("hosts rem") << QByteArray("remove");
        QTest::newRow("words") << QByteArray("completion f") << QByteArray("fish");
        QTest::newRow("job") << QByteArray("show 1") << QByteArray("1");
        QTest::newRow("name of a job") << QByteArray("logs jo") << QByteArray("job");
        QTest::newRow("host") << QByteArray("run --on loc") << QByteArray("local");
        QTest::newRow("template") << QByteArray("templates show quicks") << QByteArray("quickstart");
        QTest::newRow("tasks") << QByteArray("logs 1 w") << QByteArray("worker worker/0");
        QTest::newRow("tag of ps") << QByteArray("ps tag:") << QByteArray("tag:tried");
        QTest::newRow("parameter") << QByteArray("run job.yaml --param l") << QByteArray("lr=");
        QTest::newRow("parameter before the file")
            << QByteArray("sweep --param @ job.yaml") << QByteArray("lr= batch=");
        QTest::newRow("parameter after another, as bash cuts it")
            << QByteArray("render --param lr = 0.1 --role w job.yaml --param b") << QByteArray("batch=");
        QTest::newRow("parameter of no file") << QByteArray("run --again 1 --param l") << QByteArray("");
        QTest::newRow("tag, as bash cuts it") << QByteArray("ps tag : tr") << QByteArray("tried");
        QTest::newRow("no job that has ended") << QByteArray("stop jo") << QByteArray("");
        QTest::newRow("a job that has ended") << QByteArray("rm jo") << QByteArray("job");
        QTest::newRow("host that can be removed") << QByteArray("hosts remove loc") << QByteArray("");
        QTest::newRow("host of a form") << QByteArray("hosts check loc") << QByteArray("local");
        QTest::newRow("tag of a new job") << QByteArray("run job.yaml --tag tr") << QByteArray("tried");
        QTest::newRow("tag for a job") << QByteArray("tag 1 tr") << QByteArray("tried");
        QTest::newRow("tag to remove") << QByteArray("tag 1 --remove tr") << QByteArray("tried");
        QTest::newRow("secret") << QByteArray("run job.yaml --secret t") << QByteArray("token");
        QTest::newRow("tasks after a cause") << QByteArray("why 1 worker/") << QByteArray("worker/0");
        QTest::newRow("host to drain") << QByteArray("hosts drain loc") << QByteArray("local");
    }

    // Where no engine runs, nothing is known of jobs, and none is started for that.
    void completesWithoutAnEngine()
    {
        ProgramsFixture f;
        for (const QString &shell : {u"bash"_s, u"zsh"_s, u"fish"_s}) {
            for (const QString &kind : {u"jobs"_s, u"numbers"_s}) {
                const auto listed = f.ctl({u"completion"_s, shell, u"--list"_s, kind});
                QCOMPARE(listed.status, 0);
                QCOMPARE(listed.out + listed.err, QByteArray());
                QCOMPARE(f.daemonPid(), 0);
            }
            // Nothing else of this program is asked by the script: that could start one.
            QByteArray script = f.ctl({u"completion"_s, shell}).out;
            script.replace(QByteArray("trainyardctl completion " + shell.toUtf8() + " --list "), QByteArray());
            static const QRegularExpression asked(u"\\$?\\(trainyardctl "_s);
            QVERIFY2(!QString::fromUtf8(script).contains(asked), qPrintable(shell));
        }
        QVERIFY(f.ctl({u"completion"_s, u"bash"_s, u"--list"_s, u"templates"_s}).out.contains("quickstart\n"));
    }

    // Shells that show what a word means get it in their own form.
    void explainsJobs()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("job", {"true"})).status, 0);
        QCOMPARE(f.ctl({u"completion"_s, u"zsh"_s, u"--list"_s, u"numbers"_s}).out, QByteArray("1:job SUCCEEDED\n"));
        QCOMPARE(f.ctl({u"completion"_s, u"fish"_s, u"--list"_s, u"numbers"_s}).out, QByteArray("1\tjob SUCCEEDED\n"));
        QCOMPARE(f.ctl({u"completion"_s, u"fish"_s, u"--list"_s, u"active-numbers"_s}).out, QByteArray());
        // Behind the first word, neither the forms of a command nor a second job are offered.
        const QByteArray script = f.ctl({u"completion"_s, u"fish"_s}).out;
        QVERIFY(script.contains("-n '__fish_seen_subcommand_from help' -f -a 'check render "));
        QVERIFY(f.ctl({u"completion"_s, u"zsh"_s}).out.contains("\n    help) "));
        QVERIFY(script.contains("-n '__trainyardctl_first hosts "));
        QVERIFY(!script.contains("-n '__fish_seen_subcommand_from hosts' -f -a"));
        QVERIFY(script.contains("-n '__trainyardctl_first logs "));
        QVERIFY(!script.contains("-n '__fish_seen_subcommand_from logs' -f -a"));
        QVERIFY(
            script.contains("-n '__trainyardctl_form hosts check' -f -a '(trainyardctl completion fish --list hosts "));
        QVERIFY(script.contains(
            "-n '__trainyardctl_form hosts remove' -f -a '(trainyardctl completion fish --list ssh-hosts "));
        QVERIFY(script.contains("-n '__fish_seen_subcommand_from stop' -f -a "
                                "'(trainyardctl completion fish --list active-numbers "));
    }

    void completesInBash()
    {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, completed);
        ProgramsFixture f;
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--tag"_s, u"tried"_s}, EngineFixture::job("job", {"true"})).status,
            0);
        f.write(u"work/job.yaml"_s,
            EngineFixture::job(
                "job", {"true"}, 1, "parameters: {lr: 0.1, batch: 16, 'no word': 1}\nsecrets: {token: '******'}\n"));
        const QByteArrayList words = typed.split(' ');
        const qsizetype marked = words.indexOf("@"); // where the caret stands, else it is at the end
        const qsizetype at = marked < 0 ? words.size() : marked + 1;
        const QString script = f.write(u"completion.bash"_s, f.ctl({u"completion"_s, u"bash"_s}).out);
        QProcess bash;
        QProcessEnvironment environment = f.environment();
        environment.insert(
            u"PATH"_s, QFileInfo(f.program(u"trainyardctl"_s)).path() + u':' + environment.value(u"PATH"_s));
        bash.setProcessEnvironment(environment);
        bash.start(u"bash"_s,
            {u"--norc"_s, u"-c"_s,
                u"set -e; cd \"$4\"; source \"$1\"; COMP_WORDS=(trainyardctl $2); COMP_CWORD=$3; "
                "COMP_WORDS=(\"${COMP_WORDS[@]/#@/}\"); _trainyardctl || true; echo \"${COMPREPLY[*]}\""_s,
                u"bash"_s, script, QString::fromUtf8(typed), QString::number(at), f.path(u"work"_s)});
        QVERIFY(bash.waitForFinished());
        const QByteArray out = bash.readAllStandardOutput().trimmed();
        QVERIFY2(out == completed, QByteArray(out + ' ' + bash.readAllStandardError()).constData());
    }

    // The same in fish, which is asked for all of it at once.
    void completesInFish()
    {
        if (QStandardPaths::findExecutable(u"fish"_s).isEmpty()) {
            QSKIP("fish is not installed: install the package fish.");
        }
        ProgramsFixture f;
        const QString file = f.write(
            u"work/job.yaml"_s, EngineFixture::job("job", {"true"}, 1, "parameters: {lr: 0.1}\nsecrets: {token: x}\n"));
        QCOMPARE(f.ctl({u"sweep"_s, file, u"--param"_s, u"lr=1,2"_s, u"--name"_s, u"study"_s, u"--tag"_s, u"tried"_s,
                           u"--wait"_s},
                      {}, 60000)
                     .status,
            0);
        const QString script = f.write(u"completion.fish"_s, f.ctl({u"completion"_s, u"fish"_s}).out);
        QProcessEnvironment environment = f.environment();
        environment.insert(
            u"PATH"_s, QFileInfo(f.program(u"trainyardctl"_s)).path() + u':' + environment.value(u"PATH"_s));
        for (const auto &[typed, wanted] :
            {std::pair{u"logs 1 "_s, "worker,worker/0"}, {u"why 1 worker/"_s, "worker/0"}, {u"ps tag:t"_s, "tag:tried"},
                {u"ps state:f"_s, "state:failed"}, {u"ps gr"_s, "group:study"}, {u"rm tag:t"_s, "tag:tried"},
                {u"tag 1 tr"_s, "tried"}, {u"compare --group st"_s, "study"}, {u"run job.yaml --tag tr"_s, "tried"},
                {u"run job.yaml --secret "_s, "token"}}) {
            QProcess fish;
            fish.setProcessEnvironment(environment);
            fish.setWorkingDirectory(f.path(u"work"_s));
            fish.start(u"fish"_s,
                {u"--no-config"_s, u"-c"_s, u"source $argv[1]; complete -C $argv[2]"_s, script,
                    QString(u"trainyardctl "_s + typed)});
            QVERIFY(fish.waitForFinished());
            QByteArrayList words; // without what they mean
            const QByteArrayList lines = linesOf(fish.readAllStandardOutput());
            for (const QByteArray &line : lines) {
                words.append(line.split('\t').constFirst());
            }
            std::sort(words.begin(), words.end());
            QVERIFY2(words.join(',') == wanted,
                QByteArray(typed.toUtf8() + ": " + words.join(',') + ' ' + fish.readAllStandardError()).constData());
        }
    }

    // Groups and tags, with and without what they begin with where jobs are named.
    void listsLabels()
    {
        ProgramsFixture f;
        const QString file
            = f.write(u"work/job.yaml"_s, EngineFixture::job("job", {"true"}, 1, "parameters: {lr: 0.1}\n"));
        QCOMPARE(f.ctl({u"sweep"_s, file, u"--param"_s, u"lr=1"_s, u"--name"_s, u"study"_s, u"--tag"_s, u"tried"_s,
                           u"--wait"_s},
                      {}, 60000)
                     .status,
            0);
        for (const auto &[kind, wanted] :
            {std::pair{u"groups"_s, "study\n"}, {u"tags"_s, "tried\n"}, {u"labels"_s, "group:study\ntag:tried\n"},
                {u"ended-labels"_s, "group:study\ntag:tried\n"}, {u"active-labels"_s, ""}}) {
            QCOMPARE(f.ctl({u"completion"_s, u"fish"_s, u"--list"_s, kind}).out, QByteArray(wanted));
        }
    }

    // Every command and option is in every script.
    void completionsAreWhole()
    {
        const ProgramsFixture f;
        const QByteArray help = f.ctl({u"--help"_s}).out;
        static const QRegularExpression command(u"\\n  ([a-z]+)  +[A-Z]"_s);
        auto matches = command.globalMatch(QString::fromUtf8(help));
        QStringList names;
        while (matches.hasNext()) {
            names.append(matches.next().captured(1));
        }
        QVERIFY2(names.size() > 20, help.constData());
        for (const QString &shell : {u"bash"_s, u"zsh"_s, u"fish"_s}) {
            const QString script = QString::fromUtf8(f.ctl({u"completion"_s, shell}).out);
            for (const QString &name : std::as_const(names)) {
                QVERIFY2(script.contains(QRegularExpression(QString(u"\\b"_s + name + u"\\b"_s))),
                    qPrintable(QString(shell + name)));
            }
            for (const QString &option :
                {u"older-than"_s, u"follow"_s, u"as-server"_s, u"set-text"_s, u"parameters"_s, u"secrets"_s}) {
                QVERIFY2(script.contains(option), qPrintable(QString(shell + option)));
            }
        }
    }
};

TRAINYARD_TEST(TstCliWords)
#include "tst_cliwords.moc"
