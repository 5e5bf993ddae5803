// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/askbox.h"
#include "app/gui/controllers/hostcontroller.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/session.h"
#include "app/gui/targetbox.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/tokens.h"
#include "widgets/diff/diffpage.h"
#include "widgets/diff/diffview.h"
#include "widgets/form/designerpage.h"
#include "widgets/hosts/hostspane.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobstablepage.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDesktopServices>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace trainyard;

// In place of a browser.
class OpenedUrls : public QObject
{
    Q_OBJECT
public:
    QStringList urls;
    Q_INVOKABLE void take(const QUrl &url) { urls.append(url.toString()); }
};

// What the window does about jobs, with a real engine of its own.
class TstWindowRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void longRunsAreNotStoppedByOneClick();
    void opensWhatATaskServesAndReleasesIt();
    void retriesFailedTasksWithEdits();
    void failedTasksAreRetriedFromTheirDocument();
    void failedJobOfOneTaskIsRetried();
    void successesAreRetriedAfterAQuestion();
    void missingEditorIsNamedAtOnce();
    void failedTasksOfASuccessAreRetried();
    void textOfARunAsksBeforeItCloses();
    void runsAgainInTheFolderOfTheSubmission();
    void refusedWorkFolderIsMarked();
    void refusedFiguresAreForgotten();
    void olderJobsOfSweepsAreJobs();
    void failedHostIsExplained();
    void unknownHostIsAddedOnlyAnyway();
    void runsAJob();
    void noteOfCoresEndsWithTheJob();
    void runsAChangedText();
    void looksTakeOneTab();
    void foldOfTheLowerPaneIsKept();
    void numbersOfLinesAreKept();
    void formerRunStaysOpen();

private:
    WindowFixture m_fixture;
};

void TstWindowRuns::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowRuns::cleanupTestCase() { WindowFixture::stopEngine(); }

// One click does not end work of more than a minute.
void TstWindowRuns::longRunsAreNotStoppedByOneClick()
{
    JobSummary job;
    job.id = 7;
    job.name = QStringLiteral("<b>long</b>");
    job.state = State::Running;
    job.began = 1'000'000;
    QVERIFY(!asksBeforeStop(job, 1'000'000 + 59'000));
    QVERIFY(asksBeforeStop(job, 1'000'000 + 8 * 60'000));
    QWidget window;
    QMessageBox *box = makeStopBox(&window, job, 1'000'000 + 8 * 60'000);
    box->open();
    QVERIFY2(box->informativeText().contains(QStringLiteral("8:00")), qPrintable(box->informativeText()));
    QCOMPARE(box->text(), QStringLiteral("Stop <b>long</b> #7?"));
    QCOMPARE(box->textFormat(), Qt::PlainText);
    QMessageBox::StandardButton pressed = QMessageBox::NoButton;
    connect(box, &QMessageBox::buttonClicked, this,
        [&](QAbstractButton *button) { pressed = box->standardButton(button); });
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(pressed, QMessageBox::Yes);
    job.state = State::Waiting; // nothing of it runs
    QVERIFY(!asksBeforeStop(job, 1'000'000 + 8 * 60'000));
}

// A TensorBoard of a job that is opened in the browser, and a failed task that is held until the button is pressed.
void TstWindowRuns::opensWhatATaskServesAndReleasesIt()
{
    m_fixture.write(QStringLiteral("bin/tensorboard"),
        "#!/bin/sh\nexec /usr/bin/python3 -c 'import sys,socket\n"
        "s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
        "s.bind((sys.argv[2], int(sys.argv[4]))); s.listen(9)\n"
        "while True: s.accept()\n' \"$@\"\n");
    QFile::setPermissions(m_fixture.path(QStringLiteral("bin/tensorboard")),
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "until [ -e go ]; do sleep 0.05; done; exit 7");
    yaml += "extras:\n  trainyard: {holdAfterFailureMinutes: 5}\n  com.microsoft.pai.runtimeplugin:\n"
            "    - {plugin: cmd, parameters: {preCommands: ['export PATH=\""
        + m_fixture.path(QStringLiteral("bin")).toUtf8()
        + ":$PATH\"']}}\n    - {plugin: tensorboard, parameters: {port: 10124, logdir: {a: runs}}}\n";
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("board/board.pai.yaml"), yaml)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *page = window->currentRun();
    auto *board = page->findChild<QPushButton *>(QStringLiteral("runPageBoard"));
    QTRY_VERIFY_WITH_TIMEOUT(board->isVisible() && board->isEnabled(), 20'000);
    OpenedUrls browser;
    QDesktopServices::setUrlHandler(QStringLiteral("http"), &browser, "take");
    board->click();
    QTRY_COMPARE(browser.urls.size(), 1);
    QVERIFY2(browser.urls.first().startsWith(QStringLiteral("http://127.0.0.1:")), qPrintable(browser.urls.first()));
    // The menu of ports knows it, too.
    QMenu *ports = page->findChild<QToolButton *>(QStringLiteral("tasksPorts"))->menu();
    QTRY_COMPARE(page->tasksPane()->currentTask()->state, State::Running);
    ports->popup({});
    const auto entry = [ports] {
        const QList<QAction *> actions = ports->actions();
        const auto it = std::find_if(actions.cbegin(), actions.cend(),
            [](const QAction *action) { return action->text().startsWith(QStringLiteral("TensorBoard: ")); });
        return it == actions.cend() ? nullptr : *it;
    };
    QTRY_VERIFY(entry());
    QVERIFY2(entry()->text().contains(QStringLiteral("on this computer")), qPrintable(entry()->text()));
    entry()->menu()->actions().constFirst()->trigger();
    QTRY_COMPARE(browser.urls.size(), 2);
    QVERIFY2(browser.urls.last().startsWith(QStringLiteral("http://localhost:")), qPrintable(browser.urls.last()));
    ports->close();
    QDesktopServices::unsetUrlHandler(QStringLiteral("http"));
    m_fixture.write(QStringLiteral("board/go"), "x");
    QTRY_VERIFY_WITH_TIMEOUT(page->findChild<QPushButton *>(QStringLiteral("releaseHeld")), 20'000);
    QCOMPARE(page->summary().state, State::Running);
    page->findChild<QPushButton *>(QStringLiteral("releaseHeld"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Failed, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(page->tasksPane()->currentTask()->rawExit.value_or(0), 7, 10'000);
    window->close();
}

// Push buttons and tool buttons in sight that say these words.
static int visibleButtons(const MainWindow &window, const QString &words)
{
    const auto buttons = window.findChildren<QAbstractButton *>();
    return int(std::count_if(buttons.cbegin(), buttons.cend(), [&words](const QAbstractButton *button) {
        return button->isVisible() && QString(button->text()).remove(QLatin1Char('&')) == words;
    }));
}

// As somebody does who saw one of three tasks fail: the text is mended, and only that task runs again.
void TstWindowRuns::retriesFailedTasksWithEdits()
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
    const QString chosen = target->target();
    QVERIFY(!chosen.isEmpty() && target->currentData().toString() != chosen); // what is shown is where the run was
    QCOMPARE(target->currentText(), QStringLiteral("This computer"));
    QVERIFY2(target->toolTip().contains(QStringLiteral("This computer")), qPrintable(target->toolTip()));
    QTRY_COMPARE(visibleButtons(*window, QStringLiteral("Run again")), 1);
    QVERIFY(!window->action("runAgain")->shortcut().isEmpty());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY(window->currentDesigner() && window->action("retryWithText")->isEnabled());
    QTRY_VERIFY(runButton->isEnabled());
    QVERIFY(target->isEnabled() && !target->toolTip().contains(QStringLiteral("Run again")));
    QCOMPARE(target->currentData().toString(), target->target());
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
    // A run is compared as a document is.
    QTRY_VERIFY(window->action("compareSaved")->isEnabled());
    window->action("compareSaved")->trigger();
    const auto *diff = qobject_cast<DiffPage *>(window->tabs()->currentPage());
    QVERIFY(diff);
    QTRY_VERIFY(diff->view()->changeCount() > 0);
    window->close();
}

// Without a copy: the document that has failed is mended, also after the window was closed.
void TstWindowRuns::failedTasksAreRetriedFromTheirDocument()
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
    window->action("retryWithText")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QCOMPARE(window->currentRun()->summary().uuid, uuid);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QCOMPARE(window->currentRun()->summary().retries, 1);
    window->close();
}

// One rule wherever a retry is offered: on its page, in the list, and by the words of the palette.
void TstWindowRuns::failedJobOfOneTaskIsRetried()
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
void TstWindowRuns::successesAreRetriedAfterAQuestion()
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

// The sentence about it leads to the setting, and what was clicked is opened once a program is named.
void TstWindowRuns::missingEditorIsNamedAtOnce()
{
    GuiSettings().setCodeEditor(QStringLiteral("/no/such/editor {file}:{line}"));
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(m_fixture.write(QStringLiteral("code/code.pai.yaml"), sampleJob)));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    const QString code = m_fixture.write(QStringLiteral("code/train.py"), "raise ValueError\n");
    Q_EMIT window->currentRun()->codeRequested(code, 1);
    auto *button = window->findChild<QPushButton *>(QStringLiteral("codeEditorButton"));
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    auto *dialog = window->findChild<QInputDialog *>(QStringLiteral("codeEditorDialog"));
    QVERIFY(dialog && dialog->isVisible());
    const QString opened = m_fixture.path(QStringLiteral("code/opened"));
    const QString editor = m_fixture.write(QStringLiteral("code/editor"), "#!/bin/sh\n: > '" + opened.toUtf8() + "'\n");
    QVERIFY(QFile::setPermissions(editor, QFile::permissions(editor) | QFileDevice::ExeOwner));
    dialog->setTextValue(editor + QStringLiteral(" {file}"));
    dialog->accept();
    QCOMPARE(GuiSettings().codeEditor(), editor + QStringLiteral(" {file}"));
    QTRY_VERIFY(QFile::exists(opened));
    GuiSettings().setCodeEditor({});
}

// A policy may let a job succeed in spite of failed tasks: these can be retried all the same.
void TstWindowRuns::failedTasksOfASuccessAreRetried()
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

// A text made from a run has the dot of what is in no file: its tab asks before it closes, changed or not, also when it
// came back.
void TstWindowRuns::textOfARunAsksBeforeItCloses()
{
    saveSession({});
    auto window = WindowFixture::makeWindow(true, true);
    window->show();
    const DesignerPage *file = window->openFile(m_fixture.write(QStringLiteral("asks/asks.pai.yaml"), sampleJob));
    QVERIFY(file);
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 10'000);
    const qsizetype tabs = window->tabs()->pages().size();
    const auto shownBox = [&window]() -> QMessageBox * {
        const auto boxes = window->findChildren<QMessageBox *>();
        const auto shown
            = std::find_if(boxes.cbegin(), boxes.cend(), [](const QMessageBox *box) { return box->isVisible(); });
        return shown == boxes.cend() ? nullptr : *shown;
    };
    QVERIFY(!window->currentDesigner()->isModified());
    window->action("close")->trigger();
    QVERIFY(shownBox());
    QVERIFY2(shownBox()->text().contains(QStringLiteral("has not been saved to a file yet")),
        qPrintable(shownBox()->text()));
    shownBox()->button(QMessageBox::Cancel)->click();
    QCOMPARE(window->tabs()->pages().size(), tabs);
    const Result<YamlPath> command = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/commands/0"));
    QVERIFY(command);
    window->currentDesigner()->applyEdits({edit::SetValue{*command, "echo mine"}});
    QTRY_VERIFY(window->currentDesigner()->bytes().contains("echo mine"));
    // By the button of its tab as by the key.
    const QTabBar *bar = window->tabs()->tabBar();
    auto *cross = qobject_cast<QAbstractButton *>(bar->tabButton(bar->currentIndex(), QTabBar::RightSide));
    QVERIFY(cross);
    cross->click();
    QVERIFY(shownBox());
    QVERIFY2(shownBox()->text().contains(QStringLiteral("not saved")), qPrintable(shownBox()->text()));
    shownBox()->button(QMessageBox::Discard)->click();
    QTRY_COMPARE(window->tabs()->pages().size(), tabs - 1);
    window->action("reopenClosed")->trigger();
    QCOMPARE(window->tabs()->pages().size(), tabs);
    QVERIFY(window->currentDesigner() && window->currentDesigner()->bytes().contains("echo mine"));
    // It has no secret, so that the window takes it along and brings it back as what it was.
    if (!window->close()) { // jobs of other tests go on
        QVERIFY(shownBox() && shownBox()->button(QMessageBox::Close));
        shownBox()->button(QMessageBox::Close)->click();
    }
    QTRY_VERIFY(!window->isVisible());
    window.reset(); // it has its session to itself
    const auto again = WindowFixture::makeWindow(true, false);
    again->show();
    QVERIFY(again->currentDesigner() && again->currentDesigner()->bytes().contains("echo mine"));
    const QTabBar *tabsAgain = again->tabs()->tabBar();
    QVERIFY(
        tabsAgain->tabToolTip(tabsAgain->currentIndex()).contains(QStringLiteral("has not been saved to a file yet")));
    again->action("close")->trigger();
    auto *box = again->findChild<QMessageBox *>();
    QVERIFY(box && box->isVisible());
    box->button(QMessageBox::Discard)->click();
    QTRY_VERIFY(!again->currentDesigner() || !again->currentDesigner()->bytes().contains("echo mine"));
    WindowFixture::closeWithoutSaving(again.get());
    saveSession({});
}

// Where a job worked is said beside its text, as `run --work` does: a run of it works there again, and so does a text
// that is made from it.
void TstWindowRuns::runsAgainInTheFolderOfTheSubmission()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const QString marks = m_fixture.write(QStringLiteral("chosen/marks"), "");
    QVERIFY(!marks.isEmpty());
    SubmitRequest request;
    request.yaml = sampleJob;
    request.yaml.replace("for i in 1 2 3; do echo hello $i; done", "echo x >> marks");
    request.work = QFileInfo(marks).path();
    QString uuid;
    window->client()->call<api::Submit>(request, this,
        [&](const Result<SubmitReply> &reply) { uuid = reply ? reply->uuid : QStringLiteral("refused"); });
    QTRY_VERIFY_WITH_TIMEOUT(!uuid.isEmpty(), 10'000);
    Q_EMIT window->jobsPane()->openRequested(uuid, false);
    RunPage *first = window->currentRun();
    QVERIFY(first);
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QFile file(marks);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "x\nx\n");
    QTRY_VERIFY(window->action("editAsNew")->isEnabled());
    window->action("editAsNew")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentDesigner(), 10'000);
    const QByteArray text = window->currentDesigner()->bytes();
    QVERIFY2(text.contains(QByteArray("work: " + request.work.toUtf8())), text.constData());
    window->close();
}

// The bar about a work folder stays until the field names another one, and the field is marked as long.
void TstWindowRuns::refusedWorkFolderIsMarked()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    DesignerPage *page = window->openFile(m_fixture.write(
        QStringLiteral("placed/placed.pai.yaml"), sampleJob + "extras:\n  trainyard:\n    work: /nowhere/at/all\n"));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    const int before = page->warningCount();
    window->action("run")->trigger();
    const auto says = [&] {
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(), [](const InfoBar *bar) {
            return bar->isVisible() && bar->text().contains(u"/nowhere/at/all does not exist");
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(), 10'000);
    QTRY_COMPARE(page->warningCount(), before + 1);
    QVERIFY(page->isWorkRefused());
    const Result<YamlPath> name = YamlPath::fromPointer(QStringLiteral("/name"));
    const Result<YamlPath> work = YamlPath::fromPointer(QStringLiteral("/extras/trainyard/work"));
    QVERIFY(name && work);
    page->applyEdits({edit::SetValue{*name, "placed"}}); // something else
    QTRY_VERIFY(page->bytes().contains("name: placed"));
    QVERIFY(says());
    page->applyEdits({edit::SetValue{*work, "."}});
    QTRY_VERIFY(!page->isWorkRefused());
    QTRY_VERIFY(!says());
    WindowFixture::closeWithoutSaving(window.get());
}

// The list has jobs of sweeps that the client does not mirror any more; what is done with them is done.
void TstWindowRuns::olderJobsOfSweepsAreJobs()
{
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    JobSummary job;
    job.id = 1;
    job.uuid = QStringLiteral("older");
    job.name = QStringLiteral("older");
    job.state = State::Failed;
    job.counts.failed = 1;
    window->jobsPane()->model()->apply(job);
    QVERIFY(!window->client()->job(job.uuid));
    Q_EMIT window->jobsPane()->labelsRequested({job.uuid}, false);
    auto *dialog = window->findChild<LabelsDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->reject();
    window->jobsPane()->setCurrentJob(job.uuid);
    QVERIFY(window->action("retryAll")->isEnabled());
    WindowFixture::closeWithoutSaving(window.get());
}

// What a bar says of figures goes when the user writes others, not only by its own button.
void TstWindowRuns::refusedFiguresAreForgotten()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QByteArray greedy = sampleJob;
    DesignerPage *page = window->openFile(m_fixture.write(
        QStringLiteral("greedy/greedy.pai.yaml"), greedy.replace("memoryMB: 16", "memoryMB: 999999999")));
    QVERIFY(page);
    QTRY_VERIFY(window->action("run")->isEnabled());
    window->action("run")->trigger();
    const auto says = [&] {
        const auto bars = window->centralWidget()->findChildren<InfoBar *>();
        return std::any_of(bars.cbegin(), bars.cend(),
            [](const InfoBar *bar) { return bar->isVisible() && bar->text().contains(u"asks for 999999999 MiB"); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says(), 10'000);
    const Result<YamlPath> name = YamlPath::fromPointer(QStringLiteral("/name"));
    const Result<YamlPath> memory = YamlPath::fromPointer(QStringLiteral("/taskRoles/w/resourcePerInstance/memoryMB"));
    QVERIFY(name && memory);
    page->applyEdits({edit::SetValue{*name, "modest"}}); // something else
    QTRY_VERIFY(page->bytes().contains("name: modest"));
    QVERIFY(says());
    page->applyEdits({edit::SetValue{*memory, "16"}});
    QTRY_VERIFY(!says());
    WindowFixture::closeWithoutSaving(window.get());
}

// Nobody finds what went wrong in a tool tip.
void TstWindowRuns::failedHostIsExplained()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("addHost")->trigger();
    auto *pane = window->findChild<HostsPane *>();
    auto *address = pane->findChild<QLineEdit *>();
    QTRY_VERIFY(address->isVisible());
    QTest::keyClicks(address, QStringLiteral("nobody@127.0.0.1:1"));
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    QVERIFY2(window->bar()->kind() == InfoBar::Kind::Failed && !window->bar()->text().isEmpty(),
        qPrintable(window->bar()->text()));
    auto *again = window->bar()->findChild<QPushButton *>(QStringLiteral("hostAgain"));
    QVERIFY(again);
    again->click();
    QVERIFY(window->bar()->isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(window->bar()->isVisible(), 20'000);
    // A second host does not move the jobs of somebody who never chose where they run.
    const auto *target = window->findChild<QComboBox *>(QStringLiteral("target"));
    QTRY_COMPARE(target->count(), 3);
    QCOMPARE(target->currentText(), QStringLiteral("This computer"));
    const QString id = pane->hosts().last().id;
    Q_EMIT pane->removeRequested(id);
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 1, 10'000);
}

// A name that is mistyped becomes no host by itself, and Return does not make it one either.
void TstWindowRuns::unknownHostIsAddedOnlyAnyway()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    auto *hosts = window->findChild<HostController *>();
    int looks = 0;
    hosts->setLookup([&looks](const QString &target, QObject *context, const auto &then) {
        ++looks;
        const QString unknown = target.contains(u"nowhere") ? QStringLiteral("nowhere.invalid") : QString();
        QMetaObject::invokeMethod(
            context, [then, unknown] { then(unknown); }, Qt::QueuedConnection);
    });
    window->action("addHost")->trigger();
    auto *pane = window->findChild<HostsPane *>();
    auto *address = pane->findChild<QLineEdit *>();
    auto *anyway = pane->findChild<QPushButton *>(QStringLiteral("hostAddAnyway"));
    QTRY_VERIFY(address->isVisible());
    QVERIFY(anyway && !anyway->isVisible());
    QTest::keyClicks(address, QStringLiteral("ada@nowhere.invalid"));
    for (int times = 1; times <= 2; ++times) {
        QTest::keyClick(address, Qt::Key_Return);
        QTRY_VERIFY(looks == times && address->isEnabled());
        QVERIFY(anyway->isVisible());
        QCOMPARE(window->client()->hosts().size(), 1);
    }
    const auto labels = pane->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->isVisible() && label->text().contains(QStringLiteral("nowhere.invalid"));
    }));
    QTest::keyClicks(address, QStringLiteral("x")); // it is about another name
    QVERIFY(!anyway->isVisible());
    QTest::keyClick(address, Qt::Key_Backspace);
    QTest::keyClick(address, Qt::Key_Return);
    QTRY_VERIFY(anyway->isVisible());
    anyway->click();
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 2, 10'000);
    QCOMPARE(looks, 3);
    QTRY_VERIFY(!address->isVisible());
    Q_EMIT pane->removeRequested(pane->hosts().last().id);
    QTRY_COMPARE_WITH_TIMEOUT(pane->hosts().size(), 1, 10'000);
}

void TstWindowRuns::runsAJob()
{
    const QString path = m_fixture.write(QStringLiteral("run.pai.yaml"), sampleJob);
    QString uuid;
    {
        const auto window = WindowFixture::makeWindow(true, true);
        window->show();
        QVERIFY(window->openFile(path));
        QTRY_VERIFY(window->action("run")->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        RunPage *page = window->currentRun();
        QTRY_COMPARE_WITH_TIMEOUT(page->summary().state, State::Succeeded, 20'000);
        uuid = page->uuid();
        QTRY_COMPARE(page->tasksPane()->model()->taskCount(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(page->tasksPane()->currentTask()->state, State::Succeeded, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        QCOMPARE(page->logPane()->view()->text(0, 3), QStringLiteral("hello 1\nhello 2\nhello 3"));
        QVERIFY(page->maskedYaml().contains("from_the_window"));
        window->close();
    }
    {
        const auto window = WindowFixture::makeWindow(true, true);
        window->show();
        QTRY_VERIFY_WITH_TIMEOUT(window->jobsPane()->model()->indexOf(uuid).isValid(), 10'000);
        RunPage *page = window->currentRun(); // the tab came back
        QVERIFY(page);
        QTRY_COMPARE(page->summary().state, State::Succeeded);
        QTRY_COMPARE_WITH_TIMEOUT(page->logPane()->view()->lineCount(), 3, 10'000);
        window->close();
    }
}

void TstWindowRuns::noteOfCoresEndsWithTheJob()
{
    QByteArray job = sampleJob;
    job.replace("cpu: 1,", "cpu: 4000,")
        .replace("do echo hello $i", "do echo hello $i; until [ -e go ]; do sleep 0.1; done");
    const QString path = m_fixture.write(QStringLiteral("cores.pai.yaml"), job);
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    QVERIFY(window->openFile(path));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    const InfoBar *bar = window->bar();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("4000 CPU cores")), qPrintable(bar->text()));
    m_fixture.write(QStringLiteral("go"), {});
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QTRY_VERIFY(bar->isHidden());
}

// What a change has made of a job is seen by looking from one run to the other.
void TstWindowRuns::formerRunStaysOpen()
{
    const auto window = WindowFixture::makeWindow(false, true);
    window->show();
    DesignerPage *page = window->openFile(m_fixture.write(QStringLiteral("twice.pai.yaml"), sampleJob));
    QVERIFY(page);
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const auto run = [&] {
        window->tabs()->setCurrentPage(page);
        QTRY_VERIFY(window->action("run")->isEnabled());
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    };
    run();
    RunPage *first = window->currentRun();
    run();
    RunPage *second = window->currentRun();
    QVERIFY(first && second && first != second);
    QVERIFY(window->tabs()->pages().contains(first));
    // Also from the page of a run.
    QTRY_VERIFY(window->action("runAgain")->isEnabled());
    window->action("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != second, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(window->currentRun()->summary().state, State::Succeeded, 20'000);
    QVERIFY(window->tabs()->pages().contains(first) && window->tabs()->pages().contains(second));
    window->close();
}

// From the look at a change the changed text runs as a new job, and no document is opened for it.
void TstWindowRuns::runsAChangedText()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    const DesignerPage *designer = window->newDocument(sampleJob + "parameters: {lr: 0.5}\n", {});
    QTRY_VERIFY(designer->canRun());
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *first = window->currentRun();
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(first->summary().state), 20'000);
    const qsizetype pages = window->tabs()->pages().size();
    const YamlPath path{QStringLiteral("parameters"), QStringLiteral("lr")};
    Q_EMIT first->changeRequested(
        {QStringLiteral("rate.tenth"), path, 0.5, 0.05, QStringLiteral("lr"), edit::SetValue{path, "0.05"}}, true);
    const auto dialog = [&] { return window->findChild<QDialog *>(QStringLiteral("changeDialog")); };
    QTRY_VERIFY_WITH_TIMEOUT(dialog() && dialog()->isVisible(), 10'000);
    auto *run = dialog()->findChild<QPushButton *>(QStringLiteral("changeRun"));
    QVERIFY(run && run->isDefault());
    run->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    const RunPage *second = window->currentRun();
    QTRY_COMPARE(second->summary().parameters.value(QStringLiteral("lr")).toDouble(), 0.05);
    QCOMPARE(second->summary().name, first->summary().name);
    QCOMPARE(window->tabs()->pages().size(), pages + 1);
    QTRY_VERIFY_WITH_TIMEOUT(isFinal(second->summary().state), 20'000);

    // What is put away can be had back at once.
    const QString uuid = second->uuid();
    const auto isArchived = [&] {
        const std::optional<JobSummary> job = window->client()->job(uuid);
        return job && job->labels.isArchived;
    };
    QVERIFY(!isArchived());
    Q_EMIT window->jobsPane()->archiveRequested({uuid}, true);
    const auto undo = [&] { return window->findChild<QPushButton *>(QStringLiteral("undoArchive")); };
    QTRY_VERIFY_WITH_TIMEOUT(undo() && undo()->isVisible(), 10'000);
    QTRY_VERIFY(isArchived());
    undo()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!isArchived(), 10'000);
}

// Who looks at one run after the other has one tab, and what is kept stays.
void TstWindowRuns::looksTakeOneTab()
{
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    QStringList uuids;
    SubmitRequest request;
    request.yaml = sampleJob;
    for (int i = 0; i < 3; ++i) {
        window->client()->call<api::Submit>(
            request, this, [&](const Result<SubmitReply> &reply) { uuids.append(reply ? reply->uuid : QString()); });
    }
    QTRY_COMPARE_WITH_TIMEOUT(uuids.size(), 3, 10'000);
    QVERIFY(!uuids.contains(QString()));
    const qsizetype pages = window->tabs()->pages().size();
    const auto look = [&](qsizetype i) { Q_EMIT window->jobsPane()->openRequested(uuids.at(i), true); };
    look(0);
    QCOMPARE(window->tabs()->pages().size(), pages + 1);
    look(1);
    QCOMPARE(window->tabs()->pages().size(), pages + 1);
    QVERIFY(window->currentRun() && window->currentRun()->uuid() == uuids.at(1));
    Q_EMIT window->currentRun()->pauseRequested(true); // whoever does something with it wants to see what comes of it
    look(2);
    QCOMPARE(window->tabs()->pages().size(), pages + 2);
    Q_EMIT window->jobsPane()->openRequested(uuids.at(2), false); // a double click
    look(0);
    QCOMPARE(window->tabs()->pages().size(), pages + 3);
    look(1); // it is open
    QCOMPARE(window->tabs()->pages().size(), pages + 3);
    Q_EMIT window->currentRun()->pauseRequested(false);
}

// What somebody has chosen for the pane below the tasks holds for the other runs, too, also after the next start.
void TstWindowRuns::foldOfTheLowerPaneIsKept()
{
    QSettings settings(paths::configFolder() + QStringLiteral("/gui.conf"), QSettings::IniFormat);
    settings.remove(QStringLiteral("look/foldsRunHistory"));
    settings.sync();
    const auto historyOf = [](RunTab *tab) { return tab->run()->findChild<RunHistory *>(); };
    const auto click = [](const RunHistory *history, int tab) {
        auto *tabs = history->findChild<QTabBar *>();
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
    };
    {
        const auto window = WindowFixture::makeWindow(false, false);
        window->show();
        auto *runs = window->findChild<RunTabs *>();
        const RunHistory *other = historyOf(runs->open(QStringLiteral("u1")));
        const RunHistory *front = historyOf(runs->open(QStringLiteral("u2")));
        QVERIFY(other->isFolded() && front->isFolded());
        click(front, 0);
        QVERIFY(!front->isFolded() && !other->isFolded());
        click(front, 2); // another tab of an open pane says nothing about the pane
        QVERIFY(!historyOf(runs->open(QStringLiteral("u3")))->isFolded());
        window->close();
    }
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    auto *runs = window->findChild<RunTabs *>();
    RunTab *tab = runs->open(QStringLiteral("u4"));
    const RunHistory *history = historyOf(tab);
    QVERIFY(!history->isFolded());
    auto *tabs = history->findChild<QTabBar *>();
    click(history, tabs->currentIndex());
    QVERIFY(history->isFolded());
    // Folded by hand it stays folded, whatever the run has to tell.
    RunTab *telling = runs->open(QStringLiteral("u5"));
    JobSummary job;
    job.uuid = QStringLiteral("u5");
    job.state = State::Running;
    job.results = {{QStringLiteral("loss"), QJsonObject{{QStringLiteral("last"), 1}}}};
    telling->run()->setSummary(job);
    QVERIFY(historyOf(telling)->isFolded());
    settings.remove(QStringLiteral("look/foldsRunHistory"));
}

// Line numbers are one choice for all logs, and there are none until somebody wants them.
void TstWindowRuns::numbersOfLinesAreKept()
{
    const auto logOf = [](MainWindow *window, const QString &uuid) {
        return window->findChild<RunTabs *>()->open(uuid)->run()->logPane();
    };
    {
        const auto window = WindowFixture::makeWindow(false, false);
        window->show();
        LogPane *one = logOf(window.get(), QStringLiteral("n1"));
        LogPane *other = logOf(window.get(), QStringLiteral("n2"));
        QVERIFY(!one->view()->isNumbered());
        auto *action = other->findChild<QAction *>(QStringLiteral("logNumbers"));
        QVERIFY(action && !action->isChecked());
        action->trigger();
        QVERIFY(one->view()->isNumbered() && other->view()->isNumbered());
        QVERIFY(one->findChild<QAction *>(QStringLiteral("logNumbers"))->isChecked());
        window->close();
    }
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    LogPane *log = logOf(window.get(), QStringLiteral("n3"));
    QVERIFY(log->view()->isNumbered());
    log->findChild<QAction *>(QStringLiteral("logNumbers"))->trigger();
    QVERIFY(!log->view()->isNumbered() && !GuiSettings().numbersLogs());
}

TRAINYARD_GUI_TEST(TstWindowRuns)
#include "tst_windowruns.moc"
