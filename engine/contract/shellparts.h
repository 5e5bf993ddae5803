// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/bytepairs.h"
#include "engine/contract/secretmatch.h"
#include "engine/contract/spelledtext.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// Whether a part says something of its value: a third of it, or what no other text has by chance.
bool isTellingPart(std::string_view part, std::size_t valueSize);

// The parts of a value that a shell shows which has read the value as its own text: cut at blanks, signs and quotes,
// without the quotes and backslashes that it takes away, and with variables and commands expanded to nothing. A part
// that is short for the value and could be any word is not found, or ordinary words of an output would be hidden.
class ShellParts
{
public:
    // `text` is the number of the text for a caller that keeps both; the value may have other lines.
    ShellParts(const SpelledText &spelled, std::uint32_t text, std::size_t valueSize);
    std::uint32_t text() const { return m_text; }
    // The elements with which parts begin; none of a value that a shell leaves whole.
    const std::vector<std::size_t> &starts() const { return m_starts; }
    void addStarts(BytePairs &starts, const SpelledText &spelled, std::size_t start) const;
    SecretMatch find(const SpelledText &spelled, std::size_t start, std::string_view text, std::size_t at) const;

private:
    struct Role {
        bool isCut = false; // parts end in front of it and begin behind it
        bool isBlank = false;
        bool beginsPart = false; // behind the name of a variable
        std::size_t skip = 0; // where the text goes on when the shell has taken this away, or 0
    };

    std::vector<Role> m_roles; // of the elements
    std::vector<std::size_t> m_starts;
    std::uint32_t m_text = 0;
    std::size_t m_valueSize = 0;
    bool m_isPhrase = false; // it has blanks

    void setRoles(const SpelledText &spelled);
    void setBraces(const SpelledText &spelled);
    void setExpansion(const SpelledText &spelled, std::size_t dollar);
    bool isTelling(std::string_view part) const;
    void stepBlank(
        std::size_t index, std::string_view text, std::size_t at, SpelledText::Places &ends, bool &isOpen) const;
};

} // namespace trainyard::contract
