// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/relevance.h"

#include "engine/metrics/names.h"
#include "engine/metrics/words.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>

namespace trainyard::metrics
{

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

} // namespace trainyard::metrics
