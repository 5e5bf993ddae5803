// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/seriesset.h"
#include "engine/series/view.h"

#include <span>
#include <string_view>

namespace trainyard::series
{

// The view of a figure of which older points may be buckets: the extremes of a column are those of all points that
// there ever were, the first and the last value of buckets are their means. Indexes of such a column mean nothing, but
// its count does: the points and buckets that are there now.
View figureView(SeriesSet &set, std::string_view name, std::span<const double> edges);

} // namespace trainyard::series
