// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/storagelinks.h"

#include "engine/agent/pump.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <optional>

namespace trainyard::agent
{

namespace
{

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

std::string lineOf(const std::string &path) { return firstLine(contract::readWhole(path, 64 * 1024).value_or("")); }

std::string targetOf(const std::string &link)
{
    std::array<char, PATH_MAX> buffer{};
    const ssize_t size = ::readlink(link.c_str(), buffer.data(), buffer.size());
    return size > 0 ? std::string(buffer.data(), std::size_t(size)) : std::string();
}

// A try whose keeper was lost with the host's power has no exit record.
bool isRunning(const std::string &tryFolder)
{
    if (contract::readExitRecord(tryFolder)) {
        return false;
    }
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(tryFolder);
    return keeper && contract::isAlive(keeper->process);
}

// It may not be whole yet. On a full disk it stays so.
bool isFresh(const std::string &path)
{
    constexpr std::int64_t longestMs = 60'000;
    struct stat info {
    };
    return ::lstat(path.c_str(), &info) == 0 && utcMs() - static_cast<std::int64_t>(info.st_mtime) * 1000 < longestMs;
}

// A user that is just being written, as a task of an earlier version does it in its place.
bool isBeingWritten(const std::string &path, const std::string &text)
{
    return (text.empty() || text.back() != '\n') && isFresh(path);
}

// The folder that a running user shows at the place, empty where that is not known; those that have ended are
// forgotten.
std::optional<std::string> runningUser(const std::string &users)
{
    DIR *const folder = ::opendir(users.c_str());
    if (!folder) {
        return std::nullopt;
    }
    std::optional<std::string> target;
    while (const dirent *const entry = ::readdir(folder)) {
        const std::string name = entry->d_name;
        const std::string path = users + '/' + name;
        if (name[0] == '.') { // no user yet, or what is left of one that could not be written
            if (name != "." && name != ".." && !isFresh(path)) {
                ::unlink(path.c_str());
            }
            continue;
        }
        const std::string text = contract::readWhole(path, 64 * 1024).value_or("");
        const std::string tryFolder = firstLine(text);
        if (isBeingWritten(path, text)) {
            target = target.value_or(std::string());
        } else if (isRunning(tryFolder)) {
            target = tryFolder.size() < text.size() ? firstLine(text.substr(tryFolder.size() + 1)) : std::string();
        } else {
            ::unlink(path.c_str());
        }
    }
    ::closedir(folder);
    return target;
}

void release(const std::string &book, const std::string &tryUuid)
{
    const std::string users = book + "/users";
    ::unlink((users + '/' + tryUuid).c_str());
    if (runningUser(users)) {
        return;
    }
    const std::string place = lineOf(book + "/place");
    const std::string target = lineOf(book + "/target");
    if (!target.empty() && targetOf(place) == target) {
        ::unlink(place.c_str());
        ::unlink((book + "/target").c_str());
    }
    // Another task started in between and has seen the link as it was.
    if (const std::optional<std::string> late = runningUser(users); late && *late == target && !target.empty()) {
        if (::symlink(target.c_str(), place.c_str()) == 0) {
            contract::writeAtomically(book + "/target", target + '\n', false);
        }
        return;
    }
    ::rmdir(users.c_str());
}

} // namespace

void releaseStorageLinks(const std::string &tryUuid)
{
    const std::string books = contract::readWhole("links").value_or("");
    for (std::size_t at = 0; at < books.size();) {
        const std::string book = firstLine(books.substr(at));
        at += book.size() + 1;
        if (!book.empty() && book[0] == '/' && !tryUuid.empty()) {
            release(book, tryUuid);
        }
    }
}

} // namespace trainyard::agent
