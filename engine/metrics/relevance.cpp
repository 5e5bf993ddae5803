// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/relevance.h"

#include "engine/metrics/foreignwords.h"
#include "engine/metrics/names.h"
#include "engine/metrics/settingslist.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"
#include "engine/metrics/writtenforms.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::size_t beginning = 4; // letters of a word that are compared

constexpr std::array<std::uint8_t, 256> letterCodes = [] {
    std::array<std::uint8_t, 256> table{};
    for (int i = 0; i < 26; ++i) {
        table[static_cast<std::size_t>('a' + i)] = static_cast<std::uint8_t>(i + 1);
        table[static_cast<std::size_t>('A' + i)] = static_cast<std::uint8_t>(i + 1);
    }
    return table;
}();

constexpr std::size_t codeOf(char c) { return letterCodes[static_cast<unsigned char>(c)]; }

using Beginnings = std::bitset<1 << 20>; // of four letters of five bits each

std::size_t keyOf(std::string_view text, std::size_t begin)
{
    std::size_t key = 0;
    for (std::size_t i = 0; i < beginning; ++i) {
        const std::size_t code = begin + i < text.size() ? codeOf(text[begin + i]) : 0;
        if (code == 0) {
            break;
        }
        key |= code << (5 * i);
    }
    return key;
}

const Beginnings &beginnings()
{
    static const std::unique_ptr<const Beginnings> all = [] {
        auto made = std::make_unique<Beginnings>();
        forEachKnownWord([&](std::string_view word) { made->set(keyOf(word, 0)); });
        return made;
    }();
    return *all;
}

} // namespace

bool hasKnownWord(std::string_view line)
{
    const Beginnings &known = beginnings();
    const std::size_t size = line.size();
    std::size_t i = 0;
    while (i < size) {
        if (codeOf(line[i]) == 0) {
            if (beginsForeign(line[i]) && foreignWordAt(line, i)) {
                return true;
            }
            ++i;
            continue;
        }
        if (known.test(keyOf(line, i))) {
            return true;
        }
        // To the end of the word, or to a capital in it: "trainLoss", "KLLoss".
        bool small = line[i] >= 'a';
        ++i;
        while (i < size && codeOf(line[i]) != 0) {
            const bool nextSmall = line[i] >= 'a';
            if (!nextSmall && (small || (i + 1 < size && isLower(line[i + 1])))) {
                break;
            }
            small = nextSmall;
            ++i;
        }
    }
    return false;
}

bool mayBeNotFinite(std::string_view text)
{
    for (const std::string_view word : {"nan"sv, "NaN"sv, "inf"sv, "Inf"sv, "NAN"sv}) {
        if (text.find(word) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

bool hasRankInFront(std::string_view text)
{
    const std::size_t begin = skipBlanks(text, 0);
    std::size_t digits = begin;
    while (isDigit(at(text, digits))) {
        ++digits;
    }
    return digits > begin && at(text, digits) == ':' && at(text, digits + 1) == ' ' && isLetter(at(text, digits + 2));
}

bool mayMatter(std::string_view text)
{
    const std::size_t begin = skipBlanks(text, 0);
    if (begin >= text.size()) {
        return true;
    }
    std::size_t digits = begin;
    while (isDigit(at(text, digits))) {
        ++digits;
    }
    const std::string_view front = text.substr(0, longestLine);
    if (hasKnownWord(front)) {
        // Without a number it can only be the header of a table, or the first line of a block.
        return hasDigit(front) || mayBeNotFinite(front) || text.back() == ':' || text.back() == '*'
            || front.find_first_of("\t,;|{-\xE2") != std::string_view::npos
            || front.find("  ") != std::string_view::npos
            || stepName(front.substr(begin, front.find(' ', begin) - begin));
    }
    if (text.starts_with("Time = ")) {
        return true;
    }
    if (text[begin] == 'N' && text.substr(begin + 1, 2) == "  ") {
        return true; // the header of a table that counts by N
    }
    // Bars and boxes need no words, and neither does "Processed 3/10".
    if (const std::size_t of = front.find(" of ");
        of != std::string_view::npos && of > 0 && isDigit(front[of - 1]) && isDigit(at(front, of + 4))) {
        return true;
    }
    if (const std::size_t slash = front.find('/');
        slash != std::string_view::npos && slash > 0 && isDigit(front[slash - 1]) && isDigit(at(front, slash + 1))) {
        return true;
    }
    if (text[begin] == '|' || text[begin] == '{' || (text[begin] == '-' && text.find("  --") != std::string_view::npos)
        || text.find('%') != std::string_view::npos || text.find('\xE2') != std::string_view::npos
        || (at(text, digits) == '/' && digits > begin)) {
        return true;
    }
    if (text.back() == '{') {
        return introducesSettings(text.substr(0, text.size() - 1)); // what is in it would be read line by line
    }
    const std::size_t bracket = text.find('[');
    return bracket != std::string_view::npos && bracket > 3 && text.substr(bracket - 3, 3) == "it ";
}

} // namespace trainyard::metrics
