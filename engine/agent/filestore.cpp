// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filestore.h"

#include "engine/agent/enginefolder.h"
#include "engine/agent/taskfiles.h"
#include "engine/contract/bytesum.h"
#include "engine/contract/codetree.h"
#include "engine/contract/identity.h"
#include "engine/contract/removetree.h"
#include "engine/contract/sha256.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace trainyard::agent
{
namespace
{

std::string hexText(std::uint64_t number)
{
    char text[17];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string sumOfText(const std::string &text)
{
    contract::ByteSum sum;
    sum.add(text);
    return hexText(sum.value());
}

std::string endOfWriter(const std::string &writer) { return "-w" + sumOfText(writer) + ".part"; }

// After a crash of the host it is not known what of a part reached the disk, so it is of one boot.
std::string partName(const contract::StorePiece &request)
{
    if (!request.content.empty()) {
        return ".trainyard-" + request.content + '-' + sumOfText(contract::currentBootId()) + '-'
            + hexText(request.size) + endOfWriter(request.writer);
    }
    return ".trainyard-" + sumOfText(request.path) + '-' + sumOfText(contract::currentBootId()) + '-'
        + hexText(request.size) + '-' + hexText(static_cast<std::uint64_t>(request.changedNs)) + ".part";
}

// Where a file is to be: its folder, open, and its name there.
struct StoreLeaf {
    int folder = -1;
    std::string name;
    StoreLeaf() = default;
    StoreLeaf(const StoreLeaf &) = delete;
    StoreLeaf &operator=(const StoreLeaf &) = delete;
    ~StoreLeaf()
    {
        if (folder >= 0) {
            ::close(folder);
        }
    }
};

// 0 or errno. The folders are made.
int findLeaf(const contract::StorePiece &request, bool makes, StoreLeaf &leaf)
{
    if (makes) {
        if (const int error = contract::makeFolders(request.dir); error != 0) {
            return error;
        }
    }
    leaf.folder = ::open(request.dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    std::size_t from = 0;
    while (leaf.folder >= 0) {
        const std::size_t slash = request.path.find('/', from);
        if (slash == std::string::npos) {
            leaf.name = request.path.substr(from);
            return 0;
        }
        const std::string name = request.path.substr(from, slash - from);
        constexpr mode_t mode = 0755;
        if (makes && ::mkdirat(leaf.folder, name.c_str(), mode) != 0 && errno != EEXIST) {
            return errno;
        }
        const int inner = ::openat(leaf.folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int error = errno;
        ::close(std::exchange(leaf.folder, inner));
        errno = error;
        from = slash + 1;
    }
    return errno;
}

// 0 or errno.
template <typename Sum> int addToSum(int file, Sum &sum)
{
    std::string buffer(256 << 10, '\0');
    while (true) {
        const ssize_t n = ::read(file, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : 0;
        }
        sum.add(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
    }
}

contract::Stored storeFailure(int error)
{
    contract::Stored stored;
    stored.systemError = error;
    return stored;
}

// Only an ordinary file that has no other name is a part of ours: a write into anything else would change something
// else, or wait for it.
bool isOwnPart(const struct stat &info) { return S_ISREG(info.st_mode) && info.st_nlink == 1; }

// What is in the place of a part and is none makes room for it.
void clearForPart(const contract::StorePiece &request, const StoreLeaf &leaf)
{
    const std::string name = partName(request);
    struct stat info {
    };
    if (::fstatat(leaf.folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || isOwnPart(info)) {
        return;
    }
    if (!S_ISDIR(info.st_mode)) {
        ::unlinkat(leaf.folder, name.c_str(), 0);
    } else if (::unlinkat(leaf.folder, name.c_str(), AT_REMOVEDIR) != 0) {
        contract::removeTree("/proc/self/fd/" + std::to_string(leaf.folder) + '/' + name); // whatever its path is now
    }
}

// The part of a file with what is known of it, or -1 and errno.
int openPart(const contract::StorePiece &request, const StoreLeaf &leaf, int flags, struct stat &info)
{
    const int part
        = ::openat(leaf.folder, partName(request).c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    const bool isOther = part < 0 ? errno == ELOOP || errno == ENXIO || errno == EISDIR
                                  : ::fstat(part, &info) != 0 || !isOwnPart(info);
    if (part >= 0 && isOther) {
        ::close(part);
    }
    if (isOther) {
        errno = EINVAL; // as where nothing was begun
        return -1;
    }
    return part;
}

contract::Stored beginStored(const contract::StorePiece &request, const StoreLeaf &leaf)
{
    clearForPart(request, leaf);
    struct stat info {
    };
    const int part = openPart(request, leaf, O_WRONLY | O_CREAT, info);
    if (part < 0) {
        return storeFailure(errno);
    }
    contract::Stored stored;
    if (static_cast<std::uint64_t>(info.st_size) > request.size) {
        stored.systemError = ::ftruncate(part, 0) == 0 ? 0 : errno;
    } else {
        stored.bytes = static_cast<std::uint64_t>(info.st_size);
    }
    ::close(part);
    return stored;
}

contract::Stored addBytes(const contract::StorePiece &request, const StoreLeaf &leaf)
{
    struct stat info {
    };
    const int part = openPart(request, leaf, O_WRONLY, info);
    if (part < 0) {
        return storeFailure(errno);
    }
    contract::Stored stored;
    if (request.offset > static_cast<std::uint64_t>(info.st_size)
        || request.offset + request.bytes.size() > request.size) {
        stored.systemError = EINVAL; // one before it has failed
    }
    for (std::size_t done = 0; stored.systemError == 0 && done < request.bytes.size();) {
        const ssize_t n = ::pwrite(
            part, request.bytes.data() + done, request.bytes.size() - done, static_cast<off_t>(request.offset + done));
        if (n < 0 && errno != EINTR) {
            stored.systemError = errno;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
    if (::close(part) != 0 && stored.systemError == 0 && errno != EINTR) {
        stored.systemError = errno; // a file server tells it here
    }
    return stored;
}

// 0 or errno; afterwards the part is as its file was, or for a content as parts are.
int finishPart(int part, const struct stat &info, const contract::StorePiece &request)
{
    if (static_cast<std::uint64_t>(info.st_size) != request.size) {
        return EBADMSG; // one that is too large is not read for that
    }
    if (!request.content.empty()) {
        contract::Sha256 sum;
        if (const int error = addToSum(part, sum); error != 0) {
            return error;
        }
        return sum.hex() != request.content ? EBADMSG : ::fdatasync(part) != 0 ? errno : 0;
    }
    contract::ByteSum sum;
    if (const int error = addToSum(part, sum); error != 0) {
        return error;
    }
    if (sum.value() != request.sum) {
        return EBADMSG;
    }
    const auto times = contract::timesOfChange(request.changedNs);
    constexpr mode_t mode = 0644;
    const mode_t hidden = ::umask(0);
    ::umask(hidden);
    const bool isDone
        = ::fchmod(part, mode & ~hidden) == 0 && ::fdatasync(part) == 0 && ::futimens(part, times.data()) == 0;
    return isDone ? 0 : errno;
}

contract::Stored placeStored(const contract::StorePiece &request, const StoreLeaf &leaf)
{
    const std::string name = partName(request);
    struct stat info {
    };
    const int part = openPart(request, leaf, O_RDWR, info);
    if (part < 0) {
        return storeFailure(errno);
    }
    int error = finishPart(part, info, request);
    if (::close(part) != 0 && error == 0) {
        error = errno;
    }
    struct stat there {
    };
    const bool isNewer = request.content.empty()
        && ::fstatat(leaf.folder, leaf.name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode)
        && contract::changedNsOf(there) > request.changedNs;
    if (error == 0 && !isNewer && ::renameat(leaf.folder, name.c_str(), leaf.folder, leaf.name.c_str()) != 0) {
        error = errno;
    }
    if (error == EBADMSG || isNewer) {
        ::unlinkat(leaf.folder, name.c_str(), 0);
    }
    return storeFailure(error);
}

contract::Stored makeLink(const contract::StorePiece &request, const StoreLeaf &leaf)
{
    struct stat there {
    };
    if (::fstatat(leaf.folder, leaf.name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISLNK(there.st_mode)) {
        return {}; // its creator chose it
    }
    const std::string name = ".trainyard-" + sumOfText(request.path) + ".link";
    ::unlinkat(leaf.folder, name.c_str(), 0);
    const bool isDone = ::symlinkat(request.target.c_str(), leaf.folder, name.c_str()) == 0
        && ::renameat(leaf.folder, name.c_str(), leaf.folder, leaf.name.c_str()) == 0;
    return storeFailure(isDone ? 0 : errno);
}

} // namespace

contract::Stored storePiece(const contract::StorePiece &request)
{
    if (!request.dir.starts_with('/') || !contract::isPlainFilePath(request.path)
        || (!request.content.empty() && !contract::isContentName(request.content))) {
        return storeFailure(EPERM);
    }
    StoreLeaf leaf;
    if (const int error = findLeaf(request, request.step == "begin" || request.step == "link", leaf); error != 0) {
        return storeFailure(error);
    }
    if (request.step == "begin") {
        return beginStored(request, leaf);
    }
    if (request.step == "add") {
        return addBytes(request, leaf);
    }
    if (request.step == "place") {
        return placeStored(request, leaf);
    }
    if (request.step == "link") {
        return makeLink(request, leaf);
    }
    const bool isDropped = request.step == "drop" && ::unlinkat(leaf.folder, partName(request).c_str(), 0) == 0;
    return storeFailure(isDropped ? 0 : errno);
}

bool isPartOfWriter(const std::string &name, const std::string &writer)
{
    return name.starts_with(".trainyard-") && name.ends_with(endOfWriter(writer));
}

contract::Piece sumOfFile(const contract::ReadPiece &request)
{
    contract::Piece piece;
    const int file = openTaskFile(request.dir, request.path);
    if (file < 0) {
        piece.systemError = lookError(request.dir, errno);
        return piece;
    }
    struct stat info {
    };
    contract::ByteSum sum;
    piece.systemError = addToSum(file, sum);
    if (piece.systemError == 0 && ::fstat(file, &info) == 0) { // as it is now: a change while it was read shows
        piece.size = static_cast<std::uint64_t>(info.st_size);
        piece.changedNs = contract::changedNsOf(info);
        piece.sum = sum.value();
    }
    ::close(file);
    return piece;
}

} // namespace trainyard::agent
