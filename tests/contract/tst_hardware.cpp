// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gpulistings.h"
#include "engine/agent/gpurows.h"
#include "engine/agent/kernellog.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

using namespace trainyard::contract;

// What the agent says of its host.
class TstHardware : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void inventoryAndSamples();
    void fakeGpus();
    void holdersOfOthers();
    void samplesDuringAnInventory();
    void silentDocker();
    void goneFromAListing();
    void rowsOfDrivers_data();
    void rowsOfDrivers();
    void sentencesOfDrivers_data();
    void sentencesOfDrivers();
    void processesOfDrivers();
    void gpuErrorsOfTheKernel();
    void gpuErrorsOfATask();
    void samplesOfLongFolders();

private:
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstHardware)

void TstHardware::inventoryAndSamples()
{
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QVERIFY(inventory->cpus > 0 && inventory->memoryMiB > 100 && inventory->memoryUsedMiB > 0);
    QVERIFY(!inventory->kernel.empty());
    const Launch launch = m_fixture.launchOf("sampled", "echo 12345; read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto grew = m_fixture.agent->wait([&](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && !sample->tries.empty() && sample->tries[0].dir == launch.dir
            && sample->tries[0].outputBytes == 6;
    });
    QVERIFY(grew);
    const auto withCpu = m_fixture.agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->cpuPercent >= 0 && sample->cpuPercent <= 100 && sample->memoryMiB > 0;
    });
    QVERIFY(withCpu);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{0}));
    Stop stop;
    stop.dir = launch.dir;
    QVERIFY(m_fixture.agent->ask<Observed>(stop));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

void TstHardware::fakeGpus()
{
    QCOMPARE(makeFolders(m_fixture.home->filePath(QStringLiteral("bin")).toStdString()), 0);
    QFile smi(m_fixture.home->filePath(QStringLiteral("bin/nvidia-smi")));
    QVERIFY(smi.open(QIODevice::WriteOnly));
    smi.write(
        "#!/bin/bash\n"
        "case \"$*\" in\n"
        "  *compute-apps*) echo \"GPU-b, 1, 100\"; exit;;\n"
        "  *-lms*) for i in 1 2 3; do echo \"0, GPU-a, Fake 1000, 1024, $i, 5, 40, 30.5\"; sleep 0.05; done; exit;;\n"
        "esac\n"
        "echo '0, GPU-a, Fake 1000, 1024, 0, [N/A], 40, [N/A]'\n"
        "echo '1, GPU-b, Fake 1000, 2048, 100, 7, 41, 20.25'\n");
    smi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    smi.close();
    m_fixture.agent->environment.insert(
        QStringLiteral("PATH"), m_fixture.home->filePath(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory);
    QCOMPARE(inventory->gpus.size(), std::size_t(2));
    QCOMPARE(inventory->gpus[0].uuid, std::string("GPU-a"));
    QCOMPARE(inventory->gpus[0].utilPercent, -1);
    QVERIFY(!inventory->gpus[0].foreign);
    QVERIFY(inventory->gpus[1].foreign); // process 1 is no task of ours
    QCOMPARE(inventory->gpus[1].memoryMiB, std::int64_t(2048));
    QCOMPARE(inventory->gpus[1].powerWatt, 20.25);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto streamed = m_fixture.agent->wait([](const Envelope &e) {
        const Sample *sample = std::get_if<Sample>(&e.message);
        return sample && sample->gpus.size() == 2 && sample->gpus[0].memoryUsedMiB == 3
            && sample->gpus[0].utilPercent == 5;
    });
    QVERIFY(streamed); // and its end does no harm
}

// Who holds a GPU is said by name, if it is somebody else.
void TstHardware::holdersOfOthers()
{
    if (::getuid() != 0) {
        QSKIP("A process of another user can be started by root alone.");
    }
    QProcess other, own;
    constexpr uid_t nobody = 65534, nameless = 47113;
    QProcess unnamed;
    const auto as = [](QProcess &process, uid_t user) {
        process.setChildProcessModifier([user] {
            if (::setuid(user) != 0) {
                ::_exit(1);
            }
        });
        process.start(QStringLiteral("sleep"), {QStringLiteral("1000")});
        return process.waitForStarted();
    };
    QVERIFY(as(other, nobody) && as(own, 0) && as(unnamed, nameless));
    QCOMPARE(makeFolders(m_fixture.home->filePath(QStringLiteral("bin")).toStdString()), 0);
    QFile smi(m_fixture.home->filePath(QStringLiteral("bin/nvidia-smi")));
    QVERIFY(smi.open(QIODevice::WriteOnly));
    QByteArray apps;
    for (const QProcess *process : {&other, &own, &unnamed}) {
        apps += "GPU-a, " + QByteArray::number(process->processId()) + ", 100\n";
    }
    smi.write("#!/bin/bash\ncase \"$*\" in\n*compute-apps*) echo '" + apps.trimmed()
        + "'; exit;;\nesac\necho '0, GPU-a, Fake 1000, 1024, 0, 5, 40, 30.5'\n");
    smi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    smi.close();
    m_fixture.agent->environment.insert(
        QStringLiteral("PATH"), m_fixture.home->filePath(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory && inventory->gpus.size() == 1);
    const auto said = [](const QProcess &process, const char *owner) {
        return std::to_string(process.processId()) + " sleep" + owner;
    };
    QCOMPARE(inventory->gpus[0].holders,
        (std::vector<std::string>{said(other, " (nobody)"), said(own, ""), said(unnamed, " (user 47113)")}));
    for (QProcess *process : {&other, &own, &unnamed}) {
        process->kill();
        process->waitForFinished();
    }
}

// The socket of Docker is there, and nothing answers on it: that ends the look at the host no later than the limit, and
// nothing of the program stays.
void TstHardware::silentDocker()
{
    const QString bin = m_fixture.home->filePath(QStringLiteral("bin"));
    QCOMPARE(makeFolders(bin.toStdString()), 0);
    const auto writeDocker = [&bin](const QByteArray &commands) {
        QFile docker(bin + QStringLiteral("/docker"));
        return docker.open(QIODevice::WriteOnly) && docker.write("#!/bin/bash\n" + commands) > 0
            && docker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    QVERIFY(writeDocker("echo $$ > '" + QFile::encodeName(bin) + "/pid'\nsleep 600\n"));
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), bin + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const auto has = [](const std::vector<std::string> &names, const char *name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    auto inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{}, 20000);
    QVERIFY(inventory);
    QVERIFY(has(inventory->runtimes, "docker"));
    QVERIFY(has(inventory->silentRuntimes, "docker"));
    QFile pid(bin + QStringLiteral("/pid"));
    QVERIFY(pid.open(QIODevice::ReadOnly));
    const QByteArray number = pid.readAll().trimmed();
    QVERIFY(number.toInt() > 0);
    QTRY_VERIFY(!QFile::exists(QStringLiteral("/proc/") + QString::fromLatin1(number)));
    // It answers again, which samples tell.
    QVERIFY(writeDocker("echo 27.0.1\n"));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const auto answers = m_fixture.agent->wait(
        [](const Envelope &e) {
            const Sample *sample = std::get_if<Sample>(&e.message);
            return sample && sample->silentRuntimes.empty();
        },
        40000);
    QVERIFY(answers);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{0}));
    inventory = m_fixture.agent->ask<Inventory>(InventoryRequest{});
    QVERIFY(inventory && inventory->silentRuntimes.empty());
}

// Somebody looks at the host while its list is made.
void TstHardware::samplesDuringAnInventory()
{
    const QString bin = m_fixture.home->filePath(QStringLiteral("bin"));
    QCOMPARE(makeFolders(bin.toStdString()), 0);
    QFile smi(bin + QStringLiteral("/nvidia-smi"));
    QVERIFY(smi.open(QIODevice::WriteOnly));
    smi.write("#!/bin/bash\ncd \"${0%/*}\"\ncase \"$*\" in\n"
              "  -L) touch waits; until [ -e go ]; do sleep 0.02; done;;\n"
              "  *query-gpu=index*) echo '0, GPU-a, Fake 1000, 1024, 0, [N/A], 40, [N/A]';;\n"
              "esac\n");
    smi.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    smi.close();
    m_fixture.agent->environment.insert(QStringLiteral("PATH"), bin + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY(m_fixture.agent->start());
    const std::int64_t id = m_fixture.agent->send(InventoryRequest{});
    QTRY_VERIFY(QFile::exists(bin + QStringLiteral("/waits")));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    QFile go(bin + QStringLiteral("/go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    const auto inventory = m_fixture.agent->answer<Inventory>(id);
    QVERIFY(inventory);
    QCOMPARE(inventory->gpus.size(), std::size_t(1));
}

// Who is missing is known when the next listing begins, and only when all of the one before was seen.
void TstHardware::goneFromAListing()
{
    using namespace trainyard::agent;
    GpuListings listings;
    QVERIFY(!listings.next(0, "GPU-a"));
    QVERIFY(!listings.next(1, "GPU-b"));
    QVERIFY(listings.next(0, "GPU-a") == std::set<std::string>({"GPU-a", "GPU-b"}));
    QVERIFY(listings.next(0, "GPU-a") == std::set<std::string>({"GPU-a"}));
    listings.skip(1);
    QVERIFY(!listings.next(0, "GPU-a")); // a part of it was not looked at
    QVERIFY(!listings.next(1, "GPU-b"));
    QVERIFY(listings.next(1, "GPU-b"));
    const auto gpu = [](int index, const char *uuid) {
        Gpu one;
        one.index = index;
        one.uuid = uuid;
        return one;
    };
    const std::vector<Gpu> known{gpu(0, "GPU-a"), gpu(1, "GPU-b"), gpu(300, "MIG-c0"), gpu(301, "MIG-c1")};
    const std::vector<DividedGpu> divided{{"GPU-c", 2}};
    const auto missing = [](const std::vector<Gpu> &gpus) {
        std::string text;
        for (const Gpu &one : gpus) {
            text += (one.missing ? "-" : "+") + one.uuid + ' ';
        }
        return text;
    };
    QCOMPARE(missing(withMissing({gpu(0, "GPU-a"), gpu(300, "MIG-c0")}, known, divided)),
        std::string("+GPU-a -GPU-b +MIG-c0 ")); // somebody has taken an instance away
    QCOMPARE(missing(withMissing({gpu(0, "GPU-a"), gpu(1, "GPU-x")}, known, {})),
        std::string("+GPU-a +GPU-x -MIG-c0 -MIG-c1 ")); // another one in its place
    std::vector<Gpu> now = known;
    markMissing(now, {"GPU-b"}, divided);
    QCOMPARE(missing(now), std::string("-GPU-a +GPU-b -MIG-c0 -MIG-c1 "));
    markMissing(now, {"GPU-b", "GPU-c"}, divided);
    QCOMPARE(missing(now), std::string("-GPU-a +GPU-b +MIG-c0 +MIG-c1 "));
}

// docs/gpus.md has the answers of real drivers.
void TstHardware::rowsOfDrivers_data()
{
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("uuid"); // empty: no row
    QTest::addColumn<bool>("isLost");
    QTest::addColumn<qint64>("memoryMiB");
    QTest::addColumn<int>("percent");
    const auto row
        = [](const char *name, const char *line, const char *uuid, bool isLost, qint64 memoryMiB, int percent) {
              QTest::newRow(name) << std::string(line) << std::string(uuid) << isLost << memoryMiB << percent;
          };
    row("whole", "0, GPU-a, NVIDIA H100 80GB HBM3, 81559, 1, 5, 40, 30.5", "GPU-a", false, 81559, 5);
    row("carriage return", "0, GPU-a, Fake, 1024, 1, 5, 40, 30.5\r", "GPU-a", false, 1024, 5);
    row("no sensors", "0, GPU-a, Fake, 1024, 1, [N/A], ERR!, [Unknown Error]", "GPU-a", false, 1024, -1);
    row("not supported", "0, GPU-a, Fake, 1024, 1, [Not Supported], [Not Supported], [Not Supported]", "GPU-a", false,
        1024, -1);
    row("memory of the host", "0, GPU-a, NVIDIA GB10, [N/A], [N/A], 3, 40, 4.0", "GPU-a", false, 777, 3);
    row("memory of the host, older", "0, GPU-a, Orin, [Not Supported], [Not Supported], 3, 40, 4.0", "GPU-a", false,
        777, 3);
    row("memory that may not be seen", "0, GPU-a, Fake, [Insufficient Permissions], 1, 3, 40, 4.0", "GPU-a", false, 0,
        3);
    row("no uuid", "1, [N/A], Orin (nvgpu), [N/A], [N/A], [N/A], [N/A], [N/A]", "index-1", false, 777, -1);
    row("lost",
        "0, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]",
        "[GPU is lost]", true, 0, -1);
    row("unknown error", "0, [Unknown Error], Fake, 1024, 1, 5, 40, 30.5", "[Unknown Error]", true, 1024, 5);
    row("wants a reset", "0, GPU-a, Fake, [GPU requires reset], [GPU requires reset], 5, 40, 30.5", "GPU-a", true, 0,
        5);
    row("error", "0, ERR!, ERR!, ERR!, ERR!, ERR!, ERR!, ERR!", "ERR!", true, 0, -1);
    row("cut", "0, GPU-a, Fake, 10", "", false, 0, 0);
    row("cut before the last", "0, GPU-a, Fake, 1024, 1, 5, 40", "", false, 0, 0);
    row("a sentence", "Failed to initialize NVML, a, b, c, d, e, f, g", "", false, 0, 0);
    row("another number", "-1, GPU-a, Fake, 1024, 1, 5, 40, 30.5", "", false, 0, 0);
    row("nothing", "", "", false, 0, 0);
}

void TstHardware::rowsOfDrivers()
{
    QFETCH(std::string, line);
    QFETCH(std::string, uuid);
    QFETCH(bool, isLost);
    QFETCH(qint64, memoryMiB);
    QFETCH(int, percent);
    const auto row = trainyard::agent::gpuRow(line, 777);
    QCOMPARE(row.has_value(), !uuid.empty());
    if (row) {
        QCOMPARE(row->gpu.uuid, uuid);
        QCOMPARE(row->isLost, isLost);
        QCOMPARE(qint64(row->gpu.memoryMiB), memoryMiB);
        QCOMPARE(row->gpu.utilPercent, percent);
    }
}

void TstHardware::sentencesOfDrivers_data()
{
    QTest::addColumn<QByteArrayList>("lines");
    QTest::addColumn<std::string>("error");
    QTest::addColumn<bool>("lostOne");
    QTest::addColumn<std::string>("place");
    const QByteArray lost = "Unable to determine the device handle for GPU ";
    QTest::newRow("nothing") << QByteArrayList{} << std::string("gpu.none") << false << std::string();
    QTest::newRow("no GPU") << QByteArrayList{"No devices were found"} << std::string("gpu.none") << false
                            << std::string();
    QTest::newRow("lost") << QByteArrayList{lost + "0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU"}
                          << std::string("gpu.failed") << true << std::string("0000:3B:00");
    QTest::newRow("lost, newer") << QByteArrayList{lost.chopped(1) + "0: 0000:01:00.0: Unknown Error",
        "No devices were found"} << std::string("gpu.failed")
                                 << true << std::string("0000:01:00");
    QTest::newRow("lost, without a blank") << QByteArrayList{lost.chopped(1) + "0000:01:00.0: Unknown Error"}
                                           << std::string("gpu.failed") << true << std::string("0000:01:00");
    QTest::newRow("mismatch") << QByteArrayList{"Failed to initialize NVML: Driver/library version mismatch",
        "NVML library version: 550.54"}
                              << std::string("gpu.mismatch") << false << std::string();
    QTest::newRow("no driver") << QByteArrayList{"NVIDIA-SMI has failed because it couldn't communicate"}
                               << std::string("gpu.driver") << false << std::string();
    QTest::newRow("something else") << QByteArrayList{"Segmentation fault"} << std::string("gpu.failed") << false
                                    << std::string();
    QTest::newRow("cut row") << QByteArrayList{"1, GPU-b, Fa"} << std::string("gpu.failed") << false << std::string();
}

void TstHardware::sentencesOfDrivers()
{
    QFETCH(QByteArrayList, lines);
    QFETCH(std::string, error);
    QFETCH(bool, lostOne);
    QFETCH(std::string, place);
    trainyard::agent::SmiWords words;
    for (const QByteArray &line : lines) {
        words.take(line.toStdString());
    }
    QCOMPARE(words.error(), error);
    QCOMPARE(words.lostOne, lostOne);
    QCOMPARE(words.place, place);
    QCOMPARE(words.cutRow, lines.join().startsWith("1, "));
}

void TstHardware::processesOfDrivers()
{
    using trainyard::agent::gpuProcess;
    const auto pidOf = [](const char *line) { return gpuProcess(line) ? qint64(gpuProcess(line)->pid) : -1; };
    QCOMPARE(pidOf("GPU-a, 4711, 400"), 4711);
    QCOMPARE(pidOf("GPU-a, 4711, [N/A]"), 4711);
    QCOMPARE(pidOf("GPU-a, [Insufficient Permissions], [Insufficient Permissions]"), 0);
    QCOMPARE(pidOf("GPU-a, [N/A], 400"), 0);
    QCOMPARE(pidOf("GPU-a, -, -"), 0);
    QCOMPARE(pidOf("GPU-a, 47"), -1); // cut: it may be another process
    QCOMPARE(pidOf("No running processes found"), -1);
    QCOMPARE(pidOf("[Unknown Error], 4711, 400"), -1);
}

// Lines of /dev/kmsg that are of this GPU.
void TstHardware::gpuErrorsOfTheKernel()
{
    using trainyard::agent::xidOfRecord;
    const std::vector<std::string> places{"0000:3b:00", "0000:af:00"};
    const std::string text = "NVRM: Xid (PCI:0000:3B:00): 79, pid='<unknown>', GPU has fallen off the bus.";
    QCOMPARE(xidOfRecord("4,900,5000000,-;" + text + "\n", places), text);
    QCOMPARE(xidOfRecord("4,900,5000000,-,caller=T1;" + text + "\n SUBSYSTEM=pci\n", places), text);
    QCOMPARE(xidOfRecord("4,900,5000000,-;" + text, {"0000:3b:01"}), std::string());
    const std::string other = "NVRM: Xid (PCI:0000:af:00.0): 31, pid=12, name=python";
    QCOMPARE(xidOfRecord("3,1,9,-;nvidia: " + other, places), other);
    for (const char *record : {"", ";", "4,900,5000000,-", " SUBSYSTEM=x",
             "4,1,9,-;NVRM: Xid (PCI:", "4,1,9,-;NVRM: loading", "NVRM: Xid (PCI:0000:3b:00): 79,,;"}) {
        QCOMPARE(xidOfRecord(record, places), std::string());
    }
}

// Since the task began: by their places in the log, as its clock goes wrong by minutes in a year.
void TstHardware::gpuErrorsOfATask()
{
    const auto path = [this](const char *name) { return m_fixture.home->filePath(QLatin1String(name)); };
    const auto write = [&path](const char *name, const QByteArray &text) {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    const QByteArray head = "NVRM: Xid (PCI:0000:3b:00): ";
    QCOMPARE(makeFolders(path("gpus/0000:3b:00.0").toStdString()), 0);
    QVERIFY(write("gpus/0000:3b:00.0/information", "GPU UUID: GPU-0\n"));
    QVERIFY(write("kmsg", "4,1,999999999999,-;" + head + "13, before\n")); // a clock that is ahead
    m_fixture.agent->environment.insert(QStringLiteral("TRAINYARD_NVIDIA_GPUS"), path("gpus"));
    m_fixture.agent->environment.insert(QStringLiteral("TRAINYARD_KERNEL_LOG"), path("kmsg"));
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf(
        "xid", "echo '4,2,17,-;" + head.toStdString() + "79, after' >> " + path("kmsg").toStdString() + "; exit 1");
    launch.gpuLocks = {"GPU-0"};
    launch.gpuLockFolder = path("locks").toStdString();
    QVERIFY(m_fixture.runToEnd(launch));
    const QByteArray said = fileText(launch.dir, file::runtime);
    QVERIFY2(said.contains(QByteArray("said of GPU-0: " + head + "79, after\n")), said.constData());
    QVERIFY2(!said.contains("before"), said.constData());
}

// A message has 64 KiB for them all.
void TstHardware::samplesOfLongFolders()
{
    QVERIFY(m_fixture.agent->start());
    std::string deep;
    while (deep.size() < 3500) {
        deep += '/' + std::string(200, 'd');
    }
    constexpr std::size_t tries = 24;
    std::vector<Launch> launches;
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < tries; ++i) {
        launches.push_back(m_fixture.launchOf((std::to_string(i) + deep).c_str(), "echo 1; sleep NAP"));
        ids.push_back(m_fixture.agent->send(launches.back()));
    }
    for (const std::int64_t id : ids) {
        const auto launched = m_fixture.agent->answer<Launched>(id, 20000);
        QVERIFY(launched && launched->state == "launched");
    }
    for (const Launch &launch : launches) {
        QTRY_COMPARE(outputOf(launch.dir), QByteArray("1\n"));
    }
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    std::set<std::string> seen;
    const auto all = m_fixture.agent->wait([&seen](const Envelope &e) {
        if (const Sample *sample = std::get_if<Sample>(&e.message)) {
            for (const TrySample &one : sample->tries) {
                seen.insert(one.dir);
            }
        }
        return seen.size() == tries;
    });
    for (const Launch &launch : launches) {
        QVERIFY(m_fixture.stop(launch));
        QVERIFY(m_fixture.agent->exited(launch.dir));
    }
    QVERIFY(all);
}

#include "tst_hardware.moc"
