// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hostlimits.h"
#include "tests/helpers/testregistry.h"

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
