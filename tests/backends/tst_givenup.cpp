// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchbars.h"
#include "tests/backends/labs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTest>

#include <csignal>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Tasks that are given up while their host is away, and may run on there.
class TstGivenUp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isStoppedWhenItsHostIsBack_data()
    {
        QTest::addColumn<bool>("isNext");
        QTest::addColumn<bool>("isRemoved");
        QTest::newRow("by the engine that gave it up") << false << false;
        QTest::newRow("by the next engine") << true << false;
        QTest::newRow("of a job that was removed meanwhile") << false << true;
    }
    void isStoppedWhenItsHostIsBack()
    {
        QFETCH(bool, isNext);
        QFETCH(bool, isRemoved);
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        const QString other = labs.submit("{names: [lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(labs.house.waitForState(other, State::Running));
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        QCOMPARE(labs.target.running(), 2);
        const QDir bars(labs.house.path(u"state/bars"_s));
        QCOMPARE(bars.entryList(QDir::Files).size(), 1);
        if (isRemoved) {
            QVERIFY(labs.house.service().remove(job));
        }
        labs.target.setGreeting(true);
        if (isNext) {
            labs.house.close();
            QVERIFY(labs.open());
        } else {
            labs.target.greet(u"lab1"_s);
        }
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.running(), 1, 20000);
        QCOMPARE(labs.house.state(other), State::Running);
        // It is asked for until it is known to have ended.
        QTRY_VERIFY_WITH_TIMEOUT(bars.entryList(QDir::Files).isEmpty(), 20000);
        QCOMPARE(labs.target.stops(), 1); // another one would make the folder of a removed job again
    }

    // The connection is cut before its end is known, and its folder may be removed with its job meanwhile.
    void isNotBarredAgainOnceItHasRun()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.running(), 0, 20000);
        QVERIFY(labs.target.isAskedToBar()); // its launch might still be on its way
        const QDir bars(labs.house.path(u"state/bars"_s));
        const auto hasBegun = [&bars] {
            QFile bar(bars.filePath(bars.entryList(QDir::Files).value(0)));
            return bar.open(QIODevice::ReadOnly) && bar.readAll().endsWith("\nbegun\n");
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasBegun(), 20000);
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(!labs.target.isAskedToBar());
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(bars.entryList(QDir::Files).isEmpty(), 20000);
        QVERIFY(!labs.target.isAskedToBar());
    }

    // What comes with its output shows later that it has ended there.
    void saysThatItHasEndedThere()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        const auto task
            = [&] { return labs.house.queries().tasks(job, -1, 0, 1).value_or(QList<TaskInfo>()).value(0); };
        QCOMPARE(task().reason, u"stop.host-unreachable"_s);
        QFile end(task().logFolder + u"/exit"_s);
        QVERIFY(QDir().mkpath(task().logFolder) && end.open(QIODevice::WriteOnly));
        QCOMPARE(task().reason, u"stop.host-back"_s);
        QCOMPARE(task().reasonArgs[u"host"].toString(), u"lab1"_s);
    }

    // The engine that gives it up has not reached the host, and knows from the one before where the task is.
    void isFoundByAnEngineThatHasNotSeenItsHost()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.house.close();
        labs.target.setGreeting(false);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.reason(job), u"job.host-connecting"_s);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.running(), 0, 20000);
    }

    // The host is cut off, and does not count as away yet: the wish holds when it does.
    void theWishIsRemembered()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        const QString other = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(labs.house.waitForState(other, State::Running));
        labs.target.setAnswering(false);
        QVERIFY(!labs.house.service().giveUp(job).value_or(true));
        labs.house.service().stop(other);
        QCOMPARE(labs.house.state(job), State::Stopping);
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        QCOMPARE(labs.reason(job), u"stop.host-unreachable"_s);
        QCOMPARE(labs.house.state(other), State::Stopping); // which waits for its host
        labs.target.setAnswering(true);
    }

    // The next engine knows how it is to be stopped.
    void barsAreKept()
    {
        const QTemporaryDir folder;
        const QUuid one = QUuid::createUuid(), old = QUuid::createUuid();
        LaunchBars(folder.path()).add(one, u"lab1"_s, {"/state/one", SIGUSR1, 5000, true});
        QFile written(folder.filePath(old.toString(QUuid::WithoutBraces)));
        QVERIFY(written.open(QIODevice::WriteOnly) && written.write("lab2\n/state/old\n") > 0);
        written.close();
        LaunchBars bars(folder.path());
        const LaunchBars::Bar *bar = bars.find(one);
        QVERIFY(bar && bar->isDue && bar->host == u"lab1"_s);
        QCOMPARE(bar->stop.dir, std::string("/state/one"));
        QCOMPARE(bar->stop.signal, SIGUSR1);
        QCOMPARE(bar->stop.graceMs, std::int64_t(5000));
        QVERIFY(bar->stop.onlyMain && !bar->stop.hasBegun);
        bars.setBegun(one);
        const LaunchBars next(folder.path());
        QVERIFY(next.find(one) && next.find(one)->stop.hasBegun && next.find(one)->stop.onlyMain);
        const LaunchBars::Bar *before = bars.find(old);
        QVERIFY(before && before->host == u"lab2"_s);
        QCOMPARE(before->stop.dir, std::string("/state/old"));
        QCOMPARE(before->stop.signal, SIGTERM);
        QCOMPARE(before->stop.graceMs, std::int64_t(0));
    }
};

TRAINYARD_TEST(TstGivenUp)
#include "tst_givenup.moc"
