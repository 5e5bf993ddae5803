// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/bars.h"

namespace trainyard::metrics
{

// Bars that are written as text, or say their share before their counts.
std::optional<Bar> barOfLog(std::string_view line);

} // namespace trainyard::metrics
