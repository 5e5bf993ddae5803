// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/environmentfind.h"
#include "engine/agent/loop.h"

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::agent
{

// Answers requests for the code of jobs, for the files of their tasks and about what is on the host, one process for
// each, so that a slow disk or a file server that does not answer holds up nothing else. Only making a folder of code
// or data, computing the sum of data, and what is done in order have no time limit.
class SideProcesses
{
public:
    SideProcesses(Loop &loop, Connection &connection) : m_loop(loop), m_connection(connection) { }
    ~SideProcesses();
    void take(std::int64_t id, const contract::Code &request, const std::string &stateFolder);
    // Paths whose state is not known within some seconds count as not seen.
    void look(std::int64_t id, const contract::Look &request);
    // As look().
    void findEnvironments(std::int64_t id, const EnvironmentPlaces &places);
    void list(std::int64_t id, const contract::ListFiles &request);
    void piece(std::int64_t id, const contract::ReadPiece &request);
    void place(std::int64_t id, const contract::StorePiece &request);
    void data(std::int64_t id, const contract::Data &request, const std::string &stateFolder);
    // Does any other work in a separate process; `nothing` is the answer when it takes longer.
    void work(std::int64_t id, const std::string &about, const std::function<contract::Message()> &work,
        std::int64_t ms, const contract::Message &nothing);
    void lookThrough(std::int64_t id, const contract::LookThrough &request, const std::string &stateFolder);

    struct Step {
        std::int64_t id = 0;
        bool isAnswered = true; // when it is done; a failure is always reported
        std::function<std::optional<contract::Message>()> work;
    };
    // One process does all of it, one after the other, and answers each when it is done, however long that takes. Then
    // `done` is called, also when the process was killed. Without another process it is done at once.
    void inOrder(std::vector<Step> steps, const std::function<void()> &done);

private:
    struct Work {
        std::vector<std::int64_t> open; // whose answers are still to come
        pid_t process = 0;
        contract::FrameReader said;
        Loop::Timer timer = 0; // after which its answer is not awaited any longer
        std::function<void()> done;
    };
    // Whether this is the first request for code or data since this agent began: what an earlier agent has left is
    // cleared away behind the answer.
    bool isFirstOfCode() { return !std::exchange(m_wasAskedForCode, true); }
    pid_t fork(int &fd, const std::function<void(int out)> &work);
    void watch(int fd, Work &&work);
    int start(std::int64_t id, const std::string &about, const std::function<contract::Message()> &work,
        const std::function<void()> &afterwards = {});
    void limit(int fd, std::int64_t ms, const contract::Message &nothing);
    void read(int fd);
    void end(int fd, const contract::Message *instead);

    Loop &m_loop;
    Connection &m_connection;
    std::map<int, Work> m_works; // by the pipe of the process
    bool m_wasAskedForCode = false;
};

} // namespace trainyard::agent
