// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmquota.h"
#include "engine/clusters/slurmtext.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the commands of Slurm say of a user: own jobs, free GPUs, and limits.
class TstSlurmQuota : public QObject
{
    Q_OBJECT

    static QByteArray node(const QByteArray &partition, const QByteArray &host, const QByteArray &state,
        const QByteArray &gres, const QByteArray &used)
    {
        QByteArray line;
        for (const QByteArray &field : {partition, host, state, gres, used}) {
            line += field.leftJustified(256);
        }
        return line + '\n';
    }
    static QByteArray job(const QByteArrayList &fields) { return fields.join('\x1f') + '\n'; }

private Q_SLOTS:
    void gpus_data()
    {
        QTest::addColumn<QString>("resources");
        QTest::addColumn<int>("gpus");
        const auto row = [](const char *resources, int gpus) {
            QTest::newRow(resources) << QString::fromLatin1(resources) << gpus;
        };
        row("", 0);
        row("(null)", 0);
        row("N/A", 0);
        row("gpu", 1);
        row("gpu:2", 2);
        row("gpu:0", 0);
        row("gpu:2(S:0)", 2);
        row("gpu:a100:4(S:0-1)", 4);
        row("gpu:a100", 1);
        row("gpu:3g.20gb:7", 7);
        row("gpu:a100:2(IDX:0,3),gpu:v100:1(IDX:4)", 3);
        row("gpu:a100:0(IDX:N/A)", 0);
        row("gres/gpu:2", 2);
        row("gres:gpu:a100:3", 3);
        row("gres/gpu=8", 8);
        row("gres/gpu:a100=8", 8);
        row("shard:16,gpu:1,mps:100", 1);
        row("gpumem:80", 0);
        row("tmp:1, gpu:2", 2);
    }
    void gpus()
    {
        QFETCH(QString, resources);
        QFETCH(int, gpus);
        QCOMPARE(slurm::gpusIn(resources), gpus);
    }

    void ownJobs()
    {
        QVERIFY(slurm::ownJobsArguments().contains(u"--me"_s));
        QCOMPARE(slurm::ownJobsIn({}), (QJsonObject{{u"running"_s, 0}, {u"pending"_s, 0}, {u"gpus"_s, 0}}));
        const QByteArray said = "a line of the site\n" + job({"RUNNING", "2", "gres/gpu:4", "ada"})
            + job({"PENDING", "8", "gres/gpu:8", "ada"}) + job({"COMPLETING", "1", "gres/gpu:2", "ada"})
            + job({"RUNNING", "", "gres:gpu:1", "ada"}) + job({"too", "few"});
        QCOMPARE(slurm::ownJobsIn(said),
            (QJsonObject{{u"running"_s, 2}, {u"pending"_s, 1}, {u"gpus"_s, 9}, {u"user"_s, u"ada"_s}}));
    }

    void freeGpus()
    {
        QVERIFY(slurm::freeGpusArguments().last().contains(u"GresUsed:256"_s));
        const QByteArray said = "a line of the site\n"
            + node("gpu*", "n1", "mixed", "gpu:a100:8(S:0-1)", "gpu:a100:5(IDX:0-4)")
            + node("gpu*", "n2", "idle", "gpu:a100:8", "gpu:a100:0(IDX:N/A)")
            + node("gpu*", "n3", "drained", "gpu:a100:8", "gpu:a100:0(IDX:N/A)")
            + node("gpu*", "n4", "idle*", "gpu:a100:8", "gpu:0") // it does not answer
            + node("big", "n5", "idle~", "gpu:2", "gpu:0") // it is woken up for a job
            + node("big", "n6", "allocated", "gpu:2", "gpu:3") + node("big", "n2", "mixed-", "gpu:8", "gpu:1")
            + node("cpu", "n7", "idle", "(null)", "(null)");
        QCOMPARE(slurm::freeGpusIn(said),
            (QJsonArray{QJsonObject{{u"name"_s, u"big"_s}, {u"gpus"_s, 12}, {u"free"_s, 9}},
                QJsonObject{{u"name"_s, u"gpu"_s}, {u"gpus"_s, 16}, {u"free"_s, 11}}}));
        QVERIFY(slurm::freeGpusIn({}).isEmpty());
        QVERIFY(slurm::freeGpusIn("gpu idle gpu:8\n").isEmpty()); // of a version that knows no such fields
    }

    void associations()
    {
        QVERIFY(slurm::associationArguments(u"ada"_s).contains(u"user=ada"_s));
        QVERIFY(slurm::associationsIn({}).isEmpty());
        const QJsonArray found
            = slurm::associationsIn("Welcome\n"
                                    "vision||normal,high|10|50||cpu=64,gres/gpu=8||1-00:00:00|cpu=600\n"
                                    "nlp|gpu|||-1|4||||\n"
                                    "bad|row\n");
        QCOMPARE(found,
            (QJsonArray{QJsonObject{{u"account"_s, u"vision"_s}, {u"qos"_s, QJsonArray{u"normal"_s, u"high"_s}},
                            {u"maxJobs"_s, 10}, {u"maxSubmit"_s, 50}, {u"groupTres"_s, u"cpu=64,gres/gpu=8"_s},
                            {u"maxWall"_s, u"1-00:00:00"_s}, {u"groupTresMinutes"_s, u"cpu=600"_s}},
                QJsonObject{{u"account"_s, u"nlp"_s}, {u"partition"_s, u"gpu"_s}, {u"groupJobs"_s, 4}}}));
        QVERIFY(slurm::qosArguments(found).contains(u"name=normal,high"_s));
        QVERIFY(slurm::qosArguments({}).isEmpty());
        QVERIFY(slurm::qosArguments(QJsonArray{found.at(1)}).isEmpty());
    }

    void qualities()
    {
        QCOMPARE(slurm::qosIn("normal|||||||\n"
                              "high|4|20|gres/gpu=64|cpu=32|gres/gpu=8|08:00:00|gres/gpu=90\n"
                              "zero|0||||||\n"),
            (QJsonArray{QJsonObject{{u"name"_s, u"high"_s}, {u"maxJobs"_s, 4}, {u"maxSubmit"_s, 20},
                            {u"groupTres"_s, u"gres/gpu=64"_s}, {u"maxTres"_s, u"cpu=32"_s},
                            {u"maxTresOfUser"_s, u"gres/gpu=8"_s}, {u"maxWall"_s, u"08:00:00"_s},
                            {u"groupTresMinutes"_s, u"gres/gpu=90"_s}},
                QJsonObject{{u"name"_s, u"zero"_s}, {u"maxJobs"_s, 0}}}));
    }

    // sbatch takes what never starts, and says that it would.
    void timeOfAPartition_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("partition"); // empty: it fits
        QTest::newRow("nothing is asked for") << QStringList() << QString();
        QTest::newRow("the default one") << QStringList{u"--time=2-00:00:00"_s} << u"main"_s;
        QTest::newRow("it fits there") << QStringList{u"--time=1-00:00:00"_s} << QString();
        QTest::newRow("the short one") << QStringList{u"--time=40-00:00:00"_s, u"--partition=short"_s} << u"short"_s;
        QTest::newRow("exactly") << QStringList{u"--time=5"_s, u"--partition=short"_s} << QString();
        QTest::newRow("a second more") << QStringList{u"--time=5:01"_s, u"--partition=short"_s} << u"short"_s;
        QTest::newRow("one of two") << QStringList{u"--time=10"_s, u"--partition=short,main"_s} << QString();
        QTest::newRow("no limit") << QStringList{u"--time=40-00"_s, u"--partition=free"_s} << QString();
        QTest::newRow("the last one counts")
            << QStringList{u"--time=40-00"_s, u"--time=1"_s, u"--partition=short"_s} << QString();
        QTest::newRow("it may be shortened")
            << QStringList{u"--time=40-00"_s, u"--time-min=1"_s, u"--partition=short"_s} << QString();
        QTest::newRow("no time") << QStringList{u"--time=UNLIMITED"_s, u"--partition=short"_s} << QString();
        QTest::newRow("a partition that is not seen") << QStringList{u"--time=9-00"_s, u"--partition=x"_s} << QString();
    }
    void timeOfAPartition()
    {
        QFETCH(QStringList, options);
        const auto partition = [](const QString &name, const QString &limit, bool isDefault) {
            return QJsonObject{{u"name"_s, name}, {u"limit"_s, limit}, {u"isDefault"_s, isDefault}};
        };
        const QJsonObject found = slurm::timeThatNeverFits(options,
            {partition(u"main"_s, u"1-00:00:00"_s, true), partition(u"short"_s, u"5:00"_s, false),
                partition(u"free"_s, u"infinite"_s, false)});
        QTEST(found.value("partition"_L1).toString(), "partition");
        QCOMPARE(found.isEmpty(), found.value("asked"_L1).toString().isEmpty());
    }

    // The limit of a job has room for preparing the nodes and for its end, and the time of the target does not count.
    void timeOfAJob()
    {
        const QJsonArray partitions{
            QJsonObject{{u"name"_s, u"main"_s}, {u"limit"_s, u"2:00:00"_s}, {u"isDefault"_s, true}}};
        slurm::ScriptInput input;
        input.options = QStringList{u"--time=9:00:00"_s};
        QCOMPARE(slurm::timeOfJobThatNeverFits(input, partitions).value("asked"_L1).toString(), u"9:00:00"_s);
        input.limitMs = 10'800'000;
        const QJsonObject tooLong = slurm::timeOfJobThatNeverFits(input, partitions);
        QCOMPARE(tooLong.value("asked"_L1).toString(), u"187"_s);
        QCOMPARE(tooLong.value("partition"_L1).toString(), u"main"_s);
        QVERIFY(slurm::timeOfJobThatNeverFits(input, {}).isEmpty()); // nothing is known
        const auto reason = [&input, &partitions](const QString &said) {
            return slurm::waitReasonOfTime(
                slurm::waitReason({u"1"_s, u"PENDING"_s, {}, said, 0}, u"slurm:lab"_s), input, partitions)
                .code;
        };
        QCOMPARE(reason(u"PartitionConfig"_s), u"wait.slurm-time-limit"_s);
        QCOMPARE(reason(u"Priority"_s), u"wait.slurm-priority"_s);
        input.limitMs = 3'600'000;
        QVERIFY(slurm::timeOfJobThatNeverFits(input, partitions).isEmpty());
        QCOMPARE(reason(u"PartitionConfig"_s), u"wait.slurm-partition-config"_s);
    }

    void noAccounts()
    {
        QVERIFY(slurm::hasNoManager("You are not running a supported accounting_storage plugin\n"
                                    "(accounting_storage/none).\nOnly 'accounting_storage/slurmdbd' is supported.\n"));
        QVERIFY(!slurm::hasNoManager("sacctmgr: error: slurm_persist_conn_open_without_init: failed to open\n"));
    }
};
TRAINYARD_TEST(TstSlurmQuota)
#include "tst_slurmquota.moc"
