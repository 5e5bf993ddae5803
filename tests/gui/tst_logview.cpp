// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/common/infobar.h"
#include "widgets/common/tokens.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsaver.h"
#include "widgets/log/logview.h"
#include "widgets/log/logview_p.h"

#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <QVBoxLayout>
#include <QtEndian>

#include <atomic>
#include <memory>

using namespace trainyard;

namespace
{
// A try's folder whose files the test writes, as a keeper would.
class Log
{
public:
    Log()
        : m_file(m_folder.filePath(QStringLiteral("output.log"))),
          m_index(m_folder.filePath(QStringLiteral("output.idx")))
    {
        m_open = m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)
            && m_index.open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }
    bool isOpen() const { return m_open; }
    QString folder() const { return m_folder.path(); }
    void write(const QByteArray &bytes, LogReader::Stream stream = LogReader::Stream::Out)
    {
        const qint64 offset = m_file.size();
        m_file.write(bytes);
        QByteArray record(24, '\0');
        qToLittleEndian<quint64>(quint64(offset), record.data());
        qToLittleEndian<qint64>(qint64(1'700'000'000'000'000'000) + offset, record.data() + 8);
        qToLittleEndian<quint32>(quint32(bytes.size()), record.data() + 16);
        record[20] = char(stream);
        record[21] = bytes.endsWith('\n') ? 2 : 0;
        m_index.write(record);
    }
    void truncate()
    {
        m_file.resize(0);
        m_file.seek(0);
        m_index.resize(0);
        m_index.seek(0);
    }

private:
    QTemporaryDir m_folder;
    QFile m_file;
    QFile m_index;
    bool m_open = false;
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
    void selectionAndCopy();
    void hugeFile();
    void paneSaysWhyThereIsNothing();
    void preparationGrows();
    void focusIsSeen();
    void savesWhatIsShown();
    void savingCanFail();
    void savingIsDoneAside();
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
    view.setTimesVisible(true);
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
    const int gutter = logview::timeWidth + logview::markWidth;
    const int ofTime = lastInk(12, logview::timeWidth);
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
    QCOMPARE(
        all, QByteArray("\repoch 1  50%\repoch 1 100%\nloss 0.5\n\repoch 2  50%\nloss 0.4 acc 0.9\n\repoch 2 100%\n"));
    QCOMPARE(source.size(), all.size());
    for (qint64 at = 0; at < all.size(); ++at) { // any piece is the piece of the whole
        QCOMPARE(source.read(at, 7), all.mid(at, 7));
    }
    QVERIFY(source.originAt(0)->isError);
    QVERIFY(!source.originAt(all.indexOf("loss 0.5"))->isError);
    QVERIFY(source.originAt(all.indexOf("\repoch 2  50"))->isError);
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
    QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
}

void TstLogView::paneSaysWhyThereIsNothing()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    pane.setLog(QStringLiteral("w-0"), {}, QStringLiteral("w-0 waits for a GPU."));
    QVERIFY(!pane.view()->isVisible());
    Log log;
    log.write("hello\n");
    QSignalSpy status(&pane, &LogPane::statusChanged);
    pane.setLog(QStringLiteral("w-0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    QTRY_VERIFY(pane.view()->isVisible());
    QVERIFY(status.constLast().constFirst().toString().contains(QStringLiteral("w-0: 1 line")));
    pane.findAction()->trigger();
    QVERIFY(pane.findChild<QLineEdit *>()->isVisible());
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
    pane.setLog(QStringLiteral("w-0"), log.folder());
    pane.findChild<QAction *>(QStringLiteral("logRuntime"))->trigger();
    QTRY_COMPARE(pane.view()->lineCount(), 1);
    runtime.write("installed\n");
    QTRY_COMPARE(pane.view()->lineCount(), 2);
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
    pane.setLog(QStringLiteral("w-0"), log.folder());
    auto *bar = pane.findChild<InfoBar *>();
    QVERIFY(bar);
    QVERIFY(save(&pane, log.folder() + QStringLiteral("/saved.log")));
    QTRY_COMPARE(contents(log.folder() + QStringLiteral("/saved.log")), QByteArray("out\nerr\n"));
    QTRY_VERIFY(bar->isVisible() && bar->kind() == InfoBar::Kind::Succeeded);
    QVERIFY2(bar->text().contains(QStringLiteral("saved.log")), qPrintable(bar->text()));
    pane.findChild<QAction *>(QStringLiteral("logRuntime"))->trigger();
    QVERIFY(save(&pane, log.folder() + QStringLiteral("/saved.log")));
    QTRY_COMPARE(contents(log.folder() + QStringLiteral("/saved.log")), QByteArray("prepared\n"));
}

// It stays said until it is closed: the status line says something else with every line that comes.
void TstLogView::savingCanFail()
{
    LogPane pane;
    pane.resize(600, 400);
    pane.show();
    Log log;
    log.write("out\n");
    pane.setLog(QStringLiteral("w-0"), log.folder());
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

TRAINYARD_GUI_TEST(TstLogView)
#include "tst_logview.moc"
