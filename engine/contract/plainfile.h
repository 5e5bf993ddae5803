// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>

namespace trainyard::contract
{

// Opens a file to read it, and says what it is. A task can have put anything there: no link is followed, no pipe is
// waited for, and what is not a plain file is not opened. Less than 0: errno says why not, EINVAL that it is not a
// plain file.
int openPlainFile(const char *path, struct stat &info);

} // namespace trainyard::contract
