// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/figuresteps.h"

#include <algorithm>

namespace trainyard
{

void FigureSteps::clear()
{
    m_steps = series::Series(series::StepBack::Mixed);
    m_ends = {};
    m_metric = nullptr;
    m_void = m_ownVoid = 0;
    m_next = m_place = m_stoodAtLast = 0;
}

const series::Series &FigureSteps::update(const series::Series &figure, const series::Series &metric, Behind behind,
    const StepsBefore &before, const EpochsBefore &ends)
{
    // After a step back the steps of what was placed are others, and so is what is to be placed. So is the place of
    // what stood at the last step when there are more.
    const bool isMoved = m_stoodAtLast > 0 && metric.size() > m_stoodAtLast;
    if (m_metric != &metric || m_void != metric.voidPoints().size() || m_ownVoid != figure.voidPoints().size()
        || m_next > figure.size() || m_place >= metric.size() || isMoved) {
        clear();
        m_metric = &metric;
        m_void = metric.voidPoints().size();
        m_ownVoid = figure.voidPoints().size();
    }
    if (metric.isEmpty()) {
        return m_steps;
    }
    const series::RisingColumn &times = metric.risingTimes();
    const std::size_t last = metric.size() - 1;
    const bool waits = behind == Behind::Waits;
    for (; m_next < figure.size(); ++m_next) {
        const series::Point point = figure.at(m_next);
        const auto at = static_cast<double>(point.time);
        if (at < times[0]) {
            continue;
        }
        if (waits && at > times[last]) {
            break; // its step is not known yet
        }
        const auto told = before.find(point.x);
        // Steps that were told in the same millisecond but later in the output do not count.
        const auto isBefore = [&](std::size_t place) {
            return times[place] < at
                || (!waits && times[place] == at && (told == before.end() || metric.at(place).x <= told->second));
        };
        if (!waits && (at > times[last] || isBefore(last))) {
            const double step = metric.at(last).x;
            const double place = m_ends.after(step, last > 0 ? step - metric.at(last - 1).x : 0);
            m_ends.add(place);
            m_steps.append({place, point.time, point.value});
            m_stoodAtLast = metric.size();
            continue;
        }
        while (m_place < last && isBefore(m_place + 1)) {
            ++m_place;
        }
        const std::size_t right = m_place < last ? m_place + 1 : last;
        const double from = metric.at(m_place).x, to = metric.at(right).x;
        if (!waits) {
            double place = metrics::epochPlace(from, static_cast<std::int64_t>(times[m_place]), to,
                static_cast<std::int64_t>(times[right]), point.time);
            if (const auto end = ends.find(point.x); end != ends.end()) {
                place = std::min(place, std::max(from, end->second));
            }
            m_ends.add(place);
            m_steps.append({place, point.time, point.value});
            continue;
        }
        const double span = times[right] - times[m_place];
        const double share = span > 0 ? (at - times[m_place]) / span : 1;
        m_steps.append({from + (to - from) * share, point.time, point.value});
    }
    return m_steps;
}

} // namespace trainyard
