// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::metrics
{

// "Validation Epoch 3" or "=== Validation ===" above lines that name no step: they are about that part of the data.
class EvaluationHeadings
{
public:
    // Before the line is judged: gives the values of a line below such a heading its part, and notes a heading.
    void take(std::string_view text, Record &record, std::uint64_t line);
    void mark(Record &record, std::uint64_t line) const;
    // Before anything else reads a line: one that is nothing but the name of a part, "=== Validation ===".
    void noteHeading(std::string_view text, std::uint64_t line);

private:
    std::string m_part;
    std::uint64_t m_line = 0;
    std::uint64_t m_headingLine = 0; // of a heading that names no step
};

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
