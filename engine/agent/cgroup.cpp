// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/cgroup.h"

#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

namespace trainyard::agent
{
namespace
{

constexpr const char *groupPrefix = "trainyard-";
constexpr std::size_t uuidLength = 36;
constexpr std::int64_t forgottenSec = 60;
constexpr std::int64_t asNewBytes = 1 << 20; // a page cache or a page table that is still charged

bool writeText(const std::string &path, const std::string &text)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const bool good = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(fd);
    return good;
}

std::int64_t numberAfter(const std::string &text, const char *key)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t newline = std::min(text.find('\n', at), text.size());
        if (text.compare(at, std::strlen(key), key) == 0 && text[at + std::strlen(key)] == ' ') {
            return std::strtoll(text.c_str() + at + std::strlen(key), nullptr, 10);
        }
        at = newline + 1;
    }
    return -1;
}

// The counter of a group of version 2 or 1; -1 when the group does not tell.
std::int64_t oomKillsIn(const std::string &group)
{
    const std::int64_t kills = numberAfter(contract::readWhole(group + "/memory.events").value_or(""), "oom_kill");
    return kills >= 0 ? kills
                      : numberAfter(contract::readWhole(group + "/memory.oom_control").value_or(""), "oom_kill");
}

// The own group of a version 1 controller, or of version 2 (empty name), as a path in the file system; empty when there
// is none.
std::string ownGroup(const char *controller)
{
    const std::string text = contract::readWhole("/proc/self/cgroup").value_or("");
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t newline = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, newline - at);
        at = newline + 1;
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string names = ',' + line.substr(first + 1, second - first - 1) + ',';
        const std::string group = line.substr(second + 1);
        if (*controller == '\0' ? names == ",,"
                                : names.find(std::string(",") + controller + ',') != std::string::npos) {
            if (*controller != '\0') {
                return std::string("/sys/fs/cgroup/") + controller + (group == "/" ? "" : group);
            }
            const bool unified = ::access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
            return (unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified") + (group == "/" ? std::string() : group);
        }
    }
    return {};
}

bool hasController(const std::string &group, const char *name)
{
    const std::string names = ' ' + contract::readWhole(group + "/cgroup.subtree_control").value_or("") + ' ';
    for (const char end : {' ', '\n'}) {
        if (names.find(std::string(" ") + name + end) != std::string::npos) {
            return true;
        }
    }
    return false;
}

// Where groups of tasks can be made. It is the same for the agent and all its keepers, so it is looked up once.
struct Places {
    struct Unified {
        std::string parent;
        bool memory = false, cpu = false; // what it hands on
    };
    std::vector<Unified> unified;
    std::string memory, cpu; // of version 1
};

// Version 2 lets a group have processes or limited children, not both: the place is beside our own group.
Places findPlaces()
{
    Places places;
    const std::string own = ownGroup("");
    const std::size_t slash = own.rfind('/');
    for (const std::string &parent : {own, slash == std::string::npos ? std::string() : own.substr(0, slash)}) {
        if (parent.empty()) {
            continue;
        }
        const Places::Unified found{parent, hasController(parent, "memory"), hasController(parent, "cpu")};
        if (found.memory || found.cpu) {
            places.unified.push_back(found);
        }
    }
    places.memory = ownGroup("memory");
    places.cpu = ownGroup("cpu");
    return places;
}

const Places &places()
{
    static const Places found = findPlaces();
    return found;
}

bool isGroupName(std::string_view name)
{
    return name.starts_with(groupPrefix) && name.size() == std::strlen(groupPrefix) + uuidLength;
}

// Removes groups of keepers that were killed together with all that would have removed them. A group that was made just
// now may be about to get its first process; one with processes cannot be removed.
void removeForgotten(const std::string &parent)
{
    DIR *folder = ::opendir(parent.c_str());
    if (!folder) {
        return;
    }
    const std::int64_t now = ::time(nullptr);
    while (const dirent *entry = ::readdir(folder)) {
        const std::string path = parent + '/' + entry->d_name;
        struct stat info;
        if (isGroupName(entry->d_name) && ::stat(path.c_str(), &info) == 0 && info.st_uid == ::geteuid()
            && now - info.st_mtime > forgottenSec) {
            ::rmdir(path.c_str());
        }
    }
    ::closedir(folder);
}

// A group of version 1, or empty.
std::string makeGroup(const std::string &own, const std::string &name, const char *file, const std::string &value)
{
    if (own.empty()) {
        return {};
    }
    const std::string path = own + '/' + name;
    if (::mkdir(path.c_str(), 0755) != 0) {
        return {};
    }
    if (!value.empty() && !writeText(path + file, value)) {
        ::rmdir(path.c_str());
        return {};
    }
    return path;
}

} // namespace

void prepareTaskCgroups()
{
    std::vector<std::string> parents{places().memory, places().cpu};
    for (const Places::Unified &place : places().unified) {
        parents.push_back(place.parent);
    }
    for (const std::string &parent : parents) {
        if (!parent.empty()) {
            removeForgotten(parent);
        }
    }
}

bool TaskCgroup::createUnified(const std::string &name, std::int64_t memoryBytes, std::int64_t cpuWeight)
{
    for (const Places::Unified &place : places().unified) {
        const bool limits = memoryBytes > 0 && place.memory;
        const bool weighs = cpuWeight > 0 && place.cpu;
        if (!limits && !weighs) {
            continue;
        }
        const std::string path = place.parent + '/' + name;
        if (::mkdir(path.c_str(), 0755) != 0) {
            continue;
        }
        bool any = false;
        if (limits && writeText(path + "/memory.max", std::to_string(memoryBytes))) {
            writeText(path + "/memory.swap.max", "0");
            any = true;
        }
        if (weighs) {
            any = writeText(path + "/cpu.weight", std::to_string(std::clamp<std::int64_t>(cpuWeight, 1, 10000))) || any;
        }
        if (any) {
            m_memory = path;
            return true;
        }
        ::rmdir(path.c_str());
    }
    return false;
}

bool TaskCgroup::create(const std::string &tryUuid, std::int64_t memoryBytes, std::int64_t cpuWeight)
{
    const std::string name = groupPrefix + tryUuid;
    if (createUnified(name, memoryBytes, cpuWeight)) {
        return true;
    }
    if (memoryBytes > 0) {
        const std::string limit = std::to_string(memoryBytes);
        m_memory = makeGroup(places().memory, name, "/memory.limit_in_bytes", limit);
        if (!m_memory.empty()) {
            writeText(m_memory + "/memory.memsw.limit_in_bytes", limit);
        }
    }
    if (cpuWeight > 0) {
        constexpr std::int64_t ofNewGroups = 1024;
        const std::int64_t shares = std::clamp<std::int64_t>(cpuWeight * ofNewGroups / 100, 2, 262144);
        m_cpu = makeGroup(
            places().cpu, name, "/cpu.shares", shares == ofNewGroups ? std::string() : std::to_string(shares));
    }
    return !m_memory.empty() || !m_cpu.empty();
}

void TaskCgroup::takeOver(const std::string &paths)
{
    const std::size_t colon = paths.find(':');
    m_memory = paths.substr(0, colon);
    m_cpu = colon == std::string::npos ? std::string() : paths.substr(colon + 1);
    // The path comes from a file: nothing else is ever removed.
    for (std::string *path : {&m_memory, &m_cpu}) {
        const std::size_t slash = path->rfind('/');
        const bool isGroup = path->starts_with("/sys/fs/cgroup/") && path->find("/../") == std::string::npos
            && isGroupName(std::string_view(*path).substr(slash + 1));
        if (!isGroup) {
            path->clear();
        }
    }
}

std::string TaskCgroup::path() const { return m_cpu.empty() ? m_memory : m_memory + ':' + m_cpu; }

bool TaskCgroup::add(pid_t pid) const
{
    bool all = !m_memory.empty() || !m_cpu.empty();
    for (const std::string &path : {m_memory, m_cpu}) {
        all = (path.empty() || writeText(path + "/cgroup.procs", std::to_string(pid))) && all;
    }
    return all;
}

std::optional<bool> TaskCgroup::sawOomKill() const
{
    const std::int64_t kills = m_memory.empty() ? -1 : oomKillsIn(m_memory);
    return kills < 0 ? std::nullopt : std::optional(kills > 0);
}

bool TaskCgroup::isAsNew() const
{
    for (const std::string &path : {m_memory, m_cpu}) {
        if (!path.empty() && !contract::readWhole(path + "/cgroup.procs").value_or("?").empty()) {
            return false;
        }
    }
    if (m_memory.empty()) {
        return true;
    }
    std::optional<std::string> used = contract::readWhole(m_memory + "/memory.current");
    if (!used) {
        used = contract::readWhole(m_memory + "/memory.usage_in_bytes");
    }
    return used && std::strtoll(used->c_str(), nullptr, 10) <= asNewBytes && !sawOomKill().value_or(false);
}

void TaskCgroup::remove()
{
    for (std::string *path : {&m_memory, &m_cpu}) {
        if (!path->empty()) {
            ::rmdir(path->c_str());
            path->clear();
        }
    }
}

std::int64_t oomKillsAround()
{
    for (const std::string &group : {ownGroup(""), ownGroup("memory")}) {
        if (const std::int64_t kills = group.empty() ? -1 : oomKillsIn(group); kills >= 0) {
            return kills;
        }
    }
    return numberAfter(contract::readWhole("/proc/vmstat").value_or(""), "oom_kill");
}

std::int64_t cgroupMemoryLimit()
{
    std::int64_t least = 0;
    const auto consider = [&least](std::string group, const char *name) {
        while (group.starts_with("/sys/fs/cgroup/")) {
            const std::string text = contract::readWhole(group + name).value_or("");
            const std::int64_t limit = std::strtoll(text.c_str(), nullptr, 10);
            // Version 1 says "none" by a number near the greatest.
            if (limit > 0 && limit < (1ll << 60) && (least == 0 || limit < least)) {
                least = limit;
            }
            group.erase(group.rfind('/'));
        }
    };
    consider(ownGroup(""), "/memory.max");
    consider(ownGroup("memory"), "/memory.limit_in_bytes");
    return least;
}

} // namespace trainyard::agent
