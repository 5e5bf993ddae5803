// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"
#include "model/runtime/rehearsal.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The text of a rehearsal: what is smaller in it, what stays, and that it can run.
class TstRehearsal : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void lines_data();
    void lines();
    void restStays();
    void changesAreTold();
    void smallJobKeepsItsText();
    void parameters_data();
    void parameters();
    void parametersOfTheOriginal();
    void names();
    void refusesWhatItCannotChange();
    void gpusThatFitByTheOffer();

private:
    static Result<Rehearsal> made(const QByteArray &yaml, const RehearsalWishes &wishes = {})
    {
        const ParseOutcome outcome = parseJob(yaml);
        return outcome.spec ? rehearsalOf(*outcome.spec, outcome.document, wishes)
                            : Result<Rehearsal>(fail(u"test.no-job"_s));
    }
};

namespace
{

// A job with what a rehearsal makes smaller.
const QByteArray largeJob = R"(protocolVersion: 2
name: bert   # the large one
type: job
jobRetryCount: 3
parameters:
  epochs: 100   # of all data
  lr: 0.1
  mode: full
  amp: true
prerequisites:
  - type: dockerimage
    name: torch
    uri: pytorch/pytorch
taskRoles:
  worker:
    instances: 8
    taskRetryCount: 2
    completion:
      minFailedInstances: 3
      minSucceededInstances: 8
    dockerImage: torch
    resourcePerInstance: {cpu: 4, memoryMB: 16384, gpu: 4}
    commands:
      - python train.py --epochs <% $parameters.epochs %>
  server:
    completion: {minFailedInstances: 1, minSucceededInstances: -1}
    dockerImage: torch
    resourcePerInstance: {cpu: 1, memoryMB: 1024, gpu: 0}
    commands:
      - python serve.py
extras:
  trainyard:
    priority: 5
    limits:
      timeSeconds: 86400
)";

} // namespace

void TstRehearsal::lines_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char *name, const char *before, const char *after) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after);
    };
    row("name", "name: bert   # the large one\n", "name: bert-rehearsal   # the large one\n");
    row("retries of the job", "jobRetryCount: 3\n", "jobRetryCount: 0\n");
    row("instances", "    instances: 8\n", "    instances: 1\n");
    row("retries of a task", "    taskRetryCount: 2\n", "    taskRetryCount: 0\n");
    row("failed tasks that end it", "      minFailedInstances: 3\n", "      minFailedInstances: 1\n");
    row("succeeded tasks that end it", "      minSucceededInstances: 8\n", "      minSucceededInstances: 1\n");
    row("GPUs", "memoryMB: 16384, gpu: 4}\n", "memoryMB: 16384, gpu: 1}\n");
    row("time", "      timeSeconds: 86400\n", "      timeSeconds: 120\n");
    row("parameter", "  epochs: 100   # of all data\n", "  epochs: 1   # of all data\n");
}

void TstRehearsal::lines()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QVERIFY(largeJob.contains(before));
    const Result<Rehearsal> rehearsal = made(largeJob, {120, 1, {{u"epochs"_s, u"1"_s}}});
    QVERIFY(rehearsal);
    QVERIFY2(rehearsal->text.contains(after), rehearsal->text.constData());
    QVERIFY2(!rehearsal->text.contains(before), rehearsal->text.constData());
}

// All that the table above does not name is as it was, and the job can run.
void TstRehearsal::restStays()
{
    const Result<Rehearsal> rehearsal = made(largeJob, {120, 1, {{u"epochs"_s, u"1"_s}}});
    QVERIFY(rehearsal);
    QByteArray expected = largeJob;
    expected.replace("name: bert ", "name: bert-rehearsal ").replace("jobRetryCount: 3", "jobRetryCount: 0");
    expected.replace("instances: 8\n", "instances: 1\n").replace("taskRetryCount: 2", "taskRetryCount: 0");
    expected.replace("minFailedInstances: 3", "minFailedInstances: 1");
    expected.replace("minSucceededInstances: 8", "minSucceededInstances: 1");
    expected.replace("gpu: 4", "gpu: 1").replace("timeSeconds: 86400", "timeSeconds: 120");
    expected.replace("epochs: 100 ", "epochs: 1 ");
    QCOMPARE(rehearsal->text, expected);
    QVERIFY(parseJob(rehearsal->text).canRun());
    QVERIFY(!made(largeJob)->text.contains("gpu: 1}")); // nobody asked for fewer
}

void TstRehearsal::changesAreTold()
{
    const Result<Rehearsal> rehearsal = made(largeJob, {600, {}, {{u"lr"_s, u"0.1"_s}, {u"mode"_s, u"small"_s}}});
    QVERIFY(rehearsal);
    QStringList told;
    for (const RehearsalChange &change : rehearsal->changes) {
        told.append(change.code + u' ' + change.path.toPointer() + u' ' + change.from.toVariant().toString() + u' '
            + change.to.toVariant().toString());
    }
    QCOMPARE(told,
        (QStringList{u"rehearsal.name /name bert bert-rehearsal"_s,
            u"rehearsal.instances /taskRoles/worker/instances 8 1"_s,
            u"rehearsal.min-failed /taskRoles/worker/completion/minFailedInstances 3 1"_s,
            u"rehearsal.min-succeeded /taskRoles/worker/completion/minSucceededInstances 8 1"_s,
            u"rehearsal.task-retries /taskRoles/worker/taskRetryCount 2 0"_s,
            u"rehearsal.job-retries /jobRetryCount 3 0"_s,
            u"rehearsal.time /extras/trainyard/limits/timeSeconds 86400 600"_s,
            u"rehearsal.parameter /parameters/mode full small"_s})); // lr is that of the job
}

void TstRehearsal::smallJobKeepsItsText()
{
    const QByteArray small = "protocolVersion: 2\nname: a\ntype: job\nprerequisites:\n"
                             "  - {type: dockerimage, name: i, uri: u}\ntaskRoles:\n  w:\n    dockerImage: i\n"
                             "    resourcePerInstance: {cpu: 1, memoryMB: 1024, gpu: 1}\n    commands: [./a.sh]\n";
    const Result<Rehearsal> rehearsal = made(small, {600, 4, {}});
    QVERIFY(rehearsal);
    QCOMPARE(rehearsal->changes.size(), 2); // the name, and a time limit where there was none
    QCOMPARE(rehearsal->text,
        QByteArray(small).replace("name: a\n", "name: a-rehearsal\n")
            + "extras:\n  trainyard:\n    limits:\n      timeSeconds: 600\n");
    const QByteArray limited = small + "extras:\n  trainyard:\n    limits:\n      timeSeconds: 60\n";
    QCOMPARE(made(limited, {600, {}, {}})->changes.size(), 1); // a shorter limit stays
    QCOMPARE(made(limited, {600, 0, {}})->changes.last().to.toInteger(), 0); // no GPU at all
}

void TstRehearsal::parameters_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *title, const char *name, const char *text, const char *line) {
        QTest::newRow(title) << QString::fromLatin1(name) << QString::fromLatin1(text) << QByteArray(line);
    };
    row("whole number", "epochs", "2", "  epochs: 2   # of all data\n");
    row("small number", "lr", "1e-7", "  lr: 1.0e-7\n");
    row("text", "mode", "small", "  mode: small\n");
    row("truth value", "amp", "false", "  amp: false\n");
    row("text that begins like a number", "mode", "0x", "  mode: 0x\n");
}

void TstRehearsal::parameters()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QByteArray, line);
    const Result<Rehearsal> rehearsal = made(largeJob, {600, {}, {{name, text}}});
    QVERIFY(rehearsal);
    QVERIFY2(rehearsal->text.contains(line), rehearsal->text.constData());
}

// For the job itself, nothing but the parameters changes.
void TstRehearsal::parametersOfTheOriginal()
{
    const ParseOutcome outcome = parseJob(largeJob);
    QVERIFY(outcome.spec);
    QCOMPARE(*textWithParameters(*outcome.spec, outcome.document, {}), largeJob);
    QCOMPARE(*textWithParameters(*outcome.spec, outcome.document, {{u"epochs"_s, u"90"_s}}),
        QByteArray(largeJob).replace("epochs: 100 ", "epochs: 90 "));
}

void TstRehearsal::names()
{
    QCOMPARE(rehearsalName(u"train"_s), u"train-rehearsal"_s);
    const QString longest = rehearsalName(QString(255, u'x'));
    QCOMPARE(longest.size(), 255);
    QVERIFY(longest.endsWith(u"x-rehearsal"_s) && isJobName(longest));
}

// Where one value stands for two places, nothing is changed, and the reason is said.
void TstRehearsal::refusesWhatItCannotChange()
{
    QByteArray shared = largeJob;
    shared.replace("instances: 8\n", "instances: &count 8\n");
    shared.replace("  server:\n", "  server:\n    instances: *count\n");
    QVERIFY(parseJob(shared).canRun());
    const Result<Rehearsal> rehearsal = made(shared);
    QVERIFY(!rehearsal);
    QVERIFY2(rehearsal.error().code.startsWith(u"edit."_s), qPrintable(rehearsal.error().code));
}

void TstRehearsal::gpusThatFitByTheOffer()
{
    const auto offered = [](const QString &resource, const QString &value) {
        return QJsonObject{{u"path"_s, u"/x"_s}, {u"resource"_s, resource}, {u"value"_s, value}};
    };
    QCOMPARE(gpusThatFit({}), std::nullopt);
    QCOMPARE(gpusThatFit({offered(u"gpu"_s, u"0"_s)}), 0);
    QCOMPARE(gpusThatFit({offered(u"gpu"_s, u"4"_s), offered(u"gpu"_s, u"2"_s)}), 2); // one limit for all roles
    QCOMPARE(gpusThatFit({offered(u"gpu"_s, u"4"_s), offered(u"memoryMB"_s, u"16"_s)}), std::nullopt);
}

TRAINYARD_TEST(TstRehearsal)
#include "tst_rehearsal.moc"
