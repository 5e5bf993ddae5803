// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/noticehooks.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// An address on the web that answers each request with the same status, or never. `more` follows the status.
class FakeWeb : public QObject
{
    Q_OBJECT
public:
    explicit FakeWeb(int status, QByteArray more = "content-length: 0\r\n\r\n")
        : m_status(status), m_more(std::move(more))
    {
        m_server.listen(QHostAddress::LocalHost);
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket, all = QByteArray()]() mutable {
                all += socket->readAll();
                const qsizetype head = all.indexOf("\r\n\r\n");
                const qsizetype at = all.toLower().indexOf("content-length:");
                if (head < 0 || at < 0
                    || all.size() - head - 4 < all.mid(at + 15, all.indexOf("\r\n", at) - at - 15).trimmed().toInt()) {
                    return;
                }
                requests.append(all);
                if (m_status > 0) {
                    socket->write("HTTP/1.1 " + QByteArray::number(m_status) + " x\r\n" + m_more);
                }
                all.clear();
            });
        });
    }
    void setStatus(int status) { m_status = status; }
    QString address() const { return u"http://127.0.0.1:%1/hook?token=abc"_s.arg(m_server.serverPort()); }
    QList<QByteArray> requests;

private:
    int m_status;
    QByteArray m_more;
    QTcpServer m_server;
};

// Notices go to a command and to an address on the web, or it is said that they do not.
class TstNoticeHooks : public QObject
{
    Q_OBJECT

    static QJsonObject notices(int count)
    {
        QJsonArray all;
        for (int i = 1; i <= count; ++i) {
            all.append(QJsonObject{{u"kind"_s, u"failed"_s}, {u"id"_s, i}});
        }
        return {{u"version"_s, 1}, {u"notices"_s, all}};
    }
    static QJsonObject oneNotice() { return notices(1); }

private Q_SLOTS:
    void command()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"said.json"_s);
        NoticeHooks hooks;
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        hooks.run({u"sh"_s, u"-c"_s, u"cat > \"$1\".tmp && mv \"$1\".tmp \"$1\""_s, u"-"_s, file}, oneNotice());
        QTRY_COMPARE(delivered.size(), 1);
        QFile said(file);
        QVERIFY(said.open(QIODevice::ReadOnly));
        const QJsonObject one
            = QJsonDocument::fromJson(said.readAll()).object().value("notices"_L1).toArray().first().toObject();
        QCOMPARE(one.value("kind"_L1).toString(), u"failed"_s);
        QCOMPARE(one.value("id"_L1).toInt(), 1);
    }

    // A script that hangs waits for another program, which must not stay behind with each notice.
    void hangingCommandsEndWhole()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"pid"_s);
        NoticeHooks hooks;
        hooks.setTimeout(1000);
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        hooks.run({u"sh"_s, u"-c"_s, u"sleep 1000 & echo $! > \"$1\".new; mv \"$1\".new \"$1\"; wait"_s, u"-"_s, file},
            oneNotice());
        QTRY_COMPARE(failed.size(), 1);
        QFile said(file);
        QVERIFY(said.open(QIODevice::ReadOnly));
        const QString pid = QString::fromUtf8(said.readAll()).trimmed();
        QVERIFY(pid.toInt() > 1);
        const auto isThere = [&pid] { // one that nobody has waited for has no command line
            QFile line(u"/proc/%1/cmdline"_s.arg(pid));
            return line.open(QIODevice::ReadOnly) && !line.readAll().isEmpty();
        };
        QTRY_VERIFY(!isThere());
    }

    void commandOfTheHomeFolder()
    {
        QTemporaryDir home;
        const QByteArray before = qgetenv("HOME");
        qputenv("HOME", QFile::encodeName(home.path()));
        const auto restore = qScopeGuard([&] { qputenv("HOME", before); });
        QFile program(home.filePath(u"told"_s));
        QVERIFY(program.open(QIODevice::WriteOnly) && program.write("#!/bin/sh\ncat > /dev/null\n") > 0);
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        NoticeHooks hooks;
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        hooks.run({u"~/told"_s}, oneNotice());
        QTRY_COMPARE(delivered.size(), 1);
    }

    // Said once, until it works.
    void brokenCommands()
    {
        NoticeHooks hooks;
        hooks.setTimeout(300);
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        const QJsonObject json = oneNotice();
        hooks.run({u"/no/such/program"_s}, json);
        QTRY_COMPARE(failed.size(), 1);
        hooks.run({u"/no/such/program"_s}, json);
        hooks.run({u"sh"_s, u"-c"_s, u"echo out of paper >&2; exit 3"_s}, json);
        QTRY_COMPARE(failed.size(), 2);
        QVERIFY2(failed.last().first().toString().contains("status 3"_L1)
                && failed.last().first().toString().contains("out of paper"_L1),
            qPrintable(failed.last().first().toString()));
        hooks.run({u"sh"_s, u"-c"_s, u"true"_s}, json); // the same program
        QTRY_COMPARE(delivered.size(), 1);
        hooks.run({u"sh"_s, u"-c"_s, u"exec sleep 1000"_s}, json);
        QTRY_COMPARE(failed.size(), 3);
        QVERIFY(failed.last().first().toString().contains("did not end"_L1));
    }

    void web()
    {
        FakeWeb web(200);
        NoticeHooks hooks;
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        hooks.post(web.address(), notices(2));
        QTRY_COMPARE(delivered.size(), 1);
        QCOMPARE(web.requests.size(), 1);
        const QByteArray request = web.requests.first();
        QVERIFY(request.startsWith("POST /hook?token=abc HTTP/1.1"));
        QVERIFY(request.toLower().contains("content-type: application/json"));
        const QByteArray body = request.mid(request.indexOf("\r\n\r\n") + 4);
        QCOMPARE(QJsonDocument::fromJson(body).object().value("notices"_L1).toArray().size(), 2);
    }

    // A notice that goes on as a question for a page is lost there. One that goes on as it is arrives.
    void movedWeb_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("arrives");
        for (const int status : {301, 302, 303}) {
            QTest::addRow("%d", status) << status << false;
        }
        for (const int status : {307, 308}) {
            QTest::addRow("%d", status) << status << true;
        }
    }
    void movedWeb()
    {
        QFETCH(int, status);
        QFETCH(bool, arrives);
        FakeWeb there(200);
        FakeWeb here(status,
            "location: " + there.address().replace(u"abc"_s, u"xyz"_s).toLatin1() + "\r\ncontent-length: 0\r\n\r\n");
        NoticeHooks hooks;
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        QSignalSpy idle(&hooks, &NoticeHooks::becameIdle);
        hooks.post(here.address(), oneNotice());
        QVERIFY(hooks.isBusy());
        QTRY_COMPARE(idle.size(), 1);
        QVERIFY(!hooks.isBusy());
        QCOMPARE(delivered.size(), arrives ? 1 : 0);
        QCOMPARE(failed.size(), arrives ? 0 : 1);
        QCOMPARE(there.requests.size(), arrives ? 1 : 0);
        if (arrives) {
            QCOMPARE(delivered.first().first().toString(), here.address());
            QVERIFY(there.requests.first().startsWith("POST /hook?token=xyz "));
            QVERIFY(
                there.requests.first().endsWith(here.requests.first().mid(here.requests.first().indexOf("\r\n\r\n"))));
        } else {
            const QString said = failed.first().first().toString();
            QVERIFY2(said.contains(u"refers to http://127.0.0.1 (status %1)"_s.arg(status)) && !said.contains("xyz"_L1),
                qPrintable(said));
        }
    }

    void circlesOnTheWeb()
    {
        FakeWeb circle(307, "content-length: 0\r\nlocation: /again\r\n\r\n");
        NoticeHooks hooks;
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        hooks.post(circle.address(), oneNotice());
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(
            failed.first().first().toString().contains("status 307"_L1), qPrintable(failed.first().first().toString()));
        QVERIFY(circle.requests.size() > 1 && circle.requests.size() < 10);
    }

    // Who has said yes has the notice, also when the rest of the answer never comes.
    void endlessAnswers()
    {
        FakeWeb web(200, "content-length: 1000000\r\n\r\nsome of it");
        NoticeHooks hooks;
        hooks.setTimeout(300);
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        hooks.post(web.address(), oneNotice());
        QTRY_COMPARE(delivered.size(), 1);
        QCOMPARE(failed.size(), 0);
        QVERIFY(!hooks.isBusy());
    }

    // The engine may end before a command does.
    void commandsOutliveTheEngine()
    {
        QTemporaryDir folder;
        const QString begun = folder.filePath(u"begun"_s), go = folder.filePath(u"go"_s),
                      done = folder.filePath(u"done"_s);
        {
            NoticeHooks hooks;
            hooks.run({u"sh"_s, u"-c"_s,
                          u"cat > /dev/null; : > \"$1\"; until [ -e \"$2\" ]; do sleep 0.05; done; : > \"$3\""_s,
                          u"-"_s, begun, go, done},
                oneNotice());
            QTRY_VERIFY(QFile::exists(begun));
        }
        QFile file(go);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QTRY_VERIFY(QFile::exists(done));
    }

    // What nobody has taken is sent again; what may have arrived is not.
    void sentAgain_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("isSentAgain");
        QTest::newRow("too many") << 429 << true;
        QTest::newRow("unavailable") << 503 << true;
        QTest::newRow("an error inside") << 500 << false;
        QTest::newRow("no such page") << 404 << false;
    }
    void sentAgain()
    {
        QFETCH(int, status);
        QFETCH(bool, isSentAgain);
        FakeWeb web(status);
        NoticeHooks hooks;
        hooks.setPauses({50, 50});
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        QList<int> waiting; // after each try
        connect(&hooks, &NoticeHooks::becameIdle, this, [&] {
            waiting.append(hooks.waiting());
            web.setStatus(200);
        });
        hooks.post(web.address(), oneNotice());
        QTRY_VERIFY(!waiting.isEmpty());
        QCOMPARE(waiting.first(), isSentAgain ? 1 : 0);
        if (isSentAgain) {
            QTRY_COMPARE(delivered.size(), 1);
            QCOMPARE(web.requests.size(), 2);
            QCOMPARE(web.requests.first(), web.requests.last());
        }
        QCOMPARE(failed.size(), 1);
    }

    // Not for ever, and not to an address that is no longer set.
    void sentAgainNoMore()
    {
        FakeWeb web(503);
        NoticeHooks hooks;
        hooks.setPauses({10, 10});
        hooks.post(web.address(), oneNotice());
        QTRY_VERIFY(web.requests.size() == 3 && hooks.waiting() == 0 && !hooks.isBusy());
        hooks.setPauses({500});
        QSignalSpy idle(&hooks, &NoticeHooks::becameIdle);
        hooks.post(web.address(), oneNotice());
        QTRY_COMPARE(idle.size(), 1);
        QCOMPARE(hooks.waiting(), 1);
        hooks.setAddress({});
        QTRY_COMPARE(hooks.waiting(), 0);
        QCOMPARE(web.requests.size(), 4);
    }

    // As right after a computer wakes up.
    void sentWhenItCanBeReached()
    {
        QTcpServer away;
        QVERIFY(away.listen(QHostAddress::LocalHost));
        const quint16 port = away.serverPort();
        away.close();
        NoticeHooks hooks;
        hooks.setPauses({50});
        QList<int> waiting; // after each try
        connect(&hooks, &NoticeHooks::becameIdle, this, [&] { waiting.append(hooks.waiting()); });
        hooks.post(u"http://127.0.0.1:%1/"_s.arg(port), oneNotice());
        QTRY_COMPARE(waiting, (QList<int>{1, 0}));
    }

    // Where only a proxy leads outside, as to clusters.
    void behindAProxy()
    {
        FakeWeb proxy(200);
        const QByteArray before = qgetenv("http_proxy"), without = qgetenv("no_proxy");
        qputenv("http_proxy", proxy.address().section(u"/hook"_s, 0, 0).toLatin1());
        qunsetenv("no_proxy");
        const auto restore = qScopeGuard([&] {
            before.isNull() ? qunsetenv("http_proxy") : qputenv("http_proxy", before);
            without.isNull() ? qunsetenv("no_proxy") : qputenv("no_proxy", without);
        });
        NoticeHooks hooks;
        QSignalSpy delivered(&hooks, &NoticeHooks::delivered);
        hooks.post(u"http://notices.invalid/hook"_s, oneNotice());
        QTRY_COMPARE(delivered.size(), 1);
        QCOMPARE(proxy.requests.size(), 1);
        QVERIFY(proxy.requests.first().startsWith("POST http://notices.invalid/hook "));
    }

    void brokenWeb()
    {
        NoticeHooks hooks;
        hooks.setTimeout(300);
        QSignalSpy failed(&hooks, &NoticeHooks::failed);
        const QJsonObject json = oneNotice();
        FakeWeb refuses(500), isSilent(0);
        hooks.post(refuses.address(), json);
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed.last().first().toString().contains("status 500"_L1));
        QVERIFY(!failed.last().first().toString().contains("abc"_L1)); // an address may have a secret in it
        hooks.post(isSilent.address(), json);
        QTRY_COMPARE(failed.size(), 2);
        for (const QString &address : {u"file:///etc/passwd"_s, u"ftp://lab/"_s, u"no address"_s}) {
            const qsizetype before = failed.size();
            hooks.post(address, json);
            QCOMPARE(failed.size(), before + 1);
            hooks.post(address, json); // it was said
            QCOMPARE(failed.size(), before + 1);
        }
    }
};

TRAINYARD_TEST(TstNoticeHooks)
#include "tst_noticehooks.moc"
