// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/engineparts.h"

#include "engine/clusters/openpaikind.h"
#include "engine/daemon/approvalsdoor.h"
#include "engine/daemon/poolforclusters.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

std::vector<std::unique_ptr<ClusterKind>> Engine::Parts::kindsOf(const Options &given, const QString &agentProgram)
{
    SlurmKind::Logins logins;
    logins.hostOf = [this](const QString &name) {
        const PoolHost *host = name == "local"_L1 ? nullptr : backend.hosts().find(name);
        return host ? SlurmKind::Host{host->agent.get(), host->target} : SlurmKind::Host();
    };
    logins.codeOf
        = [this](const QString &host) { return siteCodeOf(backend, host, options.stateFolder, store->epoch()); };
    logins.supply = jobSupplyOf(backend);
    logins.ownName = store->epoch();
    auto ofSlurm = std::make_unique<SlurmKind>(
        SlurmBackend::Options{given.stateFolder, agentProgram}, settings, exitRules, logins);
    slurm = ofSlurm.get();
    std::vector<std::unique_ptr<ClusterKind>> kinds;
    kinds.push_back(std::move(ofSlurm));
    kinds.push_back(std::make_unique<OpenPaiKind>(given.stateFolder, settings));
    auto ofKubernetes = std::make_unique<KubeKind>(given.stateFolder, settings, exitRules);
    kubernetes = ofKubernetes.get();
    kinds.push_back(std::move(ofKubernetes));
    return kinds;
}

Engine::Parts::Parts(const Options &given, const QString &agentProgram, std::unique_ptr<Store> opened)
    : options(given), store(std::move(opened)), reserve(given.stateFolder + u"/store.reserve"_s),
      settings(given.configFolder + u"/engine.json"_s), secrets(given.runtimeFolder), exitRules(given.configFolder),
      backend({.stateFolder = given.stateFolder,
                  .configFolder = given.configFolder,
                  .runtimeFolder = given.runtimeFolder,
                  .agentProgram = agentProgram,
                  .makeTransport = {},
                  .words = given.words},
          store->epoch(), settings, secrets, exitRules, scheduler, jobs),
      clusters(kindsOf(given, agentProgram), settings,
          {given.stateFolder + u"/cluster-settings.json"_s,
              [this](const QString &target) {
                  return std::any_of(jobs.begin(), jobs.end(),
                      [&target](const auto &each) { return each.second->state.meta.target == target; });
              }}),
      backends(RunFolders(given.stateFolder)), views(backends, readings), publisher(jobs, backends, views),
      waits(RunFolders(given.stateFolder), jobs, backends), tick(jobs, *store, reserve, backends, exitRules, publisher),
      queries(RunFolders(given.stateFolder), jobs, *store, backends, views, publisher),
      blocking(jobs, *store, tick, queries), queue(jobs, *store, scheduler, backends, tick, publisher, queries),
      preparation(settings, backends, blocking),
      service(jobs, *store, reserve, secrets, backends, exitRules, tick, publisher, preparation, queries),
      labelling(jobs, *store, queries, publisher, tick),
      removals(given.removals, RunFolders(given.stateFolder), jobs, *store, tick, service, queries, settings),
      results(jobs, *store, queries, views, readings, settings, publisher, tick), worse(jobs, *store, readings, tick),
      notices(jobs, settings, readings), approvals(approvalsDoor(settings, jobs, service, queries))
{
    backends.add(core::poolTarget, backend);
    backend.forwards().setNodes([this](const ActiveJob &job, core::TaskRef task) {
        const Backend &of = backends.of(job);
        TaskInfo info;
        info.role = job.state.roleName(task);
        info.index = task.index;
        info.attempt = job.state.attempt();
        info.tries = job.state.task(task).tryIndex;
        of.describe(job, task, info);
        const QString through = of.hostNearTasks();
        return through.isEmpty() ? std::nullopt : std::optional(PortForwards::OnNode{through, info.host, info.address});
    });
    // This happens later, because the report about a copy may arrive during the request for it.
    const auto launchHeld = [this] { slurm->launchHeld(); };
    const auto describeHeld = [this] { slurm->describeHeld(); };
    QObject::connect(&backend.code(), &CodeService::ready, &clusters, launchHeld, Qt::QueuedConnection);
    QObject::connect(&backend.code(), &CodeService::described, &clusters, describeHeld, Qt::QueuedConnection);
    QObject::connect(&backend.data(), &DataService::ready, &clusters, launchHeld, Qt::QueuedConnection);
    QObject::connect(&backend.data(), &DataService::described, &clusters, describeHeld, Qt::QueuedConnection);
    QObject::connect(&backend.sshKeys(), &JobSshKeys::made, &clusters, launchHeld, Qt::QueuedConnection);
    QObject::connect(
        &backend.hosts(), &HostPool::made, &clusters, [this](PoolHost *host) { slurm->hostChanged(host->id); });
    QObject::connect(
        &backend.hosts(), &HostPool::stateChanged, &clusters, [this](PoolHost *host) { slurm->hostChanged(host->id); });
}

} // namespace trainyard
