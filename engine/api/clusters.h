// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// One result of the check of a cluster.
struct ClusterStep {
    QString id; // login-node, commands, answers, use, limits, folder, images, submission; login,
                // virtual-clusters, skus, storages; jobset, rights, namespace, queue, nodes
    bool isGood = false;
    QString code; // of the sentence that says why not, or what to note; empty: `args` are the facts
    QJsonObject args; // login-node {host}, commands {version}, answers {partitions} (clusters/slurmnodes.h), use
                      // {running, pending, gpus, partitions: [{name, gpus, free}]}, limits {user, associations, qos}
                      // (as in clusters/slurmquota.h), folder {folder, made}, images {how, version}, submission
                      // {detail}; of OpenPAI answers {address, version}, login {user}, virtual-clusters {clusters:
                      // [{name, gpus, freeGpus, isOwn}]}, skus {cluster, skus:
                      // [{name, gpus, cpus, memoryMiB}]}, storages {names};
                      // of Kubernetes answers {server}, queue {queue}, nodes {nodes, ready, gpus}
    friend bool operator==(const ClusterStep &, const ClusterStep &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterStep> &m)
{
    members(io, "id", m.id, "good", m.isGood, "code", m.code, "args", m.args);
}

// A target other than the pool: a cluster that schedules by itself.
struct ClusterInfo {
    QString id; // "slurm:lab", as jobs name it
    QString kind; // slurm, openpai, kubernetes
    QString name; // lab
    QString options; // of its submit command, or its address
    QString folder; // that its nodes share; empty: where this engine keeps runs, or it has none
    QString login; // the host that has its commands; empty: this computer
    bool isNamed = true; // false: it is no longer in the settings, and jobs that it has are followed to their end
    QString error; // code of a sentence: why it does not answer; empty: it does, or was not asked yet
    QJsonObject errorArgs;
    int allocations = 0; // of this engine there, waiting or running
    QList<ClusterStep> steps = {}; // of a check
    QString images = {}; // how tasks enter images there: apptainer, pyxis; empty: they do not, or it is not set
    QStringList modules = {}; // that tasks load there before anything else
    friend bool operator==(const ClusterInfo &, const ClusterInfo &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterInfo> &m)
{
    members(io, "id", m.id, "kind", m.kind, "name", m.name, "options", m.options, "folder", m.folder, "login", m.login,
        "named", m.isNamed, "error", m.error, "errorArgs", m.errorArgs, "allocations", m.allocations, "steps", m.steps,
        "images", m.images, "modules", m.modules);
}

// A job of the user on a cluster, including one that was not submitted from here.
struct ClusterJob {
    QString name; // there
    QString state; // in the word of the cluster: WAITING, RUNNING, STOPPING, STOPPED, SUCCEEDED, FAILED; empty: unknown
    QString virtualCluster;
    qint64 submitted = 0; // ms UTC; 0: not known
    int gpus = 0, tasks = 0; // that it asks for
    friend bool operator==(const ClusterJob &, const ClusterJob &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterJob> &m)
{
    members(io, "name", m.name, "state", m.state, "virtualCluster", m.virtualCluster, "submitted", m.submitted, "gpus",
        m.gpus, "tasks", m.tasks);
}
struct ClusterJobs {
    QList<ClusterJob> jobs; // the newest first
    qint64 total = 0; // that there are, also those that are not told
    friend bool operator==(const ClusterJobs &, const ClusterJobs &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterJobs> &m) { members(io, "jobs", m.jobs, "total", m.total); }

// The document of such a job, from which a new job can be made.
struct ClusterDocument {
    QString name; // without what Trainyard appends for the cluster
    QString yaml;
    friend bool operator==(const ClusterDocument &, const ClusterDocument &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterDocument> &m) { members(io, "name", m.name, "yaml", m.yaml); }

// The tags of a job there, and changes to them. Without a change, they are only read.
struct ClusterTags {
    QStringList tags; // sorted, each once
    friend bool operator==(const ClusterTags &, const ClusterTags &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, ClusterTags> &m) { members(io, "tags", m.tags); }
struct TagChange {
    QString id; // of the target
    QString name; // of the job, there
    QStringList add = {}, remove = {};
};
template <typename Io> void fields(Io &io, Of<Io, TagChange> &m)
{
    members(io, "id", m.id, "name", m.name, "add", m.add, "remove", m.remove);
}

constexpr QLatin1StringView openPaiKind{"openpai"}, kubernetesKind{"kubernetes"};

// Where a task of a cluster runs, in the form that hosts of tasks and jobs have: "slurm:lab/n1", or "slurm:lab" before
// its node is known.
struct ClusterPlace {
    QString kind; // "slurm"
    QString cluster; // "lab"
    QString node; // "n1"
};
inline std::optional<ClusterPlace> clusterPlaceOf(const QString &host) // nothing: it is a host of the pool
{
    const QString kind = host.section(QLatin1Char(':'), 0, 0);
    if (kind != QLatin1StringView("slurm") && kind != openPaiKind && kind != kubernetesKind) {
        return std::nullopt;
    }
    const QString place = host.mid(kind.size() + 1);
    return ClusterPlace{kind, place.section(QLatin1Char('/'), 0, 0), place.section(QLatin1Char('/'), 1)};
}

} // namespace trainyard
