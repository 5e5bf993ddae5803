// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/store/schema.h"
#include "engine/store/statejson.h"
#include "engine/store/store.h"
#include "engine/store/storecolumns.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRandomGenerator>
#include <QScopeGuard>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

namespace
{

JobState makeJob(const QString &name, int workers = 2, qint64 submitted = 1000)
{
    JobPolicy policy;
    policy.roles.push_back({u"ps"_s, 1, 1, -1, 0, {0, 1, 64, {{u"http"_s, 1}}, {{u"http"_s, 8080}}}});
    policy.roles.push_back({u"worker"_s, workers, 1, 2, 0, {1, 4, 1024, {{u"ssh"_s, 2}}}});
    policy.jobRetry = 3;
    JobMeta meta;
    meta.name = name;
    meta.runName = name;
    meta.user = u"ann"_s;
    meta.file = u"/home/ann/%1.yaml"_s.arg(name);
    return next(
        newJob(QUuid::createUuid(), meta, policy, submitted), {submitted, event::Submitted{}}, ExitRules::bundled())
        .job;
}

Place somewhere(TaskRef ref)
{
    return {u"local"_s, u"127.0.0.1"_s, {ref.index, ref.index + 1}, {{u"ssh"_s, {15000 + ref.index, 15001}}}};
}

// A job whose tasks are in every state that is stored.
JobState mixedJob()
{
    JobState job = makeJob(u"mixed"_s, 5);
    job.stopRequested = true;
    job.task({1, 0}).state = Waiting{.notBefore = 77, .since = 55};
    job.task({1, 1}).state = Launching{somewhere({1, 1})};
    job.task({1, 2}).state = Running{somewhere({1, 2}), {u"boot"_s, 4711, 1234567890123ULL}, 55};
    std::get<Running>(job.task({1, 2}).state).place.gpuShareMiB = 6000;
    job.task({1, 2}).usage.left = {{u"processes"_s, QJsonArray{u"4711 python"_s}}};
    job.task({1, 3}).state
        = Stopping{somewhere({1, 3}), ProcessId{u"boot"_s, 5, 6}, 44, {-220, {}, u"because"_s, {{u"x"_s, 1}}}};
    job.task({1, 4}).state = Ended{somewhere({1, 4}), 11, 22, {255, 3, u"exit.user"_s, {{u"status"_s, 3}}}};
    job.task({1, 4}).tryIndex = 2;
    job.task({1, 4}).accountable = 1;
    job.task({1, 4}).freeInARow = 1;
    job.task({1, 4}).lastHost = u"local"_s;
    job.task({1, 4}).previous = TryResult{137, 137, {}, {}};
    job.task({0, 0}).state = Ended{{}, 0, 33, {0, 0, {}, {}}};
    recount(job);
    return job;
}

JobFilter filterOf(const QString &text) { return JobFilter::parse(text, 0).value(); }

std::unique_ptr<Store> opened(const QString &path)
{
    auto store = Store::open(path);
    if (!store) {
        qWarning("%s %s", qPrintable(store.error().code), qPrintable(store.error().args.value("detail"_L1).toString()));
        return nullptr;
    }
    return std::move(*store);
}

bool sameTasks(const JobState &a, const JobState &b)
{
    return a.tasks.size() == b.tasks.size()
        && std::equal(a.tasks.begin(), a.tasks.end(), b.tasks.begin(), [](const Task &x, const Task &y) {
               return x.state == y.state && x.tryIndex == y.tryIndex && x.accountable == y.accountable
                   && x.freeInARow == y.freeInARow && x.created == y.created && x.firstLaunched == y.firstLaunched
                   && x.previous == y.previous && x.lastHost == y.lastHost;
           });
}

} // namespace

class TstStore : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void roundTrip();
    void phases();
    void endedTasks();
    void taskTexts();
    void documentsOnDisk();
    void extrasOnDisk();
    void policiesOnDisk();
    void statesOnDisk();
    void tasksOnDisk();
    void earlierTries();
    void wholeLife();
    void lists();
    void filters();
    void names();
    void rollsBack();
    void keys();
    void removes();
    void refusesNewer();
    void refusesDamaged_data();
    void refusesDamaged();
    void opensOnAFullDisk();
    void removals();
    void migrates();
    void survivesKill();
    void large();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString path() const { return m_folder->filePath(u"store.db"_s); }
};

void TstStore::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstStore::roundTrip()
{
    JobState job = mixedJob();
    const StoredDocument document{
        "protocolVersion: 2\n", {{u"lr"_s, u"0.1"_s}}, u"gpu1"_s, u"/w"_s, u"host"_s, u"/f"_s};
    {
        const auto store = opened(path());
        QVERIFY(store);
        QCOMPARE(store->addJob(job, document), 1);
        QCOMPARE(job.meta.id, 1);
        QVERIFY(store->inTransaction());
        QVERIFY(store->commit(true));
        QVERIFY(!store->inTransaction());
    }
    QCOMPARE(int(QFile::permissions(path()) & QFileDevice::Permissions(0x77)), 0); // nobody else
    const auto store = opened(path());
    const std::vector<StoredJob> jobs = store->unfinished();
    QCOMPARE(jobs.size(), std::size_t(1));
    const JobState &loaded = jobs.front().state;
    QVERIFY(sameTasks(loaded, job));
    QVERIFY(loaded.policy == job.policy);
    QVERIFY(loaded.attempts == job.attempts);
    QCOMPARE(loaded.uuid, job.uuid);
    QCOMPARE(loaded.meta.runName, u"mixed"_s);
    QCOMPARE(loaded.stopRequested, true);
    QCOMPARE(loaded.counts, job.counts);
    QCOMPARE(loaded.heldTasks, job.heldTasks);
    QVERIFY(jobs.front().document == document);
    // What the lists say is what the state says.
    QCOMPARE(store->job(1)->toJson(), summaryOf(loaded).toJson());
    int total = 0;
    const QList<TaskInfo> tasks = store->tasks(1, -1, 1, 3, &total);
    QCOMPARE(total, 6);
    QCOMPARE(tasks.size(), 3);
    QCOMPARE(tasks[2].toJson(), taskInfoOf(loaded, {1, 2}).toJson());
    QCOMPARE(tasks[2].pid, 4711);
    QCOMPARE(store->attempts(1).first().toJson(), attemptInfoOf(loaded, 0).toJson());
    QVERIFY(!store->inTransaction()); // reading begins none
}

void TstStore::phases()
{
    const auto store = opened(u":memory:"_s);
    const QList<JobPhase> phases{Active{}, Ending{}, Resting{99, true, false}, Resting{98, false, true}};
    for (const JobPhase &phase : phases) {
        JobState job = makeJob(u"p"_s);
        job.phase = phase;
        job.retries = 0;
        job.accountable = 2;
        job.freeInARow = 4;
        job.attempts.back().result
            = AttemptResult{134, TriggerRule::MinFailed, {1, 1}, 2, 2, 1, u"exit.user"_s, {{u"status"_s, 1}}};
        const qint64 id = store->addJob(job, {});
        const JobState loaded = store->unfinished().back().state;
        QCOMPARE(loaded.meta.id, id);
        QCOMPARE(machineToJson(loaded), machineToJson(job));
        QVERIFY(loaded.attempts == job.attempts);
    }
}

// Read from their text they are what they are through its tree, or it says that it cannot.
void TstStore::endedTasks()
{
    QRandomGenerator random(5);
    const auto maybe = [&random] { return random.bounded(2) == 0; };
    for (int round = 0; round < 400; ++round) {
        Task task;
        Ended ended;
        ended.place = {maybe() ? u"local"_s : u"a \"host\"\n\u00e4"_s, u"127.0.0.1"_s, {}, {}};
        for (int i = random.bounded(3); i > 0; --i) {
            ended.place.gpus.append(i);
            ended.place.ports.append({u"ssh"_s, {15000 + i, 16000}});
        }
        ended.began = random.bounded(1000);
        ended.ended = qint64(1) << 52;
        ended.result.code = random.bounded(-300, 300);
        if (maybe()) {
            ended.result.rawExit = random.bounded(256);
        }
        if (maybe()) {
            ended.result.reason = u"exit.user"_s;
            ended.result.reasonArgs
                = {{u"role"_s, u"} \\\" {"_s}, {u"list"_s, QJsonArray{1, QJsonObject{{u"a"_s, 2}}}}};
        }
        task.state = ended;
        task.created = 17;
        if (maybe()) {
            task.firstLaunched = 18;
        }
        if (maybe()) {
            task.usage.peakMemoryMiB = 5;
            task.usage.gpuPercent = maybe() ? std::optional(50) : std::nullopt;
        }
        if (round % 10 == 0) {
            task.tryIndex = 1;
            task.lastHost = u"lab"_s;
        }
        const QByteArray text = taskText(task);
        const std::optional<Task> quick = taskFromText(text);
        QVERIFY(quick);
        QCOMPARE(taskText(*quick), text);
        QCOMPARE(taskText(taskFromJson(QJsonDocument::fromJson(text).object())), text);
        QVERIFY(std::get<Ended>(quick->state) == ended);
        for (qsizetype i = 0; i < text.size(); i += 7) {
            QVERIFY(!taskFromText(text.left(i)));
        }
    }
    QVERIFY(!taskFromText({}));
}

// The text of a task is what a QJsonDocument makes of it, and gives the same task again, in every state.
void TstStore::taskTexts()
{
    Place place;
    place.host = u"h\u00f6st \"1\"\\\t"_s;
    place.address = u"10.0.0.1"_s;
    place.gpus = {0, 3};
    place.ports = {{u"http"_s, {1, 2}}, {u"ssh"_s, {}}};
    place.gpuShareMiB = 512;
    const ProcessId process{u"boot"_s, 4711, quint64(1) << 50};
    const TryResult result{137, 9, u"oom.limit"_s, {{u"b"_s, 1}, {u"a"_s, QJsonArray{u"x"_s}}}};
    const std::vector<TaskState> states{Waiting{}, Waiting{5000}, Waiting{5000, true}, Launching{place},
        Running{place, process, 17}, Stopping{place, process, 17, result}, Stopping{{}, {}, 0, {}},
        Ended{place, 17, 18, result}, Ended{{}, 0, 0, {}}};
    for (const TaskState &state : states) {
        for (const bool isRich : {false, true}) {
            Task task;
            task.state = state;
            task.created = 7;
            if (isRich) {
                task.tryIndex = 2;
                task.accountable = 1;
                task.freeInARow = 3;
                task.firstLaunched = 8;
                task.previous = result;
                task.lastHost = u"lab"_s;
                task.keptFrom = 1;
                task.usage = {1, 2, 3, 4, {{u"processes"_s, QJsonArray{u"1 sh"_s}}}};
            }
            const QByteArray text = taskText(task);
            const QJsonDocument document = QJsonDocument::fromJson(text);
            QCOMPARE(document.toJson(QJsonDocument::Compact), text);
            const Task read = taskFromJson(document.object());
            QVERIFY(read.state == task.state);
            QCOMPARE(read.tryIndex, task.tryIndex);
            QCOMPARE(read.accountable, task.accountable);
            QCOMPARE(read.freeInARow, task.freeInARow);
            QCOMPARE(read.firstLaunched, task.firstLaunched);
            QVERIFY(read.previous == task.previous);
            QCOMPARE(read.lastHost, task.lastHost);
            QCOMPARE(read.keptFrom, task.keptFrom);
            QVERIFY(read.usage == task.usage);
            const std::optional<Task> quick = taskFromText(text);
            QVERIFY(quick && taskText(*quick) == text && quick->state == task.state);
        }
    }
    Task placed; // what it held was only in memory
    placed.state = Placed{place, true};
    QCOMPARE(taskText(placed), taskText(Task()));
}

// What stands in the file, letter by letter: an older version must be able to read what a newer one has written.
void TstStore::documentsOnDisk()
{
    const StoredDocument full{"name: x\n", {{u"b"_s, u"2"_s}, {u"a"_s, u"1"_s}}, u"lab1"_s, u"~/w"_s, u"podman"_s,
        u"/h/x.yaml"_s, u"key 1"_s};
    const QString text = columns::dataOf(full);
    QCOMPARE(text,
        uR"({"file":"/h/x.yaml","key":"key 1","parameters":{"a":"1","b":"2"},"runIn":"podman","target":"lab1","work":"~/w"})"_s);
    QCOMPARE(columns::documentFrom(full.yaml, text), full);
    const QString empty = columns::dataOf({});
    QCOMPARE(empty, uR"({"file":"","parameters":{},"runIn":"","target":"","work":""})"_s);
    QCOMPARE(columns::documentFrom({}, empty), StoredDocument());
    QCOMPARE(columns::documentFrom({}, u"{}"_s), StoredDocument());
}

void TstStore::extrasOnDisk()
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
    full.pausedMs = 11;
    full.pauses = {{1, 12, false}};
    const QString text = columns::extraOf(full);
    QCOMPARE(text,
        uR"({"began":9,"counts":[1,2,3,4,5],"hosts":["local","lab1"],"order":5.5,"paused":true,"pausedMs":11,"pauses":[{"from":1,"until":12}],"priorityClass":"oppo","retryDelaySec":17})"_s);
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

void TstStore::policiesOnDisk()
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

void TstStore::statesOnDisk()
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
    job.phase = Resting{10, true, true};
    job.retries = 1;
    job.accountable = 2;
    job.freeInARow = 3;
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
    QCOMPARE(std::get<Resting>(read.phase).due, 10);
    JobState none = newJob(job.uuid, {}, {}, 1);
    machineFromJson({}, none);
    QCOMPARE(columns::jsonText(machineToJson(none)), columns::jsonText(machineToJson(newJob(job.uuid, {}, {}, 1))));
}

void TstStore::tasksOnDisk()
{
    Place place{u"h"_s, u"10.0.0.1"_s, {0, 3}, {{u"http"_s, {1, 2}}, {u"ssh"_s, {}}}, 512};
    const TryResult result{137, 9, u"oom.limit"_s, {{u"b"_s, 1}, {u"a"_s, QJsonArray{u"x"_s}}}};
    Task task;
    QCOMPARE(taskText(task), QByteArray(R"({"created":0,"is":"waiting","try":0})"));
    task.state = Waiting{5000, true};
    QCOMPARE(taskText(task), QByteArray(R"({"charged":true,"created":0,"is":"waiting","notBefore":5000,"try":0})"));
    task.state = Stopping{place, ProcessId{u"boot"_s, 4711, quint64(1) << 50}, 17, result};
    task.created = 7;
    task.tryIndex = 2;
    task.accountable = 1;
    task.freeInARow = 3;
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

// What a task that is tried again was before is not written over.
void TstStore::earlierTries()
{
    JobState job = makeJob(u"again"_s, 5);
    {
        const auto store = opened(path());
        store->addJob(job, {"a: 1\n", {}, {}, {}, {}, {}});
        for (int i = 0; i < 3; ++i) {
            Task over;
            over.tryIndex = i;
            over.firstLaunched = 100 * i + 1;
            over.state = Ended{somewhere({1, i}), 100 * i + 1, 100 * i + 50, {255, 3, u"exit.user"_s, {}}};
            std::get<Ended>(over.state).place.host = u"host%1"_s.arg(i);
            over.usage.peakMemoryMiB = 1000 + i;
            over.usage.gpuPercent = 40 + i;
            store->saveTry(job, {1, 2}, over);
            store->saveTry(job, {1, 2}, over); // done again after a crash
        }
        Task never;
        never.state = Ended{{}, 0, 5, {-100, {}, u"launch.failed"_s, {}}};
        store->saveTry(job, {0, 0}, never);
        QVERIFY(store->commit(true));
    }
    const auto store = opened(path());
    const QList<TaskInfo> tries = store->earlierTries(job.meta.id);
    QCOMPARE(tries.size(), 4);
    QCOMPARE(tries.first().role, job.roleName({0, 0}));
    QVERIFY(tries.first().host.isEmpty() && !tries.first().launched);
    for (int i = 0; i < 3; ++i) {
        const TaskInfo &one = tries.at(i + 1);
        QCOMPARE(one.role, job.roleName({1, 2}));
        QCOMPARE(one.index, 2);
        QCOMPARE(one.tries, i);
        QCOMPARE(one.host, u"host%1"_s.arg(i));
        QCOMPARE(one.launched, std::optional<qint64>(100 * i + 1));
        QCOMPARE(one.completed, std::optional<qint64>(100 * i + 50));
        QCOMPARE(one.exitCode, std::optional<int>(255));
        QCOMPARE(one.rawExit, std::optional<int>(3));
        QCOMPARE(one.usage.peakMemoryMiB, std::optional<qint64>(1000 + i));
        QCOMPARE(one.usage.gpuPercent, std::optional<int>(40 + i));
    }
    QCOMPARE(store->earlierTries(job.meta.id, 0, 1, 2).size(), 2);
    QVERIFY(store->earlierTries(job.meta.id, 1).isEmpty());
    QVERIFY(store->hostsOf(job.meta.id).contains(u"host1"_s)); // its folder there goes with the job
    store->removeJob(job.meta.id);
    QVERIFY(store->commit());
    QVERIFY(store->earlierTries(job.meta.id, 0).isEmpty());
}

// A job through attempts and retries; what is on disk goes with what next() says, at each step.
void TstStore::wholeLife()
{
    const auto store = opened(path());
    JobState job = makeJob(u"life"_s);
    store->addJob(job, {});
    qint64 now = 2000;
    int steps = 0;
    const auto happen = [&](auto what) {
        Step step = next(std::move(job), {++now, std::move(what)}, ExitRules::bundled());
        job = std::move(step.job);
        for (const Effect &effect : step.effects) {
            if (std::holds_alternative<effect::SaveJob>(effect)) {
                store->saveJob(job);
            } else if (const auto *attempt = std::get_if<effect::SaveAttempt>(&effect)) {
                store->saveAttempt(job, attempt->attempt);
            } else if (const auto *task = std::get_if<effect::SaveTask>(&effect)) {
                store->saveTask(job, task->task);
            } else if (std::holds_alternative<effect::SaveTasks>(effect)) {
                store->saveTasks(job);
            }
        }
        ++steps;
        if (job.isFinished()) {
            return store->unfinished().empty();
        }
        JobState loaded = store->unfinished().front().state;
        for (Task &task : job.tasks) { // what was only placed is waiting again
            if (std::holds_alternative<Placed>(task.state)) {
                return true;
            }
        }
        return sameTasks(loaded, job) && machineToJson(loaded) == machineToJson(job) && loaded.attempts == job.attempts;
    };
    const auto run = [&] {
        event::PlacementGranted granted;
        event::PortsDrawn drawn;
        for (std::size_t i = 0; i < job.tasks.size(); ++i) {
            const TaskRef ref = job.refAt(i);
            granted.grants.push_back({ref, tryUuid(job, ref), somewhere(ref)});
            drawn.tasks.push_back({ref, tryUuid(job, ref), {{u"http"_s, {15000 + int(i)}}}});
        }
        bool ok = happen(granted) && happen(drawn);
        for (std::size_t i = 0; i < job.tasks.size(); ++i) {
            ok = ok && happen(event::TryStarted{job.refAt(i), tryUuid(job, job.refAt(i)), {u"b"_s, 7, 8}, now});
        }
        return ok;
    };
    const auto end = [&](TaskRef ref, int code) {
        return happen(event::TryEnded{ref, tryUuid(job, ref), {code, code, {}, {}}, 0, 0, true});
    };
    QVERIFY(run());
    QVERIFY(end({1, 1}, 255));
    QVERIFY(end({1, 0}, 143));
    QVERIFY(end({0, 0}, 143));
    QVERIFY(std::holds_alternative<Resting>(job.phase));
    QVERIFY(happen(event::RetryDue{0, {}}));
    QVERIFY(run());
    QVERIFY(end({1, 0}, 0));
    QVERIFY(end({1, 1}, 0));
    QVERIFY(end({0, 0}, 143));
    QVERIFY(job.isFinished());
    QCOMPARE(store->job(1)->state, State::Succeeded);
    QCOMPARE(store->job(1)->userRetries, 1);
    const QList<AttemptInfo> attempts = store->attempts(1);
    QCOMPARE(attempts.size(), 2);
    QCOMPARE(attempts[0].exitCode, 255);
    QCOMPARE(attempts[0].state, State::Failed);
    QCOMPARE(attempts[1].triggerRule, u"minSucceeded"_s);
    QCOMPARE(attempts[1].state, State::Succeeded);
    QCOMPARE(store->tasks(1, 0).at(0).exitCode, -220);
    QCOMPARE(store->tasks(1, 1).at(1).exitCode, 0);
    qInfo("%d steps read back", steps);
}

void TstStore::lists()
{
    const auto store = opened(u":memory:"_s);
    for (int i = 1; i <= 10; ++i) {
        JobState job = makeJob(i % 2 ? u"odd_%1"_s.arg(i) : u"even%"_s);
        if (i == 4) {
            job.attempts.back().result = AttemptResult{};
            job.phase = Finished{5};
        }
        store->addJob(job, {});
    }
    const auto ids = [&](const JobsQuery &query) {
        QList<qint64> list;
        for (const JobSummary &job : store->jobs(query)) {
            list.append(job.id);
        }
        return list;
    };
    QCOMPARE(ids({.filter = {}, .before = 0, .limit = 3}), (QList<qint64>{10, 9, 8}));
    QCOMPARE(ids({.filter = {}, .before = 8, .limit = 3}), (QList<qint64>{7, 6, 5}));
    QCOMPARE(ids({.filter = filterOf(u"state:succeeded"_s), .before = 0, .limit = 0}), (QList<qint64>{4}));
    QCOMPARE(ids({.filter = filterOf(u"odd_"_s), .before = 0, .limit = 2}), (QList<qint64>{9, 7}));
    QCOMPARE(ids({.filter = filterOf(u"%"_s), .before = 5, .limit = 9}), (QList<qint64>{4, 2})); // no wildcard
    QCOMPARE(ids({.filter = filterOf(u"#7"_s), .before = 0, .limit = 9}), (QList<qint64>{7}));
    QCOMPARE(store->findJob(u"#3"_s), 3);
    QCOMPARE(store->findJob(u"3"_s), 3);
    QCOMPARE(store->findJob(u"even%"_s), 10);
    QCOMPARE(store->findJob(store->job(6)->uuid.left(13)), 6);
    QVERIFY(!store->findJob(u"none"_s));
    QVERIFY(!store->findJob(u"99"_s));
    QCOMPARE(store->findJob(u"name:even%"_s), 10);
    QVERIFY(!store->findJob(u"name:3"_s)); // no job is called 3
    QVERIFY(!store->findJob(u"name:"_s));
}

// What the store says of a filter is what the filter itself says of each job.
void TstStore::filters()
{
    const auto store = opened(u":memory:"_s);
    for (int i = 1; i <= 40; ++i) {
        JobState job = makeJob(i % 3 ? u"train_%1"_s.arg(i) : u"Évaluer"_s, 2, 1000 * i);
        ListedFacts facts;
        facts.group = i % 5 ? QString() : u"sweep-1"_s;
        facts.parameters = {{u"lr"_s, i / 1000.0}, {u"Batch"_s, QString::number(i)}, {u"model"_s, u"res\"net"_s}};
        if (i % 4 == 0) {
            facts.labels = {{u"base"_s, u"été"_s, u"a b"_s}, u"50% done"_s, i % 8 == 0, i % 16 == 0};
        }
        if (i % 7 == 0) {
            const Place place = somewhere({0, 0});
            job.task({0, 0}).state = Running{place, {u"boot"_s, 4711, 1}, 55};
        }
        if (i % 6 == 0) {
            auto &result = job.attempts.back().result.emplace();
            result.code = i % 12 ? 0 : i == 24 ? 255 : 137;
            if (i == 24) { // the program returned something that is no code of the protocol
                result.reason = u"exit.failed"_s;
                result.reasonArgs = {{u"status"_s, 7}};
            }
            job.attempts.back().completed = 1000 * i + 60000;
            job.phase = Finished{1000 * i + 60000};
        }
        recount(job);
        store->addJob(job, {}, facts);
        if (i % 2) {
            store->saveResults(i,
                {{u"loss"_s, QJsonObject{{u"last"_s, i / 10.0}, {u"least"_s, 0.1}, {u"most"_s, 9}}},
                    {u"lr"_s, QJsonObject{{u"broken"_s, true}}}});
        }
    }
    const QList<JobSummary> all = store->jobs({.filter = {}, .before = 0, .limit = 0});
    QCOMPARE(all.size(), 40);
    const qint64 now = 5'000'000;
    for (const QString &text : {u"train"_s, u"-train"_s, u"TRAIN_1"_s, u"évaluer"_s, u"-évaluer"_s, u"#7"_s, u"7"_s,
             u"-7"_s, u"failed"_s, u"FAILED,running"_s, u"-succeeded"_s, u"state:succeeded"_s, u"state:active"_s,
             u"-state:failed,waiting"_s, u"tag:base"_s, u"tag:ba*"_s, u"tag:*se"_s, u"-tag:BASE"_s, u"tag:\"a b\""_s,
             u"tag:été"_s, u"tag:as"_s, u"host:local"_s, u"host:lo*"_s, u"host:loc"_s, u"-host:local"_s,
             u"name:rain_2"_s, u"note:50%"_s, u"-note:%0"_s, u"group:sweep*"_s, u"group:sweep"_s, u"-group:sweep-1"_s,
             u"user:ann"_s, u"is:starred"_s, u"-is:archived"_s, u"is:tagged"_s, u"is:noted,grouped"_s, u"is:paused"_s,
             u"is:retried"_s, u"id:3,4"_s, u"-id:3"_s, u"time>59s"_s, u"time<=1m"_s, u"-time>1m"_s, u"gpus>0"_s,
             u"tasks=3"_s, u"code=137"_s, u"code!=0"_s, u"-code=0"_s, u"code=7"_s, u"code=255"_s, u"code!=7"_s,
             u"-code=7"_s, u"code<100"_s, u"failed>0"_s, u"lr>0.02"_s, u"lr<=2e-2"_s, u"-lr>0.02"_s, u"LR=0.005"_s,
             u"batch>=39"_s, u"batch=7"_s, u"batch=7,9"_s, u"batch!=7,9"_s, u"gpus=0,1"_s, u"gpus!=0,1"_s,
             u"-code=0,137"_s, u"model=other,res*"_s, u"model=res*"_s, u"model!=other"_s, u"loss<1"_s, u"-loss<1"_s,
             u"result:loss"_s, u"-result:loss"_s, u"min:loss<0.2"_s, u"max:loss>8"_s, u"result:lr=nan"_s, u"param:lr"_s,
             u"param:loss<1"_s, u"nothing>1"_s, u"lr>0.01 loss<3 -is:archived train"_s, u"with:archived"_s}) {
        const Result<JobFilter> filter = JobFilter::parse(text, now);
        QVERIFY2(filter, qPrintable(text));
        QList<qint64> wanted, found;
        for (const JobSummary &job : all) {
            if (filter->matches(job, now)) {
                wanted.append(job.id);
            }
        }
        const QList<JobSummary> jobs = store->jobs({.filter = *filter, .before = 0, .limit = 0, .now = now});
        for (const JobSummary &job : jobs) {
            found.append(job.id);
        }
        QVERIFY2(found == wanted, qPrintable(text));
        const QList<JobSummary> page = store->jobs({.filter = *filter, .before = 31, .limit = 3, .now = now});
        wanted.removeIf([](qint64 id) { return id >= 31; });
        QCOMPARE(page.size(), std::min<qsizetype>(3, wanted.size()));
        QVERIFY2(page.isEmpty() || page.constLast().id == wanted.at(page.size() - 1), qPrintable(text));
    }
}

void TstStore::names()
{
    const auto store = opened(u":memory:"_s);
    const auto add = [&](const QString &name, const QString &runName) {
        JobState job = makeJob(name);
        job.meta.runName = runName;
        store->addJob(job, {});
    };
    QCOMPARE(store->freeRunName(u"a"_s), u"a"_s);
    add(u"a"_s, u"a"_s);
    QCOMPARE(store->freeRunName(u"a"_s), u"a_2"_s);
    add(u"a_2"_s, u"a_2"_s);
    QCOMPARE(store->freeRunName(u"a"_s), u"a_3"_s);
    QCOMPARE(store->freeRunName(u"ab"_s), u"ab"_s);
}

void TstStore::rollsBack()
{
    const auto store = opened(path());
    JobState job = makeJob(u"kept"_s);
    store->addJob(job, {});
    QVERIFY(store->commit());
    JobState lost = makeJob(u"lost"_s);
    store->addJob(lost, {});
    store->rollback();
    QCOMPARE(store->jobs({}).size(), 1);
    // A failed write: the turn is given up as a whole, the next one works.
    JobState twice = job;
    job.priority = 7;
    store->saveJob(job);
    store->addJob(twice, {}); // the same UUID
    const auto committed = store->commit();
    QVERIFY(!committed);
    QCOMPARE(committed.error().code, u"store.write"_s);
    QCOMPARE(store->job(1)->priority, 0);
    store->saveJob(job);
    QVERIFY(store->commit());
    QCOMPARE(store->job(1)->priority, 7);
}

void TstStore::removes()
{
    const auto store = opened(path());
    JobState job = makeJob(u"a"_s);
    JobState other = makeJob(u"b"_s);
    store->addJob(job, {"x", {}, {}, {}, {}, {}});
    store->addJob(other, {});
    store->removeJob(1);
    QVERIFY(store->commit());
    QVERIFY(!store->job(1));
    QVERIFY(!store->document(1));
    QVERIFY(store->tasks(1).isEmpty());
    QCOMPARE(store->tasks(2).size(), 3);
    JobState next = makeJob(u"c"_s);
    QCOMPARE(store->addJob(next, {}), 3); // numbers are not used twice
}

void TstStore::refusesNewer()
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

void TstStore::refusesDamaged_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::newRow("text") << QByteArray("text");
    QTest::newRow("cut") << QByteArray("cut");
    QTest::newRow("overwritten") << QByteArray("overwritten");
    QTest::newRow("of another program") << QByteArray("foreign");
}

// Who has no room is told of that, and not that what is sound is damaged; what is there can be read all the while.
void TstStore::opensOnAFullDisk()
{
    const QString disk = m_folder->filePath(u"disk"_s);
    QVERIFY(QDir().mkpath(disk));
    const QByteArray place = QFile::encodeName(disk);
    if (::mount("trainyard-test", place.constData(), "tmpfs", 0, "size=2m,mode=0700") != 0) {
        QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");
    }
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

void TstStore::refusesDamaged()
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

// A submission has a word of its own, which no two jobs have.
void TstStore::keys()
{
    const auto store = opened(path());
    JobState first = makeJob(u"first"_s);
    StoredDocument document;
    document.key = u"sweep 1"_s;
    const qint64 id = store->addJob(first, document);
    JobState plain = makeJob(u"plain"_s);
    store->addJob(plain, {});
    QVERIFY(store->commit());
    QCOMPARE(store->idOfKey(u"sweep 1"_s), std::optional(id));
    QVERIFY(!store->idOfKey(u"sweep"_s));
    QVERIFY(!store->idOfKey({}));
    QCOMPARE(store->document(id)->key, u"sweep 1"_s);
    JobState second = makeJob(u"second"_s);
    store->addJob(second, document);
    QVERIFY(!store->commit());
    QVERIFY(!store->mayBeWritten());
    QCOMPARE(store->jobs({}).size(), 2);
    store->removeJob(id);
    QVERIFY(store->commit());
    JobState again = makeJob(u"again"_s);
    store->addJob(again, document);
    QVERIFY(store->commit());
    QCOMPARE(store->idOfKey(u"sweep 1"_s), std::optional(again.meta.id));
}

// Of ended jobs: it is in all lists, and goes with the job.
void TstStore::removals()
{
    const auto store = opened(path());
    QVERIFY(store);
    std::vector<qint64> ids;
    for (const bool isEnded : {true, true, false}) {
        JobState job = makeJob(u"job"_s);
        if (isEnded) {
            job.attempts.back().result = AttemptResult{};
            job.phase = Finished{5000};
        }
        ids.push_back(store->addJob(job, {}));
    }
    JobLabels star;
    star.isStarred = true;
    store->saveLabels(ids[1], star);
    QVERIFY(store->commit());
    const std::vector<EndedJob> ended = store->ended();
    QCOMPARE(ended.size(), std::size_t(2));
    QCOMPARE(ended[0].id, ids[0]);
    QCOMPARE(ended[0].uuid, store->job(ids[0])->uuid);
    QCOMPARE(ended[0].ended, store->job(ids[0])->completed.value_or(-1));
    QVERIFY(!ended[0].isStarred && ended[1].isStarred && !ended[0].removal);
    const PlannedRemoval planned{7'000, 86'407'000, u"jobs.keepGiB"_s, qint64(1) << 40};
    store->saveRemoval(ids[0], planned);
    QVERIFY(store->commit());
    QCOMPARE(Store::open(path()).value()->removal(ids[0]), std::optional(planned));
    QCOMPARE(store->ended()[0].removal, std::optional(planned));
    QCOMPARE(store->removals(), QList{planned});
    const QList<JobSummary> all = store->jobs({});
    QCOMPARE(all.size(), 3);
    QVERIFY(!all.at(0).removal && !all.at(1).removal && all.at(2).removal == planned);
    const QList<JobSummary> due = store->jobs({.filter = JobFilter::parse(u"is:due"_s, 0).value()});
    QCOMPARE(due.size(), 1);
    QCOMPARE(due.constFirst().id, ids[0]);
    QCOMPARE(store->jobs({.filter = JobFilter::parse(u"-is:due"_s, 0).value()}).size(), 2);
    store->saveRemoval(ids[0], std::nullopt);
    QVERIFY(store->commit());
    QVERIFY(!store->removal(ids[0]));
    store->saveRemoval(ids[1], planned);
    store->removeJob(ids[1]);
    QVERIFY(store->commit());
    QVERIFY(store->removals().isEmpty());
}

// A file as the first schema left it.
void TstStore::migrates()
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
    QVERIFY(store->removals().isEmpty() && !store->job(1)->removal);
    QVERIFY(!store->idOfKey(u"key"_s));
    store->saveTry(live, {1, 1}, live.task({1, 1}));
    QVERIFY(store->commit());
    QCOMPARE(Store::open(path()).value()->earlierTries(2).size(), 1);
}

// A writer that is killed at any moment: what it called committed is there, and no job is there in part.
void TstStore::survivesKill()
{
    int all = 0;
    for (int round = 0; round < 8; ++round) {
        init();
        int pipes[2];
        QCOMPARE(::pipe(pipes), 0);
        const QByteArray file = path().toUtf8();
        const pid_t writer = ::fork();
        if (writer == 0) {
            ::close(pipes[0]);
            const auto store = Store::open(QString::fromUtf8(file));
            for (qint64 i = 1; store; ++i) {
                JobState job = makeJob(u"job"_s, 4, i);
                const qint64 id = (*store)->addJob(job, {});
                if (!(*store)->commit(i % 3 == 0) || ::write(pipes[1], &id, sizeof id) != sizeof id) {
                    break;
                }
            }
            ::_exit(1);
        }
        ::close(pipes[1]);
        qint64 committed = 0;
        const int wanted = 3 + round * 17;
        qint64 id = 0;
        while (committed < wanted && ::read(pipes[0], &id, sizeof id) == sizeof id) {
            committed = id;
        }
        ::kill(writer, SIGKILL);
        while (::read(pipes[0], &id, sizeof id) == sizeof id) {
            committed = id;
        }
        int status = 0;
        ::waitpid(writer, &status, 0);
        ::close(pipes[0]);
        QVERIFY(WIFSIGNALED(status));
        const auto store = opened(path());
        QVERIFY(store);
        const std::vector<StoredJob> jobs = store->unfinished();
        QVERIFY2(qint64(jobs.size()) >= committed, qPrintable(u"%1 of %2"_s.arg(jobs.size()).arg(committed)));
        QVERIFY(qint64(jobs.size()) <= committed + 1); // the one that was not reported yet
        for (const StoredJob &job : jobs) {
            QCOMPARE(store->tasks(job.state.meta.id).size(), 5);
            QVERIFY(store->document(job.state.meta.id).has_value());
        }
        all += int(jobs.size());
    }
    qInfo("8 writers killed, %d jobs read back", all);
}

// The lists stay fast with as many jobs as anybody runs.
void TstStore::large()
{
    const auto store = opened(path());
    const JobState pattern = makeJob(u"sweep"_s, 1);
    QElapsedTimer timer;
    timer.start();
    {
        // Rows as the store writes them, made by SQL: a hundred thousand submissions would take the time of the suite.
        JobState job = pattern;
        job.attempts.back().result = AttemptResult{};
        job.phase = Finished{5};
        store->addJob(job, {});
        QVERIFY(store->commit());
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"bulk"_s);
        database.setDatabaseName(path());
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY2(query.exec(
                     u"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
                     " INSERT INTO job SELECT i, printf('%08x-0000-7000-8000-000000000000', i), 'sweep' || (i % 1000),"
                     " 'sweep' || i, user, state, sub, code, submitted + i, launched, completed, priority, stop,"
                     " retries, accountable, virtual_cluster, file, tags, gpus, tasks, roles, reason, reason_args,"
                     " extra, target, grouped, parameters FROM n, job WHERE job.id = 1"_s),
            qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(u"bulk"_s);
    qInfo("100,000 jobs written in %lld ms", timer.elapsed());
    JobState live = pattern;
    live.uuid = QUuid::createUuid();
    store->addJob(live, {});
    QVERIFY(store->commit());
    const auto measure = [&](const char *what, auto &&ask) {
        timer.start();
        ask();
        const double ms = double(timer.nsecsElapsed()) / 1e6;
        qInfo("%s: %.2f ms", what, ms);
        return ms;
    };
    // Sanitizers cost a factor; the bound is for what users get.
#if defined(TRAINYARD_ADDRESS_SANITIZED)
    const double bound = 500;
#else
    const double bound = 50;
#endif
    QVERIFY(measure("newest 200", [&] { QCOMPARE(store->jobs({}).size(), 200); }) < bound);
    QVERIFY(measure("200 from the middle", [&] {
        QCOMPARE(store->jobs({.filter = {}, .before = 50000, .limit = 200}).size(), 200);
    }) < bound);
    QVERIFY(measure("running ones", [&] {
        QCOMPARE(store->jobs({.filter = filterOf(u"state:running,waiting"_s), .before = 0, .limit = 200}).size(), 1);
    }) < bound);
    QVERIFY(measure("by name", [&] {
        QCOMPARE(store->jobs({.filter = filterOf(u"sweep777"_s), .before = 0, .limit = 200}).size(), 100);
    }) < bound * 2); // a scan
    QVERIFY(measure("unfinished", [&] { QCOMPARE(store->unfinished().size(), std::size_t(1)); }) < bound);
    QVERIFY(measure("by UUID", [&] { QCOMPARE(store->findJob(u"0000abcd"_s), 0xabcd); }) < bound);
    QVERIFY(measure("free name", [&] { store->freeRunName(u"sweep"_s); }) < bound);
}

TRAINYARD_TEST(TstStore)
#include "tst_store.moc"
