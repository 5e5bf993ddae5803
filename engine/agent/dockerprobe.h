// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/client.h"
#include "engine/agent/loop.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Asks whether the daemon of docker answers. The program may be there, and even the socket of the daemon, while nothing
// answers, and each command then hangs for ever. A daemon that refuses is not silent: a task hears at once why.
class DockerProbe
{
public:
    explicit DockerProbe(Loop &loop) : m_loop(loop) { }
    ~DockerProbe();
    DockerProbe(const DockerProbe &) = delete;
    DockerProbe &operator=(const DockerProbe &) = delete;

    // Calls `done` once it is known, within some seconds; at once where docker is not there, or was asked lately. From
    // then on a silent daemon is asked again from time to time.
    void look(const std::vector<std::string> &environment, std::function<void()> done);
    // The container programs that are there and of which nothing is to be had.
    std::vector<std::string> silent() const;

private:
    void ask();
    void read();
    void end(bool isSilent);
    void stop();

    Loop &m_loop;
    std::vector<std::string> m_environment;
    std::vector<std::function<void()>> m_waiting;
    ClientProcess m_process;
    pid_t m_left = -1; // the one that did not answer, as long as it cannot be ended
    std::int64_t m_askedAt = 0; // 0: never
    Loop::Timer m_limit = 0, m_again = 0;
    bool m_isSilent = false;
};

} // namespace trainyard::agent
