// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsprint.h"
#include "app/cli/readprogress.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <cmath>

using namespace trainyard;

class TstMetricsPrint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // What is read for long is told soon, and then not too often.
    void linesAboutReading_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<int>("lines");
        QTest::addColumn<bool>("isDue");
        QTest::newRow("at once") << qint64(1000) << 0 << false;
        QTest::newRow("soon") << qint64(5000) << 0 << true;
        QTest::newRow("right after a line") << qint64(6000) << 1 << false;
        QTest::newRow("half a minute later") << qint64(35'000) << 1 << true;
        QTest::newRow("then again not") << qint64(36'000) << 2 << false;
    }
    void linesAboutReading()
    {
        QFETCH(const qint64, ms);
        QFETCH(const int, lines);
        QTEST(cli::isLineDue(ms, lines), "isDue");
    }

    // Steps that turn out to be batches are still those of one curve; what is told of epochs stands apart.
    void stepsAndBatchesAreOne()
    {
        cli::Tallies tallies;
        tallies.add(metrics::Axis::Step, 3);
        tallies.add(metrics::Axis::Epoch, 7);
        tallies.add(metrics::Axis::Batch, 1);
        tallies.add(metrics::Axis::Batch, std::nan(""));
        tallies.add(metrics::Axis::Batch, 2);
        QCOMPARE(tallies.all().size(), 2);
        const cli::Tally &curve = tallies.all().at(0);
        QCOMPARE(curve.axis, metrics::Axis::Batch);
        QCOMPARE(curve.points, 4);
        QCOMPARE(curve.last, 2.0);
        QCOMPARE(curve.least, 1.0);
        QCOMPARE(curve.greatest, 3.0);
        QCOMPARE(tallies.all().at(1).axis, metrics::Axis::Epoch);
        QCOMPARE(tallies.all().at(1).points, 1);
    }
};
TRAINYARD_TEST(TstMetricsPrint)
#include "tst_metricsprint.moc"
