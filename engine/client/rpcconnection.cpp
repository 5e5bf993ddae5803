// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/rpcconnection.h"

#include "engine/api/rpc.h"

#include <sys/socket.h>

namespace trainyard
{
namespace
{

// The socket gets no more than this at a time: what lies in its own buffer cannot be taken back when the connection is
// to end with one last line.
constexpr qint64 socketBuffer = 256 << 10;
constexpr qint64 readBuffer = 1 << 20;
constexpr int lastLineMs = 3000;

class MemoryConnection : public RpcConnection
{
public:
    bool isOpen() const override { return m_open; }

    void send(const QByteArray &line) override
    {
        if (!m_open || !m_peer) {
            return;
        }
        m_waiting += line.size();
        QPointer<MemoryConnection> self(this);
        QMetaObject::invokeMethod(
            m_peer,
            [self, peer = m_peer, line] {
                if (self) {
                    self->m_waiting -= line.size();
                }
                if (peer && peer->m_open) {
                    Q_EMIT peer->received(line);
                }
            },
            Qt::QueuedConnection);
    }

    qint64 backlog() const override { return m_waiting; }

    void closeWith(const QByteArray &lastLine) override
    {
        send(lastLine);
        close();
    }

    void close() override
    {
        if (!m_open) {
            return;
        }
        m_open = false;
        // Closes through the event loop on both sides, behind the lines that are under way.
        for (const QPointer<MemoryConnection> &end : {QPointer<MemoryConnection>(this), m_peer}) {
            if (end) {
                QMetaObject::invokeMethod(
                    end, [end] { end->finish(); }, Qt::QueuedConnection);
            }
        }
    }

    ~MemoryConnection() override
    {
        m_open = false;
        if (m_peer) {
            QMetaObject::invokeMethod(
                m_peer, [peer = m_peer] { peer->finish(); }, Qt::QueuedConnection);
        }
    }

    void setPeer(MemoryConnection *peer) { m_peer = peer; }

private:
    void finish()
    {
        m_open = false;
        if (!m_told) {
            m_told = true;
            Q_EMIT closed();
        }
    }

    QPointer<MemoryConnection> m_peer;
    qint64 m_waiting = 0;
    bool m_open = true;
    bool m_told = false;
};

} // namespace

LocalSocketConnection::LocalSocketConnection(std::unique_ptr<QLocalSocket> connectedSocket, QObject *parent)
    : RpcConnection(parent), m_socket(std::move(connectedSocket))
{
    m_socket->setReadBufferSize(readBuffer);
    m_closeTimer.setSingleShot(true);
    connect(&m_closeTimer, &QTimer::timeout, this, [this] { close(); });
    connect(m_socket.get(), &QLocalSocket::readyRead, this, [this] { readMore(); });
    connect(m_socket.get(), &QLocalSocket::bytesWritten, this, [this] { writeMore(); });
    connect(m_socket.get(), &QLocalSocket::disconnected, this, [this] { finish(); });
    connect(m_socket.get(), &QLocalSocket::errorOccurred, this, [this] {
        if (m_socket->state() == QLocalSocket::UnconnectedState) {
            finish();
        }
    });
    // The messages that arrived before received() was connected.
    QMetaObject::invokeMethod(
        this, [this] { readMore(); }, Qt::QueuedConnection);
}

LocalSocketConnection::~LocalSocketConnection()
{
    m_socket->disconnect(this);
    m_socket->abort();
}

void LocalSocketConnection::send(const QByteArray &line)
{
    if (!m_open || m_closing) {
        return;
    }
    m_queue.append(line + '\n');
    m_queueBytes += m_queue.constLast().size();
    writeMore();
}

qint64 LocalSocketConnection::backlog() const { return m_queueBytes + m_socket->bytesToWrite(); }

void LocalSocketConnection::closeWith(const QByteArray &lastLine)
{
    if (!m_open || m_closing) {
        return;
    }
    m_queue.clear();
    m_queueBytes = 0;
    send(lastLine);
    m_closing = true;
    m_closeTimer.start(lastLineMs);
    writeMore();
}

void LocalSocketConnection::close()
{
    if (m_open) {
        // closed() must not come out of this call: its slots may delete us.
        m_closing = true;
        m_socket->disconnect(this);
        m_socket->flush(); // what was asked for right before the end, as far as the other side takes it now
        m_socket->abort();
        m_queue.clear();
        m_queueBytes = 0;
        QMetaObject::invokeMethod(
            this, [this] { finish(); }, Qt::QueuedConnection);
    }
}

qint64 LocalSocketConnection::peerPid() const
{
    struct ucred peer {
    };
    socklen_t size = sizeof peer;
    const int socket = static_cast<int>(m_socket->socketDescriptor());
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

void LocalSocketConnection::readMore(Input input)
{
    // A slot of received() may run an event loop or delete this.
    if (!m_open || m_reading || (m_isHeld && input == Input::Goes)) {
        return;
    }
    m_reading = true;
    m_isHeld = false;
    const QPointer<LocalSocketConnection> self(this);
    do {
        const QByteArray bytes = m_socket->bytesAvailable() > 0 ? m_socket->read(readBuffer) : QByteArray();
        if (m_closing) {
            continue; // its requests come too late, but the end of the stream must be seen
        }
        m_input += bytes;
        qsizetype begin = 0;
        bool tooLong = false;
        while (!m_isHeld) {
            const qsizetype end = m_input.indexOf('\n', std::max(begin, m_scanned));
            if (end < 0) {
                break;
            }
            const QByteArray line = m_input.mid(begin, end - begin);
            begin = end + 1;
            m_scanned = begin;
            if (line.size() > rpc::maxLine) {
                tooLong = true;
                break;
            }
            if (!line.trimmed().isEmpty()) {
                Q_EMIT received(line);
                if (!self) {
                    return;
                }
                if (!m_open || m_closing) {
                    break;
                }
                m_isHeld = m_holdAt > 0 && m_queueBytes > m_holdAt && input == Input::Goes;
            }
        }
        m_input.remove(0, begin);
        m_scanned = m_isHeld ? 0 : m_input.size();
        if (tooLong || (!m_isHeld && m_input.size() > rpc::maxLine)) {
            m_input.clear();
            m_scanned = 0;
            closeWith(rpc::failure(QJsonValue::Null, {QStringLiteral("rpc.too-long"), {}}));
            if (!self) {
                return;
            }
        }
    } while (m_open && !m_isHeld && m_socket->bytesAvailable() > 0);
    m_reading = false;
}

void LocalSocketConnection::writeMore()
{
    while (m_open && !m_queue.isEmpty() && m_socket->bytesToWrite() < socketBuffer) {
        const QByteArray line = m_queue.takeFirst();
        m_queueBytes -= line.size();
        m_socket->write(line);
    }
    if (m_open && m_closing && m_queue.isEmpty() && m_socket->bytesToWrite() == 0) {
        m_socket->disconnectFromServer();
    }
    if (m_isHeld && m_queueBytes <= m_holdAt) {
        m_isHeld = false;
        QMetaObject::invokeMethod(
            this, [this] { readMore(); }, Qt::QueuedConnection);
    }
}

void LocalSocketConnection::finish()
{
    if (!m_open) {
        return;
    }
    // Lines that arrived right before the end still count.
    const QPointer<LocalSocketConnection> self(this);
    readMore(Input::Ends);
    if (!self || !m_open) {
        return;
    }
    m_open = false;
    m_closeTimer.stop();
    Q_EMIT closed();
}

std::pair<std::unique_ptr<RpcConnection>, std::unique_ptr<RpcConnection>> makeRpcPair()
{
    auto one = std::make_unique<MemoryConnection>();
    auto other = std::make_unique<MemoryConnection>();
    one->setPeer(other.get());
    other->setPeer(one.get());
    return {std::move(one), std::move(other)};
}

} // namespace trainyard
