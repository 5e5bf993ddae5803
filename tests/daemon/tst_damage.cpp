// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with disks, clocks and other programs: nothing of it may end the engine or make it tell a lie, and
// people are told in a sentence what to do.
#include "engine/backend/clock.h"
#include "engine/contract/taskfolder.h"
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr int exitNoEngine = 3;
constexpr int exitRefused = 4;

QByteArray simple(const QByteArray &name, const QByteArrayList &commands, const QByteArray &more = {})
{
    return EngineFixture::document(name, EngineFixture::role("main", 1, commands), more);
}

QByteArray damagedContents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void killAll(const QList<qint64> &pids)
{
    for (const qint64 pid : pids) {
        ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

// A job that is over, in a store whose engine has ended in order.
void leaveAStore(const ProgramsFixture &f)
{
    const QString file = f.write(u"work/before.yaml"_s, simple("before", {"echo hello"}));
    const auto run = f.ctl({u"run"_s, file, u"--wait"_s});
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
    QVERIFY(f.waitForNoDaemon());
}

ProgramsFixture::Output startByHand(const ProgramsFixture &f, const QStringList &options)
{
    QProcess daemon;
    daemon.start(f.program(u"trainyardd"_s), options);
    const bool ended = daemon.waitForFinished(20000);
    ProgramsFixture::Output output{
        ended ? daemon.exitCode() : -1, daemon.readAllStandardOutput(), daemon.readAllStandardError()};
    daemon.kill();
    daemon.waitForFinished();
    return output;
}

void changeStore(const QString &path, const QString &sql)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"change"_s);
        database.setDatabaseName(path);
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(sql));
    }
    QSqlDatabase::removeDatabase(u"change"_s);
}

// As a full disk would, and only that.
QString refusing(const QString &what)
{
    return u"CREATE TRIGGER refusing BEFORE %1 BEGIN SELECT RAISE(ABORT, 'no room'); END"_s.arg(what);
}

} // namespace

class TstDamage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // ---- the clock ----

    void clockJumps_data()
    {
        QTest::addColumn<qint64>("step");
        QTest::newRow("back a day") << qint64(-86400000);
        QTest::newRow("on a day") << qint64(86400000);
    }

    // A rest before the next attempt is neither cut short nor put off, and clients hear of every change at once.
    void clockJumps()
    {
        QFETCH(qint64, step);
        EngineFixture f({{u"retry.pauseSeconds"_s, 1}});
        QVERIFY(f.open());
        const auto back = qScopeGuard([step] { stepClockForTests(-step); });
        QSignalSpy told(&f.engine(), &Engine::jobChanged);
        const QString uuid = f.submit(simple("clock",
            {"cat /proc/uptime >> begun; [ $(wc -l < begun) -ge 2 ]; until [ -e seen ]; do sleep 0.05; done"},
            "jobRetryCount: -1\n"));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        const auto isResting = [](const JobSummary &job) { return job.retryDelaySec.has_value(); };
        QVERIFY(f.waitFor(uuid, isResting));
        stepClockForTests(step);
        told.clear();
        const auto sawRunning = [&told] {
            return std::any_of(told.cbegin(), told.cend(), [](const QList<QVariant> &one) {
                return one.constFirst().value<JobSummary>().state == State::Running;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(sawRunning(), 10000); // not only at the end
        QFile seen(f.path(u"work/seen"_s));
        QVERIFY(seen.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(uuid, 10000));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        const QByteArrayList begun = damagedContents(f.path(u"work/begun"_s)).trimmed().split('\n');
        QCOMPARE(begun.size(), 2);
        const double rest
            = begun.at(1).split(' ').constFirst().toDouble() - begun.at(0).split(' ').constFirst().toDouble();
        QVERIFY2(rest >= 0.9 && rest < 9, qPrintable(QString::number(rest)));
    }

    // A rest that was written down under a clock that was far ahead.
    void clockWasSetBackMeanwhile()
    {
        EngineFixture f({{u"retry.pauseSeconds"_s, 1}});
        QVERIFY(f.open());
        const QString uuid
            = f.submit(simple("meanwhile", {"echo x >> begun; [ $(wc -l < begun) -ge 2 ]"}, "jobRetryCount: -1\n"));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.retryDelaySec.has_value(); }));
        f.close();
        constexpr qint64 year = qint64(365) * 86400000;
        stepClockForTests(-year);
        const auto back = qScopeGuard([] { stepClockForTests(year); });
        QVERIFY(f.open());
        QVERIFY(f.waitForEnd(uuid, 10000));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
    }

    // A limit of running time that another engine looks after, under a clock that somebody has set meanwhile.
    void limitWhenTheClockIsSetMeanwhile()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple(
            "limit", {"until [ -e go ]; do sleep 0.05; done"}, "extras: {trainyard: {limits: {timeSeconds: 600}}}\n"));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        f.close();
        constexpr qint64 hour = 3600000;
        stepClockForTests(hour);
        const auto back = qScopeGuard([] { stepClockForTests(-hour); });
        QVERIFY(f.open());
        QVERIFY(
            f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running || isFinal(job.state); }));
        const QString other = f.submit(simple("other", {"true"}, {}));
        QVERIFY(f.waitForEnd(other)); // what the engine wanted to do first is done
        QCOMPARE(f.job(uuid).state, State::Running);
        QFile go(f.path(u"work/go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(uuid, 10000));
        QVERIFY2(f.job(uuid).state == State::Succeeded, qPrintable(f.job(uuid).reason));
    }

    // ---- the disk ----

    // The job that fills the disk must be stoppable while it is full.
    void stopsOnAFullDisk()
    {
        EngineFixture f;
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        if (::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700") != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] {
            f.close();
            ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
        });
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("filler", {"while :; do head -c 65536 /dev/zero; sleep 0.001; done"}));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        const QString folder = f.task(uuid, u"main"_s, 0).logFolder;
        QTRY_VERIFY_WITH_TIMEOUT(damagedContents(folder + u"/runtime.log"_s).contains("nothing is lost")
                || f.engine().hosts().constFirst().tasks == 0
                || QFileInfo(folder + u"/output.log"_s).size() > 3 * 1024 * 1024,
            20000);
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 20000));
        // Down to the last byte, and a store that cannot grow in its own log either.
        QFile rest(state + u"/rest"_s);
        QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        const pid_t pid = pid_t(f.task(uuid, u"main"_s, 0).pid);
        QVERIFY(pid > 1 && ::kill(pid, 0) == 0);
        const Result<bool> stopped = f.engine().stop(uuid);
        QVERIFY(stopped && *stopped);
        QTRY_VERIFY_WITH_TIMEOUT(!damagedContents(u"/proc/%1/environ"_s.arg(pid)).contains("TRAINYARD_TRY="), 20000);
        QTRY_COMPARE(f.job(uuid).reason, u"stop.disk-full"_s); // nothing of it goes on
        rest.close();
        QVERIFY(rest.remove());
        QVERIFY(QFile::resize(folder + u"/output.log"_s, 0)); // the keeper holds it open: removing makes no room
        QVERIFY(f.waitForEnd(uuid, 20000));
        QCOMPARE(f.job(uuid).state, State::Stopped);
    }

    // Its end is written down all the same, and so is the removal of a job that makes room: room was kept for both.
    void stopsAndRemovesWithoutRoom()
    {
        EngineFixture f({{u"log.maxBytes"_s, qint64(1) << 30}});
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        if (::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=48m,mode=0700") != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] {
            f.close();
            ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
        });
        QVERIFY(f.open());
        const QString earlier = f.submit(simple("earlier", {"head -c 2000000 /dev/zero"}));
        QVERIFY(f.waitForEnd(earlier));
        const QString uuid = f.submit(simple("filler", {"while :; do head -c 65536 /dev/zero; done"}));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 30000));
        QFile rest(state + u"/rest"_s);
        QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        QVERIFY(f.engine().stop(uuid));
        QVERIFY(f.waitForEnd(uuid, 20000));
        QCOMPARE(f.job(uuid).state, State::Stopped);
        // What is not in the log is said, and the log and its end agree. The store gives up its reserve to write the
        // stop; when the keeper comes first, that is room for all.
        const QString folder = f.task(uuid, u"main"_s, 0).logFolder;
        const auto record = contract::readExitRecord(folder.toStdString());
        QVERIFY(record);
        QCOMPARE(qint64(record->bytes), QFileInfo(folder + u"/output.log"_s).size());
        QCOMPARE(f.task(uuid, u"main"_s, 0).reason == u"left.output"_s, record->lost > 0);
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        const Result<bool> removed = f.engine().remove(earlier);
        QVERIFY2(removed, removed ? "" : qPrintable(removed.error().code));
        QVERIFY(!f.engine().job(earlier));
    }

    // What a pause is for: the job that fills the disk stops to do so, and goes on when it may.
    void pausesWithoutRoom()
    {
        EngineFixture f({{u"log.maxBytes"_s, qint64(1) << 30}});
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        if (::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=48m,mode=0700") != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] {
            f.close();
            ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
        });
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("filler", {"while :; do head -c 65536 /dev/zero; done"}));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 30000));
        QFile rest(state + u"/rest"_s);
        QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        for (const bool on : {true, false}) {
            const Result<bool> done = f.engine().pause(uuid, on);
            QVERIFY2(done && *done, done ? "" : qPrintable(done.error().code));
            QCOMPARE(f.job(uuid).paused, on);
            while (rest.write(QByteArray(512, 'x')) == 512) { }
        }
        // What was kept is used up: a pause is refused then, and says which disk is full.
        const Result<bool> refused = f.engine().pause(uuid, true);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"store.full"_s);
        QCOMPARE(refused.error().args.value("folder"_L1).toString(), state);
        QVERIFY(!f.job(uuid).paused);
        QVERIFY(f.engine().stop(uuid));
        rest.close();
        QVERIFY(rest.remove());
        QVERIFY(f.waitForEnd(uuid, 20000));
    }

    // A job whose output has no room says so for as long as that is so, and loses nothing.
    void goesOnWhenThereIsRoom()
    {
        EngineFixture f;
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        const QByteArray place = QFile::encodeName(state);
        if (::mount("trainyard-test", place.constData(), "tmpfs", 0, "size=4m,mode=0700") != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] {
            f.close();
            ::umount2(place.constData(), MNT_DETACH);
        });
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("large", {"head -c 8000000 /dev/zero"}));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 20000));
        QCOMPARE(f.job(uuid).state, State::Running);
        QCOMPARE(f.task(uuid, u"main"_s, 0).reason, u"task.disk-full"_s);
        QCOMPARE(::mount(nullptr, place.constData(), "tmpfs", MS_REMOUNT, "size=64m,mode=0700"), 0);
        QVERIFY(f.waitForEnd(uuid, 20000));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.job(uuid).reason, QString());
        QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray(8000000, '\0'));
    }

    // ---- the store ----

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
        const QByteArray before = damagedContents(path);
        const auto asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains(says), asked.err.constData());
        QVERIFY2(asked.err.contains("tore") && asked.err.trimmed().endsWith('.'), asked.err.constData());
        QVERIFY2(!asked.err.contains('{'), asked.err.constData()); // every argument was there
        QVERIFY(damagedContents(path) == before); // left for a rescue
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
        QTRY_COMPARE_WITH_TIMEOUT(damagedContents(f.path(u"work/begun"_s)), QByteArray("begin\n"), 15000);
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
        QCOMPARE(damagedContents(f.path(u"work/begun"_s)), QByteArray("begin\n"));
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
        QTRY_COMPARE_WITH_TIMEOUT(damagedContents(f.path(u"work/up"_s)), QByteArray("up\n"), 15000);
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

    // ---- folders ----

    void readOnlyState()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QByteArray state = QFile::encodeName(f.stateFolder());
        if (::mount(state.constData(), state.constData(), nullptr, MS_BIND, nullptr) != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
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

    // The store is where it was, and a try has no place for its output.
    void readOnlyRuns()
    {
        ProgramsFixture f;
        f.write(u"config/trainyard/engine.json"_s, R"({"retry.pauseSeconds": 0, "retry.freeCap": 0})");
        leaveAStore(f);
        const QByteArray runs = QFile::encodeName(f.stateFolder() + u"/runs"_s);
        if (::mount(runs.constData(), runs.constData(), nullptr, MS_BIND, nullptr) != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] { ::umount2(runs.constData(), MNT_DETACH); });
        QCOMPARE(::mount(nullptr, runs.constData(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr), 0);
        const auto run = f.ctl({u"run"_s, f.path(u"work/before.yaml"_s), u"--wait"_s});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("The folder for the task's output on the host is not writable")
                && run.err.contains(QByteArray(runs + '/')),
            run.err.constData());
        QCOMPARE(::mount(nullptr, runs.constData(), nullptr, MS_BIND | MS_REMOUNT, nullptr), 0);
        QCOMPARE(f.ctl({u"run"_s, f.path(u"work/before.yaml"_s), u"--wait"_s}).status, 0);
    }

    // A job that cannot be written down is not taken; the list can be read all the same.
    void submittedOnAFullDisk()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QString state = f.stateFolder();
        const QString moved = state + u".moved"_s;
        QVERIFY(QDir().rename(state, moved) && QDir().mkdir(state));
        if (::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700") != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        const auto unmount = qScopeGuard([&] { ::umount2(QFile::encodeName(state).constData(), MNT_DETACH); });
        QVERIFY(QFile::copy(moved + u"/store.db"_s, state + u"/store.db"_s));
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        QFile rest(state + u"/rest"_s);
        QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        const auto run = f.ctl({u"run"_s, f.path(u"work/before.yaml"_s)});
        QCOMPARE(run.status, exitRefused);
        const QByteArray says = "The disk of the state folder " + QFile::encodeName(state) + " is full";
        QVERIFY2(run.err.contains(says) && run.err.contains("Free at least 32 MiB there"), run.err.constData());
        QVERIFY2(!run.err.contains("database"), run.err.constData());
        QCOMPARE(f.ctl({u"ps"_s, u"--json"_s}).json().array().size(), 1);
        rest.close();
        QVERIFY(rest.remove());
        QCOMPARE(f.ctl({u"run"_s, f.path(u"work/before.yaml"_s)}).status, 0);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s, u"--jobs"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
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

    // Run again with edits, which cannot be written down: it is as it was, and nobody is told that it runs.
    void ranAgainOnAFullDisk()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QByteArray before = simple("again", {"echo before"});
        const QString uuid = f.submit(before);
        QVERIFY(f.waitForEnd(uuid));
        QTRY_VERIFY(f.engine().isIdle());
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, refusing(u"UPDATE ON document"_s));
        const QByteArray after = simple("again", {"echo after"});
        const Result<bool> refused = f.engine().retry({uuid, {}, false, {}, after});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"store.write"_s);
        QVERIFY(f.engine().isIdle());
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.job(uuid).retries, 0);
        QCOMPARE(f.engine().job(uuid)->yaml, before);
        changeStore(store, u"DROP TRIGGER refusing"_s);
        QVERIFY(f.engine().retry({uuid, {}, false, {}, after}));
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("after\n"));
        f.close();
        QVERIFY(f.open());
        QCOMPARE(f.job(uuid).retries, 1);
        QCOMPARE(f.engine().job(uuid)->yaml, after);
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

    void changesOnAFullDisk_data()
    {
        QTest::addColumn<bool>("forRoom");
        QTest::newRow("of jobs that wait for another") << false;
        QTest::newRow("of jobs that wait for room") << true;
    }

    // What cannot be written down is not done: the answer says so, and nothing comes of it later.
    void changesOnAFullDisk()
    {
        QFETCH(const bool, forRoom);
        EngineFixture f;
        QVERIFY(f.open());
        const qint64 most = forRoom ? f.engine().hosts().constFirst().memoryMiB * 6 / 10 : 16;
        const QByteArray resources = "{cpu: 1, gpu: 0, memoryMB: " + QByteArray::number(most) + '}';
        const auto add = [&](const QByteArray &name, const QByteArray &command, const QByteArray &more) {
            return f.submit(
                EngineFixture::document(name, EngineFixture::role("main", 1, {command}, {}, resources), more));
        };
        const QByteArray waits = forRoom ? QByteArray() : QByteArray("extras: {trainyard: {after: [first]}}\n");
        const QString first = add("first", "until [ -e go ]; do sleep 0.02; done", {});
        QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
        const QString second = add("second", "true", waits);
        const QString third = add("third", "true", waits);
        QVERIFY2(!second.isEmpty() && !third.isEmpty(), qPrintable(f.error().code));
        if (forRoom) {
            QVERIFY(f.waitFor(third, [](const JobSummary &job) { return job.reason == u"wait.memory"_s; }));
        }
        const QString store = f.path(u"state/store.db"_s);
        const auto placeOf = [&](const QString &uuid) {
            const JobSummary job = f.job(uuid);
            return std::tuple(job.priority, job.order, job.paused);
        };
        const auto isRefused
            = [](const Result<bool> &answer) { return !answer && answer.error().code == "store.write"_L1; };
        const auto ofFirst = placeOf(first), ofSecond = placeOf(second), ofThird = placeOf(third);
        changeStore(store, refusing(u"UPDATE ON job"_s));
        const auto allAreRefused = [&] {
            QVERIFY(isRefused(f.engine().pause(second, true)));
            QVERIFY(isRefused(f.engine().setPriority(second, 7)));
            QVERIFY(isRefused(f.engine().move(third, second)));
            QVERIFY(isRefused(f.engine().move(second, {})));
            QVERIFY(placeOf(second) == ofSecond);
            QVERIFY(placeOf(third) == ofThird);
        };
        QVERIFY(isRefused(f.engine().pause(first, true)));
        QVERIFY(placeOf(first) == ofFirst);
        allAreRefused();
        // The same while what happened before waits for room on the disk.
        QFile go(f.path(u"work/go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly));
        QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Succeeded; }));
        allAreRefused();
        changeStore(store, u"DROP TRIGGER refusing"_s);
        // And then at once, without waiting for the next look at the disk.
        QVERIFY(f.engine().pause(third, true).value_or(false));
        QVERIFY(f.waitForEnd(second));
        QVERIFY(f.engine().pause(third, false).value_or(false));
        QVERIFY(f.waitForEnd(third));
        QVERIFY(placeOf(second) == ofSecond);
        QVERIFY(placeOf(third) == ofThird);
        f.close();
        QVERIFY(f.open());
        QVERIFY(placeOf(second) == ofSecond);
        QCOMPARE(f.job(first).state, State::Succeeded);
        QCOMPARE(f.job(third).state, State::Succeeded);
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

    // The wish to stop cannot be written where the task is; it is asked for again until it can be.
    void stopsWhenTheFolderCanBeWritten()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("sealed", {"until [ -e never ]; do sleep 0.02; done"}));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        const QByteArray folder = QFile::encodeName(f.task(uuid, u"main"_s, 0).logFolder);
        if (::mount(folder.constData(), folder.constData(), nullptr, MS_BIND, nullptr) != 0) {
            QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
        }
        auto unmount = qScopeGuard([&] { ::umount2(folder.constData(), MNT_DETACH); });
        QCOMPARE(::mount(nullptr, folder.constData(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr), 0);
        QVERIFY(f.engine().stop(uuid).value_or(false));
        QTRY_COMPARE(f.task(uuid, u"main"_s, 0).reason, u"stop.unwritable"_s);
        QCOMPARE(f.job(uuid).state, State::Stopping);
        QCOMPARE(f.job(uuid).reason, u"stop.unwritable"_s);
        ::umount2(folder.constData(), MNT_DETACH);
        unmount.dismiss();
        QVERIFY(f.waitForEnd(uuid, 20000));
        QCOMPARE(f.job(uuid).state, State::Stopped);
    }

    // ---- what people write by hand ----

    void configuration()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QString settings = u"config/trainyard/engine.json"_s;
        f.write(settings, "{\"gpu.exclude\": [");
        auto asked = f.ctl({u"ps"_s, u"--json"_s});
        QCOMPARE(asked.json().array().size(), 1);
        QVERIFY2(asked.err.contains(QByteArray("Cannot read the settings " + f.path(settings).toUtf8()))
                && asked.err.contains("Fix the file, or move it away."),
            asked.err.constData());
        // Nothing is written over it.
        QVERIFY(f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"5"_s}).status != 0);
        QCOMPARE(damagedContents(f.path(settings)), QByteArray("{\"gpu.exclude\": ["));
        f.write(settings, R"({"stop.graceSeconds": "soon", "of.later.versions": 1})");
        asked = f.ctl({u"ps"_s});
        QVERIFY2(asked.err.contains("The setting stop.graceSeconds in")
                && asked.err.contains("must be a whole number from 0 to 86400")
                && asked.err.contains("the default 30 is used."),
            asked.err.constData());
        QVERIFY2(!asked.err.contains("of.later.versions"), asked.err.constData());
        f.write(settings, R"({"stop.graceSeconds": 3})");
        QCOMPARE(f.ctl({u"ps"_s}).err, QByteArray());
        // The running engine goes by the mended file.
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"settings"_s, u"stop.graceSeconds"_s}).out, QByteArray("3\n"), 10000);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        f.write(u"config/trainyard/hosts.json"_s, "{");
        asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains(QByteArray(f.path(u"config/trainyard/hosts.json"_s).toUtf8() + ": "))
                && asked.err.contains("Fix the file"),
            asked.err.constData());
    }

    // ---- two engines, and a lock ----

    // Somebody holds the lock and serves nobody.
    void lockOfAHangingEngine()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const int lock = ::open(QFile::encodeName(f.stateFolder() + u"/daemon.lock"_s).constData(), O_RDWR | O_CLOEXEC);
        QVERIFY(lock >= 0 && ::flock(lock, LOCK_EX) == 0);
        const auto asked = f.ctl({u"ps"_s}, {}, 40000);
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains("Another engine is using"), asked.err.constData());
        ::close(lock);
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    // The file alone is no lock: one of a killed engine keeps nobody out.
    void deadLock()
    {
        ProgramsFixture f;
        leaveAStore(f);
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const QList<qint64> first = f.pidsOf(u"trainyardd"_s);
        QCOMPARE(first.size(), 1);
        killAll(first);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(QFile::exists(f.stateFolder() + u"/daemon.lock"_s));
        QVERIFY(QFile::exists(f.socketPath())); // a dead one, too
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    void twoDaemons()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const QList<qint64> first = f.pidsOf(u"trainyardd"_s);
        for (const QStringList &options : {QStringList{u"--foreground"_s}, QStringList{}}) {
            const auto second = startByHand(f, options);
            QCOMPARE(second.status, 4);
            QVERIFY2(second.err.contains("Another daemon serves already"), second.err.constData());
            QTRY_COMPARE(f.pidsOf(u"trainyardd"_s), first); // it has said its word, and ends
        }
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    // ---- a daemon that somebody starts by hand ----

    void startedByHand()
    {
        ProgramsFixture f;
        const auto started = startByHand(f, {});
        QVERIFY2(started.status == 0 && started.err.isEmpty(), started.err.constData());
        QCOMPARE(f.ctl({u"engine"_s, u"status"_s}).status, 0); // which starts none
        QCOMPARE(f.pidsOf(u"trainyardd"_s).size(), 1);
    }

    void saysByHandWhyItDoesNotStart_data()
    {
        QTest::addColumn<QByteArray>("damage");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("store of a newer version") << QByteArray("newer") << QByteArray("written by a newer version");
        QTest::newRow("no folder") << QByteArray("folder") << QByteArray("state/trainyard");
    }

    void saysByHandWhyItDoesNotStart()
    {
        QFETCH(QByteArray, damage);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        if (damage == "newer") {
            leaveAStore(f);
            changeStore(f.stateFolder() + u"/store.db"_s, u"UPDATE meta SET value='9999' WHERE key='schema'"_s);
        } else {
            f.write(u"state/trainyard"_s, "a file");
        }
        for (const QStringList &options : {QStringList{}, QStringList{u"--foreground"_s}}) {
            const auto started = startByHand(f, options);
            QCOMPARE(started.status, exitNoEngine);
            QVERIFY2(started.err.contains(says), started.err.constData());
        }
        QVERIFY(f.waitForNoDaemon());
    }

    // ---- the computer was restarted ----

    // All processes are gone, and their numbers belong to somebody else: to this test. Nothing counts as running,
    // nobody is signalled, and what was cut off is begun again.
    void reboot_data()
    {
        QTest::addColumn<bool>("emptyRecord");
        QTest::newRow("records whole") << false;
        QTest::newRow("cut off by the power") << true;
    }

    void reboot()
    {
        QFETCH(bool, emptyRecord);
        ProgramsFixture f;
        const QString file = f.write(u"work/boot.yaml"_s,
            simple("boot", {"echo line; echo begin >> begun; until [ -e go ]; do sleep 0.02; done"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(damagedContents(f.path(u"work/begun"_s)), QByteArray("begin\n"), 15000);
        killAll(f.pidsOf(u"trainyardd"_s));
        killAll(f.pidsOf(u"trainyard-agent"_s));
        killAll(f.pidsOf(u"bash"_s));
        QTRY_VERIFY(f.pidsOf(u"bash"_s).isEmpty() && f.pidsOf(u"trainyard-agent"_s).isEmpty());
        const QDir runs(f.stateFolder() + u"/runs"_s);
        const QString folder
            = runs.filePath(runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot).constFirst()) + u"/0/main-0/0"_s;
        // A session of somebody else's, whose number the keeper once had.
        QProcess stranger;
        stranger.start(u"setsid"_s, {u"sleep"_s, u"60"_s});
        QVERIFY(stranger.waitForStarted());
        QTRY_COMPARE(::getsid(pid_t(stranger.processId())), pid_t(stranger.processId()));
        const auto mine = contract::identityOf(stranger.processId());
        QVERIFY(mine);
        for (const char *name : {"started", "keeper"}) {
            const QString path = folder + u'/' + QLatin1StringView(name);
            QByteArrayList lines = damagedContents(path).split('\n');
            for (QByteArray &line : lines) {
                if (line.startsWith("bootId ")) {
                    line = "bootId 00000000-0000-4000-8000-000000000000";
                } else if (line.startsWith("pid ")) {
                    line = "pid " + QByteArray::number(stranger.processId());
                } else if (line.startsWith("startTime ")) {
                    line = "startTime " + QByteArray::number(quint64(mine->startTime));
                }
            }
            QFile record(path);
            QVERIFY(record.open(QIODevice::WriteOnly));
            if (!emptyRecord || qstrcmp(name, "keeper") == 0) {
                record.write(lines.join('\n'));
            }
        }
        f.write(u"work/go"_s, {});
        const auto waited = f.ctl({u"wait"_s, u"boot"_s}, {}, 30000);
        QVERIFY2(waited.status == 0, waited.err.constData());
        QCOMPARE(stranger.state(), QProcess::Running);
        const auto exit = contract::readExitRecord(QFile::encodeName(folder).toStdString());
        QVERIFY(exit);
        QCOMPARE(exit->kind, contract::ExitKind::Lost);
        QCOMPARE(QString::fromStdString(exit->reason), u"host.restarted"_s);
        QCOMPARE(damagedContents(folder + u"/output.log"_s), QByteArray("line\n"));
        QCOMPARE(damagedContents(f.path(u"work/begun"_s)), QByteArray("begin\nbegin\n"));
        const auto shown = f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject();
        QCOMPARE(shown.value("state"_L1).toString(), u"SUCCEEDED"_s);
        QCOMPARE(shown.value("retries"_L1).toInt(), 1);
        stranger.kill();
        stranger.waitForFinished();
    }

    // ---- no room for one more process ----

    void noProcesses()
    {
        if (::getuid() != 0) {
            QSKIP(
                "The limit counts all processes of a user, and only root can become one who has none: run it as root.");
        }
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 1}, {u"retry.freeCap"_s, 100}});
        const uid_t user = 54321 + uid_t(::getpid() % 1000);
        QCOMPARE(QProcess::execute(u"chown"_s, {u"-R"_s, QString::number(user), f.path({})}), 0);
        const auto as = [&](const QString &limit, const QStringList &words) {
            QProcess process;
            process.setWorkingDirectory(f.path(u"work"_s));
            process.start(u"setpriv"_s,
                QStringList{u"--reuid"_s, QString::number(user), u"--clear-groups"_s, u"prlimit"_s,
                    u"--nproc="_s + limit, f.program(u"trainyardctl"_s)}
                    + words);
            process.waitForFinished(40000);
            return ProgramsFixture::Output{
                process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        };
        f.write(u"work/one.yaml"_s, simple("one", {"true"}));
        const auto first = as(u"64"_s, {u"run"_s, u"one.yaml"_s, u"--wait"_s});
        if (first.err.contains("missing") || first.status == 126) {
            QSKIP("Other users cannot run the programs: build them where every user may look.");
        }
        QVERIFY2(first.status == 0, first.err.constData());
        // The agent of the running engine may start nothing any more.
        const QList<qint64> agents = f.agentPids();
        QCOMPARE(agents.size(), 1);
        const auto allow = [&](const QString &limit) {
            return QProcess::execute(u"setpriv"_s,
                {u"--reuid"_s, QString::number(user), u"--clear-groups"_s, u"prlimit"_s, u"--pid"_s,
                    QString::number(agents.constFirst()), QString(u"--nproc="_s + limit)});
        };
        QCOMPARE(allow(u"1:64"_s), 0);
        f.write(u"work/two.yaml"_s, simple("two", {"true"}));
        const auto second = as(u"64"_s, {u"run"_s, u"two.yaml"_s});
        QVERIFY2(second.status == 0, second.err.constData());
        // It is tried again, says why, and goes through as soon as there is room.
        QTRY_VERIFY_WITH_TIMEOUT(as(u"64"_s, {u"show"_s, u"two"_s}).out.contains("allows no more processes"), 60000);
        QCOMPARE(allow(u"64:64"_s), 0);
        const auto waited = as(u"64"_s, {u"wait"_s, u"two"_s});
        QVERIFY2(waited.status == 0, waited.err.constData());
    }
};

TRAINYARD_TEST(TstDamage)
#include "tst_damage.moc"
