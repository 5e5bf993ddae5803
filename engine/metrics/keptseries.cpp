// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/keptseries.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostSeries = 20000;
constexpr std::size_t longestTold = 40;
constexpr std::size_t longestNameOfSeries = 256; // a key of a dictionary may be a text
constexpr int mostOthers = 12; // what differs in each line, such as the name of a sample, makes no series

bool sameValue(double a, double b, int decimals)
{
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return true;
    }
    return decimals > 0 && std::abs(a - b) <= 0.51 * std::pow(10.0, -decimals);
}

// "Test set", "train", "CV"
bool namesPart(std::string_view context)
{
    if (isOfEvaluation(context)) {
        return true;
    }
    const std::vector<std::string> words = wordsOf(context);
    return std::any_of(words.begin(), words.end(), [](const std::string &w) { return isPartName(w); });
}

// "Epoch 1/3 Step 100/600", but not where there is only one epoch
bool hasTotalOfBoth(const Record &record, Axis axis)
{
    const auto has = [&record](Axis wanted, double least) {
        return std::any_of(record.steps.begin(), record.steps.end(),
            [&](const StepMark &mark) { return mark.name.axis == wanted && mark.total && *mark.total > least; });
    };
    return has(Axis::Epoch, 1) && has(axis, 0);
}

} // namespace

std::vector<Point> KeptSeries::takePoints() { return std::exchange(m_points, {}); }

// "Epoch 2 step 1" after "Epoch 1 step 40" counts inside its epoch, whatever it is called. Until then, the steps may as
// well be those of the whole training, unless there is a total for both: "Epoch [1/3], Step [100/600]".
void KeptSeries::noteInside(const Record &record, Place &own)
{
    const bool isGlobal = std::any_of(
        record.steps.begin(), record.steps.end(), [](const StepMark &mark) { return mark.name.isGlobal; });
    if (isGlobal || !own.isOwn || !own.step || !own.epoch || (own.axis != Axis::Step && own.axis != Axis::Iteration)) {
        return;
    }
    // The part of an epoch, "Epoch 0.5/3 Step 300/1800", is told by who counts through the whole.
    const bool hasTotals = *own.epoch == std::floor(*own.epoch) && hasTotalOfBoth(record, own.axis);
    bool isInside = false, countsOn = false;
    for (const Pair &pair : record.pairs) {
        const auto found = m_series.find(pair.name);
        if (found == m_series.end()) {
            continue;
        }
        Series &last = found->second;
        const bool isNext = (last.axis == own.axis || (last.axis == Axis::Batch && hasTotals)) && last.step
            && last.epoch && *own.epoch > *last.epoch;
        last.countsInEpochs = last.countsInEpochs || (isNext && *own.step < *last.step);
        last.countsOn = !last.countsInEpochs && (last.countsOn || (isNext && *own.step > *last.step));
        isInside = isInside || last.countsInEpochs;
        countsOn = countsOn || last.countsOn;
    }
    own.axis = isInside || (hasTotals && !countsOn && !record.pairs.empty()) ? Axis::Batch : own.axis;
}

bool KeptSeries::keep(const Pair &pair, const Place &place, const Record &record, std::uint64_t line)
{
    if (pair.name.size() > longestNameOfSeries) {
        return false;
    }
    std::string name = pair.name;
    std::string context = pair.context;
    if (!place.isOwn && hasDigit(context) && context.size() < 60 && context.find('#') != std::string::npos) {
        name = context + ": " + pair.name; // "Test net output #1: loss"
    }
    std::string told;
    if (hasDigit(context) || !namesPart(context)) {
        // "After 100 games": it differs each time
        told = hasDigit(context) || context.size() > longestTold ? std::string() : std::move(context);
        context.clear();
    }
    auto found = m_series.find(name);
    if (found != m_series.end() && found->second.context != context && !context.empty()
        && found->second.context.size() + context.size() < 100 && name == pair.name) {
        name = context + '/' + pair.name;
        found = m_series.find(name);
    }
    // "Cosine: Pearson: 0.8" and "Manhattan: Pearson: 0.7" at the same step are no values of one series.
    if (found != m_series.end() && !told.empty() && !found->second.told.empty() && found->second.told != told
        && name == pair.name) {
        Series &first = found->second;
        const auto other = m_series.find(told + '/' + name);
        const bool isSecond = place.step && first.axis == place.axis && first.step == place.step
            && first.epoch == place.epoch && !sameValue(first.value, pair.value, pair.decimals);
        if (other != m_series.end() || (isSecond && first.others < mostOthers)) {
            first.others += other == m_series.end() ? 1 : 0;
            name = told + '/' + name;
            found = other;
        }
    }
    Place at = place;
    if (found != m_series.end()) {
        const Series &last = found->second;
        if (!at.isOwn && last.withoutStep > 1 && record.shape != Shape::Bar) {
            at = {}; // a step between two values is not the step of either
        }
        if (!at.isOwn && at.inner && last.isAmidEpoch) {
            at.axis = Axis::Batch; // as the values of this series before
            at.step = at.inner;
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
        const bool hasBegun = at.total && *at.total > 0 && at.step == 0.0 && !same;
        if (hasBegun && at.axis == Axis::Batch && sameValue(last.value, pair.value, 0)) {
            return false; // still that of the epoch before: of this one, nothing has been done
        }
    } else if (m_series.size() >= mostSeries) {
        return false;
    }
    Series &series = found != m_series.end() ? found->second : m_series[name];
    if (found == m_series.end()) {
        series.context = context;
        series.told = told;
    }
    series.withoutStep += at.step ? 0 : 1;
    series.isAmidEpoch = !at.isOwn && at.axis == Axis::Batch;
    series.axis = at.axis;
    series.step = at.step;
    series.epoch = at.epoch;
    series.value = pair.value;
    m_points.push_back({std::move(name), at.axis, at.step, at.axis == Axis::None ? std::nullopt : at.epoch, pair.value,
        line, at.axis == Axis::Batch ? at.total : std::nullopt});
    return true;
}

bool KeptSeries::goesOnWith(const Pair &pair, const Place &place) const
{
    const auto known = m_series.find(pair.name);
    return known != m_series.end() && place.step && known->second.axis == place.axis && known->second.step
        && known->second.epoch == place.epoch && *known->second.step < *place.step
        && sameValue(known->second.value, pair.value, 0);
}

} // namespace trainyard::metrics
