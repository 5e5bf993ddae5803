// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/series.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/tokens.h"
#include "widgets/plot/curveplot.h"

#include <QImage>
#include <QTest>

using namespace trainyard;

// Values of a curve that no line leads to.
class TstLoneValues : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lonePointIsWhole();
    void valueBetweenGapsIsDrawn_data();
    void valueBetweenGapsIsDrawn();
};

// At the end of the axis too.
void TstLoneValues::lonePointIsWhole()
{
    series::Series one;
    one.append({20, WrittenLog::start, 1.0});
    CurvePlot plot(QStringLiteral("val loss"));
    plot.resize(400, 200);
    plot.setLines({{QStringLiteral("worker/0"), 0, &one}});
    plot.setWhole({0, 20});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const QColor ink = colour(lookColour(0), &plot);
    const auto isWhole = [&] {
        const QImage image = plot.grab().toImage();
        const QPoint at = plot.pixelOf(20, 1.0);
        return image.pixelColor(at - QPoint(1, 0)) == ink && image.pixelColor(at + QPoint(1, 0)) == ink;
    };
    QTRY_VERIFY(isWhole());
}

void TstLoneValues::valueBetweenGapsIsDrawn_data()
{
    QTest::addColumn<QList<double>>("values"); // at the steps 20, 40, 60, ...
    QTest::addColumn<int>("lone"); // which of them
    QTest::addColumn<double>("smoothing");
    const double gap = qQNaN();
    QTest::newRow("the first one") << QList<double>{1.5, gap, gap} << 0 << 0.0;
    QTest::newRow("the last one") << QList<double>{1, 1.1, gap, 1.5} << 3 << 0.0;
    QTest::newRow("between two") << QList<double>{1, 1.1, gap, 1.5, qInf(), 1.1, 1} << 3 << 0.0;
    QTest::newRow("smoothed") << QList<double>{1.5, gap, gap} << 0 << 0.9;
}

// No line goes through it.
void TstLoneValues::valueBetweenGapsIsDrawn()
{
    QFETCH(QList<double>, values);
    QFETCH(int, lone);
    QFETCH(double, smoothing);
    series::Series series;
    for (int i = 0; i < values.size(); ++i) {
        series.append({20.0 * (i + 1), WrittenLog::start + i, values.at(i)});
    }
    CurvePlot plot(QStringLiteral("loss"));
    plot.resize(400, 200);
    plot.setLines({{QStringLiteral("worker/0"), 0, &series}});
    CurveLook look;
    look.smoothing = smoothing;
    plot.setLook(look);
    plot.setWhole({20, 20.0 * double(values.size())});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const QColor ink = colour(lookColour(0), &plot);
    const auto isDrawnThere = [&] {
        const QImage image = plot.grab().toImage();
        const QPoint at = plot.pixelOf(20.0 * (lone + 1), values.at(lone));
        return image.pixelColor(at - QPoint(1, 0)) == ink && image.pixelColor(at + QPoint(1, 0)) == ink;
    };
    QTRY_VERIFY(isDrawnThere());
}

TRAINYARD_GUI_TEST(TstLoneValues)
#include "tst_lonevalues.moc"
