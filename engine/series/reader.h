// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/block.h"
#include "engine/series/file.h"
#include "engine/series/payload.h"
#include "engine/series/series.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace trainyard::series
{

// A reader's progress in a file: everything before the offset was read. The default is the beginning.
struct Cursor {
    std::uint64_t generation = 0;
    std::uint64_t offset = 0;
    friend bool operator==(const Cursor &, const Cursor &) = default;
};

// Follows a file of series that grows. A poll reads and checks the new part, but decodes only runs of a few points;
// larger ones stay on the disk until load() needs them. Whatever the bytes are, it reads the valid ones. Large because
// the file may grow, be rewritten, or be damaged between two reads, and each of them is a case.
class Reader
{
public:
    explicit Reader(std::string path);

    struct Change {
        Error error; // a file that is not there is System with ENOENT, and may come
        bool isReset = false; // the file was rewritten: what was loaded before is void
        std::vector<std::uint32_t> grown; // ascending; with new points, or void ones
    };
    Change poll();
    void pause() { m_file.close(); } // gives the file back until the next poll()

    const std::vector<Info> &infos() const { return m_infos; } // by id; one without a name was lost
    std::optional<std::uint32_t> find(std::string_view name, Part part = Part::Value) const;
    Cursor cursor() const { return m_cursor; }
    std::uint64_t damaged() const { return m_damaged; } // bytes that were passed over
    std::uint64_t smallBytes() const { return m_smallBytes; } // in blocks that it would pay to write together
    Origin origin() const { return m_origin; } // of a file that was rewritten, else zero

    // The file's summary of a series without decoding it, void points included. `isRising` is false where some may be
    // void.
    struct Summary {
        std::uint64_t count = 0;
        bool isRising = true;
        double firstX = 0, lastX = 0, lastValue = 0;
        Extent extent;
    };
    Summary summary(std::uint32_t id) const;

    // How much of one series a reader has taken.
    struct Place {
        std::size_t event = 0, row = 0;
    };
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual void take(
            std::span<const double> xs, std::span<const std::int64_t> times, std::span<const double> values)
            = 0;
        virtual void takeVoid(double x) = 0;
    };
    // Gives what is after the position, in the order in which it came, and moves the position. A run that is damaged is
    // left out. Before one that the disk does not give now, it ends: another computer may have rewritten the file, or a
    // file server is away. The next poll() opens the file again, and says that the series has grown. False when all has
    // been given; `most` limits the runs of one call.
    bool load(std::uint32_t id, Sink &sink, Place &place, std::size_t most = SIZE_MAX) const;

    bool hasMissed() const { return !m_missed.empty(); } // load() has met a run that could not be read

private:
    struct OnDisk {
        std::uint64_t payloadAt = 0;
        StoredRun run;
    };
    struct VoidMark {
        double x = 0;
    };
    using Event = std::variant<Run, OnDisk, VoidMark>;
    struct Known {
        std::vector<Event> events; // one that is a run may grow while it is the last
        bool hasGrown = false;
        Summary summary;
    };

    Error ensureOpen(Change &change);
    void reset();
    void take(const Block &block, std::uint64_t at, Change &change);
    void takeNames(std::string_view payload);
    void takePoints(std::string_view payload, std::uint64_t at, Change &change);
    Known &known(std::uint32_t id);
    static void addLoose(Known &series, Run &&run);
    void note(std::uint32_t id, Change &change);

    std::string m_path;
    File m_file;
    Cursor m_cursor;
    std::uint64_t m_damaged = 0, m_smallBytes = 0;
    Origin m_origin;
    std::vector<Info> m_infos;
    std::unordered_map<std::string, std::uint32_t> m_ids; // by part and name
    std::vector<Known> m_known; // by id
    mutable std::set<std::uint32_t> m_missed; // series with runs that could not be read
};

} // namespace trainyard::series
