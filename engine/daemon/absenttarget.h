// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/runfolders.h"

namespace trainyard
{

// Stands for a target that no back end is registered for: a newer engine has stored the job, or the cluster was removed
// from the settings, which were not kept. It asks nothing and reports nothing about what runs there, so its jobs wait
// until an engine that knows the target continues them, or until they are given up.
class AbsentTarget : public Backend
{
public:
    explicit AbsentTarget(const RunFolders &folders) : m_folders(folders) { }

    TargetInfo info() const override { return {true, 0}; }
    Result<void> accept(Prepared &, const SubmitRequest &) const override { return {}; }
    Result<void> settle(Prepared &) const override { return {}; }
    std::optional<Error> neverFits(const core::JobState &job, const JobSpec &, const StoredDocument &) const override;
    Result<PlanReply> plan(const Prepared &, const core::JobState &) const override { return PlanReply(); }

    void reserve(ActiveJob &, const core::Effect &) override { }
    bool wantsPlacing() const override { return false; }
    void wantPlacing() override { }
    std::vector<JobEvent> place() override { return {}; }
    void perform(const std::vector<JobEffect> &) override { }
    void stopUnwritten(ActiveJob &) override { }
    bool giveUp(ActiveJob &job) override; // "stop.given-up-absent" {target}
    void resume(ActiveJob &) override { }
    void forget(ActiveJob &) override { }

    void describe(const ActiveJob &job, JobSummary &summary) const override;
    void describe(const ActiveJob &, core::TaskRef, TaskInfo &) const override { }
    Error waitReason(const ActiveJob &job) const override; // wait.target or wait.target-removed {target}
    // The files of it on this computer.
    LogSource log(const QString &job, int attempt, const QString &role, int index, int taskTry) const override;
    Result<TaskFolder> filesOf(const QString &host, const QString &, const StoredDocument &) const override;

    QList<KeptTask> keptTasks(const ActiveJob &) const override { return {}; }
    bool release(ActiveJob &, const QStringList &) override { return false; }
    void makeRoom(const QString &job) override { removeRun(job, {}); }
    void removeRun(const QString &job, const QStringList &hosts) override; // only here
    void settingsChanged() override { }

private:
    RunFolders m_folders;
};

} // namespace trainyard
