// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whyfailed.h"

namespace trainyard::core
{

// What the output says of the memory, together with what was measured. What was killed without a word about the memory
// was killed for it only if it is known to have been near a limit, and what was refused memory far from any was not
// refused it for that limit.
void considerMemory(FailureFacts &facts, const UsedMemory &memory);

} // namespace trainyard::core
