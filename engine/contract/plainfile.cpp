// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/plainfile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::contract
{

int openPlainFile(const char *path, struct stat &info)
{
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))) {
        ::close(file);
        errno = EINVAL;
        return -1;
    }
    return file;
}

} // namespace trainyard::contract
