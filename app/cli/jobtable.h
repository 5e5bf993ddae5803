// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/console.h"
#include "engine/api/values.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace trainyard::cli
{

Colour stateColour(State state);
// The state as lists show it. For a program, a job is RUNNING while it is paused, and while its last tasks are being
// stopped because its result is known; for a person it is PAUSED, and STOPPING.
QString shownState(const JobSummary &job);
// Why a job waits or failed, with the task that it is about: "worker/1: The command ended with status 3."
QString whyText(const JobSummary &job);
// How far a job is: "2/3" when two of its three tasks have succeeded.
QString progressText(const JobSummary &job);
// "3 of 3 tasks failed", for a job that nevertheless counts as a success by its completion policy; otherwise empty.
QString failedTasksText(const JobSummary &job);
// "3 running, 1 waiting, 2 succeeded"
QString countsText(const TaskCounts &counts);
// How long the newest attempt of a job took or has taken, without its pauses.
QString elapsed(const JobSummary &job, qint64 now);
// How long all its attempts together took or have taken, for lists.
QString elapsedInAll(const JobSummary &job, qint64 now);
// How long a task ran, or has run until now. Empty when it never started.
QString elapsed(std::optional<qint64> from, std::optional<qint64> to, qint64 now);

// Whether the job was, or is being, stopped before it had a result: what its tasks end with is not theirs.
bool isJobStopped(const JobSummary &job);
// Whether it was stopped while it waited for its newest attempt.
bool neverBegan(const JobSummary &job);
// How the tasks of a job are listed.
struct TaskListing {
    qint64 now = 0; // ms UTC
    int most = 0; // lines
    qint64 total = 0; // tasks of the job, where not all of them are given; 0: all are
    QString saidAbove = {}; // the sentence above the list: what it says is not said again
    QList<PauseSpan> pauses = {}; // of the job: the times of tasks are without them
    bool isStopped = false; // the job: see isJobStopped()
};
// A task on each line; where not all have room, those that need attention are there.
QStringList taskLines(const QList<TaskInfo> &tasks, const TaskListing &listing);

// Lines on the terminal that are redrawn in place.
class Screen
{
public:
    // Rows that do not fit are left out, except for those below.
    void draw(const QStringList &lines, const QStringList &below = {});
    void leave() { m_lines = 0; } // the last picture stays

private:
    int m_lines = 0;
};

// A picture of a job on the terminal.
class JobTable
{
public:
    static QStringList linesOf(const JobSummary &job, const QList<TaskInfo> &tasks, qint64 at); // ms UTC
    void draw(const JobSummary &job, const QList<TaskInfo> &tasks);
    // A message below the picture from its next drawing on: what is written there otherwise would be drawn over.
    void say(const QString &message);
    void finish(); // the last picture stays

private:
    Screen m_screen;
    QStringList m_messages;
};

} // namespace trainyard::cli
