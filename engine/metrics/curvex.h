// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/point.h"

namespace trainyard::metrics
{

// Where the values of one series stand on the axis of steps. Output says the step in many ways: the number of the step
// itself, a batch that counts inside its epoch, only an epoch, or nothing at all, where the values are counted. A value
// of a whole epoch behind values of its steps stands at the last of them.
class CurveX
{
public:
    double next(const Point &point);

private:
    void note(double batch);

    double m_epochs = 0; // batches of the epochs that are over
    double m_batch = -1; // the last one
    std::optional<double> m_epoch; // that it is in
    bool m_isAtEnd = false; // the last batch is that of the epoch, as the output says
    double m_stride = 1; // from one that is told of to the next one
    double m_count = 0;
    std::optional<double> m_last; // that something smaller than an epoch has named
};

} // namespace trainyard::metrics
