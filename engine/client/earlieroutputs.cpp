// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/earlieroutputs.h"

#include <utility>

namespace trainyard
{

EarlierOutputs::EarlierOutputs(const QStringList &folders, const MetricPatterns &patterns, metrics::Continuation later)
    : m_patterns(patterns), m_later(std::move(later))
{
    for (const QString &folder : folders) {
        m_tries.push_back({folder, {}});
    }
    if (m_tries.empty() || m_later.startsOver()) {
        m_phase = Phase::End;
        return;
    }
    m_next = m_tries.size() - 1;
    m_tries[m_next].later = m_later;
}

bool EarlierOutputs::readMore(qint64 bytes)
{
    m_hasEndedTry = false;
    if (m_phase == Phase::Look && !lookOn(bytes)) {
        for (std::size_t i = 0; i < m_next; ++i) { // nothing of them counts
            m_read += LogMetrics(m_tries[i].folder, m_patterns).size();
        }
        m_phase = Phase::Add;
    }
    if (m_phase == Phase::Add && !addOn(bytes)) {
        m_phase = Phase::End;
    }
    return m_phase != Phase::End;
}

std::vector<LogMetrics::TimedPoint> EarlierOutputs::takePoints() { return std::exchange(m_points, {}); }

// From the last one back: where each goes on. Before one that starts over nothing counts.
bool EarlierOutputs::lookOn(qint64 bytes)
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

bool EarlierOutputs::addOn(qint64 bytes)
{
    const Try &one = m_tries[m_next];
    if (!m_log) {
        m_log.emplace(one.folder, m_patterns);
        m_output.emplace(one.later);
    }
    const qint64 before = m_log->bytesRead();
    const bool more = m_log->readMore(bytes);
    m_read += m_log->bytesRead() - before;
    m_try = m_next;
    for (LogMetrics::TimedPoint &timed : m_log->takePoints()) {
        if (!m_output->isVoid(timed.point)) {
            m_points.push_back(std::move(timed));
        }
    }
    if (more) {
        return true;
    }
    m_log.reset();
    m_hasEndedTry = true;
    return ++m_next < m_tries.size();
}

} // namespace trainyard
