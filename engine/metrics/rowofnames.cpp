// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/rowofnames.h"

#include "engine/metrics/stepnames.h"
#include "engine/metrics/tablecells.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

namespace
{

// "3", "[3/500]"
std::optional<Number> countOf(std::string_view word)
{
    if (word.starts_with('[') && word.ends_with(']')) {
        word = word.substr(1, word.size() - 2);
    }
    Number number;
    return !word.empty() && isDigit(word.front()) && lexNumber(word, 0, number) == Lexed::Number
            && number.end == word.size()
        ? std::optional(number)
        : std::nullopt;
}

} // namespace

bool isRowOfNames(std::string_view line)
{
    constexpr std::size_t leastWords = 8, leastValues = 2; // two values with a point: a sentence has fewer
    std::vector<std::string_view> words = splitAtBlanks(line, 1);
    if (!words.empty() && words.front().starts_with('[') && words.front().ends_with(']')) {
        words.erase(words.begin()); // "[train] iter 3 ..."
    }
    if (words.size() < leastWords || words.size() % 2 != 0 || !stepName(words[0])) {
        return false;
    }
    std::size_t values = 0;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::optional<Number> number = i == 0 ? countOf(words[1]) : wholeNumber(words[i + 1]);
        const std::string_view name = words[i];
        if (!number || isDigit(name.front()) || name.find_first_of(":=,;") != std::string_view::npos) {
            return false;
        }
        values += number->decimals > 0 ? 1 : 0;
    }
    return values >= leastValues && countOf(words[1])->isWhole;
}

} // namespace trainyard::metrics
