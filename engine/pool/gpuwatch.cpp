// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/gpuwatch.h"

#include "engine/backend/clock.h"

#include <QJsonArray>
#include <QTimer>

#include <chrono>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto lookEvery = std::chrono::milliseconds(500);
constexpr qint64 noiseMiB = 256; // contexts of other programs come and go

} // namespace

GpuWatch::GpuWatch(const AgentFolders &folders, const Settings &settings, const core::Scheduler &scheduler,
    HostPool &hosts, LiveTries &tries)
    : m_folders(folders), m_settings(settings), m_scheduler(scheduler), m_hosts(hosts), m_live(tries)
{
}

// ---- whose they are ----

// By what is written in the lock: the folder of a try.
bool GpuWatch::isOwnLock(const PoolHost &of, const contract::Gpu &gpu) const
{
    const QString own = m_folders.on(of, m_folders.local().runs() + u'/');
    return gpu.lockedBy.starts_with(contract::plainText(own.toStdString()));
}

qint64 GpuWatch::othersMiB(const PoolHost &of, const contract::Gpu &gpu) const
{
    return qMax<qint64>(0, gpu.lockedMiB - m_scheduler.gpuPromisedMiB(of.id, gpu.index));
}

bool GpuWatch::isHeldByOthers(const PoolHost &of, const contract::Gpu &gpu) const
{
    if (of.busyGpus.contains(QString::fromStdString(gpu.uuid))) {
        return true;
    }
    const bool isOurs = m_scheduler.gpuHolder(of.id, gpu.index) != 0;
    if (!gpu.lockedBy.empty()) {
        return !isOwnLock(of, gpu) && (gpu.lockedBy != "?" || !isOurs);
    }
    return !isOurs && gpu.lockedMiB > 0 && !m_settings.flag(u"gpu.share"_s);
}

// The driver names its process, or only the memory shows it: in containers, under WSL2, and for other users with MIG,
// processes are hidden. Memory of our tasks does not count, and neither does memory that is being released right after
// one.
bool GpuWatch::isUsedByOthers(const PoolHost &of, const contract::Gpu &gpu) const
{
    constexpr qint64 givingBackMs = 10000;
    if (gpu.foreign) {
        return true;
    }
    const qint64 limit = m_settings.integer(u"gpu.foreignMemoryMiB"_s);
    if (limit <= 0 || gpu.memoryUsedMiB < limit || !gpu.lockedBy.empty() || gpu.lockedMiB > 0) {
        return false;
    }
    const auto own = of.ownGpuUse.constFind(gpu.index);
    return own == of.ownGpuUse.cend() || steadyMs() - *own >= givingBackMs;
}

bool GpuWatch::isLeft(const PoolHost &of, const contract::Gpu &gpu) const
{
    const auto before = of.leftGpus.constFind(gpu.index);
    return before != of.leftGpus.cend() && gpu.memoryUsedMiB > *before + noiseMiB;
}

void GpuWatch::note(PoolHost &of, const contract::Gpu &gpu) const
{
    // A task of ours on it does not count as foreign, whatever the agent has made of its processes.
    if (isOwnLock(of, gpu) || (gpu.lockedMiB > 0 && m_scheduler.gpuPromisedMiB(of.id, gpu.index) > 0)) {
        of.ownGpuUse.insert(gpu.index, steadyMs());
    }
    if (!isLeft(of, gpu)) {
        of.leftGpus.remove(gpu.index);
    }
}

GpuWatch::Taken GpuWatch::takenNow(const PoolHost &of, const contract::Inventory &now) const
{
    Taken taken;
    for (const contract::Gpu &gpu : now.gpus) {
        const bool isLocked = !gpu.lockedBy.empty() && !isOwnLock(of, gpu);
        if (gpu.missing) {
            taken.lost.insert(gpu.index);
        } else if (isUsedByOthers(of, gpu)) {
            taken.foreign.insert(gpu.index);
        } else if (isLocked) {
            taken.held.insert(gpu.index);
        }
    }
    return taken;
}

// ---- what tries use ----

void GpuWatch::noteStart(const QUuid &tryUuid, const PoolHost &of, const QList<int> &gpus)
{
    Use &use = m_uses[tryUuid];
    for (const contract::Gpu &known : of.agent->inventory().gpus) {
        if (gpus.contains(known.index) && !use.baseMiB.contains(known.index)) {
            use.baseMiB.insert(known.index, known.memoryUsedMiB);
        }
    }
}

void GpuWatch::noteStarting(PoolHost &of, const QList<int> &gpus) const
{
    for (const int index : gpus) {
        of.ownGpuUse.insert(index, steadyMs());
    }
}

void GpuWatch::noteBefore(const QUuid &tryUuid, const contract::Inventory &now, const QList<int> &gpus)
{
    Use &use = m_uses[tryUuid];
    for (const contract::Gpu &gpu : now.gpus) {
        if (gpus.contains(gpu.index)) {
            use.baseMiB.insert(gpu.index, gpu.memoryUsedMiB);
        }
    }
}

void GpuWatch::noteSample(PoolHost &of, const contract::Sample &sample)
{
    for (const QUuid &uuid : std::as_const(of.tries)) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end() || sample.gpus.empty()) {
            continue;
        }
        const LiveTry &entry = it->second;
        const auto *running = std::get_if<core::Running>(&entry.job->state.task(entry.task).state);
        if (!running || running->place.gpuShareMiB != 0) {
            continue; // on a shared GPU it is not known whose memory is whose
        }
        Use &use = m_uses[uuid];
        for (const contract::Gpu &gpu : sample.gpus) {
            // No figures are reported for an instance of MIG.
            const bool isItsOwn = running->place.gpus.contains(gpu.index) && !gpu.uuid.starts_with("MIG-");
            if (isItsOwn) {
                use.peakMemoryMiB = qMax(use.peakMemoryMiB, qint64(gpu.memoryUsedMiB));
                ++use.samples;
            }
            if (isItsOwn && gpu.utilPercent >= 0) {
                use.percentSum += gpu.utilPercent;
                ++use.percentSamples;
            }
        }
    }
    for (const contract::Gpu &gpu : sample.gpus) {
        if (gpu.lockedBy.empty() && (gpu.lockedMiB == 0 || m_settings.flag(u"gpu.share"_s))) {
            of.busyGpus.remove(QString::fromStdString(gpu.uuid));
        }
    }
}

void GpuWatch::addUsage(const QUuid &tryUuid, TaskUsage &usage) const
{
    const auto it = m_uses.find(tryUuid);
    if (it == m_uses.end()) {
        return;
    }
    const Use &use = it->second;
    if (use.samples > 0) {
        usage.peakGpuMemoryMiB = use.peakMemoryMiB;
    }
    if (use.percentSamples > 0) {
        usage.gpuPercent = int(use.percentSum / use.percentSamples);
    }
    if (!use.left.isEmpty()) {
        usage.left.insert(u"gpus"_s, use.left);
    }
}

// ---- what happens to them ----

// The values of the samples were older.
void GpuWatch::noteBusy(const QString &hostId, const QString &uuid)
{
    if (PoolHost *at = m_hosts.find(hostId)) {
        at->busyGpus.insert(uuid);
        Q_EMIT hostChanged(at);
    }
}

// The next try is to get another one. A boot brings it back, or its own return to the list after it was not there.
void GpuWatch::noteLost(const QString &hostId, const QStringList &uuids)
{
    PoolHost *at = m_hosts.find(hostId);
    if (!at || uuids.isEmpty()) {
        return;
    }
    at->lostGpus += QSet<QString>(uuids.begin(), uuids.end());
    at->lostInBoot = at->agent->hello().bootId;
    Q_EMIT hostChanged(at);
}

// The use of a shared GPU cannot be attributed.
bool GpuWatch::waitForMemory(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    const qint64 seconds = m_settings.integer(u"stop.gpuSeconds"_s);
    if (it == m_live.end() || seconds <= 0) {
        return false;
    }
    LiveTry &entry = it->second;
    const auto *stopping = std::get_if<core::Stopping>(&entry.job->state.task(entry.task).state);
    const PoolHost *at = m_hosts.find(entry.host);
    const bool ran = record.kind != contract::ExitKind::StartFailed;
    if (!stopping || !ran || stopping->place.gpus.isEmpty() || stopping->place.gpuShareMiB > 0 || !at
        || !at->agent->isOnline()) {
        return false;
    }
    entry.exitKnown = true;
    m_uses[tryUuid].watchEnds = steadyMs() + seconds * 1000;
    lookAtLeftMemory(tryUuid, record);
    return true;
}

void GpuWatch::lookAtLeftMemory(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    PoolHost *at = it == m_live.end() ? nullptr : m_hosts.find(it->second.host);
    if (!at || !at->agent->isOnline()) {
        Q_EMIT memoryChecked(tryUuid, record);
        return;
    }
    at->agent->request(contract::InventoryRequest{}, [this, tryUuid, record](const contract::Message &answer) {
        const auto *now = std::get_if<contract::Inventory>(&answer);
        const auto entry = m_live.find(tryUuid);
        if (entry == m_live.end()) {
            return;
        }
        const core::Allocation *place = core::placeOf(entry->second.job->state.task(entry->second.task).state);
        Use &use = m_uses[tryUuid];
        const bool isOver = steadyMs() >= use.watchEnds;
        QJsonArray left;
        for (const contract::Gpu &gpu : now &&place ? now->gpus : std::vector<contract::Gpu>()) {
            // Not known when the engine was started again meanwhile.
            const qint64 before = use.baseMiB.value(gpu.index, gpu.memoryMiB / 10);
            const qint64 more = gpu.memoryUsedMiB - before;
            if (!place->gpus.contains(gpu.index) || more <= qMax(noiseMiB, qint64(gpu.memoryMiB) / 100)) {
                continue;
            }
            QJsonArray holders;
            for (const std::string &holder : gpu.holders) {
                holders.append(QString::fromStdString(holder));
            }
            if (isOver) {
                if (PoolHost *on = m_hosts.find(entry->second.host)) {
                    on->leftGpus.insert(gpu.index, before); // no other task gets it meanwhile
                }
            }
            left.append(QJsonObject{{u"index"_s, gpu.index}, {u"memoryMiB"_s, more}, {u"holders"_s, holders}});
        }
        if (!left.isEmpty() && !isOver) {
            QTimer::singleShot(lookEvery, this, [this, tryUuid, record] { lookAtLeftMemory(tryUuid, record); });
            return;
        }
        if (!left.isEmpty()) {
            use.left = left;
            if (PoolHost *on = m_hosts.find(entry->second.host)) {
                Q_EMIT capacityChanged(on);
            }
        }
        Q_EMIT memoryChecked(tryUuid, record);
    });
}

} // namespace trainyard
