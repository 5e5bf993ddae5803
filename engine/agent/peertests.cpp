// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/peertests.h"

#include "engine/agent/locks.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t longest = 60'000;

struct Target {
    sockaddr_storage storage{};
    socklen_t length = 0;
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&storage); }
};

std::optional<Target> targetOf(const std::string &address, int port)
{
    Target target;
    auto *four = reinterpret_cast<sockaddr_in *>(&target.storage);
    auto *six = reinterpret_cast<sockaddr_in6 *>(&target.storage);
    if (port <= 0 || port > 65535) {
        return std::nullopt;
    }
    if (::inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(static_cast<std::uint16_t>(port));
        target.length = sizeof *four;
        return target;
    }
    if (::inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(static_cast<std::uint16_t>(port));
        target.length = sizeof *six;
        return target;
    }
    return std::nullopt;
}

int listenAt(int family, int port)
{
    const int fd = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    const int one = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    int result = 0;
    if (family == AF_INET6) {
        ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
        sockaddr_in6 any{};
        any.sin6_family = AF_INET6;
        any.sin6_port = htons(static_cast<std::uint16_t>(port));
        result = ::bind(fd, reinterpret_cast<const sockaddr *>(&any), sizeof any);
    } else {
        sockaddr_in any{};
        any.sin_family = AF_INET;
        any.sin_port = htons(static_cast<std::uint16_t>(port));
        result = ::bind(fd, reinterpret_cast<const sockaddr *>(&any), sizeof any);
    }
    if (result != 0 || ::listen(fd, SOMAXCONN) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

const char *stateOf(int error)
{
    switch (error) {
    case ECONNREFUSED:
    case ECONNRESET:
        return "refused";
    case ETIMEDOUT:
        return "silent";
    default:
        return "unreachable";
    }
}

} // namespace

PeerTests::~PeerTests()
{
    while (!m_listeners.empty()) {
        stopListening(m_listeners.begin()->first);
    }
    for (const auto &[socket, call] : m_calls) {
        m_loop.forget(socket);
        ::close(socket);
    }
    for (const auto &[id, round] : m_rounds) {
        m_loop.cancel(round.timer);
    }
}

void PeerTests::await(std::int64_t id, const contract::Await &request)
{
    Listener listener;
    listener.word = request.word;
    int port = 0;
    constexpr int tries = 3; // another program may take the port in between
    for (int i = 0; i < tries && listener.sockets.empty() && m_listeners.size() < mostListeners; ++i) {
        const std::vector<int> drawn = drawPorts(1, request.first, request.last, {});
        port = drawn.empty() ? 0 : drawn.front();
        for (const int family : {AF_INET, AF_INET6}) {
            if (const int fd = port > 0 ? listenAt(family, port) : -1; fd >= 0) {
                listener.sockets.push_back(fd);
            }
        }
    }
    if (listener.sockets.empty()) {
        m_connection.fail(id, "await.failed", {}, errno);
        return;
    }
    for (const int socket : listener.sockets) {
        m_loop.watch(socket, EPOLLIN, [this, socket, word = listener.word](std::uint32_t) { answer(socket, word); });
    }
    listener.timer = m_loop.after(std::clamp<std::int64_t>(request.ms, 1, longest), [this, id] { stopListening(id); });
    m_listeners[id] = std::move(listener);
    m_connection.send(id, contract::Awaiting{port});
}

// The word is short: the kernel takes all of it at once.
void PeerTests::answer(int socket, const std::string &word) const
{
    const int caller = ::accept4(socket, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (caller >= 0) {
        if (::send(caller, word.data(), word.size(), MSG_NOSIGNAL) >= 0) {
            ::shutdown(caller, SHUT_WR);
        }
        ::close(caller);
    }
}

void PeerTests::stopListening(std::int64_t id)
{
    const auto it = m_listeners.find(id);
    if (it == m_listeners.end()) {
        return;
    }
    for (const int socket : it->second.sockets) {
        m_loop.forget(socket);
        ::close(socket);
    }
    m_loop.cancel(it->second.timer);
    m_listeners.erase(it);
}

void PeerTests::reach(std::int64_t id, const contract::Reach &request)
{
    const std::size_t count = request.addresses.size();
    if (count > contract::mostReached || request.ports.size() != count || request.words.size() != count) {
        m_connection.fail(id, "reach.malformed", {}, EINVAL);
        return;
    }
    Round &round = m_rounds[id];
    round.states.assign(count, "silent");
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<Target> target = targetOf(request.addresses[i], request.ports[i]);
        if (!target) {
            round.states[i] = "invalid";
            continue;
        }
        const int fd = ::socket(target->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0 || (::connect(fd, target->get(), target->length) != 0 && errno != EINPROGRESS)) {
            round.states[i] = stateOf(errno);
            if (fd >= 0) {
                ::close(fd);
            }
            continue;
        }
        m_calls[fd] = {id, i, request.words[i], {}, false};
        ++round.open;
        m_loop.watch(fd, EPOLLOUT, [this, fd](std::uint32_t) { happened(fd); });
    }
    round.timer = m_loop.after(
        round.open == 0 ? 0 : std::clamp<std::int64_t>(request.ms, 1, longest), [this, id] { endRound(id); });
}

void PeerTests::happened(int socket)
{
    const auto it = m_calls.find(socket);
    if (it == m_calls.end()) {
        return;
    }
    Call &call = it->second;
    if (!call.isConnected) {
        int error = 0;
        socklen_t size = sizeof error;
        if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
            end(socket, stateOf(error));
            return;
        }
        call.isConnected = true;
        m_loop.change(socket, EPOLLIN);
        return;
    }
    char bytes[256];
    const ssize_t n = ::recv(socket, bytes, sizeof bytes, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n > 0) {
        call.heard.append(bytes, static_cast<std::size_t>(n));
    }
    if (call.heard == call.word) {
        end(socket, "reached");
    } else if (n <= 0 || !call.word.starts_with(call.heard)) {
        end(socket, "another");
    }
}

void PeerTests::end(int socket, const char *state)
{
    const auto it = m_calls.find(socket);
    const Call call = it->second;
    m_calls.erase(it);
    m_loop.forget(socket);
    ::close(socket);
    Round &round = m_rounds[call.round];
    round.states[call.index] = state;
    if (--round.open == 0) {
        endRound(call.round);
    }
}

// Those that have not answered by now stay silent.
void PeerTests::endRound(std::int64_t id)
{
    const auto it = m_rounds.find(id);
    if (it == m_rounds.end()) {
        return;
    }
    std::erase_if(m_calls, [this, id](const auto &each) {
        if (each.second.round != id) {
            return false;
        }
        m_loop.forget(each.first);
        ::close(each.first);
        return true;
    });
    m_loop.cancel(it->second.timer);
    m_connection.send(id, contract::Reached{std::move(it->second.states)});
    m_rounds.erase(it);
}

} // namespace trainyard::agent
