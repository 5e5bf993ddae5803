// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmkind.h"

namespace trainyard
{

SlurmKind::SlurmKind(const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules)
    : m_options(options), m_settings(settings), m_exitRules(exitRules), m_queue(m_commands, settings)
{
}

QStringList SlurmKind::targets() const
{
    QStringList ids;
    for (const SlurmTarget &target : slurmTargetsOf(m_settings)) {
        ids.append(target.id());
    }
    return ids;
}

std::unique_ptr<ClusterBackend> SlurmKind::make(const QString &target)
{
    for (const SlurmTarget &each : slurmTargetsOf(m_settings)) {
        if (each.id() == target) {
            return std::make_unique<SlurmBackend>(each, m_options, m_settings, m_commands, m_queue, m_exitRules);
        }
    }
    return nullptr;
}

} // namespace trainyard
