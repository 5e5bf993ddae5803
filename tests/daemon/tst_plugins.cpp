// SPDX-License-Identifier: GPL-3.0-or-later
// The plugins of a job, through the engine, its agent and the real programs (sshd, git).
#include "engine/contract/taskfolder.h"
#include "engine/pool/sshkeys.h"
#include "model/protocol/legacy.h"
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>

#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray plugins(const QByteArrayList &entries)
{
    QByteArray text = "extras:\n  com.microsoft.pai.runtimeplugin:\n";
    for (const QByteArray &entry : entries) {
        text += "    - " + entry + '\n';
    }
    return text;
}

bool hasSshd()
{
    return QFile::exists(u"/usr/sbin/sshd"_s) && !QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty();
}

bool git(const QString &folder, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(u"git"_s,
        QStringList{
            u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@example.org"_s, u"-c"_s, u"init.defaultBranch=main"_s}
            + arguments);
    return process.waitForFinished(20000) && process.exitCode() == 0;
}

} // namespace

class TstPlugins : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sshBetweenTasks();
    void sshLeavesTheUsersFilesAlone();
    void sshBarrier();
    void sshBarrierInVain();
    void sshOnAHost();
    void sshWithoutGang();
    void sshKeyIsMadeAside();
    void sshKeyFails_data();
    void sshKeyFails();
    void mpirunReachesTheTasks();
    void gitClones();
    void gitFails_data();
    void gitFails();
    void tensorBoard();
    void tensorBoardMissing();
    void storages();
    void storageLinks();
    void storageUnmapped();
    void environments();
    void environmentFails();
    void failedEnvironmentNamesItsSetting();
    void stepsInTheRuntimeLog();
    void failingPluginIsNamed();
    void heldAfterFailure();
    void completedLimitOfVersion1();
    void fixedPortsOfVersion1();
    void fixedPortOfAnotherJob();
    void codeOfVersion1();
};

void TstPlugins::sshBetweenTasks()
{
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
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

void TstPlugins::sshLeavesTheUsersFilesAlone()
{
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
    EngineFixture f;
    QVERIFY(f.open());
    // A home of its own, whose configuration has a host of the user's and one that would be in the way.
    const QString home = f.path(u"home of me"_s);
    QDir().mkpath(home + u"/.ssh"_s);
    QFile config(home + u"/.ssh/config"_s);
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(
        "Host elsewhere\n    HostName elsewhere.example.org\n    User ada\nHost *\n    Port 9\n    User nobody\n");
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
    QVERIFY2(out.contains("reached\n"), out);
    QVERIFY2(out.contains("hostname elsewhere.example.org\n"), out);
    QVERIFY2(out.contains("user ada\n"), out);
    QCOMPARE(EngineFixture::contents(config.fileName()), before);
    QCOMPARE(QDir(home + u"/.ssh"_s).entryList(QDir::Files), QStringList{u"config"_s});
    const QByteArray keys = EngineFixture::contents(f.task(uuid, u"main"_s, 0).logFolder + u"/ssh/authorized_keys"_s);
    QVERIFY2(keys.contains("ssh-ed25519 AAAA me"), keys);
    QCOMPARE(keys.count("ssh-ed25519"), 2);
}

void TstPlugins::sshBarrier()
{
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
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

void TstPlugins::sshBarrierInVain()
{
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
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

void TstPlugins::sshOnAHost()
{
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
    const SshHosts hosts(2);
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
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
void TstPlugins::sshWithoutGang()
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
void TstPlugins::sshKeyIsMadeAside()
{
    const QString keygen = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    if (!hasSshd()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
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

void TstPlugins::sshKeyFails_data()
{
    QTest::addColumn<QByteArray>("script"); // empty: there is none
    QTest::addColumn<QString>("code");
    QTest::newRow("missing") << QByteArray() << u"ssh-key.missing"_s;
    QTest::newRow("hangs") << QByteArray("#!/bin/sh\nexec sleep 600\n") << u"ssh-key.slow"_s;
    QTest::newRow("fails") << QByteArray("#!/bin/sh\necho no numbers >&2\nexit 3\n") << u"ssh-key.failed"_s;
    QTest::newRow("makes nothing") << QByteArray("#!/bin/sh\nexit 0\n") << u"ssh-key.failed"_s;
    QTest::newRow("dies") << QByteArray("#!/bin/sh\nkill -9 $$\n") << u"ssh-key.failed"_s;
}

void TstPlugins::sshKeyFails()
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
void TstPlugins::mpirunReachesTheTasks()
{
    const QString mpirun = QStandardPaths::findExecutable(u"mpirun"_s);
    QProcess version;
    version.start(mpirun, {u"--version"_s});
    if (!hasSshd() || mpirun.isEmpty() || !version.waitForFinished(10000)
        || !version.readAllStandardOutput().contains("Open MPI")) {
        QSKIP("There is no Open MPI or no sshd: install the packages openmpi-bin and openssh-server.");
    }
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

void TstPlugins::gitClones()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString origin = f.path(u"the origin"_s);
    QDir().mkpath(origin);
    const auto commit = [&](const QByteArray &text) {
        QFile file(origin + u"/file"_s);
        return file.open(QIODevice::WriteOnly) && file.write(text) >= 0 && (file.close(), true)
            && git(origin, {u"add"_s, u"."_s}) && git(origin, {u"commit"_s, u"-q"_s, u"-m"_s, u"x"_s});
    };
    QVERIFY(git(origin, {u"init"_s, u"-q"_s}));
    QVERIFY(commit("first\n"));
    QVERIFY(git(origin, {u"tag"_s, u"one"_s}));
    QVERIFY(commit("second\n"));
    QVERIFY(git(origin, {u"checkout"_s, u"-q"_s, u"-b"_s, u"dev"_s}));
    QVERIFY(commit("third\n"));
    QVERIFY(git(origin, {u"checkout"_s, u"-q"_s, u"main"_s}));
    const QByteArray uri = "file://" + origin.toUtf8();
    // Four tasks want the same folder; the others get folders of their own.
    const QString uuid = f.submit(EngineFixture::document("code",
        EngineFixture::role("a", 4, {"cat 'my code/file'", "echo $TRAINYARD_CODE_DIR"})
            + EngineFixture::role(
                "b", 1, {"cat \"$PAI_CODE_DIR/file\"; cd \"$PAI_CODE_DIR\"; git branch --show-current"})
            + EngineFixture::role("c", 1, {"cat \"$PAI_CODE_DIR/file\""}),
        plugins({"{plugin: git, taskroles: [a], parameters: {repo_uri: '" + uri + "', clone_dir: my code}}",
            "{plugin: git, taskroles: [b], parameters: {repo_uri: '" + uri
                + "', options: ['--branch dev', '--depth 1']}}",
            "{plugin: git, taskroles: [c], parameters: {repo_uri: '" + uri + "', options: ['--revision=one']}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY2(f.job(uuid).state == State::Succeeded,
        QByteArray(f.output(uuid, u"a"_s, 0) + f.output(uuid, u"b"_s, 0) + f.output(uuid, u"c"_s, 0)).constData());
    for (int i = 0; i < 4; ++i) {
        QVERIFY2(f.output(uuid, u"a"_s, i).contains(QByteArray("second\n" + f.path(u"work/my code"_s).toUtf8())),
            f.output(uuid, u"a"_s, i));
    }
    QVERIFY2(f.output(uuid, u"b"_s, 0).contains("third\ndev\n"), f.output(uuid, u"b"_s, 0));
    QVERIFY2(f.output(uuid, u"c"_s, 0).contains("first\n"), f.output(uuid, u"c"_s, 0));
    // Nothing is left beside it.
    QCOMPARE(QDir(f.path(u"work"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{u"my code"_s});
    // The same job once more finds it there.
    QFile own(f.path(u"work/my code/mine"_s));
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.close();
    const QString again = f.submit(EngineFixture::document("again", EngineFixture::role("a", 1, {"ls 'my code'"}),
        plugins({"{plugin: git, parameters: {repo_uri: '" + uri + "', clone_dir: my code}}"})));
    QVERIFY(f.waitForEnd(again));
    QCOMPARE(f.job(again).state, State::Succeeded);
    QVERIFY(f.output(again, u"a"_s, 0).contains("mine\n"));
}

void TstPlugins::gitFails_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no repository") << QByteArray("repo_uri: 'file:///nowhere/at/all'") << u"exit.git-repository"_s;
    QTest::newRow("no branch") << QByteArray("repo_uri: 'file://ORIGIN', options: [--branch, nothing]")
                               << u"exit.git-revision"_s;
    QTest::newRow("no revision") << QByteArray("repo_uri: 'file://ORIGIN', options: [--revision, nothing]")
                                 << u"exit.git-revision"_s;
    QTest::newRow("a full folder") << QByteArray("repo_uri: 'file://ORIGIN', clone_dir: full") << u"exit.git-folder"_s;
    QTest::newRow("login") << QByteArray("repo_uri: 'ssh://x@y/z'") << u"exit.git-login"_s;
}

void TstPlugins::gitFails()
{
    QFETCH(QByteArray, parameters);
    QFETCH(QString, reason);
    EngineFixture f;
    QVERIFY(f.open());
    const QString origin = f.path(u"origin"_s);
    QDir().mkpath(origin);
    QDir().mkpath(f.path(u"work/full/of"_s));
    QVERIFY(git(origin, {u"init"_s, u"-q"_s}));
    QVERIFY(git(origin, {u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"x"_s}));
    QVERIFY(git(origin, {u"tag"_s, u"one"_s}));
    parameters.replace("ORIGIN", origin.toUtf8());
    // What ssh says of a refused login.
    const QByteArray refuses
        = "{plugin: cmd, parameters: {preCommands: ['export GIT_SSH_COMMAND=\"echo Permission denied >&2; false\"']}}";
    const QString uuid = f.submit(EngineFixture::document("code", EngineFixture::role("a", 1, {"echo began"}),
        plugins({refuses, "{plugin: git, parameters: {" + parameters + "}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid, 30000));
    const TaskInfo task = f.task(uuid, u"a"_s, 0);
    QCOMPARE(task.reason, reason);
    QCOMPARE(task.exitCode.value_or(0), -2020);
    QVERIFY(!f.output(uuid, u"a"_s, 0).contains("began"));
}

void TstPlugins::tensorBoard()
{
    EngineFixture f;
    QVERIFY(f.open());
    // Listens, and says with what it was called.
    QDir().mkpath(f.path(u"bin"_s));
    QFile fake(f.path(u"bin/tensorboard"_s));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("#!/bin/sh\necho \"$@\" >>" + f.path(u"calls"_s).toUtf8()
        + "\nexec /usr/bin/python3 -c 'import sys,socket\n"
          "s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
          "s.bind((sys.argv[2], int(sys.argv[4]))); s.listen(9)\n"
          "while True: s.accept()\n' \"$@\"\n");
    fake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    fake.close();
    const QString uuid = f.submit(EngineFixture::document("board",
        EngineFixture::role("main", 2, {"until [ -e done ]; do sleep 0.05; done"})
            + EngineFixture::role("other", 1, {"true"}, "    completion: {minSucceededInstances: -1}\n"),
        plugins(
            {"{plugin: cmd, parameters: {preCommands: ['export PATH=\"" + f.path(u"bin"_s).toUtf8() + ":$PATH\"']}}",
                "{plugin: tensorboard, parameters: {port: 10123, logdir: {a: runs/a, b: 'runs/b c'}}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto services = [&] { return f.engine().job(uuid).value_or(JobDetail()).services; };
    QTRY_VERIFY_WITH_TIMEOUT(!services().isEmpty() && !services().first().address.isEmpty(), 20000);
    const ServiceInfo service = services().first();
    QCOMPARE(service.name, u"tensorboard"_s);
    QCOMPARE(service.role, u"main"_s);
    QCOMPARE(service.index, 0);
    const QRegularExpressionMatch address
        = QRegularExpression(u"\\Ahttp://127\\.0\\.0\\.1:(\\d+)/\\z"_s).match(service.address);
    QVERIFY2(address.hasMatch(), qPrintable(service.address));
    QTcpSocket socket;
    socket.connectToHost(u"127.0.0.1"_s, quint16(address.captured(1).toInt()));
    QVERIFY(socket.waitForConnected(5000));
    const QByteArray calls = EngineFixture::contents(f.path(u"calls"_s));
    QVERIFY2(calls.contains("--logdir_spec a:runs/a,b:runs/b c"), calls);
    QFile done(f.path(u"work/done"_s));
    QVERIFY(done.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    // It ended with the task, and is offered no more.
    QTcpSocket late;
    late.connectToHost(u"127.0.0.1"_s, quint16(address.captured(1).toInt()));
    QVERIFY(!late.waitForConnected(5000));
    QVERIFY(services().isEmpty());
    QCOMPARE(EngineFixture::contents(f.path(u"calls"_s)).count('\n'), 1);
}

void TstPlugins::tensorBoardMissing()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("none", EngineFixture::role("main", 1, {"echo trained"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['mkdir -p bin; for p in bash sh mkdir cat date hostname; do "
                 "ln -sf $(type -P $p) bin/; done; export PATH=$PWD/bin']}}",
            "{plugin: tensorboard, parameters: {port: 10123, logdir: {a: runs}}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const QByteArray out = f.output(uuid, u"main"_s, 0);
    QVERIFY2(f.job(uuid).state == State::Succeeded, out);
    QVERIFY2(out.contains("No TensorBoard: it is not installed"), out);
    QVERIFY2(out.contains("trained"), out);
}

void TstPlugins::storages()
{
    EngineFixture f;
    const QString data = f.path(u"the data"_s);
    QDir().mkpath(data);
    QFile file(data + u"/file"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("of the storage\n");
    file.close();
    f.setSettings({{u"storages.team data"_s, data}, {u"storages.gone"_s, f.path(u"gone"_s)}});
    QVERIFY(f.open());
    const QByteArray place = f.path(u"mnt/x"_s).toUtf8();
    const QByteArray extras
        = "extras:\n  storages:\n    - {name: team data, mountPath: '" + place + "', readOnly: true}\n";
    const QString uuid = f.submit(EngineFixture::document("data",
        EngineFixture::role("main", 2, {"cat '" + place + "/file'", "cat \"$TRAINYARD_STORAGE_TEAM_DATA/file\""}),
        extras));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY2(f.job(uuid).state == State::Succeeded, f.output(uuid, u"main"_s, 0));
    QCOMPARE(f.output(uuid, u"main"_s, 1), "of the storage\nof the storage\n");

    // Something else is where it should be.
    QDir().mkpath(f.path(u"mnt/y"_s));
    const QString taken = f.submit(EngineFixture::document("taken", EngineFixture::role("main", 1, {"echo began"}),
        "extras:\n  storages:\n    - {name: team data, mountPath: '" + f.path(u"mnt/y"_s).toUtf8() + "'}\n"));
    QVERIFY(f.waitForEnd(taken));
    QCOMPARE(f.task(taken, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(f.task(taken, u"main"_s, 0).reasonArgs.value(u"about"_s).toString(), u"team data"_s);
    QCOMPARE(f.task(taken, u"main"_s, 0).reasonArgs.value(u"path"_s).toString(), f.path(u"mnt/y"_s));
    QVERIFY(!f.output(taken, u"main"_s, 0).contains("began"));

    // The folder that the setting names is not there.
    const QString gone = f.submit(EngineFixture::document("gone", EngineFixture::role("main", 1, {"echo began"}),
        plugins({"{plugin: teamwise_storage, parameters: {storageConfigNames: [gone]}}"})));
    QVERIFY(f.waitForEnd(gone));
    QCOMPARE(f.task(gone, u"main"_s, 0).reason, u"exit.storage-missing"_s);
}

// A link of ours goes with the last task that uses it, and another folder may take its place then. Others' stay.
void TstPlugins::storageLinks()
{
    EngineFixture f;
    for (const QString &name : {u"A"_s, u"B"_s, u"theirs"_s}) {
        QDir().mkpath(f.path(name));
        QFile file(f.path(name + u"/which"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name.toUtf8() + '\n');
    }
    f.setSettings({{u"storages.team-data"_s, f.path(u"A"_s)}});
    QVERIFY(f.open());
    const QString place = f.path(u"mnt/x"_s);
    const QByteArray extras = "extras:\n  storages:\n    - {name: team-data, mountPath: '" + place.toUtf8() + "'}\n";
    const auto submit = [&](const QByteArray &command) {
        return f.submit(EngineFixture::document("data", EngineFixture::role("main", 1, {command}), extras));
    };
    const QByteArray show = "cat '" + place.toUtf8() + "/which'";
    const QString first = submit(show);
    QVERIFY(f.waitForEnd(first));
    QCOMPARE(f.output(first, u"main"_s, 0), "A\n");
    QVERIFY(!QFileInfo(place).isSymLink());

    // One task goes on; it must not lose what it uses, and the other one is told why it cannot begin.
    const QByteArray go = f.path(u"go"_s).toUtf8();
    const QString longer = submit(show + "; until [ -e '" + go + "' ]; do sleep 0.05; done; " + show);
    QTRY_VERIFY_WITH_TIMEOUT(f.output(longer, u"main"_s, 0) == "A\n", 20000);
    const QString beside = submit(show);
    QVERIFY(f.waitForEnd(beside));
    QCOMPARE(f.output(beside, u"main"_s, 0), "A\n");
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"A"_s));
    QVERIFY(f.engine().setSetting(u"storages.team-data"_s, f.path(u"B"_s)));
    const QString other = submit(show);
    QVERIFY(f.waitForEnd(other));
    QCOMPARE(f.task(other, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QFile mark(f.path(u"go"_s));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(longer));
    QCOMPARE(f.output(longer, u"main"_s, 0), "A\nA\n");
    QVERIFY(!QFileInfo(place).isSymLink());
    const QString second = submit(show);
    QVERIFY(f.waitForEnd(second));
    QCOMPARE(f.output(second, u"main"_s, 0), "B\n");

    // A task that was lost: it has the link as long as its keeper lives, which is more than a process of that number.
    const QString lost = f.path(u"lost"_s),
                  page = f.path(u"state/runs/.links/"_s) + QString(place).replace(u'/', u"%2F"_s);
    QVERIFY(QDir().mkpath(lost) && QDir().mkpath(page + u"/users"_s));
    const auto write = [](const QString &path, const QByteArray &bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    const QByteArray a = f.path(u"A"_s).toUtf8() + '\n';
    QVERIFY(write(page + u"/place"_s, place.toUtf8() + '\n') && write(page + u"/target"_s, a));
    QVERIFY(write(page + u"/users/lost"_s, lost.toUtf8() + '\n' + a));
    QVERIFY(QFile::link(f.path(u"A"_s), place));
    const std::optional<contract::ProcessIdentity> self = contract::identityOf(::getpid());
    QVERIFY(self);
    contract::KeeperRecord keeper{"here", *self, "lost", 1};
    QVERIFY(write(lost + u"/keeper"_s, QByteArray::fromStdString(keeper.format())));
    const QString held = submit(show);
    QVERIFY(f.waitForEnd(held));
    QCOMPARE(f.task(held, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"A"_s));
    ++keeper.process.startTime;
    QVERIFY(write(lost + u"/keeper"_s, QByteArray::fromStdString(keeper.format())));
    const QString left = submit(show);
    QVERIFY(f.waitForEnd(left));
    QCOMPARE(f.output(left, u"main"_s, 0), "B\n");
    QVERIFY(!QFileInfo(place).isSymLink());

    // Of somebody else: as it was.
    QVERIFY(QFile::link(f.path(u"theirs"_s), place));
    const QString third = submit(show);
    QVERIFY(f.waitForEnd(third));
    QCOMPARE(f.task(third, u"main"_s, 0).reason, u"exit.storage-place"_s);
    QCOMPARE(f.task(third, u"main"_s, 0).reasonArgs.value(u"path"_s).toString(), place);
    QCOMPARE(QFileInfo(place).symLinkTarget(), f.path(u"theirs"_s));
}

void TstPlugins::storageUnmapped()
{
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.submit(EngineFixture::document("none", EngineFixture::role("main", 1, {"true"}),
                         plugins({"{plugin: teamwise_storage, parameters: {storageConfigNames: [team_x]}}"})))
                .isEmpty());
    QCOMPARE(f.error().code, u"storage.unmapped"_s);
    QCOMPARE(f.error().args.value(u"name"_s).toString(), u"team_x"_s);
    // Mounted there by somebody else: it is what it says.
    QDir().mkpath(f.path(u"mounted"_s));
    const QString uuid = f.submit(
        EngineFixture::document("some", EngineFixture::role("main", 1, {"echo \"=$TRAINYARD_STORAGE_TEAM_X\""}),
            "extras:\n  storages:\n    - {name: team_x, mountPath: '" + f.path(u"mounted"_s).toUtf8() + "'}\n"));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY2(f.output(uuid, u"main"_s, 0).contains(QByteArray("=" + f.path(u"mounted"_s).toUtf8())),
        f.output(uuid, u"main"_s, 0));
}

void TstPlugins::environments()
{
    EngineFixture f;
    const QString venv = f.path(u"my venv"_s);
    QDir().mkpath(venv + u"/bin"_s);
    QFile activate(venv + u"/bin/activate"_s);
    QVERIFY(activate.open(QIODevice::WriteOnly));
    activate.write("export VIRTUAL_ENV=\"" + venv.toUtf8() + "\"\nexport PATH=\"$VIRTUAL_ENV/bin:$PATH\"\n");
    activate.close();
    const QByteArray source = "source \"" + venv.toUtf8() + "/bin/activate\"";
    f.setSettings({{u"hostEnvironment.local"_s, QString::fromUtf8(source)}});
    QVERIFY(f.open());
    const QByteArray role = EngineFixture::role("main", 1, {"echo \"=${VIRTUAL_ENV-none}=$OF_JOB=${PATH%%:*}\""});
    const QByteArray variable
        = "deployments: [{name: d, taskRoles: {main: {preCommands: ['OF_JOB=${OF_JOB-none}']}}}]\n"
          "defaults: {deployment: d}\n";
    const QString ofHost = f.submit(EngineFixture::document("a", role, variable));
    const QString ofJob = f.submit(EngineFixture::document(
        "b", role, variable + "extras: {trainyard: {environment: 'export OF_JOB=\"it is\"'}}\n"));
    const QString clean
        = f.submit(EngineFixture::document("c", role, variable + "extras: {trainyard: {environment: clean}}\n"));
    QVERIFY(!ofHost.isEmpty() && !ofJob.isEmpty() && !clean.isEmpty());
    QVERIFY(f.waitForEnd(ofHost) && f.waitForEnd(ofJob) && f.waitForEnd(clean));
    QVERIFY2(
        f.output(ofHost, u"main"_s, 0).contains(QByteArray('=' + venv.toUtf8() + "=none=" + venv.toUtf8() + "/bin")),
        f.output(ofHost, u"main"_s, 0));
    QVERIFY2(f.output(ofJob, u"main"_s, 0).contains("=none=it is="), f.output(ofJob, u"main"_s, 0));
    QVERIFY2(f.output(clean, u"main"_s, 0).contains("=none=none="), f.output(clean, u"main"_s, 0));
}

void TstPlugins::environmentFails()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("env", EngineFixture::role("main", 1, {"echo began"}),
        "extras: {trainyard: {environment: 'source /no/such/venv/bin/activate'}}\n"));
    QVERIFY(f.waitForEnd(uuid));
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"exit.environment-of"_s);
    QCOMPARE(task.reasonArgs.value("about"_L1).toString(), u"extras.trainyard.environment"_s);
    QCOMPARE(task.exitCode.value_or(0), -2020);
    QVERIFY2(f.output(uuid, u"main"_s, 0).contains("/no/such/venv"), f.output(uuid, u"main"_s, 0));
    QVERIFY(!f.output(uuid, u"main"_s, 0).contains("began"));
}

// Every word is a legal command: only what comes of it shows that it was meant to be another one.
void TstPlugins::failedEnvironmentNamesItsSetting()
{
    EngineFixture f;
    f.setSettings({{u"environment.mode"_s, u"logn"_s}});
    QVERIFY(f.open());
    const QByteArray role = EngineFixture::role("main", 1, {"echo began"});
    const auto setBy
        = [&f](const QString &uuid) { return f.task(uuid, u"main"_s, 0).reasonArgs.value("about"_L1).toString(); };
    const QString ofAll = f.submit(EngineFixture::document("all", role));
    QVERIFY(f.waitForEnd(ofAll));
    QCOMPARE(f.task(ofAll, u"main"_s, 0).reason, u"exit.environment-of"_s);
    QCOMPARE(setBy(ofAll), u"environment.mode"_s);
    QVERIFY(f.engine().setSetting(u"hostEnvironment.local"_s, u"claen"_s));
    const QString ofHost = f.submit(EngineFixture::document("host", role));
    QVERIFY(f.waitForEnd(ofHost));
    QCOMPARE(setBy(ofHost), u"hostEnvironment.local"_s);
}

void TstPlugins::heldAfterFailure()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray hold = "extras: {trainyard: {holdAfterFailureMinutes: 5}}\n";
    const QString uuid = f.submit(
        EngineFixture::document("held", EngineFixture::role("main", 1, {"echo here >left", "exit 7"}), hold));
    QTRY_VERIFY_WITH_TIMEOUT(f.output(uuid, u"main"_s, 0).contains("held open for 5 minutes"), 10000);
    QTRY_COMPARE(f.job(uuid).state, State::Running); // the output may be here before the word of the start
    const QList<HeldTask> held = f.engine().job(uuid)->held;
    QCOMPARE(held.size(), 1);
    QCOMPARE(held.first().role, u"main"_s);
    QCOMPARE(held.first().status, 7);
    const qint64 left = held.first().until - QDateTime::currentMSecsSinceEpoch();
    QVERIFY2(left > 200'000 && left <= 300'000, QByteArray::number(left).constData());
    // Let go: the code is that of the commands.
    QCOMPARE(f.engine().release(uuid, {u"main/1"_s}).value_or(true), false);
    QCOMPARE(f.engine().release(uuid, {u"main/0"_s}).value_or(false), true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit.value_or(0), 7);
    QVERIFY(f.engine().job(uuid)->held.isEmpty());
    // A stop does not wait, and success is not held.
    const QString stopped = f.submit(EngineFixture::document("stop", EngineFixture::role("main", 1, {"false"}), hold));
    QTRY_VERIFY_WITH_TIMEOUT(f.output(stopped, u"main"_s, 0).contains("held open"), 10000);
    QVERIFY(f.engine().stop(stopped));
    QVERIFY(f.waitForEnd(stopped));
    QCOMPARE(f.job(stopped).state, State::Stopped);
    const QString good = f.submit(EngineFixture::document("good", EngineFixture::role("main", 1, {"true"}), hold));
    QVERIFY(f.waitForEnd(good));
    QCOMPARE(f.job(good).state, State::Succeeded);
}

// What goes on around the commands is in one log in its order, also with its secrets hidden, and has an end.
void TstPlugins::stepsInTheRuntimeLog()
{
    EngineFixture f;
    QVERIFY(f.open());
    const auto callbacks = [](const QByteArray &name, const QByteArray &before, const QByteArray &after) -> QByteArray {
        return "  - name: " + name
            + "\n    protocolVersion: 2\n    type: script\n    plugin: com.microsoft.pai.runtimeplugin.cmd\n    "
              "callbacks:\n"
              "      - {event: taskStarts, commands: [\""
            + before + "\"]}\n"
            + (after.isEmpty() ? QByteArray() : "      - {event: taskSucceeds, commands: [\"" + after + "\"]}\n");
    };
    for (const bool withAfter : {true, false}) {
        const QByteArray yaml = EngineFixture::document("pre",
            EngineFixture::role("main", 1, {"echo user; echo oops >&2"}, "    prerequisites: [first, later]\n"),
            "prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"example/image:1\"}\n"
                + callbacks("first", "echo 111", withAfter ? "echo 222" : "")
                + callbacks("later", "echo aaa; echo <% $secrets.word %> >&2", withAfter ? "echo bbb" : "")
                + "secrets: {word: s3cr3t-word}\n");
        const QString uuid = f.submit(yaml);
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QVERIFY(f.waitForEnd(uuid));
        QVERIFY(f.job(uuid).state == State::Succeeded);
        QByteArray lines;
        for (const QByteArray &line : f.runtimeLog(uuid, u"main"_s, 0).split('\n')) {
            const QByteArray rest = line.mid(line.indexOf("] ") + 2);
            if (rest.startsWith("[openpai-runtime] ")) {
                lines += rest.mid(18) + '\n';
            }
        }
        // The two outputs of a step come through two pipes: only their own orders are certain.
        QByteArray wanted = "[INFO] Starting to exec precommands\n111\naaa\n******\n[INFO] Precommands finished\n"
                            "[INFO] USER COMMAND START\n[INFO] USER COMMAND END\n";
        lines.replace("******\naaa\n", "aaa\n******\n");
        QCOMPARE(lines, QByteArray(wanted + (withAfter ? "bbb\n222\n" : "")));
        QByteArray output = f.output(uuid, u"main"_s, 0);
        for (const char *onErr : {"******\n", "oops\n"}) {
            QCOMPARE(output.count(onErr), 1);
            output.replace(onErr, "");
        }
        QCOMPARE(output, QByteArray("111\naaa\nuser\n") + (withAfter ? "bbb\n222\n" : ""));
    }
}

// One of several entries of a plugin; what has the same parameters is still another one.
void TstPlugins::failingPluginIsNamed()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("many", EngineFixture::role("main", 1, {"echo user"}),
        plugins({"{plugin: cmd, parameters: {preCommands: ['echo same']}}",
            "{plugin: cmd, taskroles: [other], parameters: {preCommands: ['echo never']}}",
            "{plugin: cmd, parameters: {preCommands: ['echo same']}}",
            "{plugin: cmd, failurePolicy: ignore, parameters: {preCommands: ['exit 3']}}",
            "{plugin: cmd, parameters: {preCommands: ['exit 4'], postCommands: ['echo post']}}"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    const TaskInfo task = f.task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"exit.step"_s);
    QCOMPARE(task.reasonArgs.value("step"_L1).toString(), u"cmd (5)"_s);
    QCOMPARE(task.reasonArgs.value("status"_L1).toInt(), 4);
    QCOMPARE(f.output(uuid, u"main"_s, 0), QByteArray("same\nsame\n"));
}

void TstPlugins::completedLimitOfVersion1()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QByteArray roles = EngineFixture::role("first", 1, {"true"}, "    completion: {minSucceededInstances: -1}\n")
        + EngineFixture::role(
            "second", 2, {"[ $PAI_TASK_INDEX = 0 ] || sleep 60; exit 3"}, "    completion: {minFailedInstances: -1}\n");
    const auto submit = [&](const char *limit) {
        return f.submit(EngineFixture::document("old", roles,
            QByteArray("extras: {trainyard: {legacy: {killAllOnCompletedTaskNumber: ") + limit + "}}}\n"));
    };
    const QString one = submit("1");
    QVERIFY(f.waitForEnd(one));
    const QString two = submit("2");
    QVERIFY(f.waitForEnd(two));
    // Two of the three are over; the one that sleeps was ended.
    QCOMPARE(f.task(two, u"second"_s, 1).exitCode.value_or(0), -220);
    QCOMPARE(f.task(two, u"first"_s, 0).exitCode.value_or(-1), 0);
    QCOMPARE(f.task(two, u"second"_s, 0).exitCode.value_or(0), 255);
    QCOMPARE(f.task(one, u"second"_s, 1).exitCode.value_or(0), -220);
}

// beginAt: exactly these ports, or a word about who has them.
void TstPlugins::fixedPortsOfVersion1()
{
    EngineFixture f({{u"retry.pauseSeconds"_s, 0}, {u"retry.freeCap"_s, 1}});
    QVERIFY(f.open());
    QTcpServer server; // knows a port that is free
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const int port = server.serverPort();
    const auto submit = [&](int instances) {
        return f.submit(EngineFixture::document("old",
            EngineFixture::role("main", instances, {"echo $PAI_PORT_LIST_main_0_web"}, {},
                "{cpu: 1, memoryMB: 16, gpu: 0, ports: {web: 1}}"),
            "extras: {trainyard: {legacy: {roles: {main: {ports: {web: " + QByteArray::number(port) + "}}}}}}\n"));
    };
    const QString taken = submit(1);
    QVERIFY2(!taken.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(taken));
    QCOMPARE(f.job(taken).exitCode.value_or(0), 253);
    QCOMPARE(f.job(taken).reason, u"ports.fixed-busy"_s);
    QCOMPARE(f.job(taken).reasonArgs.value("port"_L1).toInt(), port);
    server.close();
    const QString one = submit(1);
    QVERIFY(f.waitForEnd(one));
    QCOMPARE(f.job(one).state, State::Succeeded);
    QCOMPARE(f.output(one, u"main"_s, 0), QByteArray(QByteArray::number(port) + '\n'));
    QVERIFY(submit(2).isEmpty()); // they could never start together
    QCOMPARE(f.error().code, u"refuse.ports"_s);
    QCOMPARE(f.error().args.value("port"_L1).toInt(), port);
}

// A port that a task of another job has is waited for, whether that job fixes it or drew it.
void TstPlugins::fixedPortOfAnotherJob()
{
    EngineFixture f({{u"ports.first"_s, 21000}, {u"ports.last"_s, 21001}});
    QVERIFY(f.open());
    const auto submit = [&](const QByteArray &name, const QByteArray &command, int port) {
        const QByteArray fixed = "extras: {trainyard: {legacy: {roles: {main: {ports: {ssh: " + QByteArray::number(port)
            + ", http: " + QByteArray::number(port + 1) + "}}}}}}\n";
        return f.submit(
            EngineFixture::document(name, EngineFixture::role("main", 1, {command}), port > 0 ? fixed : QByteArray()));
    };
    const auto waits = [&](const QString &uuid, const QString &holder, const QList<int> &ports) {
        const qint64 number = f.job(holder).id;
        return f.waitFor(uuid, [number, ports](const JobSummary &job) {
            return job.state == State::Waiting && job.reason == u"wait.port"_s
                && job.reasonArgs.value("host"_L1).toString() == "local"_L1
                && ports.contains(job.reasonArgs.value("port"_L1).toInt())
                && job.reasonArgs.value("job"_L1).toInteger() == number;
        });
    };
    const auto whyOf = [&](const QString &uuid) {
        const JobSummary job = f.job(uuid);
        return QByteArray(job.reason.toUtf8() + ' ' + QJsonDocument(job.reasonArgs).toJson(QJsonDocument::Compact));
    };
    const QString go = f.path(u"go"_s);
    const auto until
        = [](const QString &path) { return QByteArray("while [ ! -e " + path.toUtf8() + " ]; do sleep 0.05; done"); };
    const QString first = f.submit(EngineFixture::document("first", EngineFixture::role("main", 1, {until(go)})));
    QVERIFY(f.waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    // It drew both of what there is to draw.
    const QString second = submit("second", "echo $PAI_CONTAINER_SSH_PORT; " + until(go + u".2"_s), 21000);
    QVERIFY2(!second.isEmpty(), qPrintable(f.error().code));
    QVERIFY2(waits(second, first, {21000, 21001}), whyOf(second).constData());
    const QString third = submit("third", "true", 21001);
    QVERIFY(f.waitFor(third, [](const JobSummary &job) { return !job.reason.isEmpty(); }));
    QVERIFY(QFile(go).open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(first));
    QVERIFY(f.waitFor(second, [](const JobSummary &job) { return job.state == State::Running; }));
    QVERIFY2(waits(third, second, {21001}), whyOf(third).constData()); // which fixes it
    QVERIFY(QFile(go + u".2"_s).open(QIODevice::WriteOnly));
    for (const QString &uuid : {second, third}) {
        QVERIFY(f.waitForEnd(uuid));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        QCOMPARE(f.job(uuid).retries, 0);
    }
    QVERIFY(f.output(second, u"main"_s, 0).startsWith("21000"));
}

// codeDir comes into the work folder under its name. Several tasks share that folder: none may see half of it.
void TstPlugins::codeOfVersion1()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString code = f.path(u"my 'code'"_s);
    QVERIFY(QDir().mkpath(code + u"/deep"_s));
    constexpr int files = 1500;
    for (int i = 0; i < files; ++i) {
        QFile file(code + u"/deep/%1"_s.arg(i));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const QByteArray old = R"({"jobName": "old", "image": "example/image:1", "codeDir": "CODE/",
        "taskRoles": [{"name": "main", "taskNumber": 6, "cpuNumber": 1, "memoryMB": 16, "gpuNumber": 0,
            "command": "false; ls \"my 'code'/deep\" | wc -l"}]})";
    const JobImport converted = importLegacyJob(QByteArray(old).replace("CODE", code.toUtf8()));
    QVERIFY(!converted.hasErrors());
    const QString uuid = f.submit(converted.yaml);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(uuid));
    for (int i = 0; i < 6; ++i) {
        QCOMPARE(f.output(uuid, u"main"_s, i), QByteArray(QByteArray::number(files) + '\n'));
    }
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(QDir(f.path(u"work"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList{u"my 'code'"_s});
}

TRAINYARD_TEST(TstPlugins)
#include "tst_plugins.moc"
