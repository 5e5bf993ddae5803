// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace trainyard::agent
{

// Where all users of the host lock GPUs.
std::string gpuLockFolder(const std::string &wanted);
// Takes all locks or none; the descriptors hold them. The name of the busy one, or empty; `error` is errno when a lock
// could not even be tried.
std::string takeGpuLocks(
    const std::string &folder, const std::vector<std::string> &names, std::vector<int> &held, int &error);

// Can a server bind this port right now, on all addresses?
bool isPortFree(int port);
struct PortRange {
    int first = 0, last = 0;
};
PortRange ephemeralPorts();
std::vector<int> drawPorts(int count, int first, int last, const std::vector<int> &exclude);

} // namespace trainyard::agent
