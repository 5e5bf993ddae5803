// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/store/schema.h"
#include "engine/store/statejson.h"
#include "engine/store/store.h"
#include "engine/store/storecolumns.h"
#include "tests/contract/storejobs.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/nosqlitememory.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace storejobs;

// What stands on the disk, and what becomes of a file that is damaged, old, new or cut off.
class TstStoreFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void documentsOnDisk();
    void extrasOnDisk();
    void policiesOnDisk();
    void statesOnDisk();
    void tasksOnDisk();
    void refusesNewer();
    void refusesDamaged_data();
    void refusesDamaged();
    void tellsWhoHoldsIt();
    void noMemoryIsNoDamage();
    void opensOnAFullDisk();
    void migrates();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString path() const { return m_folder->filePath(u"store.db"_s); }
};

void TstStoreFiles::init() { m_folder = std::make_unique<QTemporaryDir>(); }

// What stands in the file, letter by letter: an older version must be able to read what a newer one has written.
void TstStoreFiles::documentsOnDisk()
{
    const StoredDocument full{"name: x\n", {{u"b"_s, u"2"_s}, {u"a"_s, u"1"_s}}, u"lab1"_s, u"~/w"_s, u"podman"_s,
        u"/h/x.yaml"_s, u"key 1"_s};
    const QString text = columns::dataOf(full);
    QCOMPARE(text,
        uR"({"file":"/h/x.yaml","key":"key 1","parameters":{"a":"1","b":"2"},"runIn":"podman","target":"lab1","work":"~/w"})"_s);
    QCOMPARE(columns::documentFrom(full.yaml, text), full);
    StoredDocument swept;
    swept.documentName = u"train"_s;
    QCOMPARE(columns::dataOf(swept),
        uR"({"documentName":"train","file":"","parameters":{},"runIn":"","target":"","work":""})"_s);
    QCOMPARE(columns::documentFrom({}, columns::dataOf(swept)), swept);
    const QString empty = columns::dataOf({});
    QCOMPARE(empty, uR"({"file":"","parameters":{},"runIn":"","target":"","work":""})"_s);
    QCOMPARE(columns::documentFrom({}, empty), StoredDocument());
    QCOMPARE(columns::documentFrom({}, u"{}"_s), StoredDocument());
}

void TstStoreFiles::extrasOnDisk()
{
    JobSummary full;
    full.submitted = 4;
    full.counts = {1, 2, 3, 4, 5};
    full.hosts = {u"local"_s, u"lab1"_s};
    full.order = 5.5;
    full.retryDelaySec = 17;
    full.began = 9;
    full.paused = true;
    full.priorityClass = u"oppo"_s;
    full.rawExit = 2;
    full.pausedMs = 11;
    full.formerMs = 13;
    full.pauses = {{1, 12, false}};
    const QString text = columns::extraOf(full);
    QCOMPARE(text,
        uR"({"began":9,"counts":[1,2,3,4,5],"formerMs":13,"hosts":["local","lab1"],"order":5.5,"paused":true,"pausedMs":11,"pauses":[{"from":1,"until":12}],"priorityClass":"oppo","rawExit":2,"retryDelaySec":17})"_s);
    JobSummary plain;
    plain.submitted = plain.order = 4;
    const QString least = columns::extraOf(plain);
    QCOMPARE(least, uR"({"counts":[0,0,0,0,0],"hosts":[]})"_s);
    const auto read = [](const QString &extra) {
        JobSummary summary;
        summary.submitted = 4;
        columns::readExtra(columns::jsonObject(extra), summary);
        return summary;
    };
    QCOMPARE(read(text), full);
    QCOMPARE(read(least), plain);
    QCOMPARE(read(u"{}"_s), plain);
}

void TstStoreFiles::policiesOnDisk()
{
    JobPolicy full;
    full.gang = false;
    full.jobRetry = -2;
    full.maxParallelTasks = 8;
    full.completedLimit = 1;
    full.timeLimitMs = 60000;
    full.guards = {1, 2, 3, 4, 5, 6};
    full.priorityClass = u"oppo"_s;
    full.roles.push_back(
        {u"w"_s, 2, 1, 2, 3, {1, 4, 1024, {{u"ssh"_s, 1}, {u"web"_s, 2}}, {{u"web"_s, 8080}}, 500, u"A100"_s}});
    full.roles.push_back({u"p"_s, 1, 1, -1, 0, {}});
    const QString text = columns::jsonText(full.toJson());
    QCOMPARE(text,
        uR"({"completedLimit":1,"gang":false,"guards":{"conflictMaxSec":6,"conflictMinSec":5,"freeRetryCap":1,"maxPauseMs":4,"minPauseMs":3,"steadyMs":2},"jobRetry":-2,"maxParallelTasks":8,"priorityClass":"oppo","roles":[)"
        uR"({"cpu":4,"gpu":1,"gpuMemoryMiB":500,"gpuType":"A100","instances":2,"memoryMiB":1024,"minFailed":1,"minSucceeded":2,"name":"w","ports":[["ssh",1],["web",2,8080]],"taskRetry":3},)"
        uR"({"cpu":1,"gpu":0,"gpuMemoryMiB":0,"instances":1,"memoryMiB":0,"minFailed":1,"minSucceeded":-1,"name":"p","ports":[],"taskRetry":0}],"timeLimitMs":60000})"_s);
    QCOMPARE(JobPolicy::fromJson(columns::jsonObject(text)), full);
    QCOMPARE(JobPolicy::fromJson({}), JobPolicy());
    JobPolicy oldest; // what a role had at first, and nothing of it
    oldest.roles.push_back({});
    QCOMPARE(JobPolicy::fromJson({{u"roles"_s, QJsonArray{QJsonObject()}}}), oldest);
}

void TstStoreFiles::statesOnDisk()
{
    AttemptRecord attempt{2, 3, 4, 5, AttemptResult{}, BootTime{u"b"_s, 6}};
    *attempt.result = {137, TriggerRule::MinFailed, {0, 1}, 2, 3, 9, u"x.y"_s, {{u"a"_s, 1}}};
    const QString text = columns::jsonText(attemptToJson(attempt));
    QCOMPARE(text,
        uR"({"completed":5,"created":3,"index":2,"launched":4,"launchedBoot":{"boot":"b","ms":6},"result":{"code":137,"count":2,"limit":3,"rawExit":9,"reason":"x.y","reasonArgs":{"a":1},"role":0,"rule":1,"task":1}})"_s);
    QCOMPARE(attemptFromJson(columns::jsonObject(text)), attempt);
    QCOMPARE(columns::jsonText(attemptToJson({})), uR"({"created":0,"index":0})"_s);
    QCOMPARE(attemptFromJson({}), AttemptRecord());
    attempt = {};
    attempt.result = AttemptResult{};
    QCOMPARE(columns::jsonText(attemptToJson(attempt)),
        uR"({"created":0,"index":0,"result":{"code":0,"count":0,"limit":0,"role":-1,"rule":0,"task":-1}})"_s);
    QCOMPARE(attemptFromJson({{u"result"_s, QJsonObject()}}), attempt);

    JobState job = newJob(QUuid::createUuid(), {}, {}, 1);
    QCOMPARE(columns::jsonText(machineToJson(job)),
        uR"({"accountable":0,"freeInARow":0,"phase":"active","retries":0,"stop":false})"_s);
    job.phase = Ending{};
    QCOMPARE(columns::jsonText(machineToJson(job)),
        uR"({"accountable":0,"freeInARow":0,"phase":"ending","retries":0,"stop":false})"_s);
    job.phase = Finished{9};
    QCOMPARE(columns::jsonText(machineToJson(job)),
        uR"({"accountable":0,"at":9,"freeInARow":0,"phase":"finished","retries":0,"stop":false})"_s);
    job.phase = Backoff{10, true, true};
    job.retries = 1;
    job.chargedRetries = 2;
    job.consecutiveFreeRetries = 3;
    job.stopRequested = true;
    job.reason = u"r.s"_s;
    job.reasonArgs = {{u"k"_s, u"v"_s}};
    job.order = 1.5;
    job.pausedAt = 7;
    job.pausedBoot = BootTime{u"b"_s, 8};
    job.pausedMs = 9;
    job.pauses = {{2, 3, true}};
    job.after = {{QUuid(u"{0193f1a0-0000-7000-8000-000000000001}"_s), 41, u"prep"_s, true}};
    const QString whole = columns::jsonText(machineToJson(job));
    QCOMPARE(whole,
        uR"({"accountable":2,"after":[{"ended":true,"id":41,"job":"0193f1a0-0000-7000-8000-000000000001","name":"prep"}],"charged":true,"conflict":true,"due":10,"freeInARow":3,"order":1.5,"pausedAt":7,"pausedBoot":{"boot":"b","ms":8},"pausedMs":9,"pauses":[{"from":2,"stopped":true,"until":3}],"phase":"resting","reason":"r.s","reasonArgs":{"k":"v"},"retries":1,"stop":true})"_s);
    JobState read = newJob(job.uuid, {}, {}, 1);
    machineFromJson(columns::jsonObject(whole), read);
    QCOMPARE(columns::jsonText(machineToJson(read)), whole);
    QVERIFY(read.after == job.after && read.pausedBoot == job.pausedBoot);
    QCOMPARE(std::get<Backoff>(read.phase).due, 10);
    JobState none = newJob(job.uuid, {}, {}, 1);
    machineFromJson({}, none);
    QCOMPARE(columns::jsonText(machineToJson(none)), columns::jsonText(machineToJson(newJob(job.uuid, {}, {}, 1))));
}

void TstStoreFiles::tasksOnDisk()
{
    Allocation place{u"h"_s, u"10.0.0.1"_s, {0, 3}, {{u"http"_s, {1, 2}}, {u"ssh"_s, {}}}, 512};
    const TryResult result{137, 9, u"oom.limit"_s, {{u"b"_s, 1}, {u"a"_s, QJsonArray{u"x"_s}}}};
    Task task;
    QCOMPARE(taskText(task), QByteArray(R"({"created":0,"is":"waiting","try":0})"));
    task.state = Waiting{5000, true};
    QCOMPARE(taskText(task), QByteArray(R"({"charged":true,"created":0,"is":"waiting","notBefore":5000,"try":0})"));
    task.state = Stopping{place, ProcessId{u"boot"_s, 4711, quint64(1) << 50}, 17, result};
    task.created = 7;
    task.tryIndex = 2;
    task.chargedRetries = 1;
    task.consecutiveFreeRetries = 3;
    task.firstLaunched = 8;
    task.previous = result;
    task.lastHost = u"lab"_s;
    task.keptFrom = 1;
    task.usage = {1, 2, 3, 4, {{u"processes"_s, QJsonArray{u"1 sh"_s}}}};
    QCOMPARE(taskText(task),
        QByteArray(
            R"({"accountable":1,"began":17,"created":7,"freeInARow":3,"is":"stopping","keptFrom":1,"lastHost":"lab","launched":8,)"
            R"("place":{"address":"10.0.0.1","gpuShareMiB":512,"gpus":[0,3],"host":"h","ports":[["http",[1,2]],["ssh",[]]]},)"
            R"("previous":{"code":137,"raw":9,"reason":"oom.limit","reasonArgs":{"a":["x"],"b":1}},)"
            R"("process":{"bootId":"boot","pid":4711,"startTime":1125899906842624},)"
            R"("result":{"code":137,"raw":9,"reason":"oom.limit","reasonArgs":{"a":["x"],"b":1}},"try":2,)"
            R"("usage":{"cpuMs":2,"gpuMemoryMiB":3,"gpuPercent":4,"left":{"processes":["1 sh"]},"memoryMiB":1}})"));
    place.gpuShareMiB = 0;
    Task ended;
    ended.state = Ended{place, 17, 18, {0, 0, {}, {}}};
    ended.firstLaunched = 17;
    ended.usage.cpuMs = 5;
    QCOMPARE(taskText(ended),
        QByteArray(R"({"began":17,"created":0,"ended":18,"is":"ended","launched":17,)"
                   R"("place":{"address":"10.0.0.1","gpus":[0,3],"host":"h","ports":[["http",[1,2]],["ssh",[]]]},)"
                   R"("result":{"code":0,"raw":0},"try":0,"usage":{"cpuMs":5}})"));
    const std::optional<Task> quick = taskFromText(taskText(ended));
    QVERIFY(quick && quick->state == ended.state && quick->usage == ended.usage);
}

void TstStoreFiles::refusesNewer()
{
    QVERIFY(opened(path()));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"newer"_s);
        database.setDatabaseName(path());
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(u"UPDATE meta SET value='%1' WHERE key='schema'"_s.arg(storeSchema + 1)));
    }
    QSqlDatabase::removeDatabase(u"newer"_s);
    const auto store = Store::open(path());
    QVERIFY(!store);
    QCOMPARE(store.error().code, u"store.newer"_s);
    QCOMPARE(store.error().args.value("schema"_L1).toInt(), storeSchema + 1);
    QCOMPARE(store.error().args.value("path"_L1).toString(), path());
}

void TstStoreFiles::refusesDamaged_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("text") << QByteArray("text");
    QTest::newRow("cut") << QByteArray("cut");
    QTest::newRow("overwritten") << QByteArray("overwritten");
    QTest::newRow("of another program") << QByteArray("foreign");
}

void TstStoreFiles::refusesDamaged()
{
    QFETCH(QByteArray, kind);
    if (kind == "text") {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("this is no database\n").repeated(1000));
    } else if (kind == "foreign") {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"foreign"_s);
        database.setDatabaseName(path());
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(u"CREATE TABLE notes(x)"_s));
        database = QSqlDatabase();
        QSqlDatabase::removeDatabase(u"foreign"_s);
    } else {
        {
            const auto store = opened(path());
            for (int i = 0; i < 50; ++i) {
                JobState job = makeJob(u"a"_s, 5);
                store->addJob(job, {QByteArray(2000, 'x'), {}, {}, {}, {}, {}});
            }
            QVERIFY(store->commit(true));
        }
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadWrite));
        if (kind == "cut") {
            QVERIFY(file.resize(file.size() / 2 + 100));
        } else {
            QVERIFY(file.seek(4096 * 3));
            file.write(QByteArray(4096 * 20, '\xa5'));
        }
    }
    QFile before(path());
    QVERIFY(before.open(QIODevice::ReadOnly));
    const QByteArray bytes = before.readAll();
    const auto store = Store::open(path());
    QVERIFY(!store);
    QCOMPARE(store.error().code, u"store.damaged"_s);
    before.seek(0);
    QVERIFY(before.readAll() == bytes); // left for a rescue
}

// A program that holds the file has not damaged it: whoever moved it away would lose it.
void TstStoreFiles::tellsWhoHoldsIt()
{
    QVERIFY(Store::open(path()));
    {
        QSqlDatabase holder = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"holder"_s);
        holder.setDatabaseName(path());
        QVERIFY(holder.open());
        QSqlQuery query(holder);
        QVERIFY(query.exec(u"PRAGMA locking_mode=EXCLUSIVE"_s) && query.exec(u"BEGIN EXCLUSIVE"_s));
        const auto store = Store::open(path());
        QVERIFY(!store);
        QCOMPARE(store.error().code, u"store.busy"_s);
        QCOMPARE(store.error().args[u"path"].toString(), path());
        QVERIFY(!Store::checkAside(path()));
        query.finish();
        holder.close();
    }
    QSqlDatabase::removeDatabase(u"holder"_s);
    QVERIFY(Store::open(path()));
    QVERIFY(!QFile::exists(path() + u".suspect"_s));
}

// What cannot be read as there is no memory is told once, and can be read later: nothing of it is damaged.
void TstStoreFiles::noMemoryIsNoDamage()
{
    const auto store = opened(path());
    QVERIFY(store);
    JobState stored = mixedJob();
    QCOMPARE(store->addJob(stored, {}), 1);
    QVERIFY(store->commit(true));
    bool isToldOfDamage = false;
    store->whenDamaged([&isToldOfDamage](const Error &) { isToldOfDamage = true; });
    auto noMemory = std::make_unique<NoSqliteMemory>();
    QVERIFY(noMemory->isInForce());
    const QList<JobSummary> none = store->jobs({.filter = {}, .before = 0, .limit = 0});
    const std::optional<JobSummary> job = store->job(1);
    const std::optional<qint64> byKey = store->idOfKey(u"key"_s); // prepared for the first time
    noMemory.reset();
    QVERIFY(none.isEmpty() || !job || !byKey);
    const std::optional<Error> why = store->readError();
    QVERIFY(why);
    QCOMPARE(why->code, u"store.unreadable"_s);
    QCOMPARE(why->args[u"path"].toString(), path());
    QVERIFY(!why->args[u"detail"].toString().isEmpty());
    QVERIFY(!isToldOfDamage && !QFile::exists(path() + u".suspect"_s));
    QVERIFY(!store->readError());
    QCOMPARE(store->jobs({.filter = {}, .before = 0, .limit = 0}).size(), 1);
    QVERIFY(store->job(1));
    QVERIFY(!store->idOfKey(u"key"_s));
    QVERIFY(!store->readError());
}

// Who has no room is told of that, and not that what is sound is damaged; what is there can be read all the while.
void TstStoreFiles::opensOnAFullDisk()
{
    const QString disk = m_folder->filePath(u"disk"_s);
    QVERIFY(QDir().mkpath(disk));
    const QByteArray place = QFile::encodeName(disk);
    SKIP_UNLESS_MOUNTED(::mount("trainyard-test", place.constData(), "tmpfs", 0, "size=2m,mode=0700"));
    const auto unmount = qScopeGuard([&] { ::umount2(place.constData(), MNT_DETACH); });
    const QString file = disk + u"/store.db"_s;
    JobState job = mixedJob();
    {
        const auto store = opened(file);
        QVERIFY(store);
        QCOMPARE(store->addJob(job, {}), 1);
        QVERIFY(store->commit(true));
    }
    QFile rest(disk + u"/rest"_s);
    QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (rest.write(QByteArray(512, 'x')) == 512) { }
    {
        const auto store = Store::open(file);
        QVERIFY2(store, store ? "" : qPrintable(store.error().code + store.error().args.value("detail"_L1).toString()));
        QCOMPARE((*store)->unfinished().size(), std::size_t(1));
        QVERIFY(!(*store)->readError());
        JobState second = mixedJob();
        second.uuid = QUuid::createUuid();
        (*store)->addJob(second, {});
        const Result<void> refused = (*store)->commit(true);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"store.full"_s);
        QCOMPARE((*store)->unfinished().size(), std::size_t(1));
        rest.close();
        QVERIFY(rest.remove()); // and with room again it goes on
        (*store)->addJob(second, {});
        QVERIFY((*store)->commit(true));
    }
    {
        const auto store = opened(file);
        QVERIFY(store);
        QCOMPARE(store->unfinished().size(), std::size_t(2));
    }
    QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (rest.write(QByteArray(512, 'x')) == 512) { }
    QVERIFY(QDir().mkpath(disk + u"/new"_s));
    const auto none = Store::open(disk + u"/new/store.db"_s);
    QVERIFY(!none);
    QCOMPARE(none.error().code, u"store.no-room"_s);
}

// A file as the first schema left it.
void TstStoreFiles::migrates()
{
    QFile kept(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/store-1.sql"_s);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"old"_s);
        database.setDatabaseName(path());
        QVERIFY(database.open());
        QSqlQuery query(database);
        const QList<QByteArray> statements = kept.readAll().split('\n');
        for (const QByteArray &statement : statements) {
            if (!statement.isEmpty() && !statement.startsWith("--")) {
                QVERIFY2(query.exec(QString::fromUtf8(statement)), statement.constData());
            }
        }
    }
    QSqlDatabase::removeDatabase(u"old"_s);
    const auto store = opened(path());
    QVERIFY(store);
    QCOMPARE(store->epoch(), u"11111111-2222-3333-4444-555555555555"_s);
    QCOMPARE(store->jobs({}).size(), 2);
    QCOMPARE(store->job(1)->state, State::Succeeded);
    QVERIFY(store->job(1)->command.isEmpty());
    QCOMPARE(store->unfinished().size(), std::size_t(1));
    QCOMPARE(store->unfinished().front().state.counts.running, 1);
    // What it knows nothing of is as if nobody had asked for it.
    const core::JobState live = store->unfinished().front().state;
    QVERIFY(!live.pausedAt && live.after.empty() && live.pausedMs == 0 && live.policy.timeLimitMs == 0);
    QCOMPARE(store->job(2)->priority, 0);
    QVERIFY(!store->job(2)->paused);
    QCOMPARE(store->job(1)->target, u"pool"_s);
    QCOMPARE(live.meta.target, u"pool"_s);
    QVERIFY(store->earlierTries(1).isEmpty());
    for (const qint64 id : {1, 2}) { // whether a text was replaced between two attempts is not known
        const qsizetype attempts = store->attempts(id).size();
        const QList<EarlierText> unknown{{int(attempts) - 2, false}};
        QCOMPARE(store->earlierTexts(id), attempts > 1 ? unknown : QList<EarlierText>());
    }
    QVERIFY(store->removals().isEmpty() && !store->job(1)->removal);
    QVERIFY(!store->idOfKey(u"key"_s));
    store->saveTry(live, {1, 1}, live.task({1, 1}));
    QVERIFY(store->commit());
    QCOMPARE(Store::open(path()).value()->earlierTries(2).size(), 1);
}

TRAINYARD_TEST(TstStoreFiles)
#include "tst_storefiles.moc"
