// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

using namespace trainyard::contract;

// A disk, or a file server, that never answers: what is asked about files there has an answer all the same, and the
// agent does everything else meanwhile.
class TstDeadDisk : public QObject
{
    Q_OBJECT

    static constexpr std::int64_t limitMs = 3000; // in which it hangs there
    AgentFixture m_fixture;
    std::unique_ptr<StuckFolder> m_disk;

    std::string dead(const char *name) const
    {
        return m_fixture.home->filePath(QStringLiteral("dead/") + QLatin1String(name)).toStdString();
    }
    bool isAnswering() { return m_fixture.agent->ask<PortsReply>(Ports{}).has_value(); }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_fixture.begin());
        QVERIFY(m_fixture.agent->start());
    }
    void cleanup()
    {
        m_disk.reset(); // who waits for it goes then
        m_fixture.end();
    }

    void filesAndPieces()
    {
        m_disk = std::make_unique<StuckFolder>(m_fixture.home->filePath(QStringLiteral("dead")));
        SKIP_UNLESS_THERE(*m_disk);
        const std::int64_t list = m_fixture.agent->send(ListFiles{dead("work"), {"**"}, {}, limitMs});
        const std::int64_t piece = m_fixture.agent->send(ReadPiece{dead("work"), "a.csv", 0, 10, limitMs});
        QTRY_VERIFY(m_disk->waiting() > 0);
        QVERIFY(isAnswering());
        const auto found = m_fixture.agent->answer<FileList>(list);
        QVERIFY(found);
        QCOMPARE(found->systemError, ETIMEDOUT);
        QVERIFY(found->files.empty());
        const auto read = m_fixture.agent->answer<Piece>(piece);
        QVERIFY(read);
        QCOMPARE(read->systemError, ETIMEDOUT);
        QVERIFY(isAnswering());
        // Another folder is not held up by those that still hang.
        const QString living = m_fixture.home->filePath(QStringLiteral("living"));
        QVERIFY(QDir().mkpath(living));
        const auto other = m_fixture.agent->ask<FileList>(ListFiles{living.toStdString(), {"**"}, {}});
        QVERIFY(other);
        QCOMPARE(other->systemError, 0);
    }

    // Pieces that come wait for their disk in memory, up to a limit, and only they wait.
    void filesThatCome()
    {
        m_disk = std::make_unique<StuckFolder>(m_fixture.home->filePath(QStringLiteral("dead")));
        SKIP_UNLESS_THERE(*m_disk);
        AgentDriver &agent = *m_fixture.agent;
        StorePiece step;
        step.step = "begin";
        step.dir = dead("results");
        step.path = "a.csv";
        step.size = 5;
        const std::int64_t stored = agent.send(step);
        constexpr std::size_t pieceBytes = 1 << 20, pieces = 80;
        const std::string piece(pieceBytes, 'x');
        std::vector<std::int64_t> puts;
        for (std::size_t i = 0; i < pieces; ++i) {
            puts.push_back(agent.send(Put{dead("code/a"), i * pieceBytes, 0600, i + 1 == pieces, true}, piece));
        }
        QTRY_VERIFY(m_disk->waiting() > 0);
        QVERIFY(isAnswering());
        const std::string living = m_fixture.home->filePath(QStringLiteral("living/b")).toStdString();
        const auto refused = agent.answer<Failure>(agent.send(Put{living, 0, 0600, true}, piece));
        QVERIFY(refused);
        QCOMPARE(refused->systemError, EAGAIN);
        QVERIFY(agent.answer<Done>(agent.send(Put{living, 0, 0600, true}, {})));
        const Launch launch = m_fixture.launchOf("task", "echo began");
        QVERIFY(m_fixture.runToEnd(launch));
        QCOMPARE(outputOf(launch.dir), QByteArray("began\n"));
        m_disk->release(); // all are answered now, and there is no file with a hole
        const auto late = agent.answer<Stored>(stored);
        QVERIFY(late);
        int done = 0, full = 0;
        for (const std::int64_t put : puts) {
            const auto envelope = agent.wait([put](const Envelope &each) { return each.id == put; });
            QVERIFY(envelope);
            const auto *failure = std::get_if<Failure>(&envelope->message);
            done += failure ? 0 : 1;
            full += failure && failure->systemError == EAGAIN ? 1 : 0;
        }
        QVERIFY(full > 0);
        QCOMPARE(done, 0);
        QVERIFY(!QFile::exists(QString::fromStdString(dead("code/a"))));
        // There is room again.
        QVERIFY(agent.answer<Done>(agent.send(Put{living, 0, 0600, true}, piece)));
        QCOMPARE(QFileInfo(QString::fromStdString(living)).size(), qint64(pieceBytes));
    }

    // A launch comes after the files that were sent before it without a question, and a stop ends that wait, too.
    void aLaunchBehindFilesThatWait()
    {
        AgentDriver &agent = *m_fixture.agent;
        const std::string state = agent.hello.stateFolder;
        m_disk = std::make_unique<StuckFolder>(QString::fromStdString(state + "/code"));
        SKIP_UNLESS_THERE(*m_disk);
        const std::string job = state + "/remote/engine/job";
        const std::int64_t content = agent.send(Put{state + "/code/contents/aa/a", 0, 0600, true, true}, "x");
        QTRY_VERIFY(m_disk->waiting() > 0);
        const std::int64_t mark = agent.send(Put{job + "/checkpoint/.trainyard", 0, 0600, true});
        Launch launch = m_fixture.launchOf("task", "ls " + job + "/checkpoint -A");
        launch.dir = job + "/0/main-0/0";
        Launch other = m_fixture.launchOf("other", "echo began");
        other.dir = job + "/0/main-1/0";
        const std::int64_t first = agent.send(launch), second = agent.send(other);
        const std::int64_t asked = agent.send(Observe{launch.dir});
        QVERIFY(isAnswering());
        QVERIFY(!readKeeperRecord(launch.dir));
        const auto stopped = m_fixture.stop(other);
        QVERIFY(stopped);
        QCOMPARE(stopped->state, std::string("absent"));
        const auto dropped = agent.answer<Launched>(second);
        QVERIFY(dropped && dropped->exit);
        QCOMPARE(dropped->exit->reason, "launch.stopped " + other.dir);
        m_disk->release();
        QVERIFY(agent.wait([content](const Envelope &each) { return each.id == content; }));
        QVERIFY(agent.answer<Done>(mark));
        const auto launched = agent.answer<Launched>(first);
        QVERIFY(launched);
        QCOMPARE(launched->state, std::string("launched"));
        QVERIFY(agent.answer<Observed>(asked));
        QVERIFY(agent.exited(launch.dir));
        QCOMPARE(outputOf(launch.dir), QByteArray(".trainyard\n"));
        QVERIFY(!readKeeperRecord(other.dir));
    }

    // A job is removed behind the files of it that wait: they would make its folder once more.
    void aRemovalBehindFilesThatWait()
    {
        AgentDriver &agent = *m_fixture.agent;
        const std::string state = agent.hello.stateFolder;
        m_disk = std::make_unique<StuckFolder>(QString::fromStdString(state + "/code"));
        SKIP_UNLESS_THERE(*m_disk);
        const std::string job = state + "/remote/engine/job";
        QVERIFY(QDir().mkpath(QString::fromStdString(job)));
        const std::int64_t content = agent.send(Put{state + "/code/contents/aa/a", 0, 0600, true, true}, "x");
        QTRY_VERIFY(m_disk->waiting() > 0);
        const std::int64_t piece = agent.send(Put{job + "/checkpoint/a", 0, 0600, true, true}, "x");
        const std::int64_t removal = agent.send(Remove{job});
        const std::int64_t through = agent.send(LookThrough{"engine"});
        QVERIFY(isAnswering());
        m_disk->release();
        QVERIFY(agent.wait([content](const Envelope &each) { return each.id == content; }));
        QVERIFY(agent.answer<Done>(piece));
        QVERIFY(agent.answer<Done>(removal));
        QVERIFY(!QDir(QString::fromStdString(job)).exists());
        const auto left = agent.answer<Belongings>(through);
        QVERIFY(left); // which is told behind it
        QVERIFY(std::find(left->jobs.begin(), left->jobs.end(), "job") == left->jobs.end());
    }

    // Also what was put on the host, counted and cleared away.
    void belongings()
    {
        const std::string state = m_fixture.agent->hello.stateFolder;
        m_disk = std::make_unique<StuckFolder>(QString::fromStdString(state + "/code"));
        SKIP_UNLESS_THERE(*m_disk);
        QElapsedTimer clock;
        clock.start();
        const std::int64_t through = m_fixture.agent->send(LookThrough{"engine", true, false, limitMs});
        QTRY_VERIFY(m_disk->waiting() > 0);
        const auto failure = m_fixture.agent->answer<Failure>(through);
        QVERIFY(failure);
        QCOMPARE(failure->code, std::string("code.host-failed"));
        QCOMPARE(failure->systemError, ETIMEDOUT);
        QVERIFY(clock.elapsed() >= limitMs);
        QVERIFY(isAnswering());
    }
};

TRAINYARD_TEST(TstDeadDisk)
#include "tst_deaddisk.moc"
