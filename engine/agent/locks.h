// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Where all users of the host lock GPUs.
std::string gpuLockFolder(const std::string &wanted);
struct GpuLock {
    std::string name;
    std::int64_t shareMiB = 0; // 0: exclusive; else this much, beside others that share it ...
    std::int64_t totalMiB = 0; // ... of so much; 0: not known, and then it is exclusive too
};
// Takes all locks or none; the descriptors hold them. The name of the busy one, or empty; `error` is errno when a lock
// could not even be tried. What is shared is taken MiB by MiB: engines of several users cannot promise it twice.
// Who looks at an exclusive one reads `holder` in it.
std::string takeGpuLocks(const std::string &folder, std::vector<GpuLock> wanted, std::vector<int> &held, int &error,
    const std::string &holder = {});

// Who has the lock of a GPU now, without taking it.
struct GpuLockState {
    std::string by; // plain text; "?" when nobody knows; empty: nobody has it for himself
    std::int64_t sharedMiB = 0;
};
GpuLockState lookAtGpuLock(const std::string &folder, const GpuLock &lock);

// Can a server bind this port right now, on all addresses?
bool isPortFree(int port);
struct PortRange {
    int first = 0, last = 0;
};
PortRange ephemeralPorts();
std::vector<int> drawPorts(int count, int first, int last, const std::vector<int> &exclude);

} // namespace trainyard::agent
