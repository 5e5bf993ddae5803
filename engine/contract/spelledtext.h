// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/bytepairs.h"
#include "engine/contract/secretmatch.h"
#include "engine/contract/spellings.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// Finds a value in the spellings of its characters (spellings.h). Each may be spelled in its own way and be quoted more
// than once, as in JSON inside JSON, or in a command that a shell prints inside of one.
class SpelledText
{
public:
    explicit SpelledText(std::string_view value);
    // With which bytes it may begin.
    void addStarts(BytePairs &starts) const;
    std::string firstBytes() const { return firstBytesOf(0); }
    SecretMatch find(std::string_view text, std::size_t at) const;

private:
    enum class Kind { Plain, Character, Backslash, Quote };
    struct Element {
        Kind kind = Kind::Plain;
        std::string text; // of letters and digits, or one character
        std::size_t spellings = 0; // in m_spellings
    };
    // Where the elements before may end; a few places, as a run of backslashes may be read in more than one way.
    struct Places {
        std::array<std::size_t, 64> at; // so many are set as count says
        std::size_t count = 0;
        void add(std::size_t place);
    };

    std::vector<Element> m_elements;
    std::vector<std::vector<Spelling>> m_spellings; // of each different character

    std::string firstBytesOf(std::size_t index) const;
    void step(std::size_t index, std::string_view text, std::size_t at, Places &ends, bool &isOpen) const;
};

} // namespace trainyard::contract
