// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

using namespace Qt::StringLiterals;

// Stopping, pausing and ordering jobs from the command line, with the real programs.
class TstCliJobs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void frontOfTheQueueAndTop()
    {
        ProgramsFixture f;
        const auto idle = f.ctl({u"top"_s});
        QCOMPARE(idle.status, 0);
        QVERIFY2(idle.out.contains("No job runs or waits."), idle.out.constData());
        QCOMPARE(f.ctl({u"run"_s,
                           f.write(u"work/x.yaml"_s,
                               EngineFixture::job("first", {"while [ ! -e go ]; do sleep 0.02; done"}))})
                     .status,
            0);
        for (const char *name : {"second", "third", "fourth"}) {
            QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"first"_s}, EngineFixture::job(name, {"true"})).status, 0);
        }
        const auto order = [&] {
            QByteArrayList names;
            const QByteArrayList lines = f.ctl({u"top"_s, u"--once"_s}).out.split('\n');
            for (const QByteArray &line : lines) {
                const QByteArrayList words = line.simplified().split(' ');
                if (words.value(0).toInt() > 0) {
                    names.append(words.value(1));
                }
            }
            return names.join(' ');
        };
        QTRY_COMPARE(order(), "first second third fourth");
        auto moved = f.ctl({u"move"_s, u"fourth"_s, u"--first"_s});
        QCOMPARE(moved.status, 0);
        QCOMPARE(moved.err, "trainyardctl: #4 fourth is the first one in the queue now.\n");
        QTRY_COMPARE(order(), "first fourth second third");
        const QJsonArray all = f.ctl({u"ps"_s, u"--sort"_s, u"id"_s, u"--json"_s}).json().array();
        QList<int> positions;
        for (const QJsonValue &job : all) {
            positions.append(job[u"engine"][u"queuePosition"].toInt(-1));
        }
        QCOMPARE(positions, (QList<int>{-1, 2, 3, 1}));
        const QByteArray table = f.ctl({u"ps"_s}).out;
        QVERIFY2(table.contains("  QUEUE  "), table.constData());
        const auto why = f.ctl({u"why"_s, u"third"_s});
        QVERIFY2(why.out.contains("Its position in the queue is 3 of 3."), why.out.constData());
        QCOMPARE(f.ctl({u"why"_s, u"third"_s, u"--json"_s}).json()[u"waits"][u"queuePosition"].toInt(), 3);
        moved = f.ctl({u"move"_s, u"fourth"_s, u"--first"_s});
        QCOMPARE(moved.status, 0);
        QCOMPARE(moved.err, "trainyardctl: #4 fourth is the first one in the queue already.\n");
        QCOMPARE(f.ctl({u"move"_s, u"second"_s}).err, "trainyardctl: #2 second is the last one in the queue now.\n");
        QTRY_COMPARE(order(), "first fourth third second");
        moved = f.ctl({u"move"_s, u"second"_s, u"--before"_s, u"third"_s});
        QCOMPARE(moved.err, "trainyardctl: #2 second starts before #3 third now.\n");
        QTRY_COMPARE(order(), "first fourth second third");
        QCOMPARE(f.ctl({u"move"_s, u"third"_s, u"--first"_s, u"--priority"_s, u"2"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"first"_s, u"--first"_s}).status, 4);
        // One that was paused before its start waits, too.
        const auto listed = [&](int row) {
            return f.ctl({u"ps"_s, u"--sort"_s, u"priority"_s, u"--json"_s}).json().array().at(row);
        };
        QCOMPARE(f.ctl({u"pause"_s, u"third"_s}).status, 0);
        QCOMPARE(f.ctl({u"move"_s, u"third"_s, u"--priority"_s, u"5"_s}).status, 0);
        moved = f.ctl({u"move"_s, u"fourth"_s, u"--before"_s, u"third"_s});
        QVERIFY2(moved.status == 0, moved.err.constData());
        QCOMPARE(moved.err, "trainyardctl: #4 fourth starts before #3 third now.\n");
        QCOMPARE(listed(3)[u"engine"][u"priority"].toInt(), 5); // it has taken the class of what it stands before
        QCOMPARE(listed(2)[u"engine"][u"priority"].toInt(), 5);
        QCOMPARE(listed(1)[u"engine"][u"priority"].toInt(), 0);
        moved = f.ctl({u"move"_s, u"third"_s, u"--before"_s, u"fourth"_s});
        QCOMPARE(moved.err, "trainyardctl: #3 third starts before #4 fourth now.\n");
        QCOMPARE(f.ctl({u"resume"_s, u"third"_s}).status, 0);
        QTRY_COMPARE(order(), "first third fourth second");
        QVERIFY(f.ctl({u"top"_s}).out.contains("local"));
        QCOMPARE(f.ctl({u"top"_s, u"fourth"_s}).status, 2);
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"wait"_s, u"fourth"_s, u"second"_s, u"third"_s}).status, 0);
    }

    void pausesAndOrders()
    {
        ProgramsFixture f;
        const QByteArray go = f.path(u"work/go"_s).toUtf8();
        QCOMPARE(
            f.ctl({u"run"_s, u"-"_s}, EngineFixture::job("loops", {"while [ ! -e " + go + " ]; do sleep 0.05; done"}))
                .status,
            0);
        QCOMPARE(f.ctl({u"pause"_s}).status, 2);
        QCOMPARE(f.ctl({u"pause"_s, u"nobody"_s}).status, 2);
        QTRY_COMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"state"].toString(), u"RUNNING"_s);
        QCOMPARE(f.ctl({u"pause"_s, u"loops"_s}).status, 0);
        const auto again = f.ctl({u"pause"_s, u"loops"_s});
        QVERIFY2(again.status == 0 && again.err.contains("already paused"), again.err.constData());
        const QByteArray list = f.ctl({u"ps"_s}).out;
        QVERIFY2(list.contains("Paused"), list.constData());
        const auto shown = f.ctl({u"show"_s, u"loops"_s});
        QVERIFY2(shown.out.contains("Paused"), shown.out.constData());
        const QJsonDocument loops = f.ctl({u"show"_s, u"loops"_s, u"--json"_s}).json();
        QVERIFY(loops[u"engine"][u"paused"].toBool());
        QCOMPARE(loops[u"engine"][u"target"].toString(), u"pool"_s);
        // Another one waits for it.
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"loops"_s, u"--priority"_s, u"3"_s},
                      EngineFixture::job("then", {"true"}))
                     .status,
            0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--after"_s, u"nobody"_s}, EngineFixture::job("x", {"true"})).status, 4);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s, u"--priority"_s, u"high"_s}, EngineFixture::job("x", {"true"})).status, 2);
        const QByteArray why = f.ctl({u"ps"_s}).out;
        QVERIFY2(why.contains("#1 (loops)"), why.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"engine"][u"priority"].toInt(), 3);
        const auto moved = f.ctl({u"move"_s, u"then"_s, u"--priority"_s, u"8"_s});
        QCOMPARE(moved.status, 0);
        QVERIFY2(moved.err.contains(" then has priority 8 now."), moved.err.constData());
        QCOMPARE(f.ctl({u"move"_s, u"then"_s, u"--priority"_s, u"x"_s}).status, 2);
        QCOMPARE(f.ctl({u"move"_s, u"loops"_s, u"--priority"_s, u"8"_s}).status, 4);
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0)[u"engine"][u"priority"].toInt(), 8);
        f.write(u"work/go"_s, {});
        QCOMPARE(f.ctl({u"resume"_s, u"loops"_s}).status, 0);
        QCOMPARE(f.ctl({u"wait"_s, u"then"_s}).status, 0);
        QCOMPARE(f.ctl({u"resume"_s, u"loops"_s}).status, 4);
        QCOMPARE(f.ctl({u"pause"_s, u"loops"_s}).status, 4);
    }

    // What does not want to end is killed without waiting for the grace period, whether the stop is new or repeated.
    void stopsWithoutGrace()
    {
        ProgramsFixture f;
        f.setSettings({{u"stop.graceSeconds"_s, 600}});
        const QString file = f.write(u"work/stubborn.yaml"_s,
            EngineFixture::job("stubborn", {"trap : TERM", "until [ -e never ]; do sleep 0.05 || :; done"}));
        const auto state = [&](int row) {
            return f.ctl({u"ps"_s, u"--json"_s}).json().array().at(row)[u"state"].toString();
        };
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"RUNNING"_s, 20000);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"STOPPING"_s, 20000);
        const auto repeated = f.ctl({u"stop"_s, u"--now"_s, u"--wait"_s, u"1"_s}, {}, 60000);
        QVERIFY2(repeated.status == 0, repeated.err.constData());
        QCOMPARE(state(0), u"STOPPED"_s);
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(0), u"RUNNING"_s, 20000);
        const auto first = f.ctl({u"stop"_s, u"--now"_s, u"--wait"_s, u"2"_s}, {}, 60000);
        QVERIFY2(first.status == 0, first.err.constData());
        QCOMPARE(state(0), u"STOPPED"_s);
    }

    // Of several jobs of one name, what is done with active jobs means the active one.
    void activeJobsOfOneName()
    {
        ProgramsFixture f;
        const QByteArray job = EngineFixture::job("long", {"exec sleep 1000"});
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job).status, 0);
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job).status, 0);
        for (const QString &command : {u"stop"_s, u"pause"_s, u"resume"_s}) {
            for (const QString &word : {u"long"_s, u"name:long"_s}) {
                const auto both = f.ctl({command, word});
                QCOMPARE(both.status, 2);
                QVERIFY2(both.err.contains("Several active jobs have the name long: #2 (")
                        && both.err.contains("), #1 (") && both.err.contains("Give the number"),
                    both.err.constData());
            }
        }
        // Reading one does no harm: the newest one is read, and said.
        const auto read = f.ctl({u"logs"_s, u"long"_s});
        QVERIFY2(read.err.contains("Several active jobs have the name long: #2 (") && read.err.contains("This is #2;"),
            read.err.constData());
        const auto chosen = f.ctl({u"logs"_s, u"1"_s});
        QVERIFY2(!chosen.err.contains("Several active jobs"), chosen.err.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"2"_s, u"--wait"_s}).status, 0);
        const auto only = f.ctl({u"logs"_s, u"long"_s});
        QVERIFY2(!only.err.contains("Several active jobs"), only.err.constData());
        const auto paused = f.ctl({u"pause"_s, u"long"_s});
        QVERIFY2(paused.status == 0 && paused.err.contains("#1 long is paused."), paused.err.constData());
        const auto ended = f.ctl({u"stop"_s, u"2"_s}); // a number means that job
        QVERIFY2(ended.err.contains("#2 long has already ended (STOPPED)."), ended.err.constData());
        const auto stopped = f.ctl({u"stop"_s, u"name:long"_s, u"--wait"_s});
        QVERIFY2(stopped.status == 0 && stopped.err.contains("#1 long was stopped"), stopped.err.constData());
        for (const QString &command : {u"show"_s, u"why"_s, u"exec"_s, u"logs"_s}) {
            const auto said = f.ctl({command, u"long"_s});
            QVERIFY2(said.err.contains(
                         "Several jobs have the name long: #2 (STOPPED), #1 (STOPPED). This is #2; give the number"),
                said.err.constData());
            const auto byNumber = f.ctl({command, u"2"_s});
            QVERIFY2(!byNumber.err.contains("Several jobs"), byNumber.err.constData());
        }
        const auto none = f.ctl({u"stop"_s, u"long"_s});
        QVERIFY2(none.err.contains("#2 long has already ended (STOPPED)."), none.err.constData());
    }
};

TRAINYARD_TEST(TstCliJobs)
#include "tst_clijobs.moc"
