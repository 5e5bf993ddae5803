// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/backend/backend.h"
#include "engine/backend/runfolders.h"
#include "engine/client/settings.h"
#include "engine/clusters/jobsupply.h"
#include "engine/clusters/slurmtarget.h"
#include "engine/contract/messages.h"
#include "engine/launch/container.h"

namespace trainyard
{

// Makes the launches of the tasks of a job on a cluster before their nodes are known: each address is a word that the
// lead replaces (addressWord()).
class SlurmLaunches
{
public:
    SlurmLaunches(const SlurmTarget &target, const RunFolders &folders, const Settings &settings)
        : m_target(target.name), m_modules(target.modules), m_folders(folders), m_settings(&settings)
    {
    }
    // For nodes that see none of this computer's files: the home folder there, and the path of the work folder of the
    // job (empty: each try has its own).
    void setElsewhere(const QString &home, const QString &copiedWork)
    {
        m_isHere = false;
        m_home = home;
        m_copiedWork = copiedWork;
    }
    // The supplies of the tasks from other places; null: none. `user` is the user as which they run on the nodes.
    void setSupply(const JobSupply *supply, const SupplyPlace &place, const QString &user)
    {
        m_supply = supply;
        m_place = place;
        m_user = user;
    }
    // The arguments of `srun` for a task, in addition to its resources, that start the step in its image. Empty unless
    // pyxis does that. Codes: job.container-image {role, runIn}, launch.container-work, launch.container-storage,
    // launch.container-mount, slurm.image-path.
    Result<std::vector<std::string>> imageOptions(const ActiveJob &job, core::TaskRef task) const;
    // The runtime of the tasks of a role: "apptainer", "pyxis", or empty for a shell of the node.
    static QString imageRuntimeOf(const StoredDocument &document, const TaskRole &role);
    QString workOf(const StoredDocument &document) const; // empty: each try has its own
    static QString addressWord(const QString &role, int index);
    // In the order of `tasks`, which have allocations with ports. Codes: those of launch/program.h, job.role-missing
    // {role}, and the job's specError.
    Result<std::vector<contract::Launch>> make(const ActiveJob &job, const std::vector<core::TaskRef> &tasks) const;
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &state) const;
    QString folderOf(const ActiveJob &job, core::TaskRef task) const; // of its current try

private:
    // The data for the plugin ssh: the key of the job, and the tasks that start together.
    launch::PluginContext peersOf(const ActiveJob &job, const std::vector<core::TaskRef> &tasks) const;
    Result<launch::RoleProgram> programOf(
        const JobSpec &spec, const TaskRole &role, const QString &runtime, launch::PluginContext context) const;
    launch::Variables dataOf(const QUuid &tryUuid) const;
    launch::Variables expectedData(const Prepared &prepared, const QString &role) const;
    Result<std::vector<std::string>> pyxisOf(
        const JobSpec &spec, const TaskRole &role, const QString &workDir, const launch::Variables &data) const;
    Result<launch::ContainerPlan> containerOf(const JobSpec &spec, const TaskRole &role,
        const launch::LaunchInput &input, const launch::Variables &environment) const;
    launch::LaunchPlan planOf(const JobSpec &spec, const launch::RoleProgram &program,
        const TaskEnvironment &environment, const launch::LaunchInput &input) const;

    QString m_target;
    QStringList m_modules;
    RunFolders m_folders;
    const Settings *m_settings;
    bool m_isHere = true;
    QString m_home, m_copiedWork;
    const JobSupply *m_supply = nullptr;
    SupplyPlace m_place;
    QString m_user;
};

} // namespace trainyard
