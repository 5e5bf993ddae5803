// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/epochtrack.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{

void EpochTrack::clear() { *this = EpochTrack(); }

void EpochTrack::add(const metrics::Point &point, std::int64_t time)
{
    if (point.axis == metrics::Axis::Epoch) {
        if (const auto epoch = point.step ? point.step : point.epoch) {
            add(*epoch, std::nullopt, time);
        }
    } else if (point.epoch && point.step) {
        add(*point.epoch, point.step, time);
    }
}

void EpochTrack::add(double epoch, std::optional<double> inside, std::int64_t time)
{
    if (!std::isfinite(epoch) || epoch < 0 || (inside && !std::isfinite(*inside))) {
        return;
    }
    m_hasParts = m_hasParts || epoch != std::floor(epoch);
    if (m_hasParts) {
        m_hasWhole = m_hasWhole || epoch >= 1;
        append(epoch, time);
        return;
    }
    m_base = m_base.value_or(epoch < 1 ? 0 : 1);
    const double before = epoch - *m_base;
    if (!inside) {
        m_over = epoch;
        m_hasWhole = true;
        append(before + 1, time);
        return;
    }
    if (m_over == epoch) {
        return; // an evaluation after its end
    }
    if (m_epoch != epoch) {
        if (m_epoch && epoch > *m_epoch) {
            m_length = m_last - m_first;
            m_hasWhole = true;
        }
        m_epoch = epoch;
        m_over.reset();
        m_first = m_last = *inside;
        append(before, time);
        return;
    }
    // The batches of an evaluation count from the beginning while the epoch goes on.
    if (*inside > m_last) {
        m_last = *inside;
        if (m_length > 0) {
            append(before + std::min(1.0, (*inside - m_first) / m_length), time);
        }
    }
}

void EpochTrack::append(double place, std::int64_t time)
{
    // Several values at one moment say the same once.
    if (const auto last = m_places.last(); last && last->x == place && last->time == time) {
        return;
    }
    m_places.append({place, time, place});
}

} // namespace trainyard
