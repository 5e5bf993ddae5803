// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/secretkeeper.h"
#include "engine/daemon/approvals.h"
#include "engine/daemon/jobpreparation.h"

namespace trainyard
{

// Submits documents as jobs, previews submissions, and stops jobs: the calls of Engine with these names, with their
// errors. A successful answer means that the change is on the disk. Large because each call has its own refusals.
class JobService : public QObject
{
    Q_OBJECT
public:
    JobService(ActiveJobs &jobs, Store &store, StoreReserve &reserve, SecretKeeper &secrets, Backends &backends,
        const ExitRulesFile &exitRules, Tick &tick, Publisher &publisher, const JobPreparation &preparation,
        const JobQueries &queries);

    // `assistant`: as in JobSummary, for a submission that a person has approved.
    Result<SubmitReply> submit(const SubmitRequest &request, const QJsonObject &assistant = {});
    Result<JobOutlook> outlook(const SubmitRequest &request) const; // all but its hosts
    Result<void> check(const SubmitRequest &request) const; // whether it can run with the secrets that it has
    Result<PlanReply> plan(const SubmitRequest &request) const;
    Result<bool> retry(const RetryRequest &request);
    Result<bool> stop(const QString &uuid, bool now = false, const Error &why = {}); // `why`: its reason
    Result<bool> giveUp(const QString &uuid);
    void stopAll();
    Result<bool> release(const QString &uuid, const QStringList &tasks);
    Result<bool> remove(const QString &uuid);
    void restore(StoredJob &&stored); // a job of a former run of the engine; continues with the next tick
    void takeUp(const QString &target); // likewise those of a target that was not there

Q_SIGNALS:
    void removed(const QString &uuid);
    void runsAgain(const QString &uuid); // one that had ended, and has not begun yet

private:
    Result<Prepared> prepare(const SubmitRequest &request, bool needSecrets) const;
    Error stillActive(const QString &uuid) const;
    Result<std::optional<SubmitReply>> submittedBefore(const SubmitRequest &request) const; // with the same key
    core::Step submitted(const Prepared &prepared) const; // with the name that it would have now
    bool cutGrace(ActiveJob &job); // false when none of its tasks is being stopped
    Result<bool> retryNow(ActiveJob &job, const std::vector<core::TaskRef> &tasks); // empty: all
    void loadSpec(ActiveJob &job, const QMap<QString, QString> &secrets = {});
    void begin(std::unique_ptr<ActiveJob> job, const std::vector<core::Effect> &effects);

    ActiveJobs &m_jobs;
    Store &m_store;
    StoreReserve &m_reserve;
    SecretKeeper &m_secrets;
    Backends &m_backends;
    const ExitRulesFile &m_exitRules;
    Tick &m_tick;
    Publisher &m_publisher;
    const JobPreparation &m_preparation;
    const JobQueries &m_queries;
};

} // namespace trainyard
