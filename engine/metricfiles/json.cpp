// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/json.h"

#include "engine/metricfiles/values.h"

#include <optional>

namespace trainyard::metricfiles
{

namespace
{

constexpr bool isJsonBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr bool endsJsonWord(char c) { return isJsonBlank(c) || c == ',' || c == ']' || c == '}' || c == ':'; }

void appendUtf8(std::string &to, std::uint32_t code)
{
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xC0 | code >> 6);
        to += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        to += static_cast<char>(0xE0 | code >> 12);
        to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        to += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        to += static_cast<char>(0xF0 | code >> 18);
        to += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        to += static_cast<char>(0x80 | (code & 0x3F));
    }
}

// The four digits at `i`; nothing if they are none.
std::optional<std::uint32_t> hexDigits(std::string_view text, std::size_t i)
{
    if (i + 4 > text.size()) {
        return {};
    }
    std::uint32_t code = 0;
    for (const char c : text.substr(i, 4)) {
        const int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'f'             ? c - 'a' + 10
            : c >= 'A' && c <= 'F'             ? c - 'A' + 10
                                               : -1;
        if (digit < 0) {
            return {};
        }
        code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    return code;
}

} // namespace

void JsonScanner::skipBlanks()
{
    while (m_i < m_text.size() && isJsonBlank(m_text[m_i])) {
        ++m_i;
    }
}

JsonScanner::Token JsonScanner::open(Token token, bool isObject)
{
    if (m_depth >= mostDepth) {
        return Token::Broken;
    }
    const std::uint64_t bit = std::uint64_t(1) << m_depth;
    m_isObject = isObject ? m_isObject | bit : m_isObject & ~bit;
    ++m_depth;
    ++m_i;
    m_expect = isObject ? Expect::KeyOrEnd : Expect::ValueOrEnd;
    return token;
}

JsonScanner::Token JsonScanner::close()
{
    const bool wasObject = isInObject();
    ++m_i;
    --m_depth;
    valueEnds();
    return wasObject ? Token::ObjectEnd : Token::ArrayEnd;
}

JsonScanner::Token JsonScanner::quoted(Token token)
{
    const std::size_t begin = ++m_i;
    m_hasEscapes = false;
    for (;; ++m_i) {
        m_i = m_text.find_first_of("\"\\", m_i);
        if (m_i == std::string_view::npos) {
            m_i = m_text.size();
            return Token::Cut;
        }
        if (m_text[m_i] == '"') {
            break;
        }
        m_hasEscapes = true;
        if (++m_i >= m_text.size()) {
            return Token::Cut;
        }
    }
    m_raw = m_text.substr(begin, m_i - begin);
    ++m_i;
    return token;
}

JsonScanner::Token JsonScanner::word()
{
    const std::size_t begin = m_i;
    while (m_i < m_text.size() && !endsJsonWord(m_text[m_i])) {
        ++m_i;
    }
    m_raw = m_text.substr(begin, m_i - begin);
    if (m_i >= m_text.size() && m_depth > 0) {
        return Token::Cut; // "0.1" may become "0.12"
    }
    valueEnds();
    if (m_raw == "true" || m_raw == "false" || m_raw == "null") {
        return Token::Other;
    }
    const std::optional<double> number = numberOf(m_raw);
    if (!number) {
        return Token::Broken;
    }
    m_number = *number;
    return Token::Number;
}

JsonScanner::Token JsonScanner::next()
{
    skipBlanks();
    if (m_i >= m_text.size()) {
        return m_expect == Expect::Nothing ? Token::End : Token::Cut;
    }
    if (m_expect == Expect::CommaOrEnd && m_text[m_i] == ',') {
        ++m_i;
        m_expect = isInObject() ? Expect::Key : Expect::Value;
        skipBlanks();
        if (m_i >= m_text.size()) {
            return Token::Cut;
        }
    }
    const char c = m_text[m_i];
    switch (m_expect) {
    case Expect::Nothing:
        return Token::Broken;
    case Expect::CommaOrEnd:
        return c == (isInObject() ? '}' : ']') ? close() : Token::Broken;
    case Expect::KeyOrEnd:
        if (c == '}') {
            return close();
        }
        [[fallthrough]];
    case Expect::Key: {
        if (c != '"') {
            return Token::Broken;
        }
        const Token token = quoted(Token::Key);
        if (token != Token::Key) {
            return token;
        }
        skipBlanks();
        if (m_i >= m_text.size()) {
            return Token::Cut;
        }
        if (m_text[m_i] != ':') {
            return Token::Broken;
        }
        ++m_i;
        m_expect = Expect::Value;
        return Token::Key;
    }
    case Expect::ValueOrEnd:
        if (c == ']') {
            return close();
        }
        [[fallthrough]];
    case Expect::Value:
        break;
    }
    if (c == '{') {
        return open(Token::ObjectBegin, true);
    }
    if (c == '[') {
        return open(Token::ArrayBegin, false);
    }
    if (c == '"') {
        const Token token = quoted(Token::Text);
        if (token == Token::Text) {
            valueEnds();
        }
        return token;
    }
    return word();
}

JsonScanner::Token JsonScanner::skip(Token first)
{
    if (first != Token::ObjectBegin && first != Token::ArrayBegin) {
        return first;
    }
    const int outside = m_depth - 1;
    for (;;) {
        const Token token = next();
        if (token == Token::Cut || token == Token::Broken || m_depth == outside) {
            return token;
        }
    }
}

std::string JsonScanner::text() const
{
    std::string result;
    for (std::size_t i = 0; i < m_raw.size(); ++i) {
        if (m_raw[i] != '\\' || i + 1 >= m_raw.size()) {
            result += m_raw[i];
            continue;
        }
        const char c = m_raw[++i];
        if (c != 'u') {
            result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
            continue;
        }
        std::optional<std::uint32_t> code = hexDigits(m_raw, i + 1);
        if (!code) {
            continue;
        }
        i += 4;
        if (*code >= 0xD800 && *code < 0xDC00 && m_raw.substr(i + 1, 2) == "\\u") {
            const std::optional<std::uint32_t> low = hexDigits(m_raw, i + 3);
            if (low && *low >= 0xDC00 && *low < 0xE000) {
                code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
                i += 6;
            }
        }
        appendUtf8(result, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
    }
    return result;
}

bool jsonNumber(JsonScanner::Token token, const JsonScanner &scanner, double &value)
{
    if (token == JsonScanner::Token::Number) {
        value = scanner.number();
        return true;
    }
    if (token == JsonScanner::Token::Text) {
        const std::optional<double> number = numberOf(scanner.raw());
        value = number.value_or(0);
        return number.has_value();
    }
    return false;
}

} // namespace trainyard::metricfiles
