// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"

namespace trainyard
{

// Under which the keyring has the tokens of clusters, by their ids. No job is called so: its name has no blank.
constexpr QLatin1StringView clusterSecrets{"tokens of clusters"};

// The engine has had no token for it since its start or since the address was changed. A removed cluster needs its
// token as well, as long as it has active jobs.
inline bool wantsToken(const ClusterInfo &cluster)
{
    return cluster.error == QLatin1StringView("openpai.no-token")
        || cluster.error == QLatin1StringView("openpai.no-token-removed");
}

} // namespace trainyard
