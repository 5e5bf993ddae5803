// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

#include <QStringList>

namespace trainyard
{

// The offers of clusters that a job can name, for suggestions. Each appears once; they are sorted.
struct ClusterOffers {
    QStringList queues; // virtual clusters
    QStringList skus;
    QStringList storages;

    // The findings of a check of a cluster, as far as its user may use them.
    void add(const QList<ClusterStep> &steps);
    friend bool operator==(const ClusterOffers &, const ClusterOffers &) = default;
};

} // namespace trainyard
