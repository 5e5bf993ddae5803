// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/reader.h"
#include "engine/series/thinning.h"

#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard
{

// More of one figure of what a task uses of its host (docs/metrics.md), by time.
struct GrownFigure {
    std::string name;
    bool isNew = false; // what was reported of it before is void
    std::vector<series::Bucket> buckets; // what is older than a day, thinned; all that there are, and only with `isNew`
    std::vector<series::Point> points; // after those
};

// Follows the figures of a task in the file beside its output (docs/series-format.md), which its agent rewrites now and
// then. For one thread.
class FigureReader
{
public:
    explicit FigureReader(const QString &logFolder);
    std::vector<std::string> poll(); // names of those of which there is more
    GrownFigure take(const std::string &name); // what has come since the last time

private:
    template <typename Take> void load(const std::string &name, series::Part part, const Take &take);
    void forget(const std::string &name, series::Part part); // that it was reported
    std::uint64_t bucketsOf(const std::string &name) const; // that are whole
    void loadBuckets(GrownFigure &figure);

    series::Reader m_reader;
    std::map<std::uint32_t, series::Reader::Place> m_places; // by id
    std::map<std::string, std::uint64_t> m_told; // how many buckets, by name
};

// Sums up all values that there ever were, as far as they were numbers.
struct FigureSummary {
    bool isEmpty = true;
    double last = 0, mean = 0, least = 0, greatest = 0;
};
FigureSummary summaryOf(const GrownFigure &figure);

} // namespace trainyard
