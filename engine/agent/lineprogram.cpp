// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/lineprogram.h"

#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{

bool LineProgram::start(const std::vector<std::string> &arguments)
{
    stop();
    m_program = startProgram(arguments, ProgramErrors::ToOutput);
    if (m_program.pid < 0) {
        return false;
    }
    m_loop.watch(m_program.out, EPOLLIN, [this](std::uint32_t) { readSome(); });
    return true;
}

void LineProgram::stop()
{
    if (m_program.pid > 0) {
        m_loop.forget(m_program.out);
        ::close(m_program.out);
        ::kill(m_program.pid, SIGTERM); // the agent reaps it
        m_program = {};
        m_text.clear();
    }
}

void LineProgram::readSome()
{
    char buffer[16384];
    const ssize_t n = ::read(m_program.out, buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n > 0) {
        m_text.append(buffer, static_cast<std::size_t>(n));
        if (m_text.size() > (1u << 20)) {
            m_text.clear(); // no line of ours
        }
    } else if (!m_text.empty()) {
        m_text += '\n';
    }
    std::size_t newline = 0;
    while ((newline = m_text.find('\n')) != std::string::npos) {
        const std::string line = m_text.substr(0, newline);
        m_text.erase(0, newline + 1);
        if (!line.empty()) {
            m_line(line);
        }
    }
    if (n <= 0) {
        stop();
        m_ended();
    }
}

} // namespace trainyard::agent
