// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/textsize.h"
#include "widgets/log/logbookmarks.h"
#include "widgets/log/logfindrow.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logrulesdialog.h"
#include "widgets/log/logview.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvesview.h"
#include "widgets/plot/metricpatternsdialog.h"
#include "widgets/tasks/tasklog.h"
#include "widgets/tasks/taskspane.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

using namespace trainyard;

namespace
{
constexpr qint64 secondNs = 1'000'000'000;
constexpr qint64 firstNs = WrittenLog::start * 1'000'000;

TaskInfo loggedTask(const WrittenLog &log, int index, State state = State::Running)
{
    TaskInfo task;
    task.role = QStringLiteral("worker");
    task.index = index;
    task.state = state;
    task.logFolder = log.folder();
    return task;
}

// Until what was to be drawn is drawn.
bool isSettled(QWidget &widget)
{
    const QImage before = widget.grab().toImage();
    QCoreApplication::processEvents();
    return before == widget.grab().toImage();
}

void writeLines(WrittenLog &log, const QByteArray &name, int count, int offset = 0)
{
    for (int i = 0; i < count; ++i) {
        log.writeAt(firstNs + (2 * i + offset) * secondNs, name + ' ' + QByteArray::number(i) + '\n');
    }
}
} // namespace

class TstLogJumps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jumpsFromProblemToProblem();
    void jumpsOverLongDistances();
    void bookmarksHaveRoom();
    void bookmarksAreFoundAgain();
    void timesAreToldInThreeWays();
    void textGrowsWithTheWheel();
    void hugeSelectionsAreCutWithASentence();
    void tasksAreShownTogether();
    void waitingTaskSaysThatItWaits();
    void nextFailedTaskIsShown();
    void filterKeepsThePlace();
    void filterKeepsTheHit();
    void searchGoesOnFromThePlace();
    void halfTypedExpressionsChangeNothing();
    void lineMarksTheCurves();
    void draggedTimeIsChosen();
    void cardTellsTheMoment();
};

void TstLogJumps::jumpsFromProblemToProblem()
{
    WrittenLog log;
    log.write(
        "start\nUserWarning: one\nfine\n\n\nValueError: two\nharmless\nTraceback (most recent call last):\n  x\nend\n");
    LogView view;
    view.resize(400, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 10);
    QSignalSpy jumped(&view, &LogView::jumped);
    const auto lineAfter = [&](LogView::Jump what) {
        jumped.clear();
        view.jump(what);
        [&] { QTRY_COMPARE(jumped.size(), 1); }();
        return jumped.constFirst().last().toBool() ? view.currentLine().value_or(-1) : -1;
    };
    using Jump = LogView::Jump;
    QCOMPARE(lineAfter(Jump::FirstError), 5);
    QCOMPARE(lineAfter(Jump::NextProblem), 7);
    QCOMPARE(lineAfter(Jump::PreviousProblem), 5);
    QCOMPARE(lineAfter(Jump::PreviousProblem), 1);
    QCOMPARE(lineAfter(Jump::PreviousProblem), -1);
    QCOMPARE(view.currentLine(), 1); // one stays where one was
    QCOMPARE(lineAfter(Jump::Traceback), 7);
    view.setRules(LogRules({{QStringLiteral("harmless"), LogRule::Level::Error}}));
    QCOMPARE(lineAfter(Jump::FirstError), 6);
}

// Over many blocks, forward and backward.
void TstLogJumps::jumpsOverLongDistances()
{
    WrittenLog log;
    const QByteArray filler = QByteArray("nothing to see here, nothing at all\n").repeated(40'000);
    log.write("KeyError: first\n" + filler + filler + "KeyError: last\n");
    LogView view;
    view.resize(400, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 80'002);
    view.markLine(40'000);
    QSignalSpy jumped(&view, &LogView::jumped);
    view.jump(LogView::Jump::NextProblem);
    QTRY_COMPARE(jumped.size(), 1);
    QCOMPARE(view.currentLine(), 80'001);
    view.jump(LogView::Jump::PreviousProblem);
    QTRY_COMPARE(jumped.size(), 2);
    QCOMPARE(view.currentLine(), 0);
}

// It is seen at once, clear of the frame and of what stands behind it.
void TstLogJumps::bookmarksHaveRoom()
{
    WrittenLog log;
    writeLines(log, "step", 10);
    LogView view;
    view.resize(600, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_VERIFY(view.lineCount() == 10);
    view.setFollowing(false);
    view.showLine(0);
    for (const LogTimes times : {LogTimes::None, LogTimes::Clock}) {
        view.setTimes(times);
        const QRect row = view.lineRect(2);
        const auto gutter = [&view, &row] { return view.viewport()->grab({0, row.top(), 60, row.height()}).toImage(); };
        view.setMarkedLines({});
        const QImage without = gutter();
        view.setMarkedLines({2});
        const QImage with = gutter();
        QCOMPARE(with.size(), without.size());
        QRect star;
        for (int y = 0; y < with.height(); ++y) {
            for (int x = 0; x < with.width(); ++x) {
                star |= with.pixel(x, y) != without.pixel(x, y) ? QRect(x, y, 1, 1) : QRect();
            }
        }
        QVERIFY2(star.width() >= 10 && star.height() >= 10, qPrintable(QString::number(star.width())));
        QVERIFY2(star.left() >= 3, qPrintable(QString::number(star.left())));
        QVERIFY2(star.right() < LogLayout::textLeft - 2, qPrintable(QString::number(star.right())));
    }
}

void TstLogJumps::bookmarksAreFoundAgain()
{
    WrittenLog log, other;
    writeLines(log, "step", 100);
    writeLines(other, "other", 3);
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 100);
    const auto press = [&](const char *name) { pane.findChild<QAction *>(QLatin1String(name))->trigger(); };
    for (const qint64 line : {30, 70}) {
        view->markLine(line);
        press("logBookmark");
    }
    view->markLine(0);
    press("logNextBookmark");
    QCOMPARE(view->currentLine(), 30);
    press("logNextBookmark");
    press("logNextBookmark"); // around
    QCOMPARE(view->currentLine(), 30);
    press("logPreviousBookmark");
    QCOMPARE(view->currentLine(), 70);
    // Desktops keep Alt with such a key for themselves, as Alt+F2 for their own commands.
    const QList<QAction *> actions = pane.actions();
    for (const QAction *action : actions) {
        const QKeyCombination key = action->shortcut().isEmpty() ? QKeyCombination() : action->shortcut()[0];
        const bool isFunctionKey = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F12;
        QVERIFY2(!isFunctionKey || !key.keyboardModifiers().testFlag(Qt::AltModifier),
            qPrintable(action->shortcut().toString()));
    }
    QCOMPARE(pane.findChild<QAction *>(QStringLiteral("logNextBookmark"))->shortcut(), QKeySequence(Qt::Key_F2));
    // The menu of a line is about that line, wherever the current one is.
    for (const bool isMarked : {false, true}) {
        QMenu menu;
        Q_EMIT view->menuAboutToShow(&menu, 50);
        auto *here = menu.findChild<QAction *>(QStringLiteral("logBookmarkHere"));
        QVERIFY(here);
        QCOMPARE(here->text().startsWith(QStringLiteral("Remove")), isMarked);
        here->trigger();
        QCOMPARE(pane.bookmarks()->marks().size(), isMarked ? 2 : 3);
    }
    QCOMPARE(view->currentLine(), 70);
    // In a part of the log they have other numbers.
    pane.setTimeRange(LogTimeRange{WrittenLog::start + 100'000, WrittenLog::start + 1'000'000});
    QTRY_COMPARE(view->lineCount(), 50);
    press("logNextBookmark");
    QCOMPARE(view->selectedText(), QStringLiteral("step 70"));
    QCOMPARE(view->currentLine(), 20);
    pane.setTimeRange(std::nullopt);
    const QByteArray saved = pane.bookmarks()->save();
    pane.setLog(QStringLiteral("w/1"), other.folder());
    QTRY_COMPARE(view->lineCount(), 3);
    QVERIFY(pane.bookmarks()->marks().isEmpty());

    LogPane later; // in another session
    later.resize(900, 300);
    later.show();
    later.bookmarks()->restore(saved);
    later.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(later.view()->lineCount(), 100);
    QVERIFY(later.bookmarks()->next());
    QCOMPARE(later.view()->currentLine(), 30);
    later.bookmarks()->toggle(); // and away
    QVERIFY(later.bookmarks()->next());
    QCOMPARE(later.view()->currentLine(), 70);
}

void TstLogJumps::timesAreToldInThreeWays()
{
    WrittenLog log;
    writeLines(log, "step", 5);
    LogView view;
    view.resize(500, 150);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 5);
    QList<QImage> pictures;
    for (const LogTimes times : {LogTimes::Clock, LogTimes::SinceStart, LogTimes::SinceLast}) {
        view.setTimes(times);
        const QImage picture = view.viewport()->grab({0, 0, LogLayout::timeWidth, 5 * metrics::logLine}).toImage();
        QVERIFY(!pictures.contains(picture));
        pictures.append(picture);
    }
    // Each line came two seconds after the one before, so that these look the same; the first has none before it.
    const auto row = [&](const QImage &of, int line) {
        return of.copy(0, line * metrics::logLine, LogLayout::timeWidth, metrics::logLine);
    };
    QCOMPARE(row(pictures.at(2), 1), row(pictures.at(2), 4));
    QVERIFY(row(pictures.at(1), 1) != row(pictures.at(1), 4));
}

void TstLogJumps::textGrowsWithTheWheel()
{
    WrittenLog log;
    writeLines(log, "step", 100);
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 100);
    view.showLine(0);
    const int before = view.lineRect(0).height();
    const auto turn = [&](int by) {
        const QPointF at = view.viewport()->rect().center();
        QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, by}, Qt::NoButton, Qt::ControlModifier,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &event);
    };
    for (int i = 0; i < 8; ++i) {
        turn(120);
    }
    QCOMPARE(TextSize::logs()->steps(), 8);
    QVERIFY(view.lineRect(0).height() > before);
    QCOMPARE(view.topLine(), 0);
    turn(-120);
    QCOMPARE(TextSize::logs()->steps(), 7);
    QTest::keyClick(&view, Qt::Key_Plus, Qt::ControlModifier | Qt::ShiftModifier); // as most keyboards have it
    QTest::keyClick(&view, Qt::Key_Equal, Qt::ControlModifier);
    QCOMPARE(TextSize::logs()->steps(), 9);
    QTest::keyClick(&view, Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(TextSize::logs()->steps(), 8);
    LogView other; // whatever is opened has the same
    QCOMPARE(other.font(), view.font());
    QTest::keyClick(&view, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(TextSize::logs()->steps(), 0);
    QCOMPARE(view.lineRect(0).height(), before);
}

void TstLogJumps::hugeSelectionsAreCutWithASentence()
{
    WrittenLog log;
    log.write(QByteArray(QByteArray(99, 'x') + '\n').repeated(750'000)); // 75 MB
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 750'000);
    view->selectAll();
    QSignalSpy cut(view, &LogView::copyCutShort);
    view->copy();
    QCOMPARE(cut.size(), 1);
    const qsizetype copied = QGuiApplication::clipboard()->text().size();
    QVERIFY2(copied >= LogLines::mostText && copied < LogLines::mostText + 1000, qPrintable(QString::number(copied)));
    QGuiApplication::clipboard()->clear();
}

void TstLogJumps::tasksAreShownTogether()
{
    WrittenLog first, second, third;
    writeLines(first, "one", 10);
    writeLines(second, "two", 10, 1);
    TasksPane tasks;
    LogPane log;
    log.resize(900, 300);
    log.show();
    TaskLog shown(&tasks, &log, nullptr);
    TaskInfo late = loggedTask(third, 2);
    late.logFolder.clear(); // it waits
    tasks.setTasks({loggedTask(first, 0), loggedTask(second, 1), late});
    QTRY_COMPARE(log.view()->lineCount(), 10);
    QMenu *menu = log.titleButton()->menu();
    QVERIFY(menu);
    Q_EMIT menu->aboutToShow();
    QVERIFY2(menu->actions().constFirst()->text().contains(QStringLiteral("worker")),
        qPrintable(menu->actions().constFirst()->text()));
    menu->actions().constFirst()->trigger();
    QTRY_COMPARE(log.view()->lineCount(), 20);
    QCOMPARE(log.view()->text(0, 4), QStringLiteral("one 0\ntwo 0\none 1\ntwo 1"));
    writeLines(third, "three", 1);
    late.logFolder = third.folder();
    tasks.apply({late});
    QTRY_COMPARE(log.view()->lineCount(), 21);
    tasks.setCurrentTask(QStringLiteral("worker"), 1);
    QTRY_COMPARE(log.view()->text(0, 2), QStringLiteral("two 0\ntwo 1"));
}

// Its folder is there before it starts, where a cluster has the job.
void TstLogJumps::waitingTaskSaysThatItWaits()
{
    WrittenLog started;
    writeLines(started, "one", 3);
    TasksPane tasks;
    LogPane log;
    log.resize(900, 300);
    log.show();
    TaskLog shown(&tasks, &log, nullptr);
    TaskInfo task = loggedTask(started, 0, State::Waiting);
    task.logFolder += QStringLiteral("/later");
    tasks.setTasks({task});
    QVERIFY(!log.view()->isVisible());
    task.logFolder = started.folder();
    task.state = State::Running;
    tasks.apply({task});
    QTRY_COMPARE(log.view()->lineCount(), 3);
    QTRY_VERIFY(log.view()->isVisible());
}

void TstLogJumps::nextFailedTaskIsShown()
{
    WrittenLog logs[4];
    QList<TaskInfo> infos;
    for (int i = 0; i < 4; ++i) {
        logs[i].write("fine\nValueError: of " + QByteArray::number(i) + "\nend\n");
        infos.append(loggedTask(logs[i], i, i % 2 == 1 ? State::Failed : State::Succeeded));
    }
    TasksPane tasks;
    LogPane log;
    log.resize(900, 300);
    log.show();
    TaskLog shown(&tasks, &log, nullptr);
    tasks.setTasks(infos);
    tasks.setCurrentTask(QStringLiteral("worker"), 0);
    QTRY_COMPARE(log.view()->lineCount(), 3);
    QAction *next = log.findChild<QAction *>(QStringLiteral("logNextFailed"));
    for (const int wanted : {1, 3, 1}) {
        next->trigger();
        QCOMPARE(tasks.currentTask()->index, wanted);
        QTRY_COMPARE(log.view()->lineText(1), QStringLiteral("ValueError: of %1").arg(wanted));
    }
}

void TstLogJumps::filterKeepsThePlace()
{
    WrittenLog log;
    for (int i = 0; i < 500; ++i) {
        log.writeAt(firstNs + i * secondNs, (i % 100 == 50 ? "loss " : "step ") + QByteArray::number(i) + '\n');
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 500);
    pane.showFind();
    pane.findChild<QLineEdit *>()->setText(QStringLiteral("loss"));
    QTRY_COMPARE(view->hitLineCount(), 5);
    auto *filter = pane.findChild<QToolButton *>(QStringLiteral("logFilter"));
    filter->setChecked(true);
    QTRY_COMPARE(view->lineCount(), 5);
    QTRY_COMPARE(view->hitLineCount(), 5);
    filter->menu()->actions().at(1)->trigger(); // a line around each
    QTRY_COMPARE(view->lineCount(), 5 * 3 + 4);
    view->markLine(5);
    QCOMPARE(view->selectedText(), QStringLiteral("loss 150"));
    filter->setChecked(false);
    QTRY_COMPARE(view->lineCount(), 500);
    QTRY_COMPARE(view->currentLine(), 150);
    // That of the hit, when the user went to it last; closed at once as well.
    filter->setChecked(true);
    QTRY_COMPARE(view->lineCount(), 5 * 3 + 4);
    QTRY_COMPARE(view->hitLineCount(), 5);
    auto *next = pane.findChild<LogFindRow *>();
    QVERIFY(next);
    while (view->currentHit() != 3) {
        Q_EMIT next->nextRequested();
    }
    next->close();
    QTRY_COMPARE(view->lineCount(), 500);
    QTRY_COMPARE(view->currentLine(), 350);
    QTRY_VERIFY(view->lineRect(350).intersects(view->viewport()->rect()));
}

// Also among lines that were written at one moment, and with groups of lines between which nothing is.
void TstLogJumps::filterKeepsTheHit()
{
    WrittenLog log;
    for (int i = 0; i < 500; i += 50) {
        QByteArray burst;
        for (int line = i; line < i + 50; ++line) {
            burst += (line % 10 == 5 ? "overflow " : "step ") + QByteArray::number(line) + '\n';
        }
        log.writeAt(firstNs + i * secondNs, burst);
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 500);
    view->showLine(0);
    pane.showFind();
    auto *row = pane.findChild<LogFindRow *>();
    row->findChild<SearchField *>()->setText(QStringLiteral("overflow"));
    QTRY_VERIFY(view->hitLineCount() == 50 && view->searchDone());
    while (view->currentHit() != 13) {
        Q_EMIT row->nextRequested();
    }
    auto *filter = pane.findChild<QToolButton *>(QStringLiteral("logFilter"));
    const auto isThere = [view](qint64 lines, qint64 line, qint64 hit) {
        return view->lineCount() == lines && view->searchDone() && view->hitLineCount() == 50
            && view->currentHit() == hit && view->currentLine() == line && !view->lineRect(line).isEmpty();
    };
    filter->setChecked(true);
    QTRY_VERIFY(isThere(50, 13, 13));
    filter->menu()->actions().at(1)->trigger(); // a line around each
    QTRY_VERIFY(isThere(50 * 3 + 49, 13 * 4 + 1, 13));
    filter->setChecked(false);
    QTRY_VERIFY(isThere(500, 135, 13));
    Q_EMIT row->nextRequested();
    QCOMPARE(view->currentHit(), 14);
    // What is followed goes on being followed.
    view->setFollowing(true);
    filter->setChecked(true);
    QTRY_COMPARE(view->lineCount(), 50 * 3 + 49);
    QVERIFY(view->isFollowing());
}

// Where a click or a hit was, when another stream is shown: the next hit is the next one from there.
void TstLogJumps::searchGoesOnFromThePlace()
{
    WrittenLog log; // each fifth line of standard error has a hit; ten lines are written at one moment
    for (int i = 0; i < 500; i += 10) {
        QByteArray out, err;
        for (int line = i; line < i + 10; ++line) {
            out += "step " + QByteArray::number(line) + '\n';
            err += (line % 5 == 0 ? "loss " : "step ") + QByteArray::number(line) + '\n';
        }
        log.writeAt(firstNs + i * secondNs, err, LogReader::Stream::Err);
        log.writeAt(firstNs + i * secondNs, out);
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 1000);
    view->showLine(0);
    pane.showFind();
    auto *row = pane.findChild<LogFindRow *>();
    row->findChild<SearchField *>()->setText(QStringLiteral("loss"));
    QTRY_COMPARE(view->hitLineCount(), 100);
    const auto hit = [view] { return view->lineText(view->hitLine(view->currentHit())); };
    const auto goOn = [&] { Q_EMIT row->nextRequested(); };
    while (hit() != QLatin1String("loss 255")) {
        goOn();
    }
    auto *streams = pane.findChild<SegmentedControl *>();
    const auto show = [&](int stream, qint64 lines) {
        streams->setCurrentIndex(stream);
        return QTest::qWaitFor([&] {
            return view->lineCount() == lines && view->currentLine() && view->searchDone()
                && view->hitLineCount() == 100;
        });
    };
    QVERIFY(show(2, 500));
    QCOMPARE(view->lineText(*view->currentLine()), QStringLiteral("loss 255"));
    QCOMPARE(hit(), QStringLiteral("loss 255"));
    goOn();
    QCOMPARE(hit(), QStringLiteral("loss 260"));
    view->markLine(302); // "step 302": nothing is found in it
    QVERIFY(show(0, 1000));
    QCOMPARE(view->lineText(*view->currentLine()), QStringLiteral("step 302"));
    goOn();
    QCOMPARE(hit(), QStringLiteral("loss 305"));
    // Behind the last hit the one before is the last one; it is not gone to by itself.
    view->markLine(987);
    QVERIFY(show(2, 500));
    QCOMPARE(view->lineText(*view->currentLine()), QStringLiteral("step 497"));
    Q_EMIT row->previousRequested();
    QCOMPARE(hit(), QStringLiteral("loss 495"));
    goOn();
    QCOMPARE(hit(), QStringLiteral("loss 0"));
}

void TstLogJumps::halfTypedExpressionsChangeNothing()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(firstNs + i * secondNs, (i % 10 == 5 ? "slow (batch " : "step ") + QByteArray::number(i) + '\n');
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 100);
    pane.showFind();
    auto *row = pane.findChild<LogFindRow *>();
    auto *field = row->findChild<SearchField *>();
    for (QToolButton *button : row->findChildren<QToolButton *>()) {
        button->setChecked(button->accessibleName() == QStringLiteral("Regular expression"));
    }
    field->setText(QStringLiteral("slow"));
    pane.findChild<QToolButton *>(QStringLiteral("logFilter"))->setChecked(true);
    QTRY_COMPARE(view->lineCount(), 10);
    field->setText(QStringLiteral("slow (batch"));
    QTRY_VERIFY(!row->fault().isEmpty() && field->toolTip().contains(row->fault()));
    QTRY_COMPARE(field->status(), QStringLiteral("Not a valid expression"));
    QCOMPARE(view->lineCount(), 10);
    field->setText(QStringLiteral("slow \\(batch 1"));
    QTRY_COMPARE(view->lineCount(), 1);
    QVERIFY(row->fault().isEmpty() && field->toolTip().isEmpty());
    field->setText(QStringLiteral("zzzz"));
    QTRY_VERIFY(!view->isVisible()); // a sentence instead
}

void TstLogJumps::lineMarksTheCurves()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(firstNs + i * secondNs, "step " + QByteArray::number(i) + " loss: 0.5\n");
    }
    CurvesView curves;
    curves.resize(900, 300);
    curves.setTasks({loggedTask(log, 0)});
    curves.show();
    QVERIFY(QTest::qWaitForWindowExposed(&curves));
    QTRY_COMPARE(curves.plots().size(), 1);
    QTRY_COMPARE(curves.plots().constFirst()->shownRange().second, 99.0);
    QTRY_VERIFY(isSettled(curves));
    const QImage without = curves.grab().toImage();
    curves.setMoment(WrittenLog::start + 50'000);
    const QImage with = curves.grab().toImage();
    QVERIFY(with != without);
    curves.setMoment(WrittenLog::start + 80'000);
    QVERIFY(curves.grab().toImage() != with);
    curves.setMoment(std::nullopt);
    QCOMPARE(curves.grab().toImage(), without);
}

void TstLogJumps::draggedTimeIsChosen()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(firstNs + i * secondNs, "step " + QByteArray::number(i) + " loss: 0.5\n");
    }
    CurvesView curves;
    curves.resize(900, 300);
    curves.setTasks({loggedTask(log, 0)});
    curves.show();
    QVERIFY(QTest::qWaitForWindowExposed(&curves));
    QTRY_COMPARE(curves.plots().size(), 1);
    QTRY_COMPARE(curves.plots().constFirst()->shownRange().second, 99.0);
    QTRY_VERIFY(isSettled(curves));
    QSignalSpy chosen(&curves, &CurvesView::timesChosen);
    auto *plot = curves.plots().constFirst()->findChild<QWidget *>();
    const QPoint from(plot->width() / 2, plot->height() / 2), to(plot->width() * 3 / 4, plot->height() / 2);
    QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(plot, &move);
    QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(chosen.size(), 1);
    const qint64 begin = (chosen.constFirst().at(0).toLongLong() - WrittenLog::start) / 1000;
    const qint64 end = (chosen.constFirst().at(1).toLongLong() - WrittenLog::start) / 1000;
    QVERIFY2(
        begin > 35 && begin < 60 && end > 65 && end < 85, qPrintable(QStringLiteral("%1 to %2").arg(begin).arg(end)));
}

void TstLogJumps::cardTellsTheMoment()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(firstNs + i * secondNs, "step " + QByteArray::number(i) + " loss: 0.25\n");
    }
    CurvesView curves;
    curves.resize(900, 300);
    curves.setTasks({loggedTask(log, 0)});
    curves.show();
    QVERIFY(QTest::qWaitForWindowExposed(&curves));
    QTRY_COMPARE(curves.plots().size(), 1);
    QTRY_COMPARE(curves.plots().constFirst()->shownRange().second, 99.0);
    QTRY_VERIFY(isSettled(curves));
    auto *plot = curves.plots().constFirst()->findChild<QWidget *>();
    QTest::mouseClick(plot, Qt::LeftButton, {}, {plot->width() / 2, plot->height() / 2});
    auto *card = curves.findChild<QWidget *>(QStringLiteral("momentCard"));
    QVERIFY(card && card->isVisible());
    const auto says = [card](const QString &text) {
        const QList<QLabel *> labels = card->findChildren<QLabel *>();
        return std::any_of(
            labels.cbegin(), labels.cend(), [&text](const QLabel *label) { return label->text().contains(text); });
    };
    QVERIFY(says(QStringLiteral("worker/0")));
    QVERIFY(says(QStringLiteral("loss")) && says(QStringLiteral("0.25")));
    curves.setMomentLines({QStringLiteral("a line of the log")});
    QCOMPARE(card->findChild<ElidedLabel *>()->text(), QStringLiteral("a line of the log"));
    QVERIFY(curves.rect().contains(card->geometry()));
    QVERIFY(!card->geometry().contains(
        curves.plots().constFirst()->mapTo(&curves, curves.plots().constFirst()->pixelOf(50, 0.25))));
    QTest::keyClick(curves.plots().constFirst(), Qt::Key_Escape); // the keyboard is where the click was
    QVERIFY(!card->isVisible());
    QTest::mouseClick(plot, Qt::LeftButton, {}, {plot->width() / 2, plot->height() / 2});
    QVERIFY(card->isVisible());
    QTest::mousePress(&curves, Qt::LeftButton, {}, {2, 2});
    QVERIFY(!card->isVisible());
}

TRAINYARD_GUI_TEST(TstLogJumps)
#include "tst_logjumps.moc"
