// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentdriver.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QUuid>

#include <dirent.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace trainyard::contract;

// The agent and its keepers, driven over the wire like the engine does it.
class TstAgent : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void version();
    void hello();
    void loginEnvironment();
    void slowLoginShell();
    void outputAndRecords();
    void exits_data();
    void exits();
    void environmentOfATask();
    void sealedScript();
    void startFailures_data();
    void startFailures();
    void launchTwice();
    void launchAfterTheEnd();
    void portBusy();
    void gpuLock();
    void stopIgnoringTerm();
    void stopReachesEveryone();
    void stopOnlyMain();
    void stopAgainIsQuicker();
    void leftoversEnd();
    void lateWordsAreKept();
    void agentKilled();
    void keeperKilled();
    void keeperKilledUnseen();
    void maskedOutput();
    void muchOutput();
    void outputLimit();
    void fullDisk();
    void memoryLimit();
    void follow();
    void followKeepsCreditAndOrder();
    void ports();
    void put();
    void inventoryAndSamples();
    void fakeGpus();
    void garbageOnTheWire();

private:
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<AgentDriver> m_agent;

    std::string folder(const char *name) const
    {
        return m_home->filePath(QLatin1String("runs/") + QLatin1String(name)).toStdString();
    }
    Launch launchOf(const char *name, const std::string &script) const;
    std::optional<Exited> runToEnd(const Launch &launch, int ms = 15000);
    std::unique_ptr<AgentDriver> newAgent() const;
    bool startAgent();
};
TRAINYARD_TEST(TstAgent)

static QByteArray fileText(const std::string &folder, const char *name)
{
    QFile opened(QString::fromStdString(folder) + QLatin1Char('/') + QLatin1String(name));
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

static QByteArray outputOf(const std::string &folder) { return fileText(folder, file::output); }

static std::vector<IndexRecord> indexOf(const std::string &folder)
{
    const QByteArray bytes = fileText(folder, file::index);
    std::vector<IndexRecord> records;
    for (qsizetype at = 0; at + qsizetype(indexRecordSize) <= bytes.size(); at += indexRecordSize) {
        records.push_back(decodeIndexRecord(bytes.constData() + at));
    }
    return records;
}

// The index covers the output exactly.
static bool indexIsWhole(const std::string &folder, quint64 size)
{
    quint64 offset = 0;
    for (const IndexRecord &record : indexOf(folder)) {
        if (record.offset != offset || record.length == 0) {
            return false;
        }
        offset += record.length;
    }
    return offset == size;
}

static bool isLiving(qint64 pid)
{
    return identityOf(pid).has_value(); // not so for zombies
}

// Living processes whose environment has this try's mark, or whose arguments have this word.
static QList<qint64> processesWith(const QByteArray &word)
{
    QList<qint64> found;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        const qint64 pid = entry.toLongLong();
        if (pid <= 0 || pid == ::getpid()) {
            continue;
        }
        QByteArray text;
        for (const char *name : {"/cmdline", "/environ"}) {
            QFile opened(QStringLiteral("/proc/") + entry + QLatin1String(name));
            if (opened.open(QIODevice::ReadOnly)) {
                text += opened.readAll() + '\0';
            }
        }
        if (text.contains(word) && isLiving(pid)) {
            found.append(pid);
        }
    }
    return found;
}

void TstAgent::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
    m_agent = newAgent();
}

void TstAgent::cleanup()
{
    m_agent.reset();
    // A test that failed leaves no task behind.
    const QDir runs(m_home->filePath(QStringLiteral("runs")));
    const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        const std::string dir = runs.filePath(name).toStdString();
        const auto started = readStartedRecord(dir);
        if (started && !readExitRecord(dir)) {
            const auto keeper = readKeeperRecord(dir);
            if (keeper && isAlive(keeper->process)) {
                writeAtomically(dir + '/' + file::stop, StopRecord{15, 0, false, 0}.format(), false);
                ::kill(static_cast<pid_t>(keeper->process.pid), SIGUSR1);
            }
        }
    }
    m_home.reset();
}

std::unique_ptr<AgentDriver> TstAgent::newAgent() const
{
    auto agent = std::make_unique<AgentDriver>();
    agent->environment.insert(QStringLiteral("HOME"), m_home->path());
    agent->environment.insert(QStringLiteral("XDG_STATE_HOME"), m_home->filePath(QStringLiteral("state")));
    agent->environment.insert(QStringLiteral("SHELL"), QStringLiteral("/bin/bash"));
    agent->environment.remove(QStringLiteral("TRAINYARD_TRY"));
    return agent;
}

bool TstAgent::startAgent() { return m_agent->start(); }

Launch TstAgent::launchOf(const char *name, const std::string &script) const
{
    Launch launch;
    launch.dir = folder(name);
    launch.plan.job = "1";
    launch.plan.role = "main";
    launch.plan.tryUuid = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    launch.script = script;
    launch.cleanEnvironment = true;
    return launch;
}

std::optional<Exited> TstAgent::runToEnd(const Launch &launch, int ms)
{
    const std::int64_t id = m_agent->send(launch);
    const auto launched = m_agent->answer<Launched>(id, ms);
    if (!launched || launched->state != "launched") {
        return std::nullopt;
    }
    return m_agent->exited(launch.dir, ms);
}

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
    QVERIFY(startAgent());
    const HelloReply &hello = m_agent->hello;
    QCOMPARE(hello.contract, 1);
    QCOMPARE(hello.bootId, currentBootId());
    QCOMPARE(hello.pid, m_agent->pid());
    QCOMPARE(hello.home, m_home->path().toStdString());
    QCOMPARE(hello.environmentFrom, std::string("agent"));
    QVERIFY(!hello.host.empty() && !hello.user.empty() && !hello.machineId.empty());
    QVERIFY(hello.diskFreeBytes > 0);
    QVERIFY(hello.ephemeralFirst > 1024);
    QCOMPARE(hello.stateFolder, m_home->path().toStdString() + "/state/trainyard/" + hello.machineId);
    HelloRequest old;
    old.contract = 99;
    const auto refused = m_agent->ask<Failure>(old);
    QVERIFY(refused && refused->code == "agent.contract");
}

void TstAgent::loginEnvironment()
{
    QFile profile(m_home->filePath(QStringLiteral(".bash_profile")));
    QVERIFY(profile.open(QIODevice::WriteOnly));
    profile.write(
        "echo welcome; echo noise >&2\nexport FROM_PROFILE='a b\nc' HF_TOKEN=tok MY_SECRET=s DISPLAY=:9 PAI_X=1\n");
    profile.close();
    QVERIFY(m_agent->start(true));
    QCOMPARE(m_agent->hello.environmentFrom, std::string("login"));
    std::map<std::string, std::string> variables;
    for (const Variable &variable : m_agent->hello.environment) {
        variables[variable.name] = variable.value;
    }
    QCOMPARE(variables["FROM_PROFILE"], std::string("a b\nc"));
    for (const char *name : {"HF_TOKEN", "MY_SECRET", "DISPLAY", "PAI_X"}) {
        QVERIFY2(!variables.contains(name), name);
    }
    Launch launch = launchOf("login", "echo \"$FROM_PROFILE,${HF_TOKEN-none},${MY_SECRET-none}\"");
    launch.cleanEnvironment = false;
    launch.keepNames = {"HF_TOKEN"};
    QVERIFY(runToEnd(launch));
    QCOMPARE(outputOf(launch.dir), QByteArray("a b\nc,tok,none\n"));
}

void TstAgent::slowLoginShell()
{
    QFile shell(m_home->filePath(QStringLiteral("slowshell")));
    QVERIFY(shell.open(QIODevice::WriteOnly));
    shell.write("#!/bin/sh\nexec sleep 100014\n");
    shell.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    shell.close();
    m_agent->environment.insert(QStringLiteral("SHELL"), shell.fileName());
    m_agent->environment.insert(QStringLiteral("OWN_MARK"), QStringLiteral("1"));
    QVERIFY(m_agent->start(true)); // 5 s
    QCOMPARE(m_agent->hello.environmentFrom, std::string("agent"));
    QCOMPARE(m_agent->hello.environmentError, std::string("env.login-timeout"));
    QTRY_VERIFY(processesWith("100014").isEmpty());
}

void TstAgent::outputAndRecords()
{
    QVERIFY(startAgent());
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    const Launch launch = launchOf("one", "echo out; sleep 0.2; echo err >&2; sleep 0.2; printf 'no newline'");
    const auto launched = m_agent->ask<Launched>(launch);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("launched"));
    QVERIFY(launched->started && launched->started->tryUuid == launch.plan.tryUuid);
    QVERIFY(launched->started->process.bootId == currentBootId());
    const auto exited = m_agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Exited);
    QCOMPARE(exited->exit.value, 0);
    QCOMPARE(exited->exit.bytes, std::uint64_t(18));
    QVERIFY(!exited->stop);
    QVERIFY(exited->exit.began >= before - 1000 && exited->exit.ended - exited->exit.began >= 400);
    QVERIFY(exited->exit.maxRssKiB > 100);
    QCOMPARE(outputOf(launch.dir), QByteArray("out\nerr\nno newline"));

    const std::vector<IndexRecord> records = indexOf(launch.dir);
    QCOMPARE(records.size(), std::size_t(3));
    QVERIFY(records[0].stream == Stream::Out && records[1].stream == Stream::Err && records[2].stream == Stream::Out);
    QCOMPARE(int(records[0].flags), int(indexflag::beginsLine | indexflag::endsLine));
    QCOMPARE(int(records[2].flags), int(indexflag::beginsLine));
    QVERIFY(records[1].timeNs - records[0].timeNs > 150000000);
    QVERIFY(qAbs(records[0].timeNs / 1000000 - exited->exit.began) < 2000);
    QVERIFY(indexIsWhole(launch.dir, 18));

    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(readStartedRecord(launch.dir) == launched->started);
    const auto plan = parsePlan(fileText(launch.dir, file::plan).toStdString());
    QVERIFY(plan && plan->tryUuid == launch.plan.tryUuid && plan->argv.size() == 2);
    QCOMPARE(fileText(launch.dir, file::script).toStdString(), launch.script);
    for (const char *name : {file::plan, file::script, file::output, file::exit, file::started}) {
        struct stat info;
        QCOMPARE(::stat((launch.dir + '/' + name).c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0600);
    }
    QVERIFY(!QFile::exists(QString::fromStdString(launch.dir + '/' + file::tail)));
    // The lock is free again.
    const int lock = ::open((launch.dir + '/' + file::lock).c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(lock >= 0);
    QTRY_COMPARE(::flock(lock, LOCK_EX | LOCK_NB), 0); // the keeper writes its record, then ends
    ::close(lock);
}

void TstAgent::exits_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("value");
    QTest::newRow("zero") << QByteArray("true") << int(ExitKind::Exited) << 0;
    QTest::newRow("seven") << QByteArray("exit 7") << int(ExitKind::Exited) << 7;
    QTest::newRow("255") << QByteArray("exit 255") << int(ExitKind::Exited) << 255;
    QTest::newRow("segv") << QByteArray("kill -SEGV $$") << int(ExitKind::Signaled) << SIGSEGV;
    QTest::newRow("own term") << QByteArray("kill -TERM $$") << int(ExitKind::Signaled) << SIGTERM;
    QTest::newRow("child killed") << QByteArray("bash -c 'kill -9 $$'; exit $?") << int(ExitKind::Exited) << 137;
    QTest::newRow("not found") << QByteArray("no-such-program-here") << int(ExitKind::Exited) << 127;
}

void TstAgent::exits()
{
    QFETCH(QByteArray, script);
    QVERIFY(startAgent());
    const auto exited = runToEnd(launchOf("exits", script.toStdString()));
    QVERIFY(exited);
    QTEST(int(exited->exit.kind), "kind");
    QTEST(exited->exit.value, "value");
}

void TstAgent::environmentOfATask()
{
    m_agent->environment.insert(QStringLiteral("SHOULD_NOT_COME"), QStringLiteral("1"));
    QVERIFY(startAgent());
    Launch launch = launchOf("env",
        "echo \"$A|$B|${SHOULD_NOT_COME-}|$TRAINYARD_TRY|$PWD\"; ulimit -n; trap -p; cat; ls /proc/self/fd | wc -l; "
        "cat /proc/self/oom_score_adj");
    launch.env = {{"A", "1"}, {"B", "x y"}, {"A", "2"}};
    launch.plan.limits.rlimits = {{"nofile", 333}};
    QVERIFY(runToEnd(launch));
    const QList<QByteArray> lines = outputOf(launch.dir).split('\n');
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0].toStdString(), "2|x y||" + launch.plan.tryUuid + '|' + launch.dir + "/work");
    QCOMPARE(lines[1], QByteArray("333"));
    QCOMPARE(lines[2], QByteArray("4")); // 0, 1, 2 and the one that ls opens: nothing of the keeper's
    QVERIFY(lines[3].toInt() >= 500);
}

void TstAgent::sealedScript()
{
    QVERIFY(startAgent());
    Launch launch = launchOf("sealed",
        "echo \"key is ${#KEY} long\"; KEY=top-secret-value; echo ${#KEY}; ls -l /proc/self/fd; "
        "tr '\\0' ' ' < /proc/$$/cmdline");
    launch.sealed = true;
    launch.maskedScript = "KEY=******\n";
    launch.env = {{"KEY", "1234"}};
    QVERIFY(runToEnd(launch));
    const QByteArray output = outputOf(launch.dir);
    QVERIFY(output.startsWith("key is 4 long\n16\n"));
    QVERIFY2(output.endsWith("bash /dev/fd/9 "), output.constData());
    QVERIFY(!output.contains("memfd")); // children do not get the script
    QCOMPARE(fileText(launch.dir, file::script), QByteArray("KEY=******\n"));
    const QStringList names = QDir(QString::fromStdString(launch.dir)).entryList(QDir::Files);
    for (const QString &name : names) {
        QVERIFY2(!fileText(launch.dir, name.toLatin1().constData()).contains("top-secret"), qPrintable(name));
    }
}

void TstAgent::startFailures_data()
{
    QTest::addColumn<QString>("cwd");
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<int>("error");
    QTest::newRow("folder missing") << QStringLiteral("/no/such folder") << QStringLiteral("bash")
                                    << QStringLiteral("launch.cwd-missing /no/such folder") << ENOENT;
    QTest::newRow("folder is a file") << QStringLiteral("/etc/passwd") << QStringLiteral("bash")
                                      << QStringLiteral("launch.cwd-missing /etc/passwd") << ENOTDIR;
    QTest::newRow("shell missing") << QString() << QStringLiteral("no-such-shell")
                                   << QStringLiteral("launch.shell-missing no-such-shell") << ENOENT;
    QTest::newRow("shell path missing") << QString() << QStringLiteral("/no/shell")
                                        << QStringLiteral("launch.shell-missing /no/shell") << ENOENT;
}

void TstAgent::startFailures()
{
    QFETCH(QString, cwd);
    QFETCH(QString, shell);
    QVERIFY(startAgent());
    Launch launch = launchOf("fails", "echo never");
    launch.cwd = cwd.toStdString();
    launch.shell = shell.toStdString();
    const auto launched = m_agent->ask<Launched>(launch);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("ended"));
    QVERIFY(launched->exit && launched->exit->kind == ExitKind::StartFailed);
    QTEST(QString::fromStdString(launched->exit->reason), "reason");
    QTEST(launched->exit->value, "error");
    QVERIFY(!readStartedRecord(launch.dir));
    QVERIFY(readExitRecord(launch.dir) == launched->exit);
    QCOMPARE(outputOf(launch.dir), QByteArray());
}

void TstAgent::launchTwice()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("twice", "echo began; read < fifo; echo went on");
    const std::string fifo = launch.dir + "/work/fifo";
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    // Both before the first is answered.
    const std::int64_t first = m_agent->send(launch);
    const std::int64_t second = m_agent->send(launch);
    const auto one = m_agent->answer<Launched>(first);
    const auto two = m_agent->answer<Launched>(second);
    QVERIFY(one && two);
    QCOMPARE(one->state, std::string("launched"));
    QCOMPARE(two->state, std::string("adopted"));
    QVERIFY(one->started == two->started);
    // And by another agent at the same time.
    const std::unique_ptr<AgentDriver> other = newAgent();
    QVERIFY(other->start());
    const auto three = other->ask<Launched>(launch);
    QVERIFY(three && three->state == "adopted" && three->started == one->started);
    QFile writer(QString::fromStdString(fifo));
    QVERIFY(writer.open(QIODevice::WriteOnly));
    writer.write("\n");
    writer.close();
    QVERIFY(m_agent->exited(launch.dir));
    const auto seen = other->exited(launch.dir);
    QVERIFY(seen && seen->exit.value == 0);
    QCOMPARE(outputOf(launch.dir), QByteArray("began\nwent on\n"));
}

void TstAgent::launchAfterTheEnd()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("again", "echo once; exit 4");
    const auto exited = runToEnd(launch);
    QVERIFY(exited);
    const auto again = m_agent->ask<Launched>(launch);
    QVERIFY(again);
    QCOMPARE(again->state, std::string("ended"));
    QVERIFY(again->exit == exited->exit);
    QCOMPARE(again->tryUuid, launch.plan.tryUuid);
    QCOMPARE(outputOf(launch.dir), QByteArray("once\n"));
    const auto observed = m_agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit == exited->exit && observed->outputBytes == 5);
    const auto absent = m_agent->ask<Observed>(Observe{folder("nothing")});
    QVERIFY(absent && absent->state == "absent");
}

void TstAgent::portBusy()
{
    QVERIFY(startAgent());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::AnyIPv4));
    Launch launch = launchOf("port", "true");
    launch.checkPorts = {server.serverPort()};
    const auto refused = m_agent->ask<Launched>(launch);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, "launch.port-busy " + std::to_string(server.serverPort()));
    server.close();
    Launch second = launchOf("port2", "true");
    second.checkPorts = launch.checkPorts;
    QVERIFY(runToEnd(second));
}

void TstAgent::gpuLock()
{
    QVERIFY(startAgent());
    Launch first = launchOf("gpu1", "read < fifo");
    first.gpuLocks = {"GPU-0", "GPU-1"};
    first.gpuLockFolder = m_home->filePath(QStringLiteral("locks")).toStdString();
    QCOMPARE(makeFolders(first.dir + "/work"), 0);
    QCOMPARE(::mkfifo((first.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_agent->ask<Launched>(first));
    Launch second = launchOf("gpu2", "true");
    second.gpuLocks = {"GPU-1"};
    second.gpuLockFolder = first.gpuLockFolder;
    const auto refused = m_agent->ask<Launched>(second);
    QVERIFY(refused && refused->exit);
    QCOMPARE(refused->exit->reason, std::string("launch.gpu-busy GPU-1"));
    Stop stop;
    stop.dir = first.dir;
    QVERIFY(m_agent->ask<Observed>(stop));
    QVERIFY(m_agent->exited(first.dir));
    Launch third = launchOf("gpu3", "true");
    third.gpuLocks = {"GPU-1"};
    third.gpuLockFolder = first.gpuLockFolder;
    const auto keeper = readKeeperRecord(first.dir);
    QTRY_VERIFY(!isAlive(keeper->process));
    QVERIFY(runToEnd(third));
}

void TstAgent::stopIgnoringTerm()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("stubborn", "trap 'echo heard' TERM; echo ready; while :; do sleep 1000; done");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("ready\n"));
    Stop stop;
    stop.dir = launch.dir;
    stop.graceMs = 700;
    QElapsedTimer clock;
    clock.start();
    const auto observed = m_agent->ask<Observed>(stop);
    QVERIFY(observed && observed->state == "running" && observed->stop && observed->stop->graceMs == 700);
    const auto exited = m_agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(clock.elapsed() >= 690);
    QVERIFY(exited->exit.kind == ExitKind::Signaled);
    QCOMPARE(exited->exit.value, SIGKILL);
    QVERIFY(exited->stop && exited->stop->signal == SIGTERM);
    QVERIFY(outputOf(launch.dir).contains("heard\n"));
    QVERIFY(processesWith(QByteArray::fromStdString(launch.plan.tryUuid)).isEmpty());
}

void TstAgent::stopReachesEveryone()
{
    QVERIFY(startAgent());
    // Children in sessions of their own, one without our mark, one stopped.
    const Launch launch = launchOf("tree",
        "setsid bash -c 'trap \"echo one; exit\" TERM; echo up; while :; do sleep 0.02; done' &\n"
        "setsid env -i /bin/bash -c 'trap \"echo two; exit\" TERM; echo up; while :; do sleep 0.02; done' &\n"
        "bash -c 'trap \"echo three; exit\" TERM; echo up; kill -STOP $$' &\n"
        "trap 'echo main; wait; exit 3' TERM\nwait; wait");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir).count("up\n"), 3);
    Stop stop;
    stop.dir = launch.dir;
    stop.graceMs = 8000;
    QVERIFY(m_agent->ask<Observed>(stop));
    const auto exited = m_agent->exited(launch.dir);
    QVERIFY(exited);
    const QByteArray output = outputOf(launch.dir);
    for (const char *word : {"one\n", "two\n", "three\n", "main\n"}) {
        QVERIFY2(output.contains(word), output.constData());
    }
    QCOMPARE(exited->exit.value, 3);
}

void TstAgent::stopOnlyMain()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("onlymain",
        "bash -c 'trap \"echo child heard\" USR1; echo up; while :; do sleep 0.02; done' &\n"
        "trap 'echo saved; kill -9 $!; exit 0' USR1\necho up\nwhile :; do sleep 0.02; done");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir).count("up\n"), 2);
    Stop stop;
    stop.dir = launch.dir;
    stop.signal = SIGUSR1;
    stop.onlyMain = true;
    QVERIFY(m_agent->ask<Observed>(stop));
    const auto exited = m_agent->exited(launch.dir);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QVERIFY(outputOf(launch.dir).contains("saved"));
    QVERIFY(!outputOf(launch.dir).contains("child heard"));
}

void TstAgent::stopAgainIsQuicker()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("impatient", "trap '' TERM; echo ready; while :; do sleep 1000; done");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("ready\n"));
    Stop stop;
    stop.dir = launch.dir;
    stop.graceMs = 60000;
    QVERIFY(m_agent->ask<Observed>(stop));
    stop.graceMs = 0;
    QVERIFY(m_agent->ask<Observed>(stop));
    QVERIFY(m_agent->exited(launch.dir, 5000));
}

void TstAgent::leftoversEnd()
{
    QVERIFY(startAgent());
    // Orphans in their own sessions, with and without the mark, some of them deaf and forking on.
    const Launch launch = launchOf("leftovers",
        "for i in 1 2 3 4 5 6 7 8 9 10; do\n"
        "  (setsid sleep 100007 >/dev/null 2>&1 &)\n"
        "  (setsid env -i /bin/bash -c 'trap \"\" TERM HUP; sleep 100007; sleep 100007' &)\n"
        "  (bash -c 'while :; do (sleep 100007 &) ; sleep 0.05; done' &)\n"
        "done\necho done");
    const auto exited = runToEnd(launch);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QVERIFY(processesWith("100007").isEmpty());
    QVERIFY(processesWith(QByteArray::fromStdString(launch.plan.tryUuid)).isEmpty());
    QCOMPARE(outputOf(launch.dir), QByteArray("done\n"));
    QVERIFY(fileText(launch.dir, file::runtime).contains("left behind"));
}

void TstAgent::lateWordsAreKept()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("late", "exec > >(sleep 0.1; sed 's/^/tee: /') 2>&1\necho last words");
    const auto exited = runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(outputOf(launch.dir), QByteArray("tee: last words\n"));
    QVERIFY(!fileText(launch.dir, file::runtime).contains("left behind"));
}

void TstAgent::agentKilled()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("survivor",
        "for ((i = 0; i < 4000; i++)); do echo line $i; done; read < fifo; "
        "for ((; i < 5000; i++)); do echo line $i; done; exit 5");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_VERIFY(outputOf(launch.dir).contains("line 10\n"));
    m_agent->kill9();
    m_agent = newAgent();
    QVERIFY(startAgent());
    const auto observed = m_agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed);
    QCOMPARE(observed->state, std::string("running"));
    QCOMPARE(observed->tryUuid, launch.plan.tryUuid);
    QFile writer(QString::fromStdString(launch.dir + "/work/fifo"));
    QVERIFY(writer.open(QIODevice::WriteOnly));
    writer.write("\n");
    writer.close();
    const auto exited = m_agent->exited(launch.dir);
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
    QVERIFY(startAgent());
    const Launch launch
        = launchOf("orphaned", "setsid sleep 100011 & setsid env -i sleep 100011 & echo up; sleep 100011");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    QTRY_COMPARE(processesWith("100011").size(), 3);
    const auto keeper = readKeeperRecord(launch.dir);
    QVERIFY(keeper);
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    const auto exited = m_agent->exited(launch.dir);
    QVERIFY(exited);
    QVERIFY(exited->exit.kind == ExitKind::Lost);
    QCOMPARE(exited->exit.reason, std::string("keeper.died"));
    QCOMPARE(exited->exit.bytes, std::uint64_t(3));
    QVERIFY(readExitRecord(launch.dir) == exited->exit);
    QVERIFY(processesWith("100011").isEmpty());
}

void TstAgent::keeperKilledUnseen()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("unseen", "echo up; sleep 100012");
    QVERIFY(m_agent->ask<Launched>(launch));
    QTRY_COMPARE(outputOf(launch.dir), QByteArray("up\n"));
    const auto keeper = readKeeperRecord(launch.dir);
    m_agent->kill9();
    ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
    QTRY_VERIFY(!isAlive(keeper->process));
    m_agent = newAgent();
    QVERIFY(startAgent());
    // Launching it again finds the truth and never runs it twice.
    const auto again = m_agent->ask<Launched>(launch);
    QVERIFY(again && again->state == "ended" && again->exit && again->exit->kind == ExitKind::Lost);
    QVERIFY(processesWith("100012").isEmpty());
    const auto observed = m_agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "ended" && observed->exit->kind == ExitKind::Lost);
    QCOMPARE(outputOf(launch.dir), QByteArray("up\n"));
}

void TstAgent::maskedOutput()
{
    QVERIFY(startAgent());
    Launch launch
        = launchOf("masked", "printf 'a hunt'; sleep 0.15; printf 'er22 b\\n'; echo hunter22 >&2; printf 'hunt'");
    launch.maskValues = {"hunter22"};
    const auto exited = runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(exited->exit.masked, std::uint64_t(2));
    const QByteArray output = outputOf(launch.dir);
    QVERIFY(!output.contains("hunter22"));
    QCOMPARE(output, QByteArray("a ****** b\n******\nhunt"));
    QVERIFY(indexIsWhole(launch.dir, quint64(output.size())));
}

void TstAgent::muchOutput()
{
    QVERIFY(startAgent());
    const int lines = 6000000; // 64 MB
    const Launch launch
        = launchOf("much", "seq 1000000000 " + std::to_string(1000000000 + lines - 1) + "; echo end >&2");
    const auto exited = runToEnd(launch, 30000);
    QVERIFY(exited);
    QCOMPARE(exited->exit.bytes, std::uint64_t(lines) * 11 + 4);
    QFile log(QString::fromStdString(launch.dir + '/' + file::output));
    QVERIFY(log.open(QIODevice::ReadOnly));
    qint64 expected = 1000000000;
    bool sawEnd = false;
    while (!log.atEnd()) {
        const QByteArray line = log.readLine();
        if (line == "end\n") {
            sawEnd = true;
        } else if (line.trimmed().toLongLong() == expected) {
            ++expected;
        } else {
            QFAIL(line.constData());
        }
    }
    QVERIFY(sawEnd);
    QCOMPARE(expected, qint64(1000000000) + lines);
    QVERIFY(indexIsWhole(launch.dir, exited->exit.bytes));
}

void TstAgent::outputLimit()
{
    QVERIFY(startAgent());
    Launch launch = launchOf("limited", "seq 1 100000");
    launch.plan.limits.outputBytes = 100000;
    const auto exited = runToEnd(launch);
    QVERIFY(exited);
    QCOMPARE(exited->exit.bytes, std::uint64_t(588895));
    const QByteArray kept = outputOf(launch.dir);
    QCOMPARE(kept.size(), qsizetype(100000));
    const QByteArray tail = fileText(launch.dir, file::tail);
    const auto header = decodeTailHeader(std::string_view(tail.constData(), std::size_t(tail.size())));
    QVERIFY(header);
    QCOMPARE(header->begin, std::uint64_t(100000));
    QCOMPARE(header->total, std::uint64_t(488895));
    QByteArray expected;
    for (int i = 1; i <= 100000; ++i) {
        expected += QByteArray::number(i) + '\n';
    }
    QVERIFY(kept + tail.mid(tailHeaderSize, 488895) == expected);
    bool cut = false;
    for (const IndexRecord &record : indexOf(launch.dir)) {
        QCOMPARE((record.flags & indexflag::cut) != 0, record.offset >= 100000);
        cut = cut || (record.flags & indexflag::cut);
    }
    QVERIFY(cut);
    QVERIFY(indexIsWhole(launch.dir, 588895));
}

void TstAgent::fullDisk()
{
    const std::string disk = m_home->filePath(QStringLiteral("disk")).toStdString();
    QCOMPARE(makeFolders(disk), 0);
    if (::mount("none", disk.c_str(), "tmpfs", 0, "size=2m") != 0) {
        QSKIP("A small disk to fill cannot be mounted here.");
    }
    QVERIFY(startAgent());
    QVERIFY(m_agent->ask<Done>(SampleRequest{100}));
    Launch launch = launchOf("x", "seq 1 500000; echo the end");
    launch.dir = disk + "/try";
    QVERIFY(m_agent->ask<Launched>(launch));
    const auto full = m_agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].diskFull;
    });
    const bool waits = full && !readExitRecord(launch.dir);
    // Room is made: it goes on, and nothing is missing.
    ::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=32m");
    const auto exited = m_agent->exited(launch.dir);
    const QByteArray output = outputOf(launch.dir);
    const QByteArray said = fileText(launch.dir, file::runtime);
    const quint64 size = quint64(output.size());
    const bool whole = exited && indexIsWhole(launch.dir, size);
    // A try that cannot even begin says so.
    ::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=4m");
    QFile filler(QString::fromStdString(disk + "/filler"));
    if (filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
        while (filler.write(QByteArray(4096, 'x')) == 4096) { }
    }
    Launch second = launchOf("y", "true");
    second.dir = disk + "/second";
    const auto refused = m_agent->ask<Launched>(second);
    m_agent.reset();
    QCOMPARE(::umount2(disk.c_str(), MNT_DETACH), 0);

    QVERIFY(waits);
    QVERIFY(exited);
    QCOMPARE(exited->exit.value, 0);
    QByteArray expected;
    for (int i = 1; i <= 500000; ++i) {
        expected += QByteArray::number(i) + '\n';
    }
    expected += "the end\n";
    QVERIFY(output == expected);
    QVERIFY(whole);
    QVERIFY(refused && refused->exit && refused->exit->kind == ExitKind::StartFailed);
    QVERIFY2(refused->exit->reason.starts_with("launch.disk-full"), refused->exit->reason.c_str());
}

void TstAgent::memoryLimit()
{
    QVERIFY(startAgent());
    Launch launch = launchOf("memory", "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
    launch.plan.limits.memoryBytes = 64 << 20;
    const std::int64_t id = m_agent->send(launch);
    const auto launched = m_agent->answer<Launched>(id);
    QVERIFY(launched && launched->started);
    const auto exited = m_agent->exited(launch.dir, 20000);
    QVERIFY(exited);
    if (launched->started->cgroup.empty()) {
        QSKIP("No cgroup can be made here: a memory limit is not enforced.");
    }
    QVERIFY(exited->exit.kind == ExitKind::Oom);
    QCOMPARE(exited->exit.reason, std::string("oom.limit"));
    QVERIFY(!QFile::exists(QString::fromStdString(launched->started->cgroup)));
}

void TstAgent::follow()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("followed", "echo one; read < fifo; echo two >&2; seq 1 100000");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_agent->ask<Launched>(launch));
    const std::int64_t id = m_agent->send(Follow{launch.dir, 1, 0, 0, 0, false}); // goes on after the first byte
    std::map<std::string, std::string> got;
    bool released = false, ended = false;
    while (!ended) {
        const auto chunk = m_agent->answer<Chunk>(id);
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
    const std::int64_t later = m_agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string text;
    for (bool over = false; !over;) {
        const auto chunk = m_agent->answer<Chunk>(later);
        QVERIFY(chunk);
        over = chunk->end;
        text += chunk->file == file::output ? chunk->bytes : "";
    }
    QVERIFY(text == outputOf(launch.dir).toStdString());
    const auto unknown = m_agent->ask<Failure>(Follow{folder("nothing"), 0, 0, 0, 0, false});
    QVERIFY(unknown && unknown->code == "follow.unknown");
}

void TstAgent::followKeepsCreditAndOrder()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("credit", "head -c 5000000 /dev/zero");
    QVERIFY(runToEnd(launch));
    const std::int64_t id = m_agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    const auto collect = [&](std::int64_t until) {
        std::int64_t got = 0;
        while (got < until) {
            const auto chunk = m_agent->answer<Chunk>(id);
            if (!chunk) {
                break;
            }
            got += std::int64_t(chunk->bytes.size());
        }
        return got;
    };
    QCOMPARE(collect(followCredit), followCredit);
    // No credit, no chunk: another request is answered, and nothing of the follow came before it.
    QVERIFY(m_agent->ask<PortsReply>(Ports{}));
    QVERIFY(!m_agent->wait([id](const Envelope &e) { return e.id == id; }, 0));
    m_agent->send(Credit{id, 100});
    QCOMPARE(collect(100), std::int64_t(100));
    m_agent->send(Credit{id, 10000000});
    std::int64_t rest = 0;
    for (bool over = false; !over;) {
        const auto chunk = m_agent->answer<Chunk>(id);
        QVERIFY(chunk);
        over = chunk->end;
        rest += chunk->file == file::output ? std::int64_t(chunk->bytes.size()) : 0;
    }
    QVERIFY(rest >= 5000000 - followCredit - 100);
}

void TstAgent::ports()
{
    QVERIFY(startAgent());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    Ports request;
    request.check = {server.serverPort()};
    request.draw = 20;
    request.first = 20000;
    request.last = 20100;
    request.exclude = {20000, 20001, 20002};
    const auto reply = m_agent->ask<PortsReply>(request);
    QVERIFY(reply);
    QVERIFY(reply->busy == request.check);
    QCOMPARE(reply->drawn.size(), std::size_t(20));
    for (const int port : reply->drawn) {
        QVERIFY(port >= 20003 && port <= 20100);
        QCOMPARE(std::count(reply->drawn.begin(), reply->drawn.end(), port), 1);
    }
    request.last = 20004;
    QVERIFY(m_agent->ask<PortsReply>(request)->drawn.size() <= 2);
    request.first = 15000;
    request.last = 0; // below the kernel's own range
    const auto low = m_agent->ask<PortsReply>(request);
    QVERIFY(low && low->drawn.size() == 20);
    for (const int port : low->drawn) {
        QVERIFY(port < m_agent->hello.ephemeralFirst);
    }
}

void TstAgent::put()
{
    QVERIFY(startAgent());
    const std::string path = m_home->filePath(QStringLiteral("a/b/program")).toStdString();
    std::string text(2500000, 'x');
    text[1234567] = 'y';
    std::int64_t last = 0;
    for (std::size_t at = 0; at < text.size(); at += 1000000) {
        const std::string piece = text.substr(at, 1000000);
        last = m_agent->send(Put{path, at, 0755, at + piece.size() == text.size()}, piece);
        QVERIFY(at > 0 || !QFile::exists(QString::fromStdString(path)));
    }
    QVERIFY(m_agent->answer<Done>(last));
    QVERIFY(readWhole(path, 1 << 24) == text);
    QVERIFY(QFileInfo(QString::fromStdString(path)).isExecutable());
    const auto refused = m_agent->ask<Failure>(Put{path + "/under/a/file", 0, 0600, true});
    QVERIFY(refused && refused->code == "put.failed" && refused->systemError == ENOTDIR);
    QVERIFY(m_agent->ask<Failure>(Put{"relative", 0, 0600, true}));
}

void TstAgent::inventoryAndSamples()
{
    m_agent->environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    QVERIFY(startAgent());
    const auto inventory = m_agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QVERIFY(inventory->cpus > 0 && inventory->memoryMiB > 100 && inventory->memoryUsedMiB > 0);
    QVERIFY(!inventory->kernel.empty());
    const Launch launch = launchOf("sampled", "echo 12345; read < fifo");
    QCOMPARE(makeFolders(launch.dir + "/work"), 0);
    QCOMPARE(::mkfifo((launch.dir + "/work/fifo").c_str(), 0600), 0);
    QVERIFY(m_agent->ask<Launched>(launch));
    QVERIFY(m_agent->ask<Done>(SampleRequest{100}));
    const auto grew = m_agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].dir == launch.dir
            && sample->tries[0].outputBytes == 6;
    });
    QVERIFY(grew);
    const auto withCpu = m_agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->cpuPercent >= 0 && sample->cpuPercent <= 100 && sample->memoryMiB > 0;
    });
    QVERIFY(withCpu);
    QVERIFY(m_agent->ask<Done>(SampleRequest{0}));
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_agent->ask<Observed>(stop));
    QVERIFY(m_agent->exited(launch.dir));
}

void TstAgent::fakeGpus()
{
    QCOMPARE(makeFolders(m_home->filePath(QStringLiteral("bin")).toStdString()), 0);
    QFile smi(m_home->filePath(QStringLiteral("bin/nvidia-smi")));
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
    m_agent->environment.insert(
        QStringLiteral("PATH"), m_home->filePath(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(startAgent());
    const auto inventory = m_agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QCOMPARE(inventory->gpus.size(), std::size_t(2));
    QCOMPARE(inventory->gpus[0].uuid, std::string("GPU-a"));
    QCOMPARE(inventory->gpus[0].utilPercent, -1);
    QVERIFY(!inventory->gpus[0].foreign);
    QVERIFY(inventory->gpus[1].foreign); // process 1 is no task of ours
    QCOMPARE(inventory->gpus[1].memoryMiB, std::int64_t(2048));
    QCOMPARE(inventory->gpus[1].powerWatt, 20.25);
    QVERIFY(m_agent->ask<Done>(SampleRequest{100}));
    const auto streamed = m_agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->gpus.size() == 2 && sample->gpus[0].memoryUsedMiB == 3
            && sample->gpus[0].utilPercent == 5;
    });
    QVERIFY(streamed); // and its end does no harm
}

void TstAgent::garbageOnTheWire()
{
    QVERIFY(startAgent());
    const Launch launch = launchOf("alive", "echo up; sleep 100013");
    QVERIFY(m_agent->ask<Launched>(launch));
    // A frame that is no message is answered; the connection goes on.
    m_agent->sendRaw(QByteArray::fromStdString(encodeFrame("{\"type\":\"dance\"}", "x").value()));
    const auto failure = m_agent->wait([](const Envelope &e) { return std::holds_alternative<Failure>(e.message); });
    QVERIFY(failure && std::get<Failure>(failure->message).code == "agent.not-understood");
    QVERIFY(m_agent->ask<PortsReply>(Ports{}));
    const auto malformed = m_agent->ask<Failure>(Launch{});
    QVERIFY(malformed && malformed->code == "launch.malformed");
    // Lengths beyond the limits end the agent, never a task.
    m_agent->sendRaw(QByteArray(100, '\xff'));
    m_agent->wait([](const Envelope &) { return false; }, 5000);
    QVERIFY(!m_agent->isRunning());
    m_agent = newAgent();
    QVERIFY(startAgent());
    const auto observed = m_agent->ask<Observed>(Observe{launch.dir});
    QVERIFY(observed && observed->state == "running");
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_agent->ask<Observed>(stop));
    QVERIFY(m_agent->exited(launch.dir));
}

#include "tst_agent.moc"
