// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"
#include "engine/contract/messages.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace trainyard::agent
{

// The agent's end of the wire: reads frames from one descriptor and writes frames to another. Log chunks are sent only
// while there is room, so that control frames never wait behind many of them.
class Connection
{
public:
    using Receive = std::function<void(contract::Envelope &&)>;
    Connection(Loop &loop, int in, int out, Receive receive);

    void sendBanner(std::string_view nonce);
    void send(std::int64_t id, contract::Message message);
    // The bytes of the chunk are these; chunk.bytes is empty.
    void sendChunk(std::int64_t id, const contract::Chunk &chunk, std::string_view bytes);
    void fail(std::int64_t id, const char *code, std::string argument = {}, int systemError = 0);
    bool hasRoom() const { return waiting() < roomLimit; } // for log chunks
    // How long the next one may be: what waits together is never more than one of these.
    std::size_t chunkRoom() const { return contract::largestChunk - std::min(waiting(), roomLimit); }
    // The engine does not read: samples are left out.
    bool isClogged() const { return waiting() > clogLimit; }

private:
    static constexpr std::size_t roomLimit = contract::largestChunk - contract::maxChunk;
    static constexpr std::size_t clogLimit = 4 * 1024 * 1024;
    static constexpr std::size_t bufferSize = 64 * 1024;

    Loop &m_loop;
    int m_inFd, m_outFd;
    Receive m_receive;
    contract::FrameReader m_reader;
    // This is not on the stack, because the checks against overflow touch each page of it: after the start of a keeper,
    // all of them would be copied.
    std::unique_ptr<char[]> m_buffer = std::make_unique_for_overwrite<char[]>(bufferSize);
    std::string m_out;
    std::size_t m_written = 0;
    bool m_waiting = false, m_pollable = true;

    std::size_t waiting() const { return m_out.size() - m_written; }
    void readSome();
    void writeSome();
    void waitToWrite(bool waits);
};

} // namespace trainyard::agent
