// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/failurefacts.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/log/logpane.h"
#include "widgets/tasks/failurepanel.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/logexcerpt.h"
#include "widgets/tasks/runpage.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/text/failuretexts.h"
#include "widgets/text/formats.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>

using namespace trainyard;

namespace
{
// "worker 0 R" per line: role, index, first letter of the state.
QList<TaskInfo> tasks(const QStringList &lines, int attempt = 0)
{
    QList<TaskInfo> result;
    for (const QString &line : lines) {
        const QStringList words = line.split(QLatin1Char(' '));
        TaskInfo task;
        task.role = words.at(0);
        task.index = words.at(1).toInt();
        task.attempt = attempt;
        switch (words.at(2).at(0).toLatin1()) {
        case 'R':
            task.state = State::Running;
            break;
        case 'S':
            task.state = State::Succeeded;
            break;
        case 'F':
            task.state = State::Failed;
            break;
        default:
            task.state = State::Waiting;
            break;
        }
        result.append(task);
    }
    return result;
}

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

class TstTasksModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rolesAndOrder();
    void tasksAreNamedAsAtTheShell();
    void focusIsSeenOnRoles();
    void changesAreCoalesced();
    void exitsInWords();
    void pausedTasksSaySo();
    void evidenceIsToThePoint();
    void failureInANarrowPane();
    void shortFailureStaysTogether();
    void failureIsSaidOnce();
    void evidenceIsReadInEveryTheme();
    void longWordsOfAFailureAreWhole();
    void evidenceIsAroundTheRoot();
    void smallPagesShowTasksToo();
    void offersWhatMayHelp_data();
    void offersWhatMayHelp();
    void memoryAdviceIsGivenOnce();
    void stoppedTasksSaySo();
    void attemptsSayWhatEndedThem_data();
    void attemptsSayWhatEndedThem();
    void numbersOfTasksAreWhole();
    void namesHostsAsElsewhere();
    void newTasksAreAdded();
    void tenThousandTasks();
    void paneKeepsTheChoice();
    void choiceComesBack();
    void exitsHaveTheRoomThereIs();
    void timesAreWhole_data();
    void timesAreWhole();
    void failureSaysWhetherItWasRetried();
    void pageShowsStateAndReason();
    void pageShowsTheTaskThatFailed();
    void pageAsksForANewAttempt();
    void pausesAndRetries();
    void saysAllOfWhyAJobWaits();
    void headFitsNarrowPages();
    void timeIsThatOfTheAttempt();
    void heldTasksAreShownAndReleased();
    void boardIsOfferedWhenItIsThere();
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
    QCOMPARE(exit(0), QStringLiteral("Exit status 127 (220 Command not found)"));
    QCOMPARE(exit(1), QStringLiteral("Exit status 3"));
    QCOMPARE(exit(2), QStringLiteral("0"));
}

// The path of the script is longer than the room for the line.
void TstTasksModel::evidenceIsToThePoint()
{
    FailurePanel panel;
    panel.setEvidence(QStringLiteral("w/0"), 0,
        {QStringLiteral(
             "/home/a b/.local/state/trainyard/0123/runs/4567/0/w-0/0/task.sh: line 3: trainn: command not found"),
            QStringLiteral("/data/other.sh: line 3: kept")});
    const QStringList shown = panel.findChild<LogExcerpt *>()->toPlainText().split(u'\n');
    QCOMPARE(shown,
        (QStringList{QStringLiteral("1  task.sh: line 3: trainn: command not found"),
            QStringLiteral("2  /data/other.sh: line 3: kept")}));
}

// What to do goes below the sentences where both beside each other would be ribbons.
void TstTasksModel::failureInANarrowPane()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("worker/0 ended because of what it wrote last, which many words say here"),
        QStringLiteral("Such a failure does not pass by itself, so that the retries of the job were not used for it."));
    const QList<QLabel *> labels = panel.findChildren<QLabel *>();
    const QLabel *label = *std::find_if(
        labels.cbegin(), labels.cend(), [](const QLabel *each) { return each->text().startsWith(u"worker/0"); });
    panel.show();
    panel.resize(1000, 300);
    QTRY_VERIFY(label->width() > 500);
    panel.resize(420, 300);
    QTRY_VERIFY2(label->width() > 340, qPrintable(QString::number(label->width())));
    panel.resize(1000, 300);
    QTRY_VERIFY(label->width() > 500 && label->width() < 900);
}

// What is beside it is higher: its own words stay together, and begin where its sign stands.
void TstTasksModel::shortFailureStaysTogether()
{
    FailurePanel panel;
    panel.setFailure(QStringLiteral("Time limit"), QStringLiteral("It ran for too long."));
    panel.show();
    panel.resize(1000, 300);
    const QList<QLabel *> labels = panel.findChildren<QLabel *>();
    const auto labelOf = [&](QStringView text) {
        return *std::find_if(labels.cbegin(), labels.cend(), [&](const QLabel *each) { return each->text() == text; });
    };
    const QLabel *cause = labelOf(u"Time limit");
    const QLabel *explanation = labelOf(u"It ran for too long.");
    const auto *mark = panel.findChild<IconLabel *>();
    QTRY_VERIFY(cause->width() > 300);
    const auto inPanel
        = [&](const QWidget *widget) { return QRect(widget->mapTo(&panel, QPoint(0, 0)), widget->size()); };
    const int firstLine = inPanel(cause).top() + cause->fontMetrics().height() / 2;
    QVERIFY2(std::abs(firstLine - inPanel(mark).center().y()) <= 2,
        qPrintable(QStringLiteral("%1 %2").arg(firstLine).arg(inPanel(mark).center().y())));
    QCOMPARE(cause->height(), cause->heightForWidth(cause->width()));
    QVERIFY2(inPanel(explanation).top() - inPanel(cause).bottom() <= 5,
        qPrintable(QString::number(inPanel(explanation).top() - inPanel(cause).bottom())));
    QCOMPARE(explanation->height(), explanation->heightForWidth(explanation->width()));
}

void TstTasksModel::evidenceIsReadInEveryTheme()
{
    FailurePanel panel;
    panel.setPalette(themePalette(Theme::Light));
    panel.setEvidence(QStringLiteral("w/0"), 0, {QStringLiteral("Traceback")});
    panel.resize(600, 300);
    panel.show();
    panel.setPalette(themePalette(Theme::Dark));
    const QString html = panel.findChild<LogExcerpt *>()->toHtml();
    QVERIFY(html.contains(u"Traceback"));
    QVERIFY2(html.contains(colour(Colour::Accent, Theme::Dark).name()), qPrintable(html));
    QVERIFY2(!html.contains(colour(Colour::Accent, Theme::Light).name()), qPrintable(html));
}

// Neither lines of a program nor a path have a space where the panel ends.
void TstTasksModel::longWordsOfAFailureAreWhole()
{
    FailurePanel panel;
    const QString path = QStringLiteral("/home/someone") + QStringLiteral("/a-folder-of-experiments").repeated(6);
    panel.setFailure(QStringLiteral("w/0: ") + path, QStringLiteral("There is no file ") + path);
    panel.setEvidence(QStringLiteral("w/0"), 13,
        {QStringLiteral("    if a[1] != b[0]: raise RuntimeError(f\"mat1 and mat2 shapes cannot be multiplied\")"),
            QString(18, u' ') + QString(120, u'^'), QStringLiteral("RuntimeError: ") + path});
    panel.show();
    const auto *excerpt = panel.findChild<LogExcerpt *>();
    const auto *scroll = panel.findChild<QScrollArea *>(QStringLiteral("failureScroll"));
    for (const int width : {1000, 700, 460}) {
        panel.resize(width, 300);
        QTRY_VERIFY(scroll->viewport()->width() >= width - 2 * metrics::space3);
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        const QSizeF text = excerpt->document()->size();
        QVERIFY2(text.width() <= excerpt->viewport()->width(), qPrintable(QString::number(text.width())));
        QVERIFY2(text.height() <= excerpt->viewport()->height(), qPrintable(QString::number(text.height())));
    }
    // With room for it nothing is between its letters: it may be copied.
    panel.resize(4000, 300);
    const auto labels = panel.findChildren<QLabel *>();
    QTRY_VERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [&](const QLabel *label) { return label->text() == QStringLiteral("There is no file ") + path; }));
}

// What comes behind the error may be hundreds of lines of something else.
void TstTasksModel::evidenceIsAroundTheRoot()
{
    WrittenLog log;
    QVERIFY(log.isOpen());
    QByteArray text;
    for (int i = 1; i <= 40; ++i) {
        text += i == 12 ? QByteArray("KeyError: 2\n") : "line " + QByteArray::number(i) + '\n';
    }
    log.write(text);
    QFile ended(log.folder() + QStringLiteral("/exit"));
    QVERIFY(ended.open(QIODevice::WriteOnly));
    contract::ExitRecord exited;
    exited.kind = contract::ExitKind::Exited;
    exited.value = 1;
    ended.write(QByteArray::fromStdString(exited.format()));
    ended.close();
    FailureFacts facts;
    facts.cause = QStringLiteral("KeyError");
    facts.line = 12;
    facts.text = QStringLiteral("KeyError: 2");
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 1;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRole = QStringLiteral("w");
    detail.attempts[0].triggerIndex = 0;
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F")});
    all[0].logFolder = log.folder();
    all[0].exitCode = 1;
    all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
    RunPage page;
    page.setDetail(detail);
    page.setTasks(0, all);
    page.resize(1000, 800);
    page.show();
    const auto *excerpt = page.findChild<LogExcerpt *>();
    QTRY_VERIFY(excerpt->toPlainText().contains(u"KeyError: 2"));
    QVERIFY2(excerpt->toPlainText().contains(u"line 11") && !excerpt->toPlainText().contains(u"line 40"),
        qPrintable(excerpt->toPlainText()));
    QCOMPARE(excerpt->accessibleName(), QStringLiteral("Around line 12 of w/0"));
    // That line is marked, and no other.
    const QTextCursor found = excerpt->document()->find(QStringLiteral("KeyError"));
    QCOMPARE(found.charFormat().fontWeight(), int(QFont::Bold));
    QVERIFY(excerpt->document()->find(QStringLiteral("line 11")).charFormat().fontWeight() < QFont::Bold);
    // Of another finding nothing is known there: then its end.
    facts.text = QStringLiteral("ValueError: 3");
    all[0].reasonArgs = {{QString(failureKey), facts.toJson()}};
    page.setTasks(0, all);
    page.setDetail(detail);
    QTRY_VERIFY2(excerpt->toPlainText().contains(u"line 40"), qPrintable(excerpt->toPlainText()));
    QCOMPARE(excerpt->accessibleName(), QStringLiteral("The last lines of w/0"));
}

// In a small window a long explanation is scrolled, so that there is a task to look at.
void TstTasksModel::smallPagesShowTasksToo()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 232;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    detail.attempts[0].triggerRule = QStringLiteral("minFailed");
    detail.attempts[0].triggerRole = QStringLiteral("w");
    detail.attempts[0].triggerIndex = 0;
    QList<TaskInfo> all = tasks({QStringLiteral("w 0 F"), QStringLiteral("w 1 S")});
    all[0].exitCode = 232;
    page.setDetail(detail);
    page.setTasks(0, all);
    page.resize(640, 500);
    page.show();
    page.findChild<FailurePanel *>()->setEvidence(QStringLiteral("w/0"), 0,
        {QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three"), QStringLiteral("four")});
    QCoreApplication::processEvents();
    const QTreeView *view = page.tasksPane()->view();
    QTRY_VERIFY2(
        view->viewport()->height() >= 2 * metrics::row, qPrintable(QString::number(view->viewport()->height())));
    // A code is read even where its words have no room.
    const int exit = view->header()->sectionSize(TasksModel::ExitColumn);
    QVERIFY2(exit >= QFontMetrics(fonts::ui()).horizontalAdvance(QStringLiteral("−220")) + 14,
        qPrintable(QString::number(exit)));
}

// The job's own reason says what to do: what its code means in general would say it again.
void TstTasksModel::failureIsSaidOnce()
{
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = -1004;
    detail.summary.reason = QStringLiteral("limit.time");
    detail.summary.reasonArgs = {{QStringLiteral("seconds"), 6}};
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    QString said;
    const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        said += label->text() + u'\n';
    }
    QVERIFY2(said.contains(u"6 seconds"), qPrintable(said));
    QCOMPARE(said.count(QStringLiteral("Raise"), Qt::CaseInsensitive), 1);
}

void TstTasksModel::offersWhatMayHelp_data()
{
    QTest::addColumn<int>("exit");
    QTest::addColumn<bool>("again");
    QTest::newRow("time limit: the same would happen") << -1004 << false;
    QTest::newRow("out of memory: the same would happen") << -1200 << false;
    QTest::newRow("lost: it may go well") << -1001 << true;
    QTest::newRow("of its own: nobody knows") << 255 << true;
}

void TstTasksModel::offersWhatMayHelp()
{
    QFETCH(const int, exit);
    QFETCH(const bool, again);
    RunPage page;
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = exit;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    QHash<QString, ButtonKind> kinds;
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    for (const QPushButton *button : buttons) {
        kinds.insert(button->text(), buttonKind(button));
    }
    QCOMPARE(kinds.value(QStringLiteral("Run again")), again ? ButtonKind::Primary : ButtonKind::Normal);
    QCOMPARE(kinds.value(QStringLiteral("Edit as new")), again ? ButtonKind::Normal : ButtonKind::Primary);
    // What is offered first stands first.
    page.resize(1000, 700);
    page.show();
    const auto topOf = [&](const QString &words) {
        const auto at = std::find_if(
            buttons.cbegin(), buttons.cend(), [&](const QPushButton *button) { return button->text() == words; });
        return at == buttons.cend() ? -1 : (*at)->mapTo(&page, QPoint(0, 0)).y();
    };
    QTRY_COMPARE(topOf(QStringLiteral("Run again")) < topOf(QStringLiteral("Edit as new")), again);
}

// The sentence on the limit ends with what to do, which the code means in general as well.
void TstTasksModel::memoryAdviceIsGivenOnce()
{
    JobSummary job;
    job.state = State::Failed;
    job.exitCode = -1200;
    job.reason = QStringLiteral("exit.oom.limit");
    job.reasonArgs = {{QStringLiteral("limitMiB"), 100}, {QStringLiteral("usedMiB"), 99}};
    AttemptInfo attempt;
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 0;
    const QString said = failureText(job, &attempt, &attempt, {}).explanation;
    QVERIFY2(said.contains(QStringLiteral("100 MiB")), qPrintable(said));
    QVERIFY2(said.count(QStringLiteral("memoryMB")) == 1, qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("as long as nothing changes")), qPrintable(said));
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
    QCOMPARE(exit(1), QStringLiteral("Stopped with the job (−220)"));
    const QModelIndex stopped = model->index(1, TasksModel::ExitColumn, model->index(0, 0));
    QVERIFY(stopped.data(Qt::ToolTipRole).toString().contains(QStringLiteral("a user has stopped the job")));
    page.tasksPane()->setCurrentTask(QStringLiteral("w"), 1);
    const auto *tries = page.findChild<TryList *>();
    QVERIFY(tries && tries->topLevelItemCount() == 1);
    QCOMPARE(tries->topLevelItem(0)->text(5), QStringLiteral("Stopped with the job (−220)"));
    // Tasks end one after the other, before their attempt does.
    detail.summary.state = State::Stopping;
    detail.summary.stopRequested = true;
    detail.summary.exitCode.reset();
    detail.attempts[0].state = State::Stopping;
    detail.attempts[0].exitCode.reset();
    page.setDetail(detail);
    QCOMPARE(exit(1), QStringLiteral("Stopped with the job (−220)"));
    detail.summary.stopRequested = false;
    detail.summary.state = State::Succeeded;
    detail.summary.exitCode = 0;
    detail.attempts[0].state = State::Succeeded;
    detail.attempts[0].exitCode = 0;
    page.setDetail(detail);
    QCOMPARE(exit(1), QStringLiteral("−220 Job ended"));
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
    QVERIFY2(shown.contains(QStringLiteral("vm: 1 of 2 MiB free")), qPrintable(shown));
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

void TstTasksModel::paneKeepsTheChoice()
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
void TstTasksModel::choiceComesBack()
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
void TstTasksModel::exitsHaveTheRoomThereIs()
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

void TstTasksModel::timesAreWhole_data()
{
    QTest::addColumn<qreal>("scale");
    QTest::newRow("usual") << 1.0;
    QTest::newRow("large type") << 1.5;
}

// However long the words of an exit beside them are.
void TstTasksModel::timesAreWhole()
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
        const int room = header->sectionSize(TasksModel::TimeColumn) - 6 - 12;
        return pane.view()->fontMetrics().horizontalAdvance(at.data().toString()) <= room
            && header->length() <= pane.view()->viewport()->width();
    };
    QTRY_VERIFY2(fits(), qPrintable(QString::number(header->sectionSize(TasksModel::TimeColumn))));
}

// A job that failed is not tried again any more, whatever its exit code would allow.
void TstTasksModel::failureSaysWhetherItWasRetried()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.exitCode = 255;
    detail.attempts = {AttemptInfo{}};
    detail.attempts[0].state = State::Failed;
    page.setDetail(detail);
    const auto said = [&] {
        QString all;
        const auto labels = page.findChild<FailurePanel *>()->findChildren<QLabel *>();
        for (const QLabel *label : labels) {
            all += label->text() + u' ';
        }
        return all;
    };
    QVERIFY2(!said().contains(u"while retries are left"), qPrintable(said()));
    QVERIFY2(said().contains(u"the job has no retries"), qPrintable(said()));
    detail.summary.retries = 2;
    page.setDetail(detail);
    QVERIFY2(said().contains(u"This was attempt 3."), qPrintable(said()));
}

void TstTasksModel::pageShowsStateAndReason()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.uuid = QStringLiteral("u");
    detail.summary.name = QStringLiteral("resnet");
    detail.summary.state = State::Running;
    detail.yaml = "name: resnet\n";
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 R")}));
    QCOMPARE(page.title(), QStringLiteral("resnet #41"));
    auto *stop = page.findChild<QPushButton *>(QStringLiteral("runPageStop"));
    auto *again = page.findChild<QPushButton *>(QStringLiteral("runPageAgain"));
    QVERIFY(stop->isEnabled() && again->isEnabled());
    QSignalSpy stops(&page, &RunPage::stopRequested);
    stop->click();
    QCOMPARE(stops.count(), 1);
    detail.summary.stopRequested = true;
    page.setDetail(detail);
    QVERIFY(!stop->isEnabled());
    detail.summary.state = State::Stopped;
    detail.summary.completed = 1000;
    page.setDetail(detail);
    QVERIFY(!stop->isEnabled());
}

void TstTasksModel::pageShowsTheTaskThatFailed()
{
    JobDetail detail;
    detail.summary.state = State::Running;
    AttemptInfo attempt;
    detail.attempts = {attempt};
    const QStringList running{QStringLiteral("w 0 R"), QStringLiteral("w 1 R"), QStringLiteral("w 2 R")};
    const QStringList failed{QStringLiteral("w 0 S"), QStringLiteral("w 1 F"), QStringLiteral("w 2 S")};
    RunPage untouched;
    RunPage chosen;
    for (RunPage *page : {&untouched, &chosen}) {
        page->setDetail(detail);
        page->setTasks(0, tasks(running));
        QCOMPARE(page->tasksPane()->currentTask()->index, 0);
    }
    QTreeView *view = chosen.tasksPane()->view();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(chosen.tasksPane()->currentTask()->index, 2);
    attempt.triggerRole = QStringLiteral("w");
    attempt.triggerIndex = 1;
    detail.summary.state = State::Failed;
    detail.attempts = {attempt};
    for (RunPage *page : {&untouched, &chosen}) {
        page->applyTasks(tasks(failed));
        page->setDetail(detail);
    }
    QCOMPARE(untouched.tasksPane()->currentTask()->index, 1);
    QCOMPARE(chosen.tasksPane()->currentTask()->index, 2); // what is being read is not pushed away
}

void TstTasksModel::pageAsksForANewAttempt()
{
    RunPage page;
    JobDetail detail;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QSignalSpy asked(&page, &RunPage::attemptRequested);
    page.applyTasks(tasks({QStringLiteral("w 0 R")}, 1));
    QCOMPARE(asked.value(0).value(0).toInt(), 1);
    page.setTasks(1, tasks({QStringLiteral("w 0 R")}, 1));
    QCOMPARE(page.shownAttempt(), 1);
    page.applyTasks(tasks({QStringLiteral("w 0 F")}, 0)); // of an older attempt: passed over
    QCOMPARE(page.tasksPane()->currentTask()->state, State::Running);
}

void TstTasksModel::pausesAndRetries()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Running;
    detail.yaml = "name: resnet\n";
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 R"), QStringLiteral("w 1 R"), QStringLiteral("w 2 R")}));
    auto *pause = page.findChild<QPushButton *>(QStringLiteral("runPagePause"));
    auto *retry = page.findChild<QPushButton *>(QStringLiteral("runPageRetry"));
    QVERIFY(pause->isVisible() && pause->isEnabled() && !retry->isVisible());
    QCOMPARE(pause->text(), QStringLiteral("Pause"));
    QSignalSpy pauses(&page, &RunPage::pauseRequested);
    QSignalSpy retries(&page, &RunPage::retryRequested);
    pause->click();
    QCOMPARE(pauses.takeFirst().first().toBool(), true);
    detail.summary.paused = true;
    detail.summary.reason = QStringLiteral("job.paused");
    page.setDetail(detail);
    QCOMPARE(pause->text(), QStringLiteral("Resume"));
    pause->click();
    QCOMPARE(pauses.takeFirst().first().toBool(), false);
    QVERIFY(page.grab().size().isValid());
    const auto chosenTasks = [&](const QString &action) {
        Q_EMIT page.tasksPane()->view()->customContextMenuRequested(
            page.tasksPane()->view()->visualRect(page.tasksPane()->view()->currentIndex()).center());
        const QList<QMenu *> menus = page.tasksPane()->findChildren<QMenu *>();
        bool done = false;
        for (QAction *each : menus.isEmpty() ? QList<QAction *>() : menus.last()->actions()) {
            if (each->text().startsWith(action) && each->isEnabled()) {
                each->trigger();
                done = true;
            }
        }
        qDeleteAll(menus);
        return done;
    };
    QVERIFY(!chosenTasks(QStringLiteral("Retry"))); // it is not over
    detail.summary.paused = false;
    detail.summary.state = State::Failed;
    detail.summary.counts.succeeded = 2;
    detail.summary.counts.failed = 1;
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 0 S"), QStringLiteral("w 1 F"), QStringLiteral("w 2 S")}));
    QVERIFY(!pause->isVisible() && !retry->isVisible());
    const auto offers = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    const auto offer = std::find_if(offers.cbegin(), offers.cend(),
        [](const QPushButton *button) { return button->text() == QStringLiteral("Retry failed tasks"); });
    QVERIFY(offer != offers.cend() && (*offer)->isVisible());
    (*offer)->click();
    QCOMPARE(retries.takeFirst().first().toStringList(), QStringList()); // those that failed
    page.tasksPane()->setCurrentTask(QStringLiteral("w"), 2);
    QVERIFY(chosenTasks(QStringLiteral("Retry")));
    QCOMPARE(retries.takeFirst().first().toStringList(), QStringList{QStringLiteral("w/2")});
    QTreeView *view = page.tasksPane()->view();
    view->selectionModel()->select(
        view->indexAbove(view->currentIndex()), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(chosenTasks(QStringLiteral("Retry")));
    QStringList both = retries.takeFirst().first().toStringList();
    both.sort();
    QCOMPARE(both, (QStringList{QStringLiteral("w/1"), QStringLiteral("w/2")}));
}

void TstTasksModel::headFitsNarrowPages()
{
    RunPage page;
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.name = QStringLiteral("a_rather_long_name_of_a_job");
    detail.summary.state = State::Running;
    detail.summary.retries = 1;
    detail.yaml = "name: x\n";
    detail.attempts = {AttemptInfo{}, AttemptInfo{}};
    detail.attempts[1].index = 1;
    page.setDetail(detail);
    page.setTasks(1, tasks({QStringLiteral("w 0 R")}, 1));
    page.show();
    auto *stop = page.findChild<QPushButton *>(QStringLiteral("runPageStop"));
    auto *edit = page.findChild<QPushButton *>(QStringLiteral("runPageEdit"));
    auto *folder = page.findChild<QPushButton *>(QStringLiteral("runPageFolder"));
    page.resize(1200, 700);
    QTRY_COMPARE(edit->text(), QStringLiteral("Edit as new"));
    for (const int width : {810, 620, 540, 480}) {
        page.resize(width, 700);
        QTRY_COMPARE(page.width(), width); // it can be so narrow
        for (QPushButton *button : {stop, edit, folder}) {
            const QRect at(button->mapTo(&page, QPoint()), button->size());
            QVERIFY2(page.rect().contains(at), qPrintable(QStringLiteral("%1: %2").arg(width).arg(at.right())));
            QVERIFY(button->width() >= button->minimumSizeHint().width());
            QVERIFY(!button->accessibleName().isEmpty() && !button->toolTip().isEmpty());
        }
    }
    QCOMPARE(edit->text(), QString());
    QCOMPARE(edit->accessibleName(), QStringLiteral("Edit as new"));
    page.resize(1200, 700);
    QTRY_COMPARE(edit->text(), QStringLiteral("Edit as new"));
}

void TstTasksModel::timeIsThatOfTheAttempt()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Failed;
    detail.summary.retries = 1;
    detail.summary.submitted = 1'000;
    detail.summary.launched = 2'000;
    detail.summary.began = 602'000;
    detail.summary.completed = 609'000;
    AttemptInfo first;
    first.started = 2'000;
    first.completed = 32'000;
    first.exitCode = -210;
    AttemptInfo second = first;
    second.index = 1;
    second.started = 602'000;
    second.completed = 609'000;
    detail.attempts = {first, second};
    page.setDetail(detail);
    page.setTasks(1, tasks({QStringLiteral("w 0 F")}, 1));
    const auto shows = [&](const QString &text) {
        const QList<QLabel *> labels = page.findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [&](const QLabel *label) { return label->text() == text; });
    };
    QVERIFY(shows(QStringLiteral("after 0:07")));
    page.setTasks(0, tasks({QStringLiteral("w 0 F")}));
    QVERIFY(shows(QStringLiteral("after 0:30"))); // the former one is looked at
    auto *attempts = page.findChild<QTreeWidget *>(QStringLiteral("attemptList"));
    QCOMPARE(attempts->topLevelItem(0)->text(4), QString(QChar(0x2212)) + QStringLiteral("210"));
    // An engine of before does not say when the attempt began.
    detail.summary.began.reset();
    QCOMPARE(detail.summary.countedFrom(), 2'000);
}

void TstTasksModel::heldTasksAreShownAndReleased()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.id = 41;
    detail.summary.state = State::Running;
    detail.attempts = {AttemptInfo{}};
    page.setDetail(detail);
    page.setTasks(0, tasks({QStringLiteral("w 3 R")}));
    QVERIFY(!page.findChild<QPushButton *>(QStringLiteral("releaseHeld")));
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    detail.held = {{QStringLiteral("w"), QStringLiteral("local"), 3, 7, now + 29 * 60'000 + 30'000}};
    page.setDetail(detail);
    auto *release = page.findChild<QPushButton *>(QStringLiteral("releaseHeld"));
    QVERIFY(release && release->isVisible());
    QString said = qobject_cast<InfoBar *>(release->parentWidget())->text();
    QVERIFY2(said.contains(QStringLiteral("w/3")) && said.contains(QStringLiteral("status 7"))
            && said.contains(QStringLiteral("30 more minute")),
        qPrintable(said));
    QSignalSpy released(&page, &RunPage::releaseRequested);
    page.setDetail(detail); // asked again: what is being pressed stays
    QCOMPARE(page.findChild<QPushButton *>(QStringLiteral("releaseHeld")), release);
    QTest::mouseClick(release, Qt::LeftButton);
    QCOMPARE(released.value(0).value(0).toStringList(), QStringList{QStringLiteral("w/3")});
    page.findChild<QPushButton *>(QStringLiteral("copyEnter"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("trainyardctl exec 41 w/3"));
    detail.held.clear();
    page.setDetail(detail);
    QVERIFY(!release->isVisible());
}

void TstTasksModel::boardIsOfferedWhenItIsThere()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Running;
    page.setDetail(detail);
    auto *board = page.findChild<QPushButton *>(QStringLiteral("runPageBoard"));
    QVERIFY(!board->isVisible());
    detail.services = {{QStringLiteral("tensorboard"), {}, QStringLiteral("missing"), QStringLiteral("w"), {}, 0}};
    page.setDetail(detail);
    QVERIFY(board->isVisible() && !board->isEnabled());
    QVERIFY2(board->toolTip().contains(QStringLiteral("not installed")), qPrintable(board->toolTip()));
    detail.services.first().state.clear();
    detail.services.first().address = QStringLiteral("http://127.0.0.1:10007/");
    page.setDetail(detail);
    QVERIFY(board->isVisible() && board->isEnabled());
    QSignalSpy asked(&page, &RunPage::addressRequested);
    QTest::mouseClick(board, Qt::LeftButton);
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("http://127.0.0.1:10007/"));
    detail.summary.state = State::Succeeded;
    page.setDetail(detail);
    QVERIFY(!board->isVisible());
}

void TstTasksModel::saysAllOfWhyAJobWaits()
{
    RunPage page;
    page.resize(1100, 700);
    page.show();
    JobDetail detail;
    detail.summary.state = State::Waiting;
    detail.summary.reason = QStringLiteral("wait.gpu");
    const QJsonObject host{{QStringLiteral("host"), QStringLiteral("<lab>")}, {QStringLiteral("free"), 0},
        {QStringLiteral("total"), 2}, {QStringLiteral("jobs"), QJsonArray{3}}};
    detail.summary.reasonArgs = {{QStringLiteral("wanted"), 1}, {QStringLiteral("free"), 0},
        {QStringLiteral("total"), 2}, {QStringLiteral("hosts"), QJsonArray{host}},
        {QStringLiteral("ways"), QJsonArray{QJsonObject{{QStringLiteral("ends"), QJsonArray{3}}}}}};
    page.setDetail(detail);
    QString shown;
    const QList<QLabel *> labels = page.findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        shown += label->isVisible() ? label->text() + QLatin1Char('\n') : QString();
    }
    QVERIFY2(shown.contains(QStringLiteral("Waits for GPUs")), qPrintable(shown));
    shown.remove(QRegularExpression(QStringLiteral("</?a\\b[^>]*>"))); // numbers of jobs are links
    QVERIFY(shown.contains(QStringLiteral("&lt;lab&gt;: 0 of 2 GPUs free; in use by #3")));
    QVERIFY(shown.contains(QStringLiteral("It can start when tasks of #3 end.")));
}

void TstTasksModel::tasksAreNamedAsAtTheShell()
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

void TstTasksModel::focusIsSeenOnRoles()
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
        (QStringList{QStringLiteral("Exit status 127 (220 Command not found)"),
            QStringLiteral("Exit status 127, try 2"), QStringLiteral("Exit status 127"), QStringLiteral("127")}));
    QCOMPARE(shorter(1), (QStringList{QStringLiteral("139 Segmentation fault"), QStringLiteral("139")}));
    QVERIFY(shorter(2).isEmpty());
    QVERIFY(model.index(0, TasksModel::HostColumn, role).data(TasksModel::ShorterRole).toStringList().isEmpty());
}

TRAINYARD_GUI_TEST(TstTasksModel)
#include "tst_tasksmodel.moc"
