// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// A text behind at least so many backslashes. There may be more: a program that quotes what has been quoted already
// doubles them.
struct SpelledPiece {
    std::size_t leastSlashes = 0;
    std::string text;

    bool operator==(const SpelledPiece &) const = default;
};

using Spelling = std::vector<SpelledPiece>;

bool isLetterOrDigit(char c);

// The first character of `value`: the bytes of UTF-8, or one byte that belongs to none.
std::string_view firstCharacter(std::string_view value);

// The ways in which programs write a character, escaped or as it is: in JSON, in literals of Python, C and Ruby, in
// addresses, in HTML, in YAML, in CSV, and in shells. This is not for letters and digits, which all of them leave
// unchanged.
std::vector<Spelling> spellingsOf(std::string_view character);

// `value` in base64, behind 0, 1 and 2 other bytes, as far as it does not depend on the bytes beside it; with both
// alphabets.
std::vector<std::string> base64Of(std::string_view value);

// `value` in hexadecimal digits, small and large.
std::vector<std::string> hexadecimalOf(std::string_view value);

} // namespace trainyard::contract
