// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlops.h"

namespace trainyard
{

// The edits that make a task role at `place` ("/taskRoles/worker"): one task that prints a line, on a CPU, in the image
// of that name unless it is empty.
QList<edit::Op> newRoleOps(const YamlPath &place, const QString &image);

} // namespace trainyard
