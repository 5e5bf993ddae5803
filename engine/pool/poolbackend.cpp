// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/poolbackend.h"

#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/core/placedtasks.h"
#include "model/protocol/peers.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

PoolBackend::PoolBackend(const HostPool::Options &options, const QString &epoch, const Settings &settings,
    SecretKeeper &secrets, ExitRulesFile &exitRules, core::Scheduler &scheduler, const ActiveJobs &jobs)
    : m_folders(RunFolders(options.stateFolder), epoch), m_scheduler(scheduler), m_jobs(jobs),
      m_hosts(options, settings), m_images(settings, m_hosts), m_gpus(m_folders, settings, scheduler, m_hosts, m_live),
      m_quarantine(settings, m_hosts, m_live), m_figures(settings, scheduler, m_hosts, m_gpus, m_images, m_live),
      m_clusterWatch(m_hosts, m_figures), m_peers(settings, scheduler, jobs, m_hosts),
      m_ports(settings, scheduler, jobs, m_hosts, m_live, m_gpus, m_figures, m_peers),
      m_sshKeys(secrets, options.runtimeFolder),
      m_code(m_folders, settings, m_hosts, options.configFolder + u"/code-allowed.json"_s),
      m_codeSyncs(m_folders, m_hosts, m_code), m_checkpoints(m_folders, settings, m_hosts),
      m_data(m_folders, settings, m_hosts), m_results(m_folders, settings, m_hosts),
      m_demand(m_hosts, m_figures, scheduler, jobs, m_results),
      m_launches(m_folders, settings, m_hosts, m_images, m_sshKeys, m_code, m_checkpoints, m_data, m_poolJobs),
      m_judge(exitRules), m_reports(m_hosts, m_live, m_poolJobs, m_code, m_gpus, m_judge),
      m_own(m_folders.local(), epoch), m_runner(m_folders, settings, m_hosts, m_live, m_poolJobs, m_ports, m_launches,
                                           m_sshKeys, m_code, m_checkpoints, m_data, m_gpus, m_reports, m_own),
      m_forwards(m_hosts, jobs, m_live, options.words), m_retention(m_folders, m_hosts, m_poolJobs, m_results),
      m_planner(m_folders.local(), settings, scheduler, m_hosts, m_images, m_code, m_data, m_ports.book()),
      m_admin(m_hosts, m_quarantine, m_figures, m_clusterWatch, m_peers, scheduler, jobs, m_live, m_results, m_own),
      m_housekeeping(m_folders, m_hosts, jobs, m_own), m_insight(m_hosts), m_taskFiles(m_hosts)
{
    m_retention.removeLeftovers();
    connectParts();
}

PoolBackend::~PoolBackend()
{
    m_hosts.disconnect(this); // it goes last, and what it says then is for parts that are gone
    m_hosts.disconnect(&m_reports);
}

bool PoolBackend::isBringing() const
{
    const HostPool::List &hosts = m_hosts.all();
    return m_results.isBusy() || std::any_of(hosts.cbegin(), hosts.cend(), [](const auto &host) {
        return host->mirrors && host->mirrors->isCopying();
    });
}

void PoolBackend::connectParts()
{
    m_hosts.setIsNeeded([this](const QString &host) { return m_results.pendingOn(host) > 0; });
    connect(&m_hosts, &HostPool::made, this, [this](PoolHost *host) {
        m_scheduler.expectHost(host->id, host->use.labels);
        m_figures.refresh(*host);
    });
    connect(&m_hosts, &HostPool::stateChanged, this, [this](PoolHost *host) {
        m_figures.refresh(*host);
        m_peers.hostChanged(*host);
        m_runner.hostChanged(*host);
        m_results.hostChanged(*host);
        m_clusterWatch.hostChanged(*host);
        m_demand.look();
        Q_EMIT hostChanged(m_figures.infoOf(*host));
    });
    connect(&m_clusterWatch, &ClusterWatch::answered, this,
        [this](PoolHost *host) { Q_EMIT hostChanged(m_figures.infoOf(*host)); });
    connect(
        &m_hosts, &HostPool::progressed, this, [this](PoolHost *host) { Q_EMIT hostChanged(m_figures.infoOf(*host)); });
    connect(&m_hosts, &HostPool::sampled, this, [this](PoolHost *host, const contract::Sample &sample) {
        host->history.note(sample, steadyMs());
        m_gpus.noteSample(*host, sample);
        m_reports.noteSample(*host, sample);
        tellHost(*host);
    });
    connect(&m_hosts, &HostPool::exited, &m_reports, &TryReports::ended);
    connect(&m_hosts, &HostPool::mirrored, &m_reports, &TryReports::grew);
    connect(&m_hosts, &HostPool::mirrorMoved, &m_reports, &TryReports::logMoved);
    connect(&m_hosts, &HostPool::mirrorCompleted, &m_reports, &TryReports::logIsComplete);
    connect(&m_hosts, &HostPool::mirrorLacksRoom, &m_reports, &TryReports::noteCopy);
    connect(&m_hosts, &HostPool::ready, this, &Backend::infoChanged);
    connect(&m_judge, &ExitJudge::gpuBusy, &m_gpus, &GpuWatch::noteBusy);
    connect(&m_judge, &ExitJudge::gpusLost, &m_gpus, &GpuWatch::noteLost);
    connect(&m_gpus, &GpuWatch::hostChanged, this, [this](PoolHost *host) { tellHost(*host); });
    connect(&m_gpus, &GpuWatch::capacityChanged, this, [this](PoolHost *host) { m_figures.refresh(*host); });
    connect(&m_hosts, &HostPool::useChanged, this, [this](PoolHost *host) {
        if (!host->agent->wasOnline()) {
            m_scheduler.expectHost(host->id, host->use.labels);
        }
        m_peers.hostChanged(*host);
        tellHost(*host);
        m_demand.look();
    });
    connect(&m_figures, &HostFigures::capacityChanged, this, [this] {
        m_wantsPlacing = true;
        Q_EMIT placingWanted();
    });
    connect(&m_peers, &PeerService::happened, this, &Backend::happened);
    connect(&m_peers, &PeerService::placingWanted, this, &PoolBackend::wantPlacing);
    connect(&m_ports, &PortService::happened, this, &Backend::happened);
    connect(&m_ports, &PortService::answered, &m_reports, &TryReports::answered);
    connect(&m_reports, &TryReports::happened, &m_quarantine, &HostQuarantine::noteEvent); // before its place is gone
    connect(&m_reports, &TryReports::began, this, [this](const QUuid &tryUuid) {
        if (const auto it = m_live.find(tryUuid); it != m_live.end()) {
            noteResults(tryUuid, it->second);
        }
    });
    connect(&m_results, &ResultService::removable, this,
        [this](const QString &host, const QString &belowState) { m_retention.removeOn(host, belowState); });
    connect(&m_reports, &TryReports::happened, this, &Backend::happened);
    connect(&m_reports, &TryReports::described, this, &Backend::described);
    connect(&m_reports, &TryReports::logsGrew, this, &Backend::logsGrew);
    connect(&m_runner, &TaskRunner::described, this, &Backend::described);
}

void PoolBackend::tellHost(PoolHost &host)
{
    m_figures.refresh(host);
    Q_EMIT hostChanged(m_figures.infoOf(host));
}

Result<bool> PoolBackend::load() { return m_hosts.load(); }

void PoolBackend::start()
{
    m_results.settle([this](const QUuid &tryUuid) { return m_live.contains(tryUuid); });
    m_hosts.start();
}

TargetInfo PoolBackend::info() const { return {m_hosts.isReady(), m_hosts.cpus()}; }

// ---- before there is a job ----

Result<void> PoolBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    return m_planner.accept(prepared, request);
}

Result<void> PoolBackend::settle(Prepared &prepared) const { return m_planner.settle(prepared); }

std::optional<Error> PoolBackend::neverFits(
    const core::JobState &job, const JobSpec &spec, const StoredDocument &document) const
{
    return m_planner.neverFits(job, spec, PoolPlanner::whereOf(document, &spec));
}

Result<PlanReply> PoolBackend::plan(const Prepared &prepared, const core::JobState &job) const
{
    return m_planner.plan(prepared, job);
}

// ---- places ----

void PoolBackend::take(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const QString &host)
{
    LiveTry &entry = m_live[tryUuid];
    entry.job = &job;
    entry.task = task;
    entry.host = host;
    m_poolJobs.of(job).placed.insert(task);
    if (PoolHost *at = m_hosts.find(host)) {
        at->tries.insert(tryUuid);
    }
}

void PoolBackend::give(ActiveJob &job, const core::effect::ReleaseTry &release)
{
    m_scheduler.release(release.tryUuid);
    m_ports.release(release.tryUuid);
    m_forwards.end(release.tryUuid);
    m_gpus.forget(release.tryUuid);
    m_checkpoints.end(release.tryUuid);
    m_data.end(release.tryUuid);
    PoolJob &known = m_poolJobs.of(job);
    known.placed.erase(release.task);
    known.inTrouble.erase(release.tryUuid);
    const auto it = m_live.find(release.tryUuid);
    if (it != m_live.end()) {
        if (it->second.exitKnown) {
            noteResults(release.tryUuid, it->second); // an engine that died may not have known that it began
        }
        m_results.end(release.tryUuid);
        if (PoolHost *at = m_hosts.find(it->second.host)) {
            at->tries.remove(release.tryUuid);
        }
        m_live.erase(it);
    }
    m_wantsPlacing = true;
}

// Its files are brought here, if its job asks for that.
void PoolBackend::noteResults(const QUuid &tryUuid, const LiveTry &entry)
{
    const PoolHost *at = m_hosts.find(entry.host);
    const bool isWanted = entry.job->spec && !entry.job->spec->trainyard.results.files.isEmpty();
    if (!at || !isWanted || entry.folder.isEmpty()) {
        return;
    }
    const Result<TaskFolder> files = filesOf(entry.host, entry.localFolder, entry.job->document);
    if (const auto task = files ? resultTaskOf(m_folders, entry, tryUuid, *at, files->work) : std::nullopt) {
        m_results.begin(*task);
    }
}

void PoolBackend::beginResults(const ActiveJob &job, const ResultPlace &place)
{
    if (m_hosts.find(place.host)) {
        m_results.begin(resultTaskAt(m_folders, job, place));
    }
}

void PoolBackend::reserve(ActiveJob &job, const core::Effect &effect)
{
    std::visit(Overloaded{
                   [&](const core::effect::RequestPlacement &place) {
                       core::PlacementRequest request = core::placementRequest(
                           job.state, place.tasks, PoolPlanner::whereOf(job.document, job.spec ? &*job.spec : nullptr));
                       request.group = {job.listed.group, job.document.groupLimit};
                       request.talks = job.spec && checksPeers(*job.spec);
                       m_scheduler.request(request);
                       m_wantsPlacing = true;
                   },
                   [&](const core::effect::CancelPlacement &) {
                       m_scheduler.cancel(job.state.uuid);
                       m_wantsPlacing = true;
                   },
                   [&](const core::effect::ReleaseTry &release) { give(job, release); },
                   [&](const core::effect::AttemptOpened &) {
                       m_poolJobs.of(job).placed.clear();
                       m_launches.attemptOpened(job);
                       m_code.attemptOpened(job);
                   },
                   [](const auto &) {},
               },
        effect);
}

void PoolBackend::wantPlacing()
{
    m_wantsPlacing = true;
    Q_EMIT placingWanted();
}

std::vector<JobEvent> PoolBackend::place()
{
    m_wantsPlacing = false;
    std::vector<JobEvent> events;
    const std::vector<core::JobGrants> grants = m_scheduler.schedule();
    for (const core::JobGrants &granted : grants) {
        ActiveJob *job = m_jobs.find(granted.job);
        if (!job) {
            continue;
        }
        core::event::PlacementGranted placement{granted.grants};
        m_peers.choose(*job, placement.grants);
        for (const core::event::Grant &grant : placement.grants) {
            take(*job, grant.task, grant.tryUuid, grant.place.host);
        }
        events.push_back({job, core::Event{nowMs(), std::move(placement)}});
    }
    m_demand.look();
    return events;
}

void PoolBackend::resume(ActiveJob &job)
{
    core::forEachPlaced(job.state, [&](core::TaskRef ref, const core::TaskState &state, const core::Allocation &place) {
        const QUuid tryUuid = core::tryUuid(job.state, ref);
        m_scheduler.restoreAllocation(job.state.meta.id, job.state.uuid, tryUuid, place,
            job.state.policy.roles[std::size_t(ref.role)].needs, job.listed.group, int(ref.role));
        m_ports.restore(place.host, tryUuid, place.ports);
        take(job, ref, tryUuid, place.host);
        m_live.at(tryUuid).mayBeThere = !std::holds_alternative<core::Placed>(state);
    });
}

void PoolBackend::forget(ActiveJob &job)
{
    std::erase_if(m_live, [&](const auto &entry) {
        if (entry.second.job != &job) {
            return false;
        }
        m_gpus.forget(entry.first);
        m_forwards.end(entry.first);
        return true;
    });
    m_scheduler.forget(job.state.uuid);
    m_peers.forget(job.state.uuid);
    m_launches.forget(job);
    m_code.forget(job.state.uuid);
    m_checkpoints.forget(job);
    m_data.forget(job);
    m_poolJobs.forget(job);
}

// ---- after the commit ----

void PoolBackend::perform(const std::vector<JobEffect> &effects)
{
    std::vector<PortService::Wanted> draws;
    for (const auto &[job, effect] : effects) {
        if (const auto *draw = std::get_if<core::effect::DrawPorts>(&effect)) {
            draws.push_back({job, *draw});
        }
    }
    m_ports.draw(draws);
    for (const JobEffect &each : effects) {
        ActiveJob &job = *each.job;
        std::visit(
            Overloaded{
                [&](const core::effect::LaunchTry &launch) { m_runner.launch(job, launch.task, launch.tryUuid); },
                [&](const core::effect::ObserveTry &observe) { m_runner.observe(job, observe.task, observe.tryUuid); },
                [&](const core::effect::StopTry &stop) { m_runner.stop(job, stop.task, stop.tryUuid); },
                [&](const core::effect::PauseTry &pause) { m_runner.pause(job, pause.task, pause.tryUuid, pause.on); },
                [&](const core::effect::ReleaseTry &release) { m_runner.bar(release.tryUuid); },
                [&](const core::effect::JobEnded &) {
                    m_launches.dropShared(job);
                    m_sshKeys.forget(job.state.uuid);
                },
                [](const auto &) {},
            },
            each.effect);
    }
}

void PoolBackend::stopUnwritten(ActiveJob &job) { m_runner.stopUnwritten(job); }

bool PoolBackend::giveUp(ActiveJob &job) { return m_runner.giveUp(job); }

// ---- what stays ----

QList<KeptTask> PoolBackend::keptTasks(const ActiveJob &job) const { return m_retention.keptTasks(job); }

bool PoolBackend::release(ActiveJob &job, const QStringList &tasks)
{
    bool any = false;
    const QList<KeptTask> held = m_retention.keptTasks(job);
    for (const KeptTask &task : held) {
        const std::optional<core::TaskRef> ref = job.state.find(task.role, task.index);
        if (!ref || (!tasks.isEmpty() && !tasks.contains(taskLabel(task)))) {
            continue;
        }
        if (const LiveTry *entry = m_runner.live(job, *ref, core::tryUuid(job.state, *ref))) {
            m_retention.release(*entry); // otherwise when its time is over
            any = true;
        }
    }
    return any;
}

void PoolBackend::makeRoom(const QString &job) { m_retention.makeRoom(job); }

void PoolBackend::removeRun(const QString &job, const QStringList &hosts) { m_retention.remove(job, hosts); }

void PoolBackend::settingsChanged()
{
    m_ports.readSettings();
    m_hosts.settingsChanged();
    m_code.settingsChanged();
    for (const auto &host : m_hosts.all()) {
        m_figures.refresh(*host);
        m_clusterWatch.hostChanged(*host); // a cluster is offered again
    }
}

} // namespace trainyard
