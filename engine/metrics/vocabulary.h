// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/words.h"

#include <string>
#include <string_view>
#include <unordered_set>

// The words of which names of metrics, settings, times and counts are made, in lower case.
namespace trainyard::metrics
{

using WordSet = std::unordered_set<std::string_view>;

extern const WordSet metricWords;
// Words that also stand for other things: they need a value with a point, or a step.
extern const WordSet faintWords;
// Words that make a setting of what else would be a metric.
extern const WordSet settingWords;
extern const WordSet aimWords;
extern const WordSet timeWords;
extern const WordSet neverWords;
// Words for counts and for things that are not measures; a loss or an accuracy of them is a measure.
extern const WordSet countWords;
extern const WordSet rateWords;
extern const WordSet partWords;
extern const WordSet strongWords;
extern const WordSet evaluationWords;

bool isMetricWord(std::string_view word); // also "closs" and "advloss"

inline constexpr std::size_t longestName = 100; // of a metric

// A text longer than this is not read as a name, so that looking up every word of a long line stays quick.
constexpr std::string_view lastWordOf(std::string_view text)
{
    std::size_t i = text.size();
    while (i > 0 && !isBlank(text[i - 1]) && text.size() - i <= longestName) {
        --i;
    }
    return text.substr(i);
}

} // namespace trainyard::metrics
