// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/runfolders.h"
#include "engine/daemon/publisher.h"

namespace trainyard
{

// Queries about jobs, active or only in the store: the calls of Engine with these names, with their errors.
class JobQueries
{
public:
    JobQueries(const RunFolders &folders, const ActiveJobs &jobs, const Store &store, const Backends &backends,
        const JobViews &views, Publisher &publisher)
        : m_folders(folders), m_jobs(jobs), m_store(store), m_backends(backends), m_views(views), m_publisher(publisher)
    {
    }
    Result<qint64> idOf(const QString &uuid) const; // job.unknown {job}
    Result<QList<JobSummary>> jobs(const QString &filter, qint64 beforeId, int limit) const;
    QList<JobSummary> activeJobs() const;
    Result<JobDetail> job(const QString &uuid) const;
    Result<JobSummary> summary(const QString &uuid) const;
    // It is false only when it is known that there is no such job, and not when the store cannot be read.
    bool mayBeListed(const QString &uuid) const { return summary(uuid) || m_store.readError(); }
    Result<JobSummary> findJob(const QString &word) const;
    Result<QList<TaskInfo>> tasks(const QString &uuid, int attempt, int from, int limit) const;
    Result<QList<TaskInfo>> earlierTries(const QString &uuid, int attempt, int from, int limit) const;
    Result<TaskOutline> outline(const QString &uuid, int attempt, int most) const;
    Result<QString> logFolder(const QString &uuid, const QString &role, int index, int attempt, int taskTry) const;
    Result<TaskFolder> taskFolder(
        const QString &uuid, const QString &role, int index, int attempt = newestThatRan) const;
    Result<SubmitRequest> submissionOf(const QString &uuid) const;

private:
    int attemptThatRan(const QString &uuid) const; // the newest that has begun; -1: none has
    QString hostOf(const QString &uuid, const TaskInfo &task) const; // of the try whose log is shown
    std::optional<OtherJob> otherJob(const QString &uuid) const; // nothing: none is named
    void describe(const StoredDocument &document, JobDetail &detail) const;
    void explainFailures(const QString &uuid, QList<TaskInfo> &tasks) const; // by what was seen of their losses
    void findLogs(qint64 id, const QString &uuid, QList<TaskInfo> &tasks) const; // of tasks as the store has them
    const Backend &backendOf(qint64 id) const;
    // The jobs that were read, unless the store could not be read to its end.
    template <typename T> Result<T> whole(T value) const
    {
        if (const std::optional<Error> damaged = m_store.readError()) {
            return tl::unexpected<Error>(*damaged);
        }
        return value;
    }

    RunFolders m_folders;
    const ActiveJobs &m_jobs;
    const Store &m_store;
    const Backends &m_backends;
    const JobViews &m_views;
    Publisher &m_publisher;
};

} // namespace trainyard
