// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/bytepairs.h"
#include "engine/contract/secretmatch.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// Finds values in base64 and in hexadecimal digits. Programs break these into lines of any width, so a part of them is
// found as well: from the beginning of a word, when it is too long to be there by chance, and what follows it behind
// line breaks, however short.
class EncodedTexts
{
public:
    // With `hasParts`, parts of it are found, too. A line of a value is a part of the whole anyway.
    void add(std::string_view value, bool hasParts);
    // After the last add().
    void finish();
    void addStarts(BytePairs &starts) const;
    // Adds to `match` a whole code that begins at `at`.
    void findWhole(std::string_view text, std::size_t at, SecretMatch &match) const;
    // The same for a part of a code, where a word begins.
    void findPart(std::string_view text, std::size_t at, SecretMatch &match) const;
    // Whether a part may begin at `at`; `before` are the two bytes in front of the text.
    static bool isWordStart(std::string_view text, std::size_t at, const std::array<char, 2> &before);

private:
    struct Code {
        std::string text;
        std::size_t least = 0; // the characters of a part that no other text has by chance
    };
    struct Part {
        std::uint64_t start = 0; // its first characters
        std::uint32_t code = 0;
        std::uint32_t index = 0;
    };

    std::vector<Code> m_codes;
    std::array<std::vector<std::uint32_t>, 256> m_byFirst; // codes
    std::vector<Part> m_parts; // by their starts

    void add(std::string code, std::size_t least, bool hasParts);
    void follow(const Code &code, std::size_t index, std::string_view text, std::size_t at, SecretMatch &match) const;
};

} // namespace trainyard::contract
