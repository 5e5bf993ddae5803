// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "engine/store/store.h"
#include "tests/daemon/damagetests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QScopeGuard>
#include <QTest>

#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <tuple>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Disks that are full or cannot be written: what people ask for is done or refused with the reason, and nothing is
// lost.
class TstFullDisks : public DamageTests
{
    Q_OBJECT

private Q_SLOTS:
    // The job that fills the disk must be stoppable while it is full.
    void stopsOnAFullDisk()
    {
        EngineFixture f;
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        SKIP_UNLESS_MOUNTED(
            ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700"));
        const auto unmount = qScopeGuard([&] {
            f.close();
            ::umount2(QFile::encodeName(state).constData(), MNT_DETACH);
        });
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("filler", {"while :; do head -c 65536 /dev/zero; sleep 0.001; done"}));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        const QString folder = f.task(uuid, u"main"_s, 0).logFolder;
        QTRY_VERIFY_WITH_TIMEOUT(EngineFixture::contents(folder + u"/runtime.log"_s).contains("nothing is lost")
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
        QTRY_VERIFY_WITH_TIMEOUT(
            !EngineFixture::contents(u"/proc/%1/environ"_s.arg(pid)).contains("TRAINYARD_TRY="), 20000);
        QTRY_COMPARE(f.job(uuid).reason, u"stop.disk-full"_s); // nothing of it goes on
        rest.close();
        QVERIFY(rest.remove());
        QVERIFY(QFile::resize(folder + u"/output.log"_s, 0)); // the keeper holds it open: removing makes no room
        QVERIFY(f.waitForEnd(uuid, 20000));
        QCOMPARE(f.job(uuid).state, State::Stopped);
    }

    // Who waits for it hears why it does not end, and `why` says the same.
    void saysWhatHoldsTheJobUp()
    {
        ProgramsFixture f;
        f.setSettings({{u"log.maxBytes"_s, qint64(1) << 30}});
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        const QByteArray place = QFile::encodeName(state);
        SKIP_UNLESS_MOUNTED(::mount("trainyard-test", place.constData(), "tmpfs", 0, "size=8m,mode=0700"));
        const auto unmount = qScopeGuard([&] { ::umount2(place.constData(), MNT_DETACH); });
        const QString file = f.write(u"filler.yaml"_s, simple("filler", {"head -c 16000000 /dev/zero"}));
        const std::unique_ptr<QProcess> run = f.startCtl({u"run"_s, file, u"--wait"_s});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += run->readAllStandardError())
                                     .contains(QByteArray("#1 filler: The disk of local that has " + place + '/')),
            30000);
        const ProgramsFixture::Output why = f.ctl({u"why"_s, u"filler"_s});
        QVERIFY2(why.status == 0 && why.out.contains(QByteArray("The disk of local that has " + place + '/')),
            why.out.constData());
        const QJsonObject json = f.ctl({u"why"_s, u"filler"_s, u"--json"_s}).json().object();
        QCOMPARE(json[u"waits"][u"code"].toString(), u"task.disk-full"_s);
        QCOMPARE(::mount(nullptr, place.constData(), "tmpfs", MS_REMOUNT, "size=64m,mode=0700"), 0);
        QTRY_COMPARE_WITH_TIMEOUT(run->state(), QProcess::NotRunning, 30000);
        said += run->readAllStandardError();
        QVERIFY2(run->exitCode() == 0, said.constData());
    }

    // Its end is written down all the same, and so is the removal of a job that makes room: room was kept for both.
    void stopsAndRemovesWithoutRoom()
    {
        EngineFixture f({{u"log.maxBytes"_s, qint64(1) << 30}});
        const QString state = f.path(u"state"_s);
        QDir().mkpath(state);
        SKIP_UNLESS_MOUNTED(
            ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=48m,mode=0700"));
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
        SKIP_UNLESS_MOUNTED(
            ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=48m,mode=0700"));
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
        SKIP_UNLESS_MOUNTED(::mount("trainyard-test", place.constData(), "tmpfs", 0, "size=4m,mode=0700"));
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

    // The store is where it was, and a try has no place for its output.
    void readOnlyRuns()
    {
        ProgramsFixture f;
        f.write(u"config/trainyard/engine.json"_s, R"({"retry.pauseSeconds": 0, "retry.freeCap": 0})");
        leaveAStore(f);
        const QByteArray runs = QFile::encodeName(f.stateFolder() + u"/runs"_s);
        SKIP_UNLESS_MOUNTED(::mount(runs.constData(), runs.constData(), nullptr, MS_BIND, nullptr));
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
        SKIP_UNLESS_MOUNTED(
            ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700"));
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

    // It cannot be told whether a change has come to the disk. Who is told "no" finds everything as it was.
    void takesBackWhatMayBeWritten()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("doubtful", {"echo step 1 loss: 0.5"}));
        QVERIFY(f.waitForEnd(uuid));
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return !job.resultsPending && job.results.contains("loss"_L1); }, 30000));
        const auto isStored = [&f] {
            const Result<std::unique_ptr<Store>> store = Store::open(f.path(u"state/store.db"_s));
            const std::optional<JobSummary> job = store ? (*store)->job(1) : std::nullopt;
            return job && !job->results.isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isStored(), 30000);
        QTRY_VERIFY(f.engine().isIdle());
        api::LabelChange change;
        change.ids = {uuid};
        change.addTags = {u"base"_s};
        QVERIFY(f.engine().setLabels(change).value_or(false));
        const JobSummary before = f.job(uuid);
        QVERIFY(before.labels.tags == change.addTags);
        // What is committed is in the log of the store, which nobody can open to have it written to the disk.
        const QByteArray log = QFile::encodeName(f.path(u"state/store.db-wal"_s));
        const QByteArray aside = log + ".aside";
        const auto whileLogIsLost = [&](const std::function<Result<bool>()> &ask) {
            const bool isLost
                = ::rename(log.constData(), aside.constData()) == 0 && ::symlink(log.constData(), log.constData()) == 0;
            const Result<bool> answer = ask();
            const bool isBack = ::unlink(log.constData()) == 0 && ::rename(aside.constData(), log.constData()) == 0;
            return isLost && isBack && !answer ? answer.error().code : QString();
        };
        change.addTags = {u"other"_s};
        change.note = u"why"_s;
        QCOMPARE(whileLogIsLost([&] { return f.engine().setLabels(change); }), u"store.write"_s);
        QVERIFY(f.job(uuid).labels == before.labels);
        QCOMPARE(whileLogIsLost([&] { return f.engine().retry({uuid, {}, false, {}}); }), u"store.write"_s);
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.job(uuid).results, before.results);
        f.close();
        QVERIFY(f.open());
        QVERIFY(f.job(uuid).labels == before.labels);
        QCOMPARE(f.job(uuid).results, before.results);
        QCOMPARE(f.job(uuid).retries, 0);
    }

    // What was read of an output is not lost with a commit that fails, and takes no other change along.
    void resultsAreWrittenLater()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, refusing(u"INSERT ON result"_s));
        const QString uuid = f.submit(simple("measured", {"echo step 1 loss: 0.5"}));
        QVERIFY(f.waitForEnd(uuid));
        QVERIFY(f.waitFor(
            uuid, [](const JobSummary &job) { return !job.resultsPending; }, 30000));
        QVERIFY(f.job(uuid).results.contains("loss"_L1));
        api::LabelChange change;
        change.ids = {uuid};
        change.addTags = {u"base"_s};
        const Result<bool> changed = f.engine().setLabels(change);
        QVERIFY2(changed && *changed, changed ? "" : qPrintable(changed.error().code));
        QVERIFY(f.job(uuid).results.contains("loss"_L1));
        changeStore(store, u"DROP TRIGGER refusing"_s);
        const auto isStored = [&store] {
            const Result<std::unique_ptr<Store>> opened = Store::open(store);
            const std::optional<JobSummary> job = opened ? (*opened)->job(1) : std::nullopt;
            return job && job->results.contains("loss"_L1);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isStored(), 30000);
        QVERIFY(f.job(uuid).results.contains("loss"_L1));
    }

    // A retry that cannot be written down is not promised: it is refused, or comes later, and the answer says which.
    void retriesThatCannotBeWritten()
    {
        EngineFixture f({{u"retry.pauseSeconds"_s, 3000}});
        QVERIFY(f.open());
        const QString first = f.submit(simple("first", {"[ -e a ] || { touch a; kill -9 $$; }"}));
        const QString second = f.submit(simple("second", {"[ -e b ] || { touch b; kill -9 $$; }"}));
        const auto waits = [](const JobSummary &job) { return job.reason == u"wait.retry"_s; };
        QVERIFY(f.waitFor(first, waits) && f.waitFor(second, waits));
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, refusing(u"UPDATE ON job"_s));
        const auto retry = [&f](const QString &uuid) { return f.engine().retry({uuid, {}, false, {}}); };
        const Result<bool> later = retry(first);
        QVERIFY(!later);
        QCOMPARE(later.error().code, u"store.later"_s);
        const Result<bool> refused = retry(second);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"store.write"_s);
        changeStore(store, u"DROP TRIGGER refusing"_s);
        QVERIFY(f.waitForEnd(first, 30000));
        QCOMPARE(f.job(first).state, State::Succeeded);
        QCOMPARE(f.job(second).reason, u"wait.retry"_s);
        QVERIFY(retry(second).value_or(false));
        QVERIFY(f.waitForEnd(second, 30000));
        QCOMPARE(f.job(second).state, State::Succeeded);
    }

    // A removal that is refused takes nothing away.
    void keepsTheFilesOfWhatStays()
    {
        constexpr qint64 bytes = 1'000'000;
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("large", {"head -c 1000000 /dev/zero"}));
        QVERIFY(f.waitForEnd(uuid));
        QTRY_VERIFY(f.engine().isIdle());
        const QString log = f.task(uuid, u"main"_s, 0).logFolder + u"/output.log"_s;
        QCOMPARE(QFileInfo(log).size(), bytes);
        const QString store = f.path(u"state/store.db"_s);
        changeStore(store, refusing(u"DELETE ON job"_s));
        const Result<bool> removed = f.engine().remove(uuid);
        QVERIFY(!removed);
        QCOMPARE(removed.error().code, u"store.write"_s);
        QVERIFY(f.engine().job(uuid));
        QCOMPARE(QFileInfo(log).size(), bytes);
        changeStore(store, u"DROP TRIGGER refusing"_s);
        QVERIFY(f.engine().remove(uuid).value_or(false));
        QTRY_VERIFY(!QFileInfo::exists(log));
    }

    // The wish to stop cannot be written where the task is; it is asked for again until it can be.
    void stopsWhenTheFolderCanBeWritten()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple("sealed", {"until [ -e never ]; do sleep 0.02; done"}));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        const QByteArray folder = QFile::encodeName(f.task(uuid, u"main"_s, 0).logFolder);
        SKIP_UNLESS_MOUNTED(::mount(folder.constData(), folder.constData(), nullptr, MS_BIND, nullptr));
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
};

TRAINYARD_TEST(TstFullDisks)
#include "tst_fulldisks.moc"
