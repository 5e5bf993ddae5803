// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/runlink.h"
#include "engine/contract/environmentrecord.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffview.h"
#include "widgets/editor/codeview.h"
#include "widgets/log/logfindrow.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/bringdialog.h"
#include "widgets/tasks/configurationview.h"
#include "widgets/tasks/environmentview.h"
#include "widgets/tasks/eventsview.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/storykeeper.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/tasks/timelinepicture.h"
#include "widgets/tasks/timelineview.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QWheelEvent>

using namespace trainyard;

namespace
{

TaskInfo pageTask(int index, State state, int attempt = 0, int number = 0)
{
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.index = index;
    task.attempt = attempt;
    task.tries = number;
    task.state = state;
    task.created = 1'700'000'000'000 + attempt * 60'000;
    task.launched = task.tryLaunched = *task.created + 5000 + number * 10'000;
    if (isFinal(state)) {
        task.completed = *task.tryLaunched + 8000;
    }
    return task;
}

JobDetail pageDetail(int attempts)
{
    JobDetail detail;
    detail.summary.id = 7;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("resnet");
    detail.summary.state = State::Failed;
    detail.summary.submitted = 1'700'000'000'000;
    detail.summary.completed = 1'700'000'100'000;
    detail.yaml = "name: resnet\nretryCount: 1\n";
    for (int i = 0; i < attempts; ++i) {
        AttemptInfo attempt;
        attempt.index = i;
        attempt.state = State::Failed;
        attempt.created = 1'700'000'000'000 + i * 60'000;
        attempt.launched = *attempt.created + 5000;
        attempt.completed = *attempt.created + 30'000;
        detail.attempts.append(attempt);
    }
    return detail;
}

} // namespace

// The tabs below the tasks of a run, and what can be done with the tasks.
class TstRunTabs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void timelineShowsTheRun();
    void unreadTriesAreSaid();
    void clickInTheTimelineChooses();
    void onlyRowsInSightAreRead();
    void namesInTheTimelineAreWhole();
    void wheelAndKeysZoom();
    void eventsAreFilteredAndCopied();
    void environmentIsShown();
    void configurationIsColoured();
    void configurationIsOfTheAttempt();
    void keyOfTheSearch();
    void filesAreShown();
    void filesOnAHostAreBrought();
    void sharedFilesAreOpenedHere();
    void filesAreBroughtByADialog();
    void tasksAreSorted();
    void chosenTasksAreCopied();
    void failedTaskIsInSight();
    void useIsShownWhereThereIsRoom();

private:
    // Keys such as that of Copy go to what has the focus of the active window.
    static bool takeFocus(QWidget *widget)
    {
        widget->window()->activateWindow();
        widget->setFocus();
        return QTest::qWaitForWindowActive(widget->window());
    }
    static void openTab(RunPage &page, const QString &name)
    {
        auto *tabs = page.findChild<QTabBar *>();
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->tabText(i).startsWith(name)) {
                QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
                if (!page.findChild<QWidget *>(QStringLiteral("runPageHistory"))->isVisible()) {
                    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
                }
            }
        }
    }
};
TRAINYARD_GUI_TEST(TstRunTabs)

void TstRunTabs::timelineShowsTheRun()
{
    RunPage page;
    QSignalSpy asked(page.story(), &StoryKeeper::triesRequested);
    page.setDetail(pageDetail(2));
    page.setTasks(1, {pageTask(0, State::Failed, 1), pageTask(1, State::Succeeded, 1)});
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *timeline = page.findChild<TimelineView *>();
    openTab(page, QStringLiteral("Timeline"));
    QTRY_VERIFY(timeline->isVisible());
    QCOMPARE(asked.size(), 2); // both attempts, each once
    QTRY_COMPARE(timeline->timeline().rows.size(), 2);
    QCOMPARE(timeline->timeline().attempts.size(), 2);
    page.story()->setAttemptTries(0, {pageTask(0, State::Failed, 0, 0), pageTask(0, State::Failed, 0, 1)});
    QTRY_COMPARE(timeline->timeline().rows.at(0).bars.size(), 6);
    QVERIFY(!timeline->grab().isNull());
    QVERIFY(page.findChild<QTabBar *>()->tabText(2).startsWith(QStringLiteral("Events 1")));
}

// The engine is away, or its record is damaged: that is said, and the tries are asked for again.
void TstRunTabs::unreadTriesAreSaid()
{
    RunPage page;
    QSignalSpy asked(page.story(), &StoryKeeper::triesRequested);
    page.setDetail(pageDetail(1));
    page.resize(1100, 700);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    openTab(page, QStringLiteral("Timeline"));
    QCOMPARE(asked.size(), 1);
    const auto *explanation = page.findChild<ElidedLabel *>(QStringLiteral("historyExplanation"));
    QVERIFY(explanation && explanation->text().isEmpty());
    page.story()->setTriesFailed(0, QStringLiteral("The record is damaged."));
    QTRY_COMPARE(explanation->text(), QStringLiteral("The record is damaged."));
    QCOMPARE(asked.size(), 1); // not without end
    page.setDetail(pageDetail(1)); // the next change
    QCOMPARE(asked.size(), 2);
    page.story()->setAttemptTries(0, {pageTask(0, State::Failed, 0, 0)});
    QTRY_VERIFY(explanation->text().isEmpty());
    page.setDetail(pageDetail(1));
    QCOMPARE(asked.size(), 2);
    // Without an engine nothing comes.
    EngineClient client;
    RunPage alone;
    new RunLink(&client, QStringLiteral("u"), &alone);
    alone.setDetail(pageDetail(1));
    alone.resize(1100, 700);
    alone.show();
    QVERIFY(QTest::qWaitForWindowExposed(&alone));
    openTab(alone, QStringLiteral("Timeline"));
    const auto *why = alone.findChild<ElidedLabel *>(QStringLiteral("historyExplanation"));
    QTRY_VERIFY(!why->text().isEmpty());
}

void TstRunTabs::clickInTheTimelineChooses()
{
    RunPage page;
    page.setDetail(pageDetail(2));
    page.setTasks(1, {pageTask(0, State::Failed, 1), pageTask(1, State::Succeeded, 1)});
    page.resize(1100, 700);
    page.show();
    openTab(page, QStringLiteral("Timeline"));
    page.story()->setAttemptTries(0, {pageTask(0, State::Failed, 0, 0), pageTask(1, State::Stopped, 0, 0)});
    auto *timeline = page.findChild<TimelineView *>();
    QTRY_COMPARE(timeline->timeline().rows.size(), 2);
    QTRY_COMPARE(timeline->timeline().rows.at(1).bars.size(), 4);
    QSignalSpy attempts(&page, &RunPage::attemptRequested);
    // A try of the attempt that is shown: its task is chosen.
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->rectOf(1, 3).center());
    QCOMPARE(page.tasksPane()->currentTask()->index, 1);
    QVERIFY(attempts.isEmpty());
    // One of another attempt: that is asked for first.
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->rectOf(0, 1).center());
    QCOMPARE(attempts.size(), 1);
    QCOMPARE(attempts.constFirst().constFirst().toInt(), 0);
    QCOMPARE(page.tasksPane()->currentTask()->index, 0);
}

void TstRunTabs::onlyRowsInSightAreRead()
{
    RunStory story;
    for (int i = 0; i < 5000; ++i) {
        TaskInfo task = pageTask(i, State::Running);
        task.logFolder = QStringLiteral("/logs/%1").arg(i);
        story.tries.append(task);
    }
    TimelineView view;
    view.resize(800, 300);
    QSignalSpy sight(&view, &TimelineView::rowsInSightChanged);
    view.show();
    view.setStory(story, *story.tries.constFirst().tryLaunched + 60'000);
    QVERIFY(!sight.isEmpty());
    const QStringList first = sight.takeLast().constFirst().toStringList();
    QVERIFY(first.size() > 3 && first.size() < 20);
    view.verticalScrollBar()->setValue(4000);
    const QStringList later = sight.takeLast().constFirst().toStringList();
    QVERIFY(later.contains(QStringLiteral("/logs/4000")) && later.size() < 20);
}

// The longest name is not always the widest one.
void TstRunTabs::namesInTheTimelineAreWhole()
{
    for (const QString &role : {QStringLiteral("main"), QStringLiteral("WMWM"), QStringLiteral("worker")}) {
        RunStory story;
        story.tries = {pageTask(0, State::Failed), pageTask(1, State::Failed)};
        story.tries[0].role = role;
        story.tries[1].role = QStringLiteral("iiiiii");
        TimelineView view;
        view.resize(800, 300);
        view.show();
        view.setStory(story, 1'700'000'100'000);
        const int room = view.scale().left - 2 * TimelinePicture::labelSpace;
        const QString label = role + QStringLiteral("/0");
        QCOMPARE(QFontMetrics(fonts::ui()).elidedText(label, Qt::ElideMiddle, room), label);
    }
}

void TstRunTabs::wheelAndKeysZoom()
{
    RunStory story;
    story.tries = {pageTask(0, State::Failed), pageTask(1, State::Succeeded)};
    TimelineView view;
    view.resize(800, 300);
    view.show();
    view.setStory(story, 1'700'000'100'000);
    const TimeScale whole = view.scale();
    const QPointF at(500, 100);
    QWheelEvent nearer(
        at, view.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &nearer);
    QVERIFY(view.scale().to - view.scale().from < whole.to - whole.from);
    QVERIFY(std::abs(view.scale().x(whole.time(500)) - 500) < 1); // what is under the pointer stays there
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.scale(), whole);
    QSignalSpy chosen(&view, &TimelineView::tryChosen);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen.constLast().at(2).toInt(), 1);
}

void TstRunTabs::eventsAreFilteredAndCopied()
{
    RunStory story;
    story.job.submitted = 1'700'000'000'000;
    story.tries = {pageTask(0, State::Failed), pageTask(1, State::Succeeded)};
    EventsView events;
    events.resize(700, 300);
    events.show();
    events.setStory(story);
    QCOMPARE(events.count(), 4); // submitted, both started, two ends
    QSignalSpy chosen(&events, &EventsView::tryChosen);
    auto *field = events.findChild<QLineEdit *>();
    field->setText(QStringLiteral("failed"));
    QCOMPARE(events.view()->model()->rowCount(), 1);
    QTest::mouseClick(events.view()->viewport(), Qt::LeftButton, {},
        events.view()->visualRect(events.view()->model()->index(0, 2)).center());
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.constFirst().at(1).toString(), QStringLiteral("w"));
    QVERIFY(takeFocus(events.view()));
    QTest::keySequence(events.view(), QKeySequence::Copy);
    QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("\tw/0 ended after 8.0 s: failed")),
        qPrintable(QGuiApplication::clipboard()->text()));
    field->clear();
    QCOMPARE(events.view()->model()->rowCount(), 4);
}

void TstRunTabs::environmentIsShown()
{
    const QTemporaryDir folder;
    contract::EnvironmentRecord record;
    record.at = 1'700'000'000'000;
    record.host.name = "lab1";
    record.variables = {{"CUDA_VISIBLE_DEVICES", "0"}, {"PATH", "/a:/b"}};
    record.git
        = contract::GitRecord{"/code", "1234567890abcdef", "main", true, "diff --git a/x b/x\n+y\n", false, {}, 0};
    record.python = contract::PythonRecord{"/usr/bin/python3", "/usr/bin/python3", "3.11", {{"numpy", "1.26.4"}}};
    QFile file(folder.filePath(QStringLiteral("environment.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(contract::environmentJson(record)));
    file.close();
    EnvironmentView view;
    view.resize(900, 400);
    view.show();
    TaskInfo task = pageTask(0, State::Running);
    task.logFolder = folder.path();
    view.setTry(task);
    const auto texts = [&view] {
        QStringList lines;
        const QAbstractItemModel *model = view.view()->model();
        for (int group = 0; group < model->rowCount(); ++group) {
            const QModelIndex parent = model->index(group, 0);
            for (int row = 0; row < model->rowCount(parent); ++row) {
                lines.append(model->index(row, 0, parent).data().toString() + QLatin1Char('=')
                    + model->index(row, 1, parent).data().toString());
            }
        }
        return lines;
    };
    QTRY_VERIFY(texts().contains(QStringLiteral("numpy=1.26.4")));
    QVERIFY(texts().contains(QStringLiteral("Commit=main, 1234567890abcdef")));
    QVERIFY(texts().contains(QStringLiteral("CUDA_VISIBLE_DEVICES=0")));
    const auto *noRow = view.findChild<QWidget *>(QStringLiteral("environmentNoRow"));
    QVERIFY(noRow->isVisible());
    auto *field = view.findChild<QLineEdit *>();
    field->setText(QStringLiteral("uncommitted"));
    QCOMPARE(texts().size(), 1);
    view.view()->setCurrentIndex(view.view()->model()->index(0, 0, view.view()->model()->index(0, 0)));
    QVERIFY(view.findChild<QPlainTextEdit *>()->toPlainText().contains(QStringLiteral("+y")));
    QVERIFY(!noRow->isVisible());
    field->setText(QStringLiteral("PATH"));
    view.view()->setCurrentIndex(view.view()->model()->index(0, 0, view.view()->model()->index(0, 0)));
    QCOMPARE(view.findChild<QPlainTextEdit *>()->toPlainText(), QStringLiteral("/a\n/b"));
    QVERIFY(takeFocus(view.view()));
    QTest::keySequence(view.view(), QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("PATH=/a:/b"));
}

void TstRunTabs::configurationIsColoured()
{
    ConfigurationView view;
    view.setText("name: x\n");
    QVERIFY(!view.code()); // nobody has looked
    view.resize(600, 200);
    view.show();
    QVERIFY(view.code() && view.code()->isReadOnly());
    QVERIFY(view.code()->SendScintilla(QsciScintillaBase::SCI_GETMARGINLEFT) >= metrics::space2); // as other tabs have
    view.setText("name: resnet\n");
    QCOMPARE(view.code()->allBytes(), QByteArray("name: resnet\n"));
    QVERIFY(view.code()->isReadOnly());
    const auto buttons = view.controls()->findChildren<QToolButton *>();
    for (QToolButton *button : buttons) {
        button->click();
    }
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("name: resnet\n"));
    QVERIFY(view.findChild<QFrame *>(QStringLiteral("findBar"))->isVisible());
}

// A job that was tried again with a changed text: each attempt with the text that it ran with, and what was changed.
void TstRunTabs::configurationIsOfTheAttempt()
{
    RunPage page;
    JobDetail detail = pageDetail(3);
    detail.summary.retries = 2;
    detail.yaml = "name: x\nparameters: {fail: 0}\n";
    const QByteArray first = "name: x\nparameters: {fail: 4}\n";
    detail.earlierTexts = {{0, false}, {1, true, first, {}}};
    page.setTasks(2, {});
    page.setDetail(detail);
    page.resize(1200, 900);
    page.show();
    openTab(page, QStringLiteral("Configuration"));
    auto *view = page.findChild<ConfigurationView *>();
    QTRY_VERIFY(view->code() && view->code()->isVisible());
    auto *compare = page.findChild<QToolButton *>(QStringLiteral("compareAttempts"));
    const auto *note = page.findChild<QLabel *>(QStringLiteral("configurationNote"));
    QVERIFY(compare && note);
    QCOMPARE(view->code()->allBytes(), detail.yaml);
    QVERIFY(compare->isVisible() && !note->isVisible());
    QTest::mouseClick(compare, Qt::LeftButton);
    const auto *diff = view->findChild<DiffView *>();
    QVERIFY(diff && diff->isVisible());
    QCOMPARE(diff->changeCount(), qsizetype(1));
    page.setTasks(1, {}); // of the one before it nothing is known
    QCOMPARE(view->code()->allBytes(), first);
    QVERIFY(!compare->isVisible() && !note->isVisible() && !diff->isVisible());
    page.setTasks(0, {});
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().startsWith(QStringLiteral("The text of attempt 1 is not known")), qPrintable(note->text()));
}

// The log and the configuration are on the page together, and each has a search with the same key.
void TstRunTabs::keyOfTheSearch()
{
    RunPage page;
    page.setDetail(pageDetail(1));
    page.resize(1200, 900);
    page.show();
    openTab(page, QStringLiteral("Configuration"));
    auto *view = page.findChild<ConfigurationView *>();
    QTRY_VERIFY(view->isVisible() && page.logPane()->isVisible());
    view->setText("name: resnet\n"); // before, there is nothing to search in
    QTRY_VERIFY(view->code() && view->code()->isVisible());
    const auto *ofLog = page.findChild<LogFindRow *>();
    QVERIFY(takeFocus(view->code()));
    QTRY_VERIFY(view->code()->hasFocus());
    QTest::keySequence(view->code(), QKeySequence::Find);
    QTRY_VERIFY(view->findChild<QFrame *>(QStringLiteral("findBar"))->isVisible());
    QVERIFY(!ofLog->isVisible());
    QWidget *tasks = page.tasksPane()->view();
    QVERIFY(takeFocus(tasks));
    QTRY_VERIFY(tasks->hasFocus());
    QTest::keySequence(tasks, QKeySequence::Find);
    QTRY_VERIFY(ofLog->isVisible());
}

void TstRunTabs::filesAreShown()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("notes.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("what is in it\n") > 0);
    file.close();
    FilesView view;
    view.resize(900, 400);
    view.show();
    TaskInfo task = pageTask(0, State::Succeeded);
    task.host = QStringLiteral("local");
    task.logFolder = folder.path();
    view.setTry(task, {});
    QTRY_COMPARE(view.list()->topLevelItemCount(), 1);
    view.list()->setCurrentItem(view.list()->topLevelItem(0));
    QTRY_VERIFY(view.previewText().contains(QStringLiteral("what is in it")));
    QSignalSpy opened(&view, &FilesView::openRequested);
    QTest::keyClick(view.list(), Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.constFirst().constFirst().toString(), file.fileName());
}

// The work folder of a task on another host is listed by others, and what is chosen there can be brought here.
void TstRunTabs::filesOnAHostAreBrought()
{
    const QTemporaryDir folder;
    FilesView view;
    view.resize(900, 400);
    view.show();
    view.controls()->show();
    QSignalSpy wanted(&view, &FilesView::hostFilesWanted);
    QSignalSpy bring(&view, &FilesView::bringRequested);
    QSignalSpy opened(&view, &FilesView::openRequested);
    TaskInfo task = pageTask(0, State::Running);
    task.host = QStringLiteral("lab1");
    task.logFolder = folder.path();
    view.setTry(task, QStringLiteral("lab1"));
    auto *which = view.controls()->findChild<SegmentedControl *>();
    QVERIFY(which && which->isVisibleTo(view.controls()));
    auto *button = view.controls()->findChild<QToolButton *>(QStringLiteral("bringFiles"));
    QVERIFY(button && !button->isVisibleTo(view.controls()));
    which->setCurrentIndex(1);
    QTRY_COMPARE(wanted.size(), 1);
    api::TaskFileList told;
    told.host = QStringLiteral("lab1");
    told.work = QStringLiteral("/home/ada/work");
    told.files = {{QStringLiteral("a.csv"), 10, 0}, {QStringLiteral("out/deep/b.pt"), 20, 0}};
    TaskInfo other = task;
    other.index = task.index + 1;
    view.setHostFiles(other, told); // of another task
    QCOMPARE(view.list()->topLevelItemCount(), 0);
    other = task;
    other.attempt = task.attempt + 1;
    view.setHostFiles(other, told); // of another attempt, whose files may be others
    QCOMPARE(view.list()->topLevelItemCount(), 0);
    view.setHostFiles(task, told);
    QStringList names;
    for (int i = 0; i < view.list()->topLevelItemCount(); ++i) {
        names.append(view.list()->topLevelItem(i)->text(0));
    }
    QCOMPARE(names,
        (QStringList{QStringLiteral("a.csv"), QStringLiteral("out/"), QStringLiteral("out/deep/"),
            QStringLiteral("out/deep/b.pt")}));
    QVERIFY(button->isVisibleTo(view.controls()) && !button->isEnabled());
    view.list()->topLevelItem(0)->setSelected(true);
    view.list()->topLevelItem(1)->setSelected(true);
    QVERIFY(button->isEnabled());
    button->click();
    QCOMPARE(bring.size(), 1);
    QCOMPARE(bring.constFirst().at(1).toStringList(), (QStringList{QStringLiteral("a.csv"), QStringLiteral("out/")}));
    QTest::keyClick(view.list(), Qt::Key_Return);
    QVERIFY(opened.isEmpty()); // it is not here
    view.setHostFiles(task, fail(QStringLiteral("host.gone")));
    QVERIFY(!view.list()->isVisible());

    BroughtFiles brought;
    brought.role = task.role;
    brought.index = task.index;
    brought.to = QStringLiteral("/home/ada/results");
    brought.files = 3;
    brought.problems = {{QStringLiteral("results.links"), {{QStringLiteral("files"), 2}}}};
    auto *line = view.findChild<ElidedLabel *>(QStringLiteral("broughtLine"));
    QVERIFY(line && line->isHidden());
    view.setBrought({brought});
    QVERIFY(line->isVisible());
    QVERIFY(line->text().contains(QStringLiteral("3 files")));
    QVERIFY(line->text().contains(QStringLiteral("2 links")));
}

// Nothing need be brought of a folder that the host has from this computer, or from where this one has it, too.
void TstRunTabs::sharedFilesAreOpenedHere()
{
    const QTemporaryDir logs, work;
    QFile file(work.filePath(QStringLiteral("metrics.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("step,loss\n") > 0);
    file.close();
    FilesView view;
    view.resize(900, 400);
    view.show();
    view.controls()->show();
    QSignalSpy wanted(&view, &FilesView::hostFilesWanted);
    QSignalSpy opened(&view, &FilesView::openRequested);
    TaskInfo task = pageTask(0, State::Succeeded);
    task.host = QStringLiteral("lab1");
    task.logFolder = logs.path();
    view.setTry(task, QStringLiteral("lab1"));
    auto *which = view.controls()->findChild<SegmentedControl *>();
    auto *bring = view.controls()->findChild<QToolButton *>(QStringLiteral("bringFiles"));
    auto *folder = view.controls()->findChild<QToolButton *>(QStringLiteral("openFilesFolder"));
    QVERIFY(which && bring && folder);
    which->setCurrentIndex(1);
    QTRY_COMPARE(wanted.size(), 1);
    QVERIFY(!folder->isVisibleTo(view.controls())); // it may be anywhere as yet
    api::TaskFileList told;
    told.host = QStringLiteral("lab1");
    told.work = work.path();
    told.isHere = true;
    told.files = {{QStringLiteral("metrics.csv"), 10, 0}};
    view.setHostFiles(task, told);
    QVERIFY(!bring->isVisibleTo(view.controls()));
    QVERIFY(folder->isVisibleTo(view.controls()));
    QTRY_COMPARE(view.list()->topLevelItemCount(), 1);
    QCOMPARE(view.list()->topLevelItem(0)->text(0), QStringLiteral("metrics.csv"));
    view.list()->setCurrentItem(view.list()->topLevelItem(0));
    QTRY_VERIFY(view.previewText().contains(QStringLiteral("step,loss")));
    folder->click();
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened.constFirst().constFirst().toString(), work.path());
    // Both choices stay, and another task is asked about anew.
    which->setCurrentIndex(0);
    QTRY_COMPARE(view.list()->topLevelItemCount(), 0);
    QVERIFY(which->isVisibleTo(view.controls()));
    which->setCurrentIndex(1);
    QTRY_COMPARE(view.list()->topLevelItemCount(), 1);
    QCOMPARE(wanted.size(), 1);
    const QTemporaryDir others;
    task.index = 1;
    task.logFolder = others.path();
    view.setTry(task, QStringLiteral("lab1"));
    QTRY_COMPARE(wanted.size(), 2);
    QVERIFY(bring->isVisibleTo(view.controls()));
}

void TstRunTabs::filesAreBroughtByADialog()
{
    QPointer<BringDialog> dialog
        = new BringDialog(QStringLiteral("main/0"), QStringLiteral("lab1"), QStringLiteral("/tmp/results"));
    QSignalSpy look(dialog, &BringDialog::lookWanted);
    QSignalSpy bring(dialog, &BringDialog::bringWanted);
    QSignalSpy cancelled(dialog, &BringDialog::cancelled);
    dialog->show();
    QTRY_COMPARE(look.size(), 1);
    QCOMPARE(look.constFirst().constFirst().toString(), QStringLiteral("/tmp/results"));
    auto *button = dialog->findChild<QPushButton *>(QStringLiteral("bringButton"));
    auto *text = dialog->findChild<QLabel *>(QStringLiteral("bringText"));
    QVERIFY(button && !button->isEnabled() && text);
    dialog->setPreview(0, 0, 4, {});
    QVERIFY(!button->isEnabled());
    dialog->setPreview(3, 3 << 20, 1, {});
    QVERIFY(text->text().contains(QStringLiteral("3 files")));
    QVERIFY(text->text().contains(QStringLiteral("One is here already")));
    button->click();
    QCOMPARE(bring.size(), 1);
    QVERIFY(!button->isEnabled());
    dialog->setProgress(1, 1 << 20, QStringLiteral("a.csv"));
    QVERIFY(text->text().contains(QStringLiteral("1 of 3 files")));
    auto *progress = dialog->findChild<QProgressBar *>();
    QVERIFY(progress->isVisible() && progress->value() > 0 && progress->value() < progress->maximum());
    dialog->setEnded(3, {});
    QVERIFY(text->text().contains(QStringLiteral("/tmp/results")));
    dialog->close();
    QVERIFY(cancelled.isEmpty());
    QTRY_VERIFY(!dialog);

    // Closed before the end, it says so.
    auto *second = new BringDialog(QStringLiteral("main/0"), QStringLiteral("lab1"), QStringLiteral("/tmp/results"));
    QSignalSpy looked(second, &BringDialog::lookWanted);
    QSignalSpy stopped(second, &BringDialog::cancelled);
    second->show();
    QTRY_COMPARE(looked.size(), 1);
    second->setPreview(1, 10, 0, {});
    second->findChild<QPushButton *>(QStringLiteral("bringButton"))->click();
    second->reject();
    QCOMPARE(stopped.size(), 1);
}

void TstRunTabs::tasksAreSorted()
{
    TasksPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setTasks({pageTask(0, State::Succeeded), pageTask(1, State::Running), pageTask(2, State::Failed),
        pageTask(3, State::Running)});
    const auto order = [&pane] {
        QString text;
        const QModelIndex role = pane.view()->model()->index(0, 0);
        for (int row = 0; row < pane.view()->model()->rowCount(role); ++row) {
            text += pane.view()->model()->index(row, 0, role).data().toString();
        }
        return text;
    };
    QCOMPARE(order(), QStringLiteral("0123"));
    pane.view()->sortByColumn(TasksModel::StateColumn, Qt::AscendingOrder);
    QCOMPARE(order(), QStringLiteral("2130"));
    pane.view()->sortByColumn(TasksModel::StateColumn, Qt::DescendingOrder);
    QCOMPARE(order(), QStringLiteral("0132")); // those that are alike keep the order of their numbers
    TaskInfo ended = pageTask(1, State::Failed);
    pane.apply({ended});
    QCOMPARE(order(), QStringLiteral("0312"));
    pane.view()->sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(order(), QStringLiteral("0123"));
}

void TstRunTabs::chosenTasksAreCopied()
{
    TasksPane pane;
    pane.resize(900, 300);
    pane.show();
    TaskInfo first = pageTask(0, State::Running), second = pageTask(1, State::Running);
    first.logFolder = QStringLiteral("/logs/a");
    first.host = QStringLiteral("local");
    second.logFolder = QStringLiteral("/logs/b");
    pane.setTasks({first, second});
    pane.view()->selectAll();
    QVERIFY(takeFocus(pane.view()));
    QTest::keySequence(pane.view(), QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 3);
    QMenu *menu = pane.findChild<QToolButton *>(QStringLiteral("tasksMore"))->menu();
    const auto entry = [menu](const QString &text) {
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions()) {
            if (action->text().startsWith(text)) {
                return action;
            }
        }
        return static_cast<QAction *>(nullptr);
    };
    QSignalSpy opened(&pane, &TasksPane::openRequested);
    entry(QStringLiteral("Open 2 log"))->trigger();
    QCOMPARE(opened.size(), 2);
    QVERIFY(!entry(QStringLiteral("Open a terminal"))->isEnabled()); // one at a time
    pane.setCurrentTask(QStringLiteral("w"), 0);
    QSignalSpy terminals(&pane, &TasksPane::terminalRequested);
    entry(QStringLiteral("Open a terminal"))->trigger();
    QCOMPARE(terminals.size(), 1);
    QSignalSpy hosts(&pane, &TasksPane::hostRequested);
    entry(QStringLiteral("Show local on the page Hosts"))->trigger();
    QCOMPARE(hosts.size(), 1);
    QCOMPARE(hosts.at(0).at(0).toString(), first.host);
    TaskInfo onNode = first;
    onNode.host = QStringLiteral("slurm:main/n12");
    pane.apply({onNode});
    QVERIFY(entry(QStringLiteral("Show n12 (main) on the page Hosts")));
    pane.setCurrentTask(QStringLiteral("w"), 1);
    QAction *none = entry(QStringLiteral("Show its host"));
    QVERIFY(none && !none->isEnabled()); // it has none
    pane.setCurrentTask(QStringLiteral("w"), 0);
    entry(QStringLiteral("Copy log path"))->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("/logs/a/output.log"));
}

// Of ten thousand tasks, the one that failed.
void TstRunTabs::failedTaskIsInSight()
{
    TasksPane pane;
    pane.resize(700, 300);
    pane.show();
    QList<TaskInfo> all;
    for (int i = 0; i < 10'000; ++i) {
        all.append(pageTask(i, State::Running));
    }
    pane.setTasks(all);
    QCOMPARE(pane.currentTask()->index, 0);
    QSignalSpy told(&pane, &TasksPane::currentTaskChanged);
    pane.apply({pageTask(7654, State::Failed)});
    QCOMPARE(pane.currentTask()->index, 7654);
    QCOMPARE(told.size(), 1);
    QVERIFY(pane.view()->viewport()->rect().contains(pane.view()->visualRect(pane.view()->currentIndex())));
    // Nobody is led away from what they chose.
    pane.setCurrentTask(QStringLiteral("w"), 5);
    pane.apply({pageTask(9000, State::Failed)});
    QCOMPARE(pane.currentTask()->index, 5);
}

void TstRunTabs::useIsShownWhereThereIsRoom()
{
    TasksPane pane;
    TaskInfo task = pageTask(0, State::Running);
    task.logFolder = QStringLiteral("/logs/a");
    task.host = QStringLiteral("local");
    pane.setTasks({task});
    pane.resize(900, 200);
    pane.show();
    QVERIFY(!pane.view()->header()->isSectionHidden(TasksModel::UseColumn));
    pane.resize(420, 200);
    QCoreApplication::processEvents();
    QVERIFY(pane.view()->header()->isSectionHidden(TasksModel::UseColumn));
    QVERIFY(!pane.view()->header()->isSectionHidden(TasksModel::HostColumn));
}

#include "tst_runtabs.moc"
