// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/taskoutline.h"
#include "engine/api/values.h"

// The members of every value of the RPC. Only the files that write and read values use it.
namespace trainyard
{

template <typename Io> void fields(Io &io, Of<Io, JobLabels> &m)
{
    io(QStringLiteral("tags"), m.tags);
    io(QStringLiteral("note"), m.note);
    io(QStringLiteral("starred"), m.isStarred);
    io(QStringLiteral("archived"), m.isArchived);
}

template <typename Io> void fields(Io &io, Of<Io, HealthMark> &m)
{
    io(QStringLiteral("code"), m.code);
    io(QStringLiteral("args"), m.args);
    io(QStringLiteral("at"), m.at);
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("metric"), m.metric);
    io(QStringLiteral("step"), m.step);
    io(QStringLiteral("line"), m.line);
}

template <typename Io> void fields(Io &io, Of<Io, PauseSpan> &m)
{
    io(QStringLiteral("from"), m.from);
    io(QStringLiteral("until"), m.until);
    io.when(m.isEndedByStop, QStringLiteral("stopped"), m.isEndedByStop);
}

template <typename Io> void fields(Io &io, Of<Io, JobSummary> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("uuid"), m.uuid);
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("user"), m.user);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("subState"), m.subState);
    io(QStringLiteral("stopRequested"), m.stopRequested);
    io(QStringLiteral("retries"), m.retries);
    io(QStringLiteral("userRetries"), m.userRetries);
    io(QStringLiteral("platformRetries"), m.platformRetries);
    io(QStringLiteral("submitted"), m.submitted);
    io(QStringLiteral("virtualCluster"), m.virtualCluster);
    io(QStringLiteral("priorityClass"), m.priorityClass);
    io(QStringLiteral("totalGpu"), m.totalGpu);
    io(QStringLiteral("totalTasks"), m.totalTasks);
    io(QStringLiteral("totalRoles"), m.totalRoles);
    io(QStringLiteral("counts"), m.counts);
    io(QStringLiteral("target"), m.target);
    io(QStringLiteral("hosts"), m.hosts);
    io(QStringLiteral("reason"), m.reason);
    io(QStringLiteral("reasonArgs"), m.reasonArgs);
    io(QStringLiteral("file"), m.file);
    io(QStringLiteral("priority"), m.priority);
    io(QStringLiteral("order"), m.order);
    io(QStringLiteral("paused"), m.paused);
    io(QStringLiteral("retryDelaySec"), m.retryDelaySec);
    io(QStringLiteral("began"), m.began);
    io(QStringLiteral("pausedMs"), m.pausedMs);
    io.when(m.formerMs > 0, QStringLiteral("formerMs"), m.formerMs);
    io.when(!m.pauses.isEmpty(), QStringLiteral("pauses"), m.pauses);
    io(QStringLiteral("launched"), m.launched);
    io(QStringLiteral("completed"), m.completed);
    io(QStringLiteral("exitCode"), m.exitCode);
    io(QStringLiteral("rawExit"), m.rawExit);
    io(QStringLiteral("labels"), m.labels);
    io(QStringLiteral("group"), m.group);
    io(QStringLiteral("parameters"), m.parameters);
    io(QStringLiteral("results"), m.results);
    io(QStringLiteral("resultsPending"), m.resultsPending);
    io(QStringLiteral("progress"), m.progress);
    io(QStringLiteral("endExpected"), m.endExpected);
    io(QStringLiteral("health"), m.health);
    io(QStringLiteral("removal"), m.removal);
    io.when(!m.assistant.isEmpty(), QStringLiteral("assistant"), m.assistant);
    io.when(m.resultsUpTo.has_value(), QStringLiteral("resultsUpTo"), m.resultsUpTo);
    io.when(!m.command.isEmpty(), QStringLiteral("command"), m.command);
}

template <typename Io> void fields(Io &io, Of<Io, TaskUsage> &m)
{
    io(QStringLiteral("peakMemoryMiB"), m.peakMemoryMiB);
    io(QStringLiteral("cpuMs"), m.cpuMs);
    io(QStringLiteral("peakGpuMemoryMiB"), m.peakGpuMemoryMiB);
    io(QStringLiteral("gpuPercent"), m.gpuPercent);
    io(QStringLiteral("left"), m.left);
}

template <typename Io> void fields(Io &io, Of<Io, TaskInfo> &m)
{
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("tries"), m.tries);
    io(QStringLiteral("accountable"), m.chargedRetries);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("subState"), m.subState);
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("address"), m.address);
    io(QStringLiteral("gpus"), m.gpus);
    io.when(m.gpuCount > 0, QStringLiteral("gpuCount"), m.gpuCount);
    io(QStringLiteral("ports"), m.ports);
    io(QStringLiteral("reason"), m.reason);
    io(QStringLiteral("reasonArgs"), m.reasonArgs);
    io(QStringLiteral("logFolder"), m.logFolder);
    io(QStringLiteral("pid"), m.pid);
    io(QStringLiteral("usage"), m.usage);
    io(QStringLiteral("progress"), m.progress);
    io(QStringLiteral("endExpected"), m.endExpected);
    io(QStringLiteral("keptFrom"), m.keptFrom);
    io(QStringLiteral("exitCode"), m.exitCode);
    io(QStringLiteral("rawExit"), m.rawExit);
    io(QStringLiteral("created"), m.created);
    io(QStringLiteral("launched"), m.launched);
    io(QStringLiteral("tryLaunched"), m.tryLaunched);
    io(QStringLiteral("completed"), m.completed);
}

template <typename Io> void fields(Io &io, Of<Io, AttemptInfo> &m)
{
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("triggerRule"), m.triggerRule);
    io(QStringLiteral("triggerRole"), m.triggerRole);
    io(QStringLiteral("triggerIndex"), m.triggerIndex);
    io(QStringLiteral("triggerCount"), m.triggerCount);
    io(QStringLiteral("triggerLimit"), m.triggerLimit);
    io(QStringLiteral("triggerRawExit"), m.triggerRawExit);
    io(QStringLiteral("reason"), m.reason);
    io(QStringLiteral("reasonArgs"), m.reasonArgs);
    io(QStringLiteral("created"), m.created);
    io(QStringLiteral("launched"), m.launched);
    io(QStringLiteral("started"), m.started);
    io(QStringLiteral("completed"), m.completed);
    io(QStringLiteral("exitCode"), m.exitCode);
}

template <typename Io> void fields(Io &io, Of<Io, ServiceInfo> &m)
{
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("address"), m.address);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("host"), m.host);
}

template <typename Io> void fields(Io &io, Of<Io, KeptTask> &m)
{
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("status"), m.status);
    io(QStringLiteral("until"), m.until);
}

template <typename Io> void fields(Io &io, Of<Io, OtherJob> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("uuid"), m.uuid);
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("completed"), m.completed);
    io.when(!m.reason.isEmpty(), QStringLiteral("reason"), m.reason);
}

template <typename Io> void fields(Io &io, Of<Io, EarlierText> &m)
{
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("isKnown"), m.isKnown);
    io(QStringLiteral("yaml"), m.yaml);
    io(QStringLiteral("parameters"), m.parameters);
}

template <typename Io> void fields(Io &io, Of<Io, WaitNote> &m)
{
    io(QStringLiteral("at"), m.at);
    io(QStringLiteral("reason"), m.reason);
    io(QStringLiteral("args"), m.args);
}

template <typename Io> void fields(Io &io, Of<Io, JobDetail> &m)
{
    io(QStringLiteral("summary"), m.summary);
    io(QStringLiteral("attempts"), m.attempts);
    io(QStringLiteral("runFolder"), m.runFolder);
    io(QStringLiteral("services"), m.services);
    io(QStringLiteral("held"), m.held);
    io.when(!m.brought.isEmpty(), QStringLiteral("brought"), m.brought);
    io(QStringLiteral("runIn"), m.runIn);
    io.when(!m.work.isEmpty(), QStringLiteral("work"), m.work);
    io.when(!m.waits.isEmpty(), QStringLiteral("waits"), m.waits);
    io.when(!m.clusterJobs.isEmpty(), QStringLiteral("clusterJobs"), m.clusterJobs);
    io.when(!m.original.isEmpty(), QStringLiteral("original"), m.original);
    io(QStringLiteral("rehearsal"), m.rehearsal);
    io(QStringLiteral("promoted"), m.promoted);
    io.when(!m.documentName.isEmpty(), QStringLiteral("documentName"), m.documentName);
    io.when(!m.host.isEmpty(), QStringLiteral("host"), m.host);
    io.when(!m.earlierTexts.isEmpty(), QStringLiteral("earlierTexts"), m.earlierTexts);
    io.when(!m.textFile.isEmpty(), QStringLiteral("textFile"), m.textFile);
    io(QStringLiteral("yaml"), m.yaml);
}

template <typename Io> void fields(Io &io, Of<Io, HostStep> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("code"), m.code);
    io(QStringLiteral("args"), m.args);
    io(QStringLiteral("ms"), m.ms);
}

template <typename Io> void fields(Io &io, Of<Io, GpuInfo> &m)
{
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("uuid"), m.uuid);
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("memoryMiB"), m.memoryMiB);
    io(QStringLiteral("memoryUsedMiB"), m.memoryUsedMiB);
    io(QStringLiteral("utilPercent"), m.utilPercent);
    io(QStringLiteral("jobId"), m.jobId);
    io(QStringLiteral("foreign"), m.foreign);
    io(QStringLiteral("kept"), m.kept);
    io(QStringLiteral("promisedMiB"), m.promisedMiB);
    io(QStringLiteral("jobs"), m.jobs);
    io(QStringLiteral("temperature"), m.temperature);
    io(QStringLiteral("jobName"), m.jobName);
    io(QStringLiteral("task"), m.task);
    io(QStringLiteral("holders"), m.holders);
}

template <typename Io> void fields(Io &io, Of<Io, MachineFailure> &m)
{
    io(QStringLiteral("job"), m.job);
    io(QStringLiteral("task"), m.task);
    io(QStringLiteral("at"), m.at);
}

template <typename Io> void fields(Io &io, Of<Io, Quarantine> &m)
{
    io(QStringLiteral("gpu"), m.gpu);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("kind"), m.kind);
    io(QStringLiteral("since"), m.since);
    io(QStringLiteral("failures"), m.failures);
}

template <typename Io> void fields(Io &io, Of<Io, AddressOfHost> &m)
{
    io(QStringLiteral("interface"), m.interface);
    io(QStringLiteral("address"), m.address);
    io(QStringLiteral("prefix"), m.prefix);
}

template <typename Io> void fields(Io &io, Of<Io, JobOnHost> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("tasks"), m.tasks);
}

template <typename Io> void fields(Io &io, Of<Io, HostInfo> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("label"), m.label);
    io(QStringLiteral("target"), m.target);
    io(QStringLiteral("state"), m.state);
    io(QStringLiteral("lastSeen"), m.lastSeen);
    io(QStringLiteral("error"), m.error);
    io(QStringLiteral("errorArgs"), m.errorArgs);
    io(QStringLiteral("cpus"), m.cpus);
    io(QStringLiteral("cpuPercent"), m.cpuPercent);
    io(QStringLiteral("memoryMiB"), m.memoryMiB);
    io(QStringLiteral("memoryUsedMiB"), m.memoryUsedMiB);
    io(QStringLiteral("gpus"), m.gpus);
    io(QStringLiteral("tasks"), m.tasks);
    io(QStringLiteral("jobs"), m.jobs);
    io(QStringLiteral("diskFreeMiB"), m.diskFreeMiB);
    io(QStringLiteral("diskLow"), m.diskLow);
    io(QStringLiteral("hold"), m.hold);
    io(QStringLiteral("holdArgs"), m.holdArgs);
    io(QStringLiteral("runtimes"), m.runtimes);
    io(QStringLiteral("runIn"), m.runIn);
    io(QStringLiteral("steps"), m.steps);
    io(QStringLiteral("ssh"), m.ssh);
    io(QStringLiteral("banner"), m.banner);
    io(QStringLiteral("labels"), m.labels);
    io(QStringLiteral("drained"), m.drained);
    io(QStringLiteral("hours"), m.hours);
    io(QStringLiteral("quarantines"), m.quarantines);
    io(QStringLiteral("address"), m.address);
    io(QStringLiteral("addresses"), m.addresses);
    io(QStringLiteral("check"), m.check);
    io(QStringLiteral("checkError"), m.checkError);
    io(QStringLiteral("checkErrorArgs"), m.checkErrorArgs);
    io(QStringLiteral("filesFolder"), m.filesFolder);
    io(QStringLiteral("silentRuntimes"), m.silentRuntimes);
    io(QStringLiteral("heard"), m.heard);
}

template <typename Io> void fields(Io &io, Of<Io, EngineStatus> &m)
{
    io(QStringLiteral("version"), m.version);
    io(QStringLiteral("pid"), m.pid);
    io(QStringLiteral("startedAt"), m.startedAt);
    io(QStringLiteral("activeJobs"), m.activeJobs);
    io(QStringLiteral("clients"), m.clients);
    io(QStringLiteral("stateFolder"), m.stateFolder);
    io(QStringLiteral("lingers"), m.lingers);
}

template <typename Io> void fields(Io &io, Of<Io, RetryRequest> &m)
{
    io(QStringLiteral("id"), m.uuid);
    io(QStringLiteral("tasks"), m.tasks);
    io(QStringLiteral("failedOnly"), m.failedOnly);
    io(QStringLiteral("secrets"), m.secrets);
    io(QStringLiteral("yaml"), m.yaml);
    io.when(!m.file.isEmpty(), QStringLiteral("file"), m.file);
}

template <typename Io> void fields(Io &io, Of<Io, LogGrowth> &m)
{
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("attempt"), m.attempt);
    io(QStringLiteral("bytes"), m.bytes);
}

template <typename Io> void fields(Io &io, Of<Io, TaskFolder> &m)
{
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("target"), m.target);
    io(QStringLiteral("folder"), m.folder);
    io(QStringLiteral("work"), m.work);
    io(QStringLiteral("here"), m.isHere);
}

template <typename Io> void fields(Io &io, Of<Io, Question> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("kind"), m.kind);
    io(QStringLiteral("prompt"), m.prompt);
    io(QStringLiteral("lockedKey"), m.lockedKey);
}

template <typename Io> void fields(Io &io, Of<Io, SubmitRequest> &m)
{
    io(QStringLiteral("name"), m.name);
    io(QStringLiteral("file"), m.file);
    io(QStringLiteral("parameters"), m.parameters);
    io(QStringLiteral("secrets"), m.secrets);
    io(QStringLiteral("target"), m.target);
    io(QStringLiteral("work"), m.work);
    io(QStringLiteral("runIn"), m.runIn);
    io(QStringLiteral("priority"), m.priority);
    io(QStringLiteral("after"), m.after);
    io(QStringLiteral("tags"), m.tags);
    io(QStringLiteral("note"), m.note);
    io(QStringLiteral("group"), m.group);
    io(QStringLiteral("groupLimit"), m.groupLimit);
    io(QStringLiteral("stopWorse"), m.stopWorse);
    io(QStringLiteral("key"), m.key);
    io.when(!m.original.isEmpty(), QStringLiteral("original"), m.original);
    io.when(!m.rehearsal.isEmpty(), QStringLiteral("rehearsal"), m.rehearsal);
    io.when(!m.documentName.isEmpty(), QStringLiteral("documentName"), m.documentName);
    io(QStringLiteral("yaml"), m.yaml);
}

template <typename Io> void fields(Io &io, Of<Io, JobNote> &m)
{
    io(QStringLiteral("code"), m.code);
    io(QStringLiteral("args"), m.args);
}

template <typename Io> void fields(Io &io, Of<Io, SubmitReply> &m)
{
    io(QStringLiteral("id"), m.id);
    io(QStringLiteral("uuid"), m.uuid);
    io(QStringLiteral("notes"), m.notes);
}

template <typename Io> void fields(Io &io, Of<Io, PlannedTask> &m)
{
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("index"), m.index);
    io(QStringLiteral("host"), m.host);
    io(QStringLiteral("gpus"), m.gpus);
    io(QStringLiteral("ports"), m.ports);
    io(QStringLiteral("environment"), m.environment);
    io(QStringLiteral("script"), m.script);
    io(QStringLiteral("prerequisites"), m.prerequisites);
    io(QStringLiteral("runIn"), m.runIn);
    io(QStringLiteral("image"), m.image);
    io(QStringLiteral("containerCommand"), m.containerCommand);
    io(QStringLiteral("mounts"), m.mounts);
    io(QStringLiteral("containerUser"), m.containerUser);
    io(QStringLiteral("shmMiB"), m.shmMiB);
}

template <typename Io> void fields(Io &io, Of<Io, PlanReply> &m)
{
    io(QStringLiteral("tasks"), m.tasks);
    io(QStringLiteral("omittedTasks"), m.omittedTasks);
    io(QStringLiteral("waitReason"), m.waitReason);
    io(QStringLiteral("waitArgs"), m.waitArgs);
    io(QStringLiteral("notes"), m.notes);
    io(QStringLiteral("submission"), m.submission);
}

template <typename Io> void fields(Io &io, Of<Io, RoleCounts> &m)
{
    io(QStringLiteral("role"), m.role);
    io(QStringLiteral("counts"), m.counts);
}

template <typename Io> void fields(Io &io, Of<Io, TaskOutline> &m)
{
    io(QStringLiteral("roles"), m.roles);
    io(QStringLiteral("tasks"), m.tasks);
}

} // namespace trainyard
