// SPDX-License-Identifier: GPL-3.0-or-later
// What stopped tries leave behind on their GPUs.
#include "engine/daemon/engineprivate.h"

#include <QJsonArray>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto lookEvery = std::chrono::milliseconds(500);
constexpr qint64 noiseMiB = 256; // contexts of other programs come and go

} // namespace

bool Engine::Private::isLeft(const EngineHost &of, const contract::Gpu &gpu)
{
    const auto before = of.leftGpus.constFind(gpu.index);
    return before != of.leftGpus.cend() && gpu.memoryUsedMiB > *before + noiseMiB;
}

// A task that was stopped is over when its GPUs have their memory back, or after the patience with them. What is shared
// cannot be told apart.
bool Engine::Private::watchGpus(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    const qint64 seconds = m_settings.integer(u"stop.gpuSeconds"_s);
    if (it == m_live.end() || seconds <= 0) {
        return false;
    }
    LiveTry &entry = it->second;
    const auto *stopping = std::get_if<core::Stopping>(&entry.job->state.task(entry.task).state);
    const EngineHost *at = host(entry.host);
    const bool ran = record.kind != contract::ExitKind::StartFailed;
    if (!stopping || !ran || stopping->place.gpus.isEmpty() || stopping->place.gpuShareMiB > 0 || !at
        || !at->agent->isOnline()) {
        return false;
    }
    entry.exitKnown = true;
    entry.gpuWatchEnds = steadyMs() + seconds * 1000;
    lookAtLeftMemory(tryUuid, record);
    return true;
}

void Engine::Private::lookAtLeftMemory(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    EngineHost *at = it == m_live.end() ? nullptr : host(it->second.host);
    if (!at || !at->agent->isOnline()) {
        classify(tryUuid, record, false);
        return;
    }
    at->agent->request(contract::InventoryRequest{}, [this, tryUuid, record](const contract::Message &answer) {
        const auto *now = std::get_if<contract::Inventory>(&answer);
        const auto entry = m_live.find(tryUuid);
        if (entry == m_live.end()) {
            return;
        }
        const core::Place *place = core::placeOf(entry->second.job->state.task(entry->second.task).state);
        const bool isOver = steadyMs() >= entry->second.gpuWatchEnds;
        QJsonArray left;
        for (const contract::Gpu &gpu : now &&place ? now->gpus : std::vector<contract::Gpu>()) {
            // Not known when the engine was started anew meanwhile.
            const qint64 before = entry->second.gpuBaseMiB.value(gpu.index, gpu.memoryMiB / 10);
            const qint64 more = gpu.memoryUsedMiB - before;
            if (!place->gpus.contains(gpu.index) || more <= qMax(noiseMiB, qint64(gpu.memoryMiB) / 100)) {
                continue;
            }
            QJsonArray holders;
            for (const std::string &holder : gpu.holders) {
                holders.append(QString::fromStdString(holder));
            }
            if (isOver) {
                if (EngineHost *on = host(entry->second.host)) {
                    on->leftGpus.insert(gpu.index, before); // nobody else gets it meanwhile
                }
            }
            left.append(QJsonObject{{u"index"_s, gpu.index}, {u"memoryMiB"_s, more}, {u"holders"_s, holders}});
        }
        if (!left.isEmpty() && !isOver) {
            QTimer::singleShot(lookEvery, q, [this, tryUuid, record] { lookAtLeftMemory(tryUuid, record); });
            return;
        }
        if (!left.isEmpty()) {
            entry->second.left.insert(u"gpus"_s, left);
            if (EngineHost *on = host(entry->second.host)) {
                refreshCapacity(*on);
            }
        }
        classify(tryUuid, record, false);
    });
}

} // namespace trainyard
