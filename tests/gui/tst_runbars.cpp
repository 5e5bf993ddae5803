// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/refreshpace.h"
#include "app/gui/pages/runlink.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/engineclient.h"
#include "tests/daemon/fakeengine.h"
#include "tests/gui/runpagetests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/style.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/formats.h"

#include <QApplication>
#include <QDateTime>
#include <QLocalSocket>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

using namespace trainyard;

// What the page of a run says below its head, and what it offers to do next.
class TstRunBars : public RunPageTests
{
    Q_OBJECT

private Q_SLOTS:
    void closedBarStaysAway();
    void formerSuccessIsNoWarning();
    void closedRemarkStaysAway();
    void stoppingSaysHowLong();
    void unheardStopCanBeGivenUp_data();
    void unheardStopCanBeGivenUp();
    void waitsForRetryCanBeCutShort();
    void asksBeforeALargeCopy();
    void succeededWithFailedTasks();
    void outOfReachIsSaid();
    void unfollowedIsSaid();
    void pausedIsSaid_data();
    void pausedIsSaid();
    void waitsToTryAgain();
    void offersRetryAfterFailuresOnly_data();
    void offersRetryAfterFailuresOnly();
    void retryComesBeforeRunAgain();
    void waitingForTheEngineIsNoFailure();
    void savedFileIsSaidUntilItIsClosed();
    void resultsAreReadWhenTheyMove();
};

// A window that comes back before the engine is there knows nothing of its runs yet.
void TstRunBars::waitingForTheEngineIsNoFailure()
{
    EngineClient client; // nobody has told it to look for an engine
    RunPage page;
    QVERIFY2(!page.title().contains(u'#'), qPrintable(page.title()));
    new RunLink(&client, QStringLiteral("u"), &page);
    const auto bar = [&page](InfoBar::Kind kind) {
        const auto bars = page.findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [&page, kind](const InfoBar *each) {
            return each->isVisibleTo(&page) && each->kind() == kind && !each->text().isEmpty();
        });
    };
    QTRY_VERIFY(bar(InfoBar::Kind::Failed)); // nothing looks for it
    page.setError(QStringLiteral("Connecting"), false);
    QVERIFY(bar(InfoBar::Kind::Info) && !bar(InfoBar::Kind::Failed));
    page.setError({});
    QVERIFY(!bar(InfoBar::Kind::Info));
}

// While results come, the page reads its job when the engine says so, and not in between.
void TstRunBars::resultsAreReadWhenTheyMove()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("s"));
    FakeEngine engine(path);
    JobDetail detail = detailOf(State::Succeeded);
    BroughtFiles coming;
    coming.role = QStringLiteral("t");
    coming.isPending = true;
    detail.brought = {coming};
    int asked = 0;
    engine.onQuestion = [&](const QString &method, const QJsonObject &) -> std::optional<QJsonValue> {
        if (method != api::GetJob::name) {
            return std::nullopt;
        }
        ++asked;
        return detail.toJson();
    };
    auto socket = std::make_unique<QLocalSocket>();
    socket->connectToServer(path);
    QVERIFY(socket->waitForConnected());
    EngineClient client;
    client.startWith(std::make_unique<LocalSocketConnection>(std::move(socket)));
    QTRY_COMPARE(client.status(), EngineClient::Status::Ready);
    RunPage page;
    page.show();
    new RunLink(&client, detail.summary.uuid, &page);
    bool isAnswered = false; // after what the page asked before
    client.call<api::GetJob>(
        {detail.summary.uuid}, this, [&isAnswered](const Result<JobDetail> &answer) { isAnswered = bool(answer); });
    QTRY_VERIFY(isAnswered);
    const auto timers = page.findChild<RefreshPace *>()->findChildren<QTimer *>();
    QVERIFY(!timers.isEmpty());
    QVERIFY(std::none_of(timers.cbegin(), timers.cend(), [](const QTimer *each) { return each->isActive(); }));
    const int before = asked;
    engine.tell(QStringLiteral("results"), {{QStringLiteral("id"), detail.summary.uuid}});
    QTRY_COMPARE(asked, before + 1);
}

// The page asks for its job again and again; that it gets an answer says nothing about the file.
void TstRunBars::savedFileIsSaidUntilItIsClosed()
{
    RunPage page;
    const auto button = [&page] { return page.findChild<QPushButton *>(QStringLiteral("showInFolder")); };
    page.setError(QStringLiteral("The engine does not answer."));
    Q_EMIT page.findChild<TasksPane *>()->saved(QStringLiteral("/somewhere/tasks.csv"));
    page.setError({});
    QVERIFY(button() && button()->isVisibleTo(&page));
    const auto *bar = qobject_cast<InfoBar *>(button()->parentWidget());
    QVERIFY(bar && bar->text().contains(QStringLiteral("tasks.csv")));
    page.setError(QStringLiteral("The engine does not answer."));
    QVERIFY(bar->isVisibleTo(&page) && !bar->text().contains(QStringLiteral("tasks.csv")));
    page.setError({});
    QVERIFY(!bar->isVisibleTo(&page));
}

// A job changes all the time while it runs; what was read and closed is not said again.
void TstRunBars::closedBarStaysAway()
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

// Whoever runs again what has succeeded is not warned of it.
void TstRunBars::formerSuccessIsNoWarning()
{
    RunPage page;
    JobDetail detail;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.state = State::Running;
    AttemptInfo former;
    former.state = State::Succeeded;
    former.exitCode = 0;
    AttemptInfo newest;
    newest.index = 1;
    newest.state = State::Running;
    detail.attempts = {former, newest};
    page.setDetail(detail);
    page.show();
    const auto bars = page.findChildren<InfoBar *>();
    const auto shown = std::find_if(bars.cbegin(), bars.cend(), [](const InfoBar *bar) { return bar->isVisible(); });
    QVERIFY(shown != bars.cend());
    QVERIFY2((*shown)->text().startsWith(QStringLiteral("Attempt 1 succeeded")), qPrintable((*shown)->text()));
    QCOMPARE((*shown)->kind(), InfoBar::Kind::Info);
}

// The same of a reference to nothing in the commands of a job that runs.
void TstRunBars::closedRemarkStaysAway()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Running);
    detail.yaml = "protocolVersion: 2\nname: a\ntype: job\nparameters: {lr: 0.1}\ntaskRoles:\n  w:\n"
                  "    resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}\n"
                  "    commands: [\"echo <% $parameters.lrr %>\"]\n";
    page.setDetail(detail);
    InfoBar *bar = shownBar(page);
    QVERIFY(bar);
    QVERIFY2(bar->text().contains(QStringLiteral("&lt;% $parameters.lrr %&gt;")), qPrintable(bar->text()));
    bar->findChild<QToolButton *>()->click();
    QVERIFY(bar->isHidden());
    ++detail.summary.counts.running;
    page.setSummary(detail.summary);
    QVERIFY(bar->isHidden());
    // What was said meanwhile was something else.
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("job.paused");
    page.setSummary(detail.summary);
    QVERIFY(bar->isVisible());
    detail.summary.paused = false;
    detail.summary.reason.clear();
    page.setSummary(detail.summary);
    QVERIFY(bar->isVisible() && bar->text().contains(QStringLiteral("did you mean lr?")));
}

void TstRunBars::unheardStopCanBeGivenUp_data()
{
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QJsonObject>("args");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("tip");
    QTest::newRow("a cluster") << QStringLiteral("stop.target-unsure")
                               << QJsonObject{{QStringLiteral("target"), QStringLiteral("slurm:lab")}}
                               << QStringLiteral("whether the job is there is not known")
                               << QStringLiteral("What the cluster has of it");
    QTest::newRow("a host") << QStringLiteral("stop.host-away")
                            << QJsonObject{{QStringLiteral("host"), QStringLiteral("lab1")},
                                   {QStringLiteral("until"), qint64(1'700'000'000'000)}}
                            << QStringLiteral("it is not known whether the tasks there have ended")
                            << QStringLiteral("What the host has of it");
}

// It is not the grace period that the end of the job waits for.
void TstRunBars::unheardStopCanBeGivenUp()
{
    QFETCH(const QString, reason);
    QFETCH(const QJsonObject, args);
    QFETCH(const QString, says);
    QFETCH(const QString, tip);
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Stopping);
    detail.summary.stopRequested = true;
    detail.summary.reason = reason;
    detail.summary.reasonArgs = args;
    page.setDetail(detail);
    const InfoBar *bar = shownBar(page);
    QVERIFY(bar && bar->text().contains(says));
    QVERIFY(!page.findChild<QPushButton *>(QStringLiteral("killNow")));
    auto *giveUp = page.findChild<QPushButton *>(QStringLiteral("giveUp"));
    QVERIFY(giveUp && giveUp->isVisible());
    QVERIFY2(giveUp->toolTip().contains(tip), qPrintable(giveUp->toolTip()));
    QSignalSpy given(&page, &RunPage::giveUpRequested);
    page.setSummary(detail.summary);
    QCOMPARE(page.findChild<QPushButton *>(QStringLiteral("giveUp")), giveUp); // it can be pressed meanwhile
    giveUp->click();
    QCOMPARE(given.size(), 1);
}

// The grace period of the settings or of the job, counted from when the stop was seen to begin.
void TstRunBars::stoppingSaysHowLong()
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

void TstRunBars::waitsForRetryCanBeCutShort()
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
    const QPointF at = retry->rect().center(); // the second press of a double click
    QMouseEvent second(QEvent::MouseButtonDblClick, at, retry->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
    QApplication::sendEvent(retry, &second);
    QTest::mouseRelease(retry.data(), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    detail.summary.state = State::Running;
    detail.summary.reason.clear();
    page.setSummary(detail.summary);
    QTRY_VERIFY(!retry || !retry->isVisible());
}

void TstRunBars::asksBeforeALargeCopy()
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

void TstRunBars::succeededWithFailedTasks()
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

// It goes on at its cluster, which its user has removed, and nothing is known of it without their token.
void TstRunBars::unfollowedIsSaid()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Running);
    page.setDetail(detail);
    QVERIFY(!shownBar(page));
    detail.summary.reason = QStringLiteral("openpai.no-token-removed");
    detail.summary.reasonArgs = {{QStringLiteral("target"), QStringLiteral("openpai:lab")}};
    page.setSummary(detail.summary);
    const InfoBar *bar = shownBar(page);
    QVERIFY(bar);
    QVERIFY2(bar->text().contains(QStringLiteral("it needs your token")), qPrintable(bar->text()));
    detail.summary.reason.clear();
    page.setSummary(detail.summary);
    QVERIFY(!shownBar(page));
}

// A run whose host is cut off does not look as if it were seen.
void TstRunBars::outOfReachIsSaid()
{
    RunPage page;
    page.show();
    JobDetail detail = detailOf(State::Running);
    page.setDetail(detail);
    QVERIFY(!shownBar(page));
    HostInfo host;
    host.id = QStringLiteral("far");
    host.label = QStringLiteral("vm");
    host.target = QStringLiteral("far");
    host.state = HostState::Online;
    page.setHosts({host});
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.index = 0;
    task.state = State::Running;
    task.host = host.id;
    task.launched = QDateTime::currentMSecsSinceEpoch();
    page.setTasks(0, {task});
    const TasksModel *model = page.tasksPane()->model();
    const auto hostCell = [&] { return model->index(0, TasksModel::HostColumn, model->index(0, 0)).data().toString(); };
    QVERIFY2(!hostCell().contains(QStringLiteral("out of reach")), qPrintable(hostCell()));
    const auto progressCell
        = [&] { return model->index(0, TasksModel::ExitColumn, model->index(0, 0)).data().toString(); };
    task.progress = 0.39;
    task.endExpected = QDateTime::currentMSecsSinceEpoch() + 30'000;
    page.setTasks(0, {task});
    QVERIFY2(progressCell().contains(QStringLiteral("left")), qPrintable(progressCell()));
    const qint64 seen = QDateTime::currentMSecsSinceEpoch() - 20'000;
    detail.summary.reason = QStringLiteral("job.host-out-of-reach");
    detail.summary.reasonArgs = {{QStringLiteral("host"), host.id}, {QStringLiteral("since"), seen}};
    page.setSummary(detail.summary);
    host.state = HostState::Offline;
    page.setHosts({host});
    const InfoBar *bar = shownBar(page);
    QVERIFY(bar);
    QVERIFY2(bar->text().contains(QStringLiteral("cannot be reached")), qPrintable(bar->text()));
    QVERIFY2(bar->text().contains(formatTime(seen, QDateTime::currentMSecsSinceEpoch())), qPrintable(bar->text()));
    QVERIFY2(hostCell().endsWith(QStringLiteral("out of reach")), qPrintable(hostCell()));
    QCOMPARE(progressCell(), QStringLiteral("39 %")); // when it ends is not known without contact
    QVERIFY2(bar->text().contains(QStringLiteral("keeps trying")), qPrintable(bar->text()));
    // Where it waits for a person, it does not keep trying.
    const QJsonObject args = detail.summary.reasonArgs;
    for (const auto &[code, words] : {std::pair("host.key-changed", "The host key of vm has changed"),
             std::pair("host.needs-login.key", "vm accepts none of your keys"),
             std::pair("host.needs-login.locked", "only when you have logged in")}) {
        detail.summary.reasonArgs.insert(QStringLiteral("code"), QLatin1StringView(code));
        page.setSummary(detail.summary);
        QVERIFY2(bar->text().contains(QLatin1StringView(words)), qPrintable(bar->text()));
        QVERIFY2(!bar->text().contains(QStringLiteral("keeps trying")), qPrintable(bar->text()));
    }
    detail.summary.reasonArgs = args;
    page.setSummary(detail.summary);
    // What is wrong with it is on its own page. A button that is being pressed stays.
    QPointer<QPushButton> show = bar->findChild<QPushButton *>(QStringLiteral("showHost"));
    QVERIFY(show);
    QVERIFY2(show->text().contains(QStringLiteral("vm")), qPrintable(show->text()));
    page.setSummary(detail.summary);
    QSignalSpy hosts(&page, &RunPage::hostRequested);
    QVERIFY(show);
    show->click();
    QCOMPARE(hosts.size(), 1);
    QCOMPARE(hosts.at(0).at(0).toString(), host.id);
    detail.summary.reason.clear();
    detail.summary.reasonArgs = {};
    page.setSummary(detail.summary);
    host.state = HostState::Online;
    page.setHosts({host});
    QVERIFY(bar->isHidden());
    QVERIFY2(!hostCell().contains(QStringLiteral("out of reach")), qPrintable(hostCell()));
}

void TstRunBars::pausedIsSaid_data()
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

void TstRunBars::pausedIsSaid()
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

// A job that waits for its next attempt says which one, why, and when.
void TstRunBars::waitsToTryAgain()
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

void TstRunBars::offersRetryAfterFailuresOnly_data()
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
    counts.succeeded = 0;
    row("failed, and none succeeded", State::Failed, counts, true);
}

void TstRunBars::offersRetryAfterFailuresOnly()
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
void TstRunBars::retryComesBeforeRunAgain()
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

TRAINYARD_GUI_TEST(TstRunBars)
#include "tst_runbars.moc"
