// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// Whether a line has a word that a metric, a step or a setting could be named by. Most lines of most outputs have none,
// and this is quick. A word more than needed costs time only.
bool hasKnownWord(std::string_view line);

} // namespace trainyard::metrics
