// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaijob.h"

#include "engine/core/retry.h"
#include "model/runtime/exitrules.h"

#include <QJsonArray>

#include <algorithm>

namespace trainyard::openpai
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostWords = 300;

qint64 timeIn(const QJsonObject &json, QLatin1StringView name) { return json.value(name).toInteger(); }

// A number of retries, or of attempts, which begin with 0: one can be added to the other.
int countIn(const QJsonObject &json, QLatin1StringView name, int otherwise = 0)
{
    constexpr int most = 1'000'000;
    return std::clamp(json.value(name).toInt(otherwise), 0, most);
}

// The words of its specification stand in the cluster's answer, or are those of the exit rules here.
Exit exitOf(const QJsonValue &code, const QJsonObject &spec)
{
    Exit exit;
    if (!code.isDouble()) {
        return exit;
    }
    exit.code = code.toInt();
    exit.phrase = spec.value("phrase"_L1).toString();
    exit.type = spec.value("type"_L1).toString();
    exit.words = spec.value("reason"_L1).toString().simplified().left(mostWords);
    if (const ExitSpecEntry *known = ExitRules::bundled().find(*exit.code); known && exit.phrase.isEmpty()) {
        exit.phrase = known->phrase;
        exit.type = known->type;
    }
    return exit;
}

TaskThere taskOf(const QString &role, const QJsonObject &json)
{
    TaskThere task;
    task.role = role;
    task.index = json.value("taskIndex"_L1).toInt();
    task.state = json.value("taskState"_L1).toString();
    task.retries = countIn(json, "retries"_L1);
    task.attempt = countIn(json, "attemptId"_L1, task.retries);
    task.launched = timeIn(json, "launchedTime"_L1);
    if (task.launched == 0) {
        task.launched = timeIn(json, "currentAttemptLaunchedTime"_L1);
    }
    task.completed = timeIn(json, "completedTime"_L1);
    if (task.completed == 0) {
        task.completed = timeIn(json, "currentAttemptCompletedTime"_L1);
    }
    task.node = json.value("containerNodeName"_L1).toString();
    task.address = json.value("containerIp"_L1).toString();
    task.exit = exitOf(json.value("containerExitCode"_L1), json.value("containerExitSpec"_L1).toObject());
    return task;
}

// The earlier attempts and the place: the same for all tasks of a job.
struct Before {
    QString target;
    QStringList former;
};

core::TryResult resultOf(const Exit &exit, int code, int retries, const Before &before)
{
    core::TryResult result;
    result.code = code;
    QJsonObject args{{u"target"_s, before.target}, {u"code"_s, code}, {u"phrase"_s, exit.phrase},
        {u"words"_s, exit.words}, {u"retries"_s, retries}};
    if (!before.former.isEmpty()) {
        args.insert(u"former"_s, QJsonArray::fromStringList(before.former));
    }
    if (core::isStopCode(code)) {
        return result;
    }
    if (code == 0) {
        if (retries > 0) {
            result.reason = u"openpai.retried"_s;
            result.reasonArgs = args;
        }
        return result;
    }
    const QString &type = exit.type;
    result.reason = type.startsWith("USER"_L1) ? u"openpai.exit-user"_s
        : type.startsWith("RESOURCE"_L1)       ? u"openpai.exit-resource"_s
        : type.startsWith("PLATFORM"_L1)       ? u"openpai.exit-platform"_s
                                               : u"openpai.exit"_s;
    result.reasonArgs = args;
    return result;
}

// In the order in which the core takes them.
std::vector<const core::event::TryEnded *> inOrder(const std::vector<core::event::TryEnded> &tries)
{
    std::vector<const core::event::TryEnded *> ordered;
    for (const core::event::TryEnded &each : tries) {
        ordered.push_back(&each);
    }
    std::stable_sort(ordered.begin(), ordered.end(),
        [](const auto *a, const auto *b) { return std::pair(a->ended, a->task) < std::pair(b->ended, b->task); });
    return ordered;
}

} // namespace

bool TaskThere::hasBegun() const
{
    return launched > 0 || state == "RUNNING"_L1 || state == "SUCCEEDED"_L1
        || (state == "FAILED"_L1 && !node.isEmpty());
}

bool JobThere::isFinal() const { return state == "SUCCEEDED"_L1 || state == "FAILED"_L1 || state == "STOPPED"_L1; }

const TaskThere *JobThere::task(const QString &role, int index) const
{
    const auto it = std::find_if(
        tasks.cbegin(), tasks.cend(), [&](const TaskThere &each) { return each.index == index && each.role == role; });
    return it == tasks.cend() ? nullptr : &*it;
}

int JobThere::retriesOf(const QString &role, int index) const
{
    const TaskThere *its = task(role, index);
    return retries + (its ? its->retries : 0);
}

std::optional<JobThere> jobOf(const QJsonObject &detail)
{
    static const QStringList states{
        u"WAITING"_s, u"RUNNING"_s, u"STOPPING"_s, u"STOPPED"_s, u"SUCCEEDED"_s, u"FAILED"_s, u"UNKNOWN"_s};
    const QJsonObject status = detail.value("jobStatus"_L1).toObject();
    JobThere job;
    job.state = status.value("state"_L1).toString();
    if (!states.contains(job.state)) {
        return std::nullopt;
    }
    job.isStopRequested = status.value("executionType"_L1).toString() == "STOP"_L1;
    job.retries = countIn(status, "retries"_L1);
    const QJsonObject retries = status.value("retryDetails"_L1).toObject();
    job.userRetries = countIn(retries, "user"_L1);
    job.platformRetries = countIn(retries, "platform"_L1) + countIn(retries, "resource"_L1);
    job.attempt = countIn(status, "attemptId"_L1, job.retries);
    if (const QJsonValue delay = status.value("retryDelayTime"_L1); delay.isDouble()) {
        job.retryDelaySec = delay.toInt();
    }
    job.completed = timeIn(status, "completedTime"_L1);
    job.exit = exitOf(status.value("appExitCode"_L1), status.value("appExitSpec"_L1).toObject());
    job.triggerRole = status.value("appExitTriggerTaskRoleName"_L1).toString();
    job.triggerIndex = status.value("appExitTriggerTaskIndex"_L1).toInt(-1);
    const QJsonObject runtime = status.value("appExitMessages"_L1).toObject().value("runtime"_L1).toObject();
    if (const QJsonValue raw = runtime.value("originUserExitCode"_L1); raw.isDouble()) {
        job.rawExit = raw.toInt();
    }
    const QJsonObject roles = detail.value("taskRoles"_L1).toObject();
    for (auto it = roles.constBegin(); it != roles.constEnd(); ++it) {
        const QJsonArray tasks = it.value().toObject().value("taskStatuses"_L1).toArray();
        for (const QJsonValue &task : tasks) {
            job.tasks.append(taskOf(it.key(), task.toObject()));
        }
    }
    return job;
}

QString endWords(const JobThere &attempt)
{
    if (!attempt.exit.code) {
        return {};
    }
    const QString words = QString::number(*attempt.exit.code)
        + (attempt.exit.phrase.isEmpty() ? QString() : QString(u' ' + attempt.exit.phrase));
    return attempt.triggerRole.isEmpty()
        ? words
        : words + u" (%1/%2)"_s.arg(attempt.triggerRole, QString::number(attempt.triggerIndex));
}

QString waitWords(const QJsonObject &events)
{
    QString words;
    QString newest;
    const QJsonArray all = events.value("data"_L1).toArray();
    for (const QJsonValue &each : all) {
        const QJsonObject event = each.toObject();
        const QString at = event.value("lastTimestamp"_L1).toString(); // ISO 8601, in UTC
        if (event.value("type"_L1).toString() == "Warning"_L1 && at >= newest) {
            newest = at;
            words = event.value("message"_L1).toString().simplified().left(mostWords);
        }
    }
    return words;
}

int codeOfTries(const core::JobPolicy &policy, const std::vector<core::event::TryEnded> &tries)
{
    std::vector<std::pair<int, int>> counted(policy.roles.size()); // failed, succeeded
    int ended = 0;
    for (const core::event::TryEnded *each : inOrder(tries)) {
        const core::RolePolicy &role = policy.roles[std::size_t(each->task.role)];
        auto &[failed, succeeded] = counted[std::size_t(each->task.role)];
        const int code = each->result.code;
        failed += code != 0 && !core::isStopCode(code) ? 1 : 0;
        succeeded += code == 0 ? 1 : 0;
        ++ended;
        if (code != 0 && role.minFailed >= 1 && failed >= role.minFailed) {
            return code;
        }
        if (code == 0 && role.minSucceeded >= 1 && succeeded >= role.minSucceeded) {
            return 0;
        }
        if (policy.completedLimit > 0 && ended >= policy.completedLimit) {
            return code;
        }
    }
    return 0; // all have ended
}

Ends endsOf(const JobThere &there, const core::JobState &job, const QString &target, const QStringList &former)
{
    Ends ends;
    const Before before{target, former};
    const int fallback = there.exit.code.value_or(there.state == "SUCCEEDED"_L1 ? 0 : codeLost);
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        const core::TaskRef ref = job.refAt(i);
        if (job.tasks[i].keptFrom) {
            continue;
        }
        const TaskThere *task = there.task(job.roleName(ref), ref.index);
        core::event::TryEnded event;
        event.task = ref;
        event.tryUuid = core::tryUuid(job, ref);
        event.started = task && task->hasBegun();
        event.began = task ? task->launched : 0;
        event.ended = task && task->completed > 0 ? task->completed : there.completed;
        // A server may keep no code for a task that the end of the job has overtaken.
        const int code = task && task->exit.code ? *task->exit.code : core::codeAttemptEnded;
        event.result
            = resultOf(task ? task->exit : Exit(), code, there.retriesOf(job.roleName(ref), ref.index), before);
        if (job.roleName(ref) == there.triggerRole && ref.index == there.triggerIndex && code != 0) {
            event.result.rawExit = there.rawExit;
        }
        ends.tries.push_back(std::move(event));
    }
    ends.isStopped = there.state == "STOPPED"_L1;
    if (!ends.isStopped && codeOfTries(job.policy, ends.tries) != fallback) {
        ends.overruled = resultOf(there.exit, fallback, there.retries, before);
    }
    return ends;
}

} // namespace trainyard::openpai
