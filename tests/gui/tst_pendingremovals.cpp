// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/diskuse.h"
#include "tests/helpers/testregistry.h"
#include "widgets/jobs/pendingremovals.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace std::chrono_literals;

// Jobs that are about to be removed: they can be had back, and how much room they give back is measured.
class TstPendingRemovals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void removalsCanBeHadBack();
    void foldersAreMeasured();
};

void TstPendingRemovals::removalsCanBeHadBack()
{
    PendingRemovals slow(1h);
    QSignalSpy due(&slow, &PendingRemovals::due);
    slow.add({u"a"_s, u"b"_s});
    slow.add({u"b"_s, u"c"_s});
    QCOMPARE(slow.waiting(), (QStringList{u"a"_s, u"b"_s, u"c"_s}));
    slow.undo();
    QVERIFY(slow.waiting().isEmpty() && slow.hidden().isEmpty());
    slow.flush();
    QCOMPARE(due.count(), 0);
    slow.add({u"a"_s});
    slow.flush(); // the window closes
    slow.flush();
    QCOMPARE(due.count(), 1);
    QCOMPARE(due.value(0).value(0).toStringList(), QStringList{u"a"_s});
    slow.add({u"a"_s, u"b"_s}); // the first is on its way
    QCOMPARE(slow.waiting(), QStringList{u"b"_s});
    slow.undo();
    QCOMPARE(slow.hidden(), QSet<QString>{u"a"_s});
    slow.settled(u"a"_s);
    QVERIFY(slow.hidden().isEmpty());
    slow.add({u"a"_s, u"b"_s});
    slow.undoOf(u"a"_s);
    QCOMPARE(slow.waiting(), QStringList{u"b"_s});
    slow.flush();
    slow.undoOf(u"b"_s); // too late
    QCOMPARE(slow.hidden(), QSet<QString>{u"b"_s});
    QCOMPARE(due.constLast().value(0).toStringList(), QStringList{u"b"_s});

    PendingRemovals quick(1ms);
    QSignalSpy soon(&quick, &PendingRemovals::due);
    quick.add({u"x"_s, u"y"_s});
    QTRY_COMPARE(soon.count(), 1);
    QCOMPARE(soon.value(0).value(0).toStringList(), (QStringList{u"x"_s, u"y"_s}));
    QCOMPARE(quick.hidden().size(), 2);
}

void TstPendingRemovals::foldersAreMeasured()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"a/b"_s));
    QFile file(folder.filePath(u"a/b/log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(QByteArray(1 << 20, 'x')), 1 << 20);
    file.close();
    QVERIFY(QFile::link(u"/usr"_s, folder.filePath(u"a/link"_s)));
    qint64 found = -1;
    measureFolders({folder.filePath(u"a"_s), folder.filePath(u"none"_s)}, this, [&found](qint64 b) { found = b; });
    QTRY_VERIFY(found >= 0);
    QVERIFY2(found >= 1 << 20 && found < 2 << 20, qPrintable(QString::number(found)));
}

TRAINYARD_GUI_TEST(TstPendingRemovals)
#include "tst_pendingremovals.moc"
