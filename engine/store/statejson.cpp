// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/statejson.h"

#include "engine/api/jsoncursor.h"
#include "engine/api/jsontext.h"
#include "model/base/result.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace core;

namespace
{

// Keys stand in the order of the alphabet, as a QJsonDocument writes them: endedTaskFromText() knows no other.
void write(JsonText &json, const Place &place)
{
    json.open('{').field("address", place.address);
    if (place.gpuShareMiB > 0) {
        json.field("gpuShareMiB", place.gpuShareMiB);
    }
    json.key("gpus").open('[');
    for (const int gpu : place.gpus) {
        json.add(gpu);
    }
    json.close(']').field("host", place.host).key("ports").open('[');
    for (const auto &[label, numbers] : place.ports) {
        json.open('[').add(label).open('[');
        for (const int number : numbers) {
            json.add(number);
        }
        json.close(']').close(']');
    }
    json.close(']').close('}');
}

Place placeFromJson(const QJsonObject &json)
{
    Place place;
    place.host = json.value("host"_L1).toString();
    place.address = json.value("address"_L1).toString();
    const QJsonArray gpus = json.value("gpus"_L1).toArray();
    for (const QJsonValue &gpu : gpus) {
        place.gpus.append(gpu.toInt());
    }
    place.gpuShareMiB = json.value("gpuShareMiB"_L1).toInteger();
    const QJsonArray ports = json.value("ports"_L1).toArray();
    for (const QJsonValue &item : ports) {
        QList<int> numbers;
        const QJsonArray list = item.toArray().at(1).toArray();
        for (const QJsonValue &number : list) {
            numbers.append(number.toInt());
        }
        place.ports.append({item.toArray().at(0).toString(), numbers});
    }
    return place;
}

void write(JsonText &json, const ProcessId &process)
{
    // Ticks since boot fit a JSON number's 53 bits for millions of years.
    json.open('{')
        .field("bootId", process.bootId)
        .field("pid", process.pid)
        .field("startTime", process.startTime)
        .close('}');
}

ProcessId processFromJson(const QJsonObject &json)
{
    return {json.value("bootId"_L1).toString(), json.value("pid"_L1).toInteger(),
        quint64(json.value("startTime"_L1).toInteger())};
}

void insertReason(QJsonObject &json, const QString &reason, const QJsonObject &args)
{
    if (!reason.isEmpty()) {
        json.insert(u"reason"_s, reason);
        json.insert(u"reasonArgs"_s, args);
    }
}

void write(JsonText &json, const TryResult &result)
{
    json.open('{').field("code", result.code);
    if (result.rawExit) {
        json.field("raw", *result.rawExit);
    }
    if (!result.reason.isEmpty()) {
        json.field("reason", result.reason).field("reasonArgs", result.reasonArgs);
    }
    json.close('}');
}

template <typename T> void writeIfThere(JsonText &json, const char *key, const std::optional<T> &value)
{
    if (value) {
        json.field(key, *value);
    }
}

void write(JsonText &json, const TaskUsage &usage)
{
    json.open('{');
    writeIfThere(json, "cpuMs", usage.cpuMs);
    writeIfThere(json, "gpuMemoryMiB", usage.peakGpuMemoryMiB);
    writeIfThere(json, "gpuPercent", usage.gpuPercent);
    if (!usage.left.isEmpty()) {
        json.field("left", usage.left);
    }
    writeIfThere(json, "memoryMiB", usage.peakMemoryMiB);
    json.close('}');
}

TryResult resultFromJson(const QJsonObject &json)
{
    TryResult result;
    result.code = json.value("code"_L1).toInt();
    if (json.contains("raw"_L1)) {
        result.rawExit = json.value("raw"_L1).toInt();
    }
    result.reason = json.value("reason"_L1).toString();
    result.reasonArgs = json.value("reasonArgs"_L1).toObject();
    return result;
}

void insertTime(QJsonObject &json, const QString &key, const std::optional<qint64> &at)
{
    if (at) {
        json.insert(key, *at);
    }
}

std::optional<qint64> timeFrom(const QJsonValue &value)
{
    return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
}

TaskState taskStateFromJson(const QJsonObject &json)
{
    const QString kind = json.value("is"_L1).toString();
    const auto place = [&] { return placeFromJson(json.value("place"_L1).toObject()); };
    const qint64 began = json.value("began"_L1).toInteger();
    if (kind == "launching"_L1) {
        return Launching{place()};
    }
    if (kind == "running"_L1) {
        return Running{place(), processFromJson(json.value("process"_L1).toObject()), began};
    }
    if (kind == "stopping"_L1) {
        Stopping stopping{place(), {}, began, resultFromJson(json.value("result"_L1).toObject())};
        if (json.contains("process"_L1)) {
            stopping.process = processFromJson(json.value("process"_L1).toObject());
        }
        return stopping;
    }
    if (kind == "ended"_L1) {
        return Ended{
            place(), began, json.value("ended"_L1).toInteger(), resultFromJson(json.value("result"_L1).toObject())};
    }
    return Waiting{json.value("notBefore"_L1).toInteger(), json.value("charged"_L1).toBool()};
}

// What the states have of the things that they have in common.
struct Parts {
    QStringView is = u"waiting";
    const Place *place = nullptr;
    const ProcessId *process = nullptr;
    const TryResult *result = nullptr;
    std::optional<qint64> began = {}, ended = {};
    qint64 notBefore = 0;
    bool charged = false;
};

Parts partsOf(const TaskState &state)
{
    return std::visit(
        Overloaded{
            [](const Waiting &waiting) { return Parts{.notBefore = waiting.notBefore, .charged = waiting.charged}; },
            [](const Placed &) { return Parts{}; },
            [](const Launching &launching) { return Parts{.is = u"launching", .place = &launching.place}; },
            [](const Running &running) {
                return Parts{
                    .is = u"running", .place = &running.place, .process = &running.process, .began = running.began};
            },
            [](const Stopping &stopping) {
                return Parts{.is = u"stopping",
                    .place = &stopping.place,
                    .process = stopping.process ? &*stopping.process : nullptr,
                    .result = &stopping.result,
                    .began = stopping.began};
            },
            [](const Ended &ended) {
                return Parts{.is = u"ended",
                    .place = &ended.place,
                    .result = &ended.result,
                    .began = ended.began,
                    .ended = ended.ended};
            },
        },
        state);
}

} // namespace

QByteArray taskText(const Task &task)
{
    constexpr qsizetype bytesOfMost = 400;
    const Parts parts = partsOf(task.state);
    const bool isRetry = task.tryIndex > 0;
    JsonText json(bytesOfMost);
    json.open('{');
    if (isRetry) {
        json.field("accountable", task.accountable);
    }
    writeIfThere(json, "began", parts.began);
    if (parts.charged) {
        json.field("charged", true);
    }
    json.field("created", task.created);
    writeIfThere(json, "ended", parts.ended);
    if (isRetry) {
        json.field("freeInARow", task.freeInARow);
    }
    json.field("is", parts.is);
    writeIfThere(json, "keptFrom", task.keptFrom);
    if (isRetry) {
        json.field("lastHost", task.lastHost);
    }
    writeIfThere(json, "launched", task.firstLaunched);
    if (parts.notBefore) {
        json.field("notBefore", parts.notBefore);
    }
    if (parts.place) {
        write(json.key("place"), *parts.place);
    }
    if (isRetry && task.previous) {
        write(json.key("previous"), *task.previous);
    }
    if (parts.process) {
        write(json.key("process"), *parts.process);
    }
    if (parts.result) {
        write(json.key("result"), *parts.result);
    }
    json.field("try", task.tryIndex);
    if (task.usage != TaskUsage()) {
        write(json.key("usage"), task.usage);
    }
    return json.close('}').text();
}

Task taskFromJson(const QJsonObject &json)
{
    Task task;
    task.state = taskStateFromJson(json);
    task.tryIndex = json.value("try"_L1).toInt();
    task.accountable = json.value("accountable"_L1).toInt();
    task.freeInARow = json.value("freeInARow"_L1).toInt();
    task.created = json.value("created"_L1).toInteger();
    task.firstLaunched = timeFrom(json.value("launched"_L1));
    if (json.contains("previous"_L1)) {
        task.previous = resultFromJson(json.value("previous"_L1).toObject());
    }
    task.lastHost = json.value("lastHost"_L1).toString();
    const QJsonObject usage = json.value("usage"_L1).toObject();
    task.usage.peakMemoryMiB = timeFrom(usage.value("memoryMiB"_L1));
    task.usage.cpuMs = timeFrom(usage.value("cpuMs"_L1));
    task.usage.left = usage.value("left"_L1).toObject();
    task.usage.peakGpuMemoryMiB = timeFrom(usage.value("gpuMemoryMiB"_L1));
    if (usage.contains("gpuPercent"_L1)) {
        task.usage.gpuPercent = usage.value("gpuPercent"_L1).toInt();
    }
    if (json.contains("keptFrom"_L1)) {
        task.keptFrom = json.value("keptFrom"_L1).toInt();
    }
    return task;
}

std::optional<Task> endedTaskFromText(QByteArrayView json)
{
    JsonCursor in(json);
    Task task;
    Ended ended;
    // The first key follows a brace, the others a comma, whichever of them are there.
    char before = '{';
    const auto has = [&in, &before](const char *key) {
        const bool there = in.skipKey(before, key);
        before = there ? ',' : before;
        return there;
    };
    const auto need = [&](const char *key, auto &value) {
        if (has(key)) {
            in.read(value);
        } else {
            in.fail();
        }
    };
    need("began", ended.began);
    need("created", task.created);
    need("ended", ended.ended);
    QString kind;
    need("is", kind);
    if (kind != "ended"_L1) {
        return std::nullopt;
    }
    if (has("launched")) {
        in.read(task.firstLaunched);
    }
    if (!has("place")) {
        return std::nullopt;
    }
    before = '{';
    need("address", ended.place.address);
    need("gpus", ended.place.gpus);
    need("host", ended.place.host);
    need("ports", ended.place.ports);
    in.expect('}');
    before = ',';
    if (!has("result")) {
        return std::nullopt;
    }
    before = '{';
    need("code", ended.result.code);
    if (has("raw")) {
        in.read(ended.result.rawExit);
    }
    if (has("reason")) {
        in.read(ended.result.reason);
    }
    if (has("reasonArgs")) {
        in.read(ended.result.reasonArgs);
    }
    in.expect('}');
    before = ',';
    need("try", task.tryIndex);
    if (has("usage")) {
        before = '{';
        if (has("cpuMs")) {
            in.read(task.usage.cpuMs);
        }
        if (has("gpuMemoryMiB")) {
            in.read(task.usage.peakGpuMemoryMiB);
        }
        if (has("gpuPercent")) {
            in.read(task.usage.gpuPercent);
        }
        if (has("memoryMiB")) {
            in.read(task.usage.peakMemoryMiB);
        }
        in.expect('}');
    }
    in.expect('}');
    if (!in.good() || !in.atEnd()) {
        return std::nullopt;
    }
    task.state = std::move(ended);
    return task;
}

static void insertBoot(QJsonObject &json, const QString &key, const std::optional<BootTime> &time)
{
    if (time) {
        json.insert(key, QJsonObject{{u"boot"_s, time->boot}, {u"ms"_s, time->ms}});
    }
}

static std::optional<BootTime> bootFrom(const QJsonValue &value)
{
    return value.isObject() ? std::optional(BootTime{value["boot"_L1].toString(), value["ms"_L1].toInteger()})
                            : std::nullopt;
}

QJsonObject attemptToJson(const AttemptRecord &attempt)
{
    QJsonObject json{{u"index"_s, attempt.index}, {u"created"_s, attempt.created}};
    insertTime(json, u"launched"_s, attempt.launched);
    insertBoot(json, u"launchedBoot"_s, attempt.launchedBoot);
    insertTime(json, u"completed"_s, attempt.completed);
    if (attempt.result) {
        const AttemptResult &result = *attempt.result;
        QJsonObject object{{u"code"_s, result.code}, {u"rule"_s, int(result.rule)}, {u"role"_s, result.trigger.role},
            {u"task"_s, result.trigger.index}, {u"count"_s, result.count}, {u"limit"_s, result.limit}};
        if (result.rawExit) {
            object.insert(u"rawExit"_s, *result.rawExit);
        }
        insertReason(object, result.reason, result.reasonArgs);
        json.insert(u"result"_s, object);
    }
    return json;
}

AttemptRecord attemptFromJson(const QJsonObject &json)
{
    AttemptRecord attempt;
    attempt.index = json.value("index"_L1).toInt();
    attempt.created = json.value("created"_L1).toInteger();
    attempt.launched = timeFrom(json.value("launched"_L1));
    attempt.launchedBoot = bootFrom(json.value("launchedBoot"_L1));
    attempt.completed = timeFrom(json.value("completed"_L1));
    if (json.contains("result"_L1)) {
        const QJsonObject object = json.value("result"_L1).toObject();
        AttemptResult result;
        result.code = object.value("code"_L1).toInt();
        result.rule = TriggerRule(object.value("rule"_L1).toInt());
        result.trigger = {object.value("role"_L1).toInt(-1), object.value("task"_L1).toInt(-1)};
        result.count = object.value("count"_L1).toInt();
        result.limit = object.value("limit"_L1).toInt();
        if (object.contains("rawExit"_L1)) {
            result.rawExit = object.value("rawExit"_L1).toInt();
        }
        result.reason = object.value("reason"_L1).toString();
        result.reasonArgs = object.value("reasonArgs"_L1).toObject();
        attempt.result = result;
    }
    return attempt;
}

QJsonObject machineToJson(const JobState &job)
{
    QJsonObject json{{u"retries"_s, job.retries}, {u"accountable"_s, job.accountable},
        {u"freeInARow"_s, job.freeInARow}, {u"stop"_s, job.stopRequested}};
    insertReason(json, job.reason, job.reasonArgs);
    if (job.order) {
        json.insert(u"order"_s, *job.order);
    }
    insertTime(json, u"pausedAt"_s, job.pausedAt);
    insertBoot(json, u"pausedBoot"_s, job.pausedBoot);
    if (job.pausedMs > 0) {
        json.insert(u"pausedMs"_s, job.pausedMs);
    }
    if (!job.after.empty()) {
        QJsonArray after;
        for (const Dependency &dependency : job.after) {
            after.append(QJsonObject{{u"job"_s, dependency.job.toString(QUuid::WithoutBraces)},
                {u"id"_s, dependency.id}, {u"name"_s, dependency.name}, {u"ended"_s, dependency.whenEnded}});
        }
        json.insert(u"after"_s, after);
    }
    std::visit(Overloaded{
                   [&](const Active &) { json.insert(u"phase"_s, u"active"_s); },
                   [&](const Ending &) { json.insert(u"phase"_s, u"ending"_s); },
                   [&](const Resting &resting) {
                       json.insert(u"phase"_s, u"resting"_s);
                       json.insert(u"due"_s, resting.due);
                       json.insert(u"conflict"_s, resting.conflict);
                       json.insert(u"charged"_s, resting.charged);
                   },
                   [&](const Finished &finished) {
                       json.insert(u"phase"_s, u"finished"_s);
                       json.insert(u"at"_s, finished.at);
                   },
               },
        job.phase);
    return json;
}

void machineFromJson(const QJsonObject &json, JobState &job)
{
    job.retries = json.value("retries"_L1).toInt();
    job.accountable = json.value("accountable"_L1).toInt();
    job.freeInARow = json.value("freeInARow"_L1).toInt();
    job.stopRequested = json.value("stop"_L1).toBool();
    job.reason = json.value("reason"_L1).toString();
    job.reasonArgs = json.value("reasonArgs"_L1).toObject();
    if (json.contains("order"_L1)) {
        job.order = json.value("order"_L1).toDouble();
    }
    job.pausedAt = timeFrom(json.value("pausedAt"_L1));
    job.pausedBoot = bootFrom(json.value("pausedBoot"_L1));
    job.pausedMs = json.value("pausedMs"_L1).toInteger();
    job.after.clear();
    const QJsonArray after = json.value("after"_L1).toArray();
    for (const QJsonValue &item : after) {
        job.after.push_back({QUuid::fromString(item[u"job"].toString()), item[u"id"].toInteger(),
            item[u"name"].toString(), item[u"ended"].toBool()});
    }
    const QString phase = json.value("phase"_L1).toString();
    if (phase == "ending"_L1) {
        job.phase = Ending{};
    } else if (phase == "resting"_L1) {
        job.phase = Resting{
            json.value("due"_L1).toInteger(), json.value("conflict"_L1).toBool(), json.value("charged"_L1).toBool()};
    } else if (phase == "finished"_L1) {
        job.phase = Finished{json.value("at"_L1).toInteger()};
    } else {
        job.phase = Active{};
    }
}

} // namespace trainyard
