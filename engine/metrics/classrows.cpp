// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/classrows.h"

#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

// "cat | precision: 0.9 | recall: 0.8", and below it the same of another word
bool ClassRows::isLabelledAgain(const Record &record, std::string_view line)
{
    const std::size_t bar = line.find('|');
    const std::string_view label = trimmed(line.substr(0, bar));
    std::vector<std::string> names;
    for (const Pair &pair : record.pairs) {
        names.push_back(pair.name);
    }
    const bool isLabel = bar != std::string_view::npos && !label.empty() && isLetter(label.front())
        && label.find_first_of(" :=") == std::string_view::npos && !isPartName(label);
    const bool isAgain = isLabel && !m_label.empty() && label != m_label && names == m_labelled;
    m_label = isLabel ? std::string(label) : std::string();
    m_labelled = std::move(names);
    return isAgain;
}

bool ClassRows::take(const Record &record, std::string_view line)
{
    constexpr std::size_t leastPairs = 2;
    if (record.steps.empty() && record.pairs.size() >= leastPairs && isLabelledAgain(record, line)) {
        return true;
    }
    if (record.pairs.size() < leastPairs || !record.steps.empty()) {
        m_namesOfAll.clear();
        return false;
    }
    const std::string label = lowered(record.pairs.front().context);
    const auto isAbove = [this](const Pair &pair) {
        return std::find(m_namesOfAll.begin(), m_namesOfAll.end(), pair.name) != m_namesOfAll.end();
    };
    if (!label.empty() && label.find(' ') == std::string::npos && !isPartName(label)
        && std::all_of(record.pairs.begin(), record.pairs.end(), isAbove)) {
        return true;
    }
    m_namesOfAll.clear();
    for (const Pair &pair : record.pairs) {
        if (record.pairs.front().context.empty()) {
            m_namesOfAll.push_back(pair.name);
        }
    }
    return false;
}

} // namespace trainyard::metrics
