// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/curvex.h"

#include <cmath>

namespace trainyard::metrics
{

void CurveX::note(double batch)
{
    m_stride = batch > m_batch && m_batch >= 0 ? batch - m_batch : m_stride;
    m_batch = batch;
}

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
        note(*point.step); // may turn out to be inside of an epoch
        m_epochs = 0;
        m_last = *point.step;
        return *m_last;
    }
    // Perhaps only the last batch of each epoch is told of.
    const bool isSameOfNext = *point.step == m_batch && point.epoch && m_epoch && *point.epoch > *m_epoch;
    m_epoch = point.epoch;
    // The next epoch has begun; the last batch that was told of is about its length.
    if (*point.step < m_batch || isSameOfNext) {
        const bool isLength = m_isAtEnd || *point.step > 0; // counted from 0, that one was not the last
        m_epochs += m_batch + (isLength ? 0 : m_stride);
    }
    m_isAtEnd = point.total && *point.step >= *point.total;
    note(*point.step);
    m_last = m_epochs + m_batch;
    return *m_last;
}

} // namespace trainyard::metrics
