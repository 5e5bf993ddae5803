// SPDX-License-Identifier: GPL-3.0-or-later
// Tries: launch, observation, stop, and what their end means.
#include "engine/core/exitclassifier.h"
#include "engine/core/missingcommand.h"
#include "engine/daemon/engineprivate.h"
#include "engine/daemon/sshkeys.h"
#include "engine/launch/stepreport.h"
#include "model/base/threads.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <QUrl>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 classifiedLogBytes = 10 << 20;
constexpr qint64 classifiedAtOnceBytes = 128 << 10; // in the loop itself; what takes longer has a thread for it
constexpr qint64 classifiedRuntimeBytes = 64 << 10;
constexpr int codeLost = -101;
constexpr int codeNoContainer = -1201;
constexpr auto askAgainAfter = std::chrono::seconds(5);
constexpr qint64 leastLimitMiB = 64; // a shell and its tools must be able to begin

QByteArray tailOf(const QString &path, qint64 limit)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return {};
    }
    struct stat info {
    };
    QByteArray bytes;
    if (::fstat(fd, &info) == 0) {
        const qint64 from = qMax<qint64>(0, info.st_size - limit);
        bytes.resize(qsizetype(info.st_size - from));
        const ssize_t n = ::pread(fd, bytes.data(), std::size_t(bytes.size()), off_t(from));
        bytes.resize(qMax<ssize_t>(0, n));
    }
    ::close(fd);
    return bytes;
}

core::RawExit::Kind kindOf(contract::ExitKind kind)
{
    switch (kind) {
    case contract::ExitKind::Exited:
        return core::RawExit::Kind::Exited;
    case contract::ExitKind::Signaled:
        return core::RawExit::Kind::Signaled;
    case contract::ExitKind::Oom:
        return core::RawExit::Kind::Oom;
    case contract::ExitKind::StartFailed:
        return core::RawExit::Kind::StartFailed;
    case contract::ExitKind::Lost:
        break;
    }
    return core::RawExit::Kind::Lost;
}

core::RawExit::Phase phaseOf(launch::StepPhase phase)
{
    switch (phase) {
    case launch::StepPhase::Before:
        return core::RawExit::Phase::Before;
    case launch::StepPhase::After:
        return core::RawExit::Phase::After;
    case launch::StepPhase::User:
        break;
    }
    return core::RawExit::Phase::User;
}

// Most of what a launch says is plain, and there are hundreds of texts in each.
std::string text(const QString &string)
{
    std::string plain(std::size_t(string.size()), '\0');
    for (qsizetype i = 0; i < string.size(); ++i) {
        if (string[i].unicode() >= 0x80) {
            return string.toStdString();
        }
        plain[std::size_t(i)] = char(string[i].unicode());
    }
    return plain;
}

// What the keeper found in the kernel's log about the GPUs, as lines behind the output.
struct GpuErrors {
    QByteArray lines;
    QStringList lost; // GPUs that have fallen off the bus
};
GpuErrors gpuErrorsOf(const QByteArray &runtime)
{
    static const QRegularExpression pattern(u"said of (\\S+): (NVRM: Xid \\([^)]*\\): (\\d+)[^\n]*)"_s);
    GpuErrors errors;
    for (auto it = pattern.globalMatch(QString::fromUtf8(runtime)); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        errors.lines += '\n' + match.captured(2).toUtf8();
        if (match.captured(3) == "79"_L1) {
            errors.lost.append(match.captured(1));
        }
    }
    errors.lines += errors.lines.isEmpty() ? "" : "\n";
    return errors;
}

// What the end of a try means. Needs nothing of the engine: also for another thread.
core::event::TryEnded judged(
    core::event::TryEnded event, const core::RawExit &raw, const QString &output, const QByteArray &gpuErrors)
{
    QByteArray log = output.isEmpty() ? QByteArray() : tailOf(output, classifiedLogBytes);
    log += gpuErrors;
    core::Classified classified = core::classifyExit(ExitRules::inUse(), raw, log);
    core::nameMissingCommand(raw, log, &classified);
    event.result.code = classified.code;
    event.result.reason = classified.reason;
    event.result.reasonArgs = classified.reasonArgs;
    return event;
}

} // namespace

Error LiveTry::trouble() const
{
    if (diskFull) {
        const bool isOver = std::holds_alternative<core::Stopping>(job->state.task(task).state);
        return {isOver ? u"stop.disk-full"_s : u"task.disk-full"_s, {{u"host"_s, host}}};
    }
    return refused.isEmpty() ? Error() : Error{refused, {{u"host"_s, host}, {u"argument"_s, folder}}};
}

QString Engine::Private::localFolder(
    const QString &jobUuid, int attempt, const QString &role, int index, int taskTry) const
{
    // A role's name comes from the document: whatever it holds, it is one part of a path.
    return m_options.stateFolder + u"/runs/"_s + jobUuid + u'/' + QString::number(attempt) + u'/'
        + QString::fromLatin1(QUrl::toPercentEncoding(role)) + u'-' + QString::number(index) + u'/'
        + QString::number(taskTry);
}

QString Engine::Private::agentFolder(const EngineHost &at, const QString &local) const
{
    if (at.isLocal()) {
        return local;
    }
    return QString::fromStdString(at.agent->hello().stateFolder) + u'/' + belowAgentState(local);
}

QString Engine::Private::belowAgentState(const QString &local) const
{
    return u"remote/"_s + m_store->epoch() + local.mid(m_options.stateFolder.size() + 5); // without "/runs"
}

LiveTry *Engine::Private::live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    LiveTry &entry = m_live[tryUuid];
    const core::Place *place = core::placeOf(job.state.task(task).state);
    if (!place) {
        m_live.erase(tryUuid);
        return nullptr;
    }
    entry.job = &job;
    entry.task = task;
    entry.host = place->host;
    job.placed.insert(task);
    if (entry.localFolder.isEmpty()) {
        entry.localFolder = localFolder(job.state.uuid.toString(QUuid::WithoutBraces), job.state.attempt(),
            job.state.roleName(task), task.index, job.state.task(task).tryIndex);
    }
    EngineHost *at = host(entry.host);
    if (!at) {
        failTry(tryUuid, u"host.removed"_s, {{u"host"_s, entry.host}}, codeLost, true);
        return nullptr;
    }
    at->tries.insert(tryUuid);
    if (!at->agent->isOnline()) {
        return nullptr; // resumeTries() does it when the host is back
    }
    entry.folder = agentFolder(*at, entry.localFolder);
    return &entry;
}

// ---- launch ----

// The key is kept like a secret of the job: tasks that start after the engine was started again have the same.
launch::PluginContext Engine::Private::pluginContextOf(ActiveJob &job)
{
    launch::PluginContext context;
    context.storages = m_settings.texts(u"storages."_s);
    if (!wantsSshKey(*job.spec)) {
        return context;
    }
    const QUuid keyId = sshKeyId(job.state.uuid);
    const auto part = [&](const std::optional<Value> &kept, const QString &key) {
        const Value *value = kept ? kept->find(key) : nullptr;
        return value && value->asString() ? value->asString()->toUtf8() : QByteArray();
    };
    std::optional<Value> kept = m_secrets.secretsOf(keyId);
    if (!kept) {
        const QString folder = m_secrets.folder().isEmpty() ? m_options.runtimeFolder : m_secrets.folder();
        if (const std::optional<SshKeyPair> made = makeSshKeyPair(folder)) {
            kept = Value(Value::Map{{u"private"_s, Value(QString::fromLatin1(made->privateKey))},
                {u"public"_s, Value(QString::fromLatin1(made->publicKey))}});
            m_secrets.keep(keyId, *kept);
        }
    }
    context.sshPrivateKey = part(kept, u"private"_s);
    context.sshPublicKey = part(kept, u"public"_s);
    if (job.state.policy.gang) {
        QList<TaskPlacement> placements;
        QHash<std::pair<QString, int>, QString> users;
        for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
            const core::TaskRef ref = job.state.refAt(i);
            if (const core::Place *place = core::placeOf(job.state.task(ref).state)) {
                placements.append({job.state.roleName(ref), ref.index, place->address, place->ports});
                if (const EngineHost *at = host(place->host)) {
                    users.insert({job.state.roleName(ref), ref.index},
                        taskUserOn(*at, *job.spec, job.state.roleName(ref), job.document.runIn,
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

Engine::Private::BaseEnvironment Engine::Private::baseEnvironmentOf(const JobSpec &job, const QString &hostId) const
{
    const QString ofAll = m_settings.text(u"environment.mode"_s);
    QString word = environmentOf(job);
    for (const QString &next : {m_settings.texts(u"hostEnvironment."_s).value(hostId), ofAll}) {
        word = word.isEmpty() ? next.trimmed() : word;
    }
    const bool isCommand = word != "login"_L1 && word != "clean"_L1;
    return {word == "clean"_L1 || (isCommand && ofAll == "clean"_L1), isCommand ? word : QString()};
}

const launch::RoleProgram *Engine::Private::programFor(
    ActiveJob &job, int role, const QString &environment, bool inContainer, Error *error)
{
    const QString key = inContainer ? QString(u'\0' + environment) : environment;
    const auto it = job.programs.find({role, key});
    if (it == job.programs.end()) {
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
        context.environment = environment;
        if (inContainer) {
            context.storages = storagesInside(*job.spec);
        }
        job.programs.emplace(std::pair(role, key), launch::programOf(*job.spec, *description, context));
    }
    const Result<launch::RoleProgram> &program = job.programs.at({role, key});
    if (!program) {
        *error = program.error();
        return nullptr;
    }
    return &*program;
}

const TaskEnvironment *Engine::Private::environmentFor(ActiveJob &job)
{
    const bool gang = job.state.policy.gang;
    // A gang's table is fixed for the attempt; without a gang a task sees who holds a place when it starts.
    const bool isFresh = job.environment && job.environmentAttempt == job.state.attempt()
        && (gang || job.environmentTurn == m_turnNumber);
    if (isFresh) {
        return job.environment.get();
    }
    QList<TaskPlacement> placements;
    const auto add = [&](core::TaskRef ref) {
        if (const core::Place *place = core::placeOf(job.state.task(ref).state)) {
            placements.append({job.state.roleName(ref), ref.index, place->address, place->ports});
        }
    };
    if (gang) {
        for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
            add(job.state.refAt(i));
        }
    } else {
        for (const core::TaskRef ref : job.placed) {
            add(ref);
        }
    }
    const JobIdentity identity{job.state.meta.user, job.state.meta.runName,
        job.state.uuid.toString(QUuid::WithoutBraces), job.state.attempt()};
    job.environment = std::make_unique<TaskEnvironment>(*job.spec, identity, placements);
    job.environmentAttempt = job.state.attempt();
    job.environmentTurn = m_turnNumber;
    return job.environment.get();
}

void Engine::Private::launchTry(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    LiveTry *entry = live(job, ref, tryUuid);
    if (!entry) {
        return;
    }
    Error error{job.specError};
    BaseEnvironment base = job.spec ? baseEnvironmentOf(*job.spec, entry->host) : BaseEnvironment();
    const TaskRole *written = job.spec ? job.spec->role(job.state.roleName(ref)) : nullptr;
    const QString runtime
        = written ? runtimeOf(job.document.runIn, *written, host(entry->host)) : QString(); // empty: a shell
    if (written && environmentOf(*job.spec).isEmpty() && !runtime.isEmpty()) {
        base.command.clear(); // the host's is nothing for a container
    }
    const launch::RoleProgram *program = programFor(job, ref.role, base.command, !runtime.isEmpty(), &error);
    if (!program) {
        failTry(tryUuid, error.code, error.args, -300, false);
        return;
    }
    EngineHost &at = *host(entry->host);
    const core::Place &place = *core::placeOf(job.state.task(ref).state);
    const TaskRole &role = *job.spec->role(job.state.roleName(ref));
    const QString jobUuid = job.state.uuid.toString(QUuid::WithoutBraces);

    contract::Launch message;
    message.dir = text(entry->folder);
    QString work = job.document.work;
    if (work.isEmpty() && at.isLocal() && !job.document.file.isEmpty()) {
        work = QFileInfo(job.document.file).path();
    }
    if (work.startsWith("~/"_L1)) {
        work = QString::fromStdString(at.agent->hello().home) + work.mid(1);
    }
    message.cwd = text(work);

    launch::LaunchInput input;
    input.job = job.state.uuid;
    input.tryUuid = tryUuid;
    input.attempt = job.state.attempt();
    input.tryIndex = job.state.task(ref).tryIndex;
    input.role = role.name;
    input.index = ref.index;
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
    input.cpu = role.resources.cpu;
    input.hostCpus = at.capacity.cpus;
    input.memoryMiB = role.resources.memoryMB;
    input.shmMiB = role.shmMB.value_or(0);
    input.workDir = work.isEmpty() ? QString(entry->folder + u"/work"_s) : work;
    input.taskFolder = entry->folder;
    const QString checkpoint = m_options.stateFolder + u"/runs/"_s + jobUuid + u"/checkpoint"_s;
    input.checkpointFolder = agentFolder(at, checkpoint);
    const bool clean = base.clean;
    // A clean one has nothing that could be set already, and a container nothing of the host.
    input.base = clean || !runtime.isEmpty() ? launch::Variables() : at.base;
    const launch::LaunchPlan plan = launch::planTask(*job.spec, *program, *environmentFor(job), input);

    message.plan.job = text(jobUuid);
    message.plan.role = text(role.name);
    message.plan.tryUuid = text(tryUuid.toString(QUuid::WithoutBraces));
    message.plan.attempt = input.attempt;
    message.plan.index = ref.index;
    message.plan.tryNumber = input.tryIndex;
    message.gpuShareMiB = place.gpuShareMiB;
    message.plan.stopGraceMs = m_settings.integer(u"stop.graceSeconds"_s) * 1000;
    for (const int gpu : place.gpus) {
        message.plan.gpus.push_back(gpu);
        for (const contract::Gpu &known : at.agent->inventory().gpus) {
            if (known.index == gpu) {
                message.gpuLocks.push_back(known.uuid);
                message.gpuMemoryMiB.push_back(known.memoryMiB);
                if (!entry->gpuBaseMiB.contains(gpu)) {
                    entry->gpuBaseMiB.insert(gpu, known.memoryUsedMiB);
                }
            }
        }
    }
    for (const auto &[label, numbers] : place.ports) {
        message.plan.ports.insert(message.plan.ports.end(), numbers.cbegin(), numbers.cend());
    }
    const qint64 logLimit = m_settings.integer(u"log.maxBytes"_s);
    message.plan.limits.outputBytes = logLimit == m_defaultLogLimit ? 0 : logLimit;
    if (m_settings.flag(u"limits.enforce"_s)) {
        const qint64 memoryMiB = role.resources.memoryMB;
        message.plan.limits.memoryBytes = memoryMiB > 0 ? qMax(memoryMiB, leastLimitMiB) << 20 : 0;
        message.plan.limits.cpuWeight = qMax<qint64>(1, role.resources.cpu) * 100;
    }
    message.cleanEnvironment = clean;
    const QStringList kept = m_settings.list(u"environment.allow"_s);
    for (const QString &name : kept) {
        message.keepNames.push_back(text(name));
    }
    message.sealed = plan.program.usesSecret;
    message.script = plan.program.script.toStdString();
    if (message.sealed) {
        message.maskedScript = plan.program.masked.toStdString();
    }
    message.env.reserve(std::size_t(plan.environment.size()));
    for (const auto &[name, value] : plan.environment) {
        message.env.push_back({text(name), text(value)});
    }
    const QString agentSocket = m_clientEnvironment.value(u"SSH_AUTH_SOCK"_s);
    if (at.isLocal() && !agentSocket.isEmpty() && hasPlugin(*job.spec, u"git"_s)) {
        // Of who is here now: the one that the login shell knows may be gone.
        message.env.push_back({"SSH_AUTH_SOCK", text(agentSocket)});
    }
    for (const QString &value : plan.maskValues) {
        message.maskValues.push_back(text(value));
    }
    if (!runtime.isEmpty()) {
        if (const std::optional<Error> why
            = putIntoContainer(message, *job.spec, role, runtime, at, input, plan.environment)) {
            failTry(tryUuid, why->code, why->args, codeNoContainer, false);
            return;
        }
    }
    if (!job.checkpointMade.contains(at.id)) {
        job.checkpointMade.insert(at.id);
        if (at.isLocal()) {
            QDir().mkpath(checkpoint);
        } else {
            // A file in it makes the folder, and its frame goes before the launch.
            contract::Put mark;
            mark.path = text(input.checkpointFolder + u"/.trainyard"_s);
            at.agent->request(std::move(mark));
        }
    }
    at.agent->request(std::move(message), [this, tryUuid](const contract::Message &answer) {
        if (const auto *launched = std::get_if<contract::Launched>(&answer)) {
            if (launched->started) {
                started(tryUuid, *launched->started);
            }
            if (launched->exit) {
                ended(tryUuid, *launched->exit);
            }
        } else if (const auto *failure = std::get_if<contract::Failure>(&answer);
                   failure && failure->code != "host.gone") {
            contract::ExitRecord record;
            record.kind = contract::ExitKind::StartFailed;
            record.value = failure->systemError;
            record.reason = failure->code + (failure->argument.empty() ? "" : " " + failure->argument);
            record.ended = nowMs();
            classify(tryUuid, record, false);
        }
    });
}

void Engine::Private::observeTry(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    const LiveTry *entry = live(job, ref, tryUuid);
    if (!entry) {
        return;
    }
    EngineHost &at = *host(entry->host);
    at.agent->request(contract::Observe{text(entry->folder)}, [this, tryUuid](const contract::Message &answer) {
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (!observed) {
            if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
                askAgain(tryUuid, *failure);
            }
            return;
        }
        noteAnswered(tryUuid);
        if (observed->exit) {
            ended(tryUuid, *observed->exit);
        } else if (observed->state == "absent") {
            contract::ExitRecord record; // the folder is gone: nobody knows what became of it
            record.reason = "run.folder-missing";
            record.ended = nowMs();
            classify(tryUuid, record, false);
        } else if (observed->started) {
            started(tryUuid, *observed->started);
        }
    });
}

void Engine::Private::stopTry(ActiveJob &job, core::TaskRef ref, const QUuid &tryUuid)
{
    if (const auto known = m_live.find(tryUuid); known != m_live.end() && known->second.waitsForLog) {
        // It has ended, its result is fixed, and what its log says no longer counts: that may never come.
        const contract::ExitRecord record = *std::exchange(known->second.waitsForLog, std::nullopt);
        if (!watchGpus(tryUuid, record)) {
            classify(tryUuid, record, false);
        }
        return;
    }
    const LiveTry *entry = live(job, ref, tryUuid);
    if (!entry) {
        forceLater(tryUuid);
        return;
    }
    EngineHost &at = *host(entry->host);
    if (job.state.pausedAt || job.state.pausedMs > 0) {
        at.agent->request(contract::Pause{text(entry->folder), false}); // also what only watches it, as of containers
    }
    contract::Stop stop;
    stop.dir = text(entry->folder);
    stop.graceMs = m_settings.integer(u"stop.graceSeconds"_s) * 1000;
    if (job.spec) {
        const StopRule &rule = job.spec->trainyard.stop;
        stop.signal = rule.signal > 0 ? rule.signal : stop.signal;
        stop.onlyMain = rule.onlyMain;
        stop.graceMs = rule.graceSeconds ? *rule.graceSeconds * 1000 : stop.graceMs;
    }
    at.agent->request(stop, [this, tryUuid](const contract::Message &answer) {
        const auto *observed = std::get_if<contract::Observed>(&answer);
        if (observed && observed->exit) {
            ended(tryUuid, *observed->exit);
        } else if (observed && observed->state == "absent") {
            failTry(tryUuid, {}, {}, codeLost, false); // it had never been started
        } else if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
            askAgain(tryUuid, *failure);
        }
        if (observed) {
            noteAnswered(tryUuid);
        }
    });
}

void Engine::Private::noteAnswered(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it != m_live.end() && !it->second.refused.isEmpty()) {
        it->second.refused.clear();
        noteTrouble(it->second, tryUuid);
    }
}

// Its agent could not do it, as with a folder that cannot be written: once more in a while, as its state wants it then.
void Engine::Private::askAgain(const QUuid &tryUuid, const contract::Failure &why)
{
    const auto refused = m_live.find(tryUuid);
    if (refused == m_live.end() || why.code == "host.gone") {
        return; // resumeTries() does it
    }
    refused->second.refused = QString::fromStdString(why.code);
    noteTrouble(refused->second, tryUuid);
    QTimer::singleShot(askAgainAfter, q, [this, tryUuid] {
        const auto it = m_live.find(tryUuid);
        if (it == m_live.end() || it->second.exitKnown) {
            return;
        }
        ActiveJob &job = *it->second.job;
        const core::TaskRef task = it->second.task;
        if (std::holds_alternative<core::Running>(job.state.task(task).state)) {
            observeTry(job, task, tryUuid);
        } else if (std::holds_alternative<core::Stopping>(job.state.task(task).state)) {
            stopTry(job, task, tryUuid);
        }
    });
}

// The store cannot be written, perhaps because of what this very job writes: its tasks end at once, and the record
// follows when there is room. Their folders know that it was asked for.
void Engine::Private::stopUnwritten(ActiveJob &job)
{
    std::vector<std::pair<core::TaskRef, QUuid>> running;
    for (const auto &[uuid, entry] : m_live) {
        const bool began = entry.job == &job && !entry.exitKnown
            && (std::holds_alternative<core::Running>(job.state.task(entry.task).state)
                || std::holds_alternative<core::Stopping>(job.state.task(entry.task).state));
        if (began) {
            running.emplace_back(entry.task, uuid);
        }
    }
    for (const auto &[task, uuid] : running) {
        stopTry(job, task, uuid);
    }
}

// A stop must end some day, even when the host never answers again. Until then its places stay taken; afterwards the
// task may still be running there, and the reason says so.
void Engine::Private::forceLater(const QUuid &tryUuid)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.willBeForced) {
        return;
    }
    it->second.willBeForced = true;
    const auto patience = std::chrono::minutes(m_settings.integer(u"stop.forceMinutes"_s));
    QTimer::singleShot(patience, q, [this, tryUuid] {
        const auto entry = m_live.find(tryUuid);
        if (entry == m_live.end()) {
            return;
        }
        entry->second.willBeForced = false;
        const EngineHost *at = host(entry->second.host);
        const bool isStopping
            = std::holds_alternative<core::Stopping>(entry->second.job->state.task(entry->second.task).state);
        if (isStopping && (!at || !at->agent->isOnline())) {
            failTry(tryUuid, u"stop.host-unreachable"_s, {{u"host"_s, entry->second.host}}, codeLost, true);
        }
    });
}

// The host is online, anew: an agent forgets, so each of its tries is asked for as its state wants it.
void Engine::Private::resumeTries(EngineHost &at)
{
    std::vector<std::pair<ActiveJob *, core::Effect>> draws;
    const QSet<QUuid> tries = at.tries;
    for (const QUuid &uuid : tries) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end()) {
            at.tries.remove(uuid);
            continue;
        }
        ActiveJob &job = *it->second.job;
        const core::TaskRef ref = it->second.task;
        if (it->second.exitKnown) {
            continue;
        }
        std::visit(Overloaded{
                       [&](const core::Placed &placed) {
                           if (!placed.portsDrawn) {
                               draws.emplace_back(&job, core::effect::DrawPorts{job.state.attempt(), {ref}});
                           }
                       },
                       [&](const core::Launching &) { launchTry(job, ref, uuid); },
                       [&](const core::Running &) {
                           observeTry(job, ref, uuid);
                           if (job.state.pausedAt || job.state.pausedMs > 0) {
                               pauseTry(job, ref, uuid, job.state.pausedAt.has_value());
                           }
                       },
                       [&](const core::Stopping &) { stopTry(job, ref, uuid); },
                       [](const auto &) {},
                   },
            job.state.task(ref).state);
    }
    drawPorts(draws);
}

// ---- what agents say ----

void Engine::Private::started(const QUuid &tryUuid, const contract::StartedRecord &record)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    EngineHost *at = host(entry.host);
    if (at && at->mirrors) {
        at->mirrors->add(tryUuid, entry.folder, entry.localFolder);
    }
    entry.pulling.clear();
    if (entry.exitKnown) {
        return;
    }
    core::event::TryStarted event{entry.task, tryUuid, {}, record.at};
    event.process = {QString::fromStdString(record.process.bootId), record.process.pid, record.process.startTime};
    post(*entry.job, {nowMs(), event});
}

// Nothing on the full disk can say it: the keeper tells the agent.
void Engine::Private::noteDiskFull(const QUuid &tryUuid, bool full)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.diskFull == full) {
        return;
    }
    LiveTry &entry = it->second;
    entry.diskFull = full;
    noteTrouble(entry, tryUuid);
}

// It has begun or ended, and is told.
void Engine::Private::noteTrouble(LiveTry &entry, const QUuid &tryUuid)
{
    if (entry.trouble().code.isEmpty()) {
        entry.job->inTrouble.remove(tryUuid);
    } else {
        entry.job->inTrouble.insert(tryUuid);
    }
    entry.job->changedTasks.insert(entry.task);
    entry.job->changed = true;
    m_untold.insert(entry.job);
    wantTurn();
}

void Engine::Private::grew(const QUuid &tryUuid, qint64 bytes)
{
    m_grown.insert(tryUuid, bytes);
    if (!m_growthTimer.isActive()) {
        m_growthTimer.start();
    }
}

void Engine::Private::tellGrowth()
{
    std::map<QString, QList<LogGrowth>> byJob;
    const QHash<QUuid, qint64> grown = std::exchange(m_grown, {});
    for (auto it = grown.cbegin(); it != grown.cend(); ++it) {
        const auto entry = m_live.find(it.key());
        if (entry != m_live.end()) {
            const core::JobState &job = entry->second.job->state;
            byJob[job.uuid.toString(QUuid::WithoutBraces)].append(
                {job.roleName(entry->second.task), entry->second.task.index, job.attempt(), it.value()});
        }
    }
    for (const auto &[uuid, logs] : byJob) {
        Q_EMIT q->logsGrew(uuid, logs);
    }
}

void Engine::Private::ended(const QUuid &tryUuid, const contract::ExitRecord &record)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.exitKnown) {
        return;
    }
    LiveTry &entry = it->second;
    EngineHost *at = host(entry.host);
    const bool isGood = record.kind == contract::ExitKind::Exited && record.value == 0;
    if (at && at->mirrors) {
        at->mirrors->add(tryUuid, entry.folder, entry.localFolder);
        // What its end means may stand in its log, which is still on its way.
        const bool resultIsFixed = std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state);
        if (!isGood && !resultIsFixed && !at->mirrors->isComplete(tryUuid)) {
            entry.exitKnown = true;
            entry.waitsForLog = record;
            return;
        }
    }
    if (!watchGpus(tryUuid, record)) {
        classify(tryUuid, record, !isGood);
    }
}

TaskUsage Engine::Private::usageOf(const LiveTry &entry, const contract::ExitRecord &record)
{
    TaskUsage usage;
    if (record.maxRssKiB > 0) {
        usage.peakMemoryMiB = (record.maxRssKiB + 1023) / 1024;
        usage.cpuMs = record.userMs + record.systemMs;
    }
    if (entry.gpuSamples > 0) {
        usage.peakGpuMemoryMiB = entry.peakGpuMemoryMiB;
    }
    if (entry.gpuPercentSamples > 0) {
        usage.gpuPercent = int(entry.gpuPercentSum / entry.gpuPercentSamples);
    }
    usage.left = entry.left;
    if (!record.left.empty()) {
        usage.left.insert(u"processes"_s,
            QJsonArray::fromStringList(QString::fromStdString(record.left).split(u", "_s, Qt::SkipEmptyParts)));
    }
    return usage;
}

void Engine::Private::classify(const QUuid &tryUuid, const contract::ExitRecord &record, bool withLog)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end()) {
        return;
    }
    LiveTry &entry = it->second;
    entry.exitKnown = true;
    core::event::TryEnded event{
        entry.task, tryUuid, {}, record.began, record.ended, record.kind != contract::ExitKind::StartFailed};
    event.usage = usageOf(entry, record);
    core::RawExit raw;
    raw.kind = kindOf(record.kind);
    raw.value = record.kind == contract::ExitKind::Oom ? record.shellStatus() : record.value;
    raw.reason = QString::fromStdString(record.reason);
    event.result.rawExit = core::rawExitOf(raw);
    if (raw.kind == core::RawExit::Kind::Exited && raw.value == 0) {
        post(*entry.job, {nowMs(), std::move(event)});
        return;
    }
    readExitRules();
    if (raw.kind == core::RawExit::Kind::StartFailed && raw.reason.startsWith("launch.gpu-busy "_L1)) {
        noteBusyGpu(entry.host, raw.reason.section(u' ', 1));
    }
    if (!withLog) {
        post(*entry.job, {nowMs(), judged(std::move(event), raw, {}, {})});
        return;
    }
    raw.upstreamOrder = entry.job->spec && isStrict(*entry.job->spec);
    const QByteArray runtime
        = tailOf(entry.localFolder + u'/' + QLatin1StringView(contract::file::runtime), classifiedRuntimeBytes);
    const GpuErrors errors = gpuErrorsOf(runtime);
    raw.gpuErrors = errors.lines;
    noteLostGpus(entry.host, errors.lost);
    if (const std::optional<launch::StepFailure> step = launch::stepFailure(runtime)) {
        raw.phase = phaseOf(step->phase);
        raw.step = step->name;
        raw.strict = step->strict;
        raw.cause = step->cause;
        raw.about = step->about;
    }
    const QString output = entry.localFolder + u'/' + QLatin1StringView(contract::file::output);
    if (QFileInfo(output).size() <= classifiedAtOnceBytes) {
        post(*entry.job, {nowMs(), judged(std::move(event), raw, output, errors.lines)});
        return;
    }
    // The loop goes on meanwhile; few at a time, so that few such ends are in memory.
    threads::runOnPool(
        [this, tryUuid, unjudged = std::move(event), raw, output, lines = errors.lines] {
            threads::callLater(q, [this, tryUuid, done = judged(unjudged, raw, output, lines)] {
                const auto waiting = m_live.find(tryUuid);
                if (waiting != m_live.end()) {
                    post(*waiting->second.job, {nowMs(), done});
                }
            });
        },
        &m_judges);
}

// The next try is to get another one. A boot brings it back, or its own return to the list after it was not there.
void Engine::Private::noteLostGpus(const QString &hostId, const QStringList &uuids)
{
    EngineHost *at = host(hostId);
    if (!at || uuids.isEmpty()) {
        return;
    }
    at->lostGpus += QSet<QString>(uuids.begin(), uuids.end());
    at->lostInBoot = at->agent->hello().bootId;
    refreshCapacity(*at);
    Q_EMIT q->hostChanged(infoOf(*at));
}

void Engine::Private::failTry(
    const QUuid &tryUuid, const QString &reason, const QJsonObject &args, int code, bool wasStarted)
{
    const auto it = m_live.find(tryUuid);
    if (it == m_live.end() || it->second.exitKnown) {
        return;
    }
    LiveTry &entry = it->second;
    entry.exitKnown = true;
    core::event::TryEnded event{entry.task, tryUuid, {}, 0, 0, wasStarted};
    event.result.code = code;
    event.result.reason = reason;
    event.result.reasonArgs = args;
    post(*entry.job, {nowMs(), std::move(event)});
}

} // namespace trainyard
