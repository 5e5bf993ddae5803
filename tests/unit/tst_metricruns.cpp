// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/filereader.h"
#include "engine/metricfiles/runs.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/metricwriters.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <utime.h>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace metricwriters;

// Which files are metrics, and which ones belong to one run.
class TstMetricRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recognized_data();
    void recognized();
    void onlySeen();
    void runs();
    void newestState();
    void notFollowed();
    void chosenParts();
    void manyEntries();
    void unreadable();
};

namespace
{

void put(const QTemporaryDir &folder, const QString &name, const QByteArray &bytes)
{
    const QString path = folder.filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qFatal("cannot write");
    }
}

// "run: file file"
QStringList shownRuns(const metricfiles::FoundRuns &found, const QTemporaryDir &folder)
{
    QStringList lines;
    for (const metricfiles::FoundRun &run : found.runs) {
        QString line = QString::fromStdString(run.name) + u':';
        for (const metricfiles::RunFile &file : run.files) {
            line += u' ' + QDir(folder.path()).relativeFilePath(QString::fromStdString(file.path));
        }
        lines.append(line);
    }
    return lines;
}

metricfiles::FoundRuns runsBelow(const QTemporaryDir &folder)
{
    return metricfiles::findRuns(folder.path().toStdString());
}

} // namespace

void TstMetricRuns::recognized_data()
{
    using metricfiles::Format;
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("named");
    QTest::addColumn<int>("found");
    const auto row = [](const char *path, const QByteArray &head, Format named, Format found) {
        QTest::addRow("%s %lld %s", path, qlonglong(head.size()), head.left(12).toHex().constData())
            << QByteArray(path) << head << int(named) << int(found);
    };
    const QByteArray events = eventFileHead(), wandb = wandbHead();
    row("a/events.out.tfevents.1.h", {}, Format::EventFile, Format::EventFile);
    row("a/odd.name", events, Format::EventFile, Format::None);
    row("a/run-x.wandb", {}, Format::WandbFile, Format::WandbFile);
    row("a/odd.name", wandb, Format::WandbFile, Format::None);
    row("a/metrics.csv", "step,loss\n1,2\n", Format::Table, Format::Table);
    row("a/any.csv", "step,loss\n1,2\n", Format::Table, Format::Table);
    row("a/any.csv", "id,text\n1,hello\n", Format::Table, Format::None);
    row("a/data.csv", "x,y\n1,2\n", Format::Table, Format::None);
    row("a/words.csv", "step,a,b,c\nx,y,z,1\n", Format::Table, Format::None);
    row("a/any.txt", "step,loss\n1,2\n", Format::Table, Format::None);
    row("a/any.txt", "Hello, world\nhow are you\n", Format::None, Format::None);
    row("a/any.txt", "", Format::None, Format::None);
    row("a/log.jsonl", "{\"step\": 1, \"loss\": 2}\n", Format::JsonLines, Format::JsonLines);
    row("a/data.jsonl", "{\"text\": \"hello\", \"id\": 2}\n", Format::JsonLines, Format::None);
    row("a/config.json", "{\n  \"step\": 1\n}\n", Format::None, Format::None);
    row("a/metrics.json", "{\"iteration\": 1, \"loss\": 2}\n", Format::JsonLines, Format::JsonLines);
    row("a/trainer_state.json", "{\n", Format::TrainerState, Format::TrainerState);
    // A checkpoint and the state of a program have a step as well.
    row("a/ckpt.json", "{\"w\": 1.5, \"b\": 0.5, \"step\": 100}\n", Format::JsonLines, Format::None);
    row("a/state.json", "{\"step\": 5, \"rng_seed\": 7, \"tokens_seen\": 9}", Format::JsonLines, Format::None);
    row("a/log.json", "{\"step\": 1, \"loss\": 2}\n\n", Format::JsonLines, Format::None);
    row("a/log.json", "{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"lo", Format::JsonLines, Format::None);
    row("a/log.json", "{\"step\": 1, \"loss\": 2}\n\n{\"step\": 2, \"loss\": 1}\n", Format::JsonLines,
        Format::JsonLines);
    row("a/log.jsonl", "{\"step\": 1, \"loss\": 2}\n", Format::JsonLines, Format::JsonLines);
    row("a/log.txt", "{\"epoch\": 0, \"train_loss\": 2}\n{\"epoch\": 1, \"train_loss\": 1}\n", Format::JsonLines,
        Format::JsonLines);
    row("a/log.txt", "{\"epochs\": 10, \"lr\": 0.1}\nEpoch 1 loss 0.5\n", Format::JsonLines, Format::None);
    row("a/log.txt", "step,loss\n1,2\n", Format::Table, Format::None);
    row("a/state.json", "{\n \"log_history\": [\n", Format::TrainerState, Format::None);
    const QByteArray sacred = "{\n  \"loss\": {\n    \"steps\": [\n      0\n    ],\n    \"timestamps\": [\n      "
                              "\"2024-03-01T12:00:00\"\n    ],\n    \"values\": [\n      2.5\n    ]\n  }\n}";
    row("runs/1/metrics.json", sacred, Format::SacredMetrics, Format::SacredMetrics);
    row("runs/1/metrics.json", sacred.simplified(), Format::SacredMetrics, Format::SacredMetrics);
    row("runs/1/other.json", sacred, Format::SacredMetrics, Format::None);
    row("runs/1/metrics.json", "{}", Format::JsonLines, Format::None);
    row("runs/1/metrics.json", "{\"loss\": {\"steps\": 3}}", Format::JsonLines, Format::JsonResults);
    const QByteArray results = "{\n  \"epoch\": 3.0,\n  \"eval\": {\"loss\": 0.21},\n  \"model\": \"tiny\"\n}\n";
    row("a/all_results.json", results, Format::JsonResults, Format::JsonResults);
    row("a/metrics.json", "{\"final_loss\": 0.5}", Format::JsonLines, Format::JsonResults);
    row("a/any.json", results, Format::JsonResults, Format::None);
    row("a/metrics_config.json", results, Format::JsonResults, Format::None);
    row("a/results.json", results.chopped(3), Format::None, Format::None);
    row("a/results.json", results + results, Format::None, Format::None);
    row("a/results.json", "{\n\"loss\": [1, 2]\n}", Format::None, Format::None);
    row("a/results.json", "{\n\"a\": \"x\", \"b\": true, \"loss\": 1\n}", Format::None, Format::None);
    row("a/results.json", "{\n\"step\": 1\n}", Format::None, Format::None);
    // What Trainyard exports itself counts where somebody names it.
    for (const QByteArray head :
        {"Run,Name,lr,dev_wer best,loss,State,Step,Seconds\n#2,one,0.003,4.01,0.2,Succeeded,9,10.1\n",
            "run,name,lr,loss,STATE,seconds,why\n2,one,0.003,0.2,succeeded,10.1,\n",
            "metric,run,step,time,value\nloss,#6,11,2026-11-30T00:35:04.755Z,72.41\n",
            "metric,task,step,time,value\nloss,main/0,11,2026-11-30T00:35:04.755Z,72.41\n",
            "name,step,axis,epoch,value,line,time,task,file\nloss,1,step,,0.5,1,1700000000000,main/0,\n",
            "name,step,axis,epoch,value,line\nloss,1,step,,0.5,1\n",
            "name,step,axis,epoch,value,time,file,run\nloss,1,step,,0.5,,a,b\n",
            "name,time,value,unit,task\ngpu/0/use,1700000000000,50,%,main/0\n",
            "metric,run,step,time,value,trainyard\nloss,#6,11,2026-11-30T00:35:04.755Z,72.41,1\n",
            "Lauf,Name,lr,loss,Schritt,trainyard\n#2,one,0.003,0.2,9,1\n"}) {
        row("a/metrics.csv", head, Format::Table, Format::None);
        row("a/any.csv", head, Format::Table, Format::None);
    }
    const QByteArray line = R"({"name": "loss", "step": 1, "axis": "step", "epoch": null, "value": 0.5, "line": 1)";
    row("a/metrics.jsonl", line + "}\n", Format::JsonLines, Format::None);
    row("a/metrics.json",
        line
            + R"(, "time": 1700000000000, "task": "main/0"})"
              "\n",
        Format::JsonLines, Format::None);
    row("a/runs.csv", "run,name,step,loss,seconds\n1,2,3,0.5,4\n", Format::Table, Format::Table);
    // A program's own tables with such names.
    for (const QByteArray own : {"metric,run,step,time,value\nloss,1,11,1700000000.5,72.41\n",
             "metric,run,step,time,value\n0,1,11,2026-11-30T00:35:04,72.41\n",
             "metric,task,step,time,value,lr\n0,1,11,2026-11-30T00:35:04.755Z,72.41,0.1\n",
             "name,step,axis,epoch,value,loss\n0,1,0,1,0.5,0.25\n", "name,time,value,unit,task,step\n1,1,2,3,4,5\n",
             "name,time,value,unit,task\nloss,1,2,3,4\n", "Run,Name,State,Step,Seconds,loss\n1,2,3,4,5,0.5\n",
             "run,name,STATE,step,seconds\n1,2,3,4,5\n", "trainyard,step,loss\n1,2,0.5\n"}) {
        const bool isNamedCounter = own.contains("step") || own.contains("Step");
        row("a/own.csv", own, Format::Table, isNamedCounter ? Format::Table : Format::None);
    }
    row("mlruns/0/r/metrics/loss", "1700000000000 0.5 1\n", Format::MlflowMetric, Format::MlflowMetric);
    row("mlruns/0/r/metrics/loss", "hello\n", Format::None, Format::None);
    row("a/image.png", "\x89PNG\r\n\x1a\n", Format::None, Format::None);
}

void TstMetricRuns::recognized()
{
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, head);
    const std::string_view name(path.constData(), std::size_t(path.size()));
    const std::string_view bytes(head.constData(), std::size_t(head.size()));
    QTEST(int(metricfiles::recognize(name, bytes)), "named");
    QTEST(metricfiles::canBeMetrics(name) ? int(metricfiles::recognizeFound(name, bytes)) : 0, "found");
}

// A process may have its checkpoint open when its files are looked at.
void TstMetricRuns::onlySeen()
{
    const QTemporaryDir folder;
    const QByteArray first = "{\"step\": 1, \"b\": 2}\n";
    put(folder, u"ckpt.json"_s, first);
    put(folder, u"log.json"_s, first + first);
    const auto isRead = [&folder](const QString &name, bool isOnlySeen) {
        metricfiles::Note problem;
        return metricfiles::FileReader::open(
                   folder.filePath(name).toStdString(), {metricfiles::Format::None, true, false, isOnlySeen}, problem)
            != nullptr;
    };
    QVERIFY(!isRead(u"ckpt.json"_s, true));
    QVERIFY(isRead(u"log.json"_s, true));
    QVERIFY(isRead(u"ckpt.json"_s, false)); // a pattern names it
}

void TstMetricRuns::runs()
{
    QTemporaryDir folder;
    const QByteArray table = "step,loss\n1,2\n";
    put(folder, u"runs/a/events.out.tfevents.2.h"_s, {});
    put(folder, u"runs/a/events.out.tfevents.1.h"_s, {});
    put(folder, u"runs/a/train/events.out.tfevents.1.h"_s, {});
    put(folder, u"lightning_logs/version_0/metrics.csv"_s, table);
    put(folder, u"lightning_logs/version_0/hparams.yaml"_s, "lr: 1\n");
    put(folder, u"both/metrics.csv"_s, table);
    put(folder, u"both/events.out.tfevents.1.h"_s, {});
    put(folder, u"tables/a.csv"_s, table);
    put(folder, u"tables/b.csv"_s, table);
    put(folder, u"wandb/run-20240101_000000-x7/run-x7.wandb"_s, wandbHead());
    put(folder, u"wandb/run-20240101_000000-x7/files/config.yaml"_s, "a: 1\n");
    put(folder, u"mlruns/0/ab/metrics/loss"_s, "1700000000000 0.5 1\n");
    put(folder, u"mlruns/0/ab/metrics/val/acc"_s, "1700000000000 0.5 1\n");
    put(folder, u"mlruns/0/ab/params/lr"_s, "0.1");
    put(folder, u"progress.csv"_s, table);
    const metricfiles::FoundRuns found = runsBelow(folder);
    QVERIFY(found.notes.empty());
    QCOMPARE(shownRuns(found, folder),
        (QStringList{u".: progress.csv"_s, u"both: both/events.out.tfevents.1.h"_s,
            u"both/metrics.csv: both/metrics.csv"_s,
            u"lightning_logs/version_0: lightning_logs/version_0/metrics.csv"_s,
            u"mlruns/0/ab: mlruns/0/ab/metrics/loss mlruns/0/ab/metrics/val/acc"_s,
            u"runs/a: runs/a/events.out.tfevents.1.h runs/a/events.out.tfevents.2.h"_s,
            u"runs/a/train: runs/a/train/events.out.tfevents.1.h"_s, u"tables/a.csv: tables/a.csv"_s,
            u"tables/b.csv: tables/b.csv"_s,
            u"wandb/run-20240101_000000-x7: wandb/run-20240101_000000-x7/run-x7.wandb"_s}));
}

// Each checkpoint has the whole history: the newest one is enough, and after the end the one beside them.
void TstMetricRuns::newestState()
{
    QTemporaryDir folder;
    const auto at = [&folder](const QString &name, long seconds) {
        put(folder, name, "{}");
        const utimbuf times{seconds, seconds};
        QCOMPARE(::utime(folder.filePath(name).toUtf8().constData(), &times), 0);
    };
    at(u"out/checkpoint-90/trainer_state.json"_s, 1000);
    at(u"out/checkpoint-100/trainer_state.json"_s, 1000);
    QCOMPARE(shownRuns(runsBelow(folder), folder), QStringList{u"out: out/checkpoint-100/trainer_state.json"_s});
    at(u"out/trainer_state.json"_s, 2000);
    QCOMPARE(shownRuns(runsBelow(folder), folder), QStringList{u"out: out/trainer_state.json"_s});
    at(u"out/checkpoint-110/trainer_state.json"_s, 3000); // resumed
    QCOMPARE(shownRuns(runsBelow(folder), folder), QStringList{u"out: out/checkpoint-110/trainer_state.json"_s});
}

void TstMetricRuns::notFollowed()
{
    QTemporaryDir outside, folder;
    put(outside, u"secret/x.tfevents"_s, {});
    put(folder, u"a/x.tfevents"_s, {});
    QVERIFY(QFile::link(outside.path(), folder.filePath(u"link"_s)));
    QVERIFY(QFile::link(outside.filePath(u"secret/x.tfevents"_s), folder.filePath(u"y.tfevents"_s)));
    QVERIFY(QFile::link(folder.path(), folder.filePath(u"a/loop"_s)));
    QCOMPARE(::mkfifo(folder.filePath(u"a/fifo.tfevents"_s).toUtf8().constData(), 0600), 0);
    QCOMPARE(::mkfifo(folder.filePath(u"a/fifo.csv"_s).toUtf8().constData(), 0600), 0);
    put(folder, u"1/2/3/4/5/x.tfevents"_s, {});
    put(folder, u"1/2/3/4/5/6/x.tfevents"_s, {});
    const metricfiles::FoundRuns found = runsBelow(folder);
    QCOMPARE(shownRuns(found, folder), (QStringList{u"1/2/3/4/5: 1/2/3/4/5/x.tfevents"_s, u"a: a/x.tfevents"_s}));
    QCOMPARE(found.notes.size(), 3U);
    QVERIFY((found.notes[0] == metricfiles::Note{metricfiles::note::folderOdd, 0, "a/fifo.tfevents"}));
    QVERIFY((found.notes[1] == metricfiles::Note{metricfiles::note::deepFolders, 0, "1"}));
    QVERIFY((found.notes[2] == metricfiles::Note{metricfiles::note::linksLeftOut, 0, "3"}));
}

// What is older, hidden or a database.
void TstMetricRuns::chosenParts()
{
    QTemporaryDir folder;
    put(folder, u"a/x.tfevents"_s, {});
    put(folder, u".git/x.tfevents"_s, {});
    put(folder, u".wandb/run-1/run-1.wandb"_s, {});
    put(folder, u"old/x.tfevents"_s, {});
    put(folder, u"trackio/p.db"_s, {});
    put(folder, u"other/p.db"_s, {});
    put(folder, u"mlflow.db"_s, {});
    const utimbuf times{1000, 1000};
    QCOMPARE(::utime(folder.filePath(u"old/x.tfevents"_s).toUtf8().constData(), &times), 0);
    metricfiles::WalkLimits limits;
    limits.changedSince = 2'000'000;
    limits.entersHidden = false;
    const metricfiles::FoundRuns found = metricfiles::findRuns(folder.path().toStdString(), limits);
    QCOMPARE(
        shownRuns(found, folder), (QStringList{u".wandb/run-1: .wandb/run-1/run-1.wandb"_s, u"a: a/x.tfevents"_s}));
    const std::string root = folder.path().toStdString();
    QCOMPARE(found.databases, (std::vector<std::string>{root + "/mlflow.db", root + "/trackio/p.db"}));
    // Of a file system that knows parts of a second, they count.
    const std::string recent = folder.filePath(u"a/x.tfevents"_s).toStdString();
    const timespec stamps[]{{3000, 500'000'000}, {3000, 500'000'000}};
    QCOMPARE(::utimensat(AT_FDCWD, recent.c_str(), stamps, 0), 0);
    for (const auto &[since, isFound] : {std::pair(3'000'500, true), std::pair(3'000'501, false)}) {
        limits.changedSince = since;
        const metricfiles::FoundRuns now = metricfiles::findRuns(folder.filePath(u"a"_s).toStdString(), limits);
        QCOMPARE(!now.runs.empty(), isFound);
    }
    limits.changedSince = 1'000'999; // one of a whole second may have changed until its end
    QVERIFY(!metricfiles::findRuns(folder.filePath(u"old"_s).toStdString(), limits).runs.empty());
    using metricfiles::Format;
    QCOMPARE(metricfiles::runOf("/a/b/x.tfevents.1", Format::EventFile), std::string("/a/b"));
    QCOMPARE(metricfiles::runOf("/a/b/metrics.csv", Format::Table), std::string("/a/b/metrics.csv"));
    QCOMPARE(metricfiles::runOf("/a/checkpoint-5/trainer_state.json", Format::TrainerState),
        std::string("/a/trainer_state.json"));
    QCOMPARE(metricfiles::runOf("/a/0/r/metrics/val/loss", Format::MlflowMetric), std::string("/a/0/r"));
}

void TstMetricRuns::manyEntries()
{
    QTemporaryDir folder;
    for (int i = 0; i < 40; ++i) {
        put(folder, QString::number(i) + u"/x.tfevents"_s, {});
    }
    QCOMPARE(runsBelow(folder).runs.size(), 40U);
    const metricfiles::FoundRuns found = metricfiles::findRuns(folder.path().toStdString(), {5, 50});
    QCOMPARE(found.runs.size(), 10U); // the folders are 40 entries themselves
    QCOMPARE(found.notes.size(), 1U);
    QVERIFY(found.notes[0].code == metricfiles::note::manyEntries);
}

void TstMetricRuns::unreadable()
{
    const metricfiles::FoundRuns found = metricfiles::findRuns("/no/such/folder");
    QVERIFY(found.runs.empty());
    QCOMPARE(found.notes.size(), 1U);
    QVERIFY(found.notes[0].code == metricfiles::note::folderUnreadable);
}

TRAINYARD_TEST(TstMetricRuns)
#include "tst_metricruns.moc"
