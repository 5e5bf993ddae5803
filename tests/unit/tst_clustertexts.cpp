// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/clustertexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/slurmtexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What people read of clusters, in the window and on the command line.
class TstClusterTexts : public QObject
{
    Q_OBJECT

    static ClusterInfo lab()
    {
        ClusterInfo cluster;
        cluster.id = u"slurm:lab"_s;
        cluster.kind = u"slurm"_s;
        cluster.name = u"lab"_s;
        return cluster;
    }

private Q_SLOTS:
    void places_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("label");
        QTest::newRow("a node") << u"slurm:lab/n1"_s << u"n1 (lab)"_s;
        QTest::newRow("a cluster") << u"slurm:lab"_s << u"lab"_s;
        QTest::newRow("a known host") << u"local"_s << u"This computer"_s;
        QTest::newRow("a host that was removed") << u"lab1"_s << u"lab1"_s;
        QTest::newRow("none") << QString() << QString();
    }
    void places()
    {
        QFETCH(QString, host);
        QTEST(hostLabel(host, {{u"local"_s, u"This computer"_s}}), "label");
    }

    // A stop that waits for its user can be given up like one that waits for the cluster.
    void stopsThatCanBeGivenUp_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<bool>("isUnheard");
        QTest::newRow("none") << QString() << false;
        QTest::newRow("it was stopped there") << u"openpai.stopped"_s << false;
        QTest::newRow("silence") << u"stop.target-silent"_s << true;
        QTest::newRow("silence of a controller") << u"stop.slurm-silent"_s << true;
        QTest::newRow("no token") << u"openpai.no-token"_s << true;
        QTest::newRow("no token for what was removed") << u"openpai.no-token-removed"_s << true;
        QTest::newRow("a token that is none") << u"openpai.unauthorized"_s << true;
        QTest::newRow("such a one for what was removed") << u"openpai.unauthorized-removed"_s << true;
        QTest::newRow("another cluster") << u"openpai.elsewhere"_s << true;
        QTest::newRow("a note that cannot be read") << u"openpai.note-unread"_s << true;
    }
    void stopsThatCanBeGivenUp()
    {
        QFETCH(QString, reason);
        JobSummary job;
        job.reason = reason;
        job.state = State::Stopping;
        QTEST(isUnheardStop(job), "isUnheard");
        job.state = State::Running;
        QVERIFY(!isUnheardStop(job));
        QCOMPARE(isUnfollowed(job), reason.startsWith("openpai."_L1) && reason != "openpai.stopped"_L1);
        job.state = State::Failed;
        QVERIFY(!isUnfollowed(job));
    }

    void states_data()
    {
        QTest::addColumn<int>("allocations");
        QTest::addColumn<bool>("isNamed");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("hasTrouble");
        QTest::newRow("idle") << 0 << true << QString() << u"no allocation"_s << false;
        QTest::newRow("one") << 1 << true << QString() << u"1 allocation"_s << false;
        QTest::newRow("several") << 12 << true << QString() << u"12 allocations"_s << false;
        QTest::newRow("removed") << 1 << false << QString() << u"removed"_s << true;
        QTest::newRow("removed, and its jobs cannot be followed")
            << 1 << false << u"openpai.no-token-removed"_s << u"needs your token"_s << true;
        QTest::newRow("silent") << 3 << true << u"slurm.silent"_s << u"does not answer"_s << true;
        QTest::newRow("away") << 3 << true << u"slurm.login-away"_s << u"does not answer"_s << true;
        QTest::newRow("bad options") << 0 << true << u"slurm.option-owned"_s << u"cannot be used"_s << true;
    }
    void states()
    {
        QFETCH(int, allocations);
        QFETCH(bool, isNamed);
        QFETCH(QString, error);
        ClusterInfo cluster = lab();
        cluster.allocations = allocations;
        cluster.isNamed = isNamed;
        cluster.error = error;
        cluster.errorArgs = {{u"program"_s, u"squeue"_s}, {u"detail"_s, u"no"_s}, {u"option"_s, u"--nodes"_s}};
        QTEST(clusterStateText(cluster), "state");
        QTEST(!clusterTroubleText(cluster).isEmpty(), "hasTrouble");
    }

    // As with a host: a list that says nothing of it sends people to wait for jobs that cannot run.
    void failedCheckIsSeen()
    {
        ClusterInfo cluster = lab();
        cluster.allocations = 0;
        cluster.steps = {{u"commands"_s, true, {}, {}}, {u"folder"_s, false, u"slurm.folder-missing"_s, {}}};
        QCOMPARE(clusterStateText(cluster), u"check failed"_s);
        QVERIFY(failsCheck(cluster));
        cluster.steps.last().isGood = true; // only something to mind
        QCOMPARE(clusterStateText(cluster), u"no allocation"_s);
        cluster.steps.last().isGood = false;
        cluster.allocations = 1; // it runs jobs by now
        QCOMPARE(clusterStateText(cluster), u"1 allocation"_s);
        QVERIFY(!failsCheck(cluster));
    }

    // A step of several lines has its name and its mark in the first one.
    void steps()
    {
        ClusterInfo cluster = lab();
        const QJsonObject gpu{{u"name"_s, u"gpu"_s}, {u"isUp"_s, true}, {u"limit"_s, u"1-00:00:00"_s}, {u"nodes"_s, 2},
            {u"cpus"_s, u"64+"_s}, {u"gpus"_s, u"gpu:a100:8"_s}};
        const QJsonObject old{{u"name"_s, u"old"_s}, {u"isUp"_s, false}, {u"limit"_s, u"infinite"_s}, {u"nodes"_s, 1},
            {u"cpus"_s, u"8"_s}, {u"gpus"_s, QString()}};
        cluster.steps = {{u"commands"_s, true, {}, {{u"version"_s, u"slurm 23.11.4"_s}}},
            {u"answers"_s, true, {}, {{u"partitions"_s, QJsonArray{gpu, old}}}},
            {u"folder"_s, true, {}, {{u"folder"_s, u"/shared/ada"_s}}},
            {u"submission"_s, false, u"slurm.refused"_s,
                {{u"target"_s, u"slurm:lab"_s}, {u"detail"_s, u"Invalid account"_s}}}};
        const QList<QStringList> rows = clusterStepRows(cluster);
        QCOMPARE(rows.size(), 5);
        QCOMPARE(rows.at(0), (QStringList{u"Commands"_s, u"ok"_s, u"slurm 23.11.4"_s}));
        QCOMPARE(rows.at(1),
            (QStringList{u"Answers"_s, u"ok"_s,
                u"partition gpu: 2 nodes with 64+ cores each, gpu:a100:8, time limit 1-00:00:00"_s}));
        QCOMPARE(rows.at(2),
            (QStringList{QString(), QString(), u"partition old: 1 node with 8 cores, no time limit, takes no jobs"_s}));
        QJsonObject small = old;
        small.insert(u"cpus"_s, u"1"_s);
        ClusterInfo ofSmall = lab();
        ofSmall.steps = {{u"answers"_s, true, {}, {{u"partitions"_s, QJsonArray{small}}}}};
        QVERIFY2(clusterStepRows(ofSmall).at(0).at(2).startsWith(u"partition old: 1 node with 1 core, "_s),
            qPrintable(clusterStepRows(ofSmall).at(0).at(2)));
        small.insert(u"isUp"_s, true);
        small.insert(u"reasons"_s, QJsonArray{u"drained: new disks"_s, u"down"_s});
        const auto lineOf = [&small](int nodes, int away) {
            small.insert(u"nodes"_s, nodes);
            small.insert(u"away"_s, away);
            return clusterStepFacts({u"answers"_s, true, {}, {{u"partitions"_s, QJsonArray{small}}}}).constFirst();
        };
        QVERIFY2(lineOf(1, 1).endsWith(u", it takes no jobs (drained: new disks; down)"_s), qPrintable(lineOf(1, 1)));
        QVERIFY2(
            lineOf(3, 1).endsWith(u", 1 of 3 takes no jobs (drained: new disks; down)"_s), qPrintable(lineOf(3, 1)));
        QVERIFY2(
            lineOf(3, 2).endsWith(u", 2 of 3 take no jobs (drained: new disks; down)"_s), qPrintable(lineOf(3, 2)));
        QVERIFY2(lineOf(3, 0).endsWith(u"no time limit"_s), qPrintable(lineOf(3, 0)));
        small.insert(u"reasons"_s, QJsonArray{u"mixed*"_s, u"down*: Not responding"_s});
        QVERIFY2(lineOf(3, 2).endsWith(u", 2 of 3 take no jobs (mixed, not answering; down, not answering)"_s),
            qPrintable(lineOf(3, 2)));
        QCOMPARE(rows.at(3), (QStringList{u"Shared folder"_s, u"ok"_s, u"/shared/ada"_s}));
        QCOMPARE(rows.at(4).mid(0, 2), (QStringList{u"Submission"_s, u"no"_s}));
        QVERIFY2(rows.at(4).at(2).contains(u"Invalid account"_s), qPrintable(rows.at(4).at(2)));
        const QString report = clusterReport(cluster);
        QVERIFY2(report.startsWith(u"Cluster slurm:lab\n"_s) && report.contains(u"State: check failed\n"_s)
                && report.contains(u"Invalid account"_s),
            qPrintable(report));
    }

    void statesOfNodes_data()
    {
        QTest::addColumn<QString>("words");
        QTest::newRow("idle*") << u"idle, not answering"_s;
        QTest::newRow("mixed*: Not responding [slurm@10:00]")
            << u"mixed, not answering: Not responding [slurm@10:00]"_s;
        QTest::newRow("down*: Not responding") << u"down, not answering"_s;
        QTest::newRow("drained*: new disks: two") << u"drained, not answering: new disks: two"_s;
        QTest::newRow("idle%") << u"idle, powering off"_s;
        QTest::newRow("mixed@: kernel") << u"mixed, to be rebooted: kernel"_s;
        QTest::newRow("maint$") << u"maint, reserved for maintenance"_s;
        QTest::newRow("drained: new disks") << u"drained: new disks"_s;
        QTest::newRow("down") << u"down"_s;
    }
    void statesOfNodes()
    {
        QFETCH(QString, words);
        const QString state = QString::fromLatin1(QTest::currentDataTag());
        QCOMPARE(slurmReasonText(state), words);
        const QString sentence = reasonText(
            u"slurm.nodes-away"_s, {{u"target"_s, u"slurm:lab"_s}, {u"reasons"_s, QJsonArray{state, u"down"_s}}});
        QVERIFY2(sentence.contains(u'(' + words + u"; down)"_s), qPrintable(sentence));
    }

    // A refusal for its size says both sizes.
    void tooLargeATask()
    {
        const auto size = [](int cpus, int memoryMiB, int gpus) {
            return QJsonObject{{u"cpus"_s, cpus}, {u"memoryMiB"_s, memoryMiB}, {u"gpus"_s, gpus}};
        };
        QCOMPARE(reasonText(u"slurm.refused-size"_s,
                     {{u"target"_s, u"slurm:lab"_s}, {u"detail"_s, u"Requested node configuration is not available"_s},
                         {u"asked"_s, size(1, 0, 3)}, {u"most"_s, size(8, 4096, 1)}}),
            u"slurm:lab refused the job: Requested node configuration is not available. A task asks for 1 core and 3 "
            "GPUs, and a node there has at most 8 cores, 4 GiB of memory and 1 GPU. Ask for less for each task, or "
            "choose another partition in the options of the target."_s);
    }

    // What a user has on a Slurm cluster, and may have.
    void useAndLimits()
    {
        const auto facts = [](const char *id, const QJsonObject &args) {
            return clusterStepFacts({QString::fromLatin1(id), true, {}, args});
        };
        QCOMPARE(facts("use", {}), QStringList{u"no job runs, none waits"_s});
        QCOMPARE(facts("use", {{u"running"_s, 1}, {u"pending"_s, 1}, {u"gpus"_s, 1}}),
            QStringList{u"1 job runs with 1 GPU, 1 waits"_s});
        QCOMPARE(facts("use",
                     {{u"running"_s, 2}, {u"pending"_s, 7}, {u"gpus"_s, 9},
                         {u"partitions"_s,
                             QJsonArray{QJsonObject{{u"name"_s, u"gpu"_s}, {u"gpus"_s, 16}, {u"free"_s, 5}}}}}),
            (QStringList{u"2 jobs run with 9 GPUs, 7 wait"_s, u"partition gpu: 5 of 16 GPUs free"_s}));
        const QJsonObject vision{{u"account"_s, u"vision"_s}, {u"qos"_s, QJsonArray{u"normal"_s, u"high"_s}},
            {u"maxJobs"_s, 10}, {u"maxSubmit"_s, 50}, {u"groupTres"_s, u"cpu=64,gres/gpu=8"_s},
            {u"groupTresMinutes"_s, u"cpu=60000,gres/gpu=90"_s}};
        const QJsonObject nlp{{u"account"_s, u"nlp"_s}, {u"partition"_s, u"gpu"_s}, {u"maxWall"_s, 30}};
        const QJsonObject high{{u"name"_s, u"high"_s}, {u"maxTresOfUser"_s, u"gres/gpu=4"_s}};
        QCOMPARE(facts("limits",
                     {{u"user"_s, u"ada"_s},
                         {u"associations"_s, QJsonArray{vision, nlp, QJsonObject{{u"account"_s, u"x"_s}}}},
                         {u"qos"_s, QJsonArray{high}}}),
            (QStringList{
                u"account vision: 10 jobs at a time; 50 jobs in the queue; cpu=64, gres/gpu=8 together; 1,000.0 core "
                "hours together; 1.5 GPU hours together; QoS normal, high"_s,
                u"account nlp in partition gpu: time limit 30"_s, u"account x: no limits of its own"_s,
                u"QoS high: gres/gpu=4 for all your jobs"_s}));
        const QJsonObject single{{u"account"_s, u"one"_s}, {u"maxJobs"_s, 1}, {u"maxSubmit"_s, 1}, {u"groupJobs"_s, 1}};
        QCOMPARE(facts("limits", {{u"user"_s, u"ada"_s}, {u"associations"_s, QJsonArray{single}}}),
            QStringList{u"account one: 1 job at a time; 1 job in the queue; 1 job together"_s});
        QCOMPARE(facts("folder", {{u"folder"_s, u"/shared/ada"_s}, {u"made"_s, true}}),
            QStringList{u"/shared/ada, which was not there and is made"_s});
        // That there are no accounts is a sentence, and no error.
        const ClusterStep none{u"limits"_s, true, u"slurm.no-limits"_s, {{u"target"_s, u"slurm:lab"_s}}};
        QVERIFY(clusterStepFacts(none).first().startsWith(u"slurm:lab keeps no accounts"_s));
        ClusterInfo cluster;
        cluster.steps = {none};
        QCOMPARE(clusterStepRows(cluster).first().mid(0, 2), (QStringList{u"Your limits"_s, u"ok"_s}));
    }

    void stepsOfOpenPai()
    {
        ClusterInfo cluster;
        cluster.id = u"openpai:lab"_s;
        cluster.kind = u"openpai"_s;
        cluster.options = u"https://pai.example.org"_s;
        const QJsonObject own{{u"name"_s, u"default"_s}, {u"gpus"_s, 8}, {u"freeGpus"_s, 5}, {u"isOwn"_s, true}};
        const QJsonObject other{{u"name"_s, u"others"_s}, {u"gpus"_s, 0}, {u"freeGpus"_s, 0}, {u"isOwn"_s, false}};
        cluster.steps = {
            {u"answers"_s, true, {}, {{u"address"_s, u"https://pai.example.org"_s}, {u"version"_s, u"v1.8.0"_s}}},
            {u"login"_s, true, {}, {{u"user"_s, u"ada"_s}}},
            {u"virtual-clusters"_s, true, {}, {{u"clusters"_s, QJsonArray{own, other}}}},
            {u"storages"_s, true, {}, {{u"names"_s, QJsonArray()}}},
            {u"skus"_s, true, {},
                {{u"skus"_s,
                    QJsonArray{
                        QJsonObject{{u"name"_s, u"K80"_s}, {u"gpus"_s, 2}, {u"cpus"_s, 1}, {u"memoryMiB"_s, 8192}}}}}},
            {u"skus"_s, true, {}, {{u"skus"_s, QJsonArray()}}}};
        const QList<QStringList> rows = clusterStepRows(cluster);
        QCOMPARE(rows.size(), 7);
        QCOMPARE(rows.at(5).at(0), u"SKUs"_s);
        QVERIFY2(rows.at(5).at(2).startsWith(u"K80: 2 GPUs, 1 core, 8"_s), qPrintable(rows.at(5).at(2)));
        QVERIFY(rows.at(6).at(2).startsWith(u"none"_s));
        QCOMPARE(rows.at(0), (QStringList{u"Answers"_s, u"ok"_s, u"OpenPAI v1.8.0 at https://pai.example.org"_s}));
        QCOMPARE(rows.at(1), (QStringList{u"Login"_s, u"ok"_s, u"logged in as ada"_s}));
        QCOMPARE(
            rows.at(2), (QStringList{u"Virtual clusters"_s, u"ok"_s, u"virtual cluster default: 5 of 8 GPUs free"_s}));
        QCOMPARE(rows.at(3).at(2), u"virtual cluster others: no GPUs, not for this user"_s);
        QCOMPARE(rows.at(4), (QStringList{u"Storages"_s, u"ok"_s, u"none"_s}));
        QVERIFY(clusterReport(cluster).contains(u"Address: https://pai.example.org\n"_s));
        QCOMPARE(clusterStateText(cluster), u"no job"_s);
        cluster.error = u"openpai.silent"_s;
        QCOMPARE(clusterStateText(cluster), u"does not answer"_s);
        // Without jobs there it is asked by checks only.
        const QJsonObject args{{u"target"_s, u"openpai:lab"_s}, {u"detail"_s, u"Connection refused"_s}};
        cluster.error.clear();
        cluster.steps = {{u"answers"_s, false, u"openpai.silent"_s, args}};
        QCOMPARE(clusterStateText(cluster), u"does not answer"_s);
        QCOMPARE(clusterStepRows(cluster).at(0).at(2),
            u"openpai:lab does not answer (Connection refused). Check its address and port, whether this computer "
            u"needs a VPN "
            "to reach it, and the proxy (https_proxy, no_proxy)."_s);
        QVERIFY(reasonText(u"wait.openpai-silent"_s, args).contains(u"not handed over twice"_s));
        cluster.steps = {{u"login"_s, false, u"openpai.unauthorized"_s, args}};
        QCOMPARE(clusterStateText(cluster), u"check failed"_s);
        cluster.steps = {{u"answers"_s, false, u"openpai.silent"_s, args}};
        cluster.allocations = 1;
        QCOMPARE(clusterStateText(cluster), u"1 job"_s); // the engine has heard of it since
    }

    // As many as are known: a cluster may have forgotten them.
    void formerAttempts()
    {
        QJsonObject args{{u"target"_s, u"openpai:lab"_s}, {u"retries"_s, 2}};
        QCOMPARE(reasonText(u"openpai.retried"_s, args), u"openpai:lab has tried the task again 2 times."_s);
        args.insert(u"former"_s, QJsonArray{u"137 OddEnd (worker/1)"_s, u"1"_s});
        QCOMPARE(reasonText(u"openpai.retried"_s, args),
            u"openpai:lab has tried the task again 2 times. Earlier attempts of the job there ended with 137 OddEnd "
            "(worker/1), 1."_s);
    }

    void jobSets()
    {
        ClusterInfo cluster = lab();
        cluster.kind = u"kubernetes"_s;
        for (const auto &[count, text] : {std::pair(0, u"no JobSet"_s), {1, u"1 JobSet"_s}, {3, u"3 JobSets"_s}}) {
            cluster.allocations = count;
            QCOMPARE(clusterStateText(cluster), text);
        }
        cluster.steps = {{u"namespace"_s, true, {}, {}}};
        QCOMPARE(clusterStepRows(cluster), (QList<QStringList>{{u"Namespace"_s, u"ok"_s, u"it is there"_s}}));
        const QJsonObject modules{{u"modules"_s, u"cuda/12"_s}, {u"host"_s, u"login1"_s}};
        cluster.steps = {{u"modules"_s, true, {}, modules}};
        QCOMPARE(clusterStepRows(cluster).first().mid(0, 2), (QStringList{u"Modules"_s, u"ok"_s}));
        cluster.steps = {{u"modules"_s, true, u"slurm.module-no-command"_s, modules}};
        QCOMPARE(clusterStepRows(cluster).first().mid(0, 2), (QStringList{u"Modules"_s, u"warning"_s}));
        QVERIFY(clusterStepState(cluster.steps.constFirst()) == StepState::Warned);
    }

    void noPartitions()
    {
        QCOMPARE(clusterStepFacts({u"answers"_s, true, {}, {{u"partitions"_s, QJsonArray()}}}).size(), 1);
    }
};

TRAINYARD_TEST(TstClusterTexts)
#include "tst_clustertexts.moc"
