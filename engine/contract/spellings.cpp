// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/spellings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace trainyard::contract
{
namespace
{

constexpr std::size_t shortestEncoded = 7; // less could be a part of any word

bool isAlphanumeric(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string hexOf(unsigned char c, bool isUpper)
{
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), isUpper ? "%02X" : "%02x", c);
    return digits.data();
}

std::string hexadecimal(std::string_view value, bool isUpper)
{
    std::string text;
    for (const char c : value) {
        text += hexOf(static_cast<unsigned char>(c), isUpper);
    }
    return text;
}

// The characters in `kept` stay, besides letters and digits.
std::string percent(std::string_view value, std::string_view kept, bool isUpper)
{
    std::string text;
    for (const char c : value) {
        if (isAlphanumeric(static_cast<unsigned char>(c)) || kept.find(c) != std::string_view::npos) {
            text += c;
        } else {
            text += '%' + hexOf(static_cast<unsigned char>(c), isUpper);
        }
    }
    return text;
}

// As in a literal with these quotes: of Python, C.
std::string literal(std::string_view value, char quote)
{
    std::string text;
    for (const char c : value) {
        if (c == '\\' || c == quote) {
            text += '\\';
            text += c;
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\r') {
            text += "\\r";
        } else if (c == '\t') {
            text += "\\t";
        } else {
            text += c;
        }
    }
    return text;
}

std::string json(std::string_view value, bool isAscii)
{
    const std::string text = nlohmann::json(value).dump(-1, ' ', isAscii, nlohmann::json::error_handler_t::replace);
    return text.substr(1, text.size() - 2); // without its quotes
}

// As Go writes JSON, and so kubectl: what HTML would take for its own is escaped, too.
std::string goJson(std::string_view value)
{
    std::string text;
    for (const char c : json(value, false)) {
        switch (c) {
        case '<':
            text += "\\u003c";
            break;
        case '>':
            text += "\\u003e";
            break;
        case '&':
            text += "\\u0026";
            break;
        default:
            text += c;
        }
    }
    return text;
}

std::string html(std::string_view value, std::string_view apostrophe)
{
    std::string text;
    for (const char c : value) {
        switch (c) {
        case '&':
            text += "&amp;";
            break;
        case '<':
            text += "&lt;";
            break;
        case '>':
            text += "&gt;";
            break;
        case '"':
            text += "&quot;";
            break;
        case '\'':
            text += apostrophe;
            break;
        default:
            text += c;
        }
    }
    return text;
}

// As `printf %q` of bash does.
std::string shell(std::string_view value)
{
    constexpr std::string_view plain = "%+-./:=@_^";
    std::string text;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (!isAlphanumeric(byte) && byte < 0x80 && plain.find(c) == std::string_view::npos) {
            text += '\\';
        }
        text += c;
    }
    return text;
}

// What base64 makes of the value behind `before` other bytes, as far as these do not matter.
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

std::vector<std::string> spellingsOf(std::string_view value)
{
    std::vector<std::string> all;
    const auto add = [&](std::string text, std::size_t least = 0) {
        if (text != value && !text.empty() && text.size() >= least
            && std::find(all.begin(), all.end(), text) == all.end()) {
            all.push_back(std::move(text));
        }
    };
    for (const char quote : {'"', '\'', '\0'}) {
        add(literal(value, quote));
    }
    add(json(value, true));
    add(json(value, false));
    add(goJson(value));
    // Those of urllib.parse.quote() and quote(safe=''), of encodeURIComponent(), and of forms.
    for (const bool isUpper : {true, false}) {
        for (const std::string_view kept : {"_.-~", "_.-~/", "_.-~!*'()"}) {
            add(percent(value, kept, isUpper));
        }
        std::string form = percent(value, "_.-~ ", isUpper);
        std::replace(form.begin(), form.end(), ' ', '+');
        add(form);
    }
    add(html(value, "&#x27;"));
    add(html(value, "&#39;"));
    add(html(value, "'"));
    add(shell(value));
    for (const std::size_t before : {0, 1, 2}) {
        for (const bool isForUrls : {false, true}) {
            add(base64(value, before, isForUrls), shortestEncoded);
        }
    }
    add(hexadecimal(value, false), shortestEncoded);
    add(hexadecimal(value, true), shortestEncoded);
    return all;
}

} // namespace trainyard::contract
