// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/health/plateau.h"

#include "engine/health/statistics.h"

#include <algorithm>
#include <cmath>

namespace trainyard::health
{
namespace
{

constexpr std::size_t mostBuckets = 64;
constexpr std::size_t fewestBuckets = 32;
constexpr double longShare = 0.6; // of the run, by its values
constexpr std::int64_t shortestPlateauMs = 30 * 60'000;
constexpr double leastGain = 0.002; // of the value: less is not an improvement
constexpr double noiseShare = 2; // times the usual difference between neighbours: so is this

} // namespace

void Plateau::add(const Sample &sample)
{
    if (!std::isfinite(sample.value)) {
        return;
    }
    // Continued from an earlier state: what came after that is void.
    while (!sample.isBatch && sample.step && !m_buckets.empty() && m_buckets.back().first.step
        && *m_buckets.back().first.step > *sample.step) {
        m_buckets.pop_back();
    }
    if (m_buckets.empty() || m_buckets.back().count >= m_size) {
        if (m_buckets.size() >= mostBuckets) {
            for (std::size_t i = 0; i < mostBuckets / 2; ++i) {
                const Bucket &other = m_buckets[2 * i + 1];
                Bucket both = m_buckets[2 * i];
                both.sum += other.sum;
                both.count += other.count;
                both.until = other.until;
                m_buckets[i] = both;
            }
            m_buckets.resize(mostBuckets / 2);
            m_size *= 2;
        }
        m_buckets.push_back({0, 0, sample, sample.at});
    }
    Bucket &bucket = m_buckets.back();
    bucket.sum += sample.value;
    ++bucket.count;
    bucket.until = sample.at;
}

std::size_t Plateau::bestOf(const std::vector<double> &means) const
{
    std::vector<double> steps;
    for (std::size_t i = means.size() / 2; i < means.size(); ++i) {
        steps.push_back(std::abs(means[i] - means[i - 1]));
    }
    const double noise = median(std::move(steps));
    const auto smooth = [&means](std::size_t i) {
        const std::size_t from = i > 0 ? i - 1 : 0, to = std::min(i + 1, means.size() - 1);
        double sum = 0;
        for (std::size_t k = from; k <= to; ++k) {
            sum += means[k];
        }
        return sum / double(to - from + 1);
    };
    std::size_t best = 0;
    double least = smooth(0);
    for (std::size_t i = 1; i < means.size(); ++i) {
        if (const double here = smooth(i); here < least - std::max(leastGain * std::abs(least), noiseShare * noise)) {
            least = here;
            best = i;
        }
    }
    return best;
}

std::optional<Finding> Plateau::finding(std::string_view metric) const
{
    // The newest one is not full yet.
    const std::size_t count = m_buckets.empty() ? 0 : m_buckets.size() - (m_buckets.back().count < m_size ? 1 : 0);
    if (count < fewestBuckets) {
        return std::nullopt;
    }
    std::vector<double> means;
    for (std::size_t i = 0; i < count; ++i) {
        means.push_back(m_buckets[i].mean());
    }
    const std::size_t best = bestOf(means);
    const Bucket &since = m_buckets[best];
    const double share = double(count - 1 - best) / double(count);
    if (share < longShare || m_buckets[count - 1].until - since.until < shortestPlateauMs) {
        return std::nullopt;
    }
    Finding found;
    found.code = "health.plateau";
    found.subject = found.metric = metric;
    found.at = since.until;
    found.step = since.first.step;
    found.line = since.first.line;
    found.args = {{"best", means[best]}};
    return found;
}

} // namespace trainyard::health
