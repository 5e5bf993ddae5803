// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logfollower.h"
#include "engine/client/logreader.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

class TstLogReader : public QObject
{
    Q_OBJECT

    static void append(const QString &file, const QByteArray &bytes)
    {
        QFile f(file);
        QVERIFY(f.open(QIODevice::Append));
        QCOMPARE(f.write(bytes), bytes.size());
    }

    static void appendRecord(const QString &folder, quint64 offset, quint32 length, contract::Stream stream)
    {
        const auto record = contract::encodeIndexRecord(
            {offset, qint64(offset) * 1000, length, stream, contract::indexflag::beginsLine});
        append(folder + u"/output.idx"_s, QByteArray(record.data(), qsizetype(record.size())));
    }

    static void writeExit(const QString &folder)
    {
        contract::ExitRecord record;
        record.kind = contract::ExitKind::Exited;
        QCOMPARE(contract::writeAtomically(QString(folder + u"/exit"_s).toStdString(), record.format(), false), 0);
    }

private Q_SLOTS:
    void nothingThereYet()
    {
        QTemporaryDir folder;
        for (const QString &path : {QString(), folder.path(), QString(folder.path() + u"/missing"_s)}) {
            LogReader reader(path);
            QCOMPARE(reader.size(), 0);
            QCOMPARE(reader.read(0, 100), QByteArray());
            QCOMPARE(reader.recordCount(), 0);
            QVERIFY(!reader.record(0));
            QCOMPARE(reader.recordIndexAt(0), -1);
            QVERIFY(!reader.isComplete());
            QCOMPARE(reader.runtimeLog(), QByteArray());
        }
    }

    // A keeper that was killed leaves output that its index does not tell of.
    void readsWhatTheIndexDoesNotTellOf()
    {
        QTemporaryDir folder;
        append(folder.filePath(u"output.log"_s), "one\ntwo\nthree\n");
        appendRecord(folder.path(), 0, 4, contract::Stream::Err);
        appendRecord(folder.path(), 4, 4, contract::Stream::Out);
        LogReader reader(folder.path());
        QCOMPARE(reader.recordCount(), 2); // the index may be behind while the task runs
        QCOMPARE(reader.recordIndexAt(9), -1);
        writeExit(folder.path());
        QCOMPARE(reader.recordCount(), 3);
        const QList<LogReader::Record> all = reader.records(0, 10);
        QCOMPARE(all.size(), 3);
        QCOMPARE(all.at(2).offset, 8u);
        QCOMPARE(all.at(2).length, 6u);
        QCOMPARE(all.at(2).timeNs, all.at(1).timeNs);
        QCOMPARE(reader.records(2, 1).size(), 1);
        QCOMPARE(reader.records(3, 1).size(), 0);
        QCOMPARE(reader.recordIndexAt(9), 2);
        QVERIFY(!reader.record(3));
    }

    // Behind the limit the bytes come from the ring; what was overwritten is skipped.
    void readsTheTail()
    {
        QTemporaryDir folder;
        const QString at = folder.path();
        append(at + u"/output.log"_s, "0123456789");
        append(at + u"/output.tail"_s, QByteArray(contract::tailHeaderSize, '\0') + "........"); // a ring of eight
        const auto write = [&](qint64 total, const QByteArray &ring) {
            const auto header = contract::encodeTailHeader({8, 10, quint64(total)});
            QFile file(at + u"/output.tail"_s);
            QVERIFY(file.open(QIODevice::ReadWrite));
            file.write(header.data(), qint64(header.size()));
            file.write(ring);
        };
        LogReader reader(at);
        write(3, "abc");
        QCOMPARE(reader.size(), 13);
        QCOMPARE(reader.read(0, 100), QByteArray("0123456789abc"));
        QCOMPARE(reader.read(10, 100), QByteArray("abc"));
        QCOMPARE(reader.read(12, 1), QByteArray("c"));
        QCOMPARE(reader.read(13, 1), QByteArray());
        QCOMPARE(reader.keptFrom(10), 10);
        LogFollower follower(at);
        QByteArray seen;
        QList<std::pair<qint64, qint64>> gaps;
        connect(&follower, &LogFollower::grown, this, [&](qint64, const QByteArray &bytes) { seen += bytes; });
        connect(&follower, &LogFollower::skipped, this, [&](qint64 from, qint64 to) { gaps.append({from, to}); });
        follower.start();
        QTRY_COMPARE(seen, QByteArray("0123456789abc"));
        // Twice around: a to p were written, i to p are kept.
        write(16, "ijklmnop");
        QCOMPARE(reader.size(), 26);
        QCOMPARE(reader.read(10, 4), QByteArray());
        QCOMPARE(reader.read(0, 100), QByteArray("0123456789"));
        QCOMPARE(reader.keptFrom(9), 9);
        QCOMPARE(reader.keptFrom(10), 18);
        QCOMPARE(reader.keptFrom(18), 18);
        QCOMPARE(reader.read(18, 100), QByteArray("ijklmnop"));
        QCOMPARE(reader.read(20, 2), QByteArray("kl"));
        QTRY_COMPARE(seen, QByteArray("0123456789abcijklmnop"));
        QCOMPARE(gaps, (QList<std::pair<qint64, qint64>>{{13, 18}}));
        write(19, "qrslmnop"); // over the edge of the ring
        QCOMPARE(reader.read(21, 100), QByteArray("lmnopqrs"));
        QCOMPARE(reader.read(26, 100), QByteArray("qrs"));
        writeExit(at);
        QSignalSpy finished(&follower, &LogFollower::finished);
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(seen, QByteArray("0123456789abcijklmnopqrs"));
    }

    void readsWhatIsThere()
    {
        QTemporaryDir folder;
        LogReader reader(folder.path());
        QCOMPARE(reader.size(), 0);
        const QString log = folder.path() + u"/output.log"_s;
        append(log, "hello\n");
        QCOMPARE(reader.size(), 6); // seen though it came after the first look
        append(log, "world\n");
        QCOMPARE(reader.read(0, 1 << 20), QByteArray("hello\nworld\n"));
        QCOMPARE(reader.read(6, 3), QByteArray("wor"));
        QCOMPARE(reader.read(12, 5), QByteArray());
        QCOMPARE(reader.read(-1, 5), QByteArray());
        QCOMPARE(reader.read(1, -5), QByteArray());
        appendRecord(folder.path(), 0, 6, contract::Stream::Out);
        appendRecord(folder.path(), 6, 6, contract::Stream::Err);
        append(folder.path() + u"/output.idx"_s, "torn");
        QCOMPARE(reader.recordCount(), 2);
        QCOMPARE(reader.record(1)->offset, 6u);
        QVERIFY(reader.record(1)->stream == LogReader::Stream::Err);
        QCOMPARE(reader.record(1)->timeNs, 6000);
        QVERIFY(!reader.record(2));
        QVERIFY(!reader.record(-1));
        QCOMPARE(reader.recordIndexAt(0), 0);
        QCOMPARE(reader.recordIndexAt(5), 0);
        QCOMPARE(reader.recordIndexAt(6), 1);
        QCOMPARE(reader.recordIndexAt(12), -1);
        append(folder.path() + u"/runtime.log"_s, "prepared\n");
        QCOMPARE(reader.runtimeLog(), QByteArray("prepared\n"));
        QCOMPARE(reader.runtimeLog(4), QByteArray("prep"));
        QVERIFY(!reader.isComplete());
        append(folder.path() + u"/exit"_s, "kind exited\nvalue 0\n"); // without its last line
        QVERIFY(!reader.isComplete());
        writeExit(folder.path());
        QVERIFY(reader.isComplete());
        reader.close();
        QCOMPARE(reader.size(), 12);
    }

    void bearsAFileThatShrinks()
    {
        QTemporaryDir folder;
        const QString log = folder.path() + u"/output.log"_s;
        append(log, QByteArray(100000, 'x'));
        LogReader reader(folder.path());
        QCOMPARE(reader.size(), 100000);
        QVERIFY(QFile::resize(log, 10));
        QCOMPARE(reader.read(0, 100000).size(), 10);
        QCOMPARE(reader.read(50000, 10), QByteArray());
    }

    void followsToTheEnd()
    {
        QTemporaryDir folder;
        LogFollower follower(folder.path());
        QByteArray all;
        qint64 expected = 0;
        connect(&follower, &LogFollower::grown, &follower, [&](qint64 offset, const QByteArray &bytes) {
            QCOMPARE(offset, expected);
            expected += bytes.size();
            all += bytes;
        });
        QSignalSpy finished(&follower, &LogFollower::finished);
        follower.start();
        QByteArray wanted;
        const QString log = folder.path() + u"/output.log"_s;
        for (int i = 0; i < 5; ++i) {
            const QByteArray line = QByteArray::number(i) + QByteArray(300000, 'a') + '\n';
            wanted += line;
            append(log, line);
            QTRY_COMPARE(all.size(), wanted.size());
        }
        QVERIFY(finished.isEmpty());
        append(log, "last");
        writeExit(folder.path());
        QVERIFY(finished.wait(5000));
        QCOMPARE(all, wanted + "last");
        QVERIFY(follower.isFinished());
    }

    void followsFromAnOffsetAndStops()
    {
        QTemporaryDir folder;
        append(folder.path() + u"/output.log"_s, "0123456789");
        LogFollower follower(folder.path());
        QSignalSpy grown(&follower, &LogFollower::grown);
        connect(&follower, &LogFollower::grown, &follower, &LogFollower::stop);
        follower.start(4);
        QVERIFY(grown.wait(5000));
        QCOMPARE(grown.constFirst().at(0).toLongLong(), 4);
        QCOMPARE(grown.constFirst().at(1).toByteArray(), QByteArray("456789"));
        // It was stopped: when another one has looked twice, it would have looked as well.
        LogFollower other(folder.path());
        QByteArray seen;
        connect(&other, &LogFollower::grown, &other, [&seen](qint64, const QByteArray &bytes) { seen += bytes; });
        append(folder.path() + u"/output.log"_s, "more");
        other.start(10);
        QTRY_COMPARE(seen, QByteArray("more"));
        append(folder.path() + u"/output.log"_s, "again");
        QTRY_COMPARE(seen, QByteArray("moreagain"));
        QCOMPARE(grown.count(), 1);
        QCOMPARE(follower.offset(), 10);
    }

    void mayBeDeletedInItsSignal()
    {
        QTemporaryDir folder;
        append(folder.path() + u"/output.log"_s, QByteArray(1 << 20, 'x'));
        auto *follower = new LogFollower(folder.path(), this);
        bool gone = false;
        connect(follower, &LogFollower::grown, this, [&] {
            delete follower;
            gone = true;
        });
        follower->start();
        QTRY_VERIFY(gone);
    }
};

TRAINYARD_TEST(TstLogReader)
#include "tst_logreader.moc"
