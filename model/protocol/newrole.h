// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlops.h"

namespace trainyard
{

// The edits that make a task role at `place` ("/taskRoles/worker"): one task that prints a line, on a CPU, in the image
// of that name unless it is empty. Beside other roles it says that the job waits for it.
QList<edit::Op> newRoleOps(const YamlPath &place, const QString &image, bool besideOthers = false);

// The edit by which the job waits for the tasks of all roles. Left out, a server takes the number of the role's tasks
// instead, and stops the other roles when they have succeeded.
edit::Op waitForAllOp(const YamlPath &place);

// The edits that make the smallest job of an empty text: one role of newRoleOps().
QList<edit::Op> newJobOps();

} // namespace trainyard
