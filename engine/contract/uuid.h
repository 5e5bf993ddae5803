// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace trainyard::contract
{

inline constexpr std::size_t uuidLength = 36;

// Whether it is a UUID as the engine writes those of jobs and tries: lower case, without braces.
inline bool isUuid(std::string_view text)
{
    constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    static_assert(form.size() == uuidLength);
    return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char character, char wanted) {
        const bool isHex = (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
        return wanted == '-' ? character == '-' : isHex;
    });
}

// Whether it is a UUID as the engine makes those of jobs: with the time first, which is version 7.
inline bool isJobId(std::string_view text)
{
    constexpr std::size_t ofVersion = 14, ofVariant = 19;
    return isUuid(text) && text[ofVersion] == '7' && std::string_view("89ab").find(text[ofVariant]) != text.npos;
}

} // namespace trainyard::contract
