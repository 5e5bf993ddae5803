// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/sweep/sweepaxis.h"

namespace trainyard
{

enum class SweepKind {
    Grid, // each value with each other one; the last parameter changes fastest
    Zip, // the first values of all, then the second ones; one with a single value keeps it
    Random // drawn, none twice
};

struct SweepPlan {
    SweepKind kind = SweepKind::Grid;
    int count = 0; // of Random
    quint64 seed = 0; // of Random: the same seed and the same parameters draw the same values, on any machine
    QList<SweepAxis> axes;
};

// The values of one job, in the order of the axes.
using SweepPoint = QList<Value>;

// All of a sweep. Codes: sweep.no-parameters, sweep.too-many {jobs, most}, sweep.no-count {name} (a range without a
// count, of which values can only be drawn), sweep.zip-lengths {name, count, other, otherCount}, sweep.same-values
// {values}, sweep.random-count {most}, sweep.random-too-many {wanted, possible}.
Result<QList<SweepPoint>> sweepPoints(const SweepPlan &plan);

} // namespace trainyard
