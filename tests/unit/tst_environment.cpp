// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/runtime/environment.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QSet>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstEnvironment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ownAndPeers();
    void bothSpellings();
    void addressesOfIpv6();
    void oldNames();
    void limitOfVersion1();
    void collidingSpellings();
    void unplacedPeers();
    void recordedRuntime();
    void namesOnce();
    void manyTasks();
    void tooManyForTheKernel();
};

namespace
{

QMap<QString, QString> toMap(const QList<std::pair<QString, QString>> &variables)
{
    QMap<QString, QString> map;
    for (const auto &[name, value] : variables) {
        map.insert(name, value);
    }
    return map;
}

TaskRole roleOf(const QString &name, qint64 instances)
{
    TaskRole role;
    role.name = name;
    role.instances = instances;
    role.resources.gpu = 1;
    role.resources.cpu = 2;
    role.resources.memoryMiB = 1024;
    return role;
}

TaskPlacement place(const QString &role, int index, const QString &address, int http, int ssh)
{
    TaskPlacement placement;
    placement.role = role;
    placement.index = index;
    placement.address = address;
    placement.ports = {{u"web"_s, {http + 100, http + 101}}, {u"ssh"_s, {ssh}}, {u"http"_s, {http}}};
    return placement;
}

JobIdentity identity() { return {u"ann"_s, u"train"_s, u"0190-uuid"_s, 2}; }

} // namespace

void TstEnvironment::ownAndPeers()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"ps"_s, 1), roleOf(u"worker"_s, 2)};
    job.taskRoles[1].shmMiB = 256;
    job.taskRoles[1].completion.minSucceededInstances = 2;
    const TaskEnvironment environment(job, identity(),
        {place(u"worker"_s, 1, u"10.0.0.3"_s, 3003, 2203), place(u"worker"_s, 0, u"10.0.0.2"_s, 3002, 2202),
            place(u"ps"_s, 0, u"10.0.0.1"_s, 3001, 2201)});
    const QMap<QString, QString> v = toMap(environment.forTask(u"worker"_s, 1, 3, u"/work"_s));
    const QMap<QString, QString> expected{
        {u"PAI_JOB_NAME"_s, u"ann~train"_s},
        {u"PAI_FRAMEWORK_NAME"_s, u"ann~train"_s},
        {u"TRAINYARD_JOB_NAME"_s, u"train"_s},
        {u"PAI_USER_NAME"_s, u"ann"_s},
        {u"PAI_DEFAULT_FS_URI"_s, QString()},
        {u"PAI_VIRTUAL_CLUSTER"_s, u"default"_s},
        {u"PAI_TASK_ROLE_LIST"_s, u"ps,worker"_s},
        {u"PAI_TASK_ROLE_COUNT"_s, u"2"_s},
        {u"PAI_TASKS_NUM"_s, u"3"_s},
        {u"PAI_TASK_ROLE_TASK_COUNT_worker"_s, u"2"_s},
        {u"PAI_RESOURCE_worker"_s, u"1,2,1024,256"_s},
        {u"PAI_RESOURCE_ps"_s, u"1,2,1024,0"_s},
        {u"PAI_MIN_FAILED_TASK_COUNT_ps"_s, u"1"_s},
        {u"PAI_MIN_SUCCEEDED_TASK_COUNT_ps"_s, u"-1"_s},
        {u"PAI_MIN_SUCCEEDED_TASK_COUNT_worker"_s, u"2"_s},
        {u"PAI_HOST_IP_ps_0"_s, u"10.0.0.1"_s},
        {u"PAI_PORT_LIST_worker_0_web"_s, u"3102,3103"_s},
        {u"PAI_worker_0_http_PORT"_s, u"3002"_s},
        {u"PAI_TASK_ROLE_worker_HOST_LIST"_s, u"10.0.0.2:3002,10.0.0.3:3003"_s},
        {u"PAI_TASK_ROLE_1_HOST_LIST"_s, u"10.0.0.2:3002,10.0.0.3:3003"_s},
        {u"PAI_TASK_ROLE_INSTANCES"_s, u"ps:0,worker:0,worker:1"_s},
        {u"PAI_CURRENT_TASK_ROLE_NAME"_s, u"worker"_s},
        {u"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"_s, u"1"_s},
        {u"PAI_TASK_INDEX"_s, u"1"_s},
        {u"PAI_CURRENT_CONTAINER_IP"_s, u"10.0.0.3"_s},
        {u"PAI_CURRENT_CONTAINER_PORT"_s, u"3003"_s},
        {u"PAI_CONTAINER_SSH_PORT"_s, u"2203"_s},
        {u"PAI_CONTAINER_HOST_web_PORT_LIST"_s, u"3103,3104"_s},
        {u"PAI_CONTAINER_HOST_PORT_LIST"_s, u"web:3103,3104;ssh:2203;http:3003;"_s},
        {u"PAI_CURRENT_TASK_ROLE_SHM_MB"_s, u"256"_s},
        {u"PAI_WORK_DIR"_s, u"/work"_s},
        {u"PAI_DATA_DIR"_s, QString()},
        {u"FC_TASKROLE_NAME"_s, u"worker"_s},
        {u"FC_TASK_ATTEMPT_ID"_s, u"3"_s},
        {u"FC_FRAMEWORK_ATTEMPT_ID"_s, u"2"_s},
    };
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        QVERIFY2(v.contains(it.key()), qPrintable(it.key()));
        QVERIFY2(v.value(it.key()) == it.value(), qPrintable(it.key() + u" is "_s + v.value(it.key())));
    }
}

void TstEnvironment::bothSpellings()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"Task_Role"_s, 1)};
    const TaskEnvironment environment(job, identity(), {place(u"Task_Role"_s, 0, u"1.2.3.4"_s, 1, 2)});
    const QMap<QString, QString> v = toMap(environment.forTask(u"Task_Role"_s, 0, 0, QString()));
    QCOMPARE(v.value(u"PAI_HOST_IP_taskrole_0"_s), u"1.2.3.4"_s);
    QCOMPARE(v.value(u"PAI_HOST_IP_Task_Role_0"_s), u"1.2.3.4"_s);
    QCOMPARE(v.value(u"PAI_TASK_ROLE_TASK_COUNT_Task_Role"_s), u"1"_s);
    QCOMPARE(v.value(u"PAI_CURRENT_TASK_ROLE_NAME"_s), u"Task_Role"_s);
    QCOMPARE(v.value(u"FC_TASKROLE_NAME"_s), u"taskrole"_s);
    QCOMPARE(v.value(u"PAI_TASK_ROLE_INSTANCES"_s), u"taskrole:0"_s);
}

// An address of IPv6 has colons of its own: before a port it stands in brackets.
void TstEnvironment::addressesOfIpv6()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"w"_s, 1)};
    const TaskEnvironment environment(job, identity(), {place(u"w"_s, 0, u"fd00::7"_s, 10, 20)});
    const QMap<QString, QString> v = toMap(environment.forTask(u"w"_s, 0, 0, QString()));
    QCOMPARE(v.value(u"PAI_HOST_IP_w_0"_s), u"fd00::7"_s);
    QVERIFY(v.value(u"PAI_TASK_ROLE_w_HOST_LIST"_s).startsWith(u"[fd00::7]:"_s));
}

// How many completed tasks end a converted job: the old scripts read it.
// Of version 1, where a role could have a name that no shell can say.
void TstEnvironment::oldNames()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"psserver"_s, 1), roleOf(u"pswork"_s, 1), roleOf(u"ps_work"_s, 1)};
    const auto old = [](const QString &name) { return Value(Value::Map{{u"name"_s, Value(name)}}); };
    const Value roles(Value::Map{
        {u"psserver"_s, old(u"ps-server.v1"_s)}, {u"pswork"_s, old(u"ps-work"_s)}, {u"ps_work"_s, old(u"a=b"_s)}});
    job.extras
        = Value(Value::Map{{u"trainyard"_s, Value(Value::Map{{u"legacy"_s, Value(Value::Map{{u"roles"_s, roles}})}})}});
    const TaskEnvironment environment(job, identity(),
        {place(u"psserver"_s, 0, u"10.0.0.1"_s, 3001, 2201), place(u"pswork"_s, 0, u"10.0.0.2"_s, 3002, 2202),
            place(u"ps_work"_s, 0, u"10.0.0.3"_s, 3003, 2203)});
    const QMap<QString, QString> v = toMap(environment.forTask(u"psserver"_s, 0, 0, u"/work"_s));
    for (const QString &name : {u"psserver"_s, u"ps-server.v1"_s, u"ps_server_v1"_s}) {
        QCOMPARE(v.value(u"PAI_HOST_IP_"_s + name + u"_0"_s), u"10.0.0.1"_s);
        QCOMPARE(v.value(u"PAI_TASK_ROLE_"_s + name + u"_HOST_LIST"_s), u"10.0.0.1:3001"_s);
        QCOMPARE(v.value(u"PAI_TASK_ROLE_TASK_COUNT_"_s + name), u"1"_s);
        QCOMPARE(v.value(u"PAI_RESOURCE_"_s + name), u"1,2,1024,0"_s);
        QCOMPARE(v.value(u"PAI_PORT_LIST_"_s + name + u"_0_ssh"_s), u"2201"_s);
        QCOMPARE(v.value(u"PAI_"_s + name + u"_0_ssh_PORT"_s), u"2201"_s);
    }
    QCOMPARE(v.value(u"PAI_HOST_IP_ps-work_0"_s), u"10.0.0.2"_s);
    QCOMPARE(v.value(u"PAI_HOST_IP_ps_work_0"_s), u"10.0.0.3"_s); // is another role's own name
    for (auto it = v.cbegin(); it != v.cend(); ++it) {
        QVERIFY2(!it.key().contains(u'='), qPrintable(it.key()));
    }
}

void TstEnvironment::limitOfVersion1()
{
    const QString name = u"PAI_KILL_ALL_ON_COMPLETED_TASK_NUM"_s;
    JobSpec job;
    job.taskRoles = {roleOf(u"w"_s, 2)};
    QCOMPARE(toMap(TaskEnvironment(job, identity(), {}).forTask(u"w"_s, 0, 0, {})).value(name), u"0"_s);
    const Value legacy(Value::Map{{u"killAllOnCompletedTaskNumber"_s, Value(qint64(3))}});
    job.extras = Value(Value::Map{{u"trainyard"_s, Value(Value::Map{{u"legacy"_s, legacy}})}});
    QCOMPARE(toMap(TaskEnvironment(job, identity(), {}).forTask(u"w"_s, 0, 0, {})).value(name), u"3"_s);
}

void TstEnvironment::collidingSpellings()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"a_b"_s, 1), roleOf(u"ab"_s, 1), roleOf(u"A_c"_s, 1), roleOf(u"AC"_s, 1)};
    const TaskEnvironment environment(job, identity(),
        {place(u"a_b"_s, 0, u"1.1.1.1"_s, 1, 2), place(u"ab"_s, 0, u"2.2.2.2"_s, 1, 2),
            place(u"A_c"_s, 0, u"3.3.3.3"_s, 1, 2), place(u"AC"_s, 0, u"4.4.4.4"_s, 1, 2)});
    const QMap<QString, QString> v = toMap(environment.forTask(u"ab"_s, 0, 0, QString()));
    QCOMPARE(v.value(u"PAI_HOST_IP_ab_0"_s), u"2.2.2.2"_s); // its own name, not the squeezed one of a_b
    QCOMPARE(v.value(u"PAI_HOST_IP_a_b_0"_s), u"1.1.1.1"_s);
    QVERIFY(!v.contains(u"PAI_HOST_IP_ac_0"_s));
    QCOMPARE(v.value(u"PAI_HOST_IP_AC_0"_s), u"4.4.4.4"_s);
}

// A task that is not placed yet has no address, and is left out of the lists.
void TstEnvironment::unplacedPeers()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"w"_s, 3)};
    TaskPlacement waiting;
    waiting.role = u"w"_s;
    waiting.index = 1;
    const TaskEnvironment environment(job, identity(), {place(u"w"_s, 0, u"1.1.1.1"_s, 10, 20), waiting});
    const QMap<QString, QString> v = toMap(environment.forTask(u"w"_s, 0, 0, QString()));
    QCOMPARE(v.value(u"PAI_TASK_ROLE_w_HOST_LIST"_s), u"1.1.1.1:10"_s);
    QVERIFY(!v.contains(u"PAI_HOST_IP_w_1"_s));
    QCOMPARE(v.value(u"PAI_TASKS_NUM"_s), u"3"_s);
    // Nothing that scripts read is unset, even for a task that nobody knows.
    const QMap<QString, QString> unknown = toMap(environment.forTask(u"w"_s, 2, 0, QString()));
    QVERIFY(unknown.contains(u"PAI_CURRENT_CONTAINER_IP"_s));
    QVERIFY(unknown.contains(u"PAI_CONTAINER_HOST_PORT_LIST"_s));
}

void TstEnvironment::recordedRuntime()
{
    const QString path = shareddata::folder() + u"/vectors/runtime_env_framework.expected.json"_s;
    const QJsonArray lines = shareddata::readJson(path).value(u"expected"_s).toObject().value(u"lines"_s).toArray();
    if (lines.isEmpty()) {
        QSKIP("There is no vectors/runtime_env_framework.expected.json: set TRAINYARD_SHARED to the folder of the "
              "reference data.");
    }
    JobSpec job;
    job.taskRoles = {roleOf(u"taskrole"_s, 1), roleOf(u"taskrole_1"_s, 1)};
    TaskPlacement first;
    first.role = u"taskrole"_s;
    first.address = u"10.151.41.8"_s;
    first.ports = {{u"tcp"_s, {29877, 22353, 29076}}, {u"udp"_s, {31903, 33486, 35953}}, {u"ssh"_s, {39080}},
        {u"http"_s, {30643}}};
    TaskPlacement second;
    second.role = u"taskrole_1"_s;
    second.address = u"10.151.41.9"_s;
    second.ports = {{u"mpi"_s, {20966, 21891}}, {u"tensorflow"_s, {22829}}, {u"ssh"_s, {26411}}, {u"http"_s, {36213}}};
    const TaskEnvironment environment(job, identity(), {first, second});
    const QMap<QString, QString> v = toMap(environment.forTask(u"taskrole"_s, 0, 0, QString()));
    for (const QJsonValue &line : lines) {
        const QString text = line.toString().mid(7); // behind "export "
        const QString name = text.section(u'=', 0, 0);
        const QString value = text.section(u'=', 1).chopped(1).mid(1);
        QVERIFY2(v.contains(name), qPrintable(name));
        QCOMPARE(v.value(name), value);
    }
    qInfo("runtime environment: %d lines equal", int(lines.size()));
}

void TstEnvironment::namesOnce()
{
    JobSpec job;
    job.taskRoles = {roleOf(u"Worker"_s, 2), roleOf(u"a"_s, 1)};
    const TaskEnvironment environment(job, identity(), {place(u"Worker"_s, 0, u"1.1.1.1"_s, 1, 2)});
    QSet<QString> names;
    for (const auto &[name, value] : environment.forTask(u"Worker"_s, 0, 0, u"/w"_s)) {
        QVERIFY2(!names.contains(name), qPrintable(name));
        names.insert(name);
    }
}

void TstEnvironment::manyTasks()
{
    JobSpec job;
    constexpr int count = 1000;
    job.taskRoles = {roleOf(u"Worker"_s, count)};
    QList<TaskPlacement> placements;
    for (int i = 0; i < count; ++i) {
        placements.append(place(u"Worker"_s, i, u"10.0.0.1"_s, 1000 + i, 3000 + i));
    }
    QElapsedTimer timer;
    timer.start();
    const TaskEnvironment all(job, identity(), placements);
    qsizetype bytes = 0;
    for (const auto &[name, value] : all.forTask(u"Worker"_s, 1, 0, QString())) {
        bytes += name.size() + value.size() + 2;
    }
    const qint64 once = timer.restart();
    // Without gang each task knows few others: the job of 1,000 tasks must start quickly.
    qsizetype variables = 0;
    for (int i = 0; i < count; ++i) {
        const TaskEnvironment few(job, identity(), {placements.at(i)});
        variables += few.forTask(u"Worker"_s, i, 0, QString()).size();
    }
    qInfo("1,000 peers: %lld ms, %lld KiB; 1,000 tasks alone: %lld ms", static_cast<long long>(once),
        static_cast<long long>(bytes / 1024), static_cast<long long>(timer.elapsed()));
    QVERIFY(bytes < 2'000'000); // what Linux takes
    QVERIFY(variables > 60 * count);
    QVERIFY(timer.elapsed() < 5000);
}

void TstEnvironment::tooManyForTheKernel()
{
    JobSpec job;
    constexpr int count = 20'000;
    job.taskRoles = {roleOf(u"w"_s, count)};
    QList<TaskPlacement> placements;
    for (int i = 0; i < count; ++i) {
        placements.append(place(u"w"_s, i, u"10.100.100.100"_s, 10'000 + i, 40'000));
    }
    const TaskEnvironment environment(job, identity(), placements);
    qsizetype bytes = 0;
    for (const auto &[name, value] : environment.forTask(u"w"_s, 1, 0, QString())) {
        QVERIFY(value.size() < 128 * 1024);
        bytes += name.size() + value.size() + 2;
    }
    QVERIFY(bytes < 1'500'000);
}

TRAINYARD_TEST(TstEnvironment)
#include "tst_environment.moc"
