// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/connection.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

Connection::Connection(Loop &loop, int in, int out, Receive receive)
    : m_loop(loop), m_inFd(in), m_outFd(out), m_receive(std::move(receive))
{
    ::fcntl(in, F_SETFL, ::fcntl(in, F_GETFL) | O_NONBLOCK);
    ::fcntl(out, F_SETFL, ::fcntl(out, F_GETFL) | O_NONBLOCK);
    if (!loop.watch(in, EPOLLIN, [this](std::uint32_t) { readSome(); })) {
        loop.quit();
    }
    m_pollable = loop.watch(out, 0, [this](std::uint32_t events) {
        if (events & (EPOLLERR | EPOLLHUP)) {
            m_loop.quit(); // the other side is gone; the keepers stay
            return;
        }
        writeSome();
    });
}

void Connection::sendBanner(std::string_view nonce)
{
    // A line of its own, whatever a profile printed before.
    m_out += '\n';
    m_out += contract::bannerLine(nonce);
    writeSome();
}

void Connection::send(std::int64_t id, contract::Message message)
{
    const std::optional<std::string> frame = contract::encode({id, std::move(message), {}});
    if (!frame) {
        fail(id, "agent.too-long");
        return;
    }
    m_out += *frame;
    if (!m_waiting) {
        writeSome();
    }
}

void Connection::sendChunk(std::int64_t id, const contract::Chunk &chunk, std::string_view bytes)
{
    std::optional<std::string> head = contract::encodeChunkHead(id, chunk, bytes.size());
    if (!head) {
        fail(id, "agent.too-long");
        return;
    }
    std::size_t written = 0;
    if (m_out.empty()) { // the usual case: from the caller's buffer, not a copy of it
        const iovec parts[] = {{head->data(), head->size()}, {const_cast<char *>(bytes.data()), bytes.size()}};
        const ssize_t n = ::writev(m_outFd, parts, 2);
        written = n > 0 ? static_cast<std::size_t>(n) : 0; // what failed fails again in writeSome()
    }
    const std::size_t ofHead = std::min(written, head->size());
    m_out.append(*head, ofHead);
    m_out += bytes.substr(written - ofHead);
    if (m_out.empty()) {
        return;
    }
    if (written > 0 && m_pollable) {
        waitToWrite(true); // it is full
    } else if (!m_waiting) {
        writeSome();
    }
}

void Connection::fail(std::int64_t id, const char *code, std::string argument, int systemError)
{
    if (argument.size() > 4096) {
        argument.resize(4096);
    }
    send(id, contract::Failure{code, std::move(argument), systemError});
}

void Connection::readSome()
{
    const ssize_t n = ::read(m_inFd, m_buffer.get(), bufferSize);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        m_loop.quit();
        return;
    }
    m_reader.feed(std::string_view(m_buffer.get(), static_cast<std::size_t>(n)));
    while (std::optional<contract::Frame> frame = m_reader.next()) {
        std::string problem;
        std::optional<contract::Envelope> envelope = contract::decode(std::move(*frame), false, &problem);
        if (envelope) {
            m_receive(std::move(*envelope));
        } else {
            fail(0, "agent.not-understood", problem);
        }
    }
    if (m_reader.state() == contract::FrameReader::State::Broken) {
        fail(0, m_reader.error().c_str());
        m_loop.quit();
    }
}

void Connection::writeSome()
{
    while (m_written < m_out.size()) {
        const std::size_t asked = waiting();
        const ssize_t n = ::write(m_outFd, m_out.data() + m_written, asked);
        if (n > 0) {
            m_written += static_cast<std::size_t>(n);
            if (static_cast<std::size_t>(n) < asked && m_pollable) {
                break; // it is full
            }
        } else if (n < 0 && errno == EAGAIN && m_pollable) {
            break;
        } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
            m_loop.quit();
            return;
        }
    }
    const bool done = m_written == m_out.size();
    if (done) {
        m_out.clear();
        m_written = 0;
    } else if (m_written > (1u << 20)) {
        m_out.erase(0, m_written);
        m_written = 0;
    }
    waitToWrite(!done);
}

void Connection::waitToWrite(bool waits)
{
    if (m_waiting != waits && m_pollable) {
        m_waiting = waits;
        m_loop.change(m_outFd, m_waiting ? static_cast<std::uint32_t>(EPOLLOUT) : 0u);
    }
}

} // namespace trainyard::agent
