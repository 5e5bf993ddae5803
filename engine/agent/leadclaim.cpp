// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadclaim.h"

#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{
namespace
{

// Some file systems have no links: that is not refused to a lead that has it there already.
bool hasNoLinks(int error) { return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK; }

// 0, or the error.
int writeAndClose(int fd, const std::string &id)
{
    const ssize_t written = ::write(fd, id.data(), id.size());
    const int error = written == static_cast<ssize_t>(id.size()) && ::fsync(fd) == 0 ? 0 : EIO;
    ::close(fd);
    return error;
}

// 0, or the error.
int makeOnce(const std::string &file, const std::string &id)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return errno;
    }
    const int error = writeAndClose(fd, id);
    if (error != 0) {
        ::unlink(file.c_str()); // it names no owner
    }
    return error;
}

// Its owner. Where there are no links, it is empty for a moment after it was made: its maker is given time.
std::optional<std::string> ownerIn(const std::string &file)
{
    constexpr std::size_t longest = 256;
    constexpr int looks = 30;
    constexpr useconds_t between = 100'000; // microseconds
    std::optional<std::string> owner = contract::readWhole(file, longest);
    for (int look = 0; owner && owner->empty() && look < looks; ++look) {
        ::usleep(between);
        owner = contract::readWhole(file, longest);
    }
    return owner;
}

// Over an empty one. 0, or the error.
int fill(const std::string &file, const std::string &id)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        return errno;
    }
    return writeAndClose(fd, id);
}

} // namespace

Claim claimOf(const std::string &file, const std::string &id)
{
    // Only one of several leads can make a link, which has all of its contents once it exists: a file that is made and
    // then written is empty for a moment, and old NFS makes it twice.
    const std::string mine = file + ".of-" + id;
    const bool wasHere
        = contract::isAnythingAt(mine); // an earlier run of the same job was killed before it was done with this
    int error = contract::writeAtomically(mine, id, true);
    if (error == 0) {
        error = ::link(mine.c_str(), file.c_str()) == 0 ? 0 : errno;
        error = hasNoLinks(error) ? makeOnce(file, id) : error;
        ::unlink(mine.c_str());
    }
    // Also after a link: a server whose answer was lost has made it, and says at the second try that it is there. And
    // also where nothing can be written any more: the first lead has its claim all the same.
    if (const std::optional<std::string> owner = ownerIn(file)) {
        // No process writes it any more: its maker has left the other file behind, and it is free to take.
        const bool isOwn = owner->empty() ? wasHere && fill(file, id) == 0 : *owner == id;
        return isOwn ? Claim::Own : owner->empty() ? Claim::Unknown : Claim::Anothers;
    }
    struct stat info {
    };
    const bool isMissing = ::lstat(file.c_str(), &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
    return error == 0 ? Claim::Own : isMissing ? Claim::Unwritable : Claim::Unknown;
}

} // namespace trainyard::agent
