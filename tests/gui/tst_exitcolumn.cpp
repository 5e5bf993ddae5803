// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/tasksmodel.h"

#include <QJsonObject>
#include <QTest>

using namespace trainyard;

// What the table of tasks says of an end: words, and our own codes only in the tip.
class TstExitColumn : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void endedWithItsJob();
    void shorterTexts_data();
    void shorterTexts();
};
TRAINYARD_GUI_TEST(TstExitColumn)

static TaskInfo endedTask(State state, int code, std::optional<int> status = {}, int tries = 0)
{
    TaskInfo task;
    task.role = QStringLiteral("w");
    task.state = state;
    task.exitCode = code;
    task.rawExit = status;
    task.tries = tries;
    return task;
}

void TstExitColumn::endedWithItsJob()
{
    TasksModel model;
    model.setTasks({endedTask(State::Stopped, -220)});
    const QModelIndex exit = model.index(0, TasksModel::ExitColumn, model.index(0, 0));
    QCOMPARE(exit.data().toString(), QStringLiteral("Job ended"));
    QVERIFY(exit.data(Qt::ToolTipRole).toString().contains(QStringLiteral("220")));
    model.setAttemptExit(-210); // a user has stopped the job
    QCOMPARE(exit.data().toString(), QStringLiteral("Stopped with the job"));
    QVERIFY(exit.data(Qt::ToolTipRole).toString().contains(QStringLiteral("220")));
    // Who knows the code finds the task by it all the same.
    QVERIFY(exit.data(TasksModel::SearchRole).toString().contains(QStringLiteral("-220")));
}

void TstExitColumn::shorterTexts_data()
{
    QTest::addColumn<TaskInfo>("task");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("classified") << endedTask(State::Failed, 220, 127, 1)
                                << QStringList{QStringLiteral("Exit status 127 (Command not found)"),
                                       QStringLiteral("Exit status 127, try 2"), QStringLiteral("Exit status 127"),
                                       QStringLiteral("127")};
    TaskInfo found = endedTask(State::Failed, 255, 1, 1);
    found.reasonArgs = {{QStringLiteral("failure"),
        QJsonObject{{QStringLiteral("cause"), QStringLiteral("gpu-oom")},
            {QStringLiteral("certainty"), QStringLiteral("certain")}}}};
    QTest::newRow("its cause") << found
                               << QStringList{QStringLiteral("Exit status 1 (Out of GPU memory)"),
                                      QStringLiteral("GPU OOM"), QStringLiteral("Exit status 1, try 2"),
                                      QStringLiteral("Exit status 1"), QStringLiteral("1")};
    QTest::newRow("a signal") << endedTask(State::Failed, 139)
                              << QStringList{QStringLiteral("Segmentation fault"), QStringLiteral("139")};
    QTest::newRow("with its job") << endedTask(State::Stopped, -220) << QStringList{QStringLiteral("Job ended")};
}

void TstExitColumn::shorterTexts()
{
    QFETCH(const TaskInfo, task);
    TasksModel model;
    model.setTasks({task});
    const QModelIndex exit = model.index(0, TasksModel::ExitColumn, model.index(0, 0));
    QTEST(exit.data(TasksModel::ShorterRole).toStringList(), "texts");
}

#include "tst_exitcolumn.moc"
