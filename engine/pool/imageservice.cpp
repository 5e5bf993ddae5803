// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/imageservice.h"

#include "engine/backend/containerparts.h"

#include <QDir>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

bool has(const PoolHost &host, const QString &runtime)
{
    const std::vector<std::string> &runtimes = host.agent->inventory().runtimes;
    return std::find(runtimes.begin(), runtimes.end(), runtime.toStdString()) != runtimes.end();
}

} // namespace

Result<QString> ImageService::checkRunIn(const JobSpec &spec, const QString &wanted, const QString &target) const
{
    if (wanted.isEmpty() || wanted == "host"_L1) {
        return wanted;
    }
    if (!launch::isContainerRuntime(wanted)) {
        return fail(u"job.run-in-unknown"_s, {{u"runIn"_s, wanted}});
    }
    if (const Result<void> good = checkImages(spec, wanted, true); !good) {
        return tl::unexpected<Error>(good.error());
    }
    // A host that is away is not known to lack it.
    const auto may = [&](const PoolHost &one) { return !one.agent->wasOnline() || has(one, wanted); };
    if (const PoolHost *only = target.isEmpty() ? nullptr : m_hosts.find(target)) {
        if (!may(*only)) {
            return fail(u"job.runtime-missing"_s, {{u"runIn"_s, wanted}, {u"host"_s, only->label}});
        }
        return wanted;
    }
    if (std::none_of(m_hosts.all().begin(), m_hosts.all().end(), [&](const auto &one) { return may(*one); })) {
        return m_hosts.all().size() == 1
            ? fail(u"job.runtime-missing"_s, {{u"runIn"_s, wanted}, {u"host"_s, m_hosts.all().front()->label}})
            : fail(u"job.runtime-missing-everywhere"_s, {{u"runIn"_s, wanted}});
    }
    return wanted;
}

QString ImageService::runInOf(const PoolHost &host) const
{
    const QString word = host.runIn.isEmpty() ? m_settings.text(u"containers.runIn"_s) : host.runIn;
    return launch::isContainerRuntime(word) ? word : QString();
}

QString ImageService::runtimeOf(const QString &ofJob, const TaskRole &role, const PoolHost *at) const
{
    QString runtime = ofJob;
    if (runtime.isEmpty() && !role.dockerImage.isEmpty()) {
        runtime = at ? runInOf(*at) : m_settings.text(u"containers.runIn"_s);
    }
    return launch::isContainerRuntime(runtime) ? runtime : QString();
}

Result<launch::ContainerPlan> ImageService::containerFor(const JobSpec &spec, const TaskRole &role,
    const QString &runtime, const PoolHost *at, const launch::LaunchInput &input,
    const launch::Variables &environment) const
{
    launch::ContainerInput container;
    container.runtime = runtime;
    container.image = imageOf(spec, role);
    if (container.image.isEmpty() || container.image.startsWith(u'-')) {
        return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, runtime}});
    }
    if (launch::isSystemFolder(QDir::cleanPath(input.workDir))) {
        return fail(u"launch.container-work"_s, {{u"detail"_s, input.workDir}});
    }
    container.tryUuid = input.tryUuid;
    container.taskFolder = input.taskFolder;
    container.workDir = input.workDir;
    container.checkpointFolder = input.checkpointFolder;
    const QString home = at ? QString::fromStdString(at->agent->hello().home) : QString();
    const Result<QList<launch::ContainerMount>> mounts = containerMounts(spec, m_settings, home);
    if (!mounts) {
        return tl::unexpected<Error>(mounts.error());
    }
    container.mounts = *mounts;
    for (const auto &[name, path] : input.data) {
        container.mounts.append({path, path, true});
    }
    container.gpus = input.gpus;
    for (const QString &uuid : input.gpuUuids) {
        if (uuid.startsWith("MIG-"_L1)) { // what the runtimes know by number is whole
            container.gpuUuids = input.gpuUuids;
        }
    }
    container.amd = input.amd;
    if (m_settings.flag(u"limits.enforce"_s)) {
        container.cpu = input.cpu;
        container.memoryMiB = input.memoryMiB > 0 ? qMax(input.memoryMiB, leastLimitMiB) : 0;
    }
    container.shmMiB = input.shmMiB;
    container.infiniband = role.infiniband;
    container.dockerAsRoot = m_settings.flag(u"containers.dockerAsRoot"_s);
    if (at && at->agent->wasOnline()) {
        const contract::HelloReply &hello = at->agent->hello();
        container.uid = hello.uid;
        container.gid = hello.gid;
        container.groups = {hello.groups.begin(), hello.groups.end()};
        container.imageFolder = QString::fromStdString(hello.home) + u"/.cache/trainyard/images"_s;
    }
    return launch::planContainer(container, environment);
}

std::optional<Error> ImageService::putIntoContainer(contract::Launch &message, const JobSpec &spec,
    const TaskRole &role, const QString &runtime, const PoolHost &at, const launch::LaunchInput &input,
    const launch::Variables &environment) const
{
    if (!has(at, runtime)) {
        return Error{u"launch.runtime-missing"_s, {{u"detail"_s, runtime}, {u"host"_s, at.label}}};
    }
    const Result<launch::ContainerPlan> plan = containerFor(spec, role, runtime, &at, input, environment);
    if (!plan) {
        return plan.error();
    }
    return putInto(message, spec, role, runtime, *plan);
}

QString ImageService::taskUserOn(
    const PoolHost &at, const JobSpec &spec, const QString &role, const QString &runIn, const QString &user) const
{
    const TaskRole *written = spec.role(role);
    const QString runtime = written ? runtimeOf(runIn, *written, &at) : QString();
    const bool isRoot
        = runtime == "podman"_L1 || (runtime == "docker"_L1 && m_settings.flag(u"containers.dockerAsRoot"_s));
    return isRoot ? u"root"_s : user;
}

} // namespace trainyard
