// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/corefiles.h"

#include <sys/resource.h>

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

} // namespace trainyard::contract
