// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QObject>
#include <QTest>

using namespace Qt::StringLiterals;

// The real program. Metrics of logs and of files.
class TstCliMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void metricsPrint();
    void metricsOfFiles();
    void metricsRefuse_data();
    void metricsRefuse();

private:
    CliFixture m_cli;
};

void TstCliMetrics::initTestCase() { QVERIFY2(m_cli.isReady(), "trainyardctl has not been built."); }

// One object a line, so that a reader of a running program's output can follow.
void TstCliMetrics::metricsPrint()
{
    const QString log = m_cli.file(u"train.log"_s,
        "Epoch 1/4\nloss: 0.5 val_loss: 0.75\nEpoch 2/4\nloss: nan val_loss: 0.25\n"
        " 50%|##| 5/10 [00:05<00:05, 1.0it/s]\n");
    const CliFixture::Run json = m_cli.run({u"metrics"_s, u"--log"_s, log, u"--json"_s});
    QCOMPARE(json.status, 0);
    QVERIFY(json.err.isEmpty());
    QCOMPARE(json.out, QByteArray(R"({"name": "loss", "step": 1, "axis": "epoch", "epoch": 1, "value": 0.5, "line": 2}
{"name": "val_loss", "step": 1, "axis": "epoch", "epoch": 1, "value": 0.75, "line": 2}
{"name": "loss", "step": 2, "axis": "epoch", "epoch": 2, "value": NaN, "line": 4}
{"name": "val_loss", "step": 2, "axis": "epoch", "epoch": 2, "value": 0.25, "line": 4}
{"progress": 0.5, "eta": 5}
)"));
    QCOMPARE(m_cli.run({u"metrics"_s, u"--log"_s, u"-"_s, u"--json"_s}, CliFixture::contents(log)).out, json.out);

    const CliFixture::Run csv = m_cli.run({u"metrics"_s, u"--log"_s, log, u"--csv"_s, u"--name"_s, u"VAL*"_s});
    QCOMPARE(csv.status, 0);
    QCOMPARE(csv.out,
        QByteArray("name,step,axis,epoch,value,line\n\"val_loss\",1,epoch,1,0.75,2\n\"val_loss\",2,epoch,2,0.25,4\n"));

    const CliFixture::Run table = m_cli.run({u"metrics"_s, u"--log"_s, log});
    QCOMPARE(table.status, 0);
    QCOMPARE(table.out,
        QByteArray("SERIES    POINTS  LAST  LEAST  GREATEST  BY\n"
                   "loss      2       NaN   0.5    0.5       epoch\n"
                   "val_loss  2       0.25  0.25   0.75      epoch\n"
                   "\n"
                   "The output says: 50.0 % done, 5.0 s left.\n"));
    // One curve, though only the second epoch shows that its steps begin anew.
    const CliFixture::Run anew = m_cli.run({u"metrics"_s, u"--log"_s, u"-"_s},
        "Epoch 1 step 20 loss: 0.75\nEpoch 1 step 40 loss: 0.5\nEpoch 2 step 20 loss: 0.375\n");
    QCOMPARE(anew.out,
        QByteArray("SERIES  POINTS  LAST   LEAST  GREATEST  BY\n"
                   "loss    3       0.375  0.375  0.75      batch\n"));
    const CliFixture::Run speeds
        = m_cli.run({u"metrics"_s, u"--log"_s, u"-"_s}, "step 10 wps: 9.5 loss: 0.75\nstep 20 wps: 9.25 loss: 0.5\n");
    QCOMPARE(speeds.out,
        QByteArray("SERIES  POINTS  LAST  LEAST  GREATEST  BY\n"
                   "loss    2       0.5   0.5    0.75      step\n"
                   "wps     2       9.25  9.25   9.5       step\n"));
    const CliFixture::Run none = m_cli.run({u"metrics"_s, u"--log"_s, log, u"--name"_s, u"acc"_s});
    QCOMPARE(none.status, 0);
    QVERIFY2(none.out.contains("has no metrics of that name"), none.out.constData());
    const CliFixture::Run own
        = m_cli.run({u"metrics"_s, u"--log"_s, u"-"_s, u"--pattern"_s, u"quality=quality -> (\\S+)"_s, u"--csv"_s},
            "quality -> 3.5\nloss: 0.5\n");
    QCOMPARE(own.status, 0);
    QVERIFY2(own.out.contains("\"quality\",,none,,3.5,1\n"), own.out.constData());
    QVERIFY(own.err.isEmpty());
    const CliFixture::Run empty = m_cli.run({u"metrics"_s, u"--log"_s, u"-"_s}, "nothing to see\n");
    QCOMPARE(empty.out, QByteArray("standard input has no metrics.\n"));
}

void TstCliMetrics::metricsOfFiles()
{
    const QString folder = m_cli.path(u"runs"_s);
    QVERIFY(QDir(folder).mkpath(u"a"_s) && QDir(folder).mkpath(u"b"_s));
    const QString table
        = m_cli.file(u"runs/a/metrics.csv"_s, "epoch,step,loss,val_loss\n0,9,0.5,\n0,9,,0.75\n1,19,nan,\n2");
    m_cli.file(u"runs/b/log.jsonl"_s, "{\"iteration\": 3, \"loss\": 0.25, \"time\": 1700000000.5}\n");
    const QByteArray name = table.toUtf8();
    const CliFixture::Run json = m_cli.run({u"metrics"_s, u"--file"_s, table, u"--json"_s});
    QCOMPARE(json.status, 0);
    QCOMPARE(json.err,
        "trainyardctl: " + name
            + " ends within a record, at byte 54: its program is still writing, or was stopped. Everything before it "
              "was read.\n");
    const QByteArray end = R"(, "time": null, "file": ")" + name + "\"}\n";
    QCOMPARE(json.out,
        R"({"name": "loss", "step": 9, "axis": "step", "epoch": 0, "value": 0.5)" + end
            + R"({"name": "val_loss", "step": 9, "axis": "step", "epoch": 0, "value": 0.75)" + end
            + R"({"name": "loss", "step": 19, "axis": "step", "epoch": 1, "value": NaN)" + end);
    const CliFixture::Run csv = m_cli.run({u"metrics"_s, u"--file"_s, folder, u"--csv"_s, u"--name"_s, u"LO*"_s});
    QCOMPARE(csv.status, 0);
    const QByteArray inA = folder.toUtf8() + "/a/metrics.csv\",\"a\"\n";
    QCOMPARE(csv.out,
        "name,step,axis,epoch,value,time,file,run\n\"loss\",9,step,0,0.5,,\"" + inA + "\"loss\",19,step,1,NaN,,\"" + inA
            + "\"loss\",3,iteration,,0.25,1700000000500,\"" + folder.toUtf8() + "/b/log.jsonl\",\"b\"\n");
    const CliFixture::Run shown = m_cli.run({u"metrics"_s, u"--file"_s, folder});
    QCOMPARE(shown.out,
        QByteArray("RUN  SERIES    POINTS  LAST  LEAST  GREATEST  BY\n"
                   "a    loss      2       NaN   0.5    0.5       step\n"
                   "a    val_loss  1       0.75  0.75   0.75      step\n"
                   "b    loss      1       0.25  0.25   0.25      iteration\n"));
    const CliFixture::Run none = m_cli.run({u"metrics"_s, u"--file"_s, folder, u"--name"_s, u"acc"_s});
    QVERIFY2(none.status == 0 && none.out.contains("has no metrics of that name"), none.out.constData());
}

void TstCliMetrics::metricsRefuse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no log") << QStringList{} << u"--log"_s;
    QTest::newRow("missing log") << QStringList{u"--log"_s, u"/no/such/file"_s} << u"/no/such/file"_s;
    QTest::newRow("folder") << QStringList{u"--log"_s, u"/"_s} << u"it is a folder"_s;
    QTest::newRow("missing file") << QStringList{u"--file"_s, u"/no/such/file"_s} << u"/no/such/file"_s;
    QTest::newRow("device") << QStringList{u"--file"_s, u"/dev/zero"_s} << u"a device"_s;
    QTest::newRow("not a file of metrics") << QStringList{u"--file"_s, u"/proc/self/status"_s} << u"recognized"_s;
    QTest::newRow("log and file") << QStringList{u"--log"_s, u"/"_s, u"--file"_s, u"/"_s} << u"--file"_s;
    QTest::newRow("two forms") << QStringList{u"--log"_s, u"/"_s, u"--json"_s, u"--csv"_s} << u"--csv"_s;
    QTest::newRow("a word more") << QStringList{u"--log"_s, u"/"_s, u"word"_s} << u"A JOB has its own output"_s;
    QTest::newRow("no pattern") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"quality"_s}
                                << u"NAME=EXPRESSION"_s;
    QTest::newRow("no group") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"a=b"_s} << u"no group"_s;
    QTest::newRow("no expression") << QStringList{u"--log"_s, u"-"_s, u"--pattern"_s, u"a=(b"_s} << u"not valid"_s;
}

void TstCliMetrics::metricsRefuse()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const CliFixture::Run result = m_cli.run(QStringList{u"metrics"_s} + arguments);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.out.isEmpty(), !arguments.contains(u"--json"_s)); // else it says so there, too
    QVERIFY2(result.err.startsWith("trainyardctl: ") && result.err.contains(says.toUtf8()), result.err.constData());
}

TRAINYARD_TEST(TstCliMetrics)
#include "tst_climetrics.moc"
