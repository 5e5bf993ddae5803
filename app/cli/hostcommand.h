// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard::cli
{

// ssh to a host of the engine, as its user would call it; `command` is for the shell there.
QStringList sshCommand(const QString &target, const QString &command, bool withTerminal);

} // namespace trainyard::cli
