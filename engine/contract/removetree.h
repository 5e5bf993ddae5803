// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace trainyard::contract
{

// Deletes a folder with all that is in it, and nothing that a link leads to. Folders that may not be written to, as
// some programs leave them, are opened for that. Waits for it; what cannot be deleted stays.
void removeTree(const std::string &dir);

} // namespace trainyard::contract
