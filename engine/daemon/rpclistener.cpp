// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/rpclistener.h"

#include "engine/client/paths.h"

#include <QFile>
#include <QFileInfo>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int socketCheckMs = 1000;
constexpr int acceptPauseMs = 200;
constexpr qsizetype mostAhead = 1 << 20; // bytes of answers that a client has not taken

Error socketError(const QString &path)
{
    return {
        u"socket.cannot-listen"_s, {{u"path"_s, path}, {u"message"_s, QString::fromLocal8Bit(std::strerror(errno))}}};
}

bool isOwnUser(int fd)
{
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::getuid();
}

} // namespace

RpcListener::RpcListener(const QString &path, Connected connected) : m_path(path), m_connected(std::move(connected))
{
    m_pause.setSingleShot(true);
    connect(&m_check, &QTimer::timeout, this, &RpcListener::check);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_notifier) {
            m_notifier->setEnabled(true);
        }
    });
}

Result<bool> RpcListener::listen()
{
    const Result<bool> bound = bind();
    if (bound) {
        m_check.start(socketCheckMs);
    }
    return bound;
}

void RpcListener::close()
{
    m_check.stop();
    acceptAll();
    unbind();
}

Result<bool> RpcListener::bind()
{
    const QByteArray encoded = QFile::encodeName(m_path);
    sockaddr_un address{};
    if (encoded.size() >= qsizetype(sizeof address.sun_path)) {
        return fail(u"socket.path-too-long"_s,
            {{u"path"_s, m_path}, {u"bytes"_s, encoded.size()}, {u"limit"_s, qint64(sizeof address.sun_path) - 1}});
    }
    const Result<QString> folder = paths::ensurePrivateFolder(QFileInfo(m_path).path());
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    unbind();
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return tl::unexpected(socketError(m_path));
    }
    // Not QLocalServer: with access options it binds under a longer temporary name and moves that, which a path near
    // the limit does not bear.
    ::unlink(encoded.constData());
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, encoded.constData(), static_cast<std::size_t>(encoded.size()));
    const mode_t oldMask = ::umask(0177);
    const int bound = ::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    ::umask(oldMask);
    struct stat info {
    };
    if (bound != 0 || ::listen(fd, 64) != 0 || ::stat(encoded.constData(), &info) != 0) {
        const Error error = socketError(m_path);
        ::close(fd);
        return tl::unexpected(error);
    }
    m_socket = fd;
    m_socketInode = info.st_ino;
    m_notifier = std::make_unique<QSocketNotifier>(fd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &RpcListener::acceptAll);
    return true;
}

void RpcListener::unbind()
{
    if (m_socket < 0) {
        return;
    }
    m_notifier.reset();
    const QByteArray path = QFile::encodeName(m_path);
    struct stat info {
    };
    if (::stat(path.constData(), &info) == 0 && info.st_ino == m_socketInode) {
        ::unlink(path.constData());
    }
    ::close(m_socket);
    m_socket = -1;
}

// A logout removes the runtime folder, a cleaner old files in /tmp: without its file no client finds the socket.
void RpcListener::check()
{
    struct stat info {
    };
    const bool there
        = m_socket >= 0 && ::stat(QFile::encodeName(m_path).constData(), &info) == 0 && info.st_ino == m_socketInode;
    if (!there) {
        const Result<bool> bound = bind();
        if (!bound) {
            qWarning("The socket is gone and cannot be made again (%s); trying on.", qPrintable(bound.error().code));
        }
    }
}

void RpcListener::acceptAll()
{
    while (m_socket >= 0) {
        const int fd = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED) {
                continue;
            }
            if (errno != EAGAIN && m_notifier) {
                // No descriptors left: the waiting client would wake us again and again.
                m_notifier->setEnabled(false);
                m_pause.start(acceptPauseMs);
            }
            return;
        }
        if (!isOwnUser(fd)) {
            ::close(fd);
            continue;
        }
        auto socket = std::make_unique<QLocalSocket>();
        if (!socket->setSocketDescriptor(fd)) {
            ::close(fd);
            continue;
        }
        auto connection = std::make_unique<LocalSocketConnection>(std::move(socket));
        connection->holdBackAt(mostAhead);
        m_connected(std::move(connection));
    }
}

} // namespace trainyard
