// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/identity.h"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::agent
{

struct ProcessInfo {
    pid_t pid = 0, parent = 0, group = 0, session = 0;
    std::uint64_t startTime = 0;
    char state = '?';
    int threads = 1;
    // Whether none of its threads is alive. A process of which only the first thread has ended looks like a zombie but
    // is not one.
    bool hasEnded() const { return (state == 'Z' && threads <= 1) || state == 'X'; }
};

// The contents of the file of this name in /proc/PID, as far as they fit; returns its length, 0 when it cannot be read.
std::size_t readProcFile(pid_t pid, const char *name, char *buffer, std::size_t size);
std::optional<ProcessInfo> processInfo(pid_t pid); // also of zombies
// This process as others see it: an emulator of another processor invents what a process reads about itself in
// /proc/PID/stat.
std::optional<ProcessInfo> ownProcess();
bool isSame(const ProcessInfo &one, const ProcessInfo &other); // and not one that got its number later
// Signals exactly this process; a pid that was reused meanwhile is left alone. Returns false when the process is gone.
bool signalProcess(const ProcessInfo &process, int signal);
// A descriptor that becomes readable when the process ends; -1 when the kernel has none or the process is gone.
int openPidfd(pid_t pid);
// Whether the process neither catches, ignores nor blocks this signal: then a signal that did not end it never reached
// it.
bool endsBy(pid_t pid, int signal);
std::string describeProcess(pid_t pid); // "4711 python", as far as it can be seen; no ", " in it
std::string describeProcesses(const std::vector<ProcessInfo> &processes); // the first twenty, then "..."
// The resident memory of these processes together, each page counted once where the kernel says how it is shared.
std::int64_t memoryKiB(const std::vector<pid_t> &pids);
// The resident memory of all descendants together, each page counted once where the kernel says how it is shared; 0
// when there is at most one of them, whose peak the kernel keeps.
std::int64_t descendantsMemoryKiB(pid_t ancestor);
// The same of a container, its first process included; at least the greatest peak of one of those that live. It is not
// reported when they end, since none of their parents belongs to Trainyard.
std::int64_t containerMemoryKiB(pid_t first);
bool hasTryMark(pid_t pid, const std::string &tryUuid); // TRAINYARD_TRY in its environment; empty uuid: any

// The processes that belong to one try.
struct TaskScope {
    pid_t keeper = 0; // whose descendants and session are meant
    std::uint64_t keeperStart = 0;
    pid_t main = 0;
    std::string tryUuid;
    pid_t spared = 0; // not a part of it, whatever mark it carries
};
// The living processes (no zombies) of the try without the keeper. While the keeper lives these are its descendants;
// after its end also members of its session and those that carry its mark, for which all processes of the host are
// looked at. `isWhole` becomes false when this process lacks descriptors or memory to look further: then there may be
// more.
std::vector<ProcessInfo> findTaskProcesses(const TaskScope &scope, bool *isWhole = nullptr);
// Sends a signal to every process of the try, those that are forked meanwhile included: all are stopped first, then
// signalled, then continued. Returns those that were signalled.
std::vector<ProcessInfo> signalTask(const TaskScope &scope, int signal);
// Sends SIGSTOP to every process of the try until none is seen running. Returns the stopped ones.
std::vector<ProcessInfo> stopTask(const TaskScope &scope);
void continueTask(const TaskScope &scope); // SIGCONT to every process

} // namespace trainyard::agent
