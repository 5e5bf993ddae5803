// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <type_traits>

// The fields of every message and of plan.json, listed once for both directions: io("name", field) writes or reads one.
// Only messages.cpp uses it. Large because it is one list, in the order of messages.h.
namespace trainyard::contract
{

// The type of a struct for code that writes it (const) and for code that reads it.
template <typename Io, typename T> using Of = std::conditional_t<Io::writes, const T, T>;

template <typename Io> void fields(Io &io, Of<Io, Limits> &m)
{
    io("memoryBytes", m.memoryBytes);
    io("cpuWeight", m.cpuWeight);
    io("outputBytes", m.outputBytes);
    io("rlimits", m.rlimits);
}

template <typename Io> void fields(Io &io, Of<Io, Container> &m)
{
    io("runtime", m.runtime);
    io("image", m.image);
    io("pullImage", m.pullImage);
    io("file", m.file);
    io("name", m.name);
    io("run", m.run);
}

template <typename Io> void fields(Io &io, Of<Io, Plan> &m)
{
    io.constant("contract", taskFolderContract);
    io("job", m.job);
    io("attempt", m.attempt);
    io("role", m.role);
    io("index", m.index);
    io("try", m.tryNumber);
    io("tryUuid", m.tryUuid);
    io("argv", m.argv);
    io("cwd", m.cwd);
    io("envNames", m.envNames);
    io("limits", m.limits);
    io("gpus", m.gpus);
    io("ports", m.ports);
    io("metricFiles", m.metricFiles);
    io("stopGraceMs", m.stopGraceMs);
    io.optional("container", m.container, !m.container.runtime.empty());
}

template <typename Io> void fields(Io &io, Of<Io, Gpu> &m)
{
    io("index", m.index);
    io("uuid", m.uuid);
    io("name", m.name);
    io("memoryMiB", m.memoryMiB);
    io("memoryUsedMiB", m.memoryUsedMiB);
    io("utilPercent", m.utilPercent);
    io("temperature", m.temperature);
    io("powerWatt", m.powerWatt);
    io("foreign", m.foreign);
    io("vendor", m.vendor);
    io("undivided", m.undivided);
    io("holders", m.holders);
    io("missing", m.missing);
    io("lockedBy", m.lockedBy);
    io("lockedMiB", m.lockedMiB);
}

template <typename Io> void fields(Io &io, Of<Io, TrySample> &m)
{
    io("dir", m.dir);
    io("outputBytes", m.outputBytes);
    io("diskFull", m.diskFull);
    io("pulling", m.pulling);
}

template <typename Io> void fields(Io &io, Of<Io, HelloRequest> &m)
{
    io("contract", m.contract);
    io("build", m.build);
    io("loginEnvironment", m.loginEnvironment);
    io("loginMs", m.loginMs);
}

template <typename Io> void fields(Io &, Of<Io, InventoryRequest> &) { }

template <typename Io> void fields(Io &io, Of<Io, Share> &m)
{
    io("key", m.key);
    io("drop", m.drop);
}

template <typename Io> void fields(Io &io, Of<Io, Launch> &m)
{
    io("dir", m.dir);
    io("plan", m.plan);
    io("clean", m.cleanEnvironment);
    io("keepNames", m.keepNames);
    io("cwd", m.cwd);
    io("shell", m.shell);
    io("sealed", m.sealed);
    io("checkPorts", m.checkPorts);
    io("gpuLocks", m.gpuLocks);
    io("gpuShareMiB", m.gpuShareMiB);
    io("gpuMemoryMiB", m.gpuMemoryMiB);
    io("gpuLockFolder", m.gpuLockFolder);
    io.optional("dataTrees", m.dataTrees, !m.dataTrees.empty());
    io.optional("sharedEnv", m.sharedEnv, !m.sharedEnv.empty());
    io.optional("sharedScript", m.sharedScript, !m.sharedScript.empty());
    io.optional("hasSteps", m.hasSteps, m.hasSteps);
}

template <typename Io> void fields(Io &io, Of<Io, Stop> &m)
{
    io("dir", m.dir);
    io("signal", m.signal);
    io("graceMs", m.graceMs);
    io("onlyMain", m.onlyMain);
    io.optional("leavesMetrics", m.leavesMetrics, m.leavesMetrics);
    io.optional("hasBegun", m.hasBegun, m.hasBegun);
}

template <typename Io> void fields(Io &io, Of<Io, Pause> &m)
{
    io("dir", m.dir);
    io("on", m.on);
}

template <typename Io> void fields(Io &io, Of<Io, Observe> &m)
{
    io("dir", m.dir);
    io("mask", m.maskValues);
    io.optional("leavesMetrics", m.leavesMetrics, m.leavesMetrics);
}

template <typename Io> void fields(Io &io, Of<Io, Follow> &m)
{
    io("dir", m.dir);
    io("output", m.output);
    io("index", m.index);
    io("runtime", m.runtime);
    io("tail", m.tail);
    io("cancel", m.cancel);
    io("figures", m.figures);
    io.optional("figuresGeneration", m.figuresGeneration, m.figuresGeneration != 0);
    io("environment", m.environment);
    io("metrics", m.metrics);
    io("metricBook", m.metricBook);
    io.optional("metricsGeneration", m.metricsGeneration, m.metricsGeneration != 0);
    io.optional("isShared", m.isShared, m.isShared);
}

template <typename Io> void fields(Io &io, Of<Io, Credit> &m)
{
    io("follow", m.follow);
    io("bytes", m.bytes);
}

template <typename Io> void fields(Io &io, Of<Io, Dial> &m)
{
    io("port", m.port);
    io("credit", m.credit);
    io("address", m.address);
}

template <typename Io> void fields(Io &io, Of<Io, Dialed> &m) { io("credit", m.credit); }

template <typename Io> void fields(Io &io, Of<Io, Flow> &m)
{
    io.optional("end", m.end, m.end);
    io.optional("broken", m.broken, m.broken);
}

template <typename Io> void fields(Io &io, Of<Io, Ports> &m)
{
    io("check", m.check);
    io("draw", m.draw);
    io("first", m.first);
    io("last", m.last);
    io("exclude", m.exclude);
}

template <typename Io> void fields(Io &io, Of<Io, SampleRequest> &m) { io("intervalMs", m.intervalMs); }

template <typename Io> void fields(Io &io, Of<Io, Put> &m)
{
    io("path", m.path);
    io("offset", m.offset);
    io("mode", m.mode);
    io("last", m.last);
    io("isAnswered", m.isAnswered);
}

template <typename Io> void fields(Io &io, Of<Io, Code> &m)
{
    io("tree", m.tree);
    io("dir", m.dir);
    io.optional("engine", m.engine, !m.engine.empty());
}

template <typename Io> void fields(Io &io, Of<Io, Look> &m) { io("paths", m.paths); }

template <typename Io> void fields(Io &io, Of<Io, CodeReply> &m)
{
    io("state", m.state);
    io("missing", m.missing);
    io("about", m.about);
    io("systemError", m.systemError);
}

template <typename Io> void fields(Io &io, Of<Io, Data> &m)
{
    io("tree", m.tree);
    io("drop", m.drop);
    io("limitBytes", m.limitBytes);
    io("path", m.path);
    io("sum", m.sum);
    io.optional("cache", m.cache, !m.cache.empty());
    io.optional("job", m.job, !m.job.empty());
    io.optional("engine", m.engine, !m.engine.empty());
}

template <typename Io> void fields(Io &io, Of<Io, DataReply> &m)
{
    io("state", m.state);
    io("place", m.place);
    io("missing", m.missing);
    io("bytes", m.bytes);
    io("sum", m.sum);
    io("about", m.about);
    io("systemError", m.systemError);
}

template <typename Io> void fields(Io &io, Of<Io, Seen> &m)
{
    io("inodes", m.inodes);
    io("changedNs", m.changedNs);
}

template <typename Io> void fields(Io &io, Of<Io, ListFiles> &m)
{
    io("dir", m.dir);
    io("globs", m.globs);
    io("after", m.after);
    io("ms", m.ms);
    io.optional("everything", m.everything, m.everything);
    io.optional("madeOnly", m.madeOnly, m.madeOnly);
}

template <typename Io> void fields(Io &io, Of<Io, ReadPiece> &m)
{
    io("dir", m.dir);
    io("path", m.path);
    io("offset", m.offset);
    io("bytes", m.bytes);
    io("ms", m.ms);
    io.optional("sumOnly", m.sumOnly, m.sumOnly);
}

template <typename Io> void fields(Io &io, Of<Io, StorePiece> &m)
{
    io("step", m.step);
    io("dir", m.dir);
    io("path", m.path);
    io("size", m.size);
    io("changedNs", m.changedNs);
    io.optional("offset", m.offset, m.offset != 0);
    io.optional("sum", m.sum, m.sum != 0);
    io.optional("target", m.target, !m.target.empty());
    io.optional("content", m.content, !m.content.empty());
    io.optional("writer", m.writer, !m.writer.empty());
}

template <typename Io> void fields(Io &io, Of<Io, Stored> &m)
{
    io("bytes", m.bytes);
    io("systemError", m.systemError);
}

template <typename Io> void fields(Io &io, Of<Io, FileList> &m)
{
    io("isCut", m.isCut);
    io("isWhole", m.isWhole);
    io("links", m.links);
    io("others", m.others);
    io("oddNames", m.oddNames);
    io("systemError", m.systemError);
    io.optional("sent", m.sent, m.sent != 0);
    io.optional("unreadable", m.unreadable, !m.unreadable.empty());
    io.optional("unreadableError", m.unreadableError, m.unreadableError != 0);
    io.optional("linkPaths", m.linkPaths, !m.linkPaths.empty());
    io.optional("linkTargets", m.linkTargets, !m.linkTargets.empty());
}

template <typename Io> void fields(Io &io, Of<Io, Piece> &m)
{
    io("size", m.size);
    io("changedNs", m.changedNs);
    io("systemError", m.systemError);
    io.optional("sum", m.sum, m.sum != 0);
}

template <typename Io> void fields(Io &io, Of<Io, Remove> &m) { io("dir", m.dir); }

template <typename Io> void fields(Io &io, Of<Io, OwnFolder> &m)
{
    io("dir", m.dir);
    io("isMade", m.isMade);
}

template <typename Io> void fields(Io &io, Of<Io, LookThrough> &m)
{
    io("engine", m.engine);
    io("tidies", m.tidies);
    io("leaves", m.leaves);
    io("ms", m.ms);
}

template <typename Io> void fields(Io &io, Of<Io, Belongings> &m)
{
    io("jobs", m.jobs);
    io("jobBytes", m.jobBytes);
    io("programFolder", m.programFolder);
    io("otherJobs", m.otherJobs);
    io("otherBytes", m.otherBytes);
    io("codeBytes", m.codeBytes);
    io.optional("dataBytes", m.dataBytes, m.dataBytes != 0);
    io("programs", m.programs);
    io("programBytes", m.programBytes);
    io("processes", m.processes);
    io("processKiB", m.processKiB);
    io.optional("sharedCodeBytes", m.sharedCodeBytes, m.sharedCodeBytes != 0);
    io.optional("sharedDataBytes", m.sharedDataBytes, m.sharedDataBytes != 0);
    io("isWhole", m.isWhole);
    io.optional("clusterFolder", m.clusterFolder, !m.clusterFolder.empty());
    io.optional("clusterBytes", m.clusterBytes, m.clusterBytes != 0);
}

template <typename Io> void fields(Io &, Of<Io, FindEnvironments> &) { }

template <typename Io> void fields(Io &io, Of<Io, FoundEnvironment> &m)
{
    io("kind", m.kind);
    io("name", m.name);
    io("path", m.path);
    io("base", m.base);
    io("version", m.version);
}

template <typename Io> void fields(Io &io, Of<Io, EnvironmentsFound> &m)
{
    io("environments", m.environments);
    io("modules", m.modules);
    io("isWhole", m.isWhole);
}

template <typename Io> void fields(Io &io, Of<Io, RunProgram> &m)
{
    io("program", m.program);
    io("arguments", m.arguments);
    io("ms", m.ms);
}

template <typename Io> void fields(Io &io, Of<Io, ProgramSaid> &m)
{
    io("state", m.state);
    io("status", m.status);
}

template <typename Io> void fields(Io &io, Of<Io, ReadChanged> &m) { io("dir", m.dir); }

template <typename Io> void fields(Io &io, Of<Io, ChangedFiles> &m)
{
    io("isCut", m.isCut);
    io.optional("isUnread", m.isUnread, m.isUnread);
    io("systemError", m.systemError);
}

template <typename Io> void fields(Io &io, Of<Io, CopyHelper> &m)
{
    io("path", m.path);
    io.optional("trustsOwners", m.trustsOwners, m.trustsOwners);
}

template <typename Io> void fields(Io &io, Of<Io, RemoveRun> &m)
{
    io("root", m.root);
    io("job", m.job);
    io.optional("launches", m.launches, !m.launches.empty());
}

template <typename Io> void fields(Io &, Of<Io, Bye> &) { }

template <typename Io> void fields(Io &io, Of<Io, HelloReply> &m)
{
    io("contract", m.contract);
    io("version", m.version);
    io("build", m.build);
    io("pid", m.pid);
    io("bootId", m.bootId);
    io("host", m.host);
    io("user", m.user);
    io("home", m.home);
    io("machineId", m.machineId);
    io("stateFolder", m.stateFolder);
    io("shell", m.shell);
    io("diskFreeBytes", m.diskFreeBytes);
    io("stateOnNetwork", m.stateOnNetwork);
    io("environmentFrom", m.environmentFrom);
    io("environmentError", m.environmentError);
    io("ephemeralFirst", m.ephemeralFirst);
    io("ephemeralLast", m.ephemeralLast);
    io("uid", m.uid);
    io("gid", m.gid);
    io.optional("groups", m.groups, !m.groups.empty());
}

template <typename Io> void fields(Io &io, Of<Io, HostAddress> &m)
{
    io("interface", m.interface);
    io("address", m.address);
    io("prefix", m.prefix);
}

template <typename Io> void fields(Io &io, Of<Io, Inventory> &m)
{
    io("cpus", m.cpus);
    io("memoryMiB", m.memoryMiB);
    io("memoryUsedMiB", m.memoryUsedMiB);
    io("kernel", m.kernel);
    io("os", m.os);
    io("cpuModel", m.cpuModel);
    io("gpus", m.gpus);
    io("gpuError", m.gpuError);
    io("runtimes", m.runtimes);
    io("addresses", m.addresses);
    io("slurm", m.hasSlurm);
    io("silentRuntimes", m.silentRuntimes);
}

template <typename Io> void fields(Io &io, Of<Io, Launched> &m)
{
    io("dir", m.dir);
    io("tryUuid", m.tryUuid);
    io("state", m.state);
    io("started", m.started);
    io("exit", m.exit);
}

template <typename Io> void fields(Io &io, Of<Io, Observed> &m)
{
    io("dir", m.dir);
    io("tryUuid", m.tryUuid);
    io("state", m.state);
    io("outputBytes", m.outputBytes);
    io("started", m.started);
    io("stop", m.stop);
    io("exit", m.exit);
}

template <typename Io> void fields(Io &io, Of<Io, Exited> &m)
{
    io("dir", m.dir);
    io("tryUuid", m.tryUuid);
    io("exit", m.exit);
    io("stop", m.stop);
}

template <typename Io> void fields(Io &io, Of<Io, Chunk> &m)
{
    io("file", m.file);
    io("offset", m.offset);
    io("end", m.end);
    io.optional("replaces", m.replaces, m.replaces != 0);
}

template <typename Io> void fields(Io &io, Of<Io, Await> &m)
{
    io("word", m.word);
    io("first", m.first);
    io("last", m.last);
    io("ms", m.ms);
}

template <typename Io> void fields(Io &io, Of<Io, Reach> &m)
{
    io("addresses", m.addresses);
    io("ports", m.ports);
    io("words", m.words);
    io("ms", m.ms);
}

template <typename Io> void fields(Io &io, Of<Io, Awaiting> &m) { io("port", m.port); }

template <typename Io> void fields(Io &io, Of<Io, Reached> &m) { io("states", m.states); }

template <typename Io> void fields(Io &io, Of<Io, PortsReply> &m)
{
    io("busy", m.busy);
    io("drawn", m.drawn);
}

template <typename Io> void fields(Io &io, Of<Io, Sample> &m)
{
    io("at", m.at);
    io("cpuPercent", m.cpuPercent);
    io("memoryMiB", m.memoryMiB);
    io("memoryUsedMiB", m.memoryUsedMiB);
    io("diskFreeBytes", m.diskFreeBytes);
    io("diskBytes", m.diskBytes);
    io("gpus", m.gpus);
    io("gpuError", m.gpuError);
    io("tries", m.tries);
    io("silentRuntimes", m.silentRuntimes);
}

template <typename Io> void fields(Io &, Of<Io, Done> &) { }

template <typename Io> void fields(Io &io, Of<Io, Failure> &m)
{
    io("code", m.code);
    io("argument", m.argument);
    io("systemError", m.systemError);
}

} // namespace trainyard::contract
