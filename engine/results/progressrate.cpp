// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/progressrate.h"

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr std::size_t mostSamples = 256;
constexpr std::size_t fewestSamples = 4; // fewer do not make a rate
constexpr qint64 shortestSpanMs = 3000;
constexpr double recentShare = 0.25; // of the run so far: that long ago is still "lately" ...
constexpr qint64 shortestRecentMs = 60'000; // ... and so is this
constexpr qint64 longestMs = qint64(10) * 365 * 86'400'000; // beyond that a figure says nothing
constexpr qint64 silenceMs = 60'000; // that long a program may be silent anyway

// Negative where `until` is before `from`: clocks of hosts differ.
qint64 ranBetween(qint64 from, qint64 until, const std::vector<ProgressRate::Halt> &halts)
{
    qint64 ran = until - from;
    for (const ProgressRate::Halt &halt : halts) {
        ran -= std::max<qint64>(0, std::min(until, halt.until) - std::max(from, halt.from));
    }
    return ran;
}

} // namespace

void ProgressRate::add(qint64 at, const metrics::Progress &progress)
{
    if (progress.fraction == m_fraction && progress.secondsLeft == m_secondsLeft) {
        return;
    }
    m_fraction = progress.fraction;
    m_secondsLeft = progress.secondsLeft;
    m_saidAt = at;
    if (!m_fraction) {
        m_samples.clear();
        return;
    }
    // Another bar, or the program started over: what was before says nothing about it.
    if (!m_samples.empty() && m_samples.back().fraction > *m_fraction) {
        m_samples.clear();
    }
    if (!m_samples.empty() && (m_samples.back().fraction >= *m_fraction || m_samples.back().at >= at)) {
        m_samples.back().fraction = std::max(m_samples.back().fraction, *m_fraction);
        return;
    }
    m_samples.push_back({at, *m_fraction});
    if (m_samples.size() > mostSamples) { // every other one, and the newest
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_samples.size(); i += 2) {
            m_samples[kept++] = m_samples[i];
        }
        m_samples[kept - 1] = m_samples.back();
        m_samples.resize(kept);
    }
}

std::optional<qint64> ProgressRate::ownEstimate(qint64 now, const std::vector<Halt> &halts) const
{
    if (m_samples.size() < fewestSamples) {
        return std::nullopt;
    }
    const Sample &newest = m_samples.back();
    const qint64 span = ranBetween(m_samples.front().at, newest.at, halts);
    if (span < shortestSpanMs) {
        return std::nullopt;
    }
    const qint64 recent = std::max(shortestRecentMs, qint64(double(span) * recentShare));
    auto from = std::find_if(m_samples.begin(), m_samples.end(),
        [&](const Sample &sample) { return ranBetween(sample.at, newest.at, halts) <= recent; });
    if (std::size_t(m_samples.end() - from) < fewestSamples) {
        from = m_samples.end() - fewestSamples;
    }
    const double done = newest.fraction - from->fraction;
    // One that is late for its next step has become slower by at least that.
    const qint64 took = ranBetween(from->at, newest.at, halts);
    const qint64 step = took / (m_samples.end() - from - 1);
    const qint64 since = ranBetween(newest.at, now, halts);
    const qint64 late = std::max<qint64>(0, since - step);
    if (done <= 0 || took <= 0) {
        return std::nullopt;
    }
    const double left = (1 - newest.fraction) / done * double(took + late);
    return left < double(longestMs) ? std::optional(now + std::max<qint64>(0, qint64(left) - since)) : std::nullopt;
}

std::optional<qint64> ProgressRate::endExpected(qint64 now, const std::vector<Halt> &halts) const
{
    if (m_fraction && *m_fraction >= 1) {
        return std::nullopt; // what comes after the last step is not known
    }
    if (const std::optional<qint64> own = ownEstimate(now, halts)) {
        return own;
    }
    if (!m_secondsLeft || !std::isfinite(*m_secondsLeft) || *m_secondsLeft < 0) {
        return std::nullopt;
    }
    const double left = *m_secondsLeft * 1000;
    const qint64 since = ranBetween(m_saidAt, now, halts);
    if (left > double(longestMs) || since > std::max(silenceMs, qint64(left))) {
        return std::nullopt;
    }
    return now + std::max<qint64>(0, qint64(left) - since);
}

} // namespace trainyard
