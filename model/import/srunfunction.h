// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace trainyard::batch
{

// The function of bash that replaces srun in a task: it runs the command in this task, unless -n, or -N where
// `tasksPerNode` is not 0, leaves it out. With srun_in_all=1 before it each task runs the command.
QByteArray srunFunction(qint64 tasksPerNode);

} // namespace trainyard::batch
