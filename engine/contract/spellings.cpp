// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/spellings.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace trainyard::contract
{
namespace
{

std::string digitsOf(std::uint32_t number, std::uint32_t base, std::size_t width, bool isUpper = false)
{
    const std::string_view digits = isUpper ? "0123456789ABCDEF" : "0123456789abcdef";
    std::string text;
    for (; number > 0 || text.size() < std::max<std::size_t>(width, 1); number /= base) {
        text += digits[number % base];
    }
    std::reverse(text.begin(), text.end());
    return text;
}

std::optional<std::uint32_t> codePointOf(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) {
        return first < 0x80 ? std::optional<std::uint32_t>(first) : std::nullopt;
    }
    std::uint32_t point = first & (0x7FU >> character.size());
    for (const char c : character.substr(1)) {
        point = (point << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
    }
    return point;
}

// The letter behind the backslash.
std::string_view letterOfControl(std::uint32_t point)
{
    switch (point) {
    case '\a':
        return "a";
    case '\b':
        return "b";
    case '\t':
        return "t";
    case '\n':
        return "n";
    case '\v':
        return "v";
    case '\f':
        return "f";
    case '\r':
        return "r";
    case 0x1B:
        return "eE";
    default:
        return {};
    }
}

std::string_view entityOf(std::uint32_t point)
{
    switch (point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    default:
        return {};
    }
}

class CharacterSpellings
{
public:
    explicit CharacterSpellings(std::string_view character) : m_character(character) { }

    std::vector<Spelling> all()
    {
        Spelling itself; // quotemeta of Perl parts its bytes
        for (const char c : m_character) {
            itself.push_back({0, std::string(1, c)});
        }
        add(std::move(itself));
        addBytes();
        if (const std::optional<std::uint32_t> point = codePointOf(m_character)) {
            addCodePoint(*point);
            addDoubled(*point);
        } else {
            // The form of such a byte in JSON, and the surrogates of Python.
            add(0, "\xEF\xBF\xBD");
            add(1, "ufffd");
            add(1, "udc" + digitsOf(static_cast<unsigned char>(m_character[0]), 16, 2));
        }
        return std::move(m_all);
    }

private:
    std::string_view m_character;
    std::vector<Spelling> m_all;

    void add(Spelling spelling)
    {
        if (std::find(m_all.begin(), m_all.end(), spelling) == m_all.end()) {
            m_all.push_back(std::move(spelling));
        }
    }

    void add(std::size_t leastSlashes, std::string text) { add(Spelling{{leastSlashes, std::move(text)}}); }

    void addEscape(const Spelling &escape)
    {
        add(escape);
        const auto first = static_cast<unsigned char>(m_character[0]);
        if (first >= 0x20 && first < 0x7F) {
            return;
        }
        // ls and printf of the coreutils leave their quotes for it: 'two'$'\n''lines'.
        Spelling begun = escape;
        begun.insert(begun.begin(), {0, "'$'"});
        Spelling both = begun;
        both.push_back({0, "''"});
        Spelling ended = escape;
        ended.push_back({0, "''"});
        add(std::move(begun));
        add(std::move(ended));
        add(std::move(both));
    }

    void addBytes()
    {
        for (const bool isUpper : {false, true}) {
            for (const std::string_view sign : {"%", "%25"}) {
                std::string text;
                for (const char c : m_character) {
                    text.append(sign).append(digitsOf(static_cast<unsigned char>(c), 16, 2, isUpper));
                }
                add(0, text);
            }
            addByteEscapes("x", 16, 2, isUpper);
        }
        addByteEscapes("", 8, 3, false);
    }

    void addByteEscapes(const std::string &letter, std::uint32_t base, std::size_t width, bool isUpper)
    {
        Spelling escape;
        for (const char c : m_character) {
            escape.push_back({1, letter + digitsOf(static_cast<unsigned char>(c), base, width, isUpper)});
        }
        addEscape(escape);
    }

    void addEntity(const std::string &entity)
    {
        add(0, entity);
        add(0, "&amp;" + entity.substr(1)); // what is escaped twice
    }

    void addUnicode(std::uint32_t point, bool isUpper)
    {
        const auto hexadecimal
            = [isUpper](std::uint32_t number, std::size_t width) { return digitsOf(number, 16, width, isUpper); };
        if (point < 0x10000) {
            add(1, 'u' + hexadecimal(point, 4));
        } else {
            const std::uint32_t beyond = point - 0x10000;
            add(Spelling{{1, 'u' + hexadecimal(0xD800 + (beyond >> 10U), 4)},
                {1, 'u' + hexadecimal(0xDC00 + (beyond & 0x3FFU), 4)}});
        }
        add(1, 'U' + hexadecimal(point, 8));
        add(1, "u{" + hexadecimal(point, 1) + '}');
        if (point >= 0x80 && point < 0x100) {
            add(1, 'x' + hexadecimal(point, 2));
        }
        addEntity("&#x" + hexadecimal(point, 1) + ';');
    }

    void addCodePoint(std::uint32_t point)
    {
        for (const char letter : letterOfControl(point)) {
            addEscape(Spelling{{1, std::string(1, letter)}});
        }
        for (const bool isUpper : {false, true}) {
            addUnicode(point, isUpper);
        }
        addEntity("&#" + digitsOf(point, 10, 1) + ';');
        if (const std::string_view entity = entityOf(point); !entity.empty()) {
            addEntity(std::string(entity));
        }
        if (point == '\'') {
            addEntity("&#039;"); // of PHP
        }
    }

    void addDoubled(std::uint32_t point)
    {
        switch (point) {
        case ' ':
            add(0, "+");
            break;
        case '\n':
            add(0, "\r\n");
            add(0, "%0D%0A");
            add(0, "%0d%0a");
            add(0, "'\n'"); // where a shell has no escape for it
            break;
        case '$':
            add(0, "$$"); // of Compose and make
            break;
        case '%':
            add(0, "%%");
            break;
        case '"':
            add(0, "\"\"");
            break;
        case '\'':
            add(0, "''");
            add(Spelling{{0, "'"}, {1, "'"}, {0, "'"}});
            add(Spelling{{0, "'"}, {0, "\""}, {0, "'"}, {0, "\""}, {0, "'"}});
            break;
        default:
            break;
        }
    }
};

std::string base64(std::string_view value, std::size_t before, bool isForUrls)
{
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const std::string alphabet = std::string(letters) + (isForUrls ? "-_" : "+/");
    const std::string bytes = std::string(before, '\0') + std::string(value);
    const std::size_t bits = bytes.size() * 8;
    std::string text;
    for (std::size_t bit = 0; bit + 6 <= bits; bit += 6) {
        std::uint32_t six = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            const std::size_t at = bit + i;
            six = (six << 1U) | ((static_cast<unsigned char>(bytes[at / 8]) >> (7 - at % 8)) & 1U);
        }
        text += alphabet[six];
    }
    return text.substr((before * 8 + 5) / 6);
}

} // namespace

bool isLetterOrDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

std::string_view firstCharacter(std::string_view value)
{
    const auto first = static_cast<unsigned char>(value[0]);
    const std::size_t size = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
    if (first >= 0xF5 || size > value.size()) {
        return value.substr(0, 1);
    }
    for (const char c : value.substr(1, size - 1)) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80) {
            return value.substr(0, 1);
        }
    }
    return value.substr(0, size);
}

std::vector<Spelling> spellingsOf(std::string_view character) { return CharacterSpellings(character).all(); }

std::vector<std::string> base64Of(std::string_view value)
{
    std::vector<std::string> all;
    for (const std::size_t before : {0, 1, 2}) {
        for (const bool isForUrls : {false, true}) {
            std::string text = base64(value, before, isForUrls);
            if (std::find(all.begin(), all.end(), text) == all.end()) {
                all.push_back(std::move(text));
            }
        }
    }
    return all;
}

std::vector<std::string> hexadecimalOf(std::string_view value)
{
    std::vector<std::string> all;
    for (const bool isUpper : {false, true}) {
        std::string text;
        for (const char c : value) {
            text += digitsOf(static_cast<unsigned char>(c), 16, 2, isUpper);
        }
        if (all.empty() || all.front() != text) {
            all.push_back(std::move(text));
        }
    }
    return all;
}

} // namespace trainyard::contract
