// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"

namespace trainyard
{

// Whether the path leads to a command of a task role or of a deployment: an item of one of its lists of commands.
bool isCommandPath(const YamlPath &path);

} // namespace trainyard
