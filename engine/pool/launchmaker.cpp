// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchmaker.h"

#include "engine/backend/containerparts.h"
#include "engine/backend/launchparts.h"
#include "engine/contract/environmentrecord.h"
#include "engine/pool/hostfigures.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int codeNoContainer = -1201;
constexpr int codeNoProgram = -300;

JobIdentity identityOf(const ActiveJob &job)
{
    return {job.state.meta.user, job.state.meta.runName, job.uuid(), job.state.attempt()};
}

} // namespace

LaunchMaker::LaunchMaker(const AgentFolders &folders, const Settings &settings, const HostPool &hosts,
    const ImageService &images, JobSshKeys &sshKeys, const CodeService &code, const CheckpointService &checkpoints,
    const DataService &data, const PoolJobs &jobs)
    : m_folders(folders), m_settings(settings), m_hosts(hosts), m_images(images), m_sshKeys(sshKeys), m_code(code),
      m_checkpoints(checkpoints), m_data(data), m_poolJobs(jobs)
{
}

launch::PluginContext LaunchMaker::pluginContextOf(const ActiveJob &job)
{
    launch::PluginContext context;
    context.storages = m_settings.texts(u"storages."_s);
    if (!wantsSshKey(*job.spec)) {
        return context;
    }
    const JobSshKeys::Pair pair = m_sshKeys.pairOf(job.state.uuid);
    context.sshPrivateKey = pair.privateKey;
    context.sshPublicKey = pair.publicKey;
    context.sshProblem = pair.problem;
    if (job.state.policy.gang) {
        QList<TaskPlacement> placements;
        QHash<std::pair<QString, int>, QString> users;
        for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
            const core::TaskRef ref = job.state.refAt(i);
            if (const core::Allocation *place = core::placeOf(job.state.task(ref).state)) {
                placements.append({job.state.roleName(ref), ref.index, place->address, place->ports});
                if (const PoolHost *at = m_hosts.find(place->host)) {
                    users.insert({job.state.roleName(ref), ref.index},
                        m_images.taskUserOn(*at, *job.spec, job.state.roleName(ref), job.document.runIn,
                            QString::fromStdString(at->agent->hello().user)));
                }
            }
        }
        context.peers = launch::sshPeers(*job.spec, placements, [&](const TaskPlacement &placement) {
            return users.value({placement.role, placement.index});
        });
    }
    return context;
}

const launch::RoleProgram *LaunchMaker::programFor(
    const ActiveJob &job, int role, const BaseEnvironment &environment, bool inContainer, Error *error)
{
    auto &programs = m_jobs[&job].programs;
    const QString words = environment.setBy + u'\0' + environment.command;
    const QString key = inContainer ? QString(u'\0' + words) : words;
    if (!programs.contains({role, key})) {
        if (!job.spec) {
            *error = job.specError;
            return nullptr;
        }
        const QString name = job.state.policy.roles[std::size_t(role)].name;
        const TaskRole *description = job.spec->role(name);
        if (!description) {
            *error = {u"job.role-missing"_s, {{u"role"_s, name}}};
            return nullptr;
        }
        launch::PluginContext context = pluginContextOf(job);
        context.environment = environment.command;
        context.environmentSetBy = environment.setBy;
        if (inContainer) {
            context.storages = storagesInside(*job.spec);
        }
        programs.emplace(std::pair(role, key), launch::programOf(*job.spec, *description, context));
    }
    const Result<launch::RoleProgram> &program = programs.at({role, key});
    if (!program) {
        *error = program.error();
        return nullptr;
    }
    return &*program;
}

const TaskEnvironment *LaunchMaker::environmentFor(const ActiveJob &job)
{
    Known &known = m_jobs[&job];
    const bool gang = job.state.policy.gang;
    // A gang's table is fixed for the attempt; without a gang a task sees the tasks that have an allocation when it
    // starts.
    const bool isFresh = known.environment && known.environmentAttempt == job.state.attempt()
        && (gang || known.environmentOf == job.version);
    if (isFresh) {
        return known.environment.get();
    }
    QList<TaskPlacement> placements;
    const auto add = [&](core::TaskRef ref) {
        if (const core::Allocation *place = core::placeOf(job.state.task(ref).state)) {
            placements.append({job.state.roleName(ref), ref.index, place->address, place->ports});
        }
    };
    if (gang) {
        for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
            add(job.state.refAt(i));
        }
    } else if (const PoolJob *held = m_poolJobs.find(job)) {
        for (const core::TaskRef ref : held->placed) {
            add(ref);
        }
    }
    known.environment = std::make_unique<TaskEnvironment>(*job.spec, identityOf(job), placements);
    known.environmentAttempt = job.state.attempt();
    known.environmentOf = job.version;
    return known.environment.get();
}

const TaskEnvironment *LaunchMaker::sharedFor(const ActiveJob &job)
{
    if (job.state.tasks.size() < 2) {
        return nullptr;
    }
    if (job.state.policy.gang) {
        return environmentFor(job);
    }
    Known &known = m_jobs[&job];
    if (!known.withoutPlaces || known.withoutPlacesAttempt != job.state.attempt()) {
        known.withoutPlaces = std::make_unique<TaskEnvironment>(*job.spec, identityOf(job), QList<TaskPlacement>());
        known.withoutPlacesAttempt = job.state.attempt();
    }
    // A larger table is not part of the record of a task's environment.
    const bool isShown = known.withoutPlaces->forAll().size() <= qsizetype(contract::mostSharedVariables);
    return isShown ? known.withoutPlaces.get() : nullptr;
}

void LaunchMaker::shareEnvironment(const TaskEnvironment &environment, PoolHost &at, const QString &key)
{
    QSet<QString> &told = m_told[at.id];
    if (told.contains(key)) {
        return;
    }
    told.insert(key);
    constexpr std::size_t mostBytes = contract::maxPayload / 2;
    contract::Share share;
    share.key = launchText(key);
    std::size_t bytes = 0;
    for (const auto &[name, value] : environment.forAll()) {
        const contract::Variable &variable
            = share.env.emplace_back(contract::Variable{launchText(name), launchText(value)});
        bytes += variable.name.size() + variable.value.size() + 2;
        if (bytes > mostBytes) {
            at.agent->request(share);
            share.env.clear();
            bytes = 0;
        }
    }
    at.agent->request(share);
}

void LaunchMaker::shareScript(PoolHost &at, const QString &key, const launch::RoleProgram &program)
{
    QSet<QString> &told = m_told[at.id];
    if (!told.contains(key)) {
        told.insert(key);
        at.agent->request(contract::Share{launchText(key), false, program.script.toStdString(), {}});
    }
}

void LaunchMaker::dropShared(const ActiveJob &job)
{
    const QString key = job.uuid();
    for (const auto &each : m_hosts.all()) {
        const auto gone = m_told[each->id].removeIf([&key](const QString &known) { return known.startsWith(key); });
        if (gone > 0 && each->agent->isOnline()) {
            each->agent->request(contract::Share{launchText(key), true, {}, {}});
        }
    }
}

void LaunchMaker::attemptOpened(const ActiveJob &job)
{
    Known &known = m_jobs[&job];
    known.programs.clear();
    known.environment.reset();
    known.withoutPlaces.reset();
    dropShared(job);
}

launch::LaunchInput LaunchMaker::inputOf(
    const ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid, const LiveTry &entry, const PoolHost &at) const
{
    const core::Allocation &place = *core::placeOf(job.state.task(ref).state);
    const TaskRole &role = *job.spec->role(job.state.roleName(ref));
    launch::LaunchInput input = inputOfTry(job, ref, tryUuid, role);
    input.gpus = place.gpus;
    const bool byUuid = m_settings.text(u"gpu.visibleBy"_s) == "uuid"_L1;
    for (const contract::Gpu &known : at.agent->inventory().gpus) {
        input.amd = input.amd || known.vendor == "amd";
    }
    input.gpuShareMiB = place.gpuShareMiB;
    bool anyMig = false;
    for (const int gpu : place.gpus) {
        for (const contract::Gpu &known : at.agent->inventory().gpus) {
            if (!input.amd && known.index == gpu) {
                input.gpuUuids.append(QString::fromStdString(known.uuid));
                anyMig = anyMig || known.uuid.starts_with("MIG-");
            }
        }
    }
    if (!byUuid && !anyMig) { // the instances of a GPU have no numbers that CUDA knows
        input.gpuUuids.clear();
    }
    input.hostCpus = at.capacity.cpus;
    const QString work = workOn(job, at);
    input.workDir = work.isEmpty() ? QString(entry.folder + u"/work"_s) : work;
    input.taskFolder = entry.folder;
    input.checkpointFolder = m_checkpoints.folderOn(job, ref, at, tryUuid);
    input.data = m_data.variablesOf(tryUuid);
    return input;
}

// The folder in which the tasks run, as the host has it. Empty: each try has one of its own.
QString LaunchMaker::workOn(const ActiveJob &job, const PoolHost &at) const
{
    const QString copied = m_code.folderOn(job, at);
    return copied.isEmpty() ? AgentFolders::workOn(at, job.document) : copied;
}

void LaunchMaker::setLimits(contract::Launch &message, const TaskRole &role) const
{
    if (m_settings.flag(u"limits.enforce"_s)) {
        const qint64 memoryMiB = role.resources.memoryMiB;
        message.plan.limits.memoryBytes = memoryMiB > 0 ? qMax(memoryMiB, leastLimitMiB) << 20 : 0;
        message.plan.limits.cpuWeight = qMax<qint64>(1, role.resources.cpu) * 100;
    }
}

void LaunchMaker::makeCheckpointFolder(const ActiveJob &job, PoolHost &at, const QString &there)
{
    // As with messages to an agent, this may have been lost together with the connection.
    QSet<QString> &made = m_told[at.id];
    const QString key = job.uuid() + u"/checkpoint"_s + there;
    if (made.contains(key)) {
        return;
    }
    made.insert(key);
    if (at.isLocal()) {
        QDir().mkpath(there);
    } else {
        // A file in it makes the folder, and its frame goes before the launch.
        contract::Put mark;
        mark.path = launchText(there + u"/.trainyard"_s);
        at.agent->request(std::move(mark));
    }
}

tl::expected<LaunchMaker::Made, LaunchMaker::Refusal> LaunchMaker::make(
    const ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid, const LiveTry &entry, PoolHost &at)
{
    Error error{job.specError};
    BaseEnvironment base = job.spec ? baseEnvironmentOf(*job.spec, entry.host, m_settings) : BaseEnvironment();
    const TaskRole *written = job.spec ? job.spec->role(job.state.roleName(ref)) : nullptr;
    const QString runtime
        = written ? m_images.runtimeOf(job.document.runIn, *written, &at) : QString(); // empty: a shell
    if (written && environmentOf(*job.spec).isEmpty() && !runtime.isEmpty()) {
        base.command.clear(); // the host's is nothing for a container
    }
    const launch::RoleProgram *program = programFor(job, ref.role, base, !runtime.isEmpty(), &error);
    if (!program) {
        return tl::unexpected(Refusal{error, codeNoProgram});
    }
    const core::Allocation &place = *core::placeOf(job.state.task(ref).state);
    const TaskRole &role = *written;

    Made made;
    contract::Launch &message = made.message;
    message.dir = launchText(entry.folder);
    message.cwd = launchText(workOn(job, at));
    launch::LaunchInput input = inputOf(job, ref, tryUuid, entry, at);
    // A clean one has nothing that could be set already, and a container nothing of the host.
    input.base = base.clean || !runtime.isEmpty() ? launch::Variables() : at.base;
    const TaskEnvironment &environment = *environmentFor(job);
    input.shared = runtime.isEmpty() ? sharedFor(job) : nullptr;
    const launch::LaunchPlan plan = launch::planTask(*job.spec, *program, environment, input);
    const QString sharedKey = job.uuid() + u'/' + QString::number(input.attempt);
    if (input.shared) {
        shareEnvironment(*input.shared, at, sharedKey);
        message.sharedEnv = launchText(sharedKey);
    }

    sayTry(message, job, ref, input, base, m_settings);
    message.gpuShareMiB = place.gpuShareMiB;
    for (const int gpu : place.gpus) {
        message.plan.gpus.push_back(gpu);
        for (const contract::Gpu &known : at.agent->inventory().gpus) {
            if (known.index == gpu) {
                message.gpuLocks.push_back(known.uuid);
                message.gpuMemoryMiB.push_back(known.memoryMiB);
            }
        }
    }
    message.dataTrees = m_data.treesOf(tryUuid);
    setLimits(message, role);
    made.otherEnvironment
        = base.clean || !runtime.isEmpty() ? Error() : HostFigures::otherEnvironmentOf(at, m_settings);
    sayProgram(message, plan);
    if (!message.sealed && job.state.tasks.size() > 1) {
        // One with a secret is not left lying with the agent.
        const QString key = sharedKey + u'/' + QString::number(ref.role)
            + (runtime.isEmpty() ? u"/shell/"_s : u"/container/"_s) + base.command;
        shareScript(at, key, *program);
        message.sharedScript = launchText(key);
    } else {
        message.script = plan.program.script.toStdString();
    }
    const QString agentSocket = m_hosts.clientEnvironment().value(u"SSH_AUTH_SOCK"_s);
    if (at.isLocal() && !agentSocket.isEmpty() && hasPlugin(*job.spec, u"git"_s)) {
        // The socket of the session that is here now: the one that the login shell knows may be gone.
        message.env.push_back({"SSH_AUTH_SOCK", launchText(agentSocket)});
    }
    if (!runtime.isEmpty()) {
        if (const std::optional<Error> why
            = m_images.putIntoContainer(message, *job.spec, role, runtime, at, input, plan.environment)) {
            return tl::unexpected(Refusal{*why, codeNoContainer});
        }
    }
    makeCheckpointFolder(job, at, input.checkpointFolder);
    return made;
}

} // namespace trainyard
