// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/detach.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>

namespace trainyard::agent
{
namespace
{

constexpr int ignoredByKeepers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};

std::vector<int> findIgnored()
{
    std::vector<int> ignored(std::begin(ignoredByKeepers), std::end(ignoredByKeepers));
    for (int signal = 1; signal < NSIG; ++signal) {
        struct sigaction action {
        };
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) {
            ignored.push_back(signal);
        }
    }
    return ignored;
}

const std::vector<int> &ignoredSignals()
{
    static const std::vector<int> ignored = findIgnored();
    return ignored;
}

} // namespace

void noteIgnoredSignals() { ignoredSignals(); }

void defaultSignals()
{
    for (const int signal : ignoredSignals()) {
        ::signal(signal, SIG_DFL);
    }
}

void closeFrom(int first)
{
#ifdef SYS_close_range
    if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0u, 0u) == 0) {
        return;
    }
#endif
    DIR *folder = ::opendir("/proc/self/fd");
    if (!folder) {
        for (int fd = first; fd < 4096; ++fd) {
            ::close(fd);
        }
        return;
    }
    std::vector<int> open;
    while (const dirent *entry = ::readdir(folder)) {
        const int fd = std::atoi(entry->d_name);
        if (fd >= first && fd != ::dirfd(folder)) {
            open.push_back(fd);
        }
    }
    ::closedir(folder);
    for (const int fd : open) {
        ::close(fd);
    }
}

bool detach(KeeperTask &task)
{
    ::setsid();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (const int signal : ignoredByKeepers) {
        ::signal(signal, SIG_IGN);
    }
    // The descriptors are first moved above all others and then to the two lowest numbers: neither may overwrite the
    // other.
    const int lock = ::fcntl(task.lock, F_DUPFD_CLOEXEC, 5);
    const int notes = ::fcntl(task.notes, F_DUPFD_CLOEXEC, 5);
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; ++fd) {
        ::dup2(null, fd);
    }
    ::dup3(lock, 3, O_CLOEXEC);
    ::dup3(notes, 4, O_CLOEXEC);
    closeFrom(5);
    task.lock = 3;
    task.notes = 4;
    // A pipe that is not read any more must not delay the keeper.
    ::fcntl(task.notes, F_SETFL, O_NONBLOCK);
    return ::chdir(task.launch.dir.c_str()) == 0;
}

void raiseOomScore(int by)
{
    // The files of a process whose memory is private are root's.
    const bool isPrivate = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 && ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
    const int fd = ::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (isPrivate) {
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    }
    if (fd < 0) {
        return;
    }
    char text[16] = {};
    const ssize_t n = ::read(fd, text, sizeof text - 1);
    const int score = n > 0 ? std::min(1000, std::atoi(text) + by) : by;
    const int size = std::snprintf(text, sizeof text, "%d", score);
    static_cast<void>(!::pwrite(fd, text, static_cast<std::size_t>(size), 0));
    ::close(fd);
}

void keepOnly(int kept)
{
    // Out of the way of the descriptors that are replaced.
    const int own = kept < 0 ? -1 : ::fcntl(kept, F_DUPFD_CLOEXEC, 4);
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; ++fd) {
        ::dup2(null, fd);
    }
    if (own >= 0) {
        ::dup3(own, 3, O_CLOEXEC);
    }
    closeFrom(own < 0 ? 3 : 4);
}

std::string noteBytes(char kind, std::string_view text)
{
    std::string bytes(1, kind);
    for (int i = 0; i < 4; ++i) {
        bytes += static_cast<char>(text.size() >> (8 * i));
    }
    bytes += text;
    return bytes;
}

bool sendNotes(int fd, const std::string &bytes)
{
    // At most PIPE_BUF bytes are written completely or not at all. Without an agent the note is lost, but the files say
    // the same.
    return ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

bool sendNote(int fd, char kind, std::string_view text) { return sendNotes(fd, noteBytes(kind, text)); }

int writeFile(const char *path, std::string_view bytes)
{
    const int fd = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return errno;
    }
    const int error = contract::writeWhole(fd, bytes);
    ::close(fd);
    return error;
}

std::string runtimeLogHead(const char *source)
{
    char when[64];
    const time_t now = ::time(nullptr);
    tm parts{};
    ::gmtime_r(&now, &parts);
    ::strftime(when, sizeof when, "[%a %b %e %H:%M:%S UTC %Y] [", &parts);
    return std::string(when) + source + "] ";
}

void appendRuntimeLog(const std::string &sentence)
{
    appendTextToRuntimeLog(runtimeLogHead("trainyard") + sentence + '\n');
}

void appendTextToRuntimeLog(std::string_view lines)
{
    // The task can have put a pipe there, for which its keeper would wait.
    constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int fd = ::open(contract::file::runtime, flags, 0600);
    if (fd >= 0) {
        static_cast<void>(!::write(fd, lines.data(), lines.size()));
        ::close(fd);
    }
}

void removeSshKey()
{
    // In a container the folder is another one. The task can have put a link there.
    for (const std::string &path : {std::string("ssh"), std::string(contract::file::inside) + "/ssh"}) {
        const int folder = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0) {
            ::unlinkat(folder, "key", 0);
            ::close(folder);
        }
    }
}

} // namespace trainyard::agent
