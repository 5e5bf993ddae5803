// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacyimporter.h"

#include "model/protocol/legacynames.h"
#include "model/protocol/plugins.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::legacy
{

namespace
{

constexpr qint64 manyRetries = 10'000; // for "without limit", which version 2 cannot say
constexpr qsizetype maxFindings = 1000;
constexpr size_t maxRoles = 1000; // every role knows the names of all others

} // namespace

const ReferenceField &fieldOf(const char *pointer)
{
    static const ReferenceField none;
    const YamlPath path = YamlPath::fromPointer(QString::fromLatin1(pointer)).value_or(YamlPath());
    const ReferenceField *field = FieldReference::bundled().find(path);
    Q_ASSERT(field);
    return field ? *field : none;
}

Diagnostic &Importer::say(const char *code, Severity severity, ByteRange at, const QJsonObject &args)
{
    if (m_report.size() >= maxFindings) {
        return m_dropped;
    }
    Diagnostic d;
    d.code = QString::fromLatin1(code);
    d.severity = severity;
    d.at = at;
    d.args = args;
    m_report.append(d);
    return m_report.last();
}

Diagnostic &Importer::say(const char *code, Severity severity, const Member &member, QJsonObject args)
{
    if (!args.contains("field"_L1)) {
        args.insert(u"field"_s, member.key);
    }
    return say(code, severity, member.keyAt.end > member.keyAt.begin ? member.keyAt : member.value.at, args);
}

QStringList Importer::commentsOf(const Node &map, const QString &field) const
{
    const Member *member = map.find(field);
    return member ? member->comments : QStringList();
}

// Empty when it is not there. Numbers and words count as their spelling, so that nothing is lost.
QString Importer::text(const Node &map, const QString &field, const QString &where, QStringList *comments)
{
    const Member *member = map.find(field);
    if (!member) {
        return {};
    }
    if (comments) {
        *comments += member->comments;
    }
    const Node &value = member->value;
    if (value.isText()) {
        return value.text;
    }
    if (value.kind == Node::Kind::Null) {
        return {};
    }
    say("legacy.wrong-type", Severity::Warning, *member, {{u"where"_s, where}});
    return value.kind == Node::Kind::Number ? value.text : QString();
}

std::optional<qint64> Importer::integer(const Member &member, const QString &role, std::optional<qint64> fallback)
{
    const Node &value = member.value;
    bool good = false;
    const double number = value.kind == Node::Kind::Number || value.isText() ? value.text.trimmed().toDouble(&good) : 0;
    constexpr double most = 1e15;
    if (!good || !std::isfinite(number) || std::abs(number) > most || number != std::floor(number)) {
        QJsonObject args{{u"role"_s, role}};
        if (fallback) {
            args.insert(u"value"_s, *fallback);
        }
        say(fallback ? "legacy.not-a-number" : "legacy.wrong-type", Severity::Warning, member,
            fallback ? args : QJsonObject{{u"where"_s, role}});
        return fallback;
    }
    if (value.isText()) {
        say("legacy.number-text", Severity::Note, member, {{u"value"_s, value.text}});
    }
    return qint64(number);
}

qint64 Importer::number(const Role &role, const ReferenceField &field, QStringList *comments)
{
    const QString name = field.v1Names.value(0);
    const qint64 fallback = field.v1Default.value_or(0);
    const Member *member = role.node->find(name);
    if (!member) {
        say("legacy.default", Severity::Note, role.node->at,
            {{u"field"_s, name}, {u"value"_s, fallback}, {u"role"_s, role.oldName}});
        return fallback;
    }
    if (comments) {
        *comments += member->comments;
    }
    return *integer(*member, role.oldName, fallback);
}

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

void Importer::addHead(YamlWriter &job)
{
    job.add(u"protocolVersion"_s, YamlWriter::number(2));
    QStringList comments;
    const QString oldName = text(m_root, u"jobName"_s, u"job"_s, &comments);
    const QString name = legacy::jobName(oldName);
    if (name != oldName) {
        say("legacy.name", Severity::Warning, *m_root.find(u"jobName"_s),
            {{u"from"_s, oldName}, {u"name"_s, name}, {u"to"_s, u"/name"_s}});
        m_kept.add(u"name"_s, YamlWriter::text(oldName));
    }
    job.add(u"name"_s, YamlWriter::text(name), comments);
    job.add(u"type"_s, YamlWriter::text(u"job"_s));
}

void Importer::addPrerequisites(YamlWriter &job)
{
    // Other than the servers' own conversion, every item has a name of its own: a cluster's runtime looks them up
    // without their type.
    YamlWriter list = YamlWriter::list();
    QStringList comments;
    const QString image = text(m_root, u"image"_s, u"job"_s, &comments);
    if (image.isEmpty()) {
        say("legacy.missing", Severity::Error, m_root.at, {{u"field"_s, u"image"_s}, {u"where"_s, u"job"_s}});
    } else {
        YamlWriter item = YamlWriter::map();
        item.add(u"name"_s, YamlWriter::text(u"image"_s));
        item.add(u"type"_s, YamlWriter::text(u"dockerimage"_s));
        item.add(u"uri"_s, YamlWriter::text(image));
        addLogin(item, image);
        list.append(item, comments);
    }
    struct Folder {
        QString field, type, name;
        QString *target;
    };
    for (const Folder &folder : {Folder{u"dataDir"_s, u"data"_s, u"data"_s, &m_data},
             Folder{u"outputDir"_s, u"output"_s, u"output"_s, &m_output},
             Folder{u"codeDir"_s, u"script"_s, u"code"_s, &m_code}}) {
        QStringList above;
        const QString uri = text(m_root, folder.field, u"job"_s, &above);
        if (uri.isEmpty()) {
            m_loose += above;
            continue;
        }
        *folder.target = uri;
        YamlWriter prerequisite = YamlWriter::map();
        prerequisite.add(u"name"_s, YamlWriter::text(folder.name));
        prerequisite.add(u"type"_s, YamlWriter::text(folder.type));
        if (folder.type == "data"_L1) {
            YamlWriter uris = YamlWriter::list();
            uris.append(YamlWriter::text(uri));
            prerequisite.add(u"uri"_s, uris);
        } else {
            prerequisite.add(u"uri"_s, YamlWriter::text(uri));
        }
        list.append(prerequisite, above);
        const Member &member = *m_root.find(folder.field);
        if (uri.startsWith("hdfs:"_L1) || uri.contains("PAI_DEFAULT_FS_URI"_L1)) {
            say("legacy.storage", Severity::Warning, member,
                {{u"uri"_s, uri}, {u"to"_s, u"/prerequisites"_s}, {u"name"_s, folder.name}});
        }
        if (folder.field == "codeDir"_L1) {
            say("legacy.code-dir", Severity::Note, member, {{u"uri"_s, uri}, {u"to"_s, u"/deployments/0"_s}});
        }
    }
    if (!list.isEmpty()) {
        job.add(u"prerequisites"_s, list);
    }
}

// The file with registry, user and password is on the cluster: they become secrets that are asked for.
void Importer::addLogin(YamlWriter &item, const QString &image)
{
    const QString file = text(m_root, u"authFile"_s, u"job"_s);
    if (file.isEmpty()) {
        return;
    }
    const Member &member = *m_root.find(u"authFile"_s);
    say("legacy.auth-file", Severity::Warning, member, {{u"file"_s, file}, {u"to"_s, u"/secrets"_s}});
    m_kept.add(u"authFile"_s, YamlWriter::text(file), member.comments);
    YamlWriter auth = YamlWriter::map();
    for (const auto &[key, secret] :
        {std::pair{u"username"_s, u"registry_username"_s}, std::pair{u"password"_s, u"registry_password"_s}}) {
        auth.add(key, YamlWriter::text(QString(u"<% $secrets."_s + secret + u" %>"_s)));
        m_secrets.add(secret, YamlWriter::text(maskedText()));
    }
    const QString registry = image.section(u'/', 0, 0);
    if (image.contains(u'/') && (registry.contains(u'.') || registry.contains(u':'))) {
        auth.add(u"registryuri"_s, YamlWriter::text(registry));
    }
    item.add(u"auth"_s, auth);
}

void Importer::addRetries(YamlWriter &job)
{
    const ReferenceField &field = fieldOf("/jobRetryCount");
    const Member *member = m_root.find(field.v1Names.first());
    const qint64 count = member ? *integer(*member, u"job"_s, field.v1Default) : *field.v1Default;
    qint64 used = count;
    if (count < 0) {
        used = count == -1 ? manyRetries : 0;
        say("legacy.retry-count", Severity::Warning, *member,
            {{u"from"_s, count}, {u"number"_s, used}, {u"to"_s, u"/jobRetryCount"_s}});
        m_kept.add(u"jobRetryCount"_s, YamlWriter::number(count));
    }
    job.add(field.name(), YamlWriter::number(used), member ? member->comments : QStringList());
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

YamlWriter Importer::convert(QList<Diagnostic> &report)
{
    YamlWriter job = YamlWriter::map();
    const Member *list = m_root.find(u"taskRoles"_s);
    if (list && list->value.members.size() > maxRoles) {
        m_tooLarge = true;
        return job;
    }
    readRoles();
    addHead(job);
    addPrerequisites(job);
    addRetries(job);
    if (!m_secrets.isEmpty()) {
        job.add(u"secrets"_s, m_secrets);
    }
    YamlWriter roles = YamlWriter::map();
    for (Role &role : m_roles) {
        addRole(roles, role);
    }
    job.add(u"taskRoles"_s, roles, commentsOf(m_root, u"taskRoles"_s));
    addDeployment(job);
    addExtras(job);
    if (m_roles.isEmpty()) {
        say("legacy.missing", Severity::Error, m_root.at, {{u"field"_s, u"taskRoles"_s}, {u"where"_s, u"job"_s}});
    }
    report += m_report;
    return job;
}

} // namespace trainyard::legacy
