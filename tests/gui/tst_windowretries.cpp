// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targetbox.h"
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/diff/diffpage.h"
#include "widgets/diff/diffview.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/tasks/runhead.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace trainyard;

// Push buttons and tool buttons in sight that say these words.
static int visibleButtons(const MainWindow &window, const QString &words)
{
    const auto buttons = window.findChildren<QAbstractButton *>();
    return int(std::count_if(buttons.cbegin(), buttons.cend(), [&words](const QAbstractButton *button) {
        return button->isVisible() && QString(button->text()).remove(QLatin1Char('&')) == words;
    }));
}

// What is about to run again, and with what change, is shown before it begins.
static void acceptRetry(const MainWindow &window, const QString &run)
{
    QPointer<QDialog> dialog;
    QTRY_VERIFY((dialog = window.findChild<QDialog *>(QStringLiteral("retryTextDialog"))) && dialog->isVisible());
    const auto labels = dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [&run](const QLabel *label) {
        return label->text().remove(QChar(0x200b)).contains(run); // a long name may be broken into lines
    }));
    QVERIFY(dialog->findChild<DiffView *>()->changeCount() > 0);
    dialog->findChild<QPushButton *>(QStringLiteral("retryTextAccept"))->click();
    QTRY_VERIFY(!dialog);
}

// Retries from the window, with a real engine of its own: of failed tasks, of a success, and with a mended text.
class TstWindowRetries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void retriesFailedTasksWithEdits();
    void failedTasksAreRetriedFromTheirDocument();
    void failedJobOfOneTaskIsRetried();
    void successesAreRetriedAfterAQuestion();
    void failedTasksOfASuccessAreRetried();

private:
    WindowFixture m_fixture;
};

void TstWindowRetries::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowRetries::cleanupTestCase() { WindowFixture::stopEngine(); }

// As somebody does who saw one of three tasks fail: the text is mended, and only that task runs again.
void TstWindowRetries::retriesFailedTasksWithEdits()
{
    QByteArray yaml = sampleJob;
    yaml.replace("instances: 1", "instances: 3");
    yaml.replace("for i in 1 2 3; do echo hello $i; done",
        "test $PAI_TASK_INDEX != 1 || (until test -e fail; do sleep 0.05; done; exit 3)");
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("partly/partly.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QVERIFY(!window->action("retryWithText")->isEnabled()); // it has not run yet
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().counts.succeeded, 2, 20'000);
    m_fixture.write(QStringLiteral("partly/fail"), "x");
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 20'000);
    QCOMPARE(run->summary().counts.succeeded, 2);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    // One command for each: the page of a run has its own Run again, and the button of the tool bar is off there.
    const auto *runButton = window->findChild<QToolButton *>(QStringLiteral("runButton"));
    QVERIFY(!window->action("run")->isEnabled() && window->action("runAgain")->isEnabled());
    QVERIFY(window->action("run")->toolTip().contains(QStringLiteral("Run again")));
    QVERIFY(!runButton->isEnabled());
    const auto *target = window->findChild<TargetBox *>(); // it is about what Run does
    QVERIFY(!target->isEnabled() && target->toolTip().contains(QStringLiteral("Run again")));
    QTRY_COMPARE(visibleButtons(*window, QStringLiteral("Run again")), 1);
    QVERIFY(!window->action("runAgain")->shortcut().isEmpty());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->action("retryWithText")->isEnabled());
    QTRY_VERIFY(runButton->isEnabled());
    QVERIFY(target->isEnabled() && !target->toolTip().contains(QStringLiteral("Run again")));
    DesignerPage *page = window->currentDesigner();
    // A copy would otherwise be saved over its original, and be mistaken for it.
    QCOMPARE(page->displayName(), QStringLiteral("from_the_window-2.pai.yaml"));
    QCOMPARE(page->fileName(), QStringLiteral("from_the_window-2.pai.yaml"));
    QVERIFY(page->bytes().contains("name: from_the_window-2\n"));
    const QTabBar *bar = window->tabs()->tabBar();
    QVERIFY(bar->tabToolTip(bar->currentIndex()).contains(QStringLiteral("has not been saved to a file yet")));
    auto *offer = window->findChild<QPushButton *>(QStringLiteral("retryWithTextButton"));
    QVERIFY(offer && offer->isVisible());
    const Result<YamlPath> command = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands/0"));
    QVERIFY(command);
    page->applyEdits({edit::SetValue{*command, "echo mended"}});
    QTRY_VERIFY(page->bytes().contains("mended"));
    QTRY_VERIFY(page->canRun());
    offer->click();
    acceptRetry(*window, QStringLiteral("from_the_window #%1").arg(run->summary().id));
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() == run, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QCOMPARE(run->summary().retries, 1);
    QTRY_COMPARE(run->tasksPane()->model()->taskCount(), 3);
    const auto keptFrom = [&](int index) {
        const QModelIndex at = run->tasksPane()->model()->indexOf(QStringLiteral("w"), index);
        return run->tasksPane()->model()->task(at).value_or(TaskInfo()).keptFrom;
    };
    QTRY_COMPARE(keptFrom(0), std::optional<int>(0));
    QTRY_COMPARE(keptFrom(1), std::optional<int>());
    QTRY_VERIFY(run->maskedYaml().contains("mended")); // what ran last is what is shown
    // Of an attempt that is chosen, the text that it ran with is edited.
    const auto textAsNew = [&](int attempt) {
        window->tabs()->setCurrentPage(run);
        Q_EMIT run->findChild<RunHead *>()->attemptChosen(attempt);
        QTRY_COMPARE(run->shownAttempt(), attempt);
        window->action("editAsNew")->trigger();
        QTRY_VERIFY(window->currentDesigner() && window->currentDesigner() != page);
        page = window->currentDesigner();
    };
    textAsNew(0);
    QVERIFY2(page->bytes().contains("until test -e fail") && !page->bytes().contains("mended"), page->bytes());
    textAsNew(1);
    QVERIFY2(page->bytes().contains("echo mended"), page->bytes());
    window->tabs()->setCurrentPage(run);
    // A run is compared as a document is.
    QTRY_VERIFY(window->action("compareSaved")->isEnabled());
    window->action("compareSaved")->trigger();
    const auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QTRY_VERIFY(diff->view()->changeCount() > 0);
    window->close();
}

// Without a copy: the document that has failed is mended, also after the window was closed.
void TstWindowRetries::failedTasksAreRetriedFromTheirDocument()
{
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "exit 3");
    const QString file = m_fixture.write(QStringLiteral("mended/mended.pai.yaml"), yaml);
    QString uuid;
    {
        const auto window = WindowFixture::makeWindow(false, true);
        window->show();
        QVERIFY(window->openFile(file));
        QTRY_VERIFY(window->action("run")->isEnabled());
        const QAction *retry = window->action("retryWithText");
        QVERIFY(!retry->isEnabled());
        QVERIFY2(retry->toolTip().contains(QStringLiteral("not been run yet")), qPrintable(retry->toolTip()));
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        uuid = window->currentRun()->summary().uuid;
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Failed, 20'000);
        QVERIFY(window->openFile(file));
        QTRY_VERIFY(retry->isEnabled());
        window->close();
    }
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    DesignerPage *page = window->openFile(file);
    QVERIFY(page);
    QTRY_VERIFY_WITH_TIMEOUT(window->action("retryWithText")->isEnabled(), 15'000);
    const Result<YamlPath> command = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands/0"));
    QVERIFY(command);
    page->applyEdits({edit::SetValue{*command, "echo mended"}});
    QTRY_VERIFY(page->bytes().contains("mended"));
    QTRY_VERIFY(page->canRun());
    const qint64 id = window->client()->job(uuid)->id;
    QVERIFY(window->action("retryWithText")->text().contains(QStringLiteral("#%1 ").arg(id)));
    window->action("retryWithText")->trigger();
    QPointer<QDialog> dialog;
    QTRY_VERIFY((dialog = window->findChild<QDialog *>(QStringLiteral("retryTextDialog"))) && dialog->isVisible());
    QTest::keyClick(dialog.data(), Qt::Key_Escape); // nothing happens then
    QTRY_VERIFY(!dialog);
    QCOMPARE(window->client()->job(uuid)->state, State::Failed);
    // Nor while the run is being deleted: its tasks would run for nothing, or keep it from being deleted.
    Q_EMIT window->jobsPane()->removeRequested({uuid});
    QTRY_VERIFY(!window->action("retryWithText")->isEnabled());
    QVERIFY2(window->action("retryWithText")->toolTip().contains(QStringLiteral("#%1, is deleted").arg(id)),
        qPrintable(window->action("retryWithText")->toolTip()));
    window->jobsPane()->undoBar()->findChild<QPushButton *>()->click();
    QTRY_VERIFY(window->action("retryWithText")->isEnabled());
    window->action("retryWithText")->trigger();
    acceptRetry(*window, QStringLiteral("from_the_window #%1").arg(id));
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QCOMPARE(window->currentRun()->summary().uuid, uuid);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QCOMPARE(window->currentRun()->summary().retries, 1);
    window->close();
}

// One rule wherever a retry is offered: on its page, in the list, and by the words of the palette.
void TstWindowRetries::failedJobOfOneTaskIsRetried()
{
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "exit 3");
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("once/once.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QVERIFY(!window->action("retryFailed")->isEnabled() && !window->action("retryAll")->isEnabled());
    QVERIFY(window->action("retryFailed")->toolTip().contains(QStringLiteral("no job is selected")));
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 20'000);
    QTRY_VERIFY(window->action("retryFailed")->isEnabled() && window->action("retryAll")->isEnabled());
    QTRY_COMPARE(visibleButtons(*window, QStringLiteral("Retry failed tasks")), 1);
    // Of the list, while another tab is in front.
    window->newDocument(sampleJob, QStringLiteral("other.yaml"));
    QTRY_VERIFY(!window->action("retryFailed")->isEnabled());
    window->jobsPane()->setCurrentJob(run->summary().uuid);
    QVERIFY(window->action("retryFailed")->isEnabled());
    window->action("retryFailed")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun(), run, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().retries, 1, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 20'000);
    window->close();
}

// Its results would be others afterwards: nothing happens before the answer.
void TstWindowRetries::successesAreRetriedAfterAQuestion()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    EngineClient *client = window->client();
    QTRY_COMPARE_WITH_TIMEOUT(client->status(), EngineClient::Status::Ready, 15'000);
    const auto submit = [&](const QByteArray &command) {
        SubmitRequest request;
        request.yaml = sampleJob;
        request.yaml.replace("for i in 1 2 3; do echo hello $i; done", command);
        QString uuid;
        client->call<api::Submit>(request, client,
            [&uuid](const Result<SubmitReply> &reply) { uuid = reply ? reply->uuid : QStringLiteral("refused"); });
        [&] {
            QTRY_VERIFY_WITH_TIMEOUT(!uuid.isEmpty() && client->job(uuid) && isFinal(client->job(uuid)->state), 20'000);
        }();
        return uuid;
    };
    const QString good = submit("true"), bad = submit("exit 3");
    QVERIFY(client->job(good) && client->job(good)->state == State::Succeeded);
    QVERIFY(client->job(bad) && client->job(bad)->state == State::Failed);
    const auto retriesOf = [client](const QString &uuid) {
        const std::optional<JobSummary> job = client->job(uuid);
        return job && isFinal(job->state) ? job->retries : -1;
    };
    window->action("allJobs")->trigger();
    auto *all = window->findChild<JobsTablePage *>();
    QVERIFY(all);
    const auto ask = [&](const QStringList &uuids) {
        QPointer<QMessageBox> box;
        Q_EMIT all->retryRequested(uuids);
        [&] {
            QTRY_VERIFY((box = window->findChild<QMessageBox *>(QStringLiteral("retryBox"))) && box->isVisible());
        }();
        return box;
    };
    QPointer<QMessageBox> box = ask({good, bad});
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(QStringLiteral("1 of these jobs succeeded")),
        qPrintable(box->informativeText()));
    box->button(QMessageBox::No)->click(); // only the others
    QTRY_COMPARE_WITH_TIMEOUT(retriesOf(bad), 1, 20'000);
    QCOMPARE(retriesOf(good), 0);
    QTRY_VERIFY(!box);
    box = ask({good});
    QVERIFY(box && !box->button(QMessageBox::No));
    QTest::keyClick(box.data(), Qt::Key_Return); // does no harm
    QTRY_VERIFY(!box);
    QCOMPARE(retriesOf(good), 0);
    box = ask({good, bad});
    QVERIFY(box);
    box->button(QMessageBox::Yes)->click();
    QTRY_COMPARE_WITH_TIMEOUT(retriesOf(good), 1, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(retriesOf(bad), 2, 20'000);
    QTRY_VERIFY(!box);
    // One that the list here does not have, as when it is old, is the engine's to tell.
    const QString older = good.first(good.size() - 1);
    QVERIFY(!client->job(older));
    const int before = retriesOf(good);
    box = ask({older, bad});
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(QStringLiteral("1 of these jobs succeeded")),
        qPrintable(box->informativeText()));
    box->button(QMessageBox::Cancel)->click();
    QTRY_VERIFY(!box);
    QCOMPARE(retriesOf(good), before);
    Q_EMIT all->retryRequested({bad}); // which has no results that could be lost
    QTRY_COMPARE_WITH_TIMEOUT(retriesOf(bad), 3, 20'000);
    QVERIFY(!window->findChild<QMessageBox *>(QStringLiteral("retryBox")));
}

// A policy may let a job succeed in spite of failed tasks: these can be retried all the same.
void TstWindowRetries::failedTasksOfASuccessAreRetried()
{
    QByteArray yaml = sampleJob;
    yaml.replace(
        "instances: 1\n", "instances: 2\n    completion: {minFailedInstances: -1, minSucceededInstances: -1}\n");
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "exit $PAI_TASK_INDEX");
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("allowed/allowed.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Succeeded, 20'000);
    QCOMPARE(run->summary().counts.failed, 1);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->action("retryWithText")->isEnabled());
    window->close();
}

TRAINYARD_GUI_TEST(TstWindowRetries)
#include "tst_windowretries.moc"
