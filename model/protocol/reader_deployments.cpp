// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

const FieldSection<DeploymentCommands> &deploymentRoleSection()
{
    static const FieldSection<DeploymentCommands> section("/deployments/*/taskRoles/*",
        {
            {"preCommands", member(&DeploymentCommands::preCommands)},
            {"postCommands", member(&DeploymentCommands::postCommands)},
        });
    return section;
}

void readDeploymentRoles(JobReader &reader, TakenField &taken, Deployment &deployment)
{
    for (const MapEntry &entry : taken.inside->entries()) {
        const Place place{entry.value, taken.place.path.child(entry.key)};
        if (!isRoleName(entry.key)) {
            reader.findings().add(u"role.name.invalid"_s, Severity::Error, ServerVerdict::Refuses, place.path,
                {{u"name"_s, entry.key}}, Point::Key);
        }
        if (!reader.fields().map(place, entry.key)) {
            continue;
        }
        DeploymentCommands commands;
        commands.role = entry.key;
        MapFields fields(reader.fields(), place);
        deploymentRoleSection().read(reader, fields, commands, u"deployment"_s);
        deployment.roles.append(commands);
    }
}

const FieldSection<Deployment> &deploymentSection()
{
    static const FieldSection<Deployment> section("/deployments/*",
        {
            {"protocolVersion"},
            {"name", member(&Deployment::name), readerrules::checkName<Deployment>},
            {"taskRoles", readDeploymentRoles},
        });
    return section;
}

} // namespace

void readerrules::readDeployments(JobReader &reader, TakenField &taken, JobSpec &job)
{
    QSet<QString> names;
    for (const Place &item : taken.items.value_or(QList<Place>())) {
        Deployment deployment;
        if (item.isMap()) {
            MapFields fields(reader.fields(), item);
            deploymentSection().read(reader, fields, deployment, u"deployment"_s);
        } else {
            reader.findings().add(u"field.not-map"_s, Severity::Error, ServerVerdict::Refuses, item.path,
                {{u"field"_s, u"deployment"_s}});
        }
        if (!deployment.name.isEmpty() && names.contains(deployment.name)) {
            reader.findings().add(u"deployment.duplicate"_s, Severity::Error, ServerVerdict::Refuses,
                item.path.child(u"name"_s), {{u"name"_s, deployment.name}});
        }
        names.insert(deployment.name);
        job.deployments.append(deployment); // also what cannot be read: positions here are those in the text
    }
}

QStringList readerrules::deploymentProblems()
{
    return deploymentSection().problems() + deploymentRoleSection().problems();
}

} // namespace trainyard
