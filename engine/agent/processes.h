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
    // Nobody of it lives. One whose first thread alone has ended looks like a zombie and is none.
    bool hasEnded() const { return (state == 'Z' && threads <= 1) || state == 'X'; }
};

std::optional<ProcessInfo> processInfo(pid_t pid); // also of zombies
bool isSame(const ProcessInfo &one, const ProcessInfo &other); // and not one that got its number later
// Signals exactly this process: a pid that was reused meanwhile is left alone. False when it is gone.
bool signalProcess(const ProcessInfo &process, int signal);
// As a descriptor that becomes readable when the process ends; -1 where the kernel has none or the process is gone.
int openPidfd(pid_t pid);
// It neither catches, ignores nor blocks this signal: one that was sent and did not end it never reached it.
bool endsBy(pid_t pid, int signal);
std::string describeProcess(pid_t pid); // "4711 python", as far as it can be seen; no ", " in it
std::string describeProcesses(const std::vector<ProcessInfo> &processes); // the first twenty, then "..."
// The resident memory of all descendants together, each page once where the kernel tells; 0 when there is only one of
// them, which knows its own peak, or none.
std::int64_t descendantsMemoryKiB(pid_t ancestor);
// The same of a container, its first process included; at least the greatest peak of one of those that live. Nobody who
// is a parent of theirs tells it when they end.
std::int64_t containerMemoryKiB(pid_t first);
bool hasTryMark(pid_t pid, const std::string &tryUuid); // TRAINYARD_TRY in its environment; empty uuid: any

// What belongs to one try.
struct TaskScope {
    pid_t keeper = 0; // whose descendants and session are meant
    std::uint64_t keeperStart = 0;
    pid_t main = 0;
    std::string tryUuid;
    pid_t spared = 0; // no part of it, whatever mark it carries
};
// Living processes (no zombies) of the try, the keeper itself left out. While the keeper lives these are its
// descendants; after it also members of its session and those that carry its mark, and all of the host's processes are
// looked at. `isWhole` becomes false when the kernel would not let this process look (it has no descriptor, no memory):
// then there may be more.
std::vector<ProcessInfo> findTaskProcesses(const TaskScope &scope, bool *isWhole = nullptr);
// Sends a signal to every process of the try, those that are forked meanwhile included: all are stopped first, then
// signalled, then go on. Gives those who were there.
std::vector<ProcessInfo> signalTask(const TaskScope &scope, int signal);
// SIGSTOP to every process of the try until none is seen that still runs; the stopped ones.
std::vector<ProcessInfo> stopTask(const TaskScope &scope);
void continueTask(const TaskScope &scope); // SIGCONT to every process

} // namespace trainyard::agent
