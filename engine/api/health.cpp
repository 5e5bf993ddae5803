// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/health.h"

#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"
#include "model/runtime/failurecauses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

// In the arguments of a failure: the marks that explain it.
static constexpr QLatin1StringView markKey{"health"};

QString healthKind(const QString &code)
{
    const QString word = code.section(u'.', 1);
    return word == "gpu-never"_L1 ? u"gpu-idle"_s : word;
}

QJsonArray healthJson(const QList<HealthMark> &marks)
{
    QJsonArray array;
    for (const HealthMark &mark : marks) {
        array.append(valuejson::objectOf(mark));
    }
    return array;
}

QList<HealthMark> healthFrom(const QJsonArray &json)
{
    QList<HealthMark> marks;
    for (const QJsonValue &item : json) {
        HealthMark mark;
        if (valuejson::readObject(item.toObject(), mark) && !mark.code.isEmpty()) {
            marks.append(mark);
        }
    }
    return marks;
}

const HealthMark *brokenLoss(const QList<HealthMark> &marks, const TaskInfo &task)
{
    constexpr qint64 clocksMs = 5000; // by which those of hosts may differ
    const qint64 began = task.tryLaunched.value_or(task.launched.value_or(0)) - clocksMs;
    const auto isBeforeEnd
        = [&](qint64 at) { return !task.completed || at <= *task.completed + clocksMs; }; // else of a later try
    const auto found = std::find_if(marks.cbegin(), marks.cend(), [&](const HealthMark &mark) {
        return mark.code == "health.not-finite"_L1 && mark.metric.contains("loss"_L1, Qt::CaseInsensitive)
            && mark.role == task.role && mark.index == task.index && mark.at >= began && isBeforeEnd(mark.at);
    });
    return found != marks.cend() ? &*found : nullptr;
}

void explainByHealth(const QList<HealthMark> &marks, TaskInfo &task)
{
    FailureFacts known = failureFacts(task.reasonArgs);
    const bool isOfNumbers = known.cause == "data-not-finite"_L1;
    const HealthMark *const mark = known.cause == "unknown"_L1 || isOfNumbers ? brokenLoss(marks, task) : nullptr;
    if (!mark) {
        return;
    }
    if (isOfNumbers) {
        known.args.insert(markKey, healthJson({*mark})); // the loss was broken before the program refused a number
        task.reasonArgs.insert(failureKey, known.toJson());
        return;
    }
    FailureFacts diverged;
    diverged.cause = u"diverged"_s;
    diverged.certainty = u"likely"_s;
    if (const FailureCause *cause = FailureCauses::bundled().find(diverged.cause)) {
        diverged.transient = cause->transient;
    }
    diverged.args.insert(markKey, healthJson({*mark}));
    task.reasonArgs.insert(failureKey, diverged.toJson());
}

void explainByHealth(JobSummary &job)
{
    if (job.health.isEmpty() || !job.reasonArgs.contains(failureKey)) {
        return;
    }
    TaskInfo task;
    // The reason of a job with one task need not name it.
    task.role = job.reasonArgs.value("role"_L1).toString(job.totalTasks == 1 ? job.health.constLast().role : QString());
    task.index = job.reasonArgs.value("index"_L1).toInt();
    task.launched = job.countedFrom();
    task.completed = job.completed;
    task.reasonArgs = job.reasonArgs;
    explainByHealth(job.health, task);
    job.reasonArgs = task.reasonArgs;
}

std::optional<HealthMark> explainingMark(const FailureFacts &facts)
{
    const QList<HealthMark> marks = healthFrom(facts.args.value(markKey).toArray());
    return marks.isEmpty() ? std::nullopt : std::optional(marks.constFirst());
}

} // namespace trainyard
