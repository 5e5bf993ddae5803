// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/daemon/damagetests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <signal.h>
#include <sys/mount.h>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What goes wrong with the store: nothing of it may end the engine or make it tell a lie, and people are told in a
// sentence what to do.
class TstDamage : public DamageTests
{
    Q_OBJECT

private Q_SLOTS:
    void store_data()
    {
        QTest::addColumn<QByteArray>("damage");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("random bytes") << QByteArray("random") << QByteArray("is damaged");
        QTest::newRow("random bytes, valid beginning") << QByteArray("middle") << QByteArray("is damaged");
        QTest::newRow("cut") << QByteArray("cut") << QByteArray("is damaged");
        QTest::newRow("empty") << QByteArray("empty") << QByteArray("is damaged");
        QTest::newRow("of a newer version") << QByteArray("newer") << QByteArray("written by a newer version");
        QTest::newRow("a folder") << QByteArray("folder") << QByteArray("Cannot open the engine's store");
    }

    void store()
    {
        QFETCH(QByteArray, damage);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        leaveAStore(f);
        const QString path = f.stateFolder() + u"/store.db"_s;
        QFile file(path);
        const qint64 size = file.size();
        if (damage == "newer") {
            changeStore(path, u"UPDATE meta SET value='9999' WHERE key='schema'"_s);
        } else if (damage == "folder") {
            QVERIFY(file.remove() && QDir().mkdir(path));
        } else {
            QVERIFY(file.open(QIODevice::ReadWrite));
            if (damage == "cut" || damage == "empty") {
                QVERIFY(file.resize(damage == "cut" ? size / 2 + 100 : 0));
            } else {
                QByteArray noise(damage == "middle" ? size - 4096 : size, '\0');
                QRandomGenerator dice(7);
                std::generate(noise.begin(), noise.end(), [&dice] { return char(dice.bounded(256)); });
                QVERIFY(file.seek(size - noise.size()) && file.write(noise) == noise.size());
            }
            file.close();
        }
        const QByteArray before = EngineFixture::contents(path);
        const auto asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains(says), asked.err.constData());
        QVERIFY2(asked.err.contains("tore") && asked.err.trimmed().endsWith('.'), asked.err.constData());
        QVERIFY2(!asked.err.contains('{'), asked.err.constData()); // every argument was there
        QVERIFY(EngineFixture::contents(path) == before); // left for a rescue
        QVERIFY(f.waitForNoDaemon());
        // What the sentence says to do helps.
        if (says == "is damaged") {
            QVERIFY(asked.err.contains("Move it away"));
            QVERIFY(QFile::rename(path, path + u".damaged"_s));
            const auto again = f.ctl({u"ps"_s, u"--json"_s});
            QVERIFY2(again.status == 0, again.err.constData());
            QCOMPARE(again.json().array().size(), 0);
        }
    }

    // A large one is looked through aside, so that nobody waits for it; then it is refused like any other.
    void largeStoreIsCheckedAside()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QString path = f.stateFolder() + u"/store.db"_s;
        changeStore(path,
            u"INSERT INTO event(job, at, kind, data) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
            " WHERE i < 5000) SELECT 0, i, 'x', hex(randomblob(2000)) FROM n"_s);
        QFile file(path);
        QVERIFY2(file.size() > 18 << 20, qPrintable(QString::number(file.size())));
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(!QFile::exists(path + u".suspect"_s));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(12 << 20));
        QVERIFY(file.write(QByteArray(256 << 10, '\xa5')) > 0);
        file.close();
        f.ctl({u"ps"_s}); // may still be answered
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path + u".suspect"_s), 20000);
        QVERIFY(f.waitForNoDaemon());
        const auto asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(
            asked.err.contains("is damaged") && asked.err.contains(QFile::encodeName(path)), asked.err.constData());
        QVERIFY(QFile::rename(path, path + u".damaged"_s));
        QCOMPARE(f.ctl({u"ps"_s}).status, 0); // the mark was of the old one
        QVERIFY(!QFile::exists(path + u".suspect"_s));
    }

    // Damage in a page that no check of the beginning sees is found where the jobs are read.
    void unreadableRowsAreNoEmptyList()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QString path = f.stateFolder() + u"/store.db"_s;
        changeStore(path, u"DROP TABLE attempt"_s);
        changeStore(path, u"UPDATE job SET state='RUNNING'"_s);
        const auto asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains("is damaged"), asked.err.constData());
    }

    // Without its log the store has forgotten the last minutes; what had run is not run again.
    void withoutTheLogNothingRunsTwice()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/once.yaml"_s,
            simple("once", {"echo begin >> begun; until [ -e go ]; do sleep 0.02; done; echo end"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(f.path(u"work/begun"_s)), QByteArray("begin\n"), 15000);
        killAll(f.agentPids());
        killAll(f.pidsOf(u"trainyardd"_s));
        QVERIFY(f.waitForNoDaemon());
        const QString path = f.stateFolder() + u"/store.db"_s;
        QVERIFY(QFile::remove(path + u"-wal"_s));
        const auto listed = f.ctl({u"ps"_s, u"--json"_s});
        QVERIFY2(listed.status == 0 || listed.status == exitNoEngine, listed.err.constData());
        f.write(u"work/go"_s, {});
        if (listed.status == 0 && !listed.json().array().isEmpty()) {
            QCOMPARE(f.ctl({u"wait"_s, u"once"_s}).status, 0);
        }
        QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"bash"_s).isEmpty(), 15000);
        QCOMPARE(EngineFixture::contents(f.path(u"work/begun"_s)), QByteArray("begin\n"));
    }

    // Removing the files of a job may be cut short; the next engine ends it.
    void halfRemoved()
    {
        EngineFixture f;
        const QString half = f.path(u"state/runs/01a200bd-9a77-7e1c-a301-274ad995fe61.removed"_s);
        QVERIFY(QDir().mkpath(half + u"/0/main-0/0"_s));
        QVERIFY(f.open());
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(half), 15000);
    }

    // A store that is lost takes its jobs along. What they left is told, and so is how to end what still runs.
    void foldersOfALostStore()
    {
        ProgramsFixture f;
        const QString file = f.write(u"work/lost.yaml"_s, simple("lost", {"echo up >up; sleep 300"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(f.path(u"work/up"_s)), QByteArray("up\n"), 15000);
        QVERIFY(!f.ctl({u"engine"_s, u"status"_s}).out.contains("no job"));
        killAll(f.agentPids());
        killAll(f.pidsOf(u"trainyardd"_s));
        QVERIFY(f.waitForNoDaemon());
        for (const QString &name : {u"store.db"_s, u"store.db-wal"_s, u"store.db-shm"_s}) {
            QFile::remove(f.stateFolder() + u'/' + name);
        }
        const QDir runs(f.stateFolder() + u"/runs"_s);
        const QString folder = runs.filePath(runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot).constFirst());
        const auto started = contract::readStartedRecord(QFile::encodeName(folder + u"/0/main-0/0"_s).toStdString());
        QVERIFY(started);
        const QByteArray kill = "/0/main-0/0: kill " + QByteArray::number(qint64(started->process.pid)) + '\n';
        auto asked = f.ctl({u"ps"_s});
        QVERIFY2(asked.status == 0 && asked.out.isEmpty(), asked.err.constData());
        QVERIFY2(asked.err.contains("belong to no job that the engine knows"), asked.err.constData());
        QVERIFY2(asked.err.contains(QByteArray(folder.toUtf8() + kill)), asked.err.constData());
        asked = f.ctl({u"engine"_s, u"status"_s});
        QVERIFY2(asked.out.contains(QByteArray(folder.toUtf8() + kill)), asked.out.constData());
        // What the sentence says to do helps.
        QCOMPARE(::kill(pid_t(started->process.pid), SIGTERM), 0);
        QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"bash"_s).isEmpty(), 15000);
        QTRY_VERIFY_WITH_TIMEOUT(f.pidsOf(u"sleep"_s).isEmpty(), 15000);
        asked = f.ctl({u"ps"_s});
        QVERIFY2(asked.err.contains("belong to no job") && !asked.err.contains("kill "), asked.err.constData());
        QVERIFY(QDir(folder).removeRecursively());
        QVERIFY(!f.ctl({u"ps"_s}).err.contains("no job that"));
        // What a command is about to remove is none of them.
        QVERIFY(runs.mkdir(QFileInfo(folder).fileName() + u".removed"_s));
        QVERIFY(!f.ctl({u"ps"_s}).err.contains("no job that"));
    }

    void readOnlyState()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QByteArray state = QFile::encodeName(f.stateFolder());
        SKIP_UNLESS_MOUNTED(::mount(state.constData(), state.constData(), nullptr, MS_BIND, nullptr));
        const auto unmount = qScopeGuard([&] { ::umount2(state.constData(), MNT_DETACH); });
        QCOMPARE(::mount(nullptr, state.constData(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr), 0);
        const auto asked = f.ctl({u"ps"_s}, {}, 30000);
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains(state) && asked.err.contains("Read-only file system"), asked.err.constData());
        QCOMPARE(::mount(nullptr, state.constData(), nullptr, MS_BIND | MS_REMOUNT, nullptr), 0);
        const auto again = f.ctl({u"ps"_s, u"--json"_s});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(again.json().array().size(), 1);
    }

    // The store has it, but cannot be sure that the disk does. It is taken back; where that cannot be done either, the
    // answer is the job that is there.
    void submittedWithoutASync_data()
    {
        QTest::addColumn<bool>("canTakeBack");
        QTest::newRow("taken back") << true;
        QTest::newRow("not to be taken back") << false;
    }

    void submittedWithoutASync()
    {
        QFETCH(const bool, canTakeBack);
        EngineFixture f;
        QVERIFY(f.open());
        const QString first = f.submit(simple("first", {"echo first"}));
        QVERIFY(f.waitForEnd(first));
        QTRY_VERIFY(f.engine().isIdle());
        if (!canTakeBack) {
            changeStore(f.path(u"state/store.db"_s), refusing(u"DELETE ON job"_s));
        }
        // A file that cannot be opened cannot be synced; the store has its own open already.
        const QString log = f.path(u"state/store.db-wal"_s);
        QVERIFY(QFile::rename(log, log + u".kept"_s));
        QVERIFY(QFile::link(log, log));
        const QString uuid = f.submit(simple("second", {"echo second"}));
        QVERIFY(QFile::remove(log) && QFile::rename(log + u".kept"_s, log));
        if (canTakeBack) {
            QVERIFY(uuid.isEmpty());
            QCOMPARE(f.error().code, u"store.write"_s);
        } else {
            QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
            QVERIFY(f.waitForEnd(uuid));
            QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("second\n"));
        }
        f.close();
        QVERIFY(f.open());
        QCOMPARE(f.engine().jobs()->size(), canTakeBack ? 1 : 2);
        QVERIFY(f.engine().isIdle());
    }

    // The store has it, but cannot be sure that the disk does: whoever is told "no" must not find it running.
    void ranAgainWithoutASync_data()
    {
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("as it was") << QByteArray();
        QTest::newRow("edited") << simple("again", {"echo after"});
    }

    void ranAgainWithoutASync()
    {
        QFETCH(QByteArray, after);
        EngineFixture f;
        QVERIFY(f.open());
        const QByteArray before = simple("again", {"echo before"});
        const QString uuid = f.submit(before);
        QVERIFY(f.waitForEnd(uuid));
        QTRY_VERIFY(f.engine().isIdle());
        // A file that cannot be opened cannot be synced; the store has its own open already.
        const QString log = f.path(u"state/store.db-wal"_s);
        QVERIFY(QFile::rename(log, log + u".kept"_s));
        QVERIFY(QFile::link(log, log));
        const Result<bool> refused = f.engine().retry({uuid, {}, false, {}, after});
        QVERIFY(QFile::remove(log) && QFile::rename(log + u".kept"_s, log));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"store.write"_s);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(f.engine().isIdle());
            QCOMPARE(f.job(uuid).state, State::Succeeded);
            QCOMPARE(f.job(uuid).retries, 0);
            QCOMPARE(f.engine().job(uuid)->attempts.size(), 1);
            QCOMPARE(f.engine().job(uuid)->yaml, before);
            QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("before\n"));
            f.close();
            QVERIFY(f.open());
        }
        QVERIFY(f.engine().retry({uuid, {}, false, {}, after}));
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.job(uuid).retries, 1);
    }

    // What a task was before it was tried again is written when there is room, like everything else.
    void triesAreWrittenLater()
    {
        EngineFixture f({{u"retry.pauseSeconds"_s, 0}});
        QVERIFY(f.open());
        const QString uuid = f.submit(EngineFixture::document("tries",
            EngineFixture::role("main", 1,
                {"echo x >> begun", "until [ -e go$(wc -l < begun) ]; do sleep 0.02; done",
                    "[ $(wc -l < begun) -ge 2 ]"},
                "    taskRetryCount: 1\n"),
            "extras: {gangAllocation: false}\n"));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, refusing(u"INSERT ON earlier_try"_s));
        const auto go = [&](const QString &name) {
            QFile file(f.path(u"work/"_s + name));
            [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        };
        go(u"go1"_s);
        QTRY_COMPARE(f.task(uuid, u"main"_s, 0).tries, 1); // known, and not to be written down
        changeStore(store, u"DROP TRIGGER refusing"_s);
        go(u"go2"_s);
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        const Result<QList<TaskInfo>> tries = f.engine().earlierTries(uuid);
        QVERIFY(tries);
        QCOMPARE(tries->size(), 1);
        QCOMPARE(tries->constFirst().rawExit.value_or(0), 1);
    }

    // How the job ended that another one waits for cannot be read: that must not pass for a job that is gone.
    void dependenciesThatCannotBeRead()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString first = f.submit(simple("first", {"until [ -e go ]; do sleep 0.05; done"}));
        QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
        SubmitRequest request;
        request.after = {u"first"_s};
        const QString second = f.submit(simple("second", {"true"}), request);
        QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
        f.close();
        QFile go(f.path(u"work/go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly)); // nobody else would end it
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, u"UPDATE job SET state='SUCCEEDED' WHERE name='first'"_s);
        changeStore(store, u"DROP TABLE result"_s);
        QVERIFY(!f.open());
        QCOMPARE(f.error().code, u"store.damaged"_s);
    }

    // Found while the engine runs: told, and not taken for an empty list.
    void damagedMeanwhile()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("over", {"true"}));
        QVERIFY(f.waitForEnd(uuid));
        QTRY_VERIFY(f.engine().isIdle());
        QSignalSpy damaged(&f.engine(), &Engine::storeDamaged);
        changeStore(f.path(u"state/store.db"_s), u"DROP TABLE earlier_try"_s);
        const Result<QList<TaskInfo>> tries = f.engine().earlierTries(uuid);
        QVERIFY(!tries);
        QCOMPARE(tries.error().code, u"store.damaged"_s);
        QVERIFY(damaged.isEmpty()); // not from inside of what asks
        QTRY_COMPARE(damaged.size(), 1);
        QCOMPARE(damaged.constFirst().constFirst().value<Error>().code, u"store.damaged"_s);
        QVERIFY(!f.engine().tasks(uuid)); // who knows whether that one is whole
        QCoreApplication::processEvents();
        QCOMPARE(damaged.size(), 1);
    }
};

TRAINYARD_TEST(TstDamage)
#include "tst_damage.moc"
