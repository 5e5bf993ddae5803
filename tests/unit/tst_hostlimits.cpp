// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hostlimits.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a job is compared with, in the window and by `check`.
class TstHostLimits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void limits()
    {
        QCOMPARE(hostLimits({}, 0), HostLimits());
        HostInfo small = host(u"small"_s, HostState::Online, 4, 8000, {});
        HostInfo large = host(u"large"_s, HostState::Online, 64, 64000, {u"A100"_s, u"A100"_s});
        large.labels = {u"fast"_s};
        HostLimits both = hostLimits({small, large}, 1000);
        QCOMPARE(both.gpus, std::optional<qint64>(2));
        QCOMPARE(both.cpus, std::optional<qint64>(64));
        QCOMPARE(both.memoryMiB, std::optional<qint64>(63000));
        QCOMPARE(both.gpuNames, std::optional(QStringList{u"A100"_s, u"A100"_s}));
        QCOMPARE(both.hosts, std::optional(QList<HostWords>{{u"small"_s, {}}, {u"large"_s, {u"fast"_s}}}));
        QVERIFY(!both.storages); // those are in the settings
        // What is away says nothing of what it has, but has its name, and the types of its GPUs are known.
        large.state = HostState::Offline;
        both = hostLimits({small, large}, 1000);
        QCOMPARE(both.gpus, std::optional<qint64>(0));
        QCOMPARE(both.cpus, std::optional<qint64>(4));
        QCOMPARE(both.hosts->size(), 2);
        QCOMPARE(both.gpuNames->size(), 2);
        // One that was never reached may have GPUs of any type.
        large.memoryMiB = 0;
        QVERIFY(!hostLimits({small, large}, 1000).gpuNames);
        QVERIFY(!hostLimits({large}, 1000).gpus);
    }

    // By the newest check of a cluster of Slurm, in the partitions of its options.
    void nodes()
    {
        ClusterInfo cluster;
        cluster.id = u"slurm:lab"_s;
        HostLimits known = nodeLimits(cluster);
        QCOMPARE(known.cluster, u"slurm:lab"_s);
        QVERIFY(!known.cpus && !known.gpus && !known.memoryMiB && !known.hosts);
        const auto partition = [](const QString &name, int cpus, int memoryMiB, int gpus) {
            return QJsonObject{{u"name"_s, name}, {u"isDefault"_s, name == "main"_L1},
                {u"largest"_s, QJsonObject{{u"cpus"_s, cpus}, {u"memoryMiB"_s, memoryMiB}, {u"gpus"_s, gpus}}}};
        };
        const QJsonArray all{partition(u"main"_s, 64, 1, 0), partition(u"gpu"_s, 32, 250'000, 4),
            partition(u"gpu"_s, 16, 500'000, 8), partition(u"empty"_s, 0, 0, 0)};
        cluster.steps = {{u"commands"_s, true, {}, {}}, {u"answers"_s, true, {}, {{u"partitions"_s, all}}},
            {u"use"_s, true, {}, {{u"partitions"_s, QJsonArray{QJsonObject{{u"name"_s, u"gpu"_s}, {u"free"_s, 2}}}}}}};
        known = nodeLimits(cluster);
        QCOMPARE(known.cpus, std::optional<qint64>(64));
        QCOMPARE(known.gpus, std::optional<qint64>(0));
        QVERIFY(!known.memoryMiB); // the site does not say it
        cluster.options = u"--account=lab --partition=gpu"_s;
        known = nodeLimits(cluster);
        QCOMPARE(known.cpus, std::optional<qint64>(32));
        QCOMPARE(known.gpus, std::optional<qint64>(8));
        QCOMPARE(known.memoryMiB, std::optional<qint64>(500'000));
        cluster.options = u"--partition=nowhere"_s;
        QVERIFY(!nodeLimits(cluster).cpus);
        cluster.options = u"--partition=empty"_s;
        QVERIFY(!nodeLimits(cluster).cpus && !nodeLimits(cluster).gpus);
        cluster.options.clear();
        cluster.steps[1].isGood = false;
        QVERIFY(!nodeLimits(cluster).cpus);
    }

    void settings()
    {
        const QJsonObject all{{u"memory.reserveMiB"_s, 2048}, {u"storages.data"_s, u"/data"_s},
            {u"storages.unset"_s, QString()}, {u"jobs.keepDays"_s, 3}};
        QCOMPARE(storageNames(all), QStringList{u"data"_s});
        QCOMPARE(memoryReserveOf(all), qint64(2048));
    }

private:
    static HostInfo host(const QString &id, HostState state, int cpus, qint64 memoryMiB, const QStringList &gpus)
    {
        HostInfo info;
        info.id = id;
        info.state = state;
        info.cpus = cpus;
        info.memoryMiB = memoryMiB;
        for (const QString &name : gpus) {
            GpuInfo gpu;
            gpu.index = int(info.gpus.size());
            gpu.name = name;
            info.gpus.append(gpu);
        }
        return info;
    }
};
TRAINYARD_TEST(TstHostLimits)

#include "tst_hostlimits.moc"
