// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/newrole.h"
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"
#include "model/protocol/readerrules.h"

#include <QRegularExpression>

#include <algorithm>

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

// 0 is as good as not given, as for the server; less than -1 is read as -1.
void checkLimit(JobReader &reader, TakenField &taken, std::optional<qint64> &limit)
{
    if (taken.number == 0) {
        limit.reset();
    } else if (taken.number && *taken.number < -1) {
        Diagnostic &d = reader.findings().add(u"role.limit.negative"_s, Severity::Note, ServerVerdict::Accepts,
            taken.place.path, {{u"field"_s, taken.name}, {u"value"_s, *taken.number}});
        reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"-1"_s}}, {edit::SetValue{taken.place.path, "-1"}});
        limit = -1;
    }
}

void checkMinFailed(JobReader &reader, TakenField &taken, TaskRole &role)
{
    checkLimit(reader, taken, role.completion.minFailedInstances);
}

void checkMinSucceeded(JobReader &reader, TakenField &taken, TaskRole &role)
{
    checkLimit(reader, taken, role.completion.minSucceededInstances);
}

// 0 means the default, as for the server.
void checkSharedMemory(JobReader &reader, TakenField &taken, TaskRole &role)
{
    if (taken.number == 0) {
        Diagnostic &d
            = reader.findings().add(u"role.shm-zero"_s, Severity::Note, ServerVerdict::Accepts, taken.place.path);
        reader.findings().fix(d, u"fix.remove"_s, {{u"field"_s, taken.name}}, {edit::Remove{taken.place.path}});
        role.shmMiB.reset();
    }
}

void checkInfiniband(JobReader &reader, TakenField &taken, TaskRole &)
{
    if (taken.flag.value_or(false)) {
        reader.findings().add(u"role.infiniband"_s, Severity::Note, ServerVerdict::Accepts, taken.place.path);
    }
}

// Where all items are commented out, the key is left with no value, which a server refuses as it does an empty list.
void checkRoleCommands(JobReader &reader, TakenField &taken, TaskRole &role)
{
    if (taken.place.isNull() || (taken.texts && taken.texts->isEmpty())) {
        reader.findings().add(
            u"role.no-commands"_s, Severity::Error, ServerVerdict::Refuses, taken.place.path, {{u"role"_s, role.name}});
    }
}

void readPorts(JobReader &reader, TakenField &taken, TaskRole &role)
{
    constexpr qint64 manyPorts = 16;
    constexpr qint64 allPorts = 65535;
    for (const MapEntry &entry : taken.inside->entries()) {
        const Place port{entry.value, taken.place.path.child(entry.key)};
        if (!isPortLabel(entry.key)) {
            reader.findings().add(u"role.port.label"_s, Severity::Error, ServerVerdict::Refuses, port.path,
                {{u"name"_s, entry.key}}, Point::Key);
        }
        const auto count = reader.fields().integer(port, entry.key, 0, Fields::Null::Absent, ServerVerdict::Accepts);
        if (!count) {
            continue;
        }
        const QJsonObject args{{u"label"_s, entry.key}, {u"count"_s, *count}};
        if (*count > allPorts) {
            reader.findings().add(u"role.port.too-many"_s, Severity::Error, ServerVerdict::Accepts, port.path, args);
            continue;
        }
        if (*count == 0) {
            reader.findings().add(u"role.port.zero"_s, Severity::Warning, ServerVerdict::Accepts, port.path, args);
        } else if (*count > manyPorts) {
            Diagnostic &d = reader.findings().add(
                u"role.port.number"_s, Severity::Warning, ServerVerdict::Accepts, port.path, args);
            reader.findings().fix(d, u"fix.set"_s, {{u"value"_s, u"1"_s}}, {edit::SetValue{port.path, "1"}});
        }
        role.resources.ports.append({entry.key, *count});
    }
}

const FieldSection<TaskRole> &roleSection()
{
    static const FieldSection<TaskRole> section("/taskRoles/*",
        {
            {"protocolVersion"},
            {"instances", member(&TaskRole::instances)},
            {"completion"},
            {"completion/minFailedInstances", member(&TaskRole::completion, &Completion::minFailedInstances),
                checkMinFailed},
            {"completion/minSucceededInstances", member(&TaskRole::completion, &Completion::minSucceededInstances),
                checkMinSucceeded},
            {"taskRetryCount", member(&TaskRole::taskRetryCount)},
            {"prerequisites", member(&TaskRole::prerequisites)},
            {"dockerImage", member(&TaskRole::dockerImage)},
            {"script", member(&TaskRole::script)},
            {"output", member(&TaskRole::output)},
            {"data", member(&TaskRole::data)},
            {"extraContainerOptions"},
            {"extraContainerOptions/shmMB", member(&TaskRole::shmMiB), checkSharedMemory},
            {"extraContainerOptions/infiniband", member(&TaskRole::infiniband), checkInfiniband},
            {"resourcePerInstance"},
            {"resourcePerInstance/cpu", member(&TaskRole::resources, &Resources::cpu)},
            {"resourcePerInstance/memoryMB", member(&TaskRole::resources, &Resources::memoryMiB)},
            {"resourcePerInstance/gpu", member(&TaskRole::resources, &Resources::gpu)},
            {"resourcePerInstance/ports", readPorts},
            {"commands", member(&TaskRole::commands), checkRoleCommands},
        });
    return section;
}

TaskRole readRole(JobReader &reader, const Place &place, const QString &name)
{
    TaskRole role;
    role.name = name;
    MapFields fields(reader.fields(), place);
    roleSection().read(reader, fields, role, name);
    return role;
}

} // namespace

// An existing empty value is removed, so that the role is written on separate lines.
static void fixNoRoles(JobReader &reader, Diagnostic &found, const YamlPath &roles, bool isThere, const JobSpec &job)
{
    const auto image = std::find_if(job.prerequisites.cbegin(), job.prerequisites.cend(),
        [](const Prerequisite &each) { return each.type == u"dockerimage"; });
    QList<edit::Op> ops;
    if (isThere) {
        ops.append(edit::Remove{roles});
    }
    ops += newRoleOps(roles.child(u"worker"_s), image == job.prerequisites.cend() ? QString() : image->name);
    reader.findings().fix(found, u"fix.add-role"_s, {}, ops);
}

void readerrules::readRoles(JobReader &reader, TakenField &taken, JobSpec &job)
{
    if (!taken.present) {
        fixNoRoles(reader, reader.fields().missing(taken.place, taken.name, taken.where),
            taken.place.path.child(taken.name), false, job);
        return;
    }
    const Place &place = taken.place;
    if (!place.isMap()) {
        const bool isEmpty = place.isNull() || (place.isSequence() && reader.values().items(place.node).isEmpty());
        Diagnostic &found = reader.findings().add(isEmpty ? u"job.no-roles"_s : u"field.not-map"_s, Severity::Error,
            ServerVerdict::Refuses, place.path, {{u"field"_s, u"taskRoles"_s}}, Point::Key);
        if (isEmpty) {
            fixNoRoles(reader, found, place.path, true, job);
        }
        return;
    }
    const QList<MapEntry> entries = reader.values().entries(place.node);
    if (entries.isEmpty()) {
        fixNoRoles(reader,
            reader.findings().add(
                u"job.no-roles"_s, Severity::Error, ServerVerdict::Refuses, place.path, {}, Point::Key),
            place.path, true, job);
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
            Diagnostic &d = reader.findings().add(u"role.name.invalid"_s, Severity::Error, ServerVerdict::Refuses,
                rolePlace.path, {{u"name"_s, entry.key}}, Point::Key);
            const bool free = std::none_of(
                entries.cbegin(), entries.cend(), [&](const MapEntry &other) { return other.key == better; });
            if (free) {
                reader.findings().fixRename(
                    d, rolePlace.path, entry.key, better, {edit::RenameKey{rolePlace.path, better}});
            }
        }
        if (entry.keyNode && readerDifference(*entry.keyNode) != ReaderDifference::Agree) {
            reader.findings().add(u"scalar.key"_s, Severity::Warning, ServerVerdict::Accepts, rolePlace.path,
                {{u"name"_s, entry.key}}, Point::Key);
        }
        if (!rolePlace.isMap()) {
            reader.findings().add(u"field.not-map"_s, Severity::Error, ServerVerdict::Refuses, rolePlace.path,
                {{u"field"_s, entry.key}}, Point::Key);
            continue;
        }
        job.taskRoles.append(readRole(reader, rolePlace, entry.key));
        total += job.taskRoles.last().instances;
    }
    if (total > maxInstances) {
        reader.findings().add(u"job.too-many-tasks"_s, Severity::Error, ServerVerdict::Accepts, place.path,
            {{u"tasks"_s, total}, {u"maximum"_s, maxInstances}}, Point::Key);
    }
}

QStringList readerrules::roleProblems() { return roleSection().problems(); }

} // namespace trainyard
