// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/exitclassifier.h"

namespace trainyard::core
{

// A shell ends with 127 or 126 when it did not find a command, or may not execute it, and says which in the output:
// then the sentence names it ("exit.command-missing" and "exit.command-denied", {command, status}). The code stays.
void nameMissingCommand(const RawExit &exit, QByteArrayView userLog, Classified *classified);

} // namespace trainyard::core
