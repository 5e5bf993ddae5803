// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/figurereader.h"

#include "engine/client/taskfigures.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <functional>

namespace trainyard
{
namespace
{

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

FigureReader::FigureReader(const QString &logFolder) : m_reader(QFile::encodeName(figuresFile(logFolder)).toStdString())
{
}

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

template <typename Take> void FigureReader::load(const std::string &name, series::Part part, const Take &take)
{
    if (const auto id = m_reader.find(name, part)) {
        FigurePoints sink(take);
        m_reader.load(*id, sink, m_places[*id]);
    }
}

GrownFigure FigureReader::take(const std::string &name)
{
    GrownFigure figure;
    figure.name = name;
    figure.isNew = m_told.insert(name).second;
    load(name, series::Part::Mean, [&figure](const series::Point &point) {
        figure.buckets.push_back({point.time, point.value, point.value, point.value, 1});
    });
    const auto fill = [&](series::Part part, const auto &set) {
        std::size_t i = 0;
        load(name, part, [&](const series::Point &point) {
            if (i < figure.buckets.size()) {
                set(figure.buckets[i++], point.value);
            }
        });
    };
    fill(series::Part::Min, [](series::Bucket &bucket, double value) { bucket.min = value; });
    fill(series::Part::Max, [](series::Bucket &bucket, double value) { bucket.max = value; });
    fill(series::Part::Count,
        [](series::Bucket &bucket, double value) { bucket.count = value > 0 ? std::uint64_t(value) : 0; });
    load(name, series::Part::Value, [&figure](const series::Point &point) { figure.points.push_back(point); });
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
