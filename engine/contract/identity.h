// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

// Standard library only: used by the agent, which has no Qt, and by the engine.
namespace trainyard::contract
{

// Identifies one process for good: pids are reused, so the boot and the start time are part of it. It is compared
// before any signal is sent.
struct ProcessIdentity {
    std::string bootId; // /proc/sys/kernel/random/boot_id
    std::int64_t pid = 0;
    std::uint64_t startTime = 0; // field 22 of /proc/PID/stat, clock ticks since boot
    friend bool operator==(const ProcessIdentity &, const ProcessIdentity &) = default;
};

std::string currentBootId();
// Returns nothing when there is no such process or it is a zombie.
std::optional<ProcessIdentity> identityOf(std::int64_t pid);
bool isAlive(const ProcessIdentity &identity);

} // namespace trainyard::contract
