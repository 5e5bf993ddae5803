// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs on several hosts: by which addresses their tasks reach each other, and what happens where they do not. The steps
// build on each other.
class TstPeers : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;
    QString m_waiting; // a job that waits for a way

    Engine &engine() { return m_fixture->engine(); }
    QString submit(const QByteArray &name, const QByteArray &more = {})
    {
        return m_fixture->submit(EngineFixture::document(name,
            EngineFixture::role("main", 2, {"echo [$PAI_HOST_IP_main_0][$PAI_HOST_IP_main_1]"}),
            "extras:\n  trainyard:\n    hosts: {main: {names: [one, two], arrange: different-hosts}}\n" + more));
    }
    bool waitsFor(const QString &uuid, const QString &reason)
    {
        return m_fixture->waitFor(
            uuid, [&](const JobSummary &job) { return job.reason == reason; }, 30000);
    }
    // What both tasks were told, when they have ended well.
    QByteArray told(const QString &uuid)
    {
        if (!m_fixture->waitForEnd(uuid, 30000) || m_fixture->job(uuid).state != State::Succeeded) {
            return "not ended: " + m_fixture->job(uuid).reason.toUtf8();
        }
        QByteArray first, second;
        const bool isThere = QTest::qWaitFor(
            [&] {
                first = m_fixture->output(uuid, u"main"_s, 0).trimmed();
                second = m_fixture->output(uuid, u"main"_s, 1).trimmed();
                return first.endsWith(']') && second.endsWith(']');
            },
            10000);
        return isThere && first == second ? first : QByteArray(first + " and " + second);
    }
    static bool isPair(const QByteArray &told, const QString &one, const QString &other)
    {
        const QByteArray a = '[' + one.toUtf8() + ']', b = '[' + other.toUtf8() + ']';
        return told == QByteArray(a + b) || told == QByteArray(b + a);
    }
    Result<HostInfo> setAddress(const QString &host, const QString &address)
    {
        api::HostChange change;
        change.id = host;
        change.address = address;
        return engine().changeHost(change);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_hosts = std::make_unique<SshHosts>(2);
        SKIP_UNLESS_THERE(*m_hosts);
        // The address that looks best leads nowhere.
        QVERIFY2(m_hosts->addDeadEnd(0, u"dead0"_s, u"192.168.50.1"_s)
                && m_hosts->addDeadEnd(1, u"dead0"_s, u"192.168.50.2"_s),
            qPrintable(m_hosts->problem()));
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        QVERIFY(m_fixture->open());
        QVERIFY(engine().addHost(m_hosts->name(0), u"one"_s));
        QVERIFY(engine().addHost(m_hosts->name(1), u"two"_s));
        const auto areOnline = [this] {
            const QList<HostInfo> all = engine().hosts();
            return all.size() == 3 && all.at(1).state == HostState::Online && all.at(2).state == HostState::Online;
        };
        QVERIFY2(QTest::qWaitFor(areOnline, 60000), qPrintable(engine().hosts().last().error));
        const QList<AddressOfHost> addresses = engine().hosts().at(1).addresses;
        QVERIFY(addresses.contains({u"dead0"_s, u"192.168.50.1"_s, 24}));
        QVERIFY(addresses.contains({u"eth0"_s, m_hosts->address(0), 30}));
    }
    void cleanupTestCase()
    {
        m_fixture.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
        m_hosts.reset();
    }

    // Each of their addresses has been tried; the reason names the last one, and the places are free for others.
    void waitsWhereThereIsNoWay()
    {
        m_waiting = submit("apart");
        QVERIFY2(!m_waiting.isEmpty(), qPrintable(m_fixture->error().code));
        QVERIFY2(waitsFor(m_waiting, u"wait.peers"_s), qPrintable(m_fixture->job(m_waiting).reason));
        const JobSummary job = m_fixture->job(m_waiting);
        QCOMPARE(job.state, State::Waiting);
        const QString from = job.reasonArgs[u"host"].toString(), to = job.reasonArgs[u"other"].toString();
        QVERIFY((QStringList{from, to} == QStringList{u"one"_s, u"two"_s})
            || (QStringList{from, to} == QStringList{u"two"_s, u"one"_s}));
        QCOMPARE(job.reasonArgs[u"address"].toString(), m_hosts->address(to == "one"_L1 ? 0 : 1));
        QCOMPARE(job.reasonArgs[u"how"].toString(), u"unreachable"_s);
        SubmitRequest request;
        request.target = u"one"_s;
        const QString alone
            = m_fixture->submit(EngineFixture::document("alone", EngineFixture::role("main", 1, {"true"})), request);
        QVERIFY(m_fixture->waitForEnd(alone));
        QCOMPARE(m_fixture->job(m_waiting).reason, u"wait.peers"_s);
    }

    // Nobody needs a way between tasks that do not talk, or where the job wants no check.
    void checksOnlyWhereItMatters()
    {
        const QString silent = m_fixture->submit(
            EngineFixture::document("silent", EngineFixture::role("main", 2, {"echo $TRAINYARD_TASK_TRY"}),
                "extras:\n  trainyard:\n    hosts: {main: {names: [one, two], arrange: different-hosts}}\n"));
        QVERIFY(m_fixture->waitForEnd(silent, 30000));
        QCOMPARE(m_fixture->job(silent).state, State::Succeeded);
        const QByteArray said = told(submit("unchecked", "    checkPeers: false\n"));
        QVERIFY2(said.contains("192.168.50.") || said.contains("10."), said.constData());
    }

    // A new way is found without the user's help, as soon as somebody looks at the hosts.
    void startsWhenThereIsAWay()
    {
        QVERIFY2(m_hosts->join(0, 1, u"fast0"_s, u"192.168.77"_s), qPrintable(m_hosts->problem()));
        QCOMPARE(m_fixture->job(m_waiting).state, State::Waiting);
        // The kernel says a moment later that a new line is up.
        const auto haveIt = [this](const QString &id, int place) {
            const bool isAsked = engine().checkHost(id).has_value();
            const QList<AddressOfHost> all = engine().hosts().at(place).addresses;
            return isAsked && std::any_of(all.cbegin(), all.cend(), [](const AddressOfHost &each) {
                return each.interface == "fast0"_L1;
            });
        };
        QTRY_VERIFY(haveIt(u"one"_s, 1));
        QTRY_VERIFY(haveIt(u"two"_s, 2));
        const QByteArray said = told(m_waiting);
        QVERIFY2(isPair(said, u"192.168.77.1"_s, u"192.168.77.2"_s), said.constData());
    }

    // What the user says is what counts, also when it is wrong.
    void theUserChooses()
    {
        QCOMPARE(setAddress(u"two"_s, u"no way"_s).error().code, u"host.bad-address"_s);
        const Result<HostInfo> unknown = setAddress(u"two"_s, u"ib0"_s);
        QCOMPARE(unknown.error().code, u"host.no-interface"_s);
        QVERIFY(unknown.error().args[u"interfaces"].toString().contains("fast0"_L1));
        QCOMPARE(setAddress(u"nobody"_s, u"eth0"_s).error().code, u"host.unknown"_s);
        const Result<HostInfo> set = setAddress(u"two"_s, u"eth0"_s);
        QVERIFY(set && set->address == "eth0"_L1);
        const QString job = submit("chosen");
        QVERIFY2(waitsFor(job, u"wait.peers"_s), qPrintable(m_fixture->job(job).reason));
        const QJsonObject args = m_fixture->job(job).reasonArgs;
        QCOMPARE(args[u"host"].toString(), u"one"_s);
        QCOMPARE(args[u"other"].toString(), u"two"_s);
        QCOMPARE(args[u"address"].toString(), m_hosts->address(1));
        QVERIFY(setAddress(u"two"_s, u"fast0"_s));
        const QByteArray said = told(job);
        QVERIFY2(isPair(said, u"192.168.77.1"_s, u"192.168.77.2"_s), said.constData());
        QVERIFY(setAddress(u"two"_s, {}));
        QVERIFY(isPair(told(submit("auto")), u"192.168.77.1"_s, u"192.168.77.2"_s));
    }

    // A stop needs no way either.
    void isStoppedWhileItWaits()
    {
        QVERIFY(setAddress(u"one"_s, u"203.0.113.9"_s)); // of nobody here
        const QString job = submit("stopped");
        QVERIFY2(waitsFor(job, u"wait.peers"_s), qPrintable(m_fixture->job(job).reason));
        QVERIFY(engine().stop(job).value_or(false));
        QVERIFY(m_fixture->waitForEnd(job));
        QCOMPARE(m_fixture->job(job).state, State::Stopped);
        QVERIFY(setAddress(u"one"_s, {}));
        QTRY_VERIFY(engine().isIdle());
    }
};

TRAINYARD_TEST(TstPeers)
#include "tst_peers.moc"
