// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sshkeys.h"
#include "tests/daemon/mpiprograms.h"
#include "tests/daemon/plugintests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The plugin ssh, through the engine, its agent and real sshd.
class TstSshPlugin : public PluginTests
{
    Q_OBJECT

private Q_SLOTS:
    void sshBetweenTasks();
    void sshLeavesTheUsersFilesAlone();
    void sshInAnyFolder();
    void sshBarrier();
    void sshBarrierInVain();
    void sshOnAHost();
    void sshWithoutGang();
    void sshKeyIsMadeAside();
    void sshKeyFails_data();
    void sshKeyFails();
    void mpirunReachesTheTasks();
    void hydraReachesTheTasks();
};

void TstSshPlugin::sshBetweenTasks()
{
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("meet",
        EngineFixture::role("Boss", 1,
            {"ssh worker-0 'echo \"at $PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX of $FROM_STEP in $(pwd)\"'",
                "ssh worker-1 'exit 7' || echo \"status $?\"", "echo 'through a pipe' | ssh worker-1 cat",
                QByteArray("ssh boss-0 ssh Boss-0 ssh worker-1 printenv ")
                    + "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX PAI_TASK_ROLE_LIST",
                "echo data >from-here; scp -q from-here worker-0:copied; cat copied"})
            + EngineFixture::role("worker", 2, {"until [ -e done ]; do sleep 0.05; done"},
                "    completion: {minSucceededInstances: -1}\n    prerequisites: [say]\n"),
        "prerequisites:\n"
        "  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
        "  - {protocolVersion: 2, name: say, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd, callbacks: "
        "[{event: taskStarts, commands: ['export FROM_STEP=\"a step\"']}]}\n"
            + plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}",
                "{plugin: cmd, taskroles: [Boss], parameters: {postCommands: ['touch done']}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 40000));
    const QByteArray out = f.output(uuid, u"Boss"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    QVERIFY2(out.contains(QByteArray("at worker-0 of a step in " + f.path(u"work"_s).toUtf8())), out);
    QVERIFY2(out.contains("status 7\n"), out);
    QVERIFY2(out.contains("through a pipe\n"), out);
    QVERIFY2(out.contains("1\nBoss,worker\n"), out);
    QVERIFY2(out.contains("data\n"), out);
    // The key is in no script, and gone from the engine with the job.
    const QString folder = f.task(uuid, u"Boss"_s, 0).logFolder;
    QVERIFY(!EngineFixture::contents(folder + u"/task.sh"_s).contains("PRIVATE KEY"));
    QVERIFY(EngineFixture::contents(folder + u"/task.sh"_s).contains("worker-1"));
    QCOMPARE(QFile::permissions(folder + u"/ssh/key"_s) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void TstSshPlugin::sshLeavesTheUsersFilesAlone()
{
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(f.open());
    // A home of its own, whose configuration has a host of the user's and one that would be in the way.
    const QString home = f.path(u"home of me"_s);
    QDir().mkpath(home + u"/.ssh"_s);
    QFile config(home + u"/.ssh/config"_s);
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(
        "Host elsewhere\n    HostName elsewhere.example.org\n    User ada\nHost *\n    Port 9\n    User nobody\n"
        "    RequestTTY force\n    PermitLocalCommand yes\n    LocalCommand echo local\n");
    config.close();
    const QByteArray before = EngineFixture::contents(config.fileName());
    const QString uuid = f.submit(EngineFixture::document("mine",
        EngineFixture::role(
            "main", 1, {"ssh main-0 'echo reached'", "ssh -G elsewhere | grep -E '^(hostname|user|port) '"}),
        "prerequisites:\n"
        "  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
            + plugins({"{plugin: cmd, parameters: {preCommands: ['export HOME=\"" + home.toUtf8() + "\"']}}",
                "{plugin: ssh, parameters: {jobssh: true, userssh: {type: custom, value: 'ssh-ed25519 AAAA me'}}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const QByteArray out = f.output(uuid, u"main"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    QVERIFY2(out.contains("reached\n") && !out.contains("local\n"), out);
    QVERIFY2(out.contains("hostname elsewhere.example.org\n"), out);
    QVERIFY2(out.contains("user ada\n"), out);
    QCOMPARE(EngineFixture::contents(config.fileName()), before);
    QCOMPARE(QDir(home + u"/.ssh"_s).entryList(QDir::Files), QStringList{u"config"_s});
    const QByteArray keys = EngineFixture::contents(f.task(uuid, u"main"_s, 0).logFolder + u"/ssh/authorized_keys"_s);
    QVERIFY2(keys.contains("ssh-ed25519 AAAA me"), keys);
    QCOMPARE(keys.count("ssh-ed25519"), 2);
}

// Whatever the folder is called, and whatever the language is. What others may do with files of a task, they may do
// with those that it makes through ssh.
void TstSshPlugin::sshInAnyFolder()
{
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray folder = f.path(u"für it's own"_s).toUtf8();
    QVERIFY(QDir().mkpath(QFile::decodeName(folder)));
    const QString uuid = f.submit(EngineFixture::document("odd",
        EngineFixture::role(
            "main", 1, {"echo \"mask $(umask) $(ssh main-0 umask)\"", "ssh main-0 'exit 7' || echo \"status $?\""}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['export LC_ALL=C', 'export "
                 "TRAINYARD_TASK_FOLDER=\""
                + QByteArray(folder).replace("'", "''") + "\"']}}",
            "{plugin: ssh, parameters: {jobssh: true}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const QByteArray out = f.output(uuid, u"main"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    // A login has the umask of the task, where sshd itself has that of a key: 0077. A step has one of its own.
    static const QRegularExpression masks(u"mask (\\d+) \\1\nstatus 7\n"_s);
    QVERIFY2(QString::fromUtf8(out).contains(masks), out);
    QVERIFY(QFile::exists(QFile::decodeName(folder) + u"/ssh/config"_s));
}

void TstSshPlugin::sshBarrier()
{
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(f.open());
    // The second role is late: the first one waits for it. A task that ends takes its sshd with it, so the first one
    // stays until the second one has reached it, too.
    const QString uuid = f.submit(EngineFixture::document("wait",
        EngineFixture::role("early", 1, {"cat late-was-here", "until [ -e late-runs ]; do sleep 0.1; done"})
            + EngineFixture::role("late", 1, {"touch late-runs"}),
        plugins({"{plugin: cmd, taskroles: [late], parameters: {preCommands: ['sleep 1; echo yes >late-was-here']}}",
            "{plugin: ssh, parameters: {jobssh: true, sshbarrier: true}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY2(f.job(uuid).state == State::Succeeded, f.output(uuid, u"early"_s, 0));
}

void TstSshPlugin::sshBarrierInVain()
{
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(f.open());
    // The other role has no ssh server, so that nobody can wait for it.
    const QString uuid = f.submit(EngineFixture::document("vain",
        EngineFixture::role("one", 1, {"echo began"}) + EngineFixture::role("two", 1, {"sleep 30"}),
        plugins({"{plugin: ssh, taskroles: [one], parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: "
                 "0.05}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const TaskInfo one = f.task(uuid, u"one"_s, 0);
    QCOMPARE(one.exitCode.value_or(0), 249);
    QCOMPARE(one.reason, u"exit.ssh-barrier"_s);
    QVERIFY2(f.output(uuid, u"one"_s, 0).contains("the first is two-0"), f.output(uuid, u"one"_s, 0));
    QVERIFY(!f.output(uuid, u"one"_s, 0).contains("began"));
    QCOMPARE(f.job(uuid).state, State::Failed);
}

void TstSshPlugin::sshOnAHost()
{
    SKIP_WITHOUT_SSHD();
    const SshHosts hosts(2);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0)));
    const auto online = [&] { return f.engine().hosts().last().state == HostState::Online; };
    QVERIFY2(QTest::qWaitFor(online, 15000), qPrintable(f.engine().hosts().last().error));
    SubmitRequest request;
    request.target = hosts.name(0);
    const QString uuid
        = f.submit(EngineFixture::document("far",
                       EngineFixture::role("main", 2,
                           {"if [ $PAI_TASK_INDEX = 0 ]; then", "ssh main-1 'echo there is $PAI_TASK_INDEX home $HOME'",
                               "touch $TRAINYARD_CHECKPOINT_DIR/done", "fi",
                               "until [ -e $TRAINYARD_CHECKPOINT_DIR/done ]; do sleep 0.1; done"})
                           .replace("      - |\n        ssh", "        ssh"),
                       plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true}}"})),
            request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 40000));
    const QByteArray out = f.output(uuid, u"main"_s, 0);
    qunsetenv("TRAINYARD_SSH_CONFIG");
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    QVERIFY2(out.contains(QByteArray("there is 1 home " + hosts.home(0).toUtf8())), out);
}

// Tasks that do not begin together cannot wait for each other: jobssh does nothing then, and the task goes on.
void TstSshPlugin::sshWithoutGang()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("loose", EngineFixture::role("main", 2, {"echo user"}),
        plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true}}"}) + "  gangAllocation: false\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(f.output(uuid, u"main"_s, i), QByteArray("user\n"));
        QVERIFY(!QFile::exists(f.task(uuid, u"main"_s, i).logFolder + u"/ssh"_s));
    }
}

// While ssh-keygen takes its time the engine does everything else.
void TstSshPlugin::sshKeyIsMadeAside()
{
    const QString keygen = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    SKIP_WITHOUT_SSHD();
    EngineFixture f;
    QVERIFY(QDir().mkpath(f.path(u"bin"_s)));
    QFile slow(f.path(u"bin/ssh-keygen"_s));
    QVERIFY(slow.open(QIODevice::WriteOnly));
    slow.write("#!/bin/sh\ncd " + f.path({}).toUtf8()
        + "\necho x >>asked\nwhile [ ! -e go ]; do sleep 0.05; done\nexec " + keygen.toUtf8() + " \"$@\"\n");
    slow.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    slow.close();
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(f.path(u"bin"_s)) + ':' + path);
    QVERIFY(f.open());
    const QByteArray wants = plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true}}"});
    const QString uuid = f.submit(EngineFixture::document("ssh",
        EngineFixture::role("a", 1, {"ssh b-0 echo reached", "touch done"})
            + EngineFixture::role("b", 1, {"until [ -e done ]; do sleep 0.05; done"}),
        wants));
    const QString stopped
        = f.submit(EngineFixture::document("stopped", EngineFixture::role("a", 2, {"touch never"}), wants));
    const auto asked = [&f] { return EngineFixture::contents(f.path(u"asked"_s)).count('\n'); };
    QTRY_COMPARE(asked(), 2); // once for a job
    const QString other = f.submit(EngineFixture::document("other", EngineFixture::role("a", 1, {"echo here"})));
    QVERIFY(f.waitForEnd(other));
    QCOMPARE(f.job(other).state, State::Succeeded);
    QVERIFY(!isFinal(f.job(uuid).state));
    QVERIFY(f.output(uuid, u"a"_s, 0).isEmpty());
    QVERIFY(f.engine().stop(stopped));
    QVERIFY(f.waitForEnd(stopped));
    QCOMPARE(f.job(stopped).state, State::Stopped);
    QFile go(f.path(u"go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY2(f.output(uuid, u"a"_s, 0).contains("reached\n"), f.output(uuid, u"a"_s, 0));
    QVERIFY(!QFile::exists(f.path(u"work/never"_s)));
    QCOMPARE(asked(), 2);
}

void TstSshPlugin::sshKeyFails_data()
{
    QTest::addColumn<QByteArray>("script"); // empty: there is none
    QTest::addColumn<QString>("code");
    QTest::newRow("missing") << QByteArray() << u"ssh-key.missing"_s;
    QTest::newRow("hangs") << QByteArray("#!/bin/sh\nexec sleep 600\n") << u"ssh-key.slow"_s;
    QTest::newRow("fails") << QByteArray("#!/bin/sh\necho no numbers >&2\nexit 3\n") << u"ssh-key.failed"_s;
    QTest::newRow("makes nothing") << QByteArray("#!/bin/sh\nexit 0\n") << u"ssh-key.failed"_s;
    QTest::newRow("dies") << QByteArray("#!/bin/sh\nkill -9 $$\n") << u"ssh-key.failed"_s;
}

void TstSshPlugin::sshKeyFails()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, code);
    const QTemporaryDir folder;
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    qputenv("PATH", QFile::encodeName(folder.path()) + (script.isEmpty() ? QByteArray() : QByteArray(':' + path)));
    if (!script.isEmpty()) {
        QFile program(folder.filePath(u"ssh-keygen"_s));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write(script);
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    int calls = 0;
    Result<SshKeyPair> result{SshKeyPair{}};
    const SshKeyMaker maker(
        folder.path(),
        [&](const Result<SshKeyPair> &made) {
            ++calls;
            result = made;
        },
        std::chrono::milliseconds(1000));
    QCOMPARE(calls, 0);
    QTRY_COMPARE(calls, 1);
    QVERIFY(!result);
    QCOMPARE(result.error().code, code);
    if (script.contains("numbers")) {
        QCOMPARE(result.error().args.value(u"said"_s).toString(), u"no numbers"_s);
    }
}

// A real Open MPI: one daemon of it begins in each task by ssh, and its processes have the environment of their task.
void TstSshPlugin::mpirunReachesTheTasks()
{
    SKIP_WITHOUT_SSHD();
    SKIP_WITHOUT_OPEN_MPI();
    EngineFixture f;
    QVERIFY(f.open());
    // Without hwloc's shared topology: Open MPI 4.1 puts it where it believes that nothing is mapped, and now and then
    // crashes there.
    const QByteArray call = "mpirun --allow-run-as-root --bind-to none --oversubscribe --mca rtc ^hwloc ";
    const QByteArray tells = "bash -c 'echo \"rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE in "
                             "$PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX: $GIVEN ($PWD)\"'";
    const QString uuid = f.submit(EngineFixture::document("mpi",
        EngineFixture::role("Boss", 1,
            {"export GIVEN='with \"quotes\" and blanks'", call + "-x GIVEN -np 2 -H worker-0,worker-1 " + tells,
                call + "-x GIVEN -np 4 -H Boss-0:1,boss-0:1,worker-1:2 " + tells,
                call + "-np 2 -H worker-0:2 bash -c 'exit $((OMPI_COMM_WORLD_RANK * 7))' || echo \"status $?\""},
            "    completion: {minSucceededInstances: 1}\n")
            + EngineFixture::role("worker", 2, {"sleep infinity"}, "    completion: {minSucceededInstances: -1}\n"),
        plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 60000));
    const QByteArray out = f.output(uuid, u"Boss"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    const QByteArray given = ": with \"quotes\" and blanks (" + f.path(u"work"_s).toUtf8() + ")\n";
    for (const QByteArray &line : {QByteArray("rank 0 of 2 in worker-0"), QByteArray("rank 1 of 2 in worker-1"),
             QByteArray("rank 0 of 4 in Boss-0"), QByteArray("rank 3 of 4 in worker-1")}) {
        QVERIFY2(out.contains(QByteArray(line + given)), out);
    }
    QVERIFY2(out.contains("status 7\n"), out);
}

// A real MPICH, whose processes in the tasks send each other a number.
void TstSshPlugin::hydraReachesTheTasks()
{
    SKIP_WITHOUT_SSHD();
    SKIP_WITHOUT_MPICH();
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("mpich",
        EngineFixture::role("Boss", 1,
            {mpichSumProgram(), "mpiexec.hydra -np 4 -hosts worker-0:1,Boss-0:1,worker-1:2 python3 sum.py",
                "mpiexec.hydra -np 2 -hosts worker-1 bash -c 'exit $((PMI_RANK * 7))' || echo \"status $?\""},
            "    completion: {minSucceededInstances: 1}\n")
            + EngineFixture::role("worker", 2, {"sleep infinity"}, "    completion: {minSucceededInstances: -1}\n"),
        plugins({"{plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 60000));
    const QByteArray out = f.output(uuid, u"Boss"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    for (const char *line : {"rank 0 of 4 in worker-0: 46.", "rank 1 of 4 in Boss-0: 46.",
             "rank 2 of 4 in worker-1: 46.", "rank 3 of 4 in worker-1: 46.", "status 7\n"}) {
        QVERIFY2(out.contains(line), out);
    }
}

TRAINYARD_TEST(TstSshPlugin)
#include "tst_sshplugin.moc"
