// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/daemon/jobservice.h"
#include "engine/daemon/removaltimes.h"

#include <QHash>
#include <QPointer>
#include <QTimer>

namespace trainyard
{

// Removes ended jobs by the settings jobs.keepDays and jobs.keepGiB, a day after it has announced that. It looks some
// time after the start and then hourly, keeps no engine alive for it, and removes nothing right after the start, so
// that the user has time to change the settings after a start of the engine.
class DueRemovals : public QObject
{
    Q_OBJECT
public:
    DueRemovals(const RemovalTimes &times, const RunFolders &folders, const ActiveJobs &jobs, Store &store, Tick &tick,
        JobService &service, const JobQueries &queries, const Settings &settings);

    void begin();
    void settingsChanged(); // looks at once when the limits have changed
    // Calls `then` with what is announced, when no look is under way any longer.
    void whenLooked(QObject *context, std::function<void(const RemovalOutlook &outlook)> then);

Q_SIGNALS:
    void changed(const QString &uuid); // its announcement came or went
    void announced(const QList<trainyard::JobSummary> &jobs); // all of one look

private:
    core::KeepLimits limits() const;
    std::vector<core::EndedJob> endedJobs() const;
    void look();
    void decide(const QHash<QString, qint64> &bytes);
    bool write(const core::DueJobs &due, qint64 now);
    void removeNext();
    void finish();
    void answer();
    qint64 sinceStartMs() const;

    RemovalTimes m_times;
    RunFolders m_folders;
    const ActiveJobs &m_jobs;
    Store &m_store;
    Tick &m_tick;
    JobService &m_service;
    const JobQueries &m_queries;
    const Settings &m_settings;
    core::KeepLimits m_limits; // as of the newest look
    QTimer m_timer;
    qint64 m_startedAt = 0; // steady
    bool m_isLooking = false, m_isWantedAgain = false;
    std::vector<core::EndedJob> m_leaving; // that are removed, one after the other; the oldest is the last
    std::vector<std::pair<QPointer<QObject>, std::function<void(const RemovalOutlook &)>>> m_waiting;
};

} // namespace trainyard
