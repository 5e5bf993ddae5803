// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <string_view>

namespace trainyard::metrics
{

enum class DictRead {
    None, // no dictionary begins there
    Open, // it continues in the next line
    Whole
};

// Reads a Python dictionary or a JSON object that begins at `begin`: numbers, also in quotes, NaN and Infinity,
// tensor(0.3) and the like. The keys of nested ones are joined by '/'. `end` is behind it; `record` is changed only
// when all of it could be read.
DictRead readDict(std::string_view text, std::size_t begin, Record &record, std::size_t &end);

} // namespace trainyard::metrics
