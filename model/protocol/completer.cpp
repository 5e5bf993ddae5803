// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/completer.h"

#include "model/base/utf8.h"
#include "model/protocol/commandpath.h"
#include "model/protocol/yamllayout.h"
#include "model/yaml/yamllex.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

// As it must be written to be that text and nothing else.
QByteArray written(const QString &text, char quote)
{
    static const QRegularExpression simple(u"^[A-Za-z_][A-Za-z0-9_./-]*$"_s);
    static const QRegularExpression words(
        u"^(true|false|null|yes|no|on|off|y|n)$"_s, QRegularExpression::CaseInsensitiveOption);
    if (quote == '\'') {
        return QString(text).replace(u'\'', u"''"_s).toUtf8();
    }
    if (quote == '"' || (simple.match(text).hasMatch() && !words.match(text).hasMatch())) {
        return text.toUtf8();
    }
    return '\'' + QString(text).replace(u'\'', u"''"_s).toUtf8() + '\'';
}

// In a line that belongs to nothing, quotes are not known: a hash behind a blank begins a comment.
bool isInComment(const QByteArray &text, qsizetype caret)
{
    const qsizetype begin = yamllex::lineBegin(text, caret);
    for (qsizetype at = begin; at < caret; ++at) {
        if (text.at(at) == '#' && (at == begin || yamllex::isBlank(text.at(at - 1)))) {
            return true;
        }
    }
    return false;
}

} // namespace

Completer::Completer(const QByteArray &text, qsizetype caret, const SuggestionSources &sources)
    : m_text(text), m_caret(std::clamp<qsizetype>(caret, 0, text.size())), m_sources(sources),
      m_fields(sources.fields ? *sources.fields : FieldReference::bundled())
{
}

Suggestions Completer::run()
{
    m_place = caretPlaceAt(m_text, m_caret);
    if (m_place.kind == CaretPlace::Kind::Nothing && isInComment(m_text, m_caret)) {
        return {};
    }
    // Also where a line belongs to nothing, or goes on with the text of the line before as if it began a key: what
    // is meant inside of <% %> does not depend on the lines around it.
    if (const auto inside = templateAt(m_text, m_caret)) {
        templates(*inside);
        return m_result;
    }
    if (m_place.kind == CaretPlace::Kind::Text || m_place.kind == CaretPlace::Kind::Value) {
        if (isCommandPath(m_place.path)) {
            if (const auto variable = variableAt(m_text, m_caret)) {
                variables(*variable);
                return m_result;
            }
        }
    }
    if (m_place.kind == CaretPlace::Kind::Text || m_place.kind == CaretPlace::Kind::Nothing) {
        return {};
    }
    m_layout = layoutOf(m_text);
    m_kind = kindAt(m_place.path, [this](const YamlPath &path) { return scalarAt(m_text, path); });
    setRange(m_place.token);
    if (m_place.kind == CaretPlace::Kind::Key) {
        keys(m_place.path, m_place.keys, {});
        m_result.eager = !m_result.typed.isEmpty();
    } else {
        values();
    }
    // A single suggestion that equals the present text needs no list.
    if (m_result.items.size() == 1 && m_result.items.first().label == m_result.typed) {
        m_result.eager = false;
    }
    return m_result;
}

// The text is that of commands alone, and not of a job around them.
Suggestions Completer::runInCommands(const YamlPath &commands)
{
    m_place.path = commands;
    if (const auto inside = templateAt(m_text, m_caret)) {
        templates(*inside);
    } else if (const auto variable = variableAt(m_text, m_caret)) {
        variables(*variable);
    }
    return m_result;
}

void Completer::setRange(ByteRange range)
{
    m_result.range = range;
    m_result.typed = textFromUtf8(m_text.mid(range.begin, m_caret - range.begin));
}

QByteArray Completer::spaces(qsizetype count) const { return QByteArray(std::max<qsizetype>(0, count), ' '); }

// The text after a new key: as much as its type certainly needs.
void Completer::addKey(Suggestion item, FieldType type, const QByteArray &before)
{
    item.kind = Kind::Key;
    QByteArray text = before + written(item.label, m_place.quote);
    QByteArray after;
    if (m_place.kind == CaretPlace::Kind::Key && m_place.hasColon) {
        item.insert = text;
        item.caret = text.size();
        m_result.items.append(item);
        return;
    }
    if (m_place.quote) {
        text += m_place.quote;
    }
    const qsizetype column = m_place.column + before.trimmed().size() + (before.startsWith('-') ? 1 : 0);
    if (m_place.flow) {
        text += ": ";
        if (type == FieldType::Map || type == FieldType::List) {
            text += type == FieldType::Map ? '{' : '[';
            after = type == FieldType::Map ? "}" : "]";
        }
    } else if (type == FieldType::Map) {
        text += ':' + m_layout.eol + spaces(column + m_layout.step);
    } else if (type == FieldType::List) {
        text += ':' + m_layout.eol + spaces(column + m_layout.dash) + "- ";
    } else {
        text += ": ";
    }
    item.caret = text.size();
    item.insert = text + after;
    m_result.items.append(item);
}

void Completer::keys(const YamlPath &map, const QStringList &present, const QByteArray &before)
{
    for (const ReferenceField *field : m_fields.childrenOf(map, m_kind)) {
        if (present.contains(field->name())) {
            continue;
        }
        Suggestion item;
        item.label = field->name();
        item.detail = field->typeText();
        item.help = helpOf(*field);
        item.required = field->required;
        addKey(item, field->type, before);
    }
    // Keys that the user invents: those that are spoken of elsewhere.
    const ReferenceField *any = m_fields.itemOf(map, m_kind);
    QStringList names;
    if (any && any->reference == "role"_L1 && m_sources.job) {
        for (const TaskRole &role : m_sources.job->taskRoles) {
            names.append(role.name);
        }
    } else if (map.size() == 1 && (map.keyAt(0) == "parameters"_L1 || map.keyAt(0) == "secrets"_L1)) {
        names = referred(map.keyAt(0));
    }
    for (const QString &name : std::as_const(names)) {
        if (!present.contains(name)) {
            Suggestion item;
            item.label = name;
            item.help = any ? helpOf(*any) : QString();
            addKey(item, any ? any->type : FieldType::Any, before);
        }
    }
}

// Names under <% $scope. %> anywhere in the text.
QStringList Completer::referred(const QString &scope) const
{
    QStringList names;
    const QByteArray head = '$' + scope.toUtf8() + '.';
    for (qsizetype at = m_text.indexOf(head); at >= 0; at = m_text.indexOf(head, at + 1)) {
        qsizetype end = at + head.size();
        const qsizetype begin = end;
        while (end < m_text.size() && (QChar::isLetterOrNumber(uchar(m_text.at(end))) || m_text.at(end) == '_')) {
            ++end;
        }
        const QString name = textFromUtf8(m_text.mid(begin, end - begin));
        if (!name.isEmpty() && !names.contains(name)) {
            names.append(name);
        }
    }
    return names;
}

QString Completer::helpOf(const ReferenceField &field)
{
    return field.help.isEmpty() ? field.brief : field.brief + u' ' + field.help;
}

void Completer::values()
{
    const ReferenceField *field = m_fields.find(m_place.path, m_kind);
    const QByteArray space = m_place.needsSpace ? " " : "";
    const QByteArray before = space + (m_place.needsDash ? "- " : "");
    const bool nothing = m_place.token.length() == 0;
    if (m_place.path.isEmpty()) {
        keys({}, {}, {});
        m_result.eager = !m_result.typed.isEmpty();
        return;
    }
    if (!field) {
        return;
    }
    if (field->type == FieldType::Map) {
        if (m_place.mayBeKey || m_place.needsDash) {
            keys(m_place.path, {}, before);
            m_result.eager = !m_result.typed.isEmpty();
        }
        return;
    }
    if (field->type == FieldType::List) {
        listValue(before);
        return;
    }
    scalars(*field, m_place.path, before);
    m_result.eager
        = m_result.eager && (nothing || !m_result.typed.isEmpty()) && !m_place.needsDash && !m_place.needsSpace;
}

// A list begins here: its first item with its dash, or in brackets behind its key.
void Completer::listValue(const QByteArray &before)
{
    if (m_place.token.length() > 0
        || (!m_place.ownLine && !m_place.needsSpace && m_place.kind == CaretPlace::Kind::Value && m_place.mayBeKey)) {
        return;
    }
    const ReferenceField *item = m_fields.itemOf(m_place.path, m_kind);
    if (m_place.ownLine) {
        const CaretPlace was = m_place;
        m_place.path = m_place.path.child(qsizetype(0));
        if (item && item->type == FieldType::Map) {
            keys(m_place.path, {}, before + "- ");
        } else if (item) {
            scalars(*item, m_place.path, before + "- ");
        }
        m_place = was;
        m_result.eager = false;
    }
}

void Completer::addValue(
    Kind kind, const QString &label, const QString &detail, const QString &help, const QByteArray &before)
{
    Suggestion item;
    item.kind = kind;
    item.label = label;
    item.detail = detail;
    item.help = help;
    item.insert = before + (kind == Kind::Reference ? written(label, m_place.quote) : label.toUtf8());
    item.caret = item.insert.size();
    m_result.items.append(item);
}

void Completer::scalars(const ReferenceField &field, const YamlPath &path, const QByteArray &before)
{
    const bool quoted = m_place.quote != '\0';
    for (const ReferenceValue &value : field.values) {
        addValue(Kind::Value, value.value, value.value == field.defaultText() ? u"default"_s : QString(), value.text,
            before);
    }
    if (field.type == FieldType::Boolean && !quoted) {
        for (const QString &word : {u"true"_s, u"false"_s}) {
            addValue(Kind::Value, word, word == field.defaultText() ? u"default"_s : QString(), field.brief, before);
        }
    }
    references(field, path, before);
    m_result.eager = !m_result.items.isEmpty();
    if (field.secret && !quoted && m_sources.job) {
        if (const Value::Map *secrets = m_sources.job->secrets.asMap()) {
            for (const auto &[name, value] : *secrets) {
                addValue(Kind::Template, u"<% $secrets."_s + name + u" %>"_s, {}, field.brief, before);
            }
        }
    }
    if (m_result.items.isEmpty() && !field.defaultText().isEmpty() && !quoted && field.type != FieldType::Any) {
        addValue(Kind::Value, field.defaultText(), u"default"_s, helpOf(field), before);
    }
}

void Completer::references(const ReferenceField &field, const YamlPath &path, const QByteArray &before)
{
    if (path.keyAt(1) == "virtualCluster"_L1 && path.keyAt(0) == "defaults"_L1) {
        QStringList names = m_sources.virtualClusters;
        if (!names.contains("default"_L1)) {
            names.append(u"default"_s);
        }
        for (const QString &name : std::as_const(names)) {
            addValue(Kind::Reference, name, {}, field.brief, before);
        }
        return;
    }
    if (!m_sources.job) {
        return;
    }
    const JobSpec &job = *m_sources.job;
    const auto add = [&](const QString &name, const QString &detail) {
        const bool there = std::any_of(
            m_result.items.cbegin(), m_result.items.cend(), [&](const Suggestion &item) { return item.label == name; });
        if (!there && !m_place.items.contains(name) && !name.isEmpty()) {
            addValue(Kind::Reference, name, detail, {}, before);
        }
    };
    // The reference says nothing of `require`, which may name things outside of the job as well.
    if (field.reference == "prerequisite"_L1) {
        const bool require = path.keyAt(0) == "prerequisites"_L1;
        QString own;
        if (require && std::holds_alternative<qsizetype>(path.at(1))) {
            own = scalarAt(
                m_text, YamlPath{u"prerequisites"_s}.child(std::get<qsizetype>(path.at(1))).child(u"name"_s));
        }
        for (const Prerequisite &item : job.prerequisites) {
            if (item.type != "dockerimage"_L1 && item.name != own) {
                add(item.name, item.type);
            }
        }
    } else if (field.reference == "role"_L1) {
        for (const TaskRole &role : job.taskRoles) {
            add(role.name, {});
        }
    } else if (field.reference == "deployment"_L1) {
        for (const Deployment &deployment : job.deployments) {
            add(deployment.name, {});
        }
    } else if (!field.reference.isEmpty()) {
        for (const Prerequisite &item : job.prerequisites) {
            if (item.type == field.reference) {
                add(item.name, shortText(Value(item.uri.value(0))));
            }
        }
    }
}

} // namespace trainyard
