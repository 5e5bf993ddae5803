// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/countheadings.h"

#include "engine/metrics/vocabulary.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestCountHeading = 40;

// What "printing epoch" counts; nothing for "warmup epochs" and for what is read without its surroundings.
std::optional<StepName> countedBy(std::string_view name)
{
    if (name.empty() || !std::all_of(name.begin(), name.end(), [](char c) { return isLetter(c) || c == ' '; })) {
        return {};
    }
    const std::string_view last = lastWordOf(name);
    const std::string lower = lowered(last);
    const bool isPlural = lower == "epochs" || lower == "episodes" || lower == "iterations";
    std::optional<StepName> step = stepName(std::string_view(lower).substr(0, lower.size() - (isPlural ? 1 : 0)));
    if (!step || (isPlural && last.size() < name.size()) || (!isPlural && stepName(name))
        || !(step->axis == Axis::Epoch || step->axis == Axis::Episode || step->axis == Axis::Iteration)
        || lower.size() < 4) {
        return {};
    }
    const std::vector<std::string> words = wordsOf(name.substr(0, name.size() - last.size()));
    const bool isOther = std::any_of(words.begin(), words.end(), [](const std::string &word) {
        return neverWords.contains(word) || countWords.contains(word) || settingWords.contains(word)
            || timeWords.contains(word) || isMetricWord(word) || word.starts_with("load") || word.starts_with("resum")
            || word.starts_with("restor") || word.starts_with("sav") || word.starts_with("writ");
    });
    return isOther ? std::nullopt : step;
}

} // namespace

std::optional<Record> CountHeadings::take(std::string_view line)
{
    line = trimmed(line);
    if (line.size() > longestCountHeading || line.empty() || !isDigit(line.back()) || !isLetter(line.front())) {
        return {};
    }
    const std::size_t digits = line.find_last_not_of("0123456789") + 1;
    const std::optional<Number> number = wholeNumber(line.substr(digits));
    std::string_view name = trimmed(line.substr(0, digits));
    if (name.ends_with(':') || name.ends_with('=')) {
        name = trimmed(name.substr(0, name.size() - 1));
    }
    const std::optional<StepName> step = number ? countedBy(name) : std::nullopt;
    if (!step) {
        return {};
    }
    const bool goesOn = name == m_name && number->value > m_at;
    // "epochs: 1" is how many there are to be.
    const bool isFirst = number->value == 0 || (number->value == 1 && !step->isPlural && !name.ends_with('s'));
    m_name = name;
    m_at = number->value;
    if (!goesOn && !isFirst) {
        return {};
    }
    Record record;
    record.steps.push_back({*step, number->value, {}, false, false});
    return record;
}

} // namespace trainyard::metrics
