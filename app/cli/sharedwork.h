// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard::cli
{

class Session;

// Where the results of these tasks are when their hosts work in the folder here, by a shared file system: a line for
// each of the first such hosts. Tasks on this computer, and those with a copy of the folder, have none.
QStringList sharedWorkLines(Session &session, const QString &job, const QList<TaskInfo> &tasks);

} // namespace trainyard::cli
