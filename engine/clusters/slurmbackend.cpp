// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmbackend.h"

#include "engine/backend/clock.h"
#include "engine/client/paths.h"
#include "engine/contract/sha256.h"
#include "model/base/threads.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int filesLookMs = 1000;
constexpr int codeNothingToRun = -300;
constexpr int codeSlurmRefused = -200;
constexpr int codeLostThere = -101;

} // namespace

SlurmBackend::SlurmBackend(const SlurmTarget &target, const Options &options, const Settings &settings,
    SlurmCommands &commands, SlurmQueue &queue, ExitRulesFile &exitRules)
    : m_target(target), m_options(options), m_settings(settings), m_commands(commands), m_queue(queue),
      m_folders(foldersOf(target, options.stateFolder)), m_launches(target.name, m_folders, settings),
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

void SlurmBackend::setTarget(const SlurmTarget &target)
{
    const bool isElsewhere = target.folder != m_target.folder;
    m_target = target;
    if (isElsewhere && m_tries.empty()) {
        m_folders = foldersOf(target, m_options.stateFolder);
        m_launches = SlurmLaunches(target.name, m_folders, m_settings);
    }
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
    return m_launches.plan(prepared, job);
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
        m_tries.erase(gone->tryUuid);
        dropUnused();
    }
}

std::vector<JobEvent> SlurmBackend::place()
{
    std::vector<JobEvent> events;
    for (const auto &[job, tasks] : std::exchange(m_wanted, {})) {
        core::event::PlacementGranted granted;
        for (const core::TaskRef task : tasks) {
            const QUuid tryUuid = core::tryUuid(job->state, task);
            granted.grants.push_back({task, tryUuid, {m_target.id(), {}, {}, {}, 0}});
            m_tries[tryUuid] = {job, task, {}, {}, -1, false, false, false, 0};
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
        LiveTask &entry = m_tries[tryUuid] = {&job, ref, {}, {}, -1, false, false, false, 0};
        entry.isStarted = std::holds_alternative<core::Running>(state);
    }
}

void SlurmBackend::forget(ActiveJob &job)
{
    m_wanted.erase(&job);
    std::erase_if(m_tries, [&job](const auto &each) { return each.second.job == &job; });
    dropUnused();
}

// Those of which no try is left.
void SlurmBackend::dropUnused()
{
    std::set<QString> used;
    for (const auto &[tryUuid, entry] : m_tries) {
        used.insert(entry.allocation);
    }
    std::erase_if(m_allocations, [&](const auto &each) {
        if (used.contains(each.first)) {
            return false;
        }
        each.second->allocation.removeLaunches();
        if (!each.second->allocation.id().isEmpty()) {
            m_queue.unfollow(each.second->allocation.id());
        }
        return true;
    });
    if (m_allocations.empty()) {
        m_timer.stop();
    }
}

// ---- after the commit ----

void SlurmBackend::perform(const std::vector<JobEffect> &effects)
{
    std::map<ActiveJob *, std::vector<core::TaskRef>> launches;
    for (const JobEffect &each : effects) {
        ActiveJob &job = *each.job;
        std::visit(Overloaded{
                       [&](const core::effect::DrawPorts &draw) {
                           core::event::PortsDrawn drawn;
                           for (const core::TaskRef task : draw.tasks) {
                               const core::Needs &needs = job.state.policy.roles[std::size_t(task.role)].needs;
                               const QUuid tryUuid = core::tryUuid(job.state, task);
                               const Result<core::PortTable> ports
                                   = m_ports.draw(m_target.id(), tryUuid, needs.ports, {}, needs.firstPorts);
                               if (!ports) {
                                   post(job,
                                       core::event::PlacementFailed{draw.attempt, {task},
                                           {codeSlurmRefused, {}, ports.error().code, ports.error().args}});
                                   return;
                               }
                               drawn.tasks.push_back({task, tryUuid, *ports});
                           }
                           post(job, drawn);
                       },
                       [&](const core::effect::LaunchTry &launch) { launches[&job].push_back(launch.task); },
                       [&](const core::effect::ObserveTry &observe) {
                           LiveTask *entry = live(observe.tryUuid);
                           if (entry && !attach(*entry, observe.tryUuid)) {
                               end(*entry, observe.tryUuid,
                                   {codeLostThere, {}, u"slurm.gone"_s, {{u"target"_s, m_target.id()}}}, nullptr);
                           }
                       },
                       [&](const core::effect::StopTry &stopped) { stop(job, stopped.task, stopped.tryUuid); },
                       [&](const core::effect::PauseTry &pause) {
                           LiveTask *entry = live(pause.tryUuid);
                           if (entry && attach(*entry, pause.tryUuid)) {
                               const QString id = submissionOf(*entry)->allocation.idOf(entry->position);
                               m_commands.run(u"scancel"_s, {pause.on ? u"--signal=STOP"_s : u"--signal=CONT"_s, id},
                                   [](const SlurmCommands::Answer &) {});
                           }
                       },
                       [](const auto &) {},
                   },
            each.effect);
    }
    for (const auto &[job, tasks] : launches) {
        launch(*job, tasks);
    }
}

void SlurmBackend::launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    std::map<int, std::vector<core::TaskRef>> fresh; // by role; those of a gang together
    for (const core::TaskRef task : tasks) {
        const QUuid tryUuid = core::tryUuid(job.state, task);
        LiveTask &entry = m_tries[tryUuid];
        entry.job = &job;
        entry.task = task;
        entry.folder = m_launches.folderOf(job, task);
        if (!attach(entry, tryUuid)) {
            fresh[job.state.policy.gang ? 0 : task.role].push_back(task);
        }
    }
    for (const auto &[role, together] : fresh) {
        allocate(job, together);
    }
}

bool SlurmBackend::attach(LiveTask &entry, const QUuid &tryUuid)
{
    if (!entry.allocation.isEmpty()) {
        return true;
    }
    entry.folder = m_launches.folderOf(*entry.job, entry.task);
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(entry.folder);
    if (!link) {
        return false;
    }
    if (!m_allocations.contains(link->folder)) {
        std::optional<SlurmAllocation> allocation = SlurmAllocation::load(link->folder);
        if (!allocation) {
            return false;
        }
        auto submission = std::make_unique<Submission>(std::move(*allocation), *entry.job);
        Submission &added = *m_allocations.emplace(link->folder, std::move(submission)).first->second;
        m_timer.start();
        if (added.allocation.id().isEmpty()) {
            submit(added);
        } else {
            m_queue.follow(added.allocation.id());
        }
    }
    const SlurmAllocation &allocation = m_allocations.at(link->folder)->allocation;
    const bool fits = link->position >= 0 && std::size_t(link->position) < allocation.plan().tasks.size()
        && allocation.tryAt(link->position) == tryUuid;
    if (fits) {
        entry.allocation = link->folder;
        entry.position = link->position;
    }
    return fits;
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
Result<QString> SlurmBackend::programOnCluster() const
{
    QFile program(m_options.agentProgram);
    if (!program.open(QIODevice::ReadOnly)) {
        return fail(u"slurm.folder"_s, {{u"folder"_s, m_options.agentProgram}, {u"message"_s, program.errorString()}});
    }
    const QByteArray bytes = program.readAll();
    contract::Sha256 sum;
    sum.add({bytes.constData(), std::size_t(bytes.size())});
    const QString folder = m_folders.state() + u"/cluster"_s;
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
    const Result<std::vector<contract::Launch>> launches = m_launches.make(job, tasks);
    if (!launches) {
        refuse(job, tasks, launches.error(), codeNothingToRun);
        return;
    }
    const Result<QString> program = programOnCluster();
    if (!program) {
        refuse(job, tasks, program.error(), codeNothingToRun);
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
        plan.completedLimit = policy.completedLimit;
        for (const core::RolePolicy &role : policy.roles) {
            plan.roles.push_back({role.name.toStdString(), role.minFailed, role.minSucceeded});
        }
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const QString role = job.state.roleName(tasks[i]);
        const int component = input.layout.ofTask[i];
        plan.tasks.push_back({role.toStdString(), tasks[i].index, component, launches->at(i).dir,
            launches->at(i).plan.tryUuid, SlurmLaunches::addressWord(role, tasks[i].index).toStdString(),
            slurm::stepOptions(input.layout.components[std::size_t(component)])});
    }
    input.folder = m_folders.ofJob(job.uuid()) + u"/allocations/"_s + QString::fromStdString(plan.allocation);
    QDir().mkpath(m_folders.checkpoint(job.uuid()));
    auto submission = std::make_unique<Submission>(SlurmAllocation(input.folder, std::move(plan)), job);
    if (const Result<void> written = submission->allocation.write(slurm::jobScript(input), *launches); !written) {
        submission->allocation.removeLaunches();
        refuse(job, tasks, written.error(), codeNothingToRun);
        return;
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        LiveTask &entry = m_tries[core::tryUuid(job.state, tasks[i])];
        entry.allocation = input.folder;
        entry.position = int(i);
    }
    Submission &added = *m_allocations.emplace(input.folder, std::move(submission)).first->second;
    m_timer.start();
    submit(added);
}

// ---- submission: exactly once ----

void SlurmBackend::submit(Submission &submission)
{
    const QString folder = submission.allocation.folder();
    submission.isAsking = true;
    submission.retryAt = 0;
    if (!submission.allocation.wasSent()) {
        send(folder);
        return;
    }
    // The answer was lost, with an engine or on the way: the cluster may have it.
    m_queue.find(submission.allocation.comment(), [this, folder](const std::optional<QString> &id) {
        const auto it = m_allocations.find(folder);
        if (it == m_allocations.end()) {
            return;
        }
        Submission &asked = *it->second;
        asked.isAsking = false;
        if (!id) {
            submitLater(asked, {u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}});
        } else if (id->isEmpty()) {
            asked.isAsking = true;
            send(folder);
        } else {
            asked.allocation.setId(*id);
            m_queue.follow(*id);
            if (asked.isStopped) {
                stopSubmission(asked, -1);
            }
        }
    });
}

void SlurmBackend::send(const QString &folder)
{
    Submission &submission = *m_allocations.at(folder);
    const SlurmAllocation &allocation = submission.allocation;
    if (const Result<void> noted = allocation.noteSent(); !noted) {
        submission.isAsking = false;
        submitLater(submission, noted.error());
        return;
    }
    slurm::ScriptInput input;
    input.folder = folder;
    input.isArray = allocation.plan().isArray;
    input.graceMs = allocation.plan().stopGraceMs;
    input.layout.ofTask.resize(allocation.plan().tasks.size());
    QStringList arguments
        = slurm::submitArguments(input, u"ty-"_s + submission.job->state.meta.runName, allocation.comment());
    arguments.append(allocation.scriptFile());
    m_commands.run(
        u"sbatch"_s, arguments, [this, folder](const SlurmCommands::Answer &answer) { sent(folder, answer); });
}

void SlurmBackend::sent(const QString &folder, const SlurmCommands::Answer &answer)
{
    const auto it = m_allocations.find(folder);
    const QString id = answer.isGood() ? slurm::submittedId(answer.out) : QString();
    if (it == m_allocations.end()) {
        if (!id.isEmpty()) {
            m_commands.run(u"scancel"_s, {id}, [](const SlurmCommands::Answer &) {}); // nobody wants it any more
        }
        return;
    }
    Submission &submission = *it->second;
    submission.isAsking = false;
    if (!id.isEmpty()) {
        submission.trouble = {};
        submission.refusals = 0;
        submission.allocation.setId(id);
        m_queue.follow(id);
        Q_EMIT described(submission.job, std::nullopt);
        if (submission.isStopped) {
            stopSubmission(submission, -1);
        }
        for (const int position : std::exchange(submission.stopped, {})) {
            stopSubmission(submission, position);
        }
        return;
    }
    const QString why = slurm::refusal(answer.errors);
    const QJsonObject args{{u"target"_s, m_target.id()}, {u"detail"_s, why}, {u"program"_s, u"sbatch"_s}};
    switch (answer.kind) {
    case SlurmCommands::Answer::Kind::Missing:
        submitLater(submission, {u"slurm.no-commands"_s, args});
        return;
    case SlurmCommands::Answer::Kind::TimedOut:
        submitLater(submission, {u"wait.slurm-silent"_s, args});
        return;
    case SlurmCommands::Answer::Kind::Done:
        break;
    }
    switch (slurm::refusalKind(why)) {
    case slurm::Refusal::Silent:
        submitLater(submission, {u"wait.slurm-silent"_s, args});
        return;
    case slurm::Refusal::Limit:
        submitLater(submission, {u"wait.slurm-submit-limit"_s, args});
        return;
    case slurm::Refusal::Final:
        break;
    }
    std::vector<core::TaskRef> tasks;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (entry.allocation == folder) {
            tasks.push_back(entry.task);
        }
    }
    refuse(*submission.job, tasks, {u"slurm.refused"_s, args}, codeSlurmRefused);
}

// With growing pauses: a cluster that refuses again and again is not asked more.
void SlurmBackend::submitLater(Submission &submission, const Error &why)
{
    constexpr qint64 firstPauseMs = 5000, mostPauseMs = 300'000;
    const int doublings = std::min(submission.refusals++, 6);
    submission.retryAt = nowMs() + std::min(mostPauseMs, firstPauseMs << doublings);
    submission.trouble = why;
    Q_EMIT described(submission.job, std::nullopt);
}

// ---- the end that is asked for ----

void SlurmBackend::stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    LiveTask &entry = m_tries[tryUuid];
    entry.job = &job;
    entry.task = task;
    Submission *submission = attach(entry, tryUuid) ? submissionOf(entry) : nullptr;
    if (!submission || (submission->allocation.id().isEmpty() && !submission->isAsking)) {
        end(entry, tryUuid, {codeLostThere, {}, {}, {}}, nullptr); // its result is fixed
        return;
    }
    stopSubmission(*submission, submission->allocation.plan().isArray ? entry.position : -1);
}

void SlurmBackend::stopSubmission(Submission &submission, int position)
{
    const bool isForced = submission.job->killNow;
    const bool isKnown
        = position < 0 ? submission.isStopped && submission.forceAt > 0 : submission.stopped.contains(position);
    if (position < 0) {
        submission.isStopped = true;
    } else {
        submission.stopped.insert(position);
    }
    if (submission.allocation.id().isEmpty() || (isKnown && !(isForced && !submission.isForced))) {
        return; // it is asked as soon as it has an id; or it has been
    }
    submission.isForced = submission.isForced || isForced;
    const qint64 graceMs = submission.allocation.plan().stopGraceMs;
    submission.forceAt = nowMs() + graceMs + 30'000;
    const QString id = position < 0 ? submission.allocation.id() : submission.allocation.idOf(position);
    cancel(submission, id, isForced);
}

// What waits is taken out of the queue. What runs is led: its lead ends the tasks with their grace period.
void SlurmBackend::cancel(const Submission &submission, const QString &id, bool isForced)
{
    const auto done = [this](const SlurmCommands::Answer &) { m_queue.refresh(); };
    const SlurmQueue::Known known = m_queue.known(id);
    const bool runs = known.state.isEmpty() || slurm::phaseOf(known.state) != slurm::Phase::Pending;
    if (isForced || !runs) {
        m_commands.run(u"scancel"_s, {id}, done);
        return;
    }
    // Either of them has no effect where the other one has.
    Q_UNUSED(submission)
    m_commands.run(u"scancel"_s, {u"--state=PENDING"_s, id}, [this, id, done](const SlurmCommands::Answer &) {
        m_commands.run(u"scancel"_s, {u"--batch"_s, u"--signal=TERM"_s, id}, done);
    });
}

void SlurmBackend::stopUnwritten(ActiveJob &job)
{
    for (const auto &[folder, submission] : m_allocations) {
        if (submission->job == &job && !submission->allocation.id().isEmpty()) {
            stopSubmission(*submission, -1);
        }
    }
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
        const QString id = submission->allocation.idOf(0);
        const SlurmQueue::Known known = m_queue.known(id);
        if (id.isEmpty() || !m_queue.hasAnswered()) {
            return {u"wait.slurm-new"_s, {{u"target"_s, m_target.id()}}};
        }
        if (!m_queue.problem().code.isEmpty()) {
            return {u"wait.slurm-silent"_s, {{u"target"_s, m_target.id()}}};
        }
        if (slurm::phaseOf(known.state) == slurm::Phase::Pending || known.state.isEmpty()) {
            return slurm::waitReason({id, known.state, {}, known.reason, known.start}, m_target.id());
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
    return {m_folders.ofTry(job, attempt, role, index, taskTry)};
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
    threads::runOnPool([folder = m_folders.ofJob(job)] { QDir(folder).removeRecursively(); });
}

} // namespace trainyard
