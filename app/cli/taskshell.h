// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <functional>
#include <optional>

namespace trainyard::cli
{

// A task as people name it: ROLE/INDEX.
struct TaskWord {
    QString role;
    int index = 0;
};
std::optional<TaskWord> taskWord(const QString &word); // nothing when it names none

// Each returns exitOk, or the exit status after saying what is wrong. The tasks are those of the attempt.
int findTask(Session &session, const JobSummary &job, const TaskWord &word, TaskInfo &found, int attempt = -1);
// The one that is meant when none was named: the only task of the job, or the only one that runs.
int findOnlyTask(Session &session, const JobSummary &job, TaskInfo &found, int attempt = -1);

// The command for the words after "--". As with ssh, a single word may be a whole line for the shell.
QStringList commandOf(const QStringList &words);

bool isEnterable(const TaskInfo &task); // shellInTask() can do it

// A shell or a command where a task runs or ran, through the user's own ssh where that is another host. Each returns
// what runs it, for when the session is over, since it may take hours or take the place of this program; its exit
// status is that of the command.
//
// In the environment and the folder of a task that runs, and in its container if it has one.
std::function<int()> shellInTask(
    Session &session, const JobSummary &job, const TaskInfo &task, const QStringList &command);
// In the folder alone; it says so when that is gone.
std::function<int()> shellInFolder(Session &session, const TaskFolder &folder, const QStringList &command);

} // namespace trainyard::cli
