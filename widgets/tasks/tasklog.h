// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/evidenceseeker.h"
#include "widgets/tasks/tasktries.h"

#include <QObject>

namespace trainyard
{

class LogPane;
class OutputLook;
class TaskLogMenus;
class TasksPane;

// Shows the log of the task that is chosen in the list of tasks, or of one of its earlier tries, or the logs of several
// tasks as one; all of this can be chosen in the head of the log too.
class TaskLog : public QObject
{
    Q_OBJECT
public:
    TaskLog(TasksPane *tasks, LogPane *log, QObject *parent);
    const TaskTries &tries() const { return m_tries; }
    void setEarlierTries(int attempt, const QString &role, int index, const QList<TaskInfo> &tries);
    void showTry(int number);
    static constexpr qsizetype mostTogether = 64; // tasks
    void showTogether(const QList<std::pair<QString, int>> &tasks); // until a task is chosen
    void showNextFailed(); // the next task that failed, at its first error
    void clear(const QString &emptyText); // there is no task; the text says why

    void showLine(const LoggedLine &place); // of the whole log; chooses its task
    // The line that says why the task failed is highlighted when its whole log is shown; nothing: none is known.
    void setCause(const std::optional<LoggedLine> &place);
    // Marks the line that was written then (ms UTC) and, of several, the one that has this value. Chooses the task
    // ("worker/0"), too, and its try where that is known (from 0).
    void showMoment(const QString &task, qint64 time, double value, std::optional<int> tryNumber = {});
    // Only what was written in that time (ms UTC). If the log is that of this task, it is that of this try then.
    void showTimes(qint64 from, qint64 to, const QString &task, int tryNumber);

Q_SIGNALS:
    void earlierTriesRequested(int attempt, const QString &role, int index); // answer with setEarlierTries()
    void triesChanged(); // or which one is shown
    void momentShown(const QStringList &lines); // the lines at the moment of showMoment()
    void timeChosen(std::optional<qint64> time); // ms UTC, of the line that is the current one

private:
    struct Moment {
        QString task;
        qint64 time = 0;
        double value = 0;
        std::optional<int> tryNumber = {};
    };
    void setTask(const TaskInfo &task);
    void dropWishes(const TaskInfo &task); // those that are about other tasks
    bool showsWhole(const LoggedLine &place) const;
    void showWantedLine();
    void markCause();
    void update();
    void show();
    QString emptyText(const TaskInfo &shown, bool isGone, bool isLost) const;
    void updateTogether();
    TasksPane *m_tasks;
    LogPane *m_log;
    void showWantedMoment();
    bool showsTry(const Moment &moment) const;
    TaskTries m_tries;
    TaskLogMenus *m_menus;
    OutputLook *m_output; // of the try that is shown
    QList<std::pair<QString, int>> m_together; // roles and indexes
    std::optional<LoggedLine> m_cause;
    std::optional<LoggedLine> m_wantedLine; // as soon as the log has come so far
    bool m_seeksError = false; // as soon as all of the log is read
    std::optional<Moment> m_wantedMoment; // as soon as the log has come so far
};

} // namespace trainyard
