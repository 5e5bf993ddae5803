// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/curvex.h"

#include <cmath>

namespace trainyard::metrics
{

double CurveX::next(const Point &point)
{
    ++m_count;
    if (!point.step || !std::isfinite(*point.step)) {
        return point.epoch && std::isfinite(*point.epoch) ? *point.epoch : m_count;
    }
    if (point.axis == Axis::Epoch) {
        return m_last.value_or(*point.step);
    }
    if (point.axis != Axis::Batch) {
        m_last = *point.step;
        return *m_last;
    }
    if (*point.step < m_batch) { // the next epoch has begun; the last batch that was told of is about its length
        m_epochs += m_batch;
    }
    m_batch = *point.step;
    m_last = m_epochs + m_batch;
    return *m_last;
}

} // namespace trainyard::metrics
