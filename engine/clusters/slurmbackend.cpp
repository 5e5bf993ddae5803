// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmbackend.h"

#include "engine/backend/clock.h"
#include "engine/client/paths.h"
#include "engine/clusters/slurmend.h"
#include "engine/contract/sha256.h"
#include "model/base/threads.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int filesLookMs = 1000;

} // namespace

SlurmBackend::SlurmBackend(const SlurmTarget &target, const Options &options, const Settings &settings,
    SlurmCommands &commands, SlurmQueue &queue, ExitRulesFile &exitRules)
    : m_target(target), m_options(options), m_settings(settings), m_commands(commands), m_queue(queue),
      m_judge(exitRules)
{
    m_timer.setInterval(filesLookMs);
    connect(&m_timer, &QTimer::timeout, this, &SlurmBackend::look);
    connect(&m_queue, &SlurmQueue::answered, this, [this] {
        std::set<ActiveJob *> jobs;
        for (const auto &[folder, submission] : m_allocations) {
            jobs.insert(submission->job);
        }
        for (ActiveJob *job : jobs) {
            Q_EMIT described(job, std::nullopt);
        }
        look();
    });
    connect(&m_judge, &ExitJudge::judged, this, [this](const core::event::TryEnded &event) {
        if (LiveTask *entry = live(event.tryUuid)) {
            post(*entry->job, event);
        }
    });
}

SlurmBackend::~SlurmBackend() = default;

RunFolders SlurmBackend::foldersOf(const SlurmTarget &target, const QString &stateFolder)
{
    return RunFolders(target.folder.isEmpty() ? stateFolder : target.folder + u"/trainyard"_s);
}

void SlurmBackend::setTarget(const SlurmTarget &target) { m_target = target; }

QString SlurmBackend::folderNote(const QString &job) const
{
    return RunFolders(m_options.stateFolder).ofJob(job) + u"/cluster-folder"_s;
}

// A job stays where it has begun, whatever the setting says since.
RunFolders SlurmBackend::foldersOfJob(const QString &job) const
{
    const std::optional<std::string> noted = contract::readWhole(QFile::encodeName(folderNote(job)).toStdString());
    return noted && noted->starts_with('/') ? RunFolders(QString::fromStdString(*noted))
                                            : foldersOf(m_target, m_options.stateFolder);
}

Result<void> SlurmBackend::noteFolder(const QString &job) const
{
    const QString file = folderNote(job), folder = QFileInfo(file).path();
    if (QFileInfo::exists(file)) {
        return {};
    }
    int error = contract::makeFolders(QFile::encodeName(folder).toStdString());
    error = error != 0 ? error
                       : contract::writeAtomically(
                           QFile::encodeName(file).toStdString(), foldersOfJob(job).state().toStdString(), true);
    return error == 0 ? Result<void>()
                      : fail(u"slurm.folder"_s,
                          {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
}

// The file system that it is on has perhaps not been mounted yet: what is not seen there may be there nevertheless.
bool SlurmBackend::isAway(const ActiveJob &job) const { return !QFileInfo(foldersOfJob(job.uuid()).state()).isDir(); }

SlurmLaunches SlurmBackend::launchesOf(const ActiveJob &job) const
{
    return SlurmLaunches(m_target.name, foldersOfJob(job.uuid()), m_settings);
}

void SlurmBackend::post(ActiveJob &job, decltype(core::Event::what) what)
{
    Q_EMIT happened(&job, core::Event{nowMs(), std::move(what)});
}

SlurmBackend::LiveTask *SlurmBackend::live(const QUuid &tryUuid)
{
    const auto it = m_tries.find(tryUuid);
    return it == m_tries.end() ? nullptr : &it->second;
}

SlurmBackend::Submission *SlurmBackend::submissionOf(const LiveTask &entry)
{
    const auto it = m_allocations.find(entry.allocation);
    return it == m_allocations.end() ? nullptr : it->second.get();
}

// ---- before there is a job ----

Result<void> SlurmBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const JobSpec &spec = prepared.spec;
    if (!m_isNamed) {
        return fail(u"slurm.removed"_s, {{u"target"_s, m_target.id()}});
    }
    const auto refusal = [this](const char *code) {
        return fail(QLatin1StringView(code), {{u"target"_s, m_target.id()}});
    };
    if (!m_target.problem.code.isEmpty()) {
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        return tl::unexpected<Error>(problem);
    }
    const QString runIn = request.runIn.isEmpty() ? spec.trainyard.runIn : request.runIn;
    if (!runIn.isEmpty() && runIn != "host"_L1) {
        return fail(u"slurm.no-containers"_s, {{u"target"_s, m_target.id()}, {u"runIn"_s, runIn}});
    }
    if (wantsSshKey(spec)) {
        return refusal("slurm.no-ssh-plugin");
    }
    if (!spec.trainyard.data.isEmpty()) {
        return refusal("slurm.no-data");
    }
    const QMap<QString, QString> folders = m_settings.texts(u"storages."_s);
    const QList<JobStorage> storages = storagesOf(spec);
    for (const JobStorage &storage : storages) {
        if (!folders.contains(storage.name) && !QFileInfo(storage.place).isDir()) {
            return fail(u"storage.unmapped"_s, {{u"name"_s, storage.name}});
        }
    }
    for (const TaskRole &role : spec.taskRoles) {
        if (const Result<launch::RoleProgram> program = launch::programOf(spec, role); !program) {
            return tl::unexpected<Error>(program.error());
        }
    }
    prepared.document.target = m_target.id();
    prepared.document.runIn = u"host"_s;
    const bool hasImage = std::any_of(spec.taskRoles.cbegin(), spec.taskRoles.cend(),
        [](const TaskRole &role) { return !role.dockerImage.isEmpty(); });
    if (hasImage) {
        prepared.notes.append(JobNote{u"slurm.image-unused"_s, {{u"target"_s, m_target.id()}}});
    }
    return {};
}

Result<void> SlurmBackend::settle(Prepared &prepared) const
{
    const QString &work = prepared.document.work;
    const QString folder = work.startsWith("~/"_L1) ? QDir::homePath() + work.mid(1) : work;
    if (!folder.isEmpty() && !QFileInfo(folder).isDir()) {
        return fail(
            QFileInfo::exists(folder) ? u"job.work-no-folder"_s : u"job.work-missing"_s, {{u"folder"_s, folder}});
    }
    for (core::RolePolicy &role : prepared.policy.roles) {
        role.needs.gpuType.clear(); // the words of the pool; the target's options choose among the cluster's
    }
    return {};
}

Result<PlanReply> SlurmBackend::plan(const Prepared &prepared, const core::JobState &job) const
{
    return SlurmLaunches(m_target.name, foldersOf(m_target, m_options.stateFolder), m_settings).plan(prepared, job);
}

// ---- places ----

void SlurmBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    if (const auto *wanted = std::get_if<core::effect::RequestPlacement>(&effect)) {
        m_wanted[&job].insert(wanted->tasks.begin(), wanted->tasks.end());
    } else if (std::holds_alternative<core::effect::CancelPlacement>(effect)) {
        m_wanted.erase(&job);
    } else if (const auto *gone = std::get_if<core::effect::ReleaseTry>(&effect)) {
        m_ports.release(gone->tryUuid);
        if (const auto it = m_tries.find(gone->tryUuid); it != m_tries.end()) {
            leave(it->second);
            m_tries.erase(it);
        }
    }
}

std::vector<JobEvent> SlurmBackend::place()
{
    std::vector<JobEvent> events;
    const std::map<ActiveJob *, std::set<core::TaskRef>> wanted = std::exchange(m_wanted, {});
    std::vector<ActiveJob *> jobs; // in the order in which they came: the cluster goes by it too
    for (const auto &each : wanted) {
        jobs.push_back(each.first);
    }
    std::sort(jobs.begin(), jobs.end(),
        [](const ActiveJob *a, const ActiveJob *b) { return a->state.meta.id < b->state.meta.id; });
    for (ActiveJob *job : jobs) {
        const std::set<core::TaskRef> &tasks = wanted.at(job);
        core::event::PlacementGranted granted;
        for (const core::TaskRef task : tasks) {
            const QUuid tryUuid = core::tryUuid(job->state, task);
            granted.grants.push_back({task, tryUuid, {m_target.id(), {}, {}, {}, 0}});
            LiveTask &entry = m_tries[tryUuid];
            entry = LiveTask();
            entry.job = job;
            entry.task = task;
        }
        events.push_back({job, core::Event{nowMs(), granted}});
    }
    return events;
}

void SlurmBackend::resume(ActiveJob &job)
{
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        const core::TaskState &state = job.state.task(ref).state;
        const core::Place *place = core::placeOf(state);
        if (!place || place->host.isEmpty() || std::holds_alternative<core::Ended>(state)) {
            continue;
        }
        const QUuid tryUuid = core::tryUuid(job.state, ref);
        m_ports.adopt(m_target.id(), tryUuid, place->ports);
        LiveTask &entry = m_tries[tryUuid];
        entry.job = &job;
        entry.task = ref;
        entry.isResumed = true;
        entry.isStarted = std::holds_alternative<core::Running>(state);
    }
}

void SlurmBackend::forget(ActiveJob &job)
{
    m_wanted.erase(&job);
    std::erase_if(m_tries, [this, &job](const auto &each) {
        if (each.second.job != &job) {
            return false;
        }
        m_ports.release(each.first);
        leave(each.second);
        return true;
    });
}

void SlurmBackend::join(LiveTask &entry, const QString &folder, int position)
{
    entry.allocation = folder;
    entry.position = position;
    entry.soughtSince = 0;
    ++m_allocations.at(folder)->tries;
}

// An allocation of which no try is left is not looked at any more.
void SlurmBackend::leave(const LiveTask &entry)
{
    const auto it = m_allocations.find(entry.allocation);
    if (it == m_allocations.end() || --it->second->tries > 0) {
        return;
    }
    it->second->allocation.removeLaunches();
    if (!it->second->allocation.id().isEmpty()) {
        m_queue.unfollow(it->second->allocation.id());
    }
    m_allocations.erase(it);
}

// ---- after the commit ----

void SlurmBackend::perform(const std::vector<JobEffect> &effects)
{
    std::vector<std::pair<ActiveJob *, std::vector<core::TaskRef>>> launches; // in their order
    std::set<QString> stopped; // allocations
    std::set<std::pair<QString, bool>> paused; // ids
    for (const JobEffect &each : effects) {
        ActiveJob &job = *each.job;
        std::visit(
            Overloaded{
                [&](const core::effect::DrawPorts &wanted) { draw(job, wanted); },
                [&](const core::effect::LaunchTry &launch) {
                    if (launches.empty() || launches.back().first != &job) {
                        launches.emplace_back(&job, std::vector<core::TaskRef>());
                    }
                    launches.back().second.push_back(launch.task);
                },
                [&](const core::effect::ObserveTry &seen) {
                    if (LiveTask *entry = live(seen.tryUuid)) {
                        observe(*entry, seen.tryUuid);
                    }
                },
                [&](const core::effect::StopTry &stopping) { stop(job, stopping.task, stopping.tryUuid, stopped); },
                [&](const core::effect::PauseTry &pause) {
                    LiveTask *entry = live(pause.tryUuid);
                    if (entry && attach(*entry, pause.tryUuid)) {
                        paused.emplace(submissionOf(*entry)->allocation.idOf(entry->position), pause.on);
                    }
                },
                [&](const core::effect::JobEnded &) {
                    // Also of allocations that were never whole, and so never followed.
                    SlurmAllocation::removeLaunches(foldersOfJob(job.uuid()).ofJob(job.uuid()));
                },
                [](const auto &) {},
            },
            each.effect);
    }
    for (const auto &[job, tasks] : launches) {
        launch(*job, tasks);
    }
    // All of an allocation at once, however many tasks it has.
    for (const QString &folder : stopped) {
        if (const auto it = m_allocations.find(folder); it != m_allocations.end()) {
            cancel(*it->second);
        }
    }
    for (const auto &[id, isOn] : paused) {
        if (!id.isEmpty()) {
            m_commands.run(u"scancel"_s, {isOn ? u"--signal=STOP"_s : u"--signal=CONT"_s, id},
                [](const SlurmCommands::Answer &) {});
        }
    }
}

void SlurmBackend::draw(ActiveJob &job, const core::effect::DrawPorts &wanted)
{
    core::event::PortsDrawn drawn;
    for (const core::TaskRef task : wanted.tasks) {
        const core::Needs &needs = job.state.policy.roles[std::size_t(task.role)].needs;
        const QUuid tryUuid = core::tryUuid(job.state, task);
        const Result<core::PortTable> ports = m_ports.draw(m_target.id(), tryUuid, needs.ports, {}, needs.firstPorts);
        if (!ports) {
            post(job,
                core::event::PlacementFailed{
                    wanted.attempt, {task}, {slurm::codeRefused, {}, ports.error().code, ports.error().args}});
            return;
        }
        drawn.tasks.push_back({task, tryUuid, *ports});
    }
    post(job, drawn);
}

void SlurmBackend::launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::map<int, std::vector<core::TaskRef>> fresh; // by role; those of a gang together
    const SlurmLaunches launches = launchesOf(job);
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        LiveTask &entry = m_tries[tryUuid];
        entry.job = &job;
        entry.task = task;
        entry.folder = launches.folderOf(job, task);
        if (attach(entry, tryUuid)) {
            pursue(*submissionOf(entry));
        } else if (entry.isResumed && isAway(job)) {
            seek(entry);
        } else {
            fresh[job.state.policy.gang ? 0 : task.role].push_back(task);
        }
    }
    for (const auto &[role, together] : fresh) {
        allocate(job, together);
    }
}

void SlurmBackend::observe(LiveTask &entry, const QUuid &tryUuid)
{
    if (attach(entry, tryUuid)) {
        pursue(*submissionOf(entry));
    } else if (entry.isResumed && isAway(*entry.job)) {
        seek(entry);
    } else {
        end(entry, tryUuid, {slurm::codeLost, {}, u"slurm.gone"_s, {{u"target"_s, m_target.id()}}}, nullptr);
    }
}

bool SlurmBackend::attach(LiveTask &entry, const QUuid &tryUuid)
{
    if (!entry.allocation.isEmpty()) {
        return true;
    }
    entry.folder = launchesOf(*entry.job).folderOf(*entry.job, entry.task);
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(entry.folder);
    if (!link) {
        return false;
    }
    auto it = m_allocations.find(link->folder);
    std::unique_ptr<Submission> loaded;
    if (it == m_allocations.end()) {
        std::optional<SlurmAllocation> allocation = SlurmAllocation::load(link->folder);
        if (!allocation) {
            return false;
        }
        loaded = std::make_unique<Submission>(std::move(*allocation), *entry.job);
    }
    const SlurmAllocation &allocation = loaded ? loaded->allocation : it->second->allocation;
    const bool fits = link->position >= 0 && std::size_t(link->position) < allocation.plan().tasks.size()
        && allocation.tryAt(link->position) == tryUuid;
    if (!fits) {
        return false;
    }
    if (loaded) {
        m_allocations.emplace(link->folder, std::move(loaded));
        m_timer.start();
    }
    join(entry, link->folder, link->position);
    return true;
}

void SlurmBackend::refuse(ActiveJob &job, const std::vector<core::TaskRef> &tasks, const Error &why, int code)
{
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        if (LiveTask *entry = live(tryUuid)) {
            end(*entry, tryUuid, {code, {}, why.code, why.args}, nullptr);
        }
    }
}

// A copy, since the nodes may not have what is installed here. Another version gets another name.
Result<QString> SlurmBackend::programOnCluster(const RunFolders &folders) const
{
    QFile program(m_options.agentProgram);
    if (!program.open(QIODevice::ReadOnly)) {
        return fail(u"slurm.folder"_s, {{u"folder"_s, m_options.agentProgram}, {u"message"_s, program.errorString()}});
    }
    const QByteArray bytes = program.readAll();
    contract::Sha256 sum;
    sum.add({bytes.constData(), std::size_t(bytes.size())});
    const QString folder = folders.state() + u"/cluster"_s;
    const QString copy = folder + u"/trainyard-agent-"_s + QString::fromStdString(sum.hex()).left(16);
    if (QFileInfo(copy).isExecutable()) {
        return copy;
    }
    if (!QDir().mkpath(folder)) {
        return fail(u"slurm.folder"_s, {{u"folder"_s, folder}, {u"message"_s, QString()}});
    }
    if (const Result<bool> written = writeAtomically(copy, bytes); !written) {
        return tl::unexpected<Error>(written.error());
    }
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return copy;
}

void SlurmBackend::allocate(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    if (!m_target.problem.code.isEmpty()) { // since it was accepted
        Error problem = m_target.problem;
        problem.args.insert(u"target"_s, m_target.id());
        refuse(job, tasks, problem, slurm::codeRefused);
        return;
    }
    const Result<std::vector<contract::Launch>> launches = launchesOf(job).make(job, tasks);
    if (!launches) {
        refuse(job, tasks, launches.error(), slurm::codeNotStarted);
        return;
    }
    if (const Result<void> noted = noteFolder(job.uuid()); !noted) {
        refuse(job, tasks, noted.error(), slurm::codeNotStarted);
        return;
    }
    const RunFolders folders = foldersOfJob(job.uuid());
    const Result<QString> program = programOnCluster(folders);
    if (!program) {
        refuse(job, tasks, program.error(), slurm::codeNotStarted);
        return;
    }
    const core::JobPolicy &policy = job.state.policy;
    slurm::ScriptInput input;
    input.isArray = !policy.gang && tasks.size() > 1;
    input.layout = slurm::layoutOf(policy, tasks);
    input.program = *program;
    input.options = m_target.options;
    input.limitMs = policy.timeLimitMs;
    input.graceMs = m_settings.integer(u"stop.graceSeconds"_s) * 1000;
    contract::LeadPlan plan;
    plan.allocation = core::tryUuid(job.state, tasks.front()).toString(QUuid::WithoutBraces).toStdString();
    plan.isArray = input.isArray;
    plan.components = int(input.layout.components.size());
    if (job.spec) {
        const StopRule &rule = job.spec->trainyard.stop;
        plan.stopSignal = rule.signal > 0 ? int(rule.signal) : plan.stopSignal;
        plan.stopsOnlyMain = rule.onlyMain;
        input.graceMs = rule.graceSeconds ? *rule.graceSeconds * 1000 : input.graceMs;
    }
    plan.stopGraceMs = input.graceMs;
    if (policy.gang) {
        // Of a job that is run again in part, the others have ended already.
        const auto left
            = [](qint64 limit, int ended) { return limit > 0 ? std::max<qint64>(1, limit - ended) : limit; };
        plan.completedLimit = left(policy.completedLimit, job.state.endedTasks);
        for (std::size_t i = 0; i < policy.roles.size(); ++i) {
            const core::RolePolicy &role = policy.roles[i];
            const core::RoleCounters &counted = job.state.counters[i];
            plan.roles.push_back({role.name.toStdString(), left(role.minFailed, counted.failed),
                left(role.minSucceeded, counted.succeeded)});
        }
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const QString role = job.state.roleName(tasks[i]);
        const int component = input.layout.ofTask[i];
        plan.tasks.push_back({role.toStdString(), tasks[i].index, component, launches->at(i).dir,
            launches->at(i).plan.tryUuid, SlurmLaunches::addressWord(role, tasks[i].index).toStdString(),
            slurm::stepOptions(input.layout.components[std::size_t(component)])});
    }
    input.folder
        = SlurmAllocation::allocationsOf(folders.ofJob(job.uuid())) + u'/' + QString::fromStdString(plan.allocation);
    QDir().mkpath(folders.checkpoint(job.uuid()));
    auto submission = std::make_unique<Submission>(SlurmAllocation(input.folder, std::move(plan)), job);
    if (const Result<void> written = submission->allocation.write(slurm::jobScript(input), *launches); !written) {
        submission->allocation.removeLaunches();
        refuse(job, tasks, written.error(), slurm::codeNotStarted);
        return;
    }
    Submission &added = *m_allocations.emplace(input.folder, std::move(submission)).first->second;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        join(m_tries[core::tryUuid(job.state, tasks[i])], input.folder, int(i));
    }
    m_timer.start();
    submit(added);
}

// ---- what is told ----

Error SlurmBackend::waitReason(const ActiveJob &job) const
{
    for (const auto &[folder, submission] : m_allocations) {
        if (submission->job != &job) {
            continue;
        }
        if (!submission->trouble.code.isEmpty()) {
            return submission->trouble;
        }
        if (submission->allocation.id().isEmpty() || !m_queue.hasAnswered()) {
            return {u"wait.slurm-new"_s, {{u"target"_s, m_target.id()}}};
        }
        if (!m_queue.problem().code.isEmpty()) {
            return {u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
        }
        const contract::LeadPlan &plan = submission->allocation.plan();
        for (int position = 0; position < (plan.isArray ? int(plan.tasks.size()) : 1); ++position) {
            const QString id = submission->allocation.idOf(position);
            const SlurmQueue::Known known = m_queue.known(id);
            if (slurm::phaseOf(known.state) == slurm::Phase::Pending || known.state.isEmpty()) {
                return slurm::waitReason({id, known.state, {}, known.reason, known.start}, m_target.id());
            }
        }
    }
    return {};
}

void SlurmBackend::describe(const ActiveJob &job, JobSummary &summary) const
{
    if (isFinal(summary.state) || !summary.reason.isEmpty()) {
        return;
    }
    Error why;
    if (summary.state == State::Waiting) {
        why = waitReason(job);
    } else if (!m_queue.problem().code.isEmpty()) {
        why = {u"job.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
    }
    summary.reason = why.code;
    summary.reasonArgs = why.args;
}

void SlurmBackend::describe(const ActiveJob &job, core::TaskRef task, TaskInfo &info) const
{
    const auto it = m_tries.find(core::tryUuid(job.state.uuid, info.attempt, info.role, info.index, info.tries));
    if (it == m_tries.end() || it->second.position < 0) {
        return;
    }
    Q_UNUSED(task)
    const auto submission = m_allocations.find(it->second.allocation);
    if (submission == m_allocations.end()) {
        return;
    }
    if (const contract::LeadPlaces *places = submission->second->allocation.places(it->second.position)) {
        const contract::LeadPlaces::Place &place = places->tasks[std::size_t(it->second.position)];
        info.host = m_target.id() + u'/' + QString::fromStdString(place.node);
        info.address = QString::fromStdString(place.address);
    }
}

LogSource SlurmBackend::log(const QString &job, int attempt, const QString &role, int index, int taskTry) const
{
    return {foldersOfJob(job).ofTry(job, attempt, role, index, taskTry)};
}

Result<TaskFolder> SlurmBackend::filesOf(
    const QString &, const QString &logFolder, const StoredDocument &document) const
{
    TaskFolder files{u"local"_s, {}, logFolder, document.work};
    if (files.work.isEmpty()) {
        files.work = document.file.isEmpty() ? logFolder + u"/work"_s : QFileInfo(document.file).path();
    }
    return files;
}

void SlurmBackend::removeRun(const QString &job, const QStringList &)
{
    const QString there = foldersOfJob(job).ofJob(job), here = QFileInfo(folderNote(job)).path();
    threads::runOnPool([there, here] {
        QDir(there).removeRecursively();
        QDir(here).removeRecursively(); // last: it says where the other one is
    });
}

} // namespace trainyard
