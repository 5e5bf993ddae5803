// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <string>

namespace trainyard::agent
{

// Writes a piece of a file to `part`, and gives it its name after the last one; 0 or errno. The pieces come in their
// order: the one behind a piece that is missing is refused, so that no file has a hole. Waits for the disk.
int putPiece(const contract::Put &request, const std::string &bytes, const std::string &part);

} // namespace trainyard::agent
