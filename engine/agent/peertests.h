// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/loop.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// Finds out whether hosts of a job reach each other: one listens for a moment and answers with a word
// (contract::Await), the others connect and compare it (contract::Reach), so that another program at the same address
// does not count as an answer.
class PeerTests
{
public:
    PeerTests(Loop &loop, Connection &connection) : m_loop(loop), m_connection(connection) { }
    ~PeerTests();
    PeerTests(const PeerTests &) = delete;
    PeerTests &operator=(const PeerTests &) = delete;

    void await(std::int64_t id, const contract::Await &request);
    void reach(std::int64_t id, const contract::Reach &request);

private:
    struct Listener {
        std::vector<int> sockets; // of IPv4 and IPv6
        std::string word;
        Loop::Timer timer = 0;
    };
    struct Call {
        std::int64_t round = 0; // id of its request
        std::size_t index = 0; // in the answer
        std::string word, heard;
        bool isConnected = false;
    };
    struct Round {
        std::vector<std::string> states;
        std::size_t open = 0; // calls without a result
        Loop::Timer timer = 0;
    };
    static constexpr std::size_t mostListeners = 256;

    void stopListening(std::int64_t id);
    void answer(int socket, const std::string &word) const;
    void happened(int socket);
    void end(int socket, const char *state);
    void endRound(std::int64_t id);

    Loop &m_loop;
    Connection &m_connection;
    std::map<std::int64_t, Listener> m_listeners; // by the id of the request
    std::map<int, Call> m_calls; // by the socket
    std::map<std::int64_t, Round> m_rounds;
};

} // namespace trainyard::agent
