// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace trainyard::metrics
{

// The size of what says whose line it is, directly before a count of steps: "rank 0" of "rank 0 epoch 1/5 loss 0.9",
// "fold-2,", "model A". 0: there is no such thing.
std::size_t ownerAt(std::string_view text);

// "epoch 3", "step=10", "Epoch [1/5]"
bool beginsWithStep(std::string_view text);

} // namespace trainyard::metrics
