// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 maxInstances = 100'000;

bool isPortLabel(const QString &label)
{
    return isRoleName(label); // the same pattern
}

} // namespace

void JobReader::readRoles(const Place &place, JobSpec &job)
{
    if (!place.isMap()) {
        const bool isEmpty = place.isNull() || (place.isSequence() && m_fields.values().items(place.node).isEmpty());
        m_findings.add(isEmpty ? u"job.no-roles"_s : u"field.not-map"_s, Severity::Error, Server::Refuses, place.path,
            {{u"field"_s, u"taskRoles"_s}}, Point::Key);
        return;
    }
    const QList<MapEntry> entries = m_fields.values().entries(place.node);
    if (entries.isEmpty()) {
        m_findings.add(u"job.no-roles"_s, Severity::Error, Server::Refuses, place.path, {}, Point::Key);
    }
    qint64 total = 0;
    for (const MapEntry &entry : entries) {
        const Place rolePlace{entry.value, place.path.child(entry.key)};
        if (!isRoleName(entry.key)) {
            static const QRegularExpression bad(u"[^a-z0-9]+"_s);
            QString better = entry.key.toLower().replace(bad, QString());
            if (better.isEmpty() || better.at(0).isDigit()) {
                better.prepend(u"role"_s);
            }
            Diagnostic &d = m_findings.add(u"role.name.invalid"_s, Severity::Error, Server::Refuses, rolePlace.path,
                {{u"name"_s, entry.key}}, Point::Key);
            const bool free = std::none_of(
                entries.cbegin(), entries.cend(), [&](const MapEntry &other) { return other.key == better; });
            if (free) {
                m_findings.fixRename(d, rolePlace.path, better, better, {edit::RenameKey{rolePlace.path, better}});
            }
        }
        if (entry.keyNode && readerDifference(*entry.keyNode) != ReaderDifference::Agree) {
            m_findings.add(u"scalar.key"_s, Severity::Warning, Server::Accepts, rolePlace.path,
                {{u"name"_s, entry.key}}, Point::Key);
        }
        if (!rolePlace.isMap()) {
            m_findings.add(u"field.not-map"_s, Severity::Error, Server::Refuses, rolePlace.path,
                {{u"field"_s, entry.key}}, Point::Key);
            continue;
        }
        job.taskRoles.append(readRole(rolePlace, entry.key));
        total += job.taskRoles.last().instances;
    }
    if (total > maxInstances) {
        m_findings.add(u"job.too-many-tasks"_s, Severity::Error, Server::Accepts, place.path,
            {{u"tasks"_s, total}, {u"maximum"_s, maxInstances}}, Point::Key);
    }
}

// The image that a role means when it names none: of several there is none to choose.
TaskRole JobReader::readRole(const Place &place, const QString &name)
{
    TaskRole role;
    role.name = name;
    MapFields fields(m_fields, place);
    if (const auto version = fields.take(u"protocolVersion"_s)) {
        m_fields.protocolVersion(*version);
    }
    auto instances = fields.take(u"instances"_s);
    if (const auto renamed = fields.takeRenamed(u"instance"_s, u"instances"_s, Server::Refuses);
        renamed && !instances) {
        instances = renamed;
    }
    if (instances) {
        role.instances = m_fields.integer(*instances, u"instances"_s, 1).value_or(1);
    }
    if (const auto completion = fields.take(u"completion"_s);
        completion && m_fields.map(*completion, u"completion"_s)) {
        readCompletion(*completion, role);
    }
    if (const auto retries = fields.take(u"taskRetryCount"_s)) {
        role.taskRetryCount
            = m_fields.integer(*retries, u"taskRetryCount"_s, -2, Fields::Null::Absent, Server::Accepts).value_or(0);
    }
    if (const auto prerequisites = fields.take(u"prerequisites"_s)) {
        role.prerequisites = m_fields.texts(*prerequisites, u"prerequisites"_s).value_or(QStringList());
    }
    if (const auto image = fields.take(u"dockerImage"_s)) {
        role.dockerImage = m_fields.text(*image, u"dockerImage"_s).value_or(QString());
    }
    for (const auto &[key, target] : {std::pair{u"script"_s, &role.script}, std::pair{u"output"_s, &role.output},
             std::pair{u"data"_s, &role.data}}) {
        if (const auto reference = fields.take(key)) {
            *target = m_fields.text(*reference, key).value_or(QString());
        }
    }
    if (const auto options = fields.take(u"extraContainerOptions"_s);
        options && m_fields.map(*options, u"extraContainerOptions"_s)) {
        readContainerOptions(*options, role);
    }
    if (const auto resources = fields.take(u"resourcePerInstance"_s)) {
        if (m_fields.map(*resources, u"resourcePerInstance"_s)) {
            readResources(*resources, role);
        }
    } else {
        Diagnostic &d = m_findings.add(u"field.required"_s, Severity::Error, Server::Refuses, place.path,
            {{u"field"_s, u"resourcePerInstance"_s}, {u"where"_s, name}});
        const YamlPath path = place.path.child(u"resourcePerInstance"_s);
        m_findings.fix(d, u"fix.add"_s, {{u"field"_s, u"resourcePerInstance"_s}},
            {edit::SetValue{path.child(u"cpu"_s), "1"}, edit::SetValue{path.child(u"memoryMB"_s), "1024"},
                edit::SetValue{path.child(u"gpu"_s), "0"}});
    }
    if (const auto commands = fields.take(u"commands"_s)) {
        const auto texts = m_fields.texts(*commands, u"commands"_s);
        if (texts && texts->isEmpty()) {
            m_findings.add(
                u"role.no-commands"_s, Severity::Error, Server::Refuses, commands->path, {{u"role"_s, name}});
        }
        role.commands = texts.value_or(QStringList());
    } else {
        m_fields.missing(place, u"commands"_s, name);
    }
    fields.unknown(name, Severity::Warning, Server::Refuses);
    return role;
}

void JobReader::readCompletion(const Place &place, TaskRole &role)
{
    MapFields fields(m_fields, place);
    struct Limit {
        QString key, oldKey;
        std::optional<qint64> *target;
    };
    for (const Limit &limit :
        {Limit{u"minFailedInstances"_s, u"minFailedTaskCount"_s, &role.completion.minFailedInstances},
            Limit{u"minSucceededInstances"_s, u"minSucceededTaskCount"_s, &role.completion.minSucceededInstances}}) {
        auto value = fields.take(limit.key);
        if (const auto renamed = fields.takeRenamed(limit.oldKey, limit.key, Server::Refuses); renamed && !value) {
            value = renamed;
        }
        if (value) {
            *limit.target = readLimit(*value, limit.key);
        }
    }
    fields.unknown(u"completion"_s, Severity::Warning, Server::Refuses);
}

std::optional<qint64> JobReader::readLimit(const Place &place, const QString &field)
{
    const auto number = m_fields.integer(place, field, std::nullopt, Fields::Null::Accepted);
    if (!number || *number == 0) {
        return std::nullopt; // not given, as for the server
    }
    if (*number < -1) {
        Diagnostic &d = m_findings.add(u"role.limit.negative"_s, Severity::Note, Server::Accepts, place.path,
            {{u"field"_s, field}, {u"value"_s, *number}});
        m_findings.fix(d, u"fix.set"_s, {{u"value"_s, u"-1"_s}}, {edit::SetValue{place.path, "-1"}});
        return -1;
    }
    return number;
}

void JobReader::readResources(const Place &place, TaskRole &role)
{
    struct Amount {
        QString key;
        qint64 *target;
        QByteArray usual;
    };
    MapFields fields(m_fields, place);
    for (const Amount &amount : {Amount{u"cpu"_s, &role.resources.cpu, "1"},
             Amount{u"memoryMB"_s, &role.resources.memoryMB, "1024"}, Amount{u"gpu"_s, &role.resources.gpu, "0"}}) {
        if (const auto value = fields.take(amount.key)) {
            *amount.target = m_fields.integer(*value, amount.key, 0, Fields::Null::Absent, Server::Accepts)
                                 .value_or(*amount.target);
            continue;
        }
        // Without GPUs a job runs here; a server wants the zero to be written.
        const Severity severity = amount.key == u"gpu"_s ? Severity::Warning : Severity::Error;
        Diagnostic &d = m_findings.add(u"field.required"_s, severity, Server::Refuses, place.path,
            {{u"field"_s, amount.key}, {u"where"_s, u"resourcePerInstance"_s}});
        m_findings.fix(d, u"fix.add"_s,
            {{u"field"_s, QString(amount.key + u": "_s + QString::fromLatin1(amount.usual))}},
            {edit::SetValue{place.path.child(amount.key), amount.usual}});
    }
    if (const auto ports = fields.take(u"ports"_s)) {
        readPorts(*ports, role);
    }
    fields.unknown(u"resourcePerInstance"_s, Severity::Warning, Server::Refuses);
}

void JobReader::readPorts(const Place &place, TaskRole &role)
{
    if (!m_fields.map(place, u"ports"_s, Server::Accepts)) {
        return;
    }
    const MapFields fields(m_fields, place);
    const QList<MapEntry> entries = fields.entries();
    if (entries.isEmpty()) {
        Diagnostic &d = m_findings.add(
            u"field.empty"_s, Severity::Warning, Server::Refuses, place.path, {{u"field"_s, u"ports"_s}});
        m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"ports"_s}}, {edit::Remove{place.path}});
    }
    constexpr qint64 manyPorts = 16;
    constexpr qint64 allPorts = 65535;
    for (const MapEntry &entry : entries) {
        const Place port{entry.value, place.path.child(entry.key)};
        if (!isPortLabel(entry.key)) {
            m_findings.add(u"role.port.label"_s, Severity::Error, Server::Refuses, port.path, {{u"name"_s, entry.key}},
                Point::Key);
        }
        const auto count = m_fields.integer(port, entry.key, 0, Fields::Null::Absent, Server::Accepts);
        if (!count) {
            continue;
        }
        const QJsonObject args{{u"label"_s, entry.key}, {u"count"_s, *count}};
        if (*count > allPorts) {
            m_findings.add(u"role.port.too-many"_s, Severity::Error, Server::Accepts, port.path, args);
            continue;
        }
        if (*count == 0) {
            m_findings.add(u"role.port.zero"_s, Severity::Warning, Server::Accepts, port.path, args);
        } else if (*count > manyPorts) {
            Diagnostic &d = m_findings.add(u"role.port.number"_s, Severity::Warning, Server::Accepts, port.path, args);
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, u"1"_s}}, {edit::SetValue{port.path, "1"}});
        }
        role.resources.ports.append({entry.key, *count});
    }
}

void JobReader::readContainerOptions(const Place &place, TaskRole &role)
{
    MapFields fields(m_fields, place);
    if (const auto shm = fields.take(u"shmMB"_s)) {
        const auto size = m_fields.integer(*shm, u"shmMB"_s, 0, Fields::Null::Absent, Server::Accepts);
        if (size && *size == 0) {
            Diagnostic &d = m_findings.add(u"role.shm-zero"_s, Severity::Note, Server::Accepts, shm->path);
            m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"shmMB"_s}}, {edit::Remove{shm->path}});
        }
        role.shmMB = size && *size > 0 ? size : std::nullopt; // 0 means the default, as for the server
    }
    if (const auto infiniband = fields.take(u"infiniband"_s)) {
        const Value value = m_fields.values().value(infiniband->node);
        if (const bool *wanted = value.asBool()) {
            role.infiniband = *wanted;
            if (*wanted) {
                m_findings.add(u"role.infiniband"_s, Severity::Note, Server::Accepts, infiniband->path);
            }
        } else {
            m_findings.add(u"field.not-boolean"_s, Severity::Warning, Server::Accepts, infiniband->path,
                {{u"field"_s, u"infiniband"_s}});
        }
    }
    if (const auto misplaced = fields.take(u"additionalProperties"_s)) {
        Diagnostic &d = m_findings.add(u"role.option.forbidden"_s, Severity::Warning, Server::Refuses, misplaced->path,
            {{u"field"_s, u"additionalProperties"_s}}, Point::Key);
        m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"additionalProperties"_s}}, {edit::Remove{misplaced->path}});
    }
    fields.unknown(u"extraContainerOptions"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

} // namespace trainyard
