// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/loglinereader.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using cli::LogLineReader;

// The lines of a log of a task folder, without an engine.
class TstLogLineReader : public QObject
{
    Q_OBJECT

    using Stream = contract::Stream;
    struct Piece {
        Stream stream;
        QByteArray text;
    };

    // One index record for each piece, a second after the one before it.
    static void writeLog(const QString &folder, const QList<Piece> &pieces)
    {
        QFile log(folder + u"/output.log"_s);
        QFile index(folder + u"/output.idx"_s);
        QVERIFY(log.open(QIODevice::WriteOnly) && index.open(QIODevice::WriteOnly));
        constexpr qint64 second = 1'000'000'000;
        quint64 offset = 0;
        qint64 time = 0;
        for (const Piece &piece : pieces) {
            time += second;
            const auto record
                = contract::encodeIndexRecord({offset, time, quint32(piece.text.size()), piece.stream, 0});
            index.write(record.data(), qint64(record.size()));
            log.write(piece.text);
            offset += quint64(piece.text.size());
        }
    }

    static QList<LogLineReader::Line> allLines(LogLineReader &lines)
    {
        QList<LogLineReader::Line> all;
        while (auto line = lines.next(true)) {
            all.append(*line);
        }
        return all;
    }

    // Calls that read, of this process.
    static qint64 readCalls()
    {
        QFile file(u"/proc/self/io"_s);
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : file.readAll().split('\n')) {
                if (line.startsWith("syscr:")) {
                    return line.mid(6).trimmed().toLongLong();
                }
            }
        }
        return -1;
    }

private Q_SLOTS:
    void linesOfTwoStreams()
    {
        const QTemporaryDir folder;
        writeLog(folder.path(),
            {{Stream::Out, "one\ntw"}, {Stream::Err, "bad"}, {Stream::Out, "o\nhalf"}, {Stream::Err, " luck\n"}});
        LogLineReader lines(folder.path(), {});
        const QList<LogLineReader::Line> all = allLines(lines);
        QCOMPARE(all.size(), 4);
        const QByteArrayList texts{"one\n", "two\n", "bad luck\n", "half"};
        const QList<qint64> seconds{1, 1, 2, 3};
        for (qsizetype i = 0; i < all.size(); ++i) {
            QCOMPARE(all.at(i).text, texts.at(i));
            QCOMPARE(all.at(i).timeNs / 1'000'000'000, seconds.at(i));
            QVERIFY(all.at(i).begins && all.at(i).ends);
        }
    }

    // The keeper of a running task writes bytes before their record.
    void tailWhileTheIndexIsBehind()
    {
        const QTemporaryDir folder;
        QList<Piece> pieces;
        for (int i = 0; i < 50; ++i) {
            pieces.append({Stream::Out, "out " + QByteArray::number(i) + '\n'});
            pieces.append({Stream::Err, "err " + QByteArray::number(i) + '\n'});
        }
        writeLog(folder.path(), pieces);
        QFile log(folder.filePath(u"output.log"_s));
        QVERIFY(log.open(QIODevice::Append));
        log.write("out 50\nerr 50\n");
        log.close();
        for (const int count : {1, 2, 7}) {
            LogLineReader tail(folder.path(), {});
            tail.skipToTail(count, true);
            const QList<LogLineReader::Line> all = allLines(tail);
            QCOMPARE(all.size(), count);
            QCOMPARE(all.constLast().text, "err 49\n");
        }
    }

    // A line that is longer than what is kept in memory comes in parts, which together are the line.
    void partsOfALongLine()
    {
        const QTemporaryDir folder;
        QList<Piece> pieces{{Stream::Out, "first\n"}};
        QByteArray whole;
        for (int i = 0; i < 70; ++i) {
            pieces.append({Stream::Out, QByteArray(50'000, char('a' + i % 26))});
            whole += pieces.constLast().text;
        }
        pieces.append({Stream::Out, "\nlast\n"});
        writeLog(folder.path(), pieces);
        LogLineReader lines(folder.path(), {});
        const QList<LogLineReader::Line> all = allLines(lines);
        QVERIFY(all.size() > 4);
        QByteArray joined;
        for (qsizetype i = 1; i < all.size() - 1; ++i) {
            QCOMPARE(all.at(i).begins, i == 1);
            QCOMPARE(all.at(i).ends, i == all.size() - 2);
            QCOMPARE(all.at(i).timeNs, 2'000'000'000);
            joined += all.at(i).text;
        }
        QCOMPARE(joined, QByteArray(whole + '\n'));
        QCOMPARE(all.constLast().text, "last\n");

        LogLineReader tail(folder.path(), {true, false});
        tail.skipToTail(2, true);
        joined.clear();
        for (const LogLineReader::Line &line : allLines(tail)) {
            joined += line.text;
        }
        QCOMPARE(joined, QByteArray(whole + "\nlast\n"));
    }

    // A log may consist of millions of short records: their number must not be that of the calls to the kernel.
    void readsInLargeBlocks()
    {
        constexpr int records = 200'000;
        const QTemporaryDir folder;
        QList<Piece> pieces;
        for (int i = 0; i < records; ++i) {
            pieces.append(
                {i % 2 ? Stream::Err : Stream::Out, "step " + QByteArray::number(100'000 + i) + " loss 1.5\n"});
        }
        writeLog(folder.path(), pieces);
        for (const LogLineReader::Streams streams :
            {LogLineReader::Streams{true, true}, LogLineReader::Streams{false, true}}) {
            LogLineReader lines(folder.path(), streams);
            const qint64 before = readCalls();
            QVERIFY(before > 0);
            qsizetype count = 0;
            while (lines.next(true)) {
                ++count;
            }
            QCOMPARE(count, streams.out ? records : records / 2);
            const qint64 calls = readCalls() - before;
            QVERIFY2(calls < 500, qPrintable(QString::number(calls)));
        }
    }

    // Lines of one time and stream come together, or one by one: the same bytes.
    void linesTogether()
    {
        const QTemporaryDir folder;
        writeLog(folder.path(), {{Stream::Out, "a\nb\nc"}, {Stream::Out, "d\ne\nf\ng"}, {Stream::Err, "x\ny\n"}});
        LogLineReader together(folder.path(), {});
        QByteArrayList texts;
        while (const auto lines = together.nextLines(true)) {
            texts.append(lines->text);
        }
        QCOMPARE(texts, (QByteArrayList{"a\nb\n", "cd\n", "e\nf\n", "x\ny\n", "g"}));
        LogLineReader mixed(folder.path(), {});
        QCOMPARE(mixed.next(true)->text, "a\n");
        QCOMPARE(mixed.nextLines(true)->text, "b\n");
        QCOMPARE(mixed.next(true)->text, "cd\n");
        QCOMPARE(mixed.next(true)->text, "e\n");
        QCOMPARE(mixed.next(true)->text, "f\n");
        QCOMPARE(mixed.next(true)->text, "x\n");
        QCOMPARE(mixed.nextLines(true)->text, "y\n");
        QCOMPARE(mixed.next(true)->text, "g");
        QVERIFY(!mixed.next(true));
    }

    // A line is given out before its end when nothing was added to it for a while, or when it draws over itself.
    void openLines()
    {
        const QTemporaryDir folder;
        QList<Piece> pieces{{Stream::Out, "name"}, {Stream::Err, "\r1/2"}};
        writeLog(folder.path(), pieces);
        LogLineReader lines(folder.path(), {});
        const auto open = [&](qint64 nowMs) {
            lines.giveOpen(nowMs, 200, true);
            QByteArrayList texts;
            while (const auto line = lines.next(false)) {
                texts.append((line->begins ? "[" : "") + line->text + (line->ends ? "]" : ""));
            }
            return texts;
        };
        QCOMPARE(open(1000), {}); // read only now
        QCOMPARE(open(1050), QByteArrayList{"[\r1/2"});
        pieces += {{Stream::Out, "? "}, {Stream::Err, "\r2/2\n"}};
        writeLog(folder.path(), pieces);
        QCOMPARE(open(1240), QByteArrayList{"\r2/2\n]"});
        QCOMPARE(open(1250), {}); // rests since then
        QCOMPARE(open(1449), {});
        QCOMPARE(open(1450), QByteArrayList{"[name? "});
        QCOMPARE(open(2000), {});
        pieces += {{Stream::Out, "x"}};
        writeLog(folder.path(), pieces);
        lines.giveOpen(2100, 200, false);
        QVERIFY(!lines.next(false));
        const auto last = lines.next(true);
        QVERIFY(last && !last->begins && last->ends);
        QCOMPARE(last->text, "x");
    }

    // What is added after the end was reached is read too, also to a record that was read already.
    void growing()
    {
        const QTemporaryDir folder;
        writeLog(folder.path(), {{Stream::Out, "a\nb"}});
        LogLineReader lines(folder.path(), {});
        QCOMPARE(lines.next(false)->text, "a\n");
        QVERIFY(!lines.next(false));
        writeLog(folder.path(), {{Stream::Out, "a\nbc\nd"}});
        QCOMPARE(lines.next(false)->text, "bc\n");
        QVERIFY(!lines.next(false));
        writeLog(folder.path(), {{Stream::Out, "a\nbc\nd"}, {Stream::Err, "e\n"}, {Stream::Out, "\n"}});
        QCOMPARE(lines.next(false)->text, "e\n");
        QCOMPARE(lines.next(false)->text, "d\n");
        QVERIFY(!lines.next(true));
    }
};

TRAINYARD_TEST(TstLogLineReader)
#include "tst_loglinereader.moc"
