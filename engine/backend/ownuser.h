// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <pwd.h>
#include <unistd.h>

namespace trainyard
{

// The name of the user of this process; empty if the system has none. For one thread at a time.
inline QString ownUserName()
{
    const passwd *const entry = ::getpwuid(::getuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : QString();
}

} // namespace trainyard
