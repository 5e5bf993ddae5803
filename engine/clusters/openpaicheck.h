// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/openpaiclient.h"

#include <functional>
#include <memory>

namespace trainyard
{

// Checks an OpenPAI cluster: whether it answers, whether the token is that of the user, what the virtual clusters have,
// which storages there are. One step after the other: a failure makes the next ones pointless. `client` outlives it; it
// keeps itself until it is done.
class OpenPaiCheck : public std::enable_shared_from_this<OpenPaiCheck>
{
public:
    using Then = std::function<void(const ClusterInfo &)>;
    static void run(OpenPaiClient &client, const OpenPaiTarget &target, const ClusterInfo &info, const Then &then);

    // Only run() calls it.
    OpenPaiCheck(OpenPaiClient &client, const OpenPaiTarget &target, const ClusterInfo &info, const Then &then);

private:
    void nextStep();
    void add(const char *id, const QString &code, const QJsonObject &args);
    bool failed(const char *id, const OpenPaiClient::Answer &answer); // and then it is done
    void lookAtClusters(const QJsonObject &clusters);

    OpenPaiClient &m_client;
    OpenPaiTarget m_target;
    ClusterInfo m_info;
    Then m_then;
    QStringList m_allowed; // virtual clusters of the user
    bool m_isAdmin = false;
};

} // namespace trainyard
