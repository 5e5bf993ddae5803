// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

// Lines of results below a heading, which may name their step at the end: indented ones below "Result for ...:", and
// "  eval_loss = 0.5" below "***** Eval results *****".
class ResultBlock
{
public:
    using Lines = std::vector<std::pair<std::uint64_t, Record>>;

    // Whether the line, with the blanks before it and without them, belongs to the block that is open.
    bool goesOn(std::string_view text, std::string_view body, std::uint64_t line);
    bool begins(std::string_view text, std::string_view body); // with this line
    bool isOpen() const { return m_isOpen; }
    Lines close(); // each with its step

private:
    Lines m_lines;
    bool m_isOpen = false;
    bool m_isListOfResults = false; // it has lines such as "  eval_loss = 0.5"
};

} // namespace trainyard::metrics
