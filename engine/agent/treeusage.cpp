// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/treeusage.h"

#include "engine/agent/descendants.h"
#include "engine/contract/taskfolder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace trainyard::agent
{
namespace
{

struct Ticks {
    std::uint64_t own = 0, ofEnded = 0; // children that were waited for
};

Ticks ticksOf(pid_t pid)
{
    Ticks ticks;
    const std::string text = contract::readWhole("/proc/" + std::to_string(pid) + "/stat").value_or("");
    // The command may hold blanks and brackets: fields count from the last ')', which ends the second.
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string::npos) {
        return ticks;
    }
    const char *p = text.c_str() + bracket + 1;
    for (int field = 3; field <= 17; ++field) {
        p = std::strchr(p, ' ');
        if (!p) {
            return ticks;
        }
        ++p;
        if (field >= 14) {
            (field <= 15 ? ticks.own : ticks.ofEnded) += std::strtoull(p, nullptr, 10);
        }
    }
    return ticks;
}

std::uint64_t figureAfter(const std::string &text, const char *key)
{
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + std::strlen(key), nullptr, 10);
}

} // namespace

std::vector<pid_t> taskProcesses(pid_t keeper, pid_t main)
{
    std::vector<pid_t> all;
    if (keeper > 0) {
        all = descendantsOf(keeper).value_or(std::vector<pid_t>());
    }
    if (main > 0 && std::find(all.begin(), all.end(), main) == all.end()) {
        all.push_back(main);
        const std::vector<pid_t> below = descendantsOf(main).value_or(std::vector<pid_t>());
        all.insert(all.end(), below.begin(), below.end());
    }
    return all;
}

TreeUsage usageOf(pid_t keeper, const std::vector<pid_t> &processes)
{
    TreeUsage usage;
    std::uint64_t ticks = keeper > 0 ? ticksOf(keeper).ofEnded : 0;
    for (const pid_t pid : processes) {
        const Ticks one = ticksOf(pid);
        ticks += one.own + one.ofEnded;
        // Not to be read of a process of another user, such as one in some containers.
        const std::string io = contract::readWhole("/proc/" + std::to_string(pid) + "/io").value_or("");
        usage.readBytes += figureAfter(io, "\nread_bytes: ");
        usage.writtenBytes += figureAfter(io, "\nwrite_bytes: ");
    }
    usage.cpuSeconds = static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return usage;
}

} // namespace trainyard::agent
