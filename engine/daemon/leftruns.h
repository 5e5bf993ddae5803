// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/engine.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include <memory>

namespace trainyard
{

// Runs of `run --foreground` whose command was killed: their tasks run on without it. Such a job belongs to its
// command, as after Ctrl+C, so it is stopped: one run after the other, by an engine on its store. A run whose command
// lives holds the lock of its folder and is left alone.
class LeftRuns : public QObject
{
    Q_OBJECT
public:
    // `options` of the caller's own engine; the state folder of each run replaces that of `options`.
    LeftRuns(const QString &foregroundFolder, const Engine::Options &options, QObject *parent = nullptr);
    ~LeftRuns() override;
    void start();
    // Does the same as start(), and again for each run whose command is killed from now on. It costs nothing while
    // there is no run.
    void watch();
    // Whether start() would have something to do; looks at the files only.
    bool isNeeded() const { return !m_folders.isEmpty(); }
    int stoppedJobs() const { return m_stopped; }
    static void markOver(const QString &folder); // a run that ended in order is not looked at again
    static bool isOver(const QString &folder);
    static QDateTime overSince(const QString &folder);
    // Removes the store of a run that is over, and the room that was kept for it. The logs stay.
    static void removeStore(const QString &folder);

Q_SIGNALS:
    void finished(); // once after start(); each time after watch() when something was stopped

private:
    void look(); // for runs that were left, and whether commands of others live
    void lookAgain();
    void next();
    QString m_foregroundFolder;
    Engine::Options m_options;
    QStringList m_folders;
    QSet<QString> m_done; // runs that are over, or cannot be read
    std::unique_ptr<Engine> m_engine;
    QFileSystemWatcher m_watcher; // new runs
    QTimer m_again; // while there is one that lives: its end is not signalled
    int m_stopped = 0;
    bool m_anyLives = false, m_watching = false, m_busy = false;
};

} // namespace trainyard
