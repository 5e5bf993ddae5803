// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchneeds.h"

#include "engine/pool/dataplace.h"

namespace trainyard
{

LaunchNeeds::LaunchNeeds(CodeService &code, CheckpointService &checkpoints, DataService &data)
    : m_code(code), m_checkpoints(checkpoints), m_data(data)
{
    const auto tell = [this](const QUuid &, const QSet<QUuid> &waiting) { Q_EMIT described(waiting); };
    connect(&m_code, &CodeService::ready, this, &LaunchNeeds::ready);
    connect(&m_code, &CodeService::described, this, tell);
    connect(&m_checkpoints, &CheckpointService::ready, this, &LaunchNeeds::ready);
    connect(&m_checkpoints, &CheckpointService::described, this, tell);
    connect(&m_data, &DataService::ready, this, &LaunchNeeds::ready);
    connect(&m_data, &DataService::described, this, tell);
}

std::optional<LaunchNeeds::Missing> LaunchNeeds::missing(
    const ActiveJob &job, core::TaskRef task, PoolHost &at, const QUuid &tryUuid)
{
    if (m_code.isAwaited(job, at, tryUuid)) {
        return Missing();
    }
    if (const std::optional<Error> problem = m_code.problemOn(job, at)) {
        return Missing{problem};
    }
    if (m_checkpoints.isAwaited(job, task, at, tryUuid)) {
        return Missing();
    }
    if (const std::optional<Error> problem = m_checkpoints.problemOf(tryUuid)) {
        return Missing{problem};
    }
    if (m_data.isAwaited(job, task, dataPlaceOf(at), tryUuid)) {
        return Missing();
    }
    if (const std::optional<Error> problem = m_data.problemOf(tryUuid)) {
        return Missing{problem};
    }
    return std::nullopt;
}

void LaunchNeeds::hostChanged(PoolHost &host)
{
    m_code.hostChanged(host);
    m_checkpoints.hostChanged(host);
    m_data.hostChanged(host);
}

} // namespace trainyard
