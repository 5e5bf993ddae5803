// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/baseenvironment.h"
#include "engine/pool/checkpointservice.h"
#include "engine/pool/codeservice.h"
#include "engine/pool/dataservice.h"
#include "engine/pool/imageservice.h"
#include "engine/pool/jobsshkeys.h"

#include <QHash>
#include <QSet>

#include <map>
#include <memory>
#include <unordered_map>

namespace trainyard
{

// Makes the message by which an agent starts a try: script, environment, folders, limits, container. The common part of
// an attempt's tasks is sent to an agent once, because the cost would otherwise grow with the square of their number.
class LaunchMaker
{
public:
    LaunchMaker(const AgentFolders &folders, const Settings &settings, const HostPool &hosts,
        const ImageService &images, JobSshKeys &sshKeys, const CodeService &code, const CheckpointService &checkpoints,
        const DataService &data, const PoolJobs &jobs);

    struct Refusal {
        Error why;
        int code = 0; // the try ends with it
    };
    struct Made {
        contract::Launch message;
        Error otherEnvironment; // why it has another one than the login shell's, or nothing
    };
    // For a try that has its ports, on a host that is online. Sends what goes before.
    tl::expected<Made, Refusal> make(
        const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const LiveTry &entry, PoolHost &at);
    void hostChanged(const PoolHost &host) { m_told.remove(host.id); } // an agent forgets
    void forget(const ActiveJob &job) { m_jobs.erase(&job); }
    void dropShared(const ActiveJob &job); // of an attempt that has ended
    void attemptOpened(const ActiveJob &job);

private:
    struct Known { // of a job, so that it is made once for all its tasks
        std::map<std::pair<int, QString>, Result<launch::RoleProgram>> programs; // by role and environment
        // The environment that the allocations of the others give: of a gang fixed for the attempt, else as the state
        // is now.
        std::unique_ptr<TaskEnvironment> environment;
        int environmentAttempt = -1;
        quint64 environmentOf = 0; // version of the job
        std::unique_ptr<TaskEnvironment> withoutPlaces; // without a gang: what its tasks have wherever they are
        int withoutPlacesAttempt = -1;
    };
    const TaskEnvironment *environmentFor(const ActiveJob &job);
    const TaskEnvironment *sharedFor(const ActiveJob &job); // null: each task gets all of it
    launch::PluginContext pluginContextOf(const ActiveJob &job);
    const launch::RoleProgram *programFor(
        const ActiveJob &job, int role, const BaseEnvironment &environment, bool inContainer, Error *error);
    launch::LaunchInput inputOf(
        const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const LiveTry &entry, const PoolHost &at) const;
    QString workOn(const ActiveJob &job, const PoolHost &at) const;
    void setLimits(contract::Launch &message, const TaskRole &role) const;
    void shareEnvironment(const TaskEnvironment &environment, PoolHost &at, const QString &key);
    void shareScript(PoolHost &at, const QString &key, const launch::RoleProgram &program);
    void makeCheckpointFolder(const ActiveJob &job, PoolHost &at, const QString &there);

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
    const ImageService &m_images;
    JobSshKeys &m_sshKeys;
    const CodeService &m_code;
    const CheckpointService &m_checkpoints;
    const DataService &m_data;
    const PoolJobs &m_poolJobs;
    std::unordered_map<const ActiveJob *, Known> m_jobs;
    QHash<QString, QSet<QString>> m_told; // by host: keys of what its agent got once for many launches
};

} // namespace trainyard
