// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmnodes.h"
#include "engine/clusters/slurmquota.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What sinfo says of the nodes of a Slurm cluster.
class TstSlurmNodes : public QObject
{
    Q_OBJECT

    static QByteArray row(const QByteArrayList &fields) { return fields.join('\x1f') + '\n'; }
    static QJsonObject size(int cpus, int memoryMiB, int gpus)
    {
        return {{u"cpus"_s, cpus}, {u"memoryMiB"_s, memoryMiB}, {u"gpus"_s, gpus}};
    }
    static QJsonArray lab()
    {
        return slurm::partitionsIn("a line of the site\n"
            + row({"main*", "up", "infinite", "1", "8", "gpu:a100:4(S:0-1)", "64000", "idle", "none"})
            + row({"main*", "up", "infinite", "2", "4", "gpu:a100:4(S:0-1)", "32000", "drained", "new disks"})
            + row({"main*", "up", "infinite", "1", "4", "gpu:a100:4(S:0-1)", "32000", "down*", "Not responding"})
            + row({"old", "up", "1-00:00:00", "2", "2", "(null)", "2000", "draining", "new disks"})
            + row({"old", "up", "1-00:00:00", "1", "2", "(null)", "2000", "draining", "new disks"})
            + row({"empty", "down", "1:00", "0", "0", "(null)", "0", "n/a", "none"}));
    }

private Q_SLOTS:
    void states_data()
    {
        QTest::addColumn<bool>("takes");
        for (const char *state : {"idle", "mixed", "allocated", "completing", "planned", "idle~", "mixed-", "idle#"}) {
            QTest::newRow(state) << true;
        }
        for (const char *state :
            {"idle*", "mixed*", "allocated*", "down", "down*", "drained", "draining", "maint", "reserved", ""}) {
            QTest::newRow(state) << false;
        }
    }
    void states()
    {
        QFETCH(bool, takes);
        QCOMPARE(slurm::takesJobs(QString::fromLatin1(QTest::currentDataTag())), takes);
    }

    // A limit that the site has raised is not told for as long as the engine runs.
    void partitionsAreAskedForAgain()
    {
        QVERIFY(slurm::mayAskPartitions(false, {}) && slurm::mayAskPartitions(true, {}));
        QVERIFY(!slurm::mayAskPartitions(false, 59'000) && slurm::mayAskPartitions(false, 60'000));
        QVERIFY(!slurm::mayAskPartitions(true, 599'000) && slurm::mayAskPartitions(true, 600'000));
    }

    // Nodes with the same GPUs are one row of a partition, whatever their states and sizes.
    void partitions()
    {
        QVERIFY(slurm::partitionArguments().contains(u"--exact"_s));
        QVERIFY(slurm::partitionsIn({}).isEmpty());
        const QJsonArray found = lab();
        QCOMPARE(found.size(), 3);
        QCOMPARE(found.at(0).toObject(),
            (QJsonObject{{u"name"_s, u"main"_s}, {u"isDefault"_s, true}, {u"isUp"_s, true}, {u"limit"_s, u"infinite"_s},
                {u"nodes"_s, 4}, {u"cpus"_s, u"4+"_s}, {u"gpus"_s, u"gpu:a100:4(S:0-1)"_s}, {u"away"_s, 3},
                {u"reasons"_s, QJsonArray{u"drained: new disks"_s, u"down*: Not responding"_s}},
                {u"largest"_s, size(8, 64000, 4)}}));
        const QJsonObject old = found.at(1).toObject();
        QCOMPARE(old.value("cpus"_L1).toString(), u"2"_s);
        QCOMPARE(old.value("gpus"_L1).toString(), QString());
        QCOMPARE(old.value("away"_L1).toInt(), 3);
        QCOMPARE(old.value("reasons"_L1).toArray(), QJsonArray{u"draining: new disks"_s});
        QCOMPARE(found.at(2).toObject().value("isUp"_L1).toBool(true), false);
        QCOMPARE(found.at(2).toObject().value("away"_L1).toInt(-1), 0);
    }

    void partitionsOfOptions()
    {
        const QJsonArray all = lab();
        QCOMPARE(slurm::partitionsOf(all, {}), QJsonArray{all.at(0)});
        QCOMPARE(
            slurm::partitionsOf(all, {u"--time=5"_s, u"--partition=old,main"_s}), (QJsonArray{all.at(0), all.at(1)}));
        QVERIFY(slurm::partitionsOf(all, {u"--partition=nowhere"_s}).isEmpty());
        QCOMPARE(slurm::largestOf(all), size(8, 64000, 4));
        QCOMPARE(slurm::largestOf({}), QJsonObject());
    }

    void whyAllAreAway()
    {
        const QJsonArray all = lab();
        QCOMPARE(slurm::whyAllAreAway(QJsonArray{all.at(1)}), QStringList{u"draining: new disks"_s});
        QVERIFY(slurm::whyAllAreAway(QJsonArray{all.at(0)}).isEmpty());
        QVERIFY(slurm::whyAllAreAway(all).isEmpty());
        QVERIFY(slurm::whyAllAreAway({}).isEmpty());
    }

    // A node serves one component only.
    void nodesOfComponents()
    {
        slurm::Layout layout;
        layout.components = {{1, 0, 1, 3}, {2, 1000, 0, 1}};
        QCOMPARE(slurm::leastNodesFor(layout, {}), 2);
        QCOMPARE(slurm::leastNodesFor(layout, size(4, 32000, 4)), 2);
        QCOMPARE(slurm::leastNodesFor(layout, size(4, 32000, 2)), 3);
        QCOMPARE(slurm::leastNodesFor(layout, size(2, 32000, 4)), 3);
        layout.components[1].tasks = 40;
        QCOMPARE(slurm::leastNodesFor(layout, size(80, 20000, 4)), 3);
        layout.components[1].arrange = Arrangement::DifferentHosts;
        QCOMPARE(slurm::leastNodesFor(layout, size(80, 20000, 4)), 41);
        layout.components[1].arrange = Arrangement::SameHost;
        QCOMPARE(slurm::leastNodesFor(layout, size(80, 20000, 4)), 2);
        QCOMPARE(slurm::nodesOfLargest(lab()), 4);
        QCOMPARE(slurm::nodesOfLargest({}), 0);
    }
    void componentsThatNeverFit()
    {
        slurm::Layout layout;
        layout.components = {{1, 0, 0, 2}, {2, 0, 0, 1}};
        const QJsonArray one
            = slurm::partitionsIn(row({"short*", "up", "infinite", "1", "4", "(null)", "32000", "idle", "none"}));
        const Error wait{u"wait.slurm-resources"_s, {{u"target"_s, u"slurm:lab"_s}, {u"start"_s, 5}}};
        const Error never = slurm::waitReasonOfComponents(wait, layout, one);
        QCOMPARE(never.code, u"wait.slurm-components"_s);
        QCOMPARE(never.args,
            (QJsonObject{{u"target"_s, u"slurm:lab"_s}, {u"components"_s, 2}, {u"needed"_s, 2}, {u"nodes"_s, 1}}));
        QCOMPARE(slurm::waitReasonOfComponents(wait, layout, lab()).code, wait.code);
        QCOMPARE(slurm::waitReasonOfComponents(wait, layout, {}).code, wait.code);
        const Error held{u"wait.slurm-held"_s, {}};
        QCOMPARE(slurm::waitReasonOfComponents(held, layout, one).code, held.code);
        layout.components.pop_back();
        QCOMPARE(slurm::waitReasonOfComponents(wait, layout, one).code, wait.code);
    }

    void refusals()
    {
        QVERIFY(slurm::isOfNodes(u"Batch job submission failed: Requested node configuration is not available"_s));
        QVERIFY(slurm::isOfNodes(u"Memory specification can not be satisfied"_s));
        QVERIFY(!slurm::isOfNodes(u"invalid partition specified: nowhere"_s));
        slurm::Layout layout;
        layout.components = {{4, 1000, 3, 1}, {1, 9000, 0, 2}};
        const QJsonObject args{{u"target"_s, u"slurm:lab"_s}};
        const Error ofGpus = slurm::refusalBySize(args, layout, size(4, 4000, 2));
        QCOMPARE(ofGpus.code, u"slurm.refused-size"_s);
        QCOMPARE(ofGpus.args.value("asked"_L1).toObject(), size(4, 1000, 3));
        QCOMPARE(ofGpus.args.value("most"_L1).toObject(), size(4, 4000, 2));
        QCOMPARE(ofGpus.args.value("target"_L1).toString(), u"slurm:lab"_s);
        const Error ofMemory = slurm::refusalBySize(args, layout, size(4, 4000, 4));
        QCOMPARE(ofMemory.args.value("asked"_L1).toObject(), size(1, 9000, 0));
        // Where the size is not why, or nothing is known of the nodes, the words of the cluster are all there is.
        for (const QJsonObject &most : {size(8, 9000, 4), QJsonObject()}) {
            const Error plain = slurm::refusalBySize(args, layout, most);
            QCOMPARE(plain.code, u"slurm.refused"_s);
            QCOMPARE(plain.args, args);
        }
    }
};
TRAINYARD_TEST(TstSlurmNodes)
#include "tst_slurmnodes.moc"
