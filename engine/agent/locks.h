// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::agent
{

// The folder in which all users of the host lock GPUs.
std::string gpuLockFolder(const std::string &wanted);
struct GpuLock {
    std::string name;
    std::int64_t shareMiB = 0; // 0: exclusive; else this much, beside others that share it ...
    std::int64_t totalMiB = 0; // ... of so much; 0: not known, and then it is exclusive too
};
// Takes all locks or none; the descriptors hold them. Returns the name of the busy one, or nothing; `error` is errno
// when a lock could not even be tried. Memory of a shared GPU is locked MiB by MiB, so that engines of several users
// cannot promise it twice. `holder` is written into an exclusive lock, for others to read.
std::string takeGpuLocks(const std::string &folder, std::vector<GpuLock> wanted, std::vector<int> &held, int &error,
    const std::string &holder = {});

// The holder of the lock of a GPU, found without taking it.
struct GpuLockState {
    std::string by; // plain text; "?" when it is not known; empty: not locked exclusively
    std::int64_t sharedMiB = 0;
};
GpuLockState lookAtGpuLock(const std::string &folder, const GpuLock &lock);

// Whether a server could bind this port now, on all addresses.
bool isPortFree(int port);
struct PortRange {
    int first = 0, last = 0;
};
PortRange ephemeralPorts();
std::vector<int> drawPorts(int count, int first, int last, const std::vector<int> &exclude);

} // namespace trainyard::agent
