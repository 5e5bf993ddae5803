// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/taskfiles.h"

#include "engine/agent/enginefolder.h"
#include "engine/contract/codetree.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

namespace trainyard::agent
{
namespace
{

constexpr int mostLevels = 64;
constexpr std::int64_t mostLooked = 500000; // folders and files
constexpr std::size_t roomOfList = contract::maxPayload - 64 * 1024;

struct FileWalk {
    const contract::ListFiles &wanted;
    contract::FileList &found;
    std::int64_t looked = 0;
    std::unordered_map<std::string, std::uint64_t> sent; // bytes, by path
    std::int64_t sentNs = 0; // when all of these were there
};

// A copy of an earlier version does not say what was sent: all of it counts as new then.
void noteSent(FileWalk &walk)
{
    const std::string path = contract::codeSentPath(walk.wanted.dir);
    struct stat info;
    const std::optional<std::string> text = contract::readWhole(path, contract::longestCodeTree);
    const auto entries = text && ::lstat(path.c_str(), &info) == 0 ? contract::parseCodeTree(*text) : std::nullopt;
    if (!entries) {
        return;
    }
    walk.sentNs = contract::changedNsOf(info);
    for (const contract::CodeEntry &entry : *entries) {
        if (!entry.content.empty()) {
            walk.sent.emplace(entry.path, entry.bytes);
        }
    }
}

// A program may give a file the time of another one, but hardly its name and its size as well.
bool isAsSent(const FileWalk &walk, const std::string &path, const struct stat &info)
{
    const auto it = walk.sent.find(path);
    return it != walk.sent.end() && it->second == static_cast<std::uint64_t>(info.st_size)
        && contract::changedNsOf(info) <= walk.sentNs;
}

bool isPartOfOurs(const std::string &path)
{
    return path.compare(path.rfind('/') + 1, sizeof ".trainyard" - 1, ".trainyard") == 0;
}

// The way of a link that stays below the folder, as it is from where the link is; of any other nothing.
std::string innerTarget(const std::string &dir, const std::string &path, const std::string &target)
{
    const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    std::string up, rest = target;
    if (target.starts_with(dir + '/')) {
        rest = target.substr(dir.size() + 1);
        for (std::size_t i = 0; i < depth; ++i) {
            up += "../";
        }
    }
    for (std::size_t i = 0; target[0] != '/' && rest.starts_with("../"); ++i) {
        if (i == depth) {
            return {};
        }
        up += "../";
        rest.erase(0, 3);
    }
    return contract::isPlainFilePath(rest) ? up + rest : std::string();
}

void noteLink(FileWalk &walk, int folder, const std::string &name, const std::string &path)
{
    constexpr std::size_t longest = 4096, longestTold = 200;
    char text[longest];
    const ssize_t length = ::readlinkat(folder, name.c_str(), text, sizeof text);
    const bool isWhole = length > 0 && static_cast<std::size_t>(length) < longest;
    const std::string target = isWhole
        ? innerTarget(walk.wanted.dir, path, std::string(text, static_cast<std::size_t>(length)))
        : std::string();
    const bool isTold = !target.empty() && target.size() <= longestTold && path.size() <= longestTold
        && walk.found.linkPaths.size() < contract::mostTellableLinks && contract::isPlainFilePath(path);
    if (isTold) {
        walk.found.linkPaths.push_back(path);
        walk.found.linkTargets.push_back(target);
    }
}

void noteFile(FileWalk &walk, const std::string &path, const struct stat &info)
{
    if (walk.wanted.everything ? isPartOfOurs(path) : !contract::matchesAnyGlob(walk.wanted.globs, path)) {
        return;
    }
    if (S_ISLNK(info.st_mode)) {
        ++walk.found.links;
    } else if (!S_ISREG(info.st_mode)) {
        ++walk.found.others;
    } else if (!contract::isPlainFilePath(path)) {
        ++walk.found.oddNames;
    } else if (isAsSent(walk, path, info)) {
        ++walk.found.sent;
    } else if (path > walk.wanted.after) {
        walk.found.files.push_back({path, static_cast<std::uint64_t>(info.st_size), contract::changedNsOf(info),
            (info.st_mode & S_IXUSR) != 0});
    }
}

// An incomplete list would look like a complete one. Files that have disappeared or changed their type meanwhile are
// not errors, and neither are folders that a file system has for its own repair.
void noteUnreadable(FileWalk &walk, const std::string &path, int error)
{
    const bool isOfFileSystem = path.substr(path.rfind('/') + 1) == "lost+found";
    const bool isNone = error == ENOENT || error == ELOOP || error == ENOTDIR || isOfFileSystem;
    if (walk.found.unreadable.empty() && !isNone) {
        walk.found.unreadable = path.empty() ? "." : contract::isPlainFilePath(path) ? path : "?";
        walk.found.unreadableError = error;
    }
}

// Takes the descriptor.
void walkFolder(FileWalk &walk, int folder, const std::string &path, int level)
{
    DIR *open = ::fdopendir(folder);
    if (!open) {
        noteUnreadable(walk, path, errno);
        ::close(folder);
        return;
    }
    while (true) {
        errno = 0;
        const dirent *entry = ::readdir(open);
        if (!entry) {
            if (errno != 0) {
                noteUnreadable(walk, path, errno);
            }
            break;
        }
        const std::string name = entry->d_name;
        if (name == "." || name == "..") {
            continue;
        }
        if (++walk.looked > mostLooked) {
            walk.found.isWhole = false;
            break;
        }
        const std::string below = path.empty() ? name : path + '/' + name;
        struct stat info;
        if (::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
            noteUnreadable(walk, path, errno); // but most often it has gone
            continue;
        }
        if (!S_ISDIR(info.st_mode)) {
            noteFile(walk, below, info);
            if (S_ISLNK(info.st_mode) && walk.wanted.everything) {
                noteLink(walk, folder, name, below);
            }
            continue;
        }
        if (!walk.wanted.everything && !contract::mayMatchBelow(walk.wanted.globs, below)) {
            continue;
        }
        if (level == mostLevels) {
            walk.found.isWhole = false;
            continue;
        }
        const int inner = ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            walkFolder(walk, inner, below, level + 1);
        } else {
            noteUnreadable(walk, below, errno);
        }
    }
    ::closedir(open);
}

// The file at the end of a way on which no link is; below zero: errno says why not.
int openBelow(const std::string &dir, const std::string &path)
{
    int folder = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::size_t from = 0;
    while (folder >= 0) {
        const std::size_t slash = path.find('/', from);
        const bool isLast = slash == std::string::npos;
        const std::string name = path.substr(from, isLast ? slash : slash - from);
        // Opening a file that has become a pipe does not block.
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (isLast ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY);
        const int inner = ::openat(folder, name.c_str(), flags);
        const int error = errno;
        ::close(folder);
        errno = error;
        if (isLast) {
            return inner;
        }
        folder = inner;
        from = slash + 1;
    }
    return -1;
}

} // namespace

contract::FileList listFiles(const contract::ListFiles &request)
{
    contract::FileList found;
    const int folder = ::open(request.dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        found.systemError = lookError(request.dir, errno);
        return found;
    }
    FileWalk walk{request, found, 0, {}, 0};
    if (request.madeOnly) {
        noteSent(walk);
    }
    walkFolder(walk, folder, {}, 1);
    std::sort(found.files.begin(), found.files.end(),
        [](const contract::FileEntry &a, const contract::FileEntry &b) { return a.path < b.path; });
    constexpr std::size_t numbers = 48; // of an entry, beside its path
    std::size_t room = roomOfList;
    for (std::size_t i = 0; i < found.files.size(); ++i) {
        const std::size_t needed = found.files[i].path.size() + numbers;
        if (needed > room) {
            found.files.resize(i);
            found.isCut = true;
            break;
        }
        room -= needed;
    }
    return found;
}

int openTaskFile(const std::string &dir, const std::string &path)
{
    if (!contract::isPlainFilePath(path)) {
        errno = EPERM;
        return -1;
    }
    const int file = openBelow(dir, path);
    struct stat info;
    if (file >= 0 && (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode))) {
        ::close(file);
        errno = EINVAL;
        return -1;
    }
    return file;
}

contract::Piece readPiece(const contract::ReadPiece &request)
{
    contract::Piece piece;
    const int file = openTaskFile(request.dir, request.path);
    if (file < 0) {
        piece.systemError = lookError(request.dir, errno);
        return piece;
    }
    struct stat info;
    piece.bytes.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(request.bytes, 0, contract::mostPieceBytes)));
    std::size_t done = 0;
    while (done < piece.bytes.size()) {
        const ssize_t n = ::pread(
            file, piece.bytes.data() + done, piece.bytes.size() - done, static_cast<off_t>(request.offset + done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            piece.systemError = errno;
        }
        if (n <= 0) {
            break;
        }
        done += static_cast<std::size_t>(n);
    }
    piece.bytes.resize(done);
    // As it is now: a change while it was read shows.
    if (::fstat(file, &info) == 0) {
        piece.size = static_cast<std::uint64_t>(info.st_size);
        piece.changedNs = contract::changedNsOf(info);
    }
    ::close(file);
    return piece;
}

} // namespace trainyard::agent
