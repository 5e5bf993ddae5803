// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/earlieroutputs.h"

#include <optional>
#include <set>
#include <string>

namespace trainyard
{

// The metrics in the outputs of the tries of one task, as one output that grows. Where the newest try continues is
// known only when it has printed something, and better when it has printed more: then everything is reported again from
// the beginning, starting with the earlier tries. Not thread-safe.
class ContinuedLog
{
public:
    // The folders of the tries, in their order. At once: the values of the newest one are reported before that is
    // known.
    ContinuedLog(const QStringList &earlier, const QString &newest, const MetricPatterns &patterns, bool atOnce);

    struct Told {
        bool begins = false; // what was reported before is void as soon as this is complete
        std::vector<LogMetrics::TimedPoint> points; // of one try
        std::size_t ofTry = 0; // from 0; the newest is the last
        bool isWhole = false; // after it started over: everything has been reported
    };
    // Reads about so many bytes of what is new, not more. True: there is more at once.
    bool readMore(qint64 bytes = 1 << 20);
    Told take(); // since the last call, which has to come before the next piece is read
    metrics::Progress progress() const { return m_newest->progress(); }
    bool isOver() const { return m_phase == Phase::Newest && !m_isStale && m_newest->isOver(); } // nothing more comes

private:
    enum class Phase { Look, Begin, Earlier, Newest };
    bool look(qint64 bytes);
    void begin();
    bool readEarlier(qint64 bytes);
    bool readNewest(qint64 bytes);
    bool isDue() const;

    QStringList m_folders; // of the earlier tries
    QString m_folder;
    MetricPatterns m_patterns;
    std::optional<LogMetrics> m_newest;
    std::optional<EarlierOutputs> m_earlier;
    std::set<std::string> m_atSteps; // what the earlier ones have reported there
    metrics::Continuation m_later; // reported by the newest
    Told m_told;
    Phase m_phase = Phase::Look;
    bool m_atOnce;
    bool m_catchesUp = false; // after it began again
    bool m_isStale = false; // where it goes on is known better
    bool m_isStaleAtSteps = false; // before, it was not known at all
    qint64 m_sizeThen = 0; // of the newest when everything was last reported
};

} // namespace trainyard
