// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace trainyard
{

// Estimates when a program that reports its progress will end, by its recent speed. Times are ms UTC. Time in which it
// was suspended does not count.
class ProgressRate
{
public:
    struct Halt {
        qint64 from = 0, until = 0;
    };
    void add(qint64 at, const metrics::Progress &progress); // in the order of time

    std::optional<double> fraction() const { return m_fraction; }
    // Nothing while too little is known, and when the program has said nothing for so long that it cannot be estimated.
    std::optional<qint64> endExpected(qint64 now, const std::vector<Halt> &halts = {}) const;

private:
    struct Sample {
        qint64 at = 0;
        double fraction = 0;
    };
    std::optional<qint64> ownEstimate(qint64 now, const std::vector<Halt> &halts) const;

    std::vector<Sample> m_samples; // each greater than the one before; thinned, so that they span the whole run
    std::optional<double> m_fraction;
    std::optional<double> m_secondsLeft; // that the program itself gives
    qint64 m_saidAt = 0; // when the progress changed last
};

} // namespace trainyard
