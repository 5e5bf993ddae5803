// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/reader.h"

#include <QJsonArray>

namespace trainyard
{

using namespace Qt::StringLiterals;

// The blocks of extras that clusters read: storages, notifications, the hived scheduler. They are kept as they are; a
// cluster checks them late or not at all, so that what it would trip over is said here.

void JobReader::checkBoolean(const Place &place, const QString &field)
{
    if (!place.isBroken() && !m_fields.values().value(place.node).asBool()) {
        Diagnostic &d = m_findings.add(
            u"field.not-boolean"_s, Severity::Warning, Server::Accepts, place.path, {{u"field"_s, field}});
        if (place.isScalar()) {
            for (const auto &choice : {u"true"_s, u"false"_s}) {
                m_findings.fix(d, u"fix.set"_s, {{u"value"_s, choice}}, {edit::SetValue{place.path, choice.toUtf8()}});
            }
        }
    }
}

void JobReader::checkCount(const Place &place, const QString &field)
{
    const Value value = m_fields.values().value(place.node);
    if (!place.isBroken() && !(value.asInt() && *value.asInt() > 0)) {
        m_findings.add(u"field.not-integer"_s, Severity::Warning, Server::Accepts, place.path, {{u"field"_s, field}});
    }
}

void JobReader::readStorages(const Place &place)
{
    const auto items = m_fields.list(place, u"storages"_s, Server::Accepts);
    if (!items) {
        return;
    }
    QHash<QString, QString> mounts;
    for (const Place &item : *items) {
        if (!m_fields.map(item, u"storage"_s, Server::Accepts)) {
            continue;
        }
        MapFields fields(m_fields, item);
        const auto name = fields.take(u"name"_s);
        const Value nameValue = name ? m_fields.values().value(name->node) : Value();
        if (!nameValue.asString() || nameValue.asString()->isEmpty()) {
            m_findings.add(
                u"extras.storage-unnamed"_s, Severity::Warning, Server::Accepts, name ? name->path : item.path);
        }
        const QString shownName = nameValue.asString() ? *nameValue.asString() : QString();
        QString mount = u"/mnt/"_s + shownName;
        const auto mountPath = fields.take(u"mountPath"_s);
        if (mountPath) {
            const Value value = m_fields.values().value(mountPath->node);
            if (!value.asString()) {
                m_findings.add(u"field.not-text"_s, Severity::Warning, Server::Accepts, mountPath->path,
                    {{u"field"_s, u"mountPath"_s}});
            } else if (!value.asString()->startsWith(u'/')) {
                Diagnostic &d = m_findings.add(u"extras.storage-mount-path"_s, Severity::Warning, Server::Accepts,
                    mountPath->path, {{u"value"_s, *value.asString()}});
                const QString absolute = u'/' + *value.asString();
                if (!value.asString()->isEmpty()) {
                    m_findings.fix(
                        d, u"fix.set"_s, {{u"value"_s, absolute}}, {edit::SetText{mountPath->path, absolute}});
                }
            }
            mount = value.asString() ? *value.asString() : mount;
        }
        if (!shownName.isEmpty() && mounts.contains(mount)) {
            m_findings.add(u"extras.storage-same-mount"_s, Severity::Warning, Server::Accepts,
                mountPath ? mountPath->path : item.path,
                {{u"name"_s, shownName}, {u"other"_s, mounts.value(mount)}, {u"path"_s, mount}});
        }
        mounts.insert(mount, shownName);
        for (const auto &key : {u"share"_s, u"readOnly"_s}) {
            if (const auto flag = fields.take(key)) {
                checkBoolean(*flag, key);
            }
        }
        fields.unknown(u"storages"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
    }
}

void JobReader::readNotifications(const Place &place)
{
    if (!m_fields.map(place, u"jobStatusChangeNotification"_s, Server::Accepts)) {
        return;
    }
    MapFields fields(m_fields, place);
    for (const auto &key : {u"running"_s, u"succeeded"_s, u"stopped"_s, u"failed"_s, u"retried"_s}) {
        if (const auto flag = fields.take(key)) {
            checkBoolean(*flag, key);
        }
    }
    fields.unknown(u"jobStatusChangeNotification"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

void JobReader::readHived(const Place &place, const JobSpec &job)
{
    if (!m_fields.map(place, u"hivedScheduler"_s, Server::Accepts)) {
        return;
    }
    MapFields fields(m_fields, place);
    if (const auto priority = fields.take(u"jobPriorityClass"_s)) {
        const QStringList known{u"prod"_s, u"test"_s, u"oppo"_s};
        const Value value = m_fields.values().value(priority->node);
        const QString text = value.asString() ? *value.asString() : QString();
        if (!known.contains(text)) {
            Diagnostic &d = m_findings.add(u"extras.hived-priority"_s, Severity::Warning, Server::Accepts,
                priority->path, {{u"value"_s, text}, {u"known"_s, QJsonArray::fromStringList(known)}});
            const QString similar = text == u"crit"_s ? u"prod"_s : nearest(text, known);
            m_findings.fix(d, u"fix.set"_s, {{u"value"_s, similar.isEmpty() ? u"test"_s : similar}},
                {edit::SetText{priority->path, similar.isEmpty() ? u"test"_s : similar}});
        }
    }
    for (const auto &key : {u"gangReleaseEnable"_s, u"lazyPreemptionEnable"_s, u"ignoreK8sSuggestedNodes"_s}) {
        if (const auto flag = fields.take(key)) {
            checkBoolean(*flag, key);
        }
    }
    const auto roles = fields.take(u"taskRoles"_s);
    if (roles && m_fields.map(*roles, u"taskRoles"_s, Server::Accepts)) {
        readHivedRoles(*roles, job);
    }
    fields.unknown(u"hivedScheduler"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

void JobReader::readHivedRoles(const Place &place, const JobSpec &job)
{
    QStringList roleNames;
    for (const TaskRole &role : job.taskRoles) {
        roleNames.append(role.name);
    }
    struct Group {
        QString role, cells;
    };
    QHash<QString, Group> groups;
    const MapFields roles(m_fields, place);
    if (roles.entries().isEmpty()) {
        Diagnostic &d = m_findings.add(
            u"field.empty"_s, Severity::Warning, Server::Accepts, place.path, {{u"field"_s, u"taskRoles"_s}});
        m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, u"taskRoles"_s}}, {edit::Remove{place.path}});
    }
    for (const MapEntry &entry : roles.entries()) {
        const Place role{entry.value, place.path.child(entry.key)};
        if (!roleNames.contains(entry.key)) {
            Diagnostic &d = m_findings.add(u"extras.hived-role"_s, Severity::Warning, Server::Accepts, role.path,
                {{u"name"_s, entry.key}}, Point::Key);
            const QString similar = nearest(entry.key, roleNames);
            if (!similar.isEmpty() && !roles.has(similar)) {
                m_findings.fix(d, u"fix.did-you-mean"_s, {{u"name"_s, similar}}, {edit::RenameKey{role.path, similar}});
            }
        }
        if (!m_fields.map(role, entry.key, Server::Accepts)) {
            continue;
        }
        MapFields fields(m_fields, role);
        QHash<QString, QString> texts;
        for (const auto &key : {u"skuType"_s, u"pinnedCellId"_s, u"affinityGroupName"_s}) {
            const auto value = fields.take(key);
            const Value read = value ? m_fields.values().value(value->node) : Value();
            if (read.asString()) {
                texts.insert(key, *read.asString());
            } else if (value && !read.isNull()) {
                m_findings.add(
                    u"field.not-text"_s, Severity::Warning, Server::Accepts, value->path, {{u"field"_s, key}});
            }
        }
        const QString sku = texts.value(u"skuType"_s);
        const QString cell = texts.value(u"pinnedCellId"_s);
        if (!sku.isEmpty() && !cell.isEmpty()) {
            Diagnostic &d = m_findings.add(u"extras.hived-both"_s, Severity::Warning, Server::Accepts,
                role.path.child(u"pinnedCellId"_s), {{u"role"_s, entry.key}}, Point::Key);
            for (const auto &key : {u"pinnedCellId"_s, u"skuType"_s}) {
                m_findings.fix(d, u"fix.remove"_s, {{u"field"_s, key}}, {edit::Remove{role.path.child(key)}});
            }
        }
        const QString group = texts.value(u"affinityGroupName"_s);
        const QString cells = sku + u'\n' + cell;
        if (!group.isEmpty() && groups.contains(group) && groups.value(group).cells != cells) {
            m_findings.add(u"extras.hived-affinity"_s, Severity::Warning, Server::Accepts,
                role.path.child(u"affinityGroupName"_s),
                {{u"group"_s, group}, {u"role"_s, entry.key}, {u"other"_s, groups.value(group).role}});
        }
        groups.insert(group, {entry.key, cells});
    }
}

// What a plugin is told. Its own mistakes show on a cluster minutes after the start, as a failed preparation.
void JobReader::readPluginParameters(const Place &place, const QString &plugin, const JobSpec &job)
{
    MapFields fields(m_fields, place);
    const auto need = [&](const QString &key) -> std::optional<Place> {
        const auto value = fields.take(key);
        if (!value || value->isNull()) {
            m_findings.add(u"plugin.parameter-missing"_s, Severity::Warning, Server::Accepts,
                value ? value->path : place.path, {{u"field"_s, key}, {u"plugin"_s, plugin}}, Point::Key);
            return std::nullopt;
        }
        return value;
    };
    if (plugin == u"cmd"_s) {
        readCommandParameters(fields);
        return; // further keys may be for templates of its own
    }
    if (plugin == u"ssh"_s) {
        readSshParameters(fields, job);
    } else if (plugin == u"git"_s) {
        if (const auto uri = need(u"repo_uri"_s); uri && !m_fields.values().value(uri->node).asString()) {
            m_findings.add(
                u"field.not-text"_s, Severity::Warning, Server::Accepts, uri->path, {{u"field"_s, u"repo_uri"_s}});
        }
        if (const auto options = fields.take(u"options"_s)) {
            m_fields.texts(*options, u"options"_s, Server::Accepts);
        }
        fields.take(u"clone_dir"_s);
    } else if (plugin == u"tensorboard"_s) {
        if (const auto port = need(u"port"_s)) {
            checkCount(*port, u"port"_s);
        }
        if (const auto folders = need(u"logdir"_s); folders && m_fields.map(*folders, u"logdir"_s, Server::Accepts)) {
            if (MapFields(m_fields, *folders).entries().isEmpty()) {
                m_findings.add(u"plugin.parameter-missing"_s, Severity::Warning, Server::Accepts, folders->path,
                    {{u"field"_s, u"logdir"_s}, {u"plugin"_s, plugin}}, Point::Key);
            }
        }
    } else if (plugin == u"teamwise_storage"_s) {
        if (const auto names = fields.take(u"storageConfigNames"_s)) {
            m_fields.texts(*names, u"storageConfigNames"_s, Server::Accepts);
        }
    } else {
        return; // nobody here knows what it takes
    }
    fields.unknown(plugin, Severity::Note, Server::Accepts, u"field.ignored"_s);
}

void JobReader::readCommandParameters(MapFields &fields)
{
    bool some = false;
    if (const auto callbacks = fields.take(u"callbacks"_s)) {
        Prerequisite step; // the same language, in another place
        step.name = u"cmd"_s;
        readCallbacks(*callbacks, step);
        some = true;
    }
    for (const auto &key : {u"preCommands"_s, u"postCommands"_s}) {
        if (const auto commands = fields.take(key)) {
            m_fields.texts(*commands, key, Server::Accepts);
            some = true;
        }
    }
    if (!some) {
        m_findings.add(u"plugin.nothing-to-do"_s, Severity::Note, Server::Accepts, fields.place().path,
            {{u"plugin"_s, u"cmd"_s}}, Point::Key);
    }
}

void JobReader::readSshParameters(MapFields &fields, const JobSpec &job)
{
    const auto isTrue = [this](const std::optional<Place> &place) {
        const Value value = place ? m_fields.values().value(place->node) : Value();
        return value.asBool() && *value.asBool();
    };
    const auto jobSsh = fields.take(u"jobssh"_s);
    const auto barrier = fields.take(u"sshbarrier"_s);
    for (const auto &[flag, key] : {std::pair{jobSsh, u"jobssh"_s}, std::pair{barrier, u"sshbarrier"_s}}) {
        if (flag) {
            checkBoolean(*flag, key);
        }
    }
    if (isTrue(jobSsh) && !job.gangAllocation) {
        Diagnostic &d = m_findings.add(u"plugin.ssh-without-gang"_s, Severity::Warning, Server::Accepts, jobSsh->path);
        m_findings.fix(d, u"fix.set"_s, {{u"value"_s, u"false"_s}}, {edit::SetValue{jobSsh->path, "false"}});
    }
    if (const auto timeout = fields.take(u"sshbarrierTimeout"_s)) {
        checkCount(*timeout, u"sshbarrierTimeout"_s);
    }
    bool userSsh = false;
    if (const auto user = fields.take(u"userssh"_s); user && m_fields.map(*user, u"userssh"_s, Server::Accepts)) {
        MapFields userFields(m_fields, *user);
        if (const auto type = userFields.take(u"type"_s)) {
            const QStringList known{u"custom"_s, u"system"_s};
            const Value value = m_fields.values().value(type->node);
            const QString text = value.asString() ? *value.asString() : QString();
            userSsh = true;
            if (!known.contains(text) && text != u"none"_s) {
                Diagnostic &d = m_findings.add(
                    u"plugin.ssh-user-type"_s, Severity::Warning, Server::Accepts, type->path, {{u"value"_s, text}});
                for (const QString &choice : known) {
                    m_findings.fix(d, u"fix.set"_s, {{u"value"_s, choice}}, {edit::SetText{type->path, choice}});
                }
            }
        }
        userFields.take(u"value"_s);
        userFields.unknown(u"userssh"_s, Severity::Note, Server::Accepts, u"field.ignored"_s);
    }
    if (!isTrue(jobSsh) && !userSsh) {
        m_findings.add(u"plugin.nothing-to-do"_s, Severity::Note, Server::Accepts, fields.place().path,
            {{u"plugin"_s, u"ssh"_s}}, Point::Key);
    }
}

} // namespace trainyard
