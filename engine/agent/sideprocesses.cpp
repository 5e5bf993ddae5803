// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/sideprocesses.h"

#include "engine/agent/belongings.h"
#include "engine/agent/codestore.h"
#include "engine/agent/datastore.h"
#include "engine/agent/detach.h"
#include "engine/agent/filestore.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/pump.h"
#include "engine/agent/taskfiles.h"
#include "engine/contract/systemtimes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr int daysKept = 30;
constexpr std::int64_t lookMs = 5000;
// Longer than any disk takes that answers at all. Counting ends by itself before that, removing does not.
constexpr std::int64_t pieceMs = 60'000, listMs = 300'000, throughMs = 90'000, tidyMs = 1'800'000;
constexpr std::int64_t wholeFileMs = 3'600'000;

std::int64_t limitOf(std::int64_t wanted, std::int64_t usual) { return wanted > 0 ? std::min(wanted, usual) : usual; }

// In the process: the answer goes through the pipe as the message that it is.
void write(int out, std::int64_t id, const contract::Message &message)
{
    const std::optional<std::string> answer = contract::encode({id, message, {}});
    for (std::size_t done = 0; answer && done < answer->size();) {
        const ssize_t n = ::write(out, answer->data() + done, answer->size() - done);
        if (n < 0 && errno != EINTR) {
            return;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
}

contract::Seen seenAt(const std::vector<std::string> &paths)
{
    contract::Seen seen;
    for (const std::string &path : paths) {
        struct stat info {
        };
        const bool isThere = !path.empty() && path[0] == '/' && ::stat(path.c_str(), &info) == 0
            && (!S_ISDIR(info.st_mode) || ::access(path.c_str(), W_OK | X_OK) == 0);
        seen.inodes.push_back(isThere ? static_cast<std::int64_t>(info.st_ino) : 0);
        seen.changedNs.push_back(isThere ? contract::changedNsOf(info) : 0);
    }
    return seen;
}

} // namespace

SideProcesses::~SideProcesses()
{
    for (const auto &[fd, work] : m_works) {
        m_loop.forget(fd);
        ::close(fd);
        if (work.timer != 0) {
            m_loop.cancel(work.timer);
        }
    }
}

// The number of the process, or -1 and errno; `fd` is then what it says, from the `out` that it is given.
pid_t SideProcesses::fork(int &fd, const std::function<void(int out)> &work)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    const pid_t process = ::fork();
    if (process == 0) {
        keepOnly(ends[1]);
        work(3);
        ::_exit(0);
    }
    const int error = errno;
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        errno = error;
        return -1;
    }
    fd = ends[0];
    return process;
}

void SideProcesses::watch(int fd, Work &&work)
{
    m_works[fd] = std::move(work);
    m_loop.watch(fd, EPOLLIN, [this, fd](std::uint32_t) { read(fd); });
}

int SideProcesses::start(std::int64_t id, const std::string &about, const std::function<contract::Message()> &work,
    const std::function<void()> &afterwards)
{
    int fd = -1;
    const pid_t process = fork(fd, [&](int out) {
        write(out, id, work());
        ::close(out);
        if (afterwards) {
            afterwards();
        }
    });
    if (process < 0) {
        m_connection.fail(id, "code.host-failed", about, errno);
        return -1;
    }
    watch(fd, {{id}, process, {}, 0, {}});
    return fd;
}

void SideProcesses::inOrder(std::vector<Step> steps, const std::function<void()> &done)
{
    if (steps.empty()) {
        return;
    }
    int fd = -1;
    const pid_t process = fork(fd, [&](int out) {
        for (const Step &step : steps) {
            if (const std::optional<contract::Message> answer = step.work()) {
                write(out, step.id, *answer);
            }
        }
    });
    if (process < 0) {
        for (const Step &step : steps) {
            if (std::optional<contract::Message> answer = step.work()) {
                m_connection.send(step.id, std::move(*answer));
            }
        }
        if (done) {
            done();
        }
        return;
    }
    Work work{{}, process, {}, 0, done};
    for (const Step &step : steps) {
        if (step.isAnswered) {
            work.open.push_back(step.id);
        }
    }
    watch(fd, std::move(work));
}

void SideProcesses::take(std::int64_t id, const contract::Code &request, const std::string &stateFolder)
{
    start(
        id, request.dir, [&] { return contract::Message(makeCodeFolder(stateFolder, request)); },
        [&, isFirst = isFirstOfCode()] {
            if (isFirst) {
                removeLeftParts(stateFolder);
            }
            tidyCode(stateFolder, utcMs(), daysKept);
        });
}

void SideProcesses::look(std::int64_t id, const contract::Look &request)
{
    limit(start(id, {}, [&] { return contract::Message(seenAt(request.paths)); }), lookMs, contract::Seen());
}

void SideProcesses::findEnvironments(std::int64_t id, const EnvironmentPlaces &places)
{
    contract::EnvironmentsFound nothing;
    nothing.isWhole = false;
    // It stops by itself a little earlier, with what it has; only a file server that hangs keeps it from that.
    limit(start(id, {}, [&] { return contract::Message(agent::findEnvironments(places, monotonicMs() + lookMs / 2)); }),
        lookMs, nothing);
}

// The answer that is given when there is none in time.
void SideProcesses::limit(int fd, std::int64_t ms, const contract::Message &nothing)
{
    if (fd >= 0) {
        m_works[fd].timer = m_loop.after(ms, [this, fd, nothing] {
            m_works[fd].timer = 0;
            ::kill(m_works[fd].process, SIGKILL); // reaped whenever its file server releases it
            end(fd, &nothing);
        });
    }
}

void SideProcesses::list(std::int64_t id, const contract::ListFiles &request)
{
    contract::FileList nothing;
    nothing.systemError = ETIMEDOUT;
    limit(start(id, request.dir, [&] { return contract::Message(listFiles(request)); }), limitOf(request.ms, listMs),
        nothing);
}

void SideProcesses::piece(std::int64_t id, const contract::ReadPiece &request)
{
    contract::Piece nothing;
    nothing.systemError = ETIMEDOUT;
    if (request.sumOnly) {
        limit(start(id, request.path, [&] { return contract::Message(sumOfFile(request)); }), wholeFileMs, nothing);
        return;
    }
    limit(start(id, request.path, [&] { return contract::Message(readPiece(request)); }), limitOf(request.ms, pieceMs),
        nothing);
}

void SideProcesses::place(std::int64_t id, const contract::StorePiece &request)
{
    contract::Stored nothing;
    nothing.systemError = ETIMEDOUT;
    limit(start(id, request.path, [&] { return contract::Message(storePiece(request)); }), wholeFileMs, nothing);
}

void SideProcesses::data(std::int64_t id, const contract::Data &request, const std::string &stateFolder)
{
    start(
        id, request.tree.empty() ? request.path : request.tree,
        [&] { return contract::Message(lookAtData(stateFolder, request)); },
        [&, isFirst = isFirstOfCode()] {
            if (isFirst) {
                removeLeftParts(stateFolder);
            }
        });
}

void SideProcesses::lookThrough(std::int64_t id, const contract::LookThrough &request, const std::string &stateFolder)
{
    const pid_t own = ::getpid();
    limit(start(id, stateFolder, [&] { return contract::Message(belongings(stateFolder, own, request)); }),
        limitOf(request.ms, request.tidies ? tidyMs : throughMs),
        contract::Failure{"code.host-failed", stateFolder, ETIMEDOUT});
}

void SideProcesses::work(std::int64_t id, const std::string &about, const std::function<contract::Message()> &work,
    std::int64_t ms, const contract::Message &nothing)
{
    limit(start(id, about, work), ms, nothing);
}

void SideProcesses::read(int fd)
{
    Work &work = m_works[fd];
    char buffer[65536];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n > 0) {
        work.said.feed(std::string_view(buffer, static_cast<std::size_t>(n)));
        while (const std::optional<contract::Frame> frame = work.said.next()) {
            if (std::optional<contract::Envelope> answer = contract::decode(*frame, true)) {
                std::erase(work.open, answer->id);
                m_connection.send(answer->id, std::move(answer->message));
            }
        }
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        end(fd, nullptr);
    }
}

void SideProcesses::end(int fd, const contract::Message *instead)
{
    const Work work = std::move(m_works[fd]);
    m_works.erase(fd);
    m_loop.forget(fd);
    ::close(fd);
    if (work.timer != 0) {
        m_loop.cancel(work.timer);
    }
    for (const std::int64_t id : work.open) {
        if (instead) {
            m_connection.send(id, *instead);
        } else {
            m_connection.fail(id, "code.host-failed", {}, EIO); // the process was killed
        }
    }
    if (work.done) {
        work.done();
    }
}

} // namespace trainyard::agent
