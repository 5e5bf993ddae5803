// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/launch/container.h"
#include "engine/pool/hostpool.h"
#include "model/protocol/jobdocument.h"

namespace trainyard
{

// Decides what the tasks of a job run in, and manages the containers of those that do not run in a shell of the host. A
// runtime is "podman", "docker" or "apptainer"; empty: a shell.
class ImageService
{
public:
    ImageService(const Settings &settings, const HostPool &hosts) : m_settings(settings), m_hosts(hosts) { }

    // The runtime of the tasks of a job, as far as the job and the request name it; empty: the host decides. Refuses a
    // runtime that no host, or not the target, offers.
    Result<QString> checkRunIn(const JobSpec &spec, const QString &wanted, const QString &target) const;
    QString runInOf(const PoolHost &host) const; // what its tasks run in when the job says nothing
    QString runtimeOf(const QString &ofJob, const TaskRole &role, const PoolHost *at) const;
    Result<launch::ContainerPlan> containerFor(const JobSpec &spec, const TaskRole &role, const QString &runtime,
        const PoolHost *at, const launch::LaunchInput &input, const launch::Variables &environment) const;
    // Makes the launch one in a container; an error when that cannot be.
    std::optional<Error> putIntoContainer(contract::Launch &message, const JobSpec &spec, const TaskRole &role,
        const QString &runtime, const PoolHost &at, const launch::LaunchInput &input,
        const launch::Variables &environment) const;
    // As which user the tasks of a role run there, as sshd in them knows it. `user`: of the host.
    QString taskUserOn(
        const PoolHost &at, const JobSpec &spec, const QString &role, const QString &runIn, const QString &user) const;

private:
    const Settings &m_settings;
    const HostPool &m_hosts;
};

constexpr qint64 leastLimitMiB = 64; // of memory: a shell and its tools must be able to begin

} // namespace trainyard
