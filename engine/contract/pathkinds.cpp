// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/pathkinds.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

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
    char buffer[PATH_MAX];
    return ::realpath(path.c_str(), buffer) ? buffer : path;
}

} // namespace trainyard::contract
