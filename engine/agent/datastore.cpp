// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/datastore.h"

#include "engine/agent/copyusers.h"
#include "engine/agent/datacache.h"
#include "engine/agent/datashare.h"
#include "engine/agent/filecopy.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/contract/datatree.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/sha256.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostToldMissing = 4000; // which fit into a message

using Entries = std::vector<contract::CodeEntry>;

contract::DataReply dataState(const char *state, const std::string &about = {}, int error = 0)
{
    contract::DataReply reply;
    reply.state = state;
    reply.about = about;
    reply.systemError = error;
    return reply;
}

// Names of a content cannot be written to, so another time or size shows that the file was changed on purpose.
bool isIntact(const std::string &path, const contract::CodeEntry &entry)
{
    struct stat info {
    };
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)
        && static_cast<std::uint64_t>(info.st_size) == entry.bytes
        && contract::changedNsOf(info) == contract::dataChangedNs;
}

mode_t readOnly(mode_t mode)
{
    const mode_t hidden = ::umask(0);
    ::umask(hidden);
    return mode & ~hidden;
}

// Where the file system has no second names, or no more of them, it is a copy.
int nameContent(const std::string &content, const std::string &path, const contract::CodeEntry &entry)
{
    ::chmod(content.c_str(), readOnly(0444));
    if (::link(content.c_str(), path.c_str()) == 0) {
        return 0;
    }
    if (errno != EMLINK && errno != EPERM && errno != EXDEV && errno != EOPNOTSUPP && errno != ENOSYS) {
        return errno;
    }
    const int source = ::open(content.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const int copy
        = source < 0 ? -1 : ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readOnly(0444) | S_IWUSR);
    int error = copy < 0 ? errno : copyBytes(source, copy, entry.bytes);
    if (source >= 0) {
        ::close(source);
    }
    if (copy >= 0) {
        error = ::fchmod(copy, readOnly(0444)) != 0 && error == 0 ? errno : error;
        error = ::close(copy) != 0 && error == 0 ? errno : error;
    }
    return error;
}

// 0 or errno; `at` is then a path.
int makeDataFolder(const std::string &contents, const std::string &folder, const Entries &entries, std::string &at)
{
    const std::string part = folder + ".part" + std::to_string(::getpid());
    removeDataTree(part); // of a process with the same number that was killed
    at = part;
    if (const int error = contract::makeFolders(part); error != 0) {
        return error;
    }
    const HeldPart held(part);
    std::set<std::string> made;
    int error = 0;
    for (auto entry = entries.begin(); entry != entries.end() && error == 0; ++entry) {
        at = part + '/' + entry->path;
        error = makeParents(part, entry->path, made);
        if (error == 0 && entry->content.empty()) {
            error = ::symlink(entry->target.c_str(), at.c_str()) != 0 ? errno : 0;
        } else if (error == 0) {
            error = nameContent(contents + '/' + contract::dataContentName(entry->content), at, *entry);
        }
    }
    for (const std::string &inner : made) {
        ::chmod(inner.c_str(), readOnly(0555));
    }
    ::chmod(part.c_str(), readOnly(0555));
    if (error == 0 && ::rename(part.c_str(), folder.c_str()) != 0) {
        error = contract::isRealFolderAt(folder) ? 0 : errno; // another process was faster
        at = folder;
    }
    if (contract::isRealFolderAt(part)) {
        removeDataTree(part);
    }
    return error;
}

// Whether the missing contents fit, after others have gone for them.
contract::DataReply makeRoom(const std::string &root, const contract::Data &request, std::int64_t needed)
{
    DataCache cache(root);
    constexpr std::int64_t spareBytes = std::int64_t(1) << 30, spareShare = 20;
    bool isFull = false, isCrowded = false;
    // `freed` is what is assumed to be removed.
    const auto look = [&](std::int64_t freed) {
        struct statvfs space {
        };
        const bool isKnown = ::statvfs(root.c_str(), &space) == 0;
        const auto unit = static_cast<std::int64_t>(space.f_frsize);
        const std::int64_t spare = std::min(spareBytes, unit * static_cast<std::int64_t>(space.f_blocks) / spareShare);
        isFull = cache.bytes() - freed + needed > request.limitBytes;
        isCrowded = isKnown && unit * static_cast<std::int64_t>(space.f_bavail) + freed < needed + spare;
        return !isFull && !isCrowded;
    };
    // What does not fit even without the others takes none of them away.
    if (!look(0) && look(cache.removableBytes(request.tree))) {
        while (!look(0) && cache.removeOldest(request.tree)) { }
    }
    contract::DataReply reply = dataState(isFull ? "full" : isCrowded ? "no-room" : "missing");
    reply.bytes = needed;
    return reply;
}

contract::DataReply lookAtCopy(const std::string &stateFolder, const contract::Data &request)
{
    if (!contract::isContentName(request.tree)) {
        return dataState("failed", request.tree, EINVAL);
    }
    const std::string treePath = contract::dataTreePath(stateFolder, request.tree);
    const std::optional<std::string> text = contract::readWhole(treePath, mostDataTree);
    if (!text) {
        return dataState("unknown");
    }
    const std::optional<Entries> entries = contract::parseCodeTree(*text);
    if (!entries) {
        ::unlink(treePath.c_str()); // to be put again
        return dataState("unknown");
    }
    ::utimensat(AT_FDCWD, treePath.c_str(), nullptr, 0); // it is the last one to go
    const std::string root = contract::dataFolder(stateFolder);
    if (request.cache.empty()) {
        noteCopyUser(root, request.tree, request.engine);
    }
    const std::string contents = contract::dataContentsFolder(stateFolder);
    const std::string folder = root + "/folders/" + request.tree;
    std::set<std::string> seen;
    std::vector<int> missing;
    std::int64_t needed = 0;
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const contract::CodeEntry &entry = (*entries)[i];
        if (entry.content.empty() || !seen.insert(entry.content).second
            || isIntact(contents + '/' + contract::dataContentName(entry.content), entry)) {
            continue;
        }
        // A changed file would be kept as a newer one.
        ::unlink((contents + '/' + contract::dataContentName(entry.content)).c_str());
        needed += static_cast<std::int64_t>(entry.bytes);
        if (missing.size() < mostToldMissing) {
            missing.push_back(static_cast<int>(i));
        }
    }
    if (!missing.empty()) {
        removeDataTree(folder); // whose names of these contents are of others
        contract::DataReply reply = makeRoom(root, request, needed);
        if (reply.state == "missing") {
            reply.missing = std::move(missing);
        }
        return reply;
    }
    std::string at;
    if (const int error = contract::isRealFolderAt(folder) ? 0 : makeDataFolder(contents, folder, *entries, at);
        error != 0) {
        return dataState(error == ENOENT ? "busy" : "failed", at, error);
    }
    contract::DataReply reply = dataState("ready");
    reply.place = folder;
    return reply;
}

// Empty, and errno: it cannot be read.
std::string sumOfContents(const std::string &path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return {};
    }
    contract::Sha256 sum;
    std::string buffer(256 << 10, '\0');
    ssize_t n = 0;
    while ((n = ::read(file, buffer.data(), buffer.size())) > 0 || (n < 0 && errno == EINTR)) {
        sum.add(std::string_view(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, n))));
    }
    const int error = errno;
    ::close(file);
    errno = error;
    return n < 0 ? std::string() : sum.hex();
}

contract::DataReply lookAtPlace(const contract::Data &request)
{
    struct stat info {
    };
    if (::stat(request.path.c_str(), &info) != 0) {
        const bool isAbsent = errno == ENOENT || errno == ENOTDIR;
        return dataState(isAbsent ? "absent" : "unreadable", request.path, errno);
    }
    if (::access(request.path.c_str(), S_ISDIR(info.st_mode) ? R_OK | X_OK : R_OK) != 0) {
        return dataState("unreadable", request.path, errno);
    }
    contract::DataReply reply = dataState("ready");
    reply.place = request.path;
    if (request.sum.empty()) {
        return reply;
    }
    const contract::DataFiles files = contract::dataFilesAt(request.path);
    if (!files.problem.empty()) {
        return dataState("unreadable", files.about, files.systemError != 0 ? files.systemError : EINVAL);
    }
    std::vector<std::string> sums;
    for (const contract::DataFile &file : files.files) {
        const std::string path = files.folder + '/' + file.path;
        sums.push_back(file.target.empty() ? sumOfContents(path) : std::string());
        if (file.target.empty() && sums.back().empty()) {
            return dataState("unreadable", path, errno);
        }
    }
    reply.sum = contract::dataSum(files, contract::dataEntries(files, sums));
    reply.state = reply.sum == request.sum ? "ready" : "other";
    return reply;
}

} // namespace

int lockDataTree(const std::string &treePath)
{
    const int fd = ::open(treePath.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info {
    };
    if (fd >= 0 && (::flock(fd, LOCK_SH | LOCK_NB) != 0 || ::fstat(fd, &info) != 0 || info.st_nlink == 0)) {
        ::close(fd);
        return -1;
    }
    return fd;
}

DataHolds::~DataHolds()
{
    for (const auto &[path, fd] : m_held) {
        ::close(fd);
    }
}

std::optional<contract::DataReply> DataHolds::take(const std::string &stateFolder, const contract::Data &request)
{
    const std::string path = contract::dataTreePath(stateFolder, request.tree);
    if (!contract::isContentName(request.tree) || !request.cache.empty()) {
        return std::nullopt; // of a cluster: what is used there is noted in its folder
    }
    if (request.drop) {
        drop(path);
        return dataState("dropped");
    }
    return hold(path) ? std::nullopt : std::optional(dataState("busy"));
}

bool DataHolds::hold(const std::string &treePath)
{
    if (const auto known = m_held.find(treePath); known != m_held.end()) {
        struct stat info {
        };
        if (::fstat(known->second, &info) == 0 && info.st_nlink > 0) {
            return true;
        }
        drop(treePath); // it was put again
    }
    const int fd = lockDataTree(treePath);
    if (fd >= 0) {
        m_held.emplace(treePath, fd);
        return true;
    }
    return ::access(treePath.c_str(), F_OK) != 0;
}

void DataHolds::drop(const std::string &treePath)
{
    if (const auto known = m_held.find(treePath); known != m_held.end()) {
        ::close(known->second);
        m_held.erase(known);
    }
}

contract::DataReply lookAtData(const std::string &stateFolder, const contract::Data &request)
{
    if (request.cache.empty()) {
        return request.tree.empty() ? lookAtPlace(request) : lookAtCopy(stateFolder, request);
    }
    if (request.tree.empty()) {
        return isSeenWith(request.cache, request.path) ? lookAtPlace(request) : dataState("apart");
    }
    const SharedDataUse use(request);
    return use.isBusy()    ? dataState("busy")
        : use.error() != 0 ? dataState("failed", contract::dataFolder(request.cache), use.error())
                           : lookAtCopy(request.cache, request);
}

void removeUnusedData(const std::string &stateFolder, const std::string &engine)
{
    const std::string root = contract::dataFolder(stateFolder);
    if (!contract::isRealFolderAt(root)) {
        return;
    }
    bool isNobodys = false;
    {
        const std::set<std::string> others = copiesOfOthers(root, engine);
        isNobodys = others.empty();
        leaveCopies(root, others, engine);
        DataCache cache(root);
        cache.keep(others);
        while (cache.removeOldest({})) { }
        static_cast<void>(copiesOfOthers(root, engine)); // removes the notes of what has gone
    }
    // Folders that are empty:
    const std::string contents = contract::dataContentsFolder(stateFolder);
    forEachName(contents, [&](const std::string &name) {
        const std::string folder = contents + '/' + name;
        if (isNobodys) { // what nobody has begun to copy is not continued by anybody else
            removeOldParts(folder, utcMs(), [](const std::string &) { return true; });
        }
        ::rmdir(folder.c_str());
    });
    for (const char *inner : {"/trees", "/folders", "/contents", "/users", ""}) {
        ::rmdir((root + inner).c_str());
    }
}

} // namespace trainyard::agent
