// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Long logs go to the disk while they grow. Standard library only.
namespace trainyard::contract
{

// What a file grows by before its bytes are sent to the disk. Shorter files are left to the kernel.
constexpr std::uint64_t writeOutBytes = 16 << 20;

struct WriteOut {
    std::uint64_t offset = 0, length = 0; // length 0: nothing yet
};
// The whole spans that became full when a file grew from `before` bytes to `after`.
constexpr WriteOut dueWriteOut(std::uint64_t before, std::uint64_t after)
{
    const std::uint64_t first = before / writeOutBytes, end = after / writeOutBytes;
    return end > first ? WriteOut{first * writeOutBytes, (end - first) * writeOutBytes} : WriteOut{};
}

// Lets the disk begin with them, and does not wait for it. Without that, the kernel collects a tenth of the memory
// first; a log that comes faster then stops at the disk all at once, and whoever waits for the disk meanwhile (the
// record of a task's end, the database of the engine) waits for all of it.
void beginWriteOut(int fd, std::uint64_t before, std::uint64_t after);

} // namespace trainyard::contract
