// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/othervalues.h"

#include "engine/metrics/settingslist.h"
#include "engine/metrics/vocabulary.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

namespace
{

// What a result is compared with.
const WordSet referenceWords{
    "baseline", "chance", "guess", "required", "desired", "paper", "published", "majority", "naive", "dummy", "prior"};
// Words of metrics that are also those of devices, links and data: they say less than "loss".
const WordSet sharedWords{"sensitivity", "ber", "correlation", "concordance", "mmd"};
// How a metric is taken, and of what.
const WordSet takenWords{"mean", "average", "avg", "median", "std", "final", "total", "overall", "macro", "micro",
    "weighted", "balanced", "global", "local", "relative", "absolute", "squared", "square", "root", "normalized", "raw",
    "model", "class", "pixel", "word", "char", "character", "token", "phone", "phoneme", "label", "episode", "agent",
    "player", "batch", "epoch", "step", "holdout", "oob", "fold", "set", "dataset", "current", "running", "smoothed",
    "ema", "top", "rank", "reconstruction", "classification", "regression", "prediction", "training", "generalization",
    "ensemble", "student", "teacher", "pearson", "spearman", "kendall", "matthews", "log", "l", "r", "f", "p", "max",
    "min", "the", "of", "on", "at", "for", "and", "in", "is", "our", "new", "last", "mse", "rms", "box", "mask", "bbox",
    "segm", "point", "depth", "pose", "rotation", "translation", "position", "angle", "force", "forces", "atom", "per",
    "abs", "rel", "sq", "validated", "tr", "va", "te", "ts", "z", "d", "g", "a", "b", "x", "y"};

bool hasWordOf(const WordSet &set, const std::vector<std::string> &words)
{
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) { return set.contains(word); });
}

// "train.loss.gamma", "eval.map.iou": the path of a setting, and not "Avg. loss".
bool isPathOfParts(std::string_view name)
{
    for (std::size_t i = 1; i + 1 < name.size(); ++i) {
        if (name[i] == '.' && isWord(name[i - 1]) && isLetter(name[i + 1])) {
            return name.find(' ') == std::string_view::npos && name.find('/') == std::string_view::npos;
        }
    }
    return false;
}

} // namespace

bool wasMeasured(const Pair &pair)
{
    constexpr int leastDecimals = 4;
    constexpr double roundness = 1000;
    const double scaled = pair.value * roundness;
    return pair.decimals >= leastDecimals && std::abs(pair.value) >= 1 / roundness
        && std::abs(scaled - std::round(scaled)) > 1e-6;
}

bool namesOnlyMetric(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    return std::all_of(words.begin(), words.end(), [](const std::string &word) {
        return isMetricWord(word) || word.size() == 1 || takenWords.contains(word) || partWords.contains(word)
            || evaluationWords.contains(word);
    });
}

bool isOfSomethingElse(const Record &record, const Pair &pair, const Place &place, const Surroundings &around)
{
    constexpr int decimalsOfSettings = 2;
    constexpr int leastDecimals = 3;
    if (pair.name.starts_with("X-")) {
        return true; // a header of a mail
    }
    if (place.isOwn || record.isOfBlock || record.shape != Shape::Text) {
        return false;
    }
    const std::vector<std::string> words = wordsOf(pair.name);
    if (hasWordOf(referenceWords, words)) {
        return true;
    }
    if (place.step || wasMeasured(pair)) {
        return false;
    }
    const bool isAlone = record.pairs.size() == 1;
    const bool isBelowMetric = around.metricLine > 0 && around.line == around.metricLine + 1;
    if (isAlone && !isBelowMetric && hasWordOf(sharedWords, words)
        && (pair.decimals < leastDecimals || !namesOnlyMetric(pair.name))) {
        return true;
    }
    if (introducesSettings(pair.context)) {
        return true; // "overrides: loss=0.5"
    }
    const bool isRound = pair.decimals <= decimalsOfSettings && !pair.isPercent;
    return isAlone && isRound && (isPathOfParts(pair.name) || (record.isIndented && around.settings > 0));
}

} // namespace trainyard::metrics
