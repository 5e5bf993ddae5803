// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

namespace trainyard
{

// Lets bash parse the commands of roles, and adds "role.commands-syntax" {role, line, message} at the command
// concerned. Nothing in the document is executed. Needs the bash of this computer; without one, or if references remain
// in the commands, there are no findings. A script that takes long is left out.
void addShellFindings(ParseOutcome &outcome);

} // namespace trainyard
