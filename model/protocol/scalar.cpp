// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/scalar.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace trainyard
{

namespace
{

constexpr int maxDepth = 80; // the parser stops at 64; aliases may add to it

bool isNullText(const QByteArray &text)
{
    return text.isEmpty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

bool isDigitOf(char c, int base)
{
    if (c >= '0' && c <= '9') {
        return c - '0' < base;
    }
    return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

// Digits of `base` with underscores between; at least one digit, no underscore at the end.
bool isDigits(const QByteArray &text, qsizetype from, int base)
{
    bool any = false;
    for (qsizetype i = from; i < text.size(); ++i) {
        if (text.at(i) == '_') {
            continue;
        }
        if (!isDigitOf(text.at(i), base)) {
            return false;
        }
        any = true;
    }
    return any && !text.endsWith('_');
}

Value numberValue(double number)
{
    // Whole numbers that a double holds exactly are integers for us; JavaScript has one number type for both.
    constexpr double limit = 9007199254740992.0;
    if (std::isfinite(number) && number == std::trunc(number) && std::fabs(number) <= limit) {
        return Value(qint64(number));
    }
    return Value(number);
}

double parseDigits(const QByteArray &text, int base)
{
    double number = 0;
    for (const char c : text) {
        const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        number = number * base + digit;
    }
    return number;
}

struct IntegerForm {
    bool matches = false;
    int base = 10; // 60 for 12:30
    qsizetype digitsAt = 0;
};

IntegerForm integerForm(const QByteArray &text)
{
    qsizetype i = !text.isEmpty() && (text.at(0) == '-' || text.at(0) == '+') ? 1 : 0;
    if (i >= text.size()) {
        return {};
    }
    if (text.at(i) == '0') {
        if (i + 1 == text.size()) {
            return {true, 10, i};
        }
        const char mark = text.at(i + 1);
        if (mark == 'b') {
            return {isDigits(text, i + 2, 2), 2, i + 2};
        }
        if (mark == 'x') {
            return {isDigits(text, i + 2, 16), 16, i + 2};
        }
        return {isDigits(text, i + 1, 8), 8, i + 1};
    }
    if (text.at(i) == '_') {
        return {};
    }
    const qsizetype colon = text.indexOf(':', i);
    if (colon < 0) {
        return {isDigits(text, i, 10), 10, i};
    }
    if (!isDigits(text.left(colon), i, 10)) {
        return {};
    }
    static const QRegularExpression rest(QStringLiteral("^(:[0-5]?[0-9])+$"));
    return {rest.match(QString::fromLatin1(text.mid(colon))).hasMatch(), 60, i};
}

Value integerValue(const QByteArray &text, const IntegerForm &form)
{
    const double sign = text.startsWith('-') ? -1 : 1;
    QByteArray digits = text.mid(form.digitsAt);
    digits.replace('_', QByteArray());
    if (form.base != 60) {
        if (form.base == 10) {
            bool ok = false;
            const qint64 exact = digits.toLongLong(&ok);
            if (ok) {
                return Value(sign < 0 ? -exact : exact);
            }
            return Value(sign * digits.toDouble());
        }
        return numberValue(sign * parseDigits(digits, form.base));
    }
    double number = 0;
    const QList<QByteArray> parts = digits.split(':');
    for (const QByteArray &part : parts) {
        number = number * 60 + part.toDouble();
    }
    return numberValue(sign * number);
}

bool isFloatForm(const QByteArray &text)
{
    static const QRegularExpression pattern(
        QStringLiteral("^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
                       "|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
                       "|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*"
                       "|[-+]?\\.(?:inf|Inf|INF)"
                       "|\\.(?:nan|NaN|NAN))$"));
    return !text.endsWith('_') && pattern.match(QString::fromLatin1(text)).hasMatch();
}

Value floatValue(const QByteArray &text)
{
    QByteArray digits = text.toLower();
    digits.replace('_', QByteArray());
    double sign = 1;
    if (digits.startsWith('-') || digits.startsWith('+')) {
        sign = digits.startsWith('-') ? -1 : 1;
        digits.remove(0, 1);
    }
    if (digits == ".inf") {
        return Value(sign * std::numeric_limits<double>::infinity());
    }
    if (digits == ".nan") {
        return Value(std::numeric_limits<double>::quiet_NaN());
    }
    double number = 0;
    const QList<QByteArray> parts = digits.split(':');
    for (const QByteArray &part : parts) {
        number = number * 60 + (part == "." ? 0 : part.toDouble());
    }
    return numberValue(sign * number);
}

bool isTimestamp(const QByteArray &text)
{
    if (text.size() < 8 || text.at(4) != '-') {
        return false;
    }
    static const QRegularExpression date(QStringLiteral("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
    static const QRegularExpression time(
        QStringLiteral("^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?"
                       "(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?$"));
    const QString string = QString::fromLatin1(text);
    return date.match(string).hasMatch() || time.match(string).hasMatch();
}

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
    if (node->kind != YamlNode::Kind::Scalar) {
        return QStringLiteral("[object Object]");
    }
    const TypedScalar typed = typedScalar(*node);
    return typed.type == ScalarType::Null ? QStringLiteral("null") : typed.value.toText();
}

} // namespace

TypedScalar typedPlain(const QByteArray &text)
{
    if (isNullText(text)) {
        return {ScalarType::Null, Value()};
    }
    if (text == "true" || text == "True" || text == "TRUE") {
        return {ScalarType::Bool, Value(true)};
    }
    if (text == "false" || text == "False" || text == "FALSE") {
        return {ScalarType::Bool, Value(false)};
    }
    if (looksNumeric(text) && text.size() < 400) {
        const IntegerForm form = integerForm(text);
        if (form.matches) {
            return {ScalarType::Integer, integerValue(text, form)};
        }
        if (isFloatForm(text)) {
            return {ScalarType::Float, floatValue(text)};
        }
        if (isTimestamp(text)) {
            return {ScalarType::Timestamp, Value(QString::fromUtf8(text))};
        }
    }
    return {ScalarType::String, Value(QString::fromUtf8(text))};
}

TypedScalar typedScalar(const YamlNode &scalar)
{
    const QByteArray prefix = QByteArrayLiteral("tag:yaml.org,2002:");
    if (scalar.tag.startsWith(prefix)) {
        const QByteArray type = scalar.tag.mid(prefix.size());
        if (type == "int" || type == "float" || type == "bool" || type == "null" || type == "timestamp") {
            TypedScalar typed = typedPlain(scalar.scalar);
            if (type == "float" && typed.type == ScalarType::Integer) {
                typed.type = ScalarType::Float;
            }
            return typed;
        }
        return {ScalarType::String, Value(QString::fromUtf8(scalar.scalar))};
    }
    if (scalar.style == YamlNode::Style::Plain && scalar.tag.isEmpty()) {
        return typedPlain(scalar.scalar);
    }
    return {ScalarType::String, Value(QString::fromUtf8(scalar.scalar))};
}

ReaderDifference readerDifference(const YamlNode &scalar)
{
    if (scalar.kind != YamlNode::Kind::Scalar || scalar.style != YamlNode::Style::Plain || !scalar.tag.isEmpty()) {
        return ReaderDifference::Agree;
    }
    const QByteArray &text = scalar.scalar;
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
    case ScalarType::Integer:
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
        return typed.value.asInt() ? ReaderDifference::WholeFloat : ReaderDifference::Agree;
    case ScalarType::Timestamp:
        return ReaderDifference::Timestamp;
    case ScalarType::String: {
        static const QRegularExpression core(QStringLiteral("^(?:[-+]?[0-9]+|0o[0-7]+)$"));
        return core.match(QString::fromLatin1(text)).hasMatch() ? ReaderDifference::Octal : ReaderDifference::Agree;
    }
    case ScalarType::Null:
    case ScalarType::Bool:
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
    case YamlNode::Kind::Scalar:
        // Long texts cost more: a thousand aliases of one are a thousand texts once they are inserted.
        return spend(resolved->scalar.size() / 32) ? typedScalar(*resolved).value : Value();
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
