// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/reader.h"

#include "model/protocol/plugins.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::optional<JobSpec> JobReader::read()
{
    const YamlNode *root = m_findings.document().root();
    const Place place{root, {}};
    if (!root || place.isNull()) {
        return std::nullopt; // said by the parser: there is nothing in it
    }
    if (!place.isMap()) {
        m_findings.add(u"job.not-map"_s, Severity::Error, Server::Refuses, {});
        return std::nullopt;
    }
    if (looksLikeOldFormat(place)) {
        return std::nullopt;
    }
    JobSpec job;
    MapFields top(m_fields, place);
    readHead(top, job);
    if (const auto prerequisites = top.take(u"prerequisites"_s)) {
        readPrerequisites(*prerequisites, job);
    }
    if (const auto parameters = top.take(u"parameters"_s); parameters && m_fields.map(*parameters, u"parameters"_s)) {
        job.parameters = m_fields.values().value(parameters->node);
    }
    if (const auto secrets = top.take(u"secrets"_s)) {
        readSecrets(*secrets, job);
    }
    if (const auto roles = top.take(u"taskRoles"_s)) {
        readRoles(*roles, job);
    } else {
        m_fields.missing(place, u"taskRoles"_s, u"job"_s);
    }
    if (const auto deployments = top.take(u"deployments"_s)) {
        readDeployments(*deployments, job);
    }
    auto defaults = top.take(u"defaults"_s);
    if (const auto renamed = top.takeRenamed(u"default"_s, u"defaults"_s, Server::Refuses); renamed && !defaults) {
        defaults = renamed;
    }
    if (defaults) {
        readDefaults(*defaults, job);
    }
    if (const auto extras = top.take(u"extras"_s)) {
        readExtras(*extras, job);
    }
    top.unknown(u"job"_s, Severity::Warning, Server::Refuses);
    return job;
}

bool JobReader::looksLikeOldFormat(const Place &root)
{
    const YamlNode *map = root.resolved();
    const YamlNode *roles = map->find("taskRoles");
    const bool hasVersion = map->find("protocolVersion") || map->find("protocol_version");
    if (map->find("jobName") && roles && roles->resolved()->isSequence() && !hasVersion) {
        m_findings.add(u"job.old-json"_s, Severity::Error, Server::Refuses, YamlPath{u"jobName"_s}, {}, Point::Key);
        return true;
    }
    if (map->find("protocol_version") && !map->find("protocolVersion")) {
        m_findings.add(
            u"job.old-yaml"_s, Severity::Error, Server::Refuses, YamlPath{u"protocol_version"_s}, {}, Point::Key);
        return true;
    }
    return false;
}

void JobReader::readHead(MapFields &top, JobSpec &job)
{
    if (const auto version = top.take(u"protocolVersion"_s)) {
        m_fields.protocolVersion(*version);
    } else {
        Diagnostic &d = m_findings.add(u"field.required"_s, Severity::Error, Server::Refuses, {},
            {{u"field"_s, u"protocolVersion"_s}, {u"where"_s, u"job"_s}});
        m_findings.fix(d, u"fix.add"_s, {{u"field"_s, u"protocolVersion: 2"_s}},
            {edit::SetValue{YamlPath{u"protocolVersion"_s}, "2"}});
    }
    if (const auto name = top.take(u"name"_s)) {
        if (const auto text = m_fields.text(*name, u"name"_s)) {
            job.name = *text;
            m_fields.checkName(*text, *name, u"name"_s);
        }
    } else {
        m_fields.missing(top.place(), u"name"_s, u"job"_s, u"my_job"_s);
    }
    if (const auto type = top.take(u"type"_s)) {
        const auto text = m_fields.text(*type, u"type"_s);
        if (text && *text != u"job"_s) {
            Diagnostic &d
                = m_findings.add(u"job.type"_s, Severity::Error, Server::Refuses, type->path, {{u"value"_s, *text}});
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, u"job"_s}}, {edit::SetText{type->path, u"job"_s}});
        }
    } else {
        Diagnostic &d = m_findings.add(u"field.required"_s, Severity::Error, Server::Refuses, {},
            {{u"field"_s, u"type"_s}, {u"where"_s, u"job"_s}});
        m_findings.fix(d, u"fix.add"_s, {{u"field"_s, u"type: job"_s}}, {edit::SetValue{YamlPath{u"type"_s}, "job"}});
    }
    if (const auto version = top.take(u"version"_s)) {
        job.version = m_fields.textOrNumber(*version, u"version"_s).value_or(QString());
    }
    if (const auto contributor = top.take(u"contributor"_s)) {
        job.contributor = m_fields.text(*contributor, u"contributor"_s).value_or(QString());
    }
    if (const auto description = top.take(u"description"_s)) {
        job.description = m_fields.text(*description, u"description"_s).value_or(QString());
    }
    if (const auto retries = top.take(u"jobRetryCount"_s)) {
        const auto count = m_fields.integer(*retries, u"jobRetryCount"_s, -2, Fields::Null::Absent, Server::Refuses);
        job.jobRetryCount = count.value_or(0);
        if (count && *count < 0) {
            m_findings.add(
                u"job.retry-negative"_s, Severity::Warning, Server::Refuses, retries->path, {{u"value"_s, *count}});
        }
    }
}

void JobReader::readSecrets(const Place &place, JobSpec &job)
{
    if (place.isScalar() && typedScalar(*place.resolved()).value == Value(maskedText())) {
        job.secretsMasked = true;
        m_findings.add(u"secrets.masked"_s, Severity::Note, Server::Refuses, place.path);
        return;
    }
    if (!place.isMap()) {
        // Never the value: it may be a secret.
        if (place.isNull()) {
            m_fields.map(place, u"secrets"_s);
        } else {
            m_findings.add(u"secrets.not-map"_s, Severity::Error, Server::Refuses, place.path, {}, Point::Key);
        }
        return;
    }
    job.secrets = m_fields.values().value(place.node);
    for (const auto &[name, value] : *job.secrets.asMap()) {
        if (value.asString() && *value.asString() == maskedText()) {
            job.maskedSecrets.append(name);
            m_findings.add(u"secrets.value-masked"_s, Severity::Note, Server::Accepts, place.path.child(name),
                {{u"name"_s, name}});
        }
    }
}

void JobReader::readDefaults(const Place &place, JobSpec &job)
{
    if (!m_fields.map(place, u"defaults"_s)) {
        return;
    }
    MapFields fields(m_fields, place);
    if (const auto cluster = fields.take(u"virtualCluster"_s); cluster && !cluster->isNull()) {
        const Value value = m_fields.values().value(cluster->node);
        if (!cluster->isScalar()) {
            m_findings.add(u"field.not-text"_s, Severity::Warning, Server::Accepts, cluster->path,
                {{u"field"_s, u"virtualCluster"_s}});
        } else {
            job.virtualCluster = value.toText();
        }
    }
    if (const auto deployment = fields.take(u"deployment"_s)) {
        job.defaultDeployment = m_fields.text(*deployment, u"deployment"_s).value_or(QString());
    }
    fields.unknown(u"defaults"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

void JobReader::readDeployments(const Place &place, JobSpec &job)
{
    const auto items = m_fields.list(place, u"deployments"_s);
    if (!items) {
        return;
    }
    if (items->isEmpty()) {
        Diagnostic &d = m_findings.add(
            u"field.empty"_s, Severity::Warning, Server::Refuses, place.path, {{u"field"_s, u"deployments"_s}});
        m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"deployments"_s}}, {edit::Remove{place.path}});
    }
    QSet<QString> names;
    for (const Place &item : *items) {
        const auto deployment = readDeployment(item);
        if (!deployment) {
            job.deployments.append(Deployment{}); // positions here are those in the text
            continue;
        }
        if (!deployment->name.isEmpty() && names.contains(deployment->name)) {
            m_findings.add(u"deployment.duplicate"_s, Severity::Error, Server::Refuses, item.path.child(u"name"_s),
                {{u"name"_s, deployment->name}});
        }
        names.insert(deployment->name);
        job.deployments.append(*deployment);
    }
}

std::optional<Deployment> JobReader::readDeployment(const Place &place)
{
    if (!place.isMap()) {
        m_findings.add(
            u"field.not-map"_s, Severity::Error, Server::Refuses, place.path, {{u"field"_s, u"deployment"_s}});
        return std::nullopt;
    }
    Deployment deployment;
    MapFields fields(m_fields, place);
    if (const auto version = fields.take(u"protocolVersion"_s)) {
        m_fields.protocolVersion(*version);
    }
    if (const auto name = fields.take(u"name"_s)) {
        if (const auto text = m_fields.text(*name, u"name"_s)) {
            deployment.name = *text;
            m_fields.checkName(*text, *name, u"name"_s);
        }
    } else {
        m_fields.missing(place, u"name"_s, u"deployment"_s);
    }
    const auto roles = fields.take(u"taskRoles"_s);
    if (!roles) {
        m_fields.missing(place, u"taskRoles"_s, u"deployment"_s);
    } else if (m_fields.map(*roles, u"taskRoles"_s)) {
        const MapFields roleFields(m_fields, *roles);
        if (roleFields.entries().isEmpty()) {
            m_findings.add(
                u"field.empty"_s, Severity::Warning, Server::Refuses, roles->path, {{u"field"_s, u"taskRoles"_s}});
        }
        for (const MapEntry &entry : roleFields.entries()) {
            const Place rolePlace{entry.value, roles->path.child(entry.key)};
            if (!isRoleName(entry.key)) {
                m_findings.add(u"role.name.invalid"_s, Severity::Error, Server::Refuses, rolePlace.path,
                    {{u"name"_s, entry.key}}, Point::Key);
            }
            if (!m_fields.map(rolePlace, entry.key)) {
                continue;
            }
            DeploymentCommands commands;
            commands.role = entry.key;
            MapFields commandFields(m_fields, rolePlace);
            for (const auto &[key, target] : {std::pair{u"preCommands"_s, &commands.preCommands},
                     std::pair{u"postCommands"_s, &commands.postCommands}}) {
                const auto list = commandFields.take(key);
                if (!list) {
                    continue;
                }
                const auto texts = m_fields.texts(*list, key);
                if (texts && texts->isEmpty()) {
                    Diagnostic &d = m_findings.add(
                        u"field.empty"_s, Severity::Warning, Server::Refuses, list->path, {{u"field"_s, key}});
                    m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, key}}, {edit::Remove{list->path}});
                }
                *target = texts.value_or(QStringList());
            }
            commandFields.unknown(u"deployment"_s, Severity::Warning, Server::Refuses);
            deployment.roles.append(commands);
        }
    }
    for (const auto &key : {u"version"_s, u"contributor"_s, u"description"_s, u"type"_s}) {
        fields.take(key);
    }
    fields.unknown(u"deployment"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
    return deployment;
}

} // namespace trainyard
