// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/recovery.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/memorygroup.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QProcess>
#include <QTest>

#include <sys/resource.h>

#include <cerrno>

using namespace trainyard::contract;

// What the agent does where the kernel gives no more.
class TstAgentLimits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void noMemoryForAProcess();
    void moreTasksThanFiles();
    void unseenIsNotGone();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstAgentLimits)

// The kernel has no memory for another process: the agent says so, lives on, and starts the same try when there is
// some.
void TstAgentLimits::noMemoryForAProcess()
{
    MemoryGroup group;
    SKIP_WITHOUT_MEMORY_GROUP(group.isThere());
    m_fixture.agent->program = QStringLiteral("trainyard-agent-static"); // a sanitizer ends its program then
    QVERIFY(m_fixture.agent->start());
    const auto before = m_fixture.runToEnd(m_fixture.launchOf("before", "true"));
    QVERIFY(before && before->exit.kind == ExitKind::Exited);
    QVERIFY(group.setLimit(32 * 1024));
    QVERIFY(group.take(m_fixture.agent->pid()));
    const Launch launch = m_fixture.launchOf("short", "echo hello");
    for (int round = 0; round < 3; ++round) {
        const std::int64_t id = m_fixture.agent->send(launch);
        std::optional<Launched> refused;
        std::optional<Failure> unseen;
        const auto isRefused = [&] { // asked again after it was so
            const auto isAnswer = [id](const Envelope &each) { return each.id == id; };
            if (const std::optional<Envelope> answer = m_fixture.agent->wait(isAnswer, 20)) {
                const auto *launched = std::get_if<Launched>(&answer->message);
                const auto *failure = std::get_if<Failure>(&answer->message);
                refused = launched ? std::optional(*launched) : refused;
                unseen = failure ? std::optional(*failure) : unseen;
            }
            if (!refused && !unseen && group.isWaitedIn()) {
                group.giveAPage();
            }
            return refused || unseen;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRefused(), 20000);
        if (unseen) { // there was not even memory to look at the folder
            QCOMPARE(unseen->code, std::string("launch.unseen"));
            QVERIFY(unseen->systemError == ENOMEM || unseen->systemError == ENFILE);
            continue;
        }
        QCOMPARE(refused->state, std::string("ended"));
        QVERIFY(refused->exit && refused->exit->kind == ExitKind::StartFailed);
        // A pipe that the kernel has no memory for counts as one file too many.
        const std::string wanted = refused->exit->value == ENFILE ? "launch.descriptors " : "launch.memory ";
        QVERIFY2(refused->exit->reason.starts_with(wanted), refused->exit->format().c_str());
        QVERIFY(refused->exit->value == ENOMEM || refused->exit->value == ENFILE);
        QVERIFY(!readExitRecord(launch.dir)); // nothing has begun, so it may be asked for again
    }
    group.letAllGo();
    const auto exited = m_fixture.runToEnd(launch);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited && exited->exit.value == 0);
    QCOMPARE(outputOf(launch.dir), QByteArray("hello\n"));
    QVERIFY(m_fixture.agent->isRunning());
}

// Each task that runs takes a descriptor of the agent, which was started with few; the tasks get as few.
void TstAgentLimits::moreTasksThanFiles()
{
    constexpr rlim_t few = 24;
    constexpr int tasks = 30;
    rlimit own{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &own), 0);
    if (own.rlim_max < 10 * few) {
        QSKIP("The hard limit of open files is too low: raise it with ulimit -Hn.");
    }
    m_fixture.agent->inChild = [hard = own.rlim_max] {
        const rlimit low{few, hard};
        ::setrlimit(RLIMIT_NOFILE, &low);
    };
    QVERIFY(m_fixture.agent->start());
    const QString go = m_fixture.home->filePath(QStringLiteral("go"));
    std::vector<Launch> launches;
    std::vector<std::int64_t> ids;
    for (int i = 0; i < tasks; ++i) {
        launches.push_back(m_fixture.launchOf(QByteArray::number(i).constData(),
            "ulimit -Sn; ulimit -Hn; until [ -e " + go.toStdString() + " ]; do sleep 0.3; done"));
        ids.push_back(m_fixture.agent->send(launches.back()));
    }
    for (const std::int64_t id : ids) {
        const auto launched = m_fixture.agent->answer<Launched>(id, 30000);
        QVERIFY(launched);
        QVERIFY2(launched->state == "launched", launched->exit ? launched->exit->format().c_str() : "");
    }
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (const Launch &launch : launches) {
        const auto exited = m_fixture.agent->exited(launch.dir);
        QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
        const QList<QByteArray> limits = outputOf(launch.dir).split('\n'); // soft, hard
        QCOMPARE(limits.value(0), QByteArray::number(few));
        QVERIFY(limits.value(1) != limits.value(0));
    }
}

// Who cannot look for processes does not say that there are none.
void TstAgentLimits::unseenIsNotGone()
{
    QProcess process;
    process.start(QStringLiteral("env"),
        {QStringLiteral("TRAINYARD_TRY=") + QString::fromLatin1(m_fixture.nap), QStringLiteral("sleep"),
            QString::fromLatin1(m_fixture.nap)});
    QVERIFY(process.waitForStarted());
    trainyard::agent::TaskScope scope;
    scope.tryUuid = m_fixture.nap.toStdString();
    QTRY_COMPARE(trainyard::agent::findTaskProcesses(scope).size(), std::size_t(1));
    rlimit own{};
    QCOMPARE(::getrlimit(RLIMIT_NOFILE, &own), 0);
    const rlimit none{0, own.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    bool isWhole = true;
    const auto found = trainyard::agent::findTaskProcesses(scope, &isWhole);
    const std::string left = trainyard::agent::endProcesses(scope, 20);
    ::setrlimit(RLIMIT_NOFILE, &own);
    QVERIFY(found.empty() && !isWhole);
    QCOMPARE(left, std::string("?"));
    QCOMPARE(trainyard::agent::endProcesses(scope, 20000), std::string());
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
}

#include "tst_agentlimits.moc"
