// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/corefiles.h"

#include "engine/contract/taskfolder.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace trainyard::contract
{

void leaveNoCoreFiles()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
        limit.rlim_cur = 0;
        ::setrlimit(RLIMIT_CORE, &limit);
    }
}

static bool processesAreHidden()
{
    const std::string mounts = readWhole("/proc/self/mountinfo", 16 << 20).value_or("");
    for (std::size_t at = 0; at < mounts.size();) {
        const std::size_t newline = std::min(mounts.find('\n', at), mounts.size());
        const std::string line = mounts.substr(at, newline - at);
        at = newline + 1;
        const std::size_t hides = line.find("hidepid=");
        const bool isProc = line.find(" /proc ") != std::string::npos && line.find(" - proc ") != std::string::npos;
        if (isProc && hides != std::string::npos && line.compare(hides, 9, "hidepid=0") != 0
            && line.compare(hides, 11, "hidepid=off") != 0) {
            return true;
        }
    }
    return false;
}

void keepMemoryPrivate()
{
    if (!processesAreHidden()) {
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
}

} // namespace trainyard::contract
