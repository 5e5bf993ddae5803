// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;

// The page of a run, alone and with a real engine.
namespace
{
// A job that a page can show.
JobDetail detailOf(State state)
{
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = state;
    return detail;
}

// The bar below the head, or null.
InfoBar *shownBar(const RunPage &page)
{
    const auto bars = page.findChildren<InfoBar *>();
    const auto shown = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *bar) { return bar->isVisible(); });
    return shown == bars.cend() ? nullptr : *shown;
}
} // namespace

class TstRunPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase();
    void closedBarStaysAway();
    void stoppingSaysHowLong();
    void waitsForRetryCanBeCutShort();
    void asksBeforeALargeCopy();
    void succeededWithFailedTasks();
    void jobsInReasonsAreLinks();
    void openMenuStays();
    void failureOfAPageBehind_data();
    void failureOfAPageBehind();
    void missingScriptOffersTheDocument();
    void missingScriptOfAnUnsavedJob();
    void failureIsNotCut_data();
    void failureIsNotCut();
    void narrowTasksShowTheirTime();
    void filterSaysHowManyItShows();
    void hostsAreReadable();
    void exitsLeaveTheHostReadable();
    void triesNameTheirHost();
    void pausedIsSaid_data();
    void pausedIsSaid();
    void pausedTasksStandStill();
    void formerAttemptSaysItsState();
    void waitsToTryAgain();
    void offersRetryAfterFailuresOnly_data();
    void offersRetryAfterFailuresOnly();
    void retryComesBeforeRunAgain();
    void exitStatusComesFirst();
    void oneAttemptNeedsNoList();
    void keysOfANewRunEndNothing();
    void showsWhatWasTriedBefore();
    void attemptsAndTriesAreExplained();
    void endedTaskWroteNothing();
    void historyIsNotCut();
    void controlsLeaveTheTabsAlone();
    void smallWindowsShowLinesOfTheLog();
    void tabNamesAreWhole();
    void opensWithWhatItTells_data();
    void opensWithWhatItTells();

private:
    static QString textOf(const RunPage *page)
    {
        const LogView *view = page->logPane()->view();
        return view->isVisible() ? view->text(0, view->lineCount()) : QString();
    }
    static QStringList rowOf(const QTreeWidget *list, int row)
    {
        QStringList texts;
        for (int column = 0; column < list->columnCount(); ++column) {
            texts.append(list->topLevelItem(row)->text(column));
        }
        return texts;
    }
    WindowFixture m_fixture;
};

void TstRunPage::cleanupTestCase() { WindowFixture::stopEngine(); }

// The tab in front: 4 is the timeline, 3 are the curves.
void TstRunPage::opensWithWhatItTells_data()
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

void TstRunPage::opensWithWhatItTells()
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

// The job that this one waits for, or failed with, is one click away; names in the reason stay text.
void TstRunPage::jobsInReasonsAreLinks()
{
    RunPage page;
    QSignalSpy asked(&page, &RunPage::jobRequested);
    JobSummary job;
    job.uuid = QStringLiteral("u");
    job.name = QStringLiteral("t");
    job.state = State::Waiting;
    job.reason = QStringLiteral("wait.after");
    job.reasonArgs = {{QStringLiteral("job"), 41}, {QStringLiteral("name"), QStringLiteral("<a href='x'>it's</a>")}};
    page.setSummary(job);
    page.show();
    const auto linked = [&page]() -> QLabel * {
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        for (QLabel *label : labels) {
            if (label->isVisible() && label->text().contains(QStringLiteral("<a href=\"job:41\">#41</a>"))) {
                return label;
            }
        }
        return nullptr;
    };
    QLabel *label = linked();
    QVERIFY(label);
    QVERIFY2(label->text().count(QStringLiteral("<a ")) == 1, qPrintable(label->text()));
    Q_EMIT label->linkActivated(QStringLiteral("job:41"));
    QCOMPARE(asked.value(0).value(0).toLongLong(), 41);
    job.state = State::Failed;
    job.reason = QStringLiteral("after.failed");
    job.reasonArgs.insert(QStringLiteral("state"), QStringLiteral("FAILED"));
    job.exitCode = -7300;
    page.setSummary(job);
    label = linked();
    QVERIFY(label);
    QVERIFY2(label->text().count(QStringLiteral("<a ")) == 1, qPrintable(label->text()));
    Q_EMIT label->linkActivated(QStringLiteral("job:41"));
    QCOMPARE(asked.size(), 2);
    QCOMPARE(withJobLinks(QStringLiteral("a&#39;s &#41; x#3 #5.")),
        QStringLiteral("a&#39;s &#41; x#3 <a href=\"job:5\">#5</a>."));
}

// The grace period of the settings or of the job, counted from when the stop was seen to begin.
void TstRunPage::stoppingSaysHowLong()
{
    RunPage page;
    page.show();
    const auto told = [&page] {
        const InfoBar *bar = shownBar(page);
        return bar ? bar->text() : QString();
    };
    JobDetail detail = detailOf(State::Running);
    detail.yaml = "taskRoles:\n  w: {commands: [a]}\n";
    page.setGracePeriod(30);
    page.setDetail(detail);
    QCOMPARE(told(), QString());
    detail.summary.stopRequested = true;
    page.setSummary(detail.summary);
    QVERIFY2(told().endsWith(QStringLiteral("are killed in 0:30.")), qPrintable(told()));
    QTRY_VERIFY_WITH_TIMEOUT(told().contains(QStringLiteral("killed in 0:29.")), 5000); // it counts down
    auto *kill = page.findChild<QPushButton *>(QStringLiteral("killNow"));
    QVERIFY(kill && kill->isVisible());
    QSignalSpy killed(&page, &RunPage::killRequested);
    page.setSummary(detail.summary);
    QCOMPARE(page.findChild<QPushButton *>(QStringLiteral("killNow")), kill); // it can be pressed meanwhile
    kill->click();
    QCOMPARE(killed.size(), 1);
    page.setGracePeriod(0);
    QVERIFY2(told().startsWith(QStringLiteral("The grace period is over.")), qPrintable(told()));
    detail.summary.state = State::Stopped;
    page.setSummary(detail.summary);
    QCOMPARE(told(), QString());
    // Looked at later, it has some of the time; a job may have a grace period of its own.
    RunPage later;
    detail.summary.state = State::Running;
    detail.yaml = sampleJob + "extras: {trainyard: {stop: {graceSeconds: 120}}}\n";
    later.setGracePeriod(30);
    later.setDetail(detail);
    later.show();
    QVERIFY(shownBar(later));
    QVERIFY(shownBar(later)->text().endsWith(QStringLiteral("after the grace period of 2:00.")));
}

void TstRunPage::waitsForRetryCanBeCutShort()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Waiting);
    detail.summary.reason = QStringLiteral("wait.retry");
    detail.summary.reasonArgs = {{QStringLiteral("due"), QDateTime::currentMSecsSinceEpoch() + 60'000},
        {QStringLiteral("number"), 1}, {QStringLiteral("limit"), 3}, {QStringLiteral("code"), 1}};
    page.setDetail(detail);
    const QPointer<QPushButton> retry = page.findChild<QPushButton *>(QStringLiteral("retryNow"));
    QVERIFY(retry && retry->isVisible());
    QSignalSpy asked(&page, &RunPage::retryNowRequested);
    page.setSummary(detail.summary);
    QVERIFY(retry && retry->isVisible()); // it can be pressed while the job tells of itself
    retry->click();
    QCOMPARE(asked.size(), 1);
    detail.summary.state = State::Running;
    detail.summary.reason.clear();
    page.setSummary(detail.summary);
    QTRY_VERIFY(!retry || !retry->isVisible());
}

void TstRunPage::asksBeforeALargeCopy()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Waiting);
    detail.summary.reason = QStringLiteral("code.asks");
    detail.summary.reasonArgs = {{QStringLiteral("folder"), QStringLiteral("/work")}, {QStringLiteral("files"), 3},
        {QStringLiteral("bytes"), 2 << 20}, {QStringLiteral("limitBytes"), 1 << 20}, {QStringLiteral("limitFiles"), 9},
        {QStringLiteral("biggest"), QStringLiteral("big.bin\n2097152")},
        {QStringLiteral("host"), QStringLiteral("far")}};
    page.setDetail(detail);
    const QPointer<QPushButton> yes = page.findChild<QPushButton *>(QStringLiteral("copyWork"));
    const QPointer<QPushButton> no = page.findChild<QPushButton *>(QStringLiteral("refuseCopy"));
    QVERIFY(yes && yes->isVisible() && no && no->isVisible());
    QVERIFY2(shownBar(page)->text().contains(QStringLiteral("big.bin (2 MiB)")), qPrintable(shownBar(page)->text()));
    QSignalSpy answered(&page, &RunPage::copyAnswered);
    page.setSummary(detail.summary);
    QVERIFY(yes && no); // they can be pressed while the job tells of itself
    yes->click();
    no->click();
    QCOMPARE(answered.size(), 2);
    QVERIFY(answered.first().first().toBool() && !answered.last().first().toBool());
    detail.summary.reason = QStringLiteral("launch.copying");
    page.setSummary(detail.summary);
    QTRY_VERIFY(!yes || !yes->isVisible());
}

void TstRunPage::succeededWithFailedTasks()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Succeeded);
    detail.summary.counts.succeeded = 2;
    detail.summary.counts.failed = 2;
    page.setDetail(detail);
    InfoBar *said = shownBar(page);
    QVERIFY(said);
    QVERIFY2(said->text().contains(QStringLiteral("2 task")), qPrintable(said->text()));
    said->hide(); // closed
    page.setSummary(detail.summary);
    QVERIFY(!said->isVisible());
}

// A job changes all the time while it runs; what was read and closed is not said again.
void TstRunPage::closedBarStaysAway()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.summary.retries = 1;
    AttemptInfo failed;
    failed.state = State::Failed;
    failed.exitCode = 1;
    AttemptInfo newest;
    newest.index = 1;
    newest.state = State::Running;
    detail.attempts = {failed, newest};
    page.setDetail(detail);
    page.show();
    const auto bars = page.findChildren<InfoBar *>();
    const auto shown = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *bar) { return bar->isVisible(); });
    QVERIFY(shown != bars.cend());
    InfoBar *bar = *shown;
    QVERIFY2(bar->text().startsWith(QStringLiteral("Attempt 1 ended")), qPrintable(bar->text()));
    const QPointer<QPushButton> button = bar->findChild<QPushButton *>();
    QVERIFY(button);
    ++detail.summary.counts.running;
    page.setSummary(detail.summary);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(button); // who presses it is not left with the press
    bar->findChild<QToolButton *>()->click();
    QVERIFY(bar->isHidden());
    ++detail.summary.counts.running;
    page.setSummary(detail.summary);
    QVERIFY(bar->isHidden());
    detail.attempts[1].state = State::Failed;
    AttemptInfo third;
    third.index = 2;
    third.state = State::Running;
    detail.attempts.append(third);
    page.setDetail(detail);
    QVERIFY(bar->isVisible()); // something else
}

// A job changes all the time while it runs: the menu of its attempts is not refilled under the pointer.
void TstRunPage::openMenuStays()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    AttemptInfo first;
    first.state = State::Failed;
    AttemptInfo second;
    second.index = 1;
    second.state = State::Running;
    detail.attempts = {first, second};
    page.setDetail(detail);
    page.resize(1000, 600);
    page.show();
    QMenu *menu = nullptr;
    for (const QToolButton *button : page.findChildren<QToolButton *>()) {
        menu = button->isVisible() && button->text().startsWith(QStringLiteral("Attempt")) ? button->menu() : menu;
    }
    QVERIFY(menu);
    menu->popup(QPoint());
    QCOMPARE(menu->actions().size(), 2);
    const QPointer<QAction> chosen = menu->actions().first();
    menu->setActiveAction(chosen);
    ++detail.summary.counts.running;
    page.setSummary(detail.summary);
    QVERIFY(chosen);
    QCOMPARE(menu->activeAction(), chosen);
    int asked = -1;
    connect(&page, &RunPage::attemptRequested, this, [&](int attempt) { asked = attempt; });
    QTest::keyClick(menu, Qt::Key_Return);
    QCOMPARE(asked, 0);
}

void TstRunPage::failureOfAPageBehind_data()
{
    QTest::addColumn<bool>("wasShown");
    QTest::newRow("made behind another, as a session is restored") << false;
    QTest::newRow("failed while another was looked at") << true;
}

// The usual way to meet a failure: come back to a page that was not looked at while it happened.
void TstRunPage::failureOfAPageBehind()
{
    QFETCH(const bool, wasShown);
    QStackedWidget stack;
    stack.addWidget(new QWidget);
    auto *page = new RunPage;
    stack.addWidget(page);
    stack.resize(1100, 760);
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    page->setDetail(detail);
    if (wasShown) {
        stack.setCurrentWidget(page);
    }
    stack.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stack));
    stack.setCurrentIndex(0);
    detail.summary.state = State::Failed;
    detail.summary.exitCode = -220;
    page->setDetail(detail);
    QCoreApplication::processEvents();
    stack.setCurrentWidget(page);
    auto *panel = page->findChild<FailurePanel *>();
    QTRY_VERIFY(panel->isVisible());
    QTRY_VERIFY2(panel->height() >= 80, qPrintable(QString::number(panel->height())));
    for (const QLabel *label : panel->findChildren<QLabel *>()) {
        if (label->isVisible() && label->wordWrap()) {
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        }
    }
}

void TstRunPage::failureIsNotCut_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("960 x 600 at 150 %") << QSize(708, 496);
    QTest::newRow("smaller") << QSize(560, 380);
    QTest::newRow("large") << QSize(1150, 780);
}

// A long story on a small screen is scrolled; no line of it is cut, and tasks and log stay in sight.
// What is missing is missing the next time, too: the job's file is what has to be changed.
void TstRunPage::missingScriptOffersTheDocument()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("failing");
    detail.summary.file = QStringLiteral("/home/ada/job.pai.yaml");
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 255;
    detail.summary.reason = QStringLiteral("exit.found");
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    page.show();
    auto *open = page.findChild<QPushButton *>(QStringLiteral("failureDocument"));
    QVERIFY(open && !open->isVisible());
    detail.summary.reasonArgs
        = {{QStringLiteral("status"), 2}, {QStringLiteral("finding"), QStringLiteral("script-missing")},
            {QStringLiteral("reason"),
                QStringLiteral("The file /home/ada/train.py does not exist where the command runs.")},
            {QStringLiteral("solution"), QStringLiteral("Save it there.")}};
    page.setDetail(detail);
    QTRY_VERIFY(open->isVisible());
    const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [](const QLabel *label) { return label->text().contains(QStringLiteral("/home/ada/train.py")); }));
    QSignalSpy asked(&page, &RunPage::documentRequested);
    open->click();
    QCOMPARE(asked.size(), 1);
}

// A job that was never saved ran beside none of the user's files: where they are is what has to be said first.
void TstRunPage::missingScriptOfAnUnsavedJob()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("failing");
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 255;
    detail.summary.reason = QStringLiteral("exit.found");
    detail.summary.reasonArgs
        = {{QStringLiteral("status"), 3}, {QStringLiteral("finding"), QStringLiteral("script-missing")},
            {QStringLiteral("reason"), QStringLiteral("The file train.py does not exist where the command runs.")},
            {QStringLiteral("solution"), QStringLiteral("Save it there.")}};
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    page.show();
    auto *open = page.findChild<QPushButton *>(QStringLiteral("failureDocument"));
    QTRY_VERIFY(open && open->isVisible());
    QCOMPARE(buttonKind(open), ButtonKind::Primary);
    const auto *words = open->parentWidget()->findChild<QLabel *>(QStringLiteral("detail"));
    QVERIFY(words && words->text().contains(QStringLiteral("work folder")));
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        QVERIFY2(button == open || buttonKind(button) != ButtonKind::Primary, qPrintable(button->text()));
    }
    QSignalSpy asked(&page, &RunPage::documentRequested);
    open->click();
    QCOMPARE(asked.size(), 1);
}

void TstRunPage::failureIsNotCut()
{
    QFETCH(const QSize, size);
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("failing");
    detail.summary.state = State::Failed;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    page.resize(size);
    page.show();
    auto *panel = page.findChild<FailurePanel *>();
    panel->setFailure(QStringLiteral("worker/1: GPU out of memory"),
        QStringLiteral("Exit code 226. ")
            + QStringLiteral("The memory of the GPU is used up, and so on. ").repeated(5));
    panel->setEvidence(QStringLiteral("worker/1"), 2,
        {QStringLiteral("epoch 3 loss 0.3"), QStringLiteral("Traceback (most recent call last):"),
            QStringLiteral("  File \"train.py\", line 214, in training_step"),
            QStringLiteral("RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 3; 39.59 GiB total)")});
    QCoreApplication::processEvents();
    for (const QLabel *label : panel->findChildren<QLabel *>()) {
        if (label->isVisible() && label->wordWrap()) {
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        }
    }
    QVERIFY(panel->height() <= size.height() - 150);
    QVERIFY(panel->height() >= 90);
    const auto *view = page.findChild<QTreeView *>(QStringLiteral("tasksView"));
    QVERIFY(view->mapTo(&page, QPoint(0, view->height())).y() <= size.height());
    if (size.height() > 700) {
        QVERIFY(!panel->findChild<QScrollArea *>()->verticalScrollBar()->isVisible());
    }
}

void TstRunPage::narrowTasksShowTheirTime()
{
    TasksPane pane;
    TaskInfo task;
    task.role = QStringLiteral("worker");
    pane.setTasks({task});
    pane.resize(325, 200);
    pane.show();
    const auto *view = pane.findChild<QTreeView *>(QStringLiteral("tasksView"));
    const QHeaderView *header = view->header();
    const int right
        = header->sectionViewportPosition(TasksModel::TimeColumn) + header->sectionSize(TasksModel::TimeColumn);
    QVERIFY2(right <= view->viewport()->width(), qPrintable(QString::number(right)));
    QVERIFY(header->isSectionHidden(TasksModel::GpuColumn));
    pane.resize(600, 200);
    QCoreApplication::processEvents();
    QVERIFY(!header->isSectionHidden(TasksModel::GpuColumn));
    // In the smallest window no task has an exit status yet: its column goes first.
    pane.resize(260, 200);
    QCoreApplication::processEvents();
    QVERIFY(header->isSectionHidden(TasksModel::ExitColumn));
    const int end
        = header->sectionViewportPosition(TasksModel::TimeColumn) + header->sectionSize(TasksModel::TimeColumn);
    QVERIFY2(end <= view->viewport()->width(), qPrintable(QString::number(end)));
    // What the hidden column does not take is the host's.
    QVERIFY(header->isSectionHidden(TasksModel::HostColumn) || end >= view->viewport()->width() - 1);
    for (const int width : {270, 285, 300}) {
        pane.resize(width, 200);
        QCoreApplication::processEvents();
        if (!header->isSectionHidden(TasksModel::HostColumn)) {
            QCOMPARE(header->length(), view->viewport()->width());
        }
    }
    pane.resize(600, 200);
    QCoreApplication::processEvents();
    QVERIFY(!header->isSectionHidden(TasksModel::ExitColumn) && !header->isSectionHidden(TasksModel::HostColumn));
}

void TstRunPage::filterSaysHowManyItShows()
{
    TasksPane pane;
    QList<TaskInfo> tasks;
    for (int i = 0; i < 12; ++i) {
        TaskInfo task;
        task.role = i < 9 ? QStringLiteral("worker") : QStringLiteral("ps");
        task.index = i < 9 ? i : i - 9;
        tasks.append(task);
    }
    pane.setTasks(tasks);
    const auto says = [&pane](const QString &text) {
        const auto labels = pane.findChildren<QLabel *>();
        return std::any_of(
            labels.cbegin(), labels.cend(), [&text](const QLabel *label) { return label->text() == text; });
    };
    QVERIFY(says(QStringLiteral("12")));
    pane.findChild<SearchField *>()->setText(QStringLiteral("ps"));
    QVERIFY(says(QStringLiteral("3 of 12")));
    pane.findChild<SearchField *>()->clear();
    QVERIFY(says(QStringLiteral("12")));
}

// Nothing has ended yet: the column for exits takes no room from the hosts' names.
void TstRunPage::hostsAreReadable()
{
    TasksPane pane;
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.state = State::Running;
    task.host = QStringLiteral("local");
    pane.model()->setHostLabels({{task.host, QStringLiteral("This computer")}});
    pane.setTasks({task});
    pane.resize(455, 200);
    pane.show();
    const QHeaderView *header = pane.view()->header();
    const int wanted = QFontMetrics(fonts::ui()).horizontalAdvance(QStringLiteral("This computer"));
    QVERIFY2(header->sectionSize(TasksModel::HostColumn) >= wanted,
        qPrintable(QString::number(header->sectionSize(TasksModel::HostColumn))));
}

// Words on an exit are cut before the name of the host is, and an empty column of GPUs goes before them.
void TstRunPage::exitsLeaveTheHostReadable()
{
    TasksPane pane;
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.state = State::Failed;
    task.host = QStringLiteral("local");
    task.exitCode = 231;
    task.rawExit = 1;
    pane.model()->setHostLabels({{task.host, QStringLiteral("This computer")}});
    pane.setTasks({task});
    pane.resize(455, 200);
    pane.show();
    const QHeaderView *header = pane.view()->header();
    const QFontMetrics letters(fonts::ui());
    const int host = letters.horizontalAdvance(QStringLiteral("This computer")) + 12;
    const int exit = letters.horizontalAdvance(TasksModel::exitText(task, {})) + 12;
    QVERIFY2(header->sectionSize(TasksModel::HostColumn) >= host,
        qPrintable(QString::number(header->sectionSize(TasksModel::HostColumn))));
    QVERIFY(header->isSectionHidden(TasksModel::GpuColumn));
    // Room for all the words, but not for an empty column besides.
    const int rest = header->sectionSize(TasksModel::NameColumn) + header->sectionSize(TasksModel::StateColumn)
        + header->sectionSize(TasksModel::TimeColumn);
    pane.resize(rest + host + exit + 40, 200);
    QTRY_VERIFY(header->sectionSize(TasksModel::ExitColumn) >= exit);
    QVERIFY(header->sectionSize(TasksModel::HostColumn) >= host);
    QVERIFY(header->isSectionHidden(TasksModel::GpuColumn));
    task.gpus = {0};
    pane.setTasks({task});
    QVERIFY(!header->isSectionHidden(TasksModel::GpuColumn));
    QVERIFY(header->sectionSize(TasksModel::HostColumn) >= host);
}

void TstRunPage::triesNameTheirHost()
{
    TryList list;
    TaskInfo task;
    task.state = State::Failed;
    task.host = QStringLiteral("local");
    const QString name = QStringLiteral("This computer");
    list.resize(900, 120);
    list.setTries({task}, {{task.host, name}}, {}, 0);
    list.show();
    constexpr int hostColumn = 2;
    QVERIFY2(list.header()->sectionSize(hostColumn) >= list.fontMetrics().horizontalAdvance(name) + 6,
        qPrintable(QString::number(list.header()->sectionSize(hostColumn))));
}

void TstRunPage::pausedIsSaid_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<bool>("paused");
    QTest::addColumn<QString>("said");
    QTest::newRow("runs") << State::Running << false << QStringLiteral("Running");
    QTest::newRow("halted") << State::Running << true << QStringLiteral("Paused");
    QTest::newRow("halted before it began") << State::Waiting << true << QStringLiteral("Paused");
    QTest::newRow("stopped while halted") << State::Stopping << true << QStringLiteral("Stopping");
    QTest::newRow("ended while halted") << State::Stopped << true << QStringLiteral("Stopped");
}

void TstRunPage::pausedIsSaid()
{
    QFETCH(const State, state);
    QFETCH(const bool, paused);
    JobSummary job;
    job.id = 1;
    job.uuid = QStringLiteral("u");
    job.state = state;
    job.paused = paused;
    RunPage page;
    page.setSummary(job);
    const auto *label = page.findChild<StateLabel *>();
    QVERIFY(label);
    QTEST(label->accessibleName(), "said");
}

// The tasks of a paused job are halted too, and so are their clocks and that of the job.
void TstRunPage::pausedTasksStandStill()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("job.paused");
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    detail.summary.began = now - 600'000;
    detail.summary.reasonArgs = {{QStringLiteral("since"), now - 300'000}};
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Running;
    task.launched = now - 540'000;
    task.reason = detail.summary.reason;
    task.reasonArgs = detail.summary.reasonArgs;
    page.setTasks(0, {task});
    const TasksModel *model = page.tasksPane()->model();
    const QModelIndex row = model->index(0, 0, model->index(0, 0));
    QCOMPARE(row.siblingAtColumn(TasksModel::StateColumn).data().toString(), QStringLiteral("Paused"));
    QCOMPARE(row.siblingAtColumn(TasksModel::TimeColumn).data().toString(), QStringLiteral("4:00"));
    const QList<QLabel *> labels = page.findChildren<QLabel *>();
    QVERIFY(std::any_of(
        labels.cbegin(), labels.cend(), [](const QLabel *label) { return label->text() == QStringLiteral("5:00"); }));
}

// The head speaks of the attempt that is shown.
void TstRunPage::formerAttemptSaysItsState()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.summary.retries = 1;
    AttemptInfo failed;
    failed.state = State::Failed;
    failed.started = 1000;
    failed.completed = 3000;
    AttemptInfo newest;
    newest.index = 1;
    newest.state = State::Running;
    detail.attempts = {failed, newest};
    page.setDetail(detail);
    page.setTasks(1, {});
    const auto *label = page.findChild<StateLabel *>();
    QCOMPARE(label->accessibleName(), QStringLiteral("Running"));
    page.setTasks(0, {});
    QCOMPARE(label->accessibleName(), QStringLiteral("Failed"));
}

// A job that waits for its next attempt says which one, why, and when.
void TstRunPage::waitsToTryAgain()
{
    RunPage page;
    JobSummary job;
    job.uuid = QStringLiteral("u");
    job.state = State::Waiting;
    job.subState = QStringLiteral("AttemptCompleted");
    job.reason = QStringLiteral("wait.retry");
    job.reasonArgs = {{QStringLiteral("number"), 2}, {QStringLiteral("limit"), 10}, {QStringLiteral("code"), 137},
        {QStringLiteral("due"), QDateTime::currentMSecsSinceEpoch() + 3'600'000}};
    page.setSummary(job);
    page.show();
    const auto bars = page.findChildren<InfoBar *>();
    QVERIFY(std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
        return bar->isVisible() && bar->text().startsWith(QStringLiteral("Waits to try again (2 of 10), in "));
    }));
    QVERIFY(page.findChild<QPushButton *>(QStringLiteral("runPageStop"))->isEnabled());
}

void TstRunPage::offersRetryAfterFailuresOnly_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<TaskCounts>("counts");
    QTest::addColumn<bool>("offered");
    const auto row = [](const char *name, State state, TaskCounts counts, bool offered) {
        QTest::newRow(name) << state << counts << offered;
    };
    TaskCounts counts;
    counts.succeeded = 1;
    counts.stopped = 1;
    row("succeeded, the rest was stopped", State::Succeeded, counts, false);
    row("failed, and no task did", State::Failed, counts, false);
    counts.failed = 1;
    row("some failed", State::Failed, counts, true);
    row("succeeded in spite of a failure", State::Succeeded, counts, true);
    row("still running", State::Running, counts, false);
}

void TstRunPage::offersRetryAfterFailuresOnly()
{
    QFETCH(State, state);
    QFETCH(TaskCounts, counts);
    QFETCH(bool, offered);
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = state;
    detail.summary.counts = counts;
    page.setDetail(detail);
    // In one place: beside the reason of a failure, else in the head.
    const bool isFailed = state == State::Failed;
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    const bool inPanel = std::any_of(buttons.cbegin(), buttons.cend(), [&page](const QPushButton *button) {
        return button->text() == QStringLiteral("Retry failed tasks") && button->isVisibleTo(&page);
    });
    QCOMPARE(inPanel, offered && isFailed);
    for (const char *name : {"runPageRetry", "runPageAgain", "runPageEdit"}) {
        const bool isOffered = !isFailed && (offered || QLatin1String(name) != QLatin1String("runPageRetry"));
        QCOMPARE(page.findChild<QPushButton *>(QLatin1String(name))->isVisibleTo(&page), isOffered);
    }
}

// Where one of several failed, the button that stands out runs that one, and not all again.
void TstRunPage::retryComesBeforeRunAgain()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("w/1 failed"), {});
    const auto primary = [&] {
        QStringList words;
        for (const QPushButton *button : panel.findChildren<QPushButton *>()) {
            if (button->isVisibleTo(&panel) && buttonKind(button) == ButtonKind::Primary) {
                words.append(button->text());
            }
        }
        return words.join(QLatin1Char('|'));
    };
    QCOMPARE(primary(), QStringLiteral("Run again"));
    panel.setRetry(true);
    QCOMPARE(primary(), QStringLiteral("Retry failed tasks"));
    panel.setRetry(false);
    QCOMPARE(primary(), QStringLiteral("Run again"));
    panel.setFailure(QStringLiteral("w/1 failed"), {}, false);
    QCOMPARE(primary(), QStringLiteral("Edit as new"));
}

// The status of the program first, our code behind it.
void TstRunPage::exitStatusComesFirst()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 255;
    AttemptInfo attempt;
    attempt.state = State::Failed;
    attempt.exitCode = 255;
    attempt.triggerRule = QStringLiteral("minFailed");
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 0;
    attempt.triggerRawExit = 3;
    detail.attempts = {attempt};
    page.setDetail(detail);
    QStringList said;
    for (const QLabel *shown : page.findChild<FailurePanel *>()->findChildren<QLabel *>()) {
        said.append(shown->text());
    }
    QVERIFY2(said.join(QLatin1Char('|')).contains(QStringLiteral("Exit status 3.")),
        qPrintable(said.join(QLatin1Char('|'))));
    const auto *list = page.findChild<QTreeWidget *>(QStringLiteral("attemptList"));
    QCOMPARE(list->topLevelItem(0)->text(4), QStringLiteral("Exit status 3"));
}

// One attempt is told by the head: its list takes no room from tasks and log until somebody wants to see it.
void TstRunPage::oneAttemptNeedsNoList()
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

// Whoever presses Run and then a key more does not end what he began: the tasks have the focus.
void TstRunPage::keysOfANewRunEndNothing()
{
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "until test -e go; do sleep 0.05; done");
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    window->activateWindow();
    QTRY_VERIFY(window->isActiveWindow());
    DesignerPage *designer = window->openFile(m_fixture.write(QStringLiteral("keys/keys.pai.yaml"), yaml));
    QVERIFY(designer);
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    designer->setFocus();
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *first = window->currentRun();
    window->activateWindow(); // the platform of tests does not give it back after a tip
    QTRY_VERIFY(first->tasksPane()->isAncestorOf(QApplication::focusWidget()));
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Running, 20'000);
    QVERIFY(first->tasksPane()->isAncestorOf(QApplication::focusWidget()));
    auto *again = first->findChild<QPushButton *>(QStringLiteral("runPageAgain"));
    QTRY_VERIFY(again->isEnabled());
    again->setFocus();
    QTest::keyClick(again, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    RunPage *second = window->currentRun();
    QTRY_VERIFY(second->tasksPane()->isAncestorOf(QApplication::focusWidget()));
    // Nor does the key after Stop press what stands beside it.
    auto *stop = second->findChild<QPushButton *>(QStringLiteral("runPageStop"));
    QTRY_VERIFY_WITH_TIMEOUT(stop->isEnabled() && second->summary().state == State::Running, 20'000);
    stop->setFocus();
    QTest::keyClick(stop, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(!stop->isEnabled(), 10'000);
    QVERIFY(second->tasksPane()->isAncestorOf(QApplication::focusWidget()));
    m_fixture.write(QStringLiteral("keys/go"), "x");
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(second->summary().state), 20'000);
    window->close();
}

// The first of two tasks fails, and is begun again while somebody looks on.
void TstRunPage::showsWhatWasTriedBefore()
{
    QByteArray yaml = sampleJob;
    yaml.replace("instances: 1", "instances: 2\n    taskRetryCount: 1");
    yaml.replace("for i in 1 2 3; do echo hello $i; done",
        "test $PAI_TASK_INDEX = 0 || exit 0; if mkdir begun; then echo first; exit 3; fi 2>/dev/null; echo second; "
        "until test -e go; do sleep 0.05; done");
    yaml += "extras: {gangAllocation: false}\n"; // so that single tasks are tried again
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("tries/tries.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *page = window->currentRun();
    const auto current = [&] { return page->tasksPane()->currentTask().value_or(TaskInfo()); };
    QTRY_VERIFY_WITH_TIMEOUT(current().tries == 1 && current().state == State::Running, 30'000);

    auto *list = page->findChild<QTreeWidget *>(QStringLiteral("tryList"));
    QVERIFY(list);
    QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 2, 10'000);
    const QStringList first = rowOf(list, 0);
    QCOMPARE(first.at(0), QStringLiteral("1"));
    QCOMPARE(first.at(1), QStringLiteral("Failed"));
    QVERIFY2(first.at(2) != QStringLiteral("–") && !first.at(2).isEmpty(), qPrintable(first.at(2))); // host
    QVERIFY(!first.at(3).isEmpty()); // began
    QVERIFY(!first.at(4).isEmpty()); // took
    QVERIFY2(first.at(5).endsWith(QStringLiteral("Exit status 3")), qPrintable(first.at(5)));
    QCOMPARE(rowOf(list, 1).first(2), (QStringList{QStringLiteral("2"), QStringLiteral("Running")}));
    QCOMPARE(list->currentItem(), list->topLevelItem(1)); // the newest is shown
    QTRY_COMPARE_WITH_TIMEOUT(textOf(page), QStringLiteral("second"), 10'000);
    auto *button = page->logPane()->tryButton();
    QVERIFY(button->isVisible());
    QCOMPARE(button->text(), QStringLiteral("Try 2 of 2"));

    // Who looks at the first one stays there, whatever the task does.
    list->setCurrentItem(list->topLevelItem(0));
    QTRY_COMPARE_WITH_TIMEOUT(textOf(page), QStringLiteral("first"), 10'000);
    QCOMPARE(button->text(), QStringLiteral("Try 1 of 2"));
    m_fixture.write(QStringLiteral("tries/go"), "x");
    QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Succeeded, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(rowOf(list, 1).at(1), QStringLiteral("Succeeded"), 10'000);
    QCOMPARE(textOf(page), QStringLiteral("first"));

    // A task that was begun once has no choice.
    page->tasksPane()->setCurrentTask(QStringLiteral("w"), 1);
    QVERIFY(!button->isVisible());
    QCOMPARE(list->topLevelItemCount(), 1);
    page->tasksPane()->setCurrentTask(QStringLiteral("w"), 0);
    QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 2, 10'000);
    QCOMPARE(button->text(), QStringLiteral("Try 2 of 2"));

    // From the menu; and what was cleared away is said to be gone.
    QVERIFY(button->menu());
    Q_EMIT button->menu()->aboutToShow();
    const QList<QAction *> actions = button->menu()->actions();
    QCOMPARE(actions.size(), 2);
    QVERIFY2(actions.first()->text().startsWith(QStringLiteral("Try 1: Failed")), qPrintable(actions.first()->text()));
    actions.first()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(textOf(page), QStringLiteral("first"), 10'000);
    const QString folder = page->logPane()->folder();
    actions.last()->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(textOf(page), QStringLiteral("second"), 10'000);
    QVERIFY(folder != page->logPane()->folder() && QDir(folder).removeRecursively());
    list->setCurrentItem(list->topLevelItem(0));
    QTRY_COMPARE(page->logPane()->folder(), QString());
    QVERIFY(page->logPane()->view()->isHidden());
    window->close();
}

// Two words of ours that mean nearly the same elsewhere: what each is stands beside its tab.
void TstRunPage::attemptsAndTriesAreExplained()
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
    QVERIFY2(said(tries).contains(QStringLiteral("one run of one task")), qPrintable(said(tries)));
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
void TstRunPage::endedTaskWroteNothing()
{
    RunPage page;
    page.setSummary(detailOf(State::Stopped).summary);
    const auto said = [&page](State state) {
        TaskInfo task;
        task.role = QStringLiteral("w");
        task.state = state;
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
}

// An exit or a state of several words is whole, and the last column still has room.
void TstRunPage::historyIsNotCut()
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
void TstRunPage::controlsLeaveTheTabsAlone()
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
    controls->setOffer({true, true, 2, 2});
    QTRY_VERIFY2(tabs->geometry().right() < controls->x() && controls->geometry().right() <= page.width(),
        qPrintable(QStringLiteral("%1 %2").arg(tabs->geometry().right()).arg(controls->x())));
    const auto scrollers = tabs->findChildren<QToolButton *>();
    QTRY_COMPARE(std::any_of(scrollers.cbegin(), scrollers.cend(), [](const auto *each) { return each->isVisible(); }),
        tabs->width() < tabs->sizeHint().width());
}

// Curves that had half of a large window leave the log some lines of a small one, and come back with the room.
void TstRunPage::smallWindowsShowLinesOfTheLog()
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
    page.resize(760, 440);
    QCoreApplication::processEvents();
    constexpr int fewLines = metrics::paneHead + 6 * metrics::logLine;
    QVERIFY2(page.logPane()->height() >= fewLines, qPrintable(QString::number(page.logPane()->height())));
    QVERIFY2(panes->sizes().constLast() >= 100, qPrintable(QString::number(panes->sizes().constLast())));
    page.resize(760, 900);
    QTRY_COMPARE(panes->sizes().constLast(), lower);
}

// Names that are cut say nothing; what has no room beside them is reached all the same.
void TstRunPage::tabNamesAreWhole()
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
    controls->setOffer({true, true, 2, 2});
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

TRAINYARD_GUI_TEST(TstRunPage)
#include "tst_runpage.moc"
