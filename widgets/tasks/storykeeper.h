// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/runstory.h"
#include "widgets/tasks/runview.h"

#include <QMap>
#include <QObject>

class QTimer;

namespace trainyard
{

class CommandStarts;
class RunHistory;
class TaskLog;
class TasksPane;

// Keeps the story of a run for its timeline and its events, which get it while they are visible, and for the curves,
// which continue over the tries; shows the try that is chosen there.
class StoryKeeper : public QObject
{
    Q_OBJECT
public:
    StoryKeeper(RunHistory *history, TasksPane *tasks, TaskLog *log, QObject *parent);
    void setView(const RunView &view);
    void apply(const QList<TaskInfo> &tasks); // of any attempt
    void setAttemptTries(int attempt, const QList<TaskInfo> &tries); // each try of each of its tasks
    // Or why they cannot be read. They are asked for again with the next change, or when the user wants them.
    void setTriesFailed(int attempt, const QString &sentence);
    void showTry(int attempt, const QString &role, int index, int number);
    const QList<TaskInfo> &tries() const { return m_tries.all(); } // that are known, of all attempts

Q_SIGNALS:
    void triesChanged(); // those of an attempt have come
    void triesRequested(int attempt); // answer with setAttemptTries()
    void attemptChosen(int attempt); // by hand

private:
    void updateSoon();
    void update();
    void askForTries();
    void showWanted();
    struct Wanted {
        int attempt = 0, index = 0, number = 0;
        QString role;
    };
    RunHistory *m_history;
    TasksPane *m_tasks;
    TaskLog *m_log;
    CommandStarts *m_starts;
    QTimer *m_timer;
    RunView m_view;
    RunTries m_tries;
    QSet<int> m_asked; // attempts
    QMap<int, QString> m_failed; // attempts that could not be read, and why
    bool m_isWanted = false; // the user has looked
    std::optional<Wanted> m_wanted; // as soon as its attempt is shown
};

} // namespace trainyard
