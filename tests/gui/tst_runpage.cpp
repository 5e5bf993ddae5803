// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/tabarea.h"
#include "tests/gui/runpagetests.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"
#include "widgets/log/logpane.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;

// The page of a run, alone and with a real engine: what it shows first, and that nothing moves under the hand of who
// reads it.
class TstRunPage : public RunPageTests
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_fixture.makeFolders()); }
    void cleanupTestCase() { WindowFixture::stopEngine(); }
    void jobsInReasonsAreLinks();
    void openMenuStays();
    void failureOfAPageBehind_data();
    void failureOfAPageBehind();
    void missingScriptOffersTheDocument();
    void missingScriptOfAnUnsavedJob();
    void failedDraftIsOpenedAgain();
    void failedCommandIsShown();
    void failedConversionIsShownAgain();
    void failedChangeIsNotInTheFile();
    void keysOfANewRunEndNothing();
    void showsWhatWasTriedBefore();

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
    QTRY_VERIFY(open && open->isVisible());
    QVERIFY(buttonKind(open) != ButtonKind::Primary); // the same once more may go well
    detail.summary.reasonArgs
        = {{QStringLiteral("status"), 2}, {QStringLiteral("finding"), QStringLiteral("script-missing")},
            {QStringLiteral("reason"),
                QStringLiteral("The file /home/ada/train.py does not exist where the command runs.")},
            {QStringLiteral("solution"), QStringLiteral("Save it there.")}};
    page.setDetail(detail);
    QTRY_COMPARE(buttonKind(open), ButtonKind::Primary);
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

// What is to be corrected is the document that Run was pressed in, as long as it is that text; else one of the text.
void TstRunPage::failedDraftIsOpenedAgain()
{
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "./nope.sh");
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    DesignerPage *designer = window->newDocument(yaml, {});
    QVERIFY(designer);
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 30'000);
    auto *open = run->findChild<QPushButton *>(QStringLiteral("failureDocument"));
    QTRY_VERIFY_WITH_TIMEOUT(open && open->isVisible(), 10'000);
    QCOMPARE(open->parentWidget()->findChild<QLabel *>(QStringLiteral("title"))->text(),
        QStringLiteral("Say where the file is"));
    QCOMPARE(buttonKind(open), ButtonKind::Primary);
    open->click();
    QTRY_COMPARE_WITH_TIMEOUT(window->currentDesigner(), designer, 10'000);
    designer->applyEdits({edit::SetText{{QStringLiteral("name")}, QStringLiteral("another")}});
    QTRY_VERIFY(designer->bytes().contains("another"));
    // It is what was run, whatever has become of it since.
    DesignerPage *other = window->newDocument(sampleJob, {});
    QTRY_COMPARE(window->currentDesigner(), other);
    open->click();
    QTRY_COMPARE_WITH_TIMEOUT(window->currentDesigner(), designer, 10'000);
    WindowFixture::closeWithoutSaving(window.get());
}

// The document is opened where the shell stopped, be it a file or only a text.
void TstRunPage::failedCommandIsShown()
{
    QByteArray yaml = sampleJob
        + "      - |\n        echo again\n        <% $parameters.program %> now\n"
          "parameters: {program: trian}\n";
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    const QString file = m_fixture.write(QStringLiteral("placed/placed.pai.yaml"), yaml);
    const qint64 line = yaml.left(yaml.indexOf("<% $parameters")).count('\n') + 1;
    for (const bool isOfFile : {true, false}) {
        DesignerPage *designer = isOfFile ? window->openFile(file) : window->newDocument(yaml, {});
        QVERIFY(designer);
        designer->setViewMode(DesignerPage::ViewMode::Form);
        QTRY_VERIFY(window->action("run")->isEnabled());
        QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
        QPointer<RunPage> before = window->currentRun();
        window->action("run")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != before, 10'000);
        RunPage *run = window->currentRun();
        QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 30'000);
        QCOMPARE(run->summary().file.isEmpty(), !isOfFile);
        auto *open = run->findChild<QPushButton *>(QStringLiteral("failureDocument"));
        QTRY_VERIFY_WITH_TIMEOUT(open && open->isVisible(), 10'000);
        QSignalSpy moved(designer, &DesignerPage::cursorMoved);
        open->click();
        QTRY_COMPARE_WITH_TIMEOUT(window->currentDesigner(), designer, 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(!moved.isEmpty(), 10'000);
        QTRY_COMPARE(moved.last().at(0).toLongLong(), line);
        QCOMPARE(moved.last().at(1).toLongLong(), qint64(9));
    }
    WindowFixture::closeWithoutSaving(window.get());
}

// What a batch script or a job of version 1 was made into has the name of a file that does not exist yet.
void TstRunPage::failedConversionIsShownAgain()
{
    QByteArray yaml = sampleJob;
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "./nope.sh");
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    DesignerPage *designer = window->newDocument(yaml, {});
    QVERIFY(designer);
    m_fixture.write(QStringLiteral("converted/run.sbatch"), "#!/bin/sh\n");
    designer->setOriginFile(m_fixture.path(QStringLiteral("converted/run.pai.yaml")));
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *run = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(run->summary().state, State::Failed, 30'000);
    auto *open = run->findChild<QPushButton *>(QStringLiteral("failureDocument"));
    QTRY_VERIFY_WITH_TIMEOUT(open && open->isVisible(), 10'000);
    designer->applyEdits({edit::SetText{{QStringLiteral("name")}, QStringLiteral("another")}});
    QTRY_VERIFY(designer->bytes().contains("another"));
    open->click();
    QTRY_COMPARE_WITH_TIMEOUT(window->currentDesigner(), designer, 10'000);
    WindowFixture::closeWithoutSaving(window.get());
}

// The text that a new run was given is in no file: the file is not what is to be corrected first.
void TstRunPage::failedChangeIsNotInTheFile()
{
    QByteArray yaml = sampleJob + "parameters: {lr: 0.5}\n";
    yaml.replace("for i in 1 2 3; do echo hello $i; done", "./nope.sh");
    const auto window = WindowFixture::makeWindow(true);
    window->show();
    DesignerPage *designer = window->openFile(m_fixture.write(QStringLiteral("changed/changed.pai.yaml"), yaml));
    QVERIFY(designer);
    QTRY_VERIFY(window->action("run")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(window->client()->status(), EngineClient::Status::Ready, 15'000);
    window->action("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun(), 10'000);
    RunPage *first = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(first->summary().state, State::Failed, 30'000);
    const auto documentOf
        = [](const RunPage *run) { return run->findChild<QPushButton *>(QStringLiteral("failureDocument")); };
    const auto says = [&documentOf](const RunPage *run) {
        return documentOf(run)->parentWidget()->findChild<QLabel *>(QStringLiteral("detail"))->text();
    };
    QTRY_VERIFY_WITH_TIMEOUT(documentOf(first)->isVisible(), 10'000);
    QTRY_COMPARE(buttonKind(documentOf(first)), ButtonKind::Primary);
    QVERIFY2(!says(first).contains(QStringLiteral("differs")), qPrintable(says(first)));
    const YamlPath path{QStringLiteral("parameters"), QStringLiteral("lr")};
    Q_EMIT first->changeRequested(
        {QStringLiteral("rate.tenth"), path, 0.5, 0.05, QStringLiteral("lr"), edit::SetValue{path, "0.05"}});
    const auto dialog = [&] { return window->findChild<QDialog *>(QStringLiteral("changeDialog")); };
    QTRY_VERIFY_WITH_TIMEOUT(dialog() && dialog()->isVisible(), 10'000);
    dialog()->findChild<QPushButton *>(QStringLiteral("changeRun"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->currentRun() && window->currentRun() != first, 10'000);
    RunPage *second = window->currentRun();
    QTRY_COMPARE_WITH_TIMEOUT(second->summary().state, State::Failed, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(says(second).contains(QStringLiteral("differs")), 10'000);
    QCOMPARE(buttonKind(documentOf(second)), ButtonKind::Normal);
    const auto buttons = second->findChild<FailurePanel *>()->findChildren<QPushButton *>();
    const auto edit = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const QPushButton *button) { return button->text() == QLatin1String("Edit as new"); });
    QVERIFY(edit != buttons.cend());
    QCOMPARE(buttonKind(*edit), ButtonKind::Primary);
    (*edit)->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        window->currentDesigner() && window->currentDesigner()->bytes().contains("lr: 0.05"), 10'000);
    WindowFixture::closeWithoutSaving(window.get());
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

TRAINYARD_GUI_TEST(TstRunPage)
#include "tst_runpage.moc"
