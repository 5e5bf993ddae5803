// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/note.h"
#include "engine/metricfiles/point.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace trainyard::metricfiles
{

// The output of the readers of the formats: numbers the series, limits them, and reports each remark once.
class Output
{
public:
    void begin(Sink &sink) { m_sink = &sink; }
    // The remarks since begin().
    void end(Report &report);

    // Nothing if there are too many, or if the name is too long; a remark says so.
    std::optional<std::uint32_t> series(std::string_view name, std::uint64_t offset, SeriesKind kind = {});
    void point(const Point &point) { m_sink->addPoint(point); }
    void voidFrom(double step) { m_sink->voidFrom(step); }
    void fact(std::string_view name, std::string_view value);
    void note(std::string_view code, std::uint64_t offset, std::string_view text = {});
    void startOver();

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    Sink *m_sink = nullptr;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_series;
    std::size_t m_nameBytes = 0;
    std::size_t m_factBytes = 0;
    std::vector<Note> m_notes, m_said;
    std::uint64_t m_leftOut = 0;
};

} // namespace trainyard::metricfiles
