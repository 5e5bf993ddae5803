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
// POST. Nothing waits for them; each has a time limit. A failure is reported once, until it works again or another one
// is set. A notice that an address has certainly not received is sent again a few times, as long as that address is
// set.
class NoticeHooks : public QObject
{
    Q_OBJECT
public:
    NoticeHooks() = default;
    ~NoticeHooks() override; // commands that run go on
    void setTimeout(int ms) { m_timeoutMs = ms; }
    void setPauses(const QList<int> &ms) { m_pausesMs = ms; } // before a notice is sent again

    void run(const QStringList &command, const QJsonObject &notices); // program and arguments; empty: nothing
    void post(const QString &address, const QJsonObject &notices); // http or https; empty: nothing
    void setAddress(const QString &address) { m_address = address; } // that is set now
    int waiting() const { return m_waiting; } // to be sent again
    bool isBusy() const { return !m_commands.isEmpty() || m_posts > 0; }

Q_SIGNALS:
    void failed(const QString &sentence);
    void delivered(const QString &what); // the program or the address
    void becameIdle(); // what was begun has ended, in whatever way

private:
    struct Outgoing {
        QByteArray body;
        QString address;
        int hopsLeft; // from one address to the next
        qsizetype tries = 0; // that failed
    };
    void send(const QUrl &url, const Outgoing &notices);
    void takeAnswer(QNetworkReply *reply, const Outgoing &notices);
    void sendLater(const Outgoing &notices);
    void noteEnd();
    void fail(const QString &what, const QString &sentence);
    void succeed(const QString &what);

    int m_timeoutMs = 30'000;
    QSet<QProcess *> m_commands; // that run
    int m_posts = 0; // that wait for their answer
    QString m_address;
    QList<int> m_pausesMs{10'000, 60'000, 300'000};
    int m_waiting = 0;
    QSet<QString> m_broken; // and it was said
    QNetworkAccessManager *m_network = nullptr;
};

} // namespace trainyard
