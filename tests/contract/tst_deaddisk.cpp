// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/stuckfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <cerrno>
#include <memory>
#include <string>

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
