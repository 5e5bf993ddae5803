// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QBasicTimer>
#include <QMap>
#include <QObject>

namespace trainyard::cli
{

// Keeps a job and, if wanted, the tasks of its newest attempt up to date until the job ends, even when the engine is
// lost meanwhile.
class JobWatcher : public QObject
{
    Q_OBJECT
public:
    enum class Tasks { Follow, Ignore };

    JobWatcher(EngineClient &client, const QString &uuid, Tasks wanted = Tasks::Follow, QObject *parent = nullptr);
    ~JobWatcher() override;

    const QString &uuid() const { return m_uuid; }
    const JobSummary &job() const { return m_job; }
    QList<TaskInfo> tasks() const { return m_tasks.values(); } // in the order of the document
    bool isOver() const { return m_over; }

Q_SIGNALS:
    void changed(); // the job or its tasks
    void taskChanged(const trainyard::TaskInfo &task);
    // The job has ended, its results are read, unless that takes long, and tasks() has all wanted tasks; or it cannot
    // be followed any more (it was removed, or the engine is gone).
    void over();
    void failed(const trainyard::Error &error);

private:
    void readAgain();
    void readTasks(int from);
    void takeJob(const JobSummary &job);
    void timerEvent(QTimerEvent *event) override;
    void endIfOver();
    void takeTasks(const QList<TaskInfo> &tasks);
    void giveUp(const Error &error);
    void end();

    EngineClient &m_client;
    QString m_uuid;
    Tasks m_wanted;
    JobSummary m_job;
    QMap<std::pair<int, int>, TaskInfo> m_tasks; // (position of the role, index)
    QStringList m_roles;
    int m_attempt = -1;
    quint64 m_reading = 0; // the newest round of reading; older answers are out of date
    QBasicTimer m_patience; // for the results of a job that has ended: what runs next may want them
    bool m_hasWaited = false;
    int m_looks = 0; // at the results, since then
    bool m_finalRound = false;
    bool m_over = false;
};

} // namespace trainyard::cli
