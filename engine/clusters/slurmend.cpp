// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmend.h"

#include "engine/clusters/slurmtext.h"
#include "engine/contract/slurmtime.h"

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

// Completion codes (docs/execution.md).
constexpr int codeNodeLost = -1001;
constexpr int codePreempted = -1003;
constexpr int codeDeadline = -1004;
constexpr int codeOutOfMemory = -1200; // as on a host: it would need as much again
constexpr int codeStopped = -210;

} // namespace

bool isCancelled(const QString &state) { return state == "CANCELLED"_L1 || state == "REVOKED"_L1; }

core::TryResult resultOfCancelled(const QString &state, const QString &target)
{
    return {codeStopped, {}, u"slurm.cancelled-task"_s, {{u"target"_s, target}, {u"state"_s, state}}};
}

core::TryResult resultOfRequeued(const QString &target)
{
    return {codePreempted, {}, u"slurm.requeued"_s, {{u"target"_s, target}}};
}

bool goesOn(const QString &state) { return state != "COMPLETING"_L1 && phaseOf(state) != Phase::Over; }

std::optional<core::TryResult> resultByMemory(const contract::SrunWords &words)
{
    if (!words.isOverMemory) {
        return std::nullopt;
    }
    QJsonObject args;
    if (words.usedMiB > 0 && words.limitMiB > 0) {
        args = {{u"usedMiB"_s, qint64(words.usedMiB)}, {u"limitMiB"_s, qint64(words.limitMiB)}, {u"by"_s, u"limit"_s}};
    }
    return core::TryResult{codeOutOfMemory, {}, u"exit.oom"_s, args};
}

core::TryResult resultAfterNotice(const QString &target)
{
    return {0, {}, u"slurm.noticed-time"_s, {{u"target"_s, target}}};
}

core::TryResult resultByLimit(qint64 limitSeconds)
{
    return {codeDeadline, {}, u"limit.time"_s, {{u"seconds"_s, limitSeconds}}};
}

bool isStoppedBefore(const contract::ExitRecord &record)
{
    return record.kind == contract::ExitKind::StartFailed
        && (record.reason.starts_with("cluster.step-stopped") || record.reason.starts_with("launch.stopped"));
}

std::optional<core::TryResult> resultByCluster(
    const QString &state, const QString &target, qint64 limitSeconds, qint64 pausedMs)
{
    QJsonObject args{{u"target"_s, target}, {u"state"_s, state}};
    if (const qint64 paused = pausedMs / 1000; state == "TIMEOUT"_L1 && paused > 0) {
        args.insert(u"paused"_s, paused);
        return core::TryResult{codeDeadline, {}, u"slurm.paused-time-limit"_s, args};
    }
    if (state == "TIMEOUT"_L1 && limitSeconds > 0) {
        args.insert(u"seconds"_s, limitSeconds);
        args.insert(u"minutes"_s, qint64(contract::preparationSeconds / 60));
        return core::TryResult{codeDeadline, {}, u"slurm.job-time-limit"_s, args};
    }
    if (state == "TIMEOUT"_L1 || state == "DEADLINE"_L1) {
        return core::TryResult{codeDeadline, {}, u"slurm.time-limit"_s, args};
    }
    if (state == "PREEMPTED"_L1) {
        return core::TryResult{codePreempted, {}, u"slurm.preempted"_s, args};
    }
    if (state == "NODE_FAIL"_L1 || state == "BOOT_FAIL"_L1) {
        return core::TryResult{codeNodeLost, {}, u"slurm.node-lost"_s, args};
    }
    return std::nullopt;
}

core::TryResult resultByNotice(core::TryResult byCluster, const QString &option, qint64 before)
{
    if (byCluster.reason == "slurm.time-limit"_L1 && !option.isEmpty()) {
        byCluster.reason = u"slurm.time-notice"_s;
        byCluster.reasonArgs.insert(u"time"_s, option);
        byCluster.reasonArgs.insert(u"before"_s, before);
    }
    return byCluster;
}

core::TryResult resultWithoutRecord(const EndFacts &facts)
{
    if (const std::optional<core::TryResult> memory = resultByMemory(facts.words)) {
        return *memory;
    }
    if (std::optional<core::TryResult> known
        = resultByCluster(facts.state, facts.target, facts.limitSeconds, facts.pausedMs)) {
        if (known->code == codeNodeLost && !facts.wasStarted) {
            known->reason = u"slurm.node-lost-early"_s;
        }
        return *known;
    }
    const QJsonObject args{{u"target"_s, facts.target},
        {u"state"_s, facts.state.isEmpty() ? u"UNKNOWN"_s : facts.state}, {u"detail"_s, facts.detail}};
    if (facts.state == "OUT_OF_MEMORY"_L1) {
        return {codeOutOfMemory, {}, u"slurm.out-of-memory"_s, args};
    }
    if (facts.state.isEmpty() && !facts.isLed) {
        return {codeLost, {}, u"slurm.gone"_s, args};
    }
    return facts.wasStarted ? core::TryResult{codeLost, {}, u"slurm.no-record"_s, args}
                            : core::TryResult{codeNotStarted, {}, u"slurm.not-started"_s, args};
}

} // namespace trainyard::slurm
