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
};

TRAINYARD_TEST(TstWorkNotes)
#include "tst_worknotes.moc"
