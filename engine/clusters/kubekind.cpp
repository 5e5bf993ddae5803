// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubekind.h"

namespace trainyard
{

QStringList KubeKind::targets() const
{
    QStringList ids;
    for (const KubeTarget &target : kubeTargetsOf(m_settings)) {
        ids.append(target.id());
    }
    return ids;
}

std::unique_ptr<ClusterBackend> KubeKind::make(const QString &target)
{
    for (const KubeTarget &each : kubeTargetsOf(m_settings)) {
        if (each.id() == target) {
            return std::make_unique<KubeBackend>(each, m_stateFolder, m_settings, m_commands, m_exitRules);
        }
    }
    return nullptr;
}

} // namespace trainyard
