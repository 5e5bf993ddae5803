// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/askbox.h"
#include "app/gui/controllers/runtabs.h"
#include "app/gui/guisettings.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/tabarea.h"
#include "engine/client/paths.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/form/designerpage.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/labelsdialog.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAbstractButton>
#include <QAction>
#include <QDesktopServices>
#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
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

// Following runs in the window and ending them, with a real engine of its own.
class TstWindowLooks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void longRunsAreNotStoppedByOneClick();
    void opensWhatATaskServesAndReleasesIt();
    void missingEditorIsNamedAtOnce();
    void olderJobsOfSweepsAreJobs();
    void looksTakeOneTab();
    void foldOfTheLowerPaneIsKept();
    void tabOfTheLowerPaneIsKept();
    void numbersOfLinesAreKept();
    void formerRunStaysOpen();

private:
    WindowFixture m_fixture;
};

void TstWindowLooks::initTestCase() { QVERIFY(m_fixture.makeFolders()); }

void TstWindowLooks::cleanupTestCase() { WindowFixture::stopEngine(); }

// One click does not end work of more than a minute.
void TstWindowLooks::longRunsAreNotStoppedByOneClick()
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
void TstWindowLooks::opensWhatATaskServesAndReleasesIt()
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

// The sentence about it leads to the setting, and what was clicked is opened once a program is named.
void TstWindowLooks::missingEditorIsNamedAtOnce()
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
    const auto isAsked = [&window] {
        const auto buttons = window->findChildren<QPushButton *>(QStringLiteral("codeEditorButton"));
        return std::any_of(buttons.cbegin(), buttons.cend(), [](const QPushButton *each) { return each->isVisible(); });
    };
    QVERIFY(!isAsked());
    // Also where another way has led to a program that opens it, while the bar still asks for one.
    GuiSettings().setCodeEditor(QStringLiteral("/no/such/editor {file}:{line}"));
    Q_EMIT window->currentRun()->codeRequested(code, 1);
    QVERIFY(isAsked());
    GuiSettings().setCodeEditor(editor + QStringLiteral(" {file}"));
    QVERIFY(QFile::remove(opened));
    Q_EMIT window->currentRun()->codeRequested(code, 1);
    QTRY_VERIFY(QFile::exists(opened));
    QVERIFY(!isAsked());
    GuiSettings().setCodeEditor({});
}

// The list has jobs of sweeps that the client does not mirror any more; what is done with them is done.
void TstWindowLooks::olderJobsOfSweepsAreJobs()
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

// What a change has made of a job is seen by looking from one run to the other.
void TstWindowLooks::formerRunStaysOpen()
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

// Who looks at one run after the other has one tab, and what is kept stays.
void TstWindowLooks::looksTakeOneTab()
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
void TstWindowLooks::foldOfTheLowerPaneIsKept()
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

// Who has opened the curves of one run finds those of the next one in front as well, also where the pane is open before
// the first value comes.
void TstWindowLooks::tabOfTheLowerPaneIsKept()
{
    QSettings settings(paths::configFolder() + QStringLiteral("/gui.conf"), QSettings::IniFormat);
    const auto forget = [&settings] {
        settings.remove(QStringLiteral("look/foldsRunHistory"));
        settings.remove(QStringLiteral("look/runHistoryTab"));
        settings.sync();
    };
    forget();
    const auto historyOf = [](RunTab *tab) { return tab->run()->findChild<RunHistory *>(); };
    const auto click = [](const RunHistory *history, const QString &name) {
        auto *tabs = history->findChild<QTabBar *>();
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->tabText(i).startsWith(name)) {
                QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
                return tabs->tabData(i).toInt();
            }
        }
        return -1;
    };
    const auto window = WindowFixture::makeWindow(false, false);
    window->show();
    auto *runs = window->findChild<RunTabs *>();
    const RunHistory *first = historyOf(runs->open(QStringLiteral("t1")));
    const int timeline = first->tab();
    const int metrics = click(first, QStringLiteral("Metrics"));
    QVERIFY(metrics >= 0 && metrics != timeline);
    QCOMPARE(first->tab(), metrics);
    QVERIFY(!first->isFolded());
    RunTab *next = runs->open(QStringLiteral("t2"));
    QCOMPARE(historyOf(next)->tab(), metrics);
    QVERIFY(!historyOf(next)->tabChosen()); // a saved layout has a choice of its own
    // What only some runs have is no beginning for the next one; what was chosen before still is.
    click(historyOf(next), QStringLiteral("Files"));
    QCOMPARE(historyOf(runs->open(QStringLiteral("t3")))->tab(), metrics);
    click(historyOf(next), QStringLiteral("Timeline"));
    QCOMPARE(historyOf(runs->open(QStringLiteral("t4")))->tab(), timeline);
    window->close();
    forget();
}

// Line numbers are one choice for all logs, and there are none until somebody wants them.
void TstWindowLooks::numbersOfLinesAreKept()
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

TRAINYARD_GUI_TEST(TstWindowLooks)
#include "tst_windowlooks.moc"
