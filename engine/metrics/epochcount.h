// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace trainyard::metrics
{

// How much of a training is done by lines such as "epoch 2/5 step 21": while several lines of one epoch come, the ones
// before it are done and the part of it that can be told by the length of an earlier one. A line that comes once an
// epoch is about one that has ended.
class EpochCount
{
public:
    // `inside`: what the line counts that is smaller than an epoch. Nothing where it does not say how much is done.
    std::optional<double> note(double epoch, double total, std::optional<double> inside);
    bool isInside(double epoch) const { return m_epoch == epoch; } // lines from inside of it have come

private:
    void begin(double epoch, double inside);

    std::optional<double> m_epoch; // that the lines are inside of
    double m_first = 0, m_last = 0; // what they counted
    int m_lines = 0;
    double m_length = 0; // of an earlier epoch; 0: not known
    double m_base = 1; // the number of the first epoch
    bool m_countsOn = false; // from epoch to epoch
    bool m_isOncePerEpoch = false, m_hasParts = false;
    bool m_isEnded = false; // a line about the whole epoch has come
    bool m_endsAreNone = false; // such lines come between the others
};

} // namespace trainyard::metrics
