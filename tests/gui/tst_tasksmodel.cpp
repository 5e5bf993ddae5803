// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/listedtasks.h"
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/formats.h"

#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;

namespace
{

QString tasksPicture(const TasksModel &model)
{
    QStringList lines;
    for (int r = 0; r < model.rowCount(); ++r) {
        const QModelIndex role = model.index(r, 0);
        const auto counts = role.data(TasksModel::CountsRole).value<ShapeCounts>();
        QString line = QStringLiteral("%1 w%2 r%3 s%4 f%5:")
                           .arg(role.data().toString())
                           .arg(counts.value(StateShape::Waiting))
                           .arg(counts.value(StateShape::Running))
                           .arg(counts.value(StateShape::Succeeded))
                           .arg(counts.value(StateShape::Failed));
        for (int i = 0; i < model.rowCount(role); ++i) {
            line += QLatin1Char(' ') + model.index(i, 0, role).data().toString();
        }
        lines.append(line);
    }
    return lines.join(QLatin1Char('|'));
}

} // namespace

// The tasks of an attempt as a model: their order, and the words for their states, exits, numbers and hosts.
class TstTasksModel : public ListedTasks
{
    Q_OBJECT

private Q_SLOTS:
    void rolesAndOrder();
    void changesAreCoalesced();
    void exitsInWords();
    void pausedTasksSaySo();
    void stoppedTasksSaySo();
    void attemptsSayWhatEndedThem_data();
    void attemptsSayWhatEndedThem();
    void numbersOfTasksAreWhole();
    void namesHostsAsElsewhere();
    void newTasksAreAdded();
    void tenThousandTasks();
    void exitsAreShortenedByWords();
};

void TstTasksModel::rolesAndOrder()
{
    TasksModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTasks(tasks({QStringLiteral("worker 1 R"), QStringLiteral("worker 0 S"), QStringLiteral("ps 0 F")}));
    QCOMPARE(tasksPicture(model), QStringLiteral("worker w0 r1 s1 f0: 0 1|ps w0 r0 s0 f1: 0"));
    QCOMPARE(model.taskCount(), 3);
    QCOMPARE(model.indexOf(QStringLiteral("worker"), 1).row(), 1);
    QVERIFY(!model.indexOf(QStringLiteral("worker"), 7).isValid());
}

void TstTasksModel::changesAreCoalesced()
{
    TasksModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QStringList before;
    QStringList after;
    for (int i = 0; i < 50; ++i) {
        before.append(QStringLiteral("w %1 W").arg(i));
        after.append(QStringLiteral("w %1 R").arg(i));
    }
    model.setTasks(tasks(before));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.apply(tasks(after));
    QCOMPARE(changes.count(), 2); // the span of tasks, and the role
    QCOMPARE(model.index(0, 0).data(TasksModel::CountsRole).value<ShapeCounts>().value(StateShape::Running), 50);
    model.apply(tasks(after));
    QCOMPARE(changes.count(), 2);
}

void TstTasksModel::exitsInWords()
{
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("w 1 F"), QStringLiteral("w 2 S")});
    all[0].exitCode = 220;
    all[0].rawExit = 127;
    all[1].exitCode = 255; // that says nothing; the program's own status may
    all[1].rawExit = 3;
    all[2].exitCode = 0;
    TasksModel model;
    model.setTasks(all);
    const QModelIndex role = model.index(0, 0);
    const auto exit = [&](int row) { return model.index(row, TasksModel::ExitColumn, role).data().toString(); };
    QCOMPARE(exit(0), QStringLiteral("Exit status 127 (Command not found)"));
    QCOMPARE(exit(1), QStringLiteral("Exit status 3"));
    QCOMPARE(exit(2), QStringLiteral("0"));
}

// A paused job's tasks stand still, whatever the engine's word for them is.
void TstTasksModel::pausedTasksSaySo()
{
    TasksModel model;
    model.setTasks(tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 S")}));
    const QModelIndex role = model.index(0, 0);
    const auto state = [&](int row) { return model.index(row, TasksModel::StateColumn, role).data().toString(); };
    QCOMPARE(state(0), QStringLiteral("Running"));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    const auto counted = [&](StateShape shape) {
        return model.index(0, 0).data(TasksModel::CountsRole).value<ShapeCounts>().value(shape);
    };
    const int running = counted(StateShape::Running);
    QVERIFY(running > 0);
    model.setPaused(true);
    QCOMPARE(counted(StateShape::Running), 0);
    QCOMPARE(counted(StateShape::Paused), running);
    QVERIFY(!changes.isEmpty());
    QCOMPARE(state(0), QStringLiteral("Paused"));
    QCOMPARE(state(1), QStringLiteral("Succeeded"));
    model.setPaused(false);
    QCOMPARE(state(0), QStringLiteral("Running"));
}

// The code of a task that ends with its job says no more than that; who stopped the job knows why.
void TstTasksModel::stoppedTasksSaySo()
{
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 S"), QStringLiteral("w 1 S")});
    all[0].exitCode = 0;
    all[1].state = State::Stopped;
    all[1].exitCode = -220;
    JobDetail detail;
    detail.summary.state = State::Stopped;
    detail.summary.exitCode = -210;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Stopped;
    detail.attempts[0].exitCode = -210;
    RunPage page;
    page.setDetail(detail);
    page.setTasks(0, all);
    const TasksModel *model = page.tasksPane()->model();
    const auto exit
        = [&](int row) { return model->index(row, TasksModel::ExitColumn, model->index(0, 0)).data().toString(); };
    QCOMPARE(exit(0), QStringLiteral("0"));
    QCOMPARE(exit(1), QStringLiteral("Stopped with the job"));
    const QModelIndex stopped = model->index(1, TasksModel::ExitColumn, model->index(0, 0));
    QVERIFY(stopped.data(Qt::ToolTipRole).toString().contains(QStringLiteral("a user has stopped the job")));
    page.tasksPane()->setCurrentTask(QStringLiteral("w"), 1);
    const auto *tries = page.findChild<TryList *>();
    QVERIFY(tries && tries->topLevelItemCount() == 1);
    QCOMPARE(tries->topLevelItem(0)->text(5), QStringLiteral("Stopped with the job"));
    // Tasks end one after the other, before their attempt does.
    detail.summary.state = State::Stopping;
    detail.summary.stopRequested = true;
    detail.summary.exitCode.reset();
    detail.attempts[0].state = State::Stopping;
    detail.attempts[0].exitCode.reset();
    page.setDetail(detail);
    QCOMPARE(exit(1), QStringLiteral("Stopped with the job"));
    detail.summary.stopRequested = false;
    detail.summary.state = State::Succeeded;
    detail.summary.exitCode = 0;
    detail.attempts[0].state = State::Succeeded;
    detail.attempts[0].exitCode = 0;
    page.setDetail(detail);
    QCOMPARE(exit(1), QStringLiteral("Job ended"));
}

void TstTasksModel::attemptsSayWhatEndedThem_data()
{
    QTest::addColumn<AttemptInfo>("attempt");
    QTest::addColumn<QString>("started");
    QTest::addColumn<QString>("exit");
    QTest::addColumn<QString>("endedBy");
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QString today = formatTime(now, now);
    AttemptInfo attempt;
    attempt.created = now;
    attempt.started = now;
    attempt.state = State::Waiting;
    QTest::newRow("waits") << attempt << QString() << QString() << QString();
    attempt.launched = now;
    attempt.state = State::Running;
    QTest::newRow("runs") << attempt << today << QString() << QString();
    attempt.completed = now;
    attempt.state = State::Stopped;
    attempt.exitCode = -210;
    QTest::newRow("stopped") << attempt << today << QStringLiteral("−210") << QStringLiteral("Stopped by a user");
    attempt.state = State::Failed;
    attempt.exitCode = -1004;
    QTest::newRow("time limit") << attempt << today << QStringLiteral("−1004") << QStringLiteral("Time limit");
    attempt.exitCode = 1;
    attempt.triggerRule = QStringLiteral("minFailed");
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 3;
    QTest::newRow("failed") << attempt << today << QStringLiteral("1")
                            << QStringLiteral("Failure limit reached by w/3");
    attempt.exitCode = 232;
    attempt.triggerRawExit = 1;
    QTest::newRow("classified") << attempt << today << QStringLiteral("1 (232)")
                                << QStringLiteral("Failure limit reached by w/3");
    AttemptInfo old; // of an older engine
    old.started = now;
    old.state = State::Running;
    QTest::newRow("old") << old << today << QString() << QString();
}

void TstTasksModel::attemptsSayWhatEndedThem()
{
    QFETCH(const AttemptInfo, attempt);
    QFETCH(const QString, started);
    QFETCH(const QString, exit);
    QFETCH(const QString, endedBy);
    AttemptList list;
    list.setAttempts({attempt});
    const QTreeWidgetItem *row = list.topLevelItem(0);
    QCOMPARE(row->text(2), started);
    QCOMPARE(row->text(4), exit);
    QCOMPARE(row->text(5), endedBy);
}

// A number in the middle of which something is left out is the number of no task.
void TstTasksModel::numbersOfTasksAreWhole()
{
    QStringList lines;
    for (int i = 0; i < 5'000; ++i) {
        lines.append(QStringLiteral("w %1 S").arg(i));
    }
    TasksPane pane;
    pane.resize(540, 300);
    pane.show();
    pane.setTasks(tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R")}));
    const auto room = [&] { return pane.view()->header()->sectionSize(TasksModel::NameColumn) - 32 - 6; };
    const int few = room();
    const auto fits = [&](const QString &number) {
        return QFontMetrics(fonts::ui()).elidedText(number, Qt::ElideMiddle, room()) == number;
    };
    QVERIFY(fits(QStringLiteral("1")));
    pane.setTasks(tasks(lines));
    QVERIFY2(fits(QStringLiteral("4999")), qPrintable(QString::number(room())));
    pane.apply(tasks({QStringLiteral("v 123456 R")}));
    QVERIFY2(fits(QStringLiteral("123456")), qPrintable(QString::number(room())));
    pane.setTasks(tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R")}));
    QCOMPARE(room(), few);
}

void TstTasksModel::namesHostsAsElsewhere()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    HostInfo vm;
    vm.id = QStringLiteral("local");
    vm.label = QStringLiteral("vm");
    page.setHosts({vm});
    JobDetail detail;
    detail.summary.state = State::Waiting;
    detail.summary.reason = QStringLiteral("wait.memory");
    const QJsonObject host{{QStringLiteral("host"), QStringLiteral("local")}, {QStringLiteral("freeMiB"), 1},
        {QStringLiteral("totalMiB"), 2}, {QStringLiteral("jobs"), QJsonArray{3}}};
    detail.summary.reasonArgs = {{QStringLiteral("hosts"), QJsonArray{host}}};
    page.setDetail(detail);
    QString shown;
    const QList<QLabel *> labels = page.findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        shown += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
    }
    QVERIFY2(shown.contains(QStringLiteral("vm: 1 MiB of 2 MiB free")), qPrintable(shown));
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.host = QStringLiteral("slurm:lab/n1");
    TasksModel *model = page.tasksPane()->model();
    model->setTasks({task});
    QCOMPARE(model->index(0, TasksModel::HostColumn, model->index(0, 0)).data().toString(), QStringLiteral("n1 (lab)"));
}

void TstTasksModel::newTasksAreAdded()
{
    TasksModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.apply(tasks({QStringLiteral("b 2 W")}));
    model.apply(tasks({QStringLiteral("a 0 R"), QStringLiteral("b 0 R"), QStringLiteral("b 2 S")}));
    QCOMPARE(tasksPicture(model), QStringLiteral("b w0 r1 s1 f0: 0 2|a w0 r1 s0 f0: 0"));
}

void TstTasksModel::tenThousandTasks()
{
    QStringList lines;
    for (int i = 0; i < 10'000; ++i) {
        lines.append(QStringLiteral("part %1 W").arg(i));
    }
    TasksPane pane;
    pane.resize(600, 400);
    pane.show();
    QElapsedTimer timer;
    timer.start();
    pane.setTasks(tasks(lines));
    pane.setCurrentTask(QStringLiteral("part"), 9'999);
    pane.grab();
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(pane.currentTask()->index, 9'999);
}

// Where there is no room: what it means goes before the status, and nothing ends in the middle of a word.
void TstTasksModel::exitsAreShortenedByWords()
{
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("w 1 F"), QStringLiteral("w 2 R")});
    all[0].exitCode = 220;
    all[0].rawExit = 127;
    all[0].tries = 1;
    all[1].exitCode = 139;
    TasksModel model;
    model.setTasks(all);
    const QModelIndex role = model.index(0, 0);
    const auto shorter = [&](int row) {
        return model.index(row, TasksModel::ExitColumn, role).data(TasksModel::ShorterRole).toStringList();
    };
    QCOMPARE(shorter(0),
        (QStringList{QStringLiteral("Exit status 127 (Command not found)"), QStringLiteral("Exit status 127, try 2"),
            QStringLiteral("Exit status 127"), QStringLiteral("127")}));
    QCOMPARE(shorter(1), (QStringList{QStringLiteral("Segmentation fault"), QStringLiteral("139")}));
    QVERIFY(shorter(2).isEmpty());
    QVERIFY(model.index(0, TasksModel::HostColumn, role).data(TasksModel::ShorterRole).toStringList().isEmpty());
}

TRAINYARD_GUI_TEST(TstTasksModel)
#include "tst_tasksmodel.moc"
