// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/loop.h"

#include <map>
#include <string>

namespace trainyard::agent
{

// Answers requests for the code of jobs, one process for each, so that a slow disk holds up nothing else.
class CodeService
{
public:
    CodeService(Loop &loop, Connection &connection) : m_loop(loop), m_connection(connection) { }
    ~CodeService();
    void take(std::int64_t id, const contract::Code &request, const std::string &stateFolder);

private:
    struct Work {
        std::int64_t id = 0;
        std::string said;
    };
    void read(int fd);

    Loop &m_loop;
    Connection &m_connection;
    std::map<int, Work> m_works; // by the pipe of the process
};

} // namespace trainyard::agent
