// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/logtools.h"
#include "tests/helpers/testregistry.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/log/filteredlog.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logruns.h"
#include "widgets/log/logsaver.h"
#include "widgets/log/logview.h"

#include <QAbstractButton>
#include <QFile>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;

namespace
{
constexpr qint64 oneSecond = 1'000'000'000;
constexpr qint64 startNs = WrittenLog::start * 1'000'000;

// The keeper's record of an end, after which nothing more comes.
void finish(const WrittenLog &log)
{
    QFile file(log.folder() + QStringLiteral("/exit"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("kind exited\nvalue 0\nend\n");
}

QByteArray allOf(LogSource &source)
{
    const qint64 size = source.size();
    return source.read(0, size);
}

TryLogSource::Choice choiceOf(const QList<const WrittenLog *> &logs, std::optional<LogTimeRange> range)
{
    TryLogSource::Choice choice;
    for (const WrittenLog *log : logs) {
        choice.folders.append(log->folder());
    }
    choice.range = range;
    return choice;
}

TryLogSource together(const QList<const WrittenLog *> &logs, std::optional<LogTimeRange> range = {})
{
    return TryLogSource(choiceOf(logs, range));
}

// What is shown beside the lines, in seconds since the start of the log.
QList<double> timesOf(const QList<const WrittenLog *> &logs, std::optional<LogTimeRange> range = {})
{
    auto source = std::make_unique<TryLogSource>(choiceOf(logs, range));
    LogIndex index;
    index.append(allOf(*source));
    LogLines lines;
    lines.setSource(std::move(source));
    lines.apply(index.takeDelta());
    QList<double> times;
    for (qint64 line = 0; line < lines.count(); ++line) {
        const auto origin = lines.origin(line);
        times.append(origin ? double(origin->timeNs - startNs) / oneSecond : -1);
    }
    return times;
}
} // namespace

class TstLogMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsAreFoundAgain();
    void runsAreSmall();
    void tasksAreInTheOrderOfTime();
    void linesOfTasksStayWhole();
    void laterOnesJoin();
    void barStaysOneLineAtTheEnd();
    void unfinishedLinesStandAtTheEnd();
    void aBarThatNothingEndsKeepsItsPlace();
    void aBarThatNothingEndsMovesToItsPlace();
    void theEndOfALargeLogIsNotReadAnew();
    void endsOfManyLogsAreNotReadAtOnce();
    void timesAreThoseOfTheOrder();
    void savedTimesAreThoseShown();
    void onlyATime();
    void onlyLinesWithAHit();
    void linesKeepTheirNumbers();
    void filterGrows();
    void linesBehindAFilterAreNew();
    void rangeHasAChip();
};

void TstLogMerge::runsAreFoundAgain()
{
    QRandomGenerator random(7);
    LogRuns runs;
    QList<std::pair<int, qint64>> bytes; // part and offset of each byte
    QList<qint64> ends{0, 0, 0, 0};
    for (int i = 0; i < 3000; ++i) {
        const int part = int(random.bounded(5)) - 1;
        const qint64 length = part == LogRuns::lineBreak ? 1 : 1 + random.bounded(random.bounded(2) ? 5 : 300);
        if (part == LogRuns::lineBreak) {
            runs.appendBreak();
        } else {
            ends[part] += random.bounded(4) == 0 ? random.bounded(1000) : 0;
            runs.append(part, ends.at(part), length);
        }
        for (qint64 k = 0; k < length; ++k) {
            bytes.append({part, part == LogRuns::lineBreak ? 0 : ends.at(part) + k});
        }
        if (part != LogRuns::lineBreak) {
            ends[part] += length;
        }
    }
    QCOMPARE(runs.size(), bytes.size());
    for (int i = 0; i < 3000; ++i) {
        const qint64 offset = random.bounded(runs.size());
        const qint64 length = 1 + random.bounded(2000);
        qint64 at = offset;
        const QList<LogRuns::Run> found = runs.at(offset, length);
        for (const LogRuns::Run &run : found) {
            for (; at < std::min(run.at + run.length, offset + length); ++at) {
                QVERIFY(run.at <= at);
                QCOMPARE(
                    std::pair(run.part, run.part == LogRuns::lineBreak ? 0 : run.from + at - run.at), bytes.at(at));
            }
        }
        QCOMPARE(at, std::min(offset + length, runs.size()));
    }
    QVERIFY(runs.at(runs.size(), 10).isEmpty());
    QVERIFY(runs.at(-1, 10).isEmpty());
}

// What goes on where it ended takes no memory, whatever its length.
void TstLogMerge::runsAreSmall()
{
    LogRuns runs;
    for (int i = 0; i < 1000; ++i) {
        runs.append(0, i * 100, 100);
    }
    QCOMPARE(runs.at(0, 1).size(), 1);
    QCOMPARE(runs.at(0, 1).constFirst(), (LogRuns::Run{0, 0, 0, 100'000}));
}

void TstLogMerge::tasksAreInTheOrderOfTime()
{
    WrittenLog one, other;
    for (int i = 0; i < 100; ++i) {
        one.writeAt(startNs + i * 2 * oneSecond, "a" + QByteArray::number(i) + '\n');
        other.writeAt(startNs + (i * 2 + 1) * oneSecond, "b" + QByteArray::number(i) + '\n');
    }
    TryLogSource source = together({&one, &other});
    QByteArray wanted;
    for (int i = 0; i < 100; ++i) {
        wanted += "a" + QByteArray::number(i) + "\nb" + QByteArray::number(i) + '\n';
    }
    QCOMPARE(allOf(source), wanted);
    QVERIFY(!source.isComplete());
    QCOMPARE(source.originAt(wanted.indexOf("a7\n"))->part, 0);
    QCOMPARE(source.originAt(wanted.indexOf("b7\n"))->part, 1);
    QCOMPARE(source.originAt(wanted.indexOf("b7\n"))->timeNs, startNs + 15 * oneSecond);
    finish(one);
    QVERIFY(!source.isComplete());
    finish(other);
    QVERIFY(source.isComplete());
}

void TstLogMerge::linesOfTasksStayWhole()
{
    WrittenLog one, other;
    one.writeAt(startNs, "first ");
    other.writeAt(startNs + oneSecond, "other\n");
    one.writeAt(startNs + 2 * oneSecond, "half\nsecond\nthi");
    finish(one);
    finish(other);
    TryLogSource source = together({&one, &other});
    QCOMPARE(allOf(source), QByteArray("other\nfirst half\nsecond\nthi\n"));
    QVERIFY(source.isComplete());
}

void TstLogMerge::laterOnesJoin()
{
    WrittenLog one, other;
    one.writeAt(startNs, "a\n");
    LogView view;
    view.resize(400, 200);
    view.show();
    view.setSource(TryLogSource::factory({{one.folder(), other.folder()}, LogSource::Filter::Both, {}}),
        {{QStringLiteral("w/0"), 0}, {QStringLiteral("w/1"), 1}});
    QTRY_COMPARE(view.lineCount(), 1);
    other.writeAt(startNs + oneSecond, "b\n");
    QTRY_COMPARE(view.lineCount(), 2);
    QCOMPARE(view.text(0, 2), QStringLiteral("a\nb"));
    view.search({QStringLiteral("c"), false, false});
    one.writeAt(startNs + 2 * oneSecond, "c\n");
    QTRY_COMPARE(view.hitLineCount(), 1);
    one.truncate(); // started again
    one.writeAt(startNs, "new\n");
    QTRY_VERIFY(view.lineCount() == 2 && view.text(0, 2).contains(QStringLiteral("new")));
    QVERIFY(!view.text(0, 2).contains(QLatin1Char('a')));
}

// As tqdm writes to stderr while the program prints its losses.
void TstLogMerge::barStaysOneLineAtTheEnd()
{
    WrittenLog log;
    LogView view;
    view.resize(500, 300);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    qint64 at = startNs;
    for (int i = 0; i <= 50; ++i) {
        at += oneSecond;
        log.writeAt(
            at, "\r" + QByteArray::number(i * 2) + "%|##| " + QByteArray::number(i) + "/50", LogReader::Stream::Err);
        if (i % 10 == 5) {
            log.writeAt(at + oneSecond / 2, "loss " + QByteArray::number(i) + '\n');
        }
    }
    QTRY_COMPARE(view.lineCount(), 6);
    QCOMPARE(view.text(0, 6), QStringLiteral("loss 5\nloss 15\nloss 25\nloss 35\nloss 45\n100%|##| 50/50"));
    log.writeAt(at + oneSecond, "\n", LogReader::Stream::Err);
    log.writeAt(at + 2 * oneSecond, "done\n");
    QTRY_COMPARE(view.lineCount(), 7);
    QCOMPARE(view.text(5, 2), QStringLiteral("100%|##| 50/50\ndone"));
}

void TstLogMerge::unfinishedLinesStandAtTheEnd()
{
    WrittenLog log;
    log.write("Epoch 1: ");
    log.write("a warning\n", LogReader::Stream::Err);
    TryLogSource source(log.folder(), LogSource::Filter::Both);
    QCOMPARE(allOf(source), QByteArray("a warning\n"));
    QCOMPARE(source.liveLines().size(), 1);
    QCOMPARE(source.liveLines().constFirst().bytes, QByteArray("Epoch 1: "));
    QVERIFY(!source.liveLines().constFirst().origin.isError);
    const quint64 state = source.liveState();
    log.write("done\n");
    QCOMPARE(allOf(source), QByteArray("a warning\nEpoch 1: done\n"));
    QVERIFY(source.liveLines().isEmpty());
    QVERIFY(source.liveState() != state);
}

// The program is killed within it: what follows on the other stream was written later.
void TstLogMerge::aBarThatNothingEndsKeepsItsPlace()
{
    WrittenLog log, other;
    log.writeAt(startNs, "\r 10/50");
    log.writeAt(startNs + oneSecond, "\r 50/50");
    log.writeAt(startNs + 3 * oneSecond, "Killed\n", LogReader::Stream::Err);
    finish(log);
    other.writeAt(startNs + 2 * oneSecond, "other\n");
    finish(other);
    TryLogSource alone = together({&log});
    QCOMPARE(allOf(alone), QByteArray("\r 10/50\r 50/50\nKilled\n"));
    QVERIFY(alone.isComplete() && alone.liveLines().isEmpty());
    QCOMPARE(timesOf({&log}), (QList<double>{1, 3}));
    TryLogSource both = together({&log, &other});
    QCOMPARE(allOf(both), QByteArray("\r 10/50\r 50/50\nother\nKilled\n"));
    QCOMPARE(timesOf({&log, &other}), (QList<double>{1, 2, 3}));
    // Only a part of the time.
    const LogTimeRange range{WrittenLog::start + 500, WrittenLog::start + 2500};
    QCOMPARE(timesOf({&log, &other}, range), (QList<double>{1, 2}));
}

void TstLogMerge::aBarThatNothingEndsMovesToItsPlace()
{
    WrittenLog log;
    log.writeAt(startNs, "begins\n");
    log.writeAt(startNs + oneSecond, "\r 50/50");
    log.writeAt(startNs + 2 * oneSecond, "Killed\n", LogReader::Stream::Err);
    LogView view;
    view.resize(400, 200);
    view.show();
    view.setSource(TryLogSource::factory(log.folder(), LogSource::Filter::Both));
    QTRY_COMPARE(view.lineCount(), 3);
    QCOMPARE(view.text(0, 3), QStringLiteral("begins\nKilled\n 50/50")); // it may go on
    view.search({QStringLiteral("Killed"), false, false});
    QTRY_COMPARE(view.hitLineCount(), 1);
    finish(log);
    QTRY_VERIFY(view.isComplete());
    QCOMPARE(view.text(0, 3), QStringLiteral("begins\n 50/50\nKilled"));
    QCOMPARE(view.lineCount(), 3);
    QCOMPARE(view.newLines(), 0);
    QTRY_VERIFY(view.searchDone() && view.hitLineCount() == 1);
    QCOMPARE(view.hitLine(0), qint64(2));
}

// What is watched stays where it is; the bar is then over when the line above it was written, as far as is known.
void TstLogMerge::theEndOfALargeLogIsNotReadAnew()
{
    WrittenLog log;
    log.writeAt(startNs, QByteArray(1023, 'x').append('\n').repeated(5 << 10));
    log.writeAt(startNs + oneSecond, "\r 50/50");
    log.writeAt(startNs + 2 * oneSecond, "Killed\n", LogReader::Stream::Err);
    const LogSourceFactory factory = TryLogSource::factory(log.folder(), LogSource::Filter::Both);
    const auto source = factory();
    QVERIFY(allOf(*source).endsWith("x\nKilled\n"));
    finish(log);
    QVERIFY(allOf(*source).endsWith("x\nKilled\n\r 50/50"));
    QCOMPARE(source->restarts(), quint64(0));
    const qint64 size = source->size();
    QCOMPARE(source->originOfLine(size - 7, size)->timeNs, startNs + 2 * oneSecond);
    // Opened again, it is in its place.
    TryLogSource again = together({&log});
    QVERIFY(allOf(again).endsWith("x\n\r 50/50\nKilled\n"));
}

// What has ended, all of it on one stream, as most programs write. Counts the records that are asked for.
class EndedTries : public LaneMerge::Input
{
public:
    explicit EndedTries(qint64 lines) : m_lines(lines) { }
    qint64 recordCount(int) override { return m_lines; }
    QList<LogReader::Record> records(int, qint64 first, qint64 count) override
    {
        QList<LogReader::Record> block;
        for (qint64 line = first; line < std::min(first + count, m_lines); ++line) {
            block.append({quint64(2 * line), startNs + line, 2, LogReader::Stream::Out, 2});
        }
        asked += block.size();
        return block;
    }
    QByteArray read(int, qint64 from, qint64 length) override
    {
        return QByteArray("x\n").repeated(length).mid(from % 2, length);
    }
    LogReader::Gap gap(int) override { return {}; }
    qint64 size(int) override { return 2 * m_lines; }
    bool isComplete(int) override { return true; }
    qint64 asked = 0;

private:
    qint64 m_lines;
};

// The merge is locked during a round, and a view that draws waits for it.
void TstLogMerge::endsOfManyLogsAreNotReadAtOnce()
{
    constexpr int tasks = 12;
    constexpr qint64 lines = 6000, atOnce = 1000;
    EndedTries input(lines);
    LaneMerge merge(tasks, std::nullopt, std::nullopt);
    qint64 most = 0;
    int rounds = 0;
    do {
        const qint64 before = input.asked;
        merge.advance(input, startNs + 3600 * oneSecond, atOnce);
        most = std::max(most, input.asked - before);
        QVERIFY(++rounds < 1000);
    } while (merge.hasMore());
    QVERIFY2(most <= lines + atOnce, qPrintable(QString::number(most))); // the ends of one task, and a usual round
    QVERIFY(merge.isComplete());
    QCOMPARE(merge.shown().runs().size(), tasks * lines * 2);
}

// A line has its place by the moment at which it was finished.
void TstLogMerge::timesAreThoseOfTheOrder()
{
    WrittenLog one, other;
    one.writeAt(startNs, "\r100%", LogReader::Stream::Err);
    other.writeAt(startNs + oneSecond, "other has finished\n");
    one.writeAt(startNs + 2 * oneSecond, "\n", LogReader::Stream::Err);
    one.writeAt(startNs + 2 * oneSecond, "loss: ");
    other.writeAt(startNs + 3 * oneSecond, "other\n", LogReader::Stream::Err);
    one.writeAt(startNs + 4 * oneSecond, "0.5\nnext\n");
    // The order in which two streams were read says nothing: the bar was over before.
    one.writeAt(startNs + 5 * oneSecond, "\r 50%", LogReader::Stream::Err);
    one.writeAt(startNs + 6 * oneSecond, "loss: 0.4\n");
    one.writeAt(startNs + 6 * oneSecond + oneSecond / 50, "\n", LogReader::Stream::Err);
    finish(one);
    finish(other);
    TryLogSource source = together({&one, &other});
    QCOMPARE(allOf(source), QByteArray("other has finished\n\r100%\nother\nloss: 0.5\nnext\n\r 50%\nloss: 0.4\n"));
    QCOMPARE(timesOf({&one, &other}), (QList<double>{1, 2, 3, 4, 4, 6, 6}));
}

void TstLogMerge::savedTimesAreThoseShown()
{
    WrittenLog one, other;
    one.writeAt(startNs, "begun " + QByteArray(2 << 20, 'x')); // more than is written at once
    other.writeAt(startNs + oneSecond, "other\n");
    one.writeAt(startNs + 3 * oneSecond, " done\n");
    finish(one);
    finish(other);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("saved.log"));
    LogSaver saver(TryLogSource::factory({{one.folder(), other.folder()}, LogSource::Filter::Both, {}}), path,
        LinePrefix({{QStringLiteral("w/0"), 0}, {QStringLiteral("w/1"), 1}}, LogTimes::SinceStart));
    QSignalSpy finished(&saver, &LogSaver::finished);
    saver.start();
    QTRY_COMPARE(finished.count(), 1);
    const QList<QByteArray> lines = logtests::contents(path).split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(lines.at(0).contains("+0:00:00.000"), lines.at(0).constData());
    QVERIFY2(lines.at(1).left(60).contains("+0:00:02.000"), lines.at(1).left(60).constData());
}

void TstLogMerge::onlyATime()
{
    WrittenLog log;
    for (int i = 0; i < 1000; ++i) {
        log.writeAt(startNs + i * oneSecond, "step " + QByteArray::number(i) + '\n');
    }
    TryLogSource source = together({&log}, LogTimeRange{WrittenLog::start + 100'000, WrittenLog::start + 102'000});
    QCOMPARE(allOf(source), QByteArray("step 100\nstep 101\nstep 102\n"));
    QVERIFY(source.isComplete()); // although the task goes on
    TryLogSource none = together({&log}, LogTimeRange{WrittenLog::start + 100'100, WrittenLog::start + 100'200});
    QCOMPARE(none.size(), 0);
    QVERIFY(none.isComplete());
}

void TstLogMerge::onlyLinesWithAHit()
{
    WrittenLog log;
    for (int i = 0; i < 50; ++i) {
        log.writeAt(startNs + i * oneSecond, (i % 20 == 10 ? "needle " : "hay ") + QByteArray::number(i) + '\n');
    }
    finish(log);
    const LogSourceFactory whole = TryLogSource::factory(log.folder(), LogSource::Filter::Both);
    const LogQuery needle{QStringLiteral("NEEDLE"), false, false};
    const auto only = FilteredLog::factory(whole, needle, 0)();
    QCOMPARE(allOf(*only), QByteArray("needle 10\nneedle 30\n"));
    QVERIFY(only->isComplete());
    QCOMPARE(only->originAt(12)->timeNs, startNs + 30 * oneSecond);
    const auto around = FilteredLog::factory(whole, needle, 1)();
    QCOMPARE(allOf(*around), QByteArray("hay 9\nneedle 10\nhay 11\n\nhay 29\nneedle 30\nhay 31\n"));
    const auto wide = FilteredLog::factory(whole, needle, 15)(); // the groups meet
    QVERIFY(!allOf(*wide).contains("\n\n"));
    QCOMPARE(allOf(*wide).count('\n'), 46);
}

// The number of a line is that of the whole log; where that is not known, there is none.
void TstLogMerge::linesKeepTheirNumbers()
{
    WrittenLog log;
    for (int i = 0; i < 50; ++i) {
        log.writeAt(startNs + i * oneSecond, (i % 20 == 10 ? "needle " : "hay ") + QByteArray::number(i) + '\n');
    }
    finish(log);
    const auto numbersOf = [](const LogSourceFactory &factory) {
        const auto all = factory();
        LogIndex index;
        index.append(allOf(*all));
        LogLines lines;
        lines.setSource(factory());
        lines.apply(index.takeDelta());
        QList<qint64> numbers;
        for (qint64 line = 0; line < lines.count(); ++line) {
            numbers.append(lines.numberOf(line).value_or(-1));
        }
        return numbers;
    };
    const LogQuery needle{QStringLiteral("needle"), false, false};
    const LogSourceFactory whole = TryLogSource::factory(log.folder(), LogSource::Filter::Both);
    QCOMPARE(numbersOf(whole).mid(0, 3), (QList<qint64>{1, 2, 3}));
    QCOMPARE(numbersOf(FilteredLog::factory(whole, needle, 0)), (QList<qint64>{11, 31}));
    QCOMPARE(
        numbersOf(FilteredLog::factory(whole, needle, 1)), (QList<qint64>{10, 11, 12, -1, 30, 31, 32})); // -1: a gap
    // Of a part of the time nobody has counted what was before it.
    const LogSourceFactory part = TryLogSource::factory(
        {{log.folder()}, LogSource::Filter::Both, LogTimeRange{WrittenLog::start + 9'000, WrittenLog::start + 11'000}});
    QCOMPARE(numbersOf(part), (QList<qint64>{-1, -1, -1}));
    QCOMPARE(numbersOf(FilteredLog::factory(part, needle, 0)), QList<qint64>{-1});
    // Far behind the first lines that the index remembers.
    const LogSourceFactory large = logtests::BytesLogSource::factory(logtests::numbered(0, 100'000));
    QCOMPARE(numbersOf(FilteredLog::factory(large, {QStringLiteral("7777$"), true, false}, 0)),
        (QList<qint64>{7778, 17778, 27778, 37778, 47778, 57778, 67778, 77778, 87778, 97778}));
}

void TstLogMerge::filterGrows()
{
    WrittenLog log;
    log.write("needle 1\nhay\n");
    LogView view;
    view.resize(400, 200);
    view.show();
    view.setSource(FilteredLog::factory(
        TryLogSource::factory(log.folder(), LogSource::Filter::Both), {QStringLiteral("needle"), false, false}, 0));
    QTRY_COMPARE(view.lineCount(), 1);
    log.write("hay\nneedle 2\nnee");
    QTRY_COMPARE(view.lineCount(), 2);
    log.write("dle 3\n");
    QTRY_COMPARE(view.lineCount(), 3);
    QCOMPARE(view.text(0, 3), QStringLiteral("needle 1\nneedle 2\nneedle 3"));
}

// A log whose end is not followed shows other lines of it, and goes on: what is added then is new.
void TstLogMerge::linesBehindAFilterAreNew()
{
    WrittenLog log;
    log.write(QByteArray("needle 1\nhay\n").repeated(100));
    LogView view;
    view.resize(400, 200);
    view.show();
    const LogSourceFactory all = TryLogSource::factory(log.folder(), LogSource::Filter::Both);
    view.setSource(all);
    QTRY_COMPARE(view.lineCount(), 200);
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(!view.isFollowing());
    view.setSource(FilteredLog::factory(all, {QStringLiteral("needle"), false, false}, 0));
    QTRY_COMPARE(view.lineCount(), 100);
    QCOMPARE(view.newLines(), 0);
    view.setSource(all);
    QTRY_COMPARE(view.lineCount(), 200);
    QVERIFY(!view.isFollowing());
    QCOMPARE(view.newLines(), 0); // they were there before
    const auto *pill = view.findChild<QPushButton *>(QStringLiteral("newLinesPill"));
    QVERIFY(pill && !pill->isVisible());
    log.write("hay\nneedle 2\n");
    QTRY_COMPARE(view.newLines(), 2);
    QVERIFY(pill->isVisible());
}

void TstLogMerge::rangeHasAChip()
{
    WrittenLog log;
    for (int i = 0; i < 100; ++i) {
        log.writeAt(startNs + i * oneSecond, "step " + QByteArray::number(i) + '\n');
    }
    LogPane pane;
    pane.resize(900, 300);
    pane.show();
    pane.setLog(QStringLiteral("w/0"), log.folder());
    QTRY_COMPARE(pane.view()->lineCount(), 100);
    auto *chip = pane.findChild<QAbstractButton *>(QStringLiteral("logRange"));
    QVERIFY(chip && !chip->isVisible());
    pane.setTimeRange(LogTimeRange{WrittenLog::start + 10'000, WrittenLog::start + 19'000});
    QTRY_COMPARE(pane.view()->lineCount(), 10);
    QVERIFY(chip->isVisible());
    QVERIFY2(chip->text().contains(QLatin1Char(':')), qPrintable(chip->text()));
    QVERIFY(chip->width() >= chip->sizeHint().width()); // its times can be read
    QCOMPARE(pane.view()->newLines(), 0); // they were there before
    pane.view()->markLine(5);
    QTest::keyClick(chip, Qt::Key_Delete);
    QTRY_COMPARE(pane.view()->lineCount(), 100);
    QVERIFY(!pane.timeRange() && !chip->isVisible());
    QTRY_COMPARE(pane.view()->selectedText(), QStringLiteral("step 15")); // where one was
    const qint64 second = WrittenLog::start / 1000 * 1000;
    pane.setTimeRange(LogTimeRange{second + 100, second + 900});
    QVERIFY2(chip->text().contains(u".100") && chip->text().contains(u".900"), qPrintable(chip->text()));
}

TRAINYARD_GUI_TEST(TstLogMerge)
#include "tst_logmerge.moc"
