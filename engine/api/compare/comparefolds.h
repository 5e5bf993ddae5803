// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/compare/comparefacts.h"

namespace trainyard
{

// Runs that differ in nothing of their parameters and configuration but a seed, as lists of their positions; also those
// that do not differ at all, such as a job that was run again. In the order of their first runs; each run is in one.
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
