// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

// What srun and Slurm's program on the node say of a step, in the runtime log of its try: it is all that is known of a
// step that has no record of its end. Pure. Standard library only.
namespace trainyard::contract
{

struct SrunWords {
    bool isOverMemory = false; // the cluster ended it, as it used more memory than it had asked for
    std::int64_t usedMiB = 0, limitMiB = 0; // 0: it is not said
    // Why there was no step, and may be one later: the controller does not answer; the memory of the allocation is held
    // by another step, such as one that a controller which was started again has not seen end; or the node does not
    // answer, which may also be a wall between the nodes that stays.
    bool isControllerAway = false, isMemoryTaken = false, isNodeAway = false;
    friend bool operator==(const SrunWords &, const SrunWords &) = default;
};

// Of whole lines. What the helper and steps of the job have written beside them says nothing here.
SrunWords srunWords(std::string_view runtimeLog);

} // namespace trainyard::contract
