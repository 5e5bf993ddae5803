// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/partvalues.h"

#include "engine/metrics/names.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostParts = 8;

// "loss", "ReconstructionError", "mean_iou": one word, as a number of words before a colon may be a sentence.
bool isNameOfMetric(std::string_view name)
{
    const NameKind kind = kindOf(name);
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return isWord(c) || c == '-'; })
        && (kind == NameKind::Metric || kind == NameKind::Faint) && canBeName(name, true);
}

// "LOSS train 0.5 valid 0.75": nothing but the name and, for two parts at least, a value with a point.
std::vector<PartValue> valuesWithoutSigns(std::string_view line)
{
    constexpr std::size_t leastParts = 2;
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view name = line.substr(0, end);
    const std::size_t second = skipBlanks(line, end);
    if (!isPartName(line.substr(second, lettersEnd(line, second) - second)) || !isNameOfMetric(name)) {
        return {};
    }
    std::vector<PartValue> values;
    for (std::size_t i = second; i < line.size();) {
        const std::size_t wordEnd = lettersEnd(line, i);
        PartValue value{name, line.substr(i, wordEnd - i), {}};
        const std::size_t begin = skipBlanks(line, wordEnd);
        const std::size_t behind = begin > wordEnd ? endOfValue(line, begin, &value.number) : begin;
        if (!isPartName(value.part) || behind == begin || value.number.decimals == 0 || values.size() >= mostParts) {
            return {};
        }
        values.push_back(value);
        i = std::min(line.find_first_not_of(" \t,;|", behind), line.size());
    }
    return values.size() >= leastParts ? values : std::vector<PartValue>();
}

} // namespace

std::size_t endOfValue(std::string_view text, std::size_t begin, Number *number)
{
    const bool isSigned = at(text, begin) == '-' || at(text, begin) == '+' || at(text, begin) == '.';
    Number read;
    if (isDigit(at(text, isSigned ? begin + 1 : begin))) {
        if (lexNumber(text, begin, read) != Lexed::Number) {
            return begin;
        }
    } else if (const std::optional<Number> word = lexNotFinite(text, begin)) {
        read = *word;
    } else {
        return begin;
    }
    if (number) {
        *number = read;
    }
    return read.end;
}

std::vector<PartValue> partValuesIn(std::string_view name, std::string_view text)
{
    std::vector<PartValue> values;
    for (std::size_t i = skipBlanks(text, 0); i < text.size();) {
        const std::size_t end = std::min(text.find_first_of("=: \t", i), text.size());
        const std::string_view part = text.substr(i, end - i);
        if (!isPartName(part) || values.size() >= mostParts || (values.empty() && !isNameOfMetric(name))) {
            return {};
        }
        std::size_t begin = skipBlanks(text, end);
        if (at(text, begin) != '=' && at(text, begin) != ':') {
            return {};
        }
        begin = skipBlanks(text, begin + 1);
        PartValue value{name, part, {}};
        const std::size_t behind = endOfValue(text, begin, &value.number);
        // Behind it stands the next one or nothing: "train=0.5 is too high" is a sentence.
        if (behind == begin || value.number.total) {
            return {};
        }
        values.push_back(value);
        i = std::min(text.find_first_not_of(" \t,;|", behind), text.size());
    }
    return values;
}

std::vector<PartValue> partValuesOf(std::string_view line)
{
    const std::size_t colon = line.find(": ");
    return colon == std::string_view::npos ? valuesWithoutSigns(line)
                                           : partValuesIn(trimmed(line.substr(0, colon)), line.substr(colon + 1));
}

} // namespace trainyard::metrics
