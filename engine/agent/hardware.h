// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>

namespace trainyard::agent
{

// Figures of the host other than those of its GPUs.
void fillHost(contract::Inventory &inventory);
void readMemory(std::int64_t &totalMiB, std::int64_t &usedMiB);
std::int64_t hostMemoryMiB(); // all of it
// The use of all cores since the last call, in percent; -1 at the first call.
class CpuMeter
{
public:
    double percent();

private:
    std::uint64_t m_busy = 0, m_all = 0;
};

} // namespace trainyard::agent
