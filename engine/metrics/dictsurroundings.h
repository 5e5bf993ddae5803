// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <string_view>

// What stands on the line of a dictionary, before and behind it.
namespace trainyard::metrics
{

// "step 10: {...}", "Epoch 3 - {...}": the step may stand before it, and values as well. Adds to `record`.
void addIntroduction(std::string_view before, Record &record);

// Around a dictionary of settings: "Trial 3 finished with value: 0.5 and parameters: {...}", and "Trial 3/20:
// params={...} -> AUC: 0.5", where the value stands behind it.
Record recordAround(std::string_view before, std::string_view behind);

// "{'" and the like: even if the dictionary cannot be read, the line is not a sentence.
bool looksLikeDict(std::string_view text, std::size_t brace);

} // namespace trainyard::metrics
