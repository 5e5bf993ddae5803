// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/connection.h"
#include "engine/agent/listeners.h"
#include "engine/agent/loop.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::agent
{

// TCP connections to programs on this host, carried for the client (contract::Dial). Each direction has its credit, so
// that neither a program that never reads nor one that sends forever fills the memory. What programs send goes to the
// client piece by piece, all connections in turn, and only while the wire has room.
class TcpStreams
{
public:
    TcpStreams(Loop &loop, Connection &connection);
    ~TcpStreams();
    TcpStreams(const TcpStreams &) = delete;
    TcpStreams &operator=(const TcpStreams &) = delete;

    void dial(std::int64_t id, const contract::Dial &request);
    void take(std::int64_t id, contract::Flow &&flow);
    void credit(const contract::Credit &credit);
    // Sends one round of pieces. Returns true when there is more to send now.
    bool pump();

private:
    struct Stream {
        int port = 0;
        std::vector<SocketAddress> addresses; // to be tried
        std::size_t next = 0; // of them
        bool hasLooked = false; // for those where a program listens
        int fd = -1;
        int error = 0; // of the address that was tried last
        std::uint32_t events = 0; // that are watched; 0: it is not in the loop
        bool isConnected = false;
        bool isReadable = false; // the program may have sent something, or its end
        bool sentEnd = false; // the program sends no more
        bool gotEnd = false; // the client sends no more
        std::int64_t credit = 0; // what may be sent to the client
        std::int64_t window = 0; // what the client was allowed to send in all ...
        std::int64_t granted = 0; // ... and what is left of that
        std::int64_t written = 0; // for which it has got no new credit yet
        std::string out; // for the program
        std::size_t done = 0; // of it
    };
    using Streams = std::map<std::int64_t, Stream>;
    static constexpr std::size_t most = 1024;

    Loop &m_loop;
    Connection &m_connection;
    Streams m_streams;
    std::int64_t m_last = 0; // the one that had its turn
    std::vector<char> m_buffer;

    // After each of those that return false the stream is gone.
    bool connectNext(Streams::iterator it);
    bool connected(Streams::iterator it);
    bool readSome(Streams::iterator it, bool &more);
    bool writeSome(Streams::iterator it);
    bool endIfOver(Streams::iterator it);
    void happened(std::int64_t id, std::uint32_t events);
    void watch(std::int64_t id, Stream &stream);
    void closeSocket(Stream &stream, bool inOrder);
    void breakOff(Streams::iterator it);
};

} // namespace trainyard::agent
