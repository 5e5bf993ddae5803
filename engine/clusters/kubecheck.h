// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/clusters/kubecommands.h"
#include "engine/clusters/kubetarget.h"

#include <functional>
#include <memory>

namespace trainyard
{

// Checks a Kubernetes cluster: whether kubectl is here and gets answers, whether JobSets are known there and this user
// may make them, whether the namespace and the queue exist, which GPUs the nodes have. One step after the other: a
// failure makes the next ones pointless. `commands` outlives it; it keeps itself until it is done.
class KubeCheck : public std::enable_shared_from_this<KubeCheck>
{
public:
    using Then = std::function<void(const ClusterInfo &)>;
    static void run(KubeCommands &commands, const KubeTarget &target, const ClusterInfo &info, const Then &then);

    // Only run() calls it.
    KubeCheck(KubeCommands &commands, const KubeTarget &target, const ClusterInfo &info, const Then &then);

private:
    void askVersion();
    void askServer();
    void askKinds();
    void askAllowed(int number);
    void askNamespace();
    void askQueue();
    void askNodes();
    void ask(const QString &step, const QStringList &arguments, const std::function<void(const kube::Answer &)> &good);
    void add(const QString &id, bool isGood, const QString &code, const QJsonObject &args);

    KubeCommands &m_commands;
    KubeTarget m_target;
    ClusterInfo m_info;
    Then m_then;
};

} // namespace trainyard
