// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::ascii
{

// The characters of names in programs, whatever the locale. Bytes and characters beyond ASCII do not belong to them.
constexpr bool isDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
constexpr bool isLower(char32_t c) { return c >= U'a' && c <= U'z'; }
constexpr bool isUpper(char32_t c) { return c >= U'A' && c <= U'Z'; }
constexpr bool isLetter(char32_t c) { return isLower(c) || isUpper(c); }
constexpr bool isAlphanumeric(char32_t c) { return isLetter(c) || isDigit(c); }
constexpr bool isWord(char32_t c) { return isAlphanumeric(c) || c == U'_'; }

} // namespace trainyard::ascii
