// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/engineclient.h"

#include <QBasicTimer>
#include <QHash>
#include <QObject>
#include <QSet>

namespace trainyard::cli
{

// Keeps several jobs up to date until all of them have ended and their results are read, unless that takes long, or
// they are removed; even when the engine is lost meanwhile.
class GroupWatcher : public QObject
{
    Q_OBJECT
public:
    GroupWatcher(EngineClient &client, const QList<JobSummary> &jobs, QObject *parent = nullptr);

    void start(); // signals may come from now on
    QList<JobSummary> jobs() const; // in their first order; those that were removed are left out
    bool isOver() const { return m_left == 0; }

Q_SIGNALS:
    void changed();
    void jobChanged(const trainyard::JobSummary &job); // which has not ended
    void ended(const trainyard::JobSummary &job);
    void over();
    void failed(const trainyard::Error &error); // the engine is gone

private:
    void take(const JobSummary &job);
    void drop(const QString &uuid);
    void readAgain();
    void timerEvent(QTimerEvent *event) override;
    bool isDone(const JobSummary &job) const
    {
        return isFinal(job.state) && (!job.resultsPending || m_givenUp.contains(job.uuid));
    }
    void countDown();

    EngineClient &m_client;
    QStringList m_order;
    QHash<QString, JobSummary> m_jobs;
    qsizetype m_left = 0;
    QBasicTimer m_patience; // for the results of those that have ended
    QSet<QString> m_givenUp; // their results are not waited for any more
};

} // namespace trainyard::cli
