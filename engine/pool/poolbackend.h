// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/reasons.h"
#include "engine/backend/backend.h"
#include "engine/pool/codesyncs.h"
#include "engine/pool/hostadmin.h"
#include "engine/pool/hostdemand.h"
#include "engine/pool/hostinsight.h"
#include "engine/pool/housekeeping.h"
#include "engine/pool/poolplanner.h"
#include "engine/pool/portforwards.h"
#include "engine/pool/resultservice.h"
#include "engine/pool/retention.h"
#include "engine/pool/taskfiles.h"
#include "engine/pool/taskrunner.h"

namespace trainyard
{

// The back end of this computer and the hosts that are reached by ssh: Trainyard's scheduler places tasks on them, and
// agents run them. It owns the parts, connects what one reports to what another does, and does not know how they do it:
// most of its methods are Backend's, and pass a call on. Large because Backend is: nearly each method passes a call on.
class PoolBackend : public Backend
{
    Q_OBJECT
public:
    // `epoch` names the store: hosts keep the files of its jobs apart by it. The references are kept.
    PoolBackend(const HostPool::Options &options, const QString &epoch, const Settings &settings, SecretKeeper &secrets,
        ExitRulesFile &exitRules, core::Scheduler &scheduler, const ActiveJobs &jobs);
    ~PoolBackend() override;
    Result<bool> load(); // the errors of HostPool::load(); nothing is connected yet
    void start();

    HostPool &hosts() { return m_hosts; }
    HostAdmin &admin() { return m_admin; }
    const Housekeeping &housekeeping() const { return m_housekeeping; }
    const HostInsight &insight() const { return m_insight; }
    const ResultService &results() const { return m_results; }
    bool isBringing() const; // results or logs of jobs that may have ended are on their way
    const TaskFiles &taskFiles() const { return m_taskFiles; }
    PortForwards &forwards() { return m_forwards; }
    // Results of a try on a cluster, whose files a host of the pool reaches.
    void beginResults(const ActiveJob &job, const ResultPlace &place);
    void endResults(const QUuid &tryUuid) { m_results.end(tryUuid); }
    HostQuarantine &quarantine() { return m_quarantine; }
    CodeService &code() { return m_code; }
    CodeSyncs &codeSyncs() { return m_codeSyncs; }
    DataService &data() { return m_data; }
    TryReports &reports() { return m_reports; }
    JobSshKeys &sshKeys() { return m_sshKeys; }

    TargetInfo info() const override;
    Result<void> accept(Prepared &prepared, const SubmitRequest &request) const override;
    Result<void> settle(Prepared &prepared) const override;
    std::optional<Error> neverFits(
        const core::JobState &job, const JobSpec &spec, const StoredDocument &document) const override;
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const override;

    void reserve(ActiveJob &job, const core::Effect &effect) override;
    bool wantsPlacing() const override { return m_wantsPlacing; }
    void wantPlacing() override;
    std::vector<JobEvent> place() override;

    void perform(const std::vector<JobEffect> &effects) override;
    void stopUnwritten(ActiveJob &job) override;
    bool giveUp(ActiveJob &job) override;
    void resume(ActiveJob &job) override;
    void forget(ActiveJob &job) override;

    void describe(const ActiveJob &job, JobSummary &summary) const override;
    void describe(const ActiveJob &job, core::TaskRef task, TaskInfo &info) const override;
    void describeStored(TaskInfo &info) const override; // one that was given up may have ended on its host since
    Error waitReason(const ActiveJob &job) const override;
    LogSource log(const QString &job, int attempt, const QString &role, int index, int taskTry) const override;
    Result<TaskFolder> filesOf(
        const QString &host, const QString &logFolder, const StoredDocument &document) const override;

    QList<KeptTask> keptTasks(const ActiveJob &job) const override;
    QList<BroughtFiles> broughtFiles(const QString &job) const override { return m_results.of(job); }
    bool release(ActiveJob &job, const QStringList &tasks) override;
    void makeRoom(const QString &job) override;
    void removeRun(const QString &job, const QStringList &hosts) override;

    void settingsChanged() override;

Q_SIGNALS:
    void hostChanged(const trainyard::HostInfo &host);

private:
    void connectParts();
    void take(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const QString &host);
    void give(ActiveJob &job, const core::effect::ReleaseTry &release);
    void tellHost(PoolHost &host);
    void noteResults(const QUuid &tryUuid, const LiveTry &entry);
    std::optional<reason::StopHostAway> awaitedStop(const ActiveJob &job) const;

    AgentFolders m_folders;
    core::Scheduler &m_scheduler;
    const ActiveJobs &m_jobs;
    LiveTries m_live;
    PoolJobs m_poolJobs;

    // In the order in which they need each other.
    HostPool m_hosts;
    ImageService m_images;
    GpuWatch m_gpus;
    HostQuarantine m_quarantine;
    HostFigures m_figures;
    ClusterWatch m_clusterWatch;
    PeerService m_peers;
    PortService m_ports;
    JobSshKeys m_sshKeys;
    CodeService m_code;
    CodeSyncs m_codeSyncs;
    CheckpointService m_checkpoints;
    DataService m_data;
    ResultService m_results;
    HostDemand m_demand;
    LaunchMaker m_launches;
    ExitJudge m_judge;
    TryReports m_reports;
    OwnFolders m_own;
    TaskRunner m_runner;
    PortForwards m_forwards;
    Retention m_retention;
    PoolPlanner m_planner;
    HostAdmin m_admin;
    Housekeeping m_housekeeping;
    HostInsight m_insight;
    TaskFiles m_taskFiles;
    bool m_wantsPlacing = false;
};

} // namespace trainyard
