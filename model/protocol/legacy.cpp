// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacy.h"

#include "model/base/shellquote.h"
#include "model/protocol/legacynames.h"
#include "model/protocol/legacyread.h"
#include "model/protocol/plugins.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlwriter.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard
{

using legacy::Member;
using legacy::Node;

namespace
{

constexpr qint64 manyRetries = 10'000; // for "without limit", which version 2 cannot say
constexpr qsizetype maxFindings = 1000;
constexpr size_t maxRoles = 1000; // every role knows the names of all others

YamlWriter toYaml(const Node &node)
{
    switch (node.kind) {
    case Node::Kind::Null:
        return YamlWriter::plain("null");
    case Node::Kind::Bool:
        return YamlWriter::plain(node.boolean ? "true" : "false");
    case Node::Kind::Number:
        return YamlWriter::plain(node.text.toLatin1());
    case Node::Kind::Text:
        return YamlWriter::text(node.text);
    case Node::Kind::List: {
        YamlWriter list = YamlWriter::list();
        for (const Member &item : node.members) {
            list.append(toYaml(item.value), item.comments);
        }
        return list;
    }
    case Node::Kind::Map: {
        YamlWriter map = YamlWriter::map();
        for (const Member &item : node.members) {
            map.add(item.key, toYaml(item.value), item.comments);
        }
        return map;
    }
    }
    return {};
}

// A value inside double quotes of a shell, where its variables are to be replaced: nothing else in it may act.
bool safeInDoubleQuotes(const QString &text)
{
    static const QRegularExpression bad(u"[\"`\\\\\\n]|\\$[^A-Za-z_{]|\\$$|\\$\\{[^A-Za-z_]"_s);
    return !bad.match(text).hasMatch();
}

class Importer
{
public:
    explicit Importer(const Node &root) : m_root(root) { }

    YamlWriter convert(QList<Diagnostic> &report);
    const QStringList &looseComments() const { return m_loose; }
    bool isTooLarge() const { return m_tooLarge; }

private:
    struct Role {
        const Node *node = nullptr;
        QString oldName, name;
        qint64 instances = 1;
        QStringList comments; // of the item of the list
        QList<std::pair<QString, QString>> labels; // old and new, where they differ
        YamlWriter kept = YamlWriter::map();
    };

    Diagnostic &say(const char *code, Severity severity, ByteRange at, const QJsonObject &args = {});
    Diagnostic &say(const char *code, Severity severity, const Member &member, QJsonObject args = {});
    QString text(const Node &map, const QString &field, const QString &where, QStringList *comments = nullptr);
    std::optional<qint64> integer(const Member &member, const QString &role, std::optional<qint64> fallback);
    qint64 number(const Role &role, const QString &field, qint64 fallback, QStringList *comments = nullptr);
    QStringList commentsOf(const Node &map, const QString &field) const;

    void readRoles();
    void addHead(YamlWriter &job);
    void addPrerequisites(YamlWriter &job);
    void addLogin(YamlWriter &item, const QString &image);
    void addRetries(YamlWriter &job);
    void addRole(YamlWriter &roles, Role &role);
    YamlWriter completion(Role &role);
    qint64 limit(Role &role, const QString &field, qint64 missing, QStringList &comments);
    YamlWriter ports(Role &role, const Member &list);
    QString command(const Role &role);
    void addDeployment(YamlWriter &job);
    QStringList exports();
    QString aliasCommand() const;
    void addExtras(YamlWriter &job);
    void unknownFields();

    const Node &m_root;
    QList<Diagnostic> m_report;
    Diagnostic m_dropped;
    QList<Role> m_roles;
    QString m_data, m_output, m_code;
    YamlWriter m_kept = YamlWriter::map();
    YamlWriter m_unknown = YamlWriter::map();
    YamlWriter m_secrets = YamlWriter::map();
    QString m_gpuType;
    QStringList m_loose;
    bool m_tooLarge = false;
};

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

qint64 Importer::number(const Role &role, const QString &field, qint64 fallback, QStringList *comments)
{
    const Member *member = role.node->find(field);
    if (!member) {
        say("legacy.default", Severity::Note, role.node->at,
            {{u"field"_s, field}, {u"value"_s, fallback}, {u"role"_s, role.oldName}});
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
        role.instances = number(role, u"taskNumber"_s, 1);
        if (role.instances < 1) {
            const Member *member = role.node->find(u"taskNumber"_s);
            say("legacy.not-a-number", Severity::Warning, *member, {{u"role"_s, role.oldName}, {u"value"_s, 1}});
            role.instances = 1;
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
    for (const auto &[key, secret] : {std::pair{u"username"_s, u"registry_username"_s},
             std::pair{u"password"_s, u"registry_password"_s}}) {
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
    const Member *member = m_root.find(u"retryCount"_s);
    const qint64 count = member ? *integer(*member, u"job"_s, 0) : 0;
    qint64 used = count;
    if (count < 0) {
        used = count == -1 ? manyRetries : 0;
        say("legacy.retry-count", Severity::Warning, *member,
            {{u"from"_s, count}, {u"number"_s, used}, {u"to"_s, u"/jobRetryCount"_s}});
        m_kept.add(u"jobRetryCount"_s, YamlWriter::number(count));
    }
    job.add(u"jobRetryCount"_s, YamlWriter::number(used), member ? member->comments : QStringList());
}

qint64 Importer::limit(Role &role, const QString &field, qint64 missing, QStringList &comments)
{
    const Member *member = role.node->find(field);
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
    const qint64 failed = limit(role, u"minFailedTaskCount"_s, 1, failedComments);
    qint64 succeeded = limit(role, u"minSucceededTaskCount"_s, -1, succeededComments);
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
    map.add(u"minFailedInstances"_s, YamlWriter::number(failed), failedComments);
    map.add(u"minSucceededInstances"_s, YamlWriter::number(succeeded), succeededComments);
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
    // 64 is what version 1 gave, and what PAI_CURRENT_TASK_ROLE_SHM_MB told.
    const Member *shm = node.find(u"shmMB"_s);
    YamlWriter options = YamlWriter::map();
    options.add(u"shmMB"_s, YamlWriter::number(shm ? *integer(*shm, role.oldName, 64) : 64),
        shm ? shm->comments : QStringList());
    map.add(u"extraContainerOptions"_s, options);
    YamlWriter resources = YamlWriter::map();
    for (const auto &[field, name, missing] : {std::tuple{u"cpuNumber"_s, u"cpu"_s, qint64(1)},
             std::tuple{u"memoryMB"_s, u"memoryMB"_s, qint64(100)}, std::tuple{u"gpuNumber"_s, u"gpu"_s, qint64(0)}}) {
        QStringList comments;
        const qint64 amount = std::max<qint64>(number(role, field, missing, &comments), 0);
        resources.add(name, YamlWriter::number(amount), comments);
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

QStringList Importer::exports()
{
    QStringList commands;
    // Every path went into the environment after its variables were replaced, and so does it in double quotes.
    struct Variable {
        QString name, scope, uri;
    };
    for (const Variable &variable : {Variable{u"PAI_DATA_DIR"_s, u"<% $data.uri[0] %>"_s, m_data},
             Variable{u"PAI_OUTPUT_DIR"_s, u"<% $output.uri %>"_s, m_output},
             Variable{u"PAI_CODE_DIR"_s, u"<% $script.uri %>"_s, m_code}}) {
        if (variable.uri.isEmpty()) {
            continue;
        }
        const QString value = safeInDoubleQuotes(variable.uri) ? QString(u'"' + variable.scope + u'"')
                                                               : QString::fromUtf8(shellQuote(variable.uri.toUtf8()));
        commands.append(u"export "_s + variable.name + u'=' + value);
    }
    if (!m_code.isEmpty()) {
        // Version 1 put a copy of the folder into the working directory.
        commands.append(
            u"if [ -d \"$PAI_CODE_DIR\" ] && [ ! -e \"${PAI_CODE_DIR##*/}\" ]; then cp -r -- \"$PAI_CODE_DIR\" .; fi"_s);
    }
    const Member *variables = m_root.find(u"jobEnvs"_s);
    if (variables && !variables->value.isMap() && variables->value.kind != Node::Kind::Null) {
        say("legacy.wrong-type", Severity::Warning, *variables, {{u"where"_s, u"job"_s}});
    }
    if (!variables || !variables->value.isMap()) {
        return commands;
    }
    m_loose += variables->comments;
    static const QRegularExpression shellName(u"^[A-Za-z_][A-Za-z0-9_]*$"_s);
    for (const Member &member : variables->value.members) {
        const Node &value = member.value;
        m_loose += member.comments;
        if (!shellName.match(member.key).hasMatch()) {
            say("legacy.env-name", Severity::Warning, member, {{u"name"_s, member.key}});
            m_unknown.add(QString(u"jobEnvs."_s + member.key), toYaml(value));
            continue;
        }
        if (value.isMap() || value.isList()) {
            say("legacy.env-value", Severity::Warning, member, {{u"name"_s, member.key}});
            m_unknown.add(QString(u"jobEnvs."_s + member.key), toYaml(value));
            continue;
        }
        if (member.key == "isDebug"_L1 || member.key == "paiAzRDMA"_L1) {
            say("legacy.env-meaning", Severity::Warning, member, {{u"name"_s, member.key}});
        }
        const QString text = value.kind == Node::Kind::Bool ? (value.boolean ? u"true"_s : u"false"_s)
            : value.kind == Node::Kind::Null                ? QString()
                                                            : value.text;
        if (text.contains(QChar(0))) {
            say("legacy.env-value", Severity::Warning, member, {{u"name"_s, member.key}});
            continue;
        }
        commands.append(u"export "_s + member.key + u'=' + QString::fromUtf8(shellQuote(text.toUtf8())));
    }
    return commands;
}

// Scripts in the image may read variables by the old name of a role.
QString Importer::aliasCommand() const
{
    QStringList cases;
    static const QRegularExpression shellWord(u"^[A-Za-z0-9_]+$"_s);
    for (const Role &role : m_roles) {
        if (role.name == role.oldName || !shellWord.match(role.oldName).hasMatch()) {
            continue;
        }
        cases.append(u"    *_%1 | *_%1_*) export \"${name/_%1/_%2}=${!name}\" ;;"_s.arg(role.name, role.oldName));
    }
    if (cases.isEmpty()) {
        return {};
    }
    return u"for name in \"${!PAI_@}\"; do\n  case $name in\n"_s + cases.join(u'\n') + u"\n  esac\ndone"_s;
}

void Importer::addDeployment(YamlWriter &job)
{
    QStringList commands{u"set +o errexit +o nounset +o pipefail"_s};
    say("legacy.shell", Severity::Note, ByteRange{0, 0}, {{u"to"_s, u"/deployments/0"_s}});
    const QString alias = aliasCommand();
    if (!alias.isEmpty()) {
        commands.append(alias);
    }
    commands += exports();
    // Each role has them all.
    if (commands.join(QString()).size() * m_roles.size() > maxCheckedBytes) {
        m_tooLarge = true;
        return;
    }
    YamlWriter pre = YamlWriter::list();
    for (const QString &command : std::as_const(commands)) {
        pre.append(YamlWriter::text(command));
    }
    YamlWriter roles = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        YamlWriter entry = YamlWriter::map();
        entry.add(u"preCommands"_s, pre);
        roles.add(role.name, entry);
    }
    YamlWriter deployment = YamlWriter::map();
    deployment.add(u"name"_s, YamlWriter::text(u"default"_s));
    deployment.add(u"taskRoles"_s, roles);
    YamlWriter list = YamlWriter::list();
    list.append(deployment);
    if (!m_roles.isEmpty()) {
        job.add(u"deployments"_s, list);
    }
    QStringList comments;
    const QString cluster = text(m_root, u"virtualCluster"_s, u"job"_s, &comments);
    YamlWriter defaults = YamlWriter::map();
    defaults.add(u"virtualCluster"_s, YamlWriter::text(cluster.isEmpty() ? u"default"_s : cluster), comments);
    if (!m_roles.isEmpty()) {
        defaults.add(u"deployment"_s, YamlWriter::text(u"default"_s));
    }
    job.add(u"defaults"_s, defaults);
}

void Importer::unknownFields()
{
    static const QSet<QString> top{u"jobName"_s, u"image"_s, u"authFile"_s, u"dataDir"_s, u"outputDir"_s, u"codeDir"_s,
        u"virtualCluster"_s, u"taskRoles"_s, u"gpuType"_s, u"killAllOnCompletedTaskNumber"_s, u"retryCount"_s,
        u"jobEnvs"_s, u"extras"_s};
    static const QSet<QString> ofRole{u"name"_s, u"taskNumber"_s, u"cpuNumber"_s, u"memoryMB"_s, u"shmMB"_s,
        u"gpuNumber"_s, u"portList"_s, u"command"_s, u"minFailedTaskCount"_s, u"minSucceededTaskCount"_s};
    for (const Member &member : m_root.members) {
        if (!top.contains(member.key)) {
            say("legacy.unknown-field", Severity::Warning, member, {{u"where"_s, u"job"_s}});
            m_unknown.add(member.key, toYaml(member.value), member.comments);
        }
    }
    for (Role &role : m_roles) {
        YamlWriter unknown = YamlWriter::map();
        for (const Member &member : role.node->members) {
            if (!ofRole.contains(member.key)) {
                say("legacy.unknown-field", Severity::Warning, member, {{u"where"_s, role.oldName}});
                unknown.add(member.key, toYaml(member.value), member.comments);
            }
        }
        if (!unknown.isEmpty()) {
            role.kept.add(u"unknown"_s, unknown);
        }
    }
}

void Importer::addExtras(YamlWriter &job)
{
    unknownFields();
    YamlWriter extras = YamlWriter::map();
    const Member *old = m_root.find(u"extras"_s);
    if (old && old->value.isMap()) {
        for (const Member &member : old->value.members) {
            if (member.key != "trainyard"_L1) {
                extras.add(member.key, toYaml(member.value), member.comments);
            } else {
                m_unknown.add(u"extras/trainyard"_s, toYaml(member.value));
            }
        }
    } else if (old && old->value.kind != Node::Kind::Null) {
        say("legacy.wrong-type", Severity::Warning, *old, {{u"where"_s, u"job"_s}});
    }
    const Member *killAll = m_root.find(u"killAllOnCompletedTaskNumber"_s);
    if (killAll && !m_kept.has(killAll->key)) {
        const qint64 number = *integer(*killAll, u"job"_s, 0);
        if (number > 0) {
            say("legacy.kill-all-kept", Severity::Warning, *killAll, {{u"number"_s, number}});
            m_kept.add(killAll->key, YamlWriter::number(number), killAll->comments);
        } else {
            m_loose += killAll->comments;
        }
    }
    const Member *gpu = m_root.find(u"gpuType"_s);
    if (const QString type = text(m_root, u"gpuType"_s, u"job"_s); !type.isEmpty()) {
        say("legacy.gpu-type", Severity::Warning, *gpu, {{u"type"_s, type}, {u"to"_s, u"/extras/hivedScheduler"_s}});
        m_kept.add(u"gpuType"_s, YamlWriter::text(type), gpu->comments);
        if (!extras.has(u"hivedScheduler"_s) && !m_roles.isEmpty()) {
            YamlWriter roles = YamlWriter::map();
            for (const Role &role : std::as_const(m_roles)) {
                YamlWriter sku = YamlWriter::map();
                sku.add(u"skuType"_s, YamlWriter::text(type));
                roles.add(role.name, sku);
            }
            YamlWriter hived = YamlWriter::map();
            hived.add(u"taskRoles"_s, roles);
            extras.add(u"hivedScheduler"_s, hived);
        }
    }
    YamlWriter keptRoles = YamlWriter::map();
    for (const Role &role : std::as_const(m_roles)) {
        if (!role.kept.isEmpty()) {
            keptRoles.add(role.name, role.kept);
        }
    }
    if (!keptRoles.isEmpty()) {
        m_kept.add(u"roles"_s, keptRoles);
    }
    if (!m_unknown.isEmpty()) {
        m_kept.add(u"unknown"_s, m_unknown);
    }
    if (!m_kept.isEmpty()) {
        YamlWriter own = YamlWriter::map();
        own.add(u"legacy"_s, m_kept);
        extras.add(u"trainyard"_s, own);
    }
    if (!extras.isEmpty()) {
        job.add(u"extras"_s, extras, old ? old->comments : QStringList());
    } else if (old) {
        m_loose += old->comments;
    }
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

} // namespace

bool LegacyImport::hasErrors() const
{
    return std::any_of(report.begin(), report.end(), [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

LegacyImport importLegacyJob(const QByteArray &bytes)
{
    LegacyImport result;
    bool yaml = false;
    const legacy::Text text = legacy::readEither(bytes, &yaml);
    result.report = text.diagnostics;
    const auto add = [&](const char *code, Severity severity) {
        Diagnostic d;
        d.code = QString::fromLatin1(code);
        d.severity = severity;
        result.report.append(d);
    };
    if (!text.complete || !legacy::looksLegacy(text)) {
        if (!result.hasErrors()) {
            add("legacy.not-a-job", Severity::Error);
        }
        return result;
    }
    if (yaml && bytes.contains('#')) {
        add("legacy.yaml", Severity::Note);
    }
    Importer importer(text.root);
    const YamlWriter job = importer.convert(result.report);
    std::stable_sort(result.report.begin(), result.report.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return a.at.begin < b.at.begin; });
    const QByteArray written = job.write(text.comments + importer.looseComments());
    if (!importer.isTooLarge() && YamlDocument::parse(written).isWellFormed()) {
        result.yaml = written;
    } else {
        add("legacy.unwritable", Severity::Error);
    }
    return result;
}

} // namespace trainyard
