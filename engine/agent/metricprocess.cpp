// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/metricprocess.h"

#include "engine/agent/detach.h"
#include "engine/agent/metricservice.h"
#include "engine/agent/smalltext.h"
#include "engine/contract/mask.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace trainyard::agent
{

MetricProcess::MetricProcess(Loop &loop) : m_loop(loop) { }

MetricProcess::~MetricProcess()
{
    m_done = nullptr;
    stop();
    for (const Loop::Timer timer : {m_youngTimer, m_overTimer, m_pingTimer, m_againTimer, m_idleTimer}) {
        if (timer != 0) {
            m_loop.cancel(timer);
        }
    }
    for (const auto &[dir, entry] : m_tries) {
        if (entry.timer != 0) {
            m_loop.cancel(entry.timer);
        }
    }
}

void MetricProcess::begin(const std::string &dir)
{
    if (dir.size() >= PATH_MAX || !m_tries.try_emplace(dir).second) {
        return;
    }
    m_tries[dir].isYoung = true;
    m_young.push_back(dir);
    if (m_youngTimer == 0) {
        m_youngTimer = m_loop.after(youngMs, [this] {
            m_youngTimer = 0;
            tellYoung();
        });
    }
}

void MetricProcess::tellYoung()
{
    if (m_youngTimer != 0) {
        m_loop.cancel(std::exchange(m_youngTimer, 0));
    }
    const std::vector<std::string> young = std::exchange(m_young, {});
    if (m_socket < 0 && m_againTimer == 0) {
        if (!m_tries.empty()) {
            start(); // which sends all
        }
        return;
    }
    for (const std::string &dir : young) {
        if (const auto entry = m_tries.find(dir); entry != m_tries.end() && entry->second.isYoung) {
            entry->second.isYoung = false;
            tell('B', dir);
        }
    }
}

void MetricProcess::end(const std::string &dir)
{
    Try &entry = m_tries[dir];
    if (dir.size() >= PATH_MAX || entry.hasEnded) {
        return;
    }
    entry.hasEnded = true;
    entry.timer = m_loop.after(patienceMs, [this, dir] {
        m_tries[dir].timer = 0;
        finish(dir);
    });
    m_over.push_back(dir);
    if (m_overTimer == 0) {
        m_overTimer = m_loop.after(settleMs, [this] {
            m_overTimer = 0;
            tellOver();
        });
    }
}

// A try that has ended is searched at once, and the files found may be written by one that has just begun, so the
// running tries are reported first.
void MetricProcess::tellOver()
{
    const std::vector<std::string> over = std::exchange(m_over, {});
    if (m_socket < 0) {
        if (m_againTimer == 0 && !m_tries.empty()) {
            start(); // which sends all
        }
        return;
    }
    tellYoung();
    for (const std::string &dir : over) {
        if (m_tries.contains(dir)) {
            tell('E', dir);
        }
    }
}

void MetricProcess::finish(const std::string &dir)
{
    const auto found = m_tries.find(dir);
    if (found == m_tries.end()) {
        return;
    }
    if (found->second.timer != 0) {
        m_loop.cancel(found->second.timer);
    }
    m_tries.erase(found);
    forget(dir);
    if (m_tries.empty() && m_idleTimer == 0) {
        m_idleTimer = m_loop.after(idleMs, [this] {
            m_idleTimer = 0;
            if (m_tries.empty()) {
                stop(); // its end of the socket is closed, so it leaves
            }
        });
    }
    if (m_done) {
        m_done(dir);
    }
}

void MetricProcess::start()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        restart();
        return;
    }
    const pid_t process = ::fork();
    if (process == 0) {
        keepOnly(ends[1]);
        serveMetrics(3);
        ::_exit(0);
    }
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        restart();
        return;
    }
    m_process = process;
    m_socket = ends[0];
    m_isAnswered = true;
    m_isWatchingForRoom = false;
    m_loop.watch(m_socket, EPOLLIN, [this](std::uint32_t events) {
        if ((events & EPOLLOUT) != 0) {
            write();
        }
        if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) {
            receive();
        }
    });
    for (auto &[dir, entry] : m_tries) {
        if (std::exchange(entry.isYoung, false) || !entry.hasEnded) {
            tell('B', dir);
        }
    }
    for (const auto &[dir, entry] : m_tries) {
        if (entry.hasEnded) {
            tell('E', dir);
        }
    }
    m_young.clear();
    m_over.clear();
    m_pingTimer = m_loop.after(pingMs, [this] { ping(); });
}

void MetricProcess::stop()
{
    m_waiting.clear();
    if (m_socket >= 0) {
        m_loop.forget(m_socket);
        ::close(m_socket);
        m_socket = -1;
    }
    if (m_pingTimer != 0) {
        m_loop.cancel(m_pingTimer);
        m_pingTimer = 0;
    }
}

void MetricProcess::restart()
{
    stop();
    if (m_againTimer == 0) {
        m_againTimer = m_loop.after(againMs, [this] {
            m_againTimer = 0;
            if (!m_tries.empty()) {
                start();
            }
        });
    }
}

void MetricProcess::ping()
{
    m_pingTimer = 0;
    if (!m_isAnswered) {
        ::kill(m_process, SIGKILL); // it waits for a file that does not come; it was not reaped yet
        restart();
        return;
    }
    m_isAnswered = false;
    send('P', {});
    m_pingTimer = m_loop.after(pingMs, [this] { ping(); });
}

void MetricProcess::send(char kind, const std::string &dir)
{
    if (m_socket >= 0) {
        m_waiting.push_back(kind + dir);
        write();
    }
}

// An end is sent to a process that may not know the try.
void MetricProcess::tell(char kind, const std::string &dir)
{
    tellSecrets(dir);
    send(kind, dir);
}

void MetricProcess::tellSecrets(const std::string &dir)
{
    const auto known = m_secrets.find(dir);
    if (known == m_secrets.end()) {
        return;
    }
    const auto tellOne = [this, &dir](std::string_view secret) {
        if (secret.size() >= contract::Secrets::shortest && secret.size() <= metricmessage::longestSecret) {
            send(metricmessage::secret, (dir + '\0').append(secret));
        }
    };
    for (const std::string &secret : known->second) {
        if (secret.size() <= metricmessage::longestSecret) {
            tellOne(secret);
            continue;
        }
        for (std::string_view rest = secret; !rest.empty();) { // each of its lines is one as well
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            const std::string_view line = rest.substr(0, end);
            tellOne(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
}

void MetricProcess::hide(const std::string &dir, const std::vector<std::string> &secrets)
{
    if (secrets.empty() || dir.size() >= PATH_MAX || m_secrets.contains(dir)) {
        return;
    }
    m_secrets[dir] = secrets;
    if (const auto known = m_tries.find(dir); known != m_tries.end() && !known->second.isYoung) {
        tellSecrets(dir);
    }
}

void MetricProcess::forget(const std::string &dir)
{
    if (const auto known = m_secrets.find(dir); known != m_secrets.end()) {
        for (std::string &secret : known->second) {
            wipeText(secret);
        }
        m_secrets.erase(known);
    }
}

void MetricProcess::write()
{
    while (!m_waiting.empty()) {
        const std::string &message = m_waiting.front();
        if (::send(m_socket, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
            if (errno == EINTR) {
                continue;
            }
            break; // it is full, or receive() will see that the other end is closed
        }
        m_waiting.pop_front();
    }
    if (m_isWatchingForRoom == m_waiting.empty()) {
        m_isWatchingForRoom = !m_isWatchingForRoom;
        m_loop.change(m_socket, m_isWatchingForRoom ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }
}

void MetricProcess::receive()
{
    char message[PATH_MAX + 16];
    for (;;) {
        const ssize_t size = ::recv(m_socket, message, sizeof message, MSG_DONTWAIT);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (size <= 0) {
            restart();
            return;
        }
        m_isAnswered = true;
        if (message[0] == 'D') {
            finish(std::string(message + 1, static_cast<std::size_t>(size) - 1));
        }
    }
}

} // namespace trainyard::agent
