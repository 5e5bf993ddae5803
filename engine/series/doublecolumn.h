// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard::series
{

// A column of doubles, stored without loss. They are converted to whole numbers in the way that needs the fewest bytes:
// as the digits of a decimal fraction (what a program has printed), as the place among all floats (what a
// framework has computed), or as the place among all doubles. Values that do not fit, such as NaN, are stored
// separately.
void encodeDoubles(std::span<const double> values, std::string &out);

bool decodeDoubles(Bytes &in, std::size_t count, std::vector<double> &values);

// The rank of a number among all of its type: as a < b, so are their ranks.
std::int64_t placeOf(double value);
double doubleAt(std::int64_t place);

} // namespace trainyard::series
