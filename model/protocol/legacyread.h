// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/legacyjson.h"

namespace trainyard::legacy
{

// Whether the text looks like a job of version 1, as far as it could be read: a map with jobName and taskRoles and
// without protocolVersion.
bool looksLegacy(const Text &text);
// Reads a text as JSON, or as YAML when it is not JSON.
Text readEither(const QByteArray &bytes, bool *yaml = nullptr);

} // namespace trainyard::legacy
