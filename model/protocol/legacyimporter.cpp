// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/legacyimporter.h"

#include "model/protocol/legacynames.h"
#include "model/protocol/plugins.h"

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
