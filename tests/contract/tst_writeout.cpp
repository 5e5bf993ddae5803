// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/writeout.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <array>

using namespace trainyard::contract;

// Long logs that go to the disk while they grow.
class TstWriteOut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isDueWhenSpansAreFull_data()
    {
        QTest::addColumn<quint64>("before");
        QTest::addColumn<quint64>("after");
        QTest::addColumn<quint64>("offset");
        QTest::addColumn<quint64>("length");
        constexpr quint64 span = writeOutBytes;
        QTest::newRow("a short log") << quint64(0) << span - 1 << quint64(0) << quint64(0);
        QTest::newRow("the first span") << span - 1 << span << quint64(0) << span;
        QTest::newRow("just behind it") << span << span + 1 << quint64(0) << quint64(0);
        QTest::newRow("with some of the next one") << span - 10 << span + 10 << quint64(0) << span;
        QTest::newRow("several at once") << 2 * span + 5 << 5 * span + 1 << 2 * span << 3 * span;
        QTest::newRow("nothing written") << 3 * span << 3 * span << quint64(0) << quint64(0);
        QTest::newRow("above 4 GiB") << 300 * span + 1 << 301 * span << 300 * span << span;
    }
    void isDueWhenSpansAreFull()
    {
        QFETCH(quint64, before);
        QFETCH(quint64, after);
        const WriteOut due = dueWriteOut(before, after);
        QTEST(quint64(due.offset), "offset");
        QTEST(quint64(due.length), "length");
    }

    // Neither the bytes nor the place where the next ones go changes, and what is no file is left alone.
    void leavesTheFileAsItIs()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("output.log")));
        QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
        QByteArray written;
        while (quint64(written.size()) < 3 * writeOutBytes) {
            const QByteArray piece(5'000'000, char('a' + written.size() / 5'000'000 % 26));
            QCOMPARE(file.write(piece), qint64(piece.size()));
            beginWriteOut(file.handle(), quint64(written.size()), quint64(written.size() + piece.size()));
            written += piece;
        }
        QCOMPARE(file.pos(), qint64(written.size()));
        QVERIFY(file.seek(0));
        QVERIFY(file.readAll() == written);
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        beginWriteOut(ends[1], 0, writeOutBytes);
        QCOMPARE(::write(ends[1], "x", 1), ssize_t(1));
        ::close(ends[0]);
        ::close(ends[1]);
    }
};

TRAINYARD_TEST(TstWriteOut)

#include "tst_writeout.moc"
