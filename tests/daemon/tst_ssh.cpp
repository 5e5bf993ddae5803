// SPDX-License-Identifier: GPL-3.0-or-later
// The remote path over a real sshd in a network namespace.
#include "engine/client/engineclient.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/inprocess.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshtransport.h"
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/programsfixture.h"
#include "tests/daemon/sshhosts.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QSignalSpy>

#include <signal.h>

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
    void targetsAndNames();
    void runsTasksOnAHost();
    void unlikeThisComputer();
    void survivesACutLink();
    void saysWhatAStopWaitsFor();
    void stopsWithoutTheLog();
    void saysWhenLoginIsNeeded();
    void saysWhenNothingFits();
    void asksAPerson();
    void removedWhileItAsks();
    void staysWithItsFolder();
    void checkFindsAHungAgent();
    void waitsForTheLog();
    void saysWhichLogIsMissing();
    void followsAcrossACut();
    void saysThatItWasNotReached();
    void saysThatACommandDidNotRun();
};

void TstSsh::meaningOfComplaints_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("complaints");
    QTest::addColumn<QString>("code");
    QTest::newRow("password") << 255 << QByteArray("me@h: Permission denied (publickey,password).\r\n")
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
        << 255 << securityKey("ED25519 \"me@laptop\" from agent: agent refused operation") << u"host.needs-login"_s;
    QTest::newRow("name") << 255 << QByteArray("ssh: Could not resolve hostname nowhere: Name or service not known\r\n")
                          << u"host.name-unknown"_s;
    QTest::newRow("refused") << 255 << QByteArray("ssh: connect to host h port 22: Connection refused\r\n")
                             << u"host.unreachable"_s;
    QTest::newRow("cut") << 255 << QByteArray("Timeout, server h not responding.\r\n") << u"host.cut"_s;
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

void TstSsh::targetsAndNames()
{
    for (const QString &good : {u"gpu1"_s, u"me@gpu1.lab.org"_s, u"ssh://me@gpu1:2222"_s, u"10.0.0.7"_s}) {
        QVERIFY2(HostsFile::isTarget(good), qPrintable(good));
    }
    for (const QString &bad : {u""_s, u"-oProxyCommand=x"_s, u"a b"_s, u"a\nb"_s, u"a;b"_s, u"$(x)"_s}) {
        QVERIFY2(!HostsFile::isTarget(bad), qPrintable(bad));
    }
    QCOMPARE(HostsFile::nameFor(u"me@gpu1.lab.org"_s), u"gpu1"_s);
    QCOMPARE(HostsFile::nameFor(u"ssh://me@gpu1:2222"_s), u"gpu1"_s);
    QCOMPARE(HostsFile::nameFor(u"10.0.0.7"_s), u"10.0.0.7"_s);
    for (const auto &[target, destination] :
        {std::pair(u"gpu1"_s, u"gpu1"_s), {u"me@gpu1"_s, u"me@gpu1"_s}, {u"me@gpu1:2222"_s, u"ssh://me@gpu1:2222"_s},
            {u"127.0.0.1:22"_s, u"ssh://127.0.0.1:22"_s}, {u"ssh://me@gpu1:2222"_s, u"ssh://me@gpu1:2222"_s},
            {u"fe80::1"_s, u"fe80::1"_s}, {u"me@[fe80::1]:22"_s, u"ssh://me@[fe80::1]:22"_s}}) {
        QCOMPARE(HostsFile::sshDestination(target), destination);
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
    const Result<HostInfo> elsewhere = f.engine().setHost(added->id, u"nowhere.invalid"_s);
    QVERIFY2(elsewhere, elsewhere ? "" : qPrintable(elsewhere.error().code));
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

void TstSsh::survivesACutLink()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f(
        {{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 2}});
    QVERIFY(f.open());
    const Result<HostInfo> added = f.engine().addHost(hosts.name(0), u"far"_s);
    QVERIFY(added);
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    constexpr int lines = 500;
    const QString uuid = f.submit(
        EngineFixture::document("cut",
            EngineFixture::role("main", 1,
                {"for i in $(seq " + QByteArray::number(lines) + "); do echo line $i; sleep 0.01; done", "exit 5"})),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto size = [&] { return QFileInfo(f.task(uuid, u"main"_s, 0).logFolder + u"/output.log"_s).size(); };
    QVERIFY(QTest::qWaitFor([&] { return size() > 100; }, 10000));
    hosts.setLink(0, false);
    QVERIFY(QTest::qWaitFor([&] { return state() != HostState::Online; }, 10000));
    QCOMPARE(f.job(uuid).state, State::Running);
    QCOMPARE(f.job(uuid).reason, u"job.host-out-of-reach"_s);
    const qint64 seen = f.job(uuid).reasonArgs.value("since"_L1).toInteger();
    QVERIFY2(seen >= f.job(uuid).submitted && seen <= QDateTime::currentMSecsSinceEpoch(),
        qPrintable(QString::number(seen)));
    const qint64 frozen = size();
    hosts.setLink(0, true);
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 10000));
    QVERIFY(QTest::qWaitFor([&] { return size() > frozen; }, 10000));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.job(uuid).retries, 0);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(5));
    QByteArray wanted;
    for (int i = 1; i <= lines; ++i) {
        wanted += "line " + QByteArray::number(i) + '\n';
    }
    QTRY_COMPARE(f.output(uuid, u"main"_s, 0), wanted);
}

// A stop at a host that is away says until when, and so does whoever is refused meanwhile.
void TstSsh::saysWhatAStopWaitsFor()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"stop.forceMinutes"_s, 30}});
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    const QString uuid
        = f.submit(EngineFixture::document("away", EngineFixture::role("main", 1, {"sleep 600"})), request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    hosts.setLink(0, false);
    QVERIFY(QTest::qWaitFor([&] { return state() != HostState::Online; }, 15000));
    QCOMPARE(f.engine().removeHost(u"far"_s, true).error().code, u"host.in-use"_s);
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(f.engine().stop(uuid, true).value_or(false));
    QTRY_COMPARE(f.job(uuid).reason, u"stop.host-away"_s);
    const JobSummary job = f.job(uuid);
    QCOMPARE(job.state, State::Stopping);
    QCOMPARE(job.reasonArgs.value("host"_L1).toString(), u"far"_s);
    const qint64 until = job.reasonArgs.value("until"_L1).toInteger();
    constexpr qint64 patience = 30 * 60 * 1000;
    QVERIFY(until >= before + patience && until <= QDateTime::currentMSecsSinceEpoch() + patience);
    const Result<bool> removal = f.engine().remove(uuid);
    QVERIFY(!removal);
    QCOMPARE(removal.error().code, u"job.stopping-waits"_s);
    const Result<bool> hostRemoval = f.engine().removeHost(u"far"_s, true);
    QVERIFY(!hostRemoval);
    QCOMPARE(hostRemoval.error().code, u"host.in-use-stopping"_s);
    for (const QString &said : {jobReasonText(job), errorText(removal.error()), errorText(hostRemoval.error())}) {
        QVERIFY2(
            said.contains("far cannot be reached"_L1) && said.contains("stop.forceMinutes"_L1) && !said.contains(u'{'),
            qPrintable(said));
    }
    hosts.setLink(0, true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QVERIFY(f.engine().removeHost(u"far"_s, true));
}

// What the end of a task means may stand in its log. When that cannot come here, a stop must not wait for it.
void TstSsh::stopsWithoutTheLog()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QByteArray over = QFile::encodeName(f.path(u"over"_s));
    const QString uuid
        = f.submit(EngineFixture::document("far",
                       EngineFixture::role("main", 1,
                           {"until [ -e " + go + " ]; do sleep 0.02; done", "echo x", "touch " + over, "exit 5"})),
            request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    const QString here = f.task(uuid, u"main"_s, 0).logFolder;
    QVERIFY(QFile::link(u"nowhere"_s, here + u"/output.log"_s)); // which is not followed: nothing can be written
    QFile file(QFile::decodeName(go));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY(QFile::exists(QFile::decodeName(over)));
    QSignalSpy looks(&f.engine(), &Engine::hostChanged);
    const auto looksAtFar = [&] {
        return std::count_if(looks.cbegin(), looks.cend(),
            [](const QList<QVariant> &one) { return one.constFirst().value<HostInfo>().id == u"far"_s; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(looksAtFar() >= 3, 20000); // the end is known since
    QCOMPARE(f.job(uuid).state, State::Running);
    QVERIFY(f.engine().stop(uuid).value_or(false));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(5));
}

void TstSsh::saysWhenLoginIsNeeded()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    // A config without the key.
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("IdentityFile ", "IdentityFile /nonexistent");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0)));
    QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::NeedsLogin; }, 10000));
    QCOMPARE(f.engine().hosts().last().error, u"host.needs-login"_s);
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

// A key with a pass phrase, and a host whose key is not known yet: both are asked for, and nothing of the answers is in
// an argument, an environment or a file.
void TstSsh::asksAPerson()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    const QString phrase = u"open-sesame-4711"_s;
    const QString folder = QFileInfo(hosts.configFile()).path();
    QCOMPARE(QProcess::execute(
                 u"ssh-keygen"_s, {u"-q"_s, u"-p"_s, u"-P"_s, {}, u"-N"_s, phrase, u"-f"_s, folder + u"/id"_s}),
        0);
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    QVERIFY(QFile::remove(folder + u"/known"_s));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());

    EngineFixture f;
    QVERIFY(f.open());
    const auto state = [&] { return f.engine().hosts().last().state; };
    // Nobody is there to be asked.
    const Result<HostInfo> added = f.engine().addHost(hosts.name(0), u"far"_s);
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::NeedsLogin; }, 10000));
    QCOMPARE(f.engine().hosts().last().error, u"host.key-unknown"_s);

    EngineClient client;
    client.setAnswersQuestions(true);
    QSignalSpy gone(&client, &EngineClient::questionGone);
    QStringList kinds;
    bool refuses = true;
    connect(&client, &EngineClient::question, &client, [&](const Question &question) {
        kinds.append(question.kind);
        QCOMPARE(question.host, u"far"_s);
        const std::optional<QString> text = refuses ? std::nullopt
            : question.kind == u"hostKey"_s         ? std::optional(u"yes"_s)
                                                    : std::optional(phrase);
        client.call<api::Answer>({question.id, text}, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    // Its coming is reason enough to try again.
    QVERIFY(QTest::qWaitFor([&] { return !kinds.isEmpty() && state() == HostState::NeedsLogin; }, 10000));
    QCOMPARE(kinds, QStringList(u"hostKey"_s));
    QTRY_COMPARE(gone.size(), 1);
    std::optional<QString> unknown;
    client.call<api::Answer>({u"x"_s, u"y"_s}, &client,
        [&](const Result<bool> &answered) { unknown = answered ? QString() : answered.error().code; });
    QTRY_COMPARE(unknown.value_or(QString()), u"question.unknown"_s);

    refuses = false;
    QVERIFY(f.engine().checkHost(u"far"_s));
    QVERIFY2(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000),
        qPrintable(f.engine().hosts().last().error));
    // Each once, though it takes three connections to get the agent there.
    QCOMPARE(kinds, (QStringList{u"hostKey"_s, u"hostKey"_s, u"passphrase"_s}));
    QVERIFY(f.engine().questions().isEmpty());
    const QStringList processes = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &process : processes) {
        for (const QString &name : {u"/cmdline"_s, u"/environ"_s}) {
            QVERIFY(process.toInt() == 0
                || !EngineFixture::contents(u"/proc/"_s + process + name).contains(phrase.toUtf8()));
        }
    }
    QDirIterator it(f.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        QVERIFY2(!EngineFixture::contents(name).contains(phrase.toUtf8()), qPrintable(name));
    }
}

// The question of its ssh is still open: nothing of the host may be looked at again when its ssh has ended.
void TstSsh::removedWhileItAsks()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    QByteArray config = EngineFixture::contents(hosts.configFile());
    config.replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask");
    QFile file(hosts.configFile());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(config);
    file.close();
    QVERIFY(QFile::remove(QFileInfo(hosts.configFile()).path() + u"/known"_s));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    f.engine().setCanAsk(true);
    QSignalSpy gone(&f.engine(), &Engine::questionGone);
    for (int i = 0; i < 2; ++i) { // the list has moved when the second one goes
        QVERIFY(f.engine().addHost(hosts.name(0), u"asking%1"_s.arg(i)));
    }
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().questions().size(), 2, 15000);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(f.engine().removeHost(u"asking%1"_s.arg(i)));
        QTRY_COMPARE(f.engine().questions().size(), 1 - i);
        QTRY_COMPARE(gone.size(), i + 1);
        QCOMPARE(f.engine().hosts().size(), 2 - i);
    }
    // It goes on as before.
    const QString uuid = f.submit(EngineFixture::document("after", EngineFixture::role("main", 1, {"echo on"})));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
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

// It is asked, and its silence is an answer.
void TstSsh::checkFindsAHungAgent()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto agents = [] {
        QFile children(u"/proc/self/task/%1/children"_s.arg(QCoreApplication::applicationPid()));
        QList<qint64> pids;
        const QByteArrayList words
            = children.open(QIODevice::ReadOnly) ? children.readAll().split(' ') : QByteArrayList();
        for (const QByteArray &word : words) {
            const QString program = QFile::symLinkTarget(u"/proc/"_s + QString::fromLatin1(word) + u"/exe"_s);
            if (program.endsWith(u"/trainyard-agent"_s)) {
                pids.append(word.toLongLong());
            }
        }
        return pids;
    };
    QCOMPARE(agents().size(), 1);
    QObject here;
    std::optional<Result<HostInfo>> checked;
    const auto check = [&] {
        checked.reset();
        f.engine().checkHost(u"local"_s, &here, [&](const Result<HostInfo> &host) { checked = host; });
    };
    check();
    QTRY_VERIFY(checked.has_value());
    QCOMPARE((*checked)->state, HostState::Online);
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QCOMPARE(::kill(pid_t(agents().first()), SIGSTOP), 0);
    check();
    QVERIFY(!checked.has_value());
    QTRY_VERIFY_WITH_TIMEOUT(checked.has_value(), 40000);
    QVERIFY((*checked)->state != HostState::Online);
    QCOMPARE((*checked)->error, u"host.not-answering"_s);
    const qint64 since = (*checked)->errorArgs.value(u"since"_s).toInteger();
    QVERIFY2(since >= before - 5000 && since < QDateTime::currentMSecsSinceEpoch(), qPrintable(QString::number(since)));
    QVERIFY(!reasonText((*checked)->error, (*checked)->errorArgs).contains(u'{'));
    // Another one takes its place.
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().state, HostState::Online, 15000);
    const QString uuid = f.submit(EngineFixture::document("after", EngineFixture::role("main", 1, {"echo on"})));
    QVERIFY(f.waitForEnd(uuid));
    check();
    QTRY_VERIFY(checked.has_value());
    QCOMPARE((*checked)->state, HostState::Online);
    f.engine().checkHost(u"nobody"_s, &here, [&](const Result<HostInfo> &host) { checked = host; });
    QVERIFY(!*checked && checked->error().code == u"host.unknown"_s);
}

// What is printed right after the wait is all there is.
void TstSsh::waitsForTheLog()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QString file = f.write(u"work/long.yaml"_s,
        EngineFixture::document(
            "long", EngineFixture::role("main", 1, {"echo there >made", "head -c 80000000 /dev/zero", "echo last"})));
    const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 120000);
    QVERIFY2(run.status == 0, run.err.constData());
    const auto logs = f.ctl({u"logs"_s, u"1"_s}, {}, 60000);
    QVERIFY2(logs.status == 0, logs.err.constData());
    QCOMPARE(logs.out.size(), qsizetype(80000005));
    QVERIFY(logs.out.endsWith("last\n"));
    const auto second = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}, {}, 60000);
    QVERIFY2(second.status == 0, second.err.constData());
    QCOMPARE(f.ctl({u"wait"_s, u"2"_s}, {}, 120000).status, 0);
    const QString made = f.path(u"made"_s);
    const auto copied = f.ctl({u"cp"_s, u"2:made"_s, made}, {}, 60000);
    QVERIFY2(copied.status == 0, copied.err.constData());
    QCOMPARE(EngineFixture::contents(made), QByteArray("there\n"));
    const auto absent = f.ctl({u"cp"_s, u"2:none"_s, made}, {}, 60000);
    QCOMPARE(absent.status, 2);
    QVERIFY2(absent.err.contains("There is no ") && absent.err.contains("/none on far") && !absent.err.contains("tar:"),
        absent.err.constData());
    const auto tail = f.ctl({u"logs"_s, u"2"_s, u"--tail"_s, u"1"_s}, {}, 60000);
    QVERIFY2(tail.status == 0, tail.err.constData());
    QVERIFY(tail.out.endsWith("last\n"));
}

// A link that is cut right behind the end.
void TstSsh::saysWhichLogIsMissing()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    f.setSettings({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}});
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QString file = f.write(u"work/cut.yaml"_s,
        EngineFixture::document("cut",
            EngineFixture::role(
                "main", 1, {"echo first", "until [ -e " + go + " ]; do sleep 0.02; done", "echo last"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out == "first\n", 20000);
    const auto folderOf = [&] {
        QDirIterator it(f.stateFolder() + u"/runs"_s, {u"output.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        return it.hasNext() ? QFileInfo(it.next()).path() : QString();
    };
    const QString log = folderOf() + u"/output.log"_s;
    QVERIFY(QFile::rename(log, log + u".kept"_s) && QFile::link(u"nowhere"_s, log)); // nothing of it can be written
    f.write(u"go"_s, {});
    const auto isOver = [&] {
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        return shown.out.contains("SUCCEEDED") || shown.out.contains("Succeeded");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), 20000);
    hosts.setLink(0, false);
    const auto isAway = [&] {
        return !f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().last()[u"error"].toString().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAway(), 20000);
    const auto waited = f.ctl({u"wait"_s, u"1"_s}, {}, 40000);
    QCOMPARE(waited.status, 0);
    QVERIFY2(waited.err.contains("The log of main/0 is incomplete"), waited.err.constData());
    QVERIFY2(waited.err.contains("far"), waited.err.constData());
    const auto logs = f.ctl({u"logs"_s, u"1"_s});
    QCOMPARE(logs.status, 1);
    QVERIFY2(logs.err.contains("The log of main/0 is incomplete"), logs.err.constData());
    const auto followed = f.ctl({u"logs"_s, u"-f"_s, u"1"_s}, {}, 40000);
    QCOMPARE(followed.status, 1);
    QVERIFY2(followed.err.contains("The log of main/0 is incomplete") && followed.err.contains("far"),
        followed.err.constData());
    const auto shown = f.ctl({u"show"_s, u"1"_s});
    QVERIFY2(shown.out.contains("The log of main/0 is incomplete"), shown.out.constData());
    const auto refused = f.ctl({u"hosts"_s, u"remove"_s, u"far"_s});
    QCOMPARE(refused.status, 4);
    QVERIFY2(
        refused.err.contains("The output of tasks on far") && refused.err.contains("(1 log)"), refused.err.constData());
    QVERIFY2(refused.err.contains("hosts remove --force far"), refused.err.constData());
    // It comes when it can.
    QVERIFY(QFile::remove(log) && QFile::rename(log + u".kept"_s, log));
    hosts.setLink(0, true);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).status == 0, 40000);
    QCOMPARE(f.ctl({u"logs"_s, u"1"_s}).out, QByteArray("first\nlast\n"));
    QVERIFY(!f.ctl({u"show"_s, u"1"_s}).out.contains("incomplete"));
    const auto removed = f.ctl({u"hosts"_s, u"remove"_s, u"far"_s});
    QVERIFY2(removed.status == 0, removed.err.constData());
}

// Whoever follows a job hears that its host is out of reach, and gets the rest when it is back.
void TstSsh::followsAcrossACut()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    f.setSettings({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}});
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QString file = f.write(u"work/cut.yaml"_s,
        EngineFixture::document("cut",
            EngineFixture::role(
                "main", 1, {"echo first", "until [ -e " + go + " ]; do sleep 0.02; done", "echo last"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out == "first\n", 20000);
    const auto follows = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s});
    QByteArray said;
    hosts.setLink(0, false);
    const QByteArray away
        = "trainyardctl: #1 cut: far cannot be reached at the moment; tasks there may still be running.\n";
    const auto hasSaid = [&] {
        said += follows->readAllStandardError();
        return said.contains(away);
    };
    QTRY_VERIFY2_WITH_TIMEOUT(hasSaid(), said.constData(), 30000);
    hosts.setLink(0, true);
    f.write(u"go"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(follows->state() == QProcess::NotRunning, 60000);
    QCOMPARE(follows->exitCode(), 0);
    QCOMPARE(follows->readAllStandardOutput(), QByteArray("first\nlast\n"));
    QCOMPARE(said + follows->readAllStandardError(), away);
}

// A mistyped host is not left behind without a word.
void TstSsh::saysThatItWasNotReached()
{
    ProgramsFixture f;
    qputenv("TRAINYARD_SSH_CONFIG", f.write(u"ssh_config"_s, "Host pool\n  HostName 127.0.0.1\n").toUtf8());
    const auto added = f.ctl({u"hosts"_s, u"add"_s, u"root@127.0.0.1:1"_s, u"--name"_s, u"typo"_s}, {}, 60000);
    QCOMPARE(added.status, 3);
    QVERIFY2(added.err.contains("trainyardctl hosts remove typo"), added.err.constData());
    for (const QString &taken : {u"any"_s, u"pool"_s}) {
        const auto refused = f.ctl({u"hosts"_s, u"add"_s, u"lab"_s, u"--name"_s, taken});
        QCOMPARE(refused.status, 4);
        const QByteArray why = taken.toUtf8() + "' cannot name a host.";
        QVERIFY2(refused.err.contains(why), refused.err.constData());
    }
    QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 2);
    QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"typo"_s}).status, 0);
    // A name that comes from the address gives way to those that are taken, and that is said.
    const auto adjusted = f.ctl({u"hosts"_s, u"add"_s, u"root@pool:1"_s}, {}, 60000);
    QVERIFY2(adjusted.err.contains("added as pool-2, because the name 'pool' is taken"), adjusted.err.constData());
    QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"pool-2"_s}).status, 0);
    QVERIFY(!added.err.contains("is taken"));
    QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 1);
}

// What ssh and tar say of a host that is down is for their experts.
void TstSsh::saysThatACommandDidNotRun()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QString file = f.write(u"work/runs.yaml"_s,
        EngineFixture::document(
            "runs", EngineFixture::role("main", 1, {"echo there >made", "until [ -e go ]; do sleep 0.02; done"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    const QStringList enter{u"exec"_s, u"runs"_s, u"main/0"_s, u"--"_s};
    QTRY_COMPARE_WITH_TIMEOUT(f.ctl(enter + QStringList{u"true"_s}).status, 0, 20000);
    QCOMPARE(f.ctl(enter + QStringList{u"cat"_s}, "what comes in\n").out, "what comes in\n");
    const auto own = f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"echo own >&2; exit 255"_s});
    QCOMPARE(own.status, 255);
    QCOMPARE(own.err, "own\n");
    QCOMPARE(f.ctl(enter + QStringList{u"sh"_s, u"-c"_s, u"kill -9 $$"_s}).status, 137); // as on this computer
    // A folder that is on no host: the end of the task says on which one it was looked for.
    const auto lost = f.ctl({u"run"_s, u"-"_s, u"--wait"_s, u"--on"_s, u"far"_s, u"--work"_s, u"/no/such/folder"_s},
        EngineFixture::document("lost", EngineFixture::role("main", 1, {"true"})), 60000);
    QVERIFY2(lost.err.contains("The work folder /no/such/folder does not exist on far."), lost.err.constData());
    // For these commands nothing listens there any more; the engine has its connection.
    const QString down = f.write(u"down"_s,
        "Host " + hosts.name(0).toUtf8()
            + "\n  HostName 127.0.0.1\n  Port 1\n  IdentityFile none\n  UserKnownHostsFile /dev/null\n");
    qputenv("TRAINYARD_SSH_CONFIG", down.toUtf8());
    const QString here = f.path(u"here"_s);
    for (const QStringList &words : {enter + QStringList{u"true"_s}, QStringList{u"cp"_s, u"runs:made"_s, here}}) {
        const auto failed = f.ctl(words);
        QCOMPARE(failed.status, 3);
        // What failed is said: not that a host cannot be reached whose tasks the engine is watching.
        const QByteArray why = "because it needs a new connection by ssh. ssh could not connect to far ("
            + hosts.name(0).toUtf8() + "): ";
        QVERIFY2(failed.err.contains(why) && failed.err.contains("onnection refused")
                && failed.err.contains("The connection that the engine has still works. As soon as 'ssh "),
            failed.err.constData());
        QVERIFY2(!failed.err.contains("cannot be reached"), failed.err.constData());
        QVERIFY2(failed.err.count('\n') == 1 && !failed.err.contains("tar:"), failed.err.constData());
    }
    QVERIFY(!QFile::exists(here));
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    QCOMPARE(f.ctl(enter + QStringList{u"touch"_s, u"go"_s}).status, 0);
    QCOMPARE(f.ctl({u"wait"_s, u"runs"_s}, {}, 40000).status, 0);
}

TRAINYARD_TEST(TstSsh)
#include "tst_ssh.moc"
