// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/view.h"

#include <vector>

namespace trainyard::series
{

// The smoothed curve as TensorBoard draws it: over the points in the order of x, for each finite value v,
//     s = w s + (1 - w) v,  starting at 0,   and what is drawn is   s / (1 - w^n)   after the n-th finite value,
// so that the first values do not pull towards zero. A value that is not finite is drawn as it is and changes nothing.
//
// A view shows this curve at the last point of each column. Each of those is what a walk over all points of the series
// gives, to within 1e-12 of the largest value: weights fall so fast that only some hundreds of points before it matter
// (36 for w = 0.5, 2,750 for w = 0.99), and no others are touched.
struct Smoothed {
    double x = 0, value = 0;
};

// `weight` is from 0 (the curve itself) up to, and without, 1.
std::vector<Smoothed> smoothedView(const Series &series, const View &view, double weight);

} // namespace trainyard::series
