// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotelogs.h"
#include "app/cli/watch.h"
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
    void nothingOfOneThatCouldNotBegin();
    void metricsOfAnOutputThatIsStillRead();
    void gone_data();
    void gone();
};

// Where there are none so far, the job may have none.
void TstMissingLogs::metricsOfAnOutputThatIsStillRead()
{
    JobSummary job;
    job.id = 7;
    job.name = u"net"_s;
    job.resultsPending = true;
    QVERIFY2(!cli::pendingResults(job).contains("metrics"_L1), qPrintable(cli::pendingResults(job)));
    job.results = {{u"loss"_s, QJsonObject{{u"last"_s, 0.5}}}};
    QVERIFY2(cli::pendingResults(job).contains("its metrics are not final"_L1), qPrintable(cli::pendingResults(job)));
}

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

// The helper could not make its folder: the try has a time, and no log will ever come.
void TstMissingLogs::nothingOfOneThatCouldNotBegin()
{
    QTemporaryDir folder;
    TaskInfo task;
    task.role = u"trainer"_s;
    task.state = State::Failed;
    task.host = u"gpu1"_s;
    task.exitCode = -2010;
    task.logFolder = folder.path();
    task.tryLaunched = 1000;
    QVERIFY(cli::missingLogs({task}).isEmpty());
    task.launched = 900; // a former try had begun: this one may have been cut off
    QVERIFY(!cli::missingLogs({task}).isEmpty());
}

void TstMissingLogs::gone_data()
{
    QTest::addColumn<State>("state");
    QTest::addColumn<bool>("hasRun");
    QTest::addColumn<bool>("hasFolder");
    QTest::addColumn<bool>("isGone");
    QTest::newRow("it is there") << State::Succeeded << true << true << false;
    QTest::newRow("somebody removed it") << State::Succeeded << true << false << true;
    QTest::newRow("stopped while it ran, and removed") << State::Stopped << true << false << true;
    QTest::newRow("stopped while it waited") << State::Stopped << false << false << false;
    QTest::newRow("never started") << State::Failed << false << false << false;
    QTest::newRow("it still runs") << State::Running << true << false << false;
}

// The folder of a job that never ran was never there: nobody has removed it.
void TstMissingLogs::gone()
{
    QFETCH(State, state);
    QFETCH(bool, hasRun);
    QFETCH(bool, hasFolder);
    const QTemporaryDir runs;
    JobDetail detail;
    detail.summary.state = state;
    detail.summary.began = 1000; // as a summary has it, whether it ran or not
    AttemptInfo attempt;
    attempt.created = 1000;
    if (hasRun) {
        attempt.launched = 2000;
    }
    detail.attempts = {attempt};
    detail.runFolder = hasFolder ? runs.path() : runs.filePath(u"removed"_s);
    QTEST(cli::isOutputGone(detail), "isGone");
}

TRAINYARD_TEST(TstMissingLogs)
#include "tst_missinglogs.moc"
