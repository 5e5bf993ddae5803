// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/epochcount.h"

#include <algorithm>
#include <cmath>

namespace trainyard::metrics
{

void EpochCount::begin(double epoch, double inside)
{
    if (m_epoch && epoch > *m_epoch) {
        m_isOncePerEpoch = m_lines == 1;
        m_countsOn = inside > m_last;
        m_length = m_isOncePerEpoch ? 0 : m_countsOn ? (inside - m_first) / (epoch - *m_epoch) : m_last;
    }
    m_epoch = epoch;
    m_first = m_last = inside;
    m_lines = 0;
    m_isEnded = false;
}

std::optional<double> EpochCount::note(double epoch, double total, std::optional<double> inside)
{
    if (!(total > 0) || !(epoch <= total)) {
        return std::nullopt;
    }
    m_base = epoch < 1 ? 0 : m_base;
    m_hasParts = m_hasParts || epoch != std::floor(epoch);
    if (m_hasParts) {
        return epoch / total;
    }
    if (!inside) {
        if (!isInside(epoch)) {
            return epoch / total;
        }
        if (m_endsAreNone) {
            return std::nullopt;
        }
        m_isEnded = true;
        return std::min(1.0, (epoch - m_base + 1) / total);
    }
    if (!isInside(epoch)) {
        begin(epoch, *inside);
    }
    m_endsAreNone = m_endsAreNone || m_isEnded;
    m_last = std::max(m_last, *inside);
    if (++m_lines > 1) {
        m_isOncePerEpoch = false;
    }
    if (m_isOncePerEpoch) {
        return epoch / total;
    }
    const double part = m_length > 0 ? (*inside - (m_countsOn ? m_first : 0)) / m_length : 0;
    return std::min(1.0, (epoch - m_base + std::clamp(part, 0.0, 1.0)) / total);
}

} // namespace trainyard::metrics
