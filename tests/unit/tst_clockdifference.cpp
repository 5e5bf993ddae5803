// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/clockdifference.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// How far the clock of a host is ahead, from samples that were under way for a while.
class TstClockDifference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingWithoutSamples() { QVERIFY(!ClockDifference().aheadMs()); }

    void theQuickestSampleCounts()
    {
        ClockDifference clock;
        for (const qint64 delay : {40, 900, 3, 15'000}) {
            clock.add(5000 - delay);
        }
        QCOMPARE(clock.aheadMs(), std::optional<qint64>(4997));
    }

    // The difference of a moment ago is not kept for ever, in either direction.
    void followsAClockThatIsSetRight()
    {
        ClockDifference clock;
        for (const qint64 ahead : {60'000, 0, -60'000, 20}) {
            for (int i = 0; i < 60; ++i) {
                clock.add(ahead - 10 * (i % 3));
            }
            QCOMPARE(clock.aheadMs(), std::optional(ahead));
        }
    }
};

TRAINYARD_TEST(TstClockDifference)
#include "tst_clockdifference.moc"
