// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/health/finding.h"
#include "engine/health/sample.h"

#include <string_view>
#include <vector>

namespace trainyard::health
{

// A loss that has not become smaller for the greater part of a run that is not short. The run is kept as at most 64
// means, so that the noise of single values neither makes nor hides a record.
class Plateau
{
public:
    void add(const Sample &sample);
    std::optional<Finding> finding(std::string_view metric) const;

private:
    struct Bucket {
        double sum = 0;
        std::int64_t count = 0;
        Sample first;
        std::int64_t until = 0;
        double mean() const { return sum / double(count); }
    };
    std::size_t bestOf(const std::vector<double> &means) const;

    std::vector<Bucket> m_buckets;
    std::int64_t m_size = 1; // values of a bucket
};

} // namespace trainyard::health
