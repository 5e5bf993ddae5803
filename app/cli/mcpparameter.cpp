// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpparameter.h"

#include "app/cli/console.h"
#include "app/cli/mcpfiles.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

using Kind = ToolParameter::Kind;

constexpr qsizetype longestText = 1000;
constexpr qsizetype mostValues = 100;

bool isTextRight(const QJsonValue &value, const ToolParameter &parameter)
{
    const QString text = value.toString();
    const bool isDocument = parameter.kind == Kind::Document;
    const qsizetype most = isDocument ? qsizetype(Roots::mostBytes) : longestText;
    return value.isString() && !text.isEmpty() && text.size() <= most && !text.contains(QChar(0))
        && (isDocument || !text.contains(u'\n')) && (parameter.words.isEmpty() || parameter.words.contains(text));
}

} // namespace

QJsonObject schemaOf(const ToolParameter &parameter)
{
    QJsonObject schema{{u"description"_s, parameter.about}};
    switch (parameter.kind) {
    case Kind::Text:
    case Kind::Document:
        schema.insert(u"type"_s, u"string"_s);
        if (!parameter.words.isEmpty()) {
            schema.insert(u"enum"_s, QJsonArray::fromStringList(parameter.words));
        }
        break;
    case Kind::Number:
        schema.insert(u"type"_s, u"integer"_s);
        schema.insert(u"minimum"_s, parameter.least);
        schema.insert(u"maximum"_s, parameter.most);
        break;
    case Kind::Switch:
        schema.insert(u"type"_s, u"boolean"_s);
        break;
    case Kind::Texts:
        schema.insert(u"type"_s, u"array"_s);
        schema.insert(u"items"_s, QJsonObject{{u"type"_s, u"string"_s}});
        schema.insert(u"maxItems"_s, parameter.most);
        break;
    case Kind::Values:
        schema.insert(u"type"_s, u"object"_s);
        schema.insert(
            u"additionalProperties"_s, QJsonObject{{u"type"_s, QJsonArray{u"string"_s, u"number"_s, u"boolean"_s}}});
        break;
    }
    return schema;
}

bool isValueRight(const QJsonValue &value, const ToolParameter &parameter)
{
    switch (parameter.kind) {
    case Kind::Text:
    case Kind::Document:
        return isTextRight(value, parameter);
    case Kind::Number: {
        const double number = value.toDouble(-1);
        return value.isDouble() && std::floor(number) == number && number >= double(parameter.least)
            && number <= double(parameter.most);
    }
    case Kind::Switch:
        return value.isBool();
    case Kind::Texts: {
        const QJsonArray texts = value.toArray();
        const ToolParameter each{parameter.name, Kind::Text, {}};
        return value.isArray() && texts.size() <= parameter.most
            && std::all_of(texts.begin(), texts.end(), [&each](const auto &text) { return isTextRight(text, each); });
    }
    case Kind::Values: {
        const QJsonObject values = value.toObject();
        const ToolParameter each{parameter.name, Kind::Text, {}};
        return value.isObject() && values.size() <= mostValues
            && std::all_of(values.begin(), values.end(),
                [&each](const auto &one) { return one.isDouble() || one.isBool() || isTextRight(one, each); });
    }
    }
    return false;
}

QString valueText(const ToolParameter &parameter)
{
    switch (parameter.kind) {
    case Kind::Text:
        return parameter.words.isEmpty() ? tr("a text of one line, of at most %1 characters").arg(longestText)
                                         : tr("one of %1").arg(parameter.words.join(u", "_s));
    case Kind::Document:
        return tr("a text of at most %1 characters").arg(Roots::mostBytes);
    case Kind::Number:
        return tr("a whole number from %1 to %2").arg(parameter.least).arg(parameter.most);
    case Kind::Switch:
        return tr("true or false");
    case Kind::Texts:
        return tr("a list of at most %1 texts").arg(parameter.most);
    case Kind::Values:
        return tr("an object of at most %1 texts, numbers and truth values").arg(mostValues);
    }
    return {};
}

} // namespace trainyard::cli::mcp
