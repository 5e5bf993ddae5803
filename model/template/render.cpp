// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/render.h"

#include "model/template/tags.h"
#include "model/yaml/yamlscalar.h"

#include <algorithm>

namespace trainyard
{

namespace
{

const Value *scopeValue(const TemplateScopes &scopes, const QString &scope)
{
    if (scope == QLatin1String("$parameters")) {
        return scopes.parameters;
    }
    if (scope == QLatin1String("$secrets")) {
        return scopes.secrets;
    }
    if (scope == QLatin1String("$script")) {
        return scopes.script;
    }
    if (scope == QLatin1String("$output")) {
        return scopes.output;
    }
    if (scope == QLatin1String("$data")) {
        return scopes.data;
    }
    return scope == QLatin1String("this") ? scopes.self : nullptr;
}

} // namespace

namespace
{

const Value *nodeAt(const Value *value, const QStringList &path)
{
    for (qsizetype i = 0; value && i < path.size(); ++i) {
        const QString &name = path.at(i);
        if (const Value::List *list = value->asList()) {
            bool isIndex = false;
            const qsizetype index = name.toLongLong(&isIndex);
            value = isIndex && index >= 0 && index < list->size() ? &list->at(index) : nullptr;
        } else {
            value = value->find(name);
        }
    }
    return value;
}

const Value *valueAt(const Value *value, const QStringList &path)
{
    const Value *node = nodeAt(value, path);
    return node && !node->isNull() ? node : nullptr;
}

} // namespace

bool isNullAt(const Value &scope, const QStringList &path)
{
    const Value *node = nodeAt(&scope, path);
    return node && node->isNull();
}

const Value *lookUp(const TemplateScopes &scopes, const QString &key)
{
    const TemplateReference reference = templateReference(key);
    const Value *scope = scopeValue(scopes, reference.scope);
    const Value *value = valueAt(scope, reference.path);
    // The proposal of prerequisites calls an item's own keys its parameters: <% this.parameters.key1 %>.
    const bool mayBeParameter = !value && reference.scope == QLatin1String("this") && reference.path.size() > 1
        && reference.path.first() == QLatin1String("parameters");
    return mayBeParameter ? valueAt(scope, reference.path.sliced(1)) : value;
}

Result<Rendered> renderTemplate(const QString &text, const TemplateScopes &scopes)
{
    const Result<QList<TemplateTag>> tags = templateTags(text);
    if (!tags) {
        return tl::unexpected(tags.error());
    }
    Rendered result;
    qsizetype at = 0;
    for (const TemplateTag &tag : *tags) {
        result.text += QStringView(text).mid(at, tag.begin - at);
        at = tag.end;
        const Value *value = tag.kind == TemplateTag::Kind::Name ? lookUp(scopes, tag.key) : nullptr;
        result.usesSecret = result.usesSecret || templateReference(tag.key).scope == QLatin1String("$secrets");
        if (value) {
            const QString filledIn = value->toText();
            result.filled.append({result.text.size(), filledIn.size(), tag.key});
            result.text += filledIn;
        } else {
            result.unresolved.append(tag.key);
            result.text += QStringView(text).mid(tag.begin, tag.end - tag.begin);
        }
        if (result.text.size() > maxRenderedLength) {
            return fail(QStringLiteral("template.too-large"), {{QStringLiteral("limit"), maxRenderedLength}});
        }
    }
    result.text += QStringView(text).mid(at);
    return result;
}

// Nothing and "~" are what was typed: a parameter without a value would leave its references in the commands. So
// are digits that no number holds exactly.
Value overrideValue(const QString &text)
{
    const Value value = typedPlain(text.toUtf8()).value;
    const bool isDigits = std::all_of(text.cbegin(), text.cend(),
        [&text](const QChar &c) { return (c >= u'0' && c <= u'9') || (c == u'-' && &c == text.cbegin()); });
    return value.isNull() || (value.asDouble() && isDigits) ? Value(text) : value;
}

Value withOverrides(const Value &parameters, const QMap<QString, QString> &overrides)
{
    Value::Map map = parameters.asMap() ? *parameters.asMap() : Value::Map{};
    for (auto it = overrides.begin(); it != overrides.end(); ++it) {
        const Value value = overrideValue(it.value());
        const auto known
            = std::find_if(map.begin(), map.end(), [&](const auto &entry) { return entry.first == it.key(); });
        if (known != map.end()) {
            known->second = value;
        } else {
            map.append({it.key(), value});
        }
    }
    return Value(map);
}

} // namespace trainyard
