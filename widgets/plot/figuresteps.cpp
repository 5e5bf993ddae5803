// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/figuresteps.h"

namespace trainyard
{

void FigureSteps::clear()
{
    m_steps = series::Series(series::StepBack::Mixed);
    m_metric = nullptr;
    m_void = m_ownVoid = 0;
    m_next = m_place = 0;
}

const series::Series &FigureSteps::update(const series::Series &figure, const series::Series &metric, Behind behind)
{
    // After a step back the steps of what was placed are others, and so is what is to be placed.
    if (m_metric != &metric || m_void != metric.voidPoints().size() || m_ownVoid != figure.voidPoints().size()
        || m_next > figure.size() || m_place >= metric.size()) {
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
    for (; m_next < figure.size(); ++m_next) {
        const series::Point point = figure.at(m_next);
        const auto at = static_cast<double>(point.time);
        if (at < times[0]) {
            continue;
        }
        if (at > times[last]) {
            if (behind == Behind::Waits) {
                break; // its step is not known yet
            }
            m_steps.append({metric.at(last).x, point.time, point.value});
            continue;
        }
        while (m_place < last && times[m_place + 1] < at) {
            ++m_place;
        }
        const std::size_t right = m_place < last ? m_place + 1 : last;
        const double span = times[right] - times[m_place];
        const double share = span > 0 ? (at - times[m_place]) / span : 1;
        const double from = metric.at(m_place).x, to = metric.at(right).x;
        m_steps.append({from + (to - from) * share, point.time, point.value});
    }
    return m_steps;
}

} // namespace trainyard
