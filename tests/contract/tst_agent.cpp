// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/kernellog.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTcpServer>
#include <QTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

using namespace trainyard::contract;

// What the agent does over the wire, and that neither its death nor a keeper's loses or doubles anything.
class TstAgent : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void version();
    void hello();
    void loginEnvironment();
    void slowLoginShell();
    void launchTwice();
    void launchAfterTheEnd();
    void portBusy();
    void gpuLock();
    void gpuShared();
    void agentKilled();
    void keeperKilled();
    void keeperKilledUnseen();
    void forgottenGroups();
    void groupsHandedOn();
    void follow();
    void followKeepsCreditAndOrder();
    void ports();
    void put();
    void removesFolders();
    void inventoryAndSamples();
    void fakeGpus();
    void samplesDuringAnInventory();
    void gpuErrorsOfTheKernel();
    void garbageOnTheWire();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstAgent)

void TstAgent::version()
{
    for (const char *name : {"trainyard-agent", "trainyard-agent-static"}) {
        const QString path = builtProgram(QLatin1String(name));
        if (!QFile::exists(path)) {
            continue; // without sanitizers there is one, and it is the static one
        }
        QProcess process;
        process.start(path, {QStringLiteral("--version")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        const QByteArray text = process.readAllStandardOutput();
        const QRegularExpression shape(QStringLiteral("^trainyard-agent [0-9.]+ contract 1 build [0-9a-f]{40}\n$"));
        QVERIFY2(shape.match(QString::fromLatin1(text)).hasMatch(), text.constData());
    }
}

void TstAgent::hello()
{
    QVERIFY(m_fixture.agent->start());
    const HelloReply &hello = m_fixture.agent->hello;
    QCOMPARE(hello.contract, 1);
    QCOMPARE(hello.bootId, currentBootId());
    QCOMPARE(hello.pid, m_fixture.agent->pid());
    QCOMPARE(hello.home, m_fixture.home->path().toStdString());
    QCOMPARE(hello.environmentFrom, std::string("agent"));
    QVERIFY(!hello.host.empty() && !hello.user.empty() && !hello.machineId.empty());
    QVERIFY(hello.diskFreeBytes > 0);
    QVERIFY(hello.ephemeralFirst > 1024);
    QCOMPARE(hello.stateFolder, m_fixture.home->path().toStdString() + "/state/trainyard/" + hello.machineId);
    HelloRequest old;
    old.contract = 99;
    const auto refused = m_fixture.agent->ask<Failure>(old);
    QVERIFY(refused && refused->code == "agent.contract");
}

void TstAgent::loginEnvironment()
{
    QFile profile(m_fixture.home->filePath(QStringLiteral(".bash_profile")));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write(
        "echo welcome; echo noise >&2\nexport FROM_PROFILE='a b\nc' HF_TOKEN=tok MY_SECRET=s DISPLAY=:9 PAI_X=1\n");
    profile.close();
    QVERIFY(m_fixture.agent->start(true));
    QCOMPARE(m_fixture.agent->hello.environmentFrom, std::string("login"));
    std::map<std::string, std::string> variables;
    for (const Variable &variable : m_fixture.agent->hello.environment) {
        variables[variable.name] = variable.value;
    }
    QCOMPARE(variables["FROM_PROFILE"], std::string("a b\nc"));
    for (const char *name : {"HF_TOKEN", "MY_SECRET", "DISPLAY", "PAI_X"}) {
        QVERIFY2(!variables.contains(name), name);
    }
    Launch launch = m_fixture.launchOf("login", "echo \"$FROM_PROFILE,${HF_TOKEN-none},${MY_SECRET-none}\"");
    launch.cleanEnvironment = false;
    launch.keepNames = {"HF_TOKEN"};
    QVERIFY(m_fixture.runToEnd(launch));
    QCOMPARE(outputOf(launch.dir), QByteArray("a b\nc,tok,none\n"));
}

void TstAgent::slowLoginShell()
{
    QFile shell(m_fixture.home->filePath(QStringLiteral("slowshell")));
    QVERIFY(shell.open(QIODevice::WriteOnly));
    shell.write("#!/bin/sh\nexec sleep " + m_fixture.nap + "\n");
    shell.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    shell.close();
    m_fixture.agent->environment.insert(QStringLiteral("SHELL"), shell.fileName());
    m_fixture.agent->environment.insert(QStringLiteral("OWN_MARK"), QStringLiteral("1"));
    QVERIFY(m_fixture.agent->start(true)); // 5 s
    QCOMPARE(m_fixture.agent->hello.environmentFrom, std::string("agent"));
    QCOMPARE(m_fixture.agent->hello.environmentError, std::string("env.login-timeout"));
    QTRY_VERIFY(processesWith(m_fixture.nap).isEmpty());
}

void TstAgent::launchTwice()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("twice", "echo began; read < fifo; echo went on");
    const std::string fifo = launch.dir + "/work/fifo";
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    // Both before the first is answered.
    const std::int64_t first = m_fixture.agent->send(launch);
    const std::int64_t second = m_fixture.agent->send(launch);
    const auto one = m_fixture.agent->answer<Launched>(first);
    const auto two = m_fixture.agent->answer<Launched>(second);
    QVERIFY(one && two);
    QCOMPARE(one->state, std::string("launched"));
    QCOMPARE(two->state, std::string("adopted"));
    QVERIFY(one->started == two->started);
    // And by another agent at the same time.
    const std::unique_ptr<AgentDriver> other = m_fixture.newAgent();
    QVERIFY(other->start());
    const auto three = other->ask<Launched>(launch);
    QVERIFY(three && three->state == "adopted" && three->started == one->started);
    QFile writer(QString::fromStdString(fifo));
    QVERIFY(writer.open(QIODevice::WriteOnly));
    writer.write("\n");
    writer.close();
    QVERIFY(m_fixture.agent->exited(launch.dir));
    const auto seen = other->exited(launch.dir);
    QVERIFY(seen && seen->exit.value == 0);
    QCOMPARE(outputOf(launch.dir), QByteArray("began\nwent on\n"));
}

void TstAgent::launchAfterTheEnd()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("again", "echo once; exit 4");
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited);
    const auto again = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(again);
    QCOMPARE(again->state, std::string("ended"));
    QVERIFY(again->exit == exited->exit);
    QCOMPARE(again->tryUuid, launch.plan.tryUuid);
    QCOMPARE(outputOf(launch.dir), QByteArray("once\n"));
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit == exited->exit && observed->outputBytes == 5);
    const auto absent = m_fixture.agent->ask<Observed>(Observe{m_fixture.folder("nothing")});
    QVERIFY(absent && absent->state == "absent");
}

void TstAgent::portBusy()
{
    QVERIFY(m_fixture.agent->start());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::AnyIPv4));
    Launch launch = m_fixture.launchOf("port", "true");
    launch.checkPorts = {server.serverPort()};
    const auto refused = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, "launch.port-busy " + std::to_string(server.serverPort()));
    server.close();
    Launch second = m_fixture.launchOf("port2", "true");
    second.checkPorts = launch.checkPorts;
    QVERIFY(m_fixture.runToEnd(second));
}

void TstAgent::gpuLock()
{
    QVERIFY(m_fixture.agent->start());
    Launch first = m_fixture.launchOf("gpu1", "read < fifo");
    first.gpuLocks = {"GPU-0", "GPU-1"};
    first.gpuLockFolder = m_fixture.home->filePath(QStringLiteral("locks")).toStdString();
    QCOMPARE(makeFolders(first.dir + "/work"), 0);
    QCOMPARE(::mkfifo((first.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_fixture.agent->ask<Launched>(first));
    Launch second = m_fixture.launchOf("gpu2", "true");
    second.gpuLocks = {"GPU-1"};
    second.gpuLockFolder = first.gpuLockFolder;
    const auto refused = m_fixture.agent->ask<Launched>(second);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, std::string("launch.gpu-busy GPU-1"));
    Stop stop;
    stop.dir = first.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(first.dir));
    Launch third = m_fixture.launchOf("gpu3", "true");
    third.gpuLocks = {"GPU-1"};
    third.gpuLockFolder = first.gpuLockFolder;
    const auto keeper = readKeeperRecord(first.dir);
    QTRY_VERIFY(!isAlive(keeper->process));
    QVERIFY(m_fixture.runToEnd(third));
}

// As many as their memory allows, of whichever engine; nobody beside one that has it for itself.
void TstAgent::gpuShared()
{
    QVERIFY(m_fixture.agent->start());
    const auto launchOf = [&](const char *name, std::int64_t share) {
        Launch launch = m_fixture.launchOf(name, "read < fifo");
        launch.gpuLocks = {"GPU-0", "GPU-1"};
        launch.gpuMemoryMiB = {8000, 9000};
        launch.gpuShareMiB = share;
        launch.gpuLockFolder = m_fixture.home->filePath(QStringLiteral("locks")).toStdString();
        [&] {
            QCOMPARE(makeFolders(launch.dir + "/work"), 0);
            QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
        }();
        return launch;
    };
    const auto outcome = [&](const Launch &launch) -> std::string {
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        return !launched ? "no answer" : launched->exit ? launched->exit->reason : launched->state;
    };
    const auto end = [&](const Launch &launch) {
        Stop stop;
        stop.dir = launch.dir;
        const auto keeper = readKeeperRecord(launch.dir);
        m_fixture.agent->ask<Observed>(stop);
        return m_fixture.agent->exited(launch.dir) && keeper
            && QTest::qWaitFor([&] { return !isAlive(keeper->process); });
    };
    const Launch first = launchOf("share1", 3000);
    const Launch second = launchOf("share2", 3000);
    QCOMPARE(outcome(first), std::string("launched"));
    QCOMPARE(outcome(second), std::string("launched"));
    QCOMPARE(outcome(launchOf("share3", 2001)), std::string("launch.gpu-busy GPU-0"));
    QCOMPARE(outcome(launchOf("alone1", 0)), std::string("launch.gpu-busy GPU-0"));
    QVERIFY(end(first));
    // The hole that it left and what was free behind the other make one share.
    const Launch fourth = launchOf("share4", 5000);
    QCOMPARE(outcome(fourth), std::string("launched"));
    QCOMPARE(outcome(launchOf("share5", 1)), std::string("launch.gpu-busy GPU-0"));
    QVERIFY(end(second));
    QVERIFY(end(fourth));
    const Launch alone = launchOf("alone2", 0);
    QCOMPARE(outcome(alone), std::string("launched"));
    QCOMPARE(outcome(launchOf("share6", 1)), std::string("launch.gpu-busy GPU-0"));
    // One who has it still, but not for long, is waited for.
    Stop stop;
    stop.dir = alone.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(alone.dir));
    const Launch last = launchOf("share7", 8000);
    QCOMPARE(outcome(last), std::string("launched"));
    QVERIFY(end(last));
}

void TstAgent::agentKilled()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("survivor",
        "for ((i = 0; i < 4000; i++)); do echo line $i; done; read < fifo; "
        "for ((; i < 5000; i++)); do echo line $i; done; exit 5");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).contains("line 10\n"));
    m_fixture.agent->kill9();
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    QCOMPARE(observed->tryUuid, launch.plan.tryUuid);
    QFile writer(QString::fromStdString(launch.dir + "/work/fifo"));
    QVERIFY(writer.open(QIODevice::WriteOnly));
    writer.write("\n");
    writer.close();
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QCOMPARE(exited->exit.value, 5);
    QByteArray expected;
    for (int i = 0; i < 5000; ++i) {
        expected += "line " + QByteArray::number(i) + '\n';
    }
    QVERIFY(outputOf(launch.dir) == expected);
    QVERIFY(indexIsWhole(launch.dir, quint64(expected.size())));
}

void TstAgent::keeperKilled()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch
        = m_fixture.launchOf("orphaned", "setsid sleep NAP & setsid env -i sleep NAP & echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    QTRY_COMPARE(processesWith(m_fixture.nap).size(), 3);
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Lost);
    QCOMPARE(exited->exit.reason, std::string("keeper.died"));
    QCOMPARE(exited->exit.bytes, std::uint64_t(3));
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
}

void TstAgent::keeperKilledUnseen()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("unseen", "echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    const auto keeper = readKeeperRecord(launch.dir);
    m_fixture.agent->kill9();
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    QTRY_VERIFY(!isAlive(keeper->process));
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    // Launching it again finds the truth and never runs it twice.
    const auto again = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(again && again->state == "ended" && again->exit && again->exit->kind == ExitKind::Lost);
    QVERIFY(processesWith(m_fixture.nap).isEmpty());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit->kind == ExitKind::Lost);
    QCOMPARE(outputOf(launch.dir), QByteArray("up\n"));
}

// Keepers, agent and task were killed together, and their folders are gone.
void TstAgent::forgottenGroups()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("x", "sleep 1000");
    launch.plan.limits.memoryBytes = 64 << 20;
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    const std::string used = launched->started->cgroup.substr(0, launched->started->cgroup.find(':'));
    if (used.empty()) {
        QSKIP("No cgroup can be made here.");
    }
    const auto beside = [&](const char *name) { return used.substr(0, used.rfind('/') + 1) + name; };
    const std::string old = beside("trainyard-01234567-0000-7000-8000-0123456789ab");
    const std::string young = beside("trainyard-01234567-0000-7000-8000-0123456789ac");
    const std::string other = beside("trainyard-of-somebody-else");
    const auto removeAll = qScopeGuard([&] {
        for (const std::string &group : {old, young, other}) {
            ::rmdir(group.c_str());
        }
    });
    for (const std::string &group : {old, young, other}) {
        QCOMPARE(::mkdir(group.c_str(), 0755), 0);
    }
    const timespec longAgo[] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
    for (const std::string &group : {old, other, used}) {
        QCOMPARE(::utimensat(AT_FDCWD, group.c_str(), longAgo, 0), 0);
    }
    const auto second = m_fixture.newAgent();
    QVERIFY(second->start());
    QVERIFY(::access(old.c_str(), F_OK) != 0);
    QCOMPARE(::access(young.c_str(), F_OK), 0);
    QCOMPARE(::access(other.c_str(), F_OK), 0);
    QCOMPARE(::access(used.c_str(), F_OK), 0); // with a process in it
}

// A short task leaves its groups to the next one with the same limits; one that was killed in them does not.
void TstAgent::groupsHandedOn()
{
    QVERIFY(m_fixture.agent->start());
    const auto run = [&](const char *name, const char *script, std::int64_t memoryMiB, std::int64_t cpuWeight) {
        Launch launch = m_fixture.launchOf(name, script);
        launch.plan.limits.memoryBytes = memoryMiB << 20;
        launch.plan.limits.cpuWeight = cpuWeight;
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        const auto exited = m_fixture.agent->exited(launch.dir, 20000);
        return launched && launched->started && exited ? launched->started->cgroup : std::string("not run");
    };
    const auto isThere
        = [](const std::string &groups) { return ::access(groups.substr(0, groups.find(':')).c_str(), F_OK) == 0; };
    const std::string first = run("first", "true", 64, 200);
    if (first.empty()) {
        QSKIP("No cgroup can be made here.");
    }
    QVERIFY2(first.starts_with('/'), first.c_str());
    QCOMPARE(run("second", "cat /proc/self/cgroup", 64, 200), first);
    QVERIFY2(
        outputOf(m_fixture.launchOf("second", "").dir).contains(first.substr(first.rfind('/')).c_str()), "not in it");
    const std::string wider = run("wider", "true", 128, 200);
    QVERIFY(wider != first);
    QVERIFY(wider != run("lighter", "true", 64, 100));
    QCOMPARE(run("third", "true", 128, 200), wider);

    const char *greedy = "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}";
    QCOMPARE(run("killed", greedy, 64, 200), first);
    QTRY_VERIFY(!isThere(first));
    QVERIFY(run("after", "true", 64, 200) != first);

    // What left its group is put into a new one: no task runs without its limit.
    const std::string gone = run("before", "true", 128, 200);
    QCOMPARE(gone, wider);
    for (std::size_t at = 0, colon = 0; at < gone.size(); at = colon + 1) {
        colon = std::min(gone.find(':', at), gone.size());
        QCOMPARE(::rmdir(gone.substr(at, colon - at).c_str()), 0);
    }
    const std::string anew = run("anew", "cat /proc/self/cgroup", 128, 200);
    QVERIFY(!anew.empty() && anew != gone);
    QVERIFY(outputOf(m_fixture.launchOf("anew", "").dir).contains(anew.substr(anew.rfind('/')).c_str()));

    m_fixture.agent = m_fixture.newAgent(); // the one before ends with its connection
    QTRY_VERIFY(!isThere(anew));
}

void TstAgent::follow()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("followed", "echo one; read < fifo; echo two >&2; seq 1 100000");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::int64_t id
        = m_fixture.agent->send(Follow{launch.dir, 1, 0, 0, 0, false}); // goes on after the first byte
    std::map<std::string, std::string> got;
    bool released = false, ended = false;
    while (!ended) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        ended = chunk->end;
        if (!chunk->end) {
            std::string &text = got[chunk->file];
            QCOMPARE(chunk->offset, std::uint64_t(text.size()) + (chunk->file == file::output ? 1 : 0));
            QVERIFY(chunk->bytes.size() <= maxChunk);
            text += chunk->bytes;
        }
        if (!released && got[file::output] == "ne\n") {
            released = true;
            QFile writer(QString::fromStdString(launch.dir + "/work/fifo"));
            QVERIFY(writer.open(QIODevice::WriteOnly));
            writer.write("\n");
        }
        // The index never speaks of what was not sent.
        const std::string &index = got[file::index];
        QCOMPARE(index.size() % indexRecordSize, std::size_t(0));
        if (!index.empty()) {
            const IndexRecord last = decodeIndexRecord(index.data() + index.size() - indexRecordSize);
            QVERIFY(last.offset + last.length <= got[file::output].size() + 1);
        }
    }
    QVERIFY("o" + got[file::output] == outputOf(launch.dir).toStdString());
    QVERIFY(got[file::index] == fileText(launch.dir, file::index).toStdString());
    // A follow of something that has ended gives all of it and ends.
    const std::int64_t later = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string text;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(later);
        QVERIFY(chunk);
        over = chunk->end;
        text += chunk->file == file::output ? chunk->bytes : "";
    }
    QVERIFY(text == outputOf(launch.dir).toStdString());
    const auto unknown = m_fixture.agent->ask<Failure>(Follow{m_fixture.folder("nothing"), 0, 0, 0, 0, false});
    QVERIFY(unknown && unknown->code == "follow.unknown");
}

void TstAgent::followKeepsCreditAndOrder()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("credit", "head -c 5000000 /dev/zero");
    QVERIFY(m_fixture.runToEnd(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    const auto collect = [&](std::int64_t until) {
        std::int64_t got = 0;
        while (got < until) {
            const auto chunk = m_fixture.agent->answer<Chunk>(id);
            if (!chunk) {
                break;
            }
            got += std::int64_t(chunk->bytes.size());
        }
        return got;
    };
    QCOMPARE(collect(followCredit), followCredit);
    // No credit, no chunk: another request is answered, and nothing of the follow came before it.
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{}));
    QVERIFY(!m_fixture.agent->wait([id](const Envelope &e) { return e.id == id; }, 0));
    m_fixture.agent->send(Credit{id, 100});
    QCOMPARE(collect(100), std::int64_t(100));
    m_fixture.agent->send(Credit{id, 10000000});
    std::int64_t rest = 0;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id);
        QVERIFY(chunk);
        over = chunk->end;
        rest += chunk->file == file::output ? std::int64_t(chunk->bytes.size()) : 0;
    }
    QVERIFY(rest >= 5000000 - followCredit - 100);
}

void TstAgent::ports()
{
    QVERIFY(m_fixture.agent->start());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    Ports request;
    request.check = {server.serverPort()};
    request.draw = 20;
    request.first = 20000;
    request.last = 20100;
    request.exclude = {20000, 20001, 20002};
    const auto reply = m_fixture.agent->ask<PortsReply>(request);
    QVERIFY(reply);
    QVERIFY(reply->busy == request.check);
    QCOMPARE(reply->drawn.size(), std::size_t(20));
    for (const int port : reply->drawn) {
        QVERIFY(port >= 20003 && port <= 20100);
        QCOMPARE(std::count(reply->drawn.begin(), reply->drawn.end(), port), 1);
    }
    request.last = 20004;
    QVERIFY(m_fixture.agent->ask<PortsReply>(request)->drawn.size() <= 2);
    request.first = 15000;
    request.last = 0; // below the kernel's own range
    const auto low = m_fixture.agent->ask<PortsReply>(request);
    QVERIFY(low && low->drawn.size() == 20);
    for (const int port : low->drawn) {
        QVERIFY(port < m_fixture.agent->hello.ephemeralFirst);
    }
}

void TstAgent::put()
{
    QVERIFY(m_fixture.agent->start());
    const std::string path = m_fixture.home->filePath(QStringLiteral("a/b/program")).toStdString();
    std::string text(2500000, 'x');
    text[1234567] = 'y';
    std::int64_t last = 0;
    for (std::size_t at = 0; at < text.size(); at += 1000000) {
        const std::string piece = text.substr(at, 1000000);
        last = m_fixture.agent->send(Put{path, at, 0755, at + piece.size() == text.size()}, piece);
        QVERIFY(at > 0 || !QFile::exists(QString::fromStdString(path)));
    }
    QVERIFY(m_fixture.agent->answer<Done>(last));
    QVERIFY(readWhole(path, 1 << 24) == text);
    QVERIFY(QFileInfo(QString::fromStdString(path)).isExecutable());
    const auto refused = m_fixture.agent->ask<Failure>(Put{path + "/under/a/file", 0, 0600, true});
    QVERIFY(refused && refused->code == "put.failed" && refused->systemError == ENOTDIR);
    QVERIFY(m_fixture.agent->ask<Failure>(Put{"relative", 0, 0600, true}));
}

// Only what lies where jobs of other computers lie, and nothing that a link leads to.
void TstAgent::removesFolders()
{
    QVERIFY(m_fixture.agent->start());
    const auto hello = m_fixture.agent->ask<HelloReply>(HelloRequest{});
    QVERIFY(hello);
    const QString remote = QString::fromStdString(hello->stateFolder) + QStringLiteral("/remote");
    const QString job = remote + QStringLiteral("/daemon/job");
    const QString outside = remote + QStringLiteral("/../outside");
    for (const QString &folder : {QString(job + QStringLiteral("/0/w-0/0")), outside}) {
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + QStringLiteral("/output.log"));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY(QFile::link(outside, job + QStringLiteral("/0/link")));
    const auto remove = [&](const QString &dir) { return Remove{dir.toStdString()}; };
    for (const QString &wrong : {QStringLiteral("/tmp"), QString(), remote, QString(remote + QStringLiteral("/daemon")),
             QString(remote + QStringLiteral("/../outside/x/y")), QString(remote + QStringLiteral("/daemon/..")),
             QString(job + QStringLiteral("/0")), QString(job + QLatin1Char('/'))}) {
        const auto refused = m_fixture.agent->ask<Failure>(remove(wrong));
        QVERIFY2(refused && refused->code == "remove.failed" && refused->systemError == EPERM, qPrintable(wrong));
    }
    QVERIFY(QFile::exists(job));
    QVERIFY(m_fixture.agent->ask<Done>(remove(job)));
    QVERIFY(!QFile::exists(job));
    QTRY_COMPARE(QDir(remote + QStringLiteral("/daemon")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 0);
    QVERIFY(QFile::exists(outside + QStringLiteral("/output.log")));
    QVERIFY(m_fixture.agent->ask<Done>(remove(job))); // twice is once
}

void TstAgent::inventoryAndSamples()
{
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QVERIFY(inventory->cpus > 0 && inventory->memoryMiB > 100 && inventory->memoryUsedMiB > 0);
    QVERIFY(!inventory->kernel.empty());
    const Launch launch = m_fixture.launchOf("sampled", "echo 12345; read < fifo");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto grew = m_fixture.agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].dir == launch.dir
            && sample->tries[0].outputBytes == 6;
    });
    QVERIFY(grew);
    const auto withCpu = m_fixture.agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->cpuPercent >= 0 && sample->cpuPercent <= 100 && sample->memoryMiB > 0;
    });
    QVERIFY(withCpu);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{0}));
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

void TstAgent::fakeGpus()
{
    QCOMPARE(makeFolders(m_fixture.home->filePath(QStringLiteral("bin")).toStdString()), 0);
    QFile smi(m_fixture.home->filePath(QStringLiteral("bin/nvidia-smi")));
    QVERIFY(smi.open(QIODevice::WriteOnly));
    smi.write(
        "#!/bin/bash\n"
        "case \"$*\" in\n"
        "  *compute-apps*) echo \"GPU-b, 1, 100\"; exit;;\n"
        "  *-lms*) for i in 1 2 3; do echo \"0, GPU-a, Fake 1000, 1024, $i, 5, 40, 30.5\"; sleep 0.05; done; exit;;\n"
        "esac\n"
        "echo '0, GPU-a, Fake 1000, 1024, 0, [N/A], 40, [N/A]'\n"
        "echo '1, GPU-b, Fake 1000, 2048, 100, 7, 41, 20.25'\n");
    smi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    smi.close();
    m_fixture.agent->environment.insert(
        QStringLiteral("PATH"), m_fixture.home->filePath(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QCOMPARE(inventory->gpus.size(), std::size_t(2));
    QCOMPARE(inventory->gpus[0].uuid, std::string("GPU-a"));
    QCOMPARE(inventory->gpus[0].utilPercent, -1);
    QVERIFY(!inventory->gpus[0].foreign);
    QVERIFY(inventory->gpus[1].foreign); // process 1 is no task of ours
    QCOMPARE(inventory->gpus[1].memoryMiB, std::int64_t(2048));
    QCOMPARE(inventory->gpus[1].powerWatt, 20.25);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto streamed = m_fixture.agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->gpus.size() == 2 && sample->gpus[0].memoryUsedMiB == 3
            && sample->gpus[0].utilPercent == 5;
    });
    QVERIFY(streamed); // and its end does no harm
}

// Somebody looks at the host while its list is made.
void TstAgent::samplesDuringAnInventory()
{
    const QString bin = m_fixture.home->filePath(QStringLiteral("bin"));
    QCOMPARE(makeFolders(bin.toStdString()), 0);
    QFile smi(bin + QStringLiteral("/nvidia-smi"));
    QVERIFY(smi.open(QIODevice::WriteOnly));
    smi.write("#!/bin/bash\ncd \"${0%/*}\"\ncase \"$*\" in\n"
              "  -L) touch waits; until [ -e go ]; do sleep 0.02; done;;\n"
              "  *query-gpu=index*) echo '0, GPU-a, Fake 1000, 1024, 0, [N/A], 40, [N/A]';;\n"
              "esac\n");
    smi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    smi.close();
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), bin + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const std::int64_t id = m_fixture.agent->send(InventoryRequest{});
    QTRY_VERIFY(QFile::exists(bin + QStringLiteral("/waits")));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    QFile go(bin + QStringLiteral("/go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    const auto inventory = m_fixture.agent->answer<Inventory>(id);
    QVERIFY(inventory);
    QCOMPARE(inventory->gpus.size(), std::size_t(1));
}

// Lines of /dev/kmsg: of this GPU, and since the task began.
void TstAgent::gpuErrorsOfTheKernel()
{
    using trainyard::agent::xidOfRecord;
    const std::vector<std::string> places{"0000:3b:00", "0000:af:00"};
    const std::string text = "NVRM: Xid (PCI:0000:3B:00): 79, pid='<unknown>', GPU has fallen off the bus.";
    QCOMPARE(xidOfRecord("4,900,5000000,-;" + text + "\n", 5000000, places), text);
    QCOMPARE(xidOfRecord("4,900,5000000,-,caller=T1;" + text + "\n SUBSYSTEM=pci\n", 1, places), text);
    QCOMPARE(xidOfRecord("4,900,4999999,-;" + text, 5000000, places), std::string());
    QCOMPARE(xidOfRecord("4,900,5000000,-;" + text, 1, {"0000:3b:01"}), std::string());
    const std::string other = "NVRM: Xid (PCI:0000:af:00.0): 31, pid=12, name=python";
    QCOMPARE(xidOfRecord("3,1,9,-;nvidia: " + other, 1, places), other);
    for (const char *record : {"", ";", "4,900,5000000,-", "4,900;NVRM: Xid (PCI:0000:3b:00): 79", " SUBSYSTEM=x",
             "4,1,9,-;NVRM: Xid (PCI:", "4,1,9,-;NVRM: loading", "NVRM: Xid (PCI:0000:3b:00): 79,,;"}) {
        QCOMPARE(xidOfRecord(record, 1, places), std::string());
    }
}

void TstAgent::garbageOnTheWire()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("alive", "echo up; sleep NAP");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    // A frame that is no message is answered; the connection goes on.
    m_fixture.agent->sendRaw(QByteArray::fromStdString(encodeFrame("{\"type\":\"dance\"}", "x").value()));
    const auto failure
        = m_fixture.agent->wait([](const Envelope &e) { return std::holds_alternative<Failure>(e.message); });
    QVERIFY(failure && std::get<Failure>(failure->message).code == "agent.not-understood");
    QVERIFY(m_fixture.agent->ask<PortsReply>(Ports{}));
    const auto malformed = m_fixture.agent->ask<Failure>(Launch{});
    QVERIFY(malformed && malformed->code == "launch.malformed");
    // Lengths beyond the limits end the agent, never a task.
    m_fixture.agent->sendRaw(QByteArray(100, '\xff'));
    m_fixture.agent->wait([](const Envelope &) { return false; }, 5000);
    QVERIFY(!m_fixture.agent->isRunning());
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    const auto observed = m_fixture.agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "running");
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

#include "tst_agent.moc"
