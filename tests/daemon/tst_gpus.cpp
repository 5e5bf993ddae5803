// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs without GPUs: a fake nvidia-smi that answers from files, and a tree like sysfs.
#include "tests/daemon/fakegpus.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QScopeGuard>

#include <sys/mount.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray job(const QByteArray &name, const QByteArrayList &commands, int gpus)
{
    return EngineFixture::document(name,
        EngineFixture::role("main", 1, commands, {}, "{cpu: 1, memoryMB: 16, gpu: " + QByteArray::number(gpus) + '}'));
}

const QByteArrayList tells{"echo cuda=[$CUDA_VISIBLE_DEVICES] hip=[${HIP_VISIBLE_DEVICES-unset}]"};

} // namespace

class TstGpus : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void lookedAtAgainRightBeforeTheStart();
    void aLookUnderWayIsNotTheAnswer();
    void waitsForOtherPrograms();
    void lockedByAnotherEngine();
    void lockedRightBeforeTheStart();
    void gone();
    void slowAtTheStart();
    void settingsChoose();
    void hoursAreKept();
    void shared();
    void ofAType();
    void mig();
    void migWithoutInstances();
    void leftMemoryIsNamed();
    void kernelSaysWhatHappened();
    void useIsRecorded();
    void amd();
    void fullDiskHoldsTheQueue();
};

void TstGpus::lookedAtAgainRightBeforeTheStart()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    QCOMPARE(f.engine().hosts().first().gpus.size(), 2);
    gpus.use({0}); // since the last look
    const QString one = f.submit(job("one", tells, 1));
    QVERIFY(f.waitForEnd(one));
    QVERIFY2(f.output(one, u"main"_s, 0).contains("cuda=[1]"), f.output(one, u"main"_s, 0).constData());
    QCOMPARE(f.job(one).retries, 0);
    // Nobody minds when the setting says so.
    QVERIFY(f.engine().setSetting(u"gpu.foreignIsBusy"_s, false));
    const QString two = f.submit(job("two", tells, 2));
    QVERIFY(f.waitForEnd(two));
    QVERIFY(f.output(two, u"main"_s, 0).contains("cuda=[0,1]"));
}

// The regular look had found nobody and was not done yet when the question came.
void TstGpus::aLookUnderWayIsNotTheAnswer()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    gpus.set("hold", {});
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(f.path(u"bin/held"_s)), 20000);
    gpus.use({0, 1});
    QVERIFY(QFile::remove(f.path(u"bin/listed"_s)));
    const QString uuid = f.submit(job("one", tells, 1));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(f.path(u"bin/listed"_s)), 20000); // the question has come
    QVERIFY(QFile::remove(f.path(u"bin/hold"_s)));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.reason == u"wait.gpu"_s || isFinal(j.state); }));
    QCOMPARE(f.job(uuid).state, State::Waiting);
    gpus.use({});
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("cuda=[0]"));
}

void TstGpus::waitsForOtherPrograms()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    gpus.use({0, 1});
    const QString uuid = f.submit(job("one", tells, 1));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) {
        return j.reason == u"wait.gpu"_s && j.reasonArgs.value(u"hosts").toArray().at(0)[u"foreign"].toInt() == 2;
    }));
    QCOMPARE(f.job(uuid).state, State::Waiting);
    QTRY_VERIFY(f.engine().hosts().first().gpus.first().foreign);
    gpus.use({1});
    QVERIFY(f.waitForEnd(uuid, 30000)); // the list of processes is read every few seconds
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("cuda=[0]"));
    QCOMPARE(f.job(uuid).retries, 0);
}

// Nothing of it is to be seen in the driver's list of processes yet.
void TstGpus::lockedByAnotherEngine()
{
    EngineFixture f;
    FakeGpus gpus(f);
    const int lock = gpus.lock(0);
    QVERIFY(lock >= 0);
    QVERIFY(f.open());
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, u"held"_s);
    const QString one = f.submit(job("one", tells, 1));
    QVERIFY(f.waitForEnd(one));
    QVERIFY2(f.output(one, u"main"_s, 0).contains("cuda=[1]"), f.output(one, u"main"_s, 0).constData());
    QCOMPARE(f.job(one).retries, 0);
    const QString two = f.submit(job("two", tells, 2));
    QVERIFY2(!two.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(two, [](const JobSummary &j) { return j.reason == u"wait.gpu"_s || isFinal(j.state); }));
    QTRY_COMPARE(f.job(two).reasonArgs.value(u"hosts").toArray().at(0)[u"held"].toInt(), 1);
    ::close(lock);
    QVERIFY(f.waitForEnd(two));
    QVERIFY(f.output(two, u"main"_s, 0).contains("cuda=[0,1]"));
    QCOMPARE(f.job(two).retries, 0);
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, QString());
    // What our own tasks hold is not somebody else's.
    const QString own = f.submit(job("own", {"while [ ! -e go ]; do sleep 0.05; done"}, 1));
    QVERIFY(f.waitFor(own, [](const JobSummary &j) { return j.state == State::Running; }));
    gpus.set("gpus", gpus.row(0, 1234, 0) + gpus.row(1, 1, 0));
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().memoryUsedMiB, 1234);
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, QString());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(own));
}

void TstGpus::lockedRightBeforeTheStart()
{
    // A single free retry that counts would be one too many.
    EngineFixture f({{u"retry.freeCap"_s, 0}});
    FakeGpus gpus(f);
    QVERIFY(f.open());
    int lock = gpus.lock(0);
    QVERIFY(lock >= 0);
    const QString one = f.submit(job("one", tells, 1));
    QVERIFY(f.waitForEnd(one));
    QVERIFY2(f.output(one, u"main"_s, 0).contains("cuda=[1]"), f.output(one, u"main"_s, 0).constData());
    QCOMPARE(f.job(one).retries, 0);
    ::close(lock);
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().kept, QString());
    // Without that look only its start finds out.
    QVERIFY(f.engine().setSetting(u"gpu.foreignIsBusy"_s, false));
    lock = gpus.lock(0);
    const QString two = f.submit(job("two", tells, 1));
    const QString both = f.submit(job("both", tells, 2));
    QVERIFY(f.waitForEnd(two));
    QCOMPARE(f.job(two).state, State::Succeeded);
    QVERIFY(f.output(two, u"main"_s, 0).contains("cuda=[1]"));
    QTRY_COMPARE(f.job(both).reasonArgs.value(u"hosts").toArray().at(0)[u"held"].toInt(), 1);
    ::close(lock);
    QVERIFY(f.waitForEnd(both));
    QCOMPARE(f.job(both).state, State::Succeeded);
}

// The driver lists it no more: it fell off the bus, or was taken out.
void TstGpus::gone()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const auto waits = [](const JobSummary &j) { return j.reason == u"wait.gpu"_s || isFinal(j.state); };
    gpus.set("gpus", gpus.row(1, 1, 0));
    const QString early = f.submit(job("early", tells, 2)); // before the next listing that somebody asked for
    QVERIFY(f.waitFor(early, waits));
    QCOMPARE(f.job(early).state, State::Waiting);
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().kept, u"missing"_s);
    QCOMPARE(f.engine().hosts().first().gpus.size(), 2);
    QTRY_COMPARE(f.job(early).reasonArgs.value(u"hosts").toArray().at(0)[u"lost"].toArray(), QJsonArray{0});
    // Nobody knows when it comes back: who waits for it holds up nobody.
    const QString small = f.submit(job("small", tells, 1));
    QVERIFY(f.waitForEnd(small));
    QVERIFY(f.output(small, u"main"_s, 0).contains("cuda=[1]"));
    gpus.set("gpus", gpus.row(0, 1, 0) + gpus.row(1, 1, 0));
    QVERIFY(f.waitForEnd(early));
    QVERIFY(f.output(early, u"main"_s, 0).contains("cuda=[0,1]"));
    QCOMPARE(f.job(early).retries, 0);
    // Between two listings of the stream, with nobody asking.
    gpus.set("gpus", gpus.row(0, 1, 0));
    QTRY_COMPARE(f.engine().hosts().first().gpus.at(1).kept, u"missing"_s);
    gpus.set("gpus", gpus.row(0, 1, 0) + gpus.row(1, 1, 0));
    QTRY_COMPARE(f.engine().hosts().first().gpus.at(1).kept, QString());
}

// Nobody knows yet what there is: nothing is refused for that.
void TstGpus::slowAtTheStart()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("slow", {});
    QVERIFY(f.open());
    QVERIFY(f.engine().hosts().first().gpus.isEmpty());
    const QString uuid = f.submit(job("early", tells, 2));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.reason == u"wait.gpu-unknown"_s; }));
    QVERIFY(QFile::remove(f.path(u"bin/slow"_s)));
    QVERIFY(f.waitForEnd(uuid, 30000));
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("cuda=[0,1]"));
}

void TstGpus::settingsChoose()
{
    EngineFixture f({{u"gpu.prefer"_s, QJsonArray{u"1"_s}}, {u"gpu.visibleBy"_s, u"uuid"_s}});
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const QString first = f.submit(job("first", tells, 1));
    QVERIFY(f.waitForEnd(first));
    QVERIFY(f.output(first, u"main"_s, 0).contains(QByteArray("cuda=[" + gpus.uuid(1) + "]")));
    const QString none = f.submit(job("none", tells, 0));
    QVERIFY(f.waitForEnd(none));
    QVERIFY(f.output(none, u"main"_s, 0).contains("cuda=[] hip=[unset]"));
    QVERIFY(f.engine().setSetting(u"gpu.exclude"_s, QJsonArray{QString::fromUtf8(gpus.uuid(1))}));
    QCOMPARE(f.engine().hosts().first().gpus.at(1).kept, u"excluded"_s);
    const QString second = f.submit(job("second", tells, 1));
    QVERIFY(f.waitForEnd(second));
    QVERIFY(f.output(second, u"main"_s, 0).contains(QByteArray("cuda=[" + gpus.uuid(0) + "]")));
    QVERIFY(f.submit(job("third", tells, 2)).isEmpty());
    QCOMPARE(f.error().code, u"refuse.gpu"_s);
    QCOMPARE(f.error().args.value(u"most").toInt(), 1);
    QCOMPARE(f.engine().setSetting(u"gpu.exclude"_s, QJsonArray{7}).error().code, u"settings.bad-value"_s);
    QCOMPARE(f.engine().setSetting(u"gpu.exclude"_s, QJsonArray{u"foo"_s}).error().code, u"settings.bad-value"_s);
    QCOMPARE(
        f.engine().setSetting(u"gpu.keepHours"_s, QJsonArray{u"foo 9-17"_s}).error().code, u"settings.bad-value"_s);
    QCOMPARE(f.engine().setSetting(u"gpu.keepHours"_s, QJsonArray{u"0 noon"_s}).error().code, u"settings.bad-value"_s);
}

void TstGpus::hoursAreKept()
{
    const int hour = QTime::currentTime().hour();
    const QString now = u" %1-%2"_s.arg((hour + 23) % 24).arg((hour + 2) % 24);
    EngineFixture f({{u"gpu.keepHours"_s, QJsonArray{QString(u'0' + now), QString(u"local:1"_s + now)}}});
    const FakeGpus gpus(f);
    QVERIFY(f.open());
    const QString uuid = f.submit(job("late", tells, 1));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code)); // possible, only not now
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.reason == u"wait.gpu"_s; }));
    const QJsonValue figures = f.job(uuid).reasonArgs.value(u"hosts").toArray().at(0);
    QCOMPARE(figures[u"hours"].toInt(), 2);
    QCOMPARE(figures[u"until"].toString(), u"%1:00"_s.arg(hour == 22 ? 24 : (hour + 2) % 24, 2, 10, QChar(u'0')));
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, u"hours"_s);
    // Every hour of the day is kept: what would need it cannot wait for another one.
    QVERIFY(f.engine().setSetting(u"gpu.keepHours"_s, QJsonArray{u"0 0-24"_s, QString(u'1' + now)}));
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, u"excluded"_s);
    QVERIFY(f.submit(job("both", tells, 2)).isEmpty());
    QCOMPARE(f.error().code, u"refuse.gpu"_s);
    QVERIFY(f.engine().setSetting(u"gpu.keepHours"_s, QJsonArray{u"0 0-24"_s, u"1 0-12"_s, u"1 12-24"_s}));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.reason == u"refuse.gpu"_s; }));
    // Another hour of the day.
    QVERIFY(
        f.engine().setSetting(u"gpu.keepHours"_s, QJsonArray{u"0 0-24"_s, u"1 %1:00-%1:30"_s.arg((hour + 2) % 23)}));
    QVERIFY(f.waitForEnd(uuid));
    QVERIFY(f.output(uuid, u"main"_s, 0).contains("cuda=[1]"));
}

void TstGpus::shared()
{
    EngineFixture f({{u"gpu.share"_s, true}});
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const auto part = [](const QByteArray &name, int memoryMiB) -> QByteArray {
        return job(name,
                   {"echo cuda=[$CUDA_VISIBLE_DEVICES] part=[$TRAINYARD_GPU_MEMORY_MB]",
                       "while [ ! -e go-" + name + " ]; do sleep 0.05; done"},
                   1)
            + "extras: {trainyard: {gpuMemoryMB: {main: " + QByteArray::number(memoryMiB) + "}}}\n";
    };
    const auto let = [&](const char *name) {
        QFile go(f.path(u"work/go-"_s + QLatin1StringView(name)));
        return go.open(QIODevice::WriteOnly);
    };
    const auto runs = [&](const QString &uuid) {
        return f.waitFor(uuid, [](const JobSummary &j) { return j.state == State::Running; });
    };
    const QString one = f.submit(part("one", 5000));
    QVERIFY2(!one.isEmpty(), qPrintable(f.error().code));
    const QString two = f.submit(part("two", 3000));
    const QString three = f.submit(part("three", 6000));
    QVERIFY(runs(one) && runs(two) && runs(three));
    QCOMPARE(f.task(one, u"main"_s, 0).gpus, (QList<int>{0}));
    QCOMPARE(f.task(two, u"main"_s, 0).gpus, (QList<int>{0}));
    QCOMPARE(f.task(three, u"main"_s, 0).gpus, (QList<int>{1}));
    const GpuInfo first = f.engine().hosts().first().gpus.first();
    QCOMPARE(first.promisedMiB, 8000);
    QCOMPARE(first.jobs, (QList<qint64>{f.job(one).id, f.job(two).id}));
    QVERIFY(!first.foreign);
    const QString four = f.submit(part("four", 2500));
    QVERIFY(f.waitFor(four, [](const JobSummary &j) { return j.reason == u"wait.gpu-memory"_s; }));
    QCOMPARE(f.job(four).reasonArgs.value(u"freeMiB").toInt(), 8192 - 6000);
    // What is shared survives the engine, and is given back once.
    f.close();
    QVERIFY(f.open());
    QVERIFY(runs(one) && runs(two) && runs(three));
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().promisedMiB, 8000);
    QCOMPARE(f.job(four).state, State::Waiting);
    QVERIFY(let("two"));
    QVERIFY(f.waitForEnd(two));
    QVERIFY(runs(four));
    QCOMPARE(f.task(four, u"main"_s, 0).gpus, (QList<int>{0}));
    QVERIFY(let("one") && let("three") && let("four"));
    QVERIFY(f.waitForEnd(one) && f.waitForEnd(three) && f.waitForEnd(four));
    QVERIFY2(f.output(four, u"main"_s, 0).contains("cuda=[0] part=[2500]"), f.output(four, u"main"_s, 0).constData());
    // Who says nothing has them for itself, and too much is refused.
    const QString alone = f.submit(job("alone", {"echo part=[${TRAINYARD_GPU_MEMORY_MB-unset}]"}, 2));
    QVERIFY(f.waitForEnd(alone));
    QVERIFY(f.output(alone, u"main"_s, 0).contains("part=[unset]"));
    QVERIFY(f.submit(part("huge", 9000)).isEmpty());
    QCOMPARE(f.error().code, u"refuse.gpu-memory"_s);
    QCOMPARE(f.job(one).retries + f.job(two).retries + f.job(three).retries + f.job(four).retries, 0);
}

// skuType binds where a host has such GPUs; where none has, the job runs and that is said.
void TstGpus::ofAType()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("gpus",
        "0, " + gpus.uuid(0) + ", Tesla K80, 8192, 1, 0, 30, 10.0\n1, " + gpus.uuid(1)
            + ", Tesla V100-SXM2-16GB, 16384, 1, 0, 30, 10.0\n");
    QVERIFY(f.open());
    const auto ask = [&](const QByteArray &name, const QByteArray &command, const QByteArray &type) {
        SubmitRequest request;
        request.yaml
            = job(name, {command}, 1) + "extras: {hivedScheduler: {taskRoles: {main: {skuType: " + type + "}}}}\n";
        return request;
    };
    const Result<SubmitReply> first
        = f.engine().submit(ask("first", "echo cuda=[$CUDA_VISIBLE_DEVICES]; sleep 600", "v100"));
    QVERIFY(first);
    QVERIFY(first->notes.isEmpty());
    QVERIFY(f.waitFor(first->uuid, [](const JobSummary &j) { return j.state == State::Running; }));
    QTRY_VERIFY(f.output(first->uuid, u"main"_s, 0).contains("cuda=[1]"));
    // The other one is free, and not what it wants.
    const Result<SubmitReply> second = f.engine().submit(ask("second", "true", "V100"));
    QVERIFY(second);
    QVERIFY(f.waitFor(second->uuid, [](const JobSummary &j) {
        return j.state == State::Waiting && j.reason == u"wait.gpu-type"_s
            && j.reasonArgs.value("type"_L1).toString() == u"V100"_s;
    }));
    const Result<SubmitReply> third = f.engine().submit(ask("third", "echo cuda=[$CUDA_VISIBLE_DEVICES]", "NC24"));
    QVERIFY(third);
    QCOMPARE(third->notes.size(), 1);
    QCOMPARE(third->notes.first().code, u"gpu.type-nowhere"_s);
    QCOMPARE(third->notes.first().args.value("names"_L1).toString(), u"Tesla K80, Tesla V100-SXM2-16GB"_s);
    QVERIFY(f.waitForEnd(third->uuid)); // though it stands behind one that waits
    QVERIFY(f.output(third->uuid, u"main"_s, 0).contains("cuda=[0]"));
    QCOMPARE(f.job(second->uuid).state, State::Waiting);
    QVERIFY(f.engine().stop(first->uuid));
    QVERIFY(f.waitForEnd(second->uuid));
    QCOMPARE(f.job(second->uuid).state, State::Succeeded);
    SubmitRequest two = ask("two", "true", "V100");
    two.yaml.replace("gpu: 1", "gpu: 2");
    const Result<SubmitReply> refused = f.engine().submit(two);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, u"refuse.gpu-type"_s);
    const Result<PlanReply> plan = f.engine().plan(ask("plan", "true", "NC24"));
    QVERIFY(plan);
    QCOMPARE(plan->notes.size(), 1);
}

void TstGpus::mig()
{
    EngineFixture f;
    FakeGpus gpus(f);
    // Divided ones tell no load; the second is whole.
    gpus.set("gpus", "0, " + gpus.uuid(0) + ", NVIDIA H100, 81559, 87, [N/A], 30, 70.0\n" + gpus.row(1, 1, 0));
    const QByteArray first = "MIG-" + gpus.uuid(8);
    const QByteArray second = "MIG-" + gpus.uuid(9);
    gpus.set("list",
        "GPU 0: NVIDIA H100 (UUID: " + gpus.uuid(0) + ")\n  MIG 1g.10gb     Device  0: (UUID: " + first
            + ")\n  MIG 1c.3g.40gb  Device  1: (UUID: " + second + ")\nGPU 1: Fake (UUID: " + gpus.uuid(1) + ")\n");
    QVERIFY(f.open());
    const QList<GpuInfo> found = f.engine().hosts().first().gpus;
    QCOMPARE(found.size(), 3);
    QCOMPARE(found.at(0).index, 1);
    QCOMPARE(found.at(1).index, 100);
    QCOMPARE(found.at(1).name, u"NVIDIA H100 MIG 1g.10gb"_s);
    QCOMPARE(found.at(1).memoryMiB, 9536);
    QCOMPARE(found.at(2).index, 101);
    QCOMPARE(found.at(2).memoryMiB, 38146);
    QCOMPARE(found.at(2).uuid, QString::fromUtf8(second));
    // Figures of the GPU that go on do not bring it back.
    gpus.set("gpus", "0, " + gpus.uuid(0) + ", NVIDIA H100, 81559, 99, [N/A], 30, 70.0\n" + gpus.row(1, 77, 0));
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().memoryUsedMiB, 77);
    QCOMPARE(f.engine().hosts().first().gpus.size(), 3);
    const auto with = [](const QByteArray &name, int memoryMiB) -> QByteArray {
        return job(name, tells, 1) + "extras: {trainyard: {gpuMemoryMB: " + QByteArray::number(memoryMiB) + "}}\n";
    };
    const QString large = f.submit(with("large", 20000));
    QVERIFY2(!large.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(large));
    QVERIFY2(f.output(large, u"main"_s, 0).contains(QByteArray("cuda=[" + second + "]")),
        f.output(large, u"main"_s, 0).constData());
    QVERIFY(f.submit(with("huge", 80000)).isEmpty()); // the whole one is not there
    QCOMPARE(f.error().args.value(u"mostMiB").toInt(), 38146);
    // Somebody on the divided one: nobody knows where.
    gpus.use({0});
    const QString one = f.submit(job("one", tells, 1));
    QVERIFY(f.waitForEnd(one));
    QVERIFY(f.output(one, u"main"_s, 0).contains("cuda=[1]"));
    const QString holds = f.submit(job("holds", {"sleep 600"}, 1));
    QVERIFY(f.waitFor(holds, [](const JobSummary &j) { return j.state == State::Running; }));
    const QString next = f.submit(job("next", {"sleep 600"}, 1));
    QVERIFY(f.waitFor(next, [](const JobSummary &j) { return j.reason == u"wait.gpu"_s; }));
    // CUDA would show a task with two of them only one instance.
    QVERIFY(f.submit(job("two", {"sleep 600"}, 2)).isEmpty());
    QCOMPARE(f.error().code, u"refuse.gpu"_s);
    QCOMPARE(f.error().args.value(u"most").toInt(), 1);
}

// MIG is on, and nobody has made instances: the driver lists the GPU, and nothing can run on it.
void TstGpus::migWithoutInstances()
{
    EngineFixture f;
    FakeGpus gpus(f);
    gpus.set("gpus",
        "0, " + gpus.uuid(0) + ", NVIDIA H100, 81559, 0, [N/A], 30, 70.0\n1, " + gpus.uuid(1)
            + ", Old, 8192, 0, [N/A], 30, 70.0\n");
    gpus.set("list", "GPU 0: NVIDIA H100 (UUID: " + gpus.uuid(0) + ")\nGPU 1: Old (UUID: " + gpus.uuid(1) + ")\n");
    gpus.set("mode", gpus.uuid(0) + ", Enabled\n" + gpus.uuid(1) + ", [N/A]\n");
    QVERIFY(f.open());
    const QList<GpuInfo> found = f.engine().hosts().first().gpus;
    QCOMPARE(found.size(), 2);
    QCOMPARE(found.at(0).kept, u"mig"_s);
    QCOMPARE(found.at(1).kept, QString()); // it only tells no load
    const QString one = f.submit(job("one", tells, 1));
    QVERIFY2(!one.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitForEnd(one));
    QVERIFY2(f.output(one, u"main"_s, 0).contains("cuda=[1]"), f.output(one, u"main"_s, 0).constData());
    QVERIFY(f.submit(job("two", tells, 2)).isEmpty());
    QCOMPARE(f.error().args.value("most"_L1).toInt(), 1);
    // Figures that go on do not offer it; a new look after it was switched off does.
    gpus.set("gpus",
        "0, " + gpus.uuid(0) + ", NVIDIA H100, 81559, 5, [N/A], 30, 70.0\n1, " + gpus.uuid(1)
            + ", Old, 8192, 7, [N/A], 30, 70.0\n");
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().gpus.at(1).memoryUsedMiB, 7, 60000);
    QCOMPARE(f.engine().hosts().first().gpus.at(0).kept, u"mig"_s);
    gpus.set("mode", gpus.uuid(0) + ", Disabled\n" + gpus.uuid(1) + ", [N/A]\n");
    QVERIFY(f.engine().checkHost(u"local"_s));
    QTRY_COMPARE_WITH_TIMEOUT(f.engine().hosts().first().gpus.at(0).kept, QString(), 60000);
    QTRY_VERIFY(!f.submit(job("both", tells, 2)).isEmpty());
}

void TstGpus::leftMemoryIsNamed()
{
    EngineFixture f({{u"stop.gpuSeconds"_s, 2}, {u"stop.graceSeconds"_s, 1}, {u"gpu.foreignMemoryMiB"_s, 0}});
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const auto stopped = [&](const QByteArray &name, const QByteArray &rowsAtEnd, const QList<int> &holders) {
        gpus.set("gpus", gpus.row(0, 100, 0) + gpus.row(1, 100, 0));
        const QString uuid = f.submit(job(name, {"echo here", "sleep 600"}, 1));
        if (!f.waitFor(uuid, [](const JobSummary &j) { return j.state == State::Running; })) {
            return QString();
        }
        gpus.set("gpus", gpus.row(0, 5000, 80) + gpus.row(1, 100, 0));
        gpus.use(holders);
        f.engine().stop(uuid);
        gpus.set("gpus", rowsAtEnd);
        const bool ended = f.waitForEnd(uuid);
        gpus.use({});
        return ended ? uuid : QString();
    };
    // It falls: nothing to say, and no waiting for what was there before.
    const QString good = stopped("good", gpus.row(0, 101, 0) + gpus.row(1, 100, 0), {});
    QCOMPARE(f.job(good).state, State::Stopped);
    QVERIFY(f.task(good, u"main"_s, 0).usage.left.isEmpty());
    QCOMPARE(f.task(good, u"main"_s, 0).reason, QString());
    // It does not, and nobody is to be seen.
    const QString bad = stopped("bad", gpus.row(0, 4000, 0) + gpus.row(1, 6000, 0), {});
    QCOMPARE(f.job(bad).state, State::Stopped);
    const TaskInfo task = f.task(bad, u"main"_s, 0);
    QCOMPARE(task.reason, u"left.gpu-unknown"_s);
    QCOMPARE(task.reasonArgs, (QJsonObject{{u"gpu"_s, 0}, {u"memoryMiB"_s, 3900}, {u"processes"_s, QString()}}));
    QCOMPARE(task.usage.left.value(u"gpus").toArray().size(), 1); // the other one is not its own
    QCOMPARE(f.job(bad).reason, u"left.gpu-unknown"_s);
    QCOMPARE(f.job(bad).reasonArgs.value(u"role").toString(), u"main"_s);
    // The next job gets another one until it is given back.
    QTRY_VERIFY(f.engine().hosts().first().gpus.first().foreign);
    const QString next = f.submit(job("next", tells, 1));
    QVERIFY(f.waitForEnd(next));
    QVERIFY(f.output(next, u"main"_s, 0).contains("cuda=[1]"));
    gpus.set("gpus", gpus.row(0, 100, 0) + gpus.row(1, 100, 0));
    QTRY_VERIFY(!f.engine().hosts().first().gpus.first().foreign);
    // Somebody is: this test.
    const QString named = stopped("named", gpus.row(0, 4000, 0) + gpus.row(1, 100, 0), {0});
    const QString who = QString::number(::getpid()) + u' ';
    QCOMPARE(f.task(named, u"main"_s, 0).reason, u"left.gpu"_s);
    QVERIFY(f.task(named, u"main"_s, 0).reasonArgs.value(u"processes").toString().startsWith(who));
    // It is written down.
    f.close();
    QVERIFY(f.open());
    QCOMPARE(f.task(named, u"main"_s, 0).usage.left.value(u"gpus").toArray().at(0)[u"memoryMiB"].toInt(), 3900);
    QCOMPARE(f.job(named).reason, u"left.gpu"_s);
}

// The driver tells only the kernel's log what happened to the GPU of a task.
void TstGpus::kernelSaysWhatHappened()
{
    EngineFixture f;
    FakeGpus gpus(f);
    const auto write = [&f](const QString &name, const QByteArray &text) {
        QFile file(f.path(name));
        QVERIFY(QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    for (const int index : {0, 1}) {
        write(u"gpus/0000:%1b:00.0/information"_s.arg(index + 1), "Model: Fake\nGPU UUID: " + gpus.uuid(index) + '\n');
    }
    const QByteArray error = "0): 31, pid=7, name=python, Ch 00000008\n";
    write(u"kmsg"_s, "4,1,17,-;NVRM: Xid (PCI:0000:1b:0" + error); // long ago
    qputenv("TRAINYARD_NVIDIA_GPUS", f.path(u"gpus"_s).toUtf8());
    qputenv("TRAINYARD_KERNEL_LOG", f.path(u"kmsg"_s).toUtf8());
    const auto restore = qScopeGuard([] {
        qunsetenv("TRAINYARD_NVIDIA_GPUS");
        qunsetenv("TRAINYARD_KERNEL_LOG");
    });
    QVERIFY(f.open());
    const auto happens = [&](const char *place, const char *xid) -> QByteArray {
        return "echo \"4,2,$(sed 's/[.]\\([0-9]*\\) .*/\\10000/' /proc/uptime),-;NVRM: Xid (PCI:0000:"
            + QByteArray(place) + ":00): " + xid + ", pid=7\" >> " + f.path(u"kmsg"_s).toUtf8();
    };
    const QString other = f.submit(job("other", {happens("2b", "13"), "echo on the other GPU", "exit 1"}, 1));
    QVERIFY(f.waitForEnd(other));
    QCOMPARE(f.task(other, u"main"_s, 0).reason, u"exit.user"_s);
    // A check on the GPU failed: the driver says so, and the program says more.
    const QString check = f.submit(job("check",
        {happens("1b", "43"), "echo 'RuntimeError: CUDA error: device-side assert triggered' >&2", "exit 1"}, 1));
    QVERIFY(f.waitForEnd(check));
    const QJsonObject why = f.task(check, u"main"_s, 0).reasonArgs.value("failure"_L1).toObject();
    QCOMPARE(why.value("cause"_L1).toString(), u"device-assert"_s);
    // It says nothing more.
    const QString silent = f.submit(job("silent", {happens("1b", "31"), "exit 1"}, 1));
    QVERIFY(f.waitForEnd(silent));
    QVERIFY(f.task(silent, u"main"_s, 0).reasonArgs.value("reason"_L1).toString().contains("Xid 31"_L1));
    QVERIFY(!f.task(silent, u"main"_s, 0).reasonArgs.contains("failure"_L1));
    // It fell off the bus: that is not the task's fault, and its next try gets another one.
    const QString broken
        = f.submit(job("broken", {"[ ! -e lost ] || exit 0", "touch lost", happens("1b", "79"), "exit 1"}, 1));
    QVERIFY(f.waitForEnd(broken));
    QCOMPARE(f.job(broken).state, State::Succeeded);
    QCOMPARE(f.task(broken, u"main"_s, 0).gpus, QList<int>{1});
    QCOMPARE(f.engine().hosts().first().gpus.first().kept, u"lost"_s);
    const TaskInfo task = f.task(broken, u"main"_s, 0, 0);
    QCOMPARE(task.gpus, QList<int>{0});
    QCOMPARE(task.exitCode, std::optional<int>(-1205));
    QCOMPARE(task.reason, u"exit.found"_s);
    QCOMPARE(task.reasonArgs.value(u"finding"_s).toString(), u"xid"_s);
    QVERIFY(task.reasonArgs.value(u"reason"_s).toString().contains("Xid 79"_L1));
    const QByteArray said = "said of " + gpus.uuid(0) + ": NVRM: Xid (PCI:0000:1b:00): 79, pid=7";
    QVERIFY(EngineFixture::contents(task.logFolder + u"/runtime.log"_s).contains(said));
}

void TstGpus::useIsRecorded()
{
    EngineFixture f;
    FakeGpus gpus(f);
    QVERIFY(f.open());
    const QString uuid = f.submit(job("busy", {"while [ ! -e go ]; do sleep 0.05; done"}, 1));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.state == State::Running; }));
    gpus.set("gpus", gpus.row(0, 5000, 80) + gpus.row(1, 7000, 10));
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().memoryUsedMiB, 5000);
    gpus.set("gpus", gpus.row(0, 3000, 80) + gpus.row(1, 7000, 10));
    QTRY_COMPARE(f.engine().hosts().first().gpus.first().memoryUsedMiB, 3000);
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid));
    const TaskUsage usage = f.task(uuid, u"main"_s, 0).usage;
    QCOMPARE(usage.peakGpuMemoryMiB, std::optional<qint64>(5000)); // of its own GPU
    QVERIFY(usage.gpuPercent.value_or(-1) > 0 && usage.gpuPercent.value_or(-1) <= 80);
}

void TstGpus::amd()
{
    EngineFixture f;
    QDir().mkpath(f.path(u"bin"_s));
    const auto write = [&](const QString &name, const QByteArray &text) {
        QDir().mkpath(QFileInfo(f.path(name)).path());
        QFile file(f.path(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text);
    };
    const QByteArray id = QByteArray::number(qint64(::getpid()), 16);
    for (const int card : {0, 1, 10, 2}) {
        const QString device = u"sys/class/drm/card%1/device/"_s.arg(card);
        write(device + u"vendor"_s, card == 1 ? "0x10de\n" : "0x1002\n"); // one of another maker
        write(device + u"mem_info_vram_total"_s, "17163091968\n");
        write(device + u"mem_info_vram_used"_s, "1048576000\n");
        write(device + u"gpu_busy_percent"_s, "42\n");
        write(device + u"unique_id"_s, id + QByteArray::number(card) + '\n');
    }
    QDir().mkpath(f.path(u"sys/class/drm/card0-DP-1"_s)); // a connector
    // Not a real nvidia-smi, should this computer have one.
    write(u"bin/nvidia-smi"_s, "#!/bin/sh\necho NVIDIA-SMI has failed\nexit 9\n");
    QFile::setPermissions(f.path(u"bin/nvidia-smi"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", f.path(u"bin:"_s).toUtf8() + path);
    qputenv("TRAINYARD_SYSFS", f.path(u"sys"_s).toUtf8());
    const auto restore = qScopeGuard([&] {
        qputenv("PATH", path);
        qunsetenv("TRAINYARD_SYSFS");
    });
    QVERIFY(f.open());
    const QList<GpuInfo> gpus = f.engine().hosts().first().gpus;
    QCOMPARE(gpus.size(), 3);
    QCOMPARE(gpus.at(0).memoryMiB, 16368);
    QCOMPARE(gpus.at(0).memoryUsedMiB, 1000);
    QCOMPARE(gpus.at(0).utilPercent, 42);
    QVERIFY(gpus.at(1).uuid.endsWith(u'2') && gpus.at(2).uuid.endsWith(u"10"_s)); // in the order of their numbers
    const QString two = f.submit(job("two", tells, 2));
    QVERIFY(f.waitForEnd(two));
    QVERIFY2(f.output(two, u"main"_s, 0).contains("cuda=[0,1] hip=[0,1]"), f.output(two, u"main"_s, 0).constData());
    const QString none = f.submit(job("none", tells, 0));
    QVERIFY(f.waitForEnd(none));
    QVERIFY(f.output(none, u"main"_s, 0).contains("cuda=[] hip=[-1]"));
}

void TstGpus::fullDiskHoldsTheQueue()
{
    EngineFixture f({{u"disk.warnMiB"_s, 1073741824}, {u"disk.holdMiB"_s, 1024}});
    QDir().mkpath(f.path(u"state"_s));
    const QByteArray folder = QFile::encodeName(f.path(u"state"_s));
    SKIP_UNLESS_MOUNTED(::mount("none", folder.constData(), "tmpfs", 0, "size=200m,mode=0700"));
    const auto unmount = qScopeGuard([&] {
        f.close();
        ::umount2(folder.constData(), MNT_DETACH);
    });
    QFile ballast(f.path(u"state/ballast"_s));
    QVERIFY(ballast.open(QIODevice::WriteOnly));
    QCOMPARE(ballast.write(QByteArray(192 << 20, 'x')), qint64(192 << 20));
    QVERIFY(ballast.flush());
    QVERIFY(f.open());
    QTRY_VERIFY(f.engine().hosts().first().diskFreeMiB >= 0);
    const HostInfo host = f.engine().hosts().first();
    QVERIFY(host.diskLow);
    QCOMPARE(host.hold, u"wait.disk"_s);
    const QString uuid = f.submit(job("held", {"echo ran"}, 0));
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &j) { return j.reason == u"wait.disk"_s; }));
    QCOMPARE(f.job(uuid).reasonArgs.value(u"host").toString(), u"local"_s);
    QVERIFY(ballast.resize(0)); // somebody made room
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QVERIFY(f.engine().hosts().first().hold.isEmpty());
}

TRAINYARD_TEST(TstGpus)
#include "tst_gpus.moc"
