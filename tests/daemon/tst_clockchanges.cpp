// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "tests/daemon/damagetests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Somebody sets the clock of the computer: rests and limits last as long as they should.
class TstClockChanges : public DamageTests
{
    Q_OBJECT

private Q_SLOTS:
    void clockJumps_data()
    {
        QTest::addColumn<qint64>("step");
        QTest::newRow("back a day") << qint64(-86400000);
        QTest::newRow("on a day") << qint64(86400000);
    }

    // A rest before the next attempt is neither cut short nor put off, and clients hear of every change at once.
    void clockJumps()
    {
        QFETCH(qint64, step);
        EngineFixture f({{u"retry.pauseSeconds"_s, 1}});
        QVERIFY(f.open());
        const auto back = qScopeGuard([step] { stepClockForTests(-step); });
        QSignalSpy told(&f.engine(), &Engine::jobChanged);
        const QString uuid = f.submit(simple("clock",
            {"cat /proc/uptime >> begun; [ $(wc -l < begun) -ge 2 ]; until [ -e seen ]; do sleep 0.05; done"},
            "jobRetryCount: -1\n"));
        QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
        const auto isResting = [](const JobSummary &job) { return job.retryDelaySec.has_value(); };
        QVERIFY(f.waitFor(uuid, isResting));
        stepClockForTests(step);
        told.clear();
        const auto sawRunning = [&told] {
            return std::any_of(told.cbegin(), told.cend(), [](const QList<QVariant> &one) {
                return one.constFirst().value<JobSummary>().state == State::Running;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(sawRunning(), 10000); // not only at the end
        QFile seen(f.path(u"work/seen"_s));
        QVERIFY(seen.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(uuid, 10000));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
        const QByteArrayList begun = EngineFixture::contents(f.path(u"work/begun"_s)).trimmed().split('\n');
        QCOMPARE(begun.size(), 2);
        const double rest
            = begun.at(1).split(' ').constFirst().toDouble() - begun.at(0).split(' ').constFirst().toDouble();
        QVERIFY2(rest >= 0.9 && rest < 9, qPrintable(QString::number(rest)));
    }

    // A rest that was written down under a clock that was far ahead.
    void clockWasSetBackMeanwhile()
    {
        EngineFixture f({{u"retry.pauseSeconds"_s, 1}});
        QVERIFY(f.open());
        const QString uuid
            = f.submit(simple("meanwhile", {"echo x >> begun; [ $(wc -l < begun) -ge 2 ]"}, "jobRetryCount: -1\n"));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.retryDelaySec.has_value(); }));
        f.close();
        constexpr qint64 year = qint64(365) * 86400000;
        stepClockForTests(-year);
        const auto back = qScopeGuard([] { stepClockForTests(year); });
        QVERIFY(f.open());
        QVERIFY(f.waitForEnd(uuid, 10000));
        QCOMPARE(f.job(uuid).state, State::Succeeded);
    }

    // A limit of running time that another engine looks after, under a clock that somebody has set meanwhile.
    void limitWhenTheClockIsSetMeanwhile()
    {
        EngineFixture f;
        QVERIFY(f.open());
        const QString uuid = f.submit(simple(
            "limit", {"until [ -e go ]; do sleep 0.05; done"}, "extras: {trainyard: {limits: {timeSeconds: 600}}}\n"));
        QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
        f.close();
        constexpr qint64 hour = 3600000;
        stepClockForTests(hour);
        const auto back = qScopeGuard([] { stepClockForTests(-hour); });
        QVERIFY(f.open());
        QVERIFY(
            f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running || isFinal(job.state); }));
        const QString other = f.submit(simple("other", {"true"}, {}));
        QVERIFY(f.waitForEnd(other)); // what the engine wanted to do first is done
        QCOMPARE(f.job(uuid).state, State::Running);
        QFile go(f.path(u"work/go"_s));
        QVERIFY(go.open(QIODevice::WriteOnly));
        QVERIFY(f.waitForEnd(uuid, 10000));
        QVERIFY2(f.job(uuid).state == State::Succeeded, qPrintable(f.job(uuid).reason));
    }
};

TRAINYARD_TEST(TstClockChanges)
#include "tst_clockchanges.moc"
