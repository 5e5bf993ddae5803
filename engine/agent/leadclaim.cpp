// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadclaim.h"

#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{
namespace
{

// Some file systems have no links: that is not refused to whoever has it there already.
bool hasNoLinks(int error) { return error == EPERM || error == EOPNOTSUPP || error == ENOSYS || error == EMLINK; }

// 0, or the error.
int makeOnce(const std::string &file, const std::string &id)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return errno;
    }
    const ssize_t written = ::write(fd, id.data(), id.size());
    const int error = written == static_cast<ssize_t>(id.size()) && ::fsync(fd) == 0 ? 0 : EIO;
    ::close(fd);
    return error;
}

} // namespace

Claim claimOf(const std::string &file, const std::string &id)
{
    constexpr std::size_t longest = 256;
    // A link is made by one of those who try, and has all of its contents when it is there: a file that is made and
    // then written is empty for a moment, and old NFS makes it twice.
    const std::string mine = file + ".of-" + id;
    if (contract::writeAtomically(mine, id, true) != 0) {
        return Claim::Unwritable;
    }
    int error = ::link(mine.c_str(), file.c_str()) == 0 ? 0 : errno;
    error = hasNoLinks(error) ? makeOnce(file, id) : error;
    ::unlink(mine.c_str());
    if (error != 0 && error != EEXIST) {
        return Claim::Unwritable;
    }
    // Also after a link: a server whose answer was lost has made it, and says at the second try that it is there.
    const std::optional<std::string> owner = contract::readWhole(file, longest);
    return !owner ? Claim::Unwritable : *owner == id ? Claim::Own : Claim::Anothers;
}

} // namespace trainyard::agent
