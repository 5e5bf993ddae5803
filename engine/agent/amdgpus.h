// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <vector>

namespace trainyard::agent
{

std::vector<contract::Gpu> amdGpus(); // by sysfs

} // namespace trainyard::agent
