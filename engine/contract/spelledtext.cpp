// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/spelledtext.h"

#include <algorithm>
#include <map>
#include <optional>

namespace trainyard::contract
{
namespace
{

// Bounds what is held back of a text that could go on as the secret.
constexpr std::size_t mostSlashes = 16; // quoted five times
constexpr std::size_t mostQuotes = 40;

std::size_t slashesAt(std::string_view text, std::size_t at)
{
    std::size_t count = 0;
    while (count < mostSlashes && at + count < text.size() && text[at + count] == '\\') {
        ++count;
    }
    return count;
}

std::optional<std::size_t> endOfSpelling(
    std::string_view text, std::size_t at, const Spelling &spelling, bool isFirst, bool &isOpen)
{
    bool mayHaveMore = !isFirst; // the text in front of the value stays as it is
    for (const SpelledPiece &piece : spelling) {
        const std::size_t slashes = slashesAt(text, at);
        if (!mayHaveMore && piece.leastSlashes == 0 && slashes > 0) {
            return std::nullopt;
        }
        mayHaveMore = true;
        at += slashes;
        if (at == text.size()) {
            isOpen = isOpen || slashes < mostSlashes;
            return std::nullopt;
        }
        if (slashes < piece.leastSlashes) {
            return std::nullopt;
        }
        const std::optional<std::size_t> end = endOfText(text, at, piece.text, isOpen);
        if (!end) {
            return std::nullopt;
        }
        at = *end;
    }
    return at;
}

} // namespace

std::optional<std::size_t> endOfText(std::string_view text, std::size_t at, std::string_view sought, bool &isOpen)
{
    const std::size_t size = std::min(sought.size(), text.size() - at);
    if (text.substr(at, size) != sought.substr(0, size)) {
        return std::nullopt;
    }
    if (size < sought.size()) {
        isOpen = true;
        return std::nullopt;
    }
    return at + size;
}

void SpelledText::Places::add(std::size_t place)
{
    if (count < at.size() && std::find(at.begin(), at.begin() + count, place) == at.begin() + count) {
        at[count++] = place;
    }
}

SpelledText::SpelledText(std::string_view value)
{
    std::map<std::string_view, std::size_t> known;
    while (!value.empty()) {
        if (isLetterOrDigit(value[0])) {
            const auto end = std::find_if_not(value.begin(), value.end(), isLetterOrDigit);
            const bool isArgument = !m_elements.empty() && m_elements.back().text == "$" && value[0] <= '9';
            const std::size_t size = isArgument ? 1 : static_cast<std::size_t>(end - value.begin());
            m_elements.push_back({Kind::Plain, std::string(value.substr(0, size)), 0});
            value.remove_prefix(size);
            continue;
        }
        const std::string_view character = firstCharacter(value);
        const auto [entry, isNew] = known.try_emplace(character, m_spellings.size());
        if (isNew) {
            m_spellings.push_back(spellingsOf(character));
        }
        const Kind kind = character == "\\"         ? Kind::Backslash
            : character == "'" || character == "\"" ? Kind::Quote
                                                    : Kind::Character;
        m_elements.push_back({kind, std::string(character), entry->second});
        value.remove_prefix(character.size());
    }
}

std::string SpelledText::firstBytes(std::size_t index) const
{
    const Element &element = m_elements[index];
    std::string bytes(1, element.text[0]);
    const auto add = [&bytes](char c) {
        if (bytes.find(c) == std::string::npos) {
            bytes += c;
        }
    };
    if (element.kind != Kind::Plain) {
        for (const Spelling &spelling : m_spellings[element.spellings]) {
            add(spelling.front().leastSlashes > 0 ? '\\' : spelling.front().text[0]);
        }
        add('\\'); // in front of it
        if (element.kind == Kind::Quote) {
            add('\'');
            add('"');
        }
    }
    return bytes;
}

void SpelledText::addStarts(BytePairs &starts, std::size_t index) const
{
    const std::string &text = m_elements[index].text;
    if (text.size() > 1) {
        starts.add(text[0], text[1]);
    } else if (index + 1 < m_elements.size()) {
        for (const char second : firstBytes(index + 1)) {
            starts.add(text[0], second);
        }
    }
    for (const char first : firstBytes(index)) {
        if (first != text[0]) {
            starts.addAll(first);
        }
    }
    if (m_elements[index].kind == Kind::Plain) {
        return;
    }
    starts.add(text[0], '\\'); // between its bytes
    for (const Spelling &spelling : m_spellings[m_elements[index].spellings]) {
        const std::string &spelled = spelling.front().text;
        if (spelled[0] == text[0] && (spelled.size() > 1 || spelling.size() > 1)) {
            starts.addAll(spelled[0]); // as "" of "
        }
    }
}

void SpelledText::step(
    std::size_t index, std::string_view text, std::size_t at, bool isFirst, Places &ends, bool &isOpen) const
{
    const Element &element = m_elements[index];
    if (element.kind == Kind::Plain) {
        if (const std::optional<std::size_t> end = endOfText(text, at, element.text, isOpen)) {
            ends.add(*end);
        }
        return;
    }
    for (const Spelling &spelling : m_spellings[element.spellings]) {
        if (const std::optional<std::size_t> end = endOfSpelling(text, at, spelling, isFirst, isOpen)) {
            ends.add(*end);
        }
    }
    if (element.kind == Kind::Backslash) {
        // How many of them are this one shows only by what follows.
        const std::size_t slashes = slashesAt(text, at);
        for (std::size_t i = 1; i <= slashes; ++i) {
            ends.add(at + i);
        }
        isOpen = isOpen || (at + slashes == text.size() && slashes < mostSlashes);
    } else if (element.kind == Kind::Quote && index > 0 && index + 1 < m_elements.size()) {
        // A quote that a shell has quoted again and again: '"'"'"'"'"'"'"'"'.
        constexpr std::string_view quotes = "'\"\\";
        bool hasOwn = false;
        std::size_t end = at;
        while (end < text.size() && end - at < mostQuotes && quotes.find(text[end]) != std::string_view::npos) {
            hasOwn = hasOwn || text[end] == element.text[0];
            ++end;
            if (hasOwn) {
                ends.add(end);
            }
        }
        isOpen = isOpen || (end == text.size() && end - at < mostQuotes);
    }
}

SecretMatch SpelledText::find(std::string_view text, std::size_t at) const
{
    SecretMatch match{at, false};
    Places places;
    std::size_t first = 0;
    if (m_elements.front().kind == Kind::Plain) { // at most places of a text it is known at once that there is none
        const std::optional<std::size_t> end = endOfText(text, at, m_elements.front().text, match.isOpen);
        if (!end) {
            return match;
        }
        places.add(*end);
        first = 1;
    } else {
        places.add(at);
    }
    for (std::size_t i = first; i < m_elements.size(); ++i) {
        Places ends;
        for (std::size_t k = 0; k < places.count; ++k) {
            step(i, text, places.at[k], i == 0, ends, match.isOpen);
        }
        if (ends.count == 0) {
            return match;
        }
        places = ends;
    }
    match.end = *std::max_element(places.at.begin(), places.at.begin() + places.count);
    return match;
}

} // namespace trainyard::contract
