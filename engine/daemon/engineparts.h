// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/clock.h"
#include "engine/clusters/clusters.h"
#include "engine/clusters/kubekind.h"
#include "engine/clusters/slurmkind.h"
#include "engine/daemon/dueremovals.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/folderlock.h"
#include "engine/daemon/joblabelling.h"
#include "engine/daemon/jobnotices.h"
#include "engine/daemon/jobqueue.h"
#include "engine/daemon/jobresults.h"
#include "engine/daemon/jobservice.h"
#include "engine/daemon/waittrail.h"
#include "engine/daemon/worsejobs.h"
#include "engine/pool/poolbackend.h"

#include <QPointer>

#include <mutex>

namespace trainyard
{

// All parts of an engine, in the order in which they depend on each other: a part may call those above it, and is
// destroyed before them.
struct Engine::Parts {
    // For work that is done elsewhere and whose result may come when the engine is gone.
    struct Link {
        std::mutex mutex;
        Engine *engine = nullptr;
    };

    Parts(const Options &options, const QString &agentProgram, std::unique_ptr<Store> opened);
    ~Parts()
    {
        const std::lock_guard held(link->mutex);
        link->engine = nullptr;
    }

    Options options;
    const qint64 startedAt = nowMs();
    std::unique_ptr<FolderLock> lock;
    std::unique_ptr<Store> store;
    StoreReserve reserve; // for ends that were asked for, and for removals
    Settings settings;
    SecretKeeper secrets;
    ExitRulesFile exitRules;
    ActiveJobs jobs;
    core::Scheduler scheduler;
    PoolBackend backend;
    SlurmKind *slurm = nullptr; // of clusters
    KubeKind *kubernetes = nullptr; // of clusters
    Clusters clusters;
    Backends backends;
    JobReadings readings;
    JobViews views;
    Publisher publisher;
    WaitTrail waits;
    Tick tick;
    JobQueries queries;
    JobBlocking blocking;
    JobQueue queue;
    JobPreparation preparation;
    JobService service;
    JobLabelling labelling;
    DueRemovals removals;
    JobResults results;
    WorseJobs worse;
    JobNotices notices;
    Approvals approvals;

    std::vector<std::unique_ptr<ClusterKind>> kindsOf(const Options &given, const QString &agentProgram);
    void syncClusters()
    {
        clusters.sync([this](const QString &target, Backend &made) {
            const bool isNew = !backends.has(target);
            backends.add(target, made);
            if (isNew) {
                service.takeUp(target);
            }
        });
    }
    void settingsChanged()
    {
        syncClusters();
        backends.settingsChanged();
        results.settingsChanged();
        removals.settingsChanged();
    }

    std::vector<std::pair<QPointer<QObject>, std::function<void()>>> whenReady;
    std::shared_ptr<Link> link = std::make_shared<Link>();
};

} // namespace trainyard
