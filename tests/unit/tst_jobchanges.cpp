// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/runtime/jobchanges.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What may be changed after a failure: the edit, and nothing else in the text.
class TstJobChanges : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void changes_data();
    void changes();
    void nothingToChange_data();
    void nothingToChange();
    void onlyThatLine();
    void smallerSteps_data();
    void smallerSteps();
    void anotherScript_data();
    void anotherScript();

private:
    static void row(const char *name, const char *cause, const QJsonObject &args, const char *code, const char *pointer,
        qint64 value, const char *line);
};

namespace
{

// A job with what the changes look for.
const QByteArray bertJob = R"(protocolVersion: 2
name: bert
type: job
parameters:
  batch_size: 64   # of each GPU
  num_workers: 8
  master_port: 29500
prerequisites:
  - type: dockerimage
    name: torch
    uri: pytorch/pytorch
taskRoles:
  worker:
    instances: 2
    dockerImage: torch
    resourcePerInstance: {cpu: 4, memoryMB: 16384, gpu: 4}
    extraContainerOptions:
      shmMB: 8192
    commands:
      - torchrun --master-port 29501 train.py --workers=<% $parameters.num_workers %>
extras:
  trainyard:
    limits:
      timeSeconds: 3600
)";

QList<JobChange> changesOf(const QByteArray &yaml, const FailedPart &failed, const ScriptPlace &place = {})
{
    const ParseOutcome outcome = parseJob(yaml);
    return outcome.spec ? changesAfter(failed, *outcome.spec, outcome.document, place) : QList<JobChange>();
}

} // namespace

void TstJobChanges::row(const char *name, const char *cause, const QJsonObject &args, const char *code,
    const char *pointer, qint64 value, const char *line)
{
    QTest::newRow(name) << QString::fromLatin1(cause) << args << QString::fromLatin1(code)
                        << QString::fromLatin1(pointer) << value << QByteArray(line);
}

void TstJobChanges::changes_data()
{
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QJsonObject>("args");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QByteArray>("line");
    row("memory", "host-oom", {}, "memory.raise", "/taskRoles/worker/resourcePerInstance/memoryMB", 32768,
        "    resourcePerInstance: {cpu: 4, memoryMB: 32768, gpu: 4}\n");
    row("fewer workers", "host-oom", {}, "workers.halve", "/parameters/num_workers", 4, "  num_workers: 4\n");
    row("fewer workers, not more memory", "memory-refused", {}, "workers.halve", "/parameters/num_workers", 4,
        "  num_workers: 4\n");
    row("smaller batches", "gpu-oom", {}, "batch.halve", "/parameters/batch_size", 32,
        "  batch_size: 32   # of each GPU\n");
    row("larger GPUs", "gpu-oom", {{u"total"_s, u"23.65 GiB"_s}}, "gpu-memory.raise", "/extras/trainyard/gpuMemoryMB",
        25600, "    gpuMemoryMB: 25600\n");
    row("shared memory", "shared-memory", {}, "shm.raise", "/taskRoles/worker/extraContainerOptions/shmMB", 16384,
        "      shmMB: 16384\n");
    row("a port of the parameters", "port-in-use", {{u"port"_s, u"29500"_s}}, "port.other", "/parameters/master_port",
        29501, "  master_port: 29501\n");
    row("a port of a command", "port-in-use", {{u"port"_s, u"29501"_s}}, "port.other", "/taskRoles/worker/commands/0",
        29502, "      - torchrun --master-port 29502 train.py --workers=<% $parameters.num_workers %>\n");
    row("a GPU that is lost", "gpu-lost", {}, "gpu.fewer", "/taskRoles/worker/resourcePerInstance/gpu", 3,
        "    resourcePerInstance: {cpu: 4, memoryMB: 16384, gpu: 3}\n");
    row("an error between GPUs", "gpu-link", {}, "gpu.fewer", "/taskRoles/worker/resourcePerInstance/gpu", 3,
        "    resourcePerInstance: {cpu: 4, memoryMB: 16384, gpu: 3}\n");
    row("the time limit of the job", "time-limit.own", {}, "time.raise", "/extras/trainyard/limits/timeSeconds", 7200,
        "      timeSeconds: 7200\n");
}

void TstJobChanges::changes()
{
    QFETCH(QString, cause);
    QFETCH(QJsonObject, args);
    QFETCH(QString, code);
    const QList<JobChange> all = changesOf(bertJob, {cause, u"worker"_s, args});
    const auto change
        = std::find_if(all.cbegin(), all.cend(), [&code](const JobChange &each) { return each.code == code; });
    QVERIFY(change != all.cend());
    const bool isRaised
        = std::any_of(all.cbegin(), all.cend(), [](const JobChange &each) { return each.code == u"memory.raise"_s; });
    QCOMPARE(isRaised, cause == u"host-oom"_s);
    QTEST(change->path.toPointer(), "pointer");
    QTEST(change->to.toInteger(), "value");
    const QByteArray text = changedText(YamlDocument::parse(bertJob), *change);
    QFETCH(QByteArray, line);
    QVERIFY2(text.contains(line), text.constData());
    QVERIFY(parseJob(text).canRun());
}

void TstJobChanges::nothingToChange_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<QString>("role");
    QTest::addColumn<QJsonObject>("args");
    const QByteArray oneGpu = QByteArray(bertJob).replace("gpu: 4", "gpu: 1");
    QTest::newRow("an error of the program") << bertJob << u"user-code-error"_s << u"worker"_s << QJsonObject();
    QTest::newRow("the only GPU") << oneGpu << u"gpu-lost"_s << u"worker"_s << QJsonObject();
    QTest::newRow("no such role") << bertJob << u"host-oom"_s << u"server"_s << QJsonObject();
    QTest::newRow("a port that is not in the text")
        << bertJob << u"port-in-use"_s << u"worker"_s << QJsonObject{{u"port"_s, u"6006"_s}};
    QTest::newRow("a port that is not known") << bertJob << u"port-in-use"_s << u"worker"_s << QJsonObject();
    QTest::newRow("no limit") << QByteArray(bertJob).replace(
        "    limits:\n      timeSeconds: 3600\n", "    priority: 1\n")
                              << u"time-limit.own"_s << u"worker"_s << QJsonObject();
    QTest::newRow("a text that is no job") << QByteArray("- 1\n") << u"host-oom"_s << u"worker"_s << QJsonObject();
}

void TstJobChanges::nothingToChange()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, cause);
    QFETCH(QString, role);
    QFETCH(QJsonObject, args);
    QVERIFY(changesOf(yaml, {cause, role, args}).isEmpty());
}

void TstJobChanges::smallerSteps_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after"); // empty: nothing is offered
    QTest::newRow("lr") << QByteArray("lr: 0.7  # as in the paper") << QByteArray("lr: 0.07  # as in the paper");
    QTest::newRow("an exponent") << QByteArray("learning_rate: 1.0e-4") << QByteArray("learning_rate: 0.00001");
    QTest::newRow("a whole number") << QByteArray("base-lr: 3") << QByteArray("base-lr: 0.3");
    QTest::newRow("a whole tenth") << QByteArray("max_lr: 10") << QByteArray("max_lr: 1.0");
    QTest::newRow("nothing to divide") << QByteArray("lr: 0") << QByteArray();
    QTest::newRow("a text") << QByteArray("lr: high") << QByteArray();
    QTest::newRow("another name") << QByteArray("lr_steps: 30") << QByteArray();
}

// The loss is NaN: the rate is likely too large.
void TstJobChanges::smallerSteps()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const QByteArray yaml = QByteArray(bertJob).replace("batch_size: 64   # of each GPU", before);
    const QList<JobChange> all = changesOf(yaml, {u"diverged"_s, u"worker"_s, {}});
    QCOMPARE(all.size(), after.isEmpty() ? 0 : 1);
    if (!all.isEmpty()) {
        QCOMPARE(all.constFirst().code, u"rate.tenth"_s);
        QCOMPARE(changedText(YamlDocument::parse(yaml), all.constFirst()), QByteArray(yaml).replace(before, after));
    }
}

// A batch size that stands in a command, in one of several spellings.
void TstJobChanges::onlyThatLine()
{
    for (const QByteArray &option : {QByteArray("--batch-size 64"), QByteArray("--per_device_train_batch_size=64"),
             QByteArray("trainer.batch_size=64"), QByteArray("--bs 64")}) {
        const QByteArray yaml
            = "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n  - {type: dockerimage, name: i, "
              "uri: u}\ntaskRoles:\n  w:\n    dockerImage: i\n    resourcePerInstance: {cpu: 1, "
              "memoryMB: 1024, gpu: 1}\n    commands:\n      - python a.py "
            + option + " --seed 64 # keep\n";
        const QList<JobChange> all = changesOf(yaml, {u"gpu-oom"_s, u"w"_s, {}});
        QVERIFY2(all.size() == 1, option.constData());
        const QByteArray expected = QByteArray(yaml).replace(option, QByteArray(option).replace("64", "32"));
        QCOMPARE(changedText(YamlDocument::parse(yaml), all.constFirst()), expected);
    }
}

void TstJobChanges::anotherScript_data()
{
    QTest::addColumn<QByteArray>("commands");
    QTest::addColumn<QByteArray>("expected"); // empty: nothing is offered
    QTest::newRow("of a list") << QByteArray("      - python3 trian.py --lr 1 # keep\n")
                               << QByteArray("      - python3 train.py --lr 1 # keep\n");
    QTest::newRow("of a block") << QByteArray("      - |-\n        module load cuda\n        python3 trian.py\n")
                                << QByteArray("      - |-\n        module load cuda\n        python3 train.py\n");
    QTest::newRow("named before") << QByteArray("      - echo trian.py && python3 trian.py\n")
                                  << QByteArray("      - echo trian.py && python3 train.py\n");
    QTest::newRow("the script is there") << QByteArray("      - python3 train.py\n") << QByteArray();
    QTest::newRow("nothing like it") << QByteArray("      - python3 evaluate.py\n") << QByteArray();
}

// The script is not in the work folder, but one with a similar name is.
void TstJobChanges::anotherScript()
{
    QFETCH(QByteArray, commands);
    QFETCH(QByteArray, expected);
    const QByteArray yaml
        = "protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w:\n    resourcePerInstance: {cpu: 1, "
          "memoryMB: 1024, gpu: 0}\n    commands:\n"
        + commands;
    const ScriptPlace place{u"/home/ada/run"_s, [](const QString &file) { return file == "train.py"_L1; },
        [] { return QStringList{u"train.py"_s}; }};
    const FailedPart failed{u"file-missing"_s, u"w"_s, {}};
    const QList<JobChange> all = changesOf(yaml, failed, place);
    QCOMPARE(all.size(), expected.isEmpty() ? 0 : 1);
    if (!all.isEmpty()) {
        QCOMPARE(all.constFirst().code, u"script.other"_s);
        QCOMPARE(
            changedText(YamlDocument::parse(yaml), all.constFirst()), QByteArray(yaml).replace(commands, expected));
    }
    QVERIFY(changesOf(yaml, failed).isEmpty()); // the folder is not known
}

TRAINYARD_TEST(TstJobChanges)
#include "tst_jobchanges.moc"
