// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmend.h"
#include "engine/clusters/slurmscript.h"
#include "engine/clusters/slurmtext.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What the commands of Slurm are told, and what they say.
class TstSlurmText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void idOfSubmission_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("id");
        QTest::newRow("plain") << QByteArray("123\n") << u"123"_s;
        QTest::newRow("of a cluster") << QByteArray("123;lab\n") << u"123"_s;
        QTest::newRow("behind a greeting") << QByteArray("Welcome to LAB\n42 nodes are free\n4711\n") << u"4711"_s;
        QTest::newRow("without a line feed") << QByteArray("7") << u"7"_s;
        QTest::newRow("nothing") << QByteArray("sbatch: error: no\n") << QString();
        QTest::newRow("empty") << QByteArray() << QString();
    }
    void idOfSubmission()
    {
        QFETCH(QByteArray, said);
        QTEST(slurm::submittedId(said), "id");
    }

    void queue()
    {
        const QByteArray said = "12_3\x1fRUNNING\x1ftrainyard:a\x1f"
                                "1700000000\x1fNone\nnoise\n13+0\x1fPENDING\x1f(null)\x1fN/A\x1f(Resources)\n";
        const QList<slurm::QueueRow> rows = slurm::queueRows(said);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0), (slurm::QueueRow{u"12_3"_s, u"RUNNING"_s, u"trainyard:a"_s, u"None"_s, 1700000000}));
        QCOMPARE(rows.at(1), (slurm::QueueRow{u"13+0"_s, u"PENDING"_s, u"(null)"_s, u"(Resources)"_s, 0}));
        QVERIFY(slurm::queueRows({}).isEmpty());
    }

    // A job that was queued again keeps its first run in the accounts, as preempted.
    void accounts()
    {
        const QByteArray said = "7\x1fPREEMPTED\x1f\x1f"
                                "100\n7\x1f"
                                "CANCELLED by 1000\x1f\x1f"
                                "300\n7\x1f"
                                "FAILED\x1f\x1f"
                                "200\n8\x1f"
                                "COMPLETED\x1ftrainyard:b\x1fUnknown\n";
        const QList<slurm::AccountRow> rows = slurm::accountRows(said);
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows.at(0), (slurm::AccountRow{u"7"_s, u"CANCELLED"_s, {}, 300}));
        QCOMPARE(rows.at(1).comment, u"trainyard:b"_s);
    }

    void phases()
    {
        for (const QString &state : {u"PENDING"_s, u"CONFIGURING"_s, u"REQUEUED"_s}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Pending);
        }
        for (const QString &state : {u"RUNNING"_s, u"COMPLETING"_s, u"SUSPENDED"_s}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Running);
        }
        for (const QString &state :
            {u"COMPLETED"_s, u"PREEMPTED"_s, u"NODE_FAIL"_s, u"TIMEOUT"_s, u"SOMETHING_NEW"_s}) {
            QCOMPARE(slurm::phaseOf(state), slurm::Phase::Over);
        }
    }

    void reasons_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("code");
        QTest::newRow("resources") << u"(Resources)"_s << u"wait.slurm-resources"_s;
        QTest::newRow("priority") << u"Priority"_s << u"wait.slurm-priority"_s;
        QTest::newRow("nodes") << u"ReqNodeNotAvail, UnavailableNodes:n3"_s << u"wait.slurm-nodes"_s;
        QTest::newRow("quality") << u"QOSMaxGRESPerUser"_s << u"wait.slurm-qos"_s;
        QTest::newRow("account") << u"AssocGrpCpuLimit"_s << u"wait.slurm-account"_s;
        QTest::newRow("held") << u"JobHeldUser"_s << u"wait.slurm-held"_s;
        QTest::newRow("launch") << u"launch failed requeued held"_s << u"wait.slurm-held-admin"_s;
        QTest::newRow("dependency") << u"DependencyNeverSatisfied"_s << u"wait.slurm-dependency"_s;
        QTest::newRow("too long") << u"PartitionTimeLimit"_s << u"wait.slurm-time-limit"_s;
        QTest::newRow("none yet") << u"None"_s << u"wait.slurm-new"_s;
        QTest::newRow("of a later version") << u"SomethingNew"_s << u"wait.slurm"_s;
    }
    void reasons()
    {
        QFETCH(QString, reason);
        const Error why = slurm::waitReason({u"1"_s, u"PENDING"_s, {}, reason, 1700000000}, u"slurm:lab"_s);
        QTEST(why.code, "code");
        QCOMPARE(why.args.value("target"_L1).toString(), u"slurm:lab"_s);
        QCOMPARE(why.args.value("start"_L1).toDouble(), 1.7e12);
        QVERIFY(!why.args.value("reason"_L1).toString().contains(u'('));
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, const QByteArray &said, const QString &words, slurm::Refusal kind) {
            QTest::newRow(name) << said << words << int(kind);
        };
        row("partition",
            "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid "
            "partition name specified\n",
            u"Batch job submission failed: Invalid partition name specified"_s, slurm::Refusal::Final);
        row("plugin's own words",
            "sbatch: error: Use an account of your project.\nsbatch: error: Batch job submission failed: Unspecified "
            "error\n",
            u"Use an account of your project."_s, slurm::Refusal::Final);
        row("no controller",
            "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n",
            u"Batch job submission failed: Unable to contact slurm controller (connect failure)"_s,
            slurm::Refusal::Silent);
        row("limit",
            "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
            "accounting/QOS policy (job submit limit, user's size and/or time limits)\n",
            u"Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or "
            "time limits)"_s,
            slurm::Refusal::Limit);
    }
    void refusals()
    {
        QFETCH(QByteArray, said);
        const QString words = slurm::refusal(said);
        QTEST(words, "words");
        QTEST(int(slurm::refusalKind(words)), "kind");
    }

    void options_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("code");
        QTest::newRow("none") << u"default"_s << QStringList() << QString();
        QTest::newRow("long") << u"--partition=gpu --time 8:00:00 --exclusive"_s
                              << QStringList{u"--partition=gpu"_s, u"--time=8:00:00"_s, u"--exclusive"_s} << QString();
        QTest::newRow("short") << u"-p gpu -Avision -t 60"_s
                               << QStringList{u"--partition=gpu"_s, u"--account=vision"_s, u"--time=60"_s} << QString();
        QTest::newRow("quoted") << u"--constraint=\"a100 & ib\""_s << QStringList{u"--constraint=a100 & ib"_s}
                                << QString();
        QTest::newRow("of the job") << u"--nodes=3"_s << QStringList() << u"slurm.option-owned"_s;
        QTest::newRow("of the job, short") << u"-n 3"_s << QStringList() << u"slurm.option-owned"_s;
        QTest::newRow("a word") << u"gpu"_s << QStringList() << u"slurm.option-strange"_s;
        QTest::newRow("a line") << u"--partition=\"a\n#SBATCH --uid=0\""_s << QStringList()
                                << u"slurm.option-strange"_s;
    }
    void options()
    {
        QFETCH(QString, line);
        const Result<QStringList> options = slurmOptions(line);
        QTEST(options.value_or(QStringList()), "options");
        QTEST(options ? QString() : options.error().code, "code");
    }

    // Roles that take the same share a component, and those with GPUs come first.
    void layout()
    {
        core::JobPolicy policy;
        policy.roles = {{u"ps"_s, 1, 1, -1, 0, {.gpu = 0, .cpu = 1, .memoryMiB = 100, .ports = {}}},
            {u"worker"_s, 2, 1, -1, 0, {.gpu = 2, .cpu = 4, .memoryMiB = 1001, .ports = {}}},
            {u"eval"_s, 1, 1, -1, 0, {.gpu = 2, .cpu = 4, .memoryMiB = 1001, .ports = {}}}};
        const slurm::Layout layout = slurm::layoutOf(policy, {{0, 0}, {1, 0}, {1, 1}, {2, 0}});
        QCOMPARE(layout.ofTask, (std::vector<int>{1, 0, 0, 0}));
        QCOMPARE(layout.components.size(), std::size_t(2));
        QCOMPARE(layout.components[0].tasks, 3);
        QCOMPARE(slurm::stepOptions(layout.components[0]),
            (std::vector<std::string>{"--cpus-per-task=4", "--mem-per-cpu=251M", "--gpus=2"}));
        const QByteArray script = slurm::jobScript({u"/runs/a b"_s, u"/runs/agent"_s,
            {u"--partition=gpu"_s, u"--constraint=a & b"_s}, layout, false, 90'000, 30'000});
        QVERIFY2(script.contains("#SBATCH --partition=gpu\n#SBATCH '--constraint=a & b'\n#SBATCH --ntasks=3\n"),
            script.constData());
        QVERIFY(script.contains("#SBATCH hetjob\n"));
        QVERIFY(script.contains("#SBATCH --gpus-per-task=2\n"));
        QVERIFY(script.contains("#SBATCH --time=3\n"));
        QVERIFY(script.endsWith("exec /runs/agent --lead '/runs/a b'\n"));
    }

    void ends_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("wasStarted");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("reason");
        QTest::newRow("time") << u"TIMEOUT"_s << true << -1004 << u"slurm.time-limit"_s;
        QTest::newRow("preempted") << u"PREEMPTED"_s << true << -1003 << u"slurm.preempted"_s;
        QTest::newRow("node") << u"NODE_FAIL"_s << true << -1001 << u"slurm.node-lost"_s;
        QTest::newRow("memory") << u"OUT_OF_MEMORY"_s << true << -1000 << u"slurm.out-of-memory"_s;
        QTest::newRow("unknown") << QString() << true << -101 << u"slurm.gone"_s;
        QTest::newRow("failed before") << u"FAILED"_s << false << -300 << u"slurm.not-started"_s;
        QTest::newRow("failed meanwhile") << u"FAILED"_s << true << -101 << u"slurm.no-record"_s;
    }
    void ends()
    {
        QFETCH(QString, state);
        QFETCH(bool, wasStarted);
        const core::TryResult result = slurm::resultWithoutRecord({state, u"slurm:lab"_s, {}, u"words"_s, wasStarted});
        QTEST(result.code, "code");
        QTEST(result.reason, "reason");
    }
};

TRAINYARD_TEST(TstSlurmText)
#include "tst_slurmtext.moc"
