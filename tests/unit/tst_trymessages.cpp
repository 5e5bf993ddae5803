// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/trymessages.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <csignal>

using namespace trainyard;

// What an agent is asked about a try, and what its refusal means.
class TstTryMessages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stop_data()
    {
        QTest::addColumn<bool>("hasSpec");
        QTest::addColumn<int>("signal"); // of the rule
        QTest::addColumn<int>("seconds"); // of the rule; -1: none
        QTest::addColumn<bool>("killNow");
        QTest::addColumn<int>("expectedSignal");
        QTest::addColumn<int>("expectedMs");

        QTest::newRow("nothing is known of the job") << false << 0 << -1 << false << SIGTERM << 30000;
        QTest::newRow("a job without a rule") << true << 0 << -1 << false << SIGTERM << 30000;
        QTest::newRow("a signal") << true << SIGUSR1 << -1 << false << SIGUSR1 << 30000;
        QTest::newRow("a grace period") << true << 0 << 90 << false << SIGTERM << 90000;
        QTest::newRow("no grace period") << true << 0 << 0 << false << SIGTERM << 0;
        QTest::newRow("at once, whatever the rule says") << true << SIGUSR1 << 90 << true << SIGUSR1 << 0;
    }

    void stop()
    {
        QFETCH(bool, hasSpec);
        QFETCH(int, signal);
        QFETCH(int, seconds);
        QFETCH(bool, killNow);
        ActiveJob job;
        job.killNow = killNow;
        if (hasSpec) {
            job.spec.emplace();
            job.spec->trainyard.stop.signal = signal;
            job.spec->trainyard.stop.onlyMain = true;
            job.spec->trainyard.stop.graceSeconds = seconds < 0 ? std::nullopt : std::optional<qint64>(seconds);
        }
        const contract::Stop stop = stopOf(job, "/runs/one", 30);
        QCOMPARE(stop.dir, std::string("/runs/one"));
        QTEST(stop.signal, "expectedSignal");
        QTEST(int(stop.graceMs), "expectedMs");
        QCOMPARE(stop.onlyMain, hasSpec);
    }

    void notStartedTellsWhy()
    {
        contract::Failure why;
        why.code = "launch.no-folder";
        why.systemError = 2;
        contract::ExitRecord record = notStarted(why, 1234);
        QVERIFY(record.kind == contract::ExitKind::StartFailed);
        QCOMPARE(record.value, 2);
        QCOMPARE(record.reason, std::string("launch.no-folder"));
        QCOMPARE(record.ended, 1234);
        why.argument = "/data";
        record = notStarted(why, 1234);
        QCOMPARE(record.reason, std::string("launch.no-folder /data"));
    }
};

TRAINYARD_TEST(TstTryMessages)
#include "tst_trymessages.moc"
