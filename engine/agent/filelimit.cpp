// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filelimit.h"

#include <sys/resource.h>

#include <optional>

namespace trainyard::agent
{
namespace
{

std::optional<rlimit> before; // of the agent; its keepers inherit it

} // namespace

void raiseFileLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) {
        return;
    }
    before = limit;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void restoreFileLimit()
{
    if (before) {
        ::setrlimit(RLIMIT_NOFILE, &*before);
    }
}

} // namespace trainyard::agent
