// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/codeservice.h"

#include "engine/agent/codestore.h"
#include "engine/agent/detach.h"
#include "engine/agent/pump.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr int daysKept = 30;

// In the process: the answer goes through the pipe as the message that it is.
void work(int out, const contract::Code &request, const std::string &stateFolder)
{
    const std::optional<std::string> answer = contract::encode({0, makeCodeFolder(stateFolder, request)});
    for (std::size_t done = 0; answer && done < answer->size();) {
        const ssize_t n = ::write(out, answer->data() + done, answer->size() - done);
        if (n < 0 && errno != EINTR) {
            return;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
    ::close(out);
    tidyCode(stateFolder, utcMs(), daysKept);
}

} // namespace

CodeService::~CodeService()
{
    for (const auto &[fd, work] : m_works) {
        m_loop.forget(fd);
        ::close(fd);
    }
}

void CodeService::take(std::int64_t id, const contract::Code &request, const std::string &stateFolder)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        m_connection.fail(id, "code.host-failed", request.dir, errno);
        return;
    }
    const pid_t process = ::fork();
    if (process == 0) {
        const int out = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 4);
        const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (int fd = 0; fd < 3; ++fd) {
            ::dup2(null, fd);
        }
        ::dup3(out, 3, O_CLOEXEC);
        closeFrom(4);
        work(3, request, stateFolder);
        ::_exit(0);
    }
    const int error = errno;
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        m_connection.fail(id, "code.host-failed", request.dir, error);
        return;
    }
    m_works[ends[0]] = {id, {}};
    m_loop.watch(ends[0], EPOLLIN, [this, fd = ends[0]](std::uint32_t) { read(fd); });
}

void CodeService::read(int fd)
{
    Work &work = m_works[fd];
    char buffer[16384];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n > 0) {
        work.said.append(buffer, static_cast<std::size_t>(n));
        return;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    m_loop.forget(fd);
    ::close(fd);
    contract::FrameReader reader;
    reader.feed(work.said);
    const std::optional<contract::Frame> frame = reader.next();
    const std::optional<contract::Envelope> answer = frame ? contract::decode(*frame, true) : std::nullopt;
    if (answer && std::holds_alternative<contract::CodeReply>(answer->message)) {
        m_connection.send(work.id, answer->message);
    } else {
        m_connection.fail(work.id, "code.host-failed", {}, 0); // the process was killed
    }
    m_works.erase(fd);
}

} // namespace trainyard::agent
