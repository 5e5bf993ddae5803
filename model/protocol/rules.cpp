// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/rules.h"

#include "model/protocol/jobrules.h"
#include "model/protocol/plugins.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

JobRules::JobRules(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings)
    : m_job(job), m_catalogue(catalogue), m_out(findings)
{
    for (const Prerequisite &item : job.prerequisites) {
        m_names.insert(item.name);
        m_nameList.append(item.name);
        m_typedNames.insert({item.type, item.name});
        m_namesByType[item.type].append(item.name);
        for (const QString &name : item.require) {
            m_used.insert(name);
        }
    }
    for (const TaskRole &role : job.taskRoles) {
        m_roleNames.insert(role.name);
        m_roleList.append(role.name);
        m_used.insert(role.dockerImage);
        m_used.insert(role.data);
        m_used.insert(role.script);
        m_used.insert(role.output);
        for (const QString &name : role.prerequisites) {
            m_used.insert(name);
        }
    }
}

void JobRules::run()
{
    const YamlPath prerequisites{u"prerequisites"_s};
    for (qsizetype i = 0; i < m_job.prerequisites.size(); ++i) {
        checkPrerequisite(m_job.prerequisites.at(i), prerequisites.child(i));
    }
    checkCycles();
    checkOrder();
    QHash<QString, QString> squeezed;
    for (const TaskRole &role : m_job.taskRoles) {
        const YamlPath path = YamlPath{u"taskRoles"_s}.child(role.name);
        QString squeezedName;
        for (const QChar c : role.name.toLower()) {
            if (c.isLetterOrNumber() && c.unicode() < 128) {
                squeezedName += c;
            }
        }
        if (squeezed.contains(squeezedName)) {
            m_out.add(u"role.name.collision"_s, Severity::Warning, ServerVerdict::Accepts, path,
                {{u"name"_s, role.name}, {u"other"_s, squeezed.value(squeezedName)}}, Point::Key);
        }
        squeezed.insert(squeezedName, role.name);
        checkRole(role, path);
    }
    checkDeployments();
    checkPlugins();
}

void JobRules::checkDeployments()
{
    QStringList names;
    for (qsizetype i = 0; i < m_job.deployments.size(); ++i) {
        const Deployment &deployment = m_job.deployments.at(i);
        names.append(deployment.name);
        for (const DeploymentCommands &commands : deployment.roles) {
            if (m_roleNames.contains(commands.role) || !isRoleName(commands.role)) {
                continue;
            }
            const YamlPath at = YamlPath{u"deployments"_s}.child(i).child(u"taskRoles"_s).child(commands.role);
            Diagnostic &d = m_out.add(u"deployment.role-unknown"_s, Severity::Warning, ServerVerdict::Accepts, at,
                {{u"name"_s, commands.role}, {u"deployment"_s, deployment.name}}, Point::Key);
            const QString similar = nearest(commands.role, m_roleList);
            if (!similar.isEmpty()) {
                m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::RenameKey{at, similar}});
            }
        }
    }
    const YamlPath chosen{u"defaults"_s, u"deployment"_s};
    if (m_job.defaultDeployment.isEmpty()) {
        checkEmptyName(chosen, u"deployment"_s);
    }
    if (!m_job.defaultDeployment.isEmpty() && !names.contains(m_job.defaultDeployment)) {
        Diagnostic &d = m_out.add(u"deployment.default-unknown"_s, Severity::Error, ServerVerdict::Refuses, chosen,
            {{u"name"_s, m_job.defaultDeployment}});
        const QString similar = names.size() == 1 ? names.first() : nearest(m_job.defaultDeployment, names);
        if (!similar.isEmpty()) {
            m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{chosen, similar}});
        }
    } else if (m_job.defaultDeployment.isEmpty() && !names.isEmpty()) {
        Diagnostic &d = m_out.add(u"deployment.none-chosen"_s, Severity::Warning, ServerVerdict::Accepts,
            YamlPath{u"deployments"_s}, {{u"name"_s, names.first()}}, Point::Key);
        m_out.fix(d, u"fix.choose-deployment"_s, {{u"name"_s, names.first()}}, {edit::SetText{chosen, names.first()}});
    }
}

void JobRules::checkPlugins()
{
    const YamlPath list = YamlPath{u"extras"_s}.child(pluginPrefix());
    for (qsizetype i = 0; i < m_job.plugins.size(); ++i) {
        const PluginEntry &entry = m_job.plugins.at(i);
        const YamlPath at = list.child(i);
        static const QStringList known{u"cmd"_s, u"ssh"_s, u"git"_s, u"tensorboard"_s, u"teamwise_storage"_s};
        if (entry.plugin == u"cmd"_s) {
            const bool mixed = entry.parameters.find(u"callbacks"_s)
                && (entry.parameters.find(u"preCommands"_s) || entry.parameters.find(u"postCommands"_s));
            if (mixed) {
                m_out.add(u"prerequisite.mixed-commands"_s, Severity::Error, ServerVerdict::Accepts,
                    at.child(u"parameters"_s), {{u"name"_s, u"cmd"_s}, {u"field"_s, u"preCommands"_s}}, Point::Key);
            }
        } else if (!entry.plugin.isEmpty() && !known.contains(entry.plugin)) {
            const QString similar = nearest(entry.plugin, known);
            Diagnostic &d = m_out.add(u"plugin.unknown"_s, Severity::Warning, ServerVerdict::Accepts,
                at.child(u"plugin"_s), {{u"plugin"_s, entry.plugin}});
            if (!similar.isEmpty()) {
                m_out.fix(
                    d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{at.child(u"plugin"_s), similar}});
            }
        }
        const QStringList roles = entry.taskRoles.value_or(QStringList());
        for (qsizetype j = 0; j < roles.size(); ++j) {
            if (m_roleNames.contains(roles.at(j))) {
                continue;
            }
            const YamlPath roleAt = itemPath(m_out.document(), at.child(u"taskroles"_s), j);
            Diagnostic &d = m_out.add(u"plugin.role-unknown"_s, Severity::Warning, ServerVerdict::Accepts, roleAt,
                {{u"name"_s, roles.at(j)}, {u"plugin"_s, entry.plugin}});
            const QString similar = nearest(roles.at(j), m_roleList);
            if (!similar.isEmpty()) {
                m_out.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::SetText{roleAt, similar}});
            }
        }
    }
}

void checkJob(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings)
{
    JobRules(job, catalogue, findings).run();
}

} // namespace trainyard
