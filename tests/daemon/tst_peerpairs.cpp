// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Three hosts: a and b have no way to each other, and c has one to both. A job whose tasks talk gets hosts that reach
// each other, and waits only where there are none. The steps build on each other.
class TstPeerPairs : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;
    QString m_waiting; // a job for a and b

    Engine &engine() { return m_fixture->engine(); }
    QString submit(const QByteArray &name, int tasks, const QByteArray &hosts, const QByteArray &more = {})
    {
        return m_fixture->submit(EngineFixture::document(name,
            EngineFixture::role("main", tasks, {"echo [$PAI_HOST_IP_main_0][$PAI_HOST_IP_main_1]"}),
            "extras:\n  trainyard:\n    hosts: {main: {names: [" + hosts + "], arrange: different-hosts}}\n" + more));
    }
    // Where its tasks ran, when they have ended well.
    QStringList places(const QString &uuid, int tasks = 2)
    {
        if (!m_fixture->waitForEnd(uuid, 30000) || m_fixture->job(uuid).state != State::Succeeded) {
            return {u"not ended: "_s + m_fixture->job(uuid).reason};
        }
        QStringList hosts;
        for (int i = 0; i < tasks; ++i) {
            hosts.append(m_fixture->task(uuid, u"main"_s, i).host);
        }
        hosts.sort();
        return hosts;
    }
    bool waitsForPeers(const QString &uuid)
    {
        return m_fixture->waitFor(
            uuid, [](const JobSummary &job) { return job.reason == "wait.peers"_L1; }, 30000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_hosts = std::make_unique<SshHosts>(3);
        SKIP_UNLESS_THERE(*m_hosts);
        QVERIFY2(m_hosts->join(0, 2, u"lan0"_s, u"192.168.81"_s) && m_hosts->join(1, 2, u"lan1"_s, u"192.168.82"_s),
            qPrintable(m_hosts->problem()));
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        m_fixture->setAgentProgram(OddServer::agentProgram());
        QVERIFY(m_fixture->open());
        for (int i = 0; i < 3; ++i) {
            QVERIFY(engine().addHost(m_hosts->name(i), QString(QChar(u'a' + char16_t(i)))));
        }
        // The kernel says a moment later that a new line is up.
        const auto isReady = [this](int place, const QStringList &lines) {
            const HostInfo host = engine().hosts().value(place);
            const bool isAsked = host.state == HostState::Online && engine().checkHost(host.id).has_value();
            return isAsked && std::all_of(lines.cbegin(), lines.cend(), [&host](const QString &line) {
                return std::any_of(host.addresses.cbegin(), host.addresses.cend(),
                    [&line](const AddressOfHost &each) { return each.interface == line; });
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isReady(1, {u"lan0"_s}), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(isReady(2, {u"lan1"_s}), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(isReady(3, {u"lan0"_s, u"lan1"_s}), 60000);
    }
    void cleanupTestCase()
    {
        m_fixture.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
        m_hosts.reset();
    }

    // The first two hosts fit as well as others, and cannot be used.
    void goesToAPairThatCan()
    {
        const QString first = submit("first", 2, "a, b, c");
        QVERIFY2(!first.isEmpty(), qPrintable(m_fixture->error().code));
        QCOMPARE(places(first), (QStringList{u"a"_s, u"c"_s}));
        QByteArray told; // its log comes a moment after its end
        QTRY_VERIFY((told = m_fixture->output(first, u"main"_s, 0).trimmed()).endsWith(']'));
        QVERIFY2(told == "[192.168.81.1][192.168.81.2]" || told == "[192.168.81.2][192.168.81.1]", told.constData());
        QCOMPARE(m_fixture->job(first).retries, 0);
        QCOMPARE(places(submit("again", 2, "a, b, c")), (QStringList{u"a"_s, u"c"_s}));
    }

    // Where nothing else fits, it says so, at once and without another try; those that do not talk are not concerned.
    void waitsWhereNoOthersFit()
    {
        m_waiting = submit("both", 2, "a, b");
        QVERIFY(waitsForPeers(m_waiting));
        const JobSummary job = m_fixture->job(m_waiting);
        QCOMPARE(job.state, State::Waiting);
        QCOMPARE(job.reasonArgs[u"what"].toString(), u"alone"_s);
        QStringList pair{job.reasonArgs[u"host"].toString(), job.reasonArgs[u"other"].toString()};
        pair.sort();
        QCOMPARE(pair, (QStringList{u"a"_s, u"b"_s}));
        QCOMPARE(job.reasonArgs[u"how"].toString(), u"unreachable"_s);
        const QString said = reasonText(job.reason, job.reasonArgs);
        QVERIFY2(said.contains(", and no other hosts fit."_L1), qPrintable(said));
        const QString all = submit("all", 3, "a, b, c");
        QVERIFY(waitsForPeers(all));
        QVERIFY(engine().stop(all).value_or(false));
        QVERIFY(m_fixture->waitForEnd(all));
        QCOMPARE(places(submit("silent", 2, "a, b", "    checkPeers: false\n")), (QStringList{u"a"_s, u"b"_s}));
        QTRY_COMPARE(m_fixture->job(m_waiting).reason, u"wait.peers"_s);
    }

    // What is remembered does not outlive the trouble: the user looks at a host, and the way is there.
    void isForgottenWhenAHostIsLookedAt()
    {
        QVERIFY2(m_hosts->join(0, 1, u"lan2"_s, u"192.168.83"_s), qPrintable(m_hosts->problem()));
        const auto isLookedAt = [this](const QString &id) { return engine().checkHost(id).has_value(); };
        const bool isOver = QTest::qWaitFor(
            [&] {
                return isLookedAt(u"a"_s) && isLookedAt(u"b"_s)
                    && QTest::qWaitFor([&] { return m_fixture->job(m_waiting).state == State::Succeeded; }, 2000);
            },
            30000);
        QVERIFY2(isOver, qPrintable(m_fixture->job(m_waiting).reason));
        QCOMPARE(places(m_waiting), (QStringList{u"a"_s, u"b"_s}));
        QTRY_VERIFY(engine().isIdle());
    }
};

TRAINYARD_TEST(TstPeerPairs)
#include "tst_peerpairs.moc"
