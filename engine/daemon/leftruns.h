// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/engine.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace trainyard
{

// Runs of `run --foreground` whose command was killed: their tasks run on without anybody. Such a job belongs to its
// command, as after Ctrl+C, so it is stopped: one run after the other, by an engine on its store. A run whose command
// lives holds the lock of its folder and is left alone.
class LeftRuns : public QObject
{
    Q_OBJECT
public:
    // `options` of the caller's own engine; the state folder of each run takes its place.
    LeftRuns(const QString &foregroundFolder, const Engine::Options &options, QObject *parent = nullptr);
    void start();
    // Whether start() would have something to do; looks at the files only.
    bool isNeeded() const { return !m_folders.isEmpty(); }
    int stoppedJobs() const { return m_stopped; }
    static void markOver(const QString &folder); // a run that ended in order is not looked at again

Q_SIGNALS:
    void finished(); // once, after start()

private:
    void next();
    Engine::Options m_options;
    QStringList m_folders;
    std::unique_ptr<Engine> m_engine;
    int m_stopped = 0;
};

} // namespace trainyard
