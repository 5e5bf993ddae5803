// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/ownmemory.h"

#include <malloc.h>

#include <cstddef>

namespace trainyard::agent
{

void trimMemory()
{
#ifdef __GLIBC_PREREQ
    [[maybe_unused]] constexpr std::size_t much = 256 << 10; // what comes next would ask for less at once
#if __GLIBC_PREREQ(2, 33)
    if (::mallinfo2().fordblks <= much) {
        return;
    }
#endif
    ::malloc_trim(0);
#endif
}

} // namespace trainyard::agent
