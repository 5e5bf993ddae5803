// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/runpagetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/log/logfindrow.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/runscroll.h"
#include "widgets/tasks/runstory.h"
#include "widgets/tasks/taskspane.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace trainyard;

// The lower half of the page of a run: which tab is in front, what is in it, and the room that it leaves.
class TstRunHistory : public RunPageTests
{
    Q_OBJECT

private Q_SLOTS:
    void opensWithWhatItTells_data();
    void opensWithWhatItTells();
    void oneAttemptNeedsNoList();
    void aFailedJobLeavesTheRoomToTheLog();
    void attemptsAndTriesAreExplained();
    void endedTaskWroteNothing();
    void historyIsNotCut();
    void controlsLeaveTheTabsAlone();
    void filtersLeaveTheTabsAlone_data();
    void filtersLeaveTheTabsAlone();
    void smallWindowsShowLinesOfTheLog();
    void curvesGetTheirHalfLater_data();
    void curvesGetTheirHalfLater();
    void tabNamesAreWhole();
    void emptyTimelineSaysWhy();
    void lowPagesScroll_data();
    void lowPagesScroll();
    void narrowPagesWrap();
};

// The tab in front: 4 is the timeline, 3 are the curves.
void TstRunHistory::opensWithWhatItTells_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<bool>("hasResults");
    QTest::addColumn<int>("chosen"); // before, in a saved layout; -1: nothing
    QTest::addColumn<int>("tab");
    QTest::addColumn<bool>("isFolded");
    QTest::addColumn<bool>("foldedByHand"); // before the first value, or another one, comes
    QTest::addColumn<bool>("isFoldedLater");
    QTest::newRow("curves") << State::Running << true << -1 << 3 << false << false << false;
    QTest::newRow("only a log") << State::Running << false << -1 << 4 << true << false << false;
    QTest::newRow("a log, and folded") << State::Running << false << -1 << 4 << true << true << true;
    QTest::newRow("the log of a failure") << State::Failed << true << -1 << 4 << true << false << true;
    QTest::newRow("events were chosen") << State::Succeeded << true << 5 << 5 << false << false << false;
    QTest::newRow("curves, and folded") << State::Running << true << -1 << 3 << false << true << true;
}

void TstRunHistory::opensWithWhatItTells()
{
    QFETCH(State, state);
    QFETCH(bool, hasResults);
    QFETCH(int, chosen);
    QByteArray layout;
    {
        RunPage before;
        if (chosen >= 0) {
            before.findChild<RunHistory *>()->setTab(chosen);
        }
        layout = before.saveLayout();
    }
    RunPage page;
    page.restoreLayout(layout);
    JobSummary job;
    job.uuid = QStringLiteral("u");
    job.state = state;
    if (hasResults) {
        job.results = {{QStringLiteral("loss"), QJsonObject{{QStringLiteral("last"), 1}}}};
    }
    page.setSummary(job);
    auto *history = page.findChild<RunHistory *>();
    QTEST(history->tab(), "tab");
    QTEST(history->isFolded(), "isFolded");
    const auto *tabs = history->findChild<QTabBar *>();
    QVERIFY(tabs);
    QCOMPARE(tabKind(tabs) == TabKind::Folded, history->isFolded()); // a folded pane marks no tab
    QFETCH(bool, foldedByHand);
    if (foldedByHand) {
        Q_EMIT history->foldChosen(true);
    }
    job.results.insert(QStringLiteral("acc"), QJsonObject{{QStringLiteral("last"), 1}});
    const bool wasInSight = !history->isFolded();
    const int tab = history->tab();
    page.setSummary(job); // what comes later moves nothing that is in sight
    QVERIFY(!wasInSight || history->tab() == tab);
    QTEST(history->isFolded(), "isFoldedLater");
    QVERIFY(state == State::Failed || wasInSight || history->tab() == 3); // the curves are what is found there
    QCOMPARE(tabKind(tabs) == TabKind::Folded, history->isFolded());
}

// One attempt is told by the head: its list takes no room from tasks and log until somebody wants to see it.
void TstRunHistory::oneAttemptNeedsNoList()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto *body = page.findChild<QWidget *>(QStringLiteral("runPageHistory"));
    auto *tabs = page.findChild<QTabBar *>();
    QVERIFY(body && tabs);
    QVERIFY(!body->isVisible());
    QVERIFY(tabs->isVisible());
    QVERIFY(tabs->mapTo(&page, QPoint(0, tabs->height())).y() >= page.height() - 4); // nothing empty below them
    const int tall = page.tasksPane()->height();
    const auto click = [&](int index) {
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(index).center());
        QCoreApplication::processEvents();
    };
    click(2);
    QVERIFY(body->isVisible());
    QVERIFY(page.tasksPane()->height() < tall);
    click(0);
    QVERIFY(body->isVisible()); // another tab
    click(0);
    QVERIFY(!body->isVisible());
    RunPage other;
    AttemptInfo second;
    second.index = 1;
    detail.attempts.append(second);
    other.setDetail(detail);
    QVERIFY(other.findChild<QWidget *>(QStringLiteral("runPageHistory"))->isVisibleTo(&other));
}

// Why it failed is in the log, however often it was tried.
void TstRunHistory::aFailedJobLeavesTheRoomToTheLog()
{
    RunPage page;
    JobDetail detail = detailOf(State::Failed);
    detail.attempts = {AttemptInfo(), AttemptInfo()};
    detail.attempts[1].index = 1;
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Failed;
    task.attempt = 1;
    task.tries = 2;
    page.setTasks(1, {task});
    page.resize(1100, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *history = page.findChild<RunHistory *>();
    QVERIFY(history->isFolded());
    Q_EMIT history->grew(); // another task is chosen
    QVERIFY(history->isFolded());
    // While it runs again, the pane shows its attempts.
    detail.summary.state = State::Running;
    page.setDetail(detail);
    QTRY_VERIFY(!history->isFolded());
}

// Two words of ours that mean nearly the same elsewhere: what each is stands beside its tab.
void TstRunHistory::attemptsAndTriesAreExplained()
{
    RunPage page;
    JobDetail detail = detailOf(State::Failed);
    detail.attempts = {AttemptInfo(), AttemptInfo()};
    detail.attempts[1].index = 1;
    page.setSummary(detail.summary);
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Failed;
    page.setTasks(1, {task});
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    const auto *line = page.findChild<ElidedLabel *>(QStringLiteral("historyExplanation"));
    QVERIFY(tabs && line && line->isVisible());
    const auto at = [tabs](const QString &name) {
        int found = -1;
        for (int i = 0; i < tabs->count(); ++i) {
            found = tabs->tabText(i) == name ? i : found;
        }
        return found;
    };
    const auto said = [&](const QString &name) {
        tabs->setCurrentIndex(at(name));
        return line->text();
    };
    const QString attempts = QStringLiteral("Attempts");
    const QString tries = QStringLiteral("Tries");
    QVERIFY2(said(attempts).contains(QStringLiteral("one run of the whole job")), qPrintable(said(attempts)));
    QVERIFY2(said(tries).contains(QStringLiteral("one run of a task")), qPrintable(said(tries)));
    QVERIFY2(said(tries).contains(QStringLiteral("w/0")), qPrintable(said(tries)));
    QVERIFY(said(QStringLiteral("Configuration")).isEmpty());
    // Also where the numbers are.
    for (const char *name : {"attemptList", "tryList"}) {
        const auto *list = page.findChild<QTreeWidget *>(QLatin1StringView(name));
        QVERIFY(list && !list->headerItem()->toolTip(0).isEmpty());
    }
    QVERIFY(!tabs->tabToolTip(at(attempts)).isEmpty());
    QVERIFY(tabs->tabToolTip(at(attempts)) != tabs->tabToolTip(at(tries)));
}

// One that has ended writes no more.
void TstRunHistory::endedTaskWroteNothing()
{
    RunPage page;
    page.setSummary(detailOf(State::Stopped).summary);
    const auto said = [&page](State state, const QString &folder = {}) {
        TaskInfo task;
        task.role = QStringLiteral("w");
        task.state = state;
        task.host = QStringLiteral("local");
        task.tryLaunched = folder.isEmpty() ? std::nullopt : std::optional<qint64>(1'700'000'000'000);
        task.logFolder = folder;
        page.setTasks(0, {task});
        const auto *empty = page.logPane()->findChild<EmptyState *>();
        QStringList texts;
        const auto labels = empty->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            texts.append(label->text());
        }
        return texts.join(QLatin1Char(' ')).trimmed();
    };
    QCOMPARE(said(State::Running), QStringLiteral("w/0 has written nothing yet."));
    for (const State state : {State::Stopped, State::Failed, State::Succeeded}) {
        QCOMPARE(said(state), QStringLiteral("w/0 wrote nothing."));
    }
    // An output that somebody removed is not one that is empty.
    QTRY_COMPARE(said(State::Failed, QStringLiteral("/nowhere/w-0/0")),
        QStringLiteral("The output of w/0 no longer exists. It was in /nowhere/w-0/0."));
}

// An exit or a state of several words is whole, and the last column still has room.
void TstRunHistory::historyIsNotCut()
{
    AttemptInfo stopped;
    stopped.state = State::Stopped;
    stopped.created = 1;
    stopped.exitCode = -210;
    AttemptInfo killed;
    killed.index = 1;
    killed.state = State::Failed;
    killed.exitCode = 255;
    killed.triggerRawExit = 32767;
    AttemptList attempts;
    attempts.resize(1150, 160);
    attempts.setAttempts({stopped, killed});
    attempts.show();
    TaskInfo task;
    task.state = State::Failed;
    task.rawExit = 137;
    task.exitCode = 137;
    task.host = QStringLiteral("gpu-host-of-the-team");
    TryList tries;
    tries.resize(1150, 160);
    tries.setTries({task}, {}, {}, 0);
    tries.show();
    for (QTreeWidget *list : {static_cast<QTreeWidget *>(&attempts), static_cast<QTreeWidget *>(&tries)}) {
        for (int column = 0; column < list->columnCount() - 1; ++column) {
            for (int row = 0; row < list->topLevelItemCount(); ++row) {
                const QString text = list->topLevelItem(row)->text(column);
                const int icon = column == 1 ? 24 : 0;
                QVERIFY2(list->header()->sectionSize(column) >= list->fontMetrics().horizontalAdvance(text) + icon + 6,
                    qPrintable(text));
            }
        }
        QVERIFY(list->header()->sectionSize(list->columnCount() - 1) > 300);
    }
}

// Controls that come with the first metric do not cover the end of the tabs, where these are scrolled.
void TstRunHistory::controlsLeaveTheTabsAlone()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    page.resize(760, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    auto *controls = page.findChild<CurveControls *>();
    QVERIFY(tabs && controls);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center()); // unfolds
    tabs->setCurrentIndex(1); // the metrics
    controls->setOffer({});
    QTRY_VERIFY(controls->isVisible());
    controls->setOffer({true, true, true, 2, 2});
    QTRY_VERIFY2(tabs->geometry().right() < controls->x() && controls->geometry().right() <= page.width(),
        qPrintable(QStringLiteral("%1 %2").arg(tabs->geometry().right()).arg(controls->x())));
    const auto scrollers = tabs->findChildren<QToolButton *>();
    QTRY_COMPARE(std::any_of(scrollers.cbegin(), scrollers.cend(), [](const auto *each) { return each->isVisible(); }),
        tabs->width() < tabs->sizeHint().width());
}

void TstRunHistory::filtersLeaveTheTabsAlone_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {480, 600, 640, 700, 780}) {
        QTest::addRow("%d", width) << width;
    }
}

// A field of a fixed width beside the tabs does not lie over the last ones: those are scrolled to.
void TstRunHistory::filtersLeaveTheTabsAlone()
{
    QFETCH(int, width);
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    page.resize(width, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    QVERIFY(tabs);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center()); // unfolds
    int fields = 0;
    for (int chosen = 0; chosen < tabs->count(); ++chosen) {
        tabs->setCurrentIndex(chosen);
        QCoreApplication::processEvents();
        const auto beside = tabs->parentWidget()->findChildren<SearchField *>(QString(), Qt::FindDirectChildrenOnly);
        for (const SearchField *field : beside) {
            fields += field->isVisible() ? 1 : 0;
            QVERIFY2(!field->isVisible() || tabs->geometry().right() < field->x(), qPrintable(tabs->tabText(chosen)));
            QVERIFY(!field->isVisible() || field->geometry().right() <= tabs->parentWidget()->width());
        }
    }
    QVERIFY(fields > 0);
}

void TstRunHistory::curvesGetTheirHalfLater_data()
{
    QTest::addColumn<bool>("isFolded"); // when the curves ask for it
    QTest::newRow("the window grows") << false;
    QTest::newRow("the pane is opened after that") << true;
}

void TstRunHistory::curvesGetTheirHalfLater()
{
    QFETCH(bool, isFolded);
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    page.resize(760, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    auto *curves = page.findChild<CurvesView *>();
    auto *panes = page.findChild<RunPanes *>();
    QVERIFY(tabs && curves && panes);
    const auto unfold = [&] {
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
        tabs->setCurrentIndex(1); // the metrics
    };
    if (!isFolded) {
        unfold();
    }
    Q_EMIT curves->wantsRoom();
    QCoreApplication::processEvents();
    const int before = panes->sizes().constLast();
    page.resize(760, 1000);
    QCoreApplication::processEvents();
    if (isFolded) {
        unfold();
    }
    const auto isHalf = [panes] { return panes->sizes().constLast() >= panes->sizes().constFirst() - 2; };
    QTRY_VERIFY(isHalf());
    QVERIFY(panes->sizes().constLast() > before);
}

// Curves that had half of a large window leave the log some lines of a small one, and come back with the room.
void TstRunHistory::smallWindowsShowLinesOfTheLog()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    page.resize(760, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    auto *curves = page.findChild<CurvesView *>();
    auto *panes = page.findChild<RunPanes *>();
    QVERIFY(tabs && curves && panes);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center()); // unfolds
    tabs->setCurrentIndex(1); // the metrics
    Q_EMIT curves->wantsRoom();
    QCoreApplication::processEvents();
    const int lower = panes->sizes().constLast();
    QVERIFY2(lower > 300, qPrintable(QString::number(lower)));
    page.resize(760, 590); // of a window of 1280 by 720
    QCoreApplication::processEvents();
    constexpr int sixTasks = metrics::paneHead + 6 * metrics::row;
    QVERIFY2(panes->sizes().constFirst() >= sixTasks, qPrintable(QString::number(panes->sizes().constFirst())));
    page.resize(760, 440);
    QCoreApplication::processEvents();
    constexpr int fewLines = metrics::paneHead + 6 * metrics::logLine;
    QVERIFY2(page.logPane()->height() >= fewLines, qPrintable(QString::number(page.logPane()->height())));
    QVERIFY2(panes->sizes().constLast() >= 100, qPrintable(QString::number(panes->sizes().constLast())));
    page.resize(760, 900);
    QTRY_COMPARE(panes->sizes().constLast(), lower);
}

void TstRunHistory::lowPagesScroll_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("isFolded");
    QTest::addColumn<bool>("scrolls");
    QTest::newRow("1280 x 720 at 150 %, a tab is open") << QSize(600, 350) << false << true;
    QTest::newRow("1280 x 720 at 150 %, wide") << QSize(850, 350) << false << true;
    QTest::newRow("a usual window") << QSize(1100, 900) << false << false;
    QTest::newRow("a usual window, folded") << QSize(1100, 700) << true << false;
}

// Why it failed, a task, lines of the log and what is below: the page scrolls to what has no room, and squeezes
// nothing.
void TstRunHistory::lowPagesScroll()
{
    QFETCH(const QSize, size);
    QFETCH(const bool, isFolded);
    QFETCH(const bool, scrolls);
    RunPage page;
    JobDetail detail = detailOf(State::Failed);
    detail.summary.exitCode = 1;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Failed;
    page.setTasks(0, {task});
    page.setHistoryFolded(isFolded);
    page.resize(size);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QCOMPARE(page.size(), size);
    auto *scroll = page.findChild<RunScroll *>();
    auto *history = page.findChild<RunHistory *>();
    const auto *view = page.tasksPane()->view();
    QTRY_VERIFY(view->viewport()->height() >= metrics::row);
    QTRY_COMPARE(scroll->verticalScrollBar()->maximum() > 0, scrolls);
    QVERIFY(page.findChild<FailurePanel *>()->height() >= 96);
    QVERIFY2(isFolded || page.logPane()->height() >= metrics::paneHead + 8 * metrics::logLine,
        qPrintable(QString::number(page.logPane()->height())));
    const auto *body = history->findChild<QWidget *>(QStringLiteral("runPageHistory"));
    QVERIFY(body->isVisible() == !isFolded && (isFolded || body->height() >= 100));
    // What is at the end comes in sight.
    scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum());
    QTRY_VERIFY(history->mapTo(&page, QPoint(0, history->height())).y() <= page.height());
    // The search of the log has its whole height.
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    page.logPane()->showFind();
    auto *row = page.logPane()->findChild<LogFindRow *>();
    QTRY_VERIFY(row && row->isVisible() && row->height() == metrics::pageBar);
    QTRY_VERIFY(row->geometry().bottom() < page.logPane()->view()->mapTo(page.logPane(), QPoint()).y());
    // And is seen: it has the keys.
    QTRY_VERIFY(row->mapTo(&page, QPoint()).y() >= scroll->mapTo(&page, QPoint()).y());
}

// Names that are cut say nothing; what has no room beside them is reached all the same.
void TstRunHistory::tabNamesAreWhole()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    page.resize(1600, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *tabs = page.findChild<QTabBar *>();
    auto *controls = page.findChild<CurveControls *>();
    auto *more = page.findChild<QToolButton *>(QStringLiteral("curveControlsMore"));
    QVERIFY(tabs && controls && more);
    controls->setOffer({true, true, true, 2, 2});
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center()); // unfolds
    for (const int width : {1600, 1040, 700, 500}) {
        page.resize(width, 700);
        for (int chosen = 0; chosen < tabs->count(); ++chosen) {
            tabs->setCurrentIndex(chosen);
            QCoreApplication::processEvents();
            for (int i = 0; i < tabs->count(); ++i) {
                QVERIFY2(tabs->tabRect(i).width() >= QFontMetrics(fonts::medium()).horizontalAdvance(tabs->tabText(i)),
                    qPrintable(tabs->tabText(i)));
            }
            QVERIFY2(tabs->width() >= std::min(tabs->sizeHint().width(), 160), qPrintable(QString::number(width)));
            QVERIFY(width < 1000 || tabs->width() >= tabs->sizeHint().width());
            QVERIFY(tabs->tabRect(chosen).left() >= 0 && tabs->tabRect(chosen).right() <= tabs->width());
        }
        tabs->setCurrentIndex(1); // Metrics
        QCoreApplication::processEvents();
        auto *slider = controls->findChild<QSlider *>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(slider);
        QVERIFY2(controls->isVisible(), qPrintable(QString::number(width)));
        QVERIFY2(slider->isVisible() != more->isVisible(), qPrintable(QString::number(width)));
        if (more->isVisible()) {
            QVERIFY(controls->rect().contains(more->geometry()));
            Q_EMIT more->menu()->aboutToShow();
            auto *inMenu = more->menu()->findChild<QSlider *>();
            QVERIFY(inMenu);
            inMenu->setValue(inMenu->value() + 7);
            QCOMPARE(slider->value(), inMenu->value());
        }
    }
}

// Tabs may be narrower than what is in them, and the bar of the page takes some more: nothing scrolls sideways.
void TstRunHistory::narrowPagesWrap()
{
    RunScroll scroll;
    auto *wide = new QWidget;
    wide->setLayout(new QVBoxLayout);
    wide->layout()->addWidget(new QLabel(QString(300, QLatin1Char('x'))));
    auto *text = new QLabel(QStringLiteral("several words of a sentence ").repeated(20));
    text->setWordWrap(true);
    scroll.column()->addWidget(wide);
    scroll.column()->addWidget(text);
    scroll.resize(300, 120);
    scroll.show();
    QVERIFY(QTest::qWaitForWindowExposed(&scroll));
    QVERIFY(scroll.minimumSizeHint().width() > 300);
    QTRY_VERIFY(scroll.verticalScrollBar()->maximum() > 0);
    QTRY_COMPARE(text->width(), scroll.viewport()->width());
}

// What an ended job did is read when its page opens: it does not wait for its start then.
void TstRunHistory::emptyTimelineSaysWhy()
{
    RunHistory history;
    const QList<QLabel *> labels
        = history.findChild<EmptyState *>(QStringLiteral("noTimeline"))->findChildren<QLabel *>();
    const auto says = [&labels](QStringView words) {
        return std::any_of(
            labels.cbegin(), labels.cend(), [words](const QLabel *label) { return label->text().contains(words); });
    };
    RunStory story;
    story.isWhole = false;
    history.setStory(story, 5000); // nothing is known
    QVERIFY(says(u"is being read"));
    story.job.uuid = QStringLiteral("a");
    for (const State state : {State::Succeeded, State::Running}) {
        story.job.state = state;
        story.job.launched = 1000;
        history.setStory(story, 5000);
        QVERIFY(says(u"is being read"));
    }
    // What cannot be read is not being read for ever: it is said why, and read again by the button.
    story.trouble = QStringLiteral("The record is damaged.");
    history.setStory(story, 5000);
    QVERIFY(says(u"cannot be read") && says(u"The record is damaged.") && !says(u"is being read"));
    const QSignalSpy wanted(&history, &RunHistory::storyWanted);
    auto *again = history.findChild<EmptyState *>(QStringLiteral("noTimeline"))->action();
    QVERIFY(again && again->isVisibleTo(again->parentWidget()));
    again->click();
    QCOMPARE(wanted.size(), 1);
    story.trouble.clear();
    history.setStory(story, 5000);
    QVERIFY(says(u"is being read") && !says(u"The record is damaged."));
    story.job.state = State::Waiting;
    story.job.launched.reset();
    history.setStory(story, 5000);
    QVERIFY(says(u"when the job starts"));
    story.job.state = State::Stopped;
    story.isWhole = true;
    history.setStory(story, 5000);
    QVERIFY(says(u"ended before any of its tasks started"));
}

TRAINYARD_GUI_TEST(TstRunHistory)
#include "tst_runhistory.moc"
