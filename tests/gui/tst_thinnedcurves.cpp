// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskfigures.h"
#include "engine/series/rewriting.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/plot/curvepanel.h"
#include "widgets/plot/curvesview.h"

#include <QFile>
#include <QTest>

using namespace trainyard;

// Figures of a host whose older values are thinned while somebody looks at them.
class TstThinnedCurves : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aBandStandsWhereValuesWereThinned();
};
TRAINYARD_GUI_TEST(TstThinnedCurves)

void TstThinnedCurves::aBandStandsWhereValuesWereThinned()
{
    WrittenLog log;
    log.write("nothing to measure\n");
    series::Error error;
    auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
    QVERIFY(writer);
    series::Info info{"cpu", series::Axis::Time, series::StepBack::Mixed};
    info.mayThin = true;
    const auto id = writer->define(info);
    constexpr qint64 begin = WrittenLog::start / 60000 * 60000;
    for (int second = 0; second < 600; ++second) {
        const qint64 at = begin + second * 1000;
        writer->append(*id, {double(at), at, second == 33 ? 400.0 : double(second % 10)});
    }
    writer->flush();
    CurvesView view;
    view.resize(900, 400);
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.logFolder = log.folder();
    view.setTasks({task});
    view.show();
    QTRY_COMPARE(view.plots().size(), 1);
    CurvePlot *plot = view.plots().constFirst();
    const auto line = [plot] { return plot->lines().value(0); };
    QTRY_VERIFY(line().series && line().series->size() == 600);
    QVERIFY(!line().low && !line().high);
    const auto panel = view.findChild<CurvePanel *>();
    QVERIFY(panel);
    const auto detailAt = [&](int second) {
        const QList<CursorCard::Row> rows = panel->rowsAt(placeOf(line(), {0, begin + second * 1000, 0}, plot->look()));
        return rows.isEmpty() ? QStringLiteral("none") : rows.constFirst().detail;
    };
    QCOMPARE(detailAt(30), QString());
    // Five minutes become buckets of ten seconds.
    QCOMPARE(series::rewrite(writer, begin + 600000, {{300000, 10000}}).fault, series::Fault::None);
    QTRY_VERIFY(line().low && line().high);
    QTRY_COMPARE(line().series->size(), std::size_t(30 + 300));
    QCOMPARE(line().high->size(), std::size_t(30));
    QCOMPARE(line().high->largest()->value, 400.0);
    QCOMPARE(line().series->at(0).value, 4.5);
    QCOMPARE(detailAt(30), QStringLiteral("0 to 400"));
    QCOMPARE(detailAt(500), QString());
    // It goes on.
    const qint64 at = begin + 600000;
    writer->append(*id, {double(at), at, 7});
    writer->flush();
    QTRY_COMPARE(line().series->size(), std::size_t(331));
    QCOMPARE(line().low->size(), std::size_t(30));
    // Another file, of which nothing was thinned: the band of before is not of its curve.
    writer.reset();
    QVERIFY(QFile::remove(figuresFile(log.folder())));
    writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
    QVERIFY(writer);
    writer->append(*writer->define(info), {double(begin), begin, 3});
    writer->flush();
    QTRY_COMPARE(line().series->size(), std::size_t(1));
    QVERIFY(line().low->isEmpty() && line().high->isEmpty());
}

#include "tst_thinnedcurves.moc"
