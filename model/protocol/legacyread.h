// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/legacyjson.h"

namespace trainyard::legacy
{

// A job of version 1, as far as could be read: a map with jobName and taskRoles, and no protocolVersion.
bool looksLegacy(const Text &text);
// Reads it as JSON; when it is none, as YAML.
Text readEither(const QByteArray &bytes, bool *yaml = nullptr);

} // namespace trainyard::legacy
