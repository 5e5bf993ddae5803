// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/logreader.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
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

    // The lead of an allocation has lost its node, on which the task goes on.
    void aLostStepMayGoOn()
    {
        QTemporaryDir folder;
        append(folder.filePath(u"output.log"_s), "step 48\n");
        LogReader reader(folder.path());
        const auto lost = [&folder](qint64 ended, const char *reason) {
            contract::ExitRecord record;
            record.kind = contract::ExitKind::Lost;
            record.reason = reason;
            record.ended = ended;
            return contract::writeAtomically(folder.filePath(u"exit"_s).toStdString(), record.format(), false) == 0;
        };
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(lost(now, "cluster.step-lost"));
        QVERIFY(!reader.isComplete());
        QVERIFY(lost(now, "")); // of a host, where its process is known to be gone
        QVERIFY(reader.isComplete());
        QVERIFY(lost(now, "cluster.step-lost"));
        QVERIFY(!reader.isComplete());
        writeExit(folder.path()); // its true end
        QVERIFY(reader.isComplete());
        // Nothing more has come for long.
        QVERIFY(lost(now - 60'000, "cluster.step-lost"));
        QVERIFY(!reader.isComplete());
        QFile output(folder.filePath(u"output.log"_s));
        QVERIFY(output.open(QIODevice::ReadWrite));
        QVERIFY(output.setFileTime(QDateTime::fromMSecsSinceEpoch(now - 60'000), QFileDevice::FileModificationTime));
        QVERIFY(reader.isComplete());
    }

    // The same, until the task begins again.
    void aLostStepGoesOnUntilTheNextTry_data()
    {
        QTest::addColumn<QString>("next");
        QTest::newRow("of the task") << u"0/worker-0/2"_s;
        QTest::newRow("of the job") << u"1/worker-0/0"_s;
    }
    void aLostStepGoesOnUntilTheNextTry()
    {
        QFETCH(QString, next);
        QTemporaryDir job;
        const QString folder = job.filePath(u"0/worker-0/1"_s), later = job.filePath(next);
        QVERIFY(QDir().mkpath(folder));
        append(folder + u"/output.log"_s, "step 48\n");
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        const auto lost = [&folder, now](qint64 agoMs) {
            contract::ExitRecord record;
            record.kind = contract::ExitKind::Lost;
            record.reason = "cluster.step-lost";
            record.ended = now - agoMs;
            QFile output(folder + u"/output.log"_s);
            return contract::writeAtomically(QString(folder + u"/exit"_s).toStdString(), record.format(), false) == 0
                && output.open(QIODevice::ReadWrite)
                && output.setFileTime(QDateTime::fromMSecsSinceEpoch(now - agoMs), QFileDevice::FileModificationTime);
        };
        LogReader reader(folder);
        QVERIFY(lost(60'000));
        QVERIFY(reader.isComplete());
        QVERIFY(QDir().mkpath(later)); // it waits in the queue
        QVERIFY(!reader.isComplete());
        QVERIFY(lost(0));
        QVERIFY(!reader.isComplete());
        QVERIFY(lost(3'600'000)); // it does not wait for ever
        QVERIFY(reader.isComplete());
        QVERIFY(lost(0));
        append(later + u"/started"_s, "");
        QVERIFY(reader.isComplete());
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
        write(19, "qrslmnop"); // over the edge of the ring
        QCOMPARE(reader.read(21, 100), QByteArray("lmnopqrs"));
        QCOMPARE(reader.read(26, 100), QByteArray("qrs"));
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
};

TRAINYARD_TEST(TstLogReader)
#include "tst_logreader.moc"
