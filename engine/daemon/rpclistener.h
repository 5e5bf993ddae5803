// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/rpcconnection.h"
#include "model/base/result.h"

#include <QSocketNotifier>
#include <QTimer>

#include <functional>
#include <memory>

namespace trainyard
{

// The local socket at which the daemon is found: bound, and bound again when its file has gone. Only processes of the
// same user get a connection.
class RpcListener : public QObject
{
    Q_OBJECT
public:
    using Connected = std::function<void(std::unique_ptr<RpcConnection>)>;
    RpcListener(const QString &path, Connected connected);
    ~RpcListener() override { unbind(); }

    // The caller holds the lock of the state folder, so whatever lies at the path is stale and is removed. Codes:
    // socket.path-too-long, socket.cannot-listen {path, message}, those of paths::ensurePrivateFolder.
    Result<bool> listen();
    bool isListening() const { return m_socket >= 0; }
    void acceptAll(); // connections that wait in the kernel's queue
    void close(); // for good

private:
    Result<bool> bind();
    void unbind();
    void check();

    QString m_path;
    Connected m_connected;
    int m_socket = -1;
    quint64 m_socketInode = 0;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_check, m_pause;
};

} // namespace trainyard
