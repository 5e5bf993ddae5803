// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/ports.h"
#include "engine/pool/hostfigures.h"
#include "engine/pool/peerservice.h"

#include <functional>

namespace trainyard
{

// The last step before tasks start on a host: their hosts reach each other (PeerService), the GPUs of their allocations
// are checked again, and their ports are drawn here and bind-tested by the agents, all of them before the first task
// starts. Answers with the events PortsDrawn, PlacementFailed and PlacementReturned; a try whose allocation was
// released meanwhile is passed over.
class PortService : public QObject
{
    Q_OBJECT
public:
    PortService(const Settings &settings, core::Scheduler &scheduler, const ActiveJobs &jobs, HostPool &hosts,
        const LiveTries &tries, GpuWatch &gpus, HostFigures &figures, PeerService &peers);

    struct Wanted {
        ActiveJob *job = nullptr;
        core::effect::DrawPorts draw;
    };
    void draw(const std::vector<Wanted> &wanted); // on hosts that are online; others ask again when they are
    void restore(const QString &host, const QUuid &tryUuid, const core::PortTable &ports);
    void release(const QUuid &tryUuid);
    void readSettings(); // of the range
    const core::PortBook &book() const { return m_book; }

Q_SIGNALS:
    void happened(trainyard::ActiveJob *job, const trainyard::core::Event &event);
    void answered(const QUuid &tryUuid); // by its agent
    void refused(const QUuid &tryUuid, const trainyard::contract::Failure &why); // draw() is to be called again later

private:
    struct Draw {
        QUuid job;
        int attempt = 0;
        core::TaskRef task;
        QUuid tryUuid;
        core::PortTable ports;
        // The allocation of the try may have been released and granted again meanwhile, while the try is the same.
        quint64 number = 0;
    };
    void drawAll(const QUuid &job);
    bool isCurrent(const Draw &draw) const;
    QList<int> gpusOf(const Draw &draw) const;
    void lookAtGpus(PoolHost &host, std::vector<Draw> draws);
    void drawOn(PoolHost &host, std::vector<Draw> draws, int round, const QSet<int> &busy);
    void askPorts(PoolHost &at, std::vector<int> numbers, QSet<int> busy,
        std::function<void(PoolHost &, const QSet<int> &)> then, std::function<void(const contract::Failure &)> failed);
    void drawAgain(const std::vector<Draw> &draws, const contract::Failure &why);
    void portsDrawn(const std::vector<Draw> &draws);
    void portsFailed(const Draw &draw, const Error &why);
    bool isHeldByAnother(const Draw &draw, const Error &why);
    void post(ActiveJob &job, decltype(core::Event::what) what);

    const Settings &m_settings;
    core::Scheduler &m_scheduler;
    const ActiveJobs &m_jobs;
    HostPool &m_hosts;
    const LiveTries &m_live;
    GpuWatch &m_gpus;
    HostFigures &m_figures;
    PeerService &m_peers;
    core::PortBook m_book;
    std::unordered_map<QUuid, quint64, UuidHash> m_newest; // number of the newest draw of a try that is live
    quint64 m_drawNumber = 0;
};

} // namespace trainyard
