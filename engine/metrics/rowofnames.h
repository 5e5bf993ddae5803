// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::metrics
{

// "iter 10 act 5.1 pre 4.2 f 69.1": a step, and then nothing but words with a number behind each, which need no sign.
bool isRowOfNames(std::string_view line);

} // namespace trainyard::metrics
