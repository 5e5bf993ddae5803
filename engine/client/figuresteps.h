// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/steptrack.h"
#include "engine/series/series.h"

#include <map>

namespace trainyard
{

// A figure of a host by the steps of a training instead of the time: each of its points is at the step that a metric of
// the output had at that moment, or between two. Any curve can be shown by its epochs likewise. Points before the first
// step and after the last are left out. It follows both as they grow: points at the last step move to their position
// when more steps arrive.
class FigureSteps
{
public:
    // The points of a figure do not depend on steps: those after the last step wait for more. Values of an epoch follow
    // its steps in the output: they are at the last step, or as far behind it as metrics::EpochEnds says, until more
    // steps arrive, and never at a step that follows them.
    enum class Behind { Waits, AtTheLast };
    // The last step that was reported before each value of an output, by its x. Lines of one millisecond have an order.
    using StepsBefore = std::map<double, double>;
    // The end of the epoch after which each value of an output was told, by its x: the value stands no further,
    // whatever step was told next, and however soon.
    using EpochsBefore = std::map<double, double>;
    // As of now. `metric` may be another one than before.
    const series::Series &update(const series::Series &figure, const series::Series &metric,
        Behind behind = Behind::Waits, const StepsBefore &before = {}, const EpochsBefore &ends = {});
    void clear(); // the figure is another one

private:
    series::Series m_steps{series::StepBack::Mixed};
    metrics::EpochEnds m_ends;
    const series::Series *m_metric = nullptr;
    std::size_t m_void = 0, m_ownVoid = 0; // void points of the metric and of the figure
    std::size_t m_next = 0; // of the figure
    std::size_t m_place = 0; // in the metric
    std::size_t m_stoodAtLast = 0; // how long the metric was when points stood at its last step; 0: none do
};

} // namespace trainyard
