// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <string_view>

namespace trainyard::metrics
{

// Reads names with values and counts of steps from a line in words: "Epoch: [0][10/309]  Loss 6.79 (15.6)",
// "step:1/200 val_loss:6.93", "| iteration 10/ 500 | lm loss: 9.1E+00 |", "Epoch 0, val loss is 0.04". Adds to
// `record`.
void readText(std::string_view line, Record &record);

} // namespace trainyard::metrics
