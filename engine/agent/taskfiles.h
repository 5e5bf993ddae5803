// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// The files of a task, for clients that want copies. Both may wait for a file server, so they are called in a process
// of their own (SideProcesses). No link below the folder is followed, whatever becomes of it meanwhile, and nothing
// that is not an ordinary file is opened for longer than it takes to see that.
contract::FileList listFiles(const contract::ListFiles &request);
contract::Piece readPiece(const contract::ReadPiece &request);

// An ordinary file below the folder, open to be read; less than 0: errno says why not, EINVAL that it is not an
// ordinary file.
int openTaskFile(const std::string &dir, const std::string &path);

} // namespace trainyard::agent
