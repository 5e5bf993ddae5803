// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/whyanswer.h"

// Why a task of a job failed.
namespace trainyard::cli::why
{

// The task that is meant: the named one, else the one that ended the attempt, else the first that failed.
struct EndedBy {
    QString role;
    int index = 0;
};
const TaskInfo *chosenTask(const QList<TaskInfo> &tasks, const EndedBy &endedBy, const QString &word);

// Changes of the job that may make it succeed.
QList<JobChange> changesOf(Session &session, const JobSummary &job, const TaskInfo &task);

struct HeldEnd {
    const TaskInfo *task;
    int status; // with which its commands ended
};

// Finds this task, or the first one if it is null, among the tasks of a job that are kept for inspection.
std::optional<HeldEnd> heldEnd(
    Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const TaskInfo *wanted);

// What is to be known of tasks that have ended well: of this one, or of any. Empty: nothing.
QString remarkOnSuccess(const QList<TaskInfo> &tasks, const TaskInfo *wanted);
// The engine's own explanation of an end: it could not start the task, or the user's own rules explain it.
int sayReason(const TaskInfo &task, const Manner &manner, const QList<JobChange> &changes);
// The end of a task, as far as the engine and its output show it.
int sayTask(Session &session, const JobSummary &job, const TaskInfo &task, const Manner &manner);

} // namespace trainyard::cli::why
