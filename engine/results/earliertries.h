// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/earlieroutputs.h"
#include "engine/metrics/steptrack.h"
#include "engine/results/outputresults.h"

#include <optional>

namespace trainyard
{

// What the outputs of the earlier tries of a task add to the results of the newest one, where that goes on from a
// checkpoint. Where it goes on must be known before they are read. For one thread.
class EarlierTries
{
public:
    EarlierTries(const QStringList &folders, const MetricPatterns &patterns) // in the order of the tries
        : m_folders(folders), m_patterns(patterns)
    {
    }
    void note(const metrics::Point &point); // of the newest one
    bool isKnown() const { return m_later.hasSteps(); } // where it goes on
    // Reads about so many bytes. False: all is in the results, or nothing of it counts.
    bool readMore(qint64 bytes, OutputResults &results);

private:
    QStringList m_folders;
    MetricPatterns m_patterns;
    metrics::Continuation m_later; // until they are read
    std::optional<EarlierOutputs> m_outputs;
    metrics::StepTrack m_track;
};

} // namespace trainyard
