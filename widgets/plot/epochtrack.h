// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"
#include "engine/series/series.h"

#include <optional>

namespace trainyard
{

// When a training was in which epoch, from all its output about epochs. Programs count them from zero or from one, and
// print parts of them (`'epoch': 1.5`), only the batches within them, or only that one is over. Here a number counts
// the completed part: 2.5 is the middle of the third epoch, whatever the program calls it.
class EpochTrack
{
public:
    void add(const metrics::Point &point, std::int64_t time); // of an output
    // `inside`: how far inside of the epoch, in any unit that grows; nothing: this epoch is over.
    void add(double epoch, std::optional<double> inside, std::int64_t time);
    void clear();

    // x counts epochs, the times are the moments at which that was so. Between two points it goes evenly.
    const series::Series &places() const { return m_places; }
    bool hasWhole() const { return m_hasWhole; } // an epoch is over: before, nothing can be placed

private:
    void append(double place, std::int64_t time);

    series::Series m_places;
    bool m_hasParts = false; // the program itself prints parts of epochs
    bool m_hasWhole = false;
    std::optional<double> m_base; // the number of the first epoch
    std::optional<double> m_epoch; // the one that runs
    std::optional<double> m_over; // the last one that is over
    double m_first = 0, m_last = 0; // inside of it
    double m_length = 0; // of the epoch before; 0: not known
};

} // namespace trainyard
