// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpfound.h"

#include "app/cli/console.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

bool isEmptyValue(const QJsonValue &value)
{
    return value.isNull() || value.isUndefined() || (value.isBool() && !value.toBool())
        || (value.isString() && value.toString().isEmpty()) || (value.isArray() && value.toArray().isEmpty())
        || (value.isObject() && value.toObject().isEmpty());
}

// An object in which only what says something is.
class Row
{
public:
    Row &add(const QString &name, const QJsonValue &value)
    {
        if (!isEmptyValue(value)) {
            m_object.insert(name, value);
        }
        return *this;
    }
    // Members of the same names.
    Row &addOf(const QJsonObject &object, const QStringList &names)
    {
        for (const QString &name : names) {
            add(name, object.value(name));
        }
        return *this;
    }
    Row &addTime(const QString &name, const QJsonValue &ms)
    {
        return ms.isDouble() && ms.toInteger() > 0
            ? add(name, QDateTime::fromMSecsSinceEpoch(ms.toInteger(), Qt::UTC).toString(Qt::ISODate))
            : *this;
    }
    // Why it waits or failed: the code, and what is known about it.
    Row &addReason(const QJsonObject &engine)
    {
        const QJsonObject about = engine.value("reasonArgs"_L1).toObject();
        const QJsonObject failure = about.value("failure"_L1).toObject();
        return addOf(engine, {u"reason"_s})
            .add(u"cause"_s, failure.value("cause"_L1))
            .add(u"explanation"_s, about.value("reason"_L1))
            .add(failure.value("onlyLast"_L1).toBool() ? u"lastLine"_s : u"evidence"_s, failure.value("text"_L1));
    }
    QJsonObject object() const { return m_object; }

private:
    QJsonObject m_object;
};

QJsonValue lowerCase(const QJsonValue &word) { return word.toString().toLower(); }

// {total: 8, failed: 1}: those that there are.
QJsonObject countsOf(const QJsonObject &counts)
{
    QJsonObject some;
    for (auto it = counts.constBegin(); it != counts.constEnd(); ++it) {
        if (it.value().toInt() > 0) {
            some.insert(it.key(), it.value());
        }
    }
    return some;
}

QJsonObject jobRow(const QJsonObject &job)
{
    const QJsonObject engine = job.value("engine"_L1).toObject();
    return Row()
        .addOf(job, {u"id"_s, u"uuid"_s, u"name"_s, u"host"_s, u"tags"_s})
        .add(u"state"_s, lowerCase(job.value("state"_L1)))
        .addTime(u"submitted"_s, job.value("submissionTime"_L1))
        .addTime(u"started"_s, job.value("launchedTime"_L1))
        .addTime(u"ended"_s, job.value("completedTime"_L1))
        .add(u"tasks"_s, countsOf(engine.value("counts"_L1).toObject()))
        .addReason(engine)
        .addOf(engine,
            {u"parameters"_s, u"results"_s, u"progress"_s, u"paused"_s, u"group"_s, u"note"_s, u"starred"_s,
                u"health"_s, u"priority"_s})
        .add(u"exitCode"_s, job.value("appExitCode"_L1))
        .object();
}

QJsonObject taskRow(const QString &role, const QJsonObject &task)
{
    const QJsonObject engine = task.value("engine"_L1).toObject();
    return Row()
        .add(u"task"_s, QString(role + u'/' + QString::number(task.value("taskIndex"_L1).toInt())))
        .add(u"state"_s, lowerCase(task.value("taskState"_L1)))
        .addReason(engine)
        .addOf(engine, {u"host"_s, u"gpus"_s, u"progress"_s})
        .add(u"exitCode"_s, task.value("containerExitCode"_L1))
        .add(u"status"_s, engine.value("rawExitCode"_L1))
        .add(u"retries"_s, task.value("retries"_L1).toInt() > 0 ? task.value("retries"_L1) : QJsonValue())
        .addTime(u"started"_s, task.value("launchedTime"_L1))
        .addTime(u"ended"_s, task.value("completedTime"_L1))
        .add(u"peakMemoryMiB"_s, engine.value("usage"_L1).toObject().value("peakMemoryMiB"_L1))
        .object();
}

QJsonArray rowsOf(const QJsonArray &values, const std::function<QJsonObject(const QJsonObject &)> &row)
{
    QJsonArray rows;
    for (const QJsonValue &value : values) {
        rows.append(row(value.toObject()));
    }
    return rows;
}

QJsonArray linesOf(const QString &text) { return QJsonArray::fromStringList(text.split(u'\n')); }

QJsonArray stepRows(const QJsonArray &steps)
{
    return rowsOf(steps, [](const QJsonObject &step) {
        return Row()
            .addOf(step, {u"name"_s, u"failurePolicy"_s})
            .add(u"script"_s, linesOf(step.value("script"_L1).toString()))
            .object();
    });
}

} // namespace

Found foundJobs(const QJsonDocument &ps, const Part &part)
{
    return {page(u"jobs"_s, rowsOf(ps.array(), jobRow), part.from, part.limit)};
}

Found foundJob(const QJsonDocument &show, const Part &part)
{
    const QJsonObject job = show.object();
    const QJsonObject engine = job.value("engine"_L1).toObject(), status = job.value("jobStatus"_L1).toObject();
    const QJsonObject roles = job.value("taskRoles"_L1).toObject();
    const QJsonObject counts = engine.value("counts"_L1).toObject();
    QJsonArray tasks; // those of the part, in the order in which the command counts them
    const QJsonArray order = engine.value("taskRoleOrder"_L1).toArray();
    for (const QJsonValue &role : order) {
        const QString name = role.toString();
        const QJsonArray ofRole = roles.value(name).toObject().value("taskStatuses"_L1).toArray();
        for (const QJsonValue &task : ofRole) {
            tasks.append(taskRow(name, task.toObject()));
        }
    }
    QJsonObject data = Row()
                           .addOf(job, {u"id"_s, u"name"_s, u"tags"_s})
                           .addOf(engine,
                               {u"uuid"_s, u"target"_s, u"hosts"_s, u"parameters"_s, u"results"_s, u"note"_s,
                                   u"group"_s, u"paused"_s, u"starred"_s, u"health"_s, u"priority"_s})
                           .add(u"state"_s, lowerCase(status.value("state"_L1)))
                           .addTime(u"submitted"_s, status.value("submissionTime"_L1))
                           .addTime(u"started"_s, status.value("launchedTime"_L1))
                           .addTime(u"ended"_s, status.value("completedTime"_L1))
                           .add(u"exitCode"_s, status.value("appExitCode"_L1))
                           .add(u"endedBy"_s, status.value("appExitTriggerMessage"_L1))
                           .add(u"counts"_s, countsOf(counts))
                           .add(u"attempts"_s, engine.value("attempts"_L1).toArray().size())
                           .addReason(engine)
                           .object();
    const QJsonObject shown = page(u"tasks"_s, tasks, 0, part.limit);
    data.insert(u"tasks"_s, shown.value("tasks"_L1));
    const qsizetype next = part.from + shown.value("tasks"_L1).toArray().size();
    if (next < counts.value("total"_L1).toInt() && next > part.from) {
        data.insert(u"next"_s, next);
    }
    return {data};
}

Found foundHosts(const QJsonDocument &hosts, const Part &part)
{
    const QJsonArray rows = rowsOf(hosts.array(), [](const QJsonObject &host) {
        return Row()
            .addOf(host,
                {u"id"_s, u"label"_s, u"state"_s, u"error"_s, u"cpus"_s, u"cpuPercent"_s, u"memoryMiB"_s,
                    u"memoryUsedMiB"_s, u"diskFreeMiB"_s, u"diskLow"_s, u"gpus"_s, u"labels"_s, u"drained"_s,
                    u"hours"_s, u"hold"_s, u"quarantines"_s, u"runtimes"_s, u"tasks"_s})
            .object();
    });
    return {page(u"hosts"_s, rows, part.from, part.limit)};
}

Found foundTargets(const QJsonDocument &targets, const Part &part)
{
    const QJsonArray rows = rowsOf(targets.array(), [](const QJsonObject &target) {
        return Row()
            .addOf(target, {u"id"_s, u"kind"_s, u"options"_s, u"error"_s, u"errorArgs"_s, u"allocations"_s})
            .object();
    });
    QJsonObject data = page(u"targets"_s, rows, part.from, part.limit);
    data.insert(u"remark"_s, tr("The target 'pool', this computer and the hosts, is always there."));
    return {data};
}

// Variables of the surroundings may hold private things, and say little about a result.
Found foundComparison(const QJsonDocument &compare)
{
    const auto withoutEnvironment = [](QJsonObject object, const QString &name) {
        QJsonObject facts = object.value(name).toObject();
        facts.remove(u"environment"_s);
        object.insert(name, facts);
        return object;
    };
    QJsonObject data = withoutEnvironment(compare.object(), u"same"_s);
    data.insert(u"runs"_s, rowsOf(data.value("runs"_L1).toArray(), [&](const QJsonObject &run) {
        return withoutEnvironment(run, u"different"_s);
    }));
    if (QJsonDocument(data).toJson(QJsonDocument::Compact).size() > mostAnswerBytes) {
        return {{}, tr("The answer would be too long. Compare fewer jobs."), true};
    }
    return {data};
}

Found foundFindings(const QJsonDocument &check, const Part &part)
{
    const QJsonObject object = check.object();
    QJsonArray rows;
    const QJsonArray diagnostics = object.value("diagnostics"_L1).toArray();
    for (const QJsonValue &each : diagnostics) {
        const QJsonObject finding = each.toObject();
        // It would reveal for any path whether it exists.
        const QString code = finding.value("code"_L1).toString();
        if (code == "extras.data-missing"_L1 || code == "extras.work-missing"_L1) {
            continue;
        }
        QJsonArray fixes;
        const QJsonArray known = finding.value("fixes"_L1).toArray();
        for (const QJsonValue &fix : known) {
            fixes.append(fix.toObject().value("title"_L1));
        }
        rows.append(Row()
                        .addOf(finding, {u"severity"_s, u"code"_s, u"message"_s, u"line"_s, u"column"_s, u"path"_s})
                        .add(u"fixes"_s, fixes)
                        .object());
    }
    QJsonObject data = page(u"findings"_s, rows, part.from, part.limit);
    data.insert(u"valid"_s, object.value("valid"_L1));
    return {data};
}

Found foundPlan(const QJsonDocument &render, const Part &part, bool withEnvironment)
{
    QJsonArray rows;
    const QJsonObject roles = render.object().value("roles"_L1).toObject();
    for (auto it = roles.constBegin(); it != roles.constEnd(); ++it) {
        const QJsonObject role = it.value().toObject();
        rows.append(Row()
                        .add(u"role"_s, it.key())
                        .add(u"script"_s, linesOf(role.value("script"_L1).toString()))
                        .add(u"before"_s, stepRows(role.value("before"_L1).toArray()))
                        .add(u"after"_s, stepRows(role.value("after"_L1).toArray()))
                        .addOf(role, {u"ports"_s, u"prerequisites"_s})
                        .add(u"environment"_s, withEnvironment ? role.value("environment"_L1) : QJsonValue())
                        .object());
    }
    return {page(u"roles"_s, rows, part.from, part.limit)};
}

Found foundExplanation(const QJsonDocument &explain, const Part &part, bool isList)
{
    QJsonArray rows;
    const QJsonObject object = explain.object();
    for (const QLatin1StringView kind : {"fields"_L1, "variables"_L1, "settings"_L1}) {
        const QJsonArray values = object.value(kind).toArray();
        for (const QJsonValue &value : values) {
            rows.append(isList ? QJsonValue(Row().addOf(value.toObject(), {u"path"_s, u"name"_s, u"short"_s}).object())
                               : value);
        }
    }
    Found found{page(u"found"_s, rows, part.from, part.limit)};
    found.isOurs = true;
    return found;
}

} // namespace trainyard::cli::mcp
