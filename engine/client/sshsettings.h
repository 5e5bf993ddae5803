// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace trainyard
{

// The settings that an ssh needs to run a command for us, whatever the user's configuration says for interactive
// logins: no other command, no session without a command, its input, and not in the background. An older ssh refuses
// unknown settings and does not need them, so they are left out for it.
class SshSettings
{
public:
    QStringList words() const; // "-o", "RemoteCommand=none", ...
    // Whether ssh has refused one of them, according to its message. That one is left out from now on.
    bool leaveOutRefused(const QByteArray &complaints);
    // Asks the ssh of this computer, which reads no configuration for that. Waits for it, some milliseconds.
    void leaveOutUnknown();

private:
    QStringList m_settings{QStringLiteral("RemoteCommand=none"), QStringLiteral("SessionType=default"),
        QStringLiteral("StdinNull=no"), QStringLiteral("ForkAfterAuthentication=no")};
};

} // namespace trainyard
