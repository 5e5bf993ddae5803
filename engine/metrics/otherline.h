// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// Whether a line has numbers beside the names of metrics and yet tells no metric: settings as Python prints or writes
// them, what a tracker sums up, and what compilers and Python complain of.
bool isOtherLine(std::string_view text);

} // namespace trainyard::metrics
