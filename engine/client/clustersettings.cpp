// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/clustersettings.h"

#include "engine/api/clusters.h"
#include "engine/client/kubeoptions.h"
#include "engine/client/openpaisettings.h"
#include "engine/client/slurmoptions.h"

namespace trainyard
{

const std::vector<ClusterKeys> &clusterKeys()
{
    static const std::vector<ClusterKeys> table{
        {slurmKind, {slurmOptionsKey, slurmFolderKey, slurmLoginKey, slurmImagesKey, slurmModulesKey}},
        {openPaiKind, {openPaiAddressKey, openPaiUserKey, openPaiClusterKey, openPaiPlainKey}},
        {kubernetesKind, {kubeOptionsKey, kubeQueueKey}},
    };
    return table;
}

QStringList clusterSettings(const QString &id)
{
    QStringList keys;
    if (const std::optional<ClusterPlace> place = clusterPlaceOf(id); place && !id.contains(QLatin1Char('/'))) {
        for (const ClusterKeys &kind : clusterKeys()) {
            for (const ClusterKeys::Key key : kind.kind == place->kind ? kind.keys : std::vector<ClusterKeys::Key>()) {
                keys.append(key(place->cluster));
            }
        }
    }
    return keys;
}

QStringList clustersIn(const QJsonObject &settings)
{
    QStringList ids;
    for (const ClusterKeys &kind : clusterKeys()) {
        const QString family = kind.keys.front()({});
        const QStringList keys = settings.keys();
        for (const QString &key : keys) {
            if (key.size() > family.size() && key.startsWith(family)) {
                ids.append(kind.kind + QLatin1Char(':') + key.mid(family.size()));
            }
        }
    }
    return ids;
}

} // namespace trainyard
