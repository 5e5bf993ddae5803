// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskports.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/portforward.h"

#include <memory>
#include <vector>

namespace trainyard
{

// The ports of running tasks that are forwarded to this computer. A forward ends with the try of its task, when it is
// asked for, or with the engine; nothing of it is stored.
class PortForwards : public QObject
{
    Q_OBJECT
public:
    PortForwards(
        HostPool &hosts, const ActiveJobs &jobs, const LiveTries &tries, std::function<QString(const Error &)> words);

    // A task that runs on a node of a cluster.
    struct OnNode {
        QString through; // id of the host that reaches the node: this computer, or the login node
        QString name, address; // of the node; the address in numbers
    };
    using Nodes = std::function<std::optional<OnNode>(const ActiveJob &job, core::TaskRef task)>;
    void setNodes(Nodes nodes) { m_nodes = std::move(nodes); } // where tasks are that no host has

    // The ports of tasks that run, in their order; none of a job that has ended.
    QList<api::TaskPort> list(const api::PortsOf &which) const;
    // Forwards the port, or returns the forward of it that is there already. forward.bad-port {port},
    // forward.not-running {task}, forward.no-way {task}, host.unknown {host}, forward.too-many {most} and those of
    // PortForward.
    Result<api::TaskPort> forward(const api::PortToForward &wanted);
    bool stop(const api::ForwardToStop &which); // true: there was something to stop
    void end(const QUuid &tryUuid); // the try has ended

private:
    struct Entry {
        QUuid tryUuid;
        QString job, role;
        int index = 0;
        std::unique_ptr<PortForward> forward;
    };
    struct RunningTry {
        QUuid tryUuid;
        PoolHost *host = nullptr; // by whose connection it is reached
        const core::Allocation *place = nullptr;
        QString name, address = {}; // where it runs; the address of a node that is another computer
        bool isHere() const { return address.isEmpty() && host->isLocal(); }
    };
    static constexpr std::size_t mostForwards = 100;
    static constexpr int mostConnections = 400; // of all together: each takes a descriptor
    static constexpr qsizetype mostListed = 5000;
    std::optional<RunningTry> running(const ActiveJob &job, core::TaskRef task) const;
    void addPorts(const ActiveJob &job, core::TaskRef task, bool withUnasked, QList<api::TaskPort> &ports) const;
    const PortForward *find(const QUuid &tryUuid, int port) const;
    int connections() const;
    void resumeAll();
    std::unique_ptr<PortForward> make(const RunningTry &to, int port);

    HostPool &m_hosts;
    const ActiveJobs &m_jobs;
    const LiveTries &m_live;
    std::function<QString(const Error &)> m_words;
    Nodes m_nodes;
    std::vector<Entry> m_entries;
};

} // namespace trainyard
