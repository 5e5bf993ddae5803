// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/agentfiles.h"
#include "engine/pool/agentsink.h"
#include "tests/helpers/faketransport.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <cerrno>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is made of the errors that a host tells of files: what passes is not said of the file.
class TstAgentFiles : public QObject
{
    Q_OBJECT

    QList<FakeTransport *> m_transports;
    std::unique_ptr<AgentConnection> m_agent;

    FakeTransport &helper() const { return *m_transports.constFirst(); }

private Q_SLOTS:
    void init()
    {
        AgentConnection::Options options;
        options.makeTransport = [this] { return std::make_unique<FakeTransport>(&m_transports); };
        options.sampleIntervalMs = 0;
        m_agent = std::make_unique<AgentConnection>(options);
        m_agent->start();
        QTRY_VERIFY(!m_transports.isEmpty() && helper().isStarted);
        helper().banner();
        QVERIFY(helper().asked<contract::HelloRequest>());
        helper().say(helper().asked<contract::HelloRequest>()->first, contract::HelloReply());
        QVERIFY(helper().asked<contract::InventoryRequest>());
        helper().say(helper().asked<contract::InventoryRequest>()->first, contract::Inventory());
        QVERIFY(m_agent->isOnline());
    }

    void cleanup() { m_agent.reset(); }

    void whatPassesIsNotOfTheFile_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("whenRead");
        QTest::addColumn<QString>("whenStored");
        QTest::addColumn<bool>("isAway"); // when it is read
        const QString busy = u"results.host-failed"_s, unreadable = u"results.unreadable"_s;
        QTest::newRow("descriptors") << EMFILE << busy << busy << false;
        QTest::newRow("descriptors of all") << ENFILE << busy << busy << false;
        QTest::newRow("processes") << EAGAIN << busy << busy << false;
        QTest::newRow("memory") << ENOMEM << busy << busy << false;
        QTest::newRow("silence") << ETIMEDOUT << busy << busy << false;
        QTest::newRow("server down") << EHOSTDOWN << busy << busy << false;
        QTest::newRow("server cut") << ENOTCONN << busy << busy << false;
        QTest::newRow("not mounted") << ESTALE << busy << busy << true;
        QTest::newRow("broken disk") << EIO << unreadable << u"results.folder-unwritable"_s << false;
        QTest::newRow("not allowed") << EACCES << unreadable << u"results.not-writable"_s << false;
        QTest::newRow("no room") << ENOSPC << unreadable << u"results.no-room"_s << false;
    }
    void whatPassesIsNotOfTheFile()
    {
        QFETCH(const int, error);
        QFETCH(const QString, whenRead);
        QFETCH(const QString, whenStored);
        QFETCH(const bool, isAway);
        QObject context;
        std::optional<Result<BringPiece>> read;
        agentfiles::read(
            m_agent.get(), u"/r"_s, u"a"_s, 0, 1, &context, [&read](const auto &answer) { read = answer; });
        contract::Piece piece;
        piece.systemError = error;
        QVERIFY(helper().asked<contract::ReadPiece>());
        helper().say(helper().asked<contract::ReadPiece>()->first, piece);
        QVERIFY(read && !read->has_value());
        QCOMPARE(read->error().code, whenRead);
        QCOMPARE(agentfiles::isAway(read->error()), isAway);
        std::optional<Result<AgentFileList>> listed;
        agentfiles::listAll(m_agent.get(), u"/r"_s, 9, &context, [&listed](const auto &answer) { listed = answer; });
        contract::FileList list;
        list.systemError = error;
        QVERIFY(helper().asked<contract::ListFiles>());
        helper().say(helper().asked<contract::ListFiles>()->first, list);
        QVERIFY(listed && !listed->has_value());
        QCOMPARE(listed->error().code, whenRead);
        QCOMPARE(agentfiles::isAway(listed->error()), isAway);
        AgentSink sink(m_agent.get(), u"/r"_s, {});
        std::optional<Result<qint64>> begun;
        sink.begin({u"a"_s, 1, 1}, [&begun](const auto &answer) { begun = answer; });
        contract::Stored stored;
        stored.systemError = error;
        QVERIFY(helper().asked<contract::StorePiece>());
        helper().say(helper().asked<contract::StorePiece>()->first, stored);
        QVERIFY(begun && !begun->has_value());
        QCOMPARE(begun->error().code, whenStored);
    }

    void foldersThatCannotBeReadNow()
    {
        QObject context;
        for (const auto &[error, passes] : {std::pair(EMFILE, true), std::pair(EACCES, false), std::pair(0, false)}) {
            std::optional<Result<AgentFileList>> listed;
            agentfiles::listAll(
                m_agent.get(), u"/r"_s, 9, &context, [&listed](const auto &answer) { listed = answer; });
            contract::FileList list;
            list.unreadable = error != 0 ? "inner" : "";
            list.unreadableError = error;
            QVERIFY(helper().asked<contract::ListFiles>());
            helper().say(helper().asked<contract::ListFiles>()->first, list);
            QVERIFY(listed && listed->has_value());
            QCOMPARE((*listed)->unreadable.isEmpty(), error == 0);
            QCOMPARE((*listed)->isUnreadableNow, passes);
        }
    }
};

TRAINYARD_TEST(TstAgentFiles)
#include "tst_agentfiles.moc"
