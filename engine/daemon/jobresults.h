// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/daemon/jobqueries.h"
#include "engine/daemon/jobreadings.h"
#include "engine/daemon/tick.h"

#include <QSet>
#include <QTimer>

namespace trainyard
{

// Keeps up with what the tasks of jobs print, and stores the results of those that are over: their outputs are read
// once, and lists show what came out of each job without reading any. Only the first tasks of a job are read.
class JobResults : public QObject
{
    Q_OBJECT
public:
    static constexpr std::size_t mostOutputs = 512; // at a time; what is beyond waits for others to end
    JobResults(ActiveJobs &jobs, Store &store, const JobQueries &queries, const JobViews &views, JobReadings &readings,
        const Settings &settings, Publisher &publisher, Tick &tick, std::size_t most = mostOutputs);

    void begin(); // with jobs, too, that ended while no engine was there to read them
    void forget(const QString &uuid); // it was removed, or what it said no longer counts
    void settingsChanged();
    void setInSight(const QSet<QString> &uuids); // a client shows how far these are

Q_SIGNALS:
    void changed(const QString &uuid); // what the outputs of the job say, in JobReadings
    void stored(const QString &uuid);

private:
    bool hasRoomFor(const QString &uuid) const;
    void look();
    void lookAt(const QString &uuid, const ActiveJob &job);
    void watchFormer(const QString &uuid, JobReadings::Job &entry, const ActiveJob &job);
    QStringList earlierFolders(const QString &uuid, const TaskInfo &task) const; // of the tries of the task before
    OutputRules rulesOf(const JobSpec *spec, const QString &role) const; // null: the job cannot be read
    void watch(
        const QString &uuid, JobReadings::Job &job, core::TaskRef ref, const TaskInfo &task, const JobSpec *spec);
    void unwatch(const JobReadings::Task &task);
    void take(quint64 key, const OutputReading &reading);
    void advance(quint64 key, const ProgressRate &progress);
    void end(ActiveJob *job);
    void storeEnded();
    void readNextLeft();
    void want();

    ActiveJobs &m_jobs;
    Store &m_store;
    const JobQueries &m_queries;
    const JobViews &m_views;
    JobReadings &m_readings;
    const Settings &m_settings;
    Publisher &m_publisher;
    Tick &m_tick;
    OutputWatch m_watch;
    QTimer m_timer;
    std::unordered_map<quint64, std::pair<QString, core::TaskRef>> m_tasks; // by the key of the watch
    QSet<QString> m_inSight;
    std::vector<JobSummary> m_left; // ended jobs that were not read yet; the newest is the last
    quint64 m_nextKey = 1;
    std::size_t m_most;
};

} // namespace trainyard
