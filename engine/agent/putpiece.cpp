// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/putpiece.h"

#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{
namespace
{

int writePiece(int fd, const contract::Put &request, const std::string &bytes)
{
    struct stat info {
    };
    if (::fstat(fd, &info) != 0) {
        return errno;
    }
    if (request.offset > static_cast<std::uint64_t>(info.st_size)) {
        return EINVAL; // one before it has failed
    }
    for (std::size_t written = 0; written < bytes.size();) {
        const ssize_t n = ::pwrite(
            fd, bytes.data() + written, bytes.size() - written, static_cast<off_t>(request.offset + written));
        if (n >= 0) {
            written += static_cast<std::size_t>(n);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return request.last && ::fchmod(fd, static_cast<mode_t>(request.mode & 0777)) != 0 ? errno : 0;
}

} // namespace

int putPiece(const contract::Put &request, const std::string &bytes, const std::string &part)
{
    int error = 0;
    if (request.offset == 0) {
        const std::size_t slash = request.path.rfind('/');
        error = slash > 0 ? contract::makeFolders(request.path.substr(0, slash)) : 0;
    }
    if (error == 0) {
        // A task can have put a pipe there, for which an agent would wait.
        constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        const int fd = ::open(part.c_str(), flags | (request.offset == 0 ? O_CREAT | O_TRUNC : 0), 0600);
        error = fd < 0 ? errno : writePiece(fd, request, bytes);
        if (fd >= 0 && ::close(fd) != 0 && error == 0 && errno != EINTR) {
            error = errno; // a file server tells it here
        }
    }
    if (error == 0 && request.last && ::rename(part.c_str(), request.path.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(part.c_str());
    }
    return error;
}

} // namespace trainyard::agent
