// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/figureview.h"

namespace trainyard::series
{

namespace
{

View partView(SeriesSet &set, std::string_view name, Part part, std::span<const double> edges)
{
    const auto id = set.find(name, part);
    return id ? viewOf(set.series(*id), edges) : viewOf(Series(), edges);
}

// Buckets are older than points.
Column joined(const Column &buckets, const Column &points)
{
    if (buckets.count() == 0) {
        return points;
    }
    Column both = buckets;
    if (points.count() > 0) {
        both.lastX = points.lastX;
        both.last = points.last;
        both.extent.add(points.extent);
    }
    both.from = 0;
    both.to = buckets.count() + points.count();
    return both;
}

} // namespace

View figureView(SeriesSet &set, std::string_view name, std::span<const double> edges)
{
    View view = partView(set, name, Part::Value, edges);
    const View means = partView(set, name, Part::Mean, edges);
    const View least = partView(set, name, Part::Min, edges), most = partView(set, name, Part::Max, edges);
    for (std::size_t i = 0; i < view.columns.size(); ++i) {
        Column buckets = means.columns[i];
        buckets.extent.add(least.columns[i].extent);
        buckets.extent.add(most.columns[i].extent);
        view.columns[i] = joined(buckets, view.columns[i]);
    }
    view.before = view.before ? view.before : means.before;
    view.after = means.after ? means.after : view.after;
    return view;
}

} // namespace trainyard::series
