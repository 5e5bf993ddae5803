// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlscalar.h"

#include "model/base/utf8.h"
#include "model/yaml/yamllex.h"

#include <QRegularExpression>

#include <cmath>
#include <limits>

namespace trainyard
{

namespace
{

bool oneOf(const QByteArray &text, std::initializer_list<const char *> words)
{
    for (const char *word : words) {
        if (text == word) {
            return true;
        }
    }
    return false;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

int digitOf(char c)
{
    if (isDigit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 99;
}

// An integer that does not fit is a double, as every JavaScript number is.
Value integer(const QByteArray &digits, int base, bool negative)
{
    qint64 sum = 0;
    double wide = 0;
    bool fits = true;
    for (const char c : digits) {
        const int digit = digitOf(c);
        wide = wide * base + digit;
        fits = fits && !__builtin_mul_overflow(sum, qint64(base), &sum)
            && !__builtin_add_overflow(sum, qint64(digit), &sum);
    }
    if (fits) {
        return Value(negative ? -sum : sum);
    }
    if (base == 10) {
        wide = digits.toDouble();
    }
    return Value(negative ? -wide : wide);
}

// Base 60: "1:30" is 90.
std::optional<double> sexagesimal(const QByteArray &text)
{
    double sum = 0;
    const QList<QByteArray> parts = text.split(':');
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QByteArray &part = parts.at(i);
        if (i > 0) {
            const QByteArray whole = part.left(part.indexOf('.') < 0 ? part.size() : part.indexOf('.'));
            if (whole.isEmpty() || whole.size() > 2 || (whole.size() == 2 && whole.at(0) > '5')) {
                return std::nullopt;
            }
        }
        bool ok = false;
        sum = sum * 60 + part.toDouble(&ok);
        if (!ok) {
            return std::nullopt;
        }
    }
    return sum;
}

std::optional<Value> asInt(const QByteArray &text)
{
    const bool negative = text.startsWith('-');
    QByteArray body = text.mid(negative || text.startsWith('+') ? 1 : 0);
    if (body.isEmpty()) {
        return std::nullopt;
    }
    if (body == "0") {
        return Value(qint64(0));
    }
    int base = 10;
    if (body.startsWith("0b")) {
        base = 2;
        body = body.mid(2);
    } else if (body.startsWith("0x")) {
        base = 16;
        body = body.mid(2);
    } else if (body.startsWith('0')) {
        base = 8;
        body = body.mid(1);
    } else if (body.startsWith('_')) {
        return std::nullopt;
    }
    const qsizetype colon = base == 10 ? body.indexOf(':') : -1;
    const QByteArray head = colon < 0 ? body : body.left(colon);
    QByteArray digits;
    for (const char c : head) {
        if (c == '_') {
            continue;
        }
        if (digitOf(c) >= base) {
            return std::nullopt;
        }
        digits.append(c);
    }
    if (digits.isEmpty() || head.endsWith('_')) {
        return std::nullopt;
    }
    if (colon >= 0) {
        for (const char c : body.mid(colon)) {
            if (c != ':' && !isDigit(c)) {
                return std::nullopt;
            }
        }
        const auto sum = sexagesimal(digits + body.mid(colon));
        if (!sum) {
            return std::nullopt;
        }
        const double value = negative ? -*sum : *sum;
        if (std::abs(value) < 9e15) {
            return Value(qint64(value));
        }
        return Value(value);
    }
    return integer(digits, base, negative);
}

std::optional<Value> asFloat(const QByteArray &text)
{
    static const QRegularExpression pattern(
        QStringLiteral("^(?:[-+]?(?:0|[1-9][0-9_]*)(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
                       "|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))\\z"));
    const char first = text.at(0);
    if (!(isDigit(first) || first == '-' || first == '+' || first == '.') || text.endsWith('_') || text.size() > 400
        || !pattern.match(textFromUtf8(text)).hasMatch()) {
        return std::nullopt;
    }
    QByteArray body = text.toLower().replace("_", "");
    const bool negative = body.startsWith('-');
    if (negative || body.startsWith('+')) {
        body.remove(0, 1);
    }
    double value = 0;
    if (body == ".inf") {
        value = std::numeric_limits<double>::infinity();
    } else if (body == ".nan") {
        return Value(std::numeric_limits<double>::quiet_NaN());
    } else if (body == ".") {
        return Value(std::numeric_limits<double>::quiet_NaN()); // "._": the pattern takes it, no number comes of it
    } else if (body.contains(':')) {
        value = sexagesimal(body).value_or(0);
    } else {
        bool ok = false;
        value = body.toDouble(&ok);
        if (!ok && std::isinf(value)) {
            value = std::numeric_limits<double>::infinity();
        }
    }
    return Value(negative ? -value : value);
}

bool isTimestamp(const QByteArray &text)
{
    static const QRegularExpression pattern(QStringLiteral(
        "^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
        "(?:\\.[0-9]*)?(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)\\z"));
    return text.size() >= 10 && text.size() < 100 && isDigit(text.at(0)) && text.at(4) == '-'
        && pattern.match(textFromUtf8(text)).hasMatch();
}

TypedScalar textual(ScalarType type, const QByteArray &text) { return {type, Value(textFromUtf8(text))}; }

} // namespace

TypedScalar typedPlain(const QByteArray &text)
{
    if (text.isEmpty() || oneOf(text, {"~", "null", "Null", "NULL"})) {
        return {ScalarType::Null, Value()};
    }
    if (oneOf(text, {"true", "True", "TRUE"})) {
        return {ScalarType::Bool, Value(true)};
    }
    if (oneOf(text, {"false", "False", "FALSE"})) {
        return {ScalarType::Bool, Value(false)};
    }
    const char first = text.at(0);
    if (isDigit(first) || first == '-' || first == '+' || first == '.') {
        if (const auto value = asInt(text)) {
            return {value->asInt() ? ScalarType::Int : ScalarType::Float, *value};
        }
        if (const auto value = asFloat(text)) {
            return {ScalarType::Float, *value};
        }
        if (isTimestamp(text)) {
            return textual(ScalarType::Timestamp, text);
        }
    }
    return textual(text == "<<" ? ScalarType::Merge : ScalarType::String, text);
}

// Whole bytes, with their padding; lines may be broken anywhere.
static bool isBase64(const QByteArray &text)
{
    qsizetype digits = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            continue;
        }
        const bool isLetter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!isLetter && !isDigit(c) && c != '+' && c != '/' && c != '=') {
            return false;
        }
        ++digits;
    }
    return digits % 4 == 0;
}

TypedScalar typedScalar(const YamlNode &node)
{
    const YamlNode *scalar = node.resolved();
    const QByteArray &text = scalar->scalar;
    if (scalar->kind != YamlNode::Kind::Scalar) {
        return textual(ScalarType::Invalid, {});
    }
    if (scalar->tag.isEmpty()) {
        return scalar->style == YamlNode::Style::Plain ? typedPlain(text) : textual(ScalarType::String, text);
    }
    const bool isMissing = text.isEmpty() && scalar->style == YamlNode::Style::Plain;
    if (scalar->tag == "!") {
        return isMissing ? TypedScalar{ScalarType::Null, {}} : textual(ScalarType::String, text);
    }
    static const QByteArray core("tag:yaml.org,2002:");
    if (!scalar->tag.startsWith(core)) {
        return textual(ScalarType::Invalid, text);
    }
    const QByteArray name = scalar->tag.mid(core.size());
    if (name == "str") {
        return textual(ScalarType::String, text);
    }
    if (name == "binary") {
        return textual(isMissing || !isBase64(text) ? ScalarType::Invalid : ScalarType::Binary, text);
    }
    const TypedScalar plain = typedPlain(text);
    const bool matches = (name == "null" && plain.type == ScalarType::Null && (isMissing || !text.isEmpty()))
        || (name == "bool" && plain.type == ScalarType::Bool)
        || (name == "timestamp" && plain.type == ScalarType::Timestamp)
        || (name == "merge" && plain.type == ScalarType::Merge);
    if (matches) {
        return plain;
    }
    if (name == "int" && !text.isEmpty()) {
        if (const auto value = asInt(text)) {
            return {ScalarType::Int, *value};
        }
    }
    if (name == "float" && !text.isEmpty()) {
        if (const auto value = asFloat(text)) {
            return {ScalarType::Float, *value};
        }
    }
    return textual(ScalarType::Invalid, text);
}

bool looksTyped(const QByteArray &text)
{
    if (typedPlain(text).type != ScalarType::String || text == "=") {
        return true;
    }
    const QByteArray lower = text.toLower();
    if (oneOf(lower, {"y", "n", "yes", "no", "on", "off", "true", "false", "null"})) {
        return true;
    }
    // Numbers of YAML 1.1 and 1.2 in any reader: anything made of digits and their company, with a digit first.
    static const QRegularExpression number(QStringLiteral("^[-+]?(?:\\.?[0-9][0-9_,.:]*(?:[eE][-+]?[0-9]+)?|0o[0-7_]+|"
                                                          "0[xX][0-9a-fA-F_]+|0[bB][01_]+|\\.inf|\\.nan)\\z"),
        QRegularExpression::CaseInsensitiveOption);
    if (text.size() < 200 && number.match(textFromUtf8(text)).hasMatch()) {
        return true;
    }
    // Dates with one digit, with or without a time.
    static const QRegularExpression date(QStringLiteral("^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \\t].*)?\\z"));
    return text.size() < 100 && date.match(textFromUtf8(text)).hasMatch();
}

} // namespace trainyard
