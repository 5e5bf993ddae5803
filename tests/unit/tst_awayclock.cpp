// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/awayclock.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// For how long a host says that it has nothing of this engine.
class TstAwayClock : public QObject
{
    Q_OBJECT

    static constexpr qint64 pauseMs = 5000;

private Q_SLOTS:
    // One that answers each time is away as long as it says so.
    void countsFromTheFirstAnswer()
    {
        AwayClock clock;
        for (int i = 0; i <= 60; ++i) {
            QCOMPARE(clock.say(1'000'000 + i * 5100, pauseMs), i * 5100);
        }
    }

    // Nobody knows what it had while it was out of reach.
    void anOutageCountsForLittle()
    {
        AwayClock clock;
        QCOMPARE(clock.say(1000, pauseMs), 0);
        QCOMPARE(clock.say(1000 + 86'400'000, pauseMs), 2 * pauseMs);
    }

    // One that comes for a moment again and again gets there.
    void shortVisitsAddUp()
    {
        AwayClock clock;
        qint64 awayMs = 0;
        int visits = 0;
        for (; awayMs < 300'000 && visits < 1000; ++visits) {
            awayMs = clock.say(visits * 60'000, pauseMs);
        }
        QCOMPARE(visits, 31);
    }

    void startsAgainWhenItHasSomething()
    {
        AwayClock clock;
        clock.say(0, pauseMs);
        QCOMPARE(clock.say(4000, pauseMs), 4000);
        clock.reset();
        QCOMPARE(clock.say(8000, pauseMs), 0);
        QCOMPARE(clock.say(7000, pauseMs), 0); // never backwards
    }
};

TRAINYARD_TEST(TstAwayClock)
#include "tst_awayclock.moc"
