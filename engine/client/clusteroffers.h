// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

#include <QStringList>

namespace trainyard
{

// What clusters offer that a job can name, for suggestions. Each once, sorted.
struct ClusterOffers {
    QStringList queues; // virtual clusters
    QStringList skus;
    QStringList storages;

    // What a check of a cluster has found, as far as its user may use it.
    void add(const QList<ClusterStep> &steps);
    friend bool operator==(const ClusterOffers &, const ClusterOffers &) = default;
};

} // namespace trainyard
