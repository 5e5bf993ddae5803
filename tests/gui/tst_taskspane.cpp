// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/listedtasks.h"
#include "tests/helpers/testregistry.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace trainyard;

// The list of the tasks of a run.
class TstTasksPane : public ListedTasks
{
    Q_OBJECT

private Q_SLOTS:
    void paneKeepsTheChoice();
    void choiceComesBack();
    void exitsHaveTheRoomThereIs();
    void timesAreWhole_data();
    void timesAreWhole();
    void focusIsSeenOnRoles();
    void tasksAreNamedAsAtTheShell();
};

void TstTasksPane::paneKeepsTheChoice()
{
    TasksPane pane;
    QSignalSpy chosen(&pane, &TasksPane::currentTaskChanged);
    pane.setTasks(tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R")}));
    QCOMPARE(pane.currentTask()->index, 0); // the first one by itself
    pane.setCurrentTask(QStringLiteral("w"), 1);
    pane.setTasks(tasks({QStringLiteral("w 0 S"), QStringLiteral("w 1 S")}));
    QCOMPARE(pane.currentTask()->index, 1);
    chosen.clear();
    pane.apply(tasks({QStringLiteral("w 1 F")}));
    QCOMPARE(chosen.count(), 1); // its log may have come
    pane.apply(tasks({QStringLiteral("w 0 F")}));
    QCOMPARE(chosen.count(), 1);
}

// The task that was chosen when the window was closed is chosen again, although the tasks come later.
void TstTasksPane::choiceComesBack()
{
    const QList<TaskInfo> all = tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R"), QStringLiteral("w 2 R")});
    RunPage first;
    first.setTasks(0, all);
    const QByteArray untouched = first.saveLayout();
    first.tasksPane()->setCurrentTask(QStringLiteral("w"), 2);
    RunPage again;
    again.restoreLayout(first.saveLayout());
    again.setTasks(0, {});
    again.setTasks(0, all);
    QVERIFY(again.tasksPane()->currentTask());
    QCOMPARE(again.tasksPane()->currentTask()->index, 2);
    RunPage other;
    other.restoreLayout(untouched);
    other.setTasks(0, all);
    QCOMPARE(other.tasksPane()->currentTask()->index, 0);
}

// Words on the exit are cut short only where the pane is too narrow for them.
void TstTasksPane::exitsHaveTheRoomThereIs()
{
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 S"), QStringLiteral("w 1 F")});
    all[0].state = State::Stopped;
    all[0].exitCode = -220;
    all[1].exitCode = -2010;
    TasksPane pane;
    pane.resize(540, 300);
    pane.show();
    pane.setTasks({all.first()});
    const auto fits = [&] {
        const int room = pane.view()->header()->sectionSize(TasksModel::ExitColumn) - 12;
        const QList<TaskInfo> shown = pane.model()->tasks();
        return std::all_of(shown.cbegin(), shown.cend(), [&](const TaskInfo &task) {
            return pane.view()->fontMetrics().horizontalAdvance(TasksModel::exitText(task, {})) <= room;
        });
    };
    QVERIFY(fits());
    pane.setTasks(all);
    pane.resize(900, 300);
    QTRY_VERIFY(fits());
}

void TstTasksPane::timesAreWhole_data()
{
    QTest::addColumn<qreal>("scale");
    QTest::newRow("usual") << 1.0;
    QTest::newRow("large type") << 1.5;
}

// However long the words of an exit beside them are.
void TstTasksPane::timesAreWhole()
{
    QFETCH(const qreal, scale);
    TasksPane pane;
    QFont font = pane.view()->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    pane.view()->setFont(font);
    pane.resize(480, 300);
    pane.show();
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("w 1 F")});
    for (TaskInfo &task : all) {
        task.exitCode = -2010;
        task.host = QStringLiteral("a-host-with-a-long-name");
        task.launched = 0;
        task.completed = (12 * 3600 + 44 * 60 + 10) * qint64(1000);
    }
    pane.setTasks(all);
    const QHeaderView *header = pane.view()->header();
    const QModelIndex at = pane.model()->indexOf(QStringLiteral("w"), 0).siblingAtColumn(TasksModel::TimeColumn);
    QCOMPARE(at.data().toString(), QStringLiteral("12:44:10"));
    const auto fits = [&] {
        const int room = header->sectionSize(TasksModel::TimeColumn) - 6 - metrics::space2;
        return pane.view()->fontMetrics().horizontalAdvance(at.data().toString()) <= room
            && header->length() <= pane.view()->viewport()->width();
    };
    QTRY_VERIFY2(fits(), qPrintable(QString::number(header->sectionSize(TasksModel::TimeColumn))));
}

void TstTasksPane::focusIsSeenOnRoles()
{
    TasksPane pane;
    pane.resize(600, 300);
    pane.setTasks(tasks({QStringLiteral("worker 0 R"), QStringLiteral("worker 1 R")}));
    pane.show();
    QApplication::setActiveWindow(&pane);
    QTRY_VERIFY(pane.isActiveWindow());
    auto *view = pane.findChild<QTreeView *>(QStringLiteral("tasksView"));
    view->setFocus();
    const QModelIndex role = view->model()->index(0, 0);
    const QRect head(0, view->visualRect(role).top(), view->viewport()->width(), view->visualRect(role).height());
    const QImage without = view->viewport()->grab(head).toImage();
    QTest::keyClick(view, Qt::Key_Up);
    QCOMPARE(view->currentIndex().siblingAtColumn(0), role);
    QVERIFY(view->viewport()->grab(head).toImage() != without);
}

void TstTasksPane::tasksAreNamedAsAtTheShell()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 R"), QStringLiteral("w 3 W")}));
    page.tasksPane()->setCurrentTask(QStringLiteral("w"), 3);
    const TasksModel *model = page.tasksPane()->model();
    const QModelIndex task = model->indexOf(QStringLiteral("w"), 3);
    QVERIFY(task.data(Qt::ToolTipRole).toString().contains(QStringLiteral("w/3: ")));
    QVERIFY(task.data(TasksModel::SearchRole).toString().startsWith(QStringLiteral("w/3 ")));
    auto *log = page.findChild<LogPane *>();
    QCOMPARE(log->title(), QStringLiteral("w/3"));
    QMenu *menu = log->titleButton()->menu();
    QVERIFY(menu);
    Q_EMIT menu->aboutToShow();
    QCOMPARE(menu->actions().constLast()->text(), QStringLiteral("w/3"));
}

TRAINYARD_GUI_TEST(TstTasksPane)
#include "tst_taskspane.moc"
