// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>

#include <numeric>

using namespace Qt::StringLiterals;

// What the command line shows of jobs: the list, one job and its tasks, and their logs.
class TstCliShow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A failure that is permanent uses no retries, and a user who has asked for some wants to know why.
    void unusedRetriesAreExplained()
    {
        ProgramsFixture f;
        const QByteArray retried = "jobRetryCount: 2\n" + EngineFixture::job("gone", {"no-such-command-7"});
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, retried);
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("It is not retried although jobRetryCount is 2"), run.err.constData());
        for (const QString &command : {u"show"_s, u"why"_s}) {
            const auto said = f.ctl({command, u"1"_s});
            QVERIFY2(said.out.contains("It is not retried although jobRetryCount is 2"), said.out.constData());
        }
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("never", {"no-such-command-7"})).status, 1);
        const auto plain = f.ctl({u"show"_s, u"2"_s});
        QVERIFY2(!plain.out.contains("although jobRetryCount"), plain.out.constData());
    }

    void listsAndShows()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("alpha", {"true"}, 3)).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("beta", {"false"})).status, 1);
        const QJsonArray jobs = f.ctl({u"ps"_s, u"--json"_s}).json().array();
        QCOMPARE(jobs.size(), 2);
        const QJsonObject newest = jobs.at(0).toObject();
        QCOMPARE(newest.value("name"_L1).toString(), u"beta"_s);
        QCOMPARE(newest.value("id"_L1).toInt(), 2);
        QCOMPARE(newest.value("state"_L1).toString(), u"FAILED"_s);
        QCOMPARE(newest.value("host"_L1).toString(), u"local"_s);
        QCOMPARE(newest.value("appExitCode"_L1).toInt(), 255);
        QCOMPARE(newest.value("totalTaskNumber"_L1).toInt(), 1);
        QCOMPARE(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array(), jobs);
        const auto text = f.ctl({u"ps"_s});
        QVERIFY2(text.out.contains("alpha") && text.out.contains("SUCCEEDED") && !text.out.contains('\x1b'),
            text.out.constData());

        QJsonObject show = f.ctl({u"show"_s, u"2"_s, u"--json"_s}).json().object();
        QCOMPARE(show.value("jobStatus"_L1).toObject().value("appExitType"_L1).toString(), u"Failed"_s);
        QJsonObject task = show.value("taskRoles"_L1)
                               .toObject()
                               .value("worker"_L1)
                               .toObject()
                               .value("taskStatuses"_L1)
                               .toArray()
                               .at(0)
                               .toObject();
        QCOMPARE(task.value("taskState"_L1).toString(), u"FAILED"_s);
        QCOMPARE(task.value("engine"_L1).toObject().value("rawExitCode"_L1).toInt(), 1);
        show = f.ctl({u"show"_s, u"alpha"_s, u"--json"_s}).json().object();
        QJsonObject role = show.value("taskRoles"_L1).toObject().value("worker"_L1).toObject();
        QCOMPARE(role.value("taskStatuses"_L1).toArray().size(), 0); // all have succeeded
        QCOMPARE(role.value("engine"_L1).toObject().value("counts"_L1).toObject().value("succeeded"_L1).toInt(), 3);
        show = f.ctl({u"show"_s, u"alpha"_s, u"--json"_s, u"--tasks"_s, u"--from"_s, u"1"_s, u"--limit"_s, u"1"_s})
                   .json()
                   .object();
        role = show.value("taskRoles"_L1).toObject().value("worker"_L1).toObject();
        QCOMPARE(role.value("taskStatuses"_L1).toArray().size(), 1);
        QCOMPARE(role.value("taskStatuses"_L1).toArray().at(0).toObject().value("taskIndex"_L1).toInt(), 1);
        QVERIFY(!role.value("taskStatuses"_L1).toArray().at(0).toObject().contains("attempts"_L1));
        QVERIFY(f.ctl({u"show"_s, u"2"_s}).out.contains("status 1"));
        QCOMPARE(f.ctl({u"show"_s, u"2"_s, u"--attempt"_s, u"9"_s}).status, 2);

        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 1);
    }

    // More than one page of them: each once, in order.
    void showsManyTasks()
    {
        ProgramsFixture f;
        f.write(u"first.yaml"_s, EngineFixture::job("first", {"sleep 100"}));
        f.write(u"many.yaml"_s,
            EngineFixture::document(
                "many", EngineFixture::role("worker", 4500, {"true"}), "extras: {gangAllocation: false}\n"));
        QCOMPARE(f.ctl({u"run"_s, f.path(u"first.yaml"_s)}).status, 0);
        QCOMPARE(f.ctl({u"run"_s, f.path(u"many.yaml"_s), u"--after"_s, u"1"_s}).status, 0);
        const auto indexes = [&f](const QStringList &more) {
            const QJsonObject show
                = f.ctl(QStringList{u"show"_s, u"many"_s, u"--json"_s, u"--tasks"_s} + more).json().object();
            const QJsonObject roles = show.value("taskRoles"_L1).toObject();
            const QJsonArray statuses
                = roles.isEmpty() ? QJsonArray() : roles.begin()->toObject().value("taskStatuses"_L1).toArray();
            QList<int> list;
            for (const QJsonValue &status : statuses) {
                list.append(status[u"taskIndex"].toInt());
            }
            return list;
        };
        const auto numbers = [](int from, int to) {
            QList<int> list(to - from);
            std::iota(list.begin(), list.end(), from);
            return list;
        };
        QCOMPARE(indexes({}), numbers(0, 4500));
        QCOMPARE(indexes({u"--from"_s, u"1999"_s, u"--limit"_s, u"2002"_s}), numbers(1999, 4001));
        QCOMPARE(indexes({u"--from"_s, u"500"_s, u"--limit"_s, u"4000"_s}), numbers(500, 4500));
        QCOMPARE(indexes({u"--from"_s, u"4499"_s}), numbers(4499, 4500));
        QCOMPARE(indexes({u"--from"_s, u"2147483647"_s}), QList<int>());
        QCOMPARE(f.ctl({u"show"_s, u"many"_s, u"--tasks"_s}).out.count("\n  worker/"), 4500);
    }

    void printsLogs()
    {
        ProgramsFixture f;
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s, u"--wait"_s},
                 EngineFixture::job("chatty", {"for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done; printf end"}))
                .status,
            0);
        auto logs = f.ctl({u"logs"_s, u"1"_s});
        QCOMPARE(logs.status, 0);
        QCOMPARE(logs.out.count("out"), 5);
        QVERIFY(logs.out.contains("end")); // the two streams are two pipes: no order between them
        logs = f.ctl({u"logs"_s, u"chatty"_s, u"worker/0"_s, u"--stderr"_s});
        QCOMPARE(logs.out, QByteArray("err1\nerr2\nerr3\nerr4\nerr5\n"));
        logs = f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s, u"--tail"_s, u"2"_s});
        QCOMPARE(logs.out, QByteArray("out5\nend")); // as it was written
        logs = f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s});
        QCOMPARE(logs.out.count('\n'), 1);
        logs = f.ctl({u"logs"_s, u"1"_s, u"-f"_s});
        QVERIFY(logs.out.contains("end")); // the two streams are two pipes: no order between them
        logs = f.ctl({u"logs"_s, u"1"_s, u"worker/0"_s, u"--try"_s, u"1"_s});
        QCOMPARE(logs.out.count("err"), 5);
        QVERIFY(f.ctl({u"logs"_s, u"1"_s, u"-t"_s}).out.startsWith("20"));
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"worker/7"_s}).status, 2);
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"nonsense"_s}).status, 2);
    }

    // One stream stands in the middle of a line while the other ends its own.
    void printsLastLinesOfBothStreams()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"go"_s).toUtf8();
        QCOMPARE(f.ctl({u"run"_s, u"-"_s},
                      EngineFixture::job("mixed",
                          {"echo first; printf half; until [ -e " + go + " ]; do sleep 0.05; done; echo late >&2"}))
                     .status,
            0);
        QTRY_VERIFY(f.ctl({u"logs"_s, u"1"_s}).out.endsWith("half"));
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--stdout"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        f.write(u"go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"1"_s}).status, 0);
        const QList<QStringList> whole{{u"logs"_s, u"1"_s}, {u"logs"_s, u"1"_s, u"worker/0"_s},
            {u"logs"_s, u"1"_s, u"-f"_s}, {u"logs"_s, u"1"_s, u"-f"_s, u"--attempt"_s, u"1"_s}};
        for (const QStringList &words : whole) {
            QCOMPARE(f.ctl(words).out, "first\nlate\nhalf"); // each line of one stream, and nothing added
        }
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"1"_s}).out.trimmed(), "half");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"2"_s}).out.trimmed(), "late\nhalf");
        QCOMPARE(f.ctl({u"logs"_s, u"1"_s, u"--tail"_s, u"3"_s}).out.trimmed(), "first\nlate\nhalf");
    }
};

TRAINYARD_TEST(TstCliShow)
#include "tst_clishow.moc"
