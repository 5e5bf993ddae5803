// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <string>
#include <vector>

namespace trainyard::agent
{

// The GPUs that a cluster has given to a step, by the variables that it has in its environment (variablesOfStep()).
bool hasGpusInStep(const std::vector<std::string> &variables);
// Those of the GPUs that this node lists, with the numbers by which the cluster counts them on the node: where a step
// sees only its own, the driver counts them from 0, and two tasks of a node would both have "GPU 0".
std::vector<contract::Gpu> gpusOfStep(
    const std::vector<std::string> &variables, const std::vector<contract::Gpu> &listed);

// Their numbers, as far as the variables have them.
std::vector<int> gpuNumbersOfStep(const std::vector<std::string> &variables);

} // namespace trainyard::agent
