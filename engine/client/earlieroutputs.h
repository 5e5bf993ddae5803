// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logmetrics.h"
#include "engine/metrics/continuation.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace trainyard
{

// The part of the earlier tries' outputs that still counts for a task's curves if a later try continues from a
// checkpoint. The step at which each try continues must be known before those in front of it count, so all but the
// first are read twice. Values that do not count are not kept. For one thread.
class EarlierOutputs
{
public:
    // In the order of the tries. `later` is what the newest one, which is not in `folders`, has reported.
    EarlierOutputs(const QStringList &folders, const MetricPatterns &patterns, metrics::Continuation later);

    bool readMore(qint64 bytes = 1 << 20); // about so many of one output. False: all is read, or nothing of it counts
    std::vector<LogMetrics::TimedPoint> takePoints(); // of one try, in the order of its output
    std::size_t tryOfPoints() const { return m_try; } // of the folders
    bool hasEndedTry() const { return m_hasEndedTry; } // the next points are of another one
    qint64 bytesRead() const { return m_read; } // of what counts and what does not, once

private:
    struct Try {
        QString folder;
        metrics::Continuation later; // of all that come after it
    };
    bool lookOn(qint64 bytes);
    bool addOn(qint64 bytes);

    MetricPatterns m_patterns;
    std::vector<Try> m_tries;
    metrics::Continuation m_later; // of what is known: the newest try, then those before it, too
    std::size_t m_next = 0; // that is read
    std::size_t m_try = 0; // whose points were read last
    std::optional<LogMetrics> m_log;
    std::optional<metrics::EarlierOutput> m_output; // of that one
    std::vector<LogMetrics::TimedPoint> m_points;
    qint64 m_read = 0;
    bool m_hasEndedTry = false;
    enum class Phase { Look, Add, End } m_phase = Phase::Look;
};

} // namespace trainyard
