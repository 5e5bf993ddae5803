// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/numbers.h"

#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// One of the values in "ReconstructionError: train=0.5, val=0.25": the name before the colon is that of each.
struct PartValue {
    std::string_view name;
    std::string_view part;
    Number number;
};

// The values of a line that has nothing but one name and the numbers of parts of the data; empty for any other line.
std::vector<PartValue> partValuesOf(std::string_view line);

// "train=0.5, val=0.25", as the values of that name; empty where anything else stands in the text.
std::vector<PartValue> partValuesIn(std::string_view name, std::string_view text);

// Behind the number or "nan" at `begin`; `begin` where there is none.
std::size_t endOfValue(std::string_view text, std::size_t begin, Number *number = nullptr);

} // namespace trainyard::metrics
