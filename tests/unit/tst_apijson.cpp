// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/health.h"
#include "engine/api/openpaijson.h"
#include "engine/api/rpc.h"
#include "engine/api/values.h"
#include "engine/api/valuetext.h"
#include "tests/fuzz/rpcfuzz.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTest>

#include <limits>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The RPC's values: what goes through JSON text comes back equal, whatever it is; OpenPAI's field names are theirs.
class TstApiJson : public QObject
{
    Q_OBJECT

    // Through bytes, as over the socket.
    template <typename T> static T thereAndBack(const T &value)
    {
        const QByteArray bytes = QJsonDocument(value.toJson()).toJson(QJsonDocument::Compact);
        return T::fromJson(QJsonDocument::fromJson(bytes).object());
    }

    static JobSummary fullSummary()
    {
        JobSummary job;
        job.id = 9007199254740993; // does not fit a double
        job.uuid = u"0193f1a0-0000-7000-8000-000000000001"_s;
        job.name = u"naïve \"job\"\n\u0001"_s;
        job.user = u"ada"_s;
        job.state = State::Stopping;
        job.subState = u"AttemptDeleting"_s;
        job.stopRequested = true;
        job.retries = 3;
        job.userRetries = 1;
        job.platformRetries = 2;
        job.retryDelaySec = 17;
        job.submitted = 1763640000123;
        job.launched = 1763640001123;
        job.completed = 1763640002123;
        job.exitCode = -220;
        job.rawExit = 143;
        job.virtualCluster = u"vc"_s;
        job.priorityClass = u"oppo"_s;
        job.totalGpu = 8;
        job.totalTasks = 5;
        job.totalRoles = 2;
        job.counts = {1, 2, 3, 4, 5};
        job.target = u"slurm:lab"_s;
        job.hosts = {u"local"_s, u"lab1"_s};
        job.reason = u"wait.gpu"_s;
        job.reasonArgs = {{u"need"_s, 4}, {u"hosts"_s, QJsonArray{u"a"_s}}};
        job.file = u"/home/ada/x.yaml"_s;
        job.priority = -4;
        job.order = 1763640002123.125;
        job.paused = true;
        job.removal = PlannedRemoval{1000, 2000, u"jobs.keepDays"_s, qint64(1) << 40};
        job.began = 1763640001999;
        job.resultsUpTo = 1763640001500;
        job.command = u"train \"x\""_s;
        return job;
    }

    static TaskInfo fullTask()
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.index = 7;
        task.attempt = 2;
        task.tries = 1;
        task.state = State::Failed;
        task.subState = u"Completed"_s;
        task.host = u"lab1"_s;
        task.address = u"10.0.0.7"_s;
        task.gpus = {0, 3};
        task.ports = {{u"ssh"_s, {15001}}, {u"http"_s, {15002, 15003}}, {u"a"_s, {}}};
        task.exitCode = 226;
        task.rawExit = 1;
        task.reason = u"launch.cwd-missing"_s;
        task.reasonArgs = {{u"folder"_s, u"/x"_s}};
        task.created = 1;
        task.launched = 2;
        task.tryLaunched = 3;
        task.completed = 4;
        task.logFolder = u"/state/runs/x/0/worker-7/0"_s;
        task.pid = 4194304;
        task.usage = {4096, 123456, 20000, 97};
        return task;
    }

private Q_SLOTS:
    void markOfABrokenLoss()
    {
        TaskInfo task;
        task.role = u"worker"_s;
        task.index = 1;
        task.tryLaunched = 1'000'000;
        const HealthMark mark{u"health.not-finite"_s, {}, 1'010'000, u"worker"_s, 1, u"train/Loss"_s};
        HealthMark other = mark, former = mark, accuracy = mark, jump = mark;
        other.index = 0;
        former.at = 900'000; // of the try before
        accuracy.metric = u"acc"_s;
        jump.code = u"health.jump"_s;
        QVERIFY(!brokenLoss({other, former, accuracy, jump}, task));
        const QList<HealthMark> marks{jump, former, mark};
        QCOMPARE(brokenLoss(marks, task), &marks.at(2));
        task.completed = 1'009'000; // clocks differ
        QCOMPARE(brokenLoss(marks, task), &marks.at(2));
        task.completed = 1'001'000; // the mark is of a later try
        QVERIFY(!brokenLoss(marks, task));
    }

    // An output that shows nothing is explained by a loss that was no number any more; one that shows a cause is not.
    void failureThatAMarkExplains()
    {
        const auto failed = [](const QString &cause) {
            FailureFacts facts;
            facts.cause = cause;
            return QJsonObject{{u"role"_s, u"worker"_s}, {u"index"_s, 1}, {failureKey, facts.toJson()}};
        };
        const HealthMark mark{u"health.not-finite"_s, {}, 1'010'000, u"worker"_s, 1, u"loss"_s};
        JobSummary job;
        job.submitted = 1'000'000;
        job.totalTasks = 2;
        job.health = {mark};
        job.reasonArgs = failed(u"unknown"_s);
        explainByHealth(job);
        const FailureFacts found = FailureFacts::fromJson(job.reasonArgs.value(failureKey).toObject());
        QCOMPARE(found.cause, u"diverged"_s);
        QCOMPARE(found.certainty, u"likely"_s);
        QCOMPARE(found.transient, std::optional(false));
        QCOMPARE(explainingMark(found), std::optional(mark));
        QCOMPARE(job.reasonArgs.value("role"_L1).toString(), u"worker"_s);

        TaskInfo task;
        task.role = u"worker"_s;
        task.index = 1;
        task.launched = 1'000'000;
        for (const QString &cause : {u"gpu-oom"_s, u"unknown"_s}) {
            task.reasonArgs = failed(cause);
            explainByHealth({mark}, task);
            QCOMPARE(FailureFacts::fromJson(task.reasonArgs.value(failureKey).toObject()).cause,
                cause == "unknown"_L1 ? u"diverged"_s : cause);
        }
        task.index = 0; // another one
        task.reasonArgs = failed(u"unknown"_s);
        explainByHealth({mark}, task);
        QCOMPARE(task.reasonArgs, failed(u"unknown"_s));
        job.reasonArgs = failed(u"unknown"_s);
        job.health.clear(); // silenced
        explainByHealth(job);
        QCOMPARE(job.reasonArgs, failed(u"unknown"_s));
    }

    void valuesComeBackEqual()
    {
        QCOMPARE(thereAndBack(fullSummary()), fullSummary());
        QCOMPARE(thereAndBack(JobSummary()), JobSummary());
        QCOMPARE(thereAndBack(fullTask()), fullTask());
        QCOMPARE(thereAndBack(TaskInfo()), TaskInfo());

        AttemptInfo attempt;
        QCOMPARE(thereAndBack(attempt), attempt);
        attempt = {3, State::Failed, 10, 20, 134, u"minFailed"_s, u"worker"_s, 1, 2, 3, 6, 5, 10, u"exit.user"_s,
            {{u"status"_s, 134}}};
        QCOMPARE(thereAndBack(attempt), attempt);

        JobDetail detail;
        detail.summary = fullSummary();
        detail.yaml = "name: x\n";
        detail.attempts = {attempt, attempt};
        detail.runFolder = u"/state/runs/x"_s;
        detail.held = {{u"worker"_s, u"lab1"_s, 3, 7, 1763640009999}};
        QCOMPARE(thereAndBack(detail), detail);
        detail.original = "\xEF\xBB\xBFname: y\n"; // a byte order mark travels in another way
        detail.rehearsal = OtherJob{40, u"u-40"_s, u"x-rehearsal"_s, State::Failed, 1763640009999, u"limit.time"_s};
        detail.promoted = OtherJob{0, u"u-42"_s, {}};
        detail.host = u"lab1"_s;
        detail.work = u"/data/here"_s;
        detail.clusterJobs = {u"12"_s, u"13_4"_s};
        detail.earlierTexts = {{0, false}, {2, true, "name: old\n", {{u"lr"_s, 0.1}}}};
        QCOMPARE(thereAndBack(detail), detail);
        QCOMPARE(thereAndBack(JobDetail()), JobDetail());

        HostInfo host;
        QCOMPARE(thereAndBack(host), host);
        host.id = u"lab1"_s;
        host.label = u"lab1.example"_s;
        host.target = u"ada@lab1"_s;
        host.state = HostState::NeedsLogin;
        host.error = u"ssh.denied"_s;
        host.errorArgs = {{u"user"_s, u"ada"_s}};
        host.cpus = 64;
        host.cpuPercent = 12.345678901234567;
        host.memoryMiB = 1 << 20;
        host.memoryUsedMiB = 17;
        host.gpus = {
            {0, u"GPU-1"_s, u"A100"_s, 81920, 512, 97, 41, false}, {1, u"GPU-2"_s, u"A100"_s, 81920, 512, -1, 0, true}};
        host.gpus[1].kept = u"hours"_s;
        host.gpus[0].promisedMiB = 12000;
        host.gpus[0].jobs = {41, 4711};
        host.tasks = 4;
        host.diskFreeMiB = 12345;
        host.diskLow = true;
        host.hold = u"wait.disk"_s;
        host.check = StepState::Failed;
        host.checkError = u"host.unreachable"_s;
        host.checkErrorArgs = {{u"host"_s, u"lab1"_s}};
        host.filesFolder = u"/home/ann/.local/state/trainyard/1"_s;
        QCOMPARE(thereAndBack(host), host);

        const EngineStatus status{u"0.1.0"_s, 4711, 1763640000123, 3, 2, u"/state"_s, true};
        QCOMPARE(thereAndBack(status), status);

        SubmitRequest request;
        QCOMPARE(thereAndBack(request), request);
        request.yaml = "name: x\n";
        request.name = u"y"_s;
        request.file = u"/x.yaml"_s;
        request.parameters = {{u"lr"_s, u"0.1"_s}, {u""_s, u""_s}};
        request.secrets = {{u"token"_s, u"s3cret"_s}};
        request.target = u"lab1"_s;
        request.work = u"/work"_s;
        request.runIn = u"podman"_s;
        request.priority = 0;
        request.after = {u"41:ended"_s, u"prepare"_s};
        QCOMPARE(thereAndBack(request), request);

        const SubmitReply reply{41, u"u"_s, {{u"note.gpu-type"_s, {{u"type"_s, u"A100"_s}}}}};
        QCOMPARE(thereAndBack(reply), reply);

        PlanReply plan;
        QCOMPARE(thereAndBack(plan), plan);
        plan.tasks = {{u"w"_s, 1, u"local"_s, {2}, {{u"ssh"_s, {1, 2}}}, {{u"B"_s, u"2"_s}, {u"A"_s, u"1"_s}},
            u"true\n"_s, {u"git"_s}, u"podman"_s, u"x/y:1"_s, u"podman run x/y:1"_s}};
        plan.waitReason = u"wait.gpu"_s;
        plan.waitArgs = {{u"need"_s, 2}};
        plan.notes = {{u"gpu.type-nowhere"_s, {{u"role"_s, u"w"_s}}}};
        QCOMPARE(thereAndBack(plan), plan);
    }

    void everyByteOfAJobArrives()
    {
        QByteArray all;
        for (int i = 0; i < 256; ++i) {
            all.append(static_cast<char>(i));
        }
        for (const QByteArray &yaml : {all, QByteArray("\xEF\xBB\xBFname: x\r\n"), QByteArray("a\0b", 3), QByteArray(),
                 QByteArray("\xF0\x9F\x98\x80 \xE2\x80\xA8"), QByteArray("\xED\xA0\x80")}) {
            SubmitRequest request;
            request.yaml = yaml;
            QCOMPARE(thereAndBack(request).yaml, yaml);
        }
    }

    void wordsOfStates()
    {
        for (const State state : {State::Waiting, State::Running, State::Stopping, State::Succeeded, State::Failed,
                 State::Stopped, State::Unknown}) {
            QCOMPARE(stateFromWord(stateWord(state)), state);
        }
        QCOMPARE(stateWord(State::Succeeded), u"SUCCEEDED"_s);
        QCOMPARE(stateFromWord(u"no such state"_s), State::Unknown);
        for (const HostState state : {HostState::Unknown, HostState::Connecting, HostState::Online, HostState::Offline,
                 HostState::NeedsLogin, HostState::Failed}) {
            QCOMPARE(hostStateFromWord(hostStateWord(state)), state);
        }
    }

    // A peer of another version, or a stranger: wrong types anywhere give defaults, never a crash.
    void wrongTypesAreDefaults()
    {
        QRandomGenerator random(7);
        const QList<QJsonValue> odd{
            QJsonValue::Null, true, -1e300, u"text"_s, QJsonArray{QJsonArray{1}, u"x"_s}, QJsonObject{{u"uuid"_s, 3}}};
        const QList<QJsonObject> whole{fullSummary().toJson(), fullTask().toJson(), JobDetail().toJson(),
            HostInfo().toJson(), SubmitRequest().toJson(), PlanReply().toJson(), AttemptInfo().toJson()};
        const int rounds = inForm(2000, 5);
        for (int round = 0; round < rounds; ++round) {
            QJsonObject json = whole.at(random.bounded(whole.size()));
            const QStringList keys = json.keys();
            for (int i = 0; i < 3; ++i) {
                json.insert(keys.at(random.bounded(keys.size())), odd.at(random.bounded(odd.size())));
            }
            JobSummary::fromJson(json);
            TaskInfo::fromJson(json);
            JobDetail::fromJson(json);
            HostInfo::fromJson(json);
            SubmitRequest::fromJson(json);
            PlanReply::fromJson(json);
            AttemptInfo::fromJson(json);
        }
    }

    void messages()
    {
        rpc::Message m = rpc::decode(rpc::request(7, u"submit"_s, {{u"a"_s, 1}}));
        QVERIFY(m.kind == rpc::Message::Kind::Request);
        QCOMPARE(m.id.toInteger(), 7);
        QCOMPARE(m.method, u"submit"_s);
        QCOMPARE(m.params.value("a"_L1).toInt(), 1);
        m = rpc::decode(rpc::event(u"job"_s, {}));
        QVERIFY(m.kind == rpc::Message::Kind::Event);
        m = rpc::decode(rpc::reply(7, QJsonValue::Null));
        QVERIFY(m.kind == rpc::Message::Kind::Reply);
        const Error error{u"job.unknown"_s, {{u"job"_s, u"#9"_s}}};
        m = rpc::decode(rpc::failure(7, error));
        QVERIFY(m.kind == rpc::Message::Kind::Failure);
        QCOMPARE(m.error, error);
        QVERIFY(!rpc::request(1, u"x\ny"_s, {{u"\n"_s, u"\n"_s}}).contains('\n'));
    }

    // The text that is written straight from the fields says what toJson() says.
    void textIsTheSameJson()
    {
        QRandomGenerator random(11);
        const auto text = [&random] {
            QString result;
            for (int i = random.bounded(20); i > 0; --i) {
                const uint kinds[] = {uint(random.bounded(0x20)), uint(random.bounded(0x20, 0x80)),
                    uint(random.bounded(0x80, 0xd800)), uint(random.bounded(0xe000, 0x10000)),
                    uint(random.bounded(0x10000, 0x110000)), u'"', u'\\', 0x7f, 0x2028};
                const char32_t one = kinds[random.bounded(9)];
                result += QString::fromUcs4(&one, 1);
            }
            return result;
        };
        const auto same = [](const QByteArray &bytes, const QJsonObject &wanted) {
            QJsonParseError error;
            const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
            // Through text, both: QJsonObject compares keys by how it happens to keep them.
            return error.error == QJsonParseError::NoError && !bytes.contains('\n')
                && document == QJsonDocument::fromJson(QJsonDocument(wanted).toJson());
        };
        QVERIFY(same(jsonText(fullTask()), fullTask().toJson()));
        QVERIFY(same(jsonText(TaskInfo()), TaskInfo().toJson()));
        QVERIFY(same(jsonText(fullSummary()), fullSummary().toJson()));
        QVERIFY(same(jsonText(JobSummary()), JobSummary().toJson()));
        QList<TaskInfo> tasks;
        QList<JobSummary> jobs;
        for (int round = 0; round < 500; ++round) {
            TaskInfo task = fullTask();
            task.role = text();
            task.logFolder = text() + QString(random.bounded(200), u'a'); // longer than what is collected at once
            task.reasonArgs = {{text(), text()}, {text(), random.generateDouble()}};
            task.pid = qint64(random.generate64());
            task.index = int(random.generate());
            task.ports = {{text(), {random.bounded(65536)}}};
            task.keptFrom = random.bounded(2) ? std::optional<int>(random.bounded(9)) : std::nullopt;
            task.usage = random.bounded(2) ? TaskUsage() : task.usage;
            QVERIFY2(same(jsonText(task), task.toJson()), jsonText(task).constData());
            tasks.append(task);
            JobSummary job = fullSummary();
            job.name = text();
            job.hosts = {text(), text()};
            job.order = (random.generateDouble() - 0.5) * (round % 2 ? 1e300 : 1e-300);
            QVERIFY2(same(jsonText(job), job.toJson()), jsonText(job).constData());
            jobs.append(job);
        }
        const auto arrayOf = [](const auto &list) {
            QJsonArray array;
            for (const auto &each : list) {
                array.append(each.toJson());
            }
            return QJsonDocument::fromJson(QJsonDocument(array).toJson()).array();
        };
        QCOMPARE(QJsonDocument::fromJson(jsonText(tasks)).array(), arrayOf(tasks));
        QCOMPARE(QJsonDocument::fromJson(jsonText(jobs)).array(), arrayOf(jobs));
        QCOMPARE(jsonText(QList<TaskInfo>()), "[]");
        QJsonArray together;
        const QByteArrayList parts = jsonTextParts(tasks, 20000);
        QVERIFY(parts.size() > 5);
        for (const QByteArray &part : parts) {
            const QJsonArray array = QJsonDocument::fromJson(part).array();
            QVERIFY(!array.isEmpty());
            for (const QJsonValue &each : array) {
                together.append(each);
            }
        }
        QCOMPARE(together, arrayOf(tasks));
        QVERIFY(jsonTextParts(QList<TaskInfo>(), 1).isEmpty());
        // And it is read as it was written, without a tree.
        const std::optional<QList<TaskInfo>> readTasks = tasksFromText(jsonText(tasks));
        const std::optional<QList<JobSummary>> readJobs = jobsFromText(jsonText(jobs));
        QVERIFY(readTasks && readTasks->size() == tasks.size() && readJobs && readJobs->size() == jobs.size());
        const QJsonArray taskTree = QJsonDocument::fromJson(jsonText(tasks)).array();
        const QJsonArray jobTree = QJsonDocument::fromJson(jsonText(jobs)).array();
        for (qsizetype i = 0; i < tasks.size(); ++i) {
            QCOMPARE(readTasks->at(i), TaskInfo::fromJson(taskTree.at(i).toObject()));
            QCOMPARE(readJobs->at(i), JobSummary::fromJson(jobTree.at(i).toObject()));
            QCOMPARE(readTasks->at(i).role, tasks.at(i).role);
        }
        QCOMPARE(tasksFromText("[]"), std::optional(QList<TaskInfo>()));
        // What JSON cannot say: half a character, no number.
        JobSummary odd;
        odd.name = u"a"_s + QChar(0xd800) + u'b' + QChar(0xdc00);
        odd.order = std::numeric_limits<double>::quiet_NaN();
        const QJsonObject read = QJsonDocument::fromJson(jsonText(odd)).object();
        QCOMPARE(read.value("name"_L1).toString(), u"a\ufffdb\ufffd"_s);
        QVERIFY(read.value("order"_L1).isNull());

        const rpc::Message reply = rpc::decode(rpc::replyText(QJsonValue(qint64(1) << 60), jsonText(tasks)));
        QVERIFY(reply.kind == rpc::Message::Kind::Reply);
        QCOMPARE(reply.id.toInteger(), qint64(1) << 60);
        QCOMPARE(reply.result.toArray().size(), tasks.size());
        const rpc::Message named = rpc::decode(rpc::replyText(u"a \"\n\\"_s, "true"));
        QCOMPARE(named.id.toString(), u"a \"\n\\"_s);
        QVERIFY(named.result.toBool());
        const rpc::Message event = rpc::decode(rpc::eventText(u"tasks"_s, "{\"x\":1}"));
        QVERIFY(event.kind == rpc::Message::Kind::Event);
        QCOMPARE(event.method, u"tasks"_s);
        QCOMPARE(event.params.value("x"_L1).toInt(), 1);
        const QByteArray line = rpc::replyText(77, jsonText(tasks)); // what is read from it looks into it
        const std::optional<rpc::TextReply> quick = rpc::textReply(line);
        QVERIFY(quick);
        QCOMPARE(quick->id, 77);
        const std::optional<QList<TaskInfo>> again = tasksFromText(quick->result);
        QVERIFY(again);
        QCOMPARE(again->size(), tasks.size());
    }

    // Text of any other make is left to the ordinary reader, and what is read is never something else.
    void quickReadersAreNeverWrong()
    {
        const QByteArray task = jsonText(QList<TaskInfo>{fullTask()});
        const QByteArray job = jsonText(QList<JobSummary>{fullSummary(), JobSummary()});
        for (qsizetype i = 0; i < task.size(); ++i) {
            QVERIFY(!tasksFromText(task.left(i)));
        }
        for (qsizetype i = 0; i < job.size(); ++i) {
            QVERIFY(!jobsFromText(job.left(i)));
        }
        QVERIFY(!tasksFromText(QByteArray(task + ' ')));
        // As an older engine writes it: sorted keys.
        QVERIFY(!tasksFromText(QJsonDocument(QJsonArray{fullTask().toJson()}).toJson(QJsonDocument::Compact)));
        for (const auto &[from, to] : {std::pair("\"index\":7", "\"index\":7.5"),
                 std::pair("\"index\":7", "\"index\":70000000000"), std::pair("\"index\":7", "\"index\":null"),
                 std::pair("\"index\":7", "\"inde\\u0078\":7"), std::pair("\"gpus\":[0,3]", "\"gpus\":[0,3"),
                 std::pair("\"gpus\":[0,3]", "\"gpus\":{}"), std::pair("\"role\":\"worker\"", "\"role\":\"\\x\""),
                 std::pair("\"role\":\"worker\"", "\"role\":\"\\u12\""), std::pair("{\"folder\"", "{folder"),
                 std::pair("\"created\":1", "\"created\":\"1\"")}) {
            const QByteArray changed = QByteArray(task).replace(from, to);
            QVERIFY2(changed != task, from);
            QVERIFY2(!tasksFromText(changed), changed.constData());
        }
        // At random, with a seed of its own choice to be tried again.
        bool given = false;
        quint32 seed = qEnvironmentVariable("TRAINYARD_RPC_SEED").toUInt(&given);
        seed = given ? seed : 20261121;
        qInfo("TRAINYARD_RPC_SEED=%u", seed);
        QRandomGenerator random(seed);
        const QByteArrayList lines{task, job, rpc::replyText(3, task), rpc::replyText(4, job),
            rpc::request(5, u"submit"_s, SubmitRequest{"yaml", {}, {}, {}, {}, {}, {}, {}, {}, {}}.toJson()),
            rpc::event(u"job"_s, fullSummary().toJson()), rpc::failure(9, {u"x"_s, {}})};
        const int lineRounds = inForm(20000, 10);
        for (int round = 0; round < lineRounds; ++round) {
            QByteArray line = lines.at(random.bounded(lines.size()));
            for (int i = random.bounded(1, 5); i > 0 && !line.isEmpty(); --i) {
                const qsizetype at = random.bounded(line.size());
                switch (random.bounded(5)) {
                case 0:
                    line[at] = static_cast<char>(random.bounded(256));
                    break;
                case 1:
                    line.remove(at, random.bounded(8));
                    break;
                case 2:
                    line.insert(at, line.mid(random.bounded(line.size()), random.bounded(40)));
                    break;
                case 3:
                    line[at] = "0123456789-+.eE\"\\,:{}[]"[random.bounded(23)];
                    break;
                default:
                    line.truncate(at);
                }
            }
            rpcfuzz::decode(line);
        }
    }

    void messagesOfAnyShape()
    {
        for (const char *line : {"", "{", "[]", "null", "1", "\"x\"", "{}", "{\"id\":1}", "{\"method\":1}",
                 "{\"method\":\"x\",\"params\":[1]}", "{\"id\":[],\"result\":1}", "{\"error\":1}", "\xff\xfe",
                 "[{\"method\":\"x\",\"id\":1}]"}) {
            QVERIFY2(rpc::decode(line).kind == rpc::Message::Kind::Invalid, line);
        }
        QVERIFY(rpc::decode(QByteArray(100000, '[')).kind == rpc::Message::Kind::Invalid);
        QVERIFY(rpc::decode(R"({"error":{}})").kind == rpc::Message::Kind::Failure);
        QCOMPARE(rpc::decode(R"({"method":"x","id":"text"})").id.toString(), u"text"_s);
    }

    void listEntryHasOpenPaisNames()
    {
        const QJsonObject json = openpai::toListEntry(fullSummary());
        for (const char *key : {"debugId", "name", "username", "state", "subState", "executionType", "tags", "retries",
                 "retryDetails", "retryDelayTime", "submissionTime", "createdTime", "launchedTime", "completedTime",
                 "appExitCode", "virtualCluster", "totalGpuNumber", "totalTaskNumber", "totalTaskRoleNumber",
                 "jobPriority", "id", "uuid", "host"}) {
            QVERIFY2(json.contains(QLatin1StringView(key)), key);
        }
        QCOMPARE(json.value("executionType"_L1).toString(), u"STOP"_s);
        QCOMPARE(json.value("retryDetails"_L1).toObject().value("platform"_L1).toInt(), 2);
        QCOMPARE(json.value("host"_L1).toString(), u"local,lab1"_s);
        QCOMPARE(json.value("jobPriority"_L1).toString(), u"oppo"_s);
        // OpenPAI calls what waits for its retry RUNNING.
        JobSummary rests = fullSummary();
        rests.state = State::Waiting;
        rests.subState = u"AttemptCompleted"_s;
        QCOMPARE(openpai::toListEntry(rests).value("state"_L1).toString(), u"RUNNING"_s);
        rests.subState = u"AttemptCreationPending"_s;
        QCOMPARE(openpai::toListEntry(rests).value("state"_L1).toString(), u"WAITING"_s);
        const QJsonObject waiting = openpai::toListEntry(JobSummary());
        QCOMPARE(waiting.value("jobPriority"_L1).toString(), u"default"_s);
        QVERIFY(waiting.value("launchedTime"_L1).isNull());
        QVERIFY(waiting.value("appExitCode"_L1).isNull());
        QCOMPARE(json["engine"_L1]["resultsUpTo"_L1].toInteger(), 1763640001500);
        QCOMPARE(json["engine"_L1]["command"_L1].toString(), u"train \"x\""_s);
        QVERIFY(waiting["engine"_L1]["resultsUpTo"_L1].isNull()); // it is there, and says that nothing is behind
        JobSummary refused; // it has ended and never began
        refused.state = State::Failed;
        refused.completed = 7;
        QVERIFY(openpai::toListEntry(refused).value("launchedTime"_L1).isNull());
        QCOMPARE(openpai::toListEntry(refused).value("completedTime"_L1).toInt(), 7);
        QVERIFY(!waiting.value("engine"_L1).toObject().contains("state"_L1));
    }

    // Which task ended an attempt, by which of the rules, and what its program returned.
    void whatEndedAnAttempt_data()
    {
        QTest::addColumn<AttemptInfo>("attempt");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("launcher");
        QTest::newRow("one failed") << AttemptInfo{0, State::Failed, 1, 2, 255, u"minFailed"_s, u"w"_s, 0, 1, 1, 3, 1,
            1, {}, {}} << u"w: 1 task failed, limit 1 (tipped by w[0], code 255)"_s
                                    << QString();
        QTest::newRow("one succeeded") << AttemptInfo{0, State::Succeeded, 1, 2, 0, u"minSucceeded"_s, u"w"_s, 4, 1, 1,
            0, 1, 1, {}, {}} << u"w: 1 task succeeded, limit 1 (tipped by w[4], code 0)"_s
                                       << QString();
        QTest::newRow("all completed") << AttemptInfo{0, State::Succeeded, 1, 2, 0, u"allCompleted"_s, u"w"_s, 4, 5, 5,
            0, 1, 1, {}, {}} << u"all tasks are completed (5), and no limit was reached (the last was w[4])"_s
                                       << QString();
        QTest::newRow("completed in version 1")
            << AttemptInfo{0, State::Failed, 1, 2, 255, u"completedTasks"_s, u"w"_s, 4, 2, 2, 1, 1, 1, {}, {}}
            << u"2 tasks are completed, limit 2 (tipped by w[4], code 255)"_s << QString();
        QTest::newRow("not started") << AttemptInfo{0, State::Failed, 1, 2, -1203, u"startFailed"_s, u"w"_s, 4, 0, 0,
            {}, 1, {}, {},
            {}} << u"w[4] could not be started, so the others were not left to wait for it (code -1203)"_s
                                     << u"ContainerDockerStartCmdNotFound"_s;
        QTest::newRow("stopped") << AttemptInfo{0, State::Stopped, 1, 2, -210, {}, {}, -1, 0, 0, {}, 1, {}, {}, {}}
                                 << QString() << u"StopFrameworkRequested"_s;
    }
    void whatEndedAnAttempt()
    {
        QFETCH(const AttemptInfo, attempt);
        QFETCH(const QString, message);
        QFETCH(const QString, launcher);
        JobDetail job;
        job.summary = fullSummary();
        job.attempts = {attempt};
        const QJsonObject status = openpai::toDetail(job, {}, ExitRules::bundled()).value("jobStatus"_L1).toObject();
        QCOMPARE(status.value("appExitTriggerMessage"_L1).toString(), message);
        const QJsonObject messages = status.value("appExitMessages"_L1).toObject();
        QCOMPARE(messages.value("launcher"_L1).toString(), launcher);
        const bool ran = attempt.triggerRawExit.value_or(0) != 0;
        QCOMPARE(messages.value("runtime"_L1).isObject(), ran);
        if (ran) {
            QCOMPARE(messages.value("runtime"_L1).toObject().value("originUserExitCode"_L1).toInt(),
                *attempt.triggerRawExit);
        }
    }

    void anAttemptThatNeverRan()
    {
        JobDetail job;
        job.summary = fullSummary();
        job.attempts = {{0, State::Waiting, 10, {}, {}, {}, {}, -1, 0, 0, {}, 10, {}, {}, {}}};
        const QJsonObject status = openpai::toDetail(job, {}, ExitRules::bundled()).value("jobStatus"_L1).toObject();
        QCOMPARE(status.value("appCreatedTime"_L1).toInt(), 10);
        QVERIFY(status.value("appLaunchedTime"_L1).isNull());
    }

    void detailHasOpenPaisNames()
    {
        JobDetail job;
        job.summary = fullSummary();
        job.attempts = {{0, State::Failed, 10, 20, 137, u"minFailed"_s, u"worker"_s, 1, 2, 2, 137, 5, 10, {}, {}},
            {1, State::Running, 30, {}, {}, {}, {}, -1, 0, 0, {}, 25, 30, {}, {}}};
        QList<TaskInfo> tasks;
        for (int i = 0; i < 120; ++i) {
            TaskInfo task = fullTask();
            task.index = i;
            task.state = i % 2 ? State::Succeeded : State::Running;
            tasks.append(task);
        }
        TaskInfo server = fullTask();
        server.role = u"a-server"_s;
        server.index = 0;
        tasks.append(server);

        QJsonObject json = openpai::toDetail(job, tasks, ExitRules::bundled());
        const QJsonObject status = json.value("jobStatus"_L1).toObject();
        for (const char *key :
            {"username", "virtualCluster", "state", "subState", "executionType", "retries", "retryDetails",
                "retryDelayTime", "submissionTime", "createdTime", "launchedTime", "completedTime", "attemptId",
                "attemptState", "appId", "appProgress", "appTrackingUrl", "appCreatedTime", "appLaunchedTime",
                "appCompletedTime", "appExitCode", "appExitSpec", "appExitDiagnostics", "appExitMessages",
                "appExitTriggerMessage", "appExitTriggerTaskRoleName", "appExitTriggerTaskIndex", "appExitType"}) {
            QVERIFY2(status.contains(QLatin1StringView(key)), key);
        }
        QCOMPARE(status.value("attemptId"_L1).toInt(), 1);
        QVERIFY(status.value("appExitSpec"_L1).isNull());
        const QJsonObject roles = json.value("taskRoles"_L1).toObject();
        QCOMPARE(roles.keys(), (QStringList{u"a-server"_s, u"worker"_s}));
        QCOMPARE(json.value("engine"_L1).toObject().value("taskRoleOrder"_L1).toArray().at(0).toString(), u"worker"_s);
        QCOMPARE(json.value("engine"_L1)["target"_L1].toString(), u"slurm:lab"_s);
        QCOMPARE(json["engine"_L1]["resultsUpTo"_L1].toInteger(), 1763640001500);
        JobDetail caughtUp = job;
        caughtUp.summary.resultsUpTo.reset();
        QVERIFY(openpai::toDetail(caughtUp, tasks, ExitRules::bundled())["engine"_L1]["resultsUpTo"_L1].isNull());
        const QJsonObject worker = roles.value("worker"_L1).toObject();
        const QJsonArray statuses = worker.value("taskStatuses"_L1).toArray();
        QCOMPARE(statuses.size(), 50); // of the 60 that have not succeeded
        const QJsonObject counts = worker.value("engine"_L1).toObject().value("counts"_L1).toObject();
        QCOMPARE(counts.value("total"_L1).toInt(), 120);
        QCOMPARE(counts.value("running"_L1).toInt(), 60);
        const QJsonObject first = statuses.at(0).toObject();
        for (const char *key : {"taskIndex", "taskUid", "taskState", "retries", "accountableRetries", "createdTime",
                 "launchedTime", "completedTime", "attemptId", "attemptState", "currentAttemptCreatedTime",
                 "currentAttemptLaunchedTime", "currentAttemptCompletedTime", "containerId", "containerIp",
                 "containerNodeName", "containerPorts", "containerGpus", "containerLog", "containerExitCode",
                 "containerExitSpec", "containerExitDiagnostics"}) {
            QVERIFY2(first.contains(QLatin1StringView(key)), key);
        }
        QCOMPARE(first.value("containerGpus"_L1).toInt(), 9);
        QCOMPARE(first.value("launchedTime"_L1).toInt(), 2); // of its first try
        QCOMPARE(first.value("currentAttemptLaunchedTime"_L1).toInt(), 3);
        QVERIFY(first.value("currentAttemptCreatedTime"_L1).isNull()); // its second try
        QCOMPARE(first.value("containerPorts"_L1).toObject().value("http"_L1).toString(), u"15002,15003"_s);

        // A task that was tried again lists its tries, the latest first.
        TaskInfo again = fullTask();
        again.index = 2;
        again.tries = 2;
        QList<TaskInfo> earlier{again, again};
        for (int i = 0; i < 2; ++i) {
            earlier[i].tries = i;
            earlier[i].usage.peakMemoryMiB = 100 + i;
        }
        json = openpai::toDetail(job, {again}, ExitRules::bundled(), 0, {false, 0, 0}, {}, earlier);
        const QJsonObject tried = json.value("taskRoles"_L1)
                                      .toObject()
                                      .value(again.role)
                                      .toObject()
                                      .value("taskStatuses"_L1)
                                      .toArray()
                                      .at(0)
                                      .toObject();
        const QJsonArray attempts = tried.value("attempts"_L1).toArray();
        QCOMPARE(attempts.size(), 3);
        for (int i = 0; i < 3; ++i) {
            const QJsonObject one = attempts.at(i).toObject();
            QCOMPARE(one.value("attemptId"_L1).toInt(), 2 - i);
            QVERIFY(one.contains("currentAttemptLaunchedTime"_L1) && one.contains("containerExitCode"_L1));
            QVERIFY(!one.contains("taskIndex"_L1) && !one.contains("retries"_L1));
        }
        QCOMPARE(attempts.at(1)
                     .toObject()
                     .value("engine"_L1)
                     .toObject()
                     .value("usage"_L1)
                     .toObject()
                     .value("peakMemoryMiB"_L1)
                     .toInt(),
            101);
        QVERIFY(!first.contains("attempts"_L1));

        json = openpai::toDetail(job, tasks, ExitRules::bundled(), 0, {false, 100, 10});
        const QJsonObject old = json.value("jobStatus"_L1).toObject();
        QCOMPARE(old.value("attemptId"_L1).toInt(), 0);
        QCOMPARE(old.value("appExitCode"_L1).toInt(), 137);
        QCOMPARE(old.value("appExitSpec"_L1).toObject().value("code"_L1).toInt(), 137);
        QCOMPARE(old.value("appExitTriggerTaskIndex"_L1).toInt(), 1);
        QCOMPARE(old.value("appExitTriggerMessage"_L1).toString(),
            u"worker: 2 tasks failed, limit 2 (tipped by worker[1], code 137)"_s);
        QCOMPARE(old.value("appCreatedTime"_L1).toInt(), 5);
        QCOMPARE(old.value("appLaunchedTime"_L1).toInt(), 10);
        const QJsonObject messages = old.value("appExitMessages"_L1).toObject();
        QCOMPARE(messages.value("runtime"_L1).toObject(),
            (QJsonObject{{u"name"_s, u"worker-1"_s}, {u"exitCode"_s, 137}, {u"originUserExitCode"_s, 137}}));
        QVERIFY(messages.value("launcher"_L1).isNull());
        const QJsonArray page
            = json.value("taskRoles"_L1).toObject().value("worker"_L1).toObject().value("taskStatuses"_L1).toArray();
        QCOMPARE(page.size(), 10);
        QCOMPARE(page.at(0).toObject().value("taskIndex"_L1).toInt(), 100);
    }
};

TRAINYARD_TEST(TstApiJson)
#include "tst_apijson.moc"
