// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/values.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/stillpointer.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QApplication>
#include <QEnterEvent>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <QWindow>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the page of a run opens by itself moves nothing away from a click that is on its way.
class TstRunPageStill : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void waitsForThePointer();
    void curvesComeWhenThePointerRests();
    void clicksAreAnsweredAtOnce();
    void aFailureTakesTheRoomOfTheCurves_data();
    void aFailureTakesTheRoomOfTheCurves();

private:
    static JobSummary running()
    {
        JobSummary job;
        job.uuid = u"u"_s;
        job.name = u"train"_s;
        job.state = State::Running;
        return job;
    }
    static JobSummary withLoss()
    {
        JobSummary job = running();
        job.results = {{u"loss"_s, QJsonObject{{u"last"_s, 1}}}};
        return job;
    }
    // Told to the window, as the desktop does.
    static void pointAt(const QWidget *widget)
    {
        QTest::mouseMove(widget->window()->windowHandle(), widget->mapTo(widget->window(), widget->rect().center()));
    }
    static void enter(QWidget *widget)
    {
        const QPointF at = QRectF(widget->rect()).center();
        QEnterEvent event(at, widget->mapTo(widget->window(), at), widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
    }
    static void leave(QWidget *widget)
    {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(widget, &event);
    }
};

void TstRunPageStill::waitsForThePointer()
{
    QWidget window;
    window.resize(400, 300);
    QWidget part(&window);
    part.setGeometry(0, 200, 400, 100);
    StillPointer pointer(&part, std::chrono::milliseconds(1));
    QSignalSpy rested(&pointer, &StillPointer::rested);
    pointer.wait(); // nobody sees it
    QCOMPARE(rested.size(), 1);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    enter(&part);
    QVERIFY(part.underMouse());
    rested.clear();
    pointer.wait();
    QCOMPARE(rested.size(), 0);
    QVERIFY(!pointer.isStill()); // however long
    leave(&part);
    QTRY_COMPARE(rested.size(), 1);
    pointer.wait();
    QCOMPARE(rested.size(), 2);
}

void TstRunPageStill::curvesComeWhenThePointerRests()
{
    RunPage page;
    page.resize(1100, 700);
    page.setSummary(running());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *history = page.findChild<RunHistory *>();
    const auto *tabs = history->findChild<QTabBar *>();
    QVERIFY(history->isFolded());
    const QPoint before = tabs->mapTo(&page, QPoint());
    pointAt(page.tasksPane());
    pointAt(page.logPane()); // on its way to the tabs
    page.setSummary(withLoss());
    QCoreApplication::processEvents();
    QVERIFY(history->isFolded());
    QCOMPARE(tabs->mapTo(&page, QPoint()), before);
    // It rests.
    QTRY_VERIFY(!history->isFolded());
    QCOMPARE(history->tab(), 3); // the curves
}

// Whoever opens a tab need not take the pointer away to see it.
void TstRunPageStill::clicksAreAnsweredAtOnce()
{
    RunPage page;
    page.resize(1100, 700);
    page.setSummary(running());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *history = page.findChild<RunHistory *>();
    auto *tabs = history->findChild<QTabBar *>();
    enter(history);
    page.setSummary(withLoss());
    QVERIFY(history->isFolded());
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(2).center());
    QVERIFY(!history->isFolded());
    QCOMPARE(history->tab(), 5); // the events, as they were chosen
    leave(history);
    QCoreApplication::processEvents();
    QCOMPARE(history->tab(), 5);
}

void TstRunPageStill::aFailureTakesTheRoomOfTheCurves_data()
{
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("isChosen");
    QTest::addColumn<bool>("isFolded");
    QTest::newRow("a low window") << 560 << false << true;
    QTest::newRow("opened by hand") << 560 << true << false;
    QTest::newRow("a high window") << 1000 << false << false;
}

void TstRunPageStill::aFailureTakesTheRoomOfTheCurves()
{
    QFETCH(int, height);
    QFETCH(bool, isChosen);
    QFETCH(bool, isFolded);
    RunPage page;
    page.resize(1100, height);
    JobSummary job = withLoss();
    page.setSummary(job);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *history = page.findChild<RunHistory *>();
    leave(history);
    QTRY_VERIFY(!history->isFolded());
    if (isChosen) {
        Q_EMIT history->foldChosen(false);
    }
    job.state = State::Failed;
    page.setSummary(job);
    QCoreApplication::processEvents();
    if (isFolded) {
        QTRY_VERIFY(history->isFolded());
    }
    QTEST(history->isFolded(), "isFolded");
}

TRAINYARD_GUI_TEST(TstRunPageStill)
#include "tst_runpagestill.moc"
