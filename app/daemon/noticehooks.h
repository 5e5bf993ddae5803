// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QSet>
#include <QStringList>

class QNetworkAccessManager;
class QNetworkReply;
class QProcess;
class QUrl;

namespace trainyard
{

// Hands notices on to a command of the user, on its standard input, and to an address on the web, as the body of a
// POST. Neither is waited for; each has a time limit. That one does not work is said once, until it works again or
// another one is set.
class NoticeHooks : public QObject
{
    Q_OBJECT
public:
    NoticeHooks() = default;
    ~NoticeHooks() override; // commands that run go on
    void setTimeout(int ms) { m_timeoutMs = ms; }

    void run(const QStringList &command, const QJsonObject &notices); // program and arguments; empty: nothing
    void post(const QString &address, const QJsonObject &notices); // http or https; empty: nothing
    bool isBusy() const { return !m_commands.isEmpty() || m_posts > 0; }

Q_SIGNALS:
    void failed(const QString &sentence);
    void delivered(const QString &what); // the program or the address
    void becameIdle(); // what was begun has ended, in whatever way

private:
    void send(const QUrl &url, const QByteArray &body, const QString &address, int hopsLeft);
    void takeAnswer(QNetworkReply *reply, const QByteArray &body, const QString &address, int hopsLeft);
    void noteEnd();
    void fail(const QString &what, const QString &sentence);
    void succeed(const QString &what);

    int m_timeoutMs = 30'000;
    QSet<QProcess *> m_commands; // that run
    int m_posts = 0; // that wait for their answer
    QSet<QString> m_broken; // and it was said
    QNetworkAccessManager *m_network = nullptr;
};

} // namespace trainyard
