// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/tcpstreams.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace trainyard::agent
{
namespace
{

// Where nothing listens on a port of the range from which the kernel draws its own, a connection can meet itself.
bool isItself(int fd)
{
    SocketAddress own, other;
    own.length = other.length = sizeof(sockaddr_storage);
    return ::getsockname(fd, reinterpret_cast<sockaddr *>(&own.storage), &own.length) == 0
        && ::getpeername(fd, reinterpret_cast<sockaddr *>(&other.storage), &other.length) == 0
        && own.length == other.length && std::memcmp(&own.storage, &other.storage, own.length) == 0;
}

} // namespace

TcpStreams::TcpStreams(Loop &loop, Connection &connection)
    : m_loop(loop), m_connection(connection), m_buffer(contract::streamPiece)
{
}

TcpStreams::~TcpStreams()
{
    for (auto &[id, stream] : m_streams) {
        closeSocket(stream, false);
    }
}

void TcpStreams::dial(std::int64_t id, const contract::Dial &request)
{
    if (request.port < 1 || request.port > 65535 || m_streams.count(id) > 0) {
        m_connection.fail(id, "dial.refused", std::to_string(request.port), EINVAL);
        return;
    }
    if (m_streams.size() >= most) {
        m_connection.fail(id, "dial.too-many", std::to_string(most));
        return;
    }
    const std::optional<SocketAddress> elsewhere
        = request.address.empty() ? std::nullopt : numericAddress(request.address, request.port);
    if (!request.address.empty() && !elsewhere) {
        m_connection.fail(id, "dial.refused", std::to_string(request.port), EINVAL);
        return;
    }
    const auto it = m_streams.emplace(id, Stream{}).first;
    it->second.port = request.port;
    it->second.credit = std::clamp<std::int64_t>(request.credit, 0, 1ll << 40);
    it->second.addresses = elsewhere ? std::vector{*elsewhere} : loopbackAddresses(request.port);
    it->second.hasLooked = elsewhere.has_value();
    connectNext(it);
}

bool TcpStreams::connectNext(Streams::iterator it)
{
    Stream &stream = it->second;
    for (;;) {
        if (stream.next == stream.addresses.size() && !stream.hasLooked) {
            stream.hasLooked = true;
            const std::vector<SocketAddress> others = otherListeners(stream.port);
            stream.addresses.insert(stream.addresses.end(), others.begin(), others.end());
        }
        if (stream.next == stream.addresses.size()) {
            m_connection.fail(it->first, "dial.refused", std::to_string(stream.port), stream.error);
            m_streams.erase(it);
            return false;
        }
        const SocketAddress &address = stream.addresses[stream.next++];
        stream.fd = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (stream.fd >= 0 && ::connect(stream.fd, address.get(), address.length) == 0) {
            return connected(it);
        }
        if (stream.fd >= 0 && errno == EINPROGRESS) {
            watch(it->first, stream);
            return true;
        }
        // The refusal by the first one counts where the other kind of address does not exist at all.
        if (stream.error == 0 || errno == ECONNREFUSED) {
            stream.error = errno;
        }
        closeSocket(stream, true);
    }
}

bool TcpStreams::connected(Streams::iterator it)
{
    Stream &stream = it->second;
    if (isItself(stream.fd)) {
        stream.error = ECONNREFUSED;
        closeSocket(stream, true);
        return connectNext(it);
    }
    stream.isConnected = true;
    stream.isReadable = true;
    stream.window = m_streams.size() <= contract::fewStreams ? contract::streamCredit : contract::smallStreamCredit;
    stream.granted = stream.window;
    const int on = 1;
    ::setsockopt(stream.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_connection.send(it->first, contract::Dialed{stream.window});
    return writeSome(it); // the client may have said its end already
}

void TcpStreams::watch(std::int64_t id, Stream &stream)
{
    std::uint32_t wanted = 0;
    if (!stream.isConnected) {
        wanted = EPOLLOUT;
    } else {
        wanted |= stream.isReadable || stream.sentEnd ? 0u : static_cast<std::uint32_t>(EPOLLIN);
        wanted |= stream.done < stream.out.size() ? static_cast<std::uint32_t>(EPOLLOUT) : 0u;
    }
    if (wanted == stream.events || stream.fd < 0) {
        return;
    }
    // Without events it is removed, because the loop would otherwise report a broken connection again and again,
    // whatever it waits for.
    if (wanted == 0) {
        m_loop.forget(stream.fd);
    } else if (stream.events == 0) {
        if (!m_loop.watch(stream.fd, wanted, [this, id](std::uint32_t events) { happened(id, events); })) {
            wanted = 0;
        }
    } else {
        m_loop.change(stream.fd, wanted);
    }
    stream.events = wanted;
}

void TcpStreams::happened(std::int64_t id, std::uint32_t events)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return;
    }
    Stream &stream = it->second;
    if (!stream.isConnected) {
        int error = 0;
        socklen_t length = sizeof error;
        if (::getsockopt(stream.fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0) {
            error = errno;
        }
        if (error == 0) {
            connected(it);
            return;
        }
        stream.error = error;
        closeSocket(stream, true);
        connectNext(it);
        return;
    }
    const bool isBroken = (events & (EPOLLHUP | EPOLLERR)) != 0;
    if ((events & EPOLLIN) || isBroken) {
        stream.isReadable = true; // pump() reads it
    }
    if ((events & EPOLLOUT) || isBroken) {
        if (!writeSome(it)) {
            return;
        }
    }
    watch(id, stream);
}

void TcpStreams::credit(const contract::Credit &credit)
{
    const auto it = m_streams.find(credit.follow);
    if (it != m_streams.end() && credit.bytes > 0) {
        it->second.credit = std::min<std::int64_t>(it->second.credit + credit.bytes, 1ll << 40);
    }
}

void TcpStreams::take(std::int64_t id, contract::Flow &&flow)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return; // it has ended here meanwhile
    }
    Stream &stream = it->second;
    if (flow.broken) {
        const bool wasConnected = stream.isConnected;
        closeSocket(stream, false);
        m_streams.erase(it);
        if (!wasConnected) {
            m_connection.send(id, contract::Done{}); // the answer to the request
        }
        return;
    }
    const auto size = static_cast<std::int64_t>(flow.bytes.size());
    if (size > 0 && (stream.gotEnd || size > stream.granted)) {
        breakOff(it);
        return;
    }
    stream.granted -= size;
    stream.gotEnd = stream.gotEnd || flow.end;
    if (stream.done == stream.out.size()) {
        stream.out = std::move(flow.bytes);
        stream.done = 0;
    } else {
        stream.out += flow.bytes;
    }
    if (stream.isConnected) {
        writeSome(it);
    }
}

bool TcpStreams::writeSome(Streams::iterator it)
{
    constexpr std::size_t dropped = 256 * 1024; // of what was written, from the front
    Stream &stream = it->second;
    while (stream.done < stream.out.size()) {
        const ssize_t n
            = ::send(stream.fd, stream.out.data() + stream.done, stream.out.size() - stream.done, MSG_NOSIGNAL);
        if (n >= 0) {
            stream.done += static_cast<std::size_t>(n);
            stream.written += n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            breakOff(it);
            return false;
        }
    }
    if (stream.done == stream.out.size()) {
        stream.out.clear();
        stream.done = 0;
    } else if (stream.done > dropped) {
        stream.out.erase(0, stream.done);
        stream.done = 0;
    }
    if (stream.written >= stream.window / 4 && !stream.gotEnd) {
        stream.granted += stream.written;
        m_connection.send(it->first, contract::Credit{it->first, std::exchange(stream.written, 0)});
    }
    if (stream.gotEnd && stream.out.empty()) {
        ::shutdown(stream.fd, SHUT_WR);
    }
    return endIfOver(it);
}

bool TcpStreams::endIfOver(Streams::iterator it)
{
    Stream &stream = it->second;
    if (stream.sentEnd && stream.gotEnd && stream.out.empty()) {
        closeSocket(stream, true);
        m_streams.erase(it);
        return false;
    }
    watch(it->first, stream);
    return true;
}

bool TcpStreams::pump()
{
    // Those behind the last one first, so that each has its turn also where the wire has room for one only.
    std::vector<std::int64_t> ids;
    for (const auto &[id, stream] : m_streams) {
        if (stream.isConnected && stream.isReadable && !stream.sentEnd && stream.credit > 0) {
            ids.push_back(id);
        }
    }
    std::rotate(ids.begin(), std::upper_bound(ids.begin(), ids.end(), m_last), ids.end());
    bool more = false;
    for (const std::int64_t id : ids) {
        if (!m_connection.hasRoom()) {
            return false; // the connection wakes the loop when it has written
        }
        const auto it = m_streams.find(id);
        if (it != m_streams.end()) {
            m_last = id;
            readSome(it, more);
        }
    }
    return more;
}

bool TcpStreams::readSome(Streams::iterator it, bool &more)
{
    Stream &stream = it->second;
    const std::size_t size = std::min(m_buffer.size(), static_cast<std::size_t>(stream.credit));
    const ssize_t n = ::recv(stream.fd, m_buffer.data(), size, 0);
    if (n > 0) {
        stream.credit -= n;
        contract::Flow flow;
        flow.bytes.assign(m_buffer.data(), static_cast<std::size_t>(n));
        m_connection.send(it->first, std::move(flow));
        more = more || stream.credit > 0;
        return true;
    }
    if (n == 0) {
        stream.sentEnd = true;
        contract::Flow flow;
        flow.end = true;
        m_connection.send(it->first, std::move(flow));
        return endIfOver(it);
    }
    if (errno == EINTR) {
        more = true;
        return true;
    }
    if (errno == EAGAIN) {
        stream.isReadable = false;
        watch(it->first, stream);
        return true;
    }
    breakOff(it);
    return false;
}

void TcpStreams::closeSocket(Stream &stream, bool inOrder)
{
    if (stream.fd < 0) {
        return;
    }
    if (!inOrder) { // the program sees that, too
        const linger now{1, 0};
        ::setsockopt(stream.fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    if (std::exchange(stream.events, 0u) != 0) {
        m_loop.forget(stream.fd);
    }
    ::close(stream.fd);
    stream.fd = -1;
}

void TcpStreams::breakOff(Streams::iterator it)
{
    const std::int64_t id = it->first;
    closeSocket(it->second, false);
    m_streams.erase(it);
    contract::Flow flow;
    flow.broken = true;
    m_connection.send(id, std::move(flow));
}

} // namespace trainyard::agent
