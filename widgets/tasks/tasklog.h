// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/tasktries.h"

#include <QObject>

class QMenu;

namespace trainyard
{

class LogPane;
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

    // The lines of the task that is chosen around the one that says why it failed or, where none is known to, the last
    // ones. None before all of its log has been read. With a `cause` ("worker/0") they are of that task, as they were
    // when it was chosen last.
    struct Evidence {
        QString title;
        qint64 firstLine = 0;
        QStringList lines;
        std::optional<qint64> root; // the line that says why
    };
    Evidence evidence(qint64 lines, const QString &cause);
    void showLine(qint64 line); // of the evidence; chooses its task
    // Marks the line that was written then (ms UTC) and, of several, the one that has this value. Chooses the task
    // ("worker/0"), too.
    void showMoment(const QString &task, qint64 time, double value);

Q_SIGNALS:
    void earlierTriesRequested(int attempt, const QString &role, int index); // answer with setEarlierTries()
    void triesChanged(); // or which one is shown
    void completed(); // all of the log has been read
    void momentShown(const QStringList &lines); // what stands at the moment of showMoment()
    void timeChosen(std::optional<qint64> time); // ms UTC, of the line that is the current one

private:
    void setTask(const TaskInfo &task);
    void dropWishes(const TaskInfo &task); // those that are about other tasks
    std::optional<qint64> rootLine() const;
    QString evidenceTask() const;
    void showWantedLine();
    void update();
    QString emptyText(const TaskInfo &shown, bool isGone, bool isLost) const;
    void makeMenus();
    void updateTogether();
    void fillTaskMenu();
    void addTogether(QMenu *menu, const QString &text, const QList<TaskInfo> &tasks);
    void fillTryMenu();
    TasksPane *m_tasks;
    LogPane *m_log;
    void showWantedMoment();
    TaskTries m_tries;
    QList<std::pair<QString, int>> m_together; // roles and indexes
    Evidence m_evidence; // the last one that was known
    int m_evidenceAttempt = -1, m_evidenceTry = -1;
    struct Place {
        QString task; // "worker/0"
        int number = 0; // of its try
        qint64 line = 0;
    };
    std::optional<Place> m_wantedLine; // as soon as all of the log is read
    bool m_seeksError = false; // as soon as all of the log is read
    struct Moment {
        QString task;
        qint64 time = 0;
        double value = 0;
    };
    std::optional<Moment> m_wantedMoment; // as soon as the log has come so far
};

} // namespace trainyard
