// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/leadplan.h"
#include "engine/series/seriesset.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/slurmcluster.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QRegularExpression>
#include <QTcpSocket>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs on a real Slurm of three nodes: two have two GPUs each, all have four cores and 4,000 MB. Large because one
// cluster serves all of it: starting one takes longer than most of what is asked of it here.
class TstSlurm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void tasksFindEachOther();
    void whatTasksUseIsMeasured();
    void aSuspensionThereIsTold();
    void portsAreForwarded();
    void resultsAreBrought();
    void shapesAreComponents();
    void arrangementsAreKept();
    void firstFailureEndsTheJob();
    void enoughSuccessesEndTheJob();
    void tasksAloneAreAnArray();
    void anotherAttemptIsAnotherSubmission();
    void waitingIsExplainedAndStopped();
    void componentsWithoutNodesAreExplained();
    void stopsWithGrace();
    void stopsAnArrayInPart();
    void whatIsCancelledThereIsStopped();
    void whatIsCancelledBeforeItBeginsIsExplained();
    void goesOnWithoutTheEngine();
    void triesAgainInItsAllocation_data();
    void triesAgainInItsAllocation();
    void whatIsTriedAgainCanBeStopped();
    void isSubmittedOnce();
    void stopsWhatMayHaveBeenTaken();
    void isKnownByItsFiles();
    void oneElementMayBeCancelled();
    void staysInItsFolder();
    void refusalsAreFinal();
    void refusalsForTheSizeSaySizes();
    void secretsDoNotStay();
    void theControllerMayBeAway();
    void targetsAreListedAndChecked();

private:
    static QByteArray job(const QByteArray &roles, const QByteArray &more = {})
    {
        return EngineFixture::document("on-slurm", roles, more);
    }
    QString submit(const QByteArray &yaml, QMap<QString, QString> secrets = {});
    bool ends(const QString &uuid, State state);
    bool runs(const QString &uuid);
    bool loseFirstAnswer(); // of sbatch, which does what it is asked for
    bool go(); // what waits for a file "go"
    QByteArray queue(const QString &format = u"%T"_s) const
    {
        return m_slurm->run(u"squeue"_s, {u"-h"_s, u"-o"_s, format}).out;
    }
    QByteArrayList submissions() const; // ids of all allocations that were made for this test's jobs
    QByteArray stateThere() const; // of the first of them

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<EngineFixture> m_engine;
    QByteArray m_path;
};

void TstSlurm::initTestCase()
{
    m_path = qgetenv("PATH");
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurm::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

void TstSlurm::init()
{
    qputenv("PATH", m_path);
    m_engine = std::make_unique<EngineFixture>(QJsonObject{{u"slurm.lab"_s, u"--partition=main"_s},
        {u"clusters.pollSeconds"_s, 1}, {u"retry.pauseSeconds"_s, 0}, {u"stop.graceSeconds"_s, 5}});
    QVERIFY(m_engine->open());
}

void TstSlurm::cleanup()
{
    m_slurm->run(u"scancel"_s, {u"--user=root"_s});
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 30'000);
    m_engine.reset();
}

QString TstSlurm::submit(const QByteArray &yaml, QMap<QString, QString> secrets)
{
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.secrets = std::move(secrets);
    return m_engine->submit(yaml, request);
}

bool TstSlurm::ends(const QString &uuid, State state)
{
    const bool isOver = m_engine->waitForEnd(uuid, 60'000);
    const JobSummary job = m_engine->job(uuid);
    if (!isOver || job.state != state) {
        qWarning() << "the job is" << int(job.state) << job.reason << job.reasonArgs << queue(u"%i %T %r"_s);
        QDirIterator logs(
            m_engine->path(u"."_s), {u"lead*.log"_s, u"runtime.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (logs.hasNext()) {
            qWarning() << logs.next() << EngineFixture::contents(logs.filePath());
        }
    }
    return isOver && job.state == state;
}

bool TstSlurm::runs(const QString &uuid)
{
    return m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.state == State::Running; }, 30'000);
}

bool TstSlurm::loseFirstAnswer()
{
    const QString bin = m_engine->path(u"bin"_s);
    QDir().mkpath(bin);
    QFile fake(bin + u"/sbatch"_s);
    if (!fake.open(QIODevice::WriteOnly)) {
        return false;
    }
    fake.write("#!/bin/sh\nPATH='" + m_path + "' sbatch \"$@\" >/dev/null\n[ -e " + QFile::encodeName(bin)
        + "/told ] && exit 9\n: >" + QFile::encodeName(bin)
        + "/told\necho 'sbatch: error: Batch job submission failed: "
          "Socket timed out on send/recv operation' >&2\nexit 1\n");
    fake.close();
    qputenv("PATH", QFile::encodeName(bin) + ':' + m_path);
    return fake.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
}

bool TstSlurm::go()
{
    QFile file(m_engine->path(u"work/go"_s));
    return file.open(QIODevice::WriteOnly);
}

QByteArrayList TstSlurm::submissions() const
{
    QByteArrayList ids;
    QDirIterator files(m_engine->path(u"."_s), {u"submitted"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        ids.append(EngineFixture::contents(files.next()).trimmed());
    }
    return ids;
}

QByteArray TstSlurm::stateThere() const
{
    const QString id = QString::fromUtf8(submissions().value(0));
    return m_slurm->run(u"squeue"_s, {u"-h"_s, u"--states=all"_s, u"--jobs="_s + id, u"-o"_s, u"%T"_s}).out.trimmed();
}

// The addresses and ports of all are known before any of them starts, and each has its GPUs.
void TstSlurm::tasksFindEachOther()
{
    const QString uuid = submit(job(EngineFixture::role("worker", 2,
        {"echo peers $PAI_HOST_IP_worker_0 $PAI_HOST_IP_worker_1", "echo port $PAI_worker_1_http_PORT",
            "echo list $PAI_TASK_ROLE_worker_HOST_LIST", "echo sees $CUDA_VISIBLE_DEVICES",
            "echo at $SLURMD_NODENAME of $SLURM_JOB_ID", "echo index $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"},
        {}, "{cpu: 2, memoryMB: 200, gpu: 2, ports: {http: 1}}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(ends(uuid, State::Succeeded));
    QSet<QByteArray> nodes;
    for (int i = 0; i < 2; ++i) {
        const QByteArray said = m_engine->output(uuid, u"worker"_s, i);
        QVERIFY2(said.contains("peers 127.0.0.1 127.0.0.1\n"), said.constData());
        QVERIFY2(QRegularExpression(u"port 2\\d{4}\n"_s).match(QString::fromUtf8(said)).hasMatch(), said.constData());
        QVERIFY2(QRegularExpression(u"list 127\\.0\\.0\\.1:2\\d{4},127\\.0\\.0\\.1:2\\d{4}\n"_s)
                     .match(QString::fromUtf8(said))
                     .hasMatch(),
            said.constData());
        QVERIFY2(said.contains("sees 0,1\n"), said.constData());
        QVERIFY2(said.contains(QByteArray("index " + QByteArray::number(i))), said.constData());
        nodes.insert(said.mid(said.indexOf("at n") + 3, 2));
    }
    QCOMPARE(nodes, (QSet<QByteArray>{"n1", "n2"}));
    QCOMPARE(submissions().size(), 1);
}

// On its node, by its step: nothing here asks for it.
void TstSlurm::whatTasksUseIsMeasured()
{
    const QString uuid = submit(
        job(EngineFixture::role("worker", 1, {"until [ -e go ]; do :; done"}, {}, "{cpu: 1, memoryMB: 200, gpu: 1}")));
    QVERIFY(runs(uuid));
    const auto isMeasured = [this] {
        QDirIterator files(m_engine->path(u"."_s), {u"figures.series"_s}, QDir::Files, QDirIterator::Subdirectories);
        if (!files.hasNext()) {
            return false;
        }
        series::SeriesSet set(files.next().toStdString());
        set.poll();
        const auto cpu = set.find("cpu");
        return cpu && set.series(*cpu).largest() && set.series(*cpu).largest()->value > 0 && set.find("memory");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isMeasured(), 60'000);
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).gpus.size(), 1);
    QVERIFY(go());
    QVERIFY(ends(uuid, State::Succeeded));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).gpus.size(), 1);
}

void TstSlurm::aSuspensionThereIsTold()
{
    const QString uuid
        = submit(job(EngineFixture::role("worker", 1, {"echo on", "while [ ! -e go ]; do sleep 0.1; done"})));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0).contains("on"), 30'000);
    const QString id = QString::fromUtf8(submissions().first());
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"suspend"_s, id}).status, 0);
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "job.slurm-suspended"_L1; }, 30'000));
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"resume"_s, id}).status, 0);
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason.isEmpty(); }, 30'000));
    QVERIFY(go());
    QVERIFY(ends(uuid, State::Succeeded));
}

// From the node of the task, through this computer.
void TstSlurm::portsAreForwarded()
{
    QFile program(m_engine->path(u"serve.py"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write(
        "import socket, sys\ns = socket.create_server(('127.0.0.1', int(sys.argv[1])))\n"
        "print('up', flush=True)\nwhile True:\n    c = s.accept()[0]\n    c.sendall(b'served')\n    c.close()\n");
    program.close();
    const QString uuid = submit(job(EngineFixture::role("worker", 1,
        {"exec python3 " + QFile::encodeName(program.fileName()) + " $PAI_CONTAINER_HOST_web_PORT_LIST"}, {},
        "{cpu: 1, memoryMB: 64, gpu: 0, ports: {web: 1}}")));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0).contains("up"), 30'000);
    // What it prints may be here before it is known to run.
    Result<QList<api::TaskPort>> ports;
    const auto listed = [&] {
        ports = m_engine->engine().ports({uuid, u"worker"_s, 0});
        return ports && ports->size() == 1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(listed(), 30'000);
    QCOMPARE(ports->constFirst().label, u"web"_s);
    QVERIFY(ports->constFirst().host.startsWith("slurm:lab/n"_L1));
    QVERIFY(!ports->constFirst().isHere);
    const Result<api::TaskPort> forwarded
        = m_engine->engine().forwardPort({uuid, u"worker"_s, 0, ports->constFirst().port, 0});
    QVERIFY2(forwarded, forwarded ? "" : qPrintable(forwarded.error().code));
    QVERIFY(forwarded->localPort > 0 && forwarded->localPort != forwarded->port); // which its node has, here
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, quint16(forwarded->localPort));
    QTRY_COMPARE_WITH_TIMEOUT(socket.state(), QAbstractSocket::UnconnectedState, 30'000);
    QCOMPARE(socket.readAll(), QByteArray("served"));
    QVERIFY(m_engine->engine().stopForward({uuid, {}, 0, 0}).value_or(false));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(ends(uuid, State::Stopped));
}

// By the rule of a job without a work folder, whose tasks start in folders of their own.
void TstSlurm::resultsAreBrought()
{
    SubmitRequest request;
    request.target = u"slurm:lab"_s;
    request.file = u""_s;
    const QByteArray to = QFile::encodeName(m_engine->path(u"brought"_s));
    const QString uuid = m_engine->submit(job(EngineFixture::role("worker", 2, {"echo $PAI_TASK_INDEX >out.txt"}),
                                              "extras: {trainyard: {results: {files: [out.txt], to: " + to + "}}}\n"),
        request);
    QVERIFY(!uuid.isEmpty());
    QVERIFY(ends(uuid, State::Succeeded));
    const QString ofJob = u"brought/%1-on-slurm"_s.arg(m_engine->job(uuid).id);
    for (int i = 0; i < 2; ++i) {
        const QString file = m_engine->path(u"%1/worker-%2/out.txt"_s.arg(ofJob).arg(i));
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(file), QByteArray::number(i) + '\n', 30'000);
    }
}

void TstSlurm::shapesAreComponents()
{
    const QString uuid
        = submit(job(EngineFixture::role("ps", 1, {"echo ps sees [$CUDA_VISIBLE_DEVICES] at $SLURMD_NODENAME; sleep 2"},
                         {}, "{cpu: 1, memoryMB: 100, gpu: 0}")
            + EngineFixture::role("worker", 2, {"echo worker sees $CUDA_VISIBLE_DEVICES of $PAI_HOST_IP_ps_0"}, {},
                "{cpu: 2, memoryMB: 200, gpu: 1}")));
    QVERIFY(ends(uuid, State::Succeeded));
    QVERIFY2(
        m_engine->output(uuid, u"ps"_s, 0).contains("ps sees [] at n"), m_engine->output(uuid, u"ps"_s, 0).constData());
    for (int i = 0; i < 2; ++i) {
        const QByteArray said = m_engine->output(uuid, u"worker"_s, i);
        QVERIFY2(QRegularExpression(u"worker sees \\d of 127"_s).match(QString::fromUtf8(said)).hasMatch(),
            said.constData());
    }
}

// Without the rule, all of them have room on the first node.
void TstSlurm::arrangementsAreKept()
{
    const QByteArray needs = "{cpu: 1, memoryMB: 100, gpu: 0}", says = "echo on $SLURMD_NODENAME; sleep 1";
    const QString uuid = submit(job(EngineFixture::role("apart", 3, {says}, {}, needs),
        "extras:\n  trainyard:\n    hosts: {apart: {arrange: different-hosts}}\n"));
    QVERIFY(ends(uuid, State::Succeeded));
    QByteArrayList nodes;
    for (int i = 0; i < 3; ++i) {
        nodes.append(m_engine->output(uuid, u"apart"_s, i).trimmed());
    }
    std::sort(nodes.begin(), nodes.end());
    QCOMPARE(nodes, (QByteArrayList{"on n1", "on n2", "on n3"}));

    const QString together = submit(
        job(EngineFixture::role("one", 4, {says}, {}, needs) + EngineFixture::role("other", 1, {says}, {}, needs),
            "extras:\n  trainyard:\n    hosts: {one: {arrange: same-host, labels: [fast]}}\n"));
    QVERIFY(ends(together, State::Succeeded));
    for (int i = 1; i < 4; ++i) {
        QCOMPARE(m_engine->output(together, u"one"_s, i), m_engine->output(together, u"one"_s, 0));
    }
    QVERIFY(m_engine->output(together, u"other"_s, 0) != m_engine->output(together, u"one"_s, 0));
}

void TstSlurm::firstFailureEndsTheJob()
{
    const QString uuid = submit(job(EngineFixture::role("bad", 1, {"sleep 1; echo no; exit 3"})
        + EngineFixture::role("good", 2, {"trap 'echo asked; exit 0' TERM; echo here; sleep 100 & wait"})));
    QVERIFY(ends(uuid, State::Failed));
    QCOMPARE(m_engine->job(uuid).exitCode.value_or(0), 255); // OpenPAI's, of a status that no rule knows
    QCOMPARE(m_engine->task(uuid, u"bad"_s, 0).rawExit.value_or(0), 3);
    QVERIFY(m_engine->output(uuid, u"good"_s, 1).contains("asked"));
    QTRY_COMPARE_WITH_TIMEOUT(stateThere(), QByteArray("FAILED"), 15'000);
}

void TstSlurm::enoughSuccessesEndTheJob()
{
    const QString uuid = submit(
        job(EngineFixture::role("chief", 1, {"sleep 1; echo done"}, "    completion: {minSucceededInstances: 1}\n")
            + EngineFixture::role("server", 1, {"sleep 1000"})));
    QVERIFY(ends(uuid, State::Succeeded));
    // Slurm mails it, and jobs there can depend on it: a task that the rules end is no failure.
    QTRY_COMPARE_WITH_TIMEOUT(stateThere(), QByteArray("COMPLETED"), 15'000);
}

// They do not wait for each other, and the failure of one is none of the others'.
void TstSlurm::tasksAloneAreAnArray()
{
    const QString uuid
        = submit(job(EngineFixture::role("each", 5,
                         {"echo element $SLURM_ARRAY_TASK_ID; [ $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX != 3 ]"},
                         "    completion: {minFailedInstances: -1}\n"),
            "extras: {gangAllocation: false}\n"));
    QVERIFY(ends(uuid, State::Succeeded));
    for (int i = 0; i < 5; ++i) {
        QVERIFY(m_engine->output(uuid, u"each"_s, i).contains(QByteArray("element " + QByteArray::number(i))));
        QCOMPARE(m_engine->task(uuid, u"each"_s, i).state, i == 3 ? State::Failed : State::Succeeded);
    }
    QCOMPARE(submissions().size(), 1);
}

void TstSlurm::anotherAttemptIsAnotherSubmission()
{
    const QString uuid = submit(
        job(EngineFixture::role("worker", 1, {"echo attempt $TRAINYARD_JOB_ATTEMPT; exit 1"}), "jobRetryCount: 1\n"));
    QVERIFY(ends(uuid, State::Failed));
    QCOMPARE(m_engine->job(uuid).retries, 1);
    QCOMPARE(submissions().size(), 2);
}

// The partition has three nodes, and Slurm takes the job nevertheless.
void TstSlurm::componentsWithoutNodesAreExplained()
{
    QByteArray roles;
    for (int cpus = 1; cpus <= 4; ++cpus) {
        const QByteArray number = QByteArray::number(cpus);
        roles += EngineFixture::role(
            "role" + number, 1, {"sleep 1000"}, {}, "{cpu: " + number + ", memoryMB: 100, gpu: 0}");
    }
    const QString uuid = submit(job(roles));
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &each) { return each.reason == "wait.slurm-components"_L1; }, 60'000));
    const QJsonObject args = m_engine->job(uuid).reasonArgs;
    QCOMPARE(args.value("components"_L1).toInt(), 4);
    QCOMPARE(args.value("needed"_L1).toInt(), 4);
    QCOMPARE(args.value("nodes"_L1).toInt(), 3);
    QVERIFY(m_engine->engine().stop(uuid, true));
    QVERIFY(ends(uuid, State::Stopped));
}

void TstSlurm::waitingIsExplainedAndStopped()
{
    const QByteArray all = job(EngineFixture::role("all", 3, {"sleep 1000"}, {}, "{cpu: 4, memoryMB: 100, gpu: 0}"));
    const QString first = submit(all);
    QVERIFY(runs(first));
    const QString second = submit(all);
    QVERIFY(m_engine->waitFor(
        second,
        [](const JobSummary &job) {
            return job.reason.startsWith("wait.slurm-"_L1) && job.reason != "wait.slurm-submitting"_L1
                && job.reason != "wait.slurm-taken"_L1;
        },
        20'000));
    const JobSummary waiting = m_engine->job(second);
    QCOMPARE(waiting.state, State::Waiting);
    QVERIFY2(waiting.reason == "wait.slurm-resources"_L1 || waiting.reason == "wait.slurm-priority"_L1,
        qPrintable(waiting.reason));
    const auto argument = [&](QLatin1StringView name) { return m_engine->job(second).reasonArgs.value(name); };
    QTRY_COMPARE_WITH_TIMEOUT(argument("position"_L1).toInt(), 1, 20'000);
    QCOMPARE(argument("partition"_L1).toString(), u"main"_s);
    QCOMPARE(argument("length"_L1).toInt(), 1);
    const QList<WaitNote> waits = m_engine->engine().job(second)->waits; // each change with its time
    QVERIFY(waits.size() >= 2);
    QCOMPARE(waits.constLast().reason, m_engine->job(second).reason);
    const auto taken = std::find_if(
        waits.cbegin(), waits.cend(), [](const WaitNote &each) { return each.reason == "wait.slurm-taken"_L1; });
    QVERIFY(taken != waits.cend());
    QVERIFY2(waits.constFirst().reason == "wait.slurm-submitting"_L1 || waits.cbegin() == taken, // sbatch may be quick
        qPrintable(waits.constFirst().reason));
    QVERIFY(submissions().contains(taken->args.value("number"_L1).toString().toUtf8()));
    QCOMPARE(m_engine->engine().job(second)->clusterJobs.size(), 1);
    QVERIFY(submissions().contains(m_engine->engine().job(second)->clusterJobs.constFirst().toUtf8()));
    QVERIFY(waits.constFirst().at > 0 && waits.constLast().at > waits.constFirst().at);
    QVERIFY(m_engine->engine().stop(second, false));
    QVERIFY(ends(second, State::Stopped));
    QCOMPARE(queue(u"%T"_s), QByteArray("RUNNING\n"));
    QVERIFY(m_engine->engine().stop(first, true));
    QVERIFY(ends(first, State::Stopped));
}

void TstSlurm::stopsWithGrace()
{
    const QString uuid = submit(job(EngineFixture::role("worker", 2,
        {"trap 'echo saving; sleep 1; echo saved; exit 0' TERM", "echo ready", "while :; do sleep 0.1; done"})));
    QVERIFY(runs(uuid));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 1).contains("ready"), 20'000);
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(ends(uuid, State::Stopped));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("saved"));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 1).contains("saved"));
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING"), 15'000);
}

// Three of its elements run, and there is no room for the other two.
void TstSlurm::stopsAnArrayInPart()
{
    const QString uuid = submit(job(
        EngineFixture::role("each", 5, {"trap 'echo saved; exit 0' TERM", "echo ready", "while :; do sleep 0.1; done"},
            "    completion: {minFailedInstances: -1}\n", "{cpu: 4, memoryMB: 100, gpu: 0}"),
        "extras: {gangAllocation: false}\n"));
    const auto saying = [&](const QByteArray &word) {
        int count = 0;
        for (int i = 0; i < 5; ++i) {
            count += m_engine->output(uuid, u"each"_s, i).contains(word) ? 1 : 0;
        }
        return count;
    };
    QTRY_COMPARE_WITH_TIMEOUT(saying("ready"), 3, 30'000);
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(ends(uuid, State::Stopped));
    QCOMPARE(saying("ready"), 3);
    QCOMPARE(saying("saved"), 3);
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING") && !queue().contains("PENDING"), 15'000);
}

void TstSlurm::whatIsCancelledThereIsStopped()
{
    const QString uuid = submit(job(EngineFixture::role("worker", 1, {"sleep 1000"})));
    QVERIFY(runs(uuid));
    m_slurm->run(u"scancel"_s, {QString::fromUtf8(submissions().first())});
    QVERIFY(ends(uuid, State::Stopped));
    QCOMPARE(m_engine->job(uuid).reason, u"slurm.cancelled"_s);
}

// No lead has written how it ended, and the cluster is asked for a while.
void TstSlurm::whatIsCancelledBeforeItBeginsIsExplained()
{
    const QByteArray all = job(EngineFixture::role("all", 3, {"sleep 1000"}, {}, "{cpu: 4, memoryMB: 100, gpu: 0}"));
    const QString first = submit(all);
    QVERIFY(runs(first));
    const QString second = submit(all);
    QVERIFY(m_engine->waitFor(
        second, [](const JobSummary &each) { return each.reasonArgs.contains("number"_L1); }, 20'000));
    QTRY_COMPARE_WITH_TIMEOUT(m_engine->engine().job(second)->clusterJobs.size(), 1, 20'000);
    const QString number = m_engine->engine().job(second)->clusterJobs.constFirst();
    m_slurm->run(u"scancel"_s, {number});
    QVERIFY(ends(second, State::Stopped));
    QCOMPARE(m_engine->job(second).reason, u"slurm.cancelled"_s);
    const QList<WaitNote> waits = m_engine->engine().job(second)->waits;
    QVERIFY(std::any_of(waits.cbegin(), waits.cend(), [&number](const WaitNote &each) {
        return each.reason == "wait.slurm-left"_L1 && each.args.value("number"_L1).toString() == number;
    }));
    QVERIFY(m_engine->engine().stop(first, true));
    QVERIFY(ends(first, State::Stopped));
}

// What is led goes on, ends by its own rules, and is found.
void TstSlurm::goesOnWithoutTheEngine()
{
    const QString uuid
        = submit(job(EngineFixture::role("chief", 1, {"echo one; while [ ! -e go ]; do sleep 0.1; done; echo two"},
                         "    completion: {minSucceededInstances: 1}\n")
            + EngineFixture::role("server", 1, {"sleep 1000"})));
    QVERIFY(runs(uuid));
    m_engine->close();
    QVERIFY(go());
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING"), 30'000);
    QVERIFY(m_engine->open());
    QVERIFY(ends(uuid, State::Succeeded));
    QVERIFY(m_engine->output(uuid, u"chief"_s, 0).contains("two"));
    QCOMPARE(submissions().size(), 1);
}

void TstSlurm::triesAgainInItsAllocation_data()
{
    QTest::addColumn<bool>("isAway");
    QTest::newRow("with the engine") << false;
    QTest::newRow("without it") << true;
}

// Its tries look the same whoever was there.
void TstSlurm::triesAgainInItsAllocation()
{
    QFETCH(bool, isAway);
    const QString uuid = submit(job(
        EngineFixture::role("each", 2,
            {"echo try $TRAINYARD_TASK_TRY", "while [ ! -e go ]; do sleep 0.1; done", "[ $TRAINYARD_TASK_TRY = 2 ]"},
            "    taskRetryCount: 2\n"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY(runs(uuid));
    if (isAway) {
        m_engine->close();
    }
    QVERIFY(go());
    if (isAway) {
        QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING") && !queue().contains("PENDING"), 60'000);
        QVERIFY(m_engine->open());
    }
    QVERIFY(ends(uuid, State::Succeeded));
    QCOMPARE(submissions().size(), 1);
    for (int i = 0; i < 2; ++i) {
        const TaskInfo task = m_engine->task(uuid, u"each"_s, i);
        QCOMPARE(task.tries, 2);
        QCOMPARE(task.chargedRetries, 2);
        QVERIFY2(task.host.startsWith("slurm:lab/n"_L1), qPrintable(task.host));
        for (int number = 0; number < 3; ++number) {
            const QString log = QFileInfo(task.logFolder).path() + u'/' + QString::number(number);
            QCOMPARE(EngineFixture::contents(log + u"/output.log"_s),
                QByteArray("try " + QByteArray::number(number) + '\n'));
        }
    }
}

// The second try runs in the allocation of the first one.
void TstSlurm::whatIsTriedAgainCanBeStopped()
{
    const QString uuid = submit(job(EngineFixture::role("worker", 1,
                                        {"[ $TRAINYARD_TASK_TRY = 1 ]", "trap 'echo saved; exit 0' TERM", "echo ready",
                                            "while :; do sleep 0.1; done"},
                                        "    taskRetryCount: 1\n"),
        "extras: {gangAllocation: false}\n"));
    QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"worker"_s, 0).contains("ready"), 40'000);
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(ends(uuid, State::Stopped));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("saved"));
    QCOMPARE(m_engine->task(uuid, u"worker"_s, 0).tries, 1);
    QCOMPARE(submissions().size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING"), 15'000);
}

// The cluster has taken it, and the answer is lost.
void TstSlurm::isSubmittedOnce()
{
    QVERIFY(loseFirstAnswer());
    const QString uuid = submit(job(EngineFixture::role("worker", 1, {"echo x >>starts; sleep 8"})));
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "wait.slurm-silent"_L1; }, 15'000));
    QVERIFY(ends(uuid, State::Succeeded));
    const QString starts = m_engine->path(u"work/starts"_s);
    QCOMPARE(EngineFixture::contents(starts), QByteArray("x\n"));
}

// The cluster has taken it, nobody knows, and it is stopped.
void TstSlurm::stopsWhatMayHaveBeenTaken()
{
    QVERIFY(loseFirstAnswer());
    const QString uuid = submit(job(EngineFixture::role("worker", 1, {"sleep 1000"})));
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "wait.slurm-silent"_L1; }, 15'000));
    QVERIFY(m_engine->engine().stop(uuid, false));
    QVERIFY(ends(uuid, State::Stopped));
    QTRY_VERIFY_WITH_TIMEOUT(queue().isEmpty(), 30'000);
}

// The engine died before it could write down what the cluster calls it.
void TstSlurm::isKnownByItsFiles()
{
    const QString uuid = submit(
        job(EngineFixture::role("worker", 1, {"echo x >>starts; while [ ! -e go ]; do sleep 0.1; done; echo end"})));
    QVERIFY(runs(uuid));
    const QByteArrayList before = submissions();
    QCOMPARE(before.size(), 1);
    m_engine->close();
    QDirIterator files(m_engine->path(u"."_s), {u"submitted"_s}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(files.hasNext());
    QVERIFY(QFile::remove(files.next()));
    QVERIFY(go());
    QTRY_VERIFY_WITH_TIMEOUT(!queue().contains("RUNNING"), 30'000);
    QVERIFY(m_engine->open());
    QVERIFY(ends(uuid, State::Succeeded));
    QCOMPARE(submissions(), before);
    QCOMPARE(EngineFixture::contents(m_engine->path(u"work/starts"_s)), QByteArray("x\n"));
}

// The others of the array go on.
void TstSlurm::oneElementMayBeCancelled()
{
    const QString uuid = submit(job(EngineFixture::role("each", 3, {"echo on", "while [ ! -e go ]; do sleep 0.1; done"},
                                        "    completion: {minFailedInstances: -1}\n"),
        "extras: {gangAllocation: false}\n"));
    for (int i = 0; i < 3; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(m_engine->output(uuid, u"each"_s, i).contains("on"), 30'000);
    }
    m_slurm->run(u"scancel"_s, {QString::fromUtf8(submissions().first() + "_1")});
    QVERIFY(QTest::qWaitFor([&] { return m_engine->task(uuid, u"each"_s, 1).state == State::Stopped; }, 60'000));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(go());
    QVERIFY(ends(uuid, State::Succeeded));
    QCOMPARE(m_engine->task(uuid, u"each"_s, 0).state, State::Succeeded);
    QCOMPARE(m_engine->task(uuid, u"each"_s, 1).reason, u"slurm.cancelled-task"_s);
    QCOMPARE(m_engine->task(uuid, u"each"_s, 2).state, State::Succeeded);
}

// The setting is for jobs to come.
void TstSlurm::staysInItsFolder()
{
    QVERIFY(m_engine->engine().setSetting(u"slurmFolder.lab"_s, m_engine->path(u"first"_s)));
    const QString uuid = submit(job(EngineFixture::role("worker", 1,
        {"echo on", "mkdir -p \"$TRAINYARD_TASK_FOLDER/kept/in\" && chmod 555 \"$TRAINYARD_TASK_FOLDER/kept\"",
            "while [ ! -e go ]; do sleep 0.1; done"})));
    QVERIFY(runs(uuid));
    QVERIFY(m_engine->engine().setSetting(u"slurmFolder.lab"_s, m_engine->path(u"second"_s)));
    m_engine->close();
    QVERIFY(m_engine->open());
    QVERIFY(go());
    QVERIFY(ends(uuid, State::Succeeded));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("on"));
    const Result<QString> folder = m_engine->engine().logFolder(uuid, u"worker"_s, 0, -1, -1);
    QVERIFY(folder.has_value());
    QVERIFY2(folder->startsWith(m_engine->path(u"first/"_s)), qPrintable(*folder));
    QCOMPARE(submissions().size(), 1);
    QVERIFY(m_engine->engine().remove(uuid));
    const QString ofJob = QFileInfo(*folder).path(); // of the attempt
    QTRY_VERIFY(!QFileInfo::exists(ofJob));
}

void TstSlurm::refusalsAreFinal()
{
    QVERIFY(m_engine->engine().setSetting(u"slurm.wrong"_s, u"--partition=nowhere"_s));
    SubmitRequest request;
    request.target = u"slurm:wrong"_s;
    const QString uuid
        = m_engine->submit(job(EngineFixture::role("worker", 1, {"true"}), "jobRetryCount: 3\n"), request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(ends(uuid, State::Failed));
    const JobSummary refused = m_engine->job(uuid);
    QCOMPARE(refused.exitCode.value_or(0), -200);
    QCOMPARE(refused.retries, 0);
    QCOMPARE(refused.reason, u"slurm.refused"_s);
    QVERIFY2(refused.reasonArgs.value("detail"_L1).toString().contains("partition"_L1),
        qPrintable(refused.reasonArgs.value("detail"_L1).toString()));
    QVERIFY(submissions().isEmpty());
}

void TstSlurm::refusalsForTheSizeSaySizes()
{
    const QString uuid = submit(job(EngineFixture::role("worker", 1, {"true"}, {}, "{cpu: 1, memoryMB: 100, gpu: 3}")));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(ends(uuid, State::Failed));
    const JobSummary refused = m_engine->job(uuid);
    QCOMPARE(refused.exitCode.value_or(0), -200);
    QCOMPARE(refused.reason, u"slurm.refused-size"_s);
    const QJsonObject most = refused.reasonArgs.value("most"_L1).toObject();
    QCOMPARE(refused.reasonArgs.value("asked"_L1).toObject().value("gpus"_L1).toInt(), 3);
    QCOMPARE(most, (QJsonObject{{u"cpus"_s, 4}, {u"memoryMiB"_s, 4000}, {u"gpus"_s, 2}}));
    QVERIFY(submissions().isEmpty());
}

void TstSlurm::secretsDoNotStay()
{
    const QByteArray secret = "correct-horse-battery-staple";
    const QString uuid
        = submit(job(EngineFixture::role("worker", 1, {"echo the secret is <% $secrets.key %>; sleep 1"}),
            "secrets: {key: " + secret + "}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
    QVERIFY(ends(uuid, State::Succeeded));
    QVERIFY(m_engine->output(uuid, u"worker"_s, 0).contains("the secret is ******"));
    for (const QString &folder : {m_engine->path(u"."_s), QString(m_slurm->folder() + u"/state"_s),
             QString(m_slurm->folder() + u"/spool"_s), QString(m_slurm->folder() + u"/log"_s)}) {
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QVERIFY2(!EngineFixture::contents(files.next()).contains(secret), qPrintable(files.filePath()));
        }
    }
}

// Nothing is known then, and nothing ends.
void TstSlurm::theControllerMayBeAway()
{
    const QString uuid
        = submit(job(EngineFixture::role("worker", 1, {"echo on; while [ ! -e go ]; do sleep 0.1; done"})));
    QVERIFY(runs(uuid));
    QVERIFY(m_slurm->stopController());
    QVERIFY(m_engine->waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "job.slurm-silent"_L1; }, 90'000));
    QCOMPARE(m_engine->job(uuid).state, State::Running);
    QVERIFY(go());
    QVERIFY(ends(uuid, State::Succeeded)); // by its own record
    QVERIFY(m_slurm->startController());
}

void TstSlurm::targetsAreListedAndChecked()
{
    QVERIFY(m_engine->engine().setSetting(u"slurm.wrong"_s, u"--partition=nowhere"_s));
    QVERIFY(m_engine->engine().setSetting(u"slurm.owned"_s, u"--nodes=3"_s));
    const QList<ClusterInfo> targets = m_engine->engine().targets();
    QCOMPARE(targets.size(), 3);
    QCOMPARE(targets.at(0).id, u"slurm:lab"_s);
    QCOMPARE(targets.at(1).error, u"slurm.option-owned"_s);
    SubmitRequest request;
    request.target = u"slurm:owned"_s;
    QVERIFY(m_engine->submit(job(EngineFixture::role("worker", 1, {"true"})), request).isEmpty());
    QCOMPARE(m_engine->error().code, u"slurm.option-owned"_s);
    for (const bool isGood : {true, false}) {
        std::optional<Result<ClusterInfo>> checked;
        m_engine->engine().checkTarget(isGood ? u"slurm:lab"_s : u"slurm:wrong"_s, this,
            [&checked](const Result<ClusterInfo> &answer) { checked = answer; });
        QVERIFY(QTest::qWaitFor([&] { return checked.has_value(); }, 30'000));
        QVERIFY(checked->has_value());
        const QList<ClusterStep> &steps = (*checked)->steps;
        QCOMPARE(steps.size(), 6);
        QVERIFY(steps.at(2).id == "use"_L1 && steps.at(2).code.isEmpty());
        QVERIFY(steps.at(3).id == "limits"_L1 && steps.at(3).isGood); // the cluster keeps no accounts
        QCOMPARE(steps.at(1).args.value("partitions"_L1).toArray().first().toObject().value("name"_L1).toString(),
            u"main"_s);
        QCOMPARE(steps.at(5).isGood, isGood);
    }
    QVERIFY(m_engine->engine().setSetting(u"slurm.wrong"_s, QJsonValue()));
    QCOMPARE(m_engine->engine().targets().size(), 2);
    request.target = u"slurm:wrong"_s;
    QVERIFY(m_engine->submit(job(EngineFixture::role("worker", 1, {"true"})), request).isEmpty());
    QCOMPARE(m_engine->error().code, u"slurm.removed"_s);
}

TRAINYARD_TEST(TstSlurm)
#include "tst_slurm.moc"
