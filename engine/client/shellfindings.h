// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

namespace trainyard
{

// What bash says of the commands of roles when it only reads them: adds "role.commands-syntax" {role, line, message} at
// the command meant. Nothing of the document is executed. Needs the bash of this computer; without one, and where
// references stay in the commands, nothing is said. A script that takes long is left out.
void addShellFindings(ParseOutcome &outcome);

} // namespace trainyard
