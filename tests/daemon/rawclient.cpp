// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/rawclient.h"

#include <QTest>

using namespace Qt::StringLiterals;

RawClient::RawClient(const QString &path)
{
    connect(&m_socket, &QLocalSocket::readyRead, this, &RawClient::read);
    m_socket.connectToServer(path);
    m_socket.waitForConnected(5000);
}

void RawClient::setReading(bool on)
{
    m_reading = on;
    // With a full buffer of its own the socket takes no more from the kernel.
    m_socket.setReadBufferSize(on ? 0 : 1);
    if (on) {
        read();
    }
}

void RawClient::read()
{
    if (!m_reading) {
        return;
    }
    m_buffer += m_socket.readAll();
    qsizetype begin = 0;
    for (qsizetype end = 0; (end = m_buffer.indexOf('\n', begin)) >= 0; begin = end + 1) {
        m_messages.append(QJsonDocument::fromJson(m_buffer.mid(begin, end - begin)).object());
    }
    m_buffer.remove(0, begin);
}

QJsonObject RawClient::call(const QString &method, const QJsonObject &params)
{
    const int id = ++m_lastId;
    const QJsonObject request{{u"jsonrpc"_s, u"2.0"_s}, {u"id"_s, id}, {u"method"_s, method}, {u"params"_s, params}};
    write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
    QJsonObject answer;
    [[maybe_unused]] const bool came = QTest::qWaitFor(
        [&] {
            for (const QJsonObject &message : std::as_const(m_messages)) {
                if (message.value("id"_L1).toInt(-1) == id) {
                    answer = message;
                }
            }
            return !answer.isEmpty() || !isConnected();
        },
        10000);
    return answer;
}

QList<QJsonObject> RawClient::events(const QString &name) const
{
    QList<QJsonObject> found;
    for (const QJsonObject &message : m_messages) {
        if (message.value("method"_L1).toString() == name) {
            found.append(message.value("params"_L1).toObject());
        }
    }
    return found;
}

bool RawClient::waitForEvent(const QString &name, int ms)
{
    return QTest::qWaitFor([&] { return !events(name).isEmpty(); }, ms);
}

QString RawClient::errorCode(const QJsonObject &message)
{
    return message.value("error"_L1).toObject().value("data"_L1).toObject().value("code"_L1).toString();
}
