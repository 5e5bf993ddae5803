// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::health
{

// Whether the metric of this name is one that training makes smaller: a loss, an error, a perplexity. Losses that rise
// and fall by design (in adversarial and reinforcement learning), and records ("best loss"), do not count.
bool isLoss(std::string_view name);

} // namespace trainyard::health
