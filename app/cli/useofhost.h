// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <optional>

namespace trainyard::cli
{

// The host that the engine knows by this name.
std::optional<HostInfo> knownHost(Session &session, const QString &id);
// Writes the sentence of an error and returns its exit status. Where it is that no host has the name, the names that
// hosts have follow, and the nearest of them.
int reportOfHost(Session &session, const Error &error);
// Says on stderr, after an error that no host has the name, how a host that a job was on before comes back. False for
// any other error. `number`: of the job, if it may run on another host instead; 0: its files are wanted.
bool sayHowHostComesBack(const Error &error, qint64 number = 0);

// The user's settings for a host: its labels, whether and when it accepts new tasks, and by which address tasks on
// other hosts reach it. Each function prints the resulting state and returns the exit status.
QStringList labelsIn(const QStringList &words); // with blanks or commas between
int showLabels(Session &session, const QString &id, bool json);
int changeLabels(Session &session, const api::HostChange &change, bool json);
int drainHost(Session &session, const QString &id, bool on, bool json);
int showHours(Session &session, const QString &id, bool json);
int changeHours(Session &session, const QString &id, const QString &hours, bool json); // empty: none
int showAddress(Session &session, const QString &id, bool json);
int changeAddress(Session &session, const QString &id, const QString &address, bool json); // empty: chosen
int releaseHost(Session &session, const api::HostToRelease &host, bool json);

} // namespace trainyard::cli
