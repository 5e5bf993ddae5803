// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamljson.h"

#include "model/base/utf8.h"
#include "model/yaml/yamlencode.h"
#include "model/yaml/yamlscalar.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace trainyard::yamljson
{

namespace
{

bool isJsonBelow(const YamlNode *node)
{
    if (node->kind == YamlNode::Kind::Alias || !node->anchor.isEmpty() || !node->tag.isEmpty()) {
        return false;
    }
    if (node->kind == YamlNode::Kind::Scalar) {
        return node->style == YamlNode::Style::Plain || node->style == YamlNode::Style::DoubleQuoted;
    }
    return node->style == YamlNode::Style::Flow
        && std::all_of(node->entries.cbegin(), node->entries.cend(), [](const YamlNode::Entry &entry) {
               return (!entry.key
                          || (entry.key->kind == YamlNode::Kind::Scalar
                              && entry.key->style == YamlNode::Style::DoubleQuoted))
                   && isJsonBelow(entry.value);
           });
}

QByteArray scalarText(const YamlNode *node)
{
    const TypedScalar typed = typedScalar(*node);
    switch (typed.type) {
    case ScalarType::Null:
        return "null";
    case ScalarType::Bool:
        return typed.value == Value(true) ? "true" : "false";
    case ScalarType::Int:
    case ScalarType::Float: {
        static const QRegularExpression number(QStringLiteral("\\A-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?\\z"));
        if (number.match(textFromUtf8(node->scalar)).hasMatch()) {
            return node->scalar; // as it was spelled
        }
        if (const qint64 *whole = typed.value.asInt()) {
            return QByteArray::number(*whole);
        }
        if (const double *real = typed.value.asDouble(); real && std::isfinite(*real)) {
            return QByteArray::number(*real, 'g', QLocale::FloatingPointShortest);
        }
        break;
    }
    default:
        break;
    }
    return yamlencode::jsonQuoted(node->scalar);
}

} // namespace

bool isJson(const YamlNode *root) { return root && root->isMap() && isJsonBelow(root); }

std::optional<QByteArray> text(const YamlNode *node)
{
    if (node->kind == YamlNode::Kind::Alias) {
        return std::nullopt;
    }
    if (node->kind == YamlNode::Kind::Scalar) {
        return scalarText(node);
    }
    QByteArray result;
    for (const YamlNode::Entry &entry : node->entries) {
        const std::optional<QByteArray> value = text(entry.value);
        if (!value || (entry.key && entry.key->kind != YamlNode::Kind::Scalar)) {
            return std::nullopt;
        }
        result += result.isEmpty() ? "" : ", ";
        result += entry.key ? yamlencode::jsonQuoted(entry.key->scalar) + ": " + *value : *value;
    }
    return node->isMap() ? '{' + result + '}' : '[' + result + ']';
}

} // namespace trainyard::yamljson
