// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"

#include <QJsonArray>

#include <array>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr std::array stateWords{"WAITING", "RUNNING", "STOPPING", "SUCCEEDED", "FAILED", "STOPPED", "UNKNOWN"};
constexpr std::array hostStateWords{"unknown", "connecting", "online", "offline", "needsLogin", "failed"};

// Absent means "not there": null and missing keys read alike, so older and newer sides understand each other.
template <typename T> void put(QJsonObject &json, QLatin1StringView key, const std::optional<T> &value)
{
    if (value) {
        json.insert(key, QJsonValue(*value));
    }
}

std::optional<qint64> optionalInteger(const QJsonObject &json, QLatin1StringView key)
{
    const QJsonValue value = json.value(key);
    return value.isDouble() ? std::optional<qint64>(value.toInteger()) : std::nullopt;
}

std::optional<int> optionalInt(const QJsonObject &json, QLatin1StringView key)
{
    const QJsonValue value = json.value(key);
    return value.isDouble() ? std::optional<int>(value.toInt()) : std::nullopt;
}

QStringList stringsFrom(const QJsonValue &value)
{
    QStringList list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &item : array) {
        list.append(item.toString());
    }
    return list;
}

QJsonArray intsToJson(const QList<int> &list)
{
    QJsonArray array;
    for (const int item : list) {
        array.append(item);
    }
    return array;
}

QList<int> intsFrom(const QJsonValue &value)
{
    QList<int> list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &item : array) {
        list.append(item.toInt());
    }
    return list;
}

using Ports = QList<std::pair<QString, QList<int>>>;

// Arrays, not objects: the order of labels is the document's.
QJsonArray portsToJson(const Ports &ports)
{
    QJsonArray array;
    for (const auto &[label, numbers] : ports) {
        array.append(QJsonArray{label, intsToJson(numbers)});
    }
    return array;
}

Ports portsFrom(const QJsonValue &value)
{
    Ports ports;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &item : array) {
        const QJsonArray pair = item.toArray();
        ports.append({pair.at(0).toString(), intsFrom(pair.at(1))});
    }
    return ports;
}

QJsonObject mapToJson(const QMap<QString, QString> &map)
{
    QJsonObject json;
    for (auto it = map.cbegin(); it != map.cend(); ++it) {
        json.insert(it.key(), it.value());
    }
    return json;
}

QMap<QString, QString> mapFrom(const QJsonValue &value)
{
    QMap<QString, QString> map;
    const QJsonObject json = value.toObject();
    for (auto it = json.constBegin(); it != json.constEnd(); ++it) {
        map.insert(it.key(), it.value().toString());
    }
    return map;
}

// A job's text is bytes and must arrive as they are; JSON strings are Unicode. What does not survive the way there and
// back (invalid UTF-8, a byte order mark) travels as base64.
void putBytes(QJsonObject &json, const QString &key, const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes);
    if (text.toUtf8() == bytes) {
        json.insert(key, text);
    } else {
        json.insert(QString(key + "Base64"_L1), QString::fromLatin1(bytes.toBase64()));
    }
}

QByteArray bytesFrom(const QJsonObject &json, const QString &key)
{
    const QJsonValue coded = json.value(QString(key + "Base64"_L1));
    if (coded.isString()) {
        return QByteArray::fromBase64(coded.toString().toLatin1());
    }
    return json.value(key).toString().toUtf8();
}

template <typename T> QJsonArray listToJson(const QList<T> &list)
{
    QJsonArray array;
    for (const T &item : list) {
        array.append(item.toJson());
    }
    return array;
}

template <typename T> QList<T> listFrom(const QJsonValue &value)
{
    QList<T> list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &item : array) {
        list.append(T::fromJson(item.toObject()));
    }
    return list;
}

QJsonObject gpuToJson(const GpuInfo &gpu)
{
    return {
        {u"index"_s, gpu.index},
        {u"uuid"_s, gpu.uuid},
        {u"name"_s, gpu.name},
        {u"memoryMiB"_s, gpu.memoryMiB},
        {u"memoryUsedMiB"_s, gpu.memoryUsedMiB},
        {u"utilPercent"_s, gpu.utilPercent},
        {u"jobId"_s, gpu.jobId},
        {u"foreign"_s, gpu.foreign},
    };
}

GpuInfo gpuFrom(const QJsonObject &json)
{
    return {
        .index = json.value("index"_L1).toInt(),
        .uuid = json.value("uuid"_L1).toString(),
        .name = json.value("name"_L1).toString(),
        .memoryMiB = json.value("memoryMiB"_L1).toInteger(),
        .memoryUsedMiB = json.value("memoryUsedMiB"_L1).toInteger(),
        .utilPercent = json.value("utilPercent"_L1).toInt(-1),
        .jobId = json.value("jobId"_L1).toInteger(),
        .foreign = json.value("foreign"_L1).toBool(),
    };
}

QJsonObject plannedToJson(const PlannedTask &task)
{
    QJsonArray environment;
    for (const auto &[name, value] : task.environment) {
        environment.append(QJsonArray{name, value});
    }
    return {
        {u"role"_s, task.role},
        {u"index"_s, task.index},
        {u"host"_s, task.host},
        {u"gpus"_s, intsToJson(task.gpus)},
        {u"ports"_s, portsToJson(task.ports)},
        {u"environment"_s, environment},
        {u"script"_s, task.script},
        {u"prerequisites"_s, QJsonArray::fromStringList(task.prerequisites)},
    };
}

PlannedTask plannedFrom(const QJsonObject &json)
{
    PlannedTask task;
    task.role = json.value("role"_L1).toString();
    task.index = json.value("index"_L1).toInt();
    task.host = json.value("host"_L1).toString();
    task.gpus = intsFrom(json.value("gpus"_L1));
    task.ports = portsFrom(json.value("ports"_L1));
    const QJsonArray environment = json.value("environment"_L1).toArray();
    for (const QJsonValue &item : environment) {
        const QJsonArray pair = item.toArray();
        task.environment.append({pair.at(0).toString(), pair.at(1).toString()});
    }
    task.script = json.value("script"_L1).toString();
    task.prerequisites = stringsFrom(json.value("prerequisites"_L1));
    return task;
}

} // namespace

QString stateWord(State state) { return QString::fromLatin1(stateWords.at(static_cast<std::size_t>(state))); }

State stateFromWord(const QString &word)
{
    for (std::size_t i = 0; i < stateWords.size(); ++i) {
        if (word == QLatin1StringView(stateWords[i])) {
            return static_cast<State>(i);
        }
    }
    return State::Unknown;
}

QString hostStateWord(HostState state)
{
    return QString::fromLatin1(hostStateWords.at(static_cast<std::size_t>(state)));
}

HostState hostStateFromWord(const QString &word)
{
    for (std::size_t i = 0; i < hostStateWords.size(); ++i) {
        if (word == QLatin1StringView(hostStateWords[i])) {
            return static_cast<HostState>(i);
        }
    }
    return HostState::Unknown;
}

QJsonObject JobSummary::toJson() const
{
    QJsonObject json{
        {u"id"_s, id},
        {u"uuid"_s, uuid},
        {u"name"_s, name},
        {u"user"_s, user},
        {u"state"_s, stateWord(state)},
        {u"subState"_s, subState},
        {u"stopRequested"_s, stopRequested},
        {u"retries"_s, retries},
        {u"userRetries"_s, userRetries},
        {u"platformRetries"_s, platformRetries},
        {u"submitted"_s, submitted},
        {u"virtualCluster"_s, virtualCluster},
        {u"totalGpu"_s, totalGpu},
        {u"totalTasks"_s, totalTasks},
        {u"totalRoles"_s, totalRoles},
        {u"counts"_s, QJsonArray{counts.waiting, counts.running, counts.succeeded, counts.failed, counts.stopped}},
        {u"hosts"_s, QJsonArray::fromStringList(hosts)},
        {u"reason"_s, reason},
        {u"reasonArgs"_s, reasonArgs},
        {u"file"_s, file},
    };
    put(json, "retryDelaySec"_L1, retryDelaySec);
    put(json, "launched"_L1, launched);
    put(json, "completed"_L1, completed);
    put(json, "exitCode"_L1, exitCode);
    return json;
}

JobSummary JobSummary::fromJson(const QJsonObject &json)
{
    JobSummary job;
    job.id = json.value("id"_L1).toInteger();
    job.uuid = json.value("uuid"_L1).toString();
    job.name = json.value("name"_L1).toString();
    job.user = json.value("user"_L1).toString();
    job.state = stateFromWord(json.value("state"_L1).toString());
    job.subState = json.value("subState"_L1).toString();
    job.stopRequested = json.value("stopRequested"_L1).toBool();
    job.retries = json.value("retries"_L1).toInt();
    job.userRetries = json.value("userRetries"_L1).toInt();
    job.platformRetries = json.value("platformRetries"_L1).toInt();
    job.retryDelaySec = optionalInteger(json, "retryDelaySec"_L1);
    job.submitted = json.value("submitted"_L1).toInteger();
    job.launched = optionalInteger(json, "launched"_L1);
    job.completed = optionalInteger(json, "completed"_L1);
    job.exitCode = optionalInt(json, "exitCode"_L1);
    job.virtualCluster = json.value("virtualCluster"_L1).toString();
    job.totalGpu = json.value("totalGpu"_L1).toInt();
    job.totalTasks = json.value("totalTasks"_L1).toInt();
    job.totalRoles = json.value("totalRoles"_L1).toInt();
    const QList<int> counts = intsFrom(json.value("counts"_L1));
    job.counts = {counts.value(0), counts.value(1), counts.value(2), counts.value(3), counts.value(4)};
    job.hosts = stringsFrom(json.value("hosts"_L1));
    job.reason = json.value("reason"_L1).toString();
    job.reasonArgs = json.value("reasonArgs"_L1).toObject();
    job.file = json.value("file"_L1).toString();
    return job;
}

QJsonObject TaskInfo::toJson() const
{
    QJsonObject json{
        {u"role"_s, role},
        {u"index"_s, index},
        {u"attempt"_s, attempt},
        {u"tries"_s, tries},
        {u"state"_s, stateWord(state)},
        {u"subState"_s, subState},
        {u"host"_s, host},
        {u"address"_s, address},
        {u"gpus"_s, intsToJson(gpus)},
        {u"ports"_s, portsToJson(ports)},
        {u"reason"_s, reason},
        {u"reasonArgs"_s, reasonArgs},
        {u"logFolder"_s, logFolder},
        {u"pid"_s, pid},
    };
    put(json, "keptFrom"_L1, keptFrom);
    put(json, "exitCode"_L1, exitCode);
    put(json, "rawExit"_L1, rawExit);
    put(json, "created"_L1, created);
    put(json, "launched"_L1, launched);
    put(json, "completed"_L1, completed);
    return json;
}

TaskInfo TaskInfo::fromJson(const QJsonObject &json)
{
    TaskInfo task;
    task.role = json.value("role"_L1).toString();
    task.index = json.value("index"_L1).toInt();
    task.attempt = json.value("attempt"_L1).toInt();
    task.tries = json.value("tries"_L1).toInt();
    task.state = stateFromWord(json.value("state"_L1).toString());
    task.subState = json.value("subState"_L1).toString();
    task.host = json.value("host"_L1).toString();
    task.address = json.value("address"_L1).toString();
    task.gpus = intsFrom(json.value("gpus"_L1));
    task.ports = portsFrom(json.value("ports"_L1));
    task.exitCode = optionalInt(json, "exitCode"_L1);
    task.rawExit = optionalInt(json, "rawExit"_L1);
    task.reason = json.value("reason"_L1).toString();
    task.reasonArgs = json.value("reasonArgs"_L1).toObject();
    task.created = optionalInteger(json, "created"_L1);
    task.launched = optionalInteger(json, "launched"_L1);
    task.completed = optionalInteger(json, "completed"_L1);
    task.logFolder = json.value("logFolder"_L1).toString();
    task.pid = json.value("pid"_L1).toInteger();
    task.keptFrom = optionalInt(json, "keptFrom"_L1);
    return task;
}

QJsonObject AttemptInfo::toJson() const
{
    QJsonObject json{
        {u"index"_s, index},
        {u"state"_s, stateWord(state)},
        {u"triggerRule"_s, triggerRule},
        {u"triggerRole"_s, triggerRole},
        {u"triggerIndex"_s, triggerIndex},
    };
    put(json, "started"_L1, started);
    put(json, "completed"_L1, completed);
    put(json, "exitCode"_L1, exitCode);
    return json;
}

AttemptInfo AttemptInfo::fromJson(const QJsonObject &json)
{
    AttemptInfo attempt;
    attempt.index = json.value("index"_L1).toInt();
    attempt.state = stateFromWord(json.value("state"_L1).toString());
    attempt.started = optionalInteger(json, "started"_L1);
    attempt.completed = optionalInteger(json, "completed"_L1);
    attempt.exitCode = optionalInt(json, "exitCode"_L1);
    attempt.triggerRule = json.value("triggerRule"_L1).toString();
    attempt.triggerRole = json.value("triggerRole"_L1).toString();
    attempt.triggerIndex = json.value("triggerIndex"_L1).toInt(-1);
    return attempt;
}

QJsonObject JobDetail::toJson() const
{
    QJsonObject json{
        {u"summary"_s, summary.toJson()},
        {u"attempts"_s, listToJson(attempts)},
        {u"runFolder"_s, runFolder},
    };
    putBytes(json, u"yaml"_s, yaml);
    return json;
}

JobDetail JobDetail::fromJson(const QJsonObject &json)
{
    JobDetail detail;
    detail.summary = JobSummary::fromJson(json.value("summary"_L1).toObject());
    detail.yaml = bytesFrom(json, u"yaml"_s);
    detail.attempts = listFrom<AttemptInfo>(json.value("attempts"_L1));
    detail.runFolder = json.value("runFolder"_L1).toString();
    return detail;
}

QJsonObject HostInfo::toJson() const
{
    QJsonArray gpuArray;
    for (const GpuInfo &gpu : gpus) {
        gpuArray.append(gpuToJson(gpu));
    }
    return {
        {u"id"_s, id},
        {u"label"_s, label},
        {u"target"_s, target},
        {u"state"_s, hostStateWord(state)},
        {u"error"_s, error},
        {u"errorArgs"_s, errorArgs},
        {u"cpus"_s, cpus},
        {u"cpuPercent"_s, cpuPercent},
        {u"memoryMiB"_s, memoryMiB},
        {u"memoryUsedMiB"_s, memoryUsedMiB},
        {u"gpus"_s, gpuArray},
        {u"tasks"_s, tasks},
    };
}

HostInfo HostInfo::fromJson(const QJsonObject &json)
{
    HostInfo host;
    host.id = json.value("id"_L1).toString();
    host.label = json.value("label"_L1).toString();
    host.target = json.value("target"_L1).toString();
    host.state = hostStateFromWord(json.value("state"_L1).toString());
    host.error = json.value("error"_L1).toString();
    host.errorArgs = json.value("errorArgs"_L1).toObject();
    host.cpus = json.value("cpus"_L1).toInt();
    host.cpuPercent = json.value("cpuPercent"_L1).toDouble(-1);
    host.memoryMiB = json.value("memoryMiB"_L1).toInteger();
    host.memoryUsedMiB = json.value("memoryUsedMiB"_L1).toInteger();
    const QJsonArray gpuArray = json.value("gpus"_L1).toArray();
    for (const QJsonValue &item : gpuArray) {
        host.gpus.append(gpuFrom(item.toObject()));
    }
    host.tasks = json.value("tasks"_L1).toInt();
    return host;
}

QJsonObject EngineStatus::toJson() const
{
    QJsonObject json{
        {u"version"_s, version},
        {u"pid"_s, pid},
        {u"startedAt"_s, startedAt},
        {u"activeJobs"_s, activeJobs},
        {u"clients"_s, clients},
        {u"stateFolder"_s, stateFolder},
    };
    put(json, "lingers"_L1, lingers);
    return json;
}

EngineStatus EngineStatus::fromJson(const QJsonObject &json)
{
    EngineStatus status;
    status.version = json.value("version"_L1).toString();
    status.pid = json.value("pid"_L1).toInteger();
    status.startedAt = json.value("startedAt"_L1).toInteger();
    status.activeJobs = json.value("activeJobs"_L1).toInt();
    status.clients = json.value("clients"_L1).toInt();
    status.stateFolder = json.value("stateFolder"_L1).toString();
    if (json.value("lingers"_L1).isBool()) {
        status.lingers = json.value("lingers"_L1).toBool();
    }
    return status;
}

QJsonObject RetryRequest::toJson() const
{
    return {{u"id"_s, uuid}, {u"tasks"_s, QJsonArray::fromStringList(tasks)}, {u"failedOnly"_s, failedOnly},
        {u"secrets"_s, mapToJson(secrets)}};
}

RetryRequest RetryRequest::fromJson(const QJsonObject &json)
{
    return {json.value("id"_L1).toString(), stringsFrom(json.value("tasks"_L1)), json.value("failedOnly"_L1).toBool(),
        mapFrom(json.value("secrets"_L1))};
}

QJsonObject LogGrowth::toJson() const
{
    return {{u"role"_s, role}, {u"index"_s, index}, {u"attempt"_s, attempt}, {u"bytes"_s, bytes}};
}

LogGrowth LogGrowth::fromJson(const QJsonObject &json)
{
    return {json.value("role"_L1).toString(), json.value("index"_L1).toInt(), json.value("attempt"_L1).toInt(),
        json.value("bytes"_L1).toInteger()};
}

QJsonObject Question::toJson() const
{
    return {{u"id"_s, id}, {u"host"_s, host}, {u"kind"_s, kind}, {u"prompt"_s, prompt}};
}

Question Question::fromJson(const QJsonObject &json)
{
    return {json.value("id"_L1).toString(), json.value("host"_L1).toString(), json.value("kind"_L1).toString(),
        json.value("prompt"_L1).toString()};
}

QJsonObject SubmitRequest::toJson() const
{
    QJsonObject json{
        {u"name"_s, name},
        {u"file"_s, file},
        {u"parameters"_s, mapToJson(parameters)},
        {u"secrets"_s, mapToJson(secrets)},
        {u"target"_s, target},
        {u"work"_s, work},
        {u"runIn"_s, runIn},
    };
    putBytes(json, u"yaml"_s, yaml);
    return json;
}

SubmitRequest SubmitRequest::fromJson(const QJsonObject &json)
{
    SubmitRequest request;
    request.yaml = bytesFrom(json, u"yaml"_s);
    request.name = json.value("name"_L1).toString();
    request.file = json.value("file"_L1).toString();
    request.parameters = mapFrom(json.value("parameters"_L1));
    request.secrets = mapFrom(json.value("secrets"_L1));
    request.target = json.value("target"_L1).toString();
    request.work = json.value("work"_L1).toString();
    request.runIn = json.value("runIn"_L1).toString();
    return request;
}

QJsonObject SubmitReply::toJson() const { return {{u"id"_s, id}, {u"uuid"_s, uuid}}; }

SubmitReply SubmitReply::fromJson(const QJsonObject &json)
{
    return {json.value("id"_L1).toInteger(), json.value("uuid"_L1).toString()};
}

QJsonObject PlanReply::toJson() const
{
    QJsonArray array;
    for (const PlannedTask &task : tasks) {
        array.append(plannedToJson(task));
    }
    return {{u"tasks"_s, array}, {u"waitReason"_s, waitReason}, {u"waitArgs"_s, waitArgs}};
}

PlanReply PlanReply::fromJson(const QJsonObject &json)
{
    PlanReply reply;
    const QJsonArray array = json.value("tasks"_L1).toArray();
    for (const QJsonValue &item : array) {
        reply.tasks.append(plannedFrom(item.toObject()));
    }
    reply.waitReason = json.value("waitReason"_L1).toString();
    reply.waitArgs = json.value("waitArgs"_L1).toObject();
    return reply;
}

} // namespace trainyard
