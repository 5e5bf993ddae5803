// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

#include <QtGlobal>

#include <optional>
#include <vector>

namespace trainyard
{

// When a program that says how far it is will be over, by how fast it went lately. Times are ms UTC. A time in which it
// was halted says nothing of how fast it is.
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
