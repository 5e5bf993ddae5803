// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logmetrics.h"
#include "engine/metrics/continuation.h"
#include "engine/metrics/steptrack.h"
#include "engine/results/outputresults.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace trainyard
{

// What the outputs of the earlier tries of a task add to the results of the newest one, where that goes on from a
// checkpoint. Where it goes on must be known before they are read. For one thread.
class EarlierTries
{
public:
    EarlierTries(const QStringList &folders, const MetricPatterns &patterns); // in the order of the tries
    void note(const metrics::Point &point); // of the newest one
    bool isKnown() const { return m_later.hasSteps(); } // where it goes on
    // Reads about so many bytes. False: all is in the results, or nothing of it counts.
    bool readMore(qint64 bytes, OutputResults &results);

private:
    struct Try {
        QString folder;
        metrics::Continuation later; // of all that come after it
    };
    bool lookOn(qint64 bytes);
    bool addOn(qint64 bytes, OutputResults &results);

    MetricPatterns m_patterns;
    std::vector<Try> m_tries;
    metrics::Continuation m_later; // of what is known: the newest try, then those before it, too
    std::size_t m_next = 0; // that is read
    std::optional<LogMetrics> m_log;
    std::optional<metrics::EarlierOutput> m_output; // of that one
    metrics::StepTrack m_track;
    enum class Phase { Begin, Look, Add } m_phase = Phase::Begin;
};

} // namespace trainyard
