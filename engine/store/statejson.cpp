// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/statejson.h"

#include "engine/api/jsoncursor.h"
#include "model/base/result.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard
{

using namespace core;

namespace
{

QJsonObject placeToJson(const Place &place)
{
    QJsonArray gpus;
    for (int gpu : place.gpus) {
        gpus.append(gpu);
    }
    QJsonArray ports;
    for (const auto &[label, numbers] : place.ports) {
        QJsonArray list;
        for (int number : numbers) {
            list.append(number);
        }
        ports.append(QJsonArray{label, list});
    }
    QJsonObject json{{u"host"_s, place.host}, {u"address"_s, place.address}, {u"gpus"_s, gpus}, {u"ports"_s, ports}};
    if (place.gpuShareMiB > 0) {
        json.insert(u"gpuShareMiB"_s, place.gpuShareMiB);
    }
    return json;
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

QJsonObject processToJson(const ProcessId &process)
{
    // Ticks since boot fit a JSON number's 53 bits for millions of years.
    return QJsonObject{
        {u"bootId"_s, process.bootId}, {u"pid"_s, process.pid}, {u"startTime"_s, qint64(process.startTime)}};
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

QJsonObject resultToJson(const TryResult &result)
{
    QJsonObject json{{u"code"_s, result.code}};
    if (result.rawExit) {
        json.insert(u"raw"_s, *result.rawExit);
    }
    insertReason(json, result.reason, result.reasonArgs);
    return json;
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
    return Waiting{json.value("notBefore"_L1).toInteger()};
}

QJsonObject taskStateToJson(const TaskState &state)
{
    return std::visit(Overloaded{
                          [](const Waiting &waiting) {
                              QJsonObject json{{u"is"_s, u"waiting"_s}};
                              if (waiting.notBefore) {
                                  json.insert(u"notBefore"_s, waiting.notBefore);
                              }
                              return json;
                          },
                          [](const Placed &) {
                              return QJsonObject{{u"is"_s, u"waiting"_s}};
                          },
                          [](const Launching &launching) {
                              return QJsonObject{{u"is"_s, u"launching"_s}, {u"place"_s, placeToJson(launching.place)}};
                          },
                          [](const Running &running) {
                              return QJsonObject{{u"is"_s, u"running"_s}, {u"place"_s, placeToJson(running.place)},
                                  {u"process"_s, processToJson(running.process)}, {u"began"_s, running.began}};
                          },
                          [](const Stopping &stopping) {
                              QJsonObject json{{u"is"_s, u"stopping"_s}, {u"place"_s, placeToJson(stopping.place)},
                                  {u"began"_s, stopping.began}, {u"result"_s, resultToJson(stopping.result)}};
                              if (stopping.process) {
                                  json.insert(u"process"_s, processToJson(*stopping.process));
                              }
                              return json;
                          },
                          [](const Ended &ended) {
                              return QJsonObject{{u"is"_s, u"ended"_s}, {u"place"_s, placeToJson(ended.place)},
                                  {u"began"_s, ended.began}, {u"ended"_s, ended.ended},
                                  {u"result"_s, resultToJson(ended.result)}};
                          },
                      },
        state);
}

} // namespace

QJsonObject taskToJson(const Task &task)
{
    QJsonObject json = taskStateToJson(task.state);
    json.insert(u"try"_s, task.tryIndex);
    json.insert(u"created"_s, task.created);
    insertTime(json, u"launched"_s, task.firstLaunched);
    if (task.usage != TaskUsage()) {
        QJsonObject usage;
        insertTime(usage, u"memoryMiB"_s, task.usage.peakMemoryMiB);
        insertTime(usage, u"cpuMs"_s, task.usage.cpuMs);
        insertTime(usage, u"gpuMemoryMiB"_s, task.usage.peakGpuMemoryMiB);
        if (task.usage.gpuPercent) {
            usage.insert(u"gpuPercent"_s, *task.usage.gpuPercent);
        }
        if (!task.usage.left.isEmpty()) {
            usage.insert(u"left"_s, task.usage.left);
        }
        json.insert(u"usage"_s, usage);
    }
    if (task.keptFrom) {
        json.insert(u"keptFrom"_s, *task.keptFrom);
    }
    if (task.tryIndex > 0) {
        json.insert(u"accountable"_s, task.accountable);
        json.insert(u"freeInARow"_s, task.freeInARow);
        json.insert(u"lastHost"_s, task.lastHost);
        if (task.previous) {
            json.insert(u"previous"_s, resultToJson(*task.previous));
        }
    }
    return json;
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

QJsonObject attemptToJson(const AttemptRecord &attempt)
{
    QJsonObject json{{u"index"_s, attempt.index}, {u"created"_s, attempt.created}};
    insertTime(json, u"launched"_s, attempt.launched);
    insertTime(json, u"completed"_s, attempt.completed);
    if (attempt.result) {
        const AttemptResult &result = *attempt.result;
        QJsonObject object{{u"code"_s, result.code}, {u"rule"_s, int(result.rule)}, {u"role"_s, result.trigger.role},
            {u"task"_s, result.trigger.index}, {u"count"_s, result.count}, {u"limit"_s, result.limit}};
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
    attempt.completed = timeFrom(json.value("completed"_L1));
    if (json.contains("result"_L1)) {
        const QJsonObject object = json.value("result"_L1).toObject();
        AttemptResult result;
        result.code = object.value("code"_L1).toInt();
        result.rule = TriggerRule(object.value("rule"_L1).toInt());
        result.trigger = {object.value("role"_L1).toInt(-1), object.value("task"_L1).toInt(-1)};
        result.count = object.value("count"_L1).toInt();
        result.limit = object.value("limit"_L1).toInt();
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
