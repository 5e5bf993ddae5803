// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/infobar.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/tokens.h"
#include "widgets/log/loghits.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logrules.h"
#include "widgets/log/logsaver.h"
#include "widgets/log/logview.h"
#include "widgets/log/preparationfold.h"

#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

using namespace trainyard;

namespace
{
using Log = WrittenLog;

// A log that is in memory.
class BytesLogSource final : public LogSource
{
public:
    explicit BytesLogSource(const QByteArray &bytes) : m_bytes(bytes) { }
    static LogSourceFactory factory(const QByteArray &bytes)
    {
        return [bytes] { return std::make_unique<BytesLogSource>(bytes); };
    }
    qint64 size() override { return m_bytes.size(); }
    QByteArray read(qint64 offset, qint64 length) override { return m_bytes.mid(offset, length); }
    std::optional<Origin> originAt(qint64) override { return {}; }
    bool isComplete() override { return true; }

private:
    QByteArray m_bytes;
};

QByteArray numbered(int from, int to)
{
    QByteArray bytes;
    for (int i = from; i < to; ++i) {
        bytes += "line " + QByteArray::number(i) + '\n';
    }
    return bytes;
}

LogIndex indexed(const QByteArray &bytes, qsizetype step = 0)
{
    LogIndex index;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype n = step > 0 ? std::min(step, bytes.size() - at) : bytes.size();
        index.append(QByteArrayView(bytes).sliced(at, n));
        at += n;
    }
    return index;
}

QList<RawLine> linesOf(const QByteArray &bytes)
{
    const LogIndex index = indexed(bytes);
    BytesLogSource source(bytes);
    QList<RawLine> lines;
    for (qint64 i = 0; i < index.intervalCount(); ++i) {
        lines += splitInterval(source, index.interval(i));
    }
    return lines;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// By the button, as a user does.
bool save(LogPane *pane, const QString &path)
{
    pane->findChild<QAction *>(QStringLiteral("logSave"))->trigger();
    auto *dialog = pane->findChild<QFileDialog *>();
    if (!dialog) {
        return false;
    }
    Q_EMIT dialog->fileSelected(path);
    dialog->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return true;
}

QStringList textsOf(const QByteArray &bytes)
{
    QStringList texts;
    const QList<RawLine> lines = linesOf(bytes);
    for (const RawLine &line : lines) {
        texts.append(decodeLine(line).text);
    }
    return texts;
}
} // namespace

class TstLogView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void indexCountsLines_data();
    void indexCountsLines();
    void indexIsTheSameInAnyPieces();
    void indexDeltasGiveTheSame();
    void linesAreWhatWasWritten();
    void longLines();
    void colours();
    void groundsAreDrawn();
    void timesStandOnTheLine();
    void followsAndLetsGo();
    void growsAndIsReplaced();
    void streamsApart();
    void linesOfOneStreamStayWhole();
    void search();
    void searchGoesOn();
    void hitsAreCountedAndFoundAgain();
    void hitsAreShownSideways();
    void marksLeaveTheThumbAlone();
    void italicAndUnderlineAreDrawn();
    void errorsAreFound_data();
    void errorsAreFound();
    void jumpsToTheFirstError();
    void longLinesWrap();
    void wrappedRowsHaveRoom();
    void wrapsBetweenWords();
    void headIsFittedAgain();
    void selectionAndCopy();
    void hugeFile();
    void paneSaysWhyThereIsNothing();
    void paneSaysThatNothingHasBeenWrittenYet();
    void preparationGrows();
    void focusIsSeen();
    void savesWhatIsShown();
    void suggestsAFileNotAFolder();
    void endsOfLongLinesAreSeen();
    void savingCanFail();
    void savingIsDoneAside();
    void escapeClosesTheSearch();
};

void TstLogView::indexCountsLines_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<qint64>("lines");
    QTest::newRow("nothing") << QByteArray() << qint64(0);
    QTest::newRow("one") << QByteArray("a\n") << qint64(1);
    QTest::newRow("no newline at the end") << QByteArray("a\nb") << qint64(2);
    QTest::newRow("empty lines") << QByteArray("\n\n\n") << qint64(3);
    QTest::newRow("crlf") << QByteArray("a\r\nb\r\n") << qint64(2);
    QTest::newRow("progress") << QByteArray("1%\r2%\r3%") << qint64(1);
    QTest::newRow("many") << numbered(0, 1000) << qint64(1000);
    QTest::newRow("not utf-8") << QByteArray("\xff\xfe\n\x80") << qint64(2);
}

void TstLogView::indexCountsLines()
{
    QFETCH(QByteArray, bytes);
    QFETCH(qint64, lines);
    const LogIndex index = indexed(bytes);
    QCOMPARE(index.lineCount(), lines);
    QCOMPARE(index.size(), bytes.size());
    QCOMPARE(linesOf(bytes).size(), lines);
}

void TstLogView::indexIsTheSameInAnyPieces()
{
    QByteArray bytes;
    auto *random = QRandomGenerator::global();
    for (int i = 0; i < 3000; ++i) {
        bytes += QByteArray(random->bounded(i % 500 == 0 ? 90'000 : 60), 'x') + '\n';
    }
    const LogIndex whole = indexed(bytes);
    for (const qsizetype step : {7, 4096, 65'537}) {
        const LogIndex pieces = indexed(bytes, step);
        QCOMPARE(pieces.lineCount(), whole.lineCount());
        QCOMPARE(pieces.intervalCount(), whole.intervalCount());
        for (qint64 i = 0; i < whole.intervalCount(); ++i) {
            QCOMPARE(pieces.interval(i).begin, whole.interval(i).begin);
            QCOMPARE(pieces.interval(i).firstLine, whole.interval(i).firstLine);
        }
    }
    for (qint64 line = 0; line < whole.lineCount(); line += 37) {
        const auto interval = whole.interval(whole.intervalOfLine(line));
        QVERIFY(interval.firstLine <= line && line < interval.firstLine + interval.lines);
    }
}

void TstLogView::indexDeltasGiveTheSame()
{
    LogIndex worker;
    LogIndex view;
    QByteArray all;
    for (int i = 0; i < 50; ++i) {
        const QByteArray part = numbered(i * 100, i * 100 + 73) + "tail";
        worker.append(part);
        all += part;
        view.apply(worker.takeDelta());
        QCOMPARE(view.lineCount(), worker.lineCount());
    }
    QCOMPARE(view.lineCount(), indexed(all).lineCount());
    QCOMPARE(view.intervalCount(), worker.intervalCount());
    worker.reset();
    worker.append("new\n");
    view.apply(worker.takeDelta());
    QCOMPARE(view.lineCount(), 1);
    QCOMPARE(view.intervalCount(), 1);
}

void TstLogView::linesAreWhatWasWritten()
{
    const QStringList texts = textsOf("a\r\nb\tc\n 10%\r 50%\r100% done\nend\r\r\n\xff!\nbell\x07\nlast");
    QCOMPARE(texts,
        QStringList({QStringLiteral("a"), QStringLiteral("b       c"), QStringLiteral("100% done"),
            QStringLiteral("end"), QString(QChar(0xfffd)) + QLatin1Char('!'), QStringLiteral("bell") + QChar(0x2407),
            QStringLiteral("last")}));
    QVERIFY(linesOf("1%\r2%")[0].isProgress);
    QVERIFY(!linesOf("a\r\n")[0].isProgress);
}

void TstLogView::longLines()
{
    const qsizetype length = 10 << 20;
    const QByteArray bytes = "before\n" + QByteArray(length, 'y') + "\nafter\n";
    const QList<RawLine> lines = linesOf(bytes);
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.at(1).length, length);
    QVERIFY(lines.at(1).isCut);
    QVERIFY(lines.at(1).bytes.size() < 100'000);
    QCOMPARE(decodeLine(lines.at(2)).text, QStringLiteral("after"));
    // A progress bar of an hour is one long line too; what counts is its end.
    QByteArray progress;
    for (int i = 0; i < 100'000; ++i) {
        progress += '\r' + QByteArray::number(i) + " of 100000";
    }
    const QList<RawLine> bar = linesOf("start\n" + progress);
    QCOMPARE(bar.size(), 2);
    QCOMPARE(decodeLine(bar.at(1)).text, QStringLiteral("99999 of 100000"));
    QVERIFY(bar.at(1).isProgress);
}

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

void TstLogView::search()
{
    Log log;
    log.write(numbered(0, 5000) + "\033[31mError\033[0m: it broke\n" + numbered(5000, 6000));
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 6001);
    view.search({QStringLiteral("error: IT"), false, false});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 1);
    QCOMPARE(view.hitLine(0), 5000);
    view.nextHit();
    QVERIFY(view.topLine() <= 5000 && view.topLine() > 4900);
    QVERIFY(!view.isFollowing());
    view.search({QStringLiteral("line [0-9]*77$"), true, true});
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 60);
    QCOMPARE(view.hitLine(0), 77);
    view.search({QStringLiteral("[broken"), true, false});
    QTRY_VERIFY(view.searchDone());
    QCOMPARE(view.hitLineCount(), 0);
    view.search({});
    QVERIFY(view.query().isEmpty());
}

void TstLogView::searchGoesOn()
{
    Log log;
    log.write(numbered(0, 100));
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    view.search({QStringLiteral("needle"), false, false});
    QTRY_VERIFY(view.searchDone() && view.lineCount() == 100);
    QCOMPARE(view.hitLineCount(), 0);
    log.write("a needle\nanother nee");
    QTRY_COMPARE(view.hitLineCount(), 1);
    log.write("dle\n");
    QTRY_COMPARE(view.hitLineCount(), 2);
    QCOMPARE(view.hitLine(1), 101);
}

// What a search found takes the same memory for a thousand hits and for a hundred million.
void TstLogView::hitsAreCountedAndFoundAgain()
{
    LogHits hits(1000);
    constexpr qint64 linesOfABlock = 500;
    const auto stretch = [](qint64 block) {
        return LogHits::Stretch{
            block * LogHits::blockBytes, (block + 1) * LogHits::blockBytes, block * linesOfABlock, linesOfABlock};
    };
    const auto linesWithHit = [](qint64 block) {
        QList<qint64> lines;
        for (qint64 line = 0; line < linesOfABlock; line += 2) {
            lines.append(block * linesOfABlock + line);
        }
        return lines;
    };
    for (qint64 block = 0; block < 100; ++block) {
        hits.append(stretch(block), block % 2 == 0 ? linesWithHit(block) : QList<qint64>());
    }
    QCOMPARE(hits.count(), qint64(50 * 250));
    QCOMPARE(hits.line(hits.count() - 1).value_or(-1), qint64(98 * 500 + 498)); // the newest are kept
    QVERIFY(!hits.line(251)); // others are found again when somebody looks
    QCOMPARE(hits.stretchOf(251).value_or(LogHits::Stretch()), stretch(2));
    hits.keep(stretch(2), linesWithHit(2));
    QCOMPARE(hits.line(251).value_or(-1), qint64(1002));
    hits.keep(stretch(2), linesWithHit(2).mid(1)); // the log is another one by now
    QCOMPARE(hits.line(251).value_or(-1), qint64(1002));
    QVERIFY(!hits.stretchOf(hits.count()) && !hits.stretchOf(-1));
    // Half of the blocks are marked, all along the strip.
    const QList<int> marks = hits.marks(1000, 100 * linesOfABlock);
    QVERIFY2(marks.size() > 400 && marks.size() < 600, qPrintable(QString::number(marks.size())));
    QVERIFY(marks.constFirst() < 5 && marks.constLast() > 980);
    // A log that grows line by line is not a block a line.
    LogHits grown;
    for (qint64 line = 0; line < 5000; ++line) {
        grown.append({line * 10, line * 10 + 10, line, 1}, {line});
    }
    QCOMPARE(grown.count(), qint64(5000));
    QCOMPARE(grown.blockCount(), qint64(1));
    QCOMPARE(grown.line(4321).value_or(-1), qint64(4321));
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

void TstLogView::errorsAreFound_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("isError");
    const auto row
        = [](const char *line, bool isError) { QTest::newRow(line) << QString::fromLatin1(line) << isError; };
    row("Traceback (most recent call last):", true);
    row("RuntimeError: CUDA out of memory", true);
    row("torch.cuda.OutOfMemoryError: CUDA out of memory.", true);
    row("KeyboardInterrupt", true);
    row("main.c:3:1: error: expected ';'", true);
    row("2024-01-01 12:00:00 ERROR cannot read", true);
    row("bash: line 1: trainn: command not found", true);
    row("epoch 3 loss 0.33", false);
    row("validation error: 0.31", false);
    row("error rate 0.2", false);
    row("no errors", false);
}

void TstLogView::errorsAreFound()
{
    QFETCH(QString, line);
    QTEST(LogRules().levelOf(line) == LogRule::Level::Error, "isError");
}

void TstLogView::jumpsToTheFirstError()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    QSignalSpy shown(&view, &LogView::jumped);
    view.setSource(
        BytesLogSource::factory(numbered(0, 3000) + "ValueError: no\n" + numbered(3000, 3100) + "KeyError: 'x'\n"));
    QTRY_VERIFY(view.isComplete());
    view.jump(LogView::Jump::FirstError);
    QTRY_COMPARE(shown.count(), 1);
    QVERIFY(shown.first().last().toBool());
    QCOMPARE(view.selectedText(), QStringLiteral("ValueError: no"));
    QVERIFY(!view.lineRect(3000).isEmpty());
    view.setSource(BytesLogSource::factory(numbered(0, 10)));
    QTRY_VERIFY(view.isComplete());
    view.jump(LogView::Jump::FirstError);
    QTRY_COMPARE(shown.count(), 2);
    QVERIFY(!shown.last().last().toBool());
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

// A word goes on in the next row only where the row would be half empty without it.
void TstLogView::wrapsBetweenWords()
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

// Something in the head wants more room than when it was fitted: what has no room goes, and nothing is cut.
void TstLogView::headIsFittedAgain()
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

void TstLogView::selectionAndCopy()
{
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(BytesLogSource::factory("one\ntwo words\nthree\n"));
    QTRY_VERIFY(view.isComplete());
    view.selectAll();
    QCOMPARE(view.selectedText(), QStringLiteral("one\ntwo words\nthree"));
    const int x = 110 + 26 + view.fontMetrics().horizontalAdvance(QStringLiteral("two w")) + 1;
    QTest::mouseDClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(x, 18 + 9));
    QCOMPARE(view.selectedText(), QStringLiteral("words"));
}

void TstLogView::hugeFile()
{
    // 200 MB and 4 million lines, made by repeating one block: written fast, indexed in blocks, never held.
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("output.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray block;
    for (int i = 0; i < 20'000; ++i) {
        block += "step " + QByteArray::number(100'000 + i) + "  loss 0.3312  acc 0.8832  lr 0.0010  " + '\n';
    }
    constexpr int blocks = 200;
    for (int i = 0; i < blocks; ++i) {
        QCOMPARE(file.write(block), block.size());
    }
    file.close();
    LogView view;
    view.resize(800, 600);
    view.show();
    view.setSource(TryLogSource::factory(folder.path(), LogSource::Filter::Both));
    QTRY_COMPARE_WITH_TIMEOUT(view.lineCount(), qint64(blocks) * 20'000, 20'000);
    QElapsedTimer timer;
    timer.start();
    for (const qint64 line : {qint64(0), qint64(3'999'999), qint64(1'234'567)}) {
        view.showLine(line);
        view.grab();
        QVERIFY(view.lineText(line).startsWith(QStringLiteral("step %1").arg(100'000 + line % 20'000)));
    }
    QVERIFY2(timer.elapsed() < 15000, qPrintable(QString::number(timer.elapsed())));
}

void TstLogView::paneSaysWhyThereIsNothing()
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
void TstLogView::paneSaysThatNothingHasBeenWrittenYet()
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

void TstLogView::focusIsSeen()
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
void TstLogView::preparationGrows()
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

void TstLogView::savesWhatIsShown()
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

void TstLogView::suggestsAFileNotAFolder()
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

// bash names the script in full in front of what it says: cut at the right, the message would be out of sight.
void TstLogView::endsOfLongLinesAreSeen()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("/home/somebody/.local/state/trainyard/0123456789abcdef/runs/fedcba9876543210/0/worker-0/0/task.sh: "
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

// It stays said until it is closed: the status line says something else with every line that comes.
void TstLogView::savingCanFail()
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

// A log that takes its time: the window is free meanwhile, and can call it off.
void TstLogView::savingIsDoneAside()
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
        QThreadPool::globalInstance()->waitForDone();
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
void TstLogView::escapeClosesTheSearch()
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

TRAINYARD_GUI_TEST(TstLogView)
#include "tst_logview.moc"
