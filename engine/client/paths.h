// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

namespace trainyard::paths
{

// Where things are (docs/folders.md). The one place that knows.

// /etc/machine-id, or "host-<name>" on a system without one: state on a shared home belongs to one machine.
QString machineId();

// $XDG_CONFIG_HOME/trainyard
QString configFolder();
// $XDG_STATE_HOME/trainyard/<machine-id>; /var/tmp/trainyard-UID/<machine-id> when that is on a network file system.
QString stateFolder();
bool stateFolderWasMoved(); // because of the network file system: users are told
// $XDG_RUNTIME_DIR/trainyard, else /tmp/trainyard-UID.
QString runtimeFolder();

// What statfs says of the folder or its nearest existing parent.
bool isNetworkFileSystem(const QString &folder);
bool isTmpfs(const QString &folder);

// Makes it with mode 0700 where needed. It must be ours, a folder and no link, and closed to others: code
// "folder.not-private" {folder, reason: "owner|mode|link|not-a-folder"}, "folder.cannot-make" {folder, message}.
Result<QString> ensurePrivateFolder(const QString &folder);

// Socket of the engine that has this state folder, in the runtime folder. "socket.path-too-long" {path, bytes, limit}:
// the kernel takes 107 bytes.
Result<QString> engineSocket(const QString &runtimeFolder, const QString &stateFolder);

// One of our own programs ("trainyardd", "trainyard-agent"): beside the running one, or in libexec. Empty when missing.
QString program(const QString &name);

// Runs of `run --foreground` have a store of their own below the state folder.
QString foregroundFolder(const QString &stateFolder);

} // namespace trainyard::paths
