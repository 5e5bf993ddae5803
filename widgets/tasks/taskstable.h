// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

enum class TableKind {
    Tabs, // for other programs to paste
    Commas // a file of comma-separated values
};
// Tasks as a table with a line of heads: name, state, host, GPUs, exit, tries, times, what was used, and the folder of
// the log. Times are UTC as ISO 8601 has them, durations seconds, and what is not known is empty.
QString tasksAsText(const QList<TaskInfo> &tasks, const QHash<QString, QString> &hostLabels,
    std::optional<int> attemptExit, TableKind kind);

} // namespace trainyard
