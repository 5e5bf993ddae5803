// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace trainyard
{

// Sends the messages of the process (such as qWarning(), stdout and stderr) to a file, with times. At 4 MiB the
// file becomes "<file>.1" and a new one begins, so that a daemon that runs for months does not fill the disk. Mode
// 0600.
class DaemonLog
{
public:
    // False: the file cannot be opened and nothing was changed.
    static bool start(const QString &file);
    // A message in one line, with "\n" for a newline and "\x1b" for an escape. A message can contain names from other
    // sources, which must not look like separate messages.
    static QByteArray escaped(const QString &message);
};

} // namespace trainyard
