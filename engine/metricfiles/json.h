// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::metricfiles
{

// Reads one JSON value piece by piece, as Python writes it: NaN, Infinity and -Infinity are numbers. It keeps nothing
// of the text but where it is.
class JsonScanner
{
public:
    enum class Token {
        ObjectBegin,
        ObjectEnd,
        ArrayBegin,
        ArrayEnd,
        Key,
        Text,
        Number,
        Other, // true, false, null
        End,
        Cut, // the text ends before the value does
        Broken
    };
    explicit JsonScanner(std::string_view text) : m_text(text) { }

    Token next();
    // Passes over the value that begins with this token.
    Token skip(Token first);
    int depth() const { return m_depth; }

    double number() const { return m_number; } // of Number
    std::string_view raw() const { return m_raw; } // of Key, Text and Number: as it is written
    bool hasEscapes() const { return m_hasEscapes; }
    std::string text() const; // of Key and Text

private:
    enum class Expect { Value, ValueOrEnd, Key, KeyOrEnd, CommaOrEnd, Nothing };
    static constexpr int mostDepth = 64;

    void skipBlanks();
    Token open(Token token, bool isObject);
    Token close();
    bool isInObject() const { return (m_isObject >> (m_depth - 1) & 1) != 0; }
    void valueEnds() { m_expect = m_depth == 0 ? Expect::Nothing : Expect::CommaOrEnd; }
    Token quoted(Token token);
    Token word();

    std::string_view m_text;
    std::size_t m_i = 0;
    Expect m_expect = Expect::Value;
    std::uint64_t m_isObject = 0; // a bit for each level
    int m_depth = 0;
    double m_number = 0;
    std::string_view m_raw;
    bool m_hasEscapes = false;
};

// Calls `take(name, value)` for each number of an object whose ObjectBegin was read, also for numbers in quotes; the
// keys of nested objects are joined by '/', lists are passed over. Returns ObjectEnd, Cut or Broken.
template <typename Take> JsonScanner::Token forEachNumber(JsonScanner &scanner, Take take);

// A number as JSON has it, alone or in quotes.
bool jsonNumber(JsonScanner::Token token, const JsonScanner &scanner, double &value);

template <typename Take> JsonScanner::Token forEachNumber(JsonScanner &scanner, Take take)
{
    using Token = JsonScanner::Token;
    const int outside = scanner.depth() - 1;
    constexpr std::size_t longestPath = 4096;
    std::string name; // of the innermost object, with '/' behind it
    std::size_t lengths[65] = {}; // of the objects around it
    for (;;) {
        Token token = scanner.next();
        if (token == Token::ObjectEnd) {
            if (scanner.depth() == outside) {
                return token;
            }
            name.resize(lengths[scanner.depth()]);
            continue;
        }
        if (token != Token::Key) {
            return token == Token::Cut ? Token::Cut : Token::Broken;
        }
        const std::size_t length = name.size();
        if (name.size() + scanner.raw().size() > longestPath) {
            return Token::Broken;
        }
        name += scanner.hasEscapes() ? scanner.text() : std::string(scanner.raw());
        token = scanner.next();
        if (token == Token::ObjectBegin) {
            lengths[scanner.depth() - 1] = length;
            name += '/';
            continue;
        }
        double value = 0;
        if (jsonNumber(token, scanner, value)) {
            take(std::string_view(name), value);
        }
        token = scanner.skip(token);
        if (token == Token::Cut || token == Token::Broken) {
            return token;
        }
        name.resize(length);
    }
}

} // namespace trainyard::metricfiles
