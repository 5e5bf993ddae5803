// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/launchplan.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::launch;

// What a task is started with.
class TstLaunchPlan : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void gpus_data();
    void gpus();
    void unlessGiven();
    void sharedPart();
    void variables();
    void names();
    void secrets();
    void maskValues();
    void errors();
};

namespace
{

JobSpec makeJob()
{
    JobSpec job;
    job.name = u"job"_s;
    TaskRole role;
    role.name = u"worker"_s;
    role.instances = 2;
    role.resources.gpu = 2;
    role.resources.cpu = 6;
    role.commands = QStringList{u"echo <% $secrets.token %>"_s, u"train"_s};
    job.taskRoles.append(role);
    job.secrets = Value(Value::Map{{u"token"_s, Value(u"s3cret&\"<>"_s)}});
    return job;
}

QHash<QString, QString> environmentOf(const JobSpec &job, const LaunchInput &input)
{
    TaskPlacement first{u"worker"_s, 0, u"127.0.0.1"_s, {{u"ssh"_s, {15000}}, {u"http"_s, {15001}}}};
    TaskPlacement second{u"worker"_s, 1, u"127.0.0.1"_s, {{u"ssh"_s, {15002}}, {u"http"_s, {15003}}}};
    const TaskEnvironment environment(job, {u"ann"_s, u"job"_s, u"uuid"_s, 0}, {first, second});
    const LaunchPlan plan = planTask(job, *programOf(job, job.taskRoles.first()), environment, input);
    QHash<QString, QString> table;
    for (const auto &[name, value] : plan.environment) {
        if (table.contains(name)) {
            qWarning("%s twice", qPrintable(name));
            return {};
        }
        table.insert(name, value);
    }
    return table;
}

LaunchInput input()
{
    LaunchInput result;
    result.job = QUuid::createUuidV5(QUuid(), u"job"_s);
    result.tryUuid = QUuid::createUuidV5(QUuid(), u"try"_s);
    result.role = u"worker"_s;
    result.index = 1;
    result.cpu = 6;
    result.workDir = u"/srv/dir"_s;
    result.taskFolder = u"/runs/try"_s;
    result.checkpointFolder = u"/runs/checkpoints"_s;
    return result;
}

} // namespace

// An agent is told once what all tasks of an attempt have, and of each task what goes over that: the task must not see
// how it came.
void TstLaunchPlan::sharedPart()
{
    const JobSpec job = makeJob();
    LaunchInput in = input();
    const QHash<QString, QString> all = environmentOf(job, in);
    const TaskEnvironment withoutPlaces(job, {u"ann"_s, u"job"_s, u"uuid"_s, 0}, {});
    in.shared = &withoutPlaces;
    const QHash<QString, QString> own = environmentOf(job, in);
    QHash<QString, QString> both;
    for (const auto &[name, value] : withoutPlaces.forAll()) {
        both.insert(name, value);
    }
    both.insert(own);
    QCOMPARE(both, all);
    QVERIFY(!own.contains(u"PAI_JOB_NAME"_s));
    QCOMPARE(own.value(u"PAI_HOST_IP_worker_0"_s), u"127.0.0.1"_s);
    QCOMPARE(own.value(u"PAI_TASK_ROLE_worker_HOST_LIST"_s), all.value(u"PAI_TASK_ROLE_worker_HOST_LIST"_s));
    QCOMPARE(own.value(u"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"_s), u"1"_s);

    const TaskPlacement place{u"worker"_s, 1, u"127.0.0.1"_s, {{u"ssh"_s, {15002}}}};
    const TaskEnvironment ofGang(job, {u"ann"_s, u"job"_s, u"uuid"_s, 0}, {place});
    QVERIFY(ofGang.besides(ofGang).isEmpty());
    QVERIFY(!ofGang.besides(withoutPlaces).isEmpty());
}

void TstLaunchPlan::gpus_data()
{
    QTest::addColumn<QList<int>>("gpus");
    QTest::addColumn<QString>("cuda");
    QTest::addColumn<QString>("nvidia");
    QTest::newRow("none are hidden") << QList<int>{} << QString() << u"none"_s;
    QTest::newRow("one") << QList<int>{3} << u"3"_s << u"3"_s;
    QTest::newRow("two") << QList<int>{1, 2} << u"1,2"_s << u"1,2"_s;
}

void TstLaunchPlan::gpus()
{
    QFETCH(QList<int>, gpus);
    QFETCH(QString, cuda);
    QFETCH(QString, nvidia);
    LaunchInput in = input();
    in.gpus = gpus;
    in.base = {{u"CUDA_VISIBLE_DEVICES"_s, u"0,1,2,3"_s}}; // of the user's shell: what is granted counts
    const auto table = environmentOf(makeJob(), in);
    QVERIFY(table.contains(u"CUDA_VISIBLE_DEVICES"_s)); // also when empty
    QCOMPARE(table.value(u"CUDA_VISIBLE_DEVICES"_s), cuda);
    QCOMPARE(table.value(u"NVIDIA_VISIBLE_DEVICES"_s), nvidia);
    QCOMPARE(table.value(u"CUDA_DEVICE_ORDER"_s), u"PCI_BUS_ID"_s);
    QVERIFY(!table.contains(u"TRAINYARD_GPU_MEMORY_MB"_s));
    in.gpuShareMiB = 6000;
    QCOMPARE(environmentOf(makeJob(), in).value(u"TRAINYARD_GPU_MEMORY_MB"_s), u"6000"_s);
}

void TstLaunchPlan::unlessGiven()
{
    LaunchInput in = input();
    auto table = environmentOf(makeJob(), in);
    QCOMPARE(table.value(u"PYTHONUNBUFFERED"_s), u"1"_s);
    QCOMPARE(table.value(u"OMP_NUM_THREADS"_s), u"6"_s);
    // Not more than the host has cores.
    in.hostCpus = 4;
    QCOMPARE(environmentOf(makeJob(), in).value(u"OMP_NUM_THREADS"_s), u"4"_s);
    in.hostCpus = 64;
    QCOMPARE(environmentOf(makeJob(), in).value(u"OMP_NUM_THREADS"_s), u"6"_s);
    in.base = {{u"PYTHONUNBUFFERED"_s, QString()}, {u"OMP_NUM_THREADS"_s, u"2"_s}};
    table = environmentOf(makeJob(), in);
    QVERIFY(!table.contains(u"PYTHONUNBUFFERED"_s));
    QVERIFY(!table.contains(u"OMP_NUM_THREADS"_s));
}

// The job's own go over the host's, and under what tasks are told; on a cluster there are none.
void TstLaunchPlan::variables()
{
    JobSpec job = makeJob();
    Value::Map own{{u"NCCL_DEBUG"_s, Value(u"INFO"_s)}, {u"OMP_NUM_THREADS"_s, Value(qint64(3))},
        {u"CUDA_VISIBLE_DEVICES"_s, Value(u"9"_s)}};
    job.extras = Value(Value::Map{{u"trainyard"_s, Value(Value::Map{{u"variables"_s, Value(own)}})}});
    const QHash<QString, QString> table = environmentOf(job, input());
    QCOMPARE(table.value(u"NCCL_DEBUG"_s), u"INFO"_s);
    QCOMPARE(table.value(u"OMP_NUM_THREADS"_s), u"3"_s);
    QVERIFY(table.value(u"CUDA_VISIBLE_DEVICES"_s) != u"9"_s);
    job.extras = Value(
        Value::Map{{u"trainyard"_s, Value(Value::Map{{u"variables"_s, Value(own)}, {u"strict"_s, Value(true)}})}});
    QVERIFY(!environmentOf(job, input()).contains(u"NCCL_DEBUG"_s));
}

void TstLaunchPlan::names()
{
    const auto table = environmentOf(makeJob(), input());
    QCOMPARE(table.value(u"TRAINYARD_TRY"_s), input().tryUuid.toString(QUuid::WithoutBraces));
    QCOMPARE(table.value(u"TRAINYARD_JOB_ID"_s), input().job.toString(QUuid::WithoutBraces));
    QCOMPARE(table.value(u"TRAINYARD_CHECKPOINT_DIR"_s), u"/runs/checkpoints"_s);
    QCOMPARE(table.value(u"TRAINYARD_TASK_FOLDER"_s), u"/runs/try"_s);
    QCOMPARE(table.value(u"PAI_WORK_DIR"_s), u"/srv/dir"_s);
    QCOMPARE(table.value(u"PAI_TASK_INDEX"_s), u"1"_s);
    for (const QString &value : table) {
        QVERIFY2(!value.contains(u"s3cret"_s), qPrintable(value));
    }
}

void TstLaunchPlan::secrets()
{
    const JobSpec job = makeJob();
    const auto program = programOf(job, job.taskRoles.first());
    QVERIFY(program.has_value());
    QVERIFY(program->usesSecret);
    QCOMPARE(program->script,
        QByteArray("set -o errexit -o nounset -o pipefail; echo s3cret&\"<>\ntrain\n")); // as it is
    QVERIFY(!program->masked.contains("s3cret"));
    QVERIFY(program->masked.contains("echo <% $secrets.token %>\ntrain\n"));
    JobSpec without = job;
    without.taskRoles.first().commands = QStringList{u"train"_s};
    const auto plain = programOf(without, without.taskRoles.first());
    QVERIFY(!plain->usesSecret);
    QCOMPARE(plain->script, plain->masked);
}

void TstLaunchPlan::maskValues()
{
    JobSpec job;
    job.secrets = Value(Value::Map{{u"a"_s, Value(u"short"_s)}, {u"b"_s, Value(u"a longer one"_s)},
        {u"c"_s, Value(Value::List{Value(qint64(123456789)), Value(u"short"_s), Value(QString())})},
        {u"d"_s, Value(u"******"_s)}, {u"e"_s, Value()}});
    QCOMPARE(secretValues(job), (QStringList{u"a longer one"_s, u"123456789"_s, u"short"_s}));
    QCOMPARE(secretValues(JobSpec()), QStringList());
}

void TstLaunchPlan::errors()
{
    JobSpec job = makeJob();
    job.taskRoles.first().prerequisites = QStringList{u"none"_s};
    const auto program = programOf(job, job.taskRoles.first());
    QVERIFY(!program);
    QCOMPARE(program.error().code, u"require.unknown"_s);
    job = makeJob();
    job.secrets = Value(Value::Map{{u"token"_s, Value(u"******"_s)}});
    const auto missing = programOf(job, job.taskRoles.first());
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, u"secret.missing"_s);
}

TRAINYARD_TEST(TstLaunchPlan)
#include "tst_launchplan.moc"
