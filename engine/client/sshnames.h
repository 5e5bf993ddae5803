// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard
{

// The hosts that an ssh configuration names (ssh_config(5)): the words of its Host lines, Include followed, in their
// order. Patterns are left out, and what is for git alone (User git). ssh itself says what they mean: this is only for
// choosing among them. Empty if the file cannot be read. For any thread.
QStringList sshNames(const QString &configFile);

// A target of ssh as ssh(1) accepts it: a port is not part of user@host but only of ssh://user@host:port.
QString sshDestination(const QString &target);

// TRAINYARD_SSH_CONFIG, as for every ssh that Trainyard starts; else the user's own.
QString sshConfigFile();

} // namespace trainyard
