// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/loginsecrets.h"

#include "model/base/utf8.h"
#include "model/protocol/plugins.h"
#include "model/template/tags.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Every entry that a map has for the key: it may stand there twice, or come from a merged map.
void entriesOf(const YamlNode *map, const char *key, QList<YamlNode::Entry> &out, int depth = 0)
{
    constexpr int mostMerges = 8;
    if (!map->isMap() || depth > mostMerges) {
        return;
    }
    for (const YamlNode::Entry &entry : map->entries) {
        if (entry.key && entry.key->resolved()->scalar == key) {
            out.append(entry);
        } else if (mayMerge(entry.key)) {
            const YamlNode *merged = entry.value->resolved();
            entriesOf(merged, key, out, depth + 1);
            for (const YamlNode::Entry &item : merged->isSequence() ? merged->entries : QList<YamlNode::Entry>()) {
                entriesOf(item.value->resolved(), key, out, depth + 1);
            }
        }
    }
}

bool isLiteral(const QString &text) { return !text.isEmpty() && !text.contains(u"<%"_s); }

// Stays the same when values are masked.
QString secretName(const JobSpec &job, const QString &image, const QStringList &taken)
{
    static const QRegularExpression bad(u"[^A-Za-z0-9_]+"_s);
    const QString base = (image.isEmpty() ? u"image"_s : QString(image).replace(bad, u"_"_s)) + u"_password"_s;
    QString name = base;
    for (int number = 2; job.secrets.find(name) || taken.contains(name); ++number) {
        name = base + u'_' + QString::number(number);
    }
    return name;
}

void collectReferences(const QString &text, QStringList &names)
{
    const Result<QList<TemplateTag>> tags = templateTags(text);
    for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>()) {
        const TemplateReference reference = templateReference(tag.key);
        const QString name = reference.path.value(0);
        if (reference.scope == u"$secrets"_s && !name.isEmpty() && !names.contains(name)) {
            names.append(name);
        }
    }
}

void collectReferences(const Value &value, QStringList &names)
{
    if (const QString *text = value.asString()) {
        collectReferences(*text, names);
    } else if (const Value::Map *map = value.asMap()) {
        for (const auto &[key, entry] : *map) {
            collectReferences(entry, names);
        }
    } else if (const Value::List *list = value.asList()) {
        for (const Value &item : *list) {
            collectReferences(item, names);
        }
    }
}

QStringList referencedSecrets(const JobSpec &job)
{
    QStringList names;
    for (const Prerequisite &item : job.prerequisites) {
        collectReferences(item.all, names);
    }
    collectReferences(job.parameters, names);
    for (const TaskRole &role : job.taskRoles) {
        QStringList commands = role.commands;
        if (const DeploymentCommands *deployment = job.activeDeployment(role.name)) {
            commands = deployment->preCommands + commands + deployment->postCommands;
        }
        for (const QString &command : std::as_const(commands)) {
            collectReferences(command, names);
        }
    }
    return names;
}

QByteArray maskedMap(const QStringList &names)
{
    static const QRegularExpression plain(u"^[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    QByteArrayList entries;
    for (const QString &name : names) {
        const QByteArray key = plain.match(name).hasMatch() ? name.toUtf8() : '\'' + name.toUtf8() + '\'';
        entries.append(key + ": \"" + maskedText().toUtf8() + '"');
    }
    return '{' + entries.join(", ") + '}';
}

void settleMaskedMap(JobSpec &job, Findings &findings)
{
    const YamlPath path{u"secrets"_s};
    job.askedSecrets = referencedSecrets(job);
    if (job.askedSecrets.isEmpty()) {
        findings.add(u"secrets.masked"_s, Severity::Note, ServerVerdict::Refuses, path);
        return;
    }
    Diagnostic &d = findings.add(u"secrets.masked-named"_s, Severity::Note, ServerVerdict::Refuses, path,
        {{u"names"_s, QJsonArray::fromStringList(job.askedSecrets)}});
    findings.fix(d, u"fix.name-secrets"_s, {}, {edit::SetValue{path, maskedMap(job.askedSecrets)}});
}

} // namespace

bool mayMerge(const YamlNode *key) { return key && key->style == YamlNode::Style::Plain && key->scalar == "<<"; }

QList<LoginPassword> loginPasswords(const YamlNode *root)
{
    QList<LoginPassword> found;
    QList<YamlNode::Entry> lists;
    entriesOf(root, "prerequisites", lists);
    for (const YamlNode::Entry &list : std::as_const(lists)) {
        for (const YamlNode::Entry &item : list.value->resolved()->entries) {
            QList<YamlNode::Entry> logins;
            entriesOf(item.value->resolved(), "auth", logins);
            for (const YamlNode::Entry &login : std::as_const(logins)) {
                const YamlNode *map = login.value->resolved();
                QList<YamlNode::Entry> passwords;
                entriesOf(map, "password", passwords);
                for (const YamlNode::Entry &password : std::as_const(passwords)) {
                    const YamlNode *value = password.value->resolved();
                    const bool isScalar = value->kind == YamlNode::Kind::Scalar;
                    if (!value->isNull() && (!isScalar || isLiteral(textFromUtf8(value->scalar)))) {
                        const qsizetype begin = map == login.value ? login.key->at.end : map->at.begin;
                        found.append(LoginPassword{map, begin, password.value});
                    }
                }
            }
        }
    }
    return found;
}

void settleSecrets(JobSpec &job, Findings &findings)
{
    if (job.secretsMasked) {
        settleMaskedMap(job, findings);
    }
    const bool canHaveMore = !job.secretsMasked && (job.secrets.asMap() || !findings.document().find({u"secrets"_s}));
    QStringList taken;
    Value::Map secrets = job.secrets.asMap() ? *job.secrets.asMap() : Value::Map();
    for (qsizetype i = 0; i < job.prerequisites.size(); ++i) {
        Prerequisite &item = job.prerequisites[i];
        if (!item.auth || !isLiteral(item.auth->password)) {
            continue;
        }
        const YamlPath path = YamlPath{u"prerequisites"_s}.child(i).child(u"auth"_s).child(u"password"_s);
        const QString name = secretName(job, item.name, taken);
        const QString value = std::exchange(item.auth->password, u"<% $secrets."_s + name + u" %>"_s);
        taken.append(name);
        secrets.append({name, Value(value)});
        if (value == maskedText()) {
            job.askedSecrets.append(name);
            findings.add(u"secrets.value-masked"_s, Severity::Note, ServerVerdict::Accepts, path, {{u"name"_s, name}});
            continue;
        }
        Diagnostic &d = findings.add(u"prerequisite.auth-password"_s, Severity::Warning, ServerVerdict::Accepts, path,
            {{u"name"_s, item.name}, {u"secret"_s, name}});
        if (canHaveMore) {
            findings.fix(d, u"fix.make-secret"_s, {},
                {edit::SetText{YamlPath{u"secrets"_s}.child(name), value}, edit::SetText{path, item.auth->password}});
        }
    }
    if (!taken.isEmpty()) {
        job.secrets = Value(secrets);
    }
}

} // namespace trainyard
