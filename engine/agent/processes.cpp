// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/processes.h"

#include "engine/agent/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_set>

namespace trainyard::agent
{
namespace
{

// Otherwise a process that could not be looked at is gone, or another user's.
bool isShort(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

std::optional<std::vector<pid_t>> allPids()
{
    std::vector<pid_t> pids;
    DIR *proc = ::opendir("/proc");
    if (!proc) {
        return std::nullopt;
    }
    while (const dirent *entry = ::readdir(proc)) {
        char *end = nullptr;
        const long pid = std::strtol(entry->d_name, &end, 10);
        if (pid > 0 && *end == '\0') {
            pids.push_back(static_cast<pid_t>(pid));
        }
    }
    ::closedir(proc);
    return pids;
}

} // namespace

std::size_t readProcFile(pid_t pid, const char *name, char *buffer, std::size_t size)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/%s", static_cast<int>(pid), name);
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    const ssize_t n = ::read(fd, buffer, size);
    ::close(fd);
    return n > 0 ? static_cast<std::size_t>(n) : 0;
}

static std::optional<ProcessInfo> infoIn(pid_t pid, const char *file)
{
    char text[1024];
    const std::size_t size = readProcFile(pid, file, text, sizeof text - 1);
    text[size] = '\0';
    // The command may hold blanks and brackets: fields count from the last ')'.
    const char *p = std::strrchr(text, ')');
    if (!p || p[1] != ' ') {
        return std::nullopt;
    }
    p += 2;
    ProcessInfo info;
    info.pid = pid;
    info.state = *p;
    for (int field = 3; field <= 22; ++field) {
        switch (field) {
        case 4:
            info.parent = static_cast<pid_t>(std::strtol(p, nullptr, 10));
            break;
        case 5:
            info.group = static_cast<pid_t>(std::strtol(p, nullptr, 10));
            break;
        case 6:
            info.session = static_cast<pid_t>(std::strtol(p, nullptr, 10));
            break;
        case 20:
            info.threads = static_cast<int>(std::strtol(p, nullptr, 10));
            break;
        case 22:
            info.startTime = std::strtoull(p, nullptr, 10);
            return info;
        default:
            break;
        }
        p = std::strchr(p, ' ');
        if (!p) {
            return std::nullopt;
        }
        ++p;
    }
    return std::nullopt;
}

std::optional<ProcessInfo> processInfo(pid_t pid) { return infoIn(pid, "stat"); }

std::optional<ProcessInfo> ownProcess()
{
    const pid_t pid = ::getpid();
    return infoIn(pid, ("task/" + std::to_string(pid) + "/stat").c_str());
}

bool isSame(const ProcessInfo &one, const ProcessInfo &other)
{
    return one.pid == other.pid && one.startTime == other.startTime;
}

int openPidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
#else
    static_cast<void>(pid);
    errno = ENOSYS;
    return -1;
#endif
}

bool signalProcess(const ProcessInfo &process, int signal)
{
    const int pidfd = openPidfd(process.pid);
    const std::optional<ProcessInfo> now = processInfo(process.pid);
    bool sent = false;
    if (now && now->startTime == process.startTime && !now->hasEnded()) {
#ifdef SYS_pidfd_send_signal
        if (pidfd >= 0) {
            sent = ::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) == 0;
        }
#endif
        if (pidfd < 0 || (!sent && errno == ENOSYS)) {
            sent = ::kill(process.pid, signal) == 0;
        }
    }
    if (pidfd >= 0) {
        ::close(pidfd);
    }
    return sent;
}

bool endsBy(pid_t pid, int signal)
{
    char text[4096];
    text[readProcFile(pid, "status", text, sizeof text - 1)] = '\0';
    std::uint64_t kept = 0;
    for (const char *key : {"\nSigBlk:", "\nSigIgn:", "\nSigCgt:"}) {
        const char *line = std::strstr(text, key);
        if (!line) {
            return false;
        }
        kept |= std::strtoull(line + std::strlen(key), nullptr, 16);
    }
    return signal > 0 && signal <= 64 && (kept >> (signal - 1) & 1) == 0;
}

std::string describeProcess(pid_t pid)
{
    char text[64];
    const std::size_t size = readProcFile(pid, "comm", text, sizeof text);
    std::string said = std::to_string(pid) + ' ';
    for (std::size_t i = 0; i < size && text[i] != '\n'; ++i) {
        const bool plain = static_cast<unsigned char>(text[i]) > ' ' && text[i] != ',' && text[i] != 127;
        said += plain ? text[i] : '_';
    }
    return size == 0 ? said + '?' : said;
}

std::string describeProcesses(const std::vector<ProcessInfo> &processes)
{
    constexpr std::size_t most = 20; // a record with more would not fit the pipe to the agent
    std::string said;
    for (std::size_t i = 0; i < std::min(most, processes.size()); ++i) {
        said += (i > 0 ? ", " : "") + describeProcess(processes[i].pid);
    }
    return processes.size() > most ? said + ", ..." : said;
}

std::int64_t memoryKiB(const std::vector<pid_t> &pids)
{
    std::int64_t sum = 0;
    for (const pid_t pid : pids) {
        char text[4096];
        std::size_t size = readProcFile(pid, "smaps_rollup", text, sizeof text - 1);
        text[size] = '\0';
        if (const char *line = std::strstr(text, "\nPss:")) {
            sum += std::strtoll(line + 5, nullptr, 10);
            continue;
        }
        size = readProcFile(pid, "statm", text, sizeof text - 1);
        text[size] = '\0';
        const char *resident = std::strchr(text, ' ');
        sum += resident ? std::strtoll(resident, nullptr, 10) * ::sysconf(_SC_PAGESIZE) / 1024 : 0;
    }
    return sum;
}

std::int64_t descendantsMemoryKiB(pid_t ancestor)
{
    const std::vector<pid_t> all = descendantsOf(ancestor).value_or(std::vector<pid_t>());
    return all.size() < 2 ? 0 : memoryKiB(all);
}

std::int64_t containerMemoryKiB(pid_t first)
{
    std::vector<pid_t> all = descendantsOf(first).value_or(std::vector<pid_t>());
    all.push_back(first);
    std::int64_t most = memoryKiB(all);
    for (const pid_t pid : all) {
        char text[4096];
        text[readProcFile(pid, "status", text, sizeof text - 1)] = '\0';
        const char *line = std::strstr(text, "\nVmHWM:");
        most = std::max<std::int64_t>(most, line ? std::strtoll(line + 7, nullptr, 10) : 0);
    }
    return most;
}

bool hasTryMark(pid_t pid, const std::string &tryUuid)
{
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/environ", static_cast<int>(pid));
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    std::string text(1, '\0');
    char buffer[16384];
    ssize_t n = 0;
    while ((n = ::read(fd, buffer, sizeof buffer)) > 0 && text.size() < (4u << 20)) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(fd);
    text += '\0';
    std::string mark(1, '\0');
    mark += "TRAINYARD_TRY=" + tryUuid;
    if (!tryUuid.empty()) {
        mark += '\0';
    }
    return text.find(mark) != std::string::npos;
}

static bool isAlive(const TaskScope &scope)
{
    const std::optional<ProcessInfo> keeper = processInfo(scope.keeper);
    return keeper && keeper->startTime == scope.keeperStart && !keeper->hasEnded();
}

// While their keeper lives they are all below it, since processes that lose their parent become its children.
static std::optional<std::vector<ProcessInfo>> findBelowKeeper(const TaskScope &scope, bool *isWhole)
{
    if (scope.keeper <= 0 || !isAlive(scope)) {
        return std::nullopt;
    }
    const std::optional<std::vector<pid_t>> pids = descendantsOf(scope.keeper);
    if (!pids) {
        return std::nullopt;
    }
    std::vector<ProcessInfo> found;
    bool couldLook = true;
    const pid_t self = ::getpid();
    for (const pid_t pid : *pids) {
        errno = 0;
        const std::optional<ProcessInfo> info = processInfo(pid);
        if (!info) {
            couldLook = couldLook && !isShort(errno);
        } else if (pid != self && pid != scope.spared && !info->hasEnded()) {
            found.push_back(*info);
        }
    }
    if (!isAlive(scope)) {
        return std::nullopt; // whose are they now?
    }
    if (isWhole) {
        *isWhole = couldLook;
    }
    return found;
}

std::vector<ProcessInfo> findTaskProcesses(const TaskScope &scope, bool *isWhole)
{
    if (std::optional<std::vector<ProcessInfo>> below = findBelowKeeper(scope, isWhole)) {
        return std::move(*below);
    }
    std::vector<ProcessInfo> all;
    const std::optional<std::vector<pid_t>> pids = allPids();
    bool couldLook = pids.has_value();
    for (const pid_t pid : pids.value_or(std::vector<pid_t>())) {
        errno = 0;
        if (const std::optional<ProcessInfo> info = processInfo(pid)) {
            all.push_back(*info);
        } else {
            couldLook = couldLook && !isShort(errno);
        }
    }
    // A session cannot be ours when its number is a younger process's: the keeper's pid would have been given away,
    // which the kernel does only when nothing of the old session lives.
    bool keeperAlive = false;
    bool sessionIsOurs = scope.keeper > 0;
    for (const ProcessInfo &info : all) {
        if (info.pid == scope.keeper) {
            keeperAlive = info.startTime == scope.keeperStart;
            sessionIsOurs = keeperAlive;
        }
    }
    const pid_t self = ::getpid();
    std::unordered_set<pid_t> ours;
    if (keeperAlive) {
        ours.insert(scope.keeper);
    }
    std::unordered_set<pid_t> unmarked;
    for (bool grew = true; grew;) {
        grew = false;
        for (const ProcessInfo &info : all) {
            if (info.pid == self || info.pid == scope.spared || ours.contains(info.pid)) {
                continue;
            }
            bool belongs = ours.contains(info.parent)
                || (sessionIsOurs && info.session == scope.keeper && info.startTime >= scope.keeperStart);
            if (!belongs && !scope.tryUuid.empty() && !unmarked.contains(info.pid)) {
                errno = 0;
                belongs = hasTryMark(info.pid, scope.tryUuid);
                couldLook = couldLook && (belongs || !isShort(errno));
                if (!belongs) {
                    unmarked.insert(info.pid);
                }
            }
            if (belongs) {
                ours.insert(info.pid);
                grew = true;
            }
        }
    }
    std::vector<ProcessInfo> found;
    for (const ProcessInfo &info : all) {
        if (ours.contains(info.pid) && info.pid != scope.keeper && info.pid != self && !info.hasEnded()) {
            found.push_back(info);
        }
    }
    if (isWhole) {
        *isWhole = couldLook;
    }
    return found;
}

std::vector<ProcessInfo> stopTask(const TaskScope &scope)
{
    // A process that does not stop (it waits for a disk) is not waited for much longer than one that does.
    constexpr int rounds = 100;
    constexpr int pauseMs = 1;
    std::vector<ProcessInfo> all;
    for (int round = 0; round < rounds; ++round) {
        bool still = true;
        std::vector<ProcessInfo> found = findTaskProcesses(scope, &still);
        for (const ProcessInfo &process : found) {
            const bool known = std::any_of(
                all.begin(), all.end(), [&process](const ProcessInfo &one) { return isSame(one, process); });
            if (!known) {
                signalProcess(process, SIGSTOP);
            }
            // The state is the first thread's; without it the process's state is not known.
            still = still && known && (process.state == 'T' || process.state == 't' || process.state == 'Z');
        }
        all = std::move(found);
        if (still) {
            break;
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, pauseMs);
    }
    return all;
}

void continueTask(const TaskScope &scope)
{
    for (const ProcessInfo &process : findTaskProcesses(scope)) {
        signalProcess(process, SIGCONT);
    }
}

std::vector<ProcessInfo> signalTask(const TaskScope &scope, int signal)
{
    std::vector<ProcessInfo> all = stopTask(scope);
    for (const ProcessInfo &process : all) {
        signalProcess(process, signal);
    }
    for (const ProcessInfo &process : all) {
        signalProcess(process, SIGCONT);
    }
    return all;
}

} // namespace trainyard::agent
