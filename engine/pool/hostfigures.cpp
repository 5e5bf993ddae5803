// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostfigures.h"

#include "engine/api/hostmemory.h"
#include "engine/api/hoststeps.h"
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/activejob.h"
#include "engine/client/slurmoptions.h"
#include "engine/core/weekhours.h"
#include "engine/hosts/hostsfile.h"
#include "engine/pool/stepsofhost.h"

#include <QDateTime>

#include <algorithm>
#include <map>

namespace trainyard
{

using namespace Qt::StringLiterals;

core::GpuRules HostFigures::gpuRules() const
{
    return {m_settings.list(u"gpu.exclude"_s), m_settings.list(u"gpu.prefer"_s), m_settings.list(u"gpu.keepHours"_s)};
}

// Restrictions by its user or by failures that were found.
static Error closedBy(const PoolHost &of, const QStringList &clusters, bool mayTrain)
{
    if (!clusters.isEmpty() && !mayTrain) {
        return errorOf(reason::WaitLoginNode{.host = of.id, .target = clusters.first()});
    }
    if (of.use.drained) {
        return errorOf(reason::WaitDrained{of.id});
    }
    const std::optional<core::WeekHours> hours = core::weekHours(of.use.hours);
    if (const auto end = hours ? core::hoursEnd(*hours, QDateTime::currentDateTime()) : std::nullopt) {
        return errorOf(reason::WaitClosed{.host = of.id, .until = end->until, .hours = of.use.hours});
    }
    if (const Quarantine *quarantine = of.use.quarantineOf({})) {
        return errorOf(reason::WaitQuarantine{
            .host = of.id, .failures = int(quarantine->failures.size()), .kind = quarantine->kind});
    }
    return {};
}

// Its commands are there, it is not a target yet, and the settings do not say that it is not to be offered.
bool HostFigures::isClusterOffered(const PoolHost &host) const
{
    if (!host.agent->inventory().hasSlurm || !m_settings.flag(u"clusters.offerSlurm"_s)) {
        return false;
    }
    if (!host.isLocal()) {
        return clustersBehind(host.id).isEmpty();
    }
    const QMap<QString, QString> clusters = m_settings.texts(u"slurm."_s), logins = m_settings.texts(u"slurmLogin."_s);
    return std::all_of(clusters.keyBegin(), clusters.keyEnd(),
        [&logins](const QString &name) { return !logins.value(name).isEmpty(); });
}

QStringList HostFigures::clustersBehind(const QString &host) const
{
    QStringList targets;
    const QMap<QString, QString> logins = m_settings.texts(slurmLoginKey({})),
                                 clusters = m_settings.texts(slurmOptionsKey({}));
    for (auto it = logins.cbegin(); it != logins.cend(); ++it) {
        if (it.value() == host && clusters.contains(it.key())) {
            targets.append(slurmTargetId(it.key()));
        }
    }
    return targets;
}

// Before tasks lose output: on the host's own disk, and on this computer's, where the logs of all are kept. The
// restriction is lifted at a slightly higher value, so that it does not flicker.
core::WaitReason HostFigures::holdOf(const PoolHost &of) const
{
    if (const Error closed = closedBy(of, clustersBehind(of.id), m_settings.flag(u"clusters.trainOnLogin"_s));
        !closed.code.isEmpty()) {
        return closed;
    }
    const PoolHost *here = m_hosts.find(u"local"_s);
    for (const PoolHost *each : {&of, here}) {
        if (!each || each->diskFreeMiB < 0) {
            continue;
        }
        // On a small disk a twentieth of it.
        const qint64 least = qMin(m_settings.integer(u"disk.holdMiB"_s), qMax<qint64>(0, each->diskMiB) / 20);
        const auto before = reason::as<reason::WaitDisk>(of.capacity.hold);
        const bool wasHeld = before && before->host == each->id;
        const qint64 wanted = wasHeld ? least + least / 10 : least;
        if (each->diskFreeMiB < wanted) {
            return errorOf(reason::WaitDisk{.host = each->id, .wantedMiB = least});
        }
    }
    return {};
}

Error HostFigures::otherEnvironmentOf(const PoolHost &of, const Settings &settings)
{
    const std::string &code = of.agent->hello().environmentError;
    if (code.empty()) {
        return {};
    }
    return {QString::fromStdString(code),
        {{u"host"_s, of.label}, {u"seconds"_s, settings.integer(u"environment.loginSeconds"_s)}}};
}

core::GpuSlot HostFigures::slotOf(PoolHost &changed, const contract::Gpu &gpu, const core::GpuRules &rules) const
{
    const bool foreignIsBusy = m_settings.flag(u"gpu.foreignIsBusy"_s);
    const bool wasForeign = std::any_of(changed.capacity.gpus.cbegin(), changed.capacity.gpus.cend(),
        [&gpu](const core::GpuSlot &slot) { return slot.index == gpu.index && slot.foreign; });
    core::GpuSlot slot;
    slot.index = gpu.index;
    slot.uuid = QString::fromStdString(gpu.uuid);
    slot.name = QString::fromStdString(gpu.name);
    slot.memoryMiB = gpu.memoryMiB;
    slot.instance = gpu.uuid.starts_with("MIG-");
    m_gpus.note(changed, gpu);
    slot.foreign = foreignIsBusy && m_gpus.isUsedByOthers(changed, gpu)
        && (m_scheduler.gpuHolder(changed.id, gpu.index) == 0 || wasForeign);
    slot.foreign = slot.foreign || (foreignIsBusy && m_gpus.isLeft(changed, gpu));
    if (const auto kept = core::gpuKept(rules, changed.id, gpu.index, slot.uuid, QDateTime::currentDateTime())) {
        slot.excluded = slot.bySetting = kept->excluded;
        slot.keptUntil = kept->until;
    }
    slot.held = m_gpus.isHeldByOthers(changed, gpu);
    slot.othersMiB = slot.held || !m_settings.flag(u"gpu.share"_s) ? 0 : m_gpus.othersMiB(changed, gpu);
    const bool isLost = changed.lostGpus.contains(slot.uuid) && changed.lostInBoot == changed.agent->hello().bootId;
    slot.excluded = slot.excluded || gpu.undivided || isLost;
    slot.lost = isLost || gpu.missing;
    slot.quarantined = changed.use.quarantineOf(slot.uuid) != nullptr && !slot.uuid.isEmpty();
    slot.rank = core::gpuRank(rules, changed.id, gpu.index, slot.uuid);
    return slot;
}

void HostFigures::refresh(PoolHost &changed)
{
    if (m_scheduler.setConnecting(changed.id, !changed.isLocal() && changed.agent->isFirstAttempt())) {
        Q_EMIT capacityChanged(); // jobs that wait for it have another reason
    }
    const contract::Inventory &inventory = changed.agent->inventory();
    core::HostCapacity capacity;
    capacity.id = changed.id;
    capacity.address = changed.address;
    capacity.usable = changed.agent->isOnline();
    capacity.cpus = qMax(1, inventory.cpus);
    capacity.memoryMiB = inventory.memoryMiB;
    capacity.reserveMiB = memoryReserveMiB(capacity.memoryMiB, m_settings.integer(u"memory.reserveMiB"_s));
    capacity.hold = holdOf(changed);
    capacity.labels = changed.use.labels;
    for (const std::string &runtime : inventory.runtimes) {
        capacity.runtimes.append(QString::fromStdString(runtime));
    }
    for (const std::string &runtime : inventory.silentRuntimes) {
        capacity.silentRuntimes.append(QString::fromStdString(runtime));
    }
    capacity.runIn = m_images.runInOf(changed);
    capacity.sharing = m_settings.flag(u"gpu.share"_s);
    capacity.gpusUnknown = inventory.gpus.empty() && inventory.gpuError == "gpu.slow";
    const core::GpuRules rules = gpuRules();
    QSet<QString> lost;
    for (const contract::Gpu &gpu : inventory.gpus) {
        capacity.gpus.push_back(slotOf(changed, gpu, rules));
        const QString &uuid = capacity.gpus.back().uuid;
        if (changed.lostGpus.contains(uuid) && changed.lostInBoot == changed.agent->hello().bootId) {
            lost.insert(uuid);
        }
    }
    if (!changed.agent->wasOnline()) {
        return;
    }
    changed.lostGpus = lost;
    if (capacity == changed.capacity) {
        return;
    }
    changed.capacity = capacity;
    m_scheduler.setHost(capacity);
    Q_EMIT capacityChanged();
}

void HostFigures::setTaken(PoolHost &of, const GpuWatch::Taken &gpus)
{
    for (core::GpuSlot &slot : of.capacity.gpus) {
        slot.foreign = slot.foreign || gpus.foreign.contains(slot.index);
        slot.held = slot.held || gpus.held.contains(slot.index);
        slot.lost = slot.lost || gpus.lost.contains(slot.index);
    }
    m_scheduler.setHost(of.capacity);
}

// Whose tasks are there; `holders`: of the GPUs that they have alone, by their indexes.
void HostFigures::tellTasks(const PoolHost &of, HostInfo &info, QHash<int, Holder> &holders) const
{
    std::map<qint64, JobOnHost> jobs;
    for (const QUuid &uuid : std::as_const(of.tries)) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end()) {
            continue;
        }
        const core::JobState &job = it->second.job->state;
        JobOnHost &known = jobs[job.meta.id];
        known = {job.meta.id, job.meta.name, known.tasks + 1};
        const core::Allocation *place = core::placeOf(job.task(it->second.task).state);
        if (!place || place->host != of.id || place->gpuShareMiB != 0) {
            continue;
        }
        for (const int gpu : place->gpus) {
            holders.insert(gpu, {job.meta.name, taskLabel(job.roleName(it->second.task), it->second.task.index)});
        }
    }
    for (const auto &[id, job] : jobs) {
        info.jobs.append(job);
    }
}

HostInfo HostFigures::infoOf(const PoolHost &of) const
{
    const contract::Inventory &inventory = of.agent->inventory();
    HostInfo info;
    info.id = of.id;
    info.label = of.label;
    info.target = of.target;
    info.state = of.agent->state();
    if (!of.agent->isOnline()) {
        info.lastSeen = of.agent->lastSeen().value_or(0);
        info.error = of.agent->error().code;
        info.errorArgs = of.agent->error().args;
    } else if (!inventory.gpuError.empty() && inventory.gpuError != "gpu.none" && inventory.gpuError != "gpu.slow") {
        info.error = QString::fromStdString(inventory.gpuError); // of its GPUs alone
    } else {
        const Error environment = otherEnvironmentOf(of, m_settings);
        info.error = environment.code;
        info.errorArgs = environment.args;
    }
    info.cpus = inventory.cpus;
    info.cpuPercent = of.agent->isOnline() ? of.cpuPercent : -1;
    info.memoryMiB = inventory.memoryMiB;
    info.memoryUsedMiB = inventory.memoryUsedMiB;
    info.diskFreeMiB = of.diskFreeMiB;
    info.diskLow = of.diskFreeMiB >= 0 && of.diskFreeMiB < m_settings.integer(u"disk.warnMiB"_s);
    const core::WaitReason hold = holdOf(of);
    info.hold = hold.code;
    info.holdArgs = hold.args;
    info.labels = of.use.labels;
    info.drained = of.use.drained;
    info.hours = of.use.hours;
    info.quarantines = of.use.quarantines;
    info.address = of.use.address;
    for (const contract::HostAddress &each : inventory.addresses) {
        info.addresses.append(
            {QString::fromStdString(each.interface), QString::fromStdString(each.address), each.prefix});
    }
    const core::GpuRules rules = gpuRules();
    QHash<int, Holder> holders;
    tellTasks(of, info, holders);
    for (const contract::Gpu &gpu : inventory.gpus) {
        GpuInfo one;
        one.index = gpu.index;
        one.uuid = QString::fromStdString(gpu.uuid);
        one.name = QString::fromStdString(gpu.name);
        one.memoryMiB = gpu.memoryMiB;
        one.memoryUsedMiB = gpu.memoryUsedMiB;
        one.utilPercent = gpu.utilPercent;
        one.temperature = gpu.temperature;
        for (const std::string &holder : gpu.holders) {
            one.holders.append(QString::fromStdString(holder));
        }
        one.jobId = m_scheduler.gpuHolder(of.id, gpu.index);
        one.promisedMiB = m_scheduler.gpuPromisedMiB(of.id, gpu.index);
        if (one.promisedMiB > 0) {
            one.jobs = m_scheduler.gpuHolders(of.id, gpu.index);
        } else if (const auto holder = holders.constFind(gpu.index); one.jobId > 0 && holder != holders.cend()) {
            one.jobName = holder->job;
            one.task = holder->task;
        }
        one.foreign = (m_gpus.isUsedByOthers(of, gpu) || m_gpus.isLeft(of, gpu)) && one.jobId == 0 && !gpu.missing;
        if (const auto kept = core::gpuKept(rules, of.id, gpu.index, one.uuid, QDateTime::currentDateTime())) {
            one.kept = kept->excluded ? u"excluded"_s : u"hours"_s;
        }
        if (gpu.undivided) {
            one.kept = u"mig"_s;
        } else if (of.lostGpus.contains(one.uuid)) {
            one.kept = u"lost"_s;
        } else if (gpu.missing) {
            one.kept = u"missing"_s;
        } else if (!one.uuid.isEmpty() && of.use.quarantineOf(one.uuid)) {
            one.kept = u"quarantine"_s;
        } else if (one.kept.isEmpty() && one.jobId == 0 && !one.foreign && m_gpus.isHeldByOthers(of, gpu)) {
            one.kept = u"held"_s;
        }
        info.gpus.append(one);
    }
    info.tasks = int(of.tries.size());
    for (const std::string &runtime : inventory.silentRuntimes) {
        info.silentRuntimes.append(QString::fromStdString(runtime));
    }
    for (const std::string &name : inventory.runtimes) {
        const QString runtime = QString::fromStdString(name);
        info.runtimes += info.silentRuntimes.contains(runtime) ? QStringList() : QStringList(runtime);
    }
    info.runIn = m_images.runInOf(of);
    info.steps = hostSteps(of, info);
    if (of.check) {
        info.check = of.check->state();
        info.checkError = of.check->error().code;
        info.checkErrorArgs = of.check->error().args;
    }
    if (of.agent->isOnline() && isClusterOffered(of)) {
        info.steps.append(clusterStep(of));
    }
    info.ssh = of.isLocal() ? QString() : HostsFile::sshCommand(of.target);
    info.banner = of.agent->banner();
    info.filesFolder = of.isLocal() ? QString() : QString::fromStdString(of.agent->hello().stateFolder);
    return info;
}

} // namespace trainyard
