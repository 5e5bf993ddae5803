// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "model/protocol/completer.h"
#include "model/yaml/yamllex.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

void Completer::addTemplate(const QString &label, const QString &detail, const QString &help, const TemplateAt &at)
{
    Suggestion item;
    item.kind = Kind::Template;
    item.label = label;
    item.detail = detail;
    item.help = help;
    item.insert = (at.spaceBefore ? "" : " ") + label.toUtf8();
    // A suggestion that ends with a dot is continued.
    if (!at.closed && !label.endsWith(u'.')) {
        item.insert += " %>";
    }
    item.caret = item.insert.size();
    m_result.items.append(item);
}

void Completer::addValues(const QString &head, const Value &value, const QString &help, const TemplateAt &at, int depth)
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

// The replacement of the name ends at the caret: the text to the right of it was there before, unless it is the
// rest of this name up to the end of the template, or of an index that begins before the caret.
qsizetype Completer::endOfName(const TemplateAt &at) const
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

void Completer::templates(const TemplateAt &at)
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

// Other positions of the text may use names that are not defined, or not yet. The word at the caret is not such a name.
void Completer::addReferred(const QString &scope, const TemplateAt &at)
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
void Completer::keepScope()
{
    const qsizetype dot = m_result.typed.indexOf(u'.');
    const QString scope = dot < 0 ? QString() : m_result.typed.first(dot + 1);
    static const QStringList scopes{u"$parameters."_s, u"$secrets."_s, u"$script."_s, u"$data."_s, u"$output."_s};
    if (scopes.contains(scope)) {
        m_result.items.removeIf([&scope](const Suggestion &item) { return !item.label.startsWith(scope); });
    }
}

void Completer::valuesOf(const JobSpec &job, const TemplateAt &at)
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
    } else if (m_place.path.keyAt(0) == "prerequisites"_L1 && m_place.path.size() > 2
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

void Completer::variables(const VariableAt &at)
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

} // namespace trainyard
