// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::cli
{

class Session;

// The tasks of an attempt, below zero of the newest: one ("worker/0"), all of a role, or all. Says what is wrong;
// returns an exit status.
int tasksOfJob(
    Session &session, const JobSummary &job, const QString &wanted, QList<TaskInfo> &tasks, int attempt = -1);

struct MetricsOfJob {
    QStringList words; // jobs and groups; the second of two may be a task of the first, or all tasks of a role
    QStringList names;
    bool json = false, csv = false;
    QStringList patterns; // NAME=EXPRESSION
    std::optional<int> attempt = {}; // from 0
    bool allAttempts = false; // each separately
    QString task = {}; // as the words say it; empty: all tasks
};

// Prints the metrics in the outputs and in the files of jobs; returns an exit status. Without an attempt, those of the
// newest one, preceded by those of the earlier ones up to the step from which it continues.
int printMetricsOfJobs(const MetricsOfJob &asked);

} // namespace trainyard::cli
