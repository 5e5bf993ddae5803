// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostquarantine.h"

#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

void HostQuarantine::noteEvent(ActiveJob *, const core::Event &event)
{
    if (const auto *end = std::get_if<core::event::TryEnded>(&event.what)) {
        noteEnd(*end);
    }
}

void HostQuarantine::noteEnd(const core::event::TryEnded &end)
{
    const auto it = m_live.find(end.tryUuid);
    PoolHost *at = it == m_live.end() ? nullptr : m_hosts.find(it->second.host);
    if (!at) {
        return;
    }
    const ActiveJob &job = *it->second.job;
    const core::TaskState &state = job.state.task(end.task).state;
    const core::Allocation *place = core::placeOf(state);
    if (!place || std::holds_alternative<core::Stopping>(state)) {
        return; // how it ends now tells nothing of the machine
    }
    core::FaultRows::End noted;
    noted.host = at->id;
    noted.faultyGpus = end.faultyGpus;
    noted.wasStarted = end.started;
    noted.succeeded = end.started && end.result.code == 0;
    noted.fault = core::machineFault(end.result, end.started);
    noted.failure = {job.state.meta.id, taskLabel(job.state.roleName(end.task), end.task.index), nowMs()};
    for (const core::GpuSlot &gpu : at->capacity.gpus) {
        if (place->gpus.contains(gpu.index)) {
            noted.gpus.append(gpu.uuid);
        }
    }
    const int limit = int(m_settings.integer(u"hosts.quarantineAfter"_s));
    for (const core::FaultRows::Found &found : m_rows.note(noted, limit)) {
        take(*at, found);
    }
}

void HostQuarantine::take(PoolHost &of, const core::FaultRows::Found &found)
{
    HostUse use = of.use;
    if (use.quarantineOf(found.gpu)) {
        return; // by others that had been started before
    }
    Quarantine quarantine{found.gpu, -1, found.kind, nowMs(), found.failures};
    for (const core::GpuSlot &gpu : of.capacity.gpus) {
        if (!found.gpu.isEmpty() && gpu.uuid == found.gpu) {
            quarantine.index = gpu.index;
        }
    }
    use.quarantines.append(quarantine);
    if (const Result<void> written = m_hosts.setUse(of, use); !written) {
        qWarning("trainyard: %s failed too often and is not taken out of use: %s", qPrintable(of.id),
            qPrintable(written.error().args.value("message"_L1).toString()));
        return;
    }
    Q_EMIT quarantined(of.id, quarantine);
}

Result<void> HostQuarantine::release(PoolHost &of, int gpu)
{
    HostUse use = of.use;
    const auto removed = use.quarantines.removeIf(
        [gpu](const Quarantine &each) { return gpu < 0 || (!each.gpu.isEmpty() && each.index == gpu); });
    if (removed == 0) {
        return fail(u"host.no-quarantine"_s, {{u"host"_s, of.id}, {u"gpu"_s, gpu}});
    }
    const QList<Quarantine> before = of.use.quarantines;
    if (const Result<void> written = m_hosts.setUse(of, use); !written) {
        return written;
    }
    for (const Quarantine &each : before) {
        if (!use.quarantines.contains(each)) {
            m_rows.forget(of.id, each.gpu);
        }
    }
    return {};
}

} // namespace trainyard
