// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QScopeGuard>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

using namespace trainyard::contract;

// The cgroups of tasks: handed on, and cleared up.
class TstTaskGroups : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void forgottenGroups();
    void groupsHandedOn();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstTaskGroups)

// Keepers, agent and task were killed together, and their folders are gone.
void TstTaskGroups::forgottenGroups()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("x", "sleep 1000");
    launch.plan.limits.memoryBytes = 64 << 20;
    const auto launched = m_fixture.agent->ask<Launched>(launch);
    QVERIFY(launched && launched->started);
    const std::string used = launched->started->cgroup.substr(0, launched->started->cgroup.find(':'));
    SKIP_WITHOUT_MEMORY_GROUP(!used.empty());
    const auto beside = [&](const char *name) { return used.substr(0, used.rfind('/') + 1) + name; };
    const std::string old = beside("trainyard-01234567-0000-7000-8000-0123456789ab");
    const std::string young = beside("trainyard-01234567-0000-7000-8000-0123456789ac");
    const std::string other = beside("trainyard-of-somebody-else");
    const auto removeAll = qScopeGuard([&] {
        for (const std::string &group : {old, young, other}) {
            ::rmdir(group.c_str());
        }
    });
    for (const std::string &group : {old, young, other}) {
        QCOMPARE(::mkdir(group.c_str(), 0755), 0);
    }
    const timespec longAgo[] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
    for (const std::string &group : {old, other, used}) {
        QCOMPARE(::utimensat(AT_FDCWD, group.c_str(), longAgo, 0), 0);
    }
    const auto second = m_fixture.newAgent();
    QVERIFY(second->start());
    QVERIFY(::access(old.c_str(), F_OK) != 0);
    QCOMPARE(::access(young.c_str(), F_OK), 0);
    QCOMPARE(::access(other.c_str(), F_OK), 0);
    QCOMPARE(::access(used.c_str(), F_OK), 0); // with a process in it
}

// A short task leaves its groups to the next one with the same limits; one that was killed in them does not.
void TstTaskGroups::groupsHandedOn()
{
    QVERIFY(m_fixture.agent->start());
    const auto run = [&](const char *name, const char *script, std::int64_t memoryMiB, std::int64_t cpuWeight) {
        Launch launch = m_fixture.launchOf(name, script);
        launch.plan.limits.memoryBytes = memoryMiB << 20;
        launch.plan.limits.cpuWeight = cpuWeight;
        const auto launched = m_fixture.agent->ask<Launched>(launch);
        const auto exited = m_fixture.agent->exited(launch.dir, 20000);
        return launched && launched->started && exited ? launched->started->cgroup : std::string("not run");
    };
    const auto isThere
        = [](const std::string &groups) { return ::access(groups.substr(0, groups.find(':')).c_str(), F_OK) == 0; };
    const std::string first = run("first", "true", 64, 200);
    SKIP_WITHOUT_MEMORY_GROUP(!first.empty());
    QVERIFY2(first.starts_with('/'), first.c_str());
    QCOMPARE(run("second", "cat /proc/self/cgroup", 64, 200), first);
    QVERIFY2(
        outputOf(m_fixture.launchOf("second", "").dir).contains(first.substr(first.rfind('/')).c_str()), "not in it");
    const std::string wider = run("wider", "true", 128, 200);
    QVERIFY(wider != first);
    QVERIFY(wider != run("lighter", "true", 64, 100));
    QCOMPARE(run("third", "true", 128, 200), wider);

    const char *greedy = "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}";
    QCOMPARE(run("killed", greedy, 64, 200), first);
    QTRY_VERIFY(!isThere(first));
    QVERIFY(run("after", "true", 64, 200) != first);

    // What left its group is put into a new one: no task runs without its limit.
    const std::string gone = run("before", "true", 128, 200);
    QCOMPARE(gone, wider);
    for (std::size_t at = 0, colon = 0; at < gone.size(); at = colon + 1) {
        colon = std::min(gone.find(':', at), gone.size());
        QCOMPARE(::rmdir(gone.substr(at, colon - at).c_str()), 0);
    }
    const std::string anew = run("anew", "cat /proc/self/cgroup", 128, 200);
    QVERIFY(!anew.empty() && anew != gone);
    QVERIFY(outputOf(m_fixture.launchOf("anew", "").dir).contains(anew.substr(anew.rfind('/')).c_str()));

    m_fixture.agent = m_fixture.newAgent(); // the one before ends with its connection
    QTRY_VERIFY(!isThere(anew));
}

#include "tst_taskgroups.moc"
