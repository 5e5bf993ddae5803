// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QFile>
#include <QTest>

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

using namespace trainyard::contract;

// The begin of a task, and what may happen to it and to its keeper in that moment.
class TstKeeperStart : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void startFailures_data();
    void startFailures();
    void killedAtStart();
    void taskKilledBeforeItBegan();
    void keeperStoppedAtStart();
    void stoppedBeforeItsProgram();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstKeeperStart)

void TstKeeperStart::startFailures_data()
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

void TstKeeperStart::startFailures()
{
    QFETCH(QString, cwd);
    QFETCH(QString, shell);
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("fails", "echo never");
    launch.cwd = cwd.toStdString();
    launch.shell = shell.toStdString();
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched);
    QCOMPARE(launched->state, std::string("ended"));
    QVERIFY(launched->exit && launched->exit->kind == ExitKind::StartFailed);
    QTEST(QString::fromStdString(launched->exit->reason), "reason");
    QTEST(launched->exit->value, "error");
    QVERIFY(!readStartedRecord(launch.dir));
    QVERIFY(readExitRecord(launch.dir) == launched->exit);
    QCOMPARE(outputOf(launch.dir), QByteArray());
}

// The keeper dies while its task begins: what ran is never told to have not begun, and runs once.
void TstKeeperStart::killedAtStart()
{
    QVERIFY(m_fixture.agent->start());
    constexpr int rounds = 60;
    int ran = 0;
    for (int i = 0; i < rounds; ++i) {
        const Launch launch = m_fixture.launchOf(("round-" + std::to_string(i)).c_str(), "echo ran >> ran; sleep NAP");
        const std::int64_t id = m_fixture.agent->send(launch);
        std::optional<KeeperRecord> keeper;
        const QDeadlineTimer patience(20000); // at once when it is there, long before an event loop would look again
        while (!keeper && !patience.hasExpired()) {
            keeper = readKeeperRecord(launch.dir);
        }
        QVERIFY(keeper);
        // From before anything of the task to after its first line, in steps of 50 microseconds.
        const timespec pause{0, i * 50000};
        ::nanosleep(&pause, nullptr);
        ::kill(static_cast<pid_t>(keeper->process.pid), SIGKILL);
        const auto launched = m_fixture.agent->answer<Launched>(id);
        QVERIFY(launched);
        std::optional<ExitRecord> end = launched->exit;
        if (launched->state == "launched") {
            const auto exited = m_fixture.agent->exited(launch.dir, 20000);
            QVERIFY(exited);
            end = exited->exit;
        }
        QVERIFY(end);
        QFile file(QString::fromStdString(workFile(launch, "ran")));
        const QByteArray text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        QVERIFY2(text.isEmpty() || text == "ran\n", text.constData());
        ran += text.isEmpty() ? 0 : 1;
        const bool isLost = end->kind == ExitKind::Lost;
        QVERIFY2(isLost || (end->kind == ExitKind::StartFailed && text.isEmpty()), end->reason.c_str());
        QVERIFY(processesWith(m_fixture.nap).isEmpty());
    }
    qInfo("%d of %d had begun", ran, rounds);
}

// Somebody kills the first process before it could say that it begins: its record has times all the same.
void TstKeeperStart::taskKilledBeforeItBegan()
{
    QVERIFY(m_fixture.agent->start());
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    constexpr int rounds = 60;
    int caught = 0;
    for (int i = 0; i < rounds; ++i) {
        const Launch launch = m_fixture.launchOf(QByteArray::number(i).constData(), "sleep NAP");
        const std::int64_t id = m_fixture.agent->send(launch);
        const QDeadlineTimer patience(20000); // at once when they are there, long before an event loop would look again
        std::optional<KeeperRecord> keeper;
        while (!keeper && !patience.hasExpired()) {
            keeper = readKeeperRecord(launch.dir);
        }
        QVERIFY(keeper);
        const std::string pid = std::to_string(keeper->process.pid);
        const std::string children = "/proc/" + pid + "/task/" + pid + "/children";
        pid_t first = 0;
        while (first <= 0 && !patience.hasExpired()) {
            first = static_cast<pid_t>(std::atoi(readWhole(children).value_or(std::string()).c_str()));
        }
        QVERIFY(first > 0);
        ::kill(first, SIGKILL);
        const auto launched = m_fixture.agent->answer<Launched>(id);
        QVERIFY(launched);
        std::optional<ExitRecord> exit = launched->exit;
        if (!exit) {
            const auto exited = m_fixture.agent->exited(launch.dir);
            QVERIFY(exited);
            exit = exited->exit;
        }
        caught += readStartedRecord(launch.dir) ? 0 : 1;
        QVERIFY2(exit->kind == ExitKind::Signaled && exit->value == SIGKILL, exit->format().c_str());
        QVERIFY2(exit->began >= before - 1000 && exit->ended >= exit->began, exit->format().c_str());
    }
    qInfo("%d of %d had not begun", caught, rounds);
}

// Whoever knows that a task began knows it from the moment when that is written down, whatever becomes of its keeper.
void TstKeeperStart::keeperStoppedAtStart()
{
    QVERIFY(m_fixture.agent->start());
    for (int i = 0; i < 20; ++i) {
        const Launch launch = m_fixture.launchOf(QByteArray::number(i).constData(), "true");
        const std::string started = launch.dir + '/' + file::started;
        const std::int64_t id = m_fixture.agent->send(launch);
        const QDeadlineTimer patience(20000); // at once when it is there, long before an event loop would look again
        while (::access(started.c_str(), F_OK) != 0 && !patience.hasExpired()) { }
        const auto keeper = readKeeperRecord(launch.dir);
        QVERIFY(keeper);
        ::kill(static_cast<pid_t>(keeper->process.pid), SIGSTOP);
        const auto launched = m_fixture.agent->answer<Launched>(id);
        ::kill(static_cast<pid_t>(keeper->process.pid), SIGCONT);
        QVERIFY(launched);
        QCOMPARE(launched->state, std::string("launched"));
        const auto exited = m_fixture.agent->exited(launch.dir);
        QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    }
}

// Somebody stopped the first process when it was about to become the program: its keeper, which waits for that, hears
// nothing until it goes on.
void TstKeeperStart::stoppedBeforeItsProgram()
{
    QVERIFY(m_fixture.agent->start());
    const auto programOf = [](qint64 pid) { return QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(pid)); };
    const QString agent = programOf(m_fixture.agent->pid());
    bool caught = false;
    for (int i = 0; i < 100 && !caught; ++i) {
        Launch launch = m_fixture.launchOf(QByteArray::number(i).constData(), "sleep NAP\n#");
        launch.script.append(900000, 'x'); // takes a while to be put in its place
        launch.sealed = true;
        const std::int64_t id = m_fixture.agent->send(launch);
        std::optional<StartedRecord> started;
        const QDeadlineTimer patience(20000); // at once when it is there, long before an event loop would look again
        while (!started && !patience.hasExpired()) {
            started = readStartedRecord(launch.dir);
        }
        QVERIFY(started);
        const auto pid = static_cast<pid_t>(started->process.pid);
        ::kill(pid, SIGSTOP);
        constexpr int soonMs = 2000;
        if (m_fixture.agent->answer<Launched>(id, soonMs)) {
            QTRY_VERIFY(fileText("/proc/" + std::to_string(pid), "status").contains("State:\tT"));
            caught = programOf(pid) == agent;
        } else { // stopped before it told the agent that it began
            ::kill(pid, SIGCONT);
            QVERIFY(m_fixture.agent->answer<Launched>(id));
        }
        QVERIFY(m_fixture.stop(launch));
        const auto exited = m_fixture.agent->exited(launch.dir);
        ::kill(pid, SIGCONT); // also when that went wrong
        QVERIFY(exited && exited->exit.kind == ExitKind::Signaled);
        QCOMPARE(exited->exit.value, SIGTERM);
    }
    QVERIFY(caught);
}

#include "tst_keeperstart.moc"
