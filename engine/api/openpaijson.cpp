// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/openpaijson.h"

#include "engine/api/health.h"
#include "engine/api/jobfacts.h"
#include "engine/api/openpaitaskjson.h"
#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"

#include <QJsonArray>

#include <map>

using namespace Qt::StringLiterals;

namespace trainyard::openpai
{
namespace
{

QJsonValue removalJson(const JobSummary &job)
{
    return job.removal ? QJsonValue(valuejson::objectOf(*job.removal)) : QJsonValue(QJsonValue::Null);
}

QJsonValue assistantJson(const JobSummary &job)
{
    return job.assistant.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(job.assistant);
}

QJsonValue otherJobJson(const std::optional<OtherJob> &job)
{
    return job ? QJsonValue(QJsonObject{{u"id"_s, job->id}, {u"uuid"_s, job->uuid}, {u"name"_s, job->name}})
               : QJsonValue(QJsonValue::Null);
}

QJsonObject retryDetails(const JobSummary &job)
{
    return {{u"user"_s, job.userRetries}, {u"platform"_s, job.platformRetries}, {u"resource"_s, 0}};
}

// OpenPAI calls a job that has run and is tried again RUNNING in between; people see that it waits.
QString stateOf(const JobSummary &job)
{
    const bool hasRun = job.subState == "AttemptCompleted"_L1 || job.subState == "AttemptRunning"_L1;
    return stateWord(hasRun && job.state == State::Waiting ? State::Running : job.state);
}

QJsonObject countsJson(const TaskCounts &counts)
{
    return {
        {u"total"_s, counts.total()},
        {u"waiting"_s, counts.waiting},
        {u"running"_s, counts.running},
        {u"succeeded"_s, counts.succeeded},
        {u"failed"_s, counts.failed},
        {u"stopped"_s, counts.stopped},
    };
}

// "worker: 2 tasks failed, limit 2 (tipped by worker[1], code 134)": which task ended the attempt, and by which rule.
QJsonValue triggerMessage(const AttemptInfo &attempt)
{
    const QString task = attempt.triggerRole + u'[' + QString::number(attempt.triggerIndex) + u']';
    const QString code = u"code "_s + QString::number(attempt.exitCode.value_or(0));
    const QString tasks
        = QString::number(attempt.triggerCount) + (attempt.triggerCount == 1 ? u" task"_s : u" tasks"_s);
    const QString tipped = u", limit %1 (tipped by %2, %3)"_s.arg(attempt.triggerLimit).arg(task, code);
    if (attempt.triggerRule == "minFailed"_L1) {
        return QString(attempt.triggerRole + u": "_s + tasks + u" failed"_s + tipped);
    }
    if (attempt.triggerRule == "minSucceeded"_L1) {
        return QString(attempt.triggerRole + u": "_s + tasks + u" succeeded"_s + tipped);
    }
    if (attempt.triggerRule == "completedTasks"_L1) {
        return QString(tasks + (attempt.triggerCount == 1 ? u" is completed"_s : u" are completed"_s) + tipped);
    }
    if (attempt.triggerRule == "allCompleted"_L1) {
        return u"all tasks are completed (%1), and no limit was reached (the last was %2)"_s.arg(
            QString::number(attempt.triggerCount), task);
    }
    if (attempt.triggerRule == "startFailed"_L1) {
        return u"%1 could not be started, so the others were not left to wait for it (%2)"_s.arg(task, code);
    }
    return QJsonValue::Null;
}

// The status of the trigger's program, in addition to the code that was derived from it. With a status, the launcher
// reports nothing, as in OpenPAI's API.
QJsonObject exitMessages(const AttemptInfo &attempt, ExitTexts &exits)
{
    const QJsonValue null(QJsonValue::Null);
    QJsonValue runtime = null, launcher = null;
    if (isFinal(attempt.state) && attempt.exitCode.value_or(0) != 0) {
        if (attempt.triggerRawExit.value_or(0) != 0) {
            runtime = QJsonObject{
                {u"name"_s, QString(attempt.triggerRole + u'-' + QString::number(attempt.triggerIndex))},
                {u"exitCode"_s, *attempt.exitCode},
                {u"originUserExitCode"_s, *attempt.triggerRawExit},
            };
        } else {
            launcher = exits.of(attempt.exitCode).phrase;
        }
    }
    return {{u"container"_s, null}, {u"runtime"_s, runtime}, {u"launcher"_s, launcher}};
}

QJsonObject jobStatus(const JobSummary &job, const AttemptInfo &attempt, ExitTexts &exits)
{
    const bool over = isFinal(attempt.state);
    const bool tipped = !attempt.triggerRule.isEmpty();
    const QJsonValue null(QJsonValue::Null);
    return {
        {u"username"_s, job.user},
        {u"virtualCluster"_s, job.virtualCluster},
        {u"state"_s, stateOf(job)},
        {u"subState"_s, job.subState},
        {u"executionType"_s, job.stopRequested ? u"STOP"_s : u"START"_s},
        {u"retries"_s, job.retries},
        {u"retryDetails"_s, retryDetails(job)},
        {u"retryDelayTime"_s, orNull(job.retryDelaySec)},
        {u"submissionTime"_s, job.submitted},
        {u"createdTime"_s, job.submitted},
        {u"launchedTime"_s, orNull(job.launched)},
        {u"completedTime"_s, orNull(job.completed)},
        {u"attemptId"_s, attempt.index},
        {u"attemptState"_s, stateWord(attempt.state)},
        {u"appId"_s, QString(job.uuid + u'-' + QString::number(attempt.index))},
        {u"appProgress"_s, over ? 1 : 0},
        {u"appTrackingUrl"_s, QString()},
        {u"appCreatedTime"_s, attempt.created.value_or(attempt.started.value_or(job.submitted))},
        // Records from before these two were told apart have `started` alone.
        {u"appLaunchedTime"_s, orNull(attempt.created ? attempt.launched : attempt.started)},
        {u"appCompletedTime"_s, orNull(attempt.completed)},
        {u"appExitCode"_s, orNull(attempt.exitCode)},
        {u"appExitSpec"_s, exits.of(attempt.exitCode).spec},
        {u"appExitDiagnostics"_s, exits.of(attempt.exitCode).phrase},
        {u"appExitMessages"_s, exitMessages(attempt, exits)},
        {u"appExitTriggerMessage"_s, triggerMessage(attempt)},
        {u"appExitTriggerTaskRoleName"_s, tipped ? QJsonValue(attempt.triggerRole) : null},
        {u"appExitTriggerTaskIndex"_s, tipped && attempt.triggerIndex >= 0 ? QJsonValue(attempt.triggerIndex) : null},
        {u"appExitType"_s,
            !attempt.exitCode ? null : QJsonValue(*attempt.exitCode == 0 ? u"Succeeded"_s : u"Failed"_s)},
    };
}

QJsonArray attemptsJson(const QList<AttemptInfo> &attempts, ExitTexts &exits)
{
    QJsonArray array;
    for (const AttemptInfo &attempt : attempts) {
        array.append(QJsonObject{
            {u"attemptIndex"_s, attempt.index},
            {u"attemptState"_s, stateWord(attempt.state)},
            {u"isLatest"_s, attempt.index == attempts.constLast().index},
            {u"attemptStartedTime"_s, orNull(attempt.started)},
            {u"attemptCompletedTime"_s, orNull(attempt.completed)},
            {u"exitCode"_s, orNull(attempt.exitCode)},
            {u"exitPhrase"_s, exits.of(attempt.exitCode).phrase},
        });
    }
    return array;
}

QString priorityClass(const JobSummary &job) { return job.priorityClass.isEmpty() ? u"default"_s : job.priorityClass; }

} // namespace

QJsonObject toListEntry(const JobSummary &job)
{
    return {
        {u"id"_s, job.id},
        {u"uuid"_s, job.uuid},
        {u"host"_s, job.hosts.join(u',')},
        {u"debugId"_s, job.uuid},
        {u"name"_s, job.name},
        {u"username"_s, job.user},
        {u"state"_s, stateOf(job)},
        {u"subState"_s, job.subState},
        {u"executionType"_s, job.stopRequested ? u"STOP"_s : u"START"_s},
        {u"tags"_s, QJsonArray::fromStringList(job.labels.tags)},
        {u"retries"_s, job.retries},
        {u"retryDetails"_s, retryDetails(job)},
        {u"retryDelayTime"_s, orNull(job.retryDelaySec)},
        {u"submissionTime"_s, job.submitted},
        {u"createdTime"_s, job.submitted},
        {u"launchedTime"_s, orNull(job.launched)},
        {u"completedTime"_s, orNull(job.completed)},
        {u"appExitCode"_s, orNull(job.exitCode)},
        {u"virtualCluster"_s, job.virtualCluster},
        {u"totalGpuNumber"_s, job.totalGpu},
        {u"totalTaskNumber"_s, job.totalTasks},
        {u"totalTaskRoleNumber"_s, job.totalRoles},
        {u"jobPriority"_s, priorityClass(job)},
        {u"engine"_s,
            QJsonObject{
                {u"reason"_s, job.reason},
                {u"reasonArgs"_s, job.reasonArgs},
                {u"file"_s, job.file},
                {u"priority"_s, job.priority},
                {u"paused"_s, job.paused},
                {u"attemptBegan"_s, job.countedFrom()},
                {u"counts"_s, countsJson(job.counts)},
                {u"progress"_s, orNull(job.progress)},
                {u"endExpected"_s, orNull(job.endExpected)},
                {u"results"_s, job.results},
                {u"resultsComplete"_s, isFinal(job.state) && !job.resultsPending},
                {u"resultsUpTo"_s, orNull(job.resultsUpTo)},
                {u"group"_s, job.group},
                {u"parameters"_s, job.parameters},
                {u"command"_s, job.command},
                {u"health"_s, healthJson(job.health)},
                {u"exitStatus"_s, orNull(programStatus(job))},
                {u"note"_s, job.labels.note},
                {u"starred"_s, job.labels.isStarred},
                {u"archived"_s, job.labels.isArchived},
                {u"removal"_s, removalJson(job)},
                {u"target"_s, job.target},
                {u"pausedMs"_s, job.pausedMs},
                {u"assistant"_s, assistantJson(job)},
            }},
    };
}

QJsonObject toDetail(const JobDetail &job, const QList<TaskInfo> &tasks, const ExitRules &rules, int attempt,
    const TaskSelection &selection, const QList<RoleCounts> &known, const QList<TaskInfo> &earlier)
{
    QHash<std::pair<QString, int>, QList<const TaskInfo *>> triesOf;
    for (const TaskInfo &one : earlier) {
        triesOf[{one.role, one.index}].prepend(&one);
    }
    AttemptInfo shown;
    shown.state = job.summary.state;
    for (const AttemptInfo &each : job.attempts) {
        if (each.index == attempt || attempt < 0) {
            shown = each;
        }
    }

    // Roles in the order of their first task; QJsonObject sorts its keys, so the order stands under `engine` too.
    QStringList roles;
    QHash<QString, TaskCounts> counts;
    QHash<QString, QJsonArray> statuses;
    int position = 0;
    int shownTasks = 0;
    for (const RoleCounts &each : known) {
        roles.append(each.role);
        counts.insert(each.role, each.counts);
    }
    ExitTexts exits(rules);
    for (const TaskInfo &task : tasks) {
        if (known.isEmpty()) {
            if (!counts.contains(task.role)) {
                roles.append(task.role);
            }
            countState(counts[task.role], task.state);
        }
        QJsonArray &list = statuses[task.role];
        const bool inLimit = selection.limit <= 0
            || (selection.notSucceededOnly ? list.size() < selection.limit : shownTasks < selection.limit);
        const bool wanted = selection.notSucceededOnly ? task.state != State::Succeeded : position >= selection.from;
        if (wanted && inLimit) {
            QJsonObject json = taskJson(job.summary, task, exits);
            if (const auto tries = triesOf.constFind({task.role, task.index}); tries != triesOf.cend()) {
                QJsonArray attempts{tryJson(job.summary, task, exits)};
                for (const TaskInfo *one : *tries) {
                    attempts.append(tryJson(job.summary, *one, exits));
                }
                json.insert(u"attempts"_s, attempts);
            }
            list.append(json);
            ++shownTasks;
        }
        ++position;
    }
    QJsonObject taskRoles;
    for (const QString &role : roles) {
        taskRoles.insert(role,
            QJsonObject{
                {u"taskRoleStatus"_s, QJsonObject{{u"name"_s, role}}},
                {u"taskStatuses"_s, statuses.value(role)},
                {u"engine"_s, QJsonObject{{u"counts"_s, countsJson(counts.value(role))}}},
            });
    }

    QJsonArray services;
    for (const ServiceInfo &service : job.services) {
        QJsonObject one = service.toJson();
        one.insert(u"available"_s, !service.address.isEmpty());
        one.remove(u"state"_s); // what is ours has no key of that name
        services.append(one);
    }
    QJsonArray keptTasks;
    for (const KeptTask &task : job.held) {
        keptTasks.append(task.toJson());
    }
    const QJsonObject engine{
        {u"services"_s, services},
        {u"uuid"_s, job.summary.uuid},
        {u"file"_s, job.summary.file},
        {u"runFolder"_s, job.runFolder},
        {u"target"_s, job.summary.target},
        {u"hosts"_s, QJsonArray::fromStringList(job.summary.hosts)},
        {u"reason"_s, job.summary.reason},
        {u"reasonArgs"_s, job.summary.reasonArgs},
        {u"counts"_s, countsJson(job.summary.counts)},
        {u"priority"_s, job.summary.priority},
        {u"paused"_s, job.summary.paused},
        {u"progress"_s, orNull(job.summary.progress)},
        {u"endExpected"_s, orNull(job.summary.endExpected)},
        {u"results"_s, job.summary.results},
        {u"resultsComplete"_s, isFinal(job.summary.state) && !job.summary.resultsPending},
        {u"resultsUpTo"_s, orNull(job.summary.resultsUpTo)},
        {u"resultFiles"_s, valuejson::toValue(job.brought)},
        {u"group"_s, job.summary.group},
        {u"parameters"_s, job.summary.parameters},
        {u"health"_s, healthJson(job.summary.health)},
        {u"exitStatus"_s, orNull(programStatus(job.summary))},
        {u"note"_s, job.summary.labels.note},
        {u"starred"_s, job.summary.labels.isStarred},
        {u"archived"_s, job.summary.labels.isArchived},
        {u"removal"_s, removalJson(job.summary)},
        {u"pausedMs"_s, job.summary.pausedMs},
        {u"assistant"_s, assistantJson(job.summary)},
        {u"keptTasks"_s, keptTasks},
        {u"textFile"_s, job.textFile},
        {u"isRehearsal"_s, !job.original.isEmpty()},
        {u"rehearsal"_s, otherJobJson(job.rehearsal)},
        {u"promoted"_s, otherJobJson(job.promoted)},
        {u"waits"_s, valuejson::toValue(job.waits)},
        {u"clusterJobs"_s, QJsonArray::fromStringList(job.clusterJobs)},
        {u"taskRoleOrder"_s, QJsonArray::fromStringList(roles)},
        {u"tasksShown"_s, shownTasks},
        {u"attempts"_s, attemptsJson(job.attempts, exits)},
    };
    return {
        {u"id"_s, job.summary.id},
        {u"debugId"_s, job.summary.uuid},
        {u"name"_s, job.summary.name},
        {u"tags"_s, QJsonArray::fromStringList(job.summary.labels.tags)},
        {u"jobPriority"_s, priorityClass(job.summary)},
        {u"jobStatus"_s, jobStatus(job.summary, shown, exits)},
        {u"taskRoles"_s, taskRoles},
        {u"engine"_s, engine},
    };
}

} // namespace trainyard::openpai
