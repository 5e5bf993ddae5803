// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/reader.h"
#include "engine/series/series.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::series
{

// The series of a file, as far as they were asked for: what the daemon answers from and the window draws.
// A series is decoded when it is first asked for, and after that only what came with the polls.
class SeriesSet
{
public:
    explicit SeriesSet(std::string path);

    // After a reset all references to series are gone.
    Reader::Change poll();

    const Reader &reader() const { return m_reader; }
    const std::vector<Info> &infos() const { return m_reader.infos(); }
    std::optional<std::uint32_t> find(std::string_view name, Part part = Part::Value) const
    {
        return m_reader.find(name, part);
    }

    // The series as of the last poll. The reference holds until a poll says reset, or forget().
    const Series &series(std::uint32_t id);
    bool isLoaded(std::uint32_t id) const { return id < m_loaded.size() && m_loaded[id].series; }
    void forget(std::uint32_t id); // gives its memory back

    // For a list of many series, without decoding those that do not need it.
    struct Overview {
        std::uint64_t count = 0; // without void points
        double firstX = 0, lastX = 0, lastValue = 0;
        Extent extent;
    };
    Overview overview(std::uint32_t id);

private:
    struct Loaded {
        std::unique_ptr<Series> series;
        Reader::Place place;
    };

    Reader m_reader;
    std::vector<Loaded> m_loaded; // by id
};

} // namespace trainyard::series
