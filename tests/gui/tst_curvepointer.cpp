// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskfigures.h"
#include "engine/series/writer.h"
#include "tests/gui/plottools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "tests/helpers/writtensteps.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"
#include "widgets/plot/cursorcard.h"
#include "widgets/plot/curvechooser.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvepanel.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvestore.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/zoomentries.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace trainyard;
using namespace plottests;

// Curves under the pointer: the moment, the range, the zoom.
class TstCurvePointer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void clickChoosesTheMoment();
    void cardTellsTheValuesAtTheCursor();
    void cardStandsAtAValue();
    void cardsLeaveTheListInSight();
    void headsTellTheOtherValues();
    void linesEndAtTheCursor();
    void keysMoveTheCursor();
    void momentKnowsNothingOfLater();
    void momentOfABurstIsOfItsStep_data();
    void momentOfABurstIsOfItsStep();
    void cursorFollowsThePointer();
    void hintHidesNoLine();
    void arrowsChooseTheNextValue();
    void cardLeavesOutWhatIsIdle();
    void rangeIsOfAllPlots();
    void draggingZoomsIn();
    void menuTellsOfZooming();
};

void TstCurvePointer::clickChoosesTheMoment()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *plot = view.plots().constFirst()->findChild<QWidget *>();
    QVERIFY(plot);
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(plot, Qt::LeftButton, {}, {plot->width() / 2, plot->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    QCOMPARE(chosen.constFirst().at(0).toString(), QStringLiteral("worker/0"));
    const qint64 second = (chosen.constFirst().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY2(second > 70 && second < 130, qPrintable(QString::number(second)));
}

// The head of a plot has no room for the values of all tasks.
void TstCurvePointer::cardTellsTheValuesAtTheCursor()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt((WrittenLog::start + i * 1000) * 1'000'000,
            "step " + QByteArray::number(i) + " loss: " + QByteArray::number(i) + '\n');
    }
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 1);
    CurvePlot *plot = view.plots().constFirst();
    QTRY_COMPARE(plot->shownRange().second, 99.0);
    QTRY_VERIFY(isDrawn(*plot));
    const auto *card = view.findChild<QWidget *>(QStringLiteral("cursorCard"));
    QVERIFY(card && !card->isVisible());
    Q_EMIT plot->cursorMoved(10.2);
    QVERIFY(card->isVisible());
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 10, loss, worker/0 10"));
    QVERIFY(plot->parentWidget()->findChild<ElidedLabel *>()->text().isEmpty());
    Q_EMIT plot->cursorMoved(std::nullopt);
    QVERIFY(!card->isVisible());
    // What was chosen is read undisturbed.
    const QList<QPair<CurveLine, series::Point>> points = plot->pointsAt(20);
    QCOMPARE(points.size(), 1);
    Q_EMIT plot->cursorMoved(20);
    Q_EMIT plot->momentChosen(points.constFirst().first, points.constFirst().second);
    QVERIFY(view.findChild<QWidget *>(QStringLiteral("momentCard"))->isVisible() && !card->isVisible());
    Q_EMIT plot->cursorMoved(21);
    QVERIFY(!card->isVisible());
}

namespace
{

// A metric of every step, and one that is measured now and then.
void writeSparse(WrittenLog &log)
{
    for (int step = 0; step <= 1000; step += 10) {
        QByteArray line = "step " + QByteArray::number(step) + " loss: " + QByteArray::number(step);
        if (step % 500 == 0) {
            line += " val_acc: " + QByteArray::number(step / 2000.0);
        }
        log.writeAt((WrittenLog::start + step * 1000) * 1'000'000, line + '\n');
    }
}

} // namespace

// Its heading names the step of the value, and not that of the pointer.
void TstCurvePointer::cardStandsAtAValue()
{
    WrittenLog log;
    writeSparse(log);
    CurvesView view;
    view.resize(900, 600);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(plotNamed(view, QStringLiteral("val_acc")));
    CurvePlot *sparse = plotNamed(view, QStringLiteral("val_acc"));
    QTRY_COMPARE(sparse->shownRange().second, 1000.0);
    const auto *card = view.findChild<QWidget *>(QStringLiteral("cursorCard"));
    Q_EMIT sparse->cursorMoved(681);
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 500, val_acc, worker/0 0.25"));
    Q_EMIT sparse->cursorMoved(1000.4); // at the end, by less than a pixel
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 1000, val_acc, worker/0 0.5"));
}

// Which tasks and metrics there are is read beside what was at a moment.
void TstCurvePointer::cardsLeaveTheListInSight()
{
    WrittenLog log;
    writeSparse(log);
    CurvesView view;
    view.resize(1100, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(plotNamed(view, QStringLiteral("loss")));
    CurvePlot *plot = plotNamed(view, QStringLiteral("loss"));
    QTRY_COMPARE(plot->shownRange().second, 1000.0);
    QTRY_VERIFY(isDrawn(*plot));
    const auto *list = view.findChild<CurveChooser *>();
    QVERIFY(list && list->isVisible());
    const QRect listed(list->mapTo(&view, QPoint()), list->size());
    const auto *values = view.findChild<QWidget *>(QStringLiteral("cursorCard"));
    const auto *moment = view.findChild<QWidget *>(QStringLiteral("momentCard"));
    for (const double place : {0.0, 10.0, 300.0, 1000.0}) {
        view.findChild<QWidget *>(QStringLiteral("momentCard"))->hide();
        Q_EMIT plot->cursorMoved(place);
        QVERIFY(values->isVisible());
        QVERIFY2(!listed.intersects(values->geometry()), qPrintable(QString::number(place)));
        const QList<QPair<CurveLine, series::Point>> points = plot->pointsAt(place);
        QCOMPARE(points.size(), 1);
        Q_EMIT plot->momentChosen(points.constFirst().first, points.constFirst().second);
        QVERIFY(moment->isVisible());
        QVERIFY2(!listed.intersects(moment->geometry()), qPrintable(QString::number(place)));
        QVERIFY(view.rect().contains(moment->geometry()));
    }
}

// The pointer is over one plot; the others tell their values beside their names.
void TstCurvePointer::headsTellTheOtherValues()
{
    WrittenLog log;
    writeSparse(log);
    CurvesView view;
    view.resize(900, 600);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(plotNamed(view, QStringLiteral("val_acc")) && plotNamed(view, QStringLiteral("loss")));
    CurvePlot *sparse = plotNamed(view, QStringLiteral("val_acc")), *dense = plotNamed(view, QStringLiteral("loss"));
    QTRY_COMPARE(dense->shownRange().second, 1000.0);
    const auto headOf = [](const CurvePlot *plot) { return plot->parentWidget()->findChild<ElidedLabel *>()->text(); };
    QTRY_COMPARE(headOf(dense), QStringLiteral("1000")); // the last ones
    QTRY_COMPARE(headOf(sparse), QStringLiteral("0.5"));
    Q_EMIT dense->cursorMoved(681);
    QCOMPARE(headOf(dense), QString()); // it has the card
    QCOMPARE(headOf(sparse), QStringLiteral("0.25 (at step 500)"));
    // New lines of the output take nothing away.
    log.writeAt((WrittenLog::start + 1010'000) * 1'000'000, "step 1010 loss: 7\n");
    QTRY_COMPARE(dense->shownRange().second, 1010.0);
    QCOMPARE(headOf(sparse), QStringLiteral("0.25 (at step 500)"));
    QCOMPARE(headOf(dense), QString());
    Q_EMIT dense->cursorMoved(std::nullopt);
    QCOMPARE(headOf(dense), QStringLiteral("7"));
    QCOMPARE(headOf(sparse), QStringLiteral("0.5"));
}

void TstCurvePointer::linesEndAtTheCursor()
{
    using Row = CursorCard::Row;
    const QList<Row> rows{{0, QStringLiteral("a"), {}, QStringLiteral("1"), 100, 100},
        {1, QStringLiteral("b"), QStringLiteral("lr 0.1"), QStringLiteral("2"), 90, 200},
        {2, QStringLiteral("c"), {}, QStringLiteral("3"), 50, 50}};
    QCOMPARE(CursorCard::nearestPlace(98, rows), 100.0);
    QCOMPARE(CursorCard::nearestPlace(40, {}), 40.0);
    const QList<Row> told = CursorCard::rowsFor(CurveAlong::Step, 100, rows);
    QCOMPARE(told.at(0).value, QStringLiteral("1"));
    QCOMPARE(told.at(0).detail, QString());
    QCOMPARE(told.at(1).value, QStringLiteral("2"));
    QCOMPARE(told.at(1).detail, QStringLiteral("lr 0.1, at step 90"));
    QCOMPARE(told.at(2).value, QStringLiteral("–")); // it has not come so far
    QCOMPARE(told.at(2).detail, QString());
    // What is written alike is one place.
    QCOMPARE(CursorCard::rowsFor(CurveAlong::Step, 100.4, rows).at(0).value, QStringLiteral("1"));
}

// Without a mouse, too, the values are read and a moment is chosen.
void TstCurvePointer::keysMoveTheCursor()
{
    WrittenLog log;
    for (int i = 0; i <= 20; ++i) {
        log.writeAt((WrittenLog::start + i * 1000) * 1'000'000,
            "step " + QByteArray::number(i) + " loss: " + QByteArray::number(i) + '\n');
    }
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 1);
    CurvePlot *plot = view.plots().constFirst();
    QTRY_COMPARE(plot->shownRange().second, 20.0);
    QTRY_VERIFY(isDrawn(*plot));
    plot->setFocus();
    const auto *card = view.findChild<QWidget *>(QStringLiteral("cursorCard"));
    QTest::keyClick(plot, Qt::Key_Right);
    QVERIFY(card->isVisible() && plot->hasKeyCursor());
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 11, loss, worker/0 11"));
    QTest::keyClick(plot, Qt::Key_Left);
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 9, loss, worker/0 9"));
    QTest::keyClick(plot, Qt::Key_Escape);
    QVERIFY(!card->isVisible() && !plot->hasKeyCursor());
    QTest::keyClick(plot, Qt::Key_Left);
    QVERIFY(card->isVisible()); // that was another cursor
    QCOMPARE(card->accessibleName(), QStringLiteral("Step 9, loss, worker/0 9"));
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    const auto *moment = view.findChild<QWidget *>(QStringLiteral("momentCard"));
    QTest::keyClick(plot, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.constLast().at(1).toLongLong(), WrittenLog::start + 9000);
    QVERIFY(moment->isVisible() && !card->isVisible());
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(chosen.constLast().at(1).toLongLong(), WrittenLog::start + 10'000);
    QTest::keyClick(plot, Qt::Key_Escape);
    QVERIFY(!moment->isVisible());
    // Where a part is shown, they move it until there is a cursor.
    plot->zoomTo(CurvePlot::Range{5, 15});
    Q_EMIT plot->cursorMoved(std::nullopt);
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->shownRange().first, 6.0);
    QTest::keyClick(plot, Qt::Key_Space);
    QVERIFY(moment->isVisible());
}

// What was printed a moment after the chosen value was not known then.
void TstCurvePointer::momentKnowsNothingOfLater()
{
    WrittenLog log;
    constexpr qint64 second = 1'000'000'000;
    const qint64 first = WrittenLog::start * 1'000'000;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(first + i * second, "step " + QByteArray::number(i) + " loss: 0.25\n");
        log.writeAt(first + i * second + second / 5, "acc: " + QByteArray::number(i) + '\n');
    }
    log.writeAt(first + 100 * second, "val_loss: 7\n");
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto isLate = [](const QString &name) { return name.startsWith(QStringLiteral("val")); };
    const auto isRead = [&] {
        const QStringList names = view.store()->names();
        return names.contains(QStringLiteral("acc")) && std::any_of(names.cbegin(), names.cend(), isLate);
    };
    QTRY_VERIFY(isRead());
    QTRY_VERIFY(view.plots().size() >= 2);
    const QList<CurvePlot *> plots = view.plots();
    const auto loss = std::find_if(
        plots.cbegin(), plots.cend(), [](const CurvePlot *plot) { return plot->title() == QStringLiteral("loss"); });
    QVERIFY(loss != plots.cend());
    QTRY_VERIFY((*loss)->shownRange().second >= 99);
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *inside = (*loss)->findChild<QWidget *>();
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(inside, Qt::LeftButton, {}, {inside->width() / 2, inside->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    const qint64 at = (chosen.constLast().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY(at > 10 && at < 99);
    const auto *card = view.findChild<QWidget *>(QStringLiteral("momentCard"));
    QVERIFY(card);
    const auto labels = card->findChildren<QLabel *>();
    QString told;
    for (const QLabel *label : labels) {
        QVERIFY2(!isLate(label->text()), "It came after all of that.");
        if (label->text() == QStringLiteral("acc")) {
            told = label->parentWidget()->findChildren<QLabel *>().constLast()->text();
        }
    }
    QCOMPARE(told, QString::number(at - 1));
}

void TstCurvePointer::momentOfABurstIsOfItsStep_data()
{
    QTest::addColumn<QByteArray>("head"); // of each line
    QTest::addColumn<bool>("hasEpochs");
    QTest::addColumn<int>("axis"); // in the row of tabs
    QTest::newRow("by steps") << QByteArray("step %1 ") << false << 0;
    QTest::newRow("by time") << QByteArray("step %1 ") << false << 2;
    QTest::newRow("by epochs") << QByteArray("Epoch 1/2 step %1 ") << true << 1;
    QTest::newRow("without steps") << QByteArray() << false << 0;
}

// All lines that a program writes at once have the same time.
void TstCurvePointer::momentOfABurstIsOfItsStep()
{
    QFETCH(QByteArray, head);
    QFETCH(bool, hasEpochs);
    QFETCH(int, axis);
    const auto lossOf = [](int step) { return (500 + step) / 1000.0; };
    const auto accuracyOf = [](int step) { return (250 + step) / 1000.0; };
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        QByteArray line
            = head + "loss: " + QByteArray::number(lossOf(i)) + " acc: " + QByteArray::number(accuracyOf(i)) + '\n';
        line.replace("%1", QByteArray::number(i));
        log.writeAt((WrittenLog::start + i / 50 * 10'000) * 1'000'000, line);
    }
    if (hasEpochs) {
        log.writeAt((WrittenLog::start + 20'000) * 1'000'000, "Epoch 1/2 val_loss: 0.5\n");
    }
    CurvesView view;
    view.resize(900, 600);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(plotNamed(view, QStringLiteral("loss")) && plotNamed(view, QStringLiteral("acc")));
    view.controls()->findChild<SegmentedControl *>()->setCurrentIndex(axis);
    CurvePlot *plot = plotNamed(view, QStringLiteral("loss"));
    const auto isRead = [&] {
        const series::Series *whole = view.store()->series(0, QStringLiteral("loss"));
        return whole && whole->size() == 100 && plot->lineCount() == 1;
    };
    QTRY_VERIFY(isRead());
    const auto valueOf = [&view](const QString &name) {
        const auto labels = view.findChild<QWidget *>(QStringLiteral("momentCard"))->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            if (label->text() == name) {
                return label->parentWidget()->findChildren<QLabel *>().constLast()->text();
            }
        }
        return QString();
    };
    const auto pointOf = [&](int step) {
        std::optional<std::pair<CurveLine, series::Point>> found;
        const QList<CurveLine> &lines = plot->lines();
        for (std::size_t i = 0; lines.size() == 1 && lines.at(0).series && i < lines.at(0).series->size(); ++i) {
            if (const series::Point point = lines.at(0).series->at(i); point.value == lossOf(step)) {
                found = {lines.at(0), point};
            }
        }
        return found;
    };
    for (const int step : {7, 49, 50, 84}) {
        QTRY_VERIFY2(pointOf(step), qPrintable(QString::number(step)));
        const auto [line, point] = *pointOf(step);
        Q_EMIT plot->momentChosen(line, point);
        QTRY_COMPARE(
            valueOf(QStringLiteral("loss")), curveNumber(lossOf(step))); // of the card of before nothing is left
        QTRY_COMPARE(valueOf(QStringLiteral("acc")), curveNumber(accuracyOf(step)));
    }
}

// The axis changes below a mouse that rests.
void TstCurvePointer::cursorFollowsThePointer()
{
    series::Series series;
    for (int i = 0; i <= 200; ++i) {
        series.append({double(i), WrittenLog::start + i * 1000, double(i)});
    }
    QList<std::optional<double>> moved;
    CurvePlot plot(QStringLiteral("loss"));
    plot.resize(400, 200);
    plot.setLines({{QStringLiteral("worker/0"), 0, &series}});
    plot.setWhole({0, 100});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTRY_VERIFY(isDrawn(plot));
    connect(&plot, &CurvePlot::cursorMoved, this, [&moved](std::optional<double> place) { moved.append(place); });
    auto *inside = plot.findChild<QWidget *>();
    const QPoint at(plot.pixelOf(50, 50).x(), 80);
    QMouseEvent move(QEvent::MouseMove, at, inside->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(inside, &move);
    const auto isNear = [&moved](double place) {
        return !moved.isEmpty() && moved.constLast() && std::abs(*moved.constLast() - place) < 2;
    };
    QVERIFY(isNear(50));
    plot.setWhole({0, 200});
    QTRY_VERIFY(isNear(100));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(inside, &leave);
    QVERIFY(!moved.constLast());
    const qsizetype count = moved.size();
    plot.setWhole({0, 100});
    QTRY_VERIFY(std::abs(plot.pixelOf(50, 50).x() - at.x()) < 4); // drawn
    QCoreApplication::sendPostedEvents(&plot);
    QCOMPARE(moved.size(), count); // no pointer, no place
}

void TstCurvePointer::hintHidesNoLine()
{
    series::Series series;
    series.append({0, WrittenLog::start, 1.0});
    series.append({20, WrittenLog::start + 1000, 2.0});
    CurvePlot plot(QStringLiteral("loss"));
    plot.resize(400, 200);
    plot.setLines({{QStringLiteral("worker/0"), 0, &series}});
    plot.setWhole({0, 20});
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    QTRY_VERIFY(isDrawn(plot));
    QCOMPARE(plot.tipAt(plot.pixelOf(10, 1.5)), QString());
    QVERIFY(plot.tipAt({200, 198}).contains(QStringLiteral("Drag over"))); // below the axis
    plot.setTellsHint(false);
    QCOMPARE(plot.tipAt({200, 198}), QString());
}

// After a click, while its card is shown; else they move along.
void TstCurvePointer::arrowsChooseTheNextValue()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *plot = view.plots().constFirst();
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *inside = plot->findChild<QWidget *>();
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(inside, Qt::LeftButton, {}, {inside->width() / 2, inside->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    QCOMPARE(view.focusWidget(), plot); // the click gave it the keys
    const auto lastTime = [&chosen] { return chosen.constLast().at(1).toLongLong(); };
    const qint64 clicked = lastTime();
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(lastTime(), clicked + 1000);
    QTest::keyClick(plot, Qt::Key_Left);
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(lastTime(), clicked - 1000);
    QCOMPARE(plot->shownRange(), CurvePlot::Range(0, 199));
    // A value out of sight is moved to.
    const double at = double(lastTime() - WrittenLog::start) / 1000;
    plot->zoomTo(CurvePlot::Range{at - 10, at + 0.5});
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(lastTime(), clicked);
    QCOMPARE(plot->shownRange(), CurvePlot::Range(at - 9.5, at + 1));
    const qsizetype count = chosen.size();
    view.findChild<QWidget *>(QStringLiteral("momentCard"))->hide();
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(chosen.size(), count);
    QVERIFY(plot->shownRange().first < at - 9.5);
}

void TstCurvePointer::cardLeavesOutWhatIsIdle()
{
    WrittenLog log;
    writeSteps(log, 0, 100);
    series::Error error;
    const auto writer = series::Writer::open(figuresFile(log.folder()).toStdString(), error);
    QVERIFY(writer);
    const auto cpu = writer->define({.name = "cpu"}), read = writer->define({.name = "disk/read"});
    for (int second = 0; second < 100; ++second) {
        const qint64 time = WrittenLog::start + second * 1000;
        writer->append(*cpu, {double(time), time, 150.0});
        writer->append(*read, {double(time), time, 0.0});
    }
    writer->flush();
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto hasFigures = [&view] {
        const QStringList names = view.store()->names();
        return std::count_if(names.cbegin(), names.cend(), [&view](const QString &name) {
            return view.store()->isFigure(name);
        }) == 2;
    };
    QTRY_VERIFY(hasFigures());
    QTRY_VERIFY(!view.plots().isEmpty());
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 99.0);
    QSignalSpy chosen(&view, &CurvesView::momentChosen);
    auto *inside = view.plots().constFirst()->findChild<QWidget *>();
    const auto isChosenByClick = [&] { // as soon as it is laid out and drawn
        QTest::mouseClick(inside, Qt::LeftButton, {}, {inside->width() / 2, inside->height() / 2});
        return !chosen.isEmpty();
    };
    QTRY_VERIFY(isChosenByClick());
    QStringList told;
    const auto labels = view.findChild<QWidget *>(QStringLiteral("momentCard"))->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        told.append(label->text());
    }
    const QStringList names = view.store()->names();
    for (const QString &name : names) {
        const bool isIdle = view.store()->isFigure(name) && !name.startsWith(QStringLiteral("CPU"));
        QVERIFY2(told.contains(name) != isIdle, qPrintable(name));
    }
}

void TstCurvePointer::rangeIsOfAllPlots()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTest::keyClick(first, Qt::Key_Plus);
    const CurvePlot::Range near = first->shownRange();
    QVERIFY(near.first > 5 && near.second < 195);
    QCOMPARE(view.plots().constLast()->shownRange(), near);
    QTest::keyClick(first, Qt::Key_Right);
    QVERIFY(first->shownRange().first > near.first);
    QTest::keyClick(first, Qt::Key_0);
    QCOMPARE(view.plots().constLast()->shownRange(), CurvePlot::Range(0, 199));
}

// Of a plot that shows everything; once it is zoomed in, dragging moves along.
void TstCurvePointer::draggingZoomsIn()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTRY_VERIFY(isDrawn(*first));
    auto *inside = first->findChild<QWidget *>();
    QVERIFY(inside);
    QSignalSpy times(first, &CurvePlot::timesChosen);
    const auto drag = [&](double fromStep, double toStep) {
        const QPoint from(first->pixelOf(fromStep, 1).x(), 40), to(first->pixelOf(toStep, 1).x(), 40);
        QTest::mousePress(inside, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, inside->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(inside, &move);
        QTest::mouseRelease(inside, Qt::LeftButton, {}, to);
    };
    const QPoint begin(first->pixelOf(50, 1).x(), 40), far(first->pixelOf(150, 1).x(), 40);
    QTest::mousePress(inside, Qt::LeftButton, {}, begin);
    for (const QPoint &at : {far, begin + QPoint(1, 0)}) {
        QMouseEvent move(QEvent::MouseMove, at, inside->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(inside, &move);
    }
    QTest::mouseRelease(inside, Qt::LeftButton, {}, begin + QPoint(1, 0));
    QVERIFY(!first->isZoomed()); // there and back
    drag(150, 50); // to the left as well
    const CurvePlot::Range near = first->shownRange();
    QVERIFY2(std::abs(near.first - 50) < 2 && std::abs(near.second - 150) < 2,
        qPrintable(QStringLiteral("%1 to %2").arg(near.first).arg(near.second)));
    QCOMPARE(view.plots().constLast()->shownRange(), near);
    QTRY_VERIFY(isDrawn(*first));
    drag(100, 80);
    const CurvePlot::Range moved = first->shownRange();
    QVERIFY2(std::abs(moved.first - near.first - 20) < 2,
        qPrintable(QStringLiteral("%1 from %2").arg(moved.first).arg(near.first)));
    QVERIFY(std::abs((moved.second - moved.first) - (near.second - near.first)) < 0.01);
    QCOMPARE(times.size(), 0); // the log is left as it is
}

void TstCurvePointer::menuTellsOfZooming()
{
    WrittenLog log;
    writeSteps(log, 0, 200);
    CurvesView view;
    view.resize(900, 400);
    view.setTasks({taskOf(log)});
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.plots().size(), 2);
    QTRY_COMPARE(view.plots().constFirst()->shownRange().second, 199.0);
    CurvePlot *first = view.plots().constFirst();
    QTRY_VERIFY(isDrawn(*first));
    const auto run = [first](const char *name) {
        QMenu menu;
        addZoomEntries(&menu, first, first->mapToGlobal(first->pixelOf(50, 1)));
        auto *entry = menu.findChild<QAction *>(QLatin1String(name));
        const bool can = entry && entry->isEnabled();
        if (can) {
            entry->trigger();
        }
        return can;
    };
    QVERIFY(!run("showEverything") && !run("zoomOut") && !run("zoomToChosen"));
    QVERIFY(run("zoomIn"));
    const CurvePlot::Range near = first->shownRange();
    QVERIFY(near.first > 15 && near.first < 35 && near.second > 115 && near.second < 135); // around 50
    QVERIFY(run("zoomOut"));
    QVERIFY(run("zoomIn") && run("showEverything"));
    QCOMPARE(first->shownRange(), CurvePlot::Range(0, 199));
    // A range that was chosen for the log can be looked at.
    QTRY_VERIFY(isDrawn(*first));
    auto *inside = first->findChild<QWidget *>();
    const QPoint from(first->pixelOf(20, 1).x(), 40), to(first->pixelOf(60, 1).x(), 40);
    QTest::mousePress(inside, Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, inside->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(inside, &move);
    std::optional<double> end;
    const auto told
        = connect(first, &CurvePlot::cursorMoved, this, [&end](std::optional<double> place) { end = place; });
    QTest::mouseRelease(inside, Qt::LeftButton, Qt::ShiftModifier, to);
    disconnect(told);
    QCOMPARE(first->shownRange(), CurvePlot::Range(0, 199));
    // The values beside the names are those of its end, and no card is in the way of Esc.
    QVERIFY(end && std::abs(*end - 60) < 2);
    QVERIFY(!view.findChild<QWidget *>(QStringLiteral("cursorCard"))->isVisible());
    QVERIFY(run("zoomToChosen"));
    QVERIFY(std::abs(first->shownRange().first - 20) < 2 && std::abs(first->shownRange().second - 60) < 2);
    // All plots mark it until it is given up here, or in the log.
    const auto marked = [&view] {
        QList<CurvePlot::Range> ranges;
        for (const CurvePlot *plot : view.plots()) {
            if (const auto range = plot->chosenRange()) {
                ranges.append(*range);
            }
        }
        return ranges;
    };
    const QList<CurvePlot::Range> all = marked();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all.constFirst(), all.constLast());
    QVERIFY(std::abs(all.constFirst().first - 20) < 2 && std::abs(all.constFirst().second - 60) < 2);
    QSignalSpy dropped(&view, &CurvesView::timesDropped);
    QTest::keyClick(view.plots().constLast(), Qt::Key_Escape);
    QCOMPARE(dropped.size(), 1);
    QVERIFY(marked().isEmpty());
    Q_EMIT first->timesChosen(WrittenLog::start + 20'000, WrittenLog::start + 60'000);
    QCOMPARE(marked().size(), 2);
    view.dropTimes();
    QVERIFY(marked().isEmpty());
    // By key, too.
    QSignalSpy menus(first, &CurvePlot::menuRequested);
    QVERIFY(menus.isValid());
    first->disconnect(&view); // the menu of the view would wait for an answer
    QTest::keyClick(first, Qt::Key_F10, Qt::ShiftModifier);
    QCOMPARE(menus.size(), 1);
}

TRAINYARD_GUI_TEST(TstCurvePointer)
#include "tst_curvepointer.moc"
