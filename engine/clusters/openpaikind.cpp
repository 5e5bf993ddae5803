// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaikind.h"

namespace trainyard
{

QStringList OpenPaiKind::targets() const
{
    QStringList ids;
    for (const OpenPaiTarget &target : openPaiTargetsOf(m_settings)) {
        ids.append(target.id());
    }
    return ids;
}

std::unique_ptr<ClusterBackend> OpenPaiKind::make(const QString &target)
{
    for (const OpenPaiTarget &each : openPaiTargetsOf(m_settings)) {
        if (each.id() == target) {
            return std::make_unique<OpenPaiBackend>(each, m_stateFolder, m_settings);
        }
    }
    return nullptr;
}

} // namespace trainyard
