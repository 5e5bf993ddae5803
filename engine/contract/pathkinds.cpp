// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/pathkinds.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace trainyard::contract
{

bool isAnythingAt(const std::string &path)
{
    struct stat info {
    };
    return ::lstat(path.c_str(), &info) == 0;
}

bool isRealFolderAt(const std::string &path)
{
    struct stat info {
    };
    return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool isFolderAt(const std::string &path)
{
    struct stat info {
    };
    return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool isFileAt(const std::string &path)
{
    struct stat info {
    };
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool isProgramAt(const std::string &path) { return isFileAt(path) && ::access(path.c_str(), X_OK) == 0; }

bool isOwnProgram(const std::string &path)
{
    struct stat info = {};
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid()
        && (info.st_mode & S_IXUSR) != 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string resolvedPath(const std::string &path)
{
    // The kernel knows the path of what it has found. realpath() asks it about every folder of the path.
    const int fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (fd >= 0) {
        std::array<char, PATH_MAX> found;
        const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), found.data(), found.size());
        ::close(fd);
        const std::string_view text(found.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        // Else it was removed meanwhile, lies outside of the root, or is too long.
        if (text.starts_with('/') && !text.ends_with(" (deleted)") && text.size() < found.size()) {
            return std::string(text);
        }
    }
    char buffer[PATH_MAX];
    return ::realpath(path.c_str(), buffer) ? buffer : path;
}

} // namespace trainyard::contract
