// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/detach.h"
#include "engine/agent/keeper_p.h"
#include "engine/agent/stoprequest.h"
#include "engine/contract/systemtimes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace trainyard::agent
{

using contract::Stream;

namespace
{

constexpr std::size_t largePipe = 1024 * 1024;
constexpr int fullReadsBeforeLarge = 3;
constexpr std::int64_t monitorMs = 1000;
constexpr std::int64_t roomPatienceMs = 3000; // of a task that was stopped

std::int64_t processorMs()
{
    timespec spent{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return contract::msOf(spent);
}

} // namespace

int Keeper::timeout() const
{
    std::int64_t due = -1;
    const auto consider = [&due](std::int64_t at) {
        if (at >= 0 && (due < 0 || at < due)) {
            due = at;
        }
    };
    if (m_pump.blocked() == 0) { // else it is due and cannot be done: the retry is what to wait for
        consider(m_pump.flushDue());
    }
    consider(m_retryAt);
    consider(m_killAt);
    consider(m_meterAt);
    consider(m_signalAgainAt);
    if (m_container) {
        consider(m_container->due());
        consider(m_containerEnded >= 0 ? m_containerEnded + monitorMs : -1);
    }
    if (due < 0) {
        return -1;
    }
    return static_cast<int>(std::clamp<std::int64_t>(due - monotonicMs(), 0, 60000));
}

// Waits a little for the container's monitor, which knows what the task used.
bool Keeper::isOver()
{
    if (!m_left.empty()) {
        return true;
    }
    if (!m_container) {
        return m_childrenGone;
    }
    if (m_container->hasEnded() && m_containerEnded < 0) {
        m_containerEnded = monotonicMs();
        m_endedUnasked = !isToEnd() && m_askedAt == 0;
    }
    return m_containerEnded >= 0 && (m_childrenGone || monotonicMs() >= m_containerEnded + monitorMs);
}

// Whether the order in which the sources are written to is known.
bool Keeper::followOrder()
{
    bool isKnown = m_order.descriptor() >= 0;
    for (std::size_t i = 0; i < ReadyOrder::pipes; ++i) {
        isKnown = isKnown && m_order.add(i, m_sources[i].fd);
    }
    return isKnown;
}

void Keeper::readReady(bool isOrdered, short out, short err)
{
    if (isOrdered && out != 0) {
        const ReadyOrder::Ready ready = m_order.take();
        for (std::size_t i = 0; i < ready.count; ++i) {
            readSource(m_sources[ready.indexes[i]]);
        }
        return;
    }
    if (out != 0) {
        readSource(m_sources[0]);
    }
    if (err != 0) {
        readSource(m_sources[1]);
    }
}

void Keeper::loop()
{
    const bool isOrdered = followOrder();
    while (!isOver()) {
        pollfd polled[4] = {{m_signals, POLLIN, 0}, {isOrdered ? m_order.descriptor() : m_sources[0].fd, POLLIN, 0},
            {isOrdered ? -1 : m_sources[1].fd, POLLIN, 0},
            {m_container ? m_container->mainDescriptor() : -1, POLLIN, 0}};
        if (m_pump.blocked() != 0) {
            polled[1].fd = -1;
            polled[2].fd = -1;
        }
        if (::poll(polled, 4, timeout()) < 0 && errno != EINTR) {
            break; // cannot happen with these arguments; the drain below still takes what is there
        }
        readReady(isOrdered, polled[1].revents, polled[2].revents);
        if (polled[0].revents & POLLIN) {
            signalfd_siginfo info[8];
            bool asked = false;
            ssize_t n = 0;
            while ((n = ::read(m_signals, info, sizeof info)) > 0) {
                for (std::size_t i = 0; i < static_cast<std::size_t>(n) / sizeof info[0]; ++i) {
                    asked = asked || info[i].ssi_signo == SIGUSR1;
                    if (info[i].ssi_signo == SIGTERM) {
                        askedByCluster();
                    }
                }
            }
            if (asked) {
                handleStop();
            }
            reap();
        }
        if (polled[3].revents != 0 && polled[3].fd >= 0) {
            m_container->mainEnded();
        }
        const std::int64_t now = monotonicMs();
        if (m_pump.flushDue() >= 0 && now >= m_pump.flushDue() && m_pump.blocked() == 0) {
            m_pump.flushIndex();
        }
        checkDisk();
        if (m_killAt >= 0 && now >= m_killAt) {
            escalateKill();
        }
        if (m_signalAgainAt >= 0 && now >= m_signalAgainAt) {
            signalAgain();
        }
        if (m_meterAt >= 0 && now >= m_meterAt) {
            measure();
        }
        if (m_container) {
            m_container->tick();
        }
    }
}

std::size_t Keeper::readSource(Source &source)
{
    const ssize_t n = ::read(source.fd, m_buffer.get(), m_bufferSize);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
        return 0; // another process that has it open to read was quicker
    }
    if (n <= 0) {
        finishSource(source);
        return 0;
    }
    const std::string_view bytes(m_buffer.get(), static_cast<std::size_t>(n));
    m_steps ? m_steps->take(source.stream, bytes) : m_pump.take(source.stream, bytes);
    if (m_leftoversSince >= 0 && !m_killing && !m_stopping) { // after a stop they have its grace
        m_killAt = leftoversUntil();
    }
    if (source.capacity == defaultPipe && static_cast<std::size_t>(n) >= defaultPipe
        && ++source.fullReads == fullReadsBeforeLarge) {
        if (::fcntl(source.fd, F_SETPIPE_SZ, static_cast<int>(largePipe)) > 0) {
            source.capacity = largePipe;
            if (m_bufferSize < largePipe) {
                m_bufferSize = largePipe;
                m_buffer = std::make_unique_for_overwrite<char[]>(m_bufferSize);
            }
        }
    }
    return static_cast<std::size_t>(n);
}

void Keeper::finishSource(Source &source)
{
    m_order.remove(source.fd);
    ::close(source.fd);
    source.fd = -1;
    if (m_steps) {
        m_steps->finish(source.stream);
    }
    m_pump.finishStream(source.stream);
}

// The end of a stream is left to readSource().
std::string Keeper::readNow(Stream stream)
{
    const Source &source = m_sources[stream == Stream::Err ? 1 : 0];
    int unread = 0;
    if (source.fd < 0 || m_pump.blocked() != 0 || ::ioctl(source.fd, FIONREAD, &unread) != 0 || unread <= 0) {
        return {};
    }
    std::string bytes(static_cast<std::size_t>(unread), '\0');
    const ssize_t n = ::read(source.fd, bytes.data(), bytes.size());
    bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return bytes;
}

// All processes are gone: what is in the pipes now is all output. A process that still writes is not part of the task.
void Keeper::drain()
{
    std::array<std::size_t, ReadyOrder::pipes> order{0, 1};
    if (const ReadyOrder::Ready ready = m_order.take(); ready.count > 0 && ready.indexes.front() == 1) {
        order = {1, 0};
    }
    for (const std::size_t index : order) {
        Source &source = m_sources[index];
        int unread = 0;
        if (source.fd >= 0 && ::ioctl(source.fd, FIONREAD, &unread) != 0) {
            unread = 0;
        }
        while (source.fd >= 0) {
            waitForRoom();
            const std::size_t n = unread > 0 ? readSource(source) : 0;
            unread -= static_cast<int>(n);
            if (n == 0 && source.fd >= 0) {
                finishSource(source);
            }
        }
    }
    m_pump.flushIndex();
    waitForRoom();
}

// Only the disk is considered here: anything else that is due in the loop would never be done.
void Keeper::waitForRoom()
{
    checkDisk();
    const std::int64_t until = monotonicMs() + roomPatienceMs;
    while (m_pump.blocked() != 0) {
        if (monotonicMs() >= until && isToEnd()) {
            m_pump.giveUp(); // the client waits for the end, and may be about to free space by it
            checkDisk();
            return;
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, static_cast<int>(std::clamp<std::int64_t>(m_retryAt - monotonicMs(), 0, retryMs)));
        checkDisk();
    }
}

// Also when that was asked for while only the disk was waited for.
bool Keeper::isToEnd() { return m_stopping || isStopRequested(); }

// The kernel knows the peak of one process when it ends; the peak of several at the same time has to be measured.
void Keeper::measure()
{
    // Its cost is processor time: a keeper that waits for a processor on a busy host need not measure less often.
    const std::int64_t before = processorMs();
    ++m_memory.looks;
    m_memory.sumKiB = std::max(m_memory.sumKiB,
        m_container ? containerMemoryKiB(static_cast<pid_t>(m_container->pid())) : descendantsMemoryKiB(::getpid()));
    const bool isOver = m_container ? m_container->hasEnded() : m_mainEnded;
    m_meterAt = isOver ? -1 : monotonicMs() + std::max(meterMs, (processorMs() - before) * meterShare);
}

void Keeper::sayFull(bool isFull)
{
    m_saidFull = isFull;
    sendNote(m_task.notes, note::diskFull, isFull ? "1" : "0");
    contract::markLackOfRoom(
        contract::file::reserve, isFull); // for a later agent, and for those that follow a job of a cluster
}

void Keeper::checkDisk()
{
    if (m_pump.blocked() == 0) {
        m_retryAt = -1;
        if (m_saidFull) {
            sayFull(false);
        }
        return;
    }
    const std::int64_t now = monotonicMs();
    if (!m_saidFull) {
        sayFull(true);
        appendRuntimeLog(std::string("The output cannot be written (") + std::strerror(m_pump.blocked())
            + "). The task waits; nothing is lost. Make room on the disk, it then goes on by itself.");
        m_retryAt = now + retryMs;
    } else if (now >= m_retryAt) {
        m_pump.retry();
        m_retryAt = m_pump.blocked() != 0 ? now + retryMs : -1;
        if (m_pump.blocked() == 0) {
            checkDisk();
        }
    }
}

} // namespace trainyard::agent
