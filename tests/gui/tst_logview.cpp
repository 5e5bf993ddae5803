// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/tokens.h"
#include "widgets/log/loghits.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logview.h"
#include "widgets/log/preparationfold.h"

#include <QApplication>
#include <QDateTime>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <memory>

using namespace trainyard;
using namespace logtests;

// The view of a log: how its lines are drawn, follow their end and wrap.
class TstLogView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void colours();
    void groundsAreDrawn();
    void timesStandOnTheLine();
    void followsAndLetsGo();
    void growsAndIsReplaced();
    void replacedLogIsSearchedFromItsBeginning();
    void linesOfOneStreamStayWhole();
    void streamsApart();
    void hitsAreShownSideways();
    void firstHitIsNotPassedOver();
    void marksLeaveTheThumbAlone();
    void italicAndUnderlineAreDrawn();
    void longLinesWrap();
    void lastLinesComeIntoSight_data();
    void lastLinesComeIntoSight();
    void downAtTheEndFollows_data();
    void downAtTheEndFollows();
    void wrappedRowsHaveRoom();
    void narrowPanesCutNoLetter();
    void gutterLeavesRoomForTheText();
    void linesThatPointDoNotWrap();
    void theCauseIsSetApart();
    void numbersStandInTheGutter();
};

void TstLogView::colours()
{
    const LogText text
        = decodeLine(linesOf("\033[1;32mgood\033[0m and \033[38;5;196mred\033[39m \033]0;title\007end\033[2K\n").at(0));
    QCOMPARE(text.text, QStringLiteral("good and red end"));
    QCOMPARE(text.runs.size(), 4);
    QVERIFY(text.runs.at(0).bold);
    QCOMPARE(text.runs.at(0).colour, 2);
    QCOMPARE(text.runs.at(1).colour, -1);
    QVERIFY(text.runs.at(2).colour >= 0x1000000);
    QVERIFY(decodeLine(linesOf("plain\n").at(0)).runs.isEmpty());
    // Broken sequences swallow nothing that follows on other lines.
    QCOMPARE(textsOf("a\033[\nb\033]0;x\nc\033").value(1), QStringLiteral("b"));
    QCOMPARE(withoutEscapes(QStringLiteral("x\033[31my\033]0;t\nz")), QStringLiteral("xy\nz"));
}

// Programs mark what matters by the ground behind it.
void TstLogView::groundsAreDrawn()
{
    LogView view;
    view.resize(400, 120);
    view.show();
    const auto inks = [&](const QByteArray &text) {
        view.setSource(BytesLogSource::factory(text));
        [&] { QTRY_COMPARE(view.lineCount(), 1); }();
        [&] { QTRY_VERIFY(view.isComplete()); }();
        const QImage picture = view.viewport()->grab().toImage();
        QSet<QRgb> colours;
        for (int x = 0; x < picture.width(); ++x) {
            colours.insert(picture.pixel(x, metrics::logLine / 2));
        }
        return colours;
    };
    const qsizetype plain = inks("a    \n").size();
    const QSet<QRgb> blue = inks("\033[44m     \033[0m\n");
    const QSet<QRgb> red = inks("\033[41m     \033[49m  \n");
    const QSet<QRgb> reversed = inks("\033[7m     \033[27m  \n");
    const QSet<QRgb> exact = inks("\033[48;2;1;2;3m     \033[0m\n");
    QVERIFY(plain >= 1);
    QVERIFY(blue.size() > 1);
    QVERIFY(red.size() > 1);
    QVERIFY(red != blue);
    QVERIFY(reversed.size() > 1);
    QVERIFY(exact.contains(qRgb(1, 2, 3)));
}

// The time of a line is read together with it.
void TstLogView::timesStandOnTheLine()
{
    const QString time = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000).toString(QStringLiteral("HH:mm:ss.zzz"));
    Log log;
    log.write(time.toUtf8() + '\n');
    LogView view;
    view.resize(600, 120);
    view.setTimes(LogTimes::Clock);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 1);
    const QImage picture = view.viewport()->grab().toImage();
    const auto lastInk = [&](int left, int right) {
        int last = -1;
        const QRgb ground = picture.pixel(left, 3 * metrics::logLine);
        for (int y = 0; y < metrics::logLine; ++y) {
            for (int x = left; x < right; ++x) {
                last = picture.pixel(x, y) != ground ? y : last;
            }
        }
        return last;
    };
    const int gutter = LogLayout::timeWidth + LogLayout::markWidth;
    const int ofTime = lastInk(12, LogLayout::timeWidth);
    QVERIFY(ofTime > 0);
    QCOMPARE(ofTime, lastInk(gutter + 1, gutter + 200));
}

void TstLogView::followsAndLetsGo()
{
    Log log;
    QVERIFY(log.isOpen());
    log.write(numbered(0, 200));
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 200);
    QVERIFY(view.isFollowing());
    QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    log.write(numbered(200, 250));
    QTRY_COMPARE(view.lineCount(), 250);
    QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());

    auto *pill = view.findChild<QPushButton *>(QStringLiteral("newLinesPill"));
    QVERIFY(!pill->isVisible());
    view.verticalScrollBar()->setValue(40);
    QVERIFY(!view.isFollowing());
    log.write(numbered(250, 257));
    QTRY_COMPARE(view.lineCount(), 257);
    QCOMPARE(view.topLine(), 40); // nothing moved
    QVERIFY(pill->isVisible());
    QCOMPARE(view.newLines(), 7);
    QVERIFY(pill->text().contains(QLatin1Char('7')));
    pill->click();
    QVERIFY(view.isFollowing());
    QVERIFY(!pill->isVisible());
    QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(!view.isFollowing());
    QCOMPARE(view.topLine(), 0);
    QTest::keyClick(&view, Qt::Key_End);
    QVERIFY(view.isFollowing());
}

void TstLogView::growsAndIsReplaced()
{
    Log log;
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    log.write("half a ");
    QTRY_COMPARE(view.lineCount(), 1);
    QCOMPARE(view.lineText(0), QStringLiteral("half a "));
    log.write("line\nand more");
    QTRY_COMPARE(view.lineCount(), 2);
    QCOMPARE(view.lineText(0), QStringLiteral("half a line"));
    QCOMPARE(view.lineText(1), QStringLiteral("and more"));
    log.truncate();
    log.write("new\n");
    QTRY_COMPARE(view.lineCount(), 1);
    QTRY_COMPARE(view.lineText(0), QStringLiteral("new"));
}

// Where somebody was in the log that was there before is no place in the new one.
void TstLogView::replacedLogIsSearchedFromItsBeginning()
{
    Log log;
    LogView view;
    view.resize(500, 2000); // all lines are in sight
    view.show();
    log.write(QByteArray("step\n").repeated(50));
    log.write("loss 50\n"); // more pieces than the new one has
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 51);
    view.search({QStringLiteral("loss"), false, false});
    view.continueSearch(50, true);
    QTRY_COMPARE(view.currentHit(), 0);
    log.truncate();
    log.write("loss 0\nloss 1\nstep\n");
    QTRY_COMPARE(view.hitLineCount(), 2);
    QCOMPARE(view.hitLine(view.currentHit()), 0);
}

void TstLogView::linesOfOneStreamStayWhole()
{
    // A progress bar on stderr is ended after stdout has spoken: that is what arrives when a program writes
    // "100%\n" to the one and "loss" to the other at the same moment.
    Log log;
    QVERIFY(log.isOpen());
    log.write("\repoch 1  50%", LogReader::Stream::Err);
    log.write("\repoch 1 100%", LogReader::Stream::Err);
    log.write("loss 0.5\n", LogReader::Stream::Out);
    log.write("\n\repoch 2  50%", LogReader::Stream::Err);
    log.write("loss 0.4", LogReader::Stream::Out);
    log.write(" acc 0.9\n", LogReader::Stream::Out);
    log.write("\repoch 2 100%\n", LogReader::Stream::Err);
    TryLogSource source(log.folder(), LogSource::Filter::Both);
    const QByteArray all = source.read(0, source.size());
    QCOMPARE(all, QByteArray("\repoch 1  50%\repoch 1 100%\nloss 0.5\nloss 0.4 acc 0.9\n\repoch 2 100%\n"));
    QCOMPARE(source.size(), all.size());
    for (qint64 at = 0; at < all.size(); ++at) { // any piece is the piece of the whole
        QCOMPARE(source.read(at, 7), all.mid(at, 7));
    }
    QVERIFY(source.originAt(0)->isError);
    QVERIFY(!source.originAt(all.indexOf("loss 0.5"))->isError);
    QVERIFY(source.originAt(all.indexOf("\repoch 2 100"))->isError);
}

void TstLogView::streamsApart()
{
    Log log;
    for (int i = 0; i < 500; ++i) {
        log.write("out " + QByteArray::number(i) + '\n');
        log.write("err " + QByteArray::number(i) + '\n', LogReader::Stream::Err);
    }
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Err));
    QTRY_COMPARE(view.lineCount(), 500);
    QCOMPARE(view.lineText(0), QStringLiteral("err 0"));
    QCOMPARE(view.lineText(499), QStringLiteral("err 499"));
    log.write("err 500\n", LogReader::Stream::Err);
    QTRY_COMPARE(view.lineCount(), 501);
    QCOMPARE(view.lineText(500), QStringLiteral("err 500"));
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Out));
    QTRY_COMPARE(view.lineCount(), 500);
    QCOMPARE(view.lineText(250), QStringLiteral("out 250"));
    TryLogSource source(log.folder(), LogSource::Filter::Both);
    QVERIFY(source.size() > 0);
    QVERIFY(!source.originAt(0)->isError);
    QVERIFY(source.originAt(6)->isError);
}

// A match far to the right is brought into sight sideways too.
void TstLogView::hitsAreShownSideways()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(BytesLogSource::factory(numbered(0, 100) + QByteArray(600, 'x') + " needle and more\n"
        + QByteArray(5, 'y') + " needle\n" + numbered(100, 200)));
    QTRY_VERIFY(view.isComplete());
    view.search({QStringLiteral("needle"), false, false});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 2);
    view.nextHit();
    if (view.hitLine(view.currentHit()) != 100) {
        view.nextHit();
    }
    QCOMPARE(view.hitLine(view.currentHit()), qint64(100));
    const int advance = view.fontMetrics().horizontalAdvance(QString(600, QLatin1Char('x')));
    const int value = view.horizontalScrollBar()->value();
    QVERIFY2(value > 0 && value <= advance && advance < value + view.viewport()->width(),
        qPrintable(QString::number(value)));
    view.nextHit();
    QCOMPARE(view.hitLine(view.currentHit()), qint64(101));
    QCOMPARE(view.horizontalScrollBar()->value(), 0);
}

// It is found without moving what is in sight; to go on leads to it before the next one, unless it is seen.
void TstLogView::firstHitIsNotPassedOver()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(
        BytesLogSource::factory(numbered(0, 500) + "needle\n" + numbered(500, 900) + "needle\n" + numbered(900, 1000)));
    QTRY_VERIFY(view.isComplete());
    view.showLine(0);
    view.search({QStringLiteral("needle"), false, false});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 2);
    QCOMPARE(view.currentHit(), 0);
    QCOMPARE(view.topLine(), 0);
    view.nextHit();
    QCOMPARE(view.hitLine(view.currentHit()), 500);
    QVERIFY(!view.lineRect(500).isEmpty());
    view.nextHit();
    QCOMPARE(view.hitLine(view.currentHit()), 901);
    view.showLine(0);
    view.search({QStringLiteral("line"), false, false});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 1000);
    QCOMPARE(view.currentHit(), 0);
    view.nextHit(); // the first one is in sight
    QCOMPARE(view.currentHit(), 1);
}

// Marks stand beside the scroll bar: its thumb is seen also when every line is a hit.
void TstLogView::marksLeaveTheThumbAlone()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(BytesLogSource::factory(numbered(0, 1000)));
    QTRY_VERIFY(view.isComplete());
    const QImage before = view.verticalScrollBar()->grab().toImage();
    auto *strip = view.findChild<QWidget *>(QStringLiteral("hitStrip"));
    QVERIFY(strip && strip->isVisible());
    const QImage none = strip->grab().toImage();
    view.search({QStringLiteral("line"), false, false});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 1000);
    QVERIFY(strip->grab().toImage() != none);
    QVERIFY(!strip->geometry().intersects(view.viewport()->geometry()));
    QVERIFY(!strip->geometry().isEmpty());
    QCOMPARE(view.verticalScrollBar()->grab().toImage(), before);
}

void TstLogView::italicAndUnderlineAreDrawn()
{
    const LogText text = decodeLine(linesOf("\033[3mslanted\033[23m \033[4mlink\033[24m end\n").at(0));
    QCOMPARE(text.text, QStringLiteral("slanted link end"));
    QVERIFY(text.runs.at(0).italic && !text.runs.at(0).underlined);
    QVERIFY(text.runs.at(2).underlined && !text.runs.at(2).italic);
    LogView view;
    view.resize(400, 120);
    view.show();
    const auto picture = [&](const QByteArray &bytes) {
        view.setSource(BytesLogSource::factory(bytes));
        [&] { QTRY_VERIFY(view.isComplete()); }();
        return view.viewport()->grab().toImage();
    };
    const QImage plain = picture("word\n");
    QVERIFY(picture("\033[4mword\033[0m\n") != plain);
    QVERIFY(picture("\033[3mword\033[0m\n") != plain);
}

void TstLogView::longLinesWrap()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setTimes(LogTimes::None);
    view.setSource(BytesLogSource::factory(
        numbered(0, 50) + QByteArray(1000, 'x') + '\n' + numbered(51, 100) + QByteArray(1000, 'z') + '\n'));
    QTRY_VERIFY(view.isComplete());
    view.setWrapped(true);
    view.grab();
    QCOMPARE(view.horizontalScrollBar()->maximum(), 0);
    // The end is at the lower edge, with all rows of the last line that have room.
    QVERIFY(view.isFollowing());
    const QRect last = view.lineRect(100);
    QVERIFY2(last.height() > 8 * metrics::logLine, qPrintable(QString::number(last.height())));
    QVERIFY(std::abs(last.bottom() + 1 - view.viewport()->height()) <= 1);
    view.showLine(50);
    QVERIFY(view.lineRect(50).height() > 2 * metrics::logLine);
    QVERIFY(!view.isFollowing());
    view.verticalScrollBar()->setValue(0);
    QCOMPARE(view.topLine(), qint64(0));
    // Row by row through lines that are higher than a row, and to the end.
    for (int i = 0; i < 400 && !view.isFollowing(); ++i) {
        QTest::keyClick(&view, Qt::Key_Down);
    }
    QVERIFY(view.isFollowing());
    QCOMPARE(view.lineRect(100), last);
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(!view.isFollowing());
    // A place in a row below the first is that place of the line.
    view.showLine(50);
    const QRect line = view.lineRect(50);
    QTest::mouseDClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(60, line.top() + metrics::logLine + 9));
    QCOMPARE(view.selectedText().size(), 1000);
    view.setWrapped(false);
    QCOMPARE(view.lineRect(view.topLine() + 1).height(), metrics::logLine);
}

void TstLogView::lastLinesComeIntoSight_data()
{
    QTest::addColumn<bool>("isWrapped");
    QTest::newRow("in one row") << false;
    QTest::newRow("wrapped") << true;
}

// Where a program ends with what went wrong, that is the last line.
void TstLogView::lastLinesComeIntoSight()
{
    QFETCH(bool, isWrapped);
    Log log; // that may grow
    log.write(numbered(0, 100));
    LogView view;
    view.resize(500, 300);
    view.setWrapped(isWrapped);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 100);
    for (const qint64 line : {99, 98, 96, 90}) {
        view.verticalScrollBar()->setValue(0);
        QVERIFY(view.lineRect(line).isEmpty());
        view.markLine(line);
        QVERIFY2(view.lineRect(line).height() == metrics::logLine, qPrintable(QString::number(view.topLine())));
        QVERIFY(!view.isFollowing());
    }
    view.markLine(99);
    log.write(numbered(100, 200));
    QTRY_COMPARE(view.lineCount(), 200);
    QVERIFY(!view.lineRect(99).isEmpty()); // it does not leave
}

// Also where a character is not a whole number of pixels wide.
void TstLogView::wrappedRowsHaveRoom()
{
    QScrollArea area;
    area.resize(600, 300);
    QFont font = fonts::fixed();
    font.setHintingPreference(QFont::PreferNoHinting);
    bool isFractional = false;
    for (const QString &text : {QString(1000, QLatin1Char('x')), QString(1000, QChar(0x3b1))}) {
        for (int tenths = 80; tenths < 130; ++tenths) {
            font.setPointSizeF(tenths / 10.0);
            area.setFont(font);
            const QFontMetricsF exact(area.font(), &area);
            const double advance = exact.horizontalAdvance(QLatin1Char('0'));
            isFractional |= advance - std::floor(advance) > 0.1 && advance - std::floor(advance) < 0.5;
            LogLines lines;
            lines.setSource(std::make_unique<BytesLogSource>(text.toUtf8() + '\n'));
            LogIndex index = indexed(text.toUtf8() + '\n');
            lines.apply(index.takeDelta());
            QCOMPARE(lines.count(), 1);
            LogLayout layout(&area, &lines);
            layout.setWrapped(true);
            const int room = area.viewport()->width() - layout.gutterWidth();
            const QList<LogLayout::Row> rows = layout.rows({}, false);
            QVERIFY(rows.size() > 2);
            for (const LogLayout::Row &row : rows) {
                const double width = exact.horizontalAdvance(text.mid(row.begin, row.end - row.begin));
                QVERIFY2(width <= room, qPrintable(QStringLiteral("%1 > %2 at %3").arg(width).arg(room).arg(tenths)));
            }
        }
    }
    QVERIFY(isFractional);
}

// A row ends where the pane does, however few characters that leaves.
void TstLogView::narrowPanesCutNoLetter()
{
    QScrollArea area;
    area.setFont(fonts::fixed());
    area.show(); // else it does not arrange its viewport
    const QFontMetricsF exact(area.font(), &area);
    for (const QString &text : {QString(200, QLatin1Char('x')), QString(200, QChar(0x3b1))}) {
        const QByteArray bytes = text.toUtf8() + '\n';
        LogLines lines;
        lines.setSource(std::make_unique<BytesLogSource>(bytes));
        LogIndex index = indexed(bytes);
        lines.apply(index.takeDelta());
        LogLayout layout(&area, &lines);
        layout.setWrapped(true);
        layout.setTimes(LogTimes::None);
        area.resize(layout.gutterWidth() + int(10 * exact.averageCharWidth()) + 8, 600);
        const int room = area.viewport()->width() - layout.gutterWidth();
        QVERIFY(room > 6 * exact.averageCharWidth() && room < 15 * exact.averageCharWidth());
        const QList<LogLayout::Row> rows = layout.rows({}, false);
        QVERIFY(rows.size() > 10);
        for (const LogLayout::Row &row : rows) {
            const double width = exact.horizontalAdvance(text.mid(row.begin, row.end - row.begin));
            QVERIFY2(width <= room, qPrintable(QStringLiteral("%1 > %2").arg(width).arg(room)));
        }
    }
}

// However narrow the pane is, or large its letters: the times go first, the numbers last.
void TstLogView::gutterLeavesRoomForTheText()
{
    QScrollArea area;
    QFont font = fonts::fixed();
    font.setPointSizeF(font.pointSizeF() * 2);
    area.setFont(font);
    area.show();
    LogLines lines;
    lines.setSource(std::make_unique<BytesLogSource>(QByteArray("a\nb\n")));
    LogIndex index = indexed("a\nb\n");
    lines.apply(index.takeDelta());
    LogLayout layout(&area, &lines);
    layout.setNumbered(true);
    layout.setParts({{QStringLiteral("worker/0"), 0}});
    const int text = 16 * area.fontMetrics().averageCharWidth();
    QStringList seen;
    for (int width = 1600; width >= 100; width -= 10) {
        area.resize(width, 300);
        QTRY_COMPARE(area.width(), width);
        QString shown;
        shown += layout.showsTimes() ? QStringLiteral("t") : QString();
        shown += layout.partWidth() > 0 ? QStringLiteral("p") : QString();
        shown += layout.numberWidth() > 0 ? QStringLiteral("n") : QString();
        if (seen.isEmpty() || seen.constLast() != shown) {
            seen.append(shown);
        }
        QVERIFY2(shown.isEmpty() || area.viewport()->width() - layout.gutterWidth() >= text,
            qPrintable(QStringLiteral("%1 of %2").arg(layout.gutterWidth()).arg(area.viewport()->width())));
    }
    QCOMPARE(seen, (QStringList{QStringLiteral("tpn"), QStringLiteral("pn"), QStringLiteral("n"), QString()}));
}

void TstLogView::linesThatPointDoNotWrap()
{
    const auto rowsOf = [](const QByteArray &text) {
        QScrollArea area;
        area.resize(600, 300);
        LogLines lines;
        lines.setSource(std::make_unique<BytesLogSource>(text));
        LogIndex index = indexed(text);
        lines.apply(index.takeDelta());
        LogLayout layout(&area, &lines);
        layout.setWrapped(true);
        return layout.rows({}, false).size();
    };
    QVERIFY(rowsOf(QByteArray(400, 'x') + '\n') > 1);
    QCOMPARE(rowsOf("    " + QByteArray(200, '~') + QByteArray(200, '^') + '\n'), 1);
}

// They are not of the text: nothing of them is copied, and without them the text stands where it stood.
void TstLogView::numbersStandInTheGutter()
{
    Log log;
    log.write(numbered(0, 40));
    LogView view;
    view.resize(700, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 40);
    view.setFollowing(false);
    view.showLine(0);
    const auto inkOf = [&view](QRect area) {
        const QImage picture = view.viewport()->grab(area).toImage();
        const QRgb ground = picture.pixel(0, 0);
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixel(x, y) != ground) {
                    return true;
                }
            }
        }
        return false;
    };
    for (const LogTimes times : {LogTimes::None, LogTimes::Clock}) {
        view.setTimes(times);
        view.setNumbered(false);
        const QImage before = view.viewport()->grab().toImage();
        QSignalSpy told(&view, &LogView::numberedChanged);
        view.setNumbered(true);
        QCOMPARE(told.size(), 1);
        const int width = 6 * view.fontMetrics().horizontalAdvance(QLatin1Char('0'));
        QVERIFY(inkOf({LogLayout::textLeft, 0, width, metrics::logLine}));
        QVERIFY(view.viewport()->grab().toImage() != before);
        view.selectAll();
        QVERIFY2(view.selectedText().startsWith(QStringLiteral("line 0\nline 1\n")), qPrintable(view.selectedText()));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(400, metrics::logLine / 2)); // selects nothing
        view.setNumbered(false);
        QCOMPARE(told.size(), 2);
    }
    // The digits of a larger log have room.
    LogLines lines;
    LogIndex index = indexed(QByteArray(3'000'000, '\n'));
    lines.setSource(std::make_unique<BytesLogSource>(QByteArray()));
    lines.apply(index.takeDelta());
    QCOMPARE(lines.numberDigits(), 7);
    QCOMPARE(lines.numberOf(2'999'999), std::optional<qint64>(3'000'000));
    QVERIFY(!lines.numberOf(3'000'000));
}

// Whatever the rules know of its words, and only until another log is shown.
void TstLogView::theCauseIsSetApart()
{
    LogView view;
    view.resize(500, 120);
    view.setTimes(LogTimes::None);
    view.show();
    const QByteArray text = "a word of no rule\n";
    const auto shown = [&view] { return view.viewport()->grab().toImage(); };
    view.setSource(BytesLogSource::factory(text));
    QTRY_VERIFY(view.isComplete() && view.lineCount() == 1);
    const QImage plain = shown();
    view.setCauseLine(0);
    QVERIFY(shown() != plain);
    view.setSource(BytesLogSource::factory(text));
    QTRY_VERIFY(view.isComplete() && view.lineCount() == 1);
    QTRY_COMPARE(shown(), plain);
}

void TstLogView::downAtTheEndFollows_data() { lastLinesComeIntoSight_data(); }

// Who has jumped to the last line and wants what comes next goes on down, with whatever is at hand.
void TstLogView::downAtTheEndFollows()
{
    QFETCH(bool, isWrapped);
    LogView view;
    view.resize(500, 300);
    view.setWrapped(isWrapped);
    view.show();
    view.setSource(BytesLogSource::factory(numbered(0, 100)));
    QTRY_COMPARE(view.lineCount(), 100);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_PageDown, Qt::Key_End}) {
        view.markLine(99);
        QVERIFY(!view.isFollowing());
        QTest::keyClick(&view, key);
        QVERIFY2(view.isFollowing(), qPrintable(QKeySequence(key).toString()));
    }
    const auto wheelDown = [&view] {
        const QPointF at = view.viewport()->rect().center();
        QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.viewport(), &event);
    };
    view.markLine(99);
    QVERIFY(!view.isFollowing());
    wheelDown();
    QVERIFY(view.isFollowing());
    view.markLine(0);
    QTest::keyClick(&view, Qt::Key_Down);
    wheelDown();
    QVERIFY(!view.isFollowing());
}

TRAINYARD_GUI_TEST(TstLogView)
#include "tst_logview.moc"
