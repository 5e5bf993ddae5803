// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

// Reads the messages of srun and of Slurm's program on the node about a step in the runtime log of its try. They are
// all that is known of a step without a record of its end. Pure. Standard library only.
namespace trainyard::contract
{

struct SrunWords {
    bool isOverMemory = false; // the cluster ended it, as it used more memory than it had asked for
    std::int64_t usedMiB = 0, limitMiB = 0; // 0: it is not said
    // The reasons why there was no step but may be one later: the controller does not answer; another step holds the
    // memory of the allocation, such as one whose end a restarted controller has not seen; or the node does not answer,
    // which may also be a permanent firewall between the nodes.
    bool isControllerAway = false, isMemoryTaken = false, isNodeAway = false;
    friend bool operator==(const SrunWords &, const SrunWords &) = default;
};

// Whole lines are read. Other lines, from the helper and the steps of the job, are ignored.
SrunWords srunWords(std::string_view runtimeLog);

} // namespace trainyard::contract
