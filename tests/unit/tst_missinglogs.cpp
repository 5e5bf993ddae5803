// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotelogs.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Of which ended tasks it is said that not all of the log is here.
class TstMissingLogs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void missing_data();
    void missing();
};

void TstMissingLogs::missing_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("isBegun");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<bool>("isMissing");
    QTest::newRow("refused by a cluster") << u"slurm:lab"_s << -200 << false << QByteArray() << false;
    QTest::newRow("not started there") << u"slurm:lab"_s << -300 << false << QByteArray() << false;
    QTest::newRow("stopped before it began") << u"slurm:lab"_s << -210 << false << QByteArray() << false;
    QTest::newRow("stopped while it ran") << u"slurm:lab"_s << -210 << true << QByteArray() << true;
    QTest::newRow("failed, and nothing has come") << u"gpu1"_s << 1 << true << QByteArray() << true;
    QTest::newRow("failed, and something has come") << u"gpu1"_s << 1 << true << QByteArray("epoch 1\n") << true;
    QTest::newRow("lost: perhaps it ran") << u"gpu1"_s << -101 << false << QByteArray() << true;
    QTest::newRow("here, where nothing began") << u"local"_s << -300 << false << QByteArray() << false;
}

void TstMissingLogs::missing()
{
    QFETCH(QString, host);
    QFETCH(int, code);
    QFETCH(bool, isBegun);
    QFETCH(QByteArray, output);
    QTemporaryDir folder;
    QFile log(folder.filePath(u"output.log"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    QCOMPARE(log.write(output), output.size());
    log.close();
    TaskInfo task;
    task.role = u"trainer"_s;
    task.state = State::Failed;
    task.host = host;
    task.exitCode = code;
    task.logFolder = folder.path();
    if (isBegun) {
        task.launched = task.tryLaunched = 1000;
    }
    QTEST(!cli::missingLogs({task}).isEmpty(), "isMissing");
}

TRAINYARD_TEST(TstMissingLogs)
#include "tst_missinglogs.moc"
