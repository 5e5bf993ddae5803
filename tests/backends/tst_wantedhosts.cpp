// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/labs.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>

using namespace trainyard;
using namespace Qt::StringLiterals;

// About which hosts of the pool people are asked, since something waits for them.
class TstWantedHosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // People are asked about a host when something waits for it, and each time anew.
    void wantedHosts()
    {
        Labs labs;
        for (const QString &id : {u"lab1"_s, u"lab2"_s}) {
            labs.target.setRefused(id, true);
        }
        QVERIFY(labs.house.open());
        HostPool &hosts = labs.pool().hosts();
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::NeedsLogin);
        const PoolHost *wanted = hosts.find(u"lab1"_s), *other = hosts.find(u"lab2"_s);
        QVERIFY(wanted && other && !wanted->isWanted);
        hosts.setCanAsk(true);
        QVERIFY(labs.house.waitForState(labs.submit("{names: [local]}"), State::Running));
        QVERIFY(!wanted->isWanted && !wanted->couldAsk);
        const QString job = labs.submit("{names: [lab1]}");
        QTRY_VERIFY(wanted->isWanted && wanted->couldAsk);
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin); // and is not tried again and again
        QVERIFY(!other->isWanted && !other->couldAsk);
        labs.target.setRefused(u"lab1"_s, false);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(!wanted->isWanted);
        // Its task is there: that is reason enough.
        labs.target.setRefused(u"lab1"_s, true);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(wanted->isWanted && wanted->couldAsk, 20000);
        QVERIFY(!other->isWanted);
    }

    // What an ended task has left there is to come here, whatever else there is to do.
    void wantedForResults()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.house.close();
        for (const QString &id : {u"lab1"_s, u"lab2"_s}) {
            labs.target.setRefused(id, true);
        }
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::NeedsLogin);
        const PoolHost *wanted = labs.pool().hosts().find(u"lab1"_s), *other = labs.pool().hosts().find(u"lab2"_s);
        QTRY_VERIFY(wanted && wanted->isWanted);
        QVERIFY(other && !other->isWanted);
    }

    // Also when the job says of the others why they are of no use, and not of this one that it is away.
    void wantedWhereOthersAreOfNoUse()
    {
        Labs labs;
        QVERIFY(labs.open());
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, true, {}}));
        const QString apart = labs.submit("{arrange: different-hosts}", 3);
        QVERIFY(labs.waits(apart, u"wait.drained"_s));
        labs.house.close();
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.waits(apart, u"wait.hosts"_s));
        QVERIFY(away && !away->isWanted); // it would get nothing
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, false, {}}));
        QTRY_VERIFY(away->isWanted);
        labs.house.close();
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        away = labs.pool().hosts().find(u"lab1"_s);
        QTRY_VERIFY(away->isWanted);
        labs.house.service().stop(apart);
        QVERIFY(labs.house.waitForState(apart, State::Stopped));
    }

    // What a host has that was never reached is not known: a job that only it may be able to run is not refused.
    void wantedWhereTheOthersAreNotEnough()
    {
        Labs labs;
        labs.target.gpus = 1;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(away && !away->isWanted);
        const QString job = labs.house.submit(EngineFixture::document(
            "wide", EngineFixture::role("main", 3, {"true"}, {}, "{cpu: 1, memoryMB: 16, gpu: 1}")));
        QVERIFY(!job.isEmpty());
        QVERIFY(labs.waits(job, u"wait.host"_s));
        QCOMPARE(labs.house.queries().summary(job)->reasonArgs[u"hosts"].toArray(), QJsonArray{u"lab1"_s});
        QTRY_VERIFY(away->isWanted);
        labs.target.setRefused(u"lab1"_s, false);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.hostsOf(job).size(), 3);
    }

    void wantedWhereOthersAreDrained()
    {
        Labs labs;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.admin().changeHost({u"lab2"_s, {}, {}, true, {}}));
        QVERIFY(labs.waits(labs.submit("{names: [lab2]}"), u"wait.drained"_s));
        QVERIFY(away && !away->isWanted);
        QVERIFY(labs.waits(labs.submit("{names: [lab1, lab2]}"), u"wait.drained"_s));
        QTRY_VERIFY(away->isWanted);
    }

    void wantedBehindManyThatWaitForAnother()
    {
        Labs labs;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.admin().changeHost({u"lab2"_s, {}, {}, true, {}}));
        constexpr int many = 15; // more than those whose reasons are worked out
        QString last;
        for (int i = 0; i < many; ++i) {
            last = labs.house.submit(oneTask(), u"lab2"_s);
        }
        QVERIFY(labs.waits(last, u"wait.queue-far"_s));
        QVERIFY(away && !away->isWanted);
        last = labs.house.submit(oneTask(), u"lab1"_s);
        QVERIFY(labs.waits(last, u"wait.queue-far"_s));
        QTRY_VERIFY(away->isWanted);
    }

    // A window was closed and opened again while ssh was at it: what it wanted to know was refused meanwhile.
    void isAskedAgainForTheNextWindow()
    {
        Labs labs;
        QVERIFY(labs.open());
        HostPool &hosts = labs.pool().hosts();
        hosts.setCanAsk(true);
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::Connecting);
        QVERIFY(hosts.find(u"lab1"_s)->couldAsk);
        hosts.setCanAsk(false);
        hosts.setCanAsk(true);
        labs.target.setGreeting(true);
        labs.target.cut(u"lab1"_s, u"host.needs-login.key"_s);
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::Online);
    }
};

TRAINYARD_TEST(TstWantedHosts)
#include "tst_wantedhosts.moc"
