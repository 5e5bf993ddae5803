// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/labs.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <cerrno>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Checkpoints, results and data on hosts of the pool whose file systems are busy or away.
class TstPoolFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // As soon as it is known to run there: an engine that is killed then has no other word of it.
    void theHostOfCheckpointsIsOnTheDisk()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QByteArray notes;
        QVERIFY(labs.house.waitFor(job, [&](const JobSummary &now) {
            notes = labs.house.read(u"state/runs/"_s + job + u"/checkpoints.json"_s);
            return now.state == State::Running;
        }));
        QVERIFY2(notes.contains("\"host\":\"lab1\""), notes.constData());
    }

    // The home folder of the host that has them is not mounted: they are not missing.
    void checkpointsThatAreNotSeenAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        const QString first = labs.hostsOf(job).value(0), second = first == u"lab1"_s ? u"lab2"_s : u"lab1"_s;
        QVERIFY(labs.admin().changeHost({first, {}, {}, true, {}})); // the next attempt goes to the other one
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.target.setMounted(false);
        QVERIFY(labs.house.service().retry({job, {}, false, {}}));
        QVERIFY(labs.house.waitFor(job, [](const JobSummary &now) { return now.reason == u"checkpoints.waiting"_s; }));
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.starts(), 2, 20000);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.hostsOf(job), QStringList{second});
    }

    // A host that has no descriptor to spare has not lost them.
    void checkpointsOfABusyHostAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        const QString first = labs.hostsOf(job).value(0);
        QVERIFY(labs.admin().changeHost({first, {}, {}, true, {}}));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.target.failLists(1, EMFILE);
        QVERIFY(labs.house.service().retry({job, {}, false, {}}));
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.starts(), 2, 20000);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.house.job(job)->state.tasks.front().tryIndex, 0);
        QVERIFY(labs.hostsOf(job).value(0) != first);
    }

    // Nor are results: they come when it is there.
    void resultsThatAreNotSeenAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setMounted(false);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QSignalSpy moved(
            &labs.pool().results(), &ResultService::moved); // else clients would have to ask again and again
        QTRY_VERIFY(!told().problems.isEmpty());
        QVERIFY(told().isPending);
        QTRY_VERIFY(!moved.isEmpty());
        const qsizetype before = moved.size();
        labs.target.setMounted(true);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
        QTRY_VERIFY(moved.size() > before);
        QCOMPARE(moved.last().value(0).toString(), job);
    }

    // Nor are those of one folder that a host has no descriptor to spare for.
    void resultsOfAFolderThatIsNotReadNowAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.failLists(1000, EMFILE, "out/deep");
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QTRY_VERIFY(told().isPending && !told().problems.isEmpty());
        QCOMPARE(told().problems.size(), 1);
        QCOMPARE(told().problems.first().code, u"results.host-failed"_s);
        labs.target.failLists(0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
    }

    // A host that has no process to spare, or whose folder is not to be seen, has not said that the work folder cannot
    // be copied.
    void busyHostsGetTheirCopyLater_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("busy") << QByteArray("code.host-failed");
        QTest::newRow("away") << QByteArray("observe.away");
    }

    void busyHostsGetTheirCopyLater()
    {
        QFETCH(QByteArray, code);
        Labs labs;
        labs.target.loseCode(1, code.toStdString());
        QVERIFY(labs.open());
        QVERIFY(QDir().mkpath(labs.house.path(u"project"_s)));
        QVERIFY(labs.house.write(u"project/train.sh"_s, "true\n"));
        SubmitRequest request;
        request.yaml = oneTask();
        request.target = u"lab1"_s;
        request.work = labs.house.path(u"project"_s);
        const Result<SubmitReply> reply = labs.house.service().submit(request);
        QVERIFY2(reply, reply ? "" : qPrintable(reply.error().code));
        QTRY_COMPARE_WITH_TIMEOUT(labs.house.state(reply->uuid), State::Running, 20000);
        const core::JobState &state = labs.house.job(reply->uuid)->state;
        QCOMPARE(state.retries, 0);
        QCOMPARE(state.tasks.front().tryIndex, 0);
        QCOMPARE(labs.target.starts(), 1);
    }

    // Nor has one whose file server does not answer said that the data of a job cannot be read.
    void dataOfASlowFileServerIsAwaited()
    {
        Labs labs;
        labs.target.loseData(1, ETIMEDOUT);
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, data: {sets: {paths: {lab1: /srv/sets}}}}}\n"));
        QVERIFY(!job.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(labs.house.state(job), State::Running, 20000);
        const core::JobState &state = labs.house.job(job)->state;
        QCOMPARE(state.retries, 0);
        QCOMPARE(state.tasks.front().tryIndex, 0);
    }
};

TRAINYARD_TEST(TstPoolFiles)
#include "tst_poolfiles.moc"
