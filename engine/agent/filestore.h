// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

namespace trainyard::agent
{

// One step of a file that comes to this host by pieces. No link below the folder is followed, whatever becomes of it
// meanwhile. "place" reads the file again and waits for the disk, so it is called in a process of its own
// (SideProcesses); a file there that has changed since the one that comes stays as it is.
contract::Stored storePiece(const contract::StorePiece &request);

// The sum of an ordinary file as it is now.
contract::Piece sumOfFile(const contract::ReadPiece &request);

} // namespace trainyard::agent
