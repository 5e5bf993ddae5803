// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QObject>

// Speaks to the socket byte by byte, without the client library: for strangers, sleepers and liars.
class RawClient : public QObject
{
    Q_OBJECT
public:
    explicit RawClient(const QString &path);
    bool isConnected() const { return m_socket.state() == QLocalSocket::ConnectedState; }
    void write(const QByteArray &bytes) { m_socket.write(bytes); }
    void setReading(bool on);
    void disconnectNow() { m_socket.abort(); }

    // Sends a request and waits for its answer (the whole message; empty when none came within 10 s).
    QJsonObject call(const QString &method, const QJsonObject &params = {});
    QJsonObject hello() { return call(QStringLiteral("hello"), {{QStringLiteral("protocol"), QJsonArray{1, 1}}}); }
    bool waitForEvent(const QString &name, int ms = 10000);
    QList<QJsonObject> events(const QString &name) const;
    QList<QJsonObject> messages() const { return m_messages; }
    static QString errorCode(const QJsonObject &message);

private:
    void read();
    QLocalSocket m_socket;
    QByteArray m_buffer;
    QList<QJsonObject> m_messages;
    int m_lastId = 0;
    bool m_reading = true;
};
