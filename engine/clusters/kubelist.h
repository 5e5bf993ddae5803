// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

// Reads the answer of "kubectl get jobsets,pods -o json" about the jobs of this engine. Pure.
namespace trainyard::kube
{

// The label by which an engine finds what it has made.
constexpr QLatin1StringView engineLabel{"trainyard-engine"}, jobLabel{"trainyard-job"};

struct Pod {
    QString name, uid;
    QString job; // the replicated job of its JobSet ...
    int number = 0; // ... and which one of it
    QString phase; // Pending, Running, Succeeded, Failed, Unknown
    QString reason, message; // of its status
    QString unscheduled, unscheduledWhy; // reason and message of the scheduler, which has found no node
    QString disruption, disruptionWhy; // what ends it, and why: PreemptionByScheduler, ...
    QString waiting, waitingWhy; // reason and message of a container that does not run yet
    QString ended, endedWhy; // reason and message of a container that has ended: Completed, Error, OOMKilled, ...
    std::optional<int> exitCode;
    QString node, address, image;
    qint64 created = 0, started = 0, finished = 0; // UTC ms; 0: not
    bool isDeleting = false;
    friend bool operator==(const Pod &, const Pod &) = default;
};

struct Set {
    bool isSuspended = false, isCompleted = false, isFailed = false;
    bool isDeleting = false;
    QString message; // of what it ended with
    QList<Pod> pods = {};
    const Pod *pod(const QString &job, int number) const; // the newest one of a task
    friend bool operator==(const Set &, const Set &) = default;
};

// By name. Nothing: it is not such a list.
std::optional<QMap<QString, Set>> setsOf(const QByteArray &json);

// The resources of the nodes: {nodes, gpus, ready}.
struct Nodes {
    int nodes = 0, ready = 0;
    qint64 gpus = 0;
    friend bool operator==(const Nodes &, const Nodes &) = default;
};
std::optional<Nodes> nodesOf(const QByteArray &json);

} // namespace trainyard::kube
