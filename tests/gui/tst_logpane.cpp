// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads.h"
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logfeed.h"
#include "widgets/log/loghits.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsaver.h"
#include "widgets/log/logsearch.h"
#include "widgets/log/logview.h"
#include "widgets/log/preparationfold.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <memory>

using namespace trainyard;
using namespace logtests;

// What stands around the view of a log, and how a log is saved.
class TstLogPane : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void paneSaysWhyThereIsNothing();
    void paneSaysThatNothingHasBeenWrittenYet();
    void unfinishedLinesHaveASize();
    void sizeDoesNotFallWhileABarRuns();
    void focusIsSeen();
    void preparationGrows();
    void savesWhatIsShown();
    void suggestsAFileNotAFolder();
    void suggestsTheNameOfTheJob();
    void linesOfSeveralTasksKeepTheirNames();
    void endsOfLongLinesAreSeen();
    void namesOfOurScriptsAreShort();
    void namesOfOurScriptsAreShortBehindBars();
    void namesOfOurScriptsCanBeTakenBack();
    void savingCanFail();
    void savingCanBeCalledOffAfterASentence();
    void savingIsDoneAside();
    void escapeClosesTheSearch();
    void enterGoesToWhatWasTyped();
    void hitsOutOfSightAreCounted();
    void countOfHitsLeavesTheWord();
    void allLinesNeedNoExpression();
    void placeIsKeptInOtherStreams();
    void selectionStaysWhileAStreamGoesOn();
    void headIsFittedAgain();
    void longNameLeavesTheToolsTheirRoom();
    void wrapsBetweenWords();
};

void TstLogPane::paneSaysWhyThereIsNothing()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), {}, QStringLiteral("w/0 waits for a GPU."));
    QVERIFY(!pane.view()->isVisible());
    Log log;
    log.write("hello\n");
    QSignalSpy status(&pane, &LogPane::statusChanged);
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    QTRY_VERIFY(pane.view()->isVisible());
    QVERIFY(status.constLast().constFirst().toString().contains(QStringLiteral("w/0: 1 line")));
    pane.findAction()->trigger();
    QVERIFY(pane.findChild<QLineEdit *>()->isVisible());
}

// Of a task that runs; its first line takes the place of the sentence.
void TstLogPane::paneSaysThatNothingHasBeenWrittenYet()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    pane.setLog(QStringLiteral("w/0"), log.folder(), QStringLiteral("w/0 has written nothing yet."));
    const auto *empty = pane.findChild<EmptyState *>();
    QTRY_VERIFY(empty->isVisible());
    const auto labels = empty->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
        [](const QLabel *label) { return label->text() == QStringLiteral("w/0 has written nothing yet."); }));
    pane.hide(); // another page, and back
    pane.show();
    log.write("hello\n");
    QTRY_VERIFY(pane.view()->isVisible());
    QCOMPARE(pane.view()->lineCount(), 1);
}

void TstLogPane::unfinishedLinesHaveASize()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("bar 15/2");
    QSignalSpy status(&pane, &LogPane::statusChanged);
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    QCOMPARE(status.constLast().constFirst().toString(), QStringLiteral("w/0: 1 line(s), 8 B"));
}

// A bar that is drawn again beside the other stream takes the place of what it was.
void TstLogPane::sizeDoesNotFallWhileABarRuns()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("start\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    constexpr auto err = LogReader::Stream::Err;
    log.write("\r 10% of all the files that there are", err);
    QTRY_COMPARE(pane.view()->lineCount(), 2);
    const qint64 before = pane.view()->byteCount();
    QVERIFY(before > 40);
    log.write("step 1\n");
    log.write("\r 20%", err);
    QTRY_VERIFY(pane.view()->lineText(2).contains(QStringLiteral("20%")));
    QCOMPARE(pane.view()->byteCount(), before);
    log.write("\r100%\n", err);
    QVERIFY(log.end());
    QTRY_VERIFY(pane.view()->isComplete());
    QVERIFY(pane.view()->byteCount() < before); // what there is in the end
}

void TstLogPane::focusIsSeen()
{
    QWidget window;
    QVBoxLayout layout(&window);
    QLineEdit before;
    LogView view;
    layout.addWidget(&before);
    layout.addWidget(&view);
    view.setSource(BytesLogSource::factory("one\n"));
    window.resize(400, 300);
    window.show();
    QApplication::setActiveWindow(&window);
    QTRY_VERIFY(window.isActiveWindow());
    QTRY_COMPARE(view.lineCount(), 1);
    before.setFocus();
    const QImage without = view.viewport()->grab().toImage();
    QTest::keyClick(&before, Qt::Key_Tab);
    QVERIFY(view.hasFocus());
    QVERIFY(view.viewport()->grab().toImage() != without);
}

// What happens before the commands is looked at while it happens.
void TstLogPane::preparationGrows()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    QFile runtime(log.folder() + QStringLiteral("/runtime.log"));
    QVERIFY(runtime.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    runtime.write("installing git\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    pane.findChild<QAction *>(QStringLiteral("logRuntime"))->trigger();
    QTRY_COMPARE(pane.preparation()->view()->lineCount(), 1);
    QVERIFY(pane.preparation()->isOpen() && pane.preparation()->view()->height() > metrics::logLine);
    runtime.write("installed\n");
    QTRY_COMPARE(pane.preparation()->view()->lineCount(), 2);
    pane.preparation()->setOpen(false);
    QCOMPARE(pane.preparation()->view()->height(), 0);
    QVERIFY(pane.preparation()->height() > 0); // its row stays
}

void TstLogPane::savesWhatIsShown()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("out\n");
    log.write("err\n", LogReader::Stream::Err);
    QFile runtime(log.folder() + QStringLiteral("/runtime.log"));
    QVERIFY(runtime.open(QIODevice::WriteOnly));
    runtime.write("prepared\n");
    runtime.close();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    auto *bar = pane.findChild<InfoBar *>();
    QVERIFY(bar);
    QVERIFY(save(&pane, log.folder() + QStringLiteral("/saved.log")));
    QTRY_COMPARE(contents(log.folder() + QStringLiteral("/saved.log")), QByteArray("out\nerr\n"));
    QTRY_VERIFY(bar->isVisible() && bar->kind() == InfoBar::Kind::Succeeded);
    QVERIFY2(bar->text().contains(QStringLiteral("saved.log")), qPrintable(bar->text()));
    pane.setTimeRange(LogTimeRange{Log::start + 1, Log::start + 2}); // what is shown, and only that
    QVERIFY(save(&pane, log.folder() + QStringLiteral("/saved.log")));
    QTRY_COMPARE(contents(log.folder() + QStringLiteral("/saved.log")), QByteArray());
}

void TstLogPane::suggestsAFileNotAFolder()
{
    LogPane pane;
    pane.show();
    Log log;
    log.write("out\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    pane.findChild<QAction *>(QStringLiteral("logSave"))->trigger();
    const auto *dialog = pane.findChild<QFileDialog *>();
    QVERIFY(dialog);
    QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QStringLiteral("w-0.log"));
}

// All logs of all jobs are often saved in one folder.
void TstLogPane::suggestsTheNameOfTheJob()
{
    LogPane pane;
    pane.show();
    Log one, other;
    one.write("out\n");
    const auto suggested = [&pane] {
        pane.findChild<QAction *>(QStringLiteral("logSave"))->trigger();
        auto *dialog = pane.findChild<QFileDialog *>();
        const QString name = dialog ? QFileInfo(dialog->selectedFiles().value(0)).fileName() : QString();
        delete dialog;
        return name;
    };
    pane.setRun(QStringLiteral("lr 0.1"), 41);
    pane.setLog(QStringLiteral("w/0"), one.folder());
    QCOMPARE(suggested(), QStringLiteral("lr_0.1-41-w-0.log"));
    pane.setLogs(QStringLiteral("2 tasks together"), {one.folder(), other.folder()},
        {{QStringLiteral("w/0"), 0}, {QStringLiteral("w/1"), 1}});
    QCOMPARE(suggested(), QStringLiteral("lr_0.1-41-2-tasks-together.log"));
}

// Without names and times nothing would say whose line is whose.
void TstLogPane::linesOfSeveralTasksKeepTheirNames()
{
    LogPane pane;
    pane.resize(900, 400);
    pane.show();
    Log one, other;
    constexpr qint64 ms = 1'000'000;
    one.writeAt(Log::start * ms, "a1\nb \xc3\xa4\n");
    other.writeAt((Log::start + 1500) * ms, "c3\n");
    one.writeAt((Log::start + 3000) * ms, "d4");
    pane.setLogs(QStringLiteral("2 tasks together"), {one.folder(), other.folder()},
        {{QStringLiteral("w/0"), 0}, {QStringLiteral("w/1"), 1}});
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 4);
    const auto clock = [](qint64 after) {
        return QDateTime::fromMSecsSinceEpoch(Log::start + after)
            .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzz "))
            .toUtf8();
    };
    const auto lines = [](const QByteArrayList &times) {
        return QByteArray(times.at(0) + "w/0 | a1\n" + times.at(1) + "w/0 | b \xc3\xa4\n" + times.at(2) + "w/1 | c3\n"
            + times.at(3) + "w/0 | d4");
    };
    const QList<std::pair<LogTimes, QByteArray>> wanted{
        {LogTimes::Clock, lines({clock(0), clock(0), clock(1500), clock(3000)})},
        {LogTimes::SinceStart, lines({"+0:00:00.000 ", "+0:00:00.000 ", "+0:00:01.500 ", "+0:00:03.000 "})},
        {LogTimes::SinceLast, lines({"+0:00:00.000 ", "+0:00:00.000 ", "+0:00:01.500 ", "+0:00:01.500 "})},
        {LogTimes::None, lines({"", "", "", ""})}};
    int number = 0;
    for (const auto &[times, text] : wanted) {
        view->setTimes(times);
        const QString saved = one.folder() + QString(QStringLiteral("/saved%1.log")).arg(++number);
        QVERIFY(save(&pane, saved));
        QTRY_VERIFY(QFile::exists(saved));
        QTRY_VERIFY(pane.findChild<QAction *>(QStringLiteral("logSave"))->isEnabled()); // for the next one
        QCOMPARE(contents(saved), text);
        view->selectAll();
        view->copy();
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8(), text);
    }
    // A part of one line is copied as it is.
    view->markLine(2);
    view->copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("c3"));
    QGuiApplication::clipboard()->clear();
}

// bash names a script in full in front of what it says: cut at the right, the message would be out of sight.
void TstLogPane::endsOfLongLinesAreSeen()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("/home/somebody/projects/2026/segmentation/experiments/with_a_long_name/scripts/train_all_folds.sh: "
              "line 12: trainn: command not found\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 1);
    auto *wrap = pane.findChild<QAction *>(QStringLiteral("logWrap"));
    QVERIFY(wrap && wrap->isChecked());
    QVERIFY(view->lineRect(0).height() > metrics::logLine);
    QSignalSpy changed(&pane, &LogPane::wrappedChanged);
    view->setWrapped(false); // by the menu of the view
    QVERIFY(!wrap->isChecked());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(view->lineRect(0).height(), metrics::logLine);
    wrap->trigger();
    QVERIFY(view->isWrapped());
}

// As `logs` shows them on a terminal. Of the user's own scripts nothing is left out, nor from what is saved.
void TstLogPane::namesOfOurScriptsAreShort()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    const QByteArray written
        = "/home/a/.local/state/trainyard/0123/runs/4567/0/worker-0/0/commands: line 2: trainn: command not found\n"
          "/home/a/task.sh: line 3: trainn: command not found\n";
    log.write(written);
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 2);
    QCOMPARE(view->lineText(0), QStringLiteral("commands: line 2: trainn: command not found"));
    QCOMPARE(view->lineText(1), QStringLiteral("/home/a/task.sh: line 3: trainn: command not found"));
    view->markLine(0);
    QCOMPARE(view->selectedText(), view->lineText(0));
    const QString saved = log.folder() + QStringLiteral("/saved.log");
    QVERIFY(save(&pane, saved));
    QTRY_COMPARE(contents(saved), written);
    // What is found in the folder is marked at the name.
    const auto marked = [view] { // how much of the first line, over its letters
        const QImage picture = view->viewport()->grab(view->lineRect(0)).toImage();
        int left = -1, right = -1;
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixelColor(x, 3) == colour(Colour::CurrentHit, view)) {
                left = left < 0 ? x : left;
                right = x;
            }
        }
        return left < 0 ? 0 : right - left + 1;
    };
    const auto look = [view](const QString &text) {
        view->search({text, false, false});
        return QTest::qWaitFor([view] { return view->searchDone() && view->hitLineCount() == 1; });
    };
    QVERIFY(look(QStringLiteral("runs/4567")));
    const QFontMetrics fm = view->fontMetrics();
    const auto isAsWideAs = [&](const QString &text) {
        return std::abs(marked() - fm.horizontalAdvance(text)) <= 4; // its corners are round
    };
    QTRY_VERIFY2(isAsWideAs(QStringLiteral("commands")), qPrintable(QString::number(marked())));
    QVERIFY(look(QStringLiteral("worker-0/0/commands: line 2")));
    QTRY_VERIFY2(isAsWideAs(QStringLiteral("commands: line 2")), qPrintable(QString::number(marked())));
}

// Behind a bar that was left without an end of line.
void TstLogPane::namesOfOurScriptsAreShortBehindBars()
{
    LogPane pane;
    pane.resize(900, 400);
    pane.show();
    Log log;
    const QByteArray written
        = "\r 90%|## | 18/20\r\033[1m 95%|##\tx | 19/20\033[0m [1it/s]"
          "/home/a/.local/state/trainyard/0123/runs/4567/0/worker-0/0/task.sh: line 2: 145 Killed  python3\n";
    log.write(written);
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 1);
    const QString shown = view->lineText(0);
    QVERIFY2(shown.endsWith(QStringLiteral(" | 19/20 [1it/s]task.sh: line 2: 145 Killed  python3")), qPrintable(shown));
    LogFeed feed(nullptr);
    LogSearch search(&feed, nullptr, nullptr);
    const LogText line = decodeLine(linesOf(written).at(0));
    QCOMPARE(line.text, shown);
    const auto marked = [&](const QString &text) {
        search.setQuery({text, false, false});
        const QList<LogSearch::Match> found = search.matchesIn(line);
        return found.size() == 1 ? line.text.mid(found.at(0).begin, found.at(0).end - found.at(0).begin) : QString();
    };
    QCOMPARE(marked(QStringLiteral("19/20")), QStringLiteral("19/20"));
    QCOMPARE(marked(QStringLiteral("runs/4567")), QStringLiteral("task.sh"));
    QCOMPARE(marked(QStringLiteral("it/s]/home")), QStringLiteral("it/s]task.sh"));
    QCOMPARE(marked(QStringLiteral("0/task.sh: line")), QStringLiteral("task.sh: line"));
    QCOMPARE(marked(QStringLiteral("Killed")), QStringLiteral("Killed"));
}

// Backspaces may take back the message and more: the place of the folder is then at the end of what is left.
void TstLogPane::namesOfOurScriptsCanBeTakenBack()
{
    const LogText line = decodeLine(
        linesOf("19/20 [1it/s]/home/a/runs/4567/0/worker-0/0/task.sh: line 2: x" + QByteArray(24, '\b') + "\n").at(0));
    QCOMPARE(line.text, QStringLiteral("19/20 ["));
    QVERIFY2(line.folderAt <= line.text.size(), qPrintable(QString::number(line.folderAt)));
    LogFeed feed(nullptr);
    LogSearch search(&feed, nullptr, nullptr);
    for (const QString &text : {QStringLiteral("19"), QStringLiteral("4567")}) {
        search.setQuery({text, false, false});
        const QList<LogSearch::Match> found = search.matchesIn(line);
        QCOMPARE(found.size(), 1);
        QVERIFY2(found.at(0).begin <= found.at(0).end && found.at(0).end <= line.text.size(), qPrintable(text));
    }
}

// It stays said until it is closed: the status line says something else with every line that comes.
void TstLogPane::savingCanFail()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("out\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    auto *bar = pane.findChild<InfoBar *>();
    QVERIFY(bar);
    QVERIFY(save(&pane, QStringLiteral("/proc/saved.log")));
    QTRY_VERIFY(bar->isVisible() && bar->kind() == InfoBar::Kind::Failed);
    QVERIFY2(bar->text().contains(QStringLiteral("/proc/saved.log")), qPrintable(bar->text()));
}

// A jump that found nothing says so in the same bar.
void TstLogPane::savingCanBeCalledOffAfterASentence()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("out\n");
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QVERIFY(save(&pane, log.folder() + QStringLiteral("/saved.log")));
    pane.say(QStringLiteral("No line of this log reports an error."));
    const auto buttons = pane.findChildren<QPushButton *>(QStringLiteral("logSaveCancel"));
    const auto cancel
        = std::find_if(buttons.cbegin(), buttons.cend(), [](const QPushButton *each) { return each->isVisible(); });
    QVERIFY(cancel != buttons.cend());
    (*cancel)->click();
    QVERIFY(pane.findChild<QAction *>(QStringLiteral("logSave"))->isEnabled()); // for the next one
}

// A log that takes its time: the window is free meanwhile, and can call it off.
void TstLogPane::savingIsDoneAside()
{
    struct Gate {
        QSemaphore reads;
        QSemaphore mayRead;
        std::atomic<QThread *> thread = nullptr; // ThreadSanitizer cannot see what a semaphore of Qt orders
    };
    class Slow final : public LogSource
    {
    public:
        explicit Slow(const std::shared_ptr<Gate> &gate) : m_gate(gate) { }
        qint64 size() override { return 200; }
        QByteArray read(qint64, qint64) override
        {
            m_gate->thread = QThread::currentThread();
            m_gate->reads.release();
            m_gate->mayRead.acquire();
            return QByteArray(50, 'x');
        }
        std::optional<Origin> originAt(qint64) override { return {}; }
        bool isComplete() override { return true; }

    private:
        std::shared_ptr<Gate> m_gate;
    };
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("saved.log"));
    QFile before(path);
    QVERIFY(before.open(QIODevice::WriteOnly) && before.write("before") == 6);
    before.close();
    const auto gate = std::make_shared<Gate>();
    const LogSourceFactory source = [gate] { return std::make_unique<Slow>(gate); };
    {
        LogSaver saver(source, path);
        QSignalSpy finished(&saver, &LogSaver::finished);
        QSignalSpy progressed(&saver, &LogSaver::progressed);
        saver.start();
        QVERIFY(gate->reads.tryAcquire(1, 5000));
        QVERIFY(gate->thread != QThread::currentThread());
        gate->mayRead.release();
        QTRY_COMPARE(progressed.count(), 1);
        QCOMPARE(progressed.first().first().toInt(), 25);
        saver.cancel();
        gate->mayRead.release(3);
        threads::workPool().waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(finished.count(), 0);
    }
    QCOMPARE(contents(path), QByteArray("before"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList(QStringLiteral("saved.log")));
    gate->mayRead.release(4);
    LogSaver saver(source, path);
    QSignalSpy finished(&saver, &LogSaver::finished);
    saver.start();
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(finished.first().first().toString(), QString());
    QCOMPARE(contents(path), QByteArray(200, 'x'));
}

// At once, whatever is in it and wherever the keys go, and back to the text.
void TstLogPane::escapeClosesTheSearch()
{
    Log log;
    log.write("one\ntwo\n");
    LogPane pane;
    pane.resize(700, 300);
    pane.setLog(QStringLiteral("w/0"), log.folder(), {});
    pane.show();
    pane.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&pane));
    auto *find = pane.findChild<QAction *>(QStringLiteral("logFind"));
    auto *field = pane.findChild<SearchField *>();
    QVERIFY(find && field && !field->isVisible());
    find->trigger();
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("two"));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QVERIFY(pane.view()->hasFocus());
    // From the text, where the hits are looked at.
    find->trigger();
    QTRY_VERIFY(field->isVisible());
    pane.view()->setFocus();
    QTest::keyClick(pane.view(), Qt::Key_Escape);
    QVERIFY(!field->isVisible());
    QVERIFY(pane.view()->hasFocus());
    // A search that is opened again has its words.
    find->trigger();
    QCOMPARE(field->text(), QStringLiteral("two"));
}

// Enter is about what was typed, however quickly it follows.
void TstLogPane::enterGoesToWhatWasTyped()
{
    LogPane pane;
    pane.resize(600, 300);
    Log log;
    log.write(numbered(0, 500) + "needle\n" + numbered(500, 1000));
    pane.setLog(QStringLiteral("w/0"), log.folder());
    pane.show();
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 1001);
    view->showLine(0);
    pane.showFind();
    auto *field = pane.findChild<SearchField *>();
    QTest::keyClicks(field, QStringLiteral("needle"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(view->hitLineCount(), 1);
    QTRY_VERIFY(!view->lineRect(500).isEmpty());
}

// A number of a hit that is not in sight would tell of a place that is not shown.
void TstLogPane::hitsOutOfSightAreCounted()
{
    LogPane pane;
    pane.resize(600, 300);
    Log log;
    log.write(numbered(0, 500) + "needle\n" + numbered(500, 900) + "needle\n" + numbered(900, 1000));
    pane.setLog(QStringLiteral("w/0"), log.folder());
    pane.show();
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 1002);
    view->showLine(0);
    pane.showFind();
    auto *field = pane.findChild<SearchField *>();
    QTest::keyClicks(field, QStringLiteral("needle"));
    QTRY_COMPARE(field->status(), QStringLiteral("2 hit(s)"));
    QCOMPARE(view->topLine(), 0); // nothing moved
    view->showLine(500); // by hand
    QCOMPARE(field->status(), QStringLiteral("1 of 2"));
    view->showLine(0);
    QCOMPARE(field->status(), QStringLiteral("2 hit(s)"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(field->status(), QStringLiteral("1 of 2"));
    QVERIFY(!view->lineRect(500).isEmpty());
    view->showLine(0); // one that was gone to stays the chosen one
    QCOMPARE(field->status(), QStringLiteral("1 of 2"));
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(field->status(), QStringLiteral("2 of 2"));
}

// What is typed is read in a narrow pane; how many hits there are is said where it has room.
void TstLogPane::countOfHitsLeavesTheWord()
{
    SearchField field(SearchField::Kind::Search, QStringLiteral("Find"));
    field.setText(QStringLiteral("traceback"));
    field.setStatus(QStringLiteral("30 of 30"));
    field.resize(320, metrics::field);
    field.show();
    QVERIFY(field.isStatusShown());
    QVERIFY(field.textMargins().right() > 0);
    for (const int width : {150, 110, 80}) {
        field.resize(width, metrics::field);
        QTRY_VERIFY2(!field.isStatusShown(), qPrintable(QString::number(width)));
        QCOMPARE(field.textMargins().right(), 0);
    }
    field.resize(320, metrics::field);
    QTRY_VERIFY(field.isStatusShown());
}

// All lines can be shown again while what is looked for is not a valid expression.
void TstLogPane::allLinesNeedNoExpression()
{
    Log log;
    log.write("one\none\ntwo\n");
    LogPane pane;
    pane.resize(700, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 3);
    pane.showFind();
    const auto buttons = pane.findChildren<QToolButton *>();
    const auto pattern = std::find_if(
        buttons.cbegin(), buttons.cend(), [](const QToolButton *each) { return each->text() == QLatin1String(".*"); });
    QVERIFY(pattern != buttons.cend());
    (*pattern)->setChecked(true);
    auto *field = pane.findChild<SearchField *>();
    field->setText(QStringLiteral("one"));
    auto *filter = pane.findChild<QToolButton *>(QStringLiteral("logFilter"));
    filter->setChecked(true);
    QTRY_COMPARE(pane.view()->lineCount(), 2);
    field->setText(QStringLiteral("one("));
    QTRY_VERIFY(!field->toolTip().isEmpty()); // it is known not to be valid
    QVERIFY(!pane.showsAll()); // and changes nothing so far
    filter->setChecked(false);
    QTRY_COMPARE(pane.view()->lineCount(), 3);
    // Also for who leads to a line by its number.
    field->setText(QStringLiteral("one"));
    filter->setChecked(true);
    QTRY_COMPARE(pane.view()->lineCount(), 2);
    field->setText(QStringLiteral("one("));
    QTRY_VERIFY(!field->toolTip().isEmpty());
    pane.showAll();
    QVERIFY(pane.showsAll());
    QTRY_COMPARE(pane.view()->lineCount(), 3);
}

// What was written when somebody chose a stream stays in sight, there and back, and with nothing in between.
void TstLogPane::placeIsKeptInOtherStreams()
{
    Log log;
    for (int i = 0; i < 2000; ++i) {
        const auto stream = i % 10 == 0 && i < 1500 ? LogReader::Stream::Err : LogReader::Stream::Out;
        log.writeAt((Log::start + i * 1000LL) * 1'000'000, "step " + QByteArray::number(i) + '\n', stream);
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 2000);
    auto *streams = pane.findChild<SegmentedControl *>();
    const auto isInSight = [view](const QString &text) {
        for (qint64 line = view->topLine(); line < view->lineCount(); ++line) {
            if (view->lineRect(line).isEmpty()) {
                return false;
            }
            if (view->lineText(line) == text) {
                return true;
            }
        }
        return false;
    };
    view->showLine(1007);
    const QString top = view->lineText(view->topLine());
    for (int round = 0; round < 3; ++round) {
        streams->setCurrentIndex(2);
        QTRY_COMPARE(view->lineCount(), 150);
        QTRY_VERIFY(isInSight(QStringLiteral("step 1010")));
        streams->setCurrentIndex(0);
        QTRY_COMPARE(view->lineCount(), 2000);
        QTRY_VERIFY2(isInSight(top), qPrintable(view->lineText(view->topLine())));
    }
    // A line that is marked and in sight stays so; one that is out of sight leads nowhere.
    view->markLine(1100);
    streams->setCurrentIndex(2);
    QTRY_VERIFY(view->currentLine() == 110);
    streams->setCurrentIndex(0);
    QTRY_VERIFY(view->currentLine() == 1100);
    view->showLine(1800);
    streams->setCurrentIndex(2); // which has nothing as late: its end is in sight
    QTRY_VERIFY(isInSight(QStringLiteral("step 1490")));
    streams->setCurrentIndex(0);
    QTRY_VERIFY(isInSight(QStringLiteral("step 1800")));
    // Who follows the end goes on doing so.
    view->setFollowing(true);
    streams->setCurrentIndex(2);
    QTRY_COMPARE(view->lineCount(), 150);
    QVERIFY(view->isFollowing());
}

// The place from another stream is looked for until a line is as late; what somebody selects meanwhile is left alone.
void TstLogPane::selectionStaysWhileAStreamGoesOn()
{
    using Stream = LogReader::Stream;
    Log log;
    const auto write = [&log](int second, const QByteArray &text, Stream stream) {
        log.writeAt((Log::start + second * 1000LL) * 1'000'000, text, stream);
    };
    write(0, "first of err\n", Stream::Err);
    write(1, "out\n", Stream::Out);
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    LogView *view = pane.view();
    QTRY_COMPARE(view->lineCount(), 2);
    QTRY_VERIFY(view->timeOf(1));
    view->markLine(1);
    pane.findChild<SegmentedControl *>()->setCurrentIndex(2);
    QTRY_COMPARE(view->lineCount(), 1);
    view->markLine(0);
    write(2, "second of err\n", Stream::Err);
    QTRY_COMPARE(view->lineCount(), 2);
    QTRY_VERIFY(view->timeOf(1));
    write(3, "third of err\n", Stream::Err); // with the time of the second one known, the place would be found
    QTRY_COMPARE(view->lineCount(), 3);
    QCOMPARE(view->currentLine(), std::optional<qint64>(0));
    QCOMPARE(view->selectedText(), QStringLiteral("first of err"));
}

// Something in the head wants more room than when it was fitted: what has no room goes, and nothing is cut.
void TstLogPane::headIsFittedAgain()
{
    LogPane pane;
    pane.setLog(QStringLiteral("w/0"), {});
    pane.resize(420, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    const auto *streams = pane.findChild<SegmentedControl *>();
    QVERIFY(streams && streams->isVisible());
    QVERIFY(streams->width() >= streams->sizeHint().width());
    pane.titleButton()->setText(QStringLiteral("train_with_a_long_role_name/0"));
    QTRY_VERIFY(!streams->isVisible() || streams->x() + streams->width() <= pane.width());
    QTRY_VERIFY(!streams->isVisible() || streams->width() >= streams->sizeHint().width());
    pane.titleButton()->setText(QStringLiteral("w/0"));
    pane.resize(700, 300);
    QTRY_VERIFY(streams->isVisible() && streams->width() >= streams->sizeHint().width());
}

// A name that fits into no head is shortened, and can be read as a tip.
void TstLogPane::longNameLeavesTheToolsTheirRoom()
{
    const QString name = QStringLiteral("a_very_long_task_role_name_for_the_preprocessing_of_the_dataset_x/0");
    LogPane pane;
    pane.setLog(name, {});
    pane.resize(620, 300);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    const auto *streams = pane.findChild<SegmentedControl *>();
    QTRY_VERIFY(streams && streams->isVisible());
    const QToolButton *title = pane.titleButton();
    QTRY_VERIFY(title->width() < title->sizeHint().width());
    QVERIFY(title->width() >= 160);
    QVERIFY(title->toolTip().contains(name) && title->accessibleDescription() == name);
    pane.setLog(QStringLiteral("w/0"), {}); // a short one takes no room from them
    QTRY_COMPARE(title->width(), title->sizeHint().width());
}

// A word goes on in the next row only where the row would be half empty without it.
void TstLogPane::wrapsBetweenWords()
{
    QScrollArea area;
    area.resize(600, 400);
    area.setFont(fonts::fixed());
    const QByteArray plain = "epoch 1/2 loss=1.0463 acc=0.0488 lr=0.1 ";
    for (const QByteArray &unit : {plain, QByteArray("\u00e9poque 1/2 perte=1.0463 pr\u00e9cision=0.0488 ")}) {
        const QByteArray bytes = unit.repeated(12) + '\n';
        LogLines lines;
        lines.setSource(std::make_unique<BytesLogSource>(bytes));
        LogIndex index = indexed(bytes);
        lines.apply(index.takeDelta());
        LogLayout layout(&area, &lines);
        layout.setWrapped(true);
        const QString text = lines.text(0);
        const QList<LogLayout::Row> rows = layout.rows({}, false);
        QVERIFY(rows.size() > 2);
        qsizetype next = 0;
        for (const LogLayout::Row &row : rows) {
            QCOMPARE(row.begin, next); // nothing is left out
            next = row.end;
            QVERIFY2(row.begin == 0 || text.at(row.begin - 1) == u' ', qPrintable(text.mid(row.begin, 12)));
        }
        QCOMPARE(next, text.size());
    }
}

TRAINYARD_GUI_TEST(TstLogPane)
#include "tst_logpane.moc"
