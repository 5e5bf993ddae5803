// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Words of names in languages that are not written in Latin letters. Some of these have no blanks between words, so a
// name is looked through for them.
namespace trainyard::metrics
{

struct ForeignWord {
    std::string_view word;
    std::string_view meaning; // the word that the vocabulary has for it
    bool isStep = false; // what is counted
};
const ForeignWord *foreignWordAt(std::string_view text, std::size_t i); // null: there is none

// Whether a byte may begin one: those of signs that draw bars and boxes are below. Most bytes of outputs are.
constexpr bool beginsForeign(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xE3 || byte == 0xD0 || byte == 0xD1; // the last two: Cyrillic
}

// "epoque" of "époque": words with accents are known without them. The result of withoutAccents() has none, whatever
// bytes an output has.
constexpr bool hasAccents(std::string_view text) { return text.find('\xC3') != std::string_view::npos; }
std::string withoutAccents(std::string_view text);

// The line with its counts in the order and in words that are known, or nothing where it has none: "epoch 3/10" for the
// third round of ten.
std::optional<std::string> withKnownCounts(std::string_view line);

} // namespace trainyard::metrics
