// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/containertests.h"
#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testprocesses.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Tasks in real containers of a podman with an image of its own, without a registry: what they write, how they end, and
// what goes on around them.
class TstContainers : public ContainerTests
{
    Q_OBJECT

private Q_SLOTS:
    void runsWithOutputAndEnvironment();
    void exits_data();
    void exits();
    void stopReachesEveryone();
    void stubbornIsKilled();
    void outOfMemory();
    void memoryOfAllProcesses();
    void secretsAreNowhere();
    void steps();
    void heldOpen();
    void pausesAndResumes();
    void muchOutput();
};

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
    constexpr int killed = 128 + 9; // for the memory that it took: the limit is kept
    QByteArray said;
    const int status = m_podman->run(
        {u"run"_s, u"--rm"_s, u"--memory"_s, u"32m"_s, u"--memory-swap"_s, u"32m"_s, Podman::image(), u"bash"_s,
            u"-c"_s, u"x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; [[ ${#x} -lt 200000000 ]] || exit 0; done"_s},
        &said);
    if (status != killed && said.contains("cgroup")) {
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

TRAINYARD_TEST(TstContainers)
#include "tst_containers.moc"
