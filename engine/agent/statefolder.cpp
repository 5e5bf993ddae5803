// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/statefolder.h"

#include "engine/contract/hierarchy.h"
#include "engine/contract/taskfolder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace trainyard::agent
{
namespace
{

// In /var/tmp another user can take the name first.
bool isOurs(const std::string &folder)
{
    struct stat info;
    return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::getuid()
        && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string chooseFolder(const Account &account)
{
    const char *given = ::getenv("XDG_STATE_HOME");
    const std::string base = given && *given == '/' ? given : account.home + "/.local/state";
    std::string plain = base + "/trainyard/" + machineId();
    if (::access(existingFolder(plain).c_str(), W_OK | X_OK) == 0) {
        return plain;
    }
    const std::string shared = "/var/tmp/trainyard-" + std::to_string(::getuid());
    ::mkdir(shared.c_str(), S_IRWXU);
    // Without any place the launch of a task says what is wrong with the usual one.
    return isOurs(shared) ? shared + '/' + machineId() : plain;
}

} // namespace

const std::string &stateFolder(const Account &account)
{
    static const std::string folder = chooseFolder(account);
    return folder;
}

std::string spreadJobs(const std::string &stateFolder, const std::string &path)
{
    const std::string remote = stateFolder + "/remote/";
    const std::size_t end = path.find('/', remote.size());
    if (end == std::string::npos || end == remote.size() || !path.starts_with(remote)) {
        return {};
    }
    const std::string folder = path.substr(0, end);
    if (contract::makeFolders(folder) == 0) { // if not, the first writer there says so
        contract::markTopOfHierarchy(folder);
    }
    return folder;
}

std::string existingFolder(std::string path)
{
    struct stat info;
    while (path.size() > 1 && ::stat(path.c_str(), &info) != 0) {
        const std::size_t slash = path.rfind('/');
        path.resize(slash == 0 || slash == std::string::npos ? 1 : slash);
    }
    return path.empty() ? "/" : path;
}

} // namespace trainyard::agent
