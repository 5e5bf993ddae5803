// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/earliertries.h"

#include <utility>

namespace trainyard
{

EarlierTries::EarlierTries(const QStringList &folders, const MetricPatterns &patterns) : m_patterns(patterns)
{
    for (const QString &folder : folders) {
        m_tries.push_back({folder, {}});
    }
}

void EarlierTries::note(const metrics::Point &point)
{
    if (m_phase == Phase::Begin) {
        m_later.note(point);
    }
}

bool EarlierTries::readMore(qint64 bytes, OutputResults &results)
{
    if (m_phase == Phase::Begin) {
        if (m_tries.empty() || !m_later.hasSteps() || m_later.startsOver()) {
            return false;
        }
        m_phase = Phase::Look;
        m_next = m_tries.size() - 1;
        m_tries[m_next].later = m_later;
    }
    if (m_phase == Phase::Look && !lookOn(bytes)) {
        m_phase = Phase::Add;
    }
    return m_phase == Phase::Look || addOn(bytes, results);
}

// From the last one back: where each goes on. Before one that starts over nothing counts.
bool EarlierTries::lookOn(qint64 bytes)
{
    if (m_next == 0) {
        return false;
    }
    if (!m_log) {
        m_log.emplace(m_tries[m_next].folder, m_patterns);
    }
    const bool more = m_log->readMore(bytes);
    for (const LogMetrics::TimedPoint &timed : m_log->takePoints()) {
        m_later.note(timed.point);
    }
    if (more) {
        return true;
    }
    m_log.reset();
    if (m_later.startsOver()) {
        return false; // this one is the first that counts
    }
    m_tries[--m_next].later = m_later;
    return m_next > 0;
}

bool EarlierTries::addOn(qint64 bytes, OutputResults &results)
{
    const Try &one = m_tries[m_next];
    if (!m_log) {
        m_log.emplace(one.folder, m_patterns);
        m_output.emplace(one.later);
    }
    const bool more = m_log->readMore(bytes);
    for (const LogMetrics::TimedPoint &timed : m_log->takePoints()) {
        if (!m_output->isVoid(timed.point)) {
            m_track.add(timed.point, timed.time);
        }
    }
    if (!more) {
        m_track.finish();
    }
    for (const metrics::StepTrack::Placed &placed : m_track.take()) {
        results.add(placed.point);
    }
    if (more) {
        return true;
    }
    m_log.reset();
    m_track = {};
    return ++m_next < m_tries.size();
}

} // namespace trainyard
