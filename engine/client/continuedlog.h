// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/earlieroutputs.h"

#include <optional>
#include <set>
#include <string>

namespace trainyard
{

// The metrics in the outputs of the tries of one task, as one output that grows. Where the newest try goes on is known
// only when it has told something, and better when it has told more: then all is told again from the beginning, that of
// the earlier tries first. Not thread-safe.
class ContinuedLog
{
public:
    // The folders of the tries, in their order. At once: what the newest one says is told before that is known.
    ContinuedLog(const QStringList &earlier, const QString &newest, const MetricPatterns &patterns, bool atOnce);

    struct Told {
        bool begins = false; // what was told before is void as soon as this is whole
        std::vector<LogMetrics::TimedPoint> points; // of one try
        std::size_t ofTry = 0; // from 0; the newest is the last
        bool isWhole = false; // after it began again: all is told that there is
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
    std::set<std::string> m_atSteps; // what the earlier ones have told there
    metrics::Continuation m_later; // what the newest has told
    Told m_told;
    Phase m_phase = Phase::Look;
    bool m_atOnce;
    bool m_catchesUp = false; // after it began again
    bool m_isStale = false; // where it goes on is known better
    bool m_isStaleAtSteps = false; // before, it was not known at all
    qint64 m_sizeThen = 0; // of the newest when all was told last
};

} // namespace trainyard
