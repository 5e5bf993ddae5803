// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace trainyard::agent
{

namespace
{

constexpr std::size_t mostDescendants = 10000;

bool isGone(int error) { return error == ENOENT || error == ESRCH; }

// The children of one thread. False when they could not be read though the thread lives.
bool readChildren(const std::string &path, std::string &text)
{
    text.clear();
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return isGone(errno);
    }
    char buffer[4096];
    ssize_t n = 0;
    while ((n = ::read(fd, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    const bool good = n == 0 || isGone(errno);
    ::close(fd);
    return good;
}

// Appends the children of all threads of a process.
bool addChildren(pid_t parent, std::vector<pid_t> &all)
{
    const std::string threads = "/proc/" + std::to_string(parent) + "/task";
    DIR *folder = ::opendir(threads.c_str());
    if (!folder) {
        return isGone(errno);
    }
    bool good = true;
    std::string children;
    while (const dirent *entry = good ? ::readdir(folder) : nullptr) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        good = readChildren(threads + '/' + entry->d_name + "/children", children);
        const char *p = children.c_str();
        for (char *end = nullptr;; p = end) {
            const long pid = std::strtol(p, &end, 10);
            if (end == p) {
                break;
            }
            all.push_back(static_cast<pid_t>(pid));
        }
    }
    ::closedir(folder);
    return good;
}

bool kernelTells()
{
    static const bool tells = ::access("/proc/thread-self/children", R_OK) == 0;
    return tells;
}

} // namespace

std::optional<std::vector<pid_t>> descendantsOf(pid_t ancestor)
{
    std::vector<pid_t> all;
    bool good = kernelTells() && addChildren(ancestor, all);
    for (std::size_t i = 0; good && i < all.size(); ++i) {
        good = addChildren(all[i], all) && all.size() < mostDescendants;
    }
    return good ? std::optional(std::move(all)) : std::nullopt;
}

} // namespace trainyard::agent
