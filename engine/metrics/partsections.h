// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// "train:" and "val:", each on a line of its own above lines that are indented further: which part of the data these
// are about.
class PartSections
{
public:
    // The part that the line is about; nothing for another line. `indent` is how many blanks stand before it.
    std::string_view take(std::size_t indent, std::string_view line);
    // A line in which nothing is known.
    void noteOther(std::string_view line);

private:
    std::string m_part;
    std::size_t m_indent = 0;
};

} // namespace trainyard::metrics
