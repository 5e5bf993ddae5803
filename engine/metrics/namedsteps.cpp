// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/namedsteps.h"

#include <algorithm>

namespace trainyard::metrics
{

Place NamedSteps::placeOf(const Record &record) const
{
    if (record.isOfEvaluation && record.steps.empty()) {
        Place present = carried();
        present.isOwn = true;
        present.isBare = false;
        return present;
    }
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

Place NamedSteps::carried() const
{
    Place place = m_last;
    place.isOwn = false;
    if (place.axis == Axis::Batch && !m_lastIsHeader) {
        // What follows the batches is about the epoch, unless more of them are to come.
        if (place.epoch && !m_isAmidEpoch && !m_countsOn) {
            place.inner = place.step;
            place.axis = Axis::Epoch;
            place.step = place.epoch;
        }
    }
    return place;
}

Place NamedSteps::ofLineAbove() const
{
    Place place = m_last;
    place.isOwn = false;
    return place;
}

// The step to which a value of a bar belongs.
Place NamedSteps::placeInBar(const Record &record, const Place &place, const Pair &pair, bool hadText) const
{
    Place result = place;
    const std::optional<double> epoch = place.epoch ? place.epoch : m_epoch;
    if (record.isBarOfKeras) {
        if (record.isBarDone) {
            // A callback may print between two states of the end; a bar of another evaluation has no "val_loss".
            const bool isClosed = m_epochIsClosed && !(m_brokenTotal && m_brokenTotal == record.barTotal)
                && std::none_of(record.pairs.begin(), record.pairs.end(),
                    [](const Pair &other) { return isOfEvaluation(other.name); });
            result.axis = epoch && !isClosed ? Axis::Epoch : Axis::None;
            result.step = isClosed ? std::nullopt : epoch;
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
    const bool ofEpoch = epoch && ((done && !hadText) || isOfEvaluation(pair.name) || pair.name.ends_with("_epoch"));
    if (ofEpoch) {
        result.axis = Axis::Epoch;
        result.step = result.epoch = epoch;
        return result;
    }
    result.step = record.barAt;
    result.epoch = epoch;
    result.axis = epoch ? Axis::Batch : Axis::Iteration;
    result.total = epoch ? record.barTotal : std::nullopt;
    return result;
}

void NamedSteps::remember(const Record &record, const Place &place, bool hasValues, std::uint64_t line)
{
    for (const StepMark &mark : record.steps) {
        // "Epoch 3: loss improved from 0.5 to 0.4" follows its bar; "Epoch 3: early stopping" follows the whole run.
        const bool isOfCallback = record.shape == Shape::Text && mark.name.axis == Axis::Epoch && !mark.total
            && mark.value == m_epoch && (record.looseNumbers > 0 || !record.pairs.empty());
        if (isOfCallback && m_epochIsClosed && m_singleTotal) {
            m_brokenTotal = m_singleTotal;
        }
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
        if (record.isBarOfKeras) {
            rememberKerasBar(record, hasValues, line);
        }
        // What follows the bar of an epoch that is over is about that epoch.
        const bool isOver = record.barTotal && record.barAt.value_or(0) >= *record.barTotal && !record.isBarOfKeras;
        if (place.isOwn && place.axis == Axis::Epoch && (!hasValues || isOver)) {
            m_last = place;
            m_lastLine = line;
        }
        return;
    }
    if (!place.isOwn || record.steps.empty() || (place.isBare && !hasValues)) {
        return;
    }
    // "Steps executed: 27 Return: 12.0", which is drawn repeatedly, counts within what the line above has named.
    const bool isInside = record.isDrawnAgain && m_last.step
        && std::all_of(record.steps.begin(), record.steps.end(),
            [](const StepMark &mark) { return mark.name.isPlural && !mark.name.isGlobal; });
    if (isInside) {
        return;
    }
    m_last = place;
    noteAmidEpoch(record, place);
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
    m_lastLine = line;
    if (hasValues) {
        m_countsSteps[static_cast<int>(place.axis)] = true;
    }
}

// "epoch: 1, iter: 20/40000" is far from the end of what it counts if the line before had 10: what follows is about
// this iteration. A count of samples has its total for all processes together, so that its end is not known.
void NamedSteps::noteAmidEpoch(const Record &record, const Place &place)
{
    m_isAmidEpoch = false;
    noteCountsOn(record, place);
    const auto count = std::find_if(record.steps.begin(), record.steps.end(),
        [](const StepMark &mark) { return mark.name.axis == Axis::Iteration && mark.total && !mark.isBare; });
    if (place.axis != Axis::Batch || count == record.steps.end()) {
        return;
    }
    m_countGap = m_countAt && count->value > *m_countAt ? std::optional(count->value - *m_countAt) : m_countGap;
    m_countAt = count->value;
    m_isAmidEpoch = m_countGap && count->value + *m_countGap < *count->total;
}

// "epoch: 8, iter: 500" and then "epoch: 16, iter: 1,000": what follows is about the iteration, since most epochs end
// without a word. Where each of them is named, it is about the epoch, also if the iterations go on.
void NamedSteps::noteCountsOn(const Record &record, const Place &place)
{
    const bool isCounted = std::any_of(record.steps.begin(), record.steps.end(),
        [](const StepMark &mark) { return mark.name.axis == Axis::Iteration && !mark.total && !mark.isBare; });
    if (place.axis != Axis::Batch || !place.epoch || !isCounted) {
        m_countsOn = false;
        m_counted = {};
        return;
    }
    if (m_counted.epoch && *m_counted.epoch < *place.epoch) {
        m_countsOn = *m_counted.step < *place.step && *m_counted.epoch + 1 < *place.epoch;
    }
    m_counted = place;
}

// Keras draws the full bar twice, the second time with the values of the epoch. A callback that prints in between ends
// the line at the first one, and the second one stands alone; a bar of an evaluation begins before its end.
void NamedSteps::rememberKerasBar(const Record &record, bool hasValues, std::uint64_t line)
{
    const std::optional<KerasBar> before = std::exchange(m_kerasBar, std::nullopt);
    m_brokenTotal.reset();
    m_singleTotal.reset();
    if (!record.isBarDone) {
        m_kerasBar = {record.barAt.value_or(0), record.barTotal, line};
        return;
    }
    m_epochIsClosed = m_epochIsClosed || hasValues;
    if (!before || before->line != line) {
        m_singleTotal = record.barTotal;
    } else if (before->total == record.barTotal && before->at < record.barTotal.value_or(0)) {
        m_brokenTotal = record.barTotal;
    }
}

// "Batch 4/2100", "Batch 4/2200": a total that changes is not a total, but a count within what precedes it.
bool NamedSteps::noteTotals(Record &record)
{
    bool wasNone = false;
    // "10 | loss 0.5" between lines such as "step 0: val loss 0.75", where no epoch was named
    if (record.steps.size() == 1 && record.shape == Shape::Text && counts(Axis::Step) && !m_epoch) {
        StepMark &only = record.steps.front();
        const bool isOfSteps = only.isBare && !only.total && only.name.axis == Axis::Epoch;
        only.name.axis = isOfSteps ? Axis::Step : only.name.axis;
    }
    for (StepMark &mark : record.steps) {
        if (mark.name.axis != Axis::Batch || !mark.total || record.steps.size() > 1 || record.shape != Shape::Text) {
            continue;
        }
        if (!m_totalsAreBatches
            && ((m_batchAt == mark.value && m_batchTotal != mark.total) || mark.value > *mark.total
                || (!m_batchAt && m_epoch && *m_epoch > 1 && mark.value == *m_epoch))) { // "4/100" first in epoch 4
            m_totalsAreBatches = true;
            wasNone = true;
        }
        m_batchAt = mark.value;
        m_batchTotal = mark.total;
        if (m_totalsAreBatches) {
            StepMark epoch{{Axis::Epoch, false, false, false}, mark.value, {}, false, false};
            mark.value = *std::exchange(mark.total, std::nullopt);
            record.steps.insert(record.steps.begin(), epoch);
            break;
        }
    }
    return wasNone;
}

// "Validation loss 5: 0.4" below the line of step 5
void NamedSteps::takeStepsFromNames(Record &record) const
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

} // namespace trainyard::metrics
