// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/dockerprobe.h"

#include "engine/agent/pump.h"

#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t limitMs = 4000; // a daemon with much to do takes a second
constexpr std::int64_t dockerFreshMs = 30000;
constexpr std::int64_t dockerAgainMs = 15000; // of a silent one
constexpr const char *program = "docker";

} // namespace

DockerProbe::~DockerProbe()
{
    stop();
    if (m_again != 0) {
        m_loop.cancel(m_again);
    }
}

void DockerProbe::look(const std::vector<std::string> &environment, std::function<void()> done)
{
    m_environment = environment;
    if (findProgram(program, environment).empty()) {
        m_isSilent = false;
        done();
        return;
    }
    const bool isFresh = m_askedAt != 0 && monotonicMs() - m_askedAt < dockerFreshMs;
    if (m_process.pid < 0 && isFresh) {
        done();
        return;
    }
    m_waiting.push_back(std::move(done));
    if (m_process.pid < 0) {
        ask();
    }
}

std::vector<std::string> DockerProbe::silent() const
{
    return m_isSilent ? std::vector<std::string>{program} : std::vector<std::string>();
}

void DockerProbe::ask()
{
    m_askedAt = monotonicMs();
    if (m_left > 0 && ::kill(m_left, 0) == 0) { // waits in the kernel: another one would do so, too
        end(true);
        return;
    }
    m_left = -1;
    m_process = startClient({program, "version", "--format", "{{.Server.Version}}"}, m_environment, {});
    if (m_process.pid < 0) {
        end(false);
        return;
    }
    m_loop.watch(m_process.out, EPOLLIN, [this](std::uint32_t) { read(); });
    m_limit = m_loop.after(limitMs, [this] {
        m_limit = 0;
        end(true);
    });
}

void DockerProbe::read()
{
    char buffer[4096];
    const ssize_t n = ::read(m_process.out, buffer, sizeof buffer);
    if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) {
        return;
    }
    end(false); // whatever it said: it has ended
}

void DockerProbe::end(bool isSilent)
{
    const pid_t asked = m_process.pid;
    stop();
    m_left = isSilent && asked > 0 ? asked : isSilent ? m_left : -1;
    m_isSilent = isSilent;
    if (m_isSilent && m_again == 0) {
        m_again = m_loop.after(dockerAgainMs, [this] {
            m_again = 0;
            if (m_process.pid < 0) {
                ask();
            }
        });
    }
    for (const std::function<void()> &done : std::exchange(m_waiting, {})) {
        done();
    }
}

void DockerProbe::stop()
{
    if (m_limit != 0) {
        m_loop.cancel(std::exchange(m_limit, 0));
    }
    if (m_process.pid > 0) {
        m_loop.forget(m_process.out);
        ::close(m_process.out);
        ::kill(-m_process.pid, SIGKILL); // with what it has started; the agent reaps it
        m_process = {};
    }
}

} // namespace trainyard::agent
