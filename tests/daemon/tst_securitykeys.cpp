// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/engineclient.h"
#include "engine/daemon/inprocess.h"
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Security keys (FIDO) as OpenSSH uses them: a real ssh, a real sshd, and a key of software (softkey.cpp) that waits to
// be touched, wants a PIN, or is not plugged in.
class TstSecurityKeys : public QObject
{
    Q_OBJECT

    static constexpr char pin[] = "4711";
    QTemporaryDir m_folder{u"/tmp/tykeysXXXXXX"_s};
    std::unique_ptr<OddServer> m_server;
    std::unique_ptr<EngineFixture> m_fixture;
    std::unique_ptr<EngineClient> m_client;
    QStringList m_kinds; // of the questions that came
    QString m_pin; // what is typed
    bool m_touches = false; // at each question

    QString path(const QString &name) const { return m_folder.filePath(name); }
    static QString library() { return qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyard-test-softkey.so"_s; }
    void write(const QString &name, const QByteArray &bytes, QIODevice::OpenMode how = QIODevice::WriteOnly) const
    {
        QFile file(path(name));
        QVERIFY2(file.open(how) && file.write(bytes) == bytes.size(), qPrintable(file.errorString()));
    }
    void touch(int times = 1) const { write(u"key/touches"_s, QByteArray(times, 'x'), QIODevice::Append); }
    void reset() // nobody has touched it, and it has signed nothing
    {
        QFile::remove(path(u"key/touches"_s));
        QFile::remove(path(u"key/counter"_s));
        QFile::remove(path(u"key/absent"_s));
        m_kinds.clear();
    }
    qint64 signatures() const { return QFileInfo(path(u"key/counter"_s)).size(); }
    HostInfo host(const QString &id)
    {
        const QList<HostInfo> all = m_fixture->engine().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&id](const HostInfo &each) { return each.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    bool becomes(const QString &id, HostState state)
    {
        return QTest::qWaitFor([&] { return host(id).state == state; }, 30000);
    }
    QString why(const QString &id) { return reasonText(host(id).error, host(id).errorArgs); }
    // OpenSSH 8.9 was the first with this interface.
    static QString problemOfSsh()
    {
        QProcess ssh;
        ssh.start(u"ssh"_s, {u"-V"_s});
        if (!ssh.waitForStarted(10000)) {
            return u"ssh is not installed: install the package openssh-client."_s;
        }
        ssh.waitForFinished(10000);
        static const QRegularExpression number(u"OpenSSH_(\\d+)\\.(\\d+)"_s);
        const QRegularExpressionMatch match = number.match(QString::fromUtf8(ssh.readAllStandardError()));
        const int version = match.captured(1).toInt() * 100 + match.captured(2).toInt();
        ssh.start(u"ssh"_s, {u"-Q"_s, u"key"_s});
        ssh.waitForFinished(10000);
        return version >= 809 && ssh.readAllStandardOutput().contains("sk-ssh-ed25519@openssh.com")
            ? QString()
            : u"This OpenSSH takes no security key of software: it needs version 8.9 or newer, built with them."_s;
    }
    bool makeKey(const QString &name, const QStringList &options, const QByteArray &demands)
    {
        QProcess keygen;
        keygen.start(u"ssh-keygen"_s,
            QStringList{u"-q"_s, u"-t"_s, u"ed25519-sk"_s, u"-w"_s, library(), u"-N"_s, {}, u"-f"_s, path(name)}
                + options);
        if (!keygen.waitForFinished(30000) || keygen.exitCode() != 0) {
            qWarning("%s", keygen.readAllStandardError().constData());
            return false;
        }
        write(name + u".allowed"_s, demands + EngineFixture::contents(path(name + u".pub"_s)));
        return QFile::setPermissions(
            path(name + u".allowed"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (const QString problem = problemOfSsh(); !problem.isEmpty()) {
            QSKIP(qPrintable(problem));
        }
        QVERIFY2(QFileInfo::exists(library()), qPrintable(library()));
        QVERIFY(QFile::setPermissions(
            m_folder.path(), QFile::permissions(m_folder.path()) | QFile::ExeGroup | QFile::ExeOther));
        QVERIFY(QDir().mkpath(path(u"key"_s)));
        write(u"key/pin"_s, pin);
        qputenv("TRAINYARD_TEST_KEY", QFile::encodeName(path(u"key"_s)));
        QVERIFY(makeKey(u"plain"_s, {}, {}));
        QVERIFY(makeKey(u"verified"_s, {u"-O"_s, u"verify-required"_s}, "verify-required "));
        const QByteArray at = QFile::encodeName(m_folder.path());
        const auto takes = [&at](const QByteArray &key) -> QByteArray {
            return "AuthorizedKeysFile " + at + '/' + key + ".allowed\n";
        };
        m_server = std::make_unique<OddServer>(QList<OddAccount>{{u"touch"_s, u"/bin/sh"_s, {}, takes("plain")},
            {u"absent"_s, u"/bin/sh"_s, {}, takes("plain")}, {u"typed"_s, u"/bin/sh"_s, {}, takes("verified")},
            {u"wrong"_s, u"/bin/sh"_s, {}, takes("verified")}, {u"terminal"_s, u"/bin/sh"_s, {}, takes("plain")}});
        SKIP_UNLESS_THERE(*m_server);
        m_server->addToConfig("Host touch absent terminal\n  IdentityFile " + at
            + "/plain\nHost typed wrong\n  "
              "IdentityFile "
            + at + "/verified\nHost *\n  SecurityKeyProvider " + QFile::encodeName(library()) + "\n");
        qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        m_fixture->setAgentProgram(OddServer::agentProgram());
        QVERIFY(m_fixture->open());
        m_client = std::make_unique<EngineClient>();
        m_client->setAnswersQuestions(true);
        connect(m_client.get(), &EngineClient::question, this, [this](const Question &question) {
            m_kinds.append(question.kind);
            if (question.kind == "pin"_L1) {
                m_client->call<api::Answer>({question.id, m_pin}, this, [](const Result<bool> &) {});
            } else if (m_touches) {
                touch();
            }
        });
        QSignalSpy ready(m_client.get(), &EngineClient::reset);
        m_client->startWith(connectInProcess(m_fixture->engine()));
        QTRY_VERIFY(!ready.isEmpty());
    }
    void cleanupTestCase()
    {
        m_client.reset();
        m_fixture.reset();
        m_server.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
        qunsetenv("TRAINYARD_TEST_KEY");
    }
    void init() { reset(); }

    // The first way to a host takes three connections, and the key is touched for each of them.
    void waitsForATouch()
    {
        m_touches = false;
        QVERIFY(m_fixture->engine().addHost(u"touch"_s));
        QTRY_COMPARE(m_kinds, QStringList{u"touch"_s});
        const QList<Question> open = m_fixture->engine().questions();
        QCOMPARE(open.size(), 1);
        QVERIFY2(open.first().prompt.startsWith("Confirm user presence for key ED25519-SK"_L1),
            qPrintable(open.first().prompt));
        QCOMPARE(host(u"touch"_s).state, HostState::Connecting);
        QCOMPARE(signatures(), 0);
        m_touches = true;
        touch();
        QVERIFY2(becomes(u"touch"_s, HostState::Online), qPrintable(hostReport(host(u"touch"_s))));
        QCOMPARE(m_kinds, QStringList(3, u"touch"_s));
        QCOMPARE(signatures(), 3);
        QTRY_VERIFY(m_fixture->engine().questions().isEmpty());
    }

    // The PIN is typed once for the way to a host; sshd sees that it was.
    void asksForThePinOnce()
    {
        m_touches = false;
        m_pin = QString::fromLatin1(pin);
        touch(3);
        QVERIFY(m_fixture->engine().addHost(u"typed"_s));
        QVERIFY2(becomes(u"typed"_s, HostState::Online), qPrintable(hostReport(host(u"typed"_s))));
        QCOMPARE(m_kinds.count(u"pin"_s), 1);
        QCOMPARE(signatures(), 3);
        QTRY_VERIFY(m_fixture->engine().questions().isEmpty());
    }

    // Nobody is asked again before a person wants to try again.
    void saysThatThePinIsWrong()
    {
        m_touches = false;
        m_pin = u"0000"_s;
        QVERIFY(m_fixture->engine().addHost(u"wrong"_s));
        QVERIFY2(becomes(u"wrong"_s, HostState::NeedsLogin), qPrintable(hostReport(host(u"wrong"_s))));
        QCOMPARE(host(u"wrong"_s).error, u"host.security-key-pin"_s);
        QVERIFY2(why(u"wrong"_s).startsWith("The PIN of the security key for wrong is wrong"_L1),
            qPrintable(why(u"wrong"_s)));
        QVERIFY(!hostReport(host(u"wrong"_s)).contains("0000"_L1));
        QCOMPARE(m_kinds.count(u"pin"_s), 1);
        QCOMPARE(signatures(), 0);
        m_pin = QString::fromLatin1(pin);
        touch(3);
        QVERIFY(m_fixture->engine().checkHost(u"wrong"_s));
        QVERIFY2(becomes(u"wrong"_s, HostState::Online), qPrintable(hostReport(host(u"wrong"_s))));
        QCOMPARE(m_kinds.count(u"pin"_s), 2);
    }

    void saysThatTheKeyIsNotThere()
    {
        m_touches = true;
        write(u"key/absent"_s, {});
        QVERIFY(m_fixture->engine().addHost(u"absent"_s));
        QVERIFY2(becomes(u"absent"_s, HostState::NeedsLogin), qPrintable(hostReport(host(u"absent"_s))));
        QCOMPARE(host(u"absent"_s).error, u"host.security-key-absent"_s);
        QCOMPARE(why(u"absent"_s),
            u"absent is reached with a security key (%1) that is not plugged in. Plug it in, then check the host "
            "again."_s.arg(path(u"plain"_s)));
        QFile::remove(path(u"key/absent"_s));
        QVERIFY(m_fixture->engine().checkHost(u"absent"_s));
        QVERIFY2(becomes(u"absent"_s, HostState::Online), qPrintable(hostReport(host(u"absent"_s))));
    }

    // On a terminal the command says it in words, each time that the key waits.
    void saysItOnATerminal()
    {
        const ProgramsFixture f;
        PseudoTerminal terminal(24, 200);
        QProcessEnvironment environment = f.environment();
        environment.insert(u"TERM"_s, u"xterm"_s);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), {u"hosts"_s, u"add"_s, u"terminal"_s}, environment));
        const QByteArray words = "Touch your security key: Confirm user presence for key ED25519-SK";
        qsizetype said = 0;
        const bool isOver = QTest::qWaitFor(
            [&] {
                for (; said < terminal.written().count(words); ++said) {
                    touch();
                }
                return terminal.process().state() == QProcess::NotRunning;
            },
            60000);
        QVERIFY2(isOver, terminal.written().constData());
        QVERIFY2(QTest::qWaitFor([&] { return terminal.written().contains("terminal is online"); }, 5000),
            terminal.written().constData());
        QCOMPARE(terminal.process().exitCode(), 0);
        QCOMPARE(said, 3);
        QCOMPARE(signatures(), 3);
    }
};

TRAINYARD_TEST(TstSecurityKeys)
#include "tst_securitykeys.moc"
