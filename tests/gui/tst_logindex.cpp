// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logfinder.h"
#include "widgets/log/loghits.h"
#include "widgets/log/loglayout.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logrules.h"
#include "widgets/log/logsaver.h"
#include "widgets/log/logview.h"
#include "widgets/log/preparationfold.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace logtests;

// The lines that a log has, and what is found in them.
class TstLogIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void indexCountsLines_data();
    void indexCountsLines();
    void placesAreFound();
    void indexIsTheSameInAnyPieces();
    void indexDeltasGiveTheSame();
    void linesAreWhatWasWritten();
    void longLines();
    void search();
    void searchGoesOn();
    void hitsAreCountedAndFoundAgain();
    void timesAreFoundBetweenGroups();
    void errorsAreFound_data();
    void errorsAreFound();
    void jumpsToTheFirstError();
    void jumpsReadLittleOfALongLine();
    void hugeFile();
};

void TstLogIndex::indexCountsLines_data()
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

void TstLogIndex::indexCountsLines()
{
    QFETCH(QByteArray, bytes);
    QFETCH(qint64, lines);
    const LogIndex index = indexed(bytes);
    QCOMPARE(index.lineCount(), lines);
    QCOMPARE(index.size(), bytes.size());
    QCOMPARE(linesOf(bytes).size(), lines);
}

// The stretch in which a place of the text is, whichever place it is.
void TstLogIndex::placesAreFound()
{
    const QByteArray bytes = numbered(0, 1000) + QByteArray(200'000, 'x') + '\n' + numbered(0, 300);
    const LogIndex index = indexed(bytes);
    QVERIFY(index.intervalCount() > 10);
    for (qint64 number = 0; number < index.intervalCount(); ++number) {
        const LogIndex::Interval interval = index.interval(number);
        QCOMPARE(index.intervalOfOffset(interval.begin), number);
        QCOMPARE(index.intervalOfOffset(interval.end - 1), number);
    }
    QCOMPARE(LogIndex().intervalOfOffset(0), qint64(0));
}

void TstLogIndex::indexIsTheSameInAnyPieces()
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

void TstLogIndex::indexDeltasGiveTheSame()
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

void TstLogIndex::linesAreWhatWasWritten()
{
    const QStringList texts = textsOf("a\r\nb\tc\n 10%\r 50%\r100% done\nend\r\r\n\xff!\nbell\x07\nlast");
    QCOMPARE(texts,
        QStringList({QStringLiteral("a"), QStringLiteral("b       c"), QStringLiteral("100% done"),
            QStringLiteral("end"), QString(QChar(0xfffd)) + QLatin1Char('!'), QStringLiteral("bell") + QChar(0x2407),
            QStringLiteral("last")}));
    QVERIFY(linesOf("1%\r2%")[0].isProgress);
    QVERIFY(!linesOf("a\r\n")[0].isProgress);
}

void TstLogIndex::longLines()
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

void TstLogIndex::search()
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

void TstLogIndex::searchGoesOn()
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
void TstLogIndex::hitsAreCountedAndFoundAgain()
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

// An empty line stands between the groups of a filtered log, and has no time.
void TstLogIndex::timesAreFoundBetweenGroups()
{
    class Groups final : public LogSource
    {
    public:
        qint64 size() override { return bytes.size(); }
        QByteArray read(qint64 offset, qint64 length) override { return bytes.mid(offset, length); }
        std::optional<Origin> originAt(qint64 offset) override // of each letter its place in the alphabet, in seconds
        {
            const char at = bytes.at(offset);
            return at == '\n' ? std::nullopt
                              : std::optional(Origin{qint64(at - 'a' + 1) * 1'000'000'000, false, false, 0});
        }
        bool isComplete() override { return true; }
        const QByteArray bytes{"a\n\nb\n\nd\ne\n\nf\n"};
    };
    LogLines lines;
    lines.setSource(std::make_unique<Groups>());
    LogIndex index = indexed(Groups().bytes);
    lines.apply(index.takeDelta());
    QCOMPARE(lines.count(), 8);
    const QList<std::pair<qint64, qint64>> wanted{
        {500, 0}, {1000, 0}, {1500, 2}, {2000, 2}, {3000, 4}, {4000, 4}, {5000, 5}, {5500, 7}, {6000, 7}, {7000, -1}};
    for (const auto &[time, line] : wanted) {
        QCOMPARE(lines.lineAtTime(time), line);
    }
}

void TstLogIndex::errorsAreFound_data()
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

void TstLogIndex::errorsAreFound()
{
    QFETCH(QString, line);
    QTEST(LogRules().levelOf(line) == LogRule::Level::Error, "isError");
}

void TstLogIndex::jumpsToTheFirstError()
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

// A bar that is drawn for days is one line, which would fill the memory of a window.
void TstLogIndex::jumpsReadLittleOfALongLine()
{
    constexpr qint64 length = 64 << 20, most = 2 << 20;
    class LongLine final : public LogSource
    {
    public:
        qint64 size() override { return length; }
        QByteArray read(qint64 offset, qint64 wanted) override
        {
            largest = std::max(largest, wanted);
            QByteArray bytes(std::min(wanted, length - offset), 'x');
            if (offset + bytes.size() == length) {
                bytes.replace(bytes.size() - last.size(), last.size(), last);
            }
            return bytes;
        }
        std::optional<Origin> originAt(qint64) override { return {}; }
        bool isComplete() override { return true; }

        const QByteArray last = "\rerror: the end";
        qint64 largest = 0;
    };
    LongLine source;
    LogIndex index;
    const QByteArray block(1 << 20, 'x');
    while (index.size() < length) {
        index.append(block.first(std::min<qint64>(block.size(), length - index.size())));
    }
    LogFinder finder;
    finder.start({QRegularExpression(QStringLiteral("error")),
        [](const QString &line) { return line.startsWith(QStringLiteral("error")); }, -1, true});
    std::optional<qint64> found;
    for (int i = 0; i < 10 && !found; ++i) {
        found = finder.step(source, index, true);
    }
    QCOMPARE(found, std::optional<qint64>(0));
    QVERIFY2(source.largest <= most, qPrintable(QString::number(source.largest)));
}

void TstLogIndex::hugeFile()
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

TRAINYARD_GUI_TEST(TstLogIndex)
#include "tst_logindex.moc"
