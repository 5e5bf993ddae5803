// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/jobwatcher.h"
#include "app/cli/logprint.h"

#include <QHash>

namespace trainyard::cli
{

// Gives LogFollow the logs of a job that is watched: of every attempt and of every try of each task, in their order,
// also of those that began and ended between two looks. At the end of the job it closes the LogFollow.
class LogTrail : public QObject
{
    Q_OBJECT
public:
    // Of this task only, or of all with no role.
    LogTrail(
        EngineClient &client, const JobWatcher &watcher, LogFollow &logs, const QString &role = {}, int index = -1);

    // What these tasks show is the first of what is wanted; without it that is the first attempt. Of what is there now
    // the tail is enough.
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
