// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/environmentrecord.h"
#include "engine/pool/worknotes.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Where the tasks of a job worked, as another engine finds it.
class TstWorkNotes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areOfAHostAndAFolder()
    {
        const QTemporaryDir state;
        WorkNotes(RunFolders(state.path())).write(u"job"_s, u"near"_s, u"/home/me/net"_s, u"/home/me/net"_s);
        WorkNotes(RunFolders(state.path())).write(u"job"_s, u"far"_s, u"/home/me/net"_s, u"/state/code-1"_s);
        const WorkNotes notes{RunFolders(state.path())};
        QCOMPARE(notes.read(u"job"_s, u"near"_s, u"/home/me/net"_s).value_or(QString()), u"/home/me/net"_s);
        QCOMPARE(notes.read(u"job"_s, u"far"_s, u"/home/me/net"_s).value_or(QString()), u"/state/code-1"_s);
        QVERIFY(!notes.read(u"job"_s, u"far"_s, u"/home/me/other"_s));
        QVERIFY(!notes.read(u"job"_s, u"nowhere"_s, u"/home/me/net"_s));
        QVERIFY(!notes.read(u"other"_s, u"far"_s, u"/home/me/net"_s));
        // The newest counts: the host may share the folder no longer.
        notes.write(u"job"_s, u"near"_s, u"/home/me/net"_s, u"/state/code-2"_s);
        QCOMPARE(notes.read(u"job"_s, u"near"_s, u"/home/me/net"_s).value_or(QString()), u"/state/code-2"_s);
        QCOMPARE(notes.read(u"job"_s, u"far"_s, u"/home/me/net"_s).value_or(QString()), u"/state/code-1"_s);
    }

    // Only the folder that goes along is taken from there: nothing that a host says leads elsewhere.
    void areFoundInRecordsOfEarlierVersions()
    {
        const QTemporaryDir log;
        QVERIFY(!WorkNotes::foundIn(log.path(), u"/home/me/net"_s));
        contract::EnvironmentRecord record;
        record.at = 1;
        record.workFolder = "/home/me/net";
        QFile file(log.filePath(u"environment.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(contract::environmentJson(record)));
        file.close();
        QCOMPARE(WorkNotes::foundIn(log.path(), u"/home/me/net"_s).value_or(QString()), u"/home/me/net"_s);
        QVERIFY(!WorkNotes::foundIn(log.path(), u"/home/me/other"_s));
        QVERIFY(!WorkNotes::foundIn(log.path(), QString()));
    }

    // A copy stays a copy, wherever the host keeps copies by now.
    void tellsACopyFromTheFolderItself_data()
    {
        QTest::addColumn<QString>("there");
        QTest::addColumn<QString>("work");
        QTest::addColumn<bool>("isShared");
        QTest::newRow("the same path") << u"/home/me/net"_s << u"/home/me/net"_s << true;
        QTest::newRow("as it was typed") << u"/home/me/net"_s << u"/home/me/./net/"_s << true;
        QTest::newRow("a copy") << u"/home/me/.local/state/trainyard/remote/e/runs/j/code-1"_s << u"/home/me/net"_s
                                << false;
        QTest::newRow("beside it") << u"/home/me/net2"_s << u"/home/me/net"_s << false;
        QTest::newRow("nothing is known") << QString() << u"/home/me/net"_s << false;
        QTest::newRow("no work folder") << u"/home/me/net"_s << QString() << false;
    }
    void tellsACopyFromTheFolderItself()
    {
        QFETCH(QString, there);
        QFETCH(QString, work);
        QTEST(WorkNotes::isShared(there, work), "isShared");
    }

    // A host may have it by its real path, while the job names a link to it.
    void seesThroughLinks()
    {
        const QTemporaryDir folder;
        const QString real = QFileInfo(folder.path()).canonicalFilePath() + u"/net"_s,
                      link = folder.filePath(u"link"_s);
        QVERIFY(QDir().mkpath(real) && QFile::link(real, link));
        QVERIFY(WorkNotes::isShared(real, link));
        QVERIFY(!WorkNotes::isShared(real + u"/sub"_s, link));
    }
};

TRAINYARD_TEST(TstWorkNotes)
#include "tst_worknotes.moc"
