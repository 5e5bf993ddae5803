// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/api/values.h"
#include "model/protocol/capacity.h"

#include <QJsonObject>
#include <QList>
#include <QStringList>

namespace trainyard
{

// The limits that checkCapacity() compares a job with, for the window and the command line: the most that any host of
// the list has for tasks, and the names and labels of the hosts. They do not contain the storages, which are in the
// settings. Nothing is known of a host that cannot be reached at the moment. `memoryReserveMiB` is the setting
// memory.reserveMiB.
HostLimits hostLimits(const QList<HostInfo> &hosts, qint64 memoryReserveMiB);

// The same of the nodes of a cluster, by its newest check: the most that one of them has in the partitions to which
// jobs go. Where nothing is known of them, nothing is in it.
HostLimits nodeLimits(const ClusterInfo &cluster);

// The names of storages that have a folder in the settings of the engine (api::GetSettings).
QStringList storageNames(const QJsonObject &settings);

// The setting that hostLimits() takes.
qint64 memoryReserveOf(const QJsonObject &settings);

} // namespace trainyard
