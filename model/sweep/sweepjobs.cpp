// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/sweep/sweepjobs.h"

#include "model/protocol/jobname.h"
#include "model/protocol/parameteredit.h"
#include "model/yaml/yamledit.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

QString sweepJobName(const QString &group, qsizetype index, qsizetype count)
{
    const QString number = QString::number(index + 1).rightJustified(QString::number(count).size(), u'0');
    return jobNameWith(group, u'-' + number);
}

QString sweepJobKey(const QString &group, qsizetype index)
{
    return u"sweep/"_s + group + u'/' + QString::number(index + 1);
}

Result<QByteArray> sweepJobText(
    const YamlDocument &job, const QString &name, const QStringList &parameters, const SweepPoint &values)
{
    QList<edit::Op> ops{edit::SetText{YamlPath{u"name"_s}, name}};
    for (qsizetype i = 0; i < parameters.size(); ++i) {
        ops.append(parameterEdit(parameters.at(i), values.at(i)));
    }
    const Result<TextEdits> edits = planEdits(job, ops);
    if (!edits) {
        return tl::unexpected<Error>(edits.error());
    }
    return applyEdits(job.bytes(), *edits);
}

JobDemand demandOf(const JobSpec &job)
{
    JobDemand demand;
    for (const TaskRole &role : job.taskRoles) {
        demand.gpus += role.resources.gpu * role.instances;
        demand.cpus += role.resources.cpu * role.instances;
        demand.memoryMiB += role.resources.memoryMiB * role.instances;
    }
    return demand;
}

QStringList sweepableParameters(const JobSpec &job)
{
    QStringList names;
    const Value::Map *parameters = job.parameters.asMap();
    for (const auto &[name, value] : parameters ? *parameters : Value::Map()) {
        if (!value.asList() && !value.asMap()) {
            names.append(name);
        }
    }
    return names;
}

} // namespace trainyard
