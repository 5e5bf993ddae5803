// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"
#include "engine/launch/dataplan.h"
#include "engine/launch/launchplan.h"

#include <functional>
#include <optional>

namespace trainyard
{

// Where the nodes of a cluster find what the pool brings there for a job.
struct SupplyPlace {
    launch::DataHost named; // as jobs name the cluster
    QString host; // of the pool, by whose agent it comes there: this computer, or the login node
    QString cache; // the folder of the nodes that keeps copies
};

// The key pair of a job whose tasks log in to each other.
struct JobKey {
    QByteArray privateKey, publicKey;
    QString problem; // code: why there is none
};

// Supplies jobs on a cluster from the pool, like jobs on a host, with the data that they name and the key of the plugin
// ssh; SiteCode supplies their code. Its user tries its waiting jobs again when something may have arrived.
struct JobSupply {
    std::function<QList<launch::DataWant>(
        const JobSpec &spec, const StoredDocument &document, const QString &role, const launch::DataHost &at)>
        dataWants;
    // The try cannot be launched yet, because its data is still on its way. Once it was asked for, problem and data are
    // those of the try, until its end.
    std::function<bool(const ActiveJob &job, core::TaskRef task, const SupplyPlace &at, const QUuid &tryUuid)>
        isDataAwaited;
    std::function<std::optional<Error>(const QUuid &tryUuid)> dataProblem;
    std::function<launch::Variables(const QUuid &tryUuid)> data;
    std::function<Error(const ActiveJob &job)> dataReason; // what it waits for, or nothing
    std::function<void(const QUuid &tryUuid)> endData; // the try is over
    std::function<void(const ActiveJob &job)> forgetData;

    // The files of a try are brought by the rule of its job, of which `files` says where they are: while it runs, and
    // when it is over. Safe to repeat.
    std::function<void(
        const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const QString &folder, const TaskFolder &files)>
        beginResults;
    std::function<void(const QUuid &tryUuid)> endResults;
    std::function<QList<BroughtFiles>(const QString &job)> results; // that have come

    std::function<bool(const ActiveJob &job, const QUuid &tryUuid)> isKeyAwaited;
    std::function<JobKey(const QUuid &job)> key;
    std::function<void(const QUuid &job)> forgetKey;
    std::function<QString(const QString &host)> user; // as which user tasks run there; empty: not known yet
};

} // namespace trainyard
