// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The JSON of commands that act on jobs: one object per job, in the same form for each of them.
class TstCliActs : public QObject
{
    Q_OBJECT

    // "1 ok changed, 2 refused": what an array tells of each job.
    static QByteArray told(const ProgramsFixture::Output &said)
    {
        QByteArrayList all;
        const QJsonArray array = said.json().array();
        for (const QJsonValue &value : array) {
            const QJsonObject job = value.toObject();
            const bool isOk = job.value("ok"_L1).toBool();
            const QJsonObject error = job.value("error"_L1).toObject();
            if (job.value("uuid"_L1).toString().isEmpty() || job.value("name"_L1).toString().isEmpty()
                || isOk != error.isEmpty() || (!isOk && error.value("message"_L1).toString().isEmpty())) {
                return "wrong form: " + said.out;
            }
            all.append(QByteArray::number(job.value("job"_L1).toInteger()) + ' '
                + (isOk ? (job.value("changed"_L1).toBool() ? QByteArray("changed") : QByteArray("same"))
                        : error.value("code"_L1).toString().toUtf8()));
        }
        return all.join(", ");
    }

    static QJsonObject first(const ProgramsFixture::Output &said) { return said.json().array().at(0).toObject(); }

private Q_SLOTS:
    void labels()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("one", {"true"})).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("two", {"false"})).status, 1);

        auto said = f.ctl({u"tag"_s, u"1,2"_s, u"good"_s, u"--json"_s});
        QCOMPARE(said.status, 0);
        QCOMPARE(told(said), "1 changed, 2 changed");
        QCOMPARE(said.err, QByteArray());
        QCOMPARE(first(said).value("tags"_L1).toArray(), QJsonArray{u"good"_s});
        said = f.ctl({u"tag"_s, u"1"_s, u"good"_s, u"--json"_s});
        QCOMPARE(told(said), "1 same");
        said = f.ctl({u"tag"_s, u"2"_s, u"--json"_s});
        QCOMPARE(told(said), "2 same");
        QCOMPARE(first(said).value("tags"_L1).toArray(), QJsonArray{u"good"_s});
        said = f.ctl({u"tag"_s, u"1"_s, QString(300, u'x'), u"--json"_s});
        QCOMPARE(said.status, 2);
        QCOMPARE(told(said), "1 tag.too-long");
        said = f.ctl({u"tag"_s, u"7"_s, u"good"_s, u"--json"_s}); // no job was acted on
        QCOMPARE(said.status, 2);
        QCOMPARE(said.json().object().value("error"_L1)[u"code"].toString(), u"job.unknown"_s);

        said = f.ctl({u"note"_s, u"1"_s, u"as planned"_s, u"--json"_s});
        QCOMPARE(told(said), "1 changed");
        QCOMPARE(first(said).value("note"_L1).toString(), u"as planned"_s);
        QCOMPARE(first(f.ctl({u"note"_s, u"1"_s, u"--json"_s})).value("note"_L1).toString(), u"as planned"_s);

        said = f.ctl({u"star"_s, u"1"_s, u"2"_s, u"--json"_s});
        QCOMPARE(told(said), "1 changed, 2 changed");
        QVERIFY(first(said).value("starred"_L1).toBool());
        said = f.ctl({u"star"_s, u"2"_s, u"--off"_s, u"--json"_s});
        QVERIFY(told(said) == "2 changed" && !first(said).value("starred"_L1).toBool(true));

        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("runs", {"sleep 600"})).status, 0);
        said = f.ctl({u"archive"_s, u"3"_s, u"2"_s, u"--json"_s});
        QCOMPARE(said.status, 4);
        QCOMPARE(told(said), "3 job.archive-active, 2 changed");
        said = f.ctl({u"rm"_s, u"1-2"_s, u"--yes"_s, u"--json"_s});
        QCOMPARE(said.status, 0);
        QCOMPARE(told(said), "1 same, 2 changed"); // the star keeps the first one
        QCOMPARE(first(said).value("kept"_L1).toString(), u"starred"_s);
        said = f.ctl({u"rm"_s, u"3"_s, u"--json"_s});
        QCOMPARE(said.status, 4);
        QCOMPARE(told(said), "3 job.active");
        QCOMPARE(f.ctl({u"rm"_s, u"--state"_s, u"stopped"_s, u"--json"_s}).json().array(), QJsonArray());
        QCOMPARE(f.ctl({u"stop"_s, u"3"_s, u"--wait"_s}).status, 0);
    }

    void lives()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("runs", {"sleep 600"})).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString(), u"RUNNING"_s, 20000);
        auto said = f.ctl({u"pause"_s, u"1"_s, u"--json"_s});
        QCOMPARE(told(said), "1 changed");
        QCOMPARE(said.err, QByteArray());
        QCOMPARE(told(f.ctl({u"pause"_s, u"1"_s, u"--json"_s})), "1 same");
        QCOMPARE(told(f.ctl({u"resume"_s, u"1"_s, u"--json"_s})), "1 changed");
        said = f.ctl({u"move"_s, u"1"_s, u"--json"_s});
        QCOMPARE(said.status, 4);
        QCOMPARE(told(said), "1 refused");
        said = f.ctl({u"retry"_s, u"1"_s, u"--json"_s});
        QCOMPARE(said.status, 4);
        QVERIFY2(told(said).startsWith("1 job."), told(said).constData());
        said = f.ctl({u"stop"_s, u"1"_s, u"--now"_s, u"--wait"_s, u"--json"_s});
        QCOMPARE(said.status, 0);
        QCOMPARE(told(said), "1 changed");
        QCOMPARE(first(said).value("ended"_L1)[u"state"].toString(), u"STOPPED"_s);
        QCOMPARE(told(f.ctl({u"stop"_s, u"1"_s, u"--json"_s})), "1 same");
        said = f.ctl({u"resume"_s, u"1"_s, u"--json"_s});
        QCOMPARE(said.status, 4);
        QCOMPARE(told(said), "1 refused");
        QVERIFY2(first(said).value("error"_L1)[u"message"].toString().contains("was stopped"_L1), said.out.constData());

        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("short", {"true"})).status, 0);
        said = f.ctl({u"retry"_s, u"2"_s, u"--wait"_s, u"--json"_s});
        QCOMPARE(said.status, 0);
        QCOMPARE(told(said), "2 changed");
        QCOMPARE(first(said).value("ended"_L1)[u"state"].toString(), u"SUCCEEDED"_s);
    }

    // Another program removes a job that this one follows, which is not a job that never was.
    void removedMeanwhile()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("runs", {"echo begun", "sleep 600"})).status, 0);
        const auto logs = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s});
        QVERIFY(logs->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(logs->bytesAvailable() > 0, 20000);
        QCOMPARE(::kill(pid_t(logs->processId()), SIGSTOP), 0); // it hears of the end only together with the removal
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--now"_s, u"--wait"_s}).status, 0);
        QCOMPARE(f.ctl({u"rm"_s, u"1"_s}).status, 0);
        QCOMPARE(::kill(pid_t(logs->processId()), SIGCONT), 0);
        QVERIFY(logs->waitForFinished(20000));
        const QByteArray said = logs->readAllStandardError();
        QVERIFY2(!said.contains("There is no job"), said.constData());
    }

    // What the text of these commands says, their JSON says, too.
    void jsonSaysWhatTheTextSays()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--wait"_s}, EngineFixture::job("short", {"true"})).status, 0);
        const QJsonObject listed = first(f.ctl({u"ps"_s, u"--json"_s})).value("engine"_L1).toObject();
        QVERIFY(listed.contains("why"_L1) && listed.value("why"_L1).isNull());
        QVERIFY(listed.contains("queueLength"_L1));
        QCOMPARE(listed.value("target"_L1).toString(), u"pool"_s);
        QVERIFY(listed.contains("pausedMs"_L1) && listed.value("assistant"_L1).isNull());

        QJsonObject shown = f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json().object().value("engine"_L1).toObject();
        QCOMPARE(shown.value("keptTasks"_L1).toArray(), QJsonArray());
        QCOMPARE(shown.value("missingLogs"_L1).toArray(), QJsonArray());
        QVERIFY(!shown.value("outputGone"_L1).toBool(true));
        QVERIFY(QDir(shown.value("runFolder"_L1).toString()).removeRecursively());
        QVERIFY(f.ctl({u"show"_s, u"1"_s}).out.contains("no longer there"));
        shown = f.ctl({u"show"_s, u"1"_s, u"--json"_s}).json().object().value("engine"_L1).toObject();
        QVERIFY(shown.value("outputGone"_L1).toBool());

        const QJsonObject usage = f.ctl({u"usage"_s, u"--json"_s}).json().object();
        QVERIFY(usage.value("whole"_L1).toBool());
        const QJsonArray both = f.ctl({u"why"_s, u"1"_s, u"#1"_s, u"--json"_s}).json().array();
        QVERIFY(both.size() == 1 && both.at(0).toObject().contains("why"_L1));
    }
};

TRAINYARD_TEST(TstCliActs)
#include "tst_cliacts.moc"
