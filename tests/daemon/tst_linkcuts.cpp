// SPDX-License-Identifier: GPL-3.0-or-later
// The link to a host is cut at a random moment of a job: while it starts, draws ports, writes, is stopped, or while its
// log is fetched; whole or in one direction only, also on a slow line. The job runs once, and not a byte of its log is
// lost. A seed that fails is kept in tests/data/linkcutseeds.txt, and each run of the suite begins with those. The
// suite has five more that stay the same, so that a red run means a change; the full suite does a hundred that are new
// each time. TRAINYARD_LINKCUT_SEED runs one seed, TRAINYARD_LINKCUT_ROUNDS chooses how many random ones.
#include "tests/daemon/cutseeds.h"
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

const CutSeeds &linkCutSeeds()
{
    static const CutSeeds seeds({}, "TRAINYARD_LINKCUT_SEED", "TRAINYARD_LINKCUT_ROUNDS");
    return seeds;
}

} // namespace

class TstLinkCuts : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }

    void round(quint32 seed)
    {
        QRandomGenerator dice(seed);
        EngineFixture &f = *m_fixture;
        QVERIFY2(QTest::qWaitFor([this] { return isOnline(); }, 30000), "the host did not come back");
        const int numbers = dice.bounded(3) == 0 ? 300000 : 200;
        const int ticks = dice.bounded(40);
        const int status = dice.bounded(2) * 7;
        const int before = dice.bounded(1500); // ms, until the cut
        const int duration = dice.bounded(3) == 0 ? 200 + dice.bounded(4000) : 4000 + dice.bounded(2000);
        const int how = dice.bounded(4); // whole, one way, the other, whole on a slow line
        const bool stops = dice.bounded(4) == 0;
        const QByteArray ledger = QFile::encodeName(f.path(u"ledger-%1"_s.arg(seed))); // these hosts share the disk
        QByteArray expected;
        for (int i = 1; i <= numbers; ++i) {
            expected += QByteArray::number(i) + '\n';
        }
        for (int i = 1; i <= ticks; ++i) {
            expected += "tick " + QByteArray::number(i) + '\n';
        }
        if (how == 3) {
            m_hosts->setRate(0, u"6mbit"_s);
        }
        SubmitRequest request;
        request.target = u"far"_s;
        const QString uuid = f.submit(
            EngineFixture::document("cut" + QByteArray::number(seed),
                EngineFixture::role("main", 1,
                    {"echo begin >> " + ledger + "\nseq 1 " + QByteArray::number(numbers) + "\nfor i in $(seq 1 "
                        + QByteArray::number(ticks) + "); do echo tick $i; sleep 0.03; done\necho end >> " + ledger
                        + "\nexit " + QByteArray::number(status)}),
                "jobRetryCount: 0\n"),
            request);
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        QTest::qWait(before); // the moment is what is random here
        const bool isWhole = how == 0 || how == 3
            || !m_hosts->cutOneWay(0, how == 1 ? SshHosts::Direction::FromHost : SshHosts::Direction::ToHost);
        if (isWhole) {
            m_hosts->setLink(0, false);
        }
        if (stops) {
            QTest::qWait(duration / 3); // somewhere in the cut
            QVERIFY(f.engine().stop(uuid));
        }
        QTest::qWait(duration); // how long the cut lasts is what is random here
        m_hosts->heal(0);
        m_hosts->setLink(0, true);
        QVERIFY(f.waitForEnd(uuid, 60000));
        const State state = f.job(uuid).state;
        const State otherwise = status == 0 ? State::Succeeded : State::Failed;
        QVERIFY2(state == otherwise || (stops && state == State::Stopped), qPrintable(QString::number(int(state))));
        QCOMPARE(f.job(uuid).retries, 0);
        const QByteArray marks = EngineFixture::contents(QFile::decodeName(ledger));
        const bool neverBegan = state == State::Stopped && marks.isEmpty();
        if (neverBegan) {
            return;
        }
        QCOMPARE(marks.count("begin"), 1);
        QVERIFY(state == State::Stopped || marks == "begin\nend\n");
        const QString here = f.task(uuid, u"main"_s, 0).logFolder;
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(here + u"/exit"_s), 60000);
        const QByteArray got = EngineFixture::contents(here + u"/output.log"_s);
        QDirIterator it(m_hosts->home(0) + u"/state"_s, {u"output.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        QString there;
        while (it.hasNext()) {
            const QString each = it.next();
            there = each.contains(uuid) ? each : there;
        }
        QVERIFY(!there.isEmpty());
        QVERIFY2(got == EngineFixture::contents(there), "the copy differs from the log");
        QVERIFY2(
            state == State::Stopped ? expected.startsWith(got) : got == expected, "the log is not what was written");
        QCOMPARE(f.engine().hosts().last().tasks, 0);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_hosts = std::make_unique<SshHosts>(1);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{
            {u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}});
        // The sanitized helper, seven times as large and slow, is on the hosts of TstHostChaos.
        m_fixture->setAgentProgram(OddServer::agentProgram());
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
    }

    void cleanupTestCase()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    void cuts_data()
    {
        QTest::addColumn<quint32>("seed");
        const QList<quint32> seeds = linkCutSeeds().wanted({1, 2, 3, 4, 5}, 100);
        for (const quint32 seed : seeds) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }

    void cuts()
    {
        QFETCH(quint32, seed);
        round(seed);
        if (QTest::currentTestFailed()) {
            linkCutSeeds().keep(seed);
            m_hosts->heal(0);
            m_hosts->setLink(0, true);
            m_fixture->engine().stopAll();
        }
    }
};

TRAINYARD_TEST(TstLinkCuts)
#include "tst_linkcuts.moc"
