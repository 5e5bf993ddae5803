// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/encodedtexts.h"

#include "engine/contract/spellings.h"

#include <algorithm>

namespace trainyard::contract
{
namespace
{

constexpr std::size_t shortestCode = 7; // less could be a part of any word
constexpr std::size_t startSize = 8; // of a part; as many as a number of 64 bits holds
constexpr std::size_t leastOfBase64 = startSize; // 48 bits
constexpr std::size_t leastOfHexadecimal = 16; // 64 bits: hashes are written in these digits, too
constexpr std::size_t leastOfHead = 3; // at the end of a line, before the rest; less holds too many lines back
constexpr std::size_t mostOfBreak = 64; // with what the next line is indented by
constexpr std::ptrdiff_t mostCandidates = 64; // of values that repeat themselves

constexpr std::array<bool, 256> codeCharacters = [] {
    std::array<bool, 256> all{};
    for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")) {
        all[static_cast<unsigned char>(c)] = true;
    }
    return all;
}();

bool isCodeCharacter(char c) { return codeCharacters[static_cast<unsigned char>(c)]; }

std::size_t endOfSlashes(std::string_view text, std::size_t at)
{
    const std::size_t last = std::min(text.size(), at + mostOfBreak);
    return std::min(text.find_first_not_of('\\', at), last);
}

// Where a line break with its indentation ends, also one that is written as \n. `at` when there is none, or when the
// text ends before that is known, which is open.
std::size_t endOfBreak(std::string_view text, std::size_t at, bool &isOpen)
{
    const std::size_t last = std::min(text.size(), at + mostOfBreak);
    std::size_t end = at;
    while (end < last) {
        if (text[end] == ' ' || text[end] == '\t' || text[end] == '\r' || text[end] == '\n') {
            ++end;
            continue;
        }
        if (text[end] != '\\') {
            return end;
        }
        std::size_t letter = end;
        while (letter < last && text[letter] == '\\') {
            ++letter;
        }
        if (letter == last) {
            break;
        }
        if (text[letter] != 'n' && text[letter] != 'r' && text[letter] != '\n') {
            return end;
        }
        end = letter + 1;
    }
    isOpen = isOpen || last < at + mostOfBreak;
    return at;
}

} // namespace

bool EncodedTexts::isWordStart(std::string_view text, std::size_t at, const std::array<char, 2> &before)
{
    const char last = at > 0 ? text[at - 1] : before[1];
    if (!isCodeCharacter(text[at])) {
        return false;
    }
    if (!isCodeCharacter(last)) {
        return true;
    }
    // A line break that is written as \n.
    return (last == 'n' || last == 'r') && (at > 1 ? text[at - 2] : before[at]) == '\\';
}

void EncodedTexts::add(std::string_view value, bool hasParts)
{
    for (std::string &code : base64Of(value)) {
        add(std::move(code), leastOfBase64, hasParts);
    }
    for (std::string &code : hexadecimalOf(value)) {
        add(std::move(code), leastOfHexadecimal, hasParts);
    }
}

void EncodedTexts::add(std::string code, std::size_t least, bool hasParts)
{
    if (code.size() < shortestCode) {
        return;
    }
    const auto number = static_cast<std::uint32_t>(m_codes.size());
    m_byFirst[static_cast<unsigned char>(code[0])].push_back(number);
    if (hasParts) {
        std::uint64_t start = 0;
        for (std::size_t i = 0; i < code.size(); ++i) {
            start = (start << 8U) | static_cast<unsigned char>(code[i]);
            if (i + 1 >= startSize) {
                m_parts.push_back({start, number, static_cast<std::uint32_t>(i + 1 - startSize)});
            }
        }
    }
    m_codes.push_back({std::move(code), least});
}

void EncodedTexts::finish()
{
    // Those that leave the most to follow come first.
    std::sort(m_parts.begin(), m_parts.end(), [](const Part &a, const Part &b) {
        return a.start != b.start ? a.start < b.start : a.index != b.index ? a.index < b.index : a.code < b.code;
    });
}

void EncodedTexts::follow(
    const Code &code, std::size_t index, std::string_view text, std::size_t at, SecretMatch &match) const
{
    const bool isFromStart = index == 0;
    std::size_t total = 0;
    std::size_t ofLine = 0;
    bool isFirstLine = true;
    while (index < code.text.size()) {
        if (at == text.size()) {
            match.isOpen = true;
            return;
        }
        if (text[at] == code.text[index]) {
            ++at;
            ++index;
            ++total;
            ++ofLine;
            if (ofLine >= code.least || (index == code.text.size() && (isFromStart || total >= code.least))) {
                match.end = std::max(match.end, at);
            }
            continue;
        }
        if (text[at] == '\\' && code.text[index] == '/') { // JSON of PHP
            const std::size_t slash = endOfSlashes(text, at);
            if (slash == text.size() ? slash < at + mostOfBreak : text[slash] == '/') {
                at = slash;
                continue;
            } // else a line break that is written as \n
        }
        if (!isFirstLine && ofLine > 0 && total >= code.least && !isCodeCharacter(text[at])) {
            match.end = std::max(match.end, at);
        }
        const std::size_t least = !isFirstLine ? 1 : isFromStart ? leastOfHead : code.least;
        if (ofLine < least) {
            return;
        }
        const std::size_t next = endOfBreak(text, at, match.isOpen);
        if (next == at) {
            return;
        }
        at = next;
        ofLine = 0;
        isFirstLine = false;
    }
}

void EncodedTexts::findPart(std::string_view text, std::size_t at, SecretMatch &match) const
{
    std::size_t size = 0;
    std::uint64_t start = 0;
    while (size < startSize && at + size < text.size() && isCodeCharacter(text[at + size])) {
        start = (start << 8U) | static_cast<unsigned char>(text[at + size]);
        ++size;
    }
    if (size < startSize && at + size < text.size()) {
        return;
    }
    const std::size_t missing = 8 * (startSize - size);
    const auto isBefore = [](const Part &part, std::uint64_t sought) { return part.start < sought; };
    auto part = std::lower_bound(m_parts.begin(), m_parts.end(), start << missing, isBefore);
    if (size < startSize) {
        match.isOpen = match.isOpen || (part != m_parts.end() && part->start >> missing == start);
        return;
    }
    for (std::ptrdiff_t i = 0; i < mostCandidates && part != m_parts.end() && part->start == start; ++i, ++part) {
        follow(m_codes[part->code], part->index, text, at, match);
    }
}

void EncodedTexts::findWhole(std::string_view text, std::size_t at, SecretMatch &match) const
{
    for (const std::uint32_t code : m_byFirst[static_cast<unsigned char>(text[at])]) {
        follow(m_codes[code], 0, text, at, match);
    }
}

void EncodedTexts::addStarts(BytePairs &starts) const
{
    for (const Code &code : m_codes) {
        starts.add(code.text[0], code.text[1]);
        if (code.text[1] == '/') {
            starts.add(code.text[0], '\\');
        }
    }
}

} // namespace trainyard::contract
