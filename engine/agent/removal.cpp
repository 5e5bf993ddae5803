// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/removal.h"

#include "engine/agent/detach.h"
#include "engine/contract/removetree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr const char *suffix = ".gone";

} // namespace

void removeAllGone(const std::string &parent)
{
    DIR *folder = ::opendir(parent.c_str());
    if (!folder) {
        return;
    }
    const std::size_t length = std::strlen(suffix);
    while (const dirent *entry = ::readdir(folder)) {
        const std::string name = entry->d_name;
        if (name.size() > length && name.compare(name.size() - length, length, suffix) == 0) {
            contract::removeTree(parent + '/' + name);
        }
    }
    ::closedir(folder);
}

bool isPlainPath(const std::string &path)
{
    return path.find("/../") == std::string::npos && path.find("/./") == std::string::npos
        && path.find("//") == std::string::npos && path.back() != '/' && path.back() != '.';
}

int removeFolder(const std::string &dir, const std::string &root)
{
    const std::string base = root + '/';
    if (dir.compare(0, base.size(), base) != 0 || !isPlainPath(dir)
        || std::count(dir.begin() + static_cast<std::ptrdiff_t>(base.size()), dir.end(), '/') != 1) {
        return EPERM;
    }
    if (::rename(dir.c_str(), (dir + suffix).c_str()) != 0 && errno != ENOENT) {
        return errno;
    }
    const std::string parent = dir.substr(0, dir.rfind('/'));
    const pid_t child = ::fork();
    if (child < 0) {
        return errno;
    }
    if (child == 0) {
        // In a session of its own and without the agent's pipes: the connection must not wait for it.
        ::setsid();
        if (::fork() != 0) {
            ::_exit(0);
        }
        keepOnly(-1);
        removeAllGone(parent);
        ::_exit(0);
    }
    return 0; // the agent reaps its children
}

} // namespace trainyard::agent
