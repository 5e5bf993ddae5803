// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/smallfiles.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace trainyard::contract
{

int writeWhole(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int reserveRecord(const std::string &reserve)
{
    const int fd = ::open(reserve.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) {
        return errno;
    }
    const std::string blanks(reservedBytes, ' '); // written: not every file system keeps what is only asked for
    int error = writeWhole(fd, blanks);
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(reserve.c_str());
    }
    return error;
}

int writeOver(const std::string &reserve, const std::string &path, std::string_view bytes, bool sync)
{
    if (bytes.size() > reservedBytes) {
        return ENOSPC;
    }
    const int fd = ::open(reserve.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return errno;
    }
    struct stat info;
    int error = ::fstat(fd, &info) != 0 ? errno : S_ISREG(info.st_mode) && info.st_nlink == 1 ? 0 : EINVAL;
    if (error == 0) {
        error = writeWhole(fd, bytes);
    }
    if (error == 0 && ::ftruncate(fd, static_cast<off_t>(bytes.size())) != 0) {
        error = errno;
    }
    if (error == 0 && sync && ::fdatasync(fd) != 0) {
        error = errno;
    }
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && reserve != path && ::rename(reserve.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    return error;
}

int writeAtomically(const std::string &path, std::string_view bytes, bool sync)
{
    // Never two writers of one record at a time (the lock), except for `stop`: the process id keeps those apart.
    const std::string temporary = path + ".tmp" + std::to_string(::getpid());
    const auto create = [&temporary] {
        return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    };
    int fd = create();
    if (fd < 0 && errno == EEXIST) { // of a process with the same number that was killed, or a pipe of the task
        ::unlink(temporary.c_str());
        fd = create();
    }
    if (fd < 0) {
        return errno;
    }
    int error = writeWhole(fd, bytes);
    if (error == 0 && sync && ::fdatasync(fd) != 0) {
        error = errno;
    }
    if (::close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
    }
    return error;
}

void refreshFolder(const std::string &path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        ::close(fd);
    }
}

std::optional<std::string> readWhole(const std::string &path, std::size_t limit)
{
    // A task can put a pipe where one of its records is: a reader that waited for it would serve no other task.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return std::nullopt;
    }
    std::string text;
    char buffer[4096];
    bool good = true;
    while (good) {
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
            good = text.size() <= limit;
        } else if (n == 0) {
            break;
        } else if (errno != EINTR) {
            good = false;
        }
    }
    ::close(fd);
    return good ? std::optional(std::move(text)) : std::nullopt;
}

int readError(const std::string &path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return errno;
    }
    char byte = 0;
    ssize_t n = ::read(fd, &byte, 1);
    while (n < 0 && errno == EINTR) {
        n = ::read(fd, &byte, 1);
    }
    const int error = n < 0 ? errno : 0;
    ::close(fd);
    return error;
}

int unreadError(const std::string &path)
{
    const int error = readError(path);
    return error == ENOENT || error == ENOTDIR ? 0 : error;
}

int makeFolders(const std::string &path, unsigned int mode)
{
    if (::mkdir(path.c_str(), mode) == 0) {
        return 0;
    }
    if (errno == EEXIST) {
        struct stat info;
        return ::stat(path.c_str(), &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    }
    const std::size_t slash = path.find_last_of('/');
    if (errno != ENOENT || slash == std::string::npos || slash == 0) {
        return errno;
    }
    const int error = makeFolders(path.substr(0, slash), mode);
    return error != 0 || ::mkdir(path.c_str(), mode) == 0 || errno == EEXIST ? error : errno;
}

} // namespace trainyard::contract
