// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmbackend.h"

#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/slurmcheck.h"
#include "engine/clusters/slurmend.h"
#include "engine/contract/removetree.h"
#include "engine/core/placedtasks.h"
#include "model/base/threads.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView otherLogin{"slurm.login-busy"};

} // namespace

SlurmBackend::SlurmBackend(const SlurmTarget &target, const Options &options, const Settings &settings,
    SlurmCommands &commands, SlurmQueue &queue, ExitRulesFile &exitRules, LoginSite *site, const SiteCode *code)
    : m_target(target), m_options(options), m_settings(settings), m_commands(commands), m_queue(queue), m_site(site),
      m_code(code), m_exitRules(exitRules), m_judge(exitRules),
      m_ledBook(m_options.stateFolder + u"/cluster-leads/"_s + m_target.name)
{
    if (m_site) {
        connectSite();
    }
    connect(&m_helpers, &HelperCopies::made, this, &SlurmBackend::launchHeld);
    m_timer.setInterval(m_options.lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SlurmBackend::look);
    connect(&m_queue, &SlurmQueue::answered, this, [this] {
        std::set<ActiveJob *> jobs;
        for (const auto &[folder, submission] : m_allocations) {
            jobs.insert(submission->job);
        }
        for (ActiveJob *job : jobs) {
            Q_EMIT described(job, std::nullopt);
        }
        if (m_site && !jobs.empty()) {
            m_site->lookSoon();
        }
        look();
    });
    // When the jobs of a former run of the engine are here, of which some want what is noted.
    QTimer::singleShot(0, this, [this] { lookAtNotes(); });
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

void SlurmBackend::settingsChanged()
{
    m_isNamed = false;
    for (const SlurmTarget &each : slurmTargetsOf(m_settings)) {
        if (each.name != m_target.name) {
            continue;
        }
        m_isNamed = true;
        const QString login = m_target.login;
        m_target = each;
        if (each.login != login) { // what it has goes on where it is
            m_target.login = login;
            m_target.problem = {QString(otherLogin), {{u"target"_s, each.id()}}};
        }
    }
}

bool SlurmBackend::isOutdated() const { return m_target.problem.code == otherLogin; }

ClusterInfo SlurmBackend::clusterInfo() const
{
    ClusterInfo info{m_target.id(), QString(slurmKind), m_target.name, m_target.options.join(u' '), m_target.folder,
        m_target.login, m_isNamed, {}, {}, int(m_allocations.size())};
    info.images = m_target.images;
    info.modules = m_target.modules;
    if (!m_target.problem.code.isEmpty()) {
        info.error = m_target.problem.code;
        info.errorArgs = m_target.problem.args;
    } else if (m_site && !m_site->isKnown()) {
        info.error = m_site->absence().code;
        info.errorArgs = m_site->absence().args;
    } else if (!isIdle()) {
        Error found = problem();
        if (found.code.isEmpty() && !m_queue.accountsProblem().code.isEmpty()) {
            found = m_site ? m_site->inItsWords(m_queue.accountsProblem()) : m_queue.accountsProblem();
        }
        info.error = found.code;
        info.errorArgs = found.args;
    }
    return info;
}

void SlurmBackend::check(const std::function<void(const ClusterInfo &)> &then)
{
    const QString folder = m_target.folder.isEmpty() ? m_options.stateFolder : m_target.folder;
    const Result<void> safe = m_site ? Result<void>() : checkFolder(foldersOf(m_target, m_options.stateFolder));
    const auto keep = [here = QPointer<SlurmBackend>(this), then](const ClusterInfo &checked) {
        for (const ClusterStep &step : checked.steps) {
            if (here && step.id == "answers"_L1 && step.isGood) { // jobs are compared with them
                here->m_partitions = step.args.value("partitions"_L1).toArray();
                here->m_nodesAskedAt = steadyMs();
            }
        }
        then(checked);
    };
    SlurmCheck::run(m_commands, m_site, m_target, folder, clusterInfo(), keep, safe ? Error() : safe.error());
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

SlurmBackend::LiveTask &SlurmBackend::enter(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid)
{
    LiveTask &entry = m_tries[tryUuid];
    entry.job = &job;
    entry.task = task;
    m_triesOf.add(&job, tryUuid);
    return entry;
}

void SlurmBackend::enter(std::unique_ptr<Submission> submission)
{
    const QString folder = submission->allocation.folder();
    m_allocationsOf.add(submission->job, folder);
    m_allocations.emplace(folder, std::move(submission));
    m_timer.start();
}

SlurmBackend::Submission *SlurmBackend::submissionOf(const LiveTask &entry)
{
    const auto it = m_allocations.find(entry.allocation);
    return it == m_allocations.end() ? nullptr : it->second.get();
}

// ---- places ----

void SlurmBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    if (m_wanted.take(job, effect)) {
        return;
    }
    if (std::holds_alternative<core::effect::AttemptOpened>(effect) && m_site) {
        m_code->attemptOpened(job);
    } else if (const auto *gone = std::get_if<core::effect::ReleaseTry>(&effect)) {
        m_ports.release(gone->tryUuid);
        if (m_options.supply) {
            m_options.supply->endData(gone->tryUuid);
        }
        if (const auto it = m_tries.find(gone->tryUuid); it != m_tries.end()) {
            if (m_options.supply && m_options.supply->endResults && it->second.isStarted) {
                noteResults(it->second, gone->tryUuid); // an engine that died may not have known that it began
                m_options.supply->endResults(gone->tryUuid);
            }
            leave(it->second);
            m_triesOf.remove(it->second.job, it->first);
            m_tries.erase(it);
        }
        tellIfIdle();
    }
}

std::vector<JobEvent> SlurmBackend::place()
{
    return m_wanted.grantAll(m_target.id(), [this](ActiveJob &job, core::TaskRef task, const QUuid &tryUuid) {
        enter(job, task, tryUuid) = LiveTask();
        enter(job, task, tryUuid);
    });
}

void SlurmBackend::resume(ActiveJob &job)
{
    core::forEachPlaced(job.state, [&](core::TaskRef ref, const core::TaskState &state, const core::Allocation &place) {
        const QUuid tryUuid = core::tryUuid(job.state, ref);
        m_ports.restore(m_target.id(), tryUuid, place.ports);
        LiveTask &entry = enter(job, ref, tryUuid);
        entry.isResumed = true;
        entry.isStarted = std::holds_alternative<core::Running>(state);
    });
    resumeLed(job);
}

void SlurmBackend::forget(ActiveJob &job)
{
    m_wanted.forget(job);
    m_held.erase(&job);
    std::erase_if(m_led, [this, &job](const auto &each) {
        if (each.second.job != &job) {
            return false;
        }
        endLed(each.second);
        return true;
    });
    if (m_site) {
        m_code->forget(job.state.uuid);
    }
    if (m_options.supply) {
        m_options.supply->forgetData(job);
    }
    const std::set<QUuid> own = m_triesOf.of(&job);
    for (const QUuid &tryUuid : own) {
        m_ports.release(tryUuid);
        leave(m_tries.at(tryUuid));
        m_triesOf.remove(&job, tryUuid);
        m_tries.erase(tryUuid);
    }
    tellIfIdle();
}

void SlurmBackend::join(LiveTask &entry, const QString &folder, int position)
{
    entry.allocation = folder;
    entry.position = position;
    entry.soughtSince = 0;
    Submission &submission = *m_allocations.at(folder);
    ++submission.tries;
    watch(entry, submission.allocation.tryAt(position));
}

// An allocation of which no try is left is not looked at any more.
void SlurmBackend::leave(const LiveTask &entry)
{
    unwatch(entry);
    const auto it = m_allocations.find(entry.allocation);
    if (it == m_allocations.end() || --it->second->tries > 0) {
        return;
    }
    it->second->allocation.removeLaunches();
    if (m_site) {
        removeLaunchesThere(*it->second->job, QFileInfo(it->first).fileName());
        m_site->unwatch(it->first);
    }
    if (!it->second->allocation.id().isEmpty()) {
        m_queue.unfollow(it->second->allocation.id());
    }
    m_allocationsOf.remove(it->second->job, it->first);
    m_allocations.erase(it);
}

// ---- after the commit ----

void SlurmBackend::perform(const std::vector<JobEffect> &effects)
{
    std::vector<std::pair<ActiveJob *, std::vector<core::TaskRef>>> launches; // in their order
    std::set<QString> stopped; // allocations
    std::map<std::pair<QString, bool>, Halt> paused; // by id
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
                        const Submission &submission = *submissionOf(*entry);
                        paused.emplace(std::pair(submission.allocation.idOf(entry->position), pause.on),
                            Halt{markOf(submission), submission.allocation.plan().limitMs > 0, pause.on});
                    }
                },
                [&](const core::effect::JobEnded &) {
                    // Also of allocations that were never whole, and so never followed.
                    SlurmAllocation::removeLaunches(foldersOfJob(job.uuid()).ofJob(job.uuid()));
                    removeLaunchesThere(job, {});
                    endSupply(job);
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
    for (const auto &[what, wanted] : paused) {
        if (!what.first.isEmpty()) {
            halt(what.first, wanted);
        }
    }
}

void SlurmBackend::draw(ActiveJob &job, const core::effect::DrawPorts &wanted)
{
    core::event::PortsDrawn drawn;
    for (const core::TaskRef task : wanted.tasks) {
        const core::Needs &needs = job.state.policy.roles[std::size_t(task.role)].needs;
        const QUuid tryUuid = core::tryUuid(job.state, task);
        const auto led = m_led.find(tryUuid);
        // A plan of an older version does not say which ones it has begun with.
        if (led != m_led.end() && (needs.ports.isEmpty() || !led->second.ports.isEmpty())) {
            m_ports.restore(m_target.id(), tryUuid, led->second.ports); // it has begun with those
            drawn.tasks.push_back({task, tryUuid, led->second.ports});
            continue;
        }
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

void SlurmBackend::observe(LiveTask &entry, const QUuid &tryUuid)
{
    if (attach(entry, tryUuid)) {
        advance(*submissionOf(entry));
    } else if (isUnseen(entry)) {
        seek(entry);
    } else {
        end(entry, tryUuid, {slurm::codeLost, {}, u"slurm.gone"_s, {{u"target"_s, m_target.id()}}}, nullptr);
    }
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

// ---- after the job ----

void SlurmBackend::removeRun(const QString &job, const QStringList &)
{
    const QString kept = foldersOfJob(job).ofJob(job), here = QFileInfo(folderNote(job)).path();
    if (m_site && QFileInfo::exists(folderNote(job))) {
        m_site->removeRun(foldersThere(job).state(), job);
        m_code->remove(job);
    }
    dropDataUses(job); // when the engine was killed at the end of the job
    threads::runOnPool([kept, here] {
        contract::removeTree(pathBytes(kept));
        contract::removeTree(pathBytes(here)); // last: it says where the other one is
    });
}

} // namespace trainyard
