// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/suggestions.h"

#include "model/base/ascii.h"
#include "model/base/utf8.h"
#include "model/protocol/commandpath.h"
#include "model/protocol/plugins.h"
#include "model/protocol/yamllayout.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlscalar.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

using Kind = Suggestion::Kind;

QString textOf(const YamlPath::Element &element)
{
    const auto *key = std::get_if<QString>(&element);
    return key ? *key : QString();
}

bool isKeyAt(const YamlPath &path, qsizetype at, QLatin1StringView key)
{
    return at < path.size() && textOf(path.at(at)) == key;
}

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

// What fits at one place of a text. Large because each part of a job is completed by its own rules.
class Completer
{
public:
    Completer(const QByteArray &text, qsizetype caret, const SuggestionSources &sources)
        : m_text(text), m_caret(std::clamp<qsizetype>(caret, 0, text.size())), m_sources(sources),
          m_fields(sources.fields ? *sources.fields : FieldReference::bundled())
    {
    }

    Suggestions run()
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
        // What is there already, and nothing else, needs no list.
        if (m_result.items.size() == 1 && m_result.items.first().label == m_result.typed) {
            m_result.eager = false;
        }
        return m_result;
    }

    // The text is that of commands alone, and not of a job around them.
    Suggestions runInCommands(const YamlPath &commands)
    {
        m_place.path = commands;
        if (const auto inside = templateAt(m_text, m_caret)) {
            templates(*inside);
        } else if (const auto variable = variableAt(m_text, m_caret)) {
            variables(*variable);
        }
        return m_result;
    }

private:
    void setRange(ByteRange range)
    {
        m_result.range = range;
        m_result.typed = textFromUtf8(m_text.mid(range.begin, m_caret - range.begin));
    }

    // ---- keys ----

    QByteArray spaces(qsizetype count) const { return QByteArray(std::max<qsizetype>(0, count), ' '); }

    // What follows a new key: as much as its type is sure to need.
    void addKey(Suggestion item, FieldType type, const QByteArray &before)
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

    void keys(const YamlPath &map, const QStringList &present, const QByteArray &before)
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
        } else if (map.size() == 1 && (isKeyAt(map, 0, "parameters"_L1) || isKeyAt(map, 0, "secrets"_L1))) {
            names = referred(textOf(map.at(0)));
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
    QStringList referred(const QString &scope) const
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

    static QString helpOf(const ReferenceField &field)
    {
        return field.help.isEmpty() ? field.brief : field.brief + u' ' + field.help;
    }

    // ---- values ----

    void values()
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
    void listValue(const QByteArray &before)
    {
        if (m_place.token.length() > 0
            || (!m_place.ownLine && !m_place.needsSpace && m_place.kind == CaretPlace::Kind::Value
                && m_place.mayBeKey)) {
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

    void addValue(Kind kind, const QString &label, const QString &detail, const QString &help, const QByteArray &before)
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

    void scalars(const ReferenceField &field, const YamlPath &path, const QByteArray &before)
    {
        const bool quoted = m_place.quote != '\0';
        for (const ReferenceValue &value : field.values) {
            addValue(Kind::Value, value.value, value.value == field.defaultText() ? u"default"_s : QString(),
                value.text, before);
        }
        if (field.type == FieldType::Boolean && !quoted) {
            for (const QString &word : {u"true"_s, u"false"_s}) {
                addValue(
                    Kind::Value, word, word == field.defaultText() ? u"default"_s : QString(), field.brief, before);
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

    void references(const ReferenceField &field, const YamlPath &path, const QByteArray &before)
    {
        if (isKeyAt(path, 1, "virtualCluster"_L1) && isKeyAt(path, 0, "defaults"_L1)) {
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
            const bool there = std::any_of(m_result.items.cbegin(), m_result.items.cend(),
                [&](const Suggestion &item) { return item.label == name; });
            if (!there && !m_place.items.contains(name) && !name.isEmpty()) {
                addValue(Kind::Reference, name, detail, {}, before);
            }
        };
        // The reference says nothing of `require`, which may name things outside of the job as well.
        if (field.reference == "prerequisite"_L1) {
            const bool require = isKeyAt(path, 0, "prerequisites"_L1);
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

    // ---- <% %> ----

    void addTemplate(const QString &label, const QString &detail, const QString &help, const TemplateAt &at)
    {
        Suggestion item;
        item.kind = Kind::Template;
        item.label = label;
        item.detail = detail;
        item.help = help;
        item.insert = (at.spaceBefore ? "" : " ") + label.toUtf8();
        // What ends with a dot goes on.
        if (!at.closed && !label.endsWith(u'.')) {
            item.insert += " %>";
        }
        item.caret = item.insert.size();
        m_result.items.append(item);
    }

    void addValues(const QString &head, const Value &value, const QString &help, const TemplateAt &at, int depth)
    {
        if (m_result.items.size() > 500) {
            return;
        }
        if (const Value::Map *map = value.asMap(); map && depth < 4) {
            for (const auto &[key, inner] : *map) {
                if (!key.contains(u'.')) {
                    addValues(head + u'.' + key, inner, help, at, depth + 1);
                }
            }
            return;
        }
        if (const Value::List *list = value.asList(); list && depth < 4) {
            for (qsizetype i = 0; i < std::min<qsizetype>(list->size(), 8); ++i) {
                addValues(head + u'[' + QString::number(i) + u']', list->at(i), help, at, depth + 1);
            }
            return;
        }
        addTemplate(head, shortText(value), help, at);
    }

    // What takes the place of the name ends at the caret: what stands right of it was there before, unless it is the
    // rest of this name up to the end of the template, or of an index that begins before the caret.
    qsizetype endOfName(const TemplateAt &at) const
    {
        if (at.closed) {
            qsizetype end = at.key.end;
            while (end < m_text.size() && m_text.at(end) == ' ') {
                ++end;
            }
            return QByteArrayView(m_text).sliced(end).startsWith("%>") ? at.key.end : m_caret;
        }
        const QByteArrayView before = QByteArrayView(m_text).sliced(at.key.begin, m_caret - at.key.begin);
        if (before.lastIndexOf('[') <= before.lastIndexOf(']')) {
            return m_caret;
        }
        qsizetype end = m_caret;
        while (end < at.key.end && m_text.at(end) >= '0' && m_text.at(end) <= '9') {
            ++end;
        }
        return end < at.key.end && m_text.at(end) == ']' ? end + 1 : m_caret;
    }

    void templates(const TemplateAt &at)
    {
        setRange({at.key.begin, endOfName(at)});
        m_result.eager = true;
        if (m_sources.job) {
            valuesOf(*m_sources.job, at);
        }
        // A job that could not be read yet, or whose secrets were taken out, still says what it uses.
        const Value::Map *secrets = m_sources.job ? m_sources.job->secrets.asMap() : nullptr;
        if (!secrets || secrets->isEmpty()) {
            addReferred(u"secrets"_s, at);
        }
        if (!m_sources.job) {
            addReferred(u"parameters"_s, at);
        }
        keepScope();
    }

    // Other places of the text may name what is not defined, or not yet. What stands at the caret is no such name.
    void addReferred(const QString &scope, const TemplateAt &at)
    {
        const QString head = u'$' + scope + u'.';
        const QString own = textFromUtf8(m_text.mid(at.key.begin, at.key.length()));
        const QStringList names = referred(scope);
        for (const QString &name : names) {
            if (head + name != own || m_text.count((head + name).toUtf8()) > 1) {
                addTemplate(head + name, {}, {}, at);
            }
        }
    }

    // Behind "$data." nothing else is meant, such as a parameter that has the letters.
    void keepScope()
    {
        const qsizetype dot = m_result.typed.indexOf(u'.');
        const QString scope = dot < 0 ? QString() : m_result.typed.first(dot + 1);
        static const QStringList scopes{u"$parameters."_s, u"$secrets."_s, u"$script."_s, u"$data."_s, u"$output."_s};
        if (scopes.contains(scope)) {
            m_result.items.removeIf([&scope](const Suggestion &item) { return !item.label.startsWith(scope); });
        }
    }

    void valuesOf(const JobSpec &job, const TemplateAt &at)
    {
        const auto helpAt = [&](const YamlPath &path) {
            const ReferenceField *field = m_fields.find(path);
            return field ? field->brief : QString();
        };
        addValues(u"$parameters"_s, job.parameters, helpAt({u"parameters"_s, u"*"_s}), at, 0);
        if (const Value::Map *secrets = job.secrets.asMap()) {
            for (const auto &[name, value] : *secrets) {
                addTemplate(u"$secrets."_s + name, {}, helpAt({u"secrets"_s, u"*"_s}), at);
            }
        }
        const TaskRole *role = job.role(roleOf(m_place.path));
        if (role) {
            const std::pair<QString, QString> scopes[]
                = {{u"script"_s, role->script}, {u"data"_s, role->data}, {u"output"_s, role->output}};
            for (const auto &[scope, name] : scopes) {
                const Prerequisite *item = name.isEmpty() ? nullptr : job.prerequisite(scope, name);
                const Value::Map *map = item ? item->all.asMap() : nullptr;
                if (!map) {
                    continue;
                }
                for (const auto &[key, value] : *map) {
                    if (key == "name"_L1 || key == "uri"_L1 || key == "version"_L1) {
                        addValues(u'$' + scope + u'.' + key, value, item->name, at, 1);
                    }
                }
            }
        } else if (isKeyAt(m_place.path, 0, "prerequisites"_L1) && m_place.path.size() > 2
            && std::holds_alternative<qsizetype>(m_place.path.at(1))) {
            const qsizetype index = std::get<qsizetype>(m_place.path.at(1));
            const Value *all = index < job.prerequisites.size() ? &job.prerequisites.at(index).all : nullptr;
            if (const Value::Map *map = all ? all->asMap() : nullptr) {
                for (const auto &[key, value] : *map) {
                    if (!value.asList() && !value.asMap()) {
                        addTemplate(u"this."_s + key, shortText(value), {}, at);
                    }
                }
            }
        }
    }

    // ---- variables ----

    void variables(const VariableAt &at)
    {
        const bool close = at.braced && (at.name.end >= m_text.size() || m_text.at(at.name.end) != '}');
        const bool isClosed = at.braced && !close;
        setRange({at.name.begin, isClosed ? at.name.end : m_caret});
        m_result.eager = true;
        const JobSpec empty;
        const JobSpec &job = m_sources.job ? *m_sources.job : empty;
        const QString role = roleOf(m_place.path);
        const QHash<QString, QString> values = variableValues(job, role);
        QList<Suggestion> old;
        for (const ReferenceVariable &variable : m_fields.variables()) {
            for (const QString &name : variableNames(variable, job, role)) {
                Suggestion item;
                item.kind = Kind::Variable;
                item.label = name;
                item.detail = values.value(name).left(48);
                item.help = variable.text;
                item.preferred = !variable.old;
                item.insert = name.toUtf8() + (close ? "}" : "");
                item.caret = item.insert.size();
                (variable.old ? old : m_result.items).append(item);
            }
        }
        m_result.items += old;
    }

    const QByteArray &m_text;
    qsizetype m_caret;
    const SuggestionSources &m_sources;
    const FieldReference &m_fields;
    CaretPlace m_place;
    YamlLayout m_layout;
    QString m_kind;
    Suggestions m_result;
};

} // namespace

Suggestions suggestionsAt(const QByteArray &text, qsizetype caret, const SuggestionSources &sources)
{
    return Completer(text, caret, sources).run();
}

Suggestions commandSuggestionsAt(
    const QByteArray &commands, qsizetype caret, const YamlPath &path, const SuggestionSources &sources)
{
    return Completer(commands, caret, sources).runInCommands(path);
}

QList<Suggestion> matching(const QList<Suggestion> &items, const QString &typed)
{
    if (typed.isEmpty()) {
        return items;
    }
    const auto rankOf = [&](const QString &label) {
        if (label.startsWith(typed)) {
            return 0;
        }
        if (label.startsWith(typed, Qt::CaseInsensitive)) {
            return 1;
        }
        for (qsizetype at = label.indexOf(typed, 1, Qt::CaseInsensitive); at > 0;
             at = label.indexOf(typed, at + 1, Qt::CaseInsensitive)) {
            const bool part
                = !label.at(at - 1).isLetterOrNumber() || (label.at(at).isUpper() && !label.at(at - 1).isUpper());
            if (part) {
                return 2;
            }
        }
        if (typed.size() < 2) {
            return -1;
        }
        if (label.contains(typed, Qt::CaseInsensitive)) {
            return 3;
        }
        qsizetype next = 0;
        for (const QChar c : label) {
            if (next < typed.size() && c.toLower() == typed.at(next).toLower()) {
                ++next;
            }
        }
        return next == typed.size() && typed.size() > 2 && label.at(0).toLower() == typed.at(0).toLower() ? 4 : -1;
    };
    QList<Suggestion> ranked[5];
    for (const Suggestion &item : items) {
        if (const int rank = rankOf(item.label); rank >= 0) {
            ranked[rank].append(item);
        }
    }
    const QList<Suggestion> good = ranked[0] + ranked[1] + ranked[2];
    return good.isEmpty() ? ranked[3] + ranked[4] : good;
}

std::optional<VariableAt> variableAt(const QByteArray &text, qsizetype offset)
{
    qsizetype begin = std::clamp<qsizetype>(offset, 0, text.size());
    while (begin > 0 && ascii::isWord(text.at(begin - 1))) {
        --begin;
    }
    qsizetype end = begin;
    while (end < text.size() && ascii::isWord(text.at(end))) {
        ++end;
    }
    if (begin > 0 && text.at(begin - 1) == '$') {
        return VariableAt{{begin, end}, false};
    }
    if (begin > 1 && text.at(begin - 1) == '{' && text.at(begin - 2) == '$') {
        return VariableAt{{begin, end}, true};
    }
    return {};
}

std::optional<TemplateAt> templateAt(const QByteArray &text, qsizetype offset)
{
    offset = std::clamp<qsizetype>(offset, 0, text.size());
    const qsizetype line = yamllex::lineBegin(text, offset);
    const qsizetype lineEnd = yamllex::lineEnd(text, offset);
    const qsizetype open = text.left(offset).lastIndexOf("<%");
    if (open < line || open + 2 > offset) {
        return {};
    }
    const qsizetype close = text.indexOf("%>", open + 2);
    if (close >= 0 && close < offset) {
        return {};
    }
    TemplateAt at;
    const qsizetype nextOpen = text.indexOf("<%", open + 2);
    at.closed = close >= 0 && close < lineEnd && (nextOpen < 0 || nextOpen > close);
    qsizetype begin = open + 2;
    while (begin < offset && text.at(begin) == ' ') {
        ++begin;
    }
    at.spaceBefore = begin > open + 2;
    qsizetype end = begin;
    const qsizetype limit = at.closed ? close : lineEnd;
    // A bracket that was not opened in the name ends the list around it.
    for (bool isOpen = false; end < limit; ++end) {
        const char c = text.at(end);
        if (!ascii::isWord(c) && !std::strchr("$.[-", c) && !(c == ']' && isOpen)) {
            break;
        }
        isOpen = c == '[' || (isOpen && c != ']');
    }
    if (end < offset) {
        return {}; // behind the name
    }
    at.key = {begin, end};
    return at;
}

QString roleOf(const YamlPath &path)
{
    if (path.size() >= 2 && isKeyAt(path, 0, "taskRoles"_L1)) {
        return textOf(path.at(1));
    }
    if (path.size() >= 4 && isKeyAt(path, 0, "deployments"_L1) && isKeyAt(path, 2, "taskRoles"_L1)) {
        return textOf(path.at(3));
    }
    return {};
}

QString shortText(const Value &value, int limit)
{
    QString text;
    if (value.isNull()) {
        text = u"null"_s;
    } else if (value.asList() || value.asMap()) {
        const QJsonValue json = value.toJson();
        text = textFromUtf8(json.isArray() ? QJsonDocument(json.toArray()).toJson(QJsonDocument::Compact)
                                           : QJsonDocument(json.toObject()).toJson(QJsonDocument::Compact));
    } else {
        text = value.toText();
    }
    text = text.left(4 * limit).simplified();
    return text.size() > limit ? text.left(limit - 1) + u'\u2026' : text;
}

} // namespace trainyard
