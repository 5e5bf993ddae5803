// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/continuedlog.h"

#include <utility>

namespace trainyard
{

ContinuedLog::ContinuedLog(
    const QStringList &earlier, const QString &newest, const MetricPatterns &patterns, bool atOnce)
    : m_folders(earlier), m_folder(newest), m_patterns(patterns), m_atOnce(atOnce)
{
    m_newest.emplace(m_folder, m_patterns);
    m_told.ofTry = std::size_t(m_folders.size());
    if (m_folders.isEmpty()) {
        m_phase = atOnce ? Phase::Newest : Phase::Begin;
    }
}

bool ContinuedLog::readMore(qint64 bytes)
{
    switch (m_phase) {
    case Phase::Look:
        return look(bytes);
    case Phase::Begin:
        begin();
        return true;
    case Phase::Earlier:
        return readEarlier(bytes);
    case Phase::Newest:
        break;
    }
    return readNewest(bytes);
}

ContinuedLog::Told ContinuedLog::take()
{
    Told none;
    none.ofTry = m_told.ofTry;
    return std::exchange(m_told, none);
}

bool ContinuedLog::look(qint64 bytes)
{
    const bool more = m_newest->readMore(bytes);
    std::vector<LogMetrics::TimedPoint> points = m_newest->takePoints();
    for (const LogMetrics::TimedPoint &timed : points) {
        m_later.note(timed.point);
    }
    if (m_atOnce) {
        m_told.points = std::move(points);
    }
    if (more) {
        return true;
    }
    m_sizeThen = m_newest->bytesRead();
    // When it starts over, no values precede those that are reported.
    m_phase = m_atOnce && m_later.startsOver() ? Phase::Newest : Phase::Begin;
    return m_phase == Phase::Begin;
}

void ContinuedLog::begin()
{
    m_earlier.emplace(m_folders, m_patterns, m_later);
    m_atSteps.clear();
    m_isStale = m_isStaleAtSteps = false;
    m_told.begins = true;
    m_phase = Phase::Earlier;
}

bool ContinuedLog::readEarlier(qint64 bytes)
{
    const bool more = m_earlier->readMore(bytes);
    m_told.ofTry = m_earlier->tryOfPoints();
    m_told.points = m_earlier->takePoints();
    for (const LogMetrics::TimedPoint &timed : m_told.points) {
        if (timed.point.step || timed.point.epoch) {
            m_atSteps.insert(timed.point.name);
        }
    }
    if (!more) {
        m_earlier.reset();
        m_newest.emplace(m_folder, m_patterns);
        m_catchesUp = true;
        m_phase = Phase::Newest;
    }
    return true;
}

bool ContinuedLog::readNewest(qint64 bytes)
{
    const bool more = m_newest->readMore(bytes);
    m_told.ofTry = std::size_t(m_folders.size());
    m_told.points = m_newest->takePoints();
    if (!m_folders.isEmpty()) {
        for (const LogMetrics::TimedPoint &timed : m_told.points) {
            const bool hadSteps = m_later.hasSteps();
            m_isStale = m_later.note(timed.point) || m_isStale;
            m_isStaleAtSteps = m_isStaleAtSteps || m_later.hasSteps() != hadSteps;
        }
        // A try that has come to no step says nothing of a curve that has steps.
        std::erase_if(m_told.points, [this](const LogMetrics::TimedPoint &timed) {
            return !m_later.hasSteps() && !timed.point.step && !timed.point.epoch
                && m_atSteps.contains(timed.point.name);
        });
    }
    if (more) {
        return true;
    }
    m_told.isWhole = std::exchange(m_catchesUp, false);
    if (m_told.isWhole) {
        m_sizeThen = m_newest->bytesRead();
    }
    if (isDue()) {
        m_phase = Phase::Begin;
        return true;
    }
    return false;
}

// Each new metric is news of where it goes on, and all is read again for it: not more often than the output doubles.
bool ContinuedLog::isDue() const
{
    return m_isStale && (m_isStaleAtSteps || m_newest->isOver() || m_newest->bytesRead() >= 2 * m_sizeThen);
}

} // namespace trainyard
