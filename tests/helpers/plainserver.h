// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>

// A TCP server without any event loop: each call waits for what it is about, ten seconds at most.
class PlainServer
{
public:
    // At an address of this computer, by its number: 127.0.0.1 is INADDR_LOOPBACK.
    explicit PlainServer(std::uint32_t address = INADDR_LOOPBACK)
    {
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_addr.s_addr = htonl(address);
        listenAt(AF_INET, reinterpret_cast<sockaddr *>(&in), sizeof in);
        socklen_t length = sizeof in;
        ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&in), &length);
        m_port = ntohs(in.sin_port);
    }
    struct OtherLoopback {
    };
    explicit PlainServer(OtherLoopback) // at ::1
    {
        sockaddr_in6 in{};
        in.sin6_family = AF_INET6;
        in.sin6_addr = in6addr_loopback;
        listenAt(AF_INET6, reinterpret_cast<sockaddr *>(&in), sizeof in);
        socklen_t length = sizeof in;
        ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&in), &length);
        m_port = ntohs(in.sin6_port);
    }
    ~PlainServer()
    {
        closePeer();
        ::close(m_listener);
    }
    PlainServer(const PlainServer &) = delete;
    PlainServer &operator=(const PlainServer &) = delete;

    bool isListening() const { return m_isListening; }
    int port() const { return m_port; }
    bool accept() // a connection, in place of the one before
    {
        closePeer();
        m_peer = waitFor(m_listener, POLLIN) ? ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC) : -1;
        return m_peer >= 0;
    }
    // So many bytes; fewer at the end of what comes. "!" in front: the connection broke.
    std::string read(std::size_t size)
    {
        std::string text;
        while (text.size() < size) {
            char buffer[65536];
            const std::size_t wanted = std::min(size - text.size(), sizeof buffer);
            const ssize_t n = waitFor(m_peer, POLLIN) ? ::recv(m_peer, buffer, wanted, 0) : -1;
            if (n < 0) {
                return '!' + text;
            }
            if (n == 0) {
                break;
            }
            text.append(buffer, static_cast<std::size_t>(n));
        }
        return text;
    }
    bool write(const std::string &text)
    {
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t n
                = waitFor(m_peer, POLLOUT) ? ::send(m_peer, text.data() + done, text.size() - done, MSG_NOSIGNAL) : -1;
            if (n <= 0) {
                return false;
            }
            done += static_cast<std::size_t>(n);
        }
        return true;
    }
    // What the kernel takes of endless bytes without a reader.
    std::size_t writeWhatFits()
    {
        const std::string piece(65536, 'z');
        std::size_t all = 0;
        for (;;) {
            const ssize_t n = ::send(m_peer, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n <= 0) {
                return all;
            }
            all += static_cast<std::size_t>(n);
        }
    }
    void endWriting() { ::shutdown(m_peer, SHUT_WR); }
    void closePeer(bool inOrder = true)
    {
        if (m_peer >= 0 && !inOrder) {
            const linger now{1, 0};
            ::setsockopt(m_peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        }
        if (m_peer >= 0) {
            ::close(m_peer);
        }
        m_peer = -1;
    }

private:
    void listenAt(int family, const sockaddr *address, socklen_t length)
    {
        m_listener = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        m_isListening = m_listener >= 0 && ::bind(m_listener, address, length) == 0 && ::listen(m_listener, 1024) == 0;
    }
    static bool waitFor(int fd, short events)
    {
        pollfd waiting{fd, events, 0};
        return ::poll(&waiting, 1, 10000) == 1;
    }
    int m_listener = -1, m_peer = -1, m_port = 0;
    bool m_isListening = false;
};
