// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace trainyard::series
{

// Appends to a file of series; the only one that does. Points are kept until flush(), which gives those of all series
// to the kernel in one piece: call it when others should see them, each second or so, and not for each point. A process
// that is killed loses what was not flushed, a host that loses its power what was not synced.
class Writer
{
public:
    // Makes the file when it is not there. What is not whole at the end of it is taken back.
    static std::unique_ptr<Writer> open(const std::string &path, Error &error);
    ~Writer(); // flushes

    // The id of the series of this name and part, which is created if there is none. Nothing if there are too many, or
    // if the name is longer than `longestName`.
    std::optional<std::uint32_t> define(const Info &info);
    const std::vector<Info> &infos() const { return m_infos; }

    // Points whose x is not finite are left out.
    void append(std::uint32_t id, const Point &point);
    void append(std::uint32_t id, std::span<const double> xs, std::span<const std::int64_t> times,
        std::span<const double> values);
    // The program itself says that it goes back to x. A step back of a series with StepBack::Voids needs no such call.
    void voidFrom(std::uint32_t id, double x);

    std::size_t pendingPoints() const { return m_pendingPoints; }
    Error flush(); // after an error all is still there for the next time, and the file is as it was
    Error sync(); // onto the disk
    // Whether something is still there for the next time. A caller that can get its points again waits with more of
    // them.
    bool isWaiting() const { return !m_out.empty(); }

    const std::string &path() const { return m_path; }
    Cursor cursor() const { return {m_generation, m_end}; }
    // Whether many small blocks, since the file was rewritten last, would become much smaller if they were written
    // together.
    bool isWorthRewriting() const;
    // When the oldest point was made that rewriting with rules may thin: ms UTC.
    std::optional<std::int64_t> oldestToThin() const { return m_oldestToThin; }

private:
    friend class Rewriting;
    Writer() = default;
    static std::unique_ptr<Writer> openFile(const std::string &path, bool isFresh, Error &error);
    Error begin();
    Error readOn();
    void encode(std::size_t least); // runs of at least so many points
    Error write();
    void noteToThin(std::uint32_t id, std::int64_t time);

    std::string m_path;
    File m_file;
    std::uint64_t m_generation = 0, m_end = 0;
    std::uint64_t m_smallBytes = 0;
    std::uint64_t m_smallKept = 0; // of them: rewriting has made nothing larger of these
    Origin m_origin; // as in Reader
    std::optional<std::int64_t> m_oldestToThin;
    std::vector<Info> m_infos;
    std::unordered_map<std::string, std::uint32_t> m_ids;
    std::size_t m_namesWritten = 0;
    std::vector<Run> m_pending; // by id
    std::size_t m_pendingPoints = 0;
    std::string m_out; // encoded, and not written yet
};

} // namespace trainyard::series
