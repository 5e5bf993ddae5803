// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/plugins.h"
#include "model/protocol/templaterules.h"
#include "model/template/tags.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

void TemplateRules::unresolved(const TemplateText &text, const TemplateTag &tag, const TemplateReference &reference,
    Severity severity, const QString &where, ByteRange at)
{
    const QString name = reference.path.value(0);
    const QJsonObject args{{u"reference"_s, tag.key}, {u"name"_s, name}, {u"where"_s, where}};
    static const QRegularExpression plain(u"^[A-Za-z0-9_-]+\\z"_s);
    const bool parameter = reference.scope == u"$parameters"_s;
    const bool secret = reference.scope == u"$secrets"_s;
    if (secret && reference.path.size() == 1 && m_job.askedSecrets.contains(name)) {
        return; // a value without content here has one when the job runs
    }
    const Value &map = secret ? m_job.secrets : m_job.parameters;
    const auto addFix = [&](Diagnostic &d, const QString &from, const QString &to) {
        const QByteArray written = m_out.document().bytes().mid(at.begin, at.length());
        const qsizetype found = written.indexOf(from.toUtf8());
        if (!to.isEmpty() && plain.match(QString(to).remove(u'$').remove(u'.')).hasMatch() && found >= 0
            && written.startsWith("<%") && written.endsWith("%>")) {
            const qsizetype begin = at.begin + found;
            d.fixes.append(
                {u"fix.did-you-mean"_s, {{u"name"_s, to}}, {{{begin, begin + from.toUtf8().size()}, to.toUtf8()}}});
        }
    };
    if ((parameter || secret) && !name.isEmpty() && !map.find(name)) {
        Diagnostic &d = m_out.addAt(parameter ? u"template.unknown-parameter"_s : u"template.unknown-secret"_s,
            severity, ServerVerdict::Accepts, text.path, at, args);
        QStringList names;
        for (const auto &entry : map.asMap() ? *map.asMap() : Value::Map{}) {
            names.append(entry.first);
        }
        const QString like = nearest(name, names);
        const QString meant = like.isEmpty() && parameter ? m_meant : like;
        addFix(d, name, meant);
        if (parameter && !d.fixes.isEmpty() && m_unused.contains(meant)) {
            m_misnamed.append({name, meant, d.fixes.constFirst().edits.constFirst()});
        }
        if (plain.match(name).hasMatch()) {
            const QString section = parameter ? u"parameters"_s : u"secrets"_s;
            // Only the user knows the value of a parameter: null is reported until there is one.
            const YamlPath place = YamlPath{section}.child(name);
            m_out.fix(d, parameter ? u"fix.define-parameter"_s : u"fix.define-secret"_s, {{u"name"_s, name}},
                {parameter ? edit::Op(edit::SetValue{place, "null"}) : edit::Op(edit::SetText{place, maskedText()})});
        }
        return;
    }
    if ((parameter || secret) && isNullAt(map, reference.path)) {
        m_out.addAt(u"template.no-value"_s, severity, ServerVerdict::Accepts, text.path, at, args);
        return;
    }
    if (isKnownScope(tag.key) && reference.scope != u"this"_s) {
        m_out.addAt(u"template.unknown-path"_s, severity, ServerVerdict::Accepts, text.path, at, args);
        return;
    }
    if (reference.scope == u"this"_s) {
        m_out.addAt(severity == Severity::Error ? u"template.unknown-path"_s : u"template.this-in-command"_s, severity,
            ServerVerdict::Accepts, text.path, at, args);
        return;
    }
    const QStringList scopes{u"$parameters"_s, u"$secrets"_s, u"$data"_s, u"$script"_s, u"$output"_s};
    Diagnostic &d
        = m_out.addAt(u"template.unknown-scope"_s, Severity::Warning, ServerVerdict::Accepts, text.path, at, args);
    addFix(d, reference.scope,
        scopes.contains(u'$' + reference.scope) ? QString(u'$' + reference.scope) : nearest(reference.scope, scopes));
    if (!d.fixes.isEmpty() && d.fixes.constFirst().args.value("name"_L1) == scopes.constFirst()) {
        m_wanted.insert(name);
    }
}

// A value is inserted as it is: references inside of it are not followed.
void TemplateRules::checkParameterTemplates()
{
    for (const auto &[name, value] : m_job.parameters.asMap() ? *m_job.parameters.asMap() : Value::Map{}) {
        const QString *text = value.asString();
        if (!text || !hasTag(*text)) {
            continue;
        }
        const Result<QList<TemplateTag>> tags = templateTags(*text);
        for (const TemplateTag &tag : tags ? *tags : QList<TemplateTag>{}) {
            if (templateReference(tag.key).scope != u"$secrets"_s) {
                const TemplateText where{*text, YamlPath{u"parameters"_s}.child(name)};
                m_out.addAt(u"template.in-parameter"_s, Severity::Warning, ServerVerdict::Accepts, where.path,
                    locate(where, tag), {{u"name"_s, name}, {u"reference"_s, tag.key}});
            }
        }
    }
}

void TemplateRules::readUses()
{
    // Looks at all of the text, comments too: rather miss one than call a used one unused.
    const QByteArray &bytes = m_out.document().bytes();
    QSet<QByteArray> used;
    const QByteArray scope = "$parameters";
    for (qsizetype at = bytes.indexOf(scope); at >= 0; at = bytes.indexOf(scope, at + scope.size())) {
        qsizetype begin = at + scope.size();
        if (begin >= bytes.size() || bytes.at(begin) != '.') {
            return; // all of them at once
        }
        qsizetype end = ++begin;
        while (end < bytes.size() && !QByteArrayView(" \t\r\n.[%\"'").contains(bytes.at(end))) {
            ++end;
        }
        used.insert(bytes.mid(begin, end - begin));
    }
    for (const auto &[name, value] : m_job.parameters.asMap() ? *m_job.parameters.asMap() : Value::Map{}) {
        if (!used.remove(name.toUtf8())) {
            m_unused.append(name);
        }
    }
    if (m_unused.size() == 1 && used.size() == 1) { // the one is what the other means
        m_meant = m_unused.constFirst();
    }
}

void TemplateRules::checkUnusedParameters()
{
    for (const QString &name : std::as_const(m_unused)) {
        if (m_wanted.contains(name)) {
            continue; // it is used once the reference is right
        }
        const YamlPath path = YamlPath{u"parameters"_s}.child(name);
        Diagnostic &d = m_out.add(
            u"parameter.unused"_s, Severity::Note, ServerVerdict::Accepts, path, {{u"name"_s, name}}, Point::Key);
        TextEdits edits;
        QString other;
        for (const Misnamed &each : std::as_const(m_misnamed)) {
            if (each.meant == name && (other.isEmpty() || other == each.name)) {
                other = each.name;
                edits.append(each.edit);
            }
        }
        std::sort(edits.begin(), edits.end(),
            [](const TextEdit &a, const TextEdit &b) { return a.range.begin < b.range.begin; });
        edits.erase(std::unique(edits.begin(), edits.end()), edits.end()); // a step may belong to several roles
        if (!edits.isEmpty()) {
            m_out.fixText(d, u"fix.refer-to"_s, edits, {{u"name"_s, name}, {u"other"_s, other}});
        }
        m_out.fix(d, u"fix.remove"_s, {{u"field"_s, name}}, {edit::Remove{path}});
    }
}

} // namespace trainyard
