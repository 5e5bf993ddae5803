// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/peakmemory.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using trainyard::agent::PeakMemory;

// What is recorded as the peak memory of a task, in KiB.
class TstPeakMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void peaks_data()
    {
        QTest::addColumn<qint64>("inherited");
        QTest::addColumn<qint64>("first");
        QTest::addColumn<qint64>("others");
        QTest::addColumn<qint64>("sum");
        QTest::addColumn<int>("looks");
        QTest::addColumn<qint64>("peak");
        const auto row
            = [](const char *name, qint64 inherited, qint64 first, qint64 others, qint64 sum, int looks, qint64 peak) {
                  QTest::newRow(name) << inherited << first << others << sum << looks << peak;
              };
        row("the largest process", 18'000, 900'000, 4'000, 700'000, 20, 900'000);
        row("several together", 18'000, 300'000, 4'000, 900'000, 20, 900'000);
        row("one that was left by its parent", 18'000, 30'000, 400'000, 300'000, 20, 400'000);
        row("the helper had more", 370'000, 370'000, 4'000, 15'000, 20, 15'000);
        row("the helper had more, as counted in pages", 370'000, 371'500, 4'000, 15'000, 20, 15'000);
        row("a little more than the helper", 370'000, 375'000, 4'000, 15'000, 20, 375'000);
        row("too short to be sampled well", 18'000, 18'000, 0, 3'000, 1, 18'000);
    }
    void peaks()
    {
        QFETCH(qint64, inherited);
        QFETCH(qint64, first);
        QFETCH(qint64, others);
        QFETCH(qint64, sum);
        QFETCH(int, looks);
        QTEST(qint64(PeakMemory{inherited, first, others, sum, looks}.peakKiB()), "peak");
    }
};

TRAINYARD_TEST(TstPeakMemory)
#include "tst_peakmemory.moc"
