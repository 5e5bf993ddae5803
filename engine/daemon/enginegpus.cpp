// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs that tasks of other engines have: users of a host share the locks on its GPUs.
#include "engine/daemon/engineprivate.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

// By what is written in the lock: the folder of a try.
bool Engine::Private::isOwnLock(const EngineHost &of, const contract::Gpu &gpu) const
{
    const QString own = of.isLocal() ? QString(m_options.stateFolder + u"/runs/"_s)
                                     : agentFolder(of, m_options.stateFolder + u"/runs/"_s);
    return gpu.lockedBy.starts_with(contract::plainText(own.toStdString()));
}

qint64 Engine::Private::othersMiB(const EngineHost &of, const contract::Gpu &gpu) const
{
    return qMax<qint64>(0, gpu.lockedMiB - m_scheduler.gpuPromisedMiB(of.id, gpu.index));
}

bool Engine::Private::isHeldByOthers(const EngineHost &of, const contract::Gpu &gpu) const
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

// Found when a task was to start there: what the samples had said was older.
void Engine::Private::noteBusyGpu(const QString &hostId, const QString &uuid)
{
    if (EngineHost *at = host(hostId)) {
        at->busyGpus.insert(uuid);
        refreshCapacity(*at);
        Q_EMIT q->hostChanged(infoOf(*at));
    }
}

void Engine::Private::noteFreeGpus(EngineHost &of, const contract::Sample &sample) const
{
    for (const contract::Gpu &gpu : sample.gpus) {
        if (gpu.lockedBy.empty() && (gpu.lockedMiB == 0 || m_settings.flag(u"gpu.share"_s))) {
            of.busyGpus.remove(QString::fromStdString(gpu.uuid));
        }
    }
}

} // namespace trainyard
