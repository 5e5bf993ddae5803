// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/dictsurroundings.h"

#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

bool looksLikeDict(std::string_view text, std::size_t brace)
{
    const char first = at(text, skipBlanks(text, brace + 1));
    return first == '\'' || first == '"';
}

namespace
{

// The last word that says which part of the data a text is about.
std::string_view partIn(std::string_view text)
{
    std::string_view part;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = lettersEnd(text, i);
        const std::string_view word = text.substr(i, end - i);
        part = isPartName(word) || isOfEvaluation(word) ? word : part;
        i = std::max(end, i + 1);
    }
    return part;
}

} // namespace

void addIntroduction(std::string_view before, Record &record)
{
    constexpr std::size_t longestIntroduction = 1000, longestPart = 60;
    if (before.empty() || before.size() >= longestIntroduction) {
        return;
    }
    Record outside;
    readText(before, outside);
    // "Val: {'loss': 0.5}", "epoch 3 eval metrics {...}": of which part of the data all of it is
    if (const std::string_view part = partIn(before); !part.empty() && before.size() <= longestPart) {
        for (Pair &pair : record.pairs) {
            if (pair.kind != NameKind::Setting && partIn(pair.name).empty()) { // "eval_loss" says it itself
                pair.context = part;
            }
        }
    }
    // "Losses {'ner': 34.5, 'tagger': 12.1}": what they are stands before them all.
    std::string_view name = before;
    name.remove_suffix(name.ends_with(':') || name.ends_with('=') ? 1 : 0);
    name = trimmed(name);
    if (record.steps.empty() && outside.isEmpty() && kindOf(name) == NameKind::Metric
        && std::all_of(name.begin(), name.end(), isWord)) {
        for (Pair &pair : record.pairs) {
            pair.name = std::string(name) + '/' + pair.name;
            pair.kind = kindOf(pair.name);
        }
    }
    // "step: 100, loss: 0.5, {'forward_time': 0.3}": most of what is measured stands before it.
    const bool isMeasured = std::any_of(outside.pairs.begin(), outside.pairs.end(), [](const Pair &pair) {
        return (pair.kind == NameKind::Metric || pair.kind == NameKind::Faint) && pair.isJoined && !pair.isWhole;
    });
    if (isMeasured && !outside.steps.empty() && !outside.mayBeRank) {
        // "step: 100, mAP: 0.5, classes: {'cat': {'ap': 0.4}, ...}": the details of a line are of no series, but
        // "metrics: {'val/acc': 0.5}" is measured.
        const bool namesParts = std::any_of(record.pairs.begin(), record.pairs.end(),
            [](const Pair &pair) { return isPartName(std::string_view(pair.name).substr(0, pair.name.find('/'))); });
        if (before.ends_with(':') && record.isOfDetails && !namesParts) {
            record.pairs.clear();
        }
        record.isOfEvaluation = record.isOfEvaluation || outside.isOfEvaluation;
        // What the dictionary says again is more exact there.
        std::erase_if(outside.pairs, [&record](const Pair &pair) {
            return std::any_of(record.pairs.begin(), record.pairs.end(),
                [&pair](const Pair &inside) { return inside.name == pair.name; });
        });
        record.pairs.insert(record.pairs.begin(), outside.pairs.begin(), outside.pairs.end());
    }
    if (record.steps.empty() && !outside.mayBeRank) {
        record.steps = std::move(outside.steps);
    }
    record.secondsLeft = record.secondsLeft ? record.secondsLeft : outside.secondsLeft;
}

Record recordAround(std::string_view before, std::string_view behind)
{
    Record outside;
    readText(before, outside);
    if (outside.pairs.empty() && !behind.empty()) { // "Trial 3/20: params={...} -> AUC: 0.5"
        Record last;
        readText(behind, last);
        if (last.steps.empty()) {
            outside.pairs = std::move(last.pairs);
        }
    }
    return outside;
}

} // namespace trainyard::metrics
