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
std::string takeGpuLocks(const std::string &folder, std::vector<GpuLock> wanted, std::vector<int> &held, int &error);

// Can a server bind this port right now, on all addresses?
bool isPortFree(int port);
struct PortRange {
    int first = 0, last = 0;
};
PortRange ephemeralPorts();
std::vector<int> drawPorts(int count, int first, int last, const std::vector<int> &exclude);

} // namespace trainyard::agent
