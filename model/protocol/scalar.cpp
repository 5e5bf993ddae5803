// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/scalar.h"

#include "model/base/utf8.h"

#include <QRegularExpression>

#include <cmath>

namespace trainyard
{

namespace
{

constexpr int maxDepth = 80; // the parser stops at 64; aliases may add to it

bool looksNumeric(const QByteArray &text)
{
    const char c = text.isEmpty() ? 'x' : text.at(0);
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

const YamlNode *resolvedOrNull(const YamlNode *node) { return node ? node->resolved() : nullptr; }

bool isMergeKey(const YamlNode *key)
{
    return key && key->kind == YamlNode::Kind::Scalar && key->style == YamlNode::Style::Plain && key->scalar == "<<"
        && (key->tag.isEmpty() || key->tag == "tag:yaml.org,2002:merge");
}

QString keyText(const YamlNode *key)
{
    const YamlNode *node = resolvedOrNull(key);
    if (!node) {
        return QStringLiteral("null");
    }
    if (node->kind == YamlNode::Kind::Sequence) {
        // A list in it need not be read, because no server accepts that. A few bytes may be aliases of long texts.
        constexpr qsizetype longest = 1024;
        QStringList items;
        qsizetype size = 0;
        for (const YamlNode::Entry &entry : node->entries) {
            const YamlNode *item = resolvedOrNull(entry.value);
            const bool isText = item->kind == YamlNode::Kind::Scalar && item->scalar.size() <= longest;
            const Value value = isText ? typedScalar(*item).value : Value();
            items.append(!value.isNull() ? value.toText()
                    : item->isMap()      ? QStringLiteral("[object Object]")
                                         : QString());
            size += items.constLast().size() + 1;
            if (size > longest) {
                break;
            }
        }
        return items.join(QLatin1Char(','));
    }
    if (node->kind != YamlNode::Kind::Scalar) {
        return QStringLiteral("[object Object]");
    }
    const TypedScalar typed = typedScalar(*node);
    return typed.type == ScalarType::Null ? QStringLiteral("null") : typed.value.toText();
}

} // namespace

ReaderDifference readerDifference(const YamlNode &scalar)
{
    if (scalar.kind != YamlNode::Kind::Scalar || scalar.style != YamlNode::Style::Plain || !scalar.tag.isEmpty()) {
        return ReaderDifference::Agree;
    }
    const QByteArray &text = scalar.scalar;
    constexpr qsizetype longest = 64; // no number or date is longer and means something
    if (text.size() > longest) {
        return ReaderDifference::Agree;
    }
    const QByteArray lower = text.toLower();
    if (lower == "yes" || lower == "no" || lower == "on" || lower == "off") {
        const bool oneCase = text == lower || text == text.toUpper() || text == char(text.at(0) & ~0x20) + lower.mid(1);
        return oneCase ? ReaderDifference::Boolean : ReaderDifference::Agree;
    }
    if (!looksNumeric(text)) {
        return ReaderDifference::Agree;
    }
    const TypedScalar typed = typedPlain(text);
    const QByteArray unsigned_ = text.startsWith('-') || text.startsWith('+') ? text.mid(1) : text;
    switch (typed.type) {
    case ScalarType::Int:
        if (text.contains(':')) {
            return ReaderDifference::Sexagesimal;
        }
        if (text.contains('_') || unsigned_.startsWith("0b")) {
            return ReaderDifference::Grouped;
        }
        return unsigned_.size() > 1 && unsigned_.startsWith('0') && unsigned_.at(1) != 'x' ? ReaderDifference::Octal
                                                                                           : ReaderDifference::Agree;
    case ScalarType::Float:
        if (text.contains(':')) {
            return ReaderDifference::Sexagesimal;
        }
        if (text.contains('_')) {
            return ReaderDifference::Grouped;
        }
        if (lower.contains('e') && !(text.contains('.') && (lower.contains("e+") || lower.contains("e-")))) {
            return ReaderDifference::Exponent;
        }
        if (const double *number = typed.value.asDouble(); number && *number == std::trunc(*number)) {
            return std::isfinite(*number) ? ReaderDifference::WholeFloat : ReaderDifference::Agree;
        }
        return ReaderDifference::Agree;
    case ScalarType::Timestamp:
        return ReaderDifference::Timestamp;
    case ScalarType::String: {
        static const QRegularExpression core(QStringLiteral("^(?:[-+]?[0-9]+|0o[0-7]+)$"));
        return core.match(QString::fromLatin1(text)).hasMatch() ? ReaderDifference::Octal : ReaderDifference::Agree;
    }
    case ScalarType::Null:
    case ScalarType::Bool:
    case ScalarType::Merge:
    case ScalarType::Binary:
    case ScalarType::Invalid:
        break;
    }
    return ReaderDifference::Agree;
}

bool ValueReader::spend(qsizetype nodes)
{
    if (m_exhausted || nodes > m_budget) {
        m_exhausted = true;
        return false;
    }
    m_budget -= nodes;
    return true;
}

Value ValueReader::value(const YamlNode *node) { return convert(node, 0); }

Value ValueReader::convert(const YamlNode *node, int depth)
{
    const YamlNode *resolved = resolvedOrNull(node);
    if (!resolved || !spend(1)) {
        return {};
    }
    if (depth > maxDepth) {
        m_exhausted = true;
        return {};
    }
    switch (resolved->kind) {
    case YamlNode::Kind::Scalar: {
        // Long texts cost more: a thousand aliases of one are a thousand texts once they are inserted.
        if (!spend(resolved->scalar.size() / 32)) {
            return {};
        }
        const TypedScalar typed = typedScalar(*resolved);
        return typed.type == ScalarType::Binary ? Value(textFromUtf8(QByteArray::fromBase64(resolved->scalar)))
                                                : typed.value;
    }
    case YamlNode::Kind::Sequence: {
        Value::List list;
        const QList<const YamlNode *> nodes = items(resolved);
        list.reserve(nodes.size());
        for (const YamlNode *item : nodes) {
            list.append(convert(item, depth + 1));
        }
        return Value(list);
    }
    case YamlNode::Kind::Map: {
        Value::Map map;
        const QList<MapEntry> all = entries(resolved);
        map.reserve(all.size());
        for (const MapEntry &entry : all) {
            map.append({entry.key, convert(entry.value, depth + 1)});
        }
        return Value(map);
    }
    case YamlNode::Kind::Alias:
        break;
    }
    return {};
}

QList<MapEntry> ValueReader::entries(const YamlNode *map)
{
    QList<MapEntry> all;
    const YamlNode *resolved = resolvedOrNull(map);
    if (resolved && resolved->isMap()) {
        QHash<QString, qsizetype> seen;
        collect(resolved, false, 0, all, seen);
    }
    return all;
}

void ValueReader::collect(
    const YamlNode *map, bool merged, int depth, QList<MapEntry> &out, QHash<QString, qsizetype> &seen)
{
    if (depth > maxDepth || !spend(map->entries.size())) {
        return;
    }
    for (const YamlNode::Entry &entry : map->entries) {
        if (isMergeKey(entry.key)) {
            const YamlNode *source = resolvedOrNull(entry.value);
            if (source && source->isMap()) {
                collect(source, true, depth + 1, out, seen);
            } else if (source && source->isSequence()) {
                for (const YamlNode *item : items(source)) {
                    const YamlNode *itemMap = resolvedOrNull(item);
                    if (itemMap && itemMap->isMap()) {
                        collect(itemMap, true, depth + 1, out, seen);
                    }
                }
            }
            continue;
        }
        const QString key = keyText(entry.key);
        const auto known = seen.constFind(key);
        if (known == seen.constEnd()) {
            seen.insert(key, out.size());
            out.append({key, entry.key, entry.value, merged});
        } else if (!merged && out.at(known.value()).merged) {
            out[known.value()] = {key, entry.key, entry.value, false};
        }
    }
}

QList<const YamlNode *> ValueReader::items(const YamlNode *sequence)
{
    QList<const YamlNode *> nodes;
    const YamlNode *resolved = resolvedOrNull(sequence);
    if (!resolved || !resolved->isSequence() || !spend(resolved->entries.size())) {
        return nodes;
    }
    nodes.reserve(resolved->entries.size());
    for (const YamlNode::Entry &entry : resolved->entries) {
        nodes.append(entry.value);
    }
    return nodes;
}

Value toValue(const YamlNode *node) { return ValueReader().value(node); }

} // namespace trainyard
