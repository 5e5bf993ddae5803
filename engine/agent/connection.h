// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"
#include "engine/contract/messages.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

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
    void fail(std::int64_t id, const char *code, std::string argument = {}, int systemError = 0);
    bool hasRoom() const { return m_out.size() - m_written < roomLimit; } // for log chunks
    // The engine does not read: samples are left out.
    bool isClogged() const { return m_out.size() - m_written > clogLimit; }

private:
    static constexpr std::size_t roomLimit = 128 * 1024;
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

    void readSome();
    void writeSome();
};

} // namespace trainyard::agent
