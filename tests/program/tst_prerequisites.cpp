// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/program/quickstart.h"

#include <QDirIterator>

using namespace Qt::StringLiterals;

// The second bundled example: all that prerequisites and deployments can do, in their order.
class TstPrerequisites : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void succeeds()
    {
        ProgramsFixture f;
        const QString file = quickstart::copyOf(f, u"prerequisites.pai.yaml"_s);
        const auto run = f.ctl({u"run"_s, u"--wait"_s, file}, {}, 60000);
        QVERIFY2(run.status == 0, run.err.constData());
        const QByteArray log = f.ctl({u"logs"_s, u"prerequisites"_s, u"sum/0"_s}).out;
        QVERIFY2(log.contains("the sum of 12 numbers is 78\n"), log.constData());
        QFile result(f.path(u"work/results/sum-0.txt"_s));
        QVERIFY(result.open(QIODevice::ReadOnly));
        QCOMPARE(result.readAll(), QByteArray("the sum of 12 numbers is 78\n"));
        QVERIFY(!QFile::exists(f.path(u"work/prepared"_s))); // its last step took it away
        // The steps write to the log of the runtime, beside the output of the commands.
        QDirIterator it(f.stateFolder() + u"/runs"_s, {u"runtime.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(it.hasNext());
        QFile runtime(it.next());
        QVERIFY(runtime.open(QIODevice::ReadOnly));
        const QByteArray all = runtime.readAll() + log;
        // Before the command in the order of what needs what, after it the other way round.
        qsizetype last = -1;
        for (const QByteArray &line : QByteArrayList{"workspace is ready in", "made 12 numbers", "no cache here"}) {
            const qsizetype at = all.indexOf(line);
            QVERIFY2(at > last, QByteArray(line + " in " + all).constData());
            last = at;
        }
        QVERIFY(all.indexOf("numbers were used") < all.indexOf("workspace is gone"));
        QVERIFY(all.contains("deployment pre command for sum"));
        QVERIFY(all.contains("deployment post command"));
    }
};

TRAINYARD_TEST(TstPrerequisites)
#include "tst_prerequisites.moc"
