// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaikind.h"

namespace trainyard
{

QStringList OpenPaiKind::targets(const Settings &of) const
{
    QStringList ids;
    for (const OpenPaiTarget &target : openPaiTargetsOf(of)) {
        ids.append(target.id());
    }
    return ids;
}

std::unique_ptr<ClusterBackend> OpenPaiKind::make(const QString &target, const Settings &of)
{
    for (const OpenPaiTarget &each : openPaiTargetsOf(of)) {
        if (each.id() == target) {
            return std::make_unique<OpenPaiBackend>(each, m_stateFolder, m_settings);
        }
    }
    return nullptr;
}

} // namespace trainyard
