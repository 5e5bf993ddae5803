// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/waittrail.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What is kept of why a job has waited.
class TstWaitTrail : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesBack()
    {
        const QTemporaryDir folder;
        const QString run = folder.filePath(u"runs/a"_s); // which nothing has made yet
        QVERIFY(WaitTrail::read(run).isEmpty());
        const QList<WaitNote> notes{
            {1000, u"wait.slurm-resources"_s, {{u"target"_s, u"slurm:lab"_s}, {u"position"_s, 3}}},
            {2000, u"wait.slurm-priority"_s, {{u"reason"_s, u"a \"word\"\nand another"_s}}}};
        for (const WaitNote &each : notes) {
            WaitTrail::append(run, each);
        }
        QCOMPARE(WaitTrail::read(run), notes);
        QCOMPARE(QFile::permissions(run + u"/waits"_s) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        // The last line was cut off when the engine was killed.
        QFile file(run + u"/waits"_s);
        QVERIFY(file.open(QIODevice::Append) && file.write("{\"at\": 3000, \"reas") > 0);
        file.close();
        QCOMPARE(WaitTrail::read(run), notes);
    }

    void theSameIsKeptOnce()
    {
        const Error sent{u"wait.slurm-new"_s, {{u"target"_s, u"slurm:lab"_s}}};
        const Error heard{u"wait.slurm-new"_s, {{u"target"_s, u"slurm:lab"_s}, {u"reason"_s, u"None"_s}}};
        QVERIFY(WaitTrail::isSame(sent, heard));
        Error first{u"wait.slurm-priority"_s, {{u"reason"_s, u"Priority"_s}, {u"position"_s, 3}}}, later = first;
        later.args.insert(u"position"_s, 2);
        QVERIFY(WaitTrail::isSame(first, later));
        later.args.insert(u"partition"_s, u"gpu"_s); // known with its place in the line
        QVERIFY(WaitTrail::isSame(first, later));
        later.args.insert(u"reason"_s, u"Resources"_s);
        QVERIFY(!WaitTrail::isSame(first, later));
        QVERIFY(!WaitTrail::isSame(sent, first));
        QVERIFY(!WaitTrail::isSame({}, sent));
    }

    // A job may wait for weeks, and its reason change every minute.
    void staysSmall()
    {
        const QTemporaryDir folder;
        constexpr qint64 many = 9000;
        for (qint64 at = 1; at <= many; ++at) {
            WaitTrail::append(folder.path(), {at, u"wait.slurm-priority"_s, {{u"target"_s, u"slurm:lab"_s}}});
        }
        const QList<WaitNote> notes = WaitTrail::read(folder.path());
        QCOMPARE(notes.constLast().at, many);
        QVERIFY(notes.size() >= 50 && notes.size() <= 200);
        for (qsizetype i = 1; i < notes.size(); ++i) {
            QCOMPARE(notes.at(i).at, notes.at(i - 1).at + 1);
        }
        QVERIFY(QFile(folder.filePath(u"waits"_s)).size() < (300 << 10));
    }
};

TRAINYARD_TEST(TstWaitTrail)
#include "tst_waittrail.moc"
