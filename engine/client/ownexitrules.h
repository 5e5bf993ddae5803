// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QString>

namespace trainyard
{

// Reads the user's exit-rules.json of this folder, if there is one, and makes this process use it; without one it uses
// the bundled table. An error of ExitRules with its {file}, or "exitrules.unreadable" {file, message}: the table that
// was in use then stays.
Result<bool> useOwnExitRules(const QString &configFolder);

} // namespace trainyard
