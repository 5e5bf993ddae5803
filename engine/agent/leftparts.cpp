// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leftparts.h"

#include "engine/agent/foldernames.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/removetree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace trainyard::agent
{
namespace
{

int openFolder(const std::string &path)
{
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The process that made a part of this name.
std::optional<pid_t> makerOf(std::string_view name)
{
    constexpr std::string_view ending = ".part";
    const std::size_t at = name.rfind(ending);
    if (at == std::string_view::npos || at == 0) {
        return std::nullopt;
    }
    const std::string_view number = name.substr(at + ending.size());
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), pid);
    const bool isNumber = !number.empty() && error == std::errc() && end == number.data() + number.size();
    return isNumber && pid > 0 ? std::optional(pid) : std::nullopt;
}

void removeIfLeft(const std::string &path, std::string_view name)
{
    const std::optional<pid_t> maker = makerOf(name);
    if (!maker || ::kill(*maker, 0) == 0 || errno != ESRCH) {
        return;
    }
    const int folder = openFolder(path);
    struct stat info {
    };
    // The maker may be in a container, where its number is another one.
    const bool isLeft = folder >= 0 && ::fstat(folder, &info) == 0 && info.st_uid == ::geteuid()
        && (::flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
    if (isLeft) {
        contract::removeTree(path);
    }
    if (folder >= 0) {
        ::close(folder);
    }
}

} // namespace

HeldPart::HeldPart(const std::string &part) : m_folder(openFolder(part))
{
    if (m_folder >= 0) {
        ::flock(m_folder, LOCK_EX | LOCK_NB); // where the file system has no locks, the number has to do
    }
}

HeldPart::~HeldPart()
{
    if (m_folder >= 0) {
        ::close(m_folder);
    }
}

void removeOldParts(
    const std::string &folder, std::int64_t nowMs, const std::function<bool(const std::string &name)> &isOver)
{
    constexpr std::int64_t dayMs = 24 * 3600 * 1000;
    std::vector<std::string> names;
    DIR *all = ::opendir(folder.c_str());
    while (const dirent *entry = all ? ::readdir(all) : nullptr) {
        // The first by storePiece(), the others by putPiece(), which are not continued.
        if (const std::string name = entry->d_name; name.starts_with(".trainyard-") || makerOf(name)) {
            names.push_back(name);
        }
    }
    if (all) {
        ::closedir(all);
    }
    for (const std::string &name : names) {
        const std::string path = folder + '/' + name;
        struct stat info {
        };
        const bool isThere = ::lstat(path.c_str(), &info) == 0;
        const bool isOld = isThere && nowMs - static_cast<std::int64_t>(info.st_mtime) * 1000 > dayMs;
        if (!isThere || (!isOld && !(isOver && isOver(name)))) {
            continue;
        }
        if (S_ISDIR(info.st_mode)) {
            contract::removeTree(path);
        } else {
            ::unlink(path.c_str());
        }
    }
}

void removeLeftParts(const std::string &stateFolder)
{
    const std::string remote = stateFolder + "/remote";
    forEachName(remote, [&](const std::string &engine) {
        const std::string jobs = remote + '/' + engine;
        if (!contract::isRealFolderAt(jobs)) {
            return;
        }
        forEachName(jobs, [&](const std::string &job) {
            const std::string folder = jobs + '/' + job;
            if (!contract::isRealFolderAt(folder)) {
                return;
            }
            forEachName(folder, [&](const std::string &name) {
                if (name.starts_with("code-")) {
                    removeIfLeft(folder + '/' + name, name);
                }
            });
        });
    });
    const std::string root = contract::dataFolder(stateFolder), data = root + "/folders";
    if (contract::isRealFolderAt(data) && !contract::isSharedData(root)) { // else the numbers are of any host
        forEachName(data, [&](const std::string &name) { removeIfLeft(data + '/' + name, name); });
    }
}

} // namespace trainyard::agent
