// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Hosts that are not as one would wish: shells of other kinds, start-up files that print, homes that take nothing,
// gateways. A real sshd has an account for each, and all are connected at once.
class TstOddServers : public QObject
{
    Q_OBJECT

    std::unique_ptr<OddServer> m_server;
    std::unique_ptr<EngineFixture> m_fixture;
    QMap<QString, QStringList> m_errors; // all that were ever told, by host
    QList<OddAccount> m_accounts;

    static HostInfo infoOf(EngineFixture &f, const QString &id)
    {
        const QList<HostInfo> all = f.engine().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&](const HostInfo &one) { return one.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    HostInfo host(const QString &id) const { return infoOf(*m_fixture, id); }
    static QJsonObject factsOf(const HostInfo &host, const QString &step)
    {
        for (const HostStep &one : host.steps) {
            if (one.id == step) {
                return one.args;
            }
        }
        return {};
    }
    QString temporaryFolder(const QString &account) const
    {
        for (int i = 0; i < m_accounts.size(); ++i) {
            if (m_accounts.at(i).name == account) {
                return u"/var/tmp/trainyard-%1"_s.arg(OddServer::uidOf(i));
            }
        }
        return {};
    }
    static QList<OddAccount> accounts();
    static void watch(EngineFixture &f, QMap<QString, QStringList> &errors)
    {
        connect(&f.engine(), &Engine::hostChanged, &f.engine(), [&errors](const HostInfo &host) {
            QStringList &list = errors[host.id];
            if (!host.error.isEmpty() && !list.contains(host.error)) {
                list.append(host.error);
            }
        });
    }

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void runsTasks_data();
    void runsTasks();
    void forwardsPorts();
    void saysWhyNot_data();
    void saysWhyNot();
    void namesAJumpHost();
    void runsNothingOfTheHome();
    void saysWhenNothingMayRun();
    void takesASlowLine();
    void opensShells();
};

QList<OddAccount> TstOddServers::accounts()
{
    const QByteArray profile = "FROM_LOGIN=yes; export FROM_LOGIN\n";
    const auto bash = [&profile](const QString &name, const QByteArray &rc) {
        return OddAccount{name, u"/bin/bash"_s, {{u".bashrc"_s, rc}, {u".profile"_s, profile}}};
    };
    const auto forced = [](const QString &name, const QByteArray &command) {
        return OddAccount{name, u"/bin/bash"_s, {}, "ForceCommand " + command};
    };
    // A program of a name that the start uses, which is none.
    const QByteArray trap = "#!/bin/sh\n/usr/bin/cat /proc/$PPID/cmdline >> \"$HOME/trapped\"\nexit 9\n";
    QMap<QString, QByteArray> traps{{u".bashrc"_s, "PATH=.:$HOME/bin:$PATH; export PATH\n"}};
    for (const QString &name : {u"id"_s, u"df"_s, u"cat"_s, u"chmod"_s, u"uname"_s, u"mkdir"_s}) {
        traps.insert(u"bin/"_s + name, trap);
    }
    return {
        {u"plain"_s},
        // Accounts of the hosts "ipv6" and "two-jumps": two names of one account are refused.
        {u"six"_s},
        {u"far"_s},
        {u"jump"_s, u"/bin/bash"_s, {}, "AllowTcpForwarding yes"},
        bash(u"prints"_s, "echo Welcome to the lab; echo load 0.1; echo of errors >&2\n"),
        bash(u"prints-no-newline"_s, "printf 'no newline at the end'\n"),
        bash(u"prints-much"_s, "head -c 3000000 /dev/zero | tr '\\0' x\n"),
        bash(u"prints-escapes"_s, "printf '\\033[2J\\033]0;title\\007\\033[31mred\\000\\377\\r'\n"),
        bash(u"is-slow"_s, "echo Preparing; sleep 6\n"),
        {u"fish"_s, u"/usr/bin/fish"_s,
            {{u".config/fish/config.fish"_s, "echo fish says hello\nset -gx FROM_LOGIN yes\n"}}},
        {u"tcsh"_s, u"/usr/bin/tcsh"_s,
            {{u".tcshrc"_s, "echo tcsh says hello\n"}, {u".login"_s, "setenv FROM_LOGIN yes\n"}}},
        {u"dash"_s, u"/bin/dash"_s, {{u".profile"_s, profile}}},
        {u"ash"_s, u"/var/tmp/ash"_s, {{u".profile"_s, profile}}},
        {u"no-path"_s, u"/bin/bash"_s,
            {{u".bashrc"_s, "PATH=/nonexistent; export PATH\n"},
                {u".profile"_s, profile + "PATH=/nonexistent; export PATH\n"}}},
        {u"own-path"_s, u"/bin/bash"_s, traps},
        {u"noexec"_s, u"/bin/bash"_s, {}, {}, u"noexec"_s},
        {u"read-only"_s, u"/bin/bash"_s, {}, {}, u"ro"_s},
        {u"full"_s, u"/bin/bash"_s, {}, {}, u"size=1m"_s},
        {u"no-home"_s, u"/bin/bash"_s, {}, {}, u"none"_s},
        {u"restricted"_s, u"/bin/rbash"_s},
        {u"nologin"_s, u"/usr/sbin/nologin"_s},
        {u"false"_s, u"/bin/false"_s},
        bash(u"ends"_s, "exit 0\n"),
        forced(u"message"_s, "echo Shells are on login2 only.; exit 1"),
        forced(u"menu"_s, "echo 1 shell; echo 2 quit; printf 'Your choice: '; read choice"),
        forced(u"deaf-menu"_s, "echo 1 shell; printf 'Your choice: '; exec sleep 1000"),
        forced(u"hangs"_s, "exec sleep 1000"),
        forced(u"endless-menu"_s, "while true; do read choice; echo Please choose 1 or 2.; done"),
        forced(u"files-only"_s, "internal-sftp"),
    };
}

void TstOddServers::initTestCase()
{
    m_accounts = accounts();
    m_server = std::make_unique<OddServer>(m_accounts);
    SKIP_UNLESS_THERE(*m_server);
    m_server->addToConfig("Host ipv6\n  HostName ::1\n  User six\n"
                          "Host jump1\n  HostName 127.0.0.1\n  User jump\n"
                          "Host jump2\n  HostName 127.0.0.1\n  User jump\n  ProxyJump jump1\n"
                          "Host two-jumps\n  HostName 127.0.0.1\n  User far\n  ProxyJump jump2\n");
    qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8());
    m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"environment.mode"_s, u"login"_s}});
    m_fixture->setAgentProgram(OddServer::agentProgram());
    QVERIFY(m_fixture->open());
    watch(*m_fixture, m_errors);
    QDir().mkpath(m_fixture->path(u"project"_s));
    QFile code(m_fixture->path(u"project/train.py"_s));
    QVERIFY(code.open(QIODevice::WriteOnly) && code.write("print('trained')\n") > 0);
    // A work folder that is in the PATH by its name ".".
    QFile shell(m_fixture->path(u"project/bash"_s));
    QVERIFY(shell.open(QIODevice::WriteOnly) && shell.write("#!/bin/sh\nexit 9\n") > 0);
    shell.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QStringList hosts{u"ipv6"_s, u"two-jumps"_s};
    for (const OddAccount &account : std::as_const(m_accounts)) {
        if (account.name != "six"_L1 && account.name != "far"_L1) {
            hosts.append(account.name);
        }
    }
    for (const QString &name : std::as_const(hosts)) {
        QVERIFY(m_fixture->engine().addHost(name));
    }
}

void TstOddServers::cleanupTestCase()
{
    m_fixture.reset();
    m_server.reset();
    qunsetenv("TRAINYARD_SSH_CONFIG");
}

void TstOddServers::runsTasks_data()
{
    QTest::addColumn<QString>("program"); // without it there is no such host here
    QTest::addColumn<QString>("banner");
    QTest::addColumn<QByteArray>("login"); // whether tasks have what the login shell exports
    const QString none;
    // The server itself: a banner, MaxSessions 1, PermitTTY no, AllowTcpForwarding no, no sftp subsystem.
    QTest::newRow("plain") << none << none << QByteArray();
    QTest::newRow("prints") << none << u"Welcome to the lab\nload 0.1"_s << QByteArray("yes");
    QTest::newRow("prints-no-newline") << none << u"no newline at the end"_s << QByteArray("yes");
    QTest::newRow("prints-much") << none << u"xxxxxxxx"_s << QByteArray("yes");
    QTest::newRow("prints-escapes") << none << u"red"_s << QByteArray("yes");
    QTest::newRow("is-slow") << none << u"Preparing"_s << QByteArray("yes");
    QTest::newRow("fish") << u"/usr/bin/fish"_s << u"fish says hello"_s << QByteArray("yes");
    QTest::newRow("tcsh") << u"/usr/bin/tcsh"_s << u"tcsh says hello"_s << QByteArray("yes");
    QTest::newRow("dash") << u"/bin/dash"_s << none << QByteArray("yes");
    QTest::newRow("ash") << u"/bin/busybox"_s << none << QByteArray("yes");
    QTest::newRow("no-path") << none << none << QByteArray("yes");
    QTest::newRow("own-path") << none << none << QByteArray();
    QTest::newRow("noexec") << none << none << QByteArray();
    QTest::newRow("read-only") << none << none << QByteArray();
    QTest::newRow("full") << none << none << QByteArray();
    QTest::newRow("no-home") << none << none << QByteArray();
    QTest::newRow("ipv6") << none << none << QByteArray();
    QTest::newRow("two-jumps") << none << none << QByteArray();
}

void TstOddServers::runsTasks()
{
    QFETCH(QString, program);
    QFETCH(QString, banner);
    QFETCH(QByteArray, login);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    if (!program.isEmpty() && !QFileInfo(program).isExecutable()) {
        QSKIP(
            qPrintable(program + u" is not installed: install the package "_s + QFileInfo(program).fileName() + u'.'));
    }
    if (name == "ipv6"_L1 && !QFileInfo::exists(u"/proc/net/if_inet6"_s)) {
        QSKIP("There is no IPv6 here: run it where the kernel has it.");
    }
    QVERIFY2(QTest::qWaitFor([&] { return host(name).state == HostState::Online; }, 60000),
        qPrintable(hostReport(host(name))));
    // At once, and not after an attempt that failed.
    QCOMPARE(m_errors.value(name), QStringList());
    const HostInfo info = host(name);
    QVERIFY2(banner.isEmpty() ? info.banner.isEmpty() : info.banner.contains(banner), qPrintable(info.banner));
    const QStringList elsewhere{u"noexec"_s, u"read-only"_s, u"full"_s, u"no-home"_s};
    const QString folder = factsOf(info, hoststep::folder).value(u"folder"_s).toString();
    const QString account = name == "ipv6"_L1 ? u"six"_s : name == "two-jumps"_L1 ? u"far"_s : name;
    QCOMPARE(folder,
        elsewhere.contains(name) ? temporaryFolder(name) : QString(m_server->home(account) + u"/.cache/trainyard"_s));
    // Where no file of a task could be written at home, it is written beside the helper.
    const bool isStateElsewhere = name == "read-only"_L1 || name == "no-home"_L1;
    const QString disk = factsOf(info, hoststep::disk).value(u"folder"_s).toString();
    QVERIFY2(disk.startsWith(isStateElsewhere ? folder + u'/' : m_server->home(account)), qPrintable(disk));

    SubmitRequest request;
    request.target = name;
    request.work = m_fixture->path(u"project"_s);
    const QString uuid = m_fixture->submit(
        EngineFixture::document("odd",
            EngineFixture::role(
                "main", 1, {"echo \"$(<train.py)\"", "echo login=${FROM_LOGIN:-}", "echo bash=${BASH_VERSION:+yes}"})),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(errorText(m_fixture->error())));
    QVERIFY(m_fixture->waitForEnd(uuid, 60000));
    QVERIFY2(m_fixture->job(uuid).state == State::Succeeded, m_fixture->output(uuid, u"main"_s, 0).constData());
    QTRY_COMPARE(m_fixture->output(uuid, u"main"_s, 0), "print('trained')\nlogin=" + login + "\nbash=yes\n");
}

// Behind two jump hosts, of a server that offers one session, no terminal and no forwarding.
void TstOddServers::forwardsPorts()
{
    const QString name = u"two-jumps"_s;
    QVERIFY2(QTest::qWaitFor([&] { return host(name).state == HostState::Online; }, 60000),
        qPrintable(hostReport(host(name))));
    SubmitRequest request;
    request.target = name;
    request.work = m_fixture->path(u"project"_s);
    const QString uuid
        = m_fixture->submit(EngineFixture::document("serves",
                                EngineFixture::role("main", 1,
                                    {"python3 -m http.server --bind 127.0.0.1 $PAI_CONTAINER_HOST_http_PORT_LIST"}, {},
                                    "{cpu: 1, memoryMB: 16, gpu: 0, ports: {http: 1}}")),
            request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(errorText(m_fixture->error())));
    Engine &engine = m_fixture->engine();
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->output(uuid, u"main"_s, 0).contains("Serving HTTP"); }, 60000));
    const api::TaskPort port = engine.ports({uuid, {}, 0})->value(0);
    QCOMPARE(port.label, u"http"_s);
    const Result<api::TaskPort> forwarded = engine.forwardPort({uuid, u"main"_s, 0, port.port, 0});
    QVERIFY2(forwarded, forwarded ? "" : qPrintable(errorText(forwarded.error())));
    QVERIFY(forwarded->localPort != port.port); // this server shares the network of this computer
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, quint16(forwarded->localPort));
    socket.write("GET /train.py HTTP/1.0\r\n\r\n");
    QVERIFY(QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::UnconnectedState; }, 20000));
    const QByteArray answer = socket.readAll();
    QVERIFY2(answer.endsWith("print('trained')\n"), answer.constData());
    QVERIFY(engine.stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid, 30000));
}

void TstOddServers::saysWhyNot_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("said"); // words of the host in the sentence
    QTest::newRow("restricted") << u"host.shell-failed"_s << u"restricted"_s;
    QTest::newRow("nologin") << u"host.shell-failed"_s << u"This account is currently not available."_s;
    QTest::newRow("message") << u"host.shell-failed"_s << u"Shells are on login2 only."_s;
    QTest::newRow("menu") << u"host.shell-failed"_s << u"1 shell 2 quit Your choice:"_s;
    QTest::newRow("false") << u"host.shell-silent"_s << QString();
    QTest::newRow("ends") << u"host.shell-silent"_s << QString();
    QTest::newRow("files-only") << u"host.shell-failed"_s << u"This service allows sftp connections only."_s;
    QTest::newRow("deaf-menu") << u"host.shell-waits"_s << u"1 shell Your choice:"_s;
    QTest::newRow("hangs") << u"host.shell-hangs"_s << QString();
    QTest::newRow("endless-menu") << u"host.shell-waits"_s << u"Please choose 1 or 2."_s;
}

// What the host printed is quoted, but not its banner; and nobody waits long for it.
void TstOddServers::saysWhyNot()
{
    QFETCH(QString, code);
    QFETCH(QString, said);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    QTRY_VERIFY_WITH_TIMEOUT(!m_errors.value(name).isEmpty(), 60000); // a slow shell has most of a minute
    QCOMPARE(m_errors.value(name).join(u' '), code);
    const HostInfo info = host(name);
    const QString sentence = reasonText(info.error, info.errorArgs);
    QVERIFY2(said.isEmpty() || sentence.contains(said), qPrintable(sentence));
    QVERIFY2(sentence.contains(u"'ssh "_s + name + u" echo ok'"_s), qPrintable(sentence));
    QVERIFY2(!sentence.contains(u"Authorised use"_s), qPrintable(sentence));
    QVERIFY2(!sentence.contains(u'{'), qPrintable(sentence));
    if (code == "host.shell-hangs"_L1) { // perhaps it is only slower than anybody waits
        const qint64 seconds = info.errorArgs.value("seconds"_L1).toInteger();
        QVERIFY2(seconds >= 40, qPrintable(sentence));
        QVERIFY2(sentence.contains(u" in %1 seconds "_s.arg(seconds)), qPrintable(sentence));
    }
}

void TstOddServers::namesAJumpHost()
{
    QTRY_COMPARE_WITH_TIMEOUT(host(u"two-jumps"_s).state, HostState::Online, 60000);
    QCOMPARE(factsOf(host(u"two-jumps"_s), hoststep::resolve).value(u"proxy"_s).toString(), u"jump2"_s);
}

// What a start-up file puts into the PATH is for the user's shells and tasks; the start of the helper uses none of it.
void TstOddServers::runsNothingOfTheHome()
{
    QTRY_COMPARE_WITH_TIMEOUT(host(u"own-path"_s).state, HostState::Online, 60000);
    QVERIFY(QFileInfo(m_server->home(u"own-path"_s) + u"/bin/df"_s).isExecutable());
    const QByteArray trapped = EngineFixture::contents(m_server->home(u"own-path"_s) + u"/trapped"_s);
    QVERIFY2(!trapped.contains("TRAINYARD-PATH"), trapped.constData());
}

// No folder lets programs run: nothing is left there, and said is what to do.
void TstOddServers::saysWhenNothingMayRun()
{
    const OddServer server({{u"noexec"_s, u"/bin/bash"_s, {}, {}, u"noexec"_s}}, {.temporary = "mode=1777,noexec"});
    QVERIFY2(server.problem().isEmpty(), qPrintable(server.problem()));
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(u"noexec"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!infoOf(f, u"noexec"_s).error.isEmpty(), 30000);
    const HostInfo info = infoOf(f, u"noexec"_s);
    QCOMPARE(info.error, u"host.agent-cannot-run"_s);
    const QString sentence = reasonText(info.error, info.errorArgs);
    QVERIFY2(sentence.contains(u"Set XDG_CACHE_HOME there"_s), qPrintable(sentence));
    qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8());
}

// The copy of the helper takes longer than the line's buffers hide, is shown as it comes, and is waited for.
void TstOddServers::takesASlowLine()
{
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty()) {
        QSKIP("python3 is not installed: install the package python3.");
    }
    const OddServer server({{u"slow"_s}});
    QVERIFY2(server.problem().isEmpty(), qPrintable(server.problem()));
    const bool isFull = isFullForm();
    QFile line(server.path(u"slow.py"_s));
    QVERIFY(line.open(QIODevice::WriteOnly));
    line.write(R"(import os, socket, sys, threading, time
line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
def answers():
    while data := line.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=answers, daemon=True).start()
due = time.monotonic()
while data := os.read(0, 2048):
    line.sendall(data)
    due = max(due, time.monotonic()) + len(data) / float(sys.argv[3])
    time.sleep(max(0, due - time.monotonic()))
line.shutdown(socket.SHUT_WR)
threading.Event().wait()
)");
    line.close();
    // In the full suite as long as the program that people get takes at 20 kB/s.
    const QByteArray rate = QByteArray::number(QFileInfo(OddServer::agentProgram()).size() / (isFull ? 150 : 8));
    server.addToConfig("Host slow\n  ProxyCommand " + python.toUtf8() + ' ' + QFile::encodeName(line.fileName())
        + " %h %p " + rate + "\n");
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    const qint64 size = QFileInfo(OddServer::agentProgram()).size();
    QVERIFY(f.open());
    Engine &engine = f.engine();
    QList<qint64> arrived;
    QStringList errors;
    QString shown;
    HostInfo last;
    connect(&engine, &Engine::hostChanged, &engine, [&](const HostInfo &host) {
        if (host.id != "slow"_L1) {
            return;
        }
        last = host;
        errors += host.error.isEmpty() ? QStringList() : QStringList(host.error);
        const QJsonObject facts = factsOf(host, hoststep::push);
        const qint64 bytes = facts.value(u"bytes"_s).toInteger();
        if (facts.contains(u"of"_s) && !arrived.contains(bytes)) {
            QCOMPARE(facts.value(u"of"_s).toInteger(), size);
            arrived.append(bytes);
            shown = hostReport(host);
        }
    });
    QVERIFY(engine.addHost(u"slow"_s));
    QVERIFY2(QTest::qWaitFor([&] { return last.state == HostState::Online; }, isFull ? 400000 : 60000),
        qPrintable(hostReport(last)));
    QCOMPARE(errors, QStringList());
    QVERIFY2(arrived.size() >= 3, qPrintable(QString::number(arrived.size())));
    QVERIFY(std::is_sorted(arrived.cbegin(), arrived.cend()));
    QVERIFY(arrived.constFirst() < size / 2);
    QVERIFY2(shown.contains(u"copying, "_s), qPrintable(shown));
    qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8());
}

// What `trainyardctl ssh` runs reaches the task as it was typed, whatever the login shell makes of quotes.
void TstOddServers::opensShells()
{
    QList<OddAccount> accounts;
    for (const OddAccount &one : {OddAccount{u"fish"_s, u"/usr/bin/fish"_s}, OddAccount{u"tcsh"_s, u"/usr/bin/tcsh"_s},
             OddAccount{u"dash"_s, u"/bin/dash"_s}}) {
        if (QFileInfo(one.shell).isExecutable()) {
            accounts.append(one);
        }
    }
    if (accounts.isEmpty()) {
        QSKIP("None of these shells is installed: install the package fish, tcsh or dash.");
    }
    const OddServer server(accounts);
    QVERIFY2(server.problem().isEmpty(), qPrintable(server.problem()));
    const auto restore = qScopeGuard([this] { qputenv("TRAINYARD_SSH_CONFIG", m_server->configFile().toUtf8()); });
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    const ProgramsFixture f;
    for (qsizetype i = 0; i < accounts.size(); ++i) {
        const QString name = accounts.at(i).name;
        const auto added = f.ctl({u"hosts"_s, u"add"_s, name}, {}, 60000);
        QVERIFY2(added.status == 0, added.err.constData());
        const auto run = f.ctl({u"run"_s, u"-"_s, u"--on"_s, name},
            EngineFixture::document(
                "shells", EngineFixture::role("main", 1, {"until [ -e go ]; do sleep 0.02; done"})));
        QVERIFY2(run.status == 0, run.err.constData());
        const QString job = QString::number(i + 1);
        const QStringList inTask{u"ssh"_s, job, u"--"_s};
        const QStringList words = inTask
            + QStringList{u"printf"_s, u"%s|"_s, u"a\\"_s, u"it's"_s, u"!"_s, u"$HOME `x`"_s, u"two\nlines"_s,
                u"\u00e4"_s, u"~ * ?"_s};
        const QByteArray expected = "a\\|it's|!|$HOME `x`|two\nlines|\xc3\xa4|~ * ?|";
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl(words).out, expected, 30000);
        QCOMPARE(f.ctl(inTask + QStringList{u"sh"_s, u"-c"_s, u"exit 9"_s}).status, 9);
        QCOMPARE(f.ctl(inTask + QStringList{u"touch"_s, u"go"_s}).status, 0);
        QCOMPARE(f.ctl({u"wait"_s, job}, {}, 40000).status, 0);
        QCOMPARE(f.ctl(words).out, expected);
        QCOMPARE(f.ctl(inTask + QStringList{u"sh"_s, u"-c"_s, u"exit 8"_s}).status, 8);
    }
}

TRAINYARD_TEST(TstOddServers)
#include "tst_oddservers.moc"
