// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/collector.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostSeries = 20000;
constexpr std::size_t mostBars = 8;
constexpr int linesOfDump = 3;

bool sameValue(double a, double b, int decimals)
{
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return true;
    }
    return decimals > 0 && std::abs(a - b) <= 0.51 * std::pow(10.0, -decimals);
}

bool isLearningRate(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) { return w == "lr" || w == "learning"; });
}

// "class_id = 0, name = dog, ap = 80%": one class of many is no series.
bool isOfOneClass(const Record &record)
{
    return std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        const std::vector<std::string> words = wordsOf(pair.name);
        return pair.kind == NameKind::Other && !words.empty()
            && (words.front() == "class" || words.front() == "category" || pair.name == "count");
    });
}

// "Test set", "train"
bool namesPart(std::string_view context)
{
    const std::vector<std::string> words = wordsOf(context);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) { return isPartName(w); });
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

bool isReward(std::string_view name)
{
    const std::vector<std::string> words = wordsOf(name);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) {
        return w == "reward" || w == "rewards" || w == "return" || w == "score" || w == "rew" || w == "epsilon";
    });
}

// "loss 0.3 - score 0.7": beside a measure that certainly is one, a score is one as well.
bool isBesideMetric(const Record &record)
{
    return std::any_of(record.pairs.begin(), record.pairs.end(),
        [](const Pair &pair) { return pair.kind == NameKind::Metric && !pair.isWhole; });
}

// "accuracy: 0.9; precision: 0.8; recall: 0.7": among several, it needs no step to be one.
bool isBesideMetrics(const Record &record)
{
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

// 2688.0 under a name that says nothing
bool isCountAsFloat(const Pair &pair)
{
    constexpr double leastCount = 2;
    return pair.decimals == 1 && pair.value >= leastCount && pair.value == std::floor(pair.value);
}

bool hasNumber(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return isDigit(c); });
}

} // namespace

std::vector<Point> Collector::takePoints() { return std::exchange(m_points, {}); }

Collector::Place Collector::placeOf(const Record &record) const
{
    Place place;
    const StepMark *epoch = nullptr, *inner = nullptr;
    bool epochFirst = false;
    const bool others
        = std::any_of(record.steps.begin(), record.steps.end(), [](const StepMark &s) { return !s.isBare; });
    const bool single = std::any_of(record.steps.begin(), record.steps.end(),
        [](const StepMark &s) { return !s.isBare && (!s.name.isPlural || s.name.isGlobal); });
    const bool ofEpoch = std::any_of(
        record.steps.begin(), record.steps.end(), [](const StepMark &s) { return s.name.axis == Axis::Epoch; });
    for (const StepMark &mark : record.steps) {
        // "Epoch(val) [1][5000/5000]": all of the data, once.
        if (record.isOfEvaluation && ofEpoch && mark.name.axis == Axis::Batch
            && (!mark.total || mark.value >= *mark.total)) {
            continue;
        }
        if (mark.name.isPlural && !mark.name.isGlobal && single && mark.name.axis != Axis::Iteration) {
            continue; // "Episode 3, steps: 200" says how long it was
        }
        if (mark.isBare && !mark.total && (others || (record.mayBeRank && m_numbersAreRanks))) {
            continue; // the rank in front
        }
        if (mark.name.axis == Axis::Epoch) {
            if (!epoch || mark.isHalf) {
                epoch = &mark;
                epochFirst = inner == nullptr;
            }
        } else if (!inner || (mark.name.isGlobal && !inner->name.isGlobal)
            || (record.shape == Shape::Table && inner->name.axis == Axis::Episode && mark.name.axis == Axis::Step)) {
            inner = &mark;
        }
        place.isBare = place.isBare || mark.isBare;
    }
    if (epoch) {
        place.epoch = epoch->value;
        place.axis = Axis::Epoch;
        place.step = epoch->value;
        place.isOwn = true;
    }
    if (inner) {
        // "batch = 64" may be its size.
        place.isBare = place.isBare
            || (inner->name.axis == Axis::Batch && !epoch && !inner->total && record.shape == Shape::Text);
        place.axis = inner->name.axis;
        // "epoch: 3, iters: 100" counts inside the epoch.
        if (place.axis == Axis::Iteration && epoch && epochFirst && !inner->name.isGlobal
            && record.shape == Shape::Text) {
            place.axis = Axis::Batch;
        }
        // "[1600/16000]" below the line of an epoch counts its batches.
        if (place.axis == Axis::Step && inner->isBare && inner->total && !epoch && m_epoch && !m_epochIsClosed
            && (m_last.axis == Axis::Epoch || (m_last.axis == Axis::Batch && m_last.epoch))) {
            place.axis = Axis::Batch;
        }
        place.step = inner->value;
        place.isOwn = true;
        if (!place.epoch && m_epoch && place.axis == Axis::Batch) {
            place.epoch = m_epoch;
        }
    }
    return place;
}

// "Epoch 2 step 1" after "Epoch 1 step 40" counts inside its epoch, whatever it is called. Until then, the steps may as
// well be those of the whole training.
void Collector::noteInside(const Record &record, Place &own)
{
    const bool isGlobal = std::any_of(
        record.steps.begin(), record.steps.end(), [](const StepMark &mark) { return mark.name.isGlobal; });
    if (isGlobal || !own.isOwn || !own.step || !own.epoch || (own.axis != Axis::Step && own.axis != Axis::Iteration)) {
        return;
    }
    bool isInside = false;
    for (const Pair &pair : record.pairs) {
        const auto found = m_series.find(pair.name);
        if (found == m_series.end()) {
            continue;
        }
        Series &last = found->second;
        last.countsInEpochs = last.countsInEpochs
            || (last.axis == own.axis && last.step && last.epoch && *own.epoch > *last.epoch && *own.step < *last.step);
        isInside = isInside || last.countsInEpochs;
    }
    own.axis = isInside ? Axis::Batch : own.axis;
}

Collector::Place Collector::carried() const
{
    Place place = m_last;
    place.isOwn = false;
    if (place.axis == Axis::Batch && !m_lastIsHeader) {
        // Behind the batches stands what is true of the epoch.
        if (place.epoch) {
            place.axis = Axis::Epoch;
            place.step = place.epoch;
        }
    }
    return place;
}

bool Collector::isMetric(const Record &record, const Pair &pair, const Place &place, bool hasMetric) const
{
    if (countsSteps(pair)) {
        return false;
    }
    const bool inOrder = record.shape != Shape::Text;
    switch (pair.kind) {
    case NameKind::TimeLeft:
    case NameKind::Other:
        return false;
    case NameKind::Metric:
        if (place.isOwn) {
            return !place.isBare || !pair.isWhole || pair.isJoined || inOrder; // "1 | loss_fn | CrossEntropyLoss | 0"
        }
        if (m_settings >= linesOfDump && record.pairs.size() == 1 && !place.step) {
            return false; // among the settings of the program
        }
        return !pair.isWhole || (place.step.has_value() && m_line - m_lastLine <= 30);
    case NameKind::Faint:
        if (place.isOwn) {
            return !pair.isWhole || ((pair.isJoined || inOrder) && !isPartName(pair.name));
        }
        if (m_settings >= linesOfDump && !place.step) {
            return false;
        }
        if (record.shape == Shape::Table) {
            return !pair.isWhole;
        }
        return !pair.isWhole && (pair.isJoined || isBesideMetric(record) || isAloneBelowHeader(record, place))
            && (place.step || wordsOf(pair.name).size() > 1 || (pair.isJoined && isBesideMetrics(record)));
    case NameKind::Setting:
        if (pair.isWhole && !isLearningRate(pair.name)) {
            return false; // max_iter, warmup
        }
        return (place.isOwn && (!place.isBare || hasMetric))
            || (isLearningRate(pair.name) && (hasMetric || isRateBelowHeader(record, place)));
    case NameKind::Speed:
        return (place.isOwn && !place.isBare) || (hasMetric && place.step.has_value());
    case NameKind::Unknown:
        if (pair.isWhole || (record.shape == Shape::Dict && isCountAsFloat(pair) && !m_series.contains(pair.name))) {
            return false; // a count
        }
        if (place.isOwn && !place.isBare) {
            return pair.isJoined || inOrder || record.looseNumbers == 0;
        }
        return hasMetric && (place.isOwn || record.shape == Shape::Table);
    }
    return false;
}

// "Current learning rate: 0.01" alone on its line, a few lines below "Epoch 3"
bool Collector::isRateBelowHeader(const Record &record, const Place &place) const
{
    return isAloneBelowHeader(record, place) && m_settings < linesOfDump && isLearningRate(record.pairs.front().name);
}

// One name with its value, a few lines below the line of its step
bool Collector::isAloneBelowHeader(const Record &record, const Place &place) const
{
    constexpr std::uint64_t longestBlock = 12;
    return record.shape == Shape::Text && record.pairs.size() == 1 && record.looseNumbers == 0 && !place.isOwn
        && place.step && m_lastIsHeader && m_line <= m_lastLine + longestBlock;
}

// Where a value of a bar belongs.
Collector::Place Collector::placeInBar(const Record &record, const Place &place, const Pair &pair) const
{
    Place result = place;
    const std::optional<double> epoch = place.epoch ? place.epoch : m_epoch;
    if (record.isBarOfKeras) {
        if (record.isBarDone) {
            result.axis = epoch && !m_epochIsClosed ? Axis::Epoch : Axis::None;
            result.step = m_epochIsClosed ? std::nullopt : epoch;
            result.epoch = result.step;
        } else {
            result.axis = Axis::Batch;
            result.step = record.barAt;
            result.epoch = m_epochIsClosed ? std::nullopt : epoch;
        }
        return result;
    }
    if (place.axis != Axis::None && place.axis != Axis::Epoch && place.isOwn) {
        return result; // the text beside the bar says it
    }
    const bool done = record.barTotal && *record.barAt >= *record.barTotal;
    const bool ofEpoch
        = epoch && ((done && !m_bars.front().hadText) || isOfEvaluation(pair.name) || pair.name.ends_with("_epoch"));
    if (ofEpoch) {
        result.axis = Axis::Epoch;
        result.step = result.epoch = epoch;
        return result;
    }
    result.step = record.barAt;
    result.epoch = epoch;
    result.axis = epoch ? Axis::Batch : Axis::Iteration;
    return result;
}

bool Collector::keep(const Pair &pair, const Place &place, const Record &record, std::uint64_t line)
{
    std::string name = pair.name;
    std::string context = pair.context;
    if (!place.isOwn && hasNumber(context) && context.size() < 60 && context.find('#') != std::string::npos) {
        name = context + ": " + pair.name; // "Test net output #1: loss"
    }
    if (hasNumber(context) || !namesPart(context)) {
        context.clear(); // "After 100 games": it differs each time
    }
    auto found = m_series.find(name);
    if (found != m_series.end() && found->second.context != context && !context.empty()
        && found->second.context.size() + context.size() < 100 && name == pair.name) {
        name = context + '/' + pair.name;
        found = m_series.find(name);
    }
    Place at = place;
    if (found != m_series.end()) {
        const Series &last = found->second;
        if (!at.isOwn && last.withoutStep > 1 && record.shape != Shape::Bar) {
            at = {}; // a step between two values is not the step of either
        }
        const bool same = last.axis == at.axis && last.step == at.step && last.epoch == at.epoch;
        if (same && at.step && sameValue(last.value, pair.value, place.isOwn ? 0 : pair.decimals)
            && (!place.isOwn || record.shape != Shape::Dict)) {
            return false; // said twice: by a logger and a list, or by several ranks
        }
        if (record.shape == Shape::Bar && (isOfEvaluation(pair.name) || pair.name.ends_with("_epoch"))
            && sameValue(last.value, pair.value, 0) && !record.isBarOfKeras) {
            return false; // still the value of an earlier epoch
        }
    } else if (m_series.size() >= mostSeries) {
        return false;
    }
    Series &series = found != m_series.end() ? found->second : m_series[name];
    if (found == m_series.end()) {
        series.context = context;
    }
    series.withoutStep += at.step ? 0 : 1;
    series.axis = at.axis;
    series.step = at.step;
    series.epoch = at.epoch;
    series.value = pair.value;
    m_points.push_back(
        {std::move(name), at.axis, at.step, at.axis == Axis::None ? std::nullopt : at.epoch, pair.value, line});
    return true;
}

// A bar is drawn before and after its count moves, and again when it closes: the text tells whether it says something
// new.
bool Collector::isRedrawn(const Record &record, std::string_view barText)
{
    auto found
        = std::find_if(m_bars.begin(), m_bars.end(), [&](const BarState &b) { return b.total == record.barTotal; });
    if (found == m_bars.end()) {
        if (m_bars.size() >= mostBars) {
            m_bars.pop_back();
        }
        found = m_bars.insert(m_bars.begin(), BarState{});
    }
    std::rotate(m_bars.begin(), found, found + 1);
    BarState &bar = m_bars.front();
    const double at = record.barAt.value_or(-1);
    if (at < bar.at) {
        closeBar(bar); // it begins again
    }
    const bool goesOn = bar.total == record.barTotal && at >= bar.at;
    const bool same = goesOn && bar.text == barText && !(record.isBarOfKeras && record.isBarDone);
    bar.moves = !same ? 0 : bar.moves + (at > bar.at ? 1 : 0);
    bar.hadText = (goesOn && bar.hadText) || (!record.pairs.empty() && at < record.barTotal.value_or(at + 1));
    bar.at = at;
    bar.fraction = record.barFraction;
    bar.secondsLeft = record.secondsLeft;
    bar.total = record.barTotal;
    if (!same) {
        bar.text = barText;
    }
    return same;
}

void Collector::hold(const Record &record, const Place &place, std::uint64_t line)
{
    BarState &bar = m_bars.front();
    bar.held = record;
    bar.heldAt = place;
    bar.heldAt.epoch = place.epoch ? place.epoch : m_epoch; // another one may have begun when it ends
    bar.heldLine = line;
    if (record.barTotal && record.barAt.value_or(0) >= *record.barTotal) {
        closeBar(bar);
    }
}

// Values that did not change up to its end: their curves reach as far as the bar has come. A state that is drawn twice
// for one step says nothing of the next one.
void Collector::closeBar(BarState &bar)
{
    constexpr int leastMoves = 2;
    Record held = std::exchange(bar.held, {});
    if (std::exchange(bar.moves, 0) < leastMoves || held.isBarOfKeras) {
        return;
    }
    held.barTotal.reset(); // where it ends is one more of its steps
    for (const Pair &pair : held.pairs) {
        Place place = placeInBar(held, bar.heldAt, pair);
        const auto known = m_series.find(pair.name);
        if (known == m_series.end() || !place.step || known->second.axis != place.axis || !known->second.step
            || known->second.epoch != place.epoch || *known->second.step >= *place.step
            || !sameValue(known->second.value, pair.value, 0)) {
            continue;
        }
        place.isOwn = true;
        place.isBare = false;
        keep(pair, place, held, bar.heldLine);
    }
}

void Collector::finish()
{
    for (BarState &bar : m_bars) {
        closeBar(bar);
    }
}

void Collector::noteSettings(const Record &record, bool hasValues)
{
    const bool setting = !hasValues && record.steps.empty() && !record.pairs.empty()
        && std::all_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
               return pair.kind == NameKind::Setting || pair.kind == NameKind::Other || pair.kind == NameKind::Unknown;
           });
    if (setting) {
        ++m_settings;
    } else if (hasValues || !record.steps.empty()) {
        m_settings = 0;
    }
}

// {'batch': 32, 'epoch': 3, 'lr': 0.1} and {'steps': 20, 'sleep': 0.5} may be how a program was set up, and the steps
// how many there will be. Only a dictionary that comes again further on is a log; of one that never does, neither the
// values nor the steps count.
bool Collector::waitsAsSettings(const Record &record, const Place &own, std::uint64_t line)
{
    if (record.shape != Shape::Dict || !own.isOwn || record.pairs.empty() || record.secondsLeft
        || std::any_of(record.steps.begin(), record.steps.end(), [](const StepMark &mark) { return mark.total; })) {
        return false;
    }
    // "steps": 20 may be how many there will be; "step": 20 is one.
    const bool isPlural = std::all_of(record.steps.begin(), record.steps.end(),
        [](const StepMark &mark) { return mark.name.isPlural && !mark.name.isGlobal; });
    std::size_t settings = 0, metrics = 0;
    for (const Pair &pair : record.pairs) {
        const bool isOther = pair.kind == NameKind::Other || pair.kind == NameKind::Unknown;
        settings += pair.kind == NameKind::Setting ? 1U : 0U;
        metrics += pair.kind == NameKind::Setting || isOther ? 0U : 1U;
    }
    const bool maySetUp = metrics > 0 ? isPlural && settings > metrics : isPlural || settings > 0;
    if (!maySetUp) {
        return false;
    }
    std::string names;
    for (const Pair &pair : record.pairs) {
        names += pair.name + '\n';
    }
    constexpr std::size_t mostHeld = 64;
    const auto found = m_settingsHeld.find(names);
    if (found == m_settingsHeld.end()) {
        if (m_settingsHeld.size() >= mostHeld) {
            return false;
        }
        m_settingsHeld.emplace(std::move(names), SettingsHeld{record, own, line, false});
        return true;
    }
    SettingsHeld &held = found->second;
    if (held.isSeries) {
        return false;
    }
    const bool isLater = own.axis == held.at.axis && (own.step > held.at.step || own.epoch > held.at.epoch);
    if (!isLater) {
        return true;
    }
    held.isSeries = true;
    for (const Pair &pair : held.record.pairs) {
        if (isMetric(held.record, pair, held.at, false)) {
            keep(pair, held.at, held.record, held.line);
        }
    }
    return false;
}

void Collector::remember(const Record &record, const Place &place, bool hasValues)
{
    for (const StepMark &mark : record.steps) {
        if (mark.name.axis == Axis::Epoch && (!mark.isBare || hasValues)) {
            if (!m_epoch || *m_epoch != mark.value) {
                m_epochIsClosed = false;
            }
            if (!hasValues && mark.total) {
                m_epochIsClosed = false;
            }
            m_epoch = mark.value;
            if (mark.total) {
                m_epochTotal = mark.total;
            }
        }
    }
    if (record.shape == Shape::Bar) {
        if (record.isBarOfKeras && record.isBarDone && hasValues) {
            m_epochIsClosed = true;
        }
        // What follows the bar of an epoch that is over is about that epoch.
        const bool isOver = record.barTotal && record.barAt.value_or(0) >= *record.barTotal && !record.isBarOfKeras;
        if (place.isOwn && place.axis == Axis::Epoch && (!hasValues || isOver)) {
            m_last = place;
            m_lastLine = m_line;
        }
        return;
    }
    if (!place.isOwn || (place.isBare && !hasValues)) {
        return;
    }
    m_last = place;
    // "epoch 3[1900/20254], lr: [0.0001]" above its values
    const bool hasResults = hasValues && std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        return pair.kind != NameKind::Setting && pair.kind != NameKind::TimeLeft && pair.kind != NameKind::Other;
    });
    m_lastIsHeader = !hasResults;
    m_headerShare.reset();
    for (const StepMark &mark : record.steps) {
        if (!hasValues && mark.total && *mark.total > 0 && mark.name.axis != Axis::Epoch && mark.value <= *mark.total) {
            m_headerShare = mark.value / *mark.total;
        }
    }
    m_lastLine = m_line;
    if (hasValues) {
        m_countsSteps[static_cast<int>(place.axis)] = true;
    }
}

// By the epoch that the line names; a line about the whole of it need not say how many there are.
std::optional<double> Collector::doneByEpochs(const Record &record, const Place &own, bool hasValues)
{
    const StepMark *epoch = nullptr;
    for (const StepMark &mark : record.steps) {
        if (mark.name.axis == Axis::Epoch && (hasValues || !mark.isBare) && (mark.total || !epoch)) {
            epoch = &mark;
        }
    }
    const bool isInside = own.isOwn && !own.isBare && own.step && own.axis != Axis::Epoch;
    if (epoch && epoch->total) {
        return m_epochCount.note(epoch->value, *epoch->total, isInside ? own.step : std::nullopt);
    }
    return epoch && hasValues && !isInside && m_epochTotal && m_epochCount.isInside(epoch->value)
        ? m_epochCount.note(epoch->value, *m_epochTotal, std::nullopt)
        : std::nullopt;
}

Collector::Counts Collector::countsOf(const Record &record, bool hasValues) const
{
    Counts counts;
    for (const StepMark &mark : record.steps) {
        if (mark.isBare && !hasValues) {
            continue;
        }
        if (mark.name.axis == Axis::Epoch) {
            counts.epoch = mark.total ? &mark : counts.epoch;
        } else if (mark.total && *mark.total > 0
            && (hasValues || m_countsSteps[static_cast<int>(mark.name.axis)] || counts.epoch)) {
            counts.inner = &mark;
        }
    }
    return counts;
}

// Of the whole run: what m_progress says may be of the present epoch alone.
void Collector::noteRun(const Record &record, const Progress &before, bool hasValues)
{
    if (record.isBarOfEpochs && record.barAt && record.barTotal && *record.barTotal > 0) {
        m_run.count(*record.barAt, *record.barTotal, record.secondsLeft);
        return;
    }
    Counts counts = countsOf(record, hasValues);
    for (const StepMark &mark : record.steps) {
        if (!counts.epoch && record.barAt && mark.isBare && mark.total) {
            counts.epoch = &mark; // "[3/12]  40%|####| 8/20"
        }
    }
    const bool hasOuter = counts.epoch && *counts.epoch->total > 0;
    const std::optional<double> epoch = hasOuter ? std::optional(counts.epoch->value) : m_epoch;
    const std::optional<double> total = hasOuter ? counts.epoch->total : m_epochTotal;
    std::optional<RunProgress::Inner> inner;
    if (record.barAt) {
        const bool isNamed = hasOuter || record.isBarOfKeras;
        const bool isCount = record.barTotal && *record.barTotal > 0 && *record.barAt <= *record.barTotal * 1.001;
        if (isCount) {
            inner = {*record.barAt, *record.barTotal, record.secondsLeft, isNamed, true, record.isBarOfEvaluation};
        }
    } else if (counts.inner && counts.inner != counts.epoch && counts.inner->value <= *counts.inner->total * 1.001) {
        inner = {counts.inner->value, *counts.inner->total, record.secondsLeft, hasOuter, false, record.isOfEvaluation};
    }
    const bool tellsWhole = record.fraction && (hasValues || record.secondsLeft || record.isShareOfCount);
    if (inner && epoch && total && !tellsWhole) {
        m_run.inside(*epoch, *total, *inner, m_progress);
    } else if (hasOuter && !inner && !tellsWhole && (m_run.knowsInner() || (!hasValues && m_series.empty()))) {
        m_run.begin(*epoch, *total); // done or begun: what was counted inside of it tells
    } else if (m_progress != before) {
        m_run.show(m_progress);
    }
}

void Collector::noteProgress(const Record &record, const Place &own, bool hasValues)
{
    const auto [epoch, inner] = countsOf(record, hasValues);
    if (record.fraction && (hasValues || record.secondsLeft || record.isShareOfCount)) {
        m_progress = {record.fraction, record.secondsLeft};
        return;
    }
    std::optional<double> at = record.barAt, total = record.barTotal, left = record.secondsLeft,
                          fraction = record.barFraction;
    if (!at && inner) {
        at = inner->value;
        total = inner->total;
    }
    if (at && total && *total > 0 && *at <= *total * 1.001) {
        const bool done = *at >= *total;
        if (!record.barAt && hasValues) {
            noteCount(*at, *total);
            m_count->secondsLeft = left;
        }
        if (!done) {
            m_progress.fraction = fraction ? *fraction : std::min(1.0, *at / *total);
            m_progress.secondsLeft = left;
            return;
        }
        // A bar inside another one, such as that of an evaluation: the outer one goes on.
        if (record.barAt && !record.isBarOfKeras) {
            for (const BarState &bar : m_bars) {
                if (bar.total && *bar.total > *total && bar.at < *bar.total && bar.at > 0) {
                    m_progress.fraction = bar.fraction ? *bar.fraction : bar.at / *bar.total;
                    m_progress.secondsLeft = bar.secondsLeft;
                    return;
                }
            }
        }
        const std::optional<double> k = epoch ? std::optional(epoch->value) : m_epoch;
        const std::optional<double> n = epoch ? epoch->total : m_epochTotal;
        const bool isBar = record.barAt && !record.isBarOfKeras;
        m_barHasEnded = m_barHasEnded || isBar;
        if (k && n && *n > 0 && *k <= *n) {
            m_progress.fraction = *k / *n;
            m_progress.secondsLeft.reset();
        } else if (isBar && countGoesOn()) {
            m_progress.fraction = m_count->at / m_count->total;
            m_progress.secondsLeft = m_count->secondsLeft;
        } else {
            m_progress.fraction = 1.0;
            m_progress.secondsLeft = left;
        }
        return;
    }
    if (const std::optional<double> done = doneByEpochs(record, own, hasValues)) {
        m_progress.fraction = done;
        m_progress.secondsLeft = left;
        return;
    }
    if (left && (hasValues || m_last.step)) {
        m_progress.secondsLeft = left;
    }
}

void Collector::noteCount(double at, double total)
{
    Count count{at, total, at, std::nullopt, false};
    if (m_count && m_count->total == total && m_count->at <= at) {
        count.by = at - m_count->at;
        count.outlastsBars = m_count->outlastsBars || m_barHasEnded;
    }
    m_count = count;
    m_barHasEnded = false;
}

// Whether a bar that has ended is only a part of what the lines count, such as an evaluation after every step. A bar
// over all the steps ends as well, and its lines may not name the last one: then the next of them would be beyond.
bool Collector::countGoesOn() const
{
    return m_count && m_count->at < m_count->total
        && (m_count->outlastsBars || m_count->at + m_count->by < m_count->total);
}

// "Batch 4/2100", "Batch 4/2200": a total that changes is no total, but counts inside what stands before it.
void Collector::noteTotals(Record &record)
{
    for (StepMark &mark : record.steps) {
        if (mark.name.axis != Axis::Batch || !mark.total || record.steps.size() > 1 || record.shape != Shape::Text) {
            continue;
        }
        if (!m_totalsAreBatches
            && ((m_batchAt == mark.value && m_batchTotal != mark.total) || mark.value > *mark.total
                || (!m_batchAt && m_epoch && *m_epoch > 1 && mark.value == *m_epoch))) { // "4/100" first in epoch 4
            m_totalsAreBatches = true;
            m_progress = {}; // it was none
        }
        m_batchAt = mark.value;
        m_batchTotal = mark.total;
        if (m_totalsAreBatches) {
            StepMark epoch{{Axis::Epoch, false, false, false}, mark.value, {}, false, false};
            mark.value = *std::exchange(mark.total, std::nullopt);
            record.steps.insert(record.steps.begin(), epoch);
            return;
        }
    }
}

// "Validation loss 5: 0.4" below the line of step 5
void Collector::takeStepsFromNames(Record &record) const
{
    if (!m_last.step || record.shape != Shape::Text) {
        return;
    }
    for (Pair &pair : record.pairs) {
        const std::size_t blank = pair.name.rfind(' ');
        if (blank == std::string::npos || !pair.isJoined || !isOfEvaluation(pair.name)) {
            continue;
        }
        const std::optional<Number> number = wholeNumber(std::string_view(pair.name).substr(blank + 1));
        if (number && number->isWhole && number->value == *m_last.step) {
            pair.name.erase(blank);
        }
    }
}

void Collector::take(Record &&record, std::uint64_t line, std::string_view barText)
{
    m_line = line;
    if (record.isEmpty()) {
        return;
    }
    const Progress before = m_progress;
    noteTotals(record);
    if (std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) { return isReward(pair.name); })) {
        for (StepMark &mark : record.steps) {
            mark.name.axis = mark.name.isShort ? Axis::Episode : mark.name.axis;
        }
    }
    Place own = placeOf(record);
    noteInside(record, own);
    if (!own.isOwn) {
        takeStepsFromNames(record);
    }
    if (waitsAsSettings(record, own, line)) {
        return;
    }
    const Place place = own.isOwn ? own : carried();
    bool hasMetric = false;
    for (const Pair &pair : record.pairs) {
        const bool metric
            = pair.kind == NameKind::Metric || (pair.kind == NameKind::Faint && (!pair.isWhole || place.isOwn));
        hasMetric = hasMetric || metric;
    }
    // Among other things a name of a metric may be a setting: "conf=0.25, iou=0.45, imgsz=640".
    const auto others = std::count_if(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
        return pair.kind != NameKind::Metric && pair.kind != NameKind::Faint && pair.kind != NameKind::Speed;
    });
    const auto settings = std::count_if(
        record.pairs.begin(), record.pairs.end(), [](const Pair &pair) { return pair.kind == NameKind::Setting; });
    const auto metrics = std::count_if(
        record.pairs.begin(), record.pairs.end(), [](const Pair &pair) { return pair.kind == NameKind::Metric; });
    const bool isConfig = record.shape == Shape::Dict && !own.isOwn && settings >= 2 && settings > metrics;
    const bool few = record.shape == Shape::Text && !own.isOwn
        && 2 * static_cast<std::size_t>(others) > record.pairs.size()
        && (!place.step || !m_lastIsHeader || m_line > m_lastLine + 2) && !isRateBelowHeader(record, place);
    const bool oneClass = few || (!own.isOwn && isOfBest(record)) || isConfig || record.isOfOneClass
        || (!own.isOwn && isOfOneClass(record));
    const bool redrawn = record.shape == Shape::Bar && isRedrawn(record, barText);
    bool hasValues = false;
    if (redrawn) {
        hold(record, own, line);
    } else {
        // A number alone is a step only beside something that certainly is a metric.
        const bool silent = own.isOwn && own.isBare && !hasMetric;
        for (const Pair &pair : record.pairs) {
            if (silent || oneClass) {
                break;
            }
            if (record.shape == Shape::Bar) {
                Place atBar = placeInBar(record, own, pair);
                atBar.isOwn = true;
                atBar.isBare = false;
                if (isMetric(record, pair, atBar, hasMetric)) {
                    hasValues = keep(pair, atBar, record, line) || hasValues;
                }
                continue;
            }
            if (isMetric(record, pair, place, hasMetric)) {
                hasValues = true;
                keep(pair, place, record, line);
            }
        }
    }
    if (!hasValues && record.mayBeRank && record.shape == Shape::Text && record.pairs.empty()) {
        m_numbersAreRanks = true;
    }
    if (hasValues && place.step && record.shape != Shape::Bar) {
        m_countsSteps[static_cast<int>(place.axis)] = true; // the lines before count what has values
    }
    if (hasValues && !own.isOwn && m_headerShare && record.shape != Shape::Bar) {
        m_progress.fraction = std::exchange(m_headerShare, std::nullopt);
    }
    noteProgress(record, own, hasValues);
    remember(record, own, hasValues);
    noteRun(record, before, hasValues);
    noteSettings(record, hasValues);
}

} // namespace trainyard::metrics
