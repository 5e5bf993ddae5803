// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/output.h"
#include "engine/metricfiles/source.h"

#include <cstddef>
#include <string_view>

namespace trainyard::metricfiles
{

// The lines of a file behind the position of its source. Lines of more than a mebibyte are passed over.
class Lines
{
public:
    static constexpr std::size_t longest = 1U << 20;

    // In tables, a line feed inside of a quoted cell does not end a line.
    explicit Lines(bool hasQuotedCells) : m_hasQuotedCells(hasQuotedCells) { }

    enum class Found {
        Line, // `line` is without its end; it is consumed
        Skipped, // some of a long line was passed over
        End,
        Cut // what follows has no line feed yet: `line` is what there is, and nothing is consumed
    };
    Found next(Source &source, Output &output, std::string_view &line);

private:
    std::size_t endOf(std::string_view text) const;

    bool m_hasQuotedCells;
    bool m_isInLongLine = false;
};

} // namespace trainyard::metricfiles
