// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

#include <vector>

namespace trainyard
{

// Which settings make a cluster, for everything that writes, removes or lists clusters: one table for all kinds.
struct ClusterKeys {
    QLatin1StringView kind; // "slurm"
    using Key = QString (*)(const QString &name);
    std::vector<Key> keys; // of a cluster called so; with the first of them it is there, so it is written last
};
const std::vector<ClusterKeys> &clusterKeys();

// The settings of "slurm:lab", the one with which it is there first. Empty: that is not a cluster, or a host of one.
QStringList clusterSettings(const QString &id);
// "slurm:lab" and so on: the clusters that are there with these settings.
QStringList clustersIn(const QJsonObject &settings);

} // namespace trainyard
