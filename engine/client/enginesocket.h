// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

namespace trainyard
{

// The address at which the engine that holds a state folder listens, from the engine's own note in that folder. The
// socket's usual place follows from the runtime folder, which differs in processes with another XDG_RUNTIME_DIR or
// none: those of cron or sudo, or of a second login. The state folder is the same for all of them. Blocks; for any
// thread.

// Writes the note, for the engine that has just begun to listen. Error: those of writeAtomically() (settings.h).
Result<bool> noteSocket(const QString &stateFolder, const QString &socket);

// The path of the socket that the note names, while there is one; whether a process listens is for the caller to try.
// Empty without a note, and for one that is not to be trusted: the note must be a file of this user that no other user
// can write, and the socket one of this user in a folder of this user that is closed to others.
QString notedSocket(const QString &stateFolder);

// Whether a living engine holds the state folder, whether it can be reached or not. False also where this process may
// not look.
bool isStateFolderHeld(const QString &stateFolder);

} // namespace trainyard
