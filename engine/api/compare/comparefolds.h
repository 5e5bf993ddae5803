// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"

namespace trainyard
{

// Groups the runs whose parameters and configuration differ only in a seed, or not at all, as those of a job that was
// run again. Each list has the positions of the runs of a group; the lists are in the order of their first runs, and
// each run is in one list.
QList<QList<qsizetype>> foldSeeds(const CompareTable &table, qsizetype runs);

// Several values as one.
struct CompareSpread {
    int n = 0; // finite values
    bool hasBroken = false; // one is not a number: the run has ended in NaN, and so does the mean
    double mean = 0, least = 0, most = 0;
    double deviation = 0; // of the sample: the root of the sum of squares over n - 1; 0 for one value,
                          // and where it is only what the rounding of the mean leaves
};
CompareSpread spreadOf(const QList<std::optional<double>> &values);

} // namespace trainyard
