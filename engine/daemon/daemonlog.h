// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Sends the messages of the process (qWarning() and the like, stdout and stderr) to a file, with times. At 4 MiB the
// file becomes "<file>.1" and a new one begins, so that a daemon that runs for months does not fill the disk. Mode
// 0600.
class DaemonLog
{
public:
    // False: the file cannot be opened and nothing was changed.
    static bool start(const QString &file);
};

} // namespace trainyard
