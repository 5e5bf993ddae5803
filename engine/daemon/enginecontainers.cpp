// SPDX-License-Identifier: GPL-3.0-or-later
// What the tasks of a job run in, and the containers of those that do not run in a shell of the host.
#include "engine/daemon/engineprivate.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QDir>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 leastLimitMiB = 64; // as for tasks without a container

std::string text(const QString &string) { return string.toStdString(); }

QString imageOf(const JobSpec &spec, const TaskRole &role)
{
    const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
    return image && !image->uri.isEmpty() ? image->uri.first().trimmed() : QString();
}

bool has(const EngineHost &host, const QString &runtime)
{
    const std::vector<std::string> &runtimes = host.agent->inventory().runtimes;
    return std::find(runtimes.begin(), runtimes.end(), text(runtime)) != runtimes.end();
}

} // namespace

Result<QString> Engine::Private::checkRunIn(const JobSpec &spec, const QString &wanted, const QString &target) const
{
    if (wanted.isEmpty() || wanted == "host"_L1) {
        return wanted;
    }
    if (!launch::isContainerRuntime(wanted)) {
        return fail(u"job.run-in-unknown"_s, {{u"runIn"_s, wanted}});
    }
    for (const TaskRole &role : spec.taskRoles) {
        const QString image = imageOf(spec, role);
        if (image.isEmpty() || image.startsWith(u'-')) {
            return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, wanted}});
        }
    }
    // A host that is away is not known to lack it.
    const auto may = [&](const EngineHost &one) { return !one.agent->wasOnline() || has(one, wanted); };
    if (const EngineHost *only = target.isEmpty() ? nullptr : host(target)) {
        if (!may(*only)) {
            return fail(u"job.runtime-missing"_s, {{u"runIn"_s, wanted}, {u"host"_s, only->label}});
        }
        return wanted;
    }
    if (std::none_of(m_hosts.begin(), m_hosts.end(), [&](const auto &one) { return may(*one); })) {
        return m_hosts.size() == 1
            ? fail(u"job.runtime-missing"_s, {{u"runIn"_s, wanted}, {u"host"_s, m_hosts.front()->label}})
            : fail(u"job.runtime-missing-everywhere"_s, {{u"runIn"_s, wanted}});
    }
    return wanted;
}

core::Where Engine::Private::whereOf(const StoredDocument &document, const JobSpec *spec)
{
    const bool hasImage = !spec
        || std::any_of(spec->taskRoles.cbegin(), spec->taskRoles.cend(),
            [](const TaskRole &role) { return !role.dockerImage.isEmpty(); });
    return {document.target, document.runIn, hasImage};
}

QMap<QString, QString> Engine::Private::storagesInside(const JobSpec &spec)
{
    QMap<QString, QString> folders;
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        folders.insert(storage.name, storage.place);
    }
    return folders;
}

Result<QList<launch::ContainerMount>> Engine::Private::storageMounts(const JobSpec &spec, const EngineHost *at) const
{
    const QMap<QString, QString> folders = m_settings.texts(u"storages."_s);
    QList<launch::ContainerMount> mounts;
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        // One without a folder may be mounted on the host already, at the place that the job names.
        QString folder = folders.value(storage.name, storage.place);
        if (folder.startsWith("~/"_L1) && at) {
            folder = QString::fromStdString(at->agent->hello().home) + folder.sliced(1);
        }
        folder = QDir::cleanPath(folder);
        const QString place = QDir::cleanPath(storage.place);
        if (launch::isSystemFolder(place)) {
            return fail(u"launch.container-storage"_s, {{u"name"_s, storage.name}, {u"detail"_s, place}});
        }
        mounts.append({folder, place, storage.readOnly});
    }
    return mounts;
}

QString Engine::Private::runInOf(const EngineHost &host) const
{
    const QString word = host.runIn.isEmpty() ? m_settings.text(u"containers.runIn"_s) : host.runIn;
    return launch::isContainerRuntime(word) ? word : QString();
}

QString Engine::Private::runtimeOf(const QString &ofJob, const TaskRole &role, const EngineHost *at) const
{
    QString runtime = ofJob;
    if (runtime.isEmpty() && !role.dockerImage.isEmpty()) {
        runtime = at ? runInOf(*at) : m_settings.text(u"containers.runIn"_s);
    }
    return launch::isContainerRuntime(runtime) ? runtime : QString();
}

Result<launch::ContainerPlan> Engine::Private::containerFor(const JobSpec &spec, const TaskRole &role,
    const QString &runtime, const EngineHost *at, const launch::LaunchInput &input,
    const launch::Variables &environment) const
{
    launch::ContainerInput container;
    container.runtime = runtime;
    container.image = imageOf(spec, role);
    if (container.image.isEmpty() || container.image.startsWith(u'-')) {
        return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, runtime}});
    }
    if (launch::isSystemFolder(input.workDir)) {
        return fail(u"launch.container-work"_s, {{u"detail"_s, input.workDir}});
    }
    container.tryUuid = input.tryUuid;
    container.taskFolder = input.taskFolder;
    container.workDir = input.workDir;
    container.checkpointFolder = input.checkpointFolder;
    const Result<QList<launch::ContainerMount>> storages = storageMounts(spec, at);
    if (!storages) {
        return tl::unexpected<Error>(storages.error());
    }
    container.mounts = *storages;
    const QStringList mounts = m_settings.list(u"containers.mounts"_s);
    for (const QString &word : mounts) {
        const std::optional<launch::ContainerMount> mount = launch::parseMount(word);
        if (!mount) {
            return fail(u"launch.container-mount"_s, {{u"detail"_s, word}});
        }
        container.mounts.append(*mount);
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
        container.imageFolder = QString::fromStdString(hello.home) + u"/.cache/trainyard/images"_s;
    }
    return launch::planContainer(container, environment);
}

std::optional<Error> Engine::Private::putIntoContainer(contract::Launch &message, const JobSpec &spec,
    const TaskRole &role, const QString &runtime, const EngineHost &at, const launch::LaunchInput &input,
    const launch::Variables &environment) const
{
    if (!has(at, runtime)) {
        return Error{u"launch.runtime-missing"_s, {{u"detail"_s, runtime}, {u"host"_s, at.label}}};
    }
    const Result<launch::ContainerPlan> plan = containerFor(spec, role, runtime, &at, input, environment);
    if (!plan) {
        return plan.error();
    }
    contract::Container &container = message.plan.container;
    container.runtime = text(runtime);
    container.image = text(plan->image);
    container.pullImage = text(plan->pullImage);
    container.file = text(plan->file);
    container.name = text(plan->name);
    for (const QString &word : plan->run) {
        container.run.push_back(text(word));
    }
    message.env.clear();
    for (const auto &[name, value] : plan->environment) {
        message.env.push_back({text(name), text(value)});
    }
    const Prerequisite *image = spec.prerequisite(u"dockerimage"_s, role.dockerImage);
    if (image && image->auth) {
        const Result<RegistryAuth> login = renderAuth(spec, *image->auth);
        if (!login) {
            return login.error();
        }
        message.registry = {text(login->registryUri), text(login->username), text(login->password)};
        if (!login->password.isEmpty()) {
            // A password that stands in the job itself is as secret as one that does not.
            message.maskValues.push_back(text(login->password));
        }
    }
    return std::nullopt;
}

QString Engine::Private::taskUserOn(
    const EngineHost &at, const JobSpec &spec, const QString &role, const QString &runIn, const QString &user) const
{
    const TaskRole *written = spec.role(role);
    const QString runtime = written ? runtimeOf(runIn, *written, &at) : QString();
    const bool isRoot
        = runtime == "podman"_L1 || (runtime == "docker"_L1 && m_settings.flag(u"containers.dockerAsRoot"_s));
    return isRoot ? u"root"_s : user;
}

// The image, and in a second line how far it is.
void Engine::Private::notePulling(const QUuid &tryUuid, const QString &said)
{
    const auto it = m_live.find(tryUuid);
    const QString image = said.section(u'\n', 0, 0);
    const QString progress = said.section(u'\n', 1);
    if (it == m_live.end() || (it->second.pulling == image && it->second.pullProgress == progress)) {
        return;
    }
    LiveTry &entry = it->second;
    entry.pulling = image;
    entry.pullProgress = progress;
    entry.job->changedTasks.insert(entry.task);
    entry.job->changed = true;
    m_untold.insert(entry.job);
    wantTurn();
}

} // namespace trainyard
