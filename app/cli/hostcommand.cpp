// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostcommand.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QStringList sshCommand(const QString &target, const QString &command, bool withTerminal)
{
    QStringList ssh{u"ssh"_s};
    if (const QString config = qEnvironmentVariable("TRAINYARD_SSH_CONFIG"); !config.isEmpty()) {
        ssh += {u"-F"_s, config};
    }
    if (withTerminal) {
        ssh.append(u"-t"_s);
    }
    return ssh + QStringList{u"--"_s, target, command};
}

} // namespace trainyard::cli
