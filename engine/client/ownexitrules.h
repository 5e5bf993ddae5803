// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/exitrules.h"

namespace trainyard
{

// The user's exit-rules.json of this folder, with the bundled table behind it; without such a file the bundled table.
// An error of ExitRules with its {file}, or "exitrules.unreadable" {file, message}.
Result<ExitRules> ownExitRules(const QString &configFolder);

} // namespace trainyard
