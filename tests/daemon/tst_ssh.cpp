// SPDX-License-Identifier: GPL-3.0-or-later
// The remote path over a real sshd in a network namespace.
#include "engine/client/sshnames.h"
#include "engine/hosts/agentprograms.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshtransport.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <tuple>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSsh : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void meaningOfComplaints_data();
    void meaningOfComplaints();
    void keyLacksItsPassPhrase();
    void refusedKeysAreTold();
    void newKeyIsTold();
    void keyIsForgotten_data();
    void keyIsForgotten();
    void doesNotKeepWhatNeverEnds();
    void refusalsOfStartUpFiles();
    void olderProgram();
    void serverCloses_data();
    void serverCloses();
    void twoEnginesWriteTheirHosts();
    void targetsAndNames();
    void runsTasksOnAHost();
    void unlikeThisComputer();
    void saysWhenNothingFits();
    void staysWithItsFolder();
};

void TstSsh::meaningOfComplaints_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("complaints");
    QTest::addColumn<QString>("code");
    QTest::newRow("password") << 255 << QByteArray("me@h: Permission denied (publickey,password).\r\n")
                              << u"host.needs-login.password"_s;
    QTest::newRow("keys only") << 255 << QByteArray("me@h: Permission denied (publickey).\r\n")
                               << u"host.needs-login.key"_s;
    QTest::newRow("too many keys") << 255
                                   << QByteArray("Received disconnect from 10.0.0.7 port 22:2: Too many "
                                                 "authentication failures\r\n")
                                   << u"host.needs-login"_s;
    QTest::newRow("key") << 255
                         << QByteArray("No ED25519 host key is known for h and you have requested strict checking.\r\n"
                                       "Host key verification failed.\r\n")
                         << u"host.key-unknown"_s;
    QTest::newRow("changed")
        << 255 << QByteArray("@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n")
        << u"host.key-changed"_s;
    const auto securityKey = [](const QByteArray &what) {
        return QByteArray(
            "sign_and_send_pubkey: signing failed for " + what + "\r\nme@h: Permission denied (publickey).\r\n");
    };
    QTest::newRow("security key absent") << 255 << securityKey("ED25519-SK \"/home/me/.ssh/id_sk\": device not found")
                                         << u"host.security-key-absent"_s;
    QTest::newRow("security key, wrong PIN")
        << 255 << securityKey("ECDSA-SK \"id\": incorrect passphrase supplied to decrypt private key")
        << u"host.security-key-pin"_s;
    QTest::newRow("security key not touched")
        << 255 << securityKey("ED25519-SK \"id\": invalid format") << u"host.security-key-failed"_s;
    QTest::newRow("security key of an agent")
        << 255 << securityKey("ED25519-SK \"me@laptop\" from agent: agent refused operation")
        << u"host.security-key-agent"_s;
    QTest::newRow("another key of an agent")
        << 255 << securityKey("ED25519 \"me@laptop\" from agent: agent refused operation") << u"host.needs-login.key"_s;
    QTest::newRow("name") << 255 << QByteArray("ssh: Could not resolve hostname nowhere: Name or service not known\r\n")
                          << u"host.name-unknown"_s;
    QTest::newRow("refused") << 255 << QByteArray("ssh: connect to host h port 22: Connection refused\r\n")
                             << u"host.unreachable"_s;
    QTest::newRow("cut") << 255 << QByteArray("Timeout, server h not responding.\r\n") << u"host.cut"_s;
    QTest::newRow("closed before the login")
        << 255
        << QByteArray("kex_exchange_identification: Connection closed by remote host\r\n"
                      "Connection closed by 192.0.2.7 port 22\r\n")
        << u"host.closed-early"_s;
    QTest::newRow("closed before the login, an older ssh")
        << 255 << QByteArray("ssh_exchange_identification: read: Connection reset by peer\r\n")
        << u"host.closed-early"_s;
    QTest::newRow("another server answers")
        << 255
        << QByteArray("kex_exchange_identification: banner line contains invalid characters\r\n"
                      "banner exchange: Connection to 192.0.2.7 port 80: invalid format\r\n")
        << u"host.ssh-failed"_s;
    QTest::newRow("cut before the login")
        << 255 << QByteArray("kex_exchange_identification: write: Broken pipe\r\n") << u"host.cut"_s;
    QTest::newRow("nothing") << 255 << QByteArray() << u"host.cut"_s;
    QTest::newRow("shell") << 127 << QByteArray("sh: not found\n") << u"host.shell-failed"_s;
    QTest::newRow("agent") << 0 << QByteArray() << u"host.agent-died"_s;
}

void TstSsh::meaningOfComplaints()
{
    QFETCH(int, status);
    QFETCH(QByteArray, complaints);
    QTEST(SshTransport::meaningOf(status, complaints, u"h"_s).code, "code");
}

// It is no missing key, which somebody would look for on the server.
void TstSsh::keyLacksItsPassPhrase()
{
    const auto refused = [](const QByteArray &before) {
        return SshTransport::meaningOf(255, before + "me@10.0.0.7: Permission denied (publickey).\r\n", u"lab1"_s);
    };
    const SshTransport::Phrase asked{u"/home/me/.ssh/id"_s, false}, wrong{u"/home/me/.ssh/id"_s, true};
    const Error none = SshTransport::lackingPhrase(refused({}), asked);
    QCOMPARE(none.code, u"host.needs-login.locked"_s);
    const QString said = errorText(none), wrongly = errorText(SshTransport::lackingPhrase(refused({}), wrong));
    QVERIFY2(said.startsWith(u"lab1 is reached with the key /home/me/.ssh/id, which needs its pass phrase"_s),
        qPrintable(said));
    QVERIFY2(
        wrongly.startsWith(u"The pass phrase of the key /home/me/.ssh/id, with which lab1 is reached, was wrong."_s),
        qPrintable(wrongly));
    for (const QString &text : {said, wrongly}) {
        QVERIFY2(!text.contains(u"authorized_keys"_s) && !text.contains(u"10.0.0.7"_s), qPrintable(text));
    }
    // Of these it was not the pass phrase.
    QCOMPARE(SshTransport::lackingPhrase(refused({}), {}).code, u"host.needs-login.key"_s);
    QCOMPARE(SshTransport::lackingPhrase(refused("Load key \"/home/me/.ssh/id\": invalid format\r\n"), asked).code,
        u"host.needs-login.key"_s);
    QCOMPARE(SshTransport::lackingPhrase({u"host.unreachable"_s, {}}, asked).code, u"host.unreachable"_s);
}

// What to do is done on the server, with the public half of a key that was tried.
void TstSsh::refusedKeysAreTold()
{
    const Error refused = SshTransport::meaningOf(255, "me@lab1: Permission denied (publickey).\r\n", u"lab1"_s);
    const QString begin = u"lab1 does not let the user me in: it accepts only publickey, and "_s;
    const auto said
        = [&refused](const QStringList &keys) { return errorText(SshTransport::withRefusedKeys(refused, keys)); };
    const QString files = said({u"/home/me/.ssh/id"_s, u"/home/me/.ssh/token.pub"_s, u"me@laptop"_s});
    QVERIFY2(files.startsWith(begin
                 + u"none of the keys that ssh has tried: /home/me/.ssh/id, /home/me/.ssh/token.pub, me@laptop. "_s),
        qPrintable(files));
    QVERIFY2(files.contains(u"have the public key (/home/me/.ssh/id.pub, /home/me/.ssh/token.pub) added to "
                            "~/.ssh/authorized_keys of that user there."_s),
        qPrintable(files));
    const QString ofAgent = said({u"me@laptop"_s});
    QVERIFY2(ofAgent.contains(u"me@laptop"_s) && ofAgent.contains(u"'ssh-add -L'"_s), qPrintable(ofAgent));
    const QString none = said({});
    QVERIFY2(none.startsWith(begin + u"ssh has offered no key. Create one with ssh-keygen"_s), qPrintable(none));
    const QString unknown = errorText(refused);
    QVERIFY2(unknown.startsWith(begin + u"none of the keys that ssh has."_s), qPrintable(unknown));
    // One that takes passwords, too, waits for a login, and names the keys all the same.
    const Error open
        = SshTransport::meaningOf(255, "me@lab1: Permission denied (publickey,keyboard-interactive).\r\n", u"lab1"_s);
    const Error tried = SshTransport::withRefusedKeys(open, {u"/home/me/.ssh/id"_s, u"me@laptop"_s});
    QCOMPARE(tried.code, u"host.needs-login.password"_s);
    const QString both = errorText(tried);
    QVERIFY2(both.startsWith(u"lab1 does not let the user me in without a password or another key: it accepts "
                             "publickey, keyboard-interactive, and none of the keys that ssh has tried: "
                             "/home/me/.ssh/id, me@laptop. "_s),
        qPrintable(both));
    const QString untried = errorText(SshTransport::withRefusedKeys(open, {}));
    QVERIFY2(
        !untried.contains(u"tried"_s) && untried.contains(u"publickey, keyboard-interactive"_s), qPrintable(untried));
}

void TstSsh::newKeyIsTold()
{
    const Error why = SshTransport::meaningOf(255,
        "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
        "The fingerprint for the ED25519 key sent by the remote host is\r\n"
        "SHA256:MkEzHUcwuEyVSY8V/reyVIvwfaHz+/nXclMpK85g0Qk.\r\n"
        "Host key verification failed.\r\n",
        u"lab1"_s);
    QCOMPARE(why.args.value("fingerprint"_L1).toString(), u"SHA256:MkEzHUcwuEyVSY8V/reyVIvwfaHz+/nXclMpK85g0Qk"_s);
    const QString said = errorText(why);
    QVERIFY2(said.contains(u"its fingerprint is SHA256:MkEzHUcwuEyVSY8V/reyVIvwfaHz+/nXclMpK85g0Qk now."_s)
            && said.contains(u"'ssh-keygen -R lab1'"_s),
        qPrintable(said));
}

// The command has to name the key as the file of known keys does, and that file.
void TstSsh::keyIsForgotten_data()
{
    QTest::addColumn<QByteArray>("complaints");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("command");
    const QByteArray changed = "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n";
    const auto offends = [&changed](const QByteArray &file, const QByteArray &more) {
        return QByteArray(
            changed + "Offending ED25519 key in " + file + ":3\r\n" + more + "Host key verification failed.\r\n");
    };
    const auto strict = [](const QByteArray &name) {
        return QByteArray("Host key for " + name + " has changed and you have requested strict checking.\r\n");
    };
    const QByteArray file = "/home/me/.ssh/known_hosts";
    const QString command = u"ssh-keygen -f \"/home/me/.ssh/known_hosts\" -R "_s;
    QTest::newRow("Debian 12") << offends(file, "  ssh-keygen -f \"" + file + "\" -R \"[gpu1]:2222\"\r\n") << u"gpu"_s
                               << QString(command + u"\"[gpu1]:2222\""_s);
    QTest::newRow("Debian 13") << offends(file, "  ssh-keygen -f '" + file + "' -R '[gpu1]:2222'\r\n") << u"gpu"_s
                               << QString(command + u"\"[gpu1]:2222\""_s);
    QTest::newRow("another system, a port of the configuration")
        << offends(file, strict("[gpu1.lab]:2222")) << u"gpu"_s << QString(command + u"\"[gpu1.lab]:2222\""_s);
    QTest::newRow("another system, a name of the configuration")
        << offends(file, strict("gpu1.lab")) << u"gpu"_s << QString(command + u"gpu1.lab"_s);
    QTest::newRow("an older ssh") << QByteArray(
        changed + "ECDSA host key for gpu1.lab has changed and you have requested strict checking.\r\n")
                                  << u"gpu"_s << u"ssh-keygen -R gpu1.lab"_s;
    QTest::newRow("nothing more is said") << changed << u"me@gpu1"_s << u"ssh-keygen -R gpu1"_s;
    QTest::newRow("nothing more is said, a port") << changed << u"me@gpu1:2222"_s << u"ssh-keygen -R \"[gpu1]:2222\""_s;
    QTest::newRow("nothing more is said, the usual port") << changed << u"me@gpu1:22"_s << u"ssh-keygen -R gpu1"_s;
    QTest::newRow("keys for a terminal") << offends("/tmp/\x03id\x1b[A", strict("gpu1")) << u"gpu"_s
                                         << u"ssh-keygen -R gpu1"_s;
    QTest::newRow("words of a history") << offends("/tmp/!sudo", strict("gpu1")) << u"gpu"_s << u"ssh-keygen -R gpu1"_s;
    QTest::newRow("words for a shell") << offends("/tmp/$(id)", strict("gpu1;id")) << u"gpu"_s
                                       << u"ssh-keygen -R gpu"_s;
}

void TstSsh::keyIsForgotten()
{
    QFETCH(QByteArray, complaints);
    QFETCH(QString, target);
    const Error why = SshTransport::meaningOf(255, complaints, target);
    QCOMPARE(why.code, u"host.key-changed"_s);
    QTEST(why.args.value("remove"_L1).toString(), "command");
}

// What a start-up file says of something else is no answer to the login, when the connection ends later.
void TstSsh::refusalsOfStartUpFiles()
{
    const QTemporaryDir folder;
    SshOptions options;
    options.target = u"me@lab"_s;
    options.agentProgram = folder.filePath(u"agent"_s);
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile made(folder.filePath(name));
        return made.open(QIODevice::WriteOnly) && made.write(text) == text.size()
            && made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QVERIFY(write(u"agent"_s, "#!/bin/true\n"));
    SshTransport transport(options);
    QVERIFY(write(u"ssh"_s,
        "#!/bin/sh\necho 'debug1: Sending command: exec' >&2\n"
        "echo '/home/me/.bashrc: line 3: /opt/lab/env.sh: Permission denied' >&2\nprintf '\\nTRAINYARD-PATH "
            + transport.nonce() + " a b c d\\n'\necho 'Timeout, server lab not responding.' >&2\nexit 255\n"));
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
    Error why;
    QSignalSpy closed(&transport, &SshTransport::closed);
    connect(&transport, &SshTransport::closed, this, [&why](const Error &given) { why = given; });
    transport.start();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(why.code, u"host.cut"_s);
}

// A server that closes the connection: when it does, and what ssh says then, tells the reasons apart.
void TstSsh::serverCloses_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("message");
    const QByteArray server = "debug1: Remote protocol version 2.0, remote software version X\r\n";
    const QByteArray end = "Connection closed by 192.0.2.7 port 22\r\n";
    const QString endSaid = u"Connection closed by 192.0.2.7 port 22"_s;
    const QByteArray login = server
        + "debug1: Server host key: ssh-ed25519 SHA256:A\r\ndebug1: SSH2_MSG_NEWKEYS sent\r\n"
          "debug1: SSH2_MSG_SERVICE_ACCEPT received\r\nAuthorised use only.\r\n"
          "debug1: Authentications that can continue: publickey\r\n"
          "debug1: Next authentication method: publickey\r\n"
          "debug1: Offering public key: id ED25519 SHA256:B\r\n"
          "debug1: Server accepts key: id ED25519 SHA256:B\r\n";
    const QByteArray away = "kex_exchange_identification: Connection closed by remote host\r\n";
    QTest::newRow("before it") << QByteArray(server + "Not today.\r\n" + end) << u"host.closed-early"_s << endSaid;
    QTest::newRow("MaxStartups") << QByteArray(
        "debug1: kex_exchange_identification: banner line 0: Exceeded MaxStartups\r\n" + away + end)
                                 << u"host.closed-early"_s
                                 << QString(u"Exceeded MaxStartups; kex_exchange_identification: Connection closed by "
                                            "remote host; "_s
                                        + endSaid);
    QTest::newRow("pam_nologin") << QByteArray(login + "The system is going down for maintenance.\r\n\r\n" + end)
                                 << u"host.closed-at-login"_s
                                 << QString(u"The system is going down for maintenance.; "_s + endSaid);
    QTest::newRow("an account that has expired") << QByteArray(login + end) << u"host.closed-at-login"_s << endSaid;
    QTest::newRow("a session that does not begin")
        << QByteArray(login + "Authenticated to lab ([192.0.2.7]:22) using \"publickey\".\r\n" + end)
        << u"host.closed-at-login"_s << endSaid;
    const QByteArray jump = "debug1: Executing proxy command: exec ssh -v -W '[lab]:22' gate\r\n" + login;
    QTest::newRow("behind a jump host, before it")
        << QByteArray(jump + "Authenticated to gate ([192.0.2.1]:22) using \"publickey\".\r\n" + away)
        << u"host.closed-early"_s << u"kex_exchange_identification: Connection closed by remote host"_s;
    QTest::newRow("behind a jump host, during it")
        << QByteArray(jump + "Authenticated to gate ([192.0.2.1]:22) using \"publickey\".\r\n" + login + end)
        << u"host.closed-at-login"_s << endSaid;
    const QByteArray behind = "Authenticated to gate ([192.0.2.1]:22) using \"publickey\".\r\n" + login;
    QTest::newRow("behind a jump host, after it") << QByteArray(jump + behind
        + "Authenticated to lab (via proxy) using \"publickey\".\r\n" + "Too many logins for 'me'.\r\n"
        + end) << u"host.closed-at-login"_s << QString(u"Too many logins for 'me'.; "_s + endSaid);
    QTest::newRow("behind a jump host, after it, by an older ssh")
        << QByteArray(jump + behind + "Authenticated to lab (via proxy).\r\n" + end) << u"host.closed-at-login"_s
        << endSaid;
    QTest::newRow("behind two jump hosts, before it")
        << QByteArray("debug1: Executing proxy command: exec ssh -J gate -v -W '[lab]:22' inner\r\n" + jump + behind
               + "Authenticated to inner (via proxy) using \"publickey\".\r\n" + away)
        << u"host.closed-early"_s << u"kex_exchange_identification: Connection closed by remote host"_s;
}

void TstSsh::serverCloses()
{
    QFETCH(QByteArray, said);
    const QTemporaryDir folder;
    SshOptions options;
    options.target = u"me@lab"_s;
    options.agentProgram = folder.filePath(u"agent"_s);
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile made(folder.filePath(name));
        return made.open(QIODevice::WriteOnly) && made.write(text) == text.size()
            && made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QVERIFY(write(u"agent"_s, "#!/bin/true\n"));
    QVERIFY(write(u"said"_s, said));
    QVERIFY(write(u"ssh"_s, "#!/bin/sh\ncat '" + QFile::encodeName(folder.filePath(u"said"_s)) + "' >&2\nexit 255\n"));
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
    SshTransport transport(options);
    Error why;
    QSignalSpy closed(&transport, &SshTransport::closed);
    connect(&transport, &SshTransport::closed, this, [&why](const Error &given) { why = given; });
    transport.start();
    QTRY_COMPARE(closed.size(), 1);
    QTEST(why.code, "code");
    QTEST(why.args.value("message"_L1).toString(), "message");
}

// It refuses settings that it does not know, one after the other.
void TstSsh::olderProgram()
{
    const QTemporaryDir folder;
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile made(folder.filePath(name));
        return made.open(QIODevice::WriteOnly) && made.write(text) == text.size()
            && made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QVERIFY(write(u"agent"_s, "#!/bin/true\n"));
    QVERIFY(write(u"ssh"_s,
        "#!/bin/sh\nfor word; do case $word in SessionType=*|StdinNull=*|ForkAfterAuthentication=*) "
        "echo \"command-line: line 0: Bad configuration option: ${word%%=*}\" >&2; exit 255;; esac; done\n"
        "echo \"$*\" >'"
            + QFile::encodeName(folder.path())
            + "/asked'\necho 'ssh: connect to host lab port 22: No route to host' >&2\nexit 255\n"));
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
    SshOptions options;
    options.target = u"me@lab"_s;
    options.agentProgram = folder.filePath(u"agent"_s);
    SshTransport transport(options);
    Error why;
    QSignalSpy closed(&transport, &SshTransport::closed);
    connect(&transport, &SshTransport::closed, this, [&why](const Error &given) { why = given; });
    transport.start();
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(why.code, u"host.unreachable"_s);
    QVERIFY(EngineFixture::contents(folder.filePath(u"asked"_s)).contains("-o RemoteCommand=none"));
}

// A host without the agent, which prints and prints while it is to take it: what it says is not kept for ever.
void TstSsh::doesNotKeepWhatNeverEnds()
{
    const QTemporaryDir folder;
    const auto file = [&folder](const QString &name) { return folder.filePath(name); };
    const auto write = [&file](const QString &name, const QByteArray &text) {
        QFile made(file(name));
        return made.open(QIODevice::WriteOnly) && made.write(text) == text.size()
            && made.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    SshOptions options;
    options.target = u"me@lab"_s;
    options.agentProgram = file(u"agent"_s);
    QVERIFY(write(u"agent"_s, "#!/bin/true\n"));
    SshTransport transport(options);
    const QByteArray machine = AgentPrograms::machineHere().toLatin1();
    QVERIFY(write(u"ssh"_s,
        "#!/bin/sh\ncd '" + QFile::encodeName(folder.path())
            + "'\nif [ -e asked ]; then yes | head -c 33554432; exit; fi\n: > asked\n"
              "printf '\\nTRAINYARD-PATH "
            + transport.nonce() + " a b c d\\n\\nTRAINYARD-NEEDS-AGENT " + transport.nonce() + ' ' + machine
            + "\\n'\n"));
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
    Error why;
    QSignalSpy closed(&transport, &SshTransport::closed);
    connect(&transport, &SshTransport::closed, this, [&why](const Error &given) { why = given; });
    transport.start();
    QTRY_COMPARE(closed.size(), 1);
    QVERIFY(QFile::exists(file(u"asked"_s)));
    QCOMPARE(why.code, u"host.shell-waits"_s);
}

// The engine of a run in the foreground has the same file as the one in the background.
void TstSsh::twoEnginesWriteTheirHosts()
{
    const QTemporaryDir folder;
    HostsFile one(folder.filePath(u"hosts.json"_s)), other(folder.filePath(u"hosts.json"_s));
    QVERIFY(one.load() && one.add({u"lab1"_s, u"me@lab1"_s, {}}));
    QVERIFY(other.load());
    QVERIFY(one.add({u"lab2"_s, u"me@lab2"_s, {}}));
    HostUse drained;
    drained.drained = true;
    QVERIFY(other.setUse(u"local"_s, drained) && other.setUse(u"lab1"_s, drained));
    QVERIFY(one.setTarget(u"lab2"_s, u"you@lab2"_s));
    QVERIFY(other.add({u"lab2"_s, u"them@lab2"_s, {}})); // which it knows nothing of
    QVERIFY(one.add({u"lab3"_s, u"me@lab3"_s, {}}) && one.remove(u"lab3"_s));
    HostsFile now(folder.filePath(u"hosts.json"_s));
    QVERIFY(now.load());
    QCOMPARE(now.hosts().size(), 2);
    QVERIFY(now.use(u"local"_s).drained && now.use(u"lab1"_s).drained && !now.use(u"lab2"_s).drained);
    QCOMPARE(now.hosts().last().target, u"them@lab2"_s);
}

void TstSsh::targetsAndNames()
{
    for (const QString &good : {u"gpu1"_s, u"me@gpu1.lab.org"_s, u"ssh://me@gpu1:2222"_s, u"10.0.0.7"_s,
             u"me@gpu1:65535"_s, u"[fd00::1]:22"_s, u"fd00::1"_s}) {
        QVERIFY2(HostsFile::isTarget(good), qPrintable(good));
    }
    for (const QString &bad : {u""_s, u"-oProxyCommand=x"_s, u"a b"_s, u"a\nb"_s, u"a;b"_s, u"$(x)"_s, u"me@gpu1:0"_s,
             u"me@gpu1:65536"_s, u"ssh://gpu1:99999"_s}) {
        QVERIFY2(!HostsFile::isTarget(bad), qPrintable(bad));
    }
    QCOMPARE(HostsFile::nameFor(u"me@gpu1.lab.org"_s), u"gpu1"_s);
    QCOMPARE(HostsFile::nameFor(u"ssh://me@gpu1:2222"_s), u"gpu1"_s);
    QCOMPARE(HostsFile::nameFor(u"10.0.0.7"_s), u"10.0.0.7"_s);
    QCOMPARE(HostsFile::nameFor(u"me@[fd00:1::7]:22"_s), u"fd00-1-7"_s); // several in one network
    QCOMPARE(HostsFile::nameFor(u"fe80::1%eth0"_s), u"fe80-1"_s);
    QCOMPARE(HostsFile::nameFor(u"[::1]:2222"_s), u"1"_s);
    for (const auto &[target, destination] :
        {std::pair(u"gpu1"_s, u"gpu1"_s), {u"me@gpu1"_s, u"me@gpu1"_s}, {u"me@gpu1:2222"_s, u"ssh://me@gpu1:2222"_s},
            {u"127.0.0.1:22"_s, u"ssh://127.0.0.1:22"_s}, {u"ssh://me@gpu1:2222"_s, u"ssh://me@gpu1:2222"_s},
            {u"fe80::1"_s, u"fe80::1"_s}, {u"me@[fe80::1]:22"_s, u"ssh://me@[fe80::1]:22"_s}}) {
        QCOMPARE(sshDestination(target), destination);
    }
    for (const auto &[target, command, computer] :
        {std::tuple(u"gpu1"_s, u"ssh gpu1"_s, u"gpu1"_s), {u"me@gpu1.lab"_s, u"ssh me@gpu1.lab"_s, u"gpu1.lab"_s},
            {u"root@127.0.0.1:7722"_s, u"ssh -p 7722 root@127.0.0.1"_s, u"127.0.0.1"_s},
            {u"ssh://me@gpu1:2222"_s, u"ssh -p 2222 me@gpu1"_s, u"gpu1"_s},
            {u"fe80::1"_s, u"ssh fe80::1"_s, u"fe80::1"_s},
            {u"me@[fe80::1]:22"_s, u"ssh -p 22 me@fe80::1"_s, u"fe80::1"_s}}) {
        QCOMPARE(HostsFile::sshCommand(target), command);
        QCOMPARE(HostsFile::computerOf(target), computer);
    }
    const Error denied = SshTransport::meaningOf(255, "Permission denied (publickey).\n", u"root@127.0.0.1:7722"_s);
    QVERIFY2(errorText(denied).contains(u"'ssh -p 7722 root@127.0.0.1'"_s), qPrintable(errorText(denied)));
    // A wrong user name is the usual mistake, and at a server that takes keys only there is nothing to type.
    const QString refused = errorText(SshTransport::meaningOf(255,
        "me@gateway: Permission denied (publickey,password).\r\nnosuchuser@gpu1: Permission denied (publickey).\r\n",
        u"gpu1"_s));
    QVERIFY2(refused.startsWith(u"gpu1 does not let the user nosuchuser in: it accepts only publickey,"_s),
        qPrintable(refused));
    QVERIFY2(!refused.contains(u"password"_s), qPrintable(refused));
    const QString asked = errorText(
        SshTransport::meaningOf(255, "me@gpu1: Permission denied (publickey,keyboard-interactive).\r\n", u"gpu1"_s));
    QVERIFY2(asked.contains(u"the user me in without a password"_s)
            && asked.contains(u"(it accepts publickey, keyboard-interactive)"_s),
        qPrintable(asked));
    const Error unresolved = SshTransport::meaningOf(255, "Could not resolve hostname h1\n", u"me@h1:2222"_s);
    QCOMPARE(errorText(unresolved), u"The name h1 cannot be resolved."_s);
    QVERIFY(!HostsFile::isName(u"local"_s));
    QVERIFY(!HostsFile::isName(u"../x"_s));
    QTemporaryDir folder;
    const QString file = folder.filePath(u"hosts.json"_s);
    QFile written(file);
    QVERIFY(written.open(QIODevice::WriteOnly));
    written.write(R"({"future": 1, "hosts": [{"id": "a", "target": "me@a", "colour": "red"}]})");
    written.close();
    HostsFile hosts(file);
    QVERIFY(hosts.load());
    QVERIFY(hosts.add({u"b"_s, u"b"_s, {}}));
    QVERIFY(EngineFixture::contents(file).contains("\"future\""));
    QVERIFY(EngineFixture::contents(file).contains("\"colour\""));
    QVERIFY(hosts.remove(u"a"_s));
    QCOMPARE(hosts.hosts().size(), 1);
}

void TstSsh::runsTasksOnAHost()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    const Result<HostInfo> added = f.engine().addHost(hosts.name(0));
    QVERIFY(added);
    QCOMPARE(f.engine().addHost(hosts.name(0)).error().code, u"host.exists"_s);
    const auto online = [&] { return f.engine().hosts().last().state == HostState::Online; };
    QVERIFY2(QTest::qWaitFor(online, 15000), qPrintable(f.engine().hosts().last().error));
    QVERIFY(f.engine().hosts().last().cpus > 0);
    const QStringList pushed = QDir(hosts.home(0) + u"/cache/trainyard"_s).entryList(QDir::Files);
    QCOMPARE(pushed.size(), 1);
    const QDateTime pushedAt = QFileInfo(hosts.home(0) + u"/cache/trainyard/"_s + pushed.first()).lastModified();

    SubmitRequest request;
    request.target = added->id;
    const QString uuid
        = f.submit(EngineFixture::document("far",
                       EngineFixture::role("main", 2,
                           {"seq 20000", "echo error >&2", "echo host=$PAI_HOST_IP_main_0 home=$HOME", "pwd",
                               "touch $TRAINYARD_CHECKPOINT_DIR/kept-$PAI_TASK_INDEX", "exit $((PAI_TASK_INDEX * 7))"},
                           "    completion: {minFailedInstances: -1}\n")),
            request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).hosts, QStringList{added->id});
    QCOMPARE(f.task(uuid, u"main"_s, 1).rawExit, std::optional<int>(7));
    QVERIFY2(f.task(uuid, u"main"_s, 0).address.startsWith(u"10."_s), qPrintable(f.task(uuid, u"main"_s, 0).address));
    for (int index = 0; index < 2; ++index) {
        const QString mirror = f.task(uuid, u"main"_s, index).logFolder;
        QVERIFY(mirror.startsWith(f.path(u"state/runs/"_s)));
        // The exit record comes last: then the mirror has every byte.
        QTRY_VERIFY(QFileInfo::exists(mirror + u"/exit"_s));
        const QString remote
            = EngineFixture::contents(mirror + u"/output.log"_s).contains("20000") ? QString() : mirror;
        QVERIFY(remote.isEmpty());
    }
    // Byte for byte.
    const QDir root(hosts.home(0) + u"/state/trainyard"_s);
    const QStringList machines = root.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(machines.size(), 1);
    const QDir daemons(root.filePath(machines.first() + u"/remote"_s));
    const QString base = daemons.filePath(daemons.entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0));
    for (int index = 0; index < 2; ++index) {
        const QString there = base + u'/' + uuid + u"/0/main-%1/0/"_s.arg(index);
        const QString here = f.task(uuid, u"main"_s, index).logFolder + u'/';
        for (const QString &name : {u"output.log"_s, u"output.idx"_s, u"exit"_s}) {
            QVERIFY(QFileInfo(there + name).size() > 0);
            QCOMPARE(EngineFixture::contents(here + name), EngineFixture::contents(there + name));
        }
    }
    // A gang on both: each task is told an address that reaches the other one.
    const QByteArray most = QByteArray::number(f.engine().hosts().first().memoryMiB * 6 / 10);
    const QString both = f.submit(EngineFixture::document("both",
        EngineFixture::role("main", 2, {"echo [$PAI_HOST_IP_main_0][$PAI_HOST_IP_main_1]"}, {},
            "{cpu: 1, memoryMB: " + most + ", gpu: 0}")));
    QVERIFY2(!both.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(both));
    QCOMPARE(f.job(both).hosts.size(), 2);
    for (int index = 0; index < 2; ++index) {
        QTRY_VERIFY(f.output(both, u"main"_s, index).endsWith("]\n"));
        const QByteArray told = f.output(both, u"main"_s, index);
        QVERIFY2(told.count("[10.") == 2 && told.count(".1]") == 1 && told.count(".2]") == 1, told.constData());
    }
    // Another way to the same host: a name that leads nowhere, and back.
    QCOMPARE(f.engine().setHost(u"nobody"_s, u"x"_s).error().code, u"host.unknown"_s);
    QCOMPARE(f.engine().setHost(u"local"_s, u"x"_s).error().code, u"host.local"_s);
    QCOMPARE(f.engine().setHost(added->id, u"-x"_s).error().code, u"host.bad-target"_s);
    QTRY_VERIFY(f.engine().isIdle());
    Result<HostInfo> elsewhere = f.engine().setHost(added->id, u"nowhere.invalid"_s);
    const auto isSet = [&] { // not before the last of the output is here
        elsewhere = elsewhere ? elsewhere : f.engine().setHost(added->id, u"nowhere.invalid"_s);
        return elsewhere.has_value();
    };
    QVERIFY2(QTest::qWaitFor(isSet, 15000), qPrintable(elsewhere ? QString() : elsewhere.error().code));
    QCOMPARE(elsewhere->target, u"nowhere.invalid"_s);
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().last().error, u"host.name-unknown"_s, 15000);
    QVERIFY(f.engine().setHost(added->id, hosts.name(0)));
    QVERIFY(QTest::qWaitFor(online, 15000));
    // What is forgotten here goes there too, also when the host was away meanwhile.
    QTRY_VERIFY(f.engine().isIdle());
    QVERIFY(QFile::exists(base + u'/' + uuid));
    QVERIFY(f.engine().remove(uuid));
    QTRY_VERIFY(!QFile::exists(base + u'/' + uuid));
    QVERIFY(QFile::exists(base + u'/' + both));
    // And when it was not reached at all by the engine that was told, by the next one.
    f.close();
    hosts.setLink(0, false);
    QVERIFY(f.open());
    QVERIFY(f.engine().remove(both));
    QVERIFY(QFile::exists(base + u'/' + both));
    f.close();
    hosts.setLink(0, true);
    // The next connection finds the agent there.
    QVERIFY(f.open());
    QCOMPARE(f.engine().hosts().size(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(base + u'/' + both), 30000);
    QVERIFY(QTest::qWaitFor(online, 15000));
    QCOMPARE(QFileInfo(hosts.home(0) + u"/cache/trainyard/"_s + pushed.first()).lastModified(), pushedAt);
    QVERIFY(f.engine().removeHost(added->id));
    QCOMPARE(f.engine().hosts().size(), 1);
    QCOMPARE(f.engine().removeHost(u"local"_s).error().code, u"host.local"_s);
}

// Another user, another boot, and another "bash" in front: tasks run, go on while the engine is away, and are known to
// be lost when the host has restarted.
void TstSsh::unlikeThisComputer()
{
    SshHosts hosts(1, {}, SshHosts::Kind::Unlike);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f(
        {{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}});
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    const auto online = [&] { return f.engine().hosts().last().state == HostState::Online; };
    QVERIFY2(QTest::qWaitFor(online, 15000), qPrintable(f.engine().hosts().last().error));
    SubmitRequest request;
    request.target = u"far"_s;
    const auto contentsOf = [&](const QString &uuid) { return f.output(uuid, u"main"_s, 0); };
    const QString who = f.submit(EngineFixture::document("who",
                                     EngineFixture::role("main", 1,
                                         {"id -un", "basename $(readlink /proc/$$/exe)", "[[ a == a ]] && echo $HOME",
                                             "cat /proc/sys/kernel/random/boot_id"})),
        request);
    QVERIFY2(!who.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(who));
    QCOMPARE(f.job(who).state, State::Succeeded);
    QTRY_COMPARE(contentsOf(who).count('\n'), 4);
    const QByteArrayList lines = contentsOf(who).split('\n');
    QCOMPARE(lines.at(0), SshHosts::user().toUtf8());
    QCOMPARE(lines.at(1), QByteArray("bash"));
    QCOMPARE(lines.at(2), hosts.home(0).toUtf8());
    QVERIFY(lines.at(3) != EngineFixture::contents(u"/proc/sys/kernel/random/boot_id"_s).trimmed());

    // It goes on without an engine, and the next one finds it by the boot of the host, which is not the engine's.
    const QString go = hosts.home(0) + u"/go"_s;
    const QString waiting = f.submit(
        EngineFixture::document("waiting",
            EngineFixture::role("main", 1, {"echo began", "until [ -e ~/go ]; do sleep 0.05; done", "echo over"})),
        request);
    QVERIFY(!waiting.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(contentsOf(waiting), QByteArray("began\n"), 15000);
    f.close();
    QVERIFY(f.open());
    QVERIFY(QTest::qWaitFor(online, 15000));
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(waiting));
    QCOMPARE(f.job(waiting).state, State::Succeeded);
    QCOMPARE(f.task(waiting, u"main"_s, 0).tries, 0);
    QTRY_COMPARE(contentsOf(waiting), QByteArray("began\nover\n"));

    // After a restart of the host the numbers of its processes mean others: the task is lost, and is tried again.
    QVERIFY(file.remove());
    const QString restarted = f.submit(
        EngineFixture::document("restarted",
            EngineFixture::role("main", 1, {"echo $$ >> ~/tries", "[ $(wc -l < ~/tries) -gt 1 ] || sleep 600"}),
            "jobRetryCount: 0\n"),
        request);
    QVERIFY(!restarted.isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(hosts.home(0) + u"/tries"_s).size() > 0, 15000);
    QVERIFY(hosts.reboot(0));
    QVERIFY(f.waitForEnd(restarted, 60000));
    QCOMPARE(f.job(restarted).state, State::Succeeded);
    QCOMPARE(EngineFixture::contents(hosts.home(0) + u"/tries"_s).count('\n'), 2);
}

// The helper has no place on a host whose folders are full; said is which, and how much is needed.
void TstSsh::saysWhenNothingFits()
{
    SshHosts hosts(1, {u"/bin/false"_s}); // with mounts of its own, so that nothing here is in its way
    SKIP_UNLESS_THERE(hosts);
    const QByteArray server = EngineFixture::contents(QFileInfo(hosts.configFile()).path() + u"/sshd0.pid"_s).trimmed();
    const auto mount = [&](const QStringList &arguments) {
        return QProcess::execute(
            u"nsenter"_s, QStringList{u"-t"_s, QString::fromLatin1(server), u"-m"_s, u"mount"_s} + arguments);
    };
    for (const QString &full : {hosts.home(0), u"/var/tmp"_s, u"/dev/shm"_s}) {
        QCOMPARE(mount({u"-t"_s, u"tmpfs"_s, u"-o"_s, u"size=128k"_s, u"tmpfs"_s, full}), 0);
    }
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0)));
    QVERIFY(QTest::qWaitFor([&] { return !f.engine().hosts().last().error.isEmpty(); }, 15000));
    const HostInfo host = f.engine().hosts().last();
    QCOMPARE(host.error, u"host.agent-no-room"_s);
    QCOMPARE(host.errorArgs.value(u"folder").toString(), QString(hosts.home(0) + u"/cache/trainyard"_s));
    QCOMPARE(host.errorArgs.value(u"freeMiB").toInt(), 0);
    QVERIFY(host.errorArgs.value(u"neededMiB").toInt() > 0);
    // A full home folder alone keeps nobody out, and as soon as there is room the host is there without a question.
    QCOMPARE(mount({u"-o"_s, u"remount,size=64m"_s, u"/dev/shm"_s}), 0);
    QVERIFY2(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::Online; }, 30000),
        qPrintable(f.engine().hosts().last().error));
}

// A job finds the files beside its document, whatever other hosts there are; and who sends it elsewhere is told that
// they do not go along.
void TstSsh::staysWithItsFolder()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::Online; }, 15000));
    QFile script(f.path(u"work/train.sh"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("echo trained\n");
    script.close();
    const QByteArray yaml = EngineFixture::document("beside", EngineFixture::role("main", 1, {"sh train.sh"}));
    QStringList jobs;
    for (int i = 0; i < 5; ++i) {
        jobs.append(f.submit(yaml));
        QVERIFY2(!jobs.last().isEmpty(), qPrintable(f.error().code));
    }
    for (const QString &uuid : std::as_const(jobs)) {
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.job(uuid).hosts, QStringList(u"local"_s));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("trained\n"));
    }
    SubmitRequest request;
    request.yaml = yaml;
    request.file = f.path(u"work/job.yaml"_s);
    const auto codes = [](const QList<JobNote> &notes) {
        QStringList all;
        for (const JobNote &note : notes) {
            all.append(note.code);
        }
        return all;
    };
    QCOMPARE(codes(f.engine().plan(request)->notes), QStringList());
    QCOMPARE(f.engine().plan(request)->tasks.first().host, u"local"_s);
    request.target = u"far"_s;
    QCOMPARE(codes(f.engine().plan(request)->notes), (QStringList{u"work.copied"_s, u"results.on-host"_s}));
    const Result<SubmitReply> far = f.engine().submit(request);
    QVERIFY(far);
    QCOMPARE(codes(far->notes), (QStringList{u"work.copied"_s, u"results.on-host"_s}));
    QCOMPARE(far->notes.last().args.value("job"_L1).toInteger(), far->id); // by which its files are brought
    request.target = u"any"_s;
    QCOMPARE(codes(f.engine().plan(request)->notes), (QStringList{u"work.copied-anywhere"_s, u"results.on-hosts"_s}));
    // Unless the job does not want it.
    request.target = u"far"_s;
    request.yaml = yaml + "extras: {trainyard: {copyWork: false}}\n";
    QCOMPARE(codes(f.engine().plan(request)->notes), QStringList(u"work.stays"_s));
    request.yaml = yaml;
    request.target = u"any"_s;
    // Nothing lies beside it.
    QVERIFY(script.remove());
    QCOMPARE(codes(f.engine().plan(request)->notes), QStringList());
    request.target = u"elsewhere"_s;
    QCOMPARE(f.engine().plan(request).error().code, u"host.unknown"_s);
    QVERIFY(f.waitForEnd(far->uuid));
}

TRAINYARD_TEST(TstSsh)
#include "tst_ssh.moc"
