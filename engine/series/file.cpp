// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/file.h"

#include "engine/series/block.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace trainyard::series
{

namespace
{

Error systemError() { return {Fault::System, errno}; }

} // namespace

File::File(File &&other) noexcept : m_fd(std::exchange(other.m_fd, -1)) { }

File &File::operator=(File &&other) noexcept
{
    std::swap(m_fd, other.m_fd);
    return *this;
}

void File::close()
{
    if (m_fd >= 0) {
        ::close(std::exchange(m_fd, -1));
    }
}

Error File::openToRead(const std::string &path)
{
    close();
    m_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a task can have put a pipe there
    return m_fd >= 0 ? Error() : systemError();
}

Error File::openToWrite(const std::string &path, bool isFresh)
{
    // A file that is replaced between open and lock is not the one any more.
    do {
        close();
        m_fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (m_fd < 0) {
            return systemError();
        }
        if (::flock(m_fd, LOCK_EX | LOCK_NB) != 0) {
            const Error error = errno == EWOULDBLOCK ? Error{Fault::Busy, 0} : systemError();
            close();
            return error;
        }
    } while (!isAt(path));
    return isFresh ? truncate(0) : Error();
}

bool File::isAt(const std::string &path) const
{
    struct stat here {
    }, there{};
    return ::fstat(m_fd, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino
        && here.st_dev == there.st_dev;
}

std::int64_t File::size() const
{
    struct stat here {
    };
    return ::fstat(m_fd, &here) == 0 ? here.st_size : -1;
}

std::string File::read(std::uint64_t offset, std::size_t count) const
{
    std::string bytes(count, '\0');
    std::size_t got = 0;
    while (got < count) {
        const ssize_t now = ::pread(m_fd, bytes.data() + got, count - got, static_cast<off_t>(offset + got));
        if (now < 0 && errno == EINTR) {
            continue;
        }
        if (now <= 0) {
            break;
        }
        got += static_cast<std::size_t>(now);
    }
    bytes.resize(got);
    return bytes;
}

Error File::write(std::uint64_t offset, std::string_view bytes)
{
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t now
            = ::pwrite(m_fd, bytes.data() + written, bytes.size() - written, static_cast<off_t>(offset + written));
        if (now < 0 && errno == EINTR) {
            continue;
        }
        if (now <= 0) {
            const Error error = now < 0 ? systemError() : Error{Fault::System, ENOSPC};
            truncate(offset); // a reader would only pass over the part
            return error;
        }
        written += static_cast<std::size_t>(now);
    }
    return {};
}

Error File::truncate(std::uint64_t size)
{
    return ::ftruncate(m_fd, static_cast<off_t>(size)) == 0 ? Error() : systemError();
}

Error File::sync() { return ::fdatasync(m_fd) == 0 ? Error() : systemError(); }

std::uint64_t generationOf(int fd)
{
    std::string head(fileHeaderSize, '\0');
    std::uint64_t generation = 0;
    const ssize_t n = ::pread(fd, head.data(), head.size(), 0);
    const bool isGood
        = n == static_cast<ssize_t>(head.size()) && decodeFileHeader(head, generation) == HeaderState::Good;
    return isGood ? generation : 0;
}

Error replaceFile(const std::string &from, const std::string &to)
{
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        return systemError();
    }
    const std::size_t slash = to.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        ::fsync(fd);
        ::close(fd);
    }
    return {};
}

} // namespace trainyard::series
