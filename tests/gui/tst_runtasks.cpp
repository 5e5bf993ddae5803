// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/runpagetests.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runhistory.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/runpanes.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;

// The tasks and the failure of a run on its page: what they say can be read in little room.
class TstRunTasks : public RunPageTests
{
    Q_OBJECT

private Q_SLOTS:
    void failureIsNotCut_data();
    void failureIsNotCut();
    void narrowTasksShowTheirTime();
    void filterSaysHowManyItShows();
    void hostsAreReadable();
    void exitsLeaveTheHostReadable();
    void triesNameTheirHost();
    void pausedTasksStandStill();
    void formerAttemptSaysItsState();
    void exitStatusComesFirst();
};

void TstRunTasks::failureIsNotCut_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("960 x 600 at 150 %") << QSize(708, 496);
    QTest::newRow("smaller") << QSize(560, 380);
    QTest::newRow("large") << QSize(1150, 780);
}

void TstRunTasks::failureIsNotCut()
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
    // Low pages scroll to them.
    const auto *scroll = page.findChild<QScrollArea *>(QStringLiteral("runScroll"));
    QVERIFY(view->height() >= 60);
    QVERIFY(view->mapTo(scroll->widget(), QPoint(0, view->height())).y() <= scroll->widget()->height());
    if (size.height() > 700) {
        QVERIFY(view->mapTo(&page, QPoint(0, view->height())).y() <= size.height());
        QTRY_VERIFY(!panel->findChild<QScrollArea *>()->verticalScrollBar()->isVisible());
    }
}

void TstRunTasks::narrowTasksShowTheirTime()
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

void TstRunTasks::filterSaysHowManyItShows()
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
void TstRunTasks::hostsAreReadable()
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
void TstRunTasks::exitsLeaveTheHostReadable()
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

void TstRunTasks::triesNameTheirHost()
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

// The tasks of a paused job are halted too, and so are their clocks and that of the job.
void TstRunTasks::pausedTasksStandStill()
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
void TstRunTasks::formerAttemptSaysItsState()
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

// The status of the program first, our code behind it.
void TstRunTasks::exitStatusComesFirst()
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

TRAINYARD_GUI_TEST(TstRunTasks)
#include "tst_runtasks.moc"
