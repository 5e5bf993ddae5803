// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/shellparts.h"

#include <algorithm>
#include <map>

namespace trainyard::contract
{
namespace
{

constexpr std::size_t mostElements = 4096; // of one line; a value that has more is not a password
constexpr std::size_t shortestPart = 6; // as of whole values
constexpr std::size_t mostAlike = 8; // parts that begin with the same word, which says little where it is so frequent
constexpr std::size_t longPart = 16; // which no ordinary word has

// Whether it may be a word of a language, of several with dashes, or the name of a file.
bool isWord(std::string_view part)
{
    return std::all_of(part.begin(), part.end(), [](char c) {
        return (isLetterOrDigit(c) && !(c >= '0' && c <= '9')) || static_cast<unsigned char>(c) >= 0x80
            || std::string_view("-_./:,").find(c) != std::string_view::npos;
    });
}

constexpr bool isOneOf(std::string_view element, std::string_view characters)
{
    return element.size() == 1 && characters.find(element[0]) != std::string_view::npos;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

std::size_t indexOf(const SpelledText &spelled, std::string_view element, std::size_t from)
{
    while (from < spelled.elements() && spelled.element(from) != element) {
        ++from;
    }
    return from;
}

} // namespace

bool isTellingPart(std::string_view part, std::size_t valueSize)
{
    const bool hasDigit = std::any_of(part.begin(), part.end(), isDigit);
    const bool hasLetter = std::any_of(part.begin(), part.end(), [](char c) { return isLower(c) || isUpper(c); });
    const bool isRuler = part.empty() || part.find_first_not_of(part[0]) == std::string_view::npos;
    if (part.size() < shortestPart || isRuler) {
        return false;
    }
    const bool isMixed = std::adjacent_find(part.begin(), part.end(), [](char a, char b) {
        return isLower(a) && isUpper(b);
    }) != part.end();
    return (hasDigit && hasLetter) || isMixed || part.size() >= longPart || part.size() * 3 >= valueSize;
}

ShellParts::ShellParts(const SpelledText &spelled, std::uint32_t text, std::size_t valueSize)
    : m_text(text), m_valueSize(valueSize)
{
    if (spelled.elements() > mostElements) {
        return;
    }
    setRoles(spelled);
    if (std::none_of(m_roles.begin(), m_roles.end(), [](const Role &role) { return role.isCut; })) {
        return;
    }
    m_isPhrase = std::any_of(m_roles.begin(), m_roles.end(), [](const Role &role) { return role.isBlank; });
    std::map<std::string_view, std::size_t> startsWith;
    for (std::size_t i = 0; i < m_roles.size(); ++i) {
        if (m_roles[i].isCut || !(i == 0 || m_roles[i - 1].isCut || m_roles[i].beginsPart)) {
            continue;
        }
        // A part of one character begins at too many places of a text.
        const bool isLonger = spelled.element(i).size() > 1
            || (i + 1 < m_roles.size() && !m_roles[i + 1].isCut && !m_roles[i + 1].beginsPart);
        if ((isLonger || m_starts.empty()) && ++startsWith[spelled.element(i)] <= mostAlike) {
            m_starts.push_back(i);
        }
    }
}

void ShellParts::setRoles(const SpelledText &spelled)
{
    m_roles.resize(spelled.elements());
    for (std::size_t i = 0; i < m_roles.size(); ++i) {
        const std::string &element = spelled.element(i);
        Role &role = m_roles[i];
        role.isBlank = isOneOf(element, " \t\r\v\f");
        role.isCut = role.isCut || role.isBlank || isOneOf(element, ";&|<>()$`\"'\\");
        if (role.isBlank && i + 1 < m_roles.size() && isOneOf(spelled.element(i + 1), " \t\r\v\f")) {
            role.skip = i + 1; // a shell makes one blank of them
        } else if (isOneOf(element, "\"'\\")) {
            role.skip = i + 1;
        } else if (element == "`") {
            const std::size_t end = indexOf(spelled, "`", i + 1);
            role.skip = end < m_roles.size() ? end + 1 : 0;
        } else if (element == "$") {
            setExpansion(spelled, i);
        }
    }
    setBraces(spelled);
}

// bash makes several words of a text with braces that have a comma or two points between them.
void ShellParts::setBraces(const SpelledText &spelled)
{
    const std::size_t open = indexOf(spelled, "{", 0);
    const std::size_t close = indexOf(spelled, "}", open);
    if (close == m_roles.size() || std::min(indexOf(spelled, ",", open), indexOf(spelled, ".", open)) > close) {
        return;
    }
    for (std::size_t i = open; i < m_roles.size(); ++i) {
        const std::string &element = spelled.element(i);
        if (isOneOf(element, "{},")) {
            const std::size_t end = element == "," ? indexOf(spelled, "}", i) : i;
            m_roles[i].isCut = true;
            m_roles[i].skip = end < m_roles.size() ? end + 1 : 0; // a word goes on behind the other words
        }
    }
}

void ShellParts::setExpansion(const SpelledText &spelled, std::size_t dollar)
{
    const std::size_t first = dollar + 1;
    if (first == m_roles.size()) {
        return;
    }
    const std::string &element = spelled.element(first);
    std::size_t end = first;
    if (element == "{" || element == "(") {
        const std::size_t last = indexOf(spelled, element == "{" ? "}" : ")", first);
        end = last < m_roles.size() ? last + 1 : first;
        m_roles[first].isCut = true;
        if (end > first) {
            m_roles[last].isCut = true;
        }
    } else if (isDigit(element[0]) || isOneOf(element, "?$!#@*-")) {
        end = first + 1;
    } else {
        while (end < m_roles.size() && (spelled.element(end) == "_" || isLetterOrDigit(spelled.element(end)[0]))) {
            ++end;
        }
    }
    m_roles[dollar].skip = end > first || isOneOf(element, "\"'") ? end : 0;
    if (end > first && end < m_roles.size()) {
        m_roles[end].beginsPart = true;
    }
}

void ShellParts::addStarts(BytePairs &starts, const SpelledText &spelled, std::size_t start) const
{
    spelled.addStarts(starts, start);
    if (spelled.element(start).size() == 1 && start + 1 < m_roles.size() && m_roles[start + 1].isCut) {
        starts.addAll(spelled.element(start)[0]);
    }
}

// `part` is as the text has it.
bool ShellParts::isTelling(std::string_view part) const
{
    // One word of a phrase is in other texts, too, unless it is nearly all of the phrase.
    return isTellingPart(part, m_isPhrase && isWord(part) ? 2 * m_valueSize : m_valueSize);
}

// Words that a shell has made are shown in a row, in a list, or each on a line.
void ShellParts::stepBlank(
    std::size_t index, std::string_view text, std::size_t at, SpelledText::Places &ends, bool &isOpen) const
{
    if (!m_roles[index].isBlank) {
        return;
    }
    for (const std::string_view between : {" ", "\n", "', '", "\", \"", "\",\""}) {
        if (const std::optional<std::size_t> end = endOfText(text, at, between, isOpen)) {
            ends.add(*end);
        }
    }
}

SecretMatch ShellParts::find(const SpelledText &spelled, std::size_t start, std::string_view text, std::size_t at) const
{
    SecretMatch match{at, false};
    SpelledText::Places begun;
    spelled.step(start, text, at, true, begun, match.isOpen);
    if (begun.count == 0) { // as at most places of a text
        return match;
    }
    std::map<std::size_t, SpelledText::Places> left; // by the element that comes next
    left.emplace(start + 1, begun);
    while (!left.empty()) {
        const auto [index, places] = *left.begin();
        left.erase(left.begin());
        const bool isEnd = index == m_roles.size() || m_roles[index].isCut || m_roles[index].beginsPart;
        for (std::size_t k = 0; k < places.count && isEnd && !m_roles[index - 1].isCut; ++k) {
            if (isTelling(text.substr(at, places.at[k] - at))) {
                match.end = std::max(match.end, places.at[k]);
            }
        }
        if (index == m_roles.size()) {
            continue;
        }
        SpelledText::Places ends;
        for (std::size_t k = 0; k < places.count; ++k) {
            if (m_roles[index].skip > 0) {
                left[m_roles[index].skip].add(places.at[k]);
            }
            spelled.step(index, text, places.at[k], false, ends, match.isOpen);
            stepBlank(index, text, places.at[k], ends, match.isOpen);
        }
        for (std::size_t k = 0; k < ends.count; ++k) {
            left[index + 1].add(ends.at[k]);
        }
    }
    return match;
}

} // namespace trainyard::contract
