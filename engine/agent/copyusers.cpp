// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/copyusers.h"

#include "engine/agent/datacache.h"
#include "engine/agent/foldernames.h"
#include "engine/contract/codetree.h"
#include "engine/contract/datatree.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace trainyard::agent
{
namespace
{

std::string userPath(const std::string &folder, const std::string &tree, const std::string &engine)
{
    return folder + "/users/" + tree + '.' + engine;
}

bool isEngineName(const std::string &engine)
{
    return !engine.empty() && engine.front() != '.' && engine.find('/') == std::string::npos;
}

} // namespace

void noteCopyUser(const std::string &folder, const std::string &tree, const std::string &engine)
{
    if (!isEngineName(engine) || contract::makeFolders(folder + "/users") != 0) {
        return;
    }
    // Its name is all that it says: it is whole as soon as it is there.
    const int fd = ::open(
        userPath(folder, tree, engine).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd >= 0) {
        ::close(fd);
    }
}

std::set<std::string> copiesOfOthers(const std::string &folder, const std::string &engine)
{
    std::set<std::string> trees;
    forEachName(folder + "/users", [&](const std::string &name) {
        const std::size_t point = name.find('.');
        const std::string tree = name.substr(0, point);
        if (point == std::string::npos || !contract::isContentName(tree)) {
            return;
        }
        struct stat info {
        };
        if (::lstat((folder + "/trees/" + tree).c_str(), &info) != 0) {
            if (errno == ENOENT) {
                ::unlink((folder + "/users/" + name).c_str());
            }
        } else if (name.substr(point + 1) != engine) {
            trees.insert(tree);
        }
    });
    return trees;
}

void leaveCopies(const std::string &folder, const std::set<std::string> &trees, const std::string &engine)
{
    for (const std::string &tree : trees) {
        if (isEngineName(engine)) {
            ::unlink(userPath(folder, tree, engine).c_str());
        }
    }
}

std::int64_t bytesOfCopies(const std::string &folder, const std::set<std::string> &trees)
{
    std::int64_t bytes = 0;
    std::set<std::string> seen;
    for (const std::string &tree : trees) {
        const std::optional<std::string> text = contract::readWhole(folder + "/trees/" + tree, mostDataTree);
        const auto entries = text ? contract::parseCodeTree(*text) : std::nullopt;
        for (const contract::CodeEntry &entry : entries.value_or(std::vector<contract::CodeEntry>())) {
            struct stat info {
            };
            if (!entry.content.empty() && seen.insert(entry.content).second
                && ::lstat((folder + "/contents/" + contract::dataContentName(entry.content)).c_str(), &info) == 0) {
                bytes += static_cast<std::int64_t>(info.st_blocks) * 512;
            }
        }
    }
    return bytes;
}

} // namespace trainyard::agent
