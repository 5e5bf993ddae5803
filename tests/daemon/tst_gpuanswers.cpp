// SPDX-License-Identifier: GPL-3.0-or-later
// What real drivers say when something is odd, through the engine. docs/gpus.md lists it.
#include "tests/daemon/fakegpus.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray gpuJob(const QByteArray &name, int gpus, const QByteArray &more = {})
{
    return EngineFixture::document(name,
        EngineFixture::role("main", 1, {"echo cuda=[$CUDA_VISIBLE_DEVICES]" + more}, {},
            "{cpu: 1, memoryMB: 16, gpu: " + QByteArray::number(gpus) + '}'));
}

} // namespace

class TstGpuAnswers : public QObject
{
    Q_OBJECT

    static QList<GpuInfo> gpusOf(EngineFixture &f) { return f.engine().hosts().first().gpus; }
    static QByteArray devicesOf(EngineFixture &f, const QByteArray &job)
    {
        const QString uuid = f.submit(job);
        return !uuid.isEmpty() && f.waitForEnd(uuid, 30000) ? f.output(uuid, u"main"_s, 0).trimmed()
                                                            : f.error().code.toUtf8();
    }

private Q_SLOTS:
    void usedUnseen();
    void hiddenProcesses_data();
    void hiddenProcesses();
    void givenBackLate();
    void lostRow_data();
    void lostRow();
    void lostOneHidesNone();
    void lostOneIsComplainedOfWhicheverIsAsked();
    void memoryOfTheHost();
    void streamKeepsBack_data();
    void streamKeepsBack();
    void linesBeforeTheRows();
    void cutList();
    void driverTells_data();
    void driverTells();
};

// In a container or under WSL2 nobody sees whose the memory is.
void TstGpuAnswers::usedUnseen()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    QVERIFY(!gpusOf(f).at(0).foreign);
    gpus.set("gpus", gpus.row(0, 5000, 0) + gpus.row(1, 600, 0)); // the second: a screen has so much
    QCOMPARE(devicesOf(f, gpuJob("one", 1)), QByteArray("cuda=[1]")); // looked at right before the start
    QTRY_VERIFY(gpusOf(f).at(0).foreign);
    QVERIFY(!gpusOf(f).at(1).foreign);
    const QString both = f.submit(gpuJob("both", 2));
    QVERIFY(f.waitFor(both, [](const JobSummary &j) {
        return j.reason == u"wait.gpu"_s && j.reasonArgs.value(u"hosts").toArray().at(0)[u"foreign"].toInt() == 1;
    }));
    QVERIFY(f.engine().setSetting(u"gpu.foreignMemoryMiB"_s, 0));
    QVERIFY(f.waitForEnd(both, 30000));
    QCOMPARE(f.job(both).state, State::Succeeded);
    QVERIFY(!gpusOf(f).at(0).foreign);
}

void TstGpuAnswers::hiddenProcesses_data()
{
    QTest::addColumn<QByteArray>("rest");
    QTest::newRow("no rights") << QByteArray("[Insufficient Permissions], [Insufficient Permissions]");
    QTest::newRow("not told") << QByteArray("[N/A], 700");
    QTest::newRow("another space of numbers") << QByteArray("-, 700");
}

void TstGpuAnswers::hiddenProcesses()
{
    QFETCH(QByteArray, rest);
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("apps", gpus.uuid(0) + ", " + rest + "\n" + gpus.uuid(1) + ", 1");
    QVERIFY(f.open());
    QTRY_VERIFY(gpusOf(f).at(0).foreign);
    QVERIFY(!gpusOf(f).at(1).foreign); // that row was cut
    gpus.set("apps", "No running processes found\n");
    QVERIFY(f.engine().checkHost(u"local"_s));
    QTRY_VERIFY(!gpusOf(f).at(0).foreign);
}

// Nobody else is blamed in the moment in which the driver gives back what a task of ours had.
void TstGpuAnswers::givenBackLate()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const QString first = f.submit(gpuJob("first", 1, "; while [ ! -e go ]; do sleep 0.05; done"));
    QVERIFY(f.waitFor(first, [](const JobSummary &j) { return j.state == State::Running; }));
    gpus.set("gpus", gpus.row(0, 5000, 90) + gpus.row(1, 1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).first().memoryUsedMiB, 5000, 60000);
    QVERIFY(!gpusOf(f).first().foreign);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(first));
    QVERIFY(!gpusOf(f).first().foreign);
    QCOMPARE(devicesOf(f, gpuJob("second", 1)), QByteArray("cuda=[0]"));
    // It is not given back: then nobody gets it.
    QTRY_VERIFY_WITH_TIMEOUT(gpusOf(f).first().foreign, 30000);
    QCOMPARE(devicesOf(f, gpuJob("third", 1)), QByteArray("cuda=[1]"));
}

void TstGpuAnswers::lostRow_data()
{
    QTest::addColumn<QByteArray>("row");
    for (const char *word : {"[GPU is lost]", "[Unknown Error]", "[GPU requires reset]", "ERR!"}) {
        QByteArray row = "0";
        for (int i = 0; i < 7; ++i) {
            row += QByteArray(", ") + word;
        }
        QTest::newRow(word) << QByteArray(row + '\n');
    }
    QTest::newRow("with its name") << QByteArray("0, UUID, Fake, [GPU is lost], [GPU is lost], [N/A], [N/A], [N/A]\n");
}

void TstGpuAnswers::lostRow()
{
    QFETCH(QByteArray, row);
    EngineFixture f;
    FakeGpus gpus(f);
    row.replace("UUID", gpus.uuid(0));
    gpus.set("gpus", row + gpus.row(1, 1, 0));
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(gpusOf(f).at(0).index, 0);
    QCOMPARE(gpusOf(f).at(0).kept, u"missing"_s);
    QCOMPARE(devicesOf(f, gpuJob("one", 1)), QByteArray("cuda=[1]"));
    // It is back, and lost once more while its name is known.
    gpus.set("gpus", gpus.row(0, 1, 0) + gpus.row(1, 1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(0).kept, QString(), 60000);
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(gpusOf(f).at(0).uuid, QString::fromUtf8(gpus.uuid(0)));
    gpus.set("gpus", row + gpus.row(1, 1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(0).kept, u"missing"_s, 60000);
    QCOMPARE(gpusOf(f).at(0).uuid, QString::fromUtf8(gpus.uuid(0)));
    QCOMPARE(devicesOf(f, gpuJob("two", 1)), QByteArray("cuda=[1]"));
    QCOMPARE(gpusOf(f).size(), 2);
}

// One that cannot be spoken to makes nvidia-smi fail for all.
void TstGpuAnswers::lostOneHidesNone()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("lost", "0\n");
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(gpusOf(f).at(0).kept, u"missing"_s);
    QCOMPARE(gpusOf(f).at(1).uuid, QString::fromUtf8(gpus.uuid(1)));
    QCOMPARE(gpusOf(f).at(1).kept, QString());
    QCOMPARE(devicesOf(f, gpuJob("one", 1)), QByteArray("cuda=[1]"));
    // The figures of the others go on.
    gpus.set("gpus", gpus.row(0, 1, 0) + gpus.row(1, 77, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(1).memoryUsedMiB, 77, 60000);
    gpus.set("lost", {});
    QVERIFY(f.engine().checkHost(u"local"_s));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(0).kept, QString(), 60000);
    QCOMPARE(devicesOf(f, gpuJob("two", 2)), QByteArray("cuda=[0,1]"));
    // While the stream runs.
    gpus.set("lost", "1\n");
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(1).kept, u"missing"_s, 60000);
    QCOMPARE(gpusOf(f).at(0).kept, QString());
    QCOMPARE(gpusOf(f).size(), 2);
}

// The same words for each of them say nothing of those that run.
void TstGpuAnswers::lostOneIsComplainedOfWhicheverIsAsked()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 2);
    gpus.set("words", "Unable to determine the device handle for GPU0: 0000:3B:00.0: Unknown Error\n");
    QVERIFY(f.engine().checkHost(u"local"_s));
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().error, u"gpu.failed"_s, 60000);
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(gpusOf(f).at(0).kept, QString());
    QCOMPARE(gpusOf(f).at(1).kept, QString());
}

// One without memory of its own has the host's.
void TstGpuAnswers::memoryOfTheHost()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("gpus", "0, " + gpus.uuid(0) + ", NVIDIA GB10, [N/A], [N/A], [N/A], 40, [Not Supported]\n");
    gpus.set("list", "GPU 0: NVIDIA GB10 (UUID: " + gpus.uuid(0) + ")\n");
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 1);
    QCOMPARE(gpusOf(f).first().memoryMiB, f.engine().hosts().first().memoryMiB);
    QCOMPARE(gpusOf(f).first().memoryUsedMiB, 0);
    QCOMPARE(gpusOf(f).first().utilPercent, -1);
    QCOMPARE(devicesOf(f, gpuJob("one", 1)), QByteArray("cuda=[0]"));
}

void TstGpuAnswers::streamKeepsBack_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::newRow("until it has a page of them") << QByteArray("buffer");
    QTest::newRow("for ever") << QByteArray("stall");
}

void TstGpuAnswers::streamKeepsBack()
{
    QFETCH(QByteArray, how);
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set(how.constData(), {});
    QVERIFY(f.open());
    if (how == "stall") {
        QTRY_VERIFY(QFile::exists(f.path(u"bin/stalled"_s))); // its first rows have come
    }
    gpus.set("gpus", gpus.row(0, 77, 0) + gpus.row(1, 88, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(1).memoryUsedMiB, 88, 8000);
    QCOMPARE(gpusOf(f).at(0).memoryUsedMiB, 77);
    gpus.set("gpus", gpus.row(1, 99, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(0).kept, u"missing"_s, 8000);
    QCOMPARE(gpusOf(f).at(1).memoryUsedMiB, 99);
}

void TstGpuAnswers::linesBeforeTheRows()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("head", "WARNING: infoROM is corrupted at gpu 0000:1B:00.0\n\nDie Ausgabe beginnt, mit Komma\n");
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(f.engine().hosts().first().error, QString());
    gpus.set("gpus", gpus.row(0, 77, 0) + gpus.row(1, 1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).at(0).memoryUsedMiB, 77, 60000);
    QCOMPARE(devicesOf(f, gpuJob("two", 2)), QByteArray("cuda=[0,1]"));
}

// nvidia-smi dies in the middle of a row.
void TstGpuAnswers::cutList()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("cut", QByteArray::number(gpus.row(0, 1, 0).size() + 20));
    QVERIFY(f.open());
    QCOMPARE(gpusOf(f).size(), 2);
    QCOMPARE(gpusOf(f).at(1).uuid, QString::fromUtf8(gpus.uuid(1)));
    QCOMPARE(gpusOf(f).at(1).kept, QString());
    QCOMPARE(devicesOf(f, gpuJob("two", 2)), QByteArray("cuda=[0,1]"));
}

void TstGpuAnswers::driverTells_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QString>("error");
    QTest::newRow("mismatch") << QByteArray("Failed to initialize NVML: Driver/library version mismatch\n"
                                            "NVML library version: 550.54\n")
                              << u"gpu.mismatch"_s;
    QTest::newRow("no driver") << QByteArray(
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest "
        "NVIDIA driver is installed and running.\n\n")
                               << u"gpu.driver"_s;
    QTest::newRow("no rights in a container")
        << QByteArray("Failed to initialize NVML: Unknown Error\n") << u"gpu.driver"_s;
    QTest::newRow("anything else") << QByteArray("Segmentation fault\n") << u"gpu.failed"_s;
    QTest::newRow("no GPU") << QByteArray("No devices were found\n") << QString();
}

void TstGpuAnswers::driverTells()
{
    QFETCH(QByteArray, words);
    QFETCH(QString, error);
    EngineFixture f;
    FakeGpus gpus(f);
    qputenv("TRAINYARD_SYSFS", f.path(u"sys"_s).toUtf8()); // no AMD GPU of this computer
    gpus.set("words", words);
    QVERIFY(f.open());
    qunsetenv("TRAINYARD_SYSFS");
    QCOMPARE(f.engine().hosts().first().error, error);
    QVERIFY(gpusOf(f).isEmpty());
    QCOMPARE(f.engine().hosts().first().state, HostState::Online);
    QVERIFY(QFile::remove(f.path(u"bin/words"_s)));
    QVERIFY(f.engine().checkHost(u"local"_s));
    QTRY_COMPARE_WITH_TIMEOUT(gpusOf(f).size(), 2, 60000);
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().error, QString(), 60000);
}

TRAINYARD_TEST(TstGpuAnswers)
#include "tst_gpuanswers.moc"
