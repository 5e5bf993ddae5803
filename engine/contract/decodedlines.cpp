// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/decodedlines.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace trainyard::contract
{
namespace
{

constexpr int mostDepth = 4; // of JSON in JSON
constexpr std::string_view escapes = "nrtbf", meanings = "\n\r\t\b\f";

struct Decoded {
    std::string text;
    bool hasLetters = false; // an escape with a letter was in it
};

// The number of \u and four digits at `at`.
std::optional<unsigned> unitAt(std::string_view text, std::size_t at)
{
    constexpr std::size_t digits = 4;
    if (at + 2 + digits > text.size() || text[at] != '\\' || text[at + 1] != 'u') {
        return std::nullopt;
    }
    unsigned unit = 0;
    const char *begin = text.data() + at + 2, *end = begin + digits;
    const auto read = std::from_chars(begin, end, unit, 16);
    return read.ec == std::errc() && read.ptr == end ? std::optional(unit) : std::nullopt;
}

void appendCharacter(std::string &to, unsigned code)
{
    const auto rest = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xc0 | code >> 6);
        rest(0);
    } else if (code < 0x10000) {
        to += static_cast<char>(0xe0 | code >> 12);
        rest(6);
        rest(0);
    } else {
        to += static_cast<char>(0xf0 | code >> 18);
        rest(12);
        rest(6);
        rest(0);
    }
}

// A text up to its closing quote; characters that are not escapes stay as they are. `at` is moved after it.
Decoded decodeText(std::string_view value, std::size_t &at)
{
    Decoded decoded;
    while (at < value.size() && value[at] != '"') {
        if (value[at] != '\\' || at + 1 == value.size()) {
            decoded.text += value[at++];
            continue;
        }
        const char letter = value[at + 1];
        if (const std::optional<unsigned> unit = unitAt(value, at)) {
            at += 6;
            unsigned code = *unit;
            const std::optional<unsigned> low = unitAt(value, at);
            if (code >= 0xd800 && code < 0xdc00 && low && *low >= 0xdc00 && *low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (*low - 0xdc00);
                at += 6;
            }
            appendCharacter(decoded.text, code);
            decoded.hasLetters = true;
            continue;
        }
        const std::size_t known = escapes.find(letter);
        const bool isSign = letter == '"' || letter == '\\' || letter == '/';
        if (known == std::string_view::npos && !isSign) {
            decoded.text += '\\';
        }
        decoded.text += known == std::string_view::npos ? letter : meanings[known];
        decoded.hasLetters = decoded.hasLetters || known != std::string_view::npos;
        at += 2;
    }
    ++at;
    return decoded;
}

void addLines(std::string_view text, std::vector<std::string> &lines)
{
    while (!text.empty()) {
        const std::size_t newline = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, newline);
        text.remove_prefix(std::min(newline + 1, text.size()));
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        if (!line.empty()) {
            lines.emplace_back(line);
        }
    }
}

void addDecoded(std::string_view value, int depth, std::vector<std::string> &lines)
{
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t begin = at;
        const Decoded decoded = decodeText(value, at);
        if (decoded.hasLetters) {
            addLines(decoded.text, lines);
        }
        const bool isOther = decoded.text.size() + 1 < at - begin; // it had escapes
        if (isOther && depth < mostDepth && decoded.text.find('\\') != std::string::npos) {
            addDecoded(decoded.text, depth + 1, lines);
        }
    }
}

} // namespace

std::vector<std::string> decodedLines(std::string_view value)
{
    std::vector<std::string> lines;
    if (value.find('\\') != std::string_view::npos) {
        addDecoded(value, 1, lines);
    }
    return lines;
}

} // namespace trainyard::contract
