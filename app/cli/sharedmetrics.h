// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

#include <QStringList>

namespace trainyard::cli
{

class Session;

// The messages about files of metrics that tasks share with other jobs: such files say nothing about the job. The first
// ten, and the number of the others.
QStringList sharedMetricsLines(Session &session, qint64 job, const QList<TaskInfo> &tasks);

// The sentence of a remark about such a file, with the numbers of the other jobs that the engine still has.
QString remarkText(Session &session, const Error &remark);

} // namespace trainyard::cli
