// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/reader.h"

#include <string>
#include <string_view>

namespace trainyard::series
{

// What is in the reader's file behind the cursor, as the bytes to send: at most `most` of the file and a short head.
// A cursor of another generation gets the file from its beginning. Nothing when there is nothing
// new.
std::string deltaFrom(const Reader &reader, const Cursor &cursor, std::size_t most = 256 * 1024);

// The copy of a file of series that grows elsewhere. It holds the same bytes, so what it has is the cursor, also after
// a restart; a delta that comes twice changes nothing, and one that comes too early is refused. A file that was
// rewritten is collected beside the old one and takes its place when it is whole.
class Replica
{
public:
    explicit Replica(std::string path);

    Error open(); // locks the file
    Cursor cursor() const { return m_isCollecting ? m_next : m_have; } // where the next delta has to begin
    Error apply(std::string_view delta);

private:
    Error begin(std::uint64_t generation);
    Error finish();

    std::string m_path;
    File m_file, m_nextFile;
    Cursor m_have, m_next;
    bool m_isCollecting = false;
};

} // namespace trainyard::series
