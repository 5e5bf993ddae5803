// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// Whether a line has a word that a metric, a step or a setting could be named by. Most lines of most outputs have none,
// and this is quick. A word more than needed costs time only.
bool hasKnownWord(std::string_view line);

bool mayBeNotFinite(std::string_view text); // "nan", "inf"

// "0: Loading data": the number is the rank of a launcher, in the lines with metrics, too.
bool hasRankInFront(std::string_view text);

// Whether it is worth while to look closer at a line.
bool mayMatter(std::string_view text);

} // namespace trainyard::metrics
