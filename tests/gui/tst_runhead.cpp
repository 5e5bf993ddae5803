// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "tests/gui/listedtasks.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;

// The head of the page of a run: the state and its reason, the time, and the buttons.
class TstRunHead : public ListedTasks
{
    Q_OBJECT

private Q_SLOTS:
    void pageShowsStateAndReason();
    void pageAsksForANewAttempt();
    void pageFollowsAttemptsThatAreShort();
    void pageIsNotSentBackByAnOldList();
    void doubleClickPressesOnce();
    void pausesAndRetries();
    void saysAllOfWhyAJobWaits();
    void headFitsNarrowPages();
    void tagsAreInTheHead();
    void progressIsShortInANarrowHead();
    void longStatesLeaveRoomForTheButtons();
    void timeOfAWaitForARetry();
    void timeIsThatOfTheAttempt();
    void heldTasksAreShownAndReleased();
    void saysToWhichHostItConnects();
    void boardIsOfferedWhenItIsThere();
};

void TstRunHead::pageShowsStateAndReason()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("resnet");
    detail.summary.state = State::Running;
    detail.yaml = "name: resnet\n";
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 R")}));
    QCOMPARE(page.title(), QStringLiteral("resnet #41"));
    auto *stop = page.findChild<QPushButton *>(QStringLiteral("runPageStop"));
    auto *again = page.findChild<QPushButton *>(QStringLiteral("runPageAgain"));
    QVERIFY(stop->isEnabled() && again->isEnabled());
    QSignalSpy stops(&page, &RunPage::stopRequested);
    stop->click();
    QCOMPARE(stops.count(), 1);
    detail.summary.stopRequested = true;
    page.setDetail(detail);
    QVERIFY(!stop->isEnabled());
    detail.summary.state = State::Stopped;
    detail.summary.completed = 1000;
    page.setDetail(detail);
    QVERIFY(!stop->isEnabled());
}

// After the first click, the page of another run may stand below the pointer.
void TstRunHead::doubleClickPressesOnce()
{
    RunHead head;
    head.resize(1100, metrics::pageHead);
    head.show();
    RunView view;
    view.job.id = 41;
    view.job.name = QStringLiteral("resnet");
    view.job.state = State::Succeeded;
    view.yaml = "name: resnet\n";
    view.attempts = {AttemptInfo{}};
    head.setView(view);
    auto *again = head.findChild<QPushButton *>(QStringLiteral("runPageAgain"));
    QVERIFY(again->isEnabled());
    const QSignalSpy asked(&head, &RunHead::runAgainRequested);
    const QPointF at = again->rect().center();
    QMouseEvent second(QEvent::MouseButtonDblClick, at, again->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
    QApplication::sendEvent(again, &second);
    QTest::mouseRelease(again, Qt::LeftButton);
    QCOMPARE(asked.size(), 0);
    QTest::mouseClick(again, Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
}

void TstRunHead::tagsAreInTheHead()
{
    RunHead head;
    head.resize(1100, metrics::pageHead);
    head.show();
    RunView view;
    view.job.id = 41;
    view.job.name = QStringLiteral("resnet");
    view.job.state = State::Running;
    view.attempts = {AttemptInfo{}};
    head.setView(view);
    const auto *tags = head.findChild<ElidedLabel *>(QStringLiteral("runPageTags"));
    QVERIFY(tags && !tags->isVisible());
    view.job.labels.tags = QStringList{QStringLiteral("base line"), QStringLiteral("lr")};
    head.setView(view);
    QVERIFY(tags->isVisible());
    QCOMPARE(tags->accessibleName(), QStringLiteral("base line, lr"));
    QVERIFY(tags->width() >= tags->sizeHint().width());
    const auto *stop = head.findChild<QPushButton *>(QStringLiteral("runPageStop"));
    QCOMPARE(stop->text(), QStringLiteral("Stop"));
    // What can be done with the run keeps its words before.
    int width = 1100;
    for (; width > 300 && tags->isVisible(); width -= 10) {
        head.resize(width, metrics::pageHead);
        head.fit();
    }
    QVERIFY(width > 300);
    QCOMPARE(stop->text(), QStringLiteral("Stop"));
    head.resize(1100, metrics::pageHead);
    head.fit();
    QVERIFY(tags->isVisible());
    view.job.labels.tags.clear();
    head.setView(view);
    QVERIFY(!tags->isVisible());
}

void TstRunHead::pageAsksForANewAttempt()
{
    RunPage page;
    JobDetail detail;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QSignalSpy asked(&page, &RunPage::attemptRequested);
    page.applyTasks(tasks({QStringLiteral("w 0 R")}, 1));
    QCOMPARE(asked.value(0).value(0).toInt(), 1);
    page.setTasks(1, tasks({QStringLiteral("w 0 R")}, 1));
    QCOMPARE(page.shownAttempt(), 1);
    page.applyTasks(tasks({QStringLiteral("w 0 F")}, 0)); // of an older attempt: passed over
    QCOMPARE(page.tasksPane()->currentTask()->state, State::Running);
}

// The tasks of such an attempt have ended before the page knows that the job runs again.
void TstRunHead::pageFollowsAttemptsThatAreShort()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Failed;
    AttemptInfo attempt;
    attempt.launched = 1000;
    attempt.state = State::Failed;
    detail.attempts = {attempt};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QSignalSpy asked(&page, &RunPage::attemptRequested);
    page.applyTasks(tasks({QStringLiteral("w 0 F")}, 1));
    attempt.index = 1;
    detail.attempts.append(attempt);
    detail.summary.retries = 1;
    page.setDetail(detail);
    QVERIFY(!asked.isEmpty());
    QCOMPARE(asked.constLast().value(0).toInt(), 1);
    page.setTasks(1, tasks({QStringLiteral("w 0 F")}, 1));
    asked.clear();
    // A new attempt that only waits is the one to show, too: no task of it has changed yet.
    attempt.index = 2;
    attempt.launched.reset();
    attempt.state = State::Waiting;
    detail.attempts.append(attempt);
    detail.summary.retries = 2;
    detail.summary.state = State::Waiting;
    page.setDetail(detail);
    QCOMPARE(asked.value(0).value(0).toInt(), 2);
    // An attempt that the user chose stays.
    page.setTasks(2, tasks({QStringLiteral("w 0 W")}, 2));
    QMenu *menu = nullptr;
    for (const QToolButton *button : page.findChildren<QToolButton *>()) {
        menu = button->accessibleName() == QStringLiteral("Attempt shown") ? button->menu() : menu;
    }
    QVERIFY(menu);
    Q_EMIT menu->aboutToShow();
    QVERIFY(!menu->actions().isEmpty());
    menu->actions().constFirst()->trigger();
    QCOMPARE(asked.constLast().value(0).toInt(), 0);
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    asked.clear();
    attempt.index = 3;
    detail.attempts.append(attempt);
    detail.summary.retries = 3;
    page.setDetail(detail);
    QVERIFY(asked.isEmpty());
}

// The tasks of a new attempt may be there before the list that has it.
void TstRunHead::pageIsNotSentBackByAnOldList()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QSignalSpy asked(&page, &RunPage::attemptRequested);
    page.setTasks(1, tasks({QStringLiteral("w 0 R")}, 1));
    page.setDetail(detail);
    QVERIFY(asked.isEmpty());
    QCOMPARE(page.shownAttempt(), 1);
}

void TstRunHead::pausesAndRetries()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Running;
    detail.yaml = "name: resnet\n";
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R"), QStringLiteral("w 2 R")}));
    auto *pause = page.findChild<QPushButton *>(QStringLiteral("runPagePause"));
    auto *retry = page.findChild<QPushButton *>(QStringLiteral("runPageRetry"));
    QVERIFY(pause->isVisible() && pause->isEnabled() && !retry->isVisible());
    QCOMPARE(pause->text(), QStringLiteral("Pause"));
    QSignalSpy pauses(&page, &RunPage::pauseRequested);
    QSignalSpy retries(&page, &RunPage::retryRequested);
    pause->click();
    QCOMPARE(pauses.takeFirst().first().toBool(), true);
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("job.paused");
    page.setDetail(detail);
    QCOMPARE(pause->text(), QStringLiteral("Resume"));
    pause->click();
    QCOMPARE(pauses.takeFirst().first().toBool(), false);
    QVERIFY(page.grab().size().isValid());
    const auto chosenTasks = [&](const QString &action) {
        Q_EMIT page.tasksPane()->view()->customContextMenuRequested(
            page.tasksPane()->view()->visualRect(page.tasksPane()->view()->currentIndex()).center());
        const QList<QMenu *> menus = page.tasksPane()->findChildren<QMenu *>();
        bool done = false;
        for (QAction *each : menus.isEmpty() ? QList<QAction *>() : menus.last()->actions()) {
            if (each->text().startsWith(action) && each->isEnabled()) {
                each->trigger();
                done = true;
            }
        }
        qDeleteAll(menus);
        return done;
    };
    QVERIFY(!chosenTasks(QStringLiteral("Retry"))); // it is not over
    detail.summary.paused = false;
    detail.summary.state = State::Failed;
    detail.summary.counts.succeeded = 2;
    detail.summary.counts.failed = 1;
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 S"), QStringLiteral("w 1 F"), QStringLiteral("w 2 S")}));
    QVERIFY(!pause->isVisible() && !retry->isVisible());
    const auto offers = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    const auto offer = std::find_if(offers.cbegin(), offers.cend(),
        [](const QPushButton *button) { return button->text() == QStringLiteral("Retry failed tasks"); });
    QVERIFY(offer != offers.cend() && (*offer)->isVisible());
    (*offer)->click();
    QCOMPARE(retries.takeFirst().first().toStringList(), QStringList()); // those that failed
    page.tasksPane()->setCurrentTask(QStringLiteral("w"), 2);
    QVERIFY(chosenTasks(QStringLiteral("Retry")));
    QCOMPARE(retries.takeFirst().first().toStringList(), QStringList{QStringLiteral("w/2")});
    QTreeView *view = page.tasksPane()->view();
    view->selectionModel()->select(
        view->indexAbove(view->currentIndex()), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(chosenTasks(QStringLiteral("Retry")));
    QStringList both = retries.takeFirst().first().toStringList();
    both.sort();
    QCOMPARE(both, (QStringList{QStringLiteral("w/1"), QStringLiteral("w/2")}));
}

void TstRunHead::saysAllOfWhyAJobWaits()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Waiting;
    detail.summary.reason = QStringLiteral("wait.gpu");
    const QJsonObject host{{QStringLiteral("host"), QStringLiteral("<lab>")}, {QStringLiteral("free"), 0},
        {QStringLiteral("total"), 2}, {QStringLiteral("jobs"), QJsonArray{3}}};
    detail.summary.reasonArgs = {{QStringLiteral("wanted"), 1}, {QStringLiteral("free"), 0},
        {QStringLiteral("total"), 2}, {QStringLiteral("hosts"), QJsonArray{host}},
        {QStringLiteral("ways"), QJsonArray{QJsonObject{{QStringLiteral("ends"), QJsonArray{3}}}}}};
    page.setDetail(detail);
    QString shown;
    const QList<QLabel *> labels = page.findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        shown += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
    }
    QVERIFY2(shown.contains(QStringLiteral("Waits for GPUs")), qPrintable(shown));
    shown.remove(QRegularExpression(QStringLiteral("</?a\\b[^>]*>"))); // numbers of jobs are links
    QVERIFY(shown.contains(QStringLiteral("&lt;lab&gt;: 0 of 2 GPUs free; in use by #3")));
    QVERIFY(shown.contains(QStringLiteral("It can start when tasks of #3 end.")));
}

void TstRunHead::headFitsNarrowPages()
{
    RunPage page;
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.name = QStringLiteral("a_rather_long_name_of_a_job");
    detail.summary.state = State::Running;
    detail.summary.retries = 1;
    detail.yaml = "name: x\n";
    detail.attempts = {AttemptInfo{}, AttemptInfo{}};
    detail.attempts[1].index = 1;
    page.setDetail(detail);
    page.setTasks(1, tasks({QStringLiteral("w 0 R")}, 1));
    page.show();
    auto *stop = page.findChild<QPushButton *>(QStringLiteral("runPageStop"));
    auto *edit = page.findChild<QPushButton *>(QStringLiteral("runPageEdit"));
    auto *folder = page.findChild<QPushButton *>(QStringLiteral("runPageFolder"));
    page.resize(1200, 700);
    QTRY_COMPARE(edit->text(), QStringLiteral("Edit as new"));
    for (const int width : {810, 620, 540, 480}) {
        page.resize(width, 700);
        QTRY_COMPARE(page.width(), width); // it can be so narrow
        for (QPushButton *button : {stop, edit, folder}) {
            const QRect at(button->mapTo(&page, QPoint()), button->size());
            QVERIFY2(page.rect().contains(at), qPrintable(QStringLiteral("%1: %2").arg(width).arg(at.right())));
            QVERIFY(button->width() >= button->minimumSizeHint().width());
            QVERIFY(!button->accessibleName().isEmpty() && !button->toolTip().isEmpty());
        }
    }
    QCOMPARE(edit->text(), QString());
    QCOMPARE(edit->accessibleName(), QStringLiteral("Edit as new"));
    page.resize(1200, 700);
    QTRY_COMPARE(edit->text(), QStringLiteral("Edit as new"));
}

// How far it is, is worth more than the words of buttons.
void TstRunHead::progressIsShortInANarrowHead()
{
    RunPage page;
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.name = QStringLiteral("cifar10_ensemble");
    detail.summary.state = State::Running;
    detail.summary.progress = 0.45;
    detail.summary.endExpected = QDateTime::currentMSecsSinceEpoch() + 20 * 60'000;
    detail.yaml = "name: x\n";
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.show();
    const auto *progress = page.findChild<QLabel *>(QStringLiteral("runPageProgress"));
    const auto *edit = page.findChild<QPushButton *>(QStringLiteral("runPageEdit"));
    page.resize(1400, 700);
    QTRY_VERIFY2(progress->text().startsWith(QStringLiteral("45 %, about")), qPrintable(progress->text()));
    bool wasShort = false;
    for (int width = 1400; width >= 600; width -= 20) {
        page.resize(width, 700);
        QTRY_COMPARE(page.width(), width);
        wasShort = wasShort || (progress->isVisible() && progress->text() == QStringLiteral("45 %"));
        QVERIFY2(progress->isVisible() || edit->text().isEmpty(), qPrintable(QString::number(width)));
    }
    QVERIFY(wasShort);
    page.resize(1400, 700);
    QTRY_VERIFY(progress->text().startsWith(QStringLiteral("45 %, about")));
}

// The name of a host may be of any length. What it is cut to says the tip.
void TstRunHead::longStatesLeaveRoomForTheButtons()
{
    RunPage page;
    HostInfo far;
    far.id = QStringLiteral("far");
    far.label = QStringLiteral("gpu-node-with-a-name-that-goes-on-for-long.cluster.example");
    far.target = QStringLiteral("me@10.0.0.3");
    far.state = HostState::Connecting;
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.name = QStringLiteral("a_rather_long_name_of_a_job");
    detail.summary.state = State::Waiting;
    const Error reason = reason::errorOf(reason::WaitHost{.host = far.id, .hosts = {far.id}});
    detail.summary.reason = reason.code;
    detail.summary.reasonArgs = reason.args;
    detail.yaml = "name: x\n";
    page.setDetail(detail);
    page.setHosts({far});
    page.show();
    const auto *state = page.findChild<StateLabel *>();
    const QString words = QStringLiteral("Connecting to ") + far.label;
    QCOMPARE(state->accessibleName(), words);
    for (const int width : {620, 480}) {
        page.resize(width, 700);
        QTRY_COMPARE(page.width(), width);
        for (const char *name : {"runPageStop", "runPageEdit", "runPageFolder"}) {
            const auto *button = page.findChild<QPushButton *>(QLatin1String(name));
            const QRect at(button->mapTo(&page, QPoint()), button->size());
            QVERIFY2(page.rect().contains(at), qPrintable(QStringLiteral("%1: %2").arg(width).arg(at.right())));
            QVERIFY(button->width() >= button->minimumSizeHint().width());
        }
        QVERIFY2(state->toolTip().contains(far.label), qPrintable(state->toolTip()));
    }
}

// Of a job that waits for a retry, the time is that of the attempt before: "Waiting after 0:07" would say nothing.
void TstRunHead::timeOfAWaitForARetry()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Waiting;
    detail.summary.reason = reason::WaitRetry::code;
    detail.summary.reasonArgs = {{QStringLiteral("since"), 9'000}};
    detail.summary.submitted = 1'000;
    detail.summary.launched = detail.summary.began.emplace(2'000);
    AttemptInfo first;
    first.started = 2'000;
    first.completed = 9'000;
    detail.attempts = {first};
    page.setDetail(detail);
    const auto shows = [&](const QString &text) {
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
    };
    QVERIFY(shows(QStringLiteral("for a retry; attempt 1 took 0:07")));
    // A task waits for its own, and the job goes on.
    detail.summary.state = State::Running;
    page.setDetail(detail);
    QVERIFY(!shows(QStringLiteral("for a retry; attempt 1 took 0:07")));
    QVERIFY(shows(QStringLiteral("0:07")));
}

void TstRunHead::timeIsThatOfTheAttempt()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.retries = 1;
    detail.summary.submitted = 1'000;
    detail.summary.launched = 2'000;
    detail.summary.began = 602'000;
    detail.summary.completed = 609'000;
    AttemptInfo first;
    first.started = 2'000;
    first.completed = 32'000;
    first.exitCode = -210;
    AttemptInfo second = first;
    second.index = 1;
    second.started = 602'000;
    second.completed = 609'000;
    detail.attempts = {first, second};
    page.setDetail(detail);
    page.setTasks(1, tasks({QStringLiteral("w 0 F")}, 1));
    const auto shows = [&](const QString &text) {
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
    };
    QVERIFY(shows(QStringLiteral("after 0:07")));
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QVERIFY(shows(QStringLiteral("after 0:30"))); // the former one is looked at
    auto *attempts = page.findChild<QTreeWidget *>(QStringLiteral("attemptList"));
    QCOMPARE(attempts->topLevelItem(0)->text(4), QString(QChar(0x2212)) + QStringLiteral("210"));
    // An engine of before does not say when the attempt began.
    detail.summary.began.reset();
    QCOMPARE(detail.summary.countedFrom(), 2'000);
}

void TstRunHead::heldTasksAreShownAndReleased()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 3 R")}));
    QVERIFY(!page.findChild<QPushButton *>(QStringLiteral("releaseHeld")));
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    detail.held = {{QStringLiteral("w"), QStringLiteral("local"), 3, 7, now + 29 * 60'000 + 30'000}};
    page.setDetail(detail);
    auto *release = page.findChild<QPushButton *>(QStringLiteral("releaseHeld"));
    QVERIFY(release && release->isVisible());
    QString said = qobject_cast<InfoBar *>(release->parentWidget())->text();
    QVERIFY2(said.contains(QStringLiteral("w/3")) && said.contains(QStringLiteral("status 7"))
            && said.contains(QStringLiteral("30 more minute")),
        qPrintable(said));
    QSignalSpy released(&page, &RunPage::releaseRequested);
    page.setDetail(detail); // asked again: what is being pressed stays
    QCOMPARE(page.findChild<QPushButton *>(QStringLiteral("releaseHeld")), release);
    QTest::mouseClick(release, Qt::LeftButton);
    QCOMPARE(released.value(0).value(0).toStringList(), QStringList{QStringLiteral("w/3")});
    page.findChild<QPushButton *>(QStringLiteral("copyEnter"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("trainyardctl exec 41 w/3"));
    detail.held.clear();
    page.setDetail(detail);
    QVERIFY(!release->isVisible());
}

// While a connection is made, that is what the job waits for; no other host is named, and nothing when it is made.
void TstRunHead::saysToWhichHostItConnects()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    const auto *state = page.findChild<StateLabel *>();
    QVERIFY(state);
    HostInfo far, other;
    far.id = far.label = QStringLiteral("farbox");
    other.id = other.label = QStringLiteral("other");
    far.target = QStringLiteral("me@10.0.0.3");
    other.target = QStringLiteral("me@10.0.0.4");
    far.state = other.state = HostState::Connecting;
    JobDetail detail;
    detail.summary.state = State::Waiting;
    const Error reason = reason::errorOf(reason::WaitHost{.host = far.id, .hosts = {far.id}});
    detail.summary.reason = reason.code;
    detail.summary.reasonArgs = reason.args;
    page.setDetail(detail);
    const QString waiting = QStringLiteral("Waiting"), connecting = QStringLiteral("Connecting to farbox");
    QCOMPARE(state->accessibleName(), waiting);
    page.setHosts({far, other});
    QCOMPARE(state->accessibleName(), connecting);
    far.state = HostState::Offline;
    page.setHosts({far, other});
    QCOMPARE(state->accessibleName(), waiting);
    far.state = HostState::Connecting;
    page.setHosts({far, other});
    QCOMPARE(state->accessibleName(), connecting);
    detail.summary.reason = QStringLiteral("wait.queue");
    page.setDetail(detail);
    QCOMPARE(state->accessibleName(), waiting);
    detail.summary.reason = reason.code;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    QCOMPARE(state->accessibleName(), QStringLiteral("Running"));
    // A long name is cut, and whole in the tooltip.
    far.label = QStringLiteral("a-very-long-name-of-a-host.").repeated(4);
    detail.summary.state = State::Waiting;
    page.setDetail(detail);
    page.setHosts({far});
    QVERIFY2(state->width() < page.width() / 2 && state->toolTip().contains(far.label), qPrintable(state->toolTip()));
}

void TstRunHead::boardIsOfferedWhenItIsThere()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    auto *board = page.findChild<QPushButton *>(QStringLiteral("runPageBoard"));
    QVERIFY(!board->isVisible());
    detail.services = {{QStringLiteral("tensorboard"), {}, QStringLiteral("missing"), QStringLiteral("w"), {}, 0}};
    page.setDetail(detail);
    QVERIFY(board->isVisible() && !board->isEnabled());
    QVERIFY2(board->toolTip().contains(QStringLiteral("not installed")), qPrintable(board->toolTip()));
    detail.services.first().state.clear();
    detail.services.first().address = QStringLiteral("http://127.0.0.1:10007/");
    page.setDetail(detail);
    QVERIFY(board->isVisible() && board->isEnabled());
    QSignalSpy asked(&page, &RunPage::addressRequested);
    QTest::mouseClick(board, Qt::LeftButton);
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("http://127.0.0.1:10007/"));
    detail.summary.state = State::Succeeded;
    page.setDetail(detail);
    QVERIFY(!board->isVisible());
}

TRAINYARD_GUI_TEST(TstRunHead)
#include "tst_runhead.moc"
