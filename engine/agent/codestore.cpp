// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/codestore.h"

#include "engine/agent/copyusers.h"
#include "engine/agent/filecopy.h"
#include "engine/agent/filestore.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/contract/codetree.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/removetree.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <set>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostMissing = 4000; // told at a time, which fits into a message

contract::CodeReply failed(const std::string &about, int error)
{
    contract::CodeReply reply;
    reply.state = "failed";
    reply.about = about;
    reply.systemError = error;
    return reply;
}

int copyFile(const std::string &from, const std::string &to, const contract::CodeEntry &entry)
{
    const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (source < 0) {
        return errno;
    }
    const mode_t mode = (entry.isExecutable ? 0755 : 0644) & (entry.isPrivate ? 0700 : 0777);
    const int copy = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    int error = copy < 0 ? errno : copyBytes(source, copy, entry.bytes);
    ::close(source);
    if (copy >= 0 && ::close(copy) != 0 && error == 0) {
        error = errno; // a file server tells it here
    }
    return error;
}

// Copies the entries into a new folder. 0 or errno; `at` is then the entry that it failed at.
int makeTree(const std::string &stateFolder, const std::string &dir, const std::vector<contract::CodeEntry> &entries,
    std::size_t &at)
{
    std::set<std::string> made;
    for (at = 0; at < entries.size(); ++at) {
        const contract::CodeEntry &entry = entries[at];
        const std::string path = dir + '/' + entry.path;
        int error = makeParents(dir, entry.path, made);
        if (error == 0 && !entry.content.empty()) {
            error = copyFile(contract::codeContentPath(stateFolder, entry.content), path, entry);
        } else if (error == 0 && ::symlink(entry.target.c_str(), path.c_str()) != 0) {
            error = errno;
        }
        if (error != 0) {
            return error;
        }
    }
    return 0;
}

bool hasContent(const std::string &stateFolder, const contract::CodeEntry &entry)
{
    struct stat info;
    return ::stat(contract::codeContentPath(stateFolder, entry.content).c_str(), &info) == 0
        && static_cast<std::uint64_t>(info.st_size) == entry.bytes;
}

struct Sweep {
    std::int64_t nowMs = 0;
    std::function<bool(const std::string &treeName)> isOver;
    std::function<bool(const std::string &contentPath)> mayGo;
    std::function<bool(const std::string &partName)> isPartOver = {}; // before a day has passed
};

// Removes the trees that are over, of the contents that no other tree has those that may go, and parts of both.
void sweepCode(const std::string &code, const Sweep &sweep)
{
    std::set<std::string> used;
    removeOldParts(code + "/trees", sweep.nowMs, sweep.isPartOver);
    forEachName(code + "/trees", [&](const std::string &name) {
        const std::string path = code + "/trees/" + name;
        if (!contract::isContentName(name)) {
            return; // another engine is sending it
        }
        if (sweep.isOver(name)) {
            ::unlink(path.c_str());
            return;
        }
        const std::optional<std::string> text = contract::readWhole(path, contract::longestCodeTree);
        const auto entries = text ? contract::parseCodeTree(*text) : std::nullopt;
        for (const contract::CodeEntry &entry : entries.value_or(std::vector<contract::CodeEntry>())) {
            used.insert(entry.content);
        }
    });
    forEachName(code + "/contents", [&](const std::string &group) {
        const std::string folder = code + "/contents/" + group;
        removeOldParts(folder, sweep.nowMs, sweep.isPartOver);
        forEachName(folder, [&](const std::string &name) {
            const std::string path = folder + '/' + name;
            if (contract::isContentName(name) && !used.contains(name) && sweep.mayGo(path)) {
                ::unlink(path.c_str());
            }
        });
    });
}

} // namespace

contract::CodeReply makeCodeFolder(const std::string &stateFolder, const contract::Code &request)
{
    contract::CodeReply reply;
    const std::string root = stateFolder + "/remote/";
    const bool wantsFolder = !request.dir.empty();
    if (wantsFolder && (!request.dir.starts_with(root) || !isPlainPath(request.dir))) {
        return failed(request.dir, EPERM);
    }
    reply.state = "ready";
    if (wantsFolder && contract::isRealFolderAt(request.dir)) {
        return reply;
    }
    reply.state = "unknown";
    if (!contract::isContentName(request.tree)) {
        return reply;
    }
    const std::string treePath = contract::codeTreePath(stateFolder, request.tree);
    const std::optional<std::string> text = contract::readWhole(treePath, contract::longestCodeTree);
    if (!text) {
        return reply;
    }
    const std::optional<std::vector<contract::CodeEntry>> entries = contract::parseCodeTree(*text);
    if (!entries) {
        ::unlink(treePath.c_str()); // to be put again
        return reply;
    }
    ::utimensat(AT_FDCWD, treePath.c_str(), nullptr, 0); // tidyCode() leaves it
    noteCopyUser(stateFolder + "/code", request.tree, request.engine);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < entries->size() && reply.missing.size() < mostMissing; ++i) {
        const contract::CodeEntry &entry = (*entries)[i];
        if (!entry.content.empty() && seen.insert(entry.content).second && !hasContent(stateFolder, entry)) {
            reply.missing.push_back(static_cast<int>(i));
        }
    }
    if (!reply.missing.empty()) {
        reply.state = "missing";
        return reply;
    }
    if (!wantsFolder) {
        reply.state = "ready";
        return reply;
    }
    const std::string part = request.dir + ".part" + std::to_string(::getpid());
    contract::removeTree(part); // of a process with the same number that was killed
    int error = contract::makeFolders(part);
    const HeldPart held(part);
    std::string about = part;
    if (error == 0) {
        std::size_t at = 0;
        error = makeTree(stateFolder, part, *entries, at);
        if (error == ENOENT && !(*entries)[at].content.empty() && !hasContent(stateFolder, (*entries)[at])) {
            contract::removeTree(part);
            reply.state = "missing"; // another agent has just tidied up
            reply.missing.push_back(static_cast<int>(at));
            return reply;
        }
        about += error != 0 ? '/' + (*entries)[at].path : "";
    }
    if (error == 0
        && contract::isRealFolderAt(request.dir)) { // another process was faster, and its task may have changed files
        contract::removeTree(part);
        reply.state = "ready";
        return reply;
    }
    if (error == 0) {
        // Without it, it cannot be told what is new in the folder, but the task can work there all the same.
        static_cast<void>(contract::writeAtomically(contract::codeSentPath(request.dir), *text, false));
    }
    if (error == 0 && ::rename(part.c_str(), request.dir.c_str()) != 0) {
        error = contract::isRealFolderAt(request.dir) ? 0 : errno; // another process was faster
        // Ours may be younger than what its task has changed, which would then count as sent: rather all counts as new.
        ::unlink(contract::codeSentPath(request.dir).c_str());
        about = request.dir;
        contract::removeTree(part);
    }
    if (error != 0) {
        contract::removeTree(part);
        return failed(about, error);
    }
    reply.state = "ready";
    return reply;
}

void tidyCode(const std::string &stateFolder, std::int64_t nowMs, int days, bool force)
{
    constexpr std::int64_t dayMs = 24 * 3600 * 1000;
    const std::string code = stateFolder + "/code";
    const std::string mark = code + "/tidied";
    const auto ageOf = [nowMs](const std::string &path) {
        struct stat info;
        return ::lstat(path.c_str(), &info) == 0 ? nowMs - static_cast<std::int64_t>(info.st_mtime) * 1000 : -1;
    };
    if (!contract::isRealFolderAt(code)) {
        return;
    }
    const std::int64_t since = ageOf(mark);
    if (!force && since >= 0 && since < dayMs) {
        return;
    }
    static_cast<void>(contract::writeAtomically(mark, "", false));
    // The tree of contents that have just come may still be on its way.
    sweepCode(code,
        {nowMs, [&](const std::string &tree) { return ageOf(code + "/trees/" + tree) >= days * dayMs; },
            [&](const std::string &content) { return force || ageOf(content) >= dayMs; }});
    static_cast<void>(copiesOfOthers(code, {})); // removes the notes of what has gone
}

void removeCode(const std::string &stateFolder, const std::string &engine)
{
    const std::string code = stateFolder + "/code";
    const std::set<std::string> others = copiesOfOthers(code, engine);
    if (others.empty()) {
        contract::removeTree(code + "/trees"); // before the contents that they name: what is missing is asked for again
        contract::removeTree(code);
        return;
    }
    leaveCopies(code, others, engine);
    sweepCode(code,
        {utcMs(), [&](const std::string &tree) { return !others.contains(tree); },
            [](const std::string &) { return true; },
            [&](const std::string &part) { return isPartOfWriter(part, engine); }});
    static_cast<void>(copiesOfOthers(code, engine));
}

} // namespace trainyard::agent
