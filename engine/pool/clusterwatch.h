// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/hostfigures.h"

#include <functional>

namespace trainyard
{

// The answer of a Slurm controller to `scontrol ping` on a host, as reported by its agent: an empty code means that it
// answers; step.cluster.silent {detail}; step.cluster.unconfigured {detail}. Nothing: the agent could not ask.
std::optional<Error> clusterAnswerOf(const contract::Message &said);

// Asks on hosts that have the commands of a Slurm cluster, which would be offered as a target, whether a controller
// answers them: once for each connection, again while none does, and when the host is checked. PoolHost::slurm has what
// was found.
class ClusterWatch : public QObject
{
    Q_OBJECT
public:
    ClusterWatch(HostPool &hosts, const HostFigures &figures) : m_hosts(hosts), m_figures(figures) { }

    void hostChanged(PoolHost &host);
    // `then` is called in any case, also when there is nothing to ask; when there is something to ask, it is called
    // after this has returned.
    void ask(PoolHost &host, const std::function<void()> &then = {});

Q_SIGNALS:
    void answered(trainyard::PoolHost *host);

private:
    void take(const QString &id, const std::optional<Error> &found);

    HostPool &m_hosts;
    const HostFigures &m_figures;
    QSet<QString> m_asked; // hosts, since they are connected
    QSet<QString> m_waits; // hosts that are asked again after a while
};

} // namespace trainyard
