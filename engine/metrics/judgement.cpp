// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/judgement.h"

#include "engine/metrics/namememo.h"
#include "engine/metrics/othervalues.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

namespace
{

constexpr int linesOfDump = 3;
constexpr int digitsOfRawValue = 8; // behind the point: as programs print a value that was not rounded

// "class_id = 0, name = dog, ap = 80%": one class of many does not make a series.
bool isOfOneClass(const Record &record)
{
    return std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        const std::vector<std::string> words = wordsOf(pair.name);
        return pair.kind == NameKind::Other && !words.empty()
            && (words.front() == "class" || words.front() == "category" || pair.name == "count");
    });
}

// "Best accuracy: 0.9, precision: 0.8": all of them are the best's.
bool isOfBest(const Record &record)
{
    if (record.shape != Shape::Text || record.pairs.empty()) {
        return false;
    }
    const std::string context = lowered(record.pairs.front().context); // "Best epoch 12: HR = 0.9"
    if (const std::size_t best = context.find("best "); best != std::string::npos) {
        const std::string_view counted = std::string_view(context).substr(best + 5);
        return stepName(counted.substr(0, counted.find(' '))).has_value();
    }
    if (record.pairs.front().kind != NameKind::Other) {
        return false;
    }
    const std::vector<std::string> words = wordsOf(record.pairs.front().name);
    return !words.empty() && words.front() == "best";
}

// "loss 0.3 - score 0.7": beside a measure that certainly is one, a score is one as well.
bool isBesideMetric(const Record &record)
{
    return std::any_of(record.pairs.begin(), record.pairs.end(),
        [](const Pair &pair) { return pair.kind == NameKind::Metric && !pair.isWhole; });
}

// "accuracy: 0.9; precision: 0.8; recall: 0.7": among several, or where nothing else is on the line, it needs no step
// to be one.
bool isBesideMetrics(const Record &record)
{
    const bool isAllMetrics = record.shape == Shape::Text && record.looseNumbers == 0
        && std::all_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
               return (pair.kind == NameKind::Metric || pair.kind == NameKind::Faint) && !pair.isWhole && pair.isJoined;
           });
    if (isAllMetrics) {
        return isBesideMetric(record);
    }
    return std::count_if(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        return pair.kind == NameKind::Metric && !pair.isWhole && pair.isJoined;
    }) > 1;
}

// "training/global_step:3.000", "acc_iter 5": how often something was done
bool countsSteps(const Pair &pair)
{
    if (pair.value != std::floor(pair.value)) {
        return false;
    }
    const std::string_view last = std::string_view(pair.name).substr(pair.name.find_last_of("/ _") + 1);
    const bool isPath = pair.name.find('/') != std::string::npos;
    return (pair.isWhole || (isPath && pair.kind == NameKind::Unknown))
        && (stepName(last) || stepName(std::string_view(pair.name).substr(pair.name.rfind('/') + 1)));
}

// "iter: 0.97" beside the step: how long one takes, and "update: 0.06" beside one: how much of them is done
bool isTimeOfStep(const Pair &pair)
{
    const std::optional<StepName> step
        = pair.kind == NameKind::Unknown && !pair.isWhole ? stepName(pair.name) : std::nullopt;
    return step && step->axis != Axis::Epoch;
}

// 2688.0 under a name that says nothing
bool isCountAsFloat(const Pair &pair)
{
    constexpr double leastCount = 2;
    return pair.decimals == 1 && pair.value >= leastCount && pair.value == std::floor(pair.value);
}

// "Generation 3: mean=0.5 best=0.75": the best of this population, not the best so far
bool isBestOfAll(const Record &record, const Pair &pair)
{
    const auto isMean = [](const Pair &other) {
        const std::vector<std::string> words = wordsOf(other.name);
        return std::any_of(words.begin(), words.end(),
            [](const std::string &w) { return w == "mean" || w == "avg" || w == "average" || w == "median"; });
    };
    const std::vector<std::string> words = wordsOf(pair.name);
    return !words.empty() && words.front() == "best" && words.back() != "ever" && words.back() != "far" && !pair.isWhole
        && std::any_of(record.pairs.begin(), record.pairs.end(), isMean);
}

// "gen  avg  min  max" of a generation: what stands beside the mean is measured, though such names set limits elsewhere
bool isExtremeOfAll(const Record &record, const Pair &pair)
{
    return record.shape == Shape::Table && (pair.name == "min" || pair.name == "max")
        && std::any_of(record.pairs.begin(), record.pairs.end(),
            [](const Pair &other) { return other.name == "avg" || other.name == "mean"; });
}

// "dt" beside "dt_data" or an accuracy: how long the whole step took, and not the step of a simulation
bool isTimeOfStepOfTraining(const Record &record, const Pair &pair)
{
    return pair.name == "dt" && std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &other) {
        const std::string name = lowered(other.name);
        return (other.kind == NameKind::Other && name.starts_with("dt_")) || name.find("acc") != std::string::npos
            || name.find("loss") != std::string::npos;
    });
}

// "test_loss  12.1 (1.0)  31.2 (1.3)  13.1 (1.0)": a row of a table whose columns are named elsewhere
bool isOfRow(const Record &record, const Pair &pair)
{
    constexpr int leastNumbers = 3;
    return record.shape == Shape::Text && record.pairs.size() == 1 && record.steps.empty() && !pair.isJoined
        && record.columnNumbers >= leastNumbers;
}

// "precision : 0.8" right below "accuracy : 0.9": a list of metrics, one on each line
bool isBelowMetric(const Record &record, const Surroundings &around)
{
    return record.shape == Shape::Text && record.pairs.size() == 1 && record.looseNumbers == 0 && around.metricLine > 0
        && around.line == around.metricLine + 1;
}

// "error: 0.1234567890", "mAP: 81.25%"
bool isSurelyMeasured(const Pair &pair)
{
    return (wasMeasured(pair) && pair.decimals >= digitsOfRawValue) || (pair.isPercent && pair.decimals > 0);
}

// One name with its value, a few lines below the line of its step
bool isAloneBelowHeader(const Record &record, const Place &place, const Surroundings &around)
{
    constexpr std::uint64_t longestBlock = 12;
    return record.shape == Shape::Text && record.pairs.size() == 1 && record.looseNumbers == 0 && !place.isOwn
        && place.step && around.isBelowHeader && around.line <= around.stepLine + longestBlock;
}

// "Test loss: 0.2881, OA: 0.9363, Recall: 0.8123, MIoU: 0.7012": what stands among several that were measured
bool isAmongMeasured(const Record &record, const Pair &pair)
{
    constexpr std::ptrdiff_t leastMetrics = 3;
    constexpr int leastDecimals = 3;
    const auto isRaw = [](const Pair &other) {
        return other.isJoined && other.decimals >= leastDecimals && other.kind != NameKind::Setting;
    };
    return record.shape == Shape::Text && record.looseNumbers == 0 && isRaw(pair)
        && std::all_of(record.pairs.begin(), record.pairs.end(), isRaw)
        && std::count_if(record.pairs.begin(), record.pairs.end(),
               [](const Pair &other) { return other.kind == NameKind::Metric; })
        >= leastMetrics;
}

// "acc: 0.92, p: 0.37, r: 0.03, f: 0.06": letters by which precision, recall and their mean are known, all on one line
bool isPrecisionOrRecall(const Record &record, const Pair &pair)
{
    constexpr int leastDecimals = 2;
    const auto isLetterOf = [](const Pair &other, std::string_view letter) {
        const std::string name = lowered(other.name);
        return other.isJoined && other.decimals >= leastDecimals && name.starts_with(letter)
            && (name.size() == 1 || (name.size() == 2 && isDigit(name.back())));
    };
    const auto has = [&](std::string_view letter) {
        return std::any_of(
            record.pairs.begin(), record.pairs.end(), [&](const Pair &other) { return isLetterOf(other, letter); });
    };
    return record.shape == Shape::Text && (isLetterOf(pair, "p") || isLetterOf(pair, "r") || isLetterOf(pair, "f"))
        && has("p") && has("r") && has("f");
}

// "perceptual 2.052141701625921", a few lines below "Epoch 3": no setting has so many digits
bool isRawBelowHeader(const Record &record, const Place &place, const Surroundings &around)
{
    return isAloneBelowHeader(record, place, around) && record.pairs.front().kind == NameKind::Unknown
        && wasMeasured(record.pairs.front()) && record.pairs.front().decimals >= digitsOfRawValue;
}

// "Current learning rate: 0.01" alone on its line, a few lines below "Epoch 3"
bool isRateBelowHeader(const Record &record, const Place &place, const Surroundings &around)
{
    return isAloneBelowHeader(record, place, around) && around.settings < linesOfDump
        && isLearningRate(record.pairs.front().name);
}

// "Mean noise std: 1.00" between a loss and a reward, below the line of their step
bool isFigure(const Record &record, const Pair &pair, const Place &place, const Surroundings &around)
{
    const bool saysNothing = pair.kind == NameKind::Unknown || pair.kind == NameKind::Setting;
    return record.isOfBlock && saysNothing && pair.isJoined && !pair.isWhole && !isCountAsFloat(pair) && !place.isOwn
        && place.step && around.isBelowHeader;
}

// 0.512, 8.44e+04
bool isWrittenAsMeasured(const Pair &pair)
{
    constexpr int leastDecimals = 3, leastOfPower = 2;
    constexpr double least = 1e-2, most = 100;
    const double size = std::abs(pair.value);
    return pair.decimals >= leastDecimals
        || (pair.decimals >= leastOfPower
            && ((size >= most && size == std::floor(size)) || (size > 0 && size < least)));
}

bool isTotal(const Pair &pair)
{
    const std::string name = lowered(pair.name);
    return pair.kind == NameKind::Other && (name == "total" || name.ends_with(" total") || name.ends_with("_total"));
}

} // namespace

bool goesOnBelowStep(const Record &record, const Place &place, const Surroundings &around)
{
    constexpr std::size_t leastPairs = 2;
    return record.shape == Shape::Text && record.isIndented && record.pairs.size() >= leastPairs
        && record.looseNumbers == 0 && !place.isOwn && place.step && around.line <= around.stepLine + linesBelowStep
        && around.settings < linesOfDump && std::all_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
               return isWrittenAsMeasured(pair) && (pair.kind == NameKind::Unknown || isTotal(pair));
           });
}

bool isReward(std::string_view name)
{
    static thread_local constinit NameMemo<bool> known;
    return known.of(name, [](std::string_view asked) {
        const std::vector<std::string> words = wordsOf(asked);
        return std::any_of(words.begin(), words.end(), [](const std::string &w) {
            return w == "reward" || w == "rewards" || w == "return" || w == "score" || w == "rew" || w == "epsilon";
        });
    });
}

bool isMetric(const Record &record, const Pair &pair, const Place &place, const Surroundings &around, bool hasMetric,
    bool isKnown)
{
    if (countsSteps(pair) || isTimeOfStep(pair) || isTimeOfStepOfTraining(record, pair) || isOfRow(record, pair)) {
        return false;
    }
    if (isFigure(record, pair, place, around)) {
        return true;
    }
    if (isOfSomethingElse(record, pair, place, around)) {
        return false;
    }
    const bool inOrder = record.shape != Shape::Text;
    switch (pair.kind) {
    case NameKind::TimeLeft:
        return false;
    case NameKind::Other:
        return (place.isOwn && !place.isBare && place.axis == Axis::Round && isBestOfAll(record, pair))
            || (isTotal(pair) && goesOnBelowStep(record, place, around));
    case NameKind::Metric:
        if (pair.isWhole && lowered(pair.name) == "losses") {
            return false; // "wins=3 losses=1"
        }
        if (place.isOwn) {
            return !place.isBare || !pair.isWhole || pair.isJoined || inOrder; // "1 | loss_fn | CrossEntropyLoss | 0"
        }
        if (around.settings >= linesOfDump && record.pairs.size() == 1 && !place.step && !wasMeasured(pair)) {
            return false; // among the settings of the program
        }
        return !pair.isWhole || (place.step.has_value() && around.line - around.stepLine <= 30);
    case NameKind::Faint:
        if (place.isOwn) {
            // "#9 score: 5" is an item of a list, "[100/5000] score: 5" is not.
            const bool isOfItem = place.isBare && place.axis == Axis::Step && !isBesideMetric(record)
                && record.steps.size() == 1 && !record.steps.front().total;
            const bool isOfEpisode = place.axis == Axis::Episode && isReward(pair.name); // "Game 5 Score 12"
            return !pair.isWhole || ((pair.isJoined || inOrder || isOfEpisode) && !isPartName(pair.name) && !isOfItem);
        }
        if (around.settings >= linesOfDump && !place.step) {
            return false;
        }
        if (record.shape == Shape::Table) {
            return !pair.isWhole;
        }
        return !pair.isWhole
            && (pair.isJoined || isBesideMetric(record) || isAloneBelowHeader(record, place, around)
                || (isBelowMetric(record, around) && wordsOf(pair.name).size() > 1 && namesOnlyMetric(pair.name)))
            && (place.step || isBelowMetric(record, around) || isSurelyMeasured(pair)
                || (wordsOf(pair.name).size() > 1 && namesOnlyMetric(pair.name))
                || (pair.isJoined && isBesideMetrics(record)));
    case NameKind::Setting:
        if (place.isOwn && place.axis == Axis::Round && isExtremeOfAll(record, pair)) {
            return true;
        }
        if (pair.isWhole && !isLearningRate(pair.name)) {
            return false; // max_iter, warmup
        }
        return (place.isOwn && (!place.isBare || hasMetric))
            || (isLearningRate(pair.name) && (hasMetric || isRateBelowHeader(record, place, around)));
    case NameKind::Speed:
        return (place.isOwn && !place.isBare) || (hasMetric && place.step.has_value());
    case NameKind::Unknown:
        if (pair.isWhole || (record.shape == Shape::Dict && isCountAsFloat(pair) && !isKnown)) {
            return false; // a count
        }
        if (place.isOwn && !place.isBare) {
            return pair.isJoined || inOrder || record.looseNumbers == 0;
        }
        if (isAmongMeasured(record, pair) || isPrecisionOrRecall(record, pair)) {
            return true;
        }
        return (hasMetric && (place.isOwn || record.shape == Shape::Table)) || goesOnBelowStep(record, place, around)
            || isRawBelowHeader(record, place, around);
    }
    return false;
}

bool isOfNoSeries(const Record &record, const Place &own, const Place &place, const Surroundings &around)
{
    // Beside other settings, the name of a metric may be a setting as well: "conf=0.25, iou=0.45, imgsz=640".
    const auto others = std::count_if(record.pairs.begin(), record.pairs.end(), [&record](const Pair &pair) {
        return pair.kind != NameKind::Metric && pair.kind != NameKind::Faint && pair.kind != NameKind::Speed
            && !isPrecisionOrRecall(record, pair);
    });
    const auto settings = std::count_if(
        record.pairs.begin(), record.pairs.end(), [](const Pair &pair) { return pair.kind == NameKind::Setting; });
    const auto metrics = std::count_if(
        record.pairs.begin(), record.pairs.end(), [](const Pair &pair) { return pair.kind == NameKind::Metric; });
    const bool isConfig = record.shape == Shape::Dict && !own.isOwn && settings >= 2 && settings > metrics;
    // "time: 1.2, loss: 0.312, F1: 0.871, P: 0.88, R: 0.86": two that were measured are no settings.
    const auto measured = std::count_if(record.pairs.begin(), record.pairs.end(),
        [](const Pair &pair) { return pair.kind == NameKind::Metric && pair.isJoined && pair.decimals >= 3; });
    const bool few = record.shape == Shape::Text && !own.isOwn && !record.isOfBlock && !(measured >= 2 && settings == 0)
        && 2 * static_cast<std::size_t>(others) > record.pairs.size()
        && (!place.step || !around.isBelowHeader || around.line > around.stepLine + 2)
        && !isRateBelowHeader(record, place, around) && !goesOnBelowStep(record, place, around)
        && !isRawBelowHeader(record, place, around);
    // "mode=train, model=n.pt, amp=True, batch=16, iou=0.7": what counts there is a size.
    constexpr int mostWords = 2;
    const bool isList = record.shape == Shape::Text && own.isOwn && own.isBare && record.wordValues > mostWords
        && static_cast<std::size_t>(record.wordValues) >= record.pairs.size();
    return few || isList || (!own.isOwn && isOfBest(record)) || isConfig || record.isOfOneClass
        || (!own.isOwn && isOfOneClass(record));
}

} // namespace trainyard::metrics
