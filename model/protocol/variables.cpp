// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of a task, by the names that they have in one job.
#include "model/protocol/suggestions.h"
#include "model/runtime/environment.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 shownTasks = 4;

} // namespace

QStringList variableNames(const ReferenceVariable &variable, const JobSpec &job, const QString &role)
{
    if (!variable.name.contains(u'<')) {
        return {variable.name};
    }
    const bool hasRole = variable.name.contains("<role>"_L1);
    const bool hasIndex = variable.name.contains("<index>"_L1);
    const bool hasLabel = variable.name.contains("<label>"_L1);
    QStringList names;
    const auto withLabels = [&](const QString &name, const TaskRole &of) {
        if (!hasLabel) {
            names.append(name);
            return;
        }
        for (const Port &port : of.effectivePorts()) {
            names.append(QString(name).replace("<label>"_L1, port.label));
        }
    };
    for (qsizetype number = 0; number < job.taskRoles.size(); ++number) {
        const TaskRole &of = job.taskRoles.at(number);
        if (!hasRole && hasLabel) {
            // The task's own ports: of the role that the command belongs to, of all where it may be any.
            if (role.isEmpty() || role == of.name) {
                withLabels(variable.name, of);
            }
            continue;
        }
        QString name = variable.name;
        name.replace("<number>"_L1, QString::number(number));
        // Variables from a cluster's runtime have the reduced name; those from its server have the name as it is.
        const bool squeezed = hasIndex || name.endsWith("_HOST_LIST"_L1);
        const QString spelt = squeezed ? squeezedRoleName(of.name) : of.name;
        name.replace("<role>"_L1, spelt.isEmpty() ? of.name : spelt);
        if (!hasIndex) {
            withLabels(name, of);
            continue;
        }
        for (qint64 index = 0; index < std::min(of.instances, shownTasks); ++index) {
            withLabels(QString(name).replace("<index>"_L1, QString::number(index)), of);
        }
    }
    names.removeDuplicates();
    return names;
}

QHash<QString, QString> variableValues(const JobSpec &job, const QString &role)
{
    // The number of the task is not known where a command is written.
    static const QStringList perTask{u"PAI_TASK_INDEX"_s, u"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"_s,
        u"PAI_TASK_ROLE_INDEX"_s, u"FC_TASK_INDEX"_s, u"FC_TASK_ATTEMPT_ID"_s, u"TRAINYARD_TASK_TRY"_s,
        u"PAI_CONTAINER_ID"_s, u"FC_FRAMEWORK_ATTEMPT_ID"_s, u"TRAINYARD_JOB_ATTEMPT"_s};
    JobIdentity identity;
    identity.user = u"USER"_s;
    identity.jobName = job.name;
    QHash<QString, QString> values;
    const auto variables = TaskEnvironment(job, identity, {}).forTask(role, 0, 0, {});
    for (const auto &[name, value] : variables) {
        if (!value.isEmpty() && !perTask.contains(name)) {
            values.insert(name, value);
        }
    }
    return values;
}

} // namespace trainyard
