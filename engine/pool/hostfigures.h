// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/gpurules.h"
#include "engine/pool/gpuwatch.h"
#include "engine/pool/imageservice.h"
#include "engine/pool/livetry.h"

namespace trainyard
{

// The capacities of hosts, according to their agents and the settings, for the scheduler and for users.
class HostFigures : public QObject
{
    Q_OBJECT
public:
    HostFigures(const Settings &settings, core::Scheduler &scheduler, const HostPool &hosts, const GpuWatch &gpus,
        const ImageService &images, const LiveTries &tries)
        : m_settings(settings), m_scheduler(scheduler), m_hosts(hosts), m_gpus(gpus), m_images(images), m_live(tries)
    {
    }
    void refresh(PoolHost &host); // informs the scheduler when something has changed
    // Found right before a start: the scheduler must not give these GPUs away again at once.
    void setTaken(PoolHost &host, const GpuWatch::Taken &gpus);
    HostInfo infoOf(const PoolHost &host) const;
    QStringList clustersBehind(const QString &host) const; // targets that are reached by way of it
    bool isClusterOffered(const PoolHost &host) const; // as a target
    // Why tasks there do not have what the login shell gives, or nothing.
    static Error otherEnvironmentOf(const PoolHost &host, const Settings &settings);

Q_SIGNALS:
    void capacityChanged(); // the scheduler was informed

private:
    struct Holder {
        QString job, task; // their names
    };
    void tellTasks(const PoolHost &host, HostInfo &info, QHash<int, Holder> &holders) const;
    core::GpuRules gpuRules() const; // as the settings say
    core::WaitReason holdOf(const PoolHost &host) const;
    core::GpuSlot slotOf(PoolHost &host, const contract::Gpu &gpu, const core::GpuRules &rules) const;

    const Settings &m_settings;
    core::Scheduler &m_scheduler;
    const HostPool &m_hosts;
    const GpuWatch &m_gpus;
    const ImageService &m_images;
    const LiveTries &m_live;
};

} // namespace trainyard
