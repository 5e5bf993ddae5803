// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <optional>
#include <string_view>

namespace trainyard::metrics
{

// A line in which a search over models and their settings says what one of them reached:
// "C=0.1, kernel=rbf; score=0.634", where the results stand behind the settings, or
// "0.8753  = Validation score (accuracy)", where the value stands before its name. Nothing for any other line.
std::optional<Record> lineOfSearch(std::string_view text);

} // namespace trainyard::metrics
