// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

namespace trainyard::paths
{

// The locations of all files (docs/installing.md). No other place knows them.

// Called first in a program: sets HOME where it is not set, as for what cron or the system starts, to the home folder
// of this user's account. Everything that follows HOME, programs that are started included, then agrees on one folder.
void useHomeOfAccount();

// /etc/machine-id, or "host-<name>" on a system without one: state on a shared home belongs to one machine.
QString machineId();

// $XDG_CONFIG_HOME/trainyard
QString configFolder();
// $XDG_STATE_HOME/trainyard/<machine-id>; /var/tmp/trainyard-UID/<machine-id> when that is on a network file system;
// below the folder of the user's session when another user has taken that name.
QString stateFolder();
bool stateFolderIsTemporary(); // it is deleted with the session, or at the next start of the system; users are warned
// $XDG_RUNTIME_DIR/trainyard, else /tmp/trainyard-UID, else, where another user has taken that name, as if
// XDG_RUNTIME_DIR were what the system usually makes.
QString runtimeFolder();

// The result of statfs for the folder or its nearest existing parent.
bool isNetworkFileSystem(const QString &folder);
bool isTmpfs(const QString &folder);

// Makes the folder with mode 0700 where needed. It must belong to this user, be a folder and not a link, and be closed
// to others, and so must every folder between it and one that all users may write to: code "folder.not-private"
// {folder, reason: "owner|mode|link|not-a-folder"}, "folder.taken" the same (by another user, in a sticky folder: only
// that user and root can remove it), "folder.cannot-make" {folder, message}.
Result<QString> ensurePrivateFolder(const QString &folder);

// The socket of the engine of this state folder, in the runtime folder. "socket.path-too-long" {path, bytes, limit}:
// the kernel takes 107 bytes.
Result<QString> engineSocket(const QString &runtimeFolder, const QString &stateFolder);

// The path of one of Trainyard's programs ("trainyardd", "trainyard-agent"), beside the running one or in libexec;
// empty when it is missing.
QString program(const QString &name);

// Runs of `run --foreground` have a store of their own below the state folder.
QString foregroundFolder(const QString &stateFolder);

} // namespace trainyard::paths
