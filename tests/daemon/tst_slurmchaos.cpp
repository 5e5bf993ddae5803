// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmtext.h"
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What happens to jobs on a real Slurm when something goes wrong there, or is done there by somebody else. It has no
// accounts (slurmdbd), so what has left its queue is known by its files only. Large because one cluster serves all of
// it.
class TstSlurmChaos : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void hasNoAccounts();
    void aNodeIsLost();
    void isQueuedAgainThere();
    void makesRoom_data();
    void makesRoom();
    void savesBeforeItMakesRoom();
    void theControllerRestarts();
    void aStopNeedsNoController();
    void theEngineIsOffForAWhile();
    void diesBetweenSubmissionAndAnswer();
    void theNumberIsAnotherJobs();
    void stopsAtEachStage_data();
    void stopsAtEachStage();
    void stopNowIsAtOnce_data();
    void stopNowIsAtOnce();
    void shortTimesAreUsed();
    void theNodeIsRemembered();
    void hundredsOfElements();

private:
    static constexpr int killWait = 45; // more than any stop here may take
    static QByteArray worker(const QByteArrayList &commands, const QByteArray &more = {}, int instances = 1,
        const QByteArray &resources = "{cpu: 1, memoryMB: 16, gpu: 0}")
    {
        return EngineFixture::document(
            "chaos", EngineFixture::role("worker", instances, commands, {}, resources), more);
    }
    // Says that it is up, notes each start, and waits for a file "go".
    static QByteArray waiting(const QByteArray &resources = "{cpu: 1, memoryMB: 16, gpu: 0}")
    {
        return worker(
            {"echo x >>starts", "echo up", "while [ ! -e go ]; do sleep 0.1; done", "echo end"}, {}, 1, resources);
    }
    int starts() const { return int(EngineFixture::contents(m_lab->engine.path(u"work/starts"_s)).count('x')); }

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmChaos::initTestCase()
{
    SlurmCluster::Options options;
    options.killWait = killWait;
    options.settings = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n";
    options.partitions
        = "PartitionName=low Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=CANCEL\n"
          "PartitionName=again Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE\n"
          "PartitionName=grace Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=1 GraceTime=20 PreemptMode=REQUEUE\n"
          "PartitionName=high Nodes=n[1-3] MaxTime=INFINITE State=UP PriorityTier=10\n";
    m_slurm = std::make_unique<SlurmCluster>(options);
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmChaos::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

void TstSlurmChaos::init()
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm,
        QMap<QString, QString>{{u"low"_s, u"--partition=low"_s}, {u"again"_s, u"--partition=again"_s},
            {u"grace"_s, u"--partition=grace"_s}, {u"high"_s, u"--partition=high"_s},
            {u"short"_s, u"--partition=main --time=1"_s}});
    QVERIFY(m_lab->open());
}

void TstSlurmChaos::cleanup() { m_lab.reset(); }

// The words by which this is known are those of a real one.
void TstSlurmChaos::hasNoAccounts()
{
    const SlurmCluster::Output said = m_slurm->run(u"sacct"_s, slurm::accountArguments({u"1"_s}));
    QVERIFY(said.status != 0);
    QVERIFY2(slurm::hasNoAccounts(said.out + said.err), said.err.constData());
}

void TstSlurmChaos::aNodeIsLost()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString host = m_lab->engine.task(uuid, u"worker"_s, 0).host;
    QVERIFY2(host.startsWith("slurm:lab/n"_L1), qPrintable(host));
    const int node = host.last(1).toInt();
    QVERIFY(m_slurm->loseNode(node));
    // It is tried again, although the job has no retries: on another node, or on this one when it is back.
    QVERIFY(m_lab->waitForSubmissions(2));
    QVERIFY(m_slurm->startNode(node));
    QVERIFY(m_lab->says(uuid, "up", 0, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    const JobSummary job = m_lab->engine.job(uuid);
    QCOMPARE(job.retries, 1);
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).exitCode.value_or(0), -1001);
    QCOMPARE(starts(), 2);
}

// Slurm would start it again after two minutes, and its tasks could not be started by it.
void TstSlurmChaos::isQueuedAgainThere()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString id = QString::fromUtf8(m_lab->submissions().first());
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"update"_s, u"jobid="_s + id, u"Requeue=1"_s}).status, 0);
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"requeue"_s, id}).status, 0);
    QVERIFY(m_lab->waitForSubmissions(2));
    QVERIFY(m_lab->says(uuid, "up", 0, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).exitCode.value_or(0), -1003);
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).reason, u"slurm.requeued"_s);
    QCOMPARE(starts(), 2);
    QVERIFY(!m_lab->queue(u"%i"_s).split('\n').contains(id.toUtf8())); // the first one does not come back
}

void TstSlurmChaos::makesRoom_data()
{
    QTest::addColumn<QString>("target");
    QTest::newRow("by its end") << u"slurm:low"_s;
    if (isFullForm()) {
        QTest::newRow("by another run") << u"slurm:again"_s; // which --no-requeue makes an end, too
    }
}

// A job of a partition that goes before takes all nodes.
void TstSlurmChaos::makesRoom()
{
    QFETCH(QString, target);
    const QString uuid = m_lab->submit(waiting("{cpu: 4, memoryMB: 16, gpu: 0}"), target);
    QVERIFY(m_lab->says(uuid, "up"));
    const QString urgent
        = m_lab->submit(worker({"echo urgent"}, {}, 3, "{cpu: 4, memoryMB: 16, gpu: 0}"), u"slurm:high"_s);
    QVERIFY(m_lab->ends(urgent, State::Succeeded, 120'000));
    QVERIFY(m_lab->says(uuid, "up", 0, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).exitCode.value_or(0), -1003);
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).reason, u"slurm.preempted"_s);
    QCOMPARE(m_lab->engine.job(uuid).retries, 1);
    QCOMPARE(starts(), 2);
}

// The shell ends at once when the cluster asks for it. What saves its state has the grace time of the partition.
void TstSlurmChaos::savesBeforeItMakesRoom()
{
    const QByteArray resources = "{cpu: 4, memoryMB: 16, gpu: 0}";
    const QString uuid = m_lab->submit(worker({"bash -c 'trap \"sleep 1; echo saved >>saved; exit 1\" TERM; echo up; "
                                               "while [ ! -e go ]; do sleep 0.1; done'",
                                                  "echo end"},
                                           {}, 1, resources),
        u"slurm:grace"_s);
    QVERIFY(m_lab->says(uuid, "up"));
    QVERIFY(m_lab->ends(
        m_lab->submit(worker({"echo urgent"}, {}, 3, resources), u"slurm:high"_s), State::Succeeded, 120'000));
    QVERIFY(m_lab->says(uuid, "up", 0, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).reason, u"slurm.preempted"_s);
    QCOMPARE(EngineFixture::contents(m_lab->engine.path(u"work/saved"_s)), QByteArray("saved\n"));
}

void TstSlurmChaos::theControllerRestarts()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    QVERIFY(m_slurm->stopController());
    const QString other = m_lab->submit(worker({"echo later"})); // nobody takes it now
    QVERIFY(!other.isEmpty());
    QVERIFY(m_slurm->startController());
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QVERIFY(m_lab->ends(other, State::Succeeded, 120'000));
    QCOMPARE(m_lab->submissions().size(), 2);
    QCOMPARE(starts(), 1);
}

void TstSlurmChaos::aStopNeedsNoController()
{
    const QString uuid
        = m_lab->submit(worker({"trap 'echo saved >saved; exit 0' TERM", "echo up", "while :; do sleep 0.1; done"}));
    QVERIFY(m_lab->says(uuid, "up"));
    QVERIFY(m_slurm->stopController());
    QVERIFY(m_lab->engine.engine().stop(uuid, false));
    const bool isSaved = QTest::qWaitFor(
        [this] { return EngineFixture::contents(m_lab->engine.path(u"work/saved"_s)) == "saved\n"; }, 60'000);
    QVERIFY(m_slurm->startController());
    QVERIFY(isSaved);
    QVERIFY(m_lab->ends(uuid, State::Stopped, 120'000));
}

// Two run and one waits; all of them end while nobody looks.
void TstSlurmChaos::theEngineIsOffForAWhile()
{
    const QByteArray whole = "{cpu: 4, memoryMB: 16, gpu: 2}"; // there are two such nodes
    const QString first = m_lab->submit(waiting(whole)), second = m_lab->submit(waiting(whole));
    QVERIFY(m_lab->says(first, "up"));
    QVERIFY(m_lab->says(second, "up"));
    const QString third = m_lab->submit(waiting(whole));
    QVERIFY(m_lab->waitForSubmissions(3));
    m_lab->engine.close();
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(QTest::qWaitFor([this] { return m_lab->queue().isEmpty(); }, 60'000));
    QVERIFY(m_lab->open());
    for (const QString &uuid : {first, second, third}) {
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(m_lab->submissions().size(), 3);
    QCOMPARE(starts(), 3);
}

// sbatch has submitted it and has not said so yet, when the engine ends and its commands with it.
void TstSlurmChaos::diesBetweenSubmissionAndAnswer()
{
    QVERIFY(m_lab->replaceSubmit("\"$SBATCH\" \"$@\" >said || exit 1\n: >taken\n[ -e dead ] || exec sleep 100\n"));
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(QTest::qWaitFor([this] { return QFile::exists(m_lab->engine.path(u"bin/taken"_s)); }, 30'000));
    m_lab->engine.close();
    QVERIFY(m_lab->submissions().isEmpty());
    QFile dead(m_lab->engine.path(u"bin/dead"_s));
    QVERIFY(dead.open(QIODevice::WriteOnly));
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->says(uuid, "up"));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(
        m_lab->submissions(), QByteArrayList{EngineFixture::contents(m_lab->engine.path(u"bin/said"_s)).trimmed()});
    QCOMPARE(starts(), 1);
}

// As when the cluster has lost its state, and has given the number again: here the engine finds that of another job of
// the user. Its lead knows better, and the other job is not taken for one that was submitted twice.
void TstSlurmChaos::theNumberIsAnotherJobs()
{
    const QByteArray other
        = m_slurm->run(u"sbatch"_s, {u"--parsable"_s, u"--job-name=train"_s, u"--wrap=sleep 1000"_s}).out.trimmed();
    QVERIFY(other.toInt() > 0);
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QByteArrayList ids = m_lab->submissions();
    QCOMPARE(ids.size(), 1);
    m_lab->engine.close();
    QDirIterator files(m_lab->engine.path(u"."_s), {u"submitted"_s}, QDir::Files, QDirIterator::Subdirectories);
    QFile file(files.next());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(other + '\n') > 0);
    file.close();
    QVERIFY(m_lab->open());
    QTRY_COMPARE_WITH_TIMEOUT(m_lab->submissions(), ids, 30'000);
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    const auto stateOf = [this](const QByteArray &id) {
        return m_slurm->run(u"squeue"_s, {u"-h"_s, u"-j"_s, QString::fromUtf8(id), u"-o"_s, u"%T"_s}).out.trimmed();
    };
    QCOMPARE(stateOf(other), QByteArray("RUNNING")); // it goes on
    m_slurm->run(u"scancel"_s, {QString::fromUtf8(other)});
}

void TstSlurmChaos::stopsAtEachStage_data()
{
    QTest::addColumn<QString>("stage");
    for (const char *stage : {"before its submission is answered", "as soon as it is taken", "while it waits there",
             "while it runs", "while it ends"}) {
        QTest::newRow(stage) << QString::fromLatin1(stage);
    }
}

void TstSlurmChaos::stopsAtEachStage()
{
    QFETCH(QString, stage);
    const bool isUnanswered = stage.startsWith("before"_L1), waits = stage.contains("waits"_L1);
    QString blocking;
    if (isUnanswered) {
        QVERIFY(m_lab->replaceSubmit(
            "\"$SBATCH\" \"$@\" >said || exit 1\n: >taken\nwhile [ ! -e answer ]; do sleep 0.1; done\ncat said\n"));
    } else if (waits) {
        blocking = m_lab->submit(worker({"echo up; sleep 1000"}, {}, 3, "{cpu: 4, memoryMB: 16, gpu: 0}"));
        QVERIFY(m_lab->says(blocking, "up"));
    }
    const QString uuid = m_lab->submit(worker(
        {"trap 'echo ending; sleep 2; exit 0' TERM", "echo up", "while :; do sleep 0.1; done"}, "jobRetryCount: 5\n"));
    if (isUnanswered) {
        QVERIFY(QTest::qWaitFor([this] { return QFile::exists(m_lab->engine.path(u"bin/taken"_s)); }, 30'000));
    } else {
        QVERIFY(m_lab->waitForSubmissions(waits ? 2 : 1));
    }
    if (waits) {
        QVERIFY(m_lab->engine.waitFor(
            uuid, [](const JobSummary &job) { return job.reason.startsWith("wait.slurm"_L1); }, 20'000));
    } else if (stage.startsWith("while"_L1)) {
        QVERIFY(m_lab->says(uuid, "up"));
    }
    QVERIFY(m_lab->engine.engine().stop(uuid, false));
    if (stage.endsWith("ends"_L1)) {
        QVERIFY(m_lab->says(uuid, "ending"));
        QVERIFY(m_lab->engine.engine().stop(uuid, false));
    } else if (isUnanswered) {
        QFile answer(m_lab->engine.path(u"bin/answer"_s));
        QVERIFY(answer.open(QIODevice::WriteOnly));
    }
    QVERIFY(m_lab->ends(uuid, State::Stopped));
    if (!blocking.isEmpty()) {
        QCOMPARE(m_lab->queue(), QByteArray("RUNNING\n"));
        QVERIFY(m_lab->engine.engine().stop(blocking, true));
        QVERIFY(m_lab->ends(blocking, State::Stopped));
    }
    QTRY_VERIFY_WITH_TIMEOUT(m_lab->queue().isEmpty(), 30'000);
    QCOMPARE(m_lab->submissions().size(), waits ? 2 : 1);
}

void TstSlurmChaos::stopNowIsAtOnce_data()
{
    QTest::addColumn<bool>("isArray");
    QTest::addColumn<bool>("isPaused");
    QTest::newRow("a gang") << false << false;
    QTest::newRow("an array") << true << false;
    QTest::newRow("paused") << false << true;
}

// Its tasks do not heed the signal, and the site gives them a long time.
void TstSlurmChaos::stopNowIsAtOnce()
{
    QFETCH(bool, isArray);
    QFETCH(bool, isPaused);
    const QString uuid = m_lab->submit(worker({"trap '' TERM", "echo up", "while :; do sleep 0.1; done"},
        isArray ? "extras: {gangAllocation: false}\n" : QByteArray(), 2));
    for (int i = 0; i < 2; ++i) {
        QVERIFY(m_lab->says(uuid, "up", i));
    }
    if (isPaused) {
        QVERIFY(m_lab->engine.engine().pause(uuid, true));
    }
    QElapsedTimer timer;
    timer.start();
    QVERIFY(m_lab->engine.engine().stop(uuid, true));
    QVERIFY(m_lab->ends(uuid, State::Stopped));
    QTRY_VERIFY_WITH_TIMEOUT(m_lab->queue().isEmpty(), killWait * 1000);
    QVERIFY2(timer.elapsed() < killWait * 1000 / 2, qPrintable(QString::number(timer.elapsed())));
}

// The target gives a minute: less than what tasks have to end and a margin. Slurm sends its notice at once.
void TstSlurmChaos::shortTimesAreUsed()
{
    if (!isFullForm()) {
        QSKIP("It takes a minute: set TRAINYARD_TEST_FULL=1 to run it.");
    }
    const QString uuid = m_lab->submit(worker({"trap 'echo saved; exit 1' TERM", "echo up", "s=0",
                                           "while :; do sleep 1 & wait $!; s=$((s + 1)); echo second $s; done"}),
        u"slurm:short"_s);
    QVERIFY(m_lab->says(uuid, "up"));
    QVERIFY(m_lab->ends(uuid, State::Failed, 180'000));
    const QByteArray said = m_lab->engine.output(uuid, u"worker"_s, 0);
    QVERIFY2(said.contains("second 20\n"), said.constData());
    QVERIFY2(said.contains("saved"), said.constData());
    QCOMPARE(m_lab->engine.job(uuid).exitCode.value_or(0), -1004);
}

void TstSlurmChaos::theNodeIsRemembered()
{
    const QString gang = m_lab->submit(worker({"echo at $SLURMD_NODENAME"}, {}, 2));
    const QString array = m_lab->submit(worker({"echo at $SLURMD_NODENAME"}, "extras: {gangAllocation: false}\n", 2));
    QVERIFY(m_lab->ends(gang, State::Succeeded));
    QVERIFY(m_lab->ends(array, State::Succeeded));
    for (const bool isRestarted : {false, true}) {
        if (isRestarted) {
            m_lab->engine.close();
            QVERIFY(m_lab->open());
        }
        for (const QString &uuid : {gang, array}) {
            for (int i = 0; i < 2; ++i) {
                const TaskInfo task = m_lab->engine.task(uuid, u"worker"_s, i);
                QVERIFY2(task.host.startsWith("slurm:lab/n"_L1), qPrintable(task.host));
                QCOMPARE(m_lab->engine.output(uuid, u"worker"_s, i), "at " + task.host.sliced(10).toUtf8() + '\n');
            }
        }
    }
}

void TstSlurmChaos::hundredsOfElements()
{
    if (!isFullForm()) {
        QSKIP("It takes minutes: set TRAINYARD_TEST_FULL=1 to run it.");
    }
    constexpr int count = 200;
    const QString uuid = m_lab->submit(
        worker({"echo element $PAI_TASK_INDEX; echo x >>starts"}, "extras: {gangAllocation: false}\n", count));
    QVERIFY(m_lab->ends(uuid, State::Succeeded, 1'200'000));
    QCOMPARE(m_lab->submissions().size(), 1);
    QCOMPARE(starts(), count);
    for (int i = 0; i < count; ++i) {
        QCOMPARE(m_lab->engine.output(uuid, u"worker"_s, i), "element " + QByteArray::number(i) + '\n');
    }
}

TRAINYARD_TEST(TstSlurmChaos)
#include "tst_slurmchaos.moc"
