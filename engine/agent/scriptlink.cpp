// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/scriptlink.h"

#include "engine/contract/taskfolder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace trainyard::agent
{
namespace
{

constexpr std::string_view scriptInMemory = "/dev/fd/9";

std::string linkNameIn(const std::string &folder) { return folder + '/' + contract::file::script; }

} // namespace

void makeScriptLink(const std::string &folder)
{
    if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) {
        static_cast<void>(!::symlink(scriptInMemory.data(), linkNameIn(folder).c_str()));
    }
}

void removeScriptLinks(const std::string &dir)
{
    // The last two are made by the script itself, in what the task sees as its folder.
    for (const std::string &name : {std::string(contract::file::sealed) + '/' + contract::file::script,
             std::string(contract::file::inside) + '/' + contract::file::script, std::string(contract::file::commands),
             std::string(contract::file::inside) + '/' + contract::file::commands}) {
        const std::string link = dir + '/' + name;
        char target[sizeof "/dev/fd/"] = {};
        if (::readlink(link.c_str(), target, sizeof target - 1) > 0 && std::string_view(target) == "/dev/fd/") {
            ::unlink(link.c_str());
        }
    }
}

std::string scriptLinkIn(const std::string &folder)
{
    std::string link = linkNameIn(folder);
    char target[scriptInMemory.size() + 1] = {};
    const ssize_t size = ::readlink(link.c_str(), target, sizeof target);
    const bool isOurs = size > 0 && std::string_view(target, static_cast<std::size_t>(size)) == scriptInMemory;
    // The descriptor is open in the task only. A file system may follow no links at all.
    const bool isFollowed = isOurs && (::access(link.c_str(), F_OK) == 0 || errno != ELOOP);
    return isFollowed ? link : std::string(scriptInMemory);
}

} // namespace trainyard::agent
