// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine costs while nothing happens: daemon and agent beside `top`, which looks each second too. nvidia-smi
// is a stand-in that tells of four GPUs each second; its own time is not ours and not counted. Then the way of a task's
// output to the disk, beside `cat`.
#include "tests/bench/benchengine.h"

#include <signal.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr char fakeSmi[] = R"(#!/bin/bash
gpus() { for i in 0 1 2 3; do echo "$i, GPU-$i, Fake GPU, 24576, 1$i, $((SECONDS % 100)), 40, 30.5"; done; }
case "$*" in
  *compute-apps*) exit;;
  *-lms*) while gpus; do read -t 1 < <(:) || sleep 1; done;;
  *) gpus;;
esac
)";

bool idle(const QString &where, int seconds)
{
    BenchEngine engine(where);
    std::printf("\n== idle for %d s, four GPUs sampled each second, a client watches ==\n", seconds);
    BenchEngine::load();
    QDir().mkpath(engine.path(u"bin"_s));
    const QString smi = engine.write(u"bin/nvidia-smi"_s, fakeSmi);
    QFile::setPermissions(smi, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("PATH", QFile::encodeName(engine.path(u"bin"_s)) + ":" + qgetenv("PATH"));
    EngineClient client;
    if (!BenchEngine::connectClient(client)) {
        qFatal("no engine");
    }
    int samples = 0;
    QObject::connect(&client, &EngineClient::hostChanged, &client, [&samples] { ++samples; });
    const bool seen = BenchEngine::waitUntil(
        [&] { return samples > 2 && !client.hosts().isEmpty() && client.hosts().constFirst().gpus.size() == 4; },
        20000);
    if (!seen) {
        qFatal("the GPUs are not seen");
    }
    const QList<qint64> daemon = BenchEngine::processes("trainyardd");
    const QList<qint64> agent = BenchEngine::processes("trainyard-agent");
    QProcess top;
    top.setStandardOutputFile(QProcess::nullDevice());
    top.start(u"top"_s, {u"-b"_s, u"-d"_s, u"1"_s});
    top.waitForStarted();
    const auto spent = [&] {
        double ms = 0;
        for (const qint64 pid : daemon + agent) {
            // Without children: nvidia-smi is none of ours.
            const QByteArray text = BenchEngine::contents(u"/proc/%1/schedstat"_s.arg(pid));
            ms += text.split(' ').constFirst().toDouble() / 1e6;
        }
        return ms;
    };
    const auto ofTop = [&top] {
        return BenchEngine::contents(u"/proc/%1/schedstat"_s.arg(top.processId())).split(' ').constFirst().toDouble()
            / 1e6;
    };
    samples = 0;
    const double before = spent(), topBefore = ofTop();
    QElapsedTimer clock;
    clock.start();
    BenchEngine::waitUntil([&] { return clock.elapsed() >= seconds * 1000; }, seconds * 2000);
    const double wall = double(clock.nsecsElapsed()) / 1e6;
    const double ours = (spent() - before) / wall * 100, tops = (ofTop() - topBefore) / wall * 100;
    top.terminate();
    top.waitForFinished();
    std::printf("%d samples arrived; top -d 1: %.2f %% of a core\n", samples, tops);
    if (samples < seconds * 8 / 10) {
        std::printf("the GPUs were not sampled each second: the figure means nothing\n");
        return false;
    }
    return figure("daemon and agent, of a core", ours, "%", 0.5);
}

bool output(const QString &where, int mebibytes, int rounds)
{
    BenchEngine engine(where);
    std::printf("\n== %d MiB of output in lines of 100 bytes, median of %d rounds ==\n", mebibytes, rounds);
    BenchEngine::load();
    const qint64 bytes = qint64(mebibytes) << 20;
    const QString source = engine.path(u"source"_s);
    {
        QFile file(source);
        const QByteArray line = QByteArray(99, 'x') + '\n';
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("cannot write");
        }
        const QByteArray block = line.repeated(10000);
        for (qint64 at = 0; at < bytes; at += block.size()) {
            file.write(block);
        }
    }
    const qint64 size = QFileInfo(source).size();
    engine.write(u"out.yaml"_s,
        "protocolVersion: 2\nname: out\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\n"
        "taskRoles:\n  t:\n    instances: 1\n    dockerImage: none\n"
        "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands:\n"
        "      - 'a=$(date +%s%N); cat "
            + QFile::encodeName(source) + "; echo $(( $(date +%s%N) - a )) > "
            + QFile::encodeName(engine.path(u"took"_s)) + "'\n");
    BenchEngine::ctl({u"ps"_s});
    std::vector<double> cats, keepers;
    bool whole = true;
    for (int round = 0; round < rounds; ++round) {
        ::sync(); // what lies before has been written: nobody waits for another's pages
        QProcess cat;
        cat.start(u"bash"_s,
            {u"-c"_s,
                u"a=$(date +%s%N); cat %1 | cat > %2; echo $(( $(date +%s%N) - a )) > %3"_s.arg(
                    source, engine.path(u"copy%1"_s.arg(round)), engine.path(u"took"_s))});
        cat.waitForFinished(-1);
        const double mib = double(size) / (1 << 20);
        cats.push_back(mib / (BenchEngine::contents(engine.path(u"took"_s)).toDouble() / 1e9));
        QFile::remove(engine.path(u"copy%1"_s.arg(round)));
        ::sync();
        BenchEngine::ctl({u"run"_s, engine.path(u"out.yaml"_s), u"--wait"_s});
        keepers.push_back(mib / (BenchEngine::contents(engine.path(u"took"_s)).toDouble() / 1e9));
        QByteArray shown;
        BenchEngine::ctl({u"show"_s, u"out"_s, u"--json"_s, u"--tasks"_s}, &shown);
        const QDir state(qEnvironmentVariable("XDG_STATE_HOME") + u"/trainyard"_s);
        const QDir runs(state.filePath(state.entryList(QDir::Dirs | QDir::NoDotAndDotDot).constFirst()) + u"/runs"_s);
        const QString job = runs.filePath(runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name).constLast());
        whole = whole && QFileInfo(job + u"/0/t-0/0/output.log"_s).size() == size;
        QFile::remove(job + u"/0/t-0/0/output.log"_s);
        std::printf("round %d: cat %.0f MiB/s, keeper %.0f MiB/s\n", round + 1, cats.back(), keepers.back());
        std::fflush(stdout);
    }
    if (!whole) {
        std::puts("BYTES ARE MISSING");
    }
    return figure("the keeper, of `cat | cat > file`", BenchEngine::median(keepers) / BenchEngine::median(cats), "",
               0.6, false)
        && whole;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    int seconds = 30, mebibytes = 512, rounds = 5;
    QString where = u"/var/tmp"_s;
    const QStringList words = QCoreApplication::arguments();
    for (qsizetype i = 1; i < words.size(); i += 2) {
        const QString value = words.value(i + 1);
        if (words.at(i) == "--seconds"_L1) {
            seconds = value.toInt();
        } else if (words.at(i) == "--mebibytes"_L1) {
            mebibytes = value.toInt();
        } else if (words.at(i) == "--rounds"_L1) {
            rounds = qMax(1, value.toInt());
        } else if (words.at(i) == "--folder"_L1) {
            where = value;
        } else {
            std::puts("Usage: bench_idle [--seconds N] [--mebibytes N] [--rounds N] [--folder DIR]    0 leaves a part "
                      "out\nExit status 1 when a figure is missed.");
            return words.at(i) == "--help"_L1 ? 0 : 2;
        }
    }
    bool good = seconds <= 0 || idle(where, seconds);
    good = (mebibytes <= 0 || output(where, mebibytes, rounds)) && good;
    return good ? 0 : 1;
}
