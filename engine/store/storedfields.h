// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/valuefields.h"
#include "engine/store/store.h"

#include <array>

// The members of values that the columns of the store hold as JSON. The names are those on disk.
namespace trainyard
{

// Everything but the text, which has its own column.
template <typename Io> void fields(Io &io, Of<Io, StoredDocument> &m)
{
    members(io, "parameters", m.parameters, "target", m.target, "work", m.work, "runIn", m.runIn, "file", m.file);
    io.when(!m.key.isEmpty(), QStringLiteral("key"), m.key);
    io.when(m.groupLimit > 0, QStringLiteral("groupLimit"), m.groupLimit);
    io.when(!m.stopWorse.isEmpty(), QStringLiteral("stopWorse"), m.stopWorse);
    io.when(!m.assistant.isEmpty(), QStringLiteral("assistant"), m.assistant);
    io.when(!m.original.isEmpty(), QStringLiteral("original"), m.original);
    io.when(!m.rehearsal.isEmpty(), QStringLiteral("rehearsal"), m.rehearsal);
    io.when(!m.promoted.isEmpty(), QStringLiteral("promoted"), m.promoted);
    io.when(!m.documentName.isEmpty(), QStringLiteral("documentName"), m.documentName);
    io.when(m.copiesWork, QStringLiteral("copiesWork"), m.copiesWork);
    io.when(!m.textFile.isEmpty(), QStringLiteral("textFile"), m.textFile);
}

// Data that lists show about a job and no search uses. `submitted` is known.
template <typename Io> void extraFields(Io &io, Of<Io, JobSummary> &m)
{
    const auto submitted = double(m.submitted);
    if constexpr (!Io::writes) {
        m.order = submitted;
    }
    members(io, "counts", m.counts, "hosts", m.hosts, "began", m.began, "retryDelaySec", m.retryDelaySec);
    io.when(m.order != submitted, QStringLiteral("order"), m.order);
    io.when(m.paused, QStringLiteral("paused"), m.paused);
    io.when(m.pausedMs > 0, QStringLiteral("pausedMs"), m.pausedMs);
    io.when(m.formerMs > 0, QStringLiteral("formerMs"), m.formerMs);
    io.when(!m.pauses.isEmpty(), QStringLiteral("pauses"), m.pauses);
    io.when(m.rawExit.has_value(), QStringLiteral("rawExit"), m.rawExit);
    io.when(!m.priorityClass.isEmpty(), QStringLiteral("priorityClass"), m.priorityClass);
    io.when(!m.assistant.isEmpty(), QStringLiteral("assistant"), m.assistant);
}

} // namespace trainyard

namespace trainyard::core
{

template <typename Io, typename T> void reasonFields(Io &io, T &m)
{
    const bool isThere = !m.reason.isEmpty();
    io.when(isThere, QStringLiteral("reason"), m.reason);
    // The findings in the output belong to an end even if the status alone decided.
    io.when(isThere || !m.reasonArgs.isEmpty(), QStringLiteral("reasonArgs"), m.reasonArgs);
}

template <typename Io> void fields(Io &io, Of<Io, BootTime> &m) { members(io, "boot", m.boot, "ms", m.ms); }

template <typename Io> void fields(Io &io, Of<Io, AttemptResult> &m)
{
    members(io, "code", m.code, "rule", m.rule, "role", m.trigger.role, "task", m.trigger.index, "count", m.count,
        "limit", m.limit, "rawExit", m.rawExit);
    reasonFields(io, m);
}

template <typename Io> void fields(Io &io, Of<Io, AttemptRecord> &m)
{
    members(io, "index", m.index, "created", m.created, "launched", m.launched, "launchedBoot", m.launchedBoot,
        "completed", m.completed, "result", m.result);
}

template <typename Io> void fields(Io &io, Of<Io, Dependency> &m)
{
    QString job = m.job.toString(QUuid::WithoutBraces);
    members(io, "job", job, "id", m.id, "name", m.name, "ended", m.whenEnded);
    if constexpr (!Io::writes) {
        m.job = QUuid::fromString(job);
    }
}

// By the position of the phase in the variant.
inline const QStringList &phaseWords()
{
    static const QStringList words{
        QStringLiteral("active"), QStringLiteral("ending"), QStringLiteral("resting"), QStringLiteral("finished")};
    return words;
}

// The data of a job that are neither in its policy nor in its attempts and tasks.
template <typename Io> void machineFields(Io &io, Of<Io, JobState> &m)
{
    members(io, "retries", m.retries, "accountable", m.chargedRetries, "freeInARow", m.consecutiveFreeRetries, "stop",
        m.stopRequested, "order", m.order, "pausedAt", m.pausedAt, "pausedBoot", m.pausedBoot);
    reasonFields(io, m);
    io.when(m.pausedMs > 0, QStringLiteral("pausedMs"), m.pausedMs);
    io.when(!m.pauses.isEmpty(), QStringLiteral("pauses"), m.pauses);
    io.when(!m.after.empty(), QStringLiteral("after"), m.after);
    QString word = phaseWords().at(qsizetype(m.phase.index()));
    io(QStringLiteral("phase"), word);
    if constexpr (!Io::writes) {
        const std::array<JobPhase, 4> phases{Active{}, Ending{}, Backoff{}, Finished{}};
        m.phase = phases.at(std::size_t(qMax(qsizetype(0), phaseWords().indexOf(word))));
    }
    if (auto *backoff = std::get_if<Backoff>(&m.phase)) {
        members(io, "due", backoff->due, "conflict", backoff->conflict, "charged", backoff->charged);
    }
    if (auto *finished = std::get_if<Finished>(&m.phase)) {
        members(io, "at", finished->at);
    }
}

// ---- tasks: in the order of the alphabet, as older versions have written them ----

template <typename Io> void fields(Io &io, Of<Io, Allocation> &m)
{
    io(QStringLiteral("address"), m.address);
    io.when(m.gpuCount > 0, QStringLiteral("gpuCount"), m.gpuCount);
    io.when(m.gpuShareMiB > 0, QStringLiteral("gpuShareMiB"), m.gpuShareMiB);
    io(QStringLiteral("gpus"), m.gpus);
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("ports"), m.ports);
}

template <typename Io> void fields(Io &io, Of<Io, ProcessId> &m)
{
    io(QStringLiteral("bootId"), m.bootId);
    io(QStringLiteral("pid"), m.pid);
    auto startTime = qint64(m.startTime); // ticks since boot: a number of 53 bits is enough for millions of years
    io(QStringLiteral("startTime"), startTime);
    if constexpr (!Io::writes) {
        m.startTime = quint64(startTime);
    }
}

template <typename Io> void fields(Io &io, Of<Io, TryResult> &m)
{
    io(QStringLiteral("code"), m.code);
    io(QStringLiteral("raw"), m.rawExit);
    reasonFields(io, m);
}

struct StoredUsage {
    TaskUsage usage; // whose members have other names here than in the RPC
};
template <typename Io> void fields(Io &io, Of<Io, StoredUsage> &m)
{
    io(QStringLiteral("cpuMs"), m.usage.cpuMs);
    io(QStringLiteral("gpuMemoryMiB"), m.usage.peakGpuMemoryMiB);
    io(QStringLiteral("gpuPercent"), m.usage.gpuPercent);
    io.when(!m.usage.left.isEmpty(), QStringLiteral("left"), m.usage.left);
    io(QStringLiteral("memoryMiB"), m.usage.peakMemoryMiB);
}

// A task, and the members that its state has in common with other states.
struct TaskRecord {
    Task task; // without its state
    StoredUsage usage;
    QString is = QStringLiteral("waiting");
    std::optional<Allocation> place = {};
    std::optional<ProcessId> process = {};
    std::optional<TryResult> result = {};
    std::optional<qint64> began = {}, ended = {};
    qint64 notBefore = 0;
    bool charged = false;
};
template <typename Io> void fields(Io &io, Of<Io, TaskRecord> &m)
{
    const bool isRetry = m.task.tryIndex > 0;
    io.when(isRetry, QStringLiteral("accountable"), m.task.chargedRetries);
    io(QStringLiteral("began"), m.began);
    io.when(m.charged, QStringLiteral("charged"), m.charged);
    io(QStringLiteral("created"), m.task.created);
    io(QStringLiteral("ended"), m.ended);
    io.when(isRetry, QStringLiteral("freeInARow"), m.task.consecutiveFreeRetries);
    io(QStringLiteral("is"), m.is);
    io(QStringLiteral("keptFrom"), m.task.keptFrom);
    io.when(isRetry, QStringLiteral("lastHost"), m.task.lastHost);
    io(QStringLiteral("launched"), m.task.firstLaunched);
    io.when(m.notBefore != 0, QStringLiteral("notBefore"), m.notBefore);
    io(QStringLiteral("place"), m.place);
    io.when(isRetry, QStringLiteral("previous"), m.task.previous);
    io(QStringLiteral("process"), m.process);
    io(QStringLiteral("result"), m.result);
    io(QStringLiteral("try"), m.task.tryIndex);
    io.when(m.usage.usage != TaskUsage(), QStringLiteral("usage"), m.usage);
}

} // namespace trainyard::core
