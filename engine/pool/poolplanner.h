// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"
#include "engine/core/ports.h"
#include "engine/pool/codeservice.h"
#include "engine/pool/dataservice.h"
#include "engine/pool/imageservice.h"

#include <map>

namespace trainyard
{

// Where a job could run on the hosts of the pool, asked before there is one: the pool's side of Backend::accept(),
// settle(), neverFits() and plan().
class PoolPlanner
{
public:
    PoolPlanner(const RunFolders &folders, const Settings &settings, const core::Scheduler &scheduler,
        const HostPool &hosts, const ImageService &images, const CodeService &code, const DataService &data,
        const core::PortBook &ports)
        : m_folders(folders), m_settings(settings), m_scheduler(scheduler), m_hosts(hosts), m_images(images),
          m_code(code), m_data(data), m_ports(ports)
    {
    }
    Result<void> accept(Prepared &prepared, const SubmitRequest &request) const;
    Result<void> settle(Prepared &prepared) const;
    std::optional<Error> neverFits(
        const core::JobState &job, const JobSpec &spec, const core::NodeSelector &where) const;
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const;
    // The hosts that the job may run on.
    static core::NodeSelector whereOf(const StoredDocument &document, const JobSpec *spec);

private:
    using Places = std::map<core::TaskRef, core::Allocation>;
    // poolsettling.cpp, with accept() and settle()
    void settleGpuTypes(Prepared &prepared) const;
    void noteHosts(Prepared &prepared) const;
    void settlePlace(Prepared &prepared) const;
    Result<void> checkWork(const Prepared &prepared) const;
    Result<void> checkData(const Prepared &prepared) const;

    // poolplanner.cpp
    const PoolHost *awayHost(const QString &name) const;
    Places placesOf(const core::JobGrants &grants, const core::JobPolicy &policy) const;
    launch::LaunchInput inputOf(const Prepared &prepared, const core::JobState &job, const PlannedTask &task,
        const TaskRole &role, const PoolHost *at) const;

    RunFolders m_folders;
    const Settings &m_settings;
    const core::Scheduler &m_scheduler;
    const HostPool &m_hosts;
    const ImageService &m_images;
    const CodeService &m_code;
    const DataService &m_data;
    const core::PortBook &m_ports;
};

} // namespace trainyard
