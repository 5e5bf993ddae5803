// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/collector.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

bool Collector::isMetric(const Record &record, const Pair &pair, const Place &place, bool hasMetric) const
{
    return metrics::isMetric(record, pair, place, around(), hasMetric, m_series.contains(pair.name));
}

bool Collector::waitsAsSettings(const Record &record, const Place &own, std::uint64_t line)
{
    const HeldSettings::Answer answer = m_held.take(record, own, line);
    if (answer.first) {
        for (const Pair &pair : answer.first->pairs) {
            if (isMetric(*answer.first, pair, answer.at, false)) {
                m_series.keep(pair, answer.at, *answer.first, answer.line);
            }
        }
    }
    return answer.waits;
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

bool Collector::keepOfBar(const Record &record, const Place &own, bool hasMetric, std::uint64_t line)
{
    bool hasValues = false;
    for (const Pair &pair : record.pairs) {
        Place place = m_steps.placeInBar(record, own, pair, m_bars.hadText());
        place.isOwn = true;
        place.isBare = false;
        if (isMetric(record, pair, place, hasMetric)) {
            hasValues = m_series.keep(pair, place, record, line) || hasValues;
        }
    }
    return hasValues;
}

bool Collector::keepOfLine(const Record &record, const Place &place, bool hasMetric, std::uint64_t line)
{
    bool hasValues = false;
    for (const Pair &pair : record.pairs) {
        if (isMetric(record, pair, place, hasMetric)) {
            hasValues = true;
            m_series.keep(pair, place, record, line);
        }
    }
    return hasValues;
}

void Collector::keepHeld(const BarStates::Held &held)
{
    for (const Pair &pair : held.record.pairs) {
        Place place = m_steps.placeInBar(held.record, held.at, pair, m_bars.hadText());
        if (m_series.goesOnWith(pair, place)) {
            place.isOwn = true;
            place.isBare = false;
            m_series.keep(pair, place, held.record, held.line);
        }
    }
}

// A history that is printed as a table at the end is not a second curve, and an empty cell is not a value.
void Collector::leaveOutRetold(Record &record)
{
    if (record.beginsFrame) {
        m_retold.clear();
        for (const Pair &pair : record.pairs) {
            if (m_series.contains(pair.name)) {
                m_retold.insert(pair.name);
            }
        }
    }
    std::erase_if(
        record.pairs, [this](const Pair &pair) { return !std::isfinite(pair.value) || m_retold.contains(pair.name); });
}

// No place follows from a count that is no finite number, such as one of 400 digits, or NaN in a column of epochs.
void Collector::leaveOutUncounted(Record &record)
{
    std::erase_if(record.steps, [](const StepMark &mark) { return !std::isfinite(mark.value); });
    for (StepMark &mark : record.steps) {
        if (mark.total && !std::isfinite(*mark.total)) {
            mark.total.reset();
        }
    }
}

void Collector::finish()
{
    for (const BarStates::Held &held : m_bars.closeAll()) {
        keepHeld(held);
    }
}

void Collector::take(Record &&record, std::uint64_t line, std::string_view barText)
{
    m_line = line;
    std::erase_if(record.pairs, [](const Pair &pair) { return pair.isUnclear; });
    leaveOutUncounted(record);
    if (record.isOfFrame) {
        leaveOutRetold(record);
        if (record.pairs.empty()) {
            return;
        }
    }
    if (record.isEmpty()) {
        return;
    }
    m_progress.begin();
    if (m_steps.noteTotals(record)) {
        m_progress.forget();
    }
    if (!record.steps.empty() && std::any_of(record.pairs.begin(), record.pairs.end(), [](const Pair &pair) {
            return isReward(pair.name);
        })) {
        for (StepMark &mark : record.steps) {
            mark.name.axis = mark.name.isShort ? Axis::Episode : mark.name.axis;
        }
    }
    Place own = m_steps.placeOf(record);
    m_series.noteInside(record, own);
    if (!own.isOwn) {
        m_steps.takeStepsFromNames(record);
    }
    if (waitsAsSettings(record, own, line)) {
        return;
    }
    Place place = own.isOwn ? own : m_steps.carried();
    if (goesOnBelowStep(record, place, around())) {
        place = m_steps.ofLineAbove();
    }
    bool hasMetric = false;
    for (const Pair &pair : record.pairs) {
        const bool metric
            = pair.kind == NameKind::Metric || (pair.kind == NameKind::Faint && (!pair.isWhole || place.isOwn));
        hasMetric = hasMetric || metric;
    }
    const bool isOfNone = isOfNoSeries(record, own, place, around());
    BarStates::Taken bar;
    if (record.shape == Shape::Bar) {
        bar = m_bars.take(record, barText);
        if (bar.closed) {
            keepHeld(*bar.closed);
        }
    }
    // A number alone is a step only beside something that certainly is a metric.
    const bool isSilent = (own.isOwn && own.isBare && !hasMetric) || isOfNone;
    bool hasValues = false;
    if (bar.isRedrawn) {
        Place at = own;
        at.epoch = own.epoch ? own.epoch : m_steps.epoch(); // another one may have begun when it ends
        if (const std::optional<BarStates::Held> held = m_bars.hold(record, at, line)) {
            keepHeld(*held);
        }
    } else if (!isSilent) {
        hasValues = record.shape == Shape::Bar ? keepOfBar(record, own, hasMetric, line)
                                               : keepOfLine(record, place, hasMetric, line);
    }
    if (!hasValues && record.mayBeRank && record.shape == Shape::Text && record.pairs.empty()) {
        m_steps.noteRankPrefix();
    }
    if (hasValues && record.shape != Shape::Bar) {
        if (place.step) {
            m_steps.noteCounted(place.axis); // the lines before count what has values
        }
        if (!own.isOwn) {
            if (const std::optional<double> share = m_steps.takeHeaderShare()) {
                m_progress.show(*share);
            }
        }
    }
    m_progress.note(record, own, hasValues, m_bars);
    m_steps.remember(record, own, hasValues, line);
    m_progress.noteRun(record, hasValues, !m_series.isEmpty());
    noteSettings(record, hasValues);
    const bool isOfList = hasValues && !own.isOwn && record.shape == Shape::Text && record.pairs.size() == 1
        && (record.pairs.front().kind == NameKind::Metric || m_metricLine + 1 == line);
    m_metricLine = isOfList ? line : 0;
}

} // namespace trainyard::metrics
