// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/detach.h"
#include "engine/agent/hosttraffic.h"
#include "engine/agent/stepgpus.h"
#include "engine/agent/tryfigures.h"
#include "engine/contract/taskfolder.h"
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/contract/followedfile.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;
using namespace trainyard::contract;

// What a try uses of its host, as its agent measures it.
class TstFigures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_fixture.begin()); }
    void cleanup() { m_fixture.end(); }

    void trafficIsParsed();
    void aStepHasTheGpusOfTheCluster_data();
    void aStepHasTheGpusOfTheCluster();
    void useIsMeasured();
    void fileIsFollowedToItsEnd();
    void shortTasksHaveNone();
    void theNextAgentGoesOn();
    void oldFiguresAreThinned();
    void aRewritingThatFailsLosesNothing();
    void leftoversOfARewritingAreRemoved();
    void aRewritingGivesWayWhereMemoryIsShort();
    void aCopyThatIsLongerIsMadeAnew();

private:
    // The series of the file now, or none.
    std::optional<series::Series> seriesOf(const std::string &dir, const char *name)
    {
        series::SeriesSet set(dir + '/' + file::figures);
        set.poll();
        const auto id = set.find(name);
        return id ? std::optional(set.series(*id)) : std::nullopt;
    }
    std::size_t points(const std::string &dir, const char *name)
    {
        const auto series = seriesOf(dir, name);
        return series ? series->size() : 0;
    }
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstFigures)

void TstFigures::trafficIsParsed()
{
    const agent::HostTraffic traffic = agent::parseTraffic(
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls\n"
        "    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0\n"
        "  eth0: 100 2 0 0 0 0 0 0 30 4 0 0 0 0 0 0\n"
        "veth1a2: 7000 2 0 0 0 0 0 0 30 4 0 0 0 0 0 0\n"
        " wlan0:20 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n"
        "broken: 1 2\n");
    QCOMPARE(traffic.received, std::uint64_t(121));
    QCOMPARE(traffic.sent, std::uint64_t(33));
    QCOMPARE(agent::parseTraffic("").received, std::uint64_t(0));
}

void TstFigures::aStepHasTheGpusOfTheCluster_data()
{
    QTest::addColumn<QByteArray>("variables");
    QTest::addColumn<QByteArray>("expected"); // number:UUID of each
    QTest::addColumn<bool>("hasAny");
    QTest::addColumn<QByteArray>("numbers");
    const auto row
        = [](const char *name, const QByteArray &variables, const QByteArray &expected, bool hasAny,
              const QByteArray &numbers) { QTest::newRow(name) << variables << expected << hasAny << numbers; };
    row("by its number", "CUDA_VISIBLE_DEVICES=1", "1:GPU-bb", true, "1");
    row("that sees only its own", "CUDA_VISIBLE_DEVICES=0 SLURM_STEP_GPUS=5", "5:GPU-aa", true, "5");
    row("several", "CUDA_VISIBLE_DEVICES=0,1 SLURM_STEP_GPUS=2,7", "2:GPU-aa 7:GPU-bb", true, "2 7");
    row("other numbers", "CUDA_VISIBLE_DEVICES=0,1 SLURM_STEP_GPUS=2", "0:GPU-aa 1:GPU-bb", true, "0 1");
    row("by its UUID", "CUDA_VISIBLE_DEVICES=GPU-bb", "1:GPU-bb", true, "");
    row("by its UUID and its number", "CUDA_VISIBLE_DEVICES=GPU-bb SLURM_STEP_GPUS=6", "6:GPU-bb", true, "6");
    row("AMD", "ROCR_VISIBLE_DEVICES=1", "1:GPU-bb", true, "1");
    row("one that is not listed", "CUDA_VISIBLE_DEVICES=9", "", true, "9");
    row("none, as Slurm says it", "CUDA_VISIBLE_DEVICES=NoDevFiles", "", false, "");
    row("none", "SLURM_JOB_ID=7 CUDA_VISIBLE_DEVICES=", "", false, "");
    row("none, beside those of the allocation", "CUDA_VISIBLE_DEVICES= GPU_DEVICE_ORDINAL=0,1", "", false, "");
    row("not a number", "CUDA_VISIBLE_DEVICES=0x1,-1", "", true, "");
}

void TstFigures::aStepHasTheGpusOfTheCluster()
{
    QFETCH(QByteArray, variables);
    QFETCH(QByteArray, expected);
    QFETCH(bool, hasAny);
    std::vector<std::string> all;
    for (const QByteArray &variable : variables.split(' ')) {
        all.push_back(variable.toStdString());
    }
    std::vector<Gpu> listed(2);
    listed[0].uuid = "GPU-aa";
    listed[1].index = 1;
    listed[1].uuid = "GPU-bb";
    QByteArrayList found;
    for (const Gpu &gpu : agent::gpusOfStep(all, listed)) {
        found.append(QByteArray::number(gpu.index) + ':' + QByteArray::fromStdString(gpu.uuid));
    }
    QCOMPARE(found.join(' '), expected);
    QCOMPARE(agent::hasGpusInStep(all), hasAny);
    QByteArrayList numbers;
    for (const int number : agent::gpuNumbersOfStep(all)) {
        numbers.append(QByteArray::number(number));
    }
    QTEST(numbers.join(' '), "numbers");
}

// Work in processes that end one after the other, and data that goes to the disk.
void TstFigures::useIsMeasured()
{
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{200}));
    // What many shells of this computer share counts for little: it has some memory of its own.
    const Launch launch = m_fixture.launchOf("busy",
        "kept=$(head -c 4000000 /dev/zero | tr '\\0' x)\n"
        "dd if=/dev/zero of=data bs=1M count=32 conv=fsync 2>/dev/null\n"
        "until [ -e over ]; do (for ((i = 0; i < 20000; ++i)); do :; done); done");
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    // The first look at the memory may come before the shell has read its script.
    const auto mostMemory = [&] {
        const auto series = seriesOf(launch.dir, "memory");
        return series && series->largest() ? series->largest()->value : 0;
    };
    const auto measuredSeconds = [&] {
        const auto cpu = seriesOf(launch.dir, "cpu");
        double seconds = 0;
        for (std::size_t i = 1; cpu && i < cpu->size(); ++i) {
            seconds += cpu->at(i).value / 100 * (cpu->at(i).x - cpu->at(i - 1).x) / 1000;
        }
        return seconds;
    };
    // On a busy computer its preparation, which is over before the first point, takes more than the loop.
    const auto isMeasured = [&] { return measuredSeconds() > 2 && mostMemory() > 3; };
    QTRY_VERIFY2_WITH_TIMEOUT(
        isMeasured(), qPrintable(QStringLiteral("%1 s, %2 MiB").arg(measuredSeconds()).arg(mostMemory())), 60000);
    QVERIFY(makeWorkFile(launch, "over"));
    const auto exited = m_fixture.agent->exited(launch.dir);
    QVERIFY(exited);
    const auto cpu = seriesOf(launch.dir, "cpu");
    QVERIFY(cpu);
    // Not more than it says itself: what children used counts once.
    const double seconds = measuredSeconds();
    const double all = double(exited->exit.userMs + exited->exit.systemMs) / 1000;
    // However little of the processor a busy host has for it: it used at some time about what it used on average.
    const double average = 100 * all * 1000 / double(exited->exit.ended - exited->exit.began);
    QVERIFY2(cpu->largest()->value > 0.5 * average && cpu->largest()->value > 0,
        qPrintable(QStringLiteral("%1, on average %2").arg(cpu->largest()->value).arg(average)));
    QVERIFY2(seconds > 0.3 * all && seconds < all + 0.5, qPrintable(QStringLiteral("%1 of %2").arg(seconds).arg(all)));
    QVERIFY(seriesOf(launch.dir, "disk/written"));
    QVERIFY(seriesOf(launch.dir, "host/network/received"));
    QVERIFY(!seriesOf(launch.dir, "gpu/0/use"));
    // All that was measured is there when the end is told.
    QVERIFY(double(exited->exit.ended) - cpu->last()->x < 3000);
}

void TstFigures::fileIsFollowedToItsEnd()
{
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const Launch launch = m_fixture.launchOf("followed", "echo up; read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    const std::int64_t id = m_fixture.agent->send(Follow{launch.dir, 0, 0, 0, 0, false});
    std::string copy;
    bool released = false;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        if (chunk->file == file::figures) {
            QCOMPARE(chunk->offset, std::uint64_t(copy.size()));
            copy += chunk->bytes;
            if (!released && points(launch.dir, "cpu") > 3) {
                released = true;
                QVERIFY(writeToFifo(launch));
            }
        }
    }
    QVERIFY(released);
    QCOMPARE(copy, fileText(launch.dir, file::figures).toStdString());
}

void TstFigures::shortTasksHaveNone()
{
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{50}));
    const Launch launch = m_fixture.launchOf("short", ":");
    QVERIFY(m_fixture.runToEnd(launch));
    QVERIFY(m_fixture.waitForSamples(2));
    QVERIFY(fileText(launch.dir, file::figures).isEmpty());
}

void TstFigures::theNextAgentGoesOn()
{
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    const Launch launch = m_fixture.launchOf("long", "echo up; read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    QTRY_VERIFY_WITH_TIMEOUT(points(launch.dir, "cpu") > 0, 30000);
    m_fixture.agent->kill9();
    const std::size_t before = points(launch.dir, "cpu");
    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir}));
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    QTRY_VERIFY_WITH_TIMEOUT(points(launch.dir, "cpu") > before, 30000);
    QVERIFY(writeToFifo(launch));
    QVERIFY(m_fixture.agent->exited(launch.dir));
}

// While its copy elsewhere follows, which has the file of before.
void TstFigures::oldFiguresAreThinned()
{
    const Launch launch = m_fixture.launchOf("old", "echo up; read < fifo");
    QVERIFY(makeFifo(launch));
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Launched>(launch));
    m_fixture.agent->kill9();
    const std::int64_t now = QDateTime::currentMSecsSinceEpoch(), began = now - 2 * 86400000ll;
    constexpr int count = 2 * 8640;
    {
        series::Error error;
        const auto writer = series::Writer::open(launch.dir + '/' + file::figures, error);
        QVERIFY(writer);
        series::Info info{"cpu", series::Axis::Time, series::StepBack::Mixed};
        info.mayThin = true;
        for (int i = 0; i < count; ++i) {
            const std::int64_t at = began + i * 10000ll;
            writer->append(*writer->define(info), {double(at), at, i == 100 ? 999.0 : double(i % 10)});
        }
    }
    FollowedFile copy(fileText(launch.dir, file::figures).toStdString());
    const QByteArray before = QByteArray::fromStdString(copy.text());
    QFile old(QString::fromStdString(launch.dir + "/old.series"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write(before) == before.size());
    old.close();
    QVERIFY(old.open(QIODevice::ReadOnly));
    Follow follow{launch.dir, 0, 0, 0, 0, false};
    follow.figures = copy.text().size();
    follow.figuresGeneration = series::generationOf(old.handle());
    QVERIFY(follow.figuresGeneration != 0);

    m_fixture.agent = m_fixture.newAgent();
    QVERIFY(m_fixture.agent->start());
    QVERIFY(m_fixture.agent->ask<Observed>(Observe{launch.dir}));
    const std::int64_t id = m_fixture.agent->send(follow);
    QVERIFY(m_fixture.agent->ask<Done>(SampleRequest{100}));
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        if (chunk->file != file::figures) {
            continue;
        }
        QCOMPARE(chunk->offset, copy.expectedOffset(*chunk));
        if (copy.take(*chunk)) {
            QVERIFY(writeToFifo(launch));
        }
    }
    QCOMPARE(copy.replaced(), 1);
    QCOMPARE(copy.text(), fileText(launch.dir, file::figures).toStdString());
    QVERIFY(QByteArray::fromStdString(copy.text()) != before);
    series::SeriesSet set(launch.dir + '/' + file::figures);
    set.poll();
    const auto points = set.find("cpu"), mean = set.find("cpu", series::Part::Mean),
               greatest = set.find("cpu", series::Part::Max), counts = set.find("cpu", series::Part::Count);
    QVERIFY(points && mean && greatest && counts);
    QVERIFY(set.series(*points).at(0).time > now - 86400000ll - 60000);
    QVERIFY(set.series(*mean).at(0).time <= began);
    QCOMPARE(set.series(*greatest).largest()->value, 999.0);
    const series::Series &all = set.series(*counts);
    double thinned = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        thinned += all.at(i).value;
    }
    // Every point of before is in the one or the other.
    QVERIFY(thinned + double(set.series(*points).size()) >= count);
    QVERIFY(!QFile::exists(QString::fromStdString(launch.dir + "/figures.series.rewritten")));
}

namespace
{

// Points of the CPU, a second each.
void writeFigures(const std::string &path, int count, std::int64_t began = 1700000000000)
{
    series::Error error;
    const auto writer = series::Writer::open(path, error);
    QVERIFY(writer);
    series::Info info{"cpu", series::Axis::Time, series::StepBack::Mixed};
    info.mayThin = true;
    for (int i = 0; i < count; ++i) {
        const std::int64_t at = began + i * 1000ll;
        writer->append(*writer->define(info), {double(at), at, double(i % 10)});
    }
}

} // namespace

// What lies in its place then is of another process that was killed late, or of the task.
void TstFigures::aRewritingThatFailsLosesNothing()
{
    const QTemporaryDir folder;
    const std::string dir = folder.path().toStdString();
    writeFigures(dir + '/' + file::figures, 500);
    agent::TryFigures figures(dir, ::getpid(), ::getpid(), {});
    QVERIFY(figures.isAlive());
    // A folder that is not empty stands where the file would be written.
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("figures.series.new/full")));
    figures.startRewriting(1700000000000 + 500000);
    QVERIFY(figures.isRewriting());
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    QVERIFY(ended > 0);
    writeFigures(dir + '/' + file::figures + ".rewritten", 1);
    figures.reaped(ended, status);
    QVERIFY(!figures.isRewriting());
    QVERIFY(figures.isAlive());
    QCOMPARE(points(dir, "cpu"), std::size_t(500));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("figures.series.rewritten"))));
}

// An agent that was killed has left them.
void TstFigures::leftoversOfARewritingAreRemoved()
{
    const QTemporaryDir folder;
    const std::string dir = folder.path().toStdString();
    writeFigures(dir + '/' + file::figures, 5);
    writeFigures(dir + '/' + file::figures + ".new", 3);
    writeFigures(dir + '/' + file::figures + ".rewritten", 4);
    const agent::TryFigures figures(dir, ::getpid(), ::getpid(), {});
    QVERIFY(figures.isAlive());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{QString::fromLatin1(file::figures)});
    QCOMPARE(points(dir, "cpu"), std::size_t(5));
}

// The task's memory may be in the same allocation.
void TstFigures::aRewritingGivesWayWhereMemoryIsShort()
{
    const pid_t child = ::fork();
    if (child == 0) {
        agent::raiseOomScore(1000);
        char text[16] = {};
        const int fd = ::open("/proc/self/oom_score_adj", O_RDONLY);
        const ssize_t n = ::read(fd, text, sizeof text - 1);
        ::_exit(n > 0 && std::string_view(text) == "1000\n" ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

// A host that lost its power has lost the end of the file, too, which was copied before.
void TstFigures::aCopyThatIsLongerIsMadeAnew()
{
    QVERIFY(m_fixture.agent->start());
    const Launch launch = m_fixture.launchOf("cut", ":");
    QVERIFY(m_fixture.runToEnd(launch));
    writeFigures(launch.dir + '/' + file::figures, 50);
    const std::string whole = fileText(launch.dir, file::figures).toStdString();
    QFile there(QString::fromStdString(launch.dir + '/' + file::figures));
    QVERIFY(there.open(QIODevice::ReadOnly));
    Follow follow{launch.dir, 0, 0, 0, 0, false};
    follow.figures = whole.size() + 100;
    follow.figuresGeneration = series::generationOf(there.handle());
    const std::int64_t id = m_fixture.agent->send(follow);
    std::string copy;
    for (bool over = false; !over;) {
        const auto chunk = m_fixture.agent->answer<Chunk>(id, 30000);
        QVERIFY(chunk);
        over = chunk->end;
        if (chunk->file == file::figures) {
            QCOMPARE(chunk->offset, std::uint64_t(copy.size()));
            QCOMPARE(chunk->replaces, std::uint64_t(whole.size()));
            copy += chunk->bytes;
        }
    }
    QCOMPARE(copy, whole);
}

#include "tst_figures.moc"
