// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/figurereader.h"

#include "engine/client/pathbytes.h"
#include "engine/client/taskfigures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace trainyard
{
namespace
{

constexpr std::array partsOfBuckets{series::Part::Mean, series::Part::Min, series::Part::Max, series::Part::Count};

class FigurePoints : public series::Reader::Sink
{
public:
    explicit FigurePoints(std::function<void(const series::Point &)> take) : m_take(std::move(take)) { }
    void take(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        for (std::size_t i = 0; i < xs.size(); ++i) {
            m_take({xs[i], times[i], values[i]});
        }
    }
    void takeVoid(double) override { } // a clock that was set back makes nothing void

private:
    std::function<void(const series::Point &)> m_take;
};

} // namespace

FigureReader::FigureReader(const QString &logFolder) : m_reader(pathBytes(figuresFile(logFolder))) { }

std::vector<std::string> FigureReader::poll()
{
    const series::Reader::Change change = m_reader.poll();
    if (change.isReset) {
        m_places.clear();
        m_told.clear();
    }
    std::vector<std::string> names;
    for (const std::uint32_t id : change.grown) {
        const std::string &name = m_reader.infos()[id].name;
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    }
    return names;
}

void FigureReader::forget(const std::string &name, series::Part part)
{
    if (const auto id = m_reader.find(name, part)) {
        m_places.erase(*id);
    }
}

template <typename Take> void FigureReader::load(const std::string &name, series::Part part, const Take &take)
{
    if (const auto id = m_reader.find(name, part)) {
        FigurePoints sink(take);
        m_reader.load(*id, sink, m_places[*id]);
    }
}

// While a file is copied for the first time, its parts come one after the other.
std::uint64_t FigureReader::bucketsOf(const std::string &name) const
{
    std::uint64_t whole = UINT64_MAX;
    for (const series::Part part : partsOfBuckets) {
        const auto id = m_reader.find(name, part);
        whole = std::min(whole, id ? m_reader.summary(*id).count : 0);
    }
    return whole;
}

void FigureReader::loadBuckets(GrownFigure &figure)
{
    using series::Bucket;
    std::size_t whole = SIZE_MAX;
    const auto fill = [&](series::Part part, const auto &set) {
        std::size_t i = 0;
        load(figure.name, part, [&](const series::Point &point) {
            if (i == figure.buckets.size() && part == series::Part::Mean) {
                figure.buckets.emplace_back();
            }
            if (i < figure.buckets.size()) {
                set(figure.buckets[i++], point);
            }
        });
        whole = std::min(whole, i);
    };
    fill(series::Part::Mean, [](Bucket &bucket, const series::Point &point) {
        bucket.time = point.time;
        bucket.mean = point.value;
    });
    fill(series::Part::Min, [](Bucket &bucket, const series::Point &point) { bucket.min = point.value; });
    fill(series::Part::Max, [](Bucket &bucket, const series::Point &point) { bucket.max = point.value; });
    fill(series::Part::Count, [](Bucket &bucket, const series::Point &point) {
        bucket.count = point.value > 0 ? std::uint64_t(point.value) : 0;
    });
    figure.buckets.resize(whole);
}

GrownFigure FigureReader::take(const std::string &name)
{
    GrownFigure figure;
    figure.name = name;
    const std::uint64_t buckets = bucketsOf(name);
    const auto [told, isFirst] = m_told.try_emplace(name, buckets);
    figure.isNew = isFirst || told->second != buckets;
    if (figure.isNew) {
        told->second = buckets;
        for (const series::Part part : partsOfBuckets) {
            forget(name, part);
        }
        forget(name, series::Part::Value); // they come after the buckets
        loadBuckets(figure);
    }
    load(name, series::Part::Value, [&figure](const series::Point &point) { figure.points.push_back(point); });
    if (m_reader.hasMissed()) {
        m_told.erase(name); // all of it, when it can be read
    }
    return figure;
}

FigureSummary summaryOf(const GrownFigure &figure)
{
    FigureSummary summary;
    double count = 0;
    const auto add = [&](double mean, double least, double greatest, double weight) {
        if (!std::isfinite(mean) || weight <= 0) {
            return;
        }
        summary.least = summary.isEmpty ? least : std::min(summary.least, least);
        summary.greatest = summary.isEmpty ? greatest : std::max(summary.greatest, greatest);
        summary.isEmpty = false;
        count += weight;
        summary.mean += (mean - summary.mean) * (weight / count);
        summary.last = mean;
    };
    for (const series::Bucket &bucket : figure.buckets) {
        add(bucket.mean, bucket.min, bucket.max, double(bucket.count));
    }
    for (const series::Point &point : figure.points) {
        add(point.value, point.value, point.value, 1);
    }
    return summary;
}

} // namespace trainyard
