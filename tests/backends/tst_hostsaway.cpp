// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/api/jobfacts.h"
#include "tests/backends/labs.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Hosts of the pool that are cut off, come back, and may have lost what the engine left there.
class TstHostsAway : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The engine has begun again, and makes its connections: nobody knows yet whether a host is out of reach.
    void hostsThatAreBeingConnected()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString runs = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(runs, State::Running));
        labs.house.close();
        labs.target.setGreeting(false);
        QVERIFY(labs.house.open());
        QTRY_VERIFY(labs.host(u"lab1"_s).state == HostState::Connecting);
        QTRY_COMPARE(labs.reason(runs), u"job.host-connecting"_s);
        const QString waits = labs.house.submit(oneTask(), u"lab2"_s);
        QVERIFY(labs.waits(waits, u"wait.host"_s));
        const auto isConnecting = [&] {
            return labs.house.queries().summary(waits).value_or(JobSummary()).reasonArgs[u"connecting"].toBool();
        };
        QTRY_VERIFY(isConnecting());
        // The next attempt is one after a failure.
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_COMPARE(labs.reason(runs), u"job.host-out-of-reach"_s);
        QTRY_VERIFY(!isConnecting());
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state == HostState::Connecting, 20000);
        QVERIFY(!isConnecting());
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Connecting, 20000);
        QCOMPARE(labs.reason(runs), u"job.host-out-of-reach"_s);
        labs.target.greet(u"lab1"_s);
        labs.target.greet(u"lab2"_s);
        QVERIFY(labs.house.waitForState(waits, State::Running));
        QTRY_COMPARE(labs.reason(runs), QString());
    }

    // What is left of its metrics is read by the next agent, which has to hide the same.
    void theNextAgentLearnsTheSecretsOfWhatHasEnded()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"false"}),
            "secrets: {token: hunter2secret}\nextras: {trainyard: {hosts: {main: {names: [lab1]}}}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(1);
        QTRY_COMPARE(labs.target.running(), 0);
        QCOMPARE(labs.house.state(job), State::Running); // its log is awaited, which may say why
        QVERIFY(!labs.target.knowsSecretsOfAnotherAgents(u"lab1"_s));
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.target.knowsSecretsOfAnotherAgents(u"lab1"_s), 20000);
    }

    // Another computer at the new address would say that it knows nothing of the output.
    void theAddressStaysUntilTheOutputIsHere()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded)); // its log is on its way
        const Result<HostInfo> set = labs.admin().setHost(u"lab1"_s, u"me@other"_s);
        QVERIFY(!set);
        QCOMPARE(set.error().code, u"host.logs-coming"_s);
        QCOMPARE(set.error().args[u"logs"].toInt(), 1);
        QCOMPARE(labs.host(u"lab1"_s).target, u"me@lab1"_s);
        // Of one that is away, the address may be what is wrong.
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().setHost(u"lab1"_s, u"me@other"_s));
        QCOMPARE(labs.host(u"lab1"_s).target, u"me@other"_s);
    }

    // A host that comes for a moment, and does not answer, gives no stop more time before it is given up.
    void aStopDoesNotWaitForShortVisits()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setAnswering(false);
        const auto until = [&] { // of an outage that begins now
            labs.target.cut(u"lab1"_s);
            if (labs.house.state(job) == State::Running) {
                labs.house.service().stop(job);
            }
            const JobSummary now = labs.house.queries().summary(job).value_or(JobSummary());
            return now.reason == u"stop.host-away"_s ? now.reasonArgs[u"until"].toInteger() : 0;
        };
        const qint64 first = until();
        QVERIFY(first > 0);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QCOMPARE(until(), first);
        labs.target.setAnswering(true);
        QVERIFY(labs.house.waitForState(job, State::Stopped));
    }

    // What waits for a host that is away ends here at once; what runs there may go on.
    void aStopIsGivenUpByItsUser()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        const QString other = labs.submit("{names: [lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(labs.house.waitForState(other, State::Running));
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        labs.house.service().stop(job);
        QTRY_COMPARE(labs.reason(job), u"stop.host-away"_s);
        QCOMPARE(labs.house.state(job), State::Stopping);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        const JobSummary ended = labs.house.queries().summary(job).value_or(JobSummary());
        QCOMPARE(ended.reason, u"stop.host-unreachable"_s);
        QCOMPARE(ended.reasonArgs[u"host"].toString(), u"lab1"_s);
        QCOMPARE(labs.house.state(other), State::Running);
    }

    // Its data were still on their way, so nothing was launched, and nothing is waited for.
    void aStopOfWhatWasNeverLaunched()
    {
        Labs labs;
        labs.target.loseData(1'000'000, ETIMEDOUT);
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, data: {sets: {paths: {lab1: /srv/sets}}}}}\n"));
        QVERIFY(!job.isEmpty());
        const auto isLaunching
            = [&] { return std::holds_alternative<core::Launching>(labs.house.job(job)->state.tasks.front().state); };
        QTRY_VERIFY(isLaunching());
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        QVERIFY(isUnstartedThere(labs.house.queries().summary(job).value_or(JobSummary()).reasonArgs));
        QCOMPARE(labs.host(u"lab1"_s).filesFolder, labs.target.stateFolder); // where files stay if it is removed now
        QCOMPARE(labs.admin().removeHost(u"lab1"_s, true).error().code, u"host.in-use"_s);
        labs.house.service().stop(job);
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        const QString why = labs.reason(job);
        QVERIFY2(why != "stop.host-unreachable"_L1, qPrintable(why)); // nothing may still be running
        QCOMPARE(labs.target.starts(), 0);
        QVERIFY(labs.admin().removeHost(u"lab1"_s, false));
    }

    // Two names of one account would count its cores twice, and each would remove what the other has there.
    void oneAccountIsOneHost()
    {
        Labs labs;
        QVERIFY(labs.open()); // nothing is known of their machines
        labs.target.machineIds = {{u"lab1"_s, "one"}, {u"lab2"_s, "one"}};
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).error, u"host.same"_s, 20000);
        QCOMPARE(labs.host(u"lab2"_s).state, HostState::Failed);
        QCOMPARE(labs.host(u"lab2"_s).errorArgs[u"other"].toString(), u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        // Another machine, and the same one under one name, are hosts.
        labs.target.machineIds[u"lab2"_s] = "two";
        QVERIFY(labs.admin().checkHost(u"lab2"_s));
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).state, HostState::Online, 20000);
        // What runs there already is not lost by that.
        const QString job = labs.submit("{names: [lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.machineIds[u"lab2"_s] = "one";
        labs.target.cut(u"lab2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state != HostState::Online, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).state, HostState::Online, 20000);
        QCOMPARE(labs.house.state(job), State::Running);
    }

    // What is still to come from it is not left there, either.
    void anAccountWithResultsIsAskedForThem()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab2]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.failLists(1000, EMFILE, "out/deep");
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QTRY_VERIFY(told().isPending && !told().problems.isEmpty());
        labs.target.machineIds = {{u"lab1"_s, "one"}, {u"lab2"_s, "one"}};
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state != HostState::Online, 20000);
        for (const QString &lab : {u"lab1"_s, u"lab2"_s}) {
            QTRY_COMPARE_WITH_TIMEOUT(labs.host(lab).state, HostState::Online, 20000);
        }
        labs.target.failLists(0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
    }

    // A host cannot end what runs on another one, though it may know its name.
    void aHostSpeaksForItsOwnTasks()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.claimEnds(u"lab2"_s, 0);
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.target.claimEnds(u"lab1"_s, 0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
    }

    // Its log never comes: those that wait for it are told all the same, by what is known without it.
    void aFailureWhoseLogDoesNotCome()
    {
        Labs labs;
        QVERIFY(labs.open());
        using namespace std::chrono_literals;
        labs.pool().reports().setPatience({1h, 300ms});
        const QString job = labs.submit("{names: [lab1, lab2], arrange: different-hosts}", 2);
        const auto tasksNow = [&] { return labs.house.queries().tasks(job, -1, 0, 2).value_or(QList<TaskInfo>()); };
        const auto run = [&] {
            const QList<TaskInfo> tasks = tasksNow();
            return tasks.size() == 2 && std::all_of(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) {
                return task.state == State::Running;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(run(), 20000);
        labs.target.claimEnds(u"lab1"_s, 3);
        QVERIFY(labs.house.waitForState(job, State::Failed));
        const QList<TaskInfo> tasks = tasksNow();
        QCOMPARE(tasks.size(), 2);
        const auto onLab1
            = std::find_if(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return task.host == u"lab1"_s; });
        QVERIFY(onLab1 != tasks.cend());
        QCOMPARE(onLab1->rawExit, std::optional<int>(3));
        const FailureFacts facts = failureFacts(onLab1->reasonArgs);
        QCOMPARE(facts.cause, u"unknown"_s);
        QCOMPARE(facts.args[u"logOn"].toString(), u"lab1"_s);
        QVERIFY(!facts.args.contains(u"silent"_s));
    }

    // Its output may be here, and what comes with it is on a slow way: that is no reason to do without.
    void aFailureWhoseLogComesSlowly()
    {
        Labs labs;
        QVERIFY(labs.open());
        using namespace std::chrono_literals;
        labs.pool().reports().setPatience({1h, 1s});
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.claimEnds(u"lab1"_s, 3);
        constexpr int longerThanThePatience = 3000;
        QVERIFY(!QTest::qWaitFor(
            [&] {
                labs.target.sendMore(u"lab1"_s);
                return labs.house.state(job) == State::Failed;
            },
            longerThanThePatience));
        QVERIFY(labs.house.waitForState(job, State::Failed)); // nothing comes any more
    }

    // The next helper of its host may choose another state folder, where there is nothing.
    void whatRunsStaysWhereItIs()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.stateFolder += u"/other"_s;
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.house.close();
        QVERIFY(labs.open());
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
    }

    // It was launched, and the answer was lost. Where its folder is not mounted, it is not launched once more.
    void whatIsNotMountedIsNotLaunchedAgain()
    {
        Labs labs;
        QVERIFY(labs.open());
        labs.target.loseAnswers(true);
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(QTest::qWaitFor([&] { return labs.target.running() == 1; }));
        labs.target.setMounted(false);
        labs.target.loseAnswers(false);
        labs.target.cut(u"lab1"_s);
        QVERIFY(labs.waits(job, u"observe.away"_s));
        QCOMPARE(labs.target.starts(), 1);
        labs.house.close(); // nor by the next engine
        QVERIFY(labs.open());
        QVERIFY(labs.waits(job, u"observe.away"_s));
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.target.starts(), 1);
    }

    // Nor does another task begin where it would make a folder that hides what runs there.
    void whatIsNewWaitsForWhatIsNotMounted()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString first = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(first, State::Running));
        labs.target.setMounted(false);
        const QString second = labs.submit("{names: [lab1]}");
        QVERIFY(labs.waits(second, u"observe.away"_s));
        labs.house.close();
        QVERIFY(labs.open());
        QVERIFY(labs.waits(second, u"observe.away"_s));
        QCOMPARE(labs.house.state(first), State::Running);
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QVERIFY(labs.house.waitForState(second, State::Running));
        QCOMPARE(labs.target.starts(), 2);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(first, State::Succeeded));
        QVERIFY(labs.house.waitForState(second, State::Succeeded));
    }

    // Several that have waited for it for too long each have it made anew, and all hear that it is there.
    void allHearOfAFolderThatIsMadeAnew()
    {
        Labs labs;
        QVERIFY(labs.open());
        PoolHost *host = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(host);
        const QString folder = u"/state/remote/epoch/jobs/1"_s;
        const QUuid one = QUuid::createUuid(), two = QUuid::createUuid();
        QTemporaryDir state;
        OwnFolders own(RunFolders(state.path()), u"epoch"_s);
        QSet<QUuid> shown, away;
        connect(&own, &OwnFolders::shown, this, [&shown](const QSet<QUuid> &tries) { shown += tries; });
        connect(&own, &OwnFolders::away, this, [&away](const QSet<QUuid> &tries) { away += tries; });
        QVERIFY(!own.isThere(*host, folder, one));
        QTRY_COMPARE(shown, QSet<QUuid>{one});
        QVERIFY(own.isThere(*host, folder, two));
        labs.target.setMounted(false);
        own.hide(*host, folder);
        shown.clear();
        QVERIFY(!own.isThere(*host, folder, one) && !own.isThere(*host, folder, two));
        QTRY_COMPARE(away, (QSet<QUuid>{one, two}));
        for (const QUuid &each : {one, two}) {
            own.forget(u"lab1"_s, folder);
            QVERIFY(!own.isThere(*host, folder, each));
        }
        QTRY_COMPARE(shown, (QSet<QUuid>{one, two}));
        // A launch of before may say late that it is away.
        own.hide(*host, folder);
        shown.clear();
        labs.target.setMounted(true);
        QVERIFY(!own.isThere(*host, folder, one));
        own.hide(*host, folder);
        QVERIFY(!own.isThere(*host, folder, two));
        QTRY_COMPARE(shown, (QSet<QUuid>{one, two}));
    }

    // Where it gets another address, it may be another computer, which has nothing of the engine yet.
    void anotherAddressHasNoFolderYet()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString first = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(first, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(false));
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        const QString second = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(second, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(true));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(first, State::Succeeded));
        QVERIFY(labs.house.waitForState(second, State::Succeeded));
        labs.target.setGreeting(false); // while it is away, what is left of the output is not waited for
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().setHost(u"lab1"_s, u"me@other"_s));
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        const QString third = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(third, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(false));
    }

    // When it is cut off, it says when it was last seen, and no longer when it is back.
    void isSeenLastAtTheCut()
    {
        Labs labs;
        QVERIFY(labs.open());
        QCOMPARE(labs.host(u"lab1"_s).lastSeen, 0);
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        const qint64 seen = labs.host(u"lab1"_s).lastSeen;
        QVERIFY(seen > before - 60'000 && seen <= QDateTime::currentMSecsSinceEpoch());
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QCOMPARE(labs.host(u"lab1"_s).lastSeen, 0);
    }
};

TRAINYARD_TEST(TstHostsAway)
#include "tst_hostsaway.moc"
