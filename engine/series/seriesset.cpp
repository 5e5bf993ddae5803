// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/seriesset.h"

#include <utility>

namespace trainyard::series
{

namespace
{

class IntoSeries : public Reader::Sink
{
public:
    explicit IntoSeries(Series &series) : m_series(series) { }
    void take(std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        m_series.append(xs, times, values);
    }
    void takeVoid(double x) override { m_series.voidFrom(x); }

private:
    Series &m_series;
};

} // namespace

SeriesSet::SeriesSet(std::string path) : m_reader(std::move(path)) { }

Reader::Change SeriesSet::poll()
{
    Reader::Change change = m_reader.poll();
    if (change.isReset) {
        m_loaded.clear();
    }
    return change;
}

const Series &SeriesSet::series(std::uint32_t id)
{
    static const Series none;
    if (id >= infos().size()) {
        return none;
    }
    if (id >= m_loaded.size()) {
        m_loaded.resize(infos().size());
    }
    Loaded &loaded = m_loaded[id];
    if (!loaded.series) {
        loaded.series = std::make_unique<Series>(infos()[id].stepBack);
        loaded.series->reserve(m_reader.summary(id).count);
        loaded.place = {};
    }
    IntoSeries sink(*loaded.series);
    m_reader.load(id, sink, loaded.place);
    return *loaded.series;
}

void SeriesSet::forget(std::uint32_t id)
{
    if (id < m_loaded.size()) {
        m_loaded[id] = {};
    }
}

SeriesSet::Overview SeriesSet::overview(std::uint32_t id)
{
    const Reader::Summary summary = m_reader.summary(id);
    if (summary.isRising) {
        return {summary.count, summary.firstX, summary.lastX, summary.lastValue, summary.extent};
    }
    const Series &all = series(id);
    Overview overview;
    overview.count = all.size();
    if (const std::optional<Point> last = all.last()) {
        overview.firstX = all.at(0).x;
        overview.lastX = last->x;
        overview.lastValue = last->value;
        overview.extent = all.values().extent(0, all.size());
    }
    return overview;
}

} // namespace trainyard::series
