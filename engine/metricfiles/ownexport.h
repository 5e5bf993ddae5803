// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metricfiles
{

// Whether a file begins as what Trainyard exports itself: the table of a comparison, curves, or the values that
// `trainyardctl metrics` prints, as a table or as JSON. Such a file in a work folder repeats values of runs, and is not
// a file of metrics of a program.
bool isOwnExport(std::string_view head);

} // namespace trainyard::metricfiles
