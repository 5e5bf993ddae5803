// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

class PoolBackend;
struct JobSupply;
struct SiteCode;

// The services that clusters get from the pool, which outlives them.

// Copies of work folders on the login node of a cluster are those of the pool.
SiteCode siteCodeOf(PoolBackend &backend, const QString &host, const QString &stateFolder, const QString &epoch);
// Data and keys for jobs of clusters are made as for tasks on hosts.
JobSupply jobSupplyOf(PoolBackend &backend);

} // namespace trainyard
