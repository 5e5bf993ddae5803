// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/exitclassifier.h"

namespace trainyard::core
{

// Names the command that a shell did not find (status 127) or could not execute (126), which it reports in the output:
// the reason becomes "exit.command-missing" or "exit.command-denied" {command, status}. The code stays.
void nameMissingCommand(const RawExit &exit, QByteArrayView userLog, Classified *classified);

} // namespace trainyard::core
