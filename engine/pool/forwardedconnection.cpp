// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/forwardedconnection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr std::chrono::seconds hostPatience{10}; // for a host that is away
constexpr std::chrono::milliseconds wordsPatience{500}; // for the first words of a program that is refused

bool isHttp(std::string_view text)
{
    static constexpr std::array<std::string_view, 7> methods{
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH "};
    return std::any_of(
        methods.begin(), methods.end(), [text](std::string_view method) { return text.starts_with(method); });
}

} // namespace

ForwardedConnection::ForwardedConnection(int socket, const Way &way, QObject *parent)
    : QObject(parent), m_socket(socket), m_way(way), m_read(socket, QSocketNotifier::Read),
      m_write(socket, QSocketNotifier::Write)
{
    m_read.setEnabled(false);
    m_write.setEnabled(false);
    m_patience.setSingleShot(true);
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connect(&m_read, &QSocketNotifier::activated, this, [this] { m_refusal ? sayRefusal() : readLocal(); });
    connect(&m_write, &QSocketNotifier::activated, this, &ForwardedConnection::writeLocal);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_refusal) {
            sayRefusal();
        } else {
            refuse({u"forward.host-away"_s, {{u"host"_s, m_way.host}}});
        }
    });
}

ForwardedConnection::~ForwardedConnection() { finish(false); }

void ForwardedConnection::begin()
{
    if (m_stream != 0 || m_socket < 0 || m_refusal) {
        return;
    }
    HostStreams::User user;
    user.opened = [this] { opened(); };
    user.received = [this](const std::string &bytes) { received(bytes); };
    user.ended = [this] {
        m_remoteEnded = true;
        writeLocal();
    };
    user.broken = [this](const contract::Failure &why) { broken(why); };
    user.roomMade = [this] {
        if (m_isOpen && !m_localEnded) {
            m_read.setEnabled(true);
        }
    };
    m_stream = m_way.streams ? m_way.streams->open(m_way.port, std::move(user), m_way.address) : 0;
    if (m_stream != 0) {
        m_patience.stop(); // the host is there; how long its program takes does not concern us
    } else if (!m_patience.isActive()) {
        m_patience.start(hostPatience);
    }
}

void ForwardedConnection::opened()
{
    m_patience.stop();
    m_isOpen = true;
    m_read.setEnabled(true);
}

void ForwardedConnection::readLocal()
{
    const qint64 room = m_way.streams ? m_way.streams->room(m_stream) : 0;
    if (room <= 0) {
        m_read.setEnabled(false); // until roomMade()
        return;
    }
    std::string bytes(std::size_t(room), '\0');
    const ssize_t n = ::recv(m_socket, bytes.data(), bytes.size(), 0);
    if (n > 0) {
        bytes.resize(std::size_t(n));
        m_way.streams->send(m_stream, std::move(bytes));
    } else if (n == 0) {
        m_localEnded = true;
        m_read.setEnabled(false);
        m_way.streams->sendEnd(m_stream);
        endIfOver();
    } else if (errno != EAGAIN && errno != EINTR) {
        finish(false);
    }
}

void ForwardedConnection::received(const std::string &bytes)
{
    if (m_written == m_out.size()) {
        m_out = bytes;
        m_written = 0;
    } else {
        m_out += bytes;
    }
    writeLocal();
}

void ForwardedConnection::writeLocal()
{
    constexpr std::size_t dropped = 256 * 1024; // of what was written, from the front
    if (m_socket < 0) {
        return;
    }
    qint64 written = 0;
    while (m_written < m_out.size()) {
        const ssize_t n = ::send(m_socket, m_out.data() + m_written, m_out.size() - m_written, MSG_NOSIGNAL);
        if (n >= 0) {
            m_written += std::size_t(n);
            written += n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            finish(false);
            return;
        }
    }
    if (m_written == m_out.size()) {
        m_out.clear();
        m_written = 0;
    } else if (m_written > dropped) {
        m_out.erase(0, m_written);
        m_written = 0;
    }
    m_write.setEnabled(!m_out.empty());
    if (written > 0 && m_way.streams) {
        m_way.streams->took(m_stream, written);
    }
    if (m_remoteEnded && m_out.empty()) {
        ::shutdown(m_socket, SHUT_WR);
    }
    endIfOver();
}

void ForwardedConnection::endIfOver()
{
    if (m_remoteEnded && m_localEnded && m_out.empty()) {
        m_stream = 0; // both sides have said their end
        finish(true);
    }
}

void ForwardedConnection::broken(const contract::Failure &why)
{
    m_stream = 0;
    if (m_isOpen) {
        finish(false); // half an answer must not look whole
    } else if (why.code == "host.gone") {
        if (!m_patience.isActive()) {
            m_patience.start(hostPatience); // nothing was said yet: begin() is called again
        }
    } else if (why.code == "dial.refused") {
        refuse({u"forward.refused"_s, {{u"host"_s, m_way.host}, {u"port"_s, m_way.port}}});
    } else {
        refuse({u"forward.failed"_s, {{u"host"_s, m_way.host}, {u"port"_s, m_way.port}}});
    }
}

void ForwardedConnection::refuse(const Error &why)
{
    m_refusal = why;
    if (m_stream != 0 && m_way.streams) {
        m_way.streams->breakOff(m_stream);
    }
    m_stream = 0;
    m_patience.start(wordsPatience); // its request may still be on its way
    m_read.setEnabled(true);
}

void ForwardedConnection::sayRefusal()
{
    std::array<char, 64 * 1024> buffer{};
    const ssize_t n = ::recv(m_socket, buffer.data(), buffer.size(), 0);
    const std::string_view said(buffer.data(), n > 0 ? std::size_t(n) : 0);
    if (!isHttp(said)) {
        finish(false);
        return;
    }
    const QByteArray sentence = (m_way.words ? m_way.words(*m_refusal) : m_refusal->code).toUtf8() + '\n';
    const QByteArray answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"
                              "Content-Length: "
        + QByteArray::number(sentence.size()) + "\r\nRetry-After: 5\r\nConnection: close\r\n\r\n"
        + (said.starts_with("HEAD ") ? QByteArray() : sentence);
    // It is short, so that the socket takes it at once.
    static_cast<void>(!::send(m_socket, answer.constData(), std::size_t(answer.size()), MSG_NOSIGNAL));
    finish(true);
}

void ForwardedConnection::finish(bool inOrder)
{
    if (m_socket < 0) {
        return;
    }
    m_patience.stop();
    m_read.setEnabled(false);
    m_write.setEnabled(false);
    if (m_stream != 0 && m_way.streams) {
        m_way.streams->breakOff(m_stream);
    }
    m_stream = 0;
    if (!inOrder) {
        const linger now{1, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(m_socket);
    m_socket = -1;
    // Later: we may be inside of what a stream tells, or of our own beginning.
    QMetaObject::invokeMethod(this, &ForwardedConnection::over, Qt::QueuedConnection);
}

} // namespace trainyard
