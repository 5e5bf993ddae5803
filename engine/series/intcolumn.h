// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard::series
{

// A column of whole numbers: as they are, as differences, or as differences of differences, whichever is smallest;
// and what is left of them as varints, or in the least number of bits that 64 of them need above the smallest.
void encodeInts(std::span<const std::int64_t> values, std::string &out);

// Exactly `count` of them; false when the bytes are not such a column.
bool decodeInts(Bytes &in, std::size_t count, std::vector<std::int64_t> &values);

} // namespace trainyard::series
