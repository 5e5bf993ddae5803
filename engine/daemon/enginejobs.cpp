// SPDX-License-Identifier: GPL-3.0-or-later
// From a document to a job that runs, and the question what would become of one.
#include "engine/core/fit.h"
#include "engine/core/report.h"
#include "engine/core/rerun.h"
#include "engine/daemon/engineprivate.h"
#include "engine/launch/stepreport.h"
#include "model/base/lineindex.h"
#include "model/protocol/gpunames.h"
#include "model/protocol/jobdocument.h"
#include "model/template/pluginsteps.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QThread>

#include <pwd.h>
#include <unistd.h>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int plannedInFull = 64; // tasks of a plan that come with script and environment

// Time first, so that the folders of jobs sort by age.
QUuid makeJobUuid(qint64 ms)
{
    quint32 words[4];
    QRandomGenerator::system()->fillRange(words);
    QByteArray bytes(reinterpret_cast<const char *>(words), 16);
    for (int i = 0; i < 6; ++i) {
        bytes[i] = char((quint64(ms) >> (40 - 8 * i)) & 0xff);
    }
    bytes[6] = char((quint8(bytes.at(6)) & 0x0f) | 0x70);
    bytes[8] = char((quint8(bytes.at(8)) & 0x3f) | 0x80);
    return QUuid::fromRfc4122(bytes);
}

QString userName()
{
    const passwd *entry = ::getpwuid(::getuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : QString::number(::getuid());
}

QString virtualClusterOf(const JobSpec &spec)
{
    return spec.virtualCluster.isEmpty() ? u"default"_s : spec.virtualCluster;
}

// Relative to the document, as everything written in it. Empty: none was named, or there is no document.
QString workFolder(const QString &named, const QString &file)
{
    if (named.isEmpty() || named.startsWith(u'/') || named.startsWith("~/"_L1)) {
        return named;
    }
    return file.isEmpty() ? QString() : QDir::cleanPath(QFileInfo(file).path() + u'/' + named);
}

QJsonArray diagnosticsJson(const ParseOutcome &outcome, const QByteArray &bytes)
{
    const LineIndex lines(bytes);
    QJsonArray list;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        if (diagnostic.severity != Severity::Error) {
            continue;
        }
        const LineColumn at = lines.at(diagnostic.at.begin);
        list.append(QJsonObject{{u"code"_s, diagnostic.code}, {u"severity"_s, u"error"_s},
            {u"begin"_s, qint64(diagnostic.at.begin)}, {u"end"_s, qint64(diagnostic.at.end)},
            {u"line"_s, qint64(at.line)}, {u"column"_s, qint64(at.column)}, {u"path"_s, diagnostic.path.toPointer()},
            {u"args"_s, diagnostic.args}});
    }
    return list;
}

// Names of the secrets that have no value yet. Fills in what `given` has.
QStringList fillSecrets(JobSpec &spec, const QMap<QString, QString> &given)
{
    Value::Map values = spec.secrets.asMap() ? *spec.secrets.asMap() : Value::Map();
    QStringList missing;
    if (spec.secretsMasked) {
        values.clear();
        for (auto it = given.cbegin(); it != given.cend(); ++it) {
            values.append({it.key(), Value(it.value())});
        }
        if (given.isEmpty()) {
            missing.append(u"*"_s); // the document does not even name them
        }
    }
    for (auto &[name, value] : values) {
        const auto it = given.constFind(name);
        if (it != given.cend()) {
            value = Value(*it);
        } else if (spec.maskedSecrets.contains(name)) {
            missing.append(name);
        }
    }
    spec.secrets = Value(values);
    return missing;
}

// A refusal, with the edits of the document that would let the job run: {path, value, resource, role?}.
Error withFix(Error refusal, const core::Scheduler &scheduler, const core::PlacementRequest &request)
{
    const std::optional<core::Fit> fit = core::fitTo(scheduler, request);
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

bool hasSecrets(const JobSpec &spec) { return spec.secrets.asMap() && !spec.secrets.asMap()->isEmpty(); }

} // namespace

core::GuardRails Engine::Private::guards() const
{
    core::GuardRails guards;
    guards.freeRetryCap = int(m_settings.integer(u"retry.freeCap"_s));
    guards.minPauseMs = m_settings.integer(u"retry.pauseSeconds"_s) * 1000;
    guards.conflictMinSec = m_settings.integer(u"retry.conflictFirstSeconds"_s);
    guards.conflictMaxSec = qMax(guards.conflictMinSec, m_settings.integer(u"retry.conflictLastSeconds"_s));
    return guards;
}

int Engine::Private::maxParallel() const
{
    const int set = int(m_settings.integer(u"tasks.maxParallel"_s));
    int cpus = 0;
    for (const auto &one : m_hosts) {
        cpus += one->agent->inventory().cpus;
    }
    return set > 0 ? set : 2 * qMax(1, cpus > 0 ? cpus : QThread::idealThreadCount());
}

Result<Engine::Private::Prepared> Engine::Private::prepare(const SubmitRequest &request, bool needSecrets) const
{
    const ParseOutcome outcome = parseJob(request.yaml);
    if (!outcome.canRun()) {
        return fail(u"job.invalid"_s, {{u"diagnostics"_s, diagnosticsJson(outcome, request.yaml)}});
    }
    Prepared prepared;
    JobSpec &spec = prepared.spec;
    spec = *outcome.spec;
    if (!request.name.isEmpty()) {
        static const QRegularExpression shape(u"\\A[A-Za-z0-9_-]{1,255}\\z"_s);
        if (!shape.match(request.name).hasMatch()) {
            return fail(u"job.bad-name"_s, {{u"name"_s, request.name}});
        }
        spec.name = request.name;
    }
    if (!request.parameters.isEmpty()) {
        spec.parameters = withOverrides(spec.parameters, request.parameters);
    }
    const QStringList missing = fillSecrets(spec, request.secrets);
    if (needSecrets && !missing.isEmpty()) {
        return fail(u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(missing)}});
    }
    if (!request.target.isEmpty() && !host(request.target)) {
        return fail(u"host.unknown"_s, {{u"host"_s, request.target}});
    }
    const Result<QString> runIn
        = checkRunIn(spec, request.runIn.isEmpty() ? spec.trainyard.runIn : request.runIn, request.target);
    if (!runIn) {
        return tl::unexpected<Error>(runIn.error());
    }
    for (const TaskRole &role : spec.taskRoles) {
        if (const Result<launch::RoleProgram> program = launch::programOf(spec, role); !program) {
            return tl::unexpected<Error>(program.error());
        }
    }
    const bool mayBeHere = request.target.isEmpty() || request.target == "local"_L1;
    const QMap<QString, QString> folders = m_settings.texts(u"storages."_s);
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        // Elsewhere it may be mounted already; the task looks.
        if (mayBeHere && !folders.contains(storage.name) && !QFileInfo(storage.place).isDir()) {
            return fail(u"storage.unmapped"_s, {{u"name"_s, storage.name}});
        }
    }
    prepared.policy = core::policyOf(spec, guards(), maxParallel());
    prepared.priority = int(request.priority.value_or(int(spec.trainyard.priority)));
    Result<std::vector<core::Dependency>> after = dependenciesOf(spec, request);
    if (!after) {
        return tl::unexpected<Error>(after.error());
    }
    prepared.after = std::move(*after);
    StoredDocument &document = prepared.document;
    const Result<QByteArray> masked = maskSecrets(request.yaml);
    if (!masked) {
        return tl::unexpected<Error>(masked.error());
    }
    document.yaml = *masked;
    document.parameters = request.parameters;
    document.target = request.target;
    document.runIn = *runIn;
    document.file = request.file;
    const QString &named = request.work.isEmpty() ? spec.trainyard.work : request.work;
    document.work = workFolder(named, request.file);
    if (document.work.isEmpty() && !named.isEmpty()) {
        return fail(u"job.work-relative"_s, {{u"folder"_s, named}});
    }
    settleGpuTypes(prepared);
    noteHosts(prepared);
    const bool isHere = request.target.isEmpty() || request.target == "local"_L1;
    const QString wanted = document.work.startsWith("~/"_L1) ? QDir::homePath() + document.work.mid(1) : document.work;
    if (isHere && m_hosts.size() <= 1 && !wanted.isEmpty() && !QFileInfo(wanted).isDir()) {
        return fail(
            QFileInfo::exists(wanted) ? u"job.work-no-folder"_s : u"job.work-missing"_s, {{u"folder"_s, wanted}});
    }
    return prepared;
}

// A type of GPU binds when a host where the job may run has one, or may have: one that was not reached yet. Else it is
// taken for a cluster's own word, which says nothing about the GPUs here, and that is told.
void Engine::Private::settleGpuTypes(Prepared &prepared) const
{
    const core::Where where = whereOf(prepared.document, &prepared.spec);
    QStringList names;
    bool allKnown = true;
    for (const auto &one : m_hosts) {
        if (!where.onlyHost.isEmpty() && one->id != where.onlyHost) {
            continue;
        }
        allKnown = allKnown && one->agent->wasOnline();
        for (const core::GpuSlot &gpu : one->capacity.gpus) {
            if (!gpu.excluded && !names.contains(gpu.name)) {
                names.append(gpu.name);
            }
        }
    }
    for (core::RolePolicy &role : prepared.policy.roles) {
        QString &type = role.needs.gpuType;
        const bool isHere = std::any_of(
            names.cbegin(), names.cend(), [&type](const QString &name) { return isGpuOfType(name, type); });
        if (!type.isEmpty() && !isHere && allKnown && !names.isEmpty()) {
            prepared.notes.append(JobNote{
                u"gpu.type-nowhere"_s, {{u"role"_s, role.name}, {u"type"_s, type}, {u"names"_s, names.join(u", "_s)}}});
            type.clear();
        }
    }
}

// What nobody has to wait for to be told: the host that was asked for is away, or has fewer cores than a role wants.
void Engine::Private::noteHosts(Prepared &prepared) const
{
    const QString &target = prepared.document.target;
    if (const EngineHost *only = target.isEmpty() ? nullptr : host(target)) {
        const Error &why = only->agent->error();
        if (!only->agent->isOnline() && !why.code.isEmpty()) {
            prepared.notes.append(JobNote{u"host.away"_s,
                {{u"host"_s, target}, {u"error"_s, QJsonObject{{u"code"_s, why.code}, {u"args"_s, why.args}}}}});
        }
    }
    const core::Where where = whereOf(prepared.document, &prepared.spec);
    const EngineHost *widest = nullptr;
    for (const auto &one : m_hosts) {
        const bool isKnown = one->agent->wasOnline() && where.allows(one->capacity);
        if (isKnown && (!widest || one->capacity.cpus > widest->capacity.cpus)) {
            widest = one.get();
        }
    }
    for (const TaskRole &role : prepared.spec.taskRoles) {
        if (widest && role.resources.cpu > widest->capacity.cpus) {
            prepared.notes.append(JobNote{u"cpu.more-than-there"_s,
                {{u"role"_s, role.name}, {u"wanted"_s, role.resources.cpu}, {u"most"_s, widest->capacity.cpus},
                    {u"host"_s, widest->id}}});
        }
    }
}

// Whether it can never run on what is known, however long it waited.
std::optional<Error> Engine::Private::neverFits(const core::JobState &job, const core::Where &where) const
{
    std::vector<core::TaskRef> tasks;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
        if (std::holds_alternative<core::Waiting>(job.tasks[i].state)) {
            tasks.push_back(job.refAt(i));
        }
    }
    if (!m_ready || tasks.empty()) {
        return std::nullopt;
    }
    const core::PlacementRequest wanted = core::placementRequest(job, tasks, where);
    const std::optional<Error> never = m_scheduler.impossible(wanted);
    return never ? std::optional(withFix(*never, m_scheduler, wanted)) : std::nullopt;
}

Result<SubmitReply> Engine::Private::submit(const SubmitRequest &request)
{
    Result<Prepared> prepared = prepare(request, true);
    if (!prepared) {
        return tl::unexpected<Error>(prepared.error());
    }
    const qint64 now = nowMs();
    core::JobMeta meta;
    meta.name = prepared->spec.name;
    meta.runName = m_store->freeRunName(prepared->spec.name);
    meta.user = userName();
    meta.file = request.file;
    meta.virtualCluster = virtualClusterOf(prepared->spec);
    auto job = std::make_unique<ActiveJob>();
    job->state = core::newJob(makeJobUuid(now), meta, prepared->policy, now, prepared->priority);
    job->state.after = std::move(prepared->after);
    core::Step first = core::next(std::move(job->state), {now, core::event::Submitted{}});
    job->state = std::move(first.job);
    if (const std::optional<Error> never = neverFits(job->state, whereOf(prepared->document, &prepared->spec))) {
        return tl::unexpected<Error>(*never);
    }
    job->document = prepared->document;
    job->spec = std::move(prepared->spec);
    m_store->addJob(job->state, job->document);
    if (const Result<void> written = m_store->commit(true); !written) {
        // It may be in the store nevertheless: whoever is told "no" must not find it running after the next start.
        m_store->removeJob(job->state.meta.id);
        m_store->commit();
        return tl::unexpected<Error>(written.error());
    }
    if (hasSecrets(*job->spec)) {
        m_secrets.keep(job->state.uuid, job->spec->secrets);
    }
    ActiveJob &kept = *job;
    const QString uuid = kept.state.uuid.toString(QUuid::WithoutBraces);
    const SubmitReply reply{kept.state.meta.id, uuid, prepared->notes};
    m_jobs.emplace(uuid, std::move(job));
    applyWritten(kept, first.effects); // addJob has written all of it
    noteIdle();
    wantTurn();
    return reply;
}

// The job comes back as it was left; the core opens one more attempt, and from then on it is as any other.
Result<bool> Engine::Private::retry(const RetryRequest &request)
{
    const Result<qint64> id = storedId(request.uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    std::optional<StoredJob> stored = find(request.uuid) ? std::nullopt : m_store->load(*id);
    if (const std::optional<Error> damaged = m_store->readError()) {
        return tl::unexpected<Error>(*damaged);
    }
    if (!stored || !stored->state.isFinished() || stored->state.attempts.empty()) {
        return fail(u"job.active"_s, {{u"job"_s, request.uuid}});
    }
    auto job = std::make_unique<ActiveJob>();
    job->state = std::move(stored->state);
    job->document = std::move(stored->document);
    core::event::RetryRequested wanted;
    for (const QString &word : request.tasks) {
        const qsizetype slash = word.lastIndexOf(u'/');
        bool isNumber = false;
        const int index = word.mid(slash + 1).toInt(&isNumber);
        const std::optional<core::TaskRef> ref
            = slash > 0 && isNumber ? job->state.find(word.left(slash), index) : std::nullopt;
        if (!ref) {
            return fail(u"task.unknown"_s, {{u"job"_s, request.uuid}, {u"task"_s, word}});
        }
        wanted.tasks.push_back(*ref);
    }
    if (request.failedOnly) {
        wanted.tasks = core::tasksNotDone(job->state);
        if (wanted.tasks.empty()) {
            return fail(u"retry.nothing"_s, {{u"job"_s, request.uuid}});
        }
    }
    if (!request.yaml.isEmpty()) {
        // As it was submitted, with another text. Tasks that are kept must mean the same as before.
        SubmitRequest edited;
        edited.yaml = request.yaml;
        edited.name = job->state.meta.name;
        edited.file = job->document.file;
        edited.parameters = job->document.parameters;
        edited.secrets = request.secrets;
        edited.target = job->document.target;
        // What the former text said is for the new one to say; what was said beside it stays.
        const ParseOutcome former = parseJob(job->document.yaml, CheckMode::Friendly);
        const TrainyardExtras own = former.spec ? former.spec->trainyard : TrainyardExtras();
        edited.runIn = job->document.runIn == own.runIn ? QString() : job->document.runIn;
        edited.work = job->document.work == workFolder(own.work, edited.file) ? QString() : job->document.work;
        Result<Prepared> prepared = prepare(edited, true);
        if (!prepared) {
            return tl::unexpected<Error>(prepared.error());
        }
        const auto shape = [](const core::JobPolicy &policy) {
            QStringList roles;
            for (const core::RolePolicy &role : policy.roles) {
                roles.append(role.name + u'*' + QString::number(role.instances));
            }
            return roles.join(u' ');
        };
        if (shape(prepared->policy) != shape(job->state.policy)) {
            return fail(
                u"retry.other-tasks"_s, {{u"was"_s, shape(job->state.policy)}, {u"now"_s, shape(prepared->policy)}});
        }
        job->state.policy = std::move(prepared->policy);
        job->state.priority = prepared->priority;
        job->state.meta.virtualCluster = virtualClusterOf(prepared->spec);
        job->document = std::move(prepared->document);
        job->spec = std::move(prepared->spec);
    } else {
        loadSpec(*job, request.secrets);
    }
    if (!job->spec) {
        return tl::unexpected<Error>(job->specError);
    }
    core::Step first = core::next(std::move(job->state), {nowMs(), std::move(wanted)});
    job->state = std::move(first.job);
    if (const std::optional<Error> never = neverFits(job->state, whereOf(job->document, &*job->spec))) {
        return tl::unexpected<Error>(*never);
    }
    ActiveJob &kept = *job;
    if (!request.yaml.isEmpty()) {
        m_store->saveDocument(kept.state, kept.document);
    }
    m_store->saveJob(kept.state);
    m_store->saveAttempt(kept.state, kept.state.attempt());
    m_store->saveTasks(kept.state);
    if (const Result<void> written = m_store->commit(true); !written) {
        return tl::unexpected<Error>(written.error()); // it is over, as it was
    }
    if (hasSecrets(*kept.spec)) {
        m_secrets.keep(kept.state.uuid, kept.spec->secrets);
    }
    m_jobs.emplace(kept.state.uuid.toString(QUuid::WithoutBraces), std::move(job));
    for (std::size_t at = 0; at < kept.state.tasks.size(); ++at) {
        kept.changedTasks.insert(kept.state.refAt(at));
    }
    applyWritten(kept, first.effects);
    noteIdle();
    wantTurn();
    return true;
}

void Engine::Private::loadSpec(ActiveJob &job, const QMap<QString, QString> &given)
{
    const ParseOutcome outcome = parseJob(job.document.yaml);
    if (!outcome.spec) {
        job.specError = {u"job.unreadable"_s, {}};
        return;
    }
    JobSpec spec = *outcome.spec;
    if (!job.document.parameters.isEmpty()) {
        spec.parameters = withOverrides(spec.parameters, job.document.parameters);
    }
    if (const std::optional<Value> secrets = m_secrets.secretsOf(job.state.uuid)) {
        spec.secrets = *secrets;
    } else if (!given.isEmpty()) {
        if (const QStringList missing = fillSecrets(spec, given); !missing.isEmpty()) {
            job.specError = {u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(missing)}}};
            return;
        }
    } else if (spec.secretsMasked || !spec.maskedSecrets.isEmpty()) {
        // Neither memory nor tmpfs has them any more (a restart of the computer).
        job.specError = {u"job.secrets-missing"_s, {{u"names"_s, QJsonArray::fromStringList(spec.maskedSecrets)}}};
        return;
    }
    job.spec = std::move(spec);
}

Result<PlanReply> Engine::Private::plan(const SubmitRequest &request) const
{
    const Result<Prepared> prepared = prepare(request, false);
    if (!prepared) {
        return tl::unexpected<Error>(prepared.error());
    }
    const JobSpec &spec = prepared->spec;
    core::JobMeta meta;
    meta.name = spec.name;
    meta.runName = m_store->freeRunName(spec.name);
    meta.user = userName();
    const core::JobState state = core::next(
        core::newJob(makeJobUuid(nowMs()), meta, prepared->policy, nowMs()), {nowMs(), core::event::Submitted{}})
                                     .job;
    std::vector<core::TaskRef> tasks;
    for (std::size_t i = 0; i < state.tasks.size(); ++i) {
        tasks.push_back(state.refAt(i));
    }
    const core::PlacementRequest wanted = core::placementRequest(state, tasks, whereOf(prepared->document, &spec));
    if (const std::optional<Error> never = m_ready ? m_scheduler.impossible(wanted) : std::nullopt) {
        return tl::unexpected<Error>(withFix(*never, m_scheduler, wanted));
    }
    core::WaitReason why;
    const std::optional<core::JobGrants> grants = m_scheduler.wouldPlace(wanted, &why);
    PlanReply reply;
    reply.notes = prepared->notes;
    if (!prepared->after.empty()) {
        const core::Dependency &other = prepared->after.front();
        reply.waitReason = other.whenEnded ? u"wait.after-end"_s : u"wait.after"_s;
        reply.waitArgs
            = {{u"job"_s, other.id}, {u"name"_s, other.name}, {u"more"_s, qint64(prepared->after.size()) - 1}};
    } else if (!grants) {
        reply.waitReason = why.code;
        reply.waitArgs = why.args;
    }
    std::map<core::TaskRef, core::Place> places;
    core::PortBook book = *m_ports; // a copy: nothing is held
    if (grants) {
        for (const core::event::Grant &granted : grants->grants) {
            core::Place place = granted.place;
            const core::Needs &needs = prepared->policy.roles[std::size_t(granted.task.role)].needs;
            const Result<core::PortTable> ports
                = book.draw(place.host, granted.tryUuid, needs.ports, {}, needs.firstPorts);
            place.ports = ports.value_or(core::PortTable());
            places.emplace(granted.task, place);
        }
    }
    QList<TaskPlacement> placements;
    for (const auto &[ref, place] : places) {
        placements.append({state.roleName(ref), ref.index, place.address, place.ports});
    }
    const QString uuid = state.uuid.toString(QUuid::WithoutBraces);
    launch::PluginContext context;
    context.storages = m_settings.texts(u"storages."_s);
    context.peers = launch::sshPeers(spec, placements, [&](const TaskPlacement &task) {
        const std::optional<core::TaskRef> ref = state.find(task.role, task.index);
        const auto it = ref ? places.find(*ref) : places.end();
        const EngineHost *at = it == places.end() ? nullptr : host(it->second.host);
        return at ? taskUserOn(*at, spec, task.role, prepared->document.runIn, meta.user) : meta.user;
    });
    const TaskEnvironment environment(spec, {meta.user, meta.runName, uuid, 0}, placements);
    for (const TaskRole &role : spec.taskRoles) {
        context.environment = baseEnvironmentOf(spec, request.target.isEmpty() ? u"local"_s : request.target).command;
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
            const EngineHost *at = host(!task.host.isEmpty() ? task.host : prepared->document.target);
            const QString runtime = runtimeOf(prepared->document.runIn, role, at ? at : m_hosts.front().get());
            const Result<launch::RoleProgram> &program = runtime.isEmpty() ? inShell : inContainer;
            task.runIn = runtime.isEmpty() ? u"host"_s : runtime;
            task.prerequisites = program->prerequisites;
            if (index == 0 || reply.tasks.size() < plannedInFull) {
                launch::LaunchInput input;
                input.job = state.uuid;
                input.role = role.name;
                input.index = index;
                input.gpus = task.gpus;
                input.cpu = role.resources.cpu;
                input.hostCpus = at && at->agent->wasOnline() ? at->capacity.cpus : 0;
                input.memoryMiB = role.resources.memoryMB;
                input.shmMiB = role.shmMB.value_or(0);
                input.taskFolder = localFolder(uuid, 0, role.name, index, 0);
                input.workDir = !prepared->document.work.isEmpty() ? prepared->document.work
                    : !request.file.isEmpty()                      ? QFileInfo(request.file).path()
                                                                   : QString(input.taskFolder + u"/work"_s);
                input.checkpointFolder = m_options.stateFolder + u"/runs/"_s + uuid + u"/checkpoint"_s;
                const launch::LaunchPlan planned = launch::planTask(spec, *program, environment, input);
                task.environment = planned.environment;
                if (!runtime.isEmpty()) {
                    const Result<launch::ContainerPlan> container
                        = containerFor(spec, role, runtime, at, input, planned.environment);
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

ActiveJob *Engine::Private::find(const QString &uuid) const
{
    const auto it = m_jobs.find(uuid);
    return it == m_jobs.end() ? nullptr : it->second.get();
}

JobSummary Engine::Private::summaryOf(const ActiveJob &job) const
{
    JobSummary summary = core::summaryOf(job.state);
    if (!job.waits.code.isEmpty() && summary.state == State::Waiting) {
        summary.reason = job.waits.code;
        summary.reasonArgs = job.waits.args;
    }
    for (const auto &one : m_hosts) {
        if (one->agent->isOnline() || one->tries.isEmpty() || !summary.reason.isEmpty()) {
            continue;
        }
        const bool isThere = std::any_of(one->tries.cbegin(), one->tries.cend(), [&](const QUuid &uuid) {
            const auto it = m_live.find(uuid);
            return it != m_live.end() && it->second.job == &job;
        });
        if (isThere) {
            summary.reason = u"job.host-out-of-reach"_s; // its tasks run on; what they do is seen later
            summary.reasonArgs = {{u"host"_s, one->id}, {u"code"_s, one->agent->error().code}};
        }
    }
    for (const QUuid &uuid : job.inTrouble) {
        const auto it = m_live.find(uuid);
        if (it != m_live.end() && summary.reason.isEmpty()) {
            const Error trouble = it->second.trouble();
            summary.reason = trouble.code;
            summary.reasonArgs = trouble.args;
        }
    }
    return summary;
}

// What the first tasks of the roles say that they serve, while they run.
QList<ServiceInfo> Engine::Private::servicesOf(const ActiveJob &job) const
{
    constexpr qint64 readBytes = 256 << 10; // a step says it early
    QList<ServiceInfo> services;
    if (!job.spec || !hasPlugin(*job.spec, u"tensorboard"_s)) {
        return services;
    }
    for (const TaskRole &role : job.spec->taskRoles) {
        const std::optional<core::TaskRef> ref = job.state.find(role.name, 0);
        if (!ref || !std::holds_alternative<core::Running>(job.state.task(*ref).state)) {
            continue;
        }
        const TaskInfo task = taskInfoOf(job, *ref);
        QFile log(task.logFolder + u'/' + QLatin1StringView(contract::file::runtime));
        if (!log.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QList<launch::ServiceReport> reports = launch::serviceReports(log.read(readBytes));
        for (const launch::ServiceReport &report : reports) {
            if (report.state != "ended"_L1) {
                services.append({report.name, report.address, report.state, role.name, task.host, 0});
            }
        }
    }
    return services;
}

// Failed tasks that stay for a look. Found in what they wrote, so that no restart forgets them.
QList<HeldTask> Engine::Private::heldTasksOf(const ActiveJob &job) const
{
    constexpr qint64 readBytes = 64 << 10; // it is the last thing that a task says
    constexpr int most = 100;
    QList<HeldTask> held;
    if (!job.spec || holdMinutesOf(*job.spec) == 0) {
        return held;
    }
    for (const core::TaskRef &ref : job.placed) {
        if (held.size() >= most || !std::holds_alternative<core::Running>(job.state.task(ref).state)) {
            continue;
        }
        const TaskInfo task = taskInfoOf(job, ref);
        QFile log(task.logFolder + u'/' + QLatin1StringView(contract::file::runtime));
        if (!log.open(QIODevice::ReadOnly) || !log.seek(std::max<qint64>(0, log.size() - readBytes))) {
            continue;
        }
        if (const std::optional<launch::HoldReport> report = launch::holdReport(log.readAll())) {
            held.append({task.role, task.host, task.index, report->status, report->until});
        }
    }
    return held;
}

TaskInfo Engine::Private::taskInfoOf(const ActiveJob &job, core::TaskRef ref) const
{
    TaskInfo info = core::taskInfoOf(job.state, ref);
    if (const core::Place *place = core::placeOf(job.state.task(ref).state); place && info.reason.isEmpty()) {
        const auto it = m_live.find(core::tryUuid(job.state.uuid, info.attempt, info.role, info.index, info.tries));
        if (it != m_live.end() && !it->second.pulling.isEmpty()) {
            info.reason = u"launch.pulling"_s;
            info.reasonArgs = {{u"image"_s, it->second.pulling}, {u"detail"_s, it->second.pullProgress}};
        } else if (it != m_live.end()) {
            const Error trouble = it->second.trouble();
            info.reason = trouble.code;
            info.reasonArgs = trouble.args;
        }
    }
    // A task that waits for its next try still shows the log of the one before.
    const bool isPlaced = core::placeOf(job.state.task(ref).state) != nullptr;
    const int shown = isPlaced ? info.tries : info.tries - 1;
    if (shown >= 0) {
        info.logFolder = localFolder(job.state.uuid.toString(QUuid::WithoutBraces),
            info.keptFrom.value_or(info.attempt), info.role, info.index, shown);
    }
    return info;
}

} // namespace trainyard
