// SPDX-License-Identifier: GPL-3.0-or-later
// The roles of a job of version 1.
#include "model/protocol/legacyimporter.h"
#include "model/protocol/legacynames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::legacy
{

void Importer::readRoles()
{
    const Member *list = m_root.find(u"taskRoles"_s);
    if (!list) {
        return;
    }
    QStringList names;
    for (const Member &item : list->value.members) {
        if (!item.value.isMap()) {
            say("legacy.wrong-type", Severity::Warning, item.value.at,
                {{u"field"_s, u"taskRoles"_s}, {u"where"_s, u"job"_s}});
            continue;
        }
        Role role;
        role.node = &item.value;
        role.comments = item.comments;
        role.oldName = text(item.value, u"name"_s, u"taskRoles"_s);
        names.append(role.oldName);
        m_roles.append(role);
    }
    const QStringList newNames = legacy::roleNames(names);
    for (qsizetype i = 0; i < m_roles.size(); ++i) {
        Role &role = m_roles[i];
        role.name = newNames.at(i);
        const Member *name = role.node->find(u"name"_s);
        if (role.name != role.oldName) {
            say("legacy.role-name", Severity::Warning, name ? name->value.at : role.node->at,
                {{u"from"_s, role.oldName}, {u"name"_s, role.name}, {u"to"_s, QString(u"/taskRoles/"_s + role.name)}});
            role.kept.add(u"name"_s, YamlWriter::text(role.oldName));
        }
        const ReferenceField &instances = fieldOf("/taskRoles/*/instances");
        role.instances = number(role, instances);
        if (role.instances < *instances.v1Default) {
            const Member *member = role.node->find(instances.v1Names.first());
            role.instances = *instances.v1Default;
            say("legacy.not-a-number", Severity::Warning, *member,
                {{u"role"_s, role.oldName}, {u"value"_s, role.instances}});
        }
    }
}

qint64 Importer::limit(Role &role, const ReferenceField &field, QStringList &comments)
{
    const qint64 missing = *field.v1Default;
    const Member *member = role.node->find(field.v1Names.first());
    if (!member) {
        return missing;
    }
    comments += member->comments;
    if (member->value.kind == Node::Kind::Null) {
        // The old scheduler's null was "never"; null in version 2 is "not given".
        say("legacy.limit-null", Severity::Note, *member, {{u"role"_s, role.oldName}});
        return -1;
    }
    const qint64 count = *integer(*member, role.oldName, missing);
    if (count < 1 || count > role.instances) {
        say("legacy.limit-range", Severity::Warning, *member,
            {{u"role"_s, role.oldName}, {u"value"_s, count}, {u"instances"_s, role.instances},
                {u"to"_s, QString(u"/taskRoles/"_s + role.name + u"/completion"_s)}});
        return count < 1 ? missing : count;
    }
    return count;
}

YamlWriter Importer::completion(Role &role)
{
    QStringList failedComments;
    QStringList succeededComments;
    const ReferenceField &minFailed = fieldOf("/taskRoles/*/completion/minFailedInstances");
    const ReferenceField &minSucceeded = fieldOf("/taskRoles/*/completion/minSucceededInstances");
    const qint64 failed = limit(role, minFailed, failedComments);
    qint64 succeeded = limit(role, minSucceeded, succeededComments);
    const Member *killAll = m_root.find(u"killAllOnCompletedTaskNumber"_s);
    if (killAll && m_roles.size() == 1) {
        const qint64 number = *integer(*killAll, u"job"_s, 0);
        if (number > 0 && succeeded < 0) {
            succeeded = std::min(number, role.instances);
            succeededComments += killAll->comments;
            say("legacy.kill-all", Severity::Warning, *killAll,
                {{u"number"_s, number}, {u"instances"_s, succeeded},
                    {u"to"_s, QString(u"/taskRoles/"_s + role.name + u"/completion"_s)}});
            m_kept.add(u"killAllOnCompletedTaskNumber"_s, YamlWriter::number(number));
        }
    }
    YamlWriter map = YamlWriter::map();
    map.add(minFailed.name(), YamlWriter::number(failed), failedComments);
    map.add(minSucceeded.name(), YamlWriter::number(succeeded), succeededComments);
    return map;
}

YamlWriter Importer::ports(Role &role, const Member &list)
{
    YamlWriter map = YamlWriter::map();
    if (!list.value.isList()) {
        if (list.value.kind != Node::Kind::Null) {
            say("legacy.wrong-type", Severity::Warning, list, {{u"where"_s, role.oldName}});
        }
        return map;
    }
    YamlWriter fixed = YamlWriter::map();
    for (const Member &item : list.value.members) {
        const QString old = item.value.isMap() ? text(item.value, u"label"_s, role.oldName) : QString();
        if (old.isEmpty()) {
            say("legacy.wrong-type", Severity::Warning, item.value.at,
                {{u"field"_s, u"portList"_s}, {u"where"_s, role.oldName}});
            continue;
        }
        QString label = legacy::portLabel(old);
        while (map.has(label)) {
            label += u'_';
        }
        if (label != old) {
            say("legacy.port-label", Severity::Warning, item.value.at,
                {{u"from"_s, old}, {u"name"_s, label}, {u"role"_s, role.oldName}});
            role.labels.append({old, label});
        }
        QStringList comments = item.comments;
        const Member *count = item.value.find(u"portNumber"_s);
        if (count) {
            comments += count->comments;
        }
        comments += commentsOf(item.value, u"label"_s) + commentsOf(item.value, u"beginAt"_s);
        const qint64 ports = count ? *integer(*count, role.oldName, 1) : 1;
        map.add(label, YamlWriter::number(std::max<qint64>(ports, 0)), comments);
        const Member *begin = item.value.find(u"beginAt"_s);
        const qint64 first = begin ? *integer(*begin, role.oldName, 0) : 0;
        if (first > 0) {
            say("legacy.begin-at", Severity::Warning, *begin,
                {{u"role"_s, role.oldName}, {u"label"_s, old}, {u"port"_s, first},
                    {u"to"_s, QString(u"/taskRoles/"_s + role.name + u"/resourcePerInstance/ports"_s)}});
            fixed.add(label, YamlWriter::number(first));
        }
    }
    if (!fixed.isEmpty()) {
        role.kept.add(u"ports"_s, fixed);
    }
    return map;
}

QString Importer::command(const Role &role)
{
    const Member *member = role.node->find(u"command"_s);
    QString text = member && member->value.isText() ? member->value.text : QString();
    if (text.isEmpty()) {
        say("legacy.missing", Severity::Error, role.node->at, {{u"field"_s, u"command"_s}, {u"where"_s, role.oldName}});
        return text;
    }
    if (text.contains("<%"_L1)) {
        say("legacy.template", Severity::Warning, *member,
            {{u"role"_s, role.oldName}, {u"to"_s, QString(u"/taskRoles/"_s + role.name + u"/commands/0"_s)}});
    }
    const QString before = text;
    for (const Role &other : std::as_const(m_roles)) {
        text = legacy::renameRoleVariables(text, other.oldName, other.name);
        for (const auto &[from, to] : other.labels) {
            text = legacy::renameLabelVariables(text, from, to);
        }
    }
    if (text != before) {
        say("legacy.references", Severity::Note, *member,
            {{u"role"_s, role.oldName}, {u"to"_s, QString(u"/taskRoles/"_s + role.name + u"/commands/0"_s)}});
    }
    return text;
}

void Importer::addRole(YamlWriter &roles, Role &role)
{
    const Node &node = *role.node;
    YamlWriter map = YamlWriter::map();
    map.add(u"instances"_s, YamlWriter::number(role.instances), commentsOf(node, u"taskNumber"_s));
    map.add(u"completion"_s, completion(role));
    map.add(u"dockerImage"_s, YamlWriter::text(u"image"_s));
    for (const auto &[uri, field, name] : {std::tuple{m_data, u"data"_s, u"data"_s},
             std::tuple{m_output, u"output"_s, u"output"_s}, std::tuple{m_code, u"script"_s, u"code"_s}}) {
        if (!uri.isEmpty()) {
            map.add(field, YamlWriter::text(name));
        }
    }
    // Its default is what version 1 gave, and what PAI_CURRENT_TASK_ROLE_SHM_MB told.
    const ReferenceField &shared = fieldOf("/taskRoles/*/extraContainerOptions/shmMB");
    const Member *shm = node.find(shared.v1Names.first());
    YamlWriter options = YamlWriter::map();
    options.add(shared.name(),
        YamlWriter::number(shm ? *integer(*shm, role.oldName, shared.v1Default) : *shared.v1Default),
        shm ? shm->comments : QStringList());
    map.add(u"extraContainerOptions"_s, options);
    YamlWriter resources = YamlWriter::map();
    for (const char *path : {"/taskRoles/*/resourcePerInstance/cpu", "/taskRoles/*/resourcePerInstance/memoryMB",
             "/taskRoles/*/resourcePerInstance/gpu"}) {
        const ReferenceField &field = fieldOf(path);
        QStringList comments;
        const qint64 amount = std::max<qint64>(number(role, field, &comments), 0);
        resources.add(field.name(), YamlWriter::number(amount), comments);
    }
    if (const Member *list = node.find(u"portList"_s)) {
        const YamlWriter counts = ports(role, *list);
        if (counts.isEmpty()) {
            m_loose += list->comments;
        } else {
            resources.add(u"ports"_s, counts, list->comments);
        }
    }
    map.add(u"resourcePerInstance"_s, resources);
    if (const QString text = command(role); !text.isEmpty()) {
        YamlWriter commands = YamlWriter::list();
        commands.append(YamlWriter::text(text));
        map.add(u"commands"_s, commands, commentsOf(node, u"command"_s));
    }
    roles.add(role.name, map, role.comments + commentsOf(node, u"name"_s));
}

} // namespace trainyard::legacy
