// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/taskspane.h"

#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

using namespace trainyard;

namespace
{

using SaysSomething = std::function<void(RunPage &, JobDetail)>;

QList<InfoBar *> barsInSight(const RunPage &page)
{
    QList<InfoBar *> bars = page.findChildren<InfoBar *>();
    bars.removeIf([](const InfoBar *bar) { return !bar->isVisible(); });
    return bars;
}

} // namespace

// Bars of the page of a run come at any moment: what is under the pointer then stays there.
class TstRunPageBars : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void moveNothing_data();
    void moveNothing();
    void leaveTheTabsBelowInPlace_data();
    void leaveTheTabsBelowInPlace();
    void barsBelowThePageLeaveTheTabsInPlace();
    void barsBelowThePageAreNoPartOfItsLayout();
    void sayWhatStaysUnresolved();
    void sayBelowTheHeadWhyItWaits();
    void keysComeToABarWhereItStands();
};
TRAINYARD_GUI_TEST(TstRunPageBars)

void TstRunPageBars::moveNothing_data()
{
    QTest::addColumn<SaysSomething>("say");
    QTest::newRow("a request failed") << SaysSomething(
        [](RunPage &page, const JobDetail &) { page.setError(QStringLiteral("The engine does not answer.")); });
    QTest::newRow("the job is being stopped") << SaysSomething([](RunPage &page, JobDetail detail) {
        detail.summary.stopRequested = true;
        page.setSummary(detail.summary);
    });
    QTest::newRow("the job is paused") << SaysSomething([](RunPage &page, JobDetail detail) {
        detail.summary.paused = true;
        detail.summary.reason = QStringLiteral("job.paused");
        page.setSummary(detail.summary);
    });
    QTest::newRow("a task is held") << SaysSomething([](RunPage &page, JobDetail detail) {
        KeptTask held;
        held.role = QStringLiteral("w");
        held.status = 3;
        held.until = QDateTime::currentMSecsSinceEpoch() + 600'000;
        detail.held = {held};
        page.setDetail(detail);
    });
    QTest::newRow("something is wrong with it") << SaysSomething([](RunPage &page, JobDetail detail) {
        HealthMark mark;
        mark.code = QStringLiteral("health.gpu-idle");
        mark.args = {{QStringLiteral("value"), 2.0}, {QStringLiteral("gpus"), QStringLiteral("0")}};
        mark.role = QStringLiteral("w");
        mark.at = QDateTime::currentMSecsSinceEpoch() - 60'000;
        detail.summary.health = {mark};
        page.setSummary(detail.summary);
    });
}

// After the log, and before the tabs below; its buttons as they stand, the cross last.
void TstRunPageBars::keysComeToABarWhereItStands()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    HealthMark mark;
    mark.code = QStringLiteral("health.gpu-idle");
    mark.role = QStringLiteral("w");
    detail.summary.health = {mark};
    page.setDetail(detail);
    auto *show = page.findChild<QPushButton *>(QStringLiteral("showHealth"));
    auto *silence = page.findChild<QPushButton *>(QStringLiteral("silenceHealth"));
    QVERIFY(show && silence);
    const auto *cross = show->parentWidget()->findChild<QToolButton *>();
    QVERIFY(cross && cross->isVisible() && cross->focusPolicy() & Qt::TabFocus);
    const auto *tabs = page.findChild<RunHistory *>()->findChild<QTabBar *>();
    QList<const QWidget *> chain;
    for (const QWidget *at = page.nextInFocusChain(); at != &page; at = at->nextInFocusChain()) {
        chain.append(at);
    }
    const auto *log = page.logPane()->findChild<QToolButton *>();
    QVERIFY(log);
    const QList<const QWidget *> wanted{
        page.findChild<RunHead *>(), page.tasksPane()->view(), log, show, silence, cross, tabs};
    for (qsizetype i = 1; i < wanted.size(); ++i) {
        QVERIFY2(chain.indexOf(wanted.at(i - 1)) < chain.indexOf(wanted.at(i)), qPrintable(QString::number(i)));
    }
}

void TstRunPageBars::moveNothing()
{
    QFETCH(const SaysSomething, say);
    RunPage page;
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.id = 7;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("train");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Running;
    page.setTasks(0, {task});
    QCoreApplication::processEvents();
    const QList<InfoBar *> atFirst = barsInSight(page);
    const auto *tabs = page.findChild<RunHistory *>()->findChild<QTabBar *>();
    QVERIFY(tabs);
    const QList<const QWidget *> fixed{
        page.findChild<RunHead *>(), page.tasksPane(), page.tasksPane()->view(), page.logPane(), tabs};
    const auto places = [&] {
        QList<QPoint> all;
        for (const QWidget *widget : fixed) {
            all.append(widget->mapTo(&page, QPoint()));
        }
        return all;
    };
    const QList<QPoint> before = places();
    const int height = page.tasksPane()->height();

    say(page, detail);
    QTRY_COMPARE(barsInSight(page).size(), atFirst.size() + 1);
    QList<InfoBar *> added = barsInSight(page);
    added.removeIf([&atFirst](InfoBar *each) { return atFirst.contains(each); });
    const InfoBar *bar = added.value(0);
    QVERIFY(bar);
    QTRY_VERIFY(page.tasksPane()->height() < height); // it has got its room
    QCOMPARE(places(), before);
    QVERIFY(
        bar->mapTo(&page, QPoint()).y() >= page.tasksPane()->mapTo(&page, QPoint(0, page.tasksPane()->height())).y());
    QVERIFY(bar->mapTo(&page, QPoint(0, bar->height())).y() <= page.height());
}

void TstRunPageBars::leaveTheTabsBelowInPlace_data()
{
    QTest::addColumn<bool>("isFolded");
    QTest::newRow("only the row of tabs") << true;
    QTest::newRow("a tab is open") << false;
}

// Whatever a page has to say at once, in a window of 1280 by 720: the tabs stay where they are, and what is chosen
// there in sight.
void TstRunPageBars::leaveTheTabsBelowInPlace()
{
    QFETCH(const bool, isFolded);
    RunPage page;
    page.resize(1030, 590);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.id = 7;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    page.setDetail(detail);
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = State::Running;
    page.setTasks(0, {task});
    page.findChild<RunPanes *>()->setFoldChosen(isFolded);
    auto *history = page.findChild<RunHistory *>();
    QVERIFY(history && history->isFolded() == isFolded);
    const auto *tabs = history->findChild<QTabBar *>();
    const auto *body = history->findChild<QWidget *>(QStringLiteral("runPageHistory"));
    QVERIFY(tabs && body && body->isVisible() == !isFolded);
    QCoreApplication::processEvents();
    const qsizetype atFirst = barsInSight(page).size();
    const QPoint before = tabs->mapTo(&page, QPoint());
    const int bodyHeight = body->height();

    page.setError(QStringLiteral("The engine does not answer."));
    KeptTask held;
    held.role = QStringLiteral("w");
    held.status = 3;
    held.until = QDateTime::currentMSecsSinceEpoch() + 600'000;
    detail.held = {held};
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("job.paused");
    page.setDetail(detail);
    QTRY_COMPARE(barsInSight(page).size(), atFirst + 3);
    QTRY_VERIFY(barsInSight(page).constLast()->height() > 0);
    QCoreApplication::processEvents();
    QCOMPARE(tabs->mapTo(&page, QPoint()), before);
    QVERIFY(tabs->mapTo(&page, QPoint(0, tabs->height())).y() <= page.height());
    QVERIFY(isFolded || body->height() == bodyHeight);
    const QList<InfoBar *> bars = barsInSight(page);
    for (const InfoBar *bar : bars) {
        QVERIFY(bar->height() >= bar->minimumSizeHint().height());
        QVERIFY(bar->mapTo(&page, QPoint(0, bar->height())).y() <= before.y());
    }
    QVERIFY(page.logPane()->height() >= page.logPane()->minimumSizeHint().height());
}

static JobDetail runningJob()
{
    JobDetail detail;
    detail.summary.id = 7;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo()};
    return detail;
}

// Those of the window shorten the page from below.
void TstRunPageBars::barsBelowThePageLeaveTheTabsInPlace()
{
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *page = new RunPage;
    auto *bar = new QWidget;
    bar->setFixedHeight(34); // as high as one of one line
    layout->setSpacing(0);
    bar->hide();
    layout->addWidget(page, 1);
    layout->addWidget(bar);
    window.resize(1030, 700);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    page->setDetail(runningJob());
    page->findChild<RunPanes *>()->setFoldChosen(false);
    const auto *tabs = page->findChild<RunHistory *>()->findChild<QTabBar *>();
    QCoreApplication::processEvents();
    const int before = tabs->mapTo(&window, QPoint()).y();
    const int height = page->height();
    for (int round = 0; round < 3; ++round) {
        bar->show();
        QTRY_VERIFY(page->height() < height);
        QCOMPARE(tabs->mapTo(&window, QPoint()).y(), before);
        bar->hide();
        QTRY_COMPARE(page->height(), height);
        QCOMPARE(tabs->mapTo(&window, QPoint()).y(), before);
    }
}

// What a bar has of a pane for a while is given back, also when the page is opened another time without the bar.
void TstRunPageBars::barsBelowThePageAreNoPartOfItsLayout()
{
    constexpr int chosen = 240;
    QWidget window;
    auto *layout = new QVBoxLayout(&window);
    auto *page = new RunPage;
    auto *bar = new QWidget;
    bar->setFixedHeight(40);
    bar->hide();
    layout->addWidget(page, 1);
    layout->addWidget(bar);
    window.resize(1030, 800);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    page->setDetail(runningJob());
    page->setHistoryFolded(false);
    auto *panes = page->findChild<RunPanes *>();
    panes->setSizes({page->height() - chosen, chosen});
    Q_EMIT panes->splitterMoved(0, 1); // by hand
    QCoreApplication::processEvents();
    const int lower = panes->sizes().value(1), height = page->height();
    bar->show();
    QTRY_VERIFY(page->height() < height && panes->sizes().value(1) < lower);
    RunPage again;
    again.resize(1030, 800);
    again.show();
    QVERIFY(QTest::qWaitForWindowExposed(&again));
    again.setDetail(runningJob());
    again.setHistoryFolded(false);
    again.restoreLayout(page->saveLayout());
    QTRY_COMPARE(again.findChild<RunPanes *>()->sizes().value(1), lower);
}

// It is what the page of a job that waits has to tell; there is nothing in its panes that could be clicked instead.
void TstRunPageBars::sayBelowTheHeadWhyItWaits()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.id = 16;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Waiting;
    detail.summary.reason = QStringLiteral("wait.memory");
    const QJsonObject host{{QStringLiteral("host"), QStringLiteral("ws")}, {QStringLiteral("freeMiB"), 18985},
        {QStringLiteral("totalMiB"), 22057}, {QStringLiteral("jobs"), QJsonArray{1}}};
    detail.summary.reasonArgs = {{QStringLiteral("wantedMiB"), 20000}, {QStringLiteral("freeMiB"), 18985},
        {QStringLiteral("totalMiB"), 22057}, {QStringLiteral("hosts"), QJsonArray{host}},
        {QStringLiteral("ways"), QJsonArray{QJsonObject{{QStringLiteral("ends"), QJsonArray{1}}}}}};
    page.setDetail(detail);
    QTRY_COMPARE(barsInSight(page).size(), 1);
    const InfoBar *bar = barsInSight(page).constFirst();
    QCOMPARE(bar->kind(), InfoBar::Kind::Waits);
    QCOMPARE(bar->text(),
        QStringLiteral("Waits for 19.5 GiB of memory; 18.5 GiB of 21.5 GiB are free. It can start when tasks of #1 "
                       "end."));
    const auto *head = page.findChild<RunHead *>();
    QTRY_COMPARE(bar->mapTo(&page, QPoint()).y(), head->mapTo(&page, QPoint(0, head->height())).y());
    QTRY_VERIFY(bar->mapTo(&page, QPoint(0, bar->height())).y() <= page.tasksPane()->mapTo(&page, QPoint()).y());
    // What is said of it while it is paused, or runs, stands above the tabs.
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("wait.paused");
    detail.summary.reasonArgs = {};
    page.setDetail(detail);
    QTRY_VERIFY(barsInSight(page).size() == 1 && barsInSight(page).constFirst() != bar);
    bar = barsInSight(page).constFirst();
    QTRY_VERIFY(
        bar->mapTo(&page, QPoint()).y() >= page.tasksPane()->mapTo(&page, QPoint(0, page.tasksPane()->height())).y());
}

// A job whose commands contained a reference to nothing may have succeeded all the same, with the wrong values.
void TstRunPageBars::sayWhatStaysUnresolved()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Succeeded;
    detail.attempts = {AttemptInfo()};
    detail.yaml = "protocolVersion: 2\nname: a\ntype: job\nparameters: {lr: 0.1}\ntaskRoles:\n  w:\n"
                  "    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n"
                  "    commands: [\"echo 'lr=<% $parameters.lrr %>'\"]\n";
    page.setDetail(detail);
    const auto says = [&page] {
        const QList<InfoBar *> bars = barsInSight(page);
        return std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->text().contains(QStringLiteral("did you mean lr?")); });
    };
    QTRY_VERIFY(says());
}

#include "tst_runpagebars.moc"
