// SPDX-License-Identifier: GPL-3.0-or-later
// The remote path over a real sshd in a network namespace.
#include "engine/client/engineclient.h"
#include "engine/client/rpcconnection.h"
#include "engine/daemon/inprocess.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshtransport.h"
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>

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
    void survivesACutLink();
    void stopsWithoutTheLog();
    void saysWhenLoginIsNeeded();
    void asksAPerson();
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
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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
    QVERIFY2(
        f.task(uuid, u"main"_s, 0).address.startsWith(u"10.213."_s), qPrintable(f.task(uuid, u"main"_s, 0).address));
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
        QVERIFY2(told.count("[10.213.") == 2 && told.count(".1]") == 1 && told.count(".2]") == 1, told.constData());
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

void TstSsh::survivesACutLink()
{
    SshHosts hosts(1);
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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

// What the end of a task means may stand in its log. When that cannot come here, a stop must not wait for it.
void TstSsh::stopsWithoutTheLog()
{
    SshHosts hosts(1);
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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

// A key with a pass phrase, and a host whose key is not known yet: both are asked for, and nothing of the answers is in
// an argument, an environment or a file.
void TstSsh::asksAPerson()
{
    SshHosts hosts(1);
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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
        client.answer(question.id, text, &client, [](const Result<bool> &) {});
    });
    client.startWith(connectInProcess(f.engine()));
    // Its coming is reason enough to try again.
    QVERIFY(QTest::qWaitFor([&] { return !kinds.isEmpty() && state() == HostState::NeedsLogin; }, 10000));
    QCOMPARE(kinds, QStringList(u"hostKey"_s));
    QTRY_COMPARE(gone.size(), 1);
    std::optional<QString> unknown;
    client.answer(u"x"_s, u"y"_s, &client,
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

TRAINYARD_TEST(TstSsh)
#include "tst_ssh.moc"
