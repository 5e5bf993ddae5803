// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QLocalSocket>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <utility>

namespace trainyard
{

// A connection that carries lines (without their newlines) both ways, each of at most rpc::maxLine bytes. It lives on
// one thread. No signal comes before the event loop runs; a slot of received() may close or delete the connection.
class RpcConnection : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual bool isOpen() const = 0;
    // Never blocks: what the other side does not take yet waits here. Does nothing when the connection is closed.
    virtual void send(const QByteArray &line) = 0;
    virtual qint64 backlog() const = 0; // bytes sent and not yet taken
    // Drops what waits, sends one last line if the other side still takes it (for a few seconds), and closes.
    virtual void closeWith(const QByteArray &lastLine) = 0;
    virtual void close() = 0; // at once; closed() comes
    virtual qint64 peerPid() const { return 0; } // the process at the other end; 0: this one, or not known

Q_SIGNALS:
    void received(const QByteArray &line);
    void closed(); // once
};

// A connection over a local socket. A line that is longer than the limit closes it, since no program of Trainyard sends
// one.
class LocalSocketConnection : public RpcConnection
{
    Q_OBJECT
public:
    explicit LocalSocketConnection(std::unique_ptr<QLocalSocket> connectedSocket, QObject *parent = nullptr);
    ~LocalSocketConnection() override;
    bool isOpen() const override { return m_open && !m_closing; }
    void send(const QByteArray &line) override;
    qint64 backlog() const override;
    void closeWith(const QByteArray &lastLine) override;
    void close() override;
    qint64 peerPid() const override;
    // No further line is received while more than this waits to be taken: a peer that asks faster than it reads is held
    // back. Only for one of the two sides: both would wait for each other.
    void holdBackAt(qsizetype bytes) { m_holdAt = bytes; }

private:
    enum class Input { Goes, Ends };
    void readMore(Input input = Input::Goes);
    void writeMore();
    void finish();

    std::unique_ptr<QLocalSocket> m_socket;
    QByteArray m_input;
    qsizetype m_scanned = 0; // of m_input, without a newline
    QList<QByteArray> m_queue; // lines with their newline
    qsizetype m_queueBytes = 0;
    qsizetype m_holdAt = 0; // 0: never
    bool m_isHeld = false;
    bool m_open = true;
    bool m_closing = false;
    bool m_reading = false;
    QTimer m_closeTimer;
};

// The two ends of a connection inside one thread. Lines arrive through the event loop, as from a socket.
std::pair<std::unique_ptr<RpcConnection>, std::unique_ptr<RpcConnection>> makeRpcPair();

} // namespace trainyard
