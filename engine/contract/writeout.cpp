// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/writeout.h"

#include <fcntl.h>

namespace trainyard::contract
{

void beginWriteOut(int fd, std::uint64_t before, std::uint64_t after)
{
    const WriteOut due = dueWriteOut(before, after);
    if (due.length > 0) {
        // A file system that cannot do it writes as ever.
        static_cast<void>(::sync_file_range(
            fd, static_cast<off_t>(due.offset), static_cast<off_t>(due.length), SYNC_FILE_RANGE_WRITE));
    }
}

} // namespace trainyard::contract
