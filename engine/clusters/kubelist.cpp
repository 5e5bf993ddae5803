// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubelist.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard::kube
{

using namespace Qt::StringLiterals;

namespace
{

QString textAt(const QJsonObject &object, QLatin1StringView key) { return object.value(key).toString(); }

qint64 timeAt(const QJsonObject &object, QLatin1StringView key)
{
    const QDateTime time = QDateTime::fromString(textAt(object, key), Qt::ISODateWithMs);
    return time.isValid() ? time.toMSecsSinceEpoch() : 0;
}

// The condition of that type, if it holds, or if it does not.
QJsonObject conditionOf(const QJsonObject &status, QLatin1StringView type, bool holds = true)
{
    const QJsonArray conditions = status.value("conditions"_L1).toArray();
    for (const QJsonValue &each : conditions) {
        const QJsonObject condition = each.toObject();
        if (textAt(condition, "type"_L1) == type
            && textAt(condition, "status"_L1) == (holds ? "True"_L1 : "False"_L1)) {
            return condition;
        }
    }
    return {};
}

Pod podOf(const QJsonObject &object)
{
    const QJsonObject metadata = object.value("metadata"_L1).toObject(), status = object.value("status"_L1).toObject();
    const QJsonObject labels = metadata.value("labels"_L1).toObject();
    Pod pod;
    pod.name = textAt(metadata, "name"_L1);
    pod.uid = textAt(metadata, "uid"_L1);
    pod.job = textAt(labels, "jobset.sigs.k8s.io/replicatedjob-name"_L1);
    pod.number = textAt(labels, "jobset.sigs.k8s.io/job-index"_L1).toInt();
    pod.created = timeAt(metadata, "creationTimestamp"_L1);
    pod.isDeleting = metadata.contains("deletionTimestamp"_L1);
    pod.node = textAt(object.value("spec"_L1).toObject(), "nodeName"_L1);
    pod.phase = textAt(status, "phase"_L1);
    pod.reason = textAt(status, "reason"_L1);
    pod.message = textAt(status, "message"_L1);
    pod.address = textAt(status, "podIP"_L1);
    const QJsonObject unscheduled = conditionOf(status, "PodScheduled"_L1, false);
    pod.unscheduled = textAt(unscheduled, "reason"_L1);
    pod.unscheduledWhy = textAt(unscheduled, "message"_L1);
    const QJsonObject disruption = conditionOf(status, "DisruptionTarget"_L1);
    pod.disruption = textAt(disruption, "reason"_L1);
    pod.disruptionWhy = textAt(disruption, "message"_L1);
    const QJsonArray containers = status.value("containerStatuses"_L1).toArray();
    for (const QJsonValue &each : containers) {
        const QJsonObject container = each.toObject();
        if (textAt(container, "name"_L1) != "task"_L1) {
            continue; // another program's, which the cluster has put beside it
        }
        pod.image = textAt(container, "image"_L1);
        const QJsonObject state = container.value("state"_L1).toObject();
        const QJsonObject waiting = state.value("waiting"_L1).toObject(),
                          running = state.value("running"_L1).toObject(),
                          ended = state.value("terminated"_L1).toObject();
        pod.waiting = textAt(waiting, "reason"_L1);
        pod.waitingWhy = textAt(waiting, "message"_L1);
        pod.started = timeAt(ended.isEmpty() ? running : ended, "startedAt"_L1);
        if (!ended.isEmpty()) {
            pod.ended = textAt(ended, "reason"_L1);
            pod.endedWhy = textAt(ended, "message"_L1);
            pod.exitCode = ended.value("exitCode"_L1).toInt();
            pod.finished = timeAt(ended, "finishedAt"_L1);
        }
    }
    return pod;
}

std::optional<QJsonArray> itemsOf(const QByteArray &json)
{
    const QJsonObject list = QJsonDocument::fromJson(json).object();
    const QJsonValue items = list.value("items"_L1);
    return items.isArray() ? std::optional(items.toArray()) : std::nullopt;
}

} // namespace

const Pod *Set::pod(const QString &job, int number) const
{
    const Pod *found = nullptr;
    for (const Pod &pod : pods) {
        if (pod.job == job && pod.number == number && (!found || pod.created >= found->created)) {
            found = &pod;
        }
    }
    return found;
}

std::optional<QMap<QString, Set>> setsOf(const QByteArray &json)
{
    const std::optional<QJsonArray> items = itemsOf(json);
    if (!items) {
        return std::nullopt;
    }
    QMap<QString, Set> sets;
    QMap<QString, QList<Pod>> pods;
    for (const QJsonValue &item : *items) {
        const QJsonObject object = item.toObject(), metadata = object.value("metadata"_L1).toObject();
        const QString kind = textAt(object, "kind"_L1);
        if (kind == "Pod"_L1) {
            const QString set = textAt(metadata.value("labels"_L1).toObject(), "jobset.sigs.k8s.io/jobset-name"_L1);
            pods[set].append(podOf(object));
        } else if (kind == "JobSet"_L1) {
            const QJsonObject status = object.value("status"_L1).toObject();
            const QJsonObject failed = conditionOf(status, "Failed"_L1),
                              completed = conditionOf(status, "Completed"_L1);
            Set &set = sets[textAt(metadata, "name"_L1)];
            set.isSuspended = object.value("spec"_L1).toObject().value("suspend"_L1).toBool();
            set.isCompleted = !completed.isEmpty();
            set.isFailed = !failed.isEmpty();
            set.isDeleting = metadata.contains("deletionTimestamp"_L1);
            set.message = textAt(set.isFailed ? failed : completed, "message"_L1);
        }
    }
    for (auto it = sets.begin(); it != sets.end(); ++it) {
        it->pods = pods.value(it.key());
    }
    for (auto it = pods.cbegin(); it != pods.cend(); ++it) {
        if (!sets.contains(it.key())) { // its JobSet has been deleted, and its pods have their grace period
            Set left;
            left.isDeleting = true;
            left.pods = it.value();
            sets.insert(it.key(), left);
        }
    }
    return sets;
}

std::optional<Nodes> nodesOf(const QByteArray &json)
{
    const std::optional<QJsonArray> items = itemsOf(json);
    if (!items) {
        return std::nullopt;
    }
    Nodes found;
    for (const QJsonValue &item : *items) {
        const QJsonObject node = item.toObject(), status = node.value("status"_L1).toObject();
        const bool isUsable = !conditionOf(status, "Ready"_L1).isEmpty()
            && !node.value("spec"_L1).toObject().value("unschedulable"_L1).toBool();
        ++found.nodes;
        if (isUsable) {
            ++found.ready;
            found.gpus += textAt(status.value("allocatable"_L1).toObject(), "nvidia.com/gpu"_L1).toLongLong();
        }
    }
    return found;
}

} // namespace trainyard::kube
