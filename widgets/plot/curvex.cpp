// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvex.h"

#include <cmath>

namespace trainyard
{

double CurveX::next(const metrics::Point &point)
{
    ++m_count;
    if (!point.step || !std::isfinite(*point.step)) {
        return point.epoch && std::isfinite(*point.epoch) ? *point.epoch : m_count;
    }
    if (point.axis != metrics::Axis::Batch) {
        return *point.step;
    }
    if (*point.step < m_batch) { // the next epoch has begun; the last batch that was told of is about its length
        m_epochs += m_batch;
    }
    m_batch = *point.step;
    return m_epochs + m_batch;
}

} // namespace trainyard
