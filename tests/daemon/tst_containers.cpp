// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks in real containers: a podman with an image of its own, no registry.
#include "tests/daemon/enginefixture.h"
#include "tests/daemon/hostprocess.h"
#include "tests/daemon/podman.h"
#include "tests/daemon/programsfixture.h"
#include "tests/daemon/sshhosts.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testprocesses.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>
#include <QProcess>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QUrl>

#include <signal.h>

#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray imageLine(const QByteArray &uri)
{
    return QByteArray("prerequisites:\n  - {protocolVersion: 2, name: image, type: dockerimage, uri: \"") + uri
        + "\"}\n";
}

QByteArray inPodman(const QByteArray &name, const QByteArray &roles, const QByteArray &more = {})
{
    QByteArray all = more;
    if (!all.contains("prerequisites:")) {
        all += imageLine(Podman::image().toUtf8());
    }
    all += "extras: {trainyard: {runIn: podman}}\n";
    return EngineFixture::document(name, roles, all);
}

QByteArray role(const QByteArrayList &commands, const QByteArray &more = {},
    const QByteArray &resources = "{cpu: 1, memoryMB: 64, gpu: 0}", int instances = 1)
{
    return EngineFixture::role("main", instances, commands, more, resources);
}

QStringList filesWith(const QString &folder, const QByteArray &word)
{
    QStringList found;
    QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString name = it.next();
        if (QFileInfo(name).isFile() && EngineFixture::contents(name).contains(word)) {
            found.append(name);
        }
    }
    return found;
}

} // namespace

class TstContainers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() { m_podman.reset(); }
    void init();
    void cleanup();

    void runsWithOutputAndEnvironment();
    void exits_data();
    void exits();
    void stopReachesEveryone();
    void stubbornIsKilled();
    void outOfMemory();
    void memoryOfAllProcesses();
    void whoIsLeftIsNamed();
    void monitorKilled_data();
    void monitorKilled();
    void imageMissing();
    void noShellInTheImage();
    void secretsAreNowhere();
    void steps();
    void agentIsKilled();
    void engineIsKilled();
    void keeperIsKilled();
    void forgedRecords_data();
    void forgedRecords();
    void forgedFolders();
    void heldOpen();
    void removedByHand();
    void pausesAndResumes();
    void onAnSshHost();
    void onlyWhereTheProgramIs();
    void sshBetweenContainers();
    void tensorboard();
    void inTheForeground();
    void storages();
    void refusesToWorkInASystemFolder();
    void whereItMayRun();
    void plans();
    void muchOutput();

private:
    std::unique_ptr<Podman> m_podman;
    std::unique_ptr<EngineFixture> m_fixture;

    QString logFolder(const QString &uuid) { return m_fixture->task(uuid, u"main"_s, 0).logFolder; }
    bool waitForOutput(const QString &uuid, const QByteArray &text);
    qint64 keeperOf(const QString &uuid);
    void killAgent() const;
    void waitForNewAgent();
};
TRAINYARD_TEST(TstContainers)

void TstContainers::initTestCase()
{
    m_podman = std::make_unique<Podman>();
    if (!m_podman->problem().isEmpty()) {
        QSKIP(qPrintable(m_podman->problem()));
    }
}

void TstContainers::init()
{
    m_fixture = std::make_unique<EngineFixture>();
    QVERIFY(m_fixture->open());
    QVERIFY(m_fixture->engine().hosts().first().runtimes.contains(u"podman"_s));
}

void TstContainers::cleanup()
{
    if (m_fixture) {
        m_fixture->close();
    }
    // Whatever a test did: no container of it is left, running or not.
    QTRY_VERIFY2_WITH_TIMEOUT(m_podman->containers().isEmpty(), qPrintable(m_podman->containers().join(u' ')), 10000);
    m_fixture.reset();
}

bool TstContainers::waitForOutput(const QString &uuid, const QByteArray &text)
{
    return QTest::qWaitFor([&] { return m_fixture->output(uuid, u"main"_s, 0).contains(text); }, 15000);
}

qint64 TstContainers::keeperOf(const QString &uuid)
{
    for (const QByteArray &line : EngineFixture::contents(logFolder(uuid) + u"/keeper"_s).split('\n')) {
        if (line.startsWith("pid ")) {
            return line.mid(4).toLongLong();
        }
    }
    return 0;
}

void TstContainers::killAgent() const
{
    for (const QByteArray &pid : EngineFixture::contents(u"/proc/self/task/%1/children"_s.arg(::getpid())).split(' ')) {
        if (EngineFixture::contents(u"/proc/%1/comm"_s.arg(QString::fromLatin1(pid))).startsWith("trainyard-agen")) {
            ::kill(pid.toInt(), SIGKILL);
        }
    }
}

void TstContainers::waitForNewAgent()
{
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().first().state != HostState::Online; }, 5000));
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().first().state == HostState::Online; }, 10000));
}

void TstContainers::runsWithOutputAndEnvironment()
{
    const QString uuid = m_fixture->submit(inPodman("plain",
        role({"echo out; sleep 0.2; echo err >&2; sleep 0.2; printf 'no newline'",
            "{ echo; pwd; env | sort; id -u; head -c 300 /proc/1/cmdline | tr '\\0' ' '; } > \"$PAI_WORK_DIR/seen\"",
            "ls / > \"$TRAINYARD_CHECKPOINT_DIR/root\"", "ls -l /proc/$$/fd > fds; cat <&0"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QVERIFY2(task.state == State::Succeeded, m_fixture->runtimeLog(uuid, u"main"_s, 0).constData());
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), QByteArray("out\nerr\nno newline"));
    const QByteArray index = EngineFixture::contents(task.logFolder + u"/output.idx"_s);
    QCOMPARE(index.size(), 3 * 24);
    QCOMPARE(int(index.at(20)), 1);
    QCOMPARE(int(index.at(24 + 20)), 2); // the second stretch came from the error stream
    const QByteArray seen = EngineFixture::contents(m_fixture->path(u"work/seen"_s));
    QVERIFY2(seen.contains(QByteArray("\n" + m_fixture->path(u"work"_s).toUtf8() + "\n")), seen.constData());
    QVERIFY2(seen.contains("PAI_TASK_INDEX=0\n") && seen.contains("\nTRAINYARD_TRY="), seen.constData());
    QVERIFY2(!seen.contains("CONTAINERS_CONF"), seen.constData()); // nothing of the host's environment
    const QByteArray root = EngineFixture::contents(m_fixture->path(u"state/runs/"_s) + uuid + u"/checkpoint/root"_s);
    QVERIFY2(root.contains("bin\n") && !root.contains("home"), root.constData());
    // No descriptor of ours reaches the program: input, two outputs, and the script as bash reads it.
    const QByteArray descriptors = EngineFixture::contents(m_fixture->path(u"work/fds"_s));
    QVERIFY2(descriptors.contains(" 0 -> /dev/null") && !descriptors.contains("pipes/in"), descriptors.constData());
    QVERIFY(!EngineFixture::contents(task.logFolder + u"/started"_s).contains("pid 0\n"));
    QTRY_VERIFY(!QFileInfo::exists(task.logFolder + u"/container"_s)); // the result is written down before
    QTRY_VERIFY(!QFileInfo::exists(task.logFolder + u"/pipes"_s));
}

void TstContainers::exits_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<int>("raw");
    QTest::newRow("seven") << QByteArray("exit 7") << 7;
    QTest::newRow("125, which is also podman's own") << QByteArray("exit 125") << 125;
    QTest::newRow("127") << QByteArray("no-such-program") << 127;
    QTest::newRow("segv") << QByteArray("kill -SEGV $$") << 139;
    QTest::newRow("own term") << QByteArray("kill -TERM $$") << 143;
}

void TstContainers::exits()
{
    QFETCH(QByteArray, command);
    QFETCH(int, raw);
    const QString uuid = m_fixture->submit(inPodman("exits", role({command})));
    QVERIFY(m_fixture->waitFor(
        uuid, [&](const JobSummary &) { return m_fixture->task(uuid, u"main"_s, 0, 0).rawExit.has_value(); }));
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0, 0).rawExit, std::optional<int>(raw));
    QVERIFY(m_fixture->engine().stop(uuid)); // what was killed from outside would be tried again
    QVERIFY(m_fixture->waitForEnd(uuid));
}

void TstContainers::stopReachesEveryone()
{
    m_fixture->close();
    m_fixture->setSettings({{u"stop.graceSeconds"_s, 8}});
    QVERIFY(m_fixture->open());
    const QString uuid = m_fixture->submit(inPodman("stop",
        role({"(trap 'echo sub; sleep 0.3; echo saved; exit' TERM; while :; do sleep 0.1; done) &\n"
              "setsid sh -c 'trap \"echo session; exit\" TERM; (setsid sleep 1000 &); while :; do sleep 0.1; done' &\n"
              "trap 'echo main' TERM\necho ready\nwhile ! wait; do :; done; sleep 1000"})));
    QVERIFY(waitForOutput(uuid, "ready\n"));
    QElapsedTimer clock;
    clock.start();
    QVERIFY(m_fixture->engine().stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    const QByteArray log = m_fixture->output(uuid, u"main"_s, 0);
    for (const char *word : {"sub\n", "saved\n", "session\n", "main\n"}) {
        QVERIFY2(log.contains(word), log.constData());
    }
}

void TstContainers::stubbornIsKilled()
{
    const QString uuid = m_fixture->submit(
        inPodman("stubborn", role({"trap '' TERM; (setsid sleep 1000 &); echo ready; while :; do sleep 1; done"})));
    QVERIFY(waitForOutput(uuid, "ready\n"));
    QVERIFY(m_fixture->engine().stop(uuid)); // grace: 2 s
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(137));
}

void TstContainers::outOfMemory()
{
    QByteArray said;
    m_podman->run(
        {u"run"_s, u"--rm"_s, u"--memory"_s, u"32m"_s, u"--memory-swap"_s, u"32m"_s, Podman::image(), u"bash"_s,
            u"-c"_s, u"x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; [[ ${#x} -lt 200000000 ]] || exit 0; done"_s},
        &said);
    if (!said.isEmpty() && said.contains("cgroup")) {
        QSKIP("podman can make no cgroup with the memory controller: run it as root, where /sys/fs/cgroup may be "
              "written.");
    }
    const QString uuid = m_fixture->submit(inPodman(
        "hungry", role({"x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done"}, {}, "{cpu: 1, memoryMB: 32, gpu: 0}")));
    QVERIFY(m_fixture->waitForEnd(uuid));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QCOMPARE(task.exitCode, std::optional<int>(-1200));
    QCOMPARE(task.reason, u"exit.oom"_s);
    QCOMPARE(m_fixture->job(uuid).retries, 0); // would need as much again
}

// The container program takes some, too: that is not the task's.
void TstContainers::memoryOfAllProcesses()
{
    const QString small = m_fixture->submit(inPodman("small", role({"sleep 1"})));
    const QByteArray mark = "LARGE" + QByteArray::number(::getpid());
    const QString large = m_fixture->submit(inPodman("large",
        role({"export MARK=" + mark,
                 "for i in 1 2 3; do (head -c 60000000 /dev/zero; until [ -e go ]; do sleep 0.1; done) | "
                 "tail -c 60000000 > /dev/null & done; wait"},
            {}, "{cpu: 1, memoryMB: 512, gpu: 0}")));
    QVERIFY(m_fixture->waitForEnd(small, 30000));
    KeeperLooks looks(keeperOf(large), mark);
    constexpr qint64 each = 60000000 / 1024;
    QTRY_VERIFY_WITH_TIMEOUT(looks.hasSeen(3, each), 60000);
    QFile go(m_fixture->path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(large, 30000));
    QCOMPARE(m_fixture->job(large).state, State::Succeeded);
    const auto peak = [&](const QString &uuid) {
        return int(m_fixture->task(uuid, u"main"_s, 0).usage.peakMemoryMiB.value_or(-1));
    };
    QVERIFY2(peak(small) > 0 && peak(small) < 15, QByteArray::number(peak(small)).constData());
    // What the three hold is theirs alone; the shells beside them take a little. Less than a fourth one would.
    QVERIFY2(peak(large) >= 3 * each / 1024, QByteArray::number(peak(large)).constData());
    QVERIFY2(peak(large) < 4 * each / 1024, QByteArray::number(peak(large)).constData());
}

// A process that no signal ends, as one that waits for a dead disk: its container cannot end either.
void TstContainers::whoIsLeftIsNamed()
{
    // What is mounted into the container answers, or it would not start; the dead disk is below it.
    const QString mounted = m_fixture->path(u"disks"_s);
    QVERIFY(QDir().mkpath(mounted));
    StuckFolder disk(mounted + u"/dead"_s);
    if (!disk.problem().isEmpty()) {
        QSKIP(qPrintable(disk.problem()));
    }
    const QByteArray file = QString(mounted + u"/dead/file"_s).toUtf8();
    QVERIFY(m_fixture->engine().setSetting(u"containers.mounts"_s, QJsonArray{mounted}));
    const auto restore = qScopeGuard([this] { m_fixture->engine().setSetting(u"containers.mounts"_s, QJsonArray()); });
    const QString uuid = m_fixture->submit(inPodman("stuck", role({"cat " + file + " &", "echo ready", "wait"})));
    QVERIFY(waitForOutput(uuid, "ready\n"));
    QTRY_COMPARE(disk.waiting(), 1);
    const QList<qint64> stuck = processesWith("cat" + QByteArray(1, '\0') + file);
    QCOMPARE(stuck.size(), 1);
    const QString folder = logFolder(uuid);
    QVERIFY(m_fixture->engine().stop(uuid)); // grace: 2 s
    QVERIFY(m_fixture->waitForEnd(uuid, 40000));
    QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"left.processes"_s);
    QCOMPARE(task.reasonArgs.value(u"processes"_s).toString(), QString::number(stuck.first()) + u" cat"_s);
    // As soon as it can be ended, it is.
    disk.release();
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 30000);
}

void TstContainers::monitorKilled_data()
{
    QTest::addColumn<bool>("isStopped");
    QTest::newRow("then its task ends") << false;
    QTest::newRow("then the job is stopped") << true;
}

// podman itself waits for ever for a container whose conmon was killed.
void TstContainers::monitorKilled()
{
    QFETCH(bool, isStopped);
    const QString uuid = m_fixture->submit(
        inPodman("watched", role({"echo ready", "until [ -e watched-go ]; do sleep 0.1; done", "exit 3"})));
    QVERIFY(waitForOutput(uuid, "ready\n"));
    QFile go(m_fixture->path(u"work/watched-go"_s));
    const auto remove = qScopeGuard([&] { go.remove(); });
    QTRY_COMPARE_WITH_TIMEOUT(m_podman->containers().size(), 1, 30000); // that of the test before is removed
    const QStringList names = m_podman->containers();
    int killed = 0;
    const QList<qint64> pids = processesWith(names.constFirst().toUtf8());
    for (const qint64 pid : pids) {
        if (EngineFixture::contents(u"/proc/%1/comm"_s.arg(pid)).trimmed() == "conmon") {
            killed += ::kill(pid_t(pid), SIGKILL) == 0 ? 1 : 0;
        }
    }
    QCOMPARE(killed, 1);
    if (isStopped) {
        QVERIFY(m_fixture->engine().stop(uuid));
    } else {
        QVERIFY(go.open(QIODevice::WriteOnly));
    }
    QVERIFY(m_fixture->waitForEnd(uuid, 40000));
    QCOMPARE(m_fixture->job(uuid).state, isStopped ? State::Stopped : State::Failed);
    if (!isStopped) {
        QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(3));
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 30000);
}

void TstContainers::imageMissing()
{
    const QString uuid = m_fixture->submit(inPodman("missing", role({"true"}), imageLine("localhost/not/there:1")));
    QVERIFY(m_fixture->waitFor(
        uuid, [&](const JobSummary &) { return m_fixture->task(uuid, u"main"_s, 0, 0).exitCode.has_value(); }));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0, 0);
    // Nobody answers at that registry, which may be better soon: it is tried again.
    QCOMPARE(task.reason, u"launch.pull-failed"_s);
    QVERIFY2(task.reasonArgs.value(u"detail").toString().contains(u"connection refused"_s),
        qPrintable(task.reasonArgs.value(u"detail").toString()));
    const QByteArray log = EngineFixture::contents(task.logFolder + u"/runtime.log"_s);
    QVERIFY2(log.contains("Fetching the image localhost/not/there:1 with podman") && log.contains("podman: "),
        log.constData());
    QVERIFY(m_fixture->engine().stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid));
}

void TstContainers::noShellInTheImage()
{
    QCOMPARE(m_podman->run({u"import"_s, u"-q"_s, u"/dev/null"_s, u"localhost/empty:1"_s}), 0);
    const QString uuid = m_fixture->submit(inPodman("shell", role({"true"}), imageLine("localhost/empty:1")));
    QVERIFY(m_fixture->waitForEnd(uuid));
    const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
    QCOMPARE(task.reason, u"launch.container-shell-missing"_s);
    QCOMPARE(task.exitCode, std::optional<int>(-1203));
}

void TstContainers::secretsAreNowhere()
{
    const QByteArray secret = QByteArray("s3cr3t-") + QByteArray::number(qulonglong(::getpid()) * 7919 + 1000003);
    const QByteArray yaml = inPodman("secret",
        role({"v='<% $secrets.key %>'; printf %s \"${v:0:6}\"; sleep 0.5; echo \"${v:6}\"; echo \"length ${#v}\"",
            "echo ready; while [[ ! -e go ]]; do sleep 0.1; done"}),
        "secrets: {key: \"******\"}\n");
    SubmitRequest request;
    request.secrets.insert(u"key"_s, QString::fromLatin1(secret));
    const QString uuid = m_fixture->submit(yaml, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(waitForOutput(uuid, "ready\n"));
    // While it runs: not in what podman knows, and in no argument or environment of any process.
    QByteArray known;
    const QStringList names = m_podman->containers();
    QCOMPARE(names.size(), 1);
    QCOMPARE(m_podman->run({u"inspect"_s, names.first()}, &known), 0);
    QVERIFY(known.contains(names.first().toUtf8()) && !known.contains(secret));
    QCOMPARE(processesWith(secret), QList<qint64>());
    QFile go(m_fixture->path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(uuid));
    const QByteArray log = m_fixture->output(uuid, u"main"_s, 0);
    QVERIFY2(log.contains("******") && log.contains(QByteArray("length " + QByteArray::number(secret.size()))),
        log.constData());
    m_fixture->close();
    QCOMPARE(filesWith(m_fixture->path({}), secret), QStringList());
    QCOMPARE(filesWith(m_podman->folder(), secret), QStringList());
}

void TstContainers::steps()
{
    const QByteArray yaml = inPodman("steps", role({"echo user $FROM_STEP"}, "    prerequisites: [prepare]\n"),
        "prerequisites:\n"
        "  - {protocolVersion: 2, name: image, type: dockerimage, uri: \""
            + Podman::image().toUtf8()
            + "\"}\n"
              "  - name: prepare\n    protocolVersion: 2\n    type: script\n"
              "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n"
              "      - {event: taskStarts, commands: [\"echo preparing; export FROM_STEP=carried\"]}\n"
              "      - {event: taskSucceeds, commands: [\"echo afterwards; exit 3\"]}\n");
    const QString uuid = m_fixture->submit(yaml);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), QByteArray("preparing\nuser carried\nafterwards\n"));
    const QByteArray runtime = m_fixture->runtimeLog(uuid, u"main"_s, 0);
    qsizetype last = -1;
    for (const char *line : {"[trainyard] [INFO] before begins: prepare\n", "[openpai-runtime] preparing\n",
             "[openpai-runtime] [INFO] USER COMMAND START\n", "[openpai-runtime] [INFO] USER COMMAND END\n",
             "[openpai-runtime] afterwards\n", "[trainyard] [ERROR] STEP FAILED after 3 prepare\n"}) {
        const qsizetype at = runtime.indexOf(line);
        QVERIFY2(at > last, QByteArray(line + runtime).constData());
        last = at;
    }
    QVERIFY2(!runtime.contains("user carried"), runtime.constData());
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).reason, u"exit.step-after"_s);
}

void TstContainers::agentIsKilled()
{
    const QString uuid
        = m_fixture->submit(inPodman("agents", role({"for i in $(seq 150); do echo $i; sleep 0.02; done", "exit 9"})));
    QVERIFY(waitForOutput(uuid, "1\n"));
    for (int round = 0; round < 2; ++round) {
        killAgent();
        waitForNewAgent();
    }
    QVERIFY(m_fixture->waitForEnd(uuid));
    QByteArray wanted;
    for (int i = 1; i <= 150; ++i) {
        wanted += QByteArray::number(i) + '\n';
    }
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), wanted);
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(9));
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).tries, 0);
}

void TstContainers::engineIsKilled()
{
    m_fixture->close();
    const QString file = m_fixture->path(u"work/numbers.yaml"_s);
    QFile opened(file);
    const QByteArray yaml = inPodman(
        "numbers", role({"echo begun >> begun", "for i in $(seq 120); do echo $i; sleep 0.02; done", "exit 4"}));
    QVERIFY(opened.open(QIODevice::WriteOnly) && opened.write(yaml) == yaml.size());
    opened.close();
    QString uuid;
    // Once in the middle of the start, once in the middle of the run with its agent.
    for (int round = 0; round < 3; ++round) {
        HostProcess host(m_fixture->options());
        QVERIFY(host.waitFor("ready"));
        if (uuid.isEmpty()) {
            uuid = host.submit(file);
            QVERIFY2(QUuid::fromString(uuid) != QUuid(), qPrintable(uuid));
            const QString folder = m_fixture->path(u"state/runs/"_s) + uuid + u"/0/main-0/0"_s;
            QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(folder + u"/plan.json"_s); }, 10000));
        } else {
            const QString log = m_fixture->path(u"state/runs/"_s) + uuid + u"/0/main-0/0/output.log"_s;
            const qint64 before = QFileInfo(log).size();
            QVERIFY(QTest::qWaitFor([&] { return QFileInfo(log).size() > before; }, 10000));
        }
        if (round > 0) {
            for (const qint64 pid : host.children()) {
                ::kill(pid_t(pid), SIGKILL);
            }
        }
        host.kill();
    }
    QVERIFY(m_fixture->open());
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    QByteArray wanted;
    for (int i = 1; i <= 120; ++i) {
        wanted += QByteArray::number(i) + '\n';
    }
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), wanted);
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
    QCOMPARE(EngineFixture::contents(m_fixture->path(u"work/begun"_s)), QByteArray("begun\n"));
}

void TstContainers::keeperIsKilled()
{
    const QByteArray nap = QByteArray::number(qint64(::getpid()) * 1000 + 100000000007);
    const QString uuid = m_fixture->submit(inPodman("keeper",
        role({"echo first; (setsid sleep " + nap + " &); [[ -e again ]] || { touch again; sleep " + nap
            + "; }; sleep 0.1"})));
    QVERIFY(waitForOutput(uuid, "first\n"));
    QTRY_VERIFY(!processesWith(nap).isEmpty());
    const QString folder = logFolder(uuid);
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(m_fixture->path(u"work/again"_s)); }, 5000));
    QCOMPARE(::kill(pid_t(keeperOf(uuid)), SIGKILL), 0);
    // What was lost is cleaned up, said, and run again.
    QVERIFY(m_fixture->waitForEnd(uuid, 25000));
    QVERIFY(EngineFixture::contents(folder + u"/exit"_s).startsWith("kind lost\n"));
    QCOMPARE(EngineFixture::contents(folder + u"/output.log"_s), QByteArray("first\n"));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
    QCOMPARE(m_fixture->job(uuid).retries, 1);
    QTRY_COMPARE(processesWith(nap), QList<qint64>());
}

void TstContainers::forgedRecords_data()
{
    QTest::addColumn<QByteArray>("forgery");
    QTest::addColumn<bool>("keeperDies");
    const QByteArray process = "host h\\nbootId $(</proc/sys/kernel/random/boot_id)\\npid $VICTIM\\nstartTime $BORN\\n";
    const QByteArray keepers = "printf \"" + process + "try $TRAINYARD_TRY\\nat 1\\nend\\n\" > keeper; printf \""
        + process + "keeperPid $VICTIM\\ntry $TRAINYARD_TRY\\nat 1\\nend\\n\" > started";
    const QByteArray end = "printf 'kind exited\\nvalue 0\\nbegan 1\\nended 2\\nend\\n' > exit";
    const QByteArray container = "printf 'runtime podman\\nname trainyard-01234567-89ab-cdef-0123-456789abcdef\\n"
                                 "image x\\nend\\n' | tee container > ../0.container";
    QTest::newRow("its keeper") << keepers << false;
    QTest::newRow("its keeper, which dies") << keepers << true;
    QTest::newRow("its end") << end << false;
    QTest::newRow("its end; its keeper dies") << end << true;
    QTest::newRow("its container") << container << false;
    QTest::newRow("its container; its keeper dies") << container << true;
    QTest::newRow("out of memory") << QByteArray(": > oom") << false;
    QTest::newRow("without a lock") << QByteArray("rm -f keeper.lock") << false;
    QTest::newRow("without any record") << QByteArray("rm -f keeper started plan.json keeper.lock") << true;
}

// A task in a container is not believed what it says about itself: an agent that comes back after it signals, reports
// and removes what is truly there.
void TstContainers::forgedRecords()
{
    QFETCH(QByteArray, forgery);
    QFETCH(bool, keeperDies);
    QProcess victim;
    victim.start(u"sleep"_s, {u"1000"_s});
    QVERIFY(victim.waitForStarted());
    const auto end = qScopeGuard([&] {
        victim.kill();
        victim.waitForFinished();
    });
    QByteArray stat = EngineFixture::contents(u"/proc/%1/stat"_s.arg(victim.processId()));
    stat = stat.mid(stat.lastIndexOf(')') + 2);
    QFile::remove(m_fixture->path(u"work/again"_s));
    const QString uuid = m_fixture->submit(inPodman("forger",
        role({"if [ -e again ]; then exit 0; fi", "touch again", "VICTIM=" + QByteArray::number(victim.processId()),
            "BORN=" + stat.split(' ').at(19),
            "for dir in \"$TRAINYARD_TASK_FOLDER\" \"${TRAINYARD_TASK_FOLDER%/*}\"; do",
            "(cd \"$dir\"; " + forgery + ") 2>/dev/null || :", "done", "trap 'echo saved; exit 5' TERM", "echo forged",
            "while :; do sleep 0.05; done"})));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    const qint64 keeper = [&] {
        qint64 pid = 0;
        return QTest::qWaitFor([&] { return (pid = keeperOf(uuid)) > 0; }, 15000) ? pid : 0;
    }();
    QVERIFY(keeper > 0 && keeper != victim.processId());
    QVERIFY(waitForOutput(uuid, "forged\n"));
    const QString folder = logFolder(uuid);
    killAgent();
    if (keeperDies) {
        QCOMPARE(::kill(pid_t(keeper), SIGKILL), 0);
    }
    waitForNewAgent();
    if (keeperDies) { // what was lost is tried again, and the container does not stay
        QVERIFY(m_fixture->waitForEnd(uuid, 25000));
        QVERIFY2(EngineFixture::contents(folder + u"/exit"_s).startsWith("kind lost\n"),
            EngineFixture::contents(folder + u"/exit"_s).constData());
        QCOMPARE(m_fixture->job(uuid).retries, 1);
        QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
    } else {
        QVERIFY(m_fixture->engine().stop(uuid));
        QVERIFY(m_fixture->waitForEnd(uuid));
        QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
        QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(5));
        QVERIFY(m_fixture->output(uuid, u"main"_s, 0).contains("\nsaved\n"));
    }
    QCOMPARE(victim.state(), QProcess::Running);
}

// Links in place of folders lead the keeper nowhere, and what it has to take away is taken away.
void TstContainers::forgedFolders()
{
    const QString elsewhere = m_fixture->path(u"elsewhere"_s);
    QVERIFY(QDir().mkpath(elsewhere));
    const QStringList names{u"in"_s, u"out"_s, u"err"_s, u"main"_s, u"boss"_s, u"key"_s, u"oom"_s};
    for (const QString &name : names) {
        QVERIFY(QFile(elsewhere + u'/' + name).open(QIODevice::WriteOnly));
    }
    const QByteArray target = elsewhere.toUtf8();
    const QString linked = m_fixture->submit(inPodman("linked",
        role({"for dir in \"$TRAINYARD_TASK_FOLDER\" \"${TRAINYARD_TASK_FOLDER%/*}\"; do", "cd \"$dir\"",
            "for name in pipes ssh work inside; do rm -rf $name 2>/dev/null || :; ln -s " + target
                + " $name 2>/dev/null || :; done",
            "done", "echo linked"})));
    const QString keyed = m_fixture->submit(inPodman("keyed",
        role({"mkdir \"$TRAINYARD_TASK_FOLDER/ssh\"", "cd \"$TRAINYARD_TASK_FOLDER/ssh\"", "echo k > key",
            "echo c > config"})));
    QVERIFY(m_fixture->waitForEnd(linked));
    QCOMPARE(m_fixture->output(linked, u"main"_s, 0), QByteArray("linked\n"));
    QVERIFY(m_fixture->waitForEnd(keyed));
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000); // the keepers have done all they do
    QCOMPARE(QDir(elsewhere).entryList(QDir::Files).size(), names.size());
    QCOMPARE(filesWith(logFolder(keyed), "k\n"), QStringList());
    QCOMPARE(EngineFixture::contents(logFolder(keyed) + u"/inside/ssh/config"_s), QByteArray("c\n"));
}

// The end of the wait reaches the task although its folder is only partly in the container.
void TstContainers::heldOpen()
{
    const QString uuid = m_fixture->submit(EngineFixture::document("held", role({"exit 4"}),
        imageLine(Podman::image().toUtf8()) + "extras: {trainyard: {runIn: podman, holdAfterFailureMinutes: 5}}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(waitForOutput(uuid, "The task is held open"));
    QTRY_VERIFY(m_fixture->engine().release(uuid, {u"main/0"_s}).value_or(false));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->task(uuid, u"main"_s, 0).rawExit, std::optional<int>(4));
}

void TstContainers::removedByHand()
{
    const QString uuid
        = m_fixture->submit(inPodman("gone", role({"echo first; [[ -e again ]] || { touch again; sleep 1000; }"})));
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(m_fixture->path(u"work/again"_s)); }, 15000));
    const QString folder = logFolder(uuid);
    const QStringList names = m_podman->containers();
    QCOMPARE(names.size(), 1);
    QCOMPARE(m_podman->run({u"rm"_s, u"-f"_s, u"-t"_s, u"0"_s, names.first()}), 0);
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(folder + u"/exit"_s); }, 15000));
    const QByteArray exit = EngineFixture::contents(folder + u"/exit"_s);
    // Either nobody saw its end, or it was seen as the kill that it was.
    QVERIFY2(exit.startsWith("kind lost\n") || exit.contains("value 137\n"), exit.constData());
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
}

// The program and all that it started stand still, and nobody else: the container and the keeper go on, so that a stop
// or a resume finds them.
void TstContainers::pausesAndResumes()
{
    const QByteArray mark = "pause" + QByteArray::number(::getpid());
    const QString uuid = m_fixture->submit(inPodman("paused",
        role({"trap 'echo saved; exit 3' TERM",
            "setsid sh -c 'while :; do echo other; sleep 0.05; done #" + mark + "' &",
            "while :; do echo main; sleep 0.05; done #" + mark})));
    QVERIFY(waitForOutput(uuid, "other\n"));
    const auto states = [&] {
        QByteArray letters;
        for (const qint64 pid : processesWith(mark)) {
            const QByteArray stat = EngineFixture::contents(u"/proc/%1/stat"_s.arg(pid));
            letters += stat.mid(stat.lastIndexOf(')') + 2, 1);
        }
        return letters;
    };
    const auto allStopped = [&] {
        const QByteArray letters = states();
        return letters.size() >= 1 && letters.count('T') == letters.size();
    };
    QVERIFY(m_fixture->engine().pause(uuid, true).value_or(false));
    QTRY_VERIFY2_WITH_TIMEOUT(allStopped(), states().constData(), 10000);
    const qint64 size = m_fixture->output(uuid, u"main"_s, 0).size();
    const QByteArray keeper = EngineFixture::contents(u"/proc/%1/stat"_s.arg(keeperOf(uuid)));
    QVERIFY(!keeper.isEmpty() && keeper.at(keeper.lastIndexOf(')') + 2) != 'T');
    QByteArray known;
    QCOMPARE(
        m_podman->run({u"inspect"_s, u"--format"_s, u"{{.State.Status}}"_s, m_podman->containers().first()}, &known),
        0);
    QCOMPARE(known.trimmed(), "running");
    QVERIFY(allStopped());
    QVERIFY(m_fixture->output(uuid, u"main"_s, 0).size() - size < 64); // what was on its way
    QVERIFY(m_fixture->engine().pause(uuid, false).value_or(false));
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->output(uuid, u"main"_s, 0).size() > size + 200, 10000);
    // Changing one's mind faster than podman can: the last word counts.
    for (int i = 0; i < 4; ++i) {
        QVERIFY(m_fixture->engine().pause(uuid, true).value_or(false));
        QVERIFY(m_fixture->engine().pause(uuid, false).value_or(false));
    }
    QVERIFY(m_fixture->engine().pause(uuid, true).value_or(false));
    QTRY_VERIFY2_WITH_TIMEOUT(allStopped(), states().constData(), 10000);
    // A stop wakes them first: they can save what they have.
    QVERIFY(m_fixture->engine().stop(uuid));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    QVERIFY2(m_fixture->output(uuid, u"main"_s, 0).contains("saved\n"),
        m_fixture->output(uuid, u"main"_s, 0).right(200).constData());
}

void TstContainers::onAnSshHost()
{
    const SshHosts hosts(1);
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    const Result<HostInfo> added = m_fixture->engine().addHost(hosts.name(0));
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().last().state == HostState::Online; }, 15000));
    QVERIFY(m_fixture->engine().hosts().last().runtimes.contains(u"podman"_s));
    SubmitRequest request;
    request.target = added->id;
    const QString uuid = m_fixture->submit(
        inPodman("far",
            role({"echo far away", "echo error >&2", "head -c 200 /proc/1/cmdline | tr '\\0' ' ' > seen",
                     "echo kept > \"$TRAINYARD_CHECKPOINT_DIR/kept\"", "exit 6"},
                "    completion: {minFailedInstances: -1}\n")),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QVERIFY2(m_fixture->task(uuid, u"main"_s, 0).rawExit == std::optional<int>(6),
        m_fixture->runtimeLog(uuid, u"main"_s, 0).constData());
    QCOMPARE(m_fixture->job(uuid).hosts, QStringList{added->id});
    const QByteArray log = m_fixture->output(uuid, u"main"_s, 0);
    QVERIFY2(log.contains("far away\n") && log.contains("error\n"), log.constData());
    QVERIFY(!filesWith(hosts.home(0) + u"/state"_s, "kept\n").isEmpty()); // on that host
    QVERIFY(!m_fixture->task(uuid, u"main"_s, 0).logFolder.startsWith(hosts.home(0))); // the mirror is here
    // A stop goes the same way, and leaves nothing (cleanup() looks).
    const QString endless = m_fixture->submit(inPodman("endless", role({"echo ready", "sleep 1000"})), request);
    QVERIFY(waitForOutput(endless, "ready\n"));
    QVERIFY(m_fixture->engine().stop(endless));
    QVERIFY(m_fixture->waitForEnd(endless));
    QCOMPARE(m_fixture->job(endless).state, State::Stopped);
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000);
    m_fixture->close();
}

// One host has the container program, the other has none.
void TstContainers::onlyWhereTheProgramIs()
{
    const SshHosts hosts(1, {QStandardPaths::findExecutable(u"podman"_s)});
    if (!hosts.problem().isEmpty()) {
        QSKIP(qPrintable(u"No ssh hosts: "_s + hosts.problem()));
    }
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    const auto restore = qScopeGuard([] { qunsetenv("TRAINYARD_SSH_CONFIG"); });
    Engine &engine = m_fixture->engine();
    const Result<HostInfo> added = engine.addHost(hosts.name(0));
    QVERIFY(added);
    QVERIFY(QTest::qWaitFor([&] { return engine.hosts().last().state == HostState::Online; }, 15000));
    QVERIFY(!engine.hosts().last().runtimes.contains(u"podman"_s));
    SubmitRequest there, here;
    there.target = added->id;
    here.target = engine.hosts().first().id;
    QVERIFY(m_fixture->submit(inPodman("refused", role({"true"})), there).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.runtime-missing"_s);
    QCOMPARE(m_fixture->error().args.value(u"host"_s).toString(), engine.hosts().last().label);
    // With no room here it waits, though the other has some: which whoever needs no container gets.
    const QByteArray most
        = "{cpu: 1, memoryMB: " + QByteArray::number(engine.hosts().first().memoryMiB * 6 / 10) + ", gpu: 0}";
    const QString first = m_fixture->submit(
        EngineFixture::document("first", role({"until [ -e go ]; do sleep 0.05; done"}, {}, most)), here);
    QVERIFY(m_fixture->waitFor(first, [](const JobSummary &job) { return job.state == State::Running; }));
    const QString boxed = m_fixture->submit(inPodman("boxed", role({"ls / > root"}, {}, most)));
    QVERIFY2(!boxed.isEmpty(), qPrintable(m_fixture->error().code));
    SubmitRequest anywhere; // its work folder is here
    anywhere.target = u"any"_s;
    const QString plain = m_fixture->submit(EngineFixture::document("plain", role({"true"}, {}, most)), anywhere);
    QVERIFY(m_fixture->waitForEnd(plain));
    QCOMPARE(m_fixture->job(plain).hosts, QStringList{added->id});
    QCOMPARE(m_fixture->job(boxed).state, State::Waiting);
    QFile go(m_fixture->path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(boxed));
    QCOMPARE(m_fixture->job(boxed).state, State::Succeeded);
    QCOMPARE(m_fixture->job(boxed).hosts, QStringList{here.target});
    m_fixture->close();
}

// The ssh plugin with the sshd of the image: a task is root in it, whoever it is outside.
void TstContainers::sshBetweenContainers()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty() || !m_podman->makeSshImage()) {
        QSKIP("There is no sshd: install the package openssh-server.");
    }
    const QByteArray plugin
        = "  com.microsoft.pai.runtimeplugin:\n"
          "    - {plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}\n";
    const QByteArray yaml = EngineFixture::document("meet",
        role({"if [ $PAI_TASK_INDEX = 0 ]; then",
                 "  ssh main-1 'echo \"at $PAI_TASK_INDEX in $(pwd)\"; ls /' && touch done", "else",
                 "  until [ -e done ]; do sleep 0.05; done", "fi"},
            {}, "{cpu: 1, memoryMB: 64, gpu: 0}", 2),
        imageLine(Podman::sshImage().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n" + plugin);
    const QString uuid = m_fixture->submit(yaml);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid, 40000));
    const QByteArray out = m_fixture->output(uuid, u"main"_s, 0);
    QVERIFY2(m_fixture->job(uuid).state == State::Succeeded,
        QByteArray(out + m_fixture->runtimeLog(uuid, u"main"_s, 0)).constData());
    QVERIFY2(out.contains(QByteArray("at 1 in " + m_fixture->path(u"work"_s).toUtf8() + "\n")), out.constData());
    QVERIFY2(out.contains("sys\n") && !out.contains("home\n"), out.constData()); // the image's root, not the host's
    // In an image without sshd it is said, and nobody waits for what cannot come.
    const QString without = m_fixture->submit(EngineFixture::document("alone", role({"echo began"}),
        imageLine(Podman::image().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n" + plugin));
    QVERIFY(m_fixture->waitForEnd(without));
    QCOMPARE(m_fixture->task(without, u"main"_s, 0).reason, u"exit.ssh-no-sshd"_s);
    QVERIFY(!m_fixture->output(without, u"main"_s, 0).contains("began"));
}

// The image's TensorBoard (here a program that answers at its port) is reached from outside, and ends with the task.
void TstContainers::tensorboard()
{
    const auto job = [](const QByteArrayList &preCommands, const QByteArrayList &commands) {
        QByteArray pre;
        for (const QByteArray &command : preCommands) {
            pre += "\n            - " + command;
        }
        return EngineFixture::document("board", role(commands),
            imageLine(Podman::image().toUtf8())
                + "extras:\n  trainyard: {runIn: podman}\n  com.microsoft.pai.runtimeplugin:\n"
                + (pre.isEmpty() ? QByteArray()
                                 : "    - plugin: cmd\n      parameters:\n        preCommands:" + pre + '\n')
                + "    - {plugin: tensorboard, parameters: {logdir: {a: runs/a}}}\n");
    };
    const QString uuid
        = m_fixture->submit(job({"\"printf '%s\\\\n' '#!/bin/sh' 'while [ $1 != --port ]; do shift; done' "
                                 "'exec busybox nc -ll -p $2 -e cat' > /bin/tensorboard\"",
                                    "chmod +x /bin/tensorboard"},
            {"echo trains", "until [ -e seen ]; do sleep 0.05; done"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(waitForOutput(uuid, "trains\n"));
    QString address;
    QTRY_VERIFY2_WITH_TIMEOUT(
        [&] {
            const QList<ServiceInfo> services = m_fixture->engine().job(uuid)->services;
            address = services.isEmpty() ? QString() : services.first().address;
            return !address.isEmpty();
        }(),
        m_fixture->runtimeLog(uuid, u"main"_s, 0).constData(), 15000);
    const QUrl url(address);
    QTcpSocket socket;
    socket.connectToHost(url.host(), quint16(url.port()));
    QVERIFY2(socket.waitForConnected(5000), qPrintable(address));
    socket.write("hello\n");
    QVERIFY(socket.waitForReadyRead(5000));
    QCOMPARE(socket.readAll(), "hello\n");
    socket.close();
    QFile seen(m_fixture->path(u"work/seen"_s));
    QVERIFY(seen.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
    // An image without one trains all the same.
    const QString without = m_fixture->submit(job({}, {"echo trains"}));
    QVERIFY(m_fixture->waitForEnd(without));
    QCOMPARE(m_fixture->job(without).state, State::Succeeded);
    QVERIFY(m_fixture->output(without, u"main"_s, 0).contains("No TensorBoard"));
}

void TstContainers::inTheForeground()
{
    m_fixture->close();
    ProgramsFixture f;
    const QByteArray yaml = EngineFixture::document(
        "front", role({"echo in front", "ls / > root", "exit 5"}), imageLine(Podman::image().toUtf8()));
    const QString file = f.write(u"work/front.yaml"_s, yaml);
    const auto run = f.ctl({u"run"_s, u"--foreground"_s, u"--in"_s, u"podman"_s, file});
    QVERIFY2(run.status == 5 && run.out.contains("in front\n"), QByteArray(run.out + run.err).constData());
    QVERIFY(!EngineFixture::contents(f.path(u"work/root"_s)).contains("home")); // it was the image's
    QVERIFY(f.pidsOf(u"trainyardd"_s).isEmpty());
    // Ctrl+C stops the container, too.
    const QString endless = f.write(u"work/endless.yaml"_s,
        EngineFixture::document("endless",
            role({"trap 'echo saved > saved; exit' TERM", "echo ready > ready", "while :; do sleep 0.1; done"}),
            imageLine(Podman::image().toUtf8())));
    const auto process = f.startCtl({u"run"_s, u"--foreground"_s, u"--in"_s, u"podman"_s, endless});
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(f.path(u"work/ready"_s)); }, 15000));
    QCOMPARE(::kill(pid_t(process->processId()), SIGINT), 0);
    QVERIFY(QTest::qWaitFor([&] { return process->state() == QProcess::NotRunning; }, 15000));
    QVERIFY(QFileInfo::exists(f.path(u"work/saved"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(m_podman->containers().isEmpty(), 10000);
}

// Folders of the settings stand where the job wants them, for reading only where it says so.
void TstContainers::storages()
{
    m_fixture->close();
    const QString data = m_fixture->path(u"the, \"data\""_s);
    QVERIFY(QDir().mkpath(data));
    QFile file(data + u"/file"_s);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("of the storage\n") > 0);
    file.close();
    m_fixture->setSettings({{u"storages.team data"_s, data}, {u"storages.gone"_s, m_fixture->path(u"gone"_s)}});
    QVERIFY(m_fixture->open());
    const auto job = [](const QByteArray &name, const QByteArrayList &commands, const QByteArray &storages) {
        return EngineFixture::document(name, role(commands),
            imageLine(Podman::image().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n  storages:\n" + storages);
    };
    const QString uuid = m_fixture->submit(job("data",
        {"cat /mnt/x/file \"$TRAINYARD_STORAGE_TEAM_DATA/file\"", "echo new > \"/in here/new\"",
            "(echo no > /mnt/x/new) 2>/dev/null || echo read-only"},
        "    - {name: team data, mountPath: '/in here'}\n    - {name: team data, mountPath: /mnt/x, readOnly: "
        "true}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->engine().job(uuid)->runIn, u"podman"_s);
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), "of the storage\nof the storage\nread-only\n");
    QCOMPARE(EngineFixture::contents(data + u"/new"_s), "new\n");

    // Nothing of a folder that is not there: which one is said, and nothing has started or is left.
    const QString gone = m_fixture->submit(job("gone", {"echo began"}, "    - {name: gone, mountPath: /mnt/y}\n"));
    QVERIFY(m_fixture->waitForEnd(gone));
    QCOMPARE(m_fixture->task(gone, u"main"_s, 0).reason, u"launch.container-folder"_s);
    QCOMPARE(m_fixture->task(gone, u"main"_s, 0).reasonArgs.value(u"detail"_s).toString(), m_fixture->path(u"gone"_s));
    QVERIFY(m_fixture->output(gone, u"main"_s, 0).isEmpty());
    // Nor can one stand where the image has its own.
    const QString taken = m_fixture->submit(job("taken", {"echo began"}, "    - {name: team data, mountPath: /usr}\n"));
    QVERIFY(m_fixture->waitForEnd(taken));
    QCOMPARE(m_fixture->task(taken, u"main"_s, 0).reason, u"launch.container-storage"_s);
}

// The container needs its own folder of that name: no task could begin.
void TstContainers::refusesToWorkInASystemFolder()
{
    const QByteArray plain = EngineFixture::document("plain", role({"true"}), imageLine(Podman::image().toUtf8()));
    SubmitRequest request;
    request.runIn = u"podman"_s;
    for (const QString &folder : {u"/etc"_s, u"/usr/"_s, u"/proc/sys"_s, u"/"_s}) {
        request.work = folder;
        QVERIFY(m_fixture->submit(plain, request).isEmpty());
        QCOMPARE(m_fixture->error().code, u"launch.container-work"_s);
    }
    request.work.clear();
    request.file = u"/etc/job.pai.yaml"_s;
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"launch.container-work"_s);
    request.runIn = u"host"_s;
    const QString uuid = m_fixture->submit(plain, request);
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->engine().job(uuid)->summary.state, State::Succeeded);
}

// What no host has is refused, whoever asks for it; so is what tasks cannot run in at all.
void TstContainers::whereItMayRun()
{
    const QByteArray plain
        = EngineFixture::document("plain", role({"echo $PAI_TASK_INDEX"}), imageLine(Podman::image().toUtf8()));
    SubmitRequest request;
    const QStringList there = m_fixture->engine().hosts().first().runtimes;
    QStringList missing{u"docker"_s, u"apptainer"_s};
    missing.removeIf([&](const QString &runtime) { return there.contains(runtime); });
    if (missing.isEmpty()) {
        QSKIP("docker and apptainer are both installed: run it where one is missing.");
    }
    request.runIn = missing.first();
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.runtime-missing"_s);
    QCOMPARE(m_fixture->error().args.value(u"runIn"_s).toString(), missing.first());
    request.runIn = u"lxc"_s;
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"job.run-in-unknown"_s);
    request.runIn = u"podman"_s;
    const QByteArray noImage = QByteArray(plain).replace(Podman::image().toUtf8(), "");
    QVERIFY(m_fixture->submit(noImage, request).isEmpty());
    request.runIn = QString();
    QVERIFY(m_fixture->engine().setSetting(u"containers.runIn"_s, missing.first()));
    QCOMPARE(m_fixture->engine().hosts().first().runIn, missing.first());
    QVERIFY(m_fixture->submit(plain, request).isEmpty());
    QCOMPARE(m_fixture->error().code, u"refuse.runtime"_s);
    QCOMPARE(m_fixture->error().args.value(u"runIn"_s).toString(), missing.first());
    request.runIn = u"host"_s; // the setting is only a default
    const QString uuid = m_fixture->submit(plain, request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
}

// The preview says what `run` then does.
void TstContainers::plans()
{
    m_fixture->close();
    QVERIFY(QDir().mkpath(m_fixture->path(u"data"_s)));
    m_fixture->setSettings(
        {{u"containers.mounts"_s, QJsonArray{QString(m_fixture->path(u"data"_s) + u":/in/data:ro"_s)}}});
    QVERIFY(m_fixture->open());
    SubmitRequest request;
    request.yaml = EngineFixture::document("planned",
        role(
            {"head -c 400 /proc/mounts >/dev/null; ls -d /in/data; id -u"}, "    extraContainerOptions: {shmMB: 48}\n"),
        imageLine(Podman::image().toUtf8()));
    const Result<PlanReply> shell = m_fixture->engine().plan(request);
    QVERIFY(shell && shell->tasks.size() == 1);
    QCOMPARE(shell->tasks.first().runIn, u"host"_s);
    QVERIFY(shell->tasks.first().mounts.isEmpty() && shell->tasks.first().containerCommand.isEmpty());
    request.runIn = u"podman"_s;
    const Result<PlanReply> plan = m_fixture->engine().plan(request);
    QVERIFY(plan && plan->tasks.size() == 1);
    const PlannedTask &task = plan->tasks.first();
    QCOMPARE(task.runIn, u"podman"_s);
    QCOMPARE(task.image, Podman::image());
    QCOMPARE(task.containerUser, u"0:0"_s);
    QCOMPARE(task.shmMiB, 48);
    QVERIFY2(task.mounts.contains(QString(m_fixture->path(u"data"_s) + u":/in/data:ro"_s)),
        qPrintable(task.mounts.join(u' ')));
    QVERIFY2(task.containerCommand.startsWith(u"podman run "_s) && task.containerCommand.contains(u"--shm-size 48m"_s),
        qPrintable(task.containerCommand));
}

void TstContainers::muchOutput()
{
    const QString uuid = m_fixture->submit(inPodman(
        "much", role({"for i in {1..2000}; do printf '%01000d\\n' $i; printf '%0500d\\n' $i >&2; done; exit 0"})));
    QVERIFY(m_fixture->waitForEnd(uuid, 20000));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
    const QByteArray log = m_fixture->output(uuid, u"main"_s, 0);
    QCOMPARE(log.size(), 2000 * 1501 + 2000);
    const QByteArray index = EngineFixture::contents(logFolder(uuid) + u"/output.idx"_s);
    QByteArray out, err;
    for (qsizetype at = 0; at + 24 <= index.size(); at += 24) {
        quint64 offset = 0;
        quint32 length = 0;
        std::memcpy(&offset, index.constData() + at, 8);
        std::memcpy(&length, index.constData() + at + 16, 4);
        (index.at(at + 20) == 2 ? err : out) += log.mid(qsizetype(offset), length);
    }
    QByteArray wantedOut, wantedErr;
    for (int i = 1; i <= 2000; ++i) {
        wantedOut += QByteArray::number(i).rightJustified(1000, '0') + '\n';
        wantedErr += QByteArray::number(i).rightJustified(500, '0') + '\n';
    }
    QVERIFY(out == wantedOut);
    QVERIFY(err == wantedErr);
}

#include "tst_containers.moc"
