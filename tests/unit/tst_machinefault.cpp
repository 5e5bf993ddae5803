// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/machinefault.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;

class TstMachineFault : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void faults_data();
    void faults();
    void rowsOfAHost();
    void rowsOfGpus();
    void severalGpus();
    void oneMoment();
    void aRestart();
    void released();
};

void TstMachineFault::faults_data()
{
    QTest::addColumn<TryResult>("result");
    QTest::addColumn<bool>("started");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char *name, const TryResult &result, bool started, const QString &fault) {
        QTest::newRow(name) << result << started << fault;
    };
    const auto xid = [](const QString &line) {
        return QJsonObject{{u"finding"_s, u"xid"_s}, {u"evidence"_s, line}, {u"status"_s, 1}};
    };
    row("success", {0, 0, {}, {}}, true, {});
    row("a program's own error", {255, 1, u"exit.user"_s, {{u"status"_s, 1}}}, true, {});
    row("an exception", {255, 1, u"exit.python"_s, {{u"type"_s, u"ValueError"_s}}}, true, {});
    row("out of memory", {-1200, 137, u"exit.oom"_s, {}}, true, {});
    row("out of GPU memory", {226, 1, u"exit.found"_s, {}}, true, {});
    row("lost", {-101, {}, u"exit.lost"_s, {}}, true, {}); // the host was started again, or somebody killed it
    row("GPU lost", {-1205, 1, u"exit.gpu-lost"_s, {}}, true, u"gpu gpu-lost"_s);
    row("GPU memory", {223, 1, u"exit.gpu-ecc"_s, {}}, true, u"gpu gpu-memory"_s);
    row("Xid of the device", {255, 1, u"exit.found"_s, xid(u"NVRM: Xid (PCI:0000:3b:00): 63, pid=7"_s)}, true,
        u"gpu gpu-xid"_s);
    row("Xid of the program", {255, 1, u"exit.found"_s, xid(u"NVRM: Xid (PCI:0000:3b:00): 31, pid=7"_s)}, true, {});
    row("container service", {-120, {}, u"launch.container-service"_s, {}}, false, u"host launch.container-service"_s);
    row("GPUs for containers", {-1205, {}, u"launch.container-gpu"_s, {}}, false, u"host launch.container-gpu"_s);
    row("a device that its job asks for", {-1201, {}, u"launch.container-device"_s, {}}, false, {});
    row("keeper", {-120, {}, u"launch.keeper-died"_s, {}}, false, u"host launch.keeper-died"_s);
    row("no such work folder", {-2010, {}, u"launch.cwd-missing"_s, {}}, false, {});
    row("no such image", {254, {}, u"launch.image-missing"_s, {}}, false, {});
    row("port in use", {253, {}, u"launch.port-busy"_s, {}}, false, {});
    row("a program that says so", {1, 1, u"launch.keeper-died"_s, {}}, true, {});
}

void TstMachineFault::faults()
{
    QFETCH(TryResult, result);
    QFETCH(bool, started);
    QFETCH(QString, fault);
    const std::optional<MachineFault> found = machineFault(result, started);
    QCOMPARE(found ? (found->isOfGpu ? u"gpu "_s : u"host "_s) + found->kind : QString(), fault);
}

static FaultRows::End ended(int job, const QString &kind, const QStringList &gpus = {})
{
    FaultRows::End end;
    end.host = u"h1"_s;
    end.gpus = gpus;
    end.wasStarted = !gpus.isEmpty() || kind.isEmpty();
    end.succeeded = kind == u"ok"_s;
    if (kind.startsWith(u"launch."_s) || kind.startsWith(u"gpu-"_s)) {
        end.fault = MachineFault{kind.startsWith(u"gpu-"_s), kind};
    }
    end.failure = {job, u"w/0"_s, job * 100'000};
    return end;
}

void TstMachineFault::rowsOfAHost()
{
    FaultRows rows;
    const QString service = u"launch.container-service"_s, keeper = u"launch.keeper-died"_s;
    QVERIFY(rows.note(ended(1, service), 3).empty());
    QVERIFY(rows.note(ended(2, keeper), 3).empty()); // in another way
    QVERIFY(rows.note(ended(3, service), 3).empty());
    QVERIFY(rows.note(ended(4, service), 3).empty());
    QVERIFY(rows.note(ended(5, {}), 3).empty()); // one has started there: its program failed by itself
    QVERIFY(rows.note(ended(6, service), 3).empty());
    FaultRows::End other = ended(7, service);
    other.host = u"h2"_s;
    QVERIFY(rows.note(other, 3).empty());
    QVERIFY(rows.note(ended(8, service), 3).empty());
    const std::vector<FaultRows::Found> found = rows.note(ended(9, service), 3);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().gpu, QString());
    QCOMPARE(found.front().kind, service);
    QCOMPARE(found.front().failures,
        (QList<MachineFailure>{{6, u"w/0"_s, 600'000}, {8, u"w/0"_s, 800'000}, {9, u"w/0"_s, 900'000}}));
    // 0: never.
    for (int job = 10; job < 30; ++job) {
        QVERIFY(rows.note(ended(job, service), 0).empty());
    }
}

void TstMachineFault::rowsOfGpus()
{
    FaultRows rows;
    const QStringList one{u"GPU-1"_s}, two{u"GPU-2"_s};
    QVERIFY(rows.note(ended(1, u"gpu-xid"_s, one), 2).empty());
    QVERIFY(rows.note(ended(2, {}, one), 2).empty()); // a program's own error says nothing of the GPU
    QVERIFY(rows.note(ended(3, u"gpu-xid"_s, two), 2).empty());
    const std::vector<FaultRows::Found> found = rows.note(ended(4, u"gpu-xid"_s, one), 2);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().gpu, u"GPU-1"_s);
    QCOMPARE(found.front().failures.size(), 2);
    FaultRows::End good = ended(5, u"ok"_s, two);
    QVERIFY(good.succeeded && rows.note(good, 2).empty());
    QVERIFY(rows.note(ended(6, u"gpu-xid"_s, two), 2).empty());
    QCOMPARE(rows.note(ended(7, u"gpu-xid"_s, two), 2).size(), std::size_t(1));
}

void TstMachineFault::severalGpus()
{
    FaultRows rows;
    const QStringList both{u"GPU-1"_s, u"GPU-2"_s};
    for (int job = 1; job < 9; ++job) {
        QVERIFY(rows.note(ended(job, u"gpu-lost"_s, both), 2).empty()); // which one it was is not known
    }
    FaultRows::End told = ended(10, u"gpu-lost"_s, both);
    told.faultyGpus = {u"GPU-2"_s, u"GPU-of-another"_s};
    QVERIFY(rows.note(told, 2).empty());
    told.failure.at += FaultRows::usualGapMs;
    const std::vector<FaultRows::Found> found = rows.note(told, 2);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().gpu, u"GPU-2"_s);
}

// Many that fail at once are one failure.
void TstMachineFault::oneMoment()
{
    FaultRows rows;
    FaultRows::End end = ended(1, u"launch.keeper-died"_s);
    for (int i = 0; i < 60; ++i) {
        QVERIFY(rows.note(end, 2).empty());
        end.failure.at += 999;
    }
    end.failure.at += FaultRows::usualGapMs;
    const std::vector<FaultRows::Found> found = rows.note(end, 2);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().failures.size(), 2);
}

// Retries with the usual pauses while the container service is away for a little do not reach the usual limit.
void TstMachineFault::aRestart()
{
    FaultRows rows;
    FaultRows::End end = ended(1, u"launch.container-service"_s);
    for (const int pause : {3000, 6000, 12000, 24000, 48000}) {
        QVERIFY(rows.note(end, 3).empty());
        end.failure.at += pause;
    }
    QVERIFY(rows.note(end, 3).empty());
}

void TstMachineFault::released()
{
    FaultRows rows;
    const QString service = u"launch.container-service"_s;
    QVERIFY(rows.note(ended(1, service), 2).empty());
    rows.forget(u"h1"_s, {});
    QVERIFY(rows.note(ended(2, service), 2).empty());
    QCOMPARE(rows.note(ended(3, service), 2).size(), std::size_t(1));
}

TRAINYARD_TEST(TstMachineFault)
#include "tst_machinefault.moc"
