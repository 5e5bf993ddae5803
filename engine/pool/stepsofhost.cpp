// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/stepsofhost.h"

#include "engine/api/hoststeps.h"

#include <QJsonArray>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// More is worth a word: the times of logs of several hosts are compared.
constexpr qint64 clockToleranceMs = 2000;

HostStep systemStep(const contract::Inventory &inventory)
{
    return {hoststep::system, StepState::Passed, {},
        {{u"os"_s, QString::fromStdString(inventory.os)}, {u"kernel"_s, QString::fromStdString(inventory.kernel)},
            {u"cpu"_s, QString::fromStdString(inventory.cpuModel)}, {u"cpus"_s, inventory.cpus},
            {u"memoryMiB"_s, qint64(inventory.memoryMiB)}},
        -1};
}

HostStep diskStep(const PoolHost &host, const HostInfo &info)
{
    const contract::HelloReply &hello = host.agent->hello();
    const bool isBad = info.diskLow || info.hold == "wait.disk"_L1;
    return {hoststep::disk, isBad ? StepState::Warned : StepState::Passed, isBad ? u"step.disk.low"_s : QString(),
        {{u"freeMiB"_s, info.diskFreeMiB}, {u"folder"_s, QString::fromStdString(hello.stateFolder)},
            {u"network"_s, hello.stateOnNetwork}},
        -1};
}

HostStep gpuStep(const contract::Inventory &inventory, const HostInfo &info)
{
    QJsonArray names;
    for (const GpuInfo &gpu : info.gpus) {
        names.append(gpu.name);
    }
    const QString error = QString::fromStdString(inventory.gpuError);
    const bool isWrong = !error.isEmpty() && error != "gpu.none"_L1 && error != "gpu.slow"_L1;
    return {hoststep::gpus,
        error == "gpu.slow"_L1 ? StepState::Running
            : isWrong          ? StepState::Failed
                               : StepState::Passed,
        isWrong ? error : QString(), {{u"gpus"_s, names}, {u"host"_s, info.label}}, -1};
}

HostStep stepOfClock(const PoolHost &host)
{
    const std::optional<qint64> ahead = host.clock.aheadMs();
    if (!ahead) {
        return {hoststep::clock, StepState::Running, {}, {}, -1};
    }
    const bool isFar = qAbs(*ahead) > clockToleranceMs;
    return {hoststep::clock, isFar ? StepState::Warned : StepState::Passed, isFar ? u"step.clock.differs"_s : QString(),
        {{u"aheadMs"_s, *ahead}}, -1};
}

} // namespace

HostStep clusterStep(const PoolHost &host)
{
    QJsonObject args{{u"host"_s, host.isLocal() ? QString() : host.id}};
    if (!host.slurm) {
        return {hoststep::cluster, StepState::Running, {}, args, -1};
    }
    if (host.slurm->code.isEmpty()) {
        return {hoststep::cluster, StepState::Passed, {}, args, -1};
    }
    args.insert(u"detail"_s, host.slurm->args.value("detail"_L1));
    return {hoststep::cluster, StepState::Warned, host.slurm->code, args, -1};
}

QList<HostStep> hostSteps(const PoolHost &host, const HostInfo &info)
{
    QList<HostStep> steps = host.check ? host.check->steps() : host.agent->steps();
    if (!host.agent->isOnline()) {
        for (const QString &id :
            {hoststep::system, hoststep::disk, hoststep::gpus, hoststep::containers, hoststep::clock}) {
            steps.append({id, StepState::Waiting, {}, {}, -1});
        }
        return steps;
    }
    const contract::Inventory &inventory = host.agent->inventory();
    steps.append(systemStep(inventory));
    steps.append(diskStep(host, info));
    steps.append(gpuStep(inventory, info));
    const bool isSilent = !info.silentRuntimes.isEmpty();
    steps.append({hoststep::containers, isSilent ? StepState::Warned : StepState::Passed,
        isSilent ? u"step.containers.silent"_s : QString(),
        {{u"runtimes"_s, QJsonArray::fromStringList(info.runtimes)}}, -1});
    if (!host.isLocal()) {
        steps.append(stepOfClock(host));
    }
    return steps;
}

} // namespace trainyard
