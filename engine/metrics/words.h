// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Characters and pieces of text, without a locale: outputs are ASCII where they mean something here.
namespace trainyard::metrics
{

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool isLetter(char c) { return isUpper(c) || isLower(c); }
constexpr bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '_'; }
constexpr bool isBlank(char c) { return c == ' ' || c == '\t'; }
constexpr char lowered(char c) { return isUpper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }

constexpr bool hasDigit(std::string_view text)
{
    for (const char c : text) {
        if (isDigit(c)) {
            return true;
        }
    }
    return false;
}

constexpr std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

inline std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char &c : result) {
        c = lowered(c);
    }
    return result;
}

constexpr char at(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : '\0'; }

constexpr std::size_t skipBlanks(std::string_view text, std::size_t i)
{
    while (i < text.size() && isBlank(text[i])) {
        ++i;
    }
    return i;
}

// The place behind the letters, or digits, that begin there.
constexpr std::size_t lettersEnd(std::string_view text, std::size_t i)
{
    while (i < text.size() && isLetter(text[i])) {
        ++i;
    }
    return i;
}

constexpr std::size_t digitsEnd(std::string_view text, std::size_t i)
{
    while (i < text.size() && isDigit(text[i])) {
        ++i;
    }
    return i;
}

} // namespace trainyard::metrics
