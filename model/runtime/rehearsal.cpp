// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/rehearsal.h"

#include "model/protocol/jobname.h"
#include "model/protocol/parameteredit.h"
#include "model/template/render.h"
#include "model/yaml/yamledit.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

// Collects what changes, and the edits that do it.
class RehearsalPlan
{
public:
    RehearsalPlan(const JobSpec &spec, const YamlDocument &document) : m_spec(spec), m_document(document) { }

    void rename();
    void shrink(const TaskRole &role, std::optional<qint64> mostGpus);
    void endEarly();
    void giveUpAtOnce();
    void limitTime(qint64 seconds);
    void setParameters(const QMap<QString, QString> &parameters);
    Result<Rehearsal> result() const;

private:
    static YamlPath placeOf(const TaskRole &role) { return {u"taskRoles"_s, role.name}; }
    qint64 tasks() const;
    void set(const QString &code, const YamlPath &path, std::optional<qint64> from, qint64 to);

    const JobSpec &m_spec;
    const YamlDocument &m_document;
    QList<edit::Op> m_ops;
    QList<RehearsalChange> m_changes;
};

void RehearsalPlan::set(const QString &code, const YamlPath &path, std::optional<qint64> from, qint64 to)
{
    m_ops.append(edit::SetValue{path, QByteArray::number(to)});
    m_changes.append({code, path, from ? QJsonValue(*from) : QJsonValue(), to});
}

qint64 RehearsalPlan::tasks() const
{
    qint64 sum = 0;
    for (const TaskRole &role : m_spec.taskRoles) {
        sum += role.instances;
    }
    return sum;
}

void RehearsalPlan::rename()
{
    const YamlPath path{u"name"_s};
    const QString name = rehearsalName(m_spec.name);
    m_ops.append(edit::SetText{path, name});
    m_changes.append({u"rehearsal.name"_s, path, m_spec.name, name});
}

// A rule of the end that counts several tasks counts the one that is left.
void RehearsalPlan::shrink(const TaskRole &role, std::optional<qint64> mostGpus)
{
    const YamlPath place = placeOf(role);
    const YamlPath completion = place.child(u"completion"_s);
    if (role.instances > 1) {
        set(u"rehearsal.instances"_s, place.child(u"instances"_s), role.instances, 1);
    }
    if (const std::optional<qint64> least = role.completion.minFailedInstances; least && *least > 1) {
        set(u"rehearsal.min-failed"_s, completion.child(u"minFailedInstances"_s), least, 1);
    }
    if (const std::optional<qint64> least = role.completion.minSucceededInstances; least && *least > 1) {
        set(u"rehearsal.min-succeeded"_s, completion.child(u"minSucceededInstances"_s), least, 1);
    }
    if (role.taskRetryCount != 0) {
        set(u"rehearsal.task-retries"_s, place.child(u"taskRetryCount"_s), role.taskRetryCount, 0);
    }
    if (mostGpus && role.resources.gpu > *mostGpus) {
        set(u"rehearsal.gpus"_s, place.child(u"resourcePerInstance"_s).child(u"gpu"_s), role.resources.gpu, *mostGpus);
    }
}

// In a converted job of version 1, so many ended tasks end the job. Those that serve the others never end, so that a
// number that leaves some of them out has to do so with fewer tasks too.
void RehearsalPlan::endEarly()
{
    const qint64 limit = m_spec.completedLimit();
    const qint64 wanted = limit < tasks() ? 1 : qint64(m_spec.taskRoles.size());
    if (limit > wanted) {
        set(u"rehearsal.completed"_s, {u"extras"_s, u"trainyard"_s, u"legacy"_s, u"killAllOnCompletedTaskNumber"_s},
            limit, wanted);
    }
}

void RehearsalPlan::giveUpAtOnce()
{
    if (m_spec.jobRetryCount != 0) {
        set(u"rehearsal.job-retries"_s, {u"jobRetryCount"_s}, m_spec.jobRetryCount, 0);
    }
}

void RehearsalPlan::limitTime(qint64 seconds)
{
    const std::optional<qint64> limit = m_spec.trainyard.timeLimitSeconds;
    if (!limit || *limit > seconds) {
        set(u"rehearsal.time"_s, {u"extras"_s, u"trainyard"_s, u"limits"_s, u"timeSeconds"_s}, limit, seconds);
    }
}

void RehearsalPlan::setParameters(const QMap<QString, QString> &parameters)
{
    const Value values = withOverrides(m_spec.parameters, parameters);
    for (auto it = parameters.cbegin(); it != parameters.cend(); ++it) {
        const Value *before = m_spec.parameters.find(it.key());
        const Value *value = values.find(it.key());
        if (value && (!before || *before != *value)) {
            m_ops.append(parameterEdit(it.key(), *value));
            m_changes.append({u"rehearsal.parameter"_s, {u"parameters"_s, it.key()},
                before ? before->toJson() : QJsonValue(), value->toJson()});
        }
    }
}

Result<Rehearsal> RehearsalPlan::result() const
{
    const Result<PlannedChange> planned = planChange(m_document, m_ops);
    if (!planned) {
        return tl::unexpected<Error>(planned.error());
    }
    return Rehearsal{planned->document.bytes(), m_changes};
}

} // namespace

QString rehearsalName(const QString &name) { return jobNameWith(name, u"-rehearsal"_s); }

Result<Rehearsal> rehearsalOf(const JobSpec &spec, const YamlDocument &document, const RehearsalWishes &wishes)
{
    RehearsalPlan plan(spec, document);
    plan.rename();
    for (const TaskRole &role : spec.taskRoles) {
        plan.shrink(role, wishes.mostGpus);
    }
    plan.endEarly();
    plan.giveUpAtOnce();
    plan.limitTime(wishes.seconds);
    plan.setParameters(wishes.parameters);
    return plan.result();
}

Result<QByteArray> textWithParameters(
    const JobSpec &spec, const YamlDocument &document, const QMap<QString, QString> &parameters)
{
    RehearsalPlan plan(spec, document);
    plan.setParameters(parameters);
    const Result<Rehearsal> changed = plan.result();
    return changed ? Result<QByteArray>(changed->text) : tl::unexpected<Error>(changed.error());
}

std::optional<qint64> gpusThatFit(const QJsonArray &edits)
{
    std::optional<qint64> gpus;
    for (const QJsonValue &edit : edits) {
        if (edit[u"resource"_s].toString() != "gpu"_L1) {
            return std::nullopt;
        }
        const qint64 value = edit[u"value"_s].toString().toLongLong();
        gpus = std::min(gpus.value_or(value), value);
    }
    return gpus;
}

} // namespace trainyard
