// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

// Names at the right of their column, each with its value behind it on a line of its own:
//        Mean noise std: 1.00
//           Mean reward: 20.50
// Programs print the figures of an iteration so, below its number. If one of them certainly is a metric, the others are
// figures as well; a record without a word for one waits for it.
class AlignedNames
{
public:
    using Lines = std::vector<std::pair<std::uint64_t, Record>>;

    // The next line, with the blanks before it. Returns the records that have waited in vain.
    Lines next(std::string_view line);
    bool isInside() const { return m_isInside; } // that line goes on with the lines above
    // Whether the record of that line waits, and is taken; if not, the records of take() come before it.
    bool waits(Record &record, std::uint64_t line);
    Lines take() { return std::exchange(m_held, {}); }

private:
    std::size_t m_column = 0; // of the colons; 0: there is no such name
    std::size_t m_indent = 0; // of the line above
    bool m_isInside = false;
    bool m_isRightAligned = false; // the names begin at different places
    bool m_hasMetric = false;
    Lines m_held;
};

} // namespace trainyard::metrics
