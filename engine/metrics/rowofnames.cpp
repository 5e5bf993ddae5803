// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/rowofnames.h"

#include "engine/metrics/stepnames.h"
#include "engine/metrics/tablecells.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

bool isRowOfNames(std::string_view line)
{
    constexpr std::size_t leastWords = 8, leastValues = 2; // two values with a point: a sentence has fewer
    const std::vector<std::string_view> words = splitAtBlanks(line, 1);
    if (words.size() < leastWords || words.size() % 2 != 0 || !stepName(words[0])) {
        return false;
    }
    std::size_t values = 0;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::optional<Number> number = wholeNumber(words[i + 1]);
        const std::string_view name = words[i];
        if (!number || isDigit(name.front()) || name.find_first_of(":=,;") != std::string_view::npos) {
            return false;
        }
        values += number->decimals > 0 ? 1 : 0;
    }
    return values >= leastValues && wholeNumber(words[1])->isWhole;
}

} // namespace trainyard::metrics
