// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/swappable.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <vector>

namespace trainyard::contract
{
namespace
{

constexpr int mostFolderLinks = 40; // as the kernel has it

// Those of the path, in front of others.
void putPartsBefore(const std::string &path, std::deque<std::string> &rest)
{
    std::deque<std::string> parts;
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        if (end > at && path.compare(at, end - at, ".") != 0) {
            parts.push_back(path.substr(at, end - at));
        }
        at = end + 1;
    }
    rest.insert(rest.begin(), parts.begin(), parts.end());
}

} // namespace

FolderPart partOnDisk(const std::string &path)
{
    FolderPart part;
    struct stat info = {};
    if (::lstat(path.c_str(), &info) != 0) {
        part.error = errno;
        return part;
    }
    part.owner = info.st_uid;
    part.mode = info.st_mode;
    if (S_ISLNK(info.st_mode)) {
        char target[PATH_MAX];
        const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
        part.error = length > 0 ? 0 : errno;
        part.target.assign(target, length > 0 ? std::size_t(length) : 0);
    }
    return part;
}

std::optional<SwappableFolder> swappableFolder(const std::string &folder, uid_t user, const LookAtPart &lookAt)
{
    const FolderPart root = lookAt("/");
    // In a container the one that root is there may have another number here.
    const auto isTrusted
        = [user, system = root.owner](uid_t owner) { return owner == 0 || owner == user || owner == system; };
    std::deque<std::string> rest;
    putPartsBefore(folder, rest);
    struct Walked {
        std::string path; // the root is empty
        bool isOpen; // everybody may put something into it; what is there is its owner's
    };
    std::vector<Walked> walked{{"", (root.mode & S_IWOTH) != 0}};
    for (int links = 0; !rest.empty();) {
        const std::string name = rest.front();
        rest.pop_front();
        if (name == "..") {
            if (walked.size() > 1) {
                walked.pop_back();
            }
            continue;
        }
        const std::string path = walked.back().path + '/' + name;
        const FolderPart part = lookAt(path);
        if (part.error != 0) {
            return std::nullopt; // its maker or user gets the error
        }
        if (S_ISLNK(part.mode)) {
            if (walked.back().isOpen && !isTrusted(part.owner)) {
                return SwappableFolder{path, "link"};
            }
            if (++links > mostFolderLinks) {
                return std::nullopt;
            }
            if (part.target.starts_with('/')) {
                walked.resize(1);
            }
            putPartsBefore(part.target, rest);
            continue;
        }
        if (!isTrusted(part.owner)) {
            return SwappableFolder{path, "owner"};
        }
        const bool isOpen = S_ISDIR(part.mode) && (part.mode & S_IWOTH) != 0;
        if (isOpen && (part.mode & S_ISVTX) == 0) {
            return SwappableFolder{path, "mode"};
        }
        walked.push_back({path, isOpen});
    }
    return std::nullopt;
}

} // namespace trainyard::contract
