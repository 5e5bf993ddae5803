// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/containertests.h"
#include "tests/daemon/hostprocess.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testprocesses.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is killed, removed or forged around a task in a container: nothing of it is lost silently, and nothing is left.
class TstContainerLosses : public ContainerTests
{
    Q_OBJECT

private Q_SLOTS:
    void whoIsLeftIsNamed();
    void monitorKilled_data();
    void monitorKilled();
    void agentIsKilled();
    void engineIsKilled();
    void keeperIsKilled();
    void forgedRecords_data();
    void forgedRecords();
    void forgedFolders();
    void removedByHand();

private:
    void killAgent() const;
    void waitForNewAgent();
};

void TstContainerLosses::killAgent() const
{
    for (const QByteArray &pid : EngineFixture::contents(u"/proc/self/task/%1/children"_s.arg(::getpid())).split(' ')) {
        if (EngineFixture::contents(u"/proc/%1/comm"_s.arg(QString::fromLatin1(pid))).startsWith("trainyard-agen")) {
            ::kill(pid.toInt(), SIGKILL);
        }
    }
}

void TstContainerLosses::waitForNewAgent()
{
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().first().state != HostState::Online; }, 5000));
    QVERIFY(QTest::qWaitFor([&] { return m_fixture->engine().hosts().first().state == HostState::Online; }, 10000));
}

// A process that no signal ends, as one that waits for a dead disk: its container cannot end either.
void TstContainerLosses::whoIsLeftIsNamed()
{
    // What is mounted into the container answers, or it would not start; the dead disk is below it.
    const QString mounted = m_fixture->path(u"disks"_s);
    QVERIFY(QDir().mkpath(mounted));
    StuckFolder disk(mounted + u"/dead"_s);
    SKIP_UNLESS_THERE(disk);
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

void TstContainerLosses::monitorKilled_data()
{
    QTest::addColumn<bool>("isStopped");
    QTest::newRow("then its task ends") << false;
    QTest::newRow("then the job is stopped") << true;
}

// podman itself waits for ever for a container whose conmon was killed.
void TstContainerLosses::monitorKilled()
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

void TstContainerLosses::agentIsKilled()
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

void TstContainerLosses::engineIsKilled()
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

void TstContainerLosses::keeperIsKilled()
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

void TstContainerLosses::forgedRecords_data()
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
void TstContainerLosses::forgedRecords()
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
void TstContainerLosses::forgedFolders()
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

void TstContainerLosses::removedByHand()
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

TRAINYARD_TEST(TstContainerLosses)
#include "tst_containerlosses.moc"
