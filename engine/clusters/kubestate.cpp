// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubestate.h"

namespace trainyard::kube
{

using namespace Qt::StringLiterals;

namespace
{

// Completion codes (docs/execution.md).
constexpr int codeEvictedThere = -1000;
constexpr int codeNodeGone = -1001;
constexpr int codeMadeRoom = -1003;
constexpr int codeTimeIsOver = -1004;

std::optional<core::TryResult> disruptionOf(const Pod &pod, const QString &target)
{
    const QJsonObject args{{u"target"_s, target}, {u"node"_s, pod.node},
        {u"detail"_s, pod.message.isEmpty() ? pod.disruptionWhy : pod.message}};
    if (pod.reason == "DeadlineExceeded"_L1) {
        return core::TryResult{codeTimeIsOver, {}, u"kubernetes.time-limit"_s, args};
    }
    if (pod.disruption == "PreemptionByScheduler"_L1 || pod.reason == "Preempting"_L1 || pod.reason == "Preempted"_L1) {
        return core::TryResult{codeMadeRoom, {}, u"kubernetes.preempted"_s, args};
    }
    if (pod.disruption == "EvictionByEvictionAPI"_L1) {
        return core::TryResult{codeMadeRoom, {}, u"kubernetes.drained"_s, args};
    }
    if (pod.disruption == "DeletionByTaintManager"_L1 || pod.disruption == "DeletionByPodGC"_L1
        || pod.reason == "NodeLost"_L1 || pod.reason == "NodeShutdown"_L1 || pod.reason == "Shutdown"_L1
        || pod.reason == "Terminated"_L1) {
        return core::TryResult{codeNodeGone, {}, u"kubernetes.node-lost"_s, args};
    }
    if (pod.reason == "Evicted"_L1 || pod.disruption == "TerminationByKubelet"_L1) {
        return core::TryResult{codeEvictedThere, {}, u"kubernetes.evicted"_s, args};
    }
    return std::nullopt;
}

contract::ExitRecord recordOf(const Pod &pod)
{
    contract::ExitRecord record;
    record.began = pod.started;
    record.ended = pod.finished;
    if (!pod.exitCode) {
        return record;
    }
    int status = *pod.exitCode;
    bool isSaid = false;
    // The message of a task whose failure is hidden from the JobSet is its status and nothing else.
    const int said = pod.endedWhy.trimmed().toInt(&isSaid);
    if (status == 0 && isSaid && said > 0 && said < 256) {
        status = said;
    }
    const bool isOom = pod.ended == "OOMKilled"_L1;
    record.kind = isOom ? contract::ExitKind::Oom : contract::ExitKind::Exited;
    record.value = isOom ? 0 : status;
    record.status = isOom ? status : -1;
    return record;
}

} // namespace

bool hasBegun(const Pod &pod) { return pod.started > 0; }

std::optional<PodEnd> endOf(const Pod &pod, const QString &target)
{
    const bool isOver = pod.phase == "Failed"_L1 || pod.phase == "Succeeded"_L1;
    if (!isOver && !pod.exitCode) {
        return std::nullopt;
    }
    PodEnd end{recordOf(pod), std::nullopt};
    const bool isGood = end.record.isGood() && pod.exitCode;
    if (isGood) {
        return end;
    }
    const QString detail = !pod.endedWhy.isEmpty() ? pod.endedWhy : !pod.message.isEmpty() ? pod.message : pod.reason;
    const QJsonObject args{{u"target"_s, target}, {u"detail"_s, detail}};
    static const QStringList notBegun{u"StartError"_s, u"ContainerCannotRun"_s, u"RunContainerError"_s};
    if (const std::optional<core::TryResult> known = disruptionOf(pod, target)) {
        end.byCluster = known;
    } else if (notBegun.contains(pod.ended)) {
        end.byCluster = core::TryResult{codeNotStarted, {}, u"kubernetes.not-started"_s, args};
    } else if (!pod.exitCode || pod.ended == "ContainerStatusUnknown"_L1) {
        end.byCluster
            = core::TryResult{hasBegun(pod) ? codeLost : codeNotStarted, {}, u"kubernetes.pod-failed"_s, args};
    }
    return end;
}

Error waitReason(const Set &set, const Pod *pod, const QString &target)
{
    if (!pod) {
        return {set.isSuspended ? u"wait.kubernetes-queue"_s : u"wait.kubernetes-new"_s, {{u"target"_s, target}}};
    }
    if (pod->phase != "Pending"_L1 || hasBegun(*pod)) {
        return {};
    }
    if (!pod->unscheduled.isEmpty()) {
        const bool isGated = pod->unscheduled == "SchedulingGated"_L1;
        return {isGated ? u"wait.kubernetes-queue"_s : u"wait.kubernetes-room"_s,
            {{u"target"_s, target}, {u"detail"_s, pod->unscheduledWhy}}};
    }
    static const QStringList ofImages{u"ErrImagePull"_s, u"ImagePullBackOff"_s, u"InvalidImageName"_s,
        u"ErrImageNeverPull"_s, u"ImageInspectError"_s, u"RegistryUnavailable"_s, u"SignatureValidationFailed"_s};
    static const QStringList ofContainers{
        u"CreateContainerConfigError"_s, u"CreateContainerError"_s, u"RunContainerError"_s, u"CreatePodSandboxError"_s};
    if (ofImages.contains(pod->waiting)) {
        return {u"wait.kubernetes-image"_s,
            {{u"target"_s, target}, {u"image"_s, pod->image},
                {u"detail"_s, pod->waitingWhy.isEmpty() ? pod->waiting : pod->waitingWhy}}};
    }
    if (ofContainers.contains(pod->waiting)) {
        return {u"wait.kubernetes-container"_s,
            {{u"target"_s, target}, {u"detail"_s, pod->waitingWhy.isEmpty() ? pod->waiting : pod->waitingWhy}}};
    }
    return {u"wait.kubernetes-starting"_s, {{u"target"_s, target}, {u"node"_s, pod->node}}};
}

core::TryResult resultOfGone(const Set &set, bool hasBegun, const QString &target)
{
    const QJsonObject args{{u"target"_s, target}, {u"detail"_s, set.message}};
    if (set.isSuspended) {
        return {codeMadeRoom, {}, u"kubernetes.preempted"_s,
            {{u"target"_s, target}, {u"node"_s, QString()}, {u"detail"_s, QString()}}};
    }
    return hasBegun ? core::TryResult{codeLost, {}, u"kubernetes.pod-gone"_s, args}
                    : core::TryResult{codeNotStarted, {}, u"kubernetes.not-started"_s, args};
}

} // namespace trainyard::kube
