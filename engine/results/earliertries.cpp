// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/earliertries.h"

namespace trainyard
{

void EarlierTries::note(const metrics::Point &point)
{
    if (!m_outputs) {
        m_later.note(point);
    }
}

bool EarlierTries::readMore(qint64 bytes, OutputResults &results)
{
    if (!m_outputs) {
        m_outputs.emplace(m_folders, m_patterns, m_later);
    }
    const bool more = m_outputs->readMore(bytes);
    for (const LogMetrics::TimedPoint &timed : m_outputs->takePoints()) {
        m_track.add(timed.point, timed.time);
    }
    const bool hasEnded = m_outputs->hasEndedTry();
    if (hasEnded) {
        m_track.finish();
    }
    for (const metrics::StepTrack::Placed &placed : m_track.take()) {
        results.add(placed.point);
    }
    if (hasEnded) {
        m_track = {};
    }
    return more;
}

} // namespace trainyard
