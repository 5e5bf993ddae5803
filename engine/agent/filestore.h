// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

namespace trainyard::agent
{

// One step of receiving a file in pieces. No link below the folder is followed, even if the folder changes meanwhile.
// "place" reads the file again and waits for the disk, so it is called in a separate process (SideProcesses). A file
// there that has changed since the arriving one is kept.
contract::Stored storePiece(const contract::StorePiece &request);

// Whether that is the name of a part of a file with `content`, of this writer.
bool isPartOfWriter(const std::string &name, const std::string &writer);

// The sum of an ordinary file as it is now.
contract::Piece sumOfFile(const contract::ReadPiece &request);

} // namespace trainyard::agent
