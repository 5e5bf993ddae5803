// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jobwatcher.h"
#include "app/cli/logprint.h"

#include <QHash>

namespace trainyard::cli
{

// Which try wrote a log, by the name of its folder: runs/<uuid>/<attempt>/<role>-<index>/<try> (docs/task-folder.md),
// also where the log is a mirror. Counted from 0.
struct LogPlace {
    int attempt = 0, taskTry = 0;
};
LogPlace placeOfLog(const QString &folder);

// Gives LogFollow the logs of a watched job: those of every attempt and every try of each task, in order, also of tries
// that started and ended between two updates. At the end of the job it closes the LogFollow.
class LogTrail : public QObject
{
    Q_OBJECT
public:
    // Follows only this task, all tasks of the role when the index is below zero, or all tasks without a role.
    LogTrail(
        EngineClient &client, const JobWatcher &watcher, LogFollow &logs, const QString &role = {}, int index = -1);

    // Starts with the present attempt of these tasks instead of the first one. Only the tail of the present lines is
    // written.
    void startAt(const QList<TaskInfo> &tasks);

private:
    void take(const TaskInfo &task);
    void add(const TaskInfo &task, LogFollow::From from);
    void catchUp(int from);
    void beginNext();
    void end();

    EngineClient &m_client;
    const JobWatcher &m_watcher;
    LogFollow &m_logs;
    QString m_role;
    int m_index;
    int m_attempt = 0; // whose logs are added
    int m_seen = 0; // the newest attempt that was seen
    QHash<std::pair<QString, int>, int> m_next; // of each task of m_attempt: the try whose log is not added yet
    bool m_catchingUp = false;
    bool m_over = false;
};

} // namespace trainyard::cli
