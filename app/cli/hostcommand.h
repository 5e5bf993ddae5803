// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QProcess>
#include <QStringList>
#include <QTemporaryFile>

#include <optional>

namespace trainyard::cli
{

// A script for sh on another host, run through ssh as the user of the host would, whatever the login shell there is.
// What ssh itself complains about is kept from the terminal: it is said in a sentence when the command could not run.
class HostCommand
{
public:
    HostCommand(const HostInfo &host, const QString &script, bool withTerminal);

    void start(QProcess &process) const;
    // After its end. Says on stderr why ssh could not run the command, and returns the status for that; nothing when
    // the command ran to its end.
    std::optional<int> failure(const QProcess &process);

private:
    QByteArray complaints();
    bool isHeard() const; // by the engine, from now on; waits for it

    HostInfo m_host; // as the engine has it
    QStringList m_words;
    QTemporaryFile m_log;
};

class Session;

// As the engine has it; an empty one when it was removed meanwhile.
HostInfo hostNamed(Session &session, const QString &id);

// The status of a program that has ended, as a shell has it.
int statusOf(const QProcess &process);

} // namespace trainyard::cli
