// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/shownprogress.h"

#include <algorithm>

namespace trainyard::metrics
{

// By the epoch that the line names; a line about the whole of it need not say how many there are.
std::optional<double> ShownProgress::doneByEpochs(const Record &record, const Place &own, bool hasValues)
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
    return epoch && hasValues && !isInside && m_steps.epochTotal() && m_epochCount.isInside(epoch->value)
        ? m_epochCount.note(epoch->value, *m_steps.epochTotal(), std::nullopt)
        : std::nullopt;
}

ShownProgress::Counts ShownProgress::countsOf(const Record &record, bool hasValues) const
{
    Counts counts;
    for (const StepMark &mark : record.steps) {
        if (mark.isBare && !hasValues) {
            continue;
        }
        if (mark.name.axis == Axis::Epoch) {
            counts.epoch = mark.total ? &mark : counts.epoch;
        } else if (mark.total && *mark.total > 0 && (hasValues || m_steps.counts(mark.name.axis) || counts.epoch)) {
            counts.inner = &mark;
        }
    }
    return counts;
}

// Notes how far the whole run is: what m_progress says may be about the present epoch alone.
void ShownProgress::noteRun(const Record &record, bool hasValues, bool hasSeries)
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
    const std::optional<double> epoch = hasOuter ? std::optional(counts.epoch->value) : m_steps.epoch();
    const std::optional<double> total = hasOuter ? counts.epoch->total : m_steps.epochTotal();
    const bool namesEpoch = hasOuter || std::any_of(record.steps.begin(), record.steps.end(), [](const StepMark &mark) {
        return mark.name.axis == Axis::Epoch;
    });
    std::optional<RunProgress::Inner> inner;
    if (record.barAt) {
        const bool isNamed = namesEpoch || record.isBarOfKeras;
        const bool isCount = record.barTotal && *record.barTotal > 0 && *record.barAt <= *record.barTotal * 1.001;
        if (isCount) {
            inner = {*record.barAt, *record.barTotal, record.secondsLeft, isNamed, true, record.isBarOfEvaluation};
        }
    } else if (counts.inner && counts.inner != counts.epoch && counts.inner->value <= *counts.inner->total * 1.001) {
        inner
            = {counts.inner->value, *counts.inner->total, record.secondsLeft, namesEpoch, false, record.isOfEvaluation};
    }
    const bool tellsWhole = record.fraction && (hasValues || record.secondsLeft || record.isShareOfCount);
    const bool isPart = inner && !tellsWhole;
    if (isPart && epoch && total) {
        m_run.inside(*epoch, *total, *inner, m_progress);
    } else if (isPart && epoch) {
        m_run.insideOfUnknown(*epoch, *inner, m_progress);
    } else if (hasOuter && !inner && !tellsWhole && (m_run.knowsInner() || (!hasValues && !hasSeries))) {
        m_run.begin(*epoch, *total); // done or begun: what was counted inside of it tells
    } else if (m_progress != m_before && (tellsWhole || !m_run.isPartOfUnknown())) {
        if (isPart) {
            m_run.beforeEpochs(*inner);
        }
        m_run.show(m_progress);
    }
}

void ShownProgress::note(const Record &record, const Place &own, bool hasValues, const BarStates &bars)
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
            if (const std::optional<BarStates::Share> outer = bars.ofOuter(*total)) {
                m_progress = {outer->fraction, outer->secondsLeft};
                return;
            }
        }
        const std::optional<double> k = epoch ? std::optional(epoch->value) : m_steps.epoch();
        const std::optional<double> n = epoch ? epoch->total : m_steps.epochTotal();
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
    const bool isOfPart
        = record.isOfEvaluation && record.steps.empty(); // its remaining time says nothing about anything else
    if (left && !isOfPart && (hasValues || m_steps.hasLast())) {
        m_progress.secondsLeft = left;
    }
}

void ShownProgress::noteCount(double at, double total)
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
bool ShownProgress::countGoesOn() const
{
    return m_count && m_count->at < m_count->total
        && (m_count->outlastsBars || m_count->at + m_count->by < m_count->total);
}

} // namespace trainyard::metrics
