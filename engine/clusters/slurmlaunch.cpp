// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmlaunch.h"

#include "engine/backend/containerparts.h"
#include "engine/backend/launchparts.h"
#include "engine/backend/workfolder.h"
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmimages.h"
#include "engine/contract/leadplan.h"
#include "model/base/shellquote.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int plannedOnCluster = 64; // tasks of a plan that come with script and environment

// With words in the place of addresses.
QList<TaskPlacement> placementsOf(const ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    QList<TaskPlacement> placements;
    for (const core::TaskRef ref : tasks) {
        const QString role = job.state.roleName(ref);
        placements.append({role, ref.index, SlurmLaunches::addressWord(role, ref.index),
            core::placeOf(job.state.task(ref).state)->ports});
    }
    return placements;
}

} // namespace

QString SlurmLaunches::addressWord(const QString &role, int index)
{
    return QString::fromStdString(contract::addressWord(role.toStdString(), index));
}

QString SlurmLaunches::folderOf(const ActiveJob &job, core::TaskRef task) const
{
    return m_folders.ofTry(
        job.uuid(), job.state.attempt(), job.state.roleName(task), task.index, job.state.task(task).tryIndex);
}

QString SlurmLaunches::workOf(const StoredDocument &document) const
{
    if (!m_copiedWork.isEmpty()) {
        return m_copiedWork;
    }
    return workFolderOf(document, m_isHere ? QDir::homePath() : m_home, m_isHere);
}

QString SlurmLaunches::imageRuntimeOf(const StoredDocument &document, const TaskRole &role)
{
    const bool isInImage = document.runIn == apptainerImages || document.runIn == pyxisImages;
    return isInImage && !role.dockerImage.isEmpty() ? document.runIn : QString();
}

// Without a gang no task knows where another one is.
launch::PluginContext SlurmLaunches::peersOf(const ActiveJob &job, const std::vector<core::TaskRef> &tasks) const
{
    launch::PluginContext context;
    if (!m_supply || !wantsSshKey(*job.spec)) {
        return context;
    }
    const JobKey key = m_supply->key(job.state.uuid);
    context.sshPrivateKey = key.privateKey;
    context.sshPublicKey = key.publicKey;
    context.sshProblem = key.problem;
    if (job.state.policy.gang) {
        context.peers
            = launch::sshPeers(*job.spec, placementsOf(job, tasks), [this](const TaskPlacement &) { return m_user; });
    }
    return context;
}

launch::Variables SlurmLaunches::dataOf(const QUuid &tryUuid) const
{
    return m_supply ? m_supply->data(tryUuid) : launch::Variables();
}

// As it is to be expected before there is a try. The path of a copy has "…" in it.
launch::Variables SlurmLaunches::expectedData(const Prepared &prepared, const QString &role) const
{
    launch::Variables variables;
    if (m_supply) {
        const QList<launch::DataWant> wants
            = m_supply->dataWants(prepared.spec, prepared.document, role, m_place.named);
        for (const launch::DataWant &want : wants) {
            variables.append(
                {dataVariable(want.name), want.isCopied ? m_place.cache + u"/data/folders/…"_s : want.path});
        }
    }
    return variables;
}

Result<launch::RoleProgram> SlurmLaunches::programOf(
    const JobSpec &spec, const TaskRole &role, const QString &runtime, launch::PluginContext context) const
{
    const BaseEnvironment base = baseEnvironmentOf(spec, m_target, *m_settings);
    context.storages = m_settings->texts(u"storages."_s);
    context.environment = base.command;
    context.environmentSetBy = base.setBy;
    if (runtime.isEmpty()) { // the nodes' are nothing for a container
        context.modulesSetBy = slurmModulesKey(m_target);
        context.modules = m_modules;
    } else {
        context.storages = storagesInside(spec);
        if (environmentOf(spec).isEmpty()) {
            context.environment.clear(); // the nodes' is nothing for a container
        }
    }
    return launch::programOf(spec, role, context);
}

// Slurm gives the GPUs: what it says of them stays as it is, and a task that has none sees none.
launch::LaunchPlan SlurmLaunches::planOf(const JobSpec &spec, const launch::RoleProgram &program,
    const TaskEnvironment &environment, const launch::LaunchInput &input) const
{
    const TaskRole &role = *spec.role(input.role);
    launch::LaunchPlan plan = launch::planTask(spec, program, environment, input);
    if (role.resources.gpu > 0) {
        plan.environment.removeIf([](const auto &each) {
            return each.first == "CUDA_VISIBLE_DEVICES"_L1 || each.first == "NVIDIA_VISIBLE_DEVICES"_L1;
        });
    }
    return plan;
}

// Apptainer's: it runs until the task ends, below the keeper on the node. Its images lie in the shared folder, so that
// one node fetches them for all.
Result<launch::ContainerPlan> SlurmLaunches::containerOf(const JobSpec &spec, const TaskRole &role,
    const launch::LaunchInput &input, const launch::Variables &environment) const
{
    launch::ContainerInput container;
    container.runtime = QString(apptainerImages);
    container.image = imageOf(spec, role);
    if (container.image.isEmpty() || container.image.startsWith(u'-')) {
        return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, container.runtime}});
    }
    if (launch::isSystemFolder(QDir::cleanPath(input.workDir))) {
        return fail(u"launch.container-work"_s, {{u"detail"_s, input.workDir}});
    }
    const Result<QList<launch::ContainerMount>> mounts
        = containerMounts(spec, *m_settings, m_isHere ? QDir::homePath() : m_home);
    if (!mounts) {
        return tl::unexpected<Error>(mounts.error());
    }
    container.mounts = *mounts;
    for (const auto &[name, path] : input.data) {
        container.mounts.append({path, path, true});
    }
    container.tryUuid = input.tryUuid;
    container.taskFolder = input.taskFolder;
    container.workDir = input.workDir;
    container.checkpointFolder = input.checkpointFolder;
    container.imageFolder = m_folders.state() + u"/images"_s;
    for (int i = 0; i < role.resources.gpu; ++i) {
        container.gpus.append(i); // which ones, Slurm says on the node
    }
    container.infiniband = role.infiniband;
    return launch::planContainer(container, environment);
}

Result<std::vector<std::string>> SlurmLaunches::pyxisOf(
    const JobSpec &spec, const TaskRole &role, const QString &workDir, const launch::Variables &data) const
{
    slurm::PyxisInput input;
    input.image = imageOf(spec, role);
    if (input.image.isEmpty() || input.image.startsWith(u'-')) {
        return fail(u"job.container-image"_s, {{u"role"_s, role.name}, {u"runIn"_s, QString(pyxisImages)}});
    }
    if (launch::isSystemFolder(QDir::cleanPath(workDir))) {
        return fail(u"launch.container-work"_s, {{u"detail"_s, workDir}});
    }
    const Result<QList<launch::ContainerMount>> mounts
        = containerMounts(spec, *m_settings, m_isHere ? QDir::homePath() : m_home);
    if (!mounts) {
        return tl::unexpected<Error>(mounts.error());
    }
    input.mounts = *mounts;
    for (const auto &[name, path] : data) {
        input.mounts.append({path, path, true});
    }
    input.runsFolder = m_folders.state();
    input.workDir = workDir;
    return slurm::pyxisOptions(input);
}

Result<std::vector<std::string>> SlurmLaunches::imageOptions(const ActiveJob &job, core::TaskRef task) const
{
    if (!job.spec) {
        return tl::unexpected<Error>(job.specError);
    }
    const TaskRole *role = job.spec->role(job.state.roleName(task));
    if (!role || imageRuntimeOf(job.document, *role) != pyxisImages) {
        return std::vector<std::string>();
    }
    const QString work = workOf(job.document);
    return pyxisOf(*job.spec, *role, work.isEmpty() ? folderOf(job, task) : work, // its own one the helper makes
        dataOf(core::tryUuid(job.state, task)));
}

Result<std::vector<contract::Launch>> SlurmLaunches::make(
    const ActiveJob &job, const std::vector<core::TaskRef> &tasks) const
{
    if (!job.spec) {
        return tl::unexpected<Error>(job.specError);
    }
    const JobSpec &spec = *job.spec;
    // The environment of tasks that start together. The node of an ended task is no longer known, and elements of an
    // array do not know each other.
    const auto environmentOf = [&](const std::vector<core::TaskRef> &together) {
        return TaskEnvironment(spec, {job.state.meta.user, job.state.meta.runName, job.uuid(), job.state.attempt()},
            placementsOf(job, together));
    };
    const launch::PluginContext peers = peersOf(job, tasks);
    std::optional<TaskEnvironment> environment;
    const BaseEnvironment base = baseEnvironmentOf(spec, m_target, *m_settings);
    std::map<int, launch::RoleProgram> programs;
    std::vector<contract::Launch> launches;
    for (const core::TaskRef ref : tasks) {
        const TaskRole *role = spec.role(job.state.roleName(ref));
        if (!role) {
            return fail(u"job.role-missing"_s, {{u"role"_s, job.state.roleName(ref)}});
        }
        const QString runtime = imageRuntimeOf(job.document, *role);
        if (!programs.contains(ref.role)) {
            const Result<launch::RoleProgram> program = programOf(spec, *role, runtime, peers);
            if (!program) {
                return tl::unexpected<Error>(program.error());
            }
            programs.emplace(ref.role, *program);
        }
        launch::LaunchInput input = inputOfTry(job, ref, core::tryUuid(job.state, ref), *role);
        input.taskFolder = folderOf(job, ref);
        const QString work = workOf(job.document);
        input.workDir = work.isEmpty() ? QString(input.taskFolder + u"/work"_s) : work;
        input.checkpointFolder = m_folders.checkpoint(job.uuid());
        input.data = dataOf(input.tryUuid);
        if (!environment || !job.state.policy.gang) {
            environment.emplace(environmentOf(job.state.policy.gang ? tasks : std::vector{ref}));
        }
        const launch::LaunchPlan plan = planOf(spec, programs.at(ref.role), *environment, input);

        contract::Launch message;
        message.dir = launchText(input.taskFolder);
        message.cwd = launchText(work);
        sayTry(message, job, ref, input, base, *m_settings); // the cluster limits processors and memory
        message.checkPorts = message.plan.ports;
        sayProgram(message, plan);
        message.script = plan.program.script.toStdString();
        if (runtime == apptainerImages) {
            const Result<launch::ContainerPlan> container = containerOf(spec, *role, input, plan.environment);
            if (!container) {
                return tl::unexpected<Error>(container.error());
            }
            if (const std::optional<Error> problem = putInto(message, spec, *role, runtime, *container)) {
                return tl::unexpected<Error>(*problem);
            }
        }
        launches.push_back(std::move(message));
    }
    return launches;
}

Result<PlanReply> SlurmLaunches::plan(const Prepared &prepared, const core::JobState &state) const
{
    const JobSpec &spec = prepared.spec;
    const QString uuid = state.uuid.toString(QUuid::WithoutBraces);
    const TaskEnvironment environment(spec, {state.meta.user, state.meta.runName, uuid, 0}, {});
    PlanReply reply;
    for (const TaskRole &role : spec.taskRoles) {
        const QString runtime = imageRuntimeOf(prepared.document, role);
        const Result<launch::RoleProgram> program = programOf(spec, role, runtime, {});
        if (!program) {
            return tl::unexpected<Error>(program.error());
        }
        for (int index = 0; index < role.instances; ++index) {
            PlannedTask task;
            task.role = role.name;
            task.index = index;
            task.host = m_target;
            task.runIn = runtime.isEmpty() ? u"host"_s : runtime;
            task.image = runtime.isEmpty() ? QString() : imageOf(spec, role);
            task.prerequisites = program->prerequisites;
            if (index == 0 || reply.tasks.size() < plannedOnCluster) {
                launch::LaunchInput input;
                input.job = state.uuid;
                input.role = role.name;
                input.index = index;
                input.cpu = role.resources.cpu;
                input.memoryMiB = role.resources.memoryMiB;
                input.taskFolder = m_folders.ofTry(uuid, 0, role.name, index, 0);
                const QString work = workOf(prepared.document);
                input.workDir = work.isEmpty() ? QString(input.taskFolder + u"/work"_s) : work;
                input.checkpointFolder = m_folders.checkpoint(uuid);
                input.data = expectedData(prepared, role.name);
                const launch::LaunchPlan planned = planOf(spec, *program, environment, input);
                task.environment = planned.environment;
                if (runtime == apptainerImages) {
                    const Result<launch::ContainerPlan> container = containerOf(spec, role, input, planned.environment);
                    if (!container) {
                        return tl::unexpected<Error>(container.error());
                    }
                    task.containerCommand = launch::containerCommandText(*container);
                    for (const launch::ContainerMount &mount : container->mounts) {
                        task.mounts.append(launch::mountText(mount));
                    }
                    task.environment = container->environment;
                } else if (runtime == pyxisImages) {
                    const Result<std::vector<std::string>> options
                        = pyxisOf(spec, role, work.isEmpty() ? input.taskFolder : work, input.data);
                    if (!options) {
                        return tl::unexpected<Error>(options.error());
                    }
                    QByteArray command = "srun";
                    for (const std::string &option : *options) {
                        command += ' ' + shellQuote(QByteArray::fromStdString(option));
                    }
                    task.containerCommand = QString::fromUtf8(command);
                }
                task.script = QString::fromUtf8(planned.program.masked);
            }
            reply.tasks.append(task);
        }
    }
    return reply;
}

} // namespace trainyard
