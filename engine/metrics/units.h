// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/numbers.h"

#include <cstddef>
#include <optional>
#include <string_view>

// The units that numbers in outputs have.
namespace trainyard::metrics
{

std::optional<double> timeUnit(std::string_view word); // in seconds
bool isSizeUnit(std::string_view word);

// Takes the unit of the number that ends at `number.end` and began at `begin`, also behind a blank and in parentheses.
void takeUnit(std::string_view text, std::size_t begin, Number &number);

} // namespace trainyard::metrics
