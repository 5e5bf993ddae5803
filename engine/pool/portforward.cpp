// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/portforward.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int lastPort = 65535;
constexpr int firstFree = 1024; // those below belong to the system
constexpr int aboveSystem = 8000; // 80 becomes 8080
constexpr int mostTried = 2000;
constexpr std::chrono::milliseconds descriptorPause{200};

// Whether a program listens on the port at ::1, which browsers try first for "localhost".
bool isHeldAtOtherLoopback(int port)
{
    const int fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(quint16(port));
    address.sin6_addr = in6addr_loopback;
    const bool isHeld
        = ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 && errno == EADDRINUSE;
    ::close(fd);
    return isHeld;
}

Error cannotListen(int port, int error)
{
    if (error == EADDRINUSE) {
        return {u"forward.busy"_s, {{u"port"_s, port}}};
    }
    if (error == EACCES || error == EPERM) {
        return {u"forward.denied"_s, {{u"port"_s, port}}};
    }
    return {
        u"forward.cannot-listen"_s, {{u"port"_s, port}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}}};
}

} // namespace

PortForward::PortForward(const ForwardedConnection::Way &way, QObject *parent) : QObject(parent), m_way(way)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &PortForward::resume);
    connect(way.streams, &HostStreams::online, this, [this] {
        for (const auto &connection : m_connections) {
            connection->begin();
        }
    });
}

PortForward::~PortForward()
{
    m_notifier.reset();
    if (m_listener >= 0) {
        ::close(m_listener);
    }
}

Result<int> PortForward::listenAt(int port)
{
    int error = isHeldAtOtherLoopback(port) ? EADDRINUSE : 0;
    const int fd = error == 0 ? ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
    if (error == 0 && fd < 0) {
        error = errno;
    }
    if (error == 0) {
        const int on = 1; // connections of a forward before may not be forgotten yet
        ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(quint16(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
            || ::listen(fd, SOMAXCONN) != 0) {
            error = errno;
        }
    }
    if (error != 0) {
        if (fd >= 0) {
            ::close(fd);
        }
        return tl::unexpected<Error>(cannotListen(port, error));
    }
    m_listener = fd;
    m_localPort = port;
    m_notifier = std::make_unique<QSocketNotifier>(fd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PortForward::acceptSome);
    return port;
}

Result<int> PortForward::listenNear()
{
    int candidate = m_way.port;
    for (int tried = 0; tried < mostTried; ++tried) {
        const Result<int> listening = listenAt(candidate);
        const bool isTaken = !listening && listening.error().code == "forward.busy"_L1;
        const bool isDenied = !listening && listening.error().code == "forward.denied"_L1;
        if (!isTaken && !isDenied) {
            return listening;
        }
        candidate = candidate < firstFree ? candidate + aboveSystem : candidate + 1;
        candidate = candidate > lastPort ? firstFree : candidate;
    }
    return fail(u"forward.none-free"_s, {{u"port"_s, m_way.port}});
}

void PortForward::resume()
{
    if (m_notifier) {
        m_notifier->setEnabled(true);
    }
}

void PortForward::acceptSome()
{
    for (;;) {
        if (m_connections.size() >= most || (m_mayAccept && !m_mayAccept())) {
            m_notifier->setEnabled(false); // until one of them is over
            return;
        }
        const int fd = ::accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            take(fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            m_notifier->setEnabled(false);
            m_pause.start(descriptorPause);
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

void PortForward::take(int socket)
{
    m_connections.push_back(std::make_unique<ForwardedConnection>(socket, m_way));
    ForwardedConnection *made = m_connections.back().get();
    connect(made, &ForwardedConnection::over, this, [this, made] {
        const auto it = std::find_if(m_connections.begin(), m_connections.end(),
            [made](const std::unique_ptr<ForwardedConnection> &one) { return one.get() == made; });
        if (it != m_connections.end()) {
            it->release()->deleteLater(); // we are inside its signal
            m_connections.erase(it);
        }
        if (!m_pause.isActive()) {
            resume();
        }
        Q_EMIT connectionOver();
    });
    made->begin();
}

} // namespace trainyard
