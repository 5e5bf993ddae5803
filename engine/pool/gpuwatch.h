// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"

#include <QJsonArray>

namespace trainyard
{

// Knows what uses the GPUs of hosts: tasks of this engine, tasks of other engines (users of a host share the locks on
// its GPUs), other programs, or nothing because the GPUs are lost. It also records what the tasks of this engine use of
// them and leave behind.
class GpuWatch : public QObject
{
    Q_OBJECT
public:
    GpuWatch(const AgentFolders &folders, const Settings &settings, const core::Scheduler &scheduler, HostPool &hosts,
        LiveTries &tries);

    // ---- which tasks and programs have them ----
    bool isHeldByOthers(const PoolHost &host, const contract::Gpu &gpu) const; // locked
    bool isUsedByOthers(const PoolHost &host, const contract::Gpu &gpu) const; // without a lock
    bool isLeft(const PoolHost &host, const contract::Gpu &gpu) const; // a stopped task still has its memory
    qint64 othersMiB(const PoolHost &host, const contract::Gpu &gpu) const; // of those with which tasks share it
    // As HostFigures looks at all of a host: notes whose it is now, and what was given back.
    void note(PoolHost &host, const contract::Gpu &gpu) const;
    // GPUs that no task may get, as an agent says right before a start.
    struct Taken {
        QSet<int> foreign, held, lost;
        QSet<int> all() const { return foreign | held | lost; }
    };
    Taken takenNow(const PoolHost &host, const contract::Inventory &now) const;

    // ---- what tries use ----
    void noteStart(const QUuid &tryUuid, const PoolHost &host, const QList<int> &gpus); // unless it is known already
    void noteStarting(PoolHost &host, const QList<int> &gpus) const; // their present use is by tasks of this engine
    void noteBefore(const QUuid &tryUuid, const contract::Inventory &now, const QList<int> &gpus);
    void noteSample(PoolHost &host, const contract::Sample &sample);
    void addUsage(const QUuid &tryUuid, TaskUsage &usage) const;
    void forget(const QUuid &tryUuid) { m_uses.erase(tryUuid); }

    // ---- what happens to them ----
    void noteBusy(const QString &host, const QString &uuid); // found when a task was to start there
    void noteLost(const QString &host, const QStringList &uuids);
    // A task that was stopped has ended when its GPUs have released its memory, or after the time limit for that:
    // memoryChecked(). False: there is nothing to wait for.
    bool waitForMemory(const QUuid &tryUuid, const contract::ExitRecord &record);

Q_SIGNALS:
    void hostChanged(trainyard::PoolHost *host); // other GPUs are free now, for all to see
    void capacityChanged(trainyard::PoolHost *host); // the same, for the scheduler alone
    void memoryChecked(const QUuid &tryUuid, const trainyard::contract::ExitRecord &record);

private:
    struct Use {
        qint64 peakMemoryMiB = 0, percentSum = 0, samples = 0, percentSamples = 0; // while it runs
        QHash<int, qint64> baseMiB; // what was used of its GPUs before it began
        qint64 watchEnds = 0; // steady; until its GPUs have given back their memory
        QJsonArray left; // GPUs on which it has left something behind
    };
    bool isOwnLock(const PoolHost &host, const contract::Gpu &gpu) const;
    void lookAtLeftMemory(const QUuid &tryUuid, const contract::ExitRecord &record);

    AgentFolders m_folders;
    const Settings &m_settings;
    const core::Scheduler &m_scheduler;
    HostPool &m_hosts;
    LiveTries &m_live;
    std::unordered_map<QUuid, Use, UuidHash> m_uses; // by try
};

} // namespace trainyard
