// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>

class Podman;

// A registry on this computer that wants a login, and a door before it that can be held shut. Podmans that start while
// it lives speak to it without TLS.
class Registry
{
public:
    explicit Registry(const Podman &podman);
    ~Registry();
    // Empty when it is there, else why not.
    const QString &problem() const { return m_problem; }
    static QByteArray user() { return "ada"; }
    static QByteArray password() { return "correct-horse-battery-27"; }

    QString name() const; // as jobs write it: the door
    bool push(const QString &image, const QString &as) const; // "lab/train:1"

    void hold(); // who comes waits before the door ...
    bool isWaitedFor() const { return !m_waiting.isEmpty(); }
    void letIn(); // ... until now

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/tyrXXXXXX")};
    const Podman &m_podman;
    QProcess m_server;
    QTcpServer m_door;
    QList<QTcpSocket *> m_waiting;
    quint16 m_port = 0;
    bool m_holds = false;
    QString m_problem;

    bool start();
    void connectThrough(QTcpSocket *client);
};
