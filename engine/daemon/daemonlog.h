// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Sends what the process says (qWarning() and the like, and stdout and stderr) to a file with times. At 4 MiB the file
// becomes "<file>.1" and a new one begins, so that a daemon of many months fills no disk. Mode 0600.
class DaemonLog
{
public:
    // False: the file cannot be opened and nothing was changed.
    static bool start(const QString &file);
};

} // namespace trainyard
