// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

// JSON that is written straight to text, where a tree of it would cost several times as much.
namespace trainyard::contract
{

inline std::string jsonText(const nlohmann::json &json)
{
    // Bytes that are not UTF-8 (a file name) must not end the agent.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The letter that represents it after a backslash; 0: it is written as it is, or by the library.
inline char escapedInJson(char c)
{
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\n':
        return 'n';
    default:
        return 0;
    }
}

inline void addJsonText(std::string &out, std::string_view text)
{
    const std::size_t before = out.size();
    out += '"';
    for (const char c : text) {
        if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
            out += c;
        } else if (const char letter = escapedInJson(c)) {
            out += '\\';
            out += letter;
        } else {
            out.resize(before);
            out += jsonText(nlohmann::json(text));
            return;
        }
    }
    out += '"';
}

} // namespace trainyard::contract
