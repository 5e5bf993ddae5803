// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/checkpointplan.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which checkpoints go to the host where a task is tried again.
class TstCheckpointPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void files_data()
    {
        QTest::addColumn<BringFile>("there");
        QTest::addColumn<QList<BringFile>>("here");
        QTest::addColumn<bool>("goes");
        const BringFile file{u"out/last.pt"_s, 100, 5000};
        QTest::newRow("new") << file << QList<BringFile>() << true;
        QTest::newRow("the same") << file << QList<BringFile>{file} << false;
        QTest::newRow("older there") << file << QList<BringFile>{{u"out/last.pt"_s, 100, 6000}} << false;
        QTest::newRow("newer there") << file << QList<BringFile>{{u"out/last.pt"_s, 100, 4000}} << true;
        QTest::newRow("same time, not whole") << file << QList<BringFile>{{u"out/last.pt"_s, 60, 5000}} << true;
        QTest::newRow("another name") << file << QList<BringFile>{{u"last.pt"_s, 100, 6000}} << true;
        QTest::newRow("hidden") << BringFile{u"ckpt/.metadata"_s, 1, 1} << QList<BringFile>() << true;
        QTest::newRow("our mark") << BringFile{u".trainyard"_s, 0, 1} << QList<BringFile>() << false;
        QTest::newRow("our part") << BringFile{u"a/.trainyard-1-2.part"_s, 9, 1} << QList<BringFile>() << false;
        QTest::newRow("outside") << BringFile{u"../a"_s, 9, 1} << QList<BringFile>() << false;
        QTest::newRow("absolute") << BringFile{u"/etc/passwd"_s, 9, 1} << QList<BringFile>() << false;
        QTest::newRow("no size") << BringFile{u"a"_s, -9, 1} << QList<BringFile>() << false;
        QTest::newRow("too large to be true") << BringFile{u"a"_s, qint64(1) << 60, 1} << QList<BringFile>() << false;
    }
    void files()
    {
        QFETCH(const BringFile, there);
        QFETCH(const QList<BringFile>, here);
        QFETCH(const bool, goes);
        const CheckpointPlan plan = checkpointPlan({there}, {}, here);
        QCOMPARE(plan.files.contains(there), goes);
        QCOMPARE(plan.bytes, goes ? there.bytes : 0);
    }

    void smallOnesFirst()
    {
        const CheckpointPlan plan = checkpointPlan({{u"b"_s, 30, 1}, {u"c"_s, 10, 1}, {u"a"_s, 10, 1}}, {}, {});
        QStringList paths;
        for (const BringFile &file : plan.files) {
            paths.append(file.path);
        }
        QCOMPARE(paths, (QStringList{u"a"_s, u"c"_s, u"b"_s}));
        QCOMPARE(plan.bytes, 50);
    }

    void links_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("goes");
        QTest::newRow("beside") << u"latest"_s << u"ckpt-100"_s << true;
        QTest::newRow("below") << u"latest"_s << u"a/b"_s << true;
        QTest::newRow("up and down") << u"a/latest"_s << u"../b/c"_s << true;
        QTest::newRow("out") << u"a/latest"_s << u"../../b"_s << false;
        QTest::newRow("out at once") << u"latest"_s << u"../b"_s << false;
        QTest::newRow("out in the middle") << u"a/latest"_s << u"b/../../../c"_s << false;
        QTest::newRow("absolute") << u"latest"_s << u"/etc/passwd"_s << false;
        QTest::newRow("empty") << u"latest"_s << QString() << false;
        QTest::newRow("from outside") << u"../latest"_s << u"a"_s << false;
        QTest::newRow("ours") << u".trainyard"_s << u"a"_s << false;
    }
    void links()
    {
        QFETCH(const QString, path);
        QFETCH(const QString, target);
        QFETCH(const bool, goes);
        QCOMPARE(checkpointPlan({}, {{path, target}}, {}).links.size(), goes ? 1 : 0);
    }
};

TRAINYARD_TEST(TstCheckpointPlan)
#include "tst_checkpointplan.moc"
