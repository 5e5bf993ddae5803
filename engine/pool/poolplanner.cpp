// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/poolplanner.h"

#include "engine/backend/containerparts.h"
#include "engine/core/fit.h"
#include "engine/pool/dataservice.h"
#include "engine/pool/launchmaker.h"
#include "model/protocol/peers.h"
#include "model/template/pluginsteps.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int plannedInFull = 64; // tasks of a plan that come with script and environment

// A refusal, with the edits of the document that would let the job run: {path, value, resource, role?}.
Error withFix(
    Error refusal, const core::Scheduler &scheduler, const core::PlacementRequest &request, const JobSpec &spec)
{
    const core::GangChange gang = needsPeers(spec) ? core::GangChange::Never : core::GangChange::Allowed;
    const std::optional<core::Fit> fit = core::fitTo(scheduler, request, gang);
    if (!fit) {
        return refusal;
    }
    QJsonArray edits;
    const auto add = [&](const core::RoleFit &role, const QString &key, qint64 value) {
        const YamlPath path{u"taskRoles"_s, role.role, u"resourcePerInstance"_s, key};
        edits.append(QJsonObject{{u"path"_s, path.toPointer()}, {u"value"_s, QString::number(value)},
            {u"role"_s, role.role}, {u"resource"_s, key}});
    };
    for (const core::RoleFit &role : fit->roles) {
        if (role.gpu) {
            add(role, u"gpu"_s, *role.gpu);
        }
        if (role.cpu) {
            add(role, u"cpu"_s, *role.cpu);
        }
        if (role.memoryMiB) {
            add(role, u"memoryMB"_s, *role.memoryMiB);
        }
    }
    if (fit->gangOff) {
        edits.append(QJsonObject{
            {u"path"_s, u"/extras/gangAllocation"_s}, {u"value"_s, u"false"_s}, {u"resource"_s, u"gangAllocation"_s}});
    }
    refusal.args.insert(u"fix"_s, edits);
    return refusal;
}

std::vector<core::TaskRef> allTasksOf(const core::JobState &job)
{
    std::vector<core::TaskRef> tasks;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        tasks.push_back(job.refAt(i));
    }
    return tasks;
}

} // namespace

core::NodeSelector PoolPlanner::whereOf(const StoredDocument &document, const JobSpec *spec)
{
    const bool hasImage = !spec
        || std::any_of(spec->taskRoles.cbegin(), spec->taskRoles.cend(),
            [](const TaskRole &role) { return !role.dockerImage.isEmpty(); });
    return {document.target, document.runIn, hasImage};
}

// The host of this name, when it cannot be reached and it is known why. Null: it is not so, or any host will do.
const PoolHost *PoolPlanner::awayHost(const QString &name) const
{
    const PoolHost *host = name.isEmpty() ? nullptr : m_hosts.find(name);
    return host && !host->agent->isOnline() && !host->agent->error().code.isEmpty() ? host : nullptr;
}

// Whether it can never run on what is known, however long it waited.
std::optional<Error> PoolPlanner::neverFits(
    const core::JobState &job, const JobSpec &spec, const core::NodeSelector &where) const
{
    std::vector<core::TaskRef> tasks;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        if (std::holds_alternative<core::Waiting>(job.tasks[i].state)) {
            tasks.push_back(job.refAt(i));
        }
    }
    if (!m_hosts.isReady() || tasks.empty()) {
        return std::nullopt;
    }
    const core::PlacementRequest wanted = core::placementRequest(job, tasks, where);
    const std::optional<Error> never = m_scheduler.impossible(wanted);
    return never ? std::optional(withFix(*never, m_scheduler, wanted, spec)) : std::nullopt;
}

PoolPlanner::Places PoolPlanner::placesOf(const core::JobGrants &grants, const core::JobPolicy &policy) const
{
    Places places;
    core::PortBook book = m_ports; // a copy: nothing is held
    for (const core::event::Grant &granted : grants.grants) {
        core::Allocation place = granted.place;
        const core::Needs &needs = policy.roles[std::size_t(granted.task.role)].needs;
        const Result<core::PortTable> ports = book.draw(place.host, granted.tryUuid, needs.ports, {}, needs.firstPorts);
        place.ports = ports.value_or(core::PortTable());
        places.emplace(granted.task, place);
    }
    return places;
}

launch::LaunchInput PoolPlanner::inputOf(const Prepared &prepared, const core::JobState &job, const PlannedTask &task,
    const TaskRole &role, const PoolHost *at) const
{
    const QString uuid = job.uuid.toString(QUuid::WithoutBraces);
    const StoredDocument &document = prepared.document;
    launch::LaunchInput input;
    input.job = job.uuid;
    input.role = role.name;
    input.index = task.index;
    input.gpus = task.gpus;
    input.cpu = role.resources.cpu;
    input.hostCpus = at && at->agent->wasOnline() ? at->capacity.cpus : 0;
    input.memoryMiB = role.resources.memoryMiB;
    input.shmMiB = role.effectiveShmMiB();
    input.taskFolder = m_folders.ofTry(uuid, 0, role.name, task.index, 0);
    input.workDir = !document.work.isEmpty() ? document.work
        : !document.file.isEmpty()           ? QFileInfo(document.file).path()
                                             : QString(input.taskFolder + u"/work"_s);
    input.checkpointFolder = m_folders.checkpoint(uuid);
    input.data = m_data.expectedOn(prepared.spec, document, role.name, at ? *at : *m_hosts.all().front());
    return input;
}

Result<PlanReply> PoolPlanner::plan(const Prepared &prepared, const core::JobState &state) const
{
    const JobSpec &spec = prepared.spec;
    core::PlacementRequest wanted = core::placementRequest(state, allTasksOf(state), whereOf(prepared.document, &spec));
    wanted.group = {prepared.group, prepared.document.groupLimit};
    wanted.talks = checksPeers(spec);
    if (const std::optional<Error> never = m_hosts.isReady() ? m_scheduler.impossible(wanted) : std::nullopt) {
        return tl::unexpected<Error>(withFix(*never, m_scheduler, wanted, spec));
    }
    PlanReply reply;
    core::WaitReason why;
    Places places;
    if (const std::optional<core::JobGrants> grants = m_scheduler.wouldPlace(wanted, &why)) {
        places = placesOf(*grants, prepared.policy);
    } else {
        reply.waitReason = why.code;
        reply.waitArgs = why.args;
    }
    QList<TaskPlacement> placements;
    for (const auto &[ref, place] : places) {
        placements.append({state.roleName(ref), ref.index, place.address, place.ports});
    }
    launch::PluginContext context;
    context.storages = m_settings.texts(u"storages."_s);
    context.peers = launch::sshPeers(spec, placements, [&](const TaskPlacement &task) {
        const std::optional<core::TaskRef> ref = state.find(task.role, task.index);
        const auto it = ref ? places.find(*ref) : places.end();
        const PoolHost *at = it == places.end() ? nullptr : m_hosts.find(it->second.host);
        return at ? m_images.taskUserOn(*at, spec, task.role, prepared.document.runIn, state.meta.user)
                  : state.meta.user;
    });
    const QString uuid = state.uuid.toString(QUuid::WithoutBraces);
    const TaskEnvironment environment(spec, {state.meta.user, state.meta.runName, uuid, 0}, placements);
    for (const TaskRole &role : spec.taskRoles) {
        const QString &only = prepared.document.target;
        const BaseEnvironment base = baseEnvironmentOf(spec, only.isEmpty() ? u"local"_s : only, m_settings);
        context.environment = base.command;
        context.environmentSetBy = base.setBy;
        const Result<launch::RoleProgram> inShell = launch::programOf(spec, role, context);
        launch::PluginContext inside = context;
        inside.storages = storagesInside(spec);
        if (environmentOf(spec).isEmpty()) {
            inside.environment.clear(); // the host's is nothing for a container
        }
        const Result<launch::RoleProgram> inContainer = launch::programOf(spec, role, inside);
        for (int index = 0; index < role.instances; ++index) {
            PlannedTask task;
            task.role = role.name;
            task.index = index;
            const std::optional<core::TaskRef> ref = state.find(role.name, index);
            const auto it = ref ? places.find(*ref) : places.end();
            if (it != places.end()) {
                task.host = it->second.host;
                task.gpus = it->second.gpus;
                task.ports = it->second.ports;
            }
            const PoolHost *at = m_hosts.find(!task.host.isEmpty() ? task.host : prepared.document.target);
            const QString runtime
                = m_images.runtimeOf(prepared.document.runIn, role, at ? at : m_hosts.all().front().get());
            const Result<launch::RoleProgram> &program = runtime.isEmpty() ? inShell : inContainer;
            task.runIn = runtime.isEmpty() ? u"host"_s : runtime;
            task.prerequisites = program->prerequisites;
            if (index == 0 || reply.tasks.size() < plannedInFull) {
                const launch::LaunchInput input = inputOf(prepared, state, task, role, at);
                const launch::LaunchPlan planned = launch::planTask(spec, *program, environment, input);
                task.environment = planned.environment;
                if (!runtime.isEmpty()) {
                    const Result<launch::ContainerPlan> container
                        = m_images.containerFor(spec, role, runtime, at, input, planned.environment);
                    if (!container) {
                        return tl::unexpected<Error>(container.error());
                    }
                    task.image = container->image;
                    task.containerCommand = launch::containerCommandText(*container);
                    for (const launch::ContainerMount &mount : container->mounts) {
                        task.mounts.append(launch::mountText(mount));
                    }
                    task.containerUser = container->user;
                    task.shmMiB = container->shmMiB;
                    task.environment = container->environment;
                }
                task.script = QString::fromUtf8(planned.program.masked);
            }
            reply.tasks.append(task);
        }
    }
    return reply;
}

} // namespace trainyard
