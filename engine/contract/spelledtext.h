// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/bytepairs.h"
#include "engine/contract/secretmatch.h"
#include "engine/contract/spellings.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// Where `sought` ends that begins at `at` of a text. Open when the text ends first.
std::optional<std::size_t> endOfText(std::string_view text, std::size_t at, std::string_view sought, bool &isOpen);

// Finds a value in the spellings of its characters (spellings.h). Each may be spelled in its own way and be quoted more
// than once, as in JSON inside JSON, or in a command that a shell prints inside of one.
class SpelledText
{
public:
    // Where the elements before may end; a few places, as a run of backslashes may be read in more than one way.
    struct Places {
        std::array<std::size_t, 64> at; // so many are set as count says
        std::size_t count = 0;
        void add(std::size_t place);
    };

    explicit SpelledText(std::string_view value);
    // With which bytes it may begin, from one of its elements on.
    void addStarts(BytePairs &starts, std::size_t index = 0) const;
    std::string firstBytes(std::size_t index = 0) const;
    SecretMatch find(std::string_view text, std::size_t at) const;
    // The elements, one after the other: letters and digits, or one other character. A digit after a dollar sign is an
    // element by itself, as a shell reads it.
    std::size_t elements() const { return m_elements.size(); }
    const std::string &element(std::size_t index) const { return m_elements[index].text; }
    // Adds the positions at which the element that begins at `at` may end. The first one has no backslashes of its own
    // before it.
    void step(std::size_t index, std::string_view text, std::size_t at, bool isFirst, Places &ends, bool &isOpen) const;

private:
    enum class Kind { Plain, Character, Backslash, Quote };
    struct Element {
        Kind kind = Kind::Plain;
        std::string text; // of letters and digits, or one character
        std::size_t spellings = 0; // in m_spellings
    };

    std::vector<Element> m_elements;
    std::vector<std::vector<Spelling>> m_spellings; // of each different character
};

} // namespace trainyard::contract
