// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pool/forwardedconnection.h"

#include <QObject>

#include <memory>
#include <vector>

namespace trainyard
{

// A port of this computer that leads to a port of a host. It listens at 127.0.0.1 and nowhere else, and stays while the
// host is away.
class PortForward : public QObject
{
    Q_OBJECT
public:
    explicit PortForward(const ForwardedConnection::Way &way, QObject *parent = nullptr);
    ~PortForward() override;

    // At this port. Codes: forward.busy {port}, forward.denied {port}, forward.cannot-listen {port, message}.
    Result<int> listenAt(int port);
    // At the port that it has on the host, or else at the next one that is free. forward.none-free {port}, or
    // forward.cannot-listen.
    Result<int> listenNear();
    int port() const { return m_way.port; } // on the host
    int localPort() const { return m_localPort; }
    int connections() const { return int(m_connections.size()); }
    // Whether more may be accepted; others wait until resume(). All that are accepted have a descriptor.
    void setMayAccept(std::function<bool()> mayAccept) { m_mayAccept = std::move(mayAccept); }
    void resume();

Q_SIGNALS:
    void connectionOver();

private:
    static constexpr std::size_t most = 200; // connections at a time
    void acceptSome();
    void take(int socket);

    ForwardedConnection::Way m_way;
    std::function<bool()> m_mayAccept;
    int m_listener = -1;
    int m_localPort = 0;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::vector<std::unique_ptr<ForwardedConnection>> m_connections;
    QTimer m_pause; // no descriptor is left
};

} // namespace trainyard
