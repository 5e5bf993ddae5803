// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/store/statejson.h"
#include "engine/store/store.h"
#include "tests/contract/storejobs.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using namespace storejobs;

// What the store is given comes back from it.
class TstStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void roundTrip();
    void phases();
    void endedTasks();
    void taskTexts();
    void earlierTries();
    void earlierTexts();
    void usage();
    void wholeLife();

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
    QCOMPARE(loaded.allocatedTasks, job.allocatedTasks);
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
    const QList<JobPhase> phases{Active{}, Ending{}, Backoff{99, true, false}, Backoff{98, false, true}};
    for (const JobPhase &phase : phases) {
        JobState job = makeJob(u"p"_s);
        job.phase = phase;
        job.retries = 0;
        job.chargedRetries = 2;
        job.consecutiveFreeRetries = 4;
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
    Allocation place;
    place.host = u"h\u00f6st \"1\"\\\t"_s;
    place.address = u"10.0.0.1"_s;
    place.gpus = {0, 3};
    place.ports = {{u"http"_s, {1, 2}}, {u"ssh"_s, {}}};
    place.gpuShareMiB = 512;
    place.gpuCount = 2;
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
                task.chargedRetries = 1;
                task.consecutiveFreeRetries = 3;
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
            QCOMPARE(read.chargedRetries, task.chargedRetries);
            QCOMPARE(read.consecutiveFreeRetries, task.consecutiveFreeRetries);
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

// Each try counts once: not again in an attempt that keeps its result, nor while its task waits for the next one.
// They go with the job, and with a retry that was taken back.
void TstStore::earlierTexts()
{
    JobState job = mixedJob();
    StoredDocument document, second;
    document.yaml = "name: first\n";
    second.yaml = "name: second\n";
    const auto store = opened(path());
    QVERIFY(store);
    store->addJob(job, document);
    const qint64 id = job.meta.id;
    QVERIFY(store->earlierTexts(id).isEmpty());
    const EarlierText before{job.attempt() - 1, true, "name: before\n", {{u"lr"_s, 1}}};
    const EarlierText last{job.attempt(), true, "name: first\n", {{u"lr"_s, 2}}};
    store->saveEarlierText(id, last);
    store->saveEarlierText(id, before);
    store->saveDocument(job, second);
    QVERIFY(store->commit());
    QCOMPARE(store->earlierTexts(id), (QList<EarlierText>{before, last}));
    store->restoreJob({job, document});
    QVERIFY(store->commit());
    QCOMPARE(store->earlierTexts(id), QList<EarlierText>{before});
    QCOMPARE(store->document(id)->yaml, QByteArray("name: first\n"));
    const QByteArray large(Store::mostEarlierTextBytes / 2 + 1, 'x');
    const EarlierText newer{job.attempt(), true, large, {}};
    store->saveEarlierText(id, newer);
    store->saveEarlierText(id, {job.attempt() - 1, true, large, {{u"lr"_s, 1}}});
    QVERIFY(store->commit());
    QCOMPARE(store->earlierTexts(id), (QList<EarlierText>{{job.attempt() - 1, false, {}, {}}, newer}));
    store->removeJob(id);
    QVERIFY(store->commit());
    QVERIFY(store->earlierTexts(id).isEmpty());
}

void TstStore::usage()
{
    const auto store = opened(path());
    const auto over = [](TaskRef ref, qint64 began, qint64 at) {
        Task task;
        task.firstLaunched = began;
        task.state = Ended{somewhere(ref), began, at, {1, 1, {}, {}}};
        return task;
    };
    JobState again = makeJob(u"again"_s);
    again.task({1, 0}) = over({1, 0}, 1000, 5000);
    again.task({1, 1}) = over({1, 1}, 1000, 6000);
    recount(again);
    store->addJob(again, {});
    AttemptRecord second = again.attempts.back();
    second.index = again.retries = 1;
    again.attempts.push_back(second);
    again.task({1, 0}).keptFrom = 0;
    again.task({1, 1}) = {};
    again.task({1, 1}).firstLaunched = 7000;
    again.task({1, 1}).state = Running{somewhere({1, 1}), {u"boot"_s, 4711, 1}, 7000};
    recount(again);
    store->saveJob(again);
    store->saveAttempt(again, 1);
    store->saveTasks(again);

    JobState waits = makeJob(u"waits"_s);
    Task &task = waits.task({1, 0});
    task.firstLaunched = 2000;
    task.tryIndex = 1;
    task.state = Waiting{.notBefore = 9999999, .since = 3000};
    recount(waits);
    store->addJob(waits, {});
    store->saveTry(waits, {1, 0}, over({1, 0}, 2000, 3000));
    QVERIFY(store->commit());

    QStringList spans;
    const UsageReply reply = store->usage(1, 10000, 100);
    for (const UsageSpan &span : reply.spans) {
        spans.append(u"%1 %2 %3-%4"_s.arg(span.name).arg(span.index).arg(span.from).arg(span.to.value_or(0)));
    }
    spans.sort();
    QCOMPARE(spans,
        (QStringList{u"again 0 1000-5000"_s, u"again 1 1000-6000"_s, u"again 1 7000-0"_s, u"waits 0 2000-3000"_s}));
    QVERIFY(!reply.isCut);
    // Of two rows that are read one says nothing, and the third that counts is left out: that is no whole answer.
    const UsageReply late = store->usage(5500, 10000, 1);
    QCOMPARE(late.spans.size(), 1);
    QVERIFY(late.isCut);
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
    QVERIFY(std::holds_alternative<Backoff>(job.phase));
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

TRAINYARD_TEST(TstStore)
#include "tst_store.moc"
