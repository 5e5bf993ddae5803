// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/locks.h"

#include "engine/contract/messages.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace trainyard::agent
{
namespace
{

std::string safeName(const std::string &name)
{
    std::string safe;
    for (const char c : name) {
        const bool good
            = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        safe += good ? c : '_';
    }
    return safe;
}

// All users share the folder, so any of them can put anything there: a pipe must not block us, a link must not lead
// elsewhere, and the file must not be a second name of another one, whose content would be lost.
constexpr int lockFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

int onlyPlainFile(int fd)
{
    struct stat info;
    if (fd >= 0 && (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1)) {
        ::close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

int openThere(const std::string &path)
{
    const int fd = ::open(path.c_str(), O_RDWR | lockFlags);
    return onlyPlainFile(fd < 0 && errno == EACCES ? ::open(path.c_str(), O_RDONLY | lockFlags) : fd);
}

int openLock(const std::string &path)
{
    // First without O_CREAT: in a sticky folder the kernel may refuse it for another user's file.
    int fd = openThere(path);
    if (fd < 0 && errno == ENOENT) {
        fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | lockFlags, 0666);
        if (fd >= 0) {
            ::fchmod(fd, 0666);
        } else if (errno == EEXIST) {
            fd = openThere(path); // another process was quicker
        }
    }
    return fd;
}

// Made for all users. A link would let another user choose where files are made that all users can write to.
bool makeLockFolder(const std::string &folder)
{
    constexpr mode_t forAll = 01777; // and no engine removes the locks of others
    ::mkdir(folder.c_str(), forAll);
    struct stat info;
    if (::lstat(folder.c_str(), &info) != 0) {
        return false;
    }
    if (!S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return false;
    }
    // The umask has taken something away from a folder that was just made, and perhaps its maker was ended before it
    // could give that back.
    if (info.st_uid == ::geteuid() && (info.st_mode & 07777) != forAll) {
        ::chmod(folder.c_str(), forAll);
    }
    return true;
}

using Range = std::pair<off_t, off_t>; // begin, end

struct flock rangeLock(short type, const Range &range)
{
    struct flock lock {
    };
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = range.first;
    lock.l_len = range.second - range.first;
    return lock;
}

// The parts of the range that no process holds. The kernel names any one lock in the way, not the first.
bool freeRanges(int fd, const Range &range, std::vector<Range> &found)
{
    if (range.first >= range.second) {
        return true;
    }
    struct flock lock = rangeLock(F_WRLCK, range);
    if (::fcntl(fd, F_OFD_GETLK, &lock) != 0) {
        return false;
    }
    if (lock.l_type == F_UNLCK) {
        found.push_back(range);
        return true;
    }
    const off_t end = lock.l_len == 0 ? range.second : std::min(range.second, lock.l_start + lock.l_len);
    return freeRanges(fd, {range.first, std::max(range.first, lock.l_start)}, found)
        && freeRanges(fd, {std::max(range.first, end), range.second}, found);
}

// One byte of the lock's file stands for one MiB. False with errno EWOULDBLOCK means that not so much is left.
bool takeShare(int fd, std::int64_t share, std::int64_t total)
{
    const Range all{0, static_cast<off_t>(total)};
    for (int round = 0; round < 50; ++round) {
        std::vector<Range> ranges;
        if (!freeRanges(fd, all, ranges)) {
            return false;
        }
        std::int64_t left = share;
        bool taken = true;
        for (Range range : ranges) {
            range.second = std::min<off_t>(range.second, range.first + static_cast<off_t>(left));
            struct flock lock = rangeLock(F_WRLCK, range);
            if (left > 0 && ::fcntl(fd, F_OFD_SETLK, &lock) != 0) {
                if (errno != EAGAIN && errno != EACCES) {
                    return false;
                }
                taken = false; // another process was quicker: look again
                break;
            }
            left -= range.second - range.first;
        }
        if (taken && left <= 0) {
            return true;
        }
        struct flock none = rangeLock(F_UNLCK, all);
        ::fcntl(fd, F_OFD_SETLK, &none);
        if (taken) {
            break;
        }
    }
    errno = EWOULDBLOCK;
    return false;
}

bool isShared(const GpuLock &lock) { return lock.shareMiB > 0 && lock.totalMiB > 0; }

bool takeLock(int fd, const GpuLock &wanted)
{
    const bool shared = isShared(wanted);
    return ::flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
        && (!shared || takeShare(fd, wanted.shareMiB, wanted.totalMiB));
}

// Information only: what counts is the lock itself.
void writeHolder(int fd, const std::string &holder)
{
    if (::ftruncate(fd, 0) == 0 && ::pwrite(fd, holder.data(), holder.size(), 0) < 0) {
        return; // then it is not known
    }
}

std::string readHolder(int fd)
{
    char text[512];
    const ssize_t n = ::pread(fd, text, sizeof text, 0);
    return n > 0 ? contract::plainText(std::string(text, static_cast<std::size_t>(n))) : "?";
}

bool canListen(int family, int port)
{
    const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return errno == EAFNOSUPPORT;
    }
    const int one = 1;
    ::setsockopt(
        fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); // as servers do: connections in TIME_WAIT do not count
    int result = 0;
    if (family == AF_INET6) {
        ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        address.sin6_port = htons(static_cast<std::uint16_t>(port));
        result = ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    } else {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        result = ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    }
    if (result == 0) {
        result = ::listen(fd, 1);
    }
    const int error = errno;
    ::close(fd);
    return result == 0 || (error != EADDRINUSE && error != EACCES);
}

} // namespace

std::string gpuLockFolder(const std::string &wanted)
{
    if (!wanted.empty()) {
        return wanted;
    }
    struct stat info;
    const bool shared = ::stat("/run/lock", &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & S_IWOTH);
    return shared ? "/run/lock/trainyard-gpu" : "/tmp/trainyard-gpu";
}

std::string takeGpuLocks(const std::string &folder, std::vector<GpuLock> wanted, std::vector<int> &held, int &error,
    const std::string &holder)
{
    error = 0;
    if (!wanted.empty() && !makeLockFolder(folder)) {
        error = errno;
        return wanted.front().name;
    }
    std::sort(wanted.begin(), wanted.end(), [](const GpuLock &a, const GpuLock &b) { return a.name < b.name; });
    wanted.erase(
        std::unique(wanted.begin(), wanted.end(), [](const GpuLock &a, const GpuLock &b) { return a.name == b.name; }),
        wanted.end());
    for (const GpuLock &lock : wanted) {
        const int fd = openLock(folder + '/' + safeName(lock.name) + ".lock");
        if (fd >= 0 && takeLock(fd, lock)) {
            if (!isShared(lock)) {
                writeHolder(fd, holder);
            }
            held.push_back(fd);
            continue;
        }
        error = fd >= 0 && errno == EWOULDBLOCK ? 0 : errno;
        if (fd >= 0) {
            ::close(fd);
        }
        for (const int taken : held) {
            ::close(taken);
        }
        held.clear();
        return lock.name;
    }
    return {};
}

GpuLockState lookAtGpuLock(const std::string &folder, const GpuLock &lock)
{
    const std::string path = folder + '/' + safeName(lock.name) + ".lock";
    const int fd = openThere(path);
    GpuLockState state;
    if (fd < 0) {
        return state; // it was never taken
    }
    // The lock is shared and held for a moment: a process that needs it meanwhile tries again.
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0) {
        state.by = errno == EWOULDBLOCK ? readHolder(fd) : std::string();
    } else if (lock.totalMiB > 0) {
        std::vector<Range> ranges;
        if (freeRanges(fd, {0, static_cast<off_t>(lock.totalMiB)}, ranges)) {
            state.sharedMiB = lock.totalMiB;
            for (const Range &range : ranges) {
                state.sharedMiB -= range.second - range.first;
            }
        }
    }
    ::close(fd);
    return state;
}

bool isPortFree(int port) { return port > 0 && port < 65536 && canListen(AF_INET, port) && canListen(AF_INET6, port); }

PortRange ephemeralPorts()
{
    PortRange range{32768, 60999};
    const std::string text = contract::readWhole("/proc/sys/net/ipv4/ip_local_port_range").value_or("");
    char *end = nullptr;
    const long first = std::strtol(text.c_str(), &end, 10);
    const long last = end ? std::strtol(end, nullptr, 10) : 0;
    if (first > 0 && last >= first && last < 65536) {
        range = {static_cast<int>(first), static_cast<int>(last)};
    }
    return range;
}

std::vector<int> drawPorts(int count, int first, int last, const std::vector<int> &exclude)
{
    std::vector<int> drawn;
    if (last <= 0) {
        last = ephemeralPorts().first - 1;
    }
    first = std::max(first, 1024);
    last = std::min(last, 65535);
    if (first > last || count <= 0) {
        return drawn;
    }
    // Starts at a random number, so that two agents on one host rarely draw the same.
    std::uint32_t random = 0;
    if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) {
        random = static_cast<std::uint32_t>(::getpid()) * 2654435761u;
    }
    const int size = last - first + 1;
    for (int i = 0; i < size && static_cast<int>(drawn.size()) < count; ++i) {
        const int port = first
            + static_cast<int>((random % static_cast<std::uint32_t>(size) + static_cast<std::uint32_t>(i))
                % static_cast<std::uint32_t>(size));
        if (std::find(exclude.begin(), exclude.end(), port) == exclude.end() && isPortFree(port)) {
            drawn.push_back(port);
        }
    }
    return drawn;
}

} // namespace trainyard::agent
