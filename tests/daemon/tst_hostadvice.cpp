// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// A host cannot be used, and a sentence says what to do: whoever does just that has a host that can.
class TstHostAdvice : public QObject
{
    Q_OBJECT
    std::unique_ptr<OddServer> m_server;
    std::unique_ptr<EngineFixture> m_fixture;
    QByteArray m_path; // PATH, as it was

    HostInfo host(const QString &id) const
    {
        const QList<HostInfo> all = m_fixture->engine().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&](const HostInfo &one) { return one.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    static bool write(const QString &name, const QByteArray &bytes)
    {
        QFile file(name);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
            && file.setPermissions(file.permissions() | QFile::ExeOwner);
    }
    // As a person types it in a terminal: 'ssh' knows the hosts of the test, and keys are accepted when it asks.
    bool type(const QString &command) const
    {
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SSH_ASKPASS"_s, m_server->path(u"yes"_s));
        environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
        shell.setProcessEnvironment(environment);
        shell.setStandardInputFile(QProcess::nullDevice());
        shell.start(u"/bin/sh"_s, {u"-c"_s, command});
        const bool isDone = shell.waitForFinished(30000) && shell.exitCode() == 0;
        if (!isDone) {
            qWarning("%s: %s", qPrintable(command), shell.readAllStandardError().constData());
        }
        return isDone;
    }
    // The sentence, once the host has failed for this reason.
    QString sentence(const QString &id, const QString &code) const
    {
        if (!QTest::qWaitFor([&] { return host(id).error == code; }, 30000)) {
            qWarning("%s", qPrintable(hostReport(host(id))));
            return {};
        }
        return reasonText(code, host(id).errorArgs);
    }
    // What stands between quotes in it.
    static QStringList commandsOf(const QString &sentence)
    {
        static const QRegularExpression quoted(u"'([^']*)'"_s);
        QStringList commands;
        for (QRegularExpressionMatchIterator it = quoted.globalMatch(sentence); it.hasNext();) {
            commands.append(it.next().captured(1));
        }
        return commands;
    }
    bool worksNow(const QString &id)
    {
        if (!m_fixture->engine().checkHost(id)) {
            return false;
        }
        const bool is = QTest::qWaitFor([&] { return host(id).state == HostState::Online; }, 30000);
        if (!is) {
            qWarning("%s", qPrintable(hostReport(host(id))));
        }
        return is;
    }

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void startUpFileEndsTheShell();
    void nothingMayRunThere();
    void noRoom();
    void keyIsUnknown();
    void keyHasChanged();
};

void TstHostAdvice::initTestCase()
{
    // Room for the helper, but not with what fills the folder.
    const QString room = u"size=%1k"_s.arg(QFileInfo(OddServer::agentProgram()).size() / 1024 + 3072);
    OddSystem system;
    system.temporary = "mode=1777,noexec";
    m_server = std::make_unique<OddServer>(QList<OddAccount>{{u"ends"_s, u"/bin/bash"_s, {{u".bashrc"_s, "exit 0\n"}}},
                                               {u"noexec"_s, u"/bin/bash"_s, {}, {}, u"noexec"_s},
                                               {u"filled"_s, u"/bin/bash"_s, {}, {}, room}, {u"plain"_s}},
        system);
    SKIP_UNLESS_THERE(*m_server);
    const QByteArray known = QFile::encodeName(m_server->path({})) + "known-";
    QByteArray lines;
    for (const QByteArray name : {"unknown", "changed"}) {
        lines += "Host " + name
            + "\n  HostName 127.0.0.1\n  User plain\n  StrictHostKeyChecking ask\n  UserKnownHostsFile " + known + name
            + "\n";
    }
    m_server->addToConfig(lines);
    QVERIFY(write(m_server->path(u"yes"_s), "#!/bin/sh\necho yes\n"));
    QDir().mkpath(m_server->path(u"programs"_s));
    QVERIFY(write(m_server->path(u"programs/ssh"_s),
        "#!/bin/sh\nexec /usr/bin/ssh -F '" + QFile::encodeName(m_server->configFile()) + "' \"$@\"\n"));
    m_path = qgetenv("PATH");
    qputenv("PATH", QFile::encodeName(m_server->path(u"programs"_s)) + ':' + m_path);
    qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8());
    // Another key of the same address: that of a login is there.
    const QByteArray config = EngineFixture::contents(m_server->configFile());
    const qsizetype at = config.lastIndexOf("  Port ") + 7;
    const QByteArray port = config.mid(at, config.indexOf('\n', at) - at);
    QVERIFY(write(m_server->path(u"known-changed"_s),
        "[127.0.0.1]:" + port + ' ' + EngineFixture::contents(m_server->path(u"id.pub"_s))));
    QVERIFY(type(u"ssh filled 'head -c 5000000 /dev/zero > data'"_s));
    m_fixture = std::make_unique<EngineFixture>();
    m_fixture->setAgentProgram(OddServer::agentProgram());
    QVERIFY(m_fixture->open());
    for (const QString &name : {u"ends"_s, u"noexec"_s, u"filled"_s, u"unknown"_s, u"changed"_s}) {
        QVERIFY(m_fixture->engine().addHost(name));
    }
}

void TstHostAdvice::cleanupTestCase()
{
    m_fixture.reset();
    m_server.reset();
    if (!m_path.isEmpty()) {
        qputenv("PATH", m_path);
    }
    qunsetenv("TRAINYARD_SSH_CONFIG");
}

// "Its start-up files may end the shell ... 'ssh ends echo ok' must print ok."
void TstHostAdvice::startUpFileEndsTheShell()
{
    const QString said = sentence(u"ends"_s, u"host.shell-silent"_s);
    QVERIFY2(said.contains(u"start-up files may end the shell"_s), qPrintable(said));
    QVERIFY(QFile::remove(m_server->home(u"ends"_s) + u"/.bashrc"_s));
    QVERIFY2(type(u"[ \"$(%1)\" = ok ]"_s.arg(commandsOf(said).value(0))), qPrintable(said));
    QVERIFY(worksNow(u"ends"_s));
}

// "Set XDG_CACHE_HOME there to a folder that is not mounted with noexec."
void TstHostAdvice::nothingMayRunThere()
{
    const QString said = sentence(u"noexec"_s, u"host.agent-cannot-run"_s);
    QVERIFY2(said.contains(u"Set XDG_CACHE_HOME there to a folder"_s), qPrintable(said));
    const QString folder = m_server->path(u"programs-may-run-here"_s);
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(::chown(QFile::encodeName(folder).constData(), OddServer::uidOf(1), OddServer::uidOf(1)), 0);
    QVERIFY(type(u"ssh noexec 'echo export XDG_CACHE_HOME=%1 > .bashrc'"_s.arg(folder)));
    QVERIFY(worksNow(u"noexec"_s));
}

// "... has 0 MiB free ... Make room there."
void TstHostAdvice::noRoom()
{
    const QString said = sentence(u"filled"_s, u"host.agent-no-room"_s);
    QVERIFY2(said.contains(m_server->home(u"filled"_s)) && said.endsWith(u"Make room there."_s), qPrintable(said));
    QVERIFY(type(u"ssh filled rm data"_s));
    QVERIFY(worksNow(u"filled"_s));
}

// "Log in once with 'ssh unknown'."
void TstHostAdvice::keyIsUnknown()
{
    const QString said = sentence(u"unknown"_s, u"host.key-unknown"_s);
    QCOMPARE(commandsOf(said), QStringList(u"ssh unknown"_s));
    QVERIFY(type(commandsOf(said).first()));
    QVERIFY(worksNow(u"unknown"_s));
}

// "Remove the old one with 'ssh-keygen ...' and log in once with 'ssh changed'."
void TstHostAdvice::keyHasChanged()
{
    QVERIFY(m_fixture->engine().removeHost(u"unknown"_s)); // its account is the same, and one account is one host
    const QString said = sentence(u"changed"_s, u"host.key-changed"_s);
    const QStringList commands = commandsOf(said);
    QCOMPARE(commands.size(), 2);
    QVERIFY2(commands.first().startsWith("ssh-keygen "_L1) && commands.last() == "ssh changed"_L1, qPrintable(said));
    for (const QString &command : commands) {
        QVERIFY(type(command));
    }
    QVERIFY(worksNow(u"changed"_s));
}

TRAINYARD_TEST(TstHostAdvice)
#include "tst_hostadvice.moc"
