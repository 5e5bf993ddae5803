// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QString>
#include <QStringList>

namespace trainyard::cli
{

class Session;

// The tasks of the newest attempt: one ("worker/0"), all of a role, or all. Says what is wrong; returns an exit status.
int tasksOfJob(Session &session, const JobSummary &job, const QString &wanted, QList<TaskInfo> &tasks);

struct MetricsOfJob {
    QString job;
    QString task; // "worker/0", or all tasks of a role, or empty: all tasks
    QStringList names;
    bool json = false, csv = false;
    QStringList patterns; // NAME=EXPRESSION
};

// Prints the metrics in the output and in the files of a job's newest attempt; returns an exit status.
int printMetricsOfJob(const MetricsOfJob &wanted);

} // namespace trainyard::cli
